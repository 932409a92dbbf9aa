/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions as implicit im2col products: forward, and the derivative of the input, phase by
 * phase. Called by conv.c. */
#include "cpu/conv/inside.h"
#include "cpu/conv/winograd.h"
#include "cpu/gemm/gemm.h"
#include "cpu/gemm/pack.h"

#include "core/alloc.h"
#include "core/parallel.h"
#include "core/shape.h"

#include <string.h>

enum { NARROW = 16 }; /* results that would leave most of a vector idle */

static void collapse_places(struct cti_gemm_positions *p)
{
    if (p->stride[1] != p->grid[2] * p->stride[2] || p->stride[0] != p->grid[1] * p->stride[1])
        return;
    p->grid[2] *= p->grid[1] * p->grid[0];
    p->grid[0] = p->grid[1] = 1;
}

/* ---- the weight matrix: for each group and result a row of channels and taps ---- */

struct weights {
    const struct cti_conv_plan *c;
    const char *from;
    char *to;
    int64_t results, channels; /* of a group */
    int64_t result_stride, channel_stride, group_stride;
    int64_t taps[3], tap_stride[3]; /* the taps of this pass */
    bool channels_inner;
};

static inline __attribute__((always_inline)) void weight_row(const struct weights *w, int64_t row,
                                                             int64_t size)
{
    int64_t group = row / w->results, result = row % w->results;
    int64_t taps = w->taps[0] * w->taps[1] * w->taps[2];
    char *to = w->to + row * taps * w->channels * size;
    const char *from = w->from + (group * w->group_stride + result * w->result_stride) * size;
    int64_t channel_to = w->channels_inner ? 1 : taps, tap_to = w->channels_inner ? w->channels : 1;
    for (int64_t i = 0; i < w->channels; i++, from += w->channel_stride * size) {
        char *at = to + i * channel_to * size;
        for (int64_t t0 = 0; t0 < w->taps[0]; t0++)
            for (int64_t t1 = 0; t1 < w->taps[1]; t1++) {
                const char *line = from + (t0 * w->tap_stride[0] + t1 * w->tap_stride[1]) * size;
                for (int64_t t2 = 0; t2 < w->taps[2]; t2++, at += tap_to * size)
                    memcpy(at, line + t2 * w->tap_stride[2] * size, (size_t)size);
            }
    }
}

static void weight_rows(void *context, int64_t begin, int64_t end)
{
    const struct weights *w = context;
    for (int64_t row = begin; row < end; row++) {
        if (w->c->size == 4)
            weight_row(w, row, 4);
        else if (w->c->size == 8)
            weight_row(w, row, 8);
        else if (w->c->size == 2)
            weight_row(w, row, 2);
        else
            weight_row(w, row, w->c->size);
    }
}

/* Whether the weight tensor already has the matrix's layout. */
static bool is_weight_matrix(const struct weights *w)
{
    int64_t taps = w->taps[0] * w->taps[1] * w->taps[2];
    int64_t tap = w->channels_inner ? w->channels : 1, channel = w->channels_inner ? 1 : taps;
    int64_t row = taps * w->channels;
    if ((w->channels > 1 && w->channel_stride != channel) ||
        (w->results > 1 && w->result_stride != row) ||
        (w->c->groups > 1 && w->group_stride != row * w->results))
        return false;
    for (int d = 2; d >= 0; d--) {
        if (w->taps[d] > 1 && w->tap_stride[d] != tap)
            return false;
        tap *= w->taps[d];
    }
    return true;
}

/* ---- forward, and one phase of the derivative of the input ---- */

/* A convolution of an image at some places: result[place] += weights times the patch there. */
struct pass {
    struct cti_gemm_gather gather;
    struct cti_gemm_positions places;
    struct weights weights;
    const char *image;
    char *result;
    int64_t image_group, result_group; /* group strides, elements */
    int64_t result_channel;
};

/* The weight matrix: in place, or in *block, which the caller frees. */
static const char *weight_matrix(struct pass *p, int64_t k, struct cti_block **block)
{
    struct weights *w = &p->weights;
    const struct cti_conv_plan *c = w->c;
    int64_t rows = w->results * c->groups;
    if (is_weight_matrix(w))
        return w->from;
    *block = cti_block_new(rows * k * c->size);
    if (!*block)
        return NULL;
    w->to = (*block)->address;
    cti_parallel_for(rows, 1 + (1 << 14) / k, weight_rows, w);
    return w->to;
}

/* Contiguous rows; taps that run backwards (the derivative of the input) are flipped. */
static bool is_winograd(const struct pass *p, struct cti_winograd *w)
{
    const struct cti_gemm_gather *g = &p->gather;
    const struct cti_conv_plan *c = p->weights.c;
    if (c->work->weight->dtype != CT_FLOAT32 || c->groups != 1 || g->channels_inner ||
        g->size[0] * g->taps[0] * g->grid[0] != 1 || g->origin[0] || p->places.stride[2] != 1 ||
        p->places.stride[1] != g->grid[2])
        return false;
    *w = (struct cti_winograd){.images = c->n,
                               .channels = g->channels,
                               .results = p->weights.results,
                               .in_image = g->image_stride,
                               .in_channel = g->channel_stride,
                               .out_image = p->places.image_stride,
                               .out_channel = p->result_channel,
                               .w_result = p->weights.result_stride,
                               .w_channel = p->weights.channel_stride,
                               .input = (float *)p->image,
                               .weight = (float *)p->weights.from,
                               .output = (float *)p->result};
    for (int d = 0; d < 2; d++) {
        int64_t hop = g->hop[1 + d], tap = p->weights.tap_stride[1 + d];
        int64_t last = g->taps[1 + d] - 1;
        if (g->step[1 + d] != 1 || (hop != 1 && hop != -1))
            return false;
        w->taps[d] = g->taps[1 + d];
        w->in[d] = g->size[1 + d];
        w->out[d] = g->grid[1 + d];
        w->origin[d] = g->origin[1 + d] - (hop < 0 ? last : 0);
        w->w_tap[d] = hop * tap;
        w->weight += hop < 0 ? last * tap : 0;
    }
    w->bias = c->work->bias ? (const float *)cti_data(c->work->bias) : NULL;
    return cti_winograd_serves(w);
}

static bool correlate(struct pass *p)
{
    struct cti_winograd winograd;
    bool done = false;
    if (is_winograd(p, &winograd) && (!cti_winograd_forward(&winograd, &done) || done))
        return done;
    const struct cti_conv_plan *c = p->weights.c;
    const struct cti_gemm_gather *g = &p->gather;
    struct cti_block *block = NULL;
    int64_t results = p->weights.results, k = g->channels * g->taps[0] * g->taps[1] * g->taps[2];
    int64_t places = c->n * g->grid[0] * g->grid[1] * g->grid[2];
    const char *matrix = weight_matrix(p, k, &block);
    if (!matrix)
        return false;
    ct_tensor *bias = c->work->bias;
    cti_conv_collapse(&p->gather);
    collapse_places(&p->places);
    struct cti_gemm w = {.dtype = c->work->weight->dtype,
                         .k = k,
                         .batch = c->groups,
                         .c = p->result,
                         .c_batch = p->result_group,
                         .alpha = {1, 0},
                         .bias = bias ? cti_data(bias) : NULL,
                         .bias_batch = results};
    struct cti_gemm_extra extra = {
        .groups = c->groups, .images = c->n, .part_images = c->n, .c_dtype = w.dtype};
    if (p->result_channel == 1 && results >= NARROW) {
        w.m = places;
        w.n = results;
        w.a = p->image;
        w.a_batch = p->image_group;
        w.b = matrix;
        w.b_row = 1;
        w.b_col = k;
        w.b_batch = results * k;
        w.c_row = p->places.stride[2];
        w.c_col = 1;
        w.bias_col = 1;
        extra.a = g;
        extra.rows = &p->places;
    } else {
        w.m = results;
        w.n = places;
        w.a = matrix;
        w.a_row = k;
        w.a_col = 1;
        w.a_batch = results * k;
        w.b = p->image;
        w.b_batch = p->image_group;
        w.c_row = p->result_channel;
        w.c_col = p->places.stride[2];
        w.bias_row = 1;
        extra.b = g;
        extra.cols = &p->places;
    }
    /* Places contiguous across all images need no table. */
    const struct cti_gemm_positions *at = &p->places;
    if (at->grid[0] * at->grid[1] == 1 && at->image_stride == at->grid[2] * at->stride[2])
        extra.rows = extra.cols = NULL;
    bool good = cti_gemm_packed(&w, &extra);
    if (block)
        cti_block_free(block);
    return good;
}

bool cti_conv_forward(const struct cti_conv_plan *c)
{
    int64_t og = c->o / c->groups, cg = c->c / c->groups;
    struct pass p = {.gather = {.channels = cg,
                                .image_stride = c->in_image,
                                .channel_stride = c->in_channel,
                                .channels_inner = c->work->channels_last},
                     .places = {.image_stride = c->out_image},
                     .weights = {c, cti_data(c->work->weight), NULL, og, cg, c->w_out, c->w_in,
                                 og * c->w_out, .channels_inner = c->work->channels_last},
                     .image = cti_data(c->work->input),
                     .result = cti_data(c->work->output),
                     .image_group = cg * c->in_channel,
                     .result_group = og * c->out_channel,
                     .result_channel = c->out_channel};
    for (int d = 0; d < 3; d++) {
        p.gather.size[d] = c->in[d];
        p.gather.stride[d] = c->in_stride[d];
        p.gather.grid[d] = p.places.grid[d] = c->out[d];
        p.places.stride[d] = c->out_stride[d];
        p.gather.taps[d] = p.weights.taps[d] = c->taps[d];
        p.weights.tap_stride[d] = c->w_stride[d];
        p.gather.step[d] = c->stride[d];
        p.gather.hop[d] = c->dilation[d];
        p.gather.origin[d] = -c->padding[d];
    }
    return correlate(&p);
}

/* ---- the derivative of the input ---- */

/* The taps that meet the elements of one phase along a dim: first, first + step, ... `count` of
 * them, perhaps 0; `origin` is the gradient's place under the first tap of the phase's first
 * element, and it moves by -hop from tap to tap. */
struct phase {
    int64_t first, step, count, origin, hop;
};

static struct phase phase_of(const struct cti_conv_plan *c, int d, int64_t phase)
{
    struct phase p = {.step = c->stride[d], .hop = c->dilation[d]};
    int64_t last = -1;
    p.count = 0;
    for (int64_t t = 0; t < c->taps[d] && t / 2 <= c->stride[d]; t++) {
        if ((phase + c->padding[d] - t * c->dilation[d]) % c->stride[d] != 0)
            continue;
        if (last >= 0) {
            p.step = t - last;
            break;
        }
        p.first = last = t;
    }
    if (last < 0)
        return p;
    p.count = (c->taps[d] - 1 - p.first) / p.step + 1;
    p.origin = (phase + c->padding[d] - p.first * c->dilation[d]) / c->stride[d];
    p.hop = p.count > 1 ? p.step * c->dilation[d] / c->stride[d] : 0;
    return p;
}

static bool run_phase(const struct cti_conv_plan *c, const int64_t phase[3])
{
    int64_t og = c->o / c->groups, cg = c->c / c->groups, at = 0, tap_at = 0;
    struct pass p = {.gather = {.channels = og,
                                .image_stride = c->out_image,
                                .channel_stride = c->out_channel,
                                .channels_inner = c->work->channels_last},
                     .places = {.image_stride = c->in_image},
                     .weights = {c, NULL, NULL, cg, og, c->w_in, c->w_out, og * c->w_out,
                                 .channels_inner = c->work->channels_last},
                     .image = cti_data(c->work->output),
                     .image_group = og * c->out_channel,
                     .result_group = cg * c->in_channel,
                     .result_channel = c->in_channel};
    for (int d = 0; d < 3; d++) {
        struct phase f = phase_of(c, d, phase[d]);
        if (!f.count || phase[d] >= c->in[d])
            return true;
        p.gather.size[d] = c->out[d];
        p.gather.stride[d] = c->out_stride[d];
        p.gather.grid[d] = p.places.grid[d] = (c->in[d] - 1 - phase[d]) / c->stride[d] + 1;
        p.places.stride[d] = cti_mul_sat(c->in_stride[d], c->stride[d]);
        p.gather.taps[d] = p.weights.taps[d] = f.count;
        p.weights.tap_stride[d] = cti_mul_sat(c->w_stride[d], f.step);
        p.gather.step[d] = 1;
        p.gather.hop[d] = -f.hop;
        p.gather.origin[d] = f.origin;
        at += phase[d] * c->in_stride[d];
        tap_at += f.first * c->w_stride[d];
    }
    p.result = cti_data(c->work->input) + at * c->size;
    p.weights.from = cti_data(c->work->weight) + tap_at * c->size;
    return correlate(&p);
}

/* Elements that no tap meets are 0, or the bias alone. */
static void fill_input(const struct cti_conv_plan *c)
{
    char *to = cti_data(c->work->input);
    const char *bias = c->work->bias ? cti_data(c->work->bias) : NULL;
    int64_t count = c->n * c->in_image;
    if (!bias) {
        memset(to, 0, (size_t)(count * c->size));
        return;
    }
    for (int64_t i = 0; i < count; i++)
        memcpy(to + i * c->size, bias + i / c->in_channel % c->c * c->size, (size_t)c->size);
}

bool cti_conv_input(const struct cti_conv_plan *c)
{
    bool gaps = false;
    for (int d = 0; d < 3; d++)
        for (int64_t phase = 0; phase < c->stride[d] && phase < c->in[d]; phase++)
            gaps = gaps || !phase_of(c, d, phase).count;
    if (gaps)
        fill_input(c);
    int64_t p[3], most[3];
    for (int d = 0; d < 3; d++)
        most[d] = c->stride[d] < c->in[d] ? c->stride[d] : c->in[d];
    for (p[0] = 0; p[0] < most[0]; p[0]++)
        for (p[1] = 0; p[1] < most[1]; p[1]++)
            for (p[2] = 0; p[2] < most[2]; p[2]++)
                if (!run_phase(c, p))
                    return false;
    return true;
}

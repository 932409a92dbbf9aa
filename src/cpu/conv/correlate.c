/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions as implicit im2col products: forward, and the derivative of the input, phase by
 * phase. Called by conv.c. */
#include "cpu/conv/conv.h"
#include "cpu/gemm/gemm.h"

#include "core/alloc.h"
#include "core/parallel.h"
#include "core/shape.h"
#include "core/small.h"

#include <string.h>

enum { NARROW = 16 }; /* fewer results would leave most of a vector idle */

/* ---- the weight matrix: for each group and output channel, a row of channels and taps ---- */

struct weights {
    const struct cti_conv_plan *c;
    const char *from; /* the first tap */
    char *to;
    int64_t results, channels; /* of a group */
    int64_t result_stride, channel_stride, group_stride;
    int64_t taps[3], tap_stride[3]; /* the taps that contribute */
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
        if (w->c->itemsize == 4)
            weight_row(w, row, 4);
        else if (w->c->itemsize == 8)
            weight_row(w, row, 8);
        else if (w->c->itemsize == 2)
            weight_row(w, row, 2);
        else
            weight_row(w, row, w->c->itemsize);
    }
}

/* Whether the weight tensor already is that matrix. */
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

/* Returns the weight matrix, with k elements a row: in place, or copied to *block, which the caller
 * frees. */
static const char *weight_matrix(struct weights *w, int64_t k, struct cti_block **block)
{
    int64_t rows = w->results * w->c->groups;
    if (is_weight_matrix(w))
        return w->from;
    *block = cti_block_new(rows * k * w->c->itemsize);
    if (!*block)
        return NULL;
    w->to = (*block)->address;
    cti_parallel_for(rows, 1 + (1 << 14) / k, weight_rows, w);
    return w->to;
}

/* ---- the product ---- */

/* One dim of a product: `count` results, at elements first, first + every, ... of the written
 * image, and the taps that contribute to them. Result i adds tap first_tap + t * tap_stride times
 * element i * step + t * tap_step + origin of the read image, for t < taps. */
struct along {
    int64_t count, first, every;
    int64_t taps, first_tap, tap_stride;
    int64_t step, tap_step, origin;
};

/* If rows or planes of results are contiguous, makes one long row of them. */
static void collapse_positions(struct cti_gemm_positions *p)
{
    if (p->stride[1] != p->grid[2] * p->stride[2] || p->stride[0] != p->grid[1] * p->stride[1])
        return;
    p->grid[2] *= p->grid[1] * p->grid[0];
    p->grid[0] = p->grid[1] = 1;
}

static bool correlate(const struct cti_conv_plan *c, const struct along along[3])
{
    bool forward = c->work->kind == CTI_CONV_FORWARD;
    const struct cti_conv_image *from = forward ? &c->in : &c->out,
                                *to = forward ? &c->out : &c->in;
    int64_t results = to->channels / c->groups, k = from->channels / c->groups;
    int64_t columns = c->images, at = 0, tap_at = 0;
    struct cti_gemm_gather gather = cti_conv_gather(c, from);
    struct cti_gemm_positions positions = {.image_stride = to->image_stride};
    struct weights weights = {.c = c,
                              .results = results,
                              .channels = gather.channels,
                              .result_stride = forward ? c->w_out : c->w_in,
                              .channel_stride = forward ? c->w_in : c->w_out,
                              .group_stride = c->out.channels / c->groups * c->w_out,
                              .channels_inner = c->work->channels_last};
    for (int d = 0; d < 3; d++) {
        gather.grid[d] = positions.grid[d] = along[d].count;
        gather.taps[d] = weights.taps[d] = along[d].taps;
        gather.step[d] = along[d].step;
        gather.tap_step[d] = along[d].tap_step;
        gather.origin[d] = along[d].origin;
        positions.stride[d] = cti_mul_sat(to->stride[d], along[d].every);
        weights.tap_stride[d] = cti_mul_sat(c->w_tap[d], along[d].tap_stride);
        k *= along[d].taps;
        columns *= along[d].count;
        at += along[d].first * to->stride[d];
        tap_at += along[d].first_tap * c->w_tap[d];
    }
    weights.from = c->weight + tap_at * c->itemsize;
    struct cti_block *block = NULL;
    const char *matrix = weight_matrix(&weights, k, &block);
    if (!matrix)
        return false;
    cti_conv_collapse(&gather);
    collapse_positions(&positions);
    /* If the results of all images are contiguous, no table of positions is needed. */
    bool scattered = positions.grid[0] * positions.grid[1] != 1 ||
                     positions.image_stride != positions.grid[2] * positions.stride[2];
    struct cti_gemm w = {.dtype = c->work->weight->dtype,
                         .k = k,
                         .batch = c->groups,
                         .c = to->data + at * c->itemsize,
                         .c_batch = results * to->channel_stride,
                         .alpha = {1, 0},
                         .bias = c->bias,
                         .bias_batch = results};
    struct cti_gemm_im2col im2col = {
        .groups = c->groups, .images = c->images, .part_images = c->images, .c_dtype = w.dtype};
    if (to->channel_stride == 1 && results >= NARROW) {
        w.m = columns;
        w.n = results;
        w.a = from->data;
        w.a_batch = gather.channels * from->channel_stride;
        w.b = matrix;
        w.b_row = 1;
        w.b_col = k;
        w.b_batch = results * k;
        w.c_row = positions.stride[2];
        w.c_col = 1;
        w.bias_col = 1;
        im2col.a = &gather;
        im2col.rows = scattered ? &positions : NULL;
    } else {
        w.m = results;
        w.n = columns;
        w.a = matrix;
        w.a_row = k;
        w.a_col = 1;
        w.a_batch = results * k;
        w.b = from->data;
        w.b_batch = gather.channels * from->channel_stride;
        w.c_row = to->channel_stride;
        w.c_col = positions.stride[2];
        w.bias_row = 1;
        im2col.b = &gather;
        im2col.cols = scattered ? &positions : NULL;
    }
    bool good = cti_gemm_packed(&w, &im2col);
    if (block)
        cti_block_free(block);
    return good;
}

bool cti_conv_forward(const struct cti_conv_plan *c)
{
    struct along along[3];
    for (int d = 0; d < 3; d++)
        along[d] = (struct along){.count = c->out.size[d],
                                  .every = 1,
                                  .taps = c->taps[d],
                                  .tap_stride = 1,
                                  .step = c->stride[d],
                                  .tap_step = c->dilation[d],
                                  .origin = -c->padding[d]};
    return correlate(c, along);
}

/* ---- the derivative of the input ---- */

/* The elements phase, phase + stride, ... of the input along a dim. Only taps t with
 * (phase + padding - t * dilation) % stride == 0 contribute to them: none, or every
 * tap_stride-th. */
static struct along phase_of(const struct cti_conv_plan *c, int d, int64_t phase)
{
    int64_t stride = c->stride[d], dilation = c->dilation[d], last = -1;
    struct along p = {.count = (c->in.size[d] - 1 - phase) / stride + 1,
                      .first = phase,
                      .every = stride,
                      .tap_stride = stride,
                      .step = 1};
    for (int64_t t = 0; t < c->taps[d] && t / 2 <= stride; t++) {
        if ((phase + c->padding[d] - t * dilation) % stride != 0)
            continue;
        if (last >= 0) {
            p.tap_stride = t - last;
            break;
        }
        p.first_tap = last = t;
    }
    if (last < 0)
        return p;
    p.taps = (c->taps[d] - 1 - p.first_tap) / p.tap_stride + 1;
    p.origin = (phase + c->padding[d] - p.first_tap * dilation) / stride;
    p.tap_step = p.taps > 1 ? -(p.tap_stride * dilation / stride) : 0;
    return p;
}

/* Sets every element to 0, or to the bias alone. */
static void fill_input(const struct cti_conv_plan *c)
{
    int64_t count = c->images * c->in.image_stride, size = c->itemsize;
    if (!c->bias) {
        memset(c->in.data, 0, (size_t)(count * size));
        return;
    }
    for (int64_t i = 0; i < count; i++)
        memcpy(c->in.data + i * size, c->bias + i / c->in.channel_stride % c->in.channels * size,
               (size_t)size);
}

bool cti_conv_input(const struct cti_conv_plan *c)
{
    int64_t p[3], phases[3];
    bool gaps = false; /* elements to which no tap contributes */
    for (int d = 0; d < 3; d++) {
        phases[d] = min64(c->stride[d], c->in.size[d]);
        for (int64_t phase = 0; phase < phases[d]; phase++)
            gaps = gaps || !phase_of(c, d, phase).taps;
    }
    if (gaps)
        fill_input(c);
    for (p[0] = 0; p[0] < phases[0]; p[0]++)
        for (p[1] = 0; p[1] < phases[1]; p[1]++)
            for (p[2] = 0; p[2] < phases[2]; p[2]++) {
                struct along along[3] = {phase_of(c, 0, p[0]), phase_of(c, 1, p[1]),
                                         phase_of(c, 2, p[2])};
                if (along[0].taps && along[1].taps && along[2].taps && !correlate(c, along))
                    return false;
            }
    return true;
}

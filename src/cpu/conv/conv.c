/* SPDX-License-Identifier: BSD-3-Clause */
/* The conv engine of the CPU. Note [Ways of a convolution]: all three kinds are products one of
 * whose factors is read out of an image (gather.h), in the layout the image has:
 *   FORWARD  weights times the input under them; images are side by side
 *   INPUT    weights, turned, times the gradient; with stride s the elements of the input fall into
 *            s phases along a dim, each of which sees every s-th tap: a convolution of its own
 *   WEIGHT   the gradient times the input; sums run over all places of all images
 * Where channels are last, places are the rows of the product and results its columns; else it is
 * the other way round. How the work is cut follows the shape alone, and sums run in one order. */
#include "cpu/conv/conv.h"
#include "cpu/conv/depthwise.h"
#include "cpu/gemm/gemm.h"
#include "cpu/gemm/pack.h"

#include "core/alloc.h"
#include "core/parallel.h"

#include <string.h>

enum { NARROW = 16 }; /* results that would leave most of a kernel's width idle */

/* The geometry with three dims, of which the first may be of size 1; strides count elements. */
struct conv {
    const struct cti_conv *work;
    int64_t size; /* bytes of an element */
    int64_t n, c, o, groups;
    int64_t in[3], out[3], taps[3], stride[3], padding[3], dilation[3];
    int64_t in_image, in_channel, in_stride[3];
    int64_t out_image, out_channel, out_stride[3];
    int64_t w_out, w_in, w_stride[3];
};

static void lay_out(bool last, int64_t channels, const int64_t size[3], int64_t *image,
                    int64_t *channel, int64_t stride[3])
{
    int64_t places = size[0] * size[1] * size[2], inner = last ? channels : 1;
    *image = channels * places;
    *channel = last ? 1 : places;
    stride[2] = inner;
    stride[1] = inner * size[2];
    stride[0] = inner * size[2] * size[1];
}

static void describe(struct conv *c, const struct cti_conv *work)
{
    const ct_tensor *weight = work->weight;
    c->work = work;
    c->size = cti_itemsize(weight->dtype);
    c->n = work->input->shape[0];
    c->c = work->input->shape[1];
    c->o = work->output->shape[1];
    c->groups = work->groups;
    c->w_out = weight->stride[0];
    c->w_in = weight->stride[1];
    for (int d = 0; d < 3; d++) {
        int from = d - (3 - work->dims);
        bool here = from >= 0;
        c->in[d] = here ? work->input->shape[2 + from] : 1;
        c->out[d] = here ? work->output->shape[2 + from] : 1;
        c->taps[d] = here ? weight->shape[2 + from] : 1;
        c->w_stride[d] = here ? weight->stride[2 + from] : 0;
        c->stride[d] = here ? work->stride[from] : 1;
        c->padding[d] = here ? work->padding[from] : 0;
        c->dilation[d] = here ? work->dilation[from] : 1;
    }
    lay_out(work->channels_last, c->c, c->in, &c->in_image, &c->in_channel, c->in_stride);
    lay_out(work->channels_last, c->o, c->out, &c->out_image, &c->out_channel, c->out_stride);
}

static char *data_of(const ct_tensor *t)
{
    return (char *)t->storage->data + t->offset * cti_itemsize(t->dtype);
}

/* Where every place sees one element, rows and planes are one long row. */
static void collapse(struct cti_gemm_gather *g)
{
    for (int d = 0; d < 3; d++)
        if (g->taps[d] != 1 || g->step[d] != 1 || g->origin[d] != 0 || g->grid[d] != g->size[d])
            return;
    int64_t places = g->grid[0] * g->grid[1] * g->grid[2];
    g->grid[0] = g->grid[1] = g->size[0] = g->size[1] = 1;
    g->grid[2] = g->size[2] = places;
}

static void collapse_places(struct cti_gemm_places *p)
{
    if (p->stride[1] != p->grid[2] * p->stride[2] || p->stride[0] != p->grid[1] * p->stride[1])
        return;
    p->grid[2] *= p->grid[1] * p->grid[0];
    p->grid[0] = p->grid[1] = 1;
}

/* ---- weights as a matrix: for each group and result a row of channels and taps ---- */

struct weights {
    const struct conv *c;
    const char *from;
    char *to;
    int64_t results, channels; /* of a group */
    int64_t result_stride, channel_stride, group_stride;
    int64_t taps[3], tap_stride[3]; /* those that are used */
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

/* Do the weights lie as the matrix would? */
static bool weights_lie(const struct weights *w)
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

/* A convolution of an image at some places: result[place] += weights times what lies there. */
struct pass {
    struct cti_gemm_gather gather;
    struct cti_gemm_places places;
    struct weights weights;
    const char *image;
    char *result;
    int64_t image_group, result_group; /* from group to group, elements */
    int64_t result_channel;
};

/* The weights as a matrix: where they lie, or in *block, which the caller lets go. */
static const char *weight_matrix(struct pass *p, int64_t k, struct cti_block **block)
{
    struct weights *w = &p->weights;
    const struct conv *c = w->c;
    int64_t rows = w->results * c->groups;
    if (weights_lie(w))
        return w->from;
    *block = cti_block_new(rows * k * c->size);
    if (!*block)
        return NULL;
    w->to = (*block)->address;
    cti_parallel_for(rows, 1 + (1 << 14) / k, weight_rows, w);
    return w->to;
}

static bool correlate(struct pass *p)
{
    const struct conv *c = p->weights.c;
    const struct cti_gemm_gather *g = &p->gather;
    struct cti_block *block = NULL;
    int64_t results = p->weights.results, k = g->channels * g->taps[0] * g->taps[1] * g->taps[2];
    int64_t places = c->n * g->grid[0] * g->grid[1] * g->grid[2];
    const char *matrix = weight_matrix(p, k, &block);
    if (!matrix)
        return false;
    ct_tensor *bias = c->work->bias;
    collapse(&p->gather);
    collapse_places(&p->places);
    struct cti_gemm w = {.dtype = c->work->weight->dtype,
                         .k = k,
                         .batch = c->groups,
                         .c = p->result,
                         .c_batch = p->result_group,
                         .alpha = {1, 0},
                         .bias = bias ? data_of(bias) : NULL,
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
    /* Places that follow one another through all images need no table. */
    const struct cti_gemm_places *at = &p->places;
    if (at->grid[0] * at->grid[1] == 1 && at->image_stride == at->grid[2] * at->stride[2])
        extra.rows = extra.cols = NULL;
    bool good = cti_gemm_packed(&w, &extra);
    if (block)
        cti_block_free(block);
    return good;
}

static bool forward(const struct conv *c)
{
    int64_t og = c->o / c->groups, cg = c->c / c->groups;
    struct pass p = {.gather = {.channels = cg,
                                .image_stride = c->in_image,
                                .channel_stride = c->in_channel,
                                .channels_inner = c->work->channels_last},
                     .places = {.image_stride = c->out_image},
                     .weights = {c, data_of(c->work->weight), NULL, og, cg, c->w_out, c->w_in,
                                 og * c->w_out, .channels_inner = c->work->channels_last},
                     .image = data_of(c->work->input),
                     .result = data_of(c->work->output),
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

/* Which taps meet the elements of one phase along a dim: first, first + step, ... They are `count`,
 * perhaps 0; the gradient's place under the first tap of the phase's first element is `origin`, and
 * it moves by -hop from tap to tap. */
struct phase {
    int64_t first, step, count, origin, hop;
};

static struct phase phase_of(const struct conv *c, int d, int64_t phase)
{
    struct phase p = {.step = c->stride[d], .hop = c->dilation[d]};
    int64_t last = -1;
    p.count = 0;
    for (int64_t t = 0; t < c->taps[d] && t <= 2 * c->stride[d] + 1; t++) {
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
    p.hop = p.step * c->dilation[d] / c->stride[d];
    return p;
}

static bool run_phase(const struct conv *c, const int64_t phase[3])
{
    int64_t og = c->o / c->groups, cg = c->c / c->groups, at = 0, tap_at = 0;
    struct pass p = {.gather = {.channels = og,
                                .image_stride = c->out_image,
                                .channel_stride = c->out_channel,
                                .channels_inner = c->work->channels_last},
                     .places = {.image_stride = c->in_image},
                     .weights = {c, NULL, NULL, cg, og, c->w_in, c->w_out, og * c->w_out,
                                 .channels_inner = c->work->channels_last},
                     .image = data_of(c->work->output),
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
        p.places.stride[d] = c->in_stride[d] * c->stride[d];
        p.gather.taps[d] = p.weights.taps[d] = f.count;
        p.weights.tap_stride[d] = c->w_stride[d] * f.step;
        p.gather.step[d] = 1;
        p.gather.hop[d] = -f.hop;
        p.gather.origin[d] = f.origin;
        at += phase[d] * c->in_stride[d];
        tap_at += f.first * c->w_stride[d];
    }
    p.result = data_of(c->work->input) + at * c->size;
    p.weights.from = data_of(c->work->weight) + tap_at * c->size;
    return correlate(&p);
}

/* Elements that no tap meets are 0, or the bias alone. */
static void fill_input(const struct conv *c)
{
    char *to = data_of(c->work->input);
    const char *bias = c->work->bias ? data_of(c->work->bias) : NULL;
    int64_t count = c->n * c->in_image;
    if (!bias) {
        memset(to, 0, (size_t)(count * c->size));
        return;
    }
    for (int64_t i = 0; i < count; i++)
        memcpy(to + i * c->size, bias + i / c->in_channel % c->c * c->size, (size_t)c->size);
}

static bool input_gradient(const struct conv *c)
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

/* ---- the derivative of the weights ---- */

static bool weight_gradient(const struct conv *c)
{
    int64_t og = c->o / c->groups, cg = c->c / c->groups;
    struct cti_gemm_gather grad = {.channels = og,
                                   .image_stride = c->out_image,
                                   .channel_stride = c->out_channel,
                                   .channels_inner = c->work->channels_last,
                                   .places_are_k = true},
                           image = {.channels = cg,
                                    .image_stride = c->in_image,
                                    .channel_stride = c->in_channel,
                                    .channels_inner = c->work->channels_last,
                                    .places_are_k = true};
    int64_t places = 1, taps = 1;
    for (int d = 0; d < 3; d++) {
        grad.size[d] = grad.grid[d] = image.grid[d] = c->out[d];
        grad.stride[d] = c->out_stride[d];
        grad.taps[d] = grad.step[d] = grad.hop[d] = 1;
        image.size[d] = c->in[d];
        image.stride[d] = c->in_stride[d];
        image.taps[d] = c->taps[d];
        image.step[d] = c->stride[d];
        image.hop[d] = c->dilation[d];
        image.origin[d] = -c->padding[d];
        places *= c->out[d];
        taps *= c->taps[d];
    }
    collapse(&grad);
    collapse(&image);
    struct cti_gemm w = {.dtype = c->work->weight->dtype,
                         .m = og,
                         .n = cg * taps,
                         .k = c->n * places,
                         .batch = c->groups,
                         .a = data_of(c->work->output),
                         .a_batch = og * c->out_channel,
                         .b = data_of(c->work->input),
                         .b_batch = cg * c->in_channel,
                         .c = data_of(c->work->weight),
                         .c_row = cg * taps,
                         .c_col = 1,
                         .c_batch = og * cg * taps,
                         .alpha = {1, 0}};
    struct cti_gemm_extra extra = {.a = &grad,
                                   .b = &image,
                                   .groups = c->groups,
                                   .images = c->n,
                                   .part_images = c->n,
                                   .c_dtype = w.dtype};
    return cti_gemm_packed(&w, &extra);
}

/* ---- one channel for each group ---- */

enum { DEPTHWISE_TAPS = 128, DEPTHWISE_GRAIN = 1 << 15 };

struct depthwise {
    struct cti_depthwise d;
    const struct cti_depthwise_loops *loops;
    enum cti_conv_kind kind;
    int64_t blocks, channels, block; /* of an image; channels, and those of a block */
};

static bool is_depthwise(const struct conv *c)
{
    enum ct_dtype dtype = c->work->weight->dtype;
    return c->groups > 1 && c->c == c->groups && (c->o == c->c || !c->work->channels_last) &&
           (dtype == CT_FLOAT32 || dtype == CT_FLOAT64) &&
           c->taps[0] * c->taps[1] * c->taps[2] <= DEPTHWISE_TAPS;
}

static void depthwise_blocks(void *context, int64_t begin, int64_t end)
{
    const struct depthwise *w = context;
    for (int64_t i = begin; i < end; i++) {
        int64_t first = i % w->blocks * w->block, last = first + w->block;
        last = last < w->channels ? last : w->channels;
        if (w->kind == CTI_CONV_FORWARD)
            w->loops->forward(&w->d, i / w->blocks, first, last);
        else if (w->kind == CTI_CONV_INPUT)
            w->loops->input(&w->d, i / w->blocks, first, last);
        else
            w->loops->weight(&w->d, first, last);
    }
}

/* Weights as the loops read them: channel by channel, or side by side for each tap. */
static void turn_weights(const struct conv *c, char *line, bool back)
{
    int64_t taps = c->taps[0] * c->taps[1] * c->taps[2];
    char *w = data_of(c->work->weight);
    for (int64_t o = 0; o < c->o; o++)
        for (int64_t t = 0; t < taps; t++) {
            int64_t t2 = t % c->taps[2], t1 = t / c->taps[2] % c->taps[1];
            int64_t t0 = t / c->taps[2] / c->taps[1];
            char *at = w + (o * c->w_out + t0 * c->w_stride[0] + t1 * c->w_stride[1] +
                            t2 * c->w_stride[2]) *
                               c->size;
            char *there = line + (c->work->channels_last ? t * c->o + o : o * taps + t) * c->size;
            memcpy(back ? at : there, back ? there : at, (size_t)c->size);
        }
}

static bool depthwise(const struct conv *c)
{
    static const struct cti_depthwise_types *const types[] = CTI_ISA_TABLE(cti_depthwise);
    const struct cti_depthwise_types *type = types[cti_cpu_isa()];
    int64_t taps = c->taps[0] * c->taps[1] * c->taps[2];
    struct cti_block *block = cti_block_new(c->o * taps * c->size);
    if (!block)
        return false;
    struct depthwise w = {.kind = c->work->kind};
    w.loops = c->work->weight->dtype == CT_FLOAT32 ? &type->f32 : &type->f64;
    w.d = (struct cti_depthwise){.channels_last = c->work->channels_last,
                                 .images = c->n,
                                 .multiple = c->o / c->c,
                                 .in_image = c->in_image,
                                 .in_channel = c->in_channel,
                                 .out_image = c->out_image,
                                 .out_channel = c->out_channel,
                                 .input = data_of(c->work->input),
                                 .output = data_of(c->work->output),
                                 .weight = block->address,
                                 .bias = c->work->bias ? data_of(c->work->bias) : NULL};
    for (int i = 0; i < 3; i++) {
        w.d.in[i] = c->in[i];
        w.d.out[i] = c->out[i];
        w.d.taps[i] = c->taps[i];
        w.d.stride[i] = c->stride[i];
        w.d.padding[i] = c->padding[i];
        w.d.dilation[i] = c->dilation[i];
        w.d.in_stride[i] = c->in_stride[i];
        w.d.out_stride[i] = c->out_stride[i];
    }
    bool weights = w.kind == CTI_CONV_WEIGHT;
    if (!weights)
        turn_weights(c, block->address, false);
    w.channels = w.kind == CTI_CONV_INPUT ? c->c : c->o;
    w.block = !c->work->channels_last ? 1 : weights ? 16 : w.channels;
    w.blocks = (w.channels + w.block - 1) / w.block;
    int64_t work = w.block * taps * c->out[0] * c->out[1] * c->out[2] * (weights ? c->n : 1);
    cti_parallel_for(weights ? w.blocks : w.blocks * c->n, 1 + DEPTHWISE_GRAIN / work,
                     depthwise_blocks, &w);
    if (weights)
        turn_weights(c, block->address, true);
    cti_block_free(block);
    return true;
}

bool cti_cpu_conv(const struct cti_conv *work)
{
    struct conv c;
    describe(&c, work);
    if (is_depthwise(&c))
        return depthwise(&c);
    switch (work->kind) {
    case CTI_CONV_FORWARD:
        return forward(&c);
    case CTI_CONV_INPUT:
        return input_gradient(&c);
    case CTI_CONV_WEIGHT:
        return weight_gradient(&c);
    }
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of a convolution's weights: the gradient times the implicit im2col matrix, summed
 * over all places of all images. Called by conv.c. */
#include "cpu/conv/inside.h"
#include "cpu/conv/winograd.h"
#include "cpu/gemm/gemm.h"
#include "cpu/gemm/pack.h"

#include "core/alloc.h"
#include "core/parallel.h"

#include <string.h>

/* Split-K: few tiles of a long sum would leave threads idle, so the images are cut into parts, by
 * the shape alone, each part is summed by itself, and the parts are added in order. */
static int64_t part_images(const struct cti_conv_plan *c, int64_t results, int64_t columns,
                           int64_t places)
{
    enum { TILES = 48, TILE = 16 * 32, PART_WORK = 4000000 }; /* work that is worth a part */
    double tiles = (double)c->groups * (double)results * (double)columns / TILE;
    double sums = 2.0 * (double)c->groups * (double)results * (double)columns * (double)places;
    int64_t parts = tiles >= TILES ? 1 : (int64_t)(TILES / (tiles < 1 ? 1 : tiles));
    int64_t worth = (int64_t)(sums * (double)c->n / PART_WORK) + 1;
    parts = parts < worth ? parts : worth;
    parts = parts < c->n ? parts : c->n;
    return (c->n + parts - 1) / parts;
}

struct parts {
    const struct cti_gemm *w;
    const char *sums;
    int64_t parts, each; /* elements of a part */
    enum ct_dtype dtype; /* of sums */
};

/* The split-K reduction, a line at a time, rounded to the result's type. */
static void add_parts(void *context, int64_t begin, int64_t end)
{
    const struct parts *p = context;
    int64_t size = cti_itemsize(p->dtype), units = ct_dtype_is_complex(p->dtype) ? 2 : 1;
    bool wide = p->dtype == CT_FLOAT64 || p->dtype == CT_COMPLEX128;
    struct cti_gemm_target target = {
        .dtype = p->w->dtype, .c = p->w->c, .row = 0, .col = 1, .alpha = {1, 0}};
    enum { LINE = 256 };
    double line[2 * LINE];
    float narrow[2 * LINE];
    for (int64_t at = begin; at < end; at += LINE) {
        int64_t count = end - at < LINE ? end - at : LINE;
        memset(line, 0, sizeof line);
        for (int64_t i = 0; i < p->parts; i++) {
            const char *from = p->sums + (i * p->each + at) * size;
            for (int64_t j = 0; j < count * units; j++)
                line[j] += wide ? ((const double *)from)[j] : (double)((const float *)from)[j];
        }
        for (int64_t j = 0; j < count * units; j++)
            narrow[j] = (float)line[j];
        cti_gemm_kernels()->store(&target, 0, at, 1, count, wide ? (void *)line : narrow, 0);
    }
}

/* Without split-K, the product is the result. */
static bool run_parts(const struct cti_conv_plan *c, struct cti_gemm *w,
                      struct cti_gemm_extra *extra, int64_t places)
{
    bool real = w->dtype >= CT_FLOAT16; /* or complex: no integers */
    int64_t images = real ? part_images(c, w->m, w->n, places) : c->n;
    struct parts p = {.w = w, .parts = (c->n + images - 1) / images};
    if (p.parts == 1)
        return cti_gemm_packed(w, extra);
    bool half = w->dtype == CT_FLOAT16 || w->dtype == CT_BFLOAT16;
    p.dtype = extra->c_dtype = half ? CT_FLOAT32 : w->dtype;
    p.each = c->groups * w->m * w->n;
    struct cti_block *block = cti_block_new(p.parts * p.each * cti_itemsize(p.dtype));
    if (!block)
        return false;
    struct cti_gemm part = *w;
    p.sums = part.c = block->address;
    part.k = images * places;
    part.batch = c->groups * p.parts;
    extra->part_images = images;
    extra->a_part = images * c->out_image;
    extra->b_part = images * c->in_image;
    extra->c_part = p.each;
    bool good = cti_gemm_packed(&part, extra);
    if (good)
        cti_parallel_for(p.each, 1 << 12, add_parts, &p);
    cti_block_free(block);
    return good;
}

static bool is_winograd(const struct cti_conv_plan *c, struct cti_winograd *w)
{
    if (c->work->weight->dtype != CT_FLOAT32 || c->groups != 1 || c->work->channels_last ||
        c->in[0] * c->out[0] * c->taps[0] != 1 || c->padding[0])
        return false;
    *w = (struct cti_winograd){.images = c->n,
                               .channels = c->c,
                               .results = c->o,
                               .in_image = c->in_image,
                               .in_channel = c->in_channel,
                               .out_image = c->out_image,
                               .out_channel = c->out_channel,
                               .w_result = c->w_out,
                               .w_channel = c->w_in,
                               .input = (float *)cti_data(c->work->input),
                               .weight = (float *)cti_data(c->work->weight),
                               .output = (float *)cti_data(c->work->output)};
    for (int d = 0; d < 2; d++) {
        if (c->stride[1 + d] != 1 || c->dilation[1 + d] != 1)
            return false;
        w->taps[d] = c->taps[1 + d];
        w->in[d] = c->in[1 + d];
        w->out[d] = c->out[1 + d];
        w->origin[d] = -c->padding[1 + d];
        w->w_tap[d] = c->w_stride[1 + d];
    }
    return cti_winograd_serves(w);
}

bool cti_conv_weight(const struct cti_conv_plan *c)
{
    struct cti_winograd winograd;
    bool done = false;
    if (is_winograd(c, &winograd) && (!cti_winograd_weight(&winograd, &done) || done))
        return done;
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
    cti_conv_collapse(&grad);
    cti_conv_collapse(&image);
    struct cti_gemm w = {.dtype = c->work->weight->dtype,
                         .m = og,
                         .n = cg * taps,
                         .k = c->n * places,
                         .batch = c->groups,
                         .a = cti_data(c->work->output),
                         .a_batch = og * c->out_channel,
                         .b = cti_data(c->work->input),
                         .b_batch = cg * c->in_channel,
                         .c = cti_data(c->work->weight),
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
    return run_parts(c, &w, &extra, places);
}

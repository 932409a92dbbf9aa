/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of a convolution's weights: the gradient times the implicit im2col matrix of the
 * input, summed over the positions of all images. Called by conv.c. */
#include "cpu/conv/conv.h"
#include "cpu/gemm/gemm.h"
#include "cpu/gemm/pack.h"

#include "core/alloc.h"
#include "core/parallel.h"
#include "core/small.h"

#include <string.h>

/* Split-K: a long sum for few tiles of the result would leave threads idle. So the images are
 * divided into parts, each part is summed separately, and the partial sums are added in order.
 * Returns the number of images in a part, which depends on the shape alone so that the number of
 * threads does not change bits. */
static int64_t part_images(const struct cti_conv_plan *c, int64_t results, int64_t columns,
                           int64_t positions)
{
    enum { TILES = 48, TILE = 16 * 32, PART_WORK = 4000000 }; /* work that is worth a part */
    double tiles = (double)c->groups * (double)results * (double)columns / TILE;
    double sums = 2.0 * (double)c->groups * (double)results * (double)columns * (double)positions;
    int64_t parts = tiles >= TILES ? 1 : (int64_t)(TILES / (tiles < 1 ? 1 : tiles));
    int64_t worth = (int64_t)(sums * (double)c->images / PART_WORK) + 1;
    return ceil_div(c->images, min64(min64(parts, worth), c->images));
}

struct parts {
    const struct cti_gemm *w;
    const char *sums;
    int64_t count, each; /* elements of a part */
    enum ct_dtype dtype; /* of sums */
};

/* Adds the partial sums and rounds to the result's type, a line at a time. */
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
        int64_t count = min64(LINE, end - at);
        memset(line, 0, sizeof line);
        for (int64_t i = 0; i < p->count; i++) {
            const char *from = p->sums + (i * p->each + at) * size;
            for (int64_t j = 0; j < count * units; j++)
                line[j] += wide ? ((const double *)from)[j] : (double)((const float *)from)[j];
        }
        for (int64_t j = 0; j < count * units; j++)
            narrow[j] = (float)line[j];
        cti_gemm_kernels()->store(&target, 0, at, 1, count, wide ? (void *)line : narrow, 0);
    }
}

static bool run_parts(const struct cti_conv_plan *c, struct cti_gemm *w,
                      struct cti_gemm_im2col *im2col, int64_t positions)
{
    bool real = w->dtype >= CT_FLOAT16; /* or complex: no integers */
    int64_t images = real ? part_images(c, w->m, w->n, positions) : c->images;
    struct parts p = {.w = w, .count = ceil_div(c->images, images)};
    if (p.count == 1)
        return cti_gemm_packed(w, im2col);
    bool half = w->dtype == CT_FLOAT16 || w->dtype == CT_BFLOAT16;
    p.dtype = im2col->c_dtype = half ? CT_FLOAT32 : w->dtype;
    p.each = c->groups * w->m * w->n;
    struct cti_block *block = cti_block_new(p.count * p.each * cti_itemsize(p.dtype));
    if (!block)
        return false;
    struct cti_gemm part = *w;
    p.sums = part.c = block->address;
    part.k = images * positions;
    part.batch = c->groups * p.count;
    im2col->part_images = images;
    im2col->a_part = images * c->out.image_stride;
    im2col->b_part = images * c->in.image_stride;
    im2col->c_part = p.each;
    bool good = cti_gemm_packed(&part, im2col);
    if (good)
        cti_parallel_for(p.each, 1 << 12, add_parts, &p);
    cti_block_free(block);
    return good;
}

bool cti_conv_weight(const struct cti_conv_plan *c)
{
    struct cti_gemm_gather grad = cti_conv_gather(c, &c->out), image = cti_conv_gather(c, &c->in);
    int64_t positions = 1, columns = image.channels;
    for (int d = 0; d < 3; d++) {
        image.grid[d] = c->out.size[d];
        image.taps[d] = c->taps[d];
        image.step[d] = c->stride[d];
        image.tap_step[d] = c->dilation[d];
        image.origin[d] = -c->padding[d];
        positions *= c->out.size[d];
        columns *= c->taps[d];
    }
    grad.positions_are_k = image.positions_are_k = true;
    cti_conv_collapse(&grad);
    cti_conv_collapse(&image);
    struct cti_gemm w = {.dtype = c->work->weight->dtype,
                         .m = grad.channels,
                         .n = columns,
                         .k = c->images * positions,
                         .batch = c->groups,
                         .a = c->out.data,
                         .a_batch = grad.channels * c->out.channel_stride,
                         .b = c->in.data,
                         .b_batch = image.channels * c->in.channel_stride,
                         .c = c->weight,
                         .c_row = columns,
                         .c_col = 1,
                         .c_batch = grad.channels * columns,
                         .alpha = {1, 0}};
    struct cti_gemm_im2col im2col = {.a = &grad,
                                     .b = &image,
                                     .groups = c->groups,
                                     .images = c->images,
                                     .part_images = c->images,
                                     .c_dtype = w.dtype};
    return run_parts(c, &w, &im2col, positions);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches tensor_cores.cu, convolutions of float32 images on tensor cores: one launch reads images
 * in their own layout, whereas cuDNN would convert them to another and back. Called by conv.c. */
#include "cuda/conv/algorithms.h"

#include "core/small.h"
#include "cuda/conv/partial_sums.h"
#include "cuda/runtime/launch.h"

#include "corten/cuda.h"

#define THREADS 256
#define DEEP 16         /* summands that are brought at a time */
#define MOST_PAIRS 4608 /* of channels and taps, whose places lie in shared memory */
#define MOST_SIDE 8192  /* of an image */

/* As in the kernel. */
struct arguments {
    const void *left, *image, *bias;
    void *out;
    int32_t rows, columns, deep, span;
    int32_t image_step, plane, height, width;
    int32_t places, down, across, place_step, out_step, channels;
    int32_t stride[2], padding[2], dilation[2];
};

struct tile {
    int m, n;
};

/* Height and width of a tensor; one dim is the second of two. */
static void sides_of(const ct_tensor *t, int32_t *height, int32_t *width)
{
    *height = t->ndim == 4 ? (int32_t)t->shape[2] : 1;
    *width = (int32_t)t->shape[t->ndim - 1];
}

static struct arguments describe(const struct cti_conv *w)
{
    struct arguments a = {.bias = w->bias ? cti_data(w->bias) : NULL};
    const bool back = w->kind == CTI_CONV_INPUT;
    const ct_tensor *from = back ? w->output : w->input, *to = back ? w->input : w->output;
    int64_t taps = w->weight->numel / w->weight->shape[0] / w->weight->shape[1];
    sides_of(from, &a.height, &a.width);
    sides_of(to, &a.down, &a.across);
    a.plane = a.height * a.width;
    a.image_step = a.plane * (int32_t)from->shape[1];
    a.places = a.down * a.across;
    a.place_step = a.out_step = a.places * (int32_t)to->shape[1];
    a.channels = (int32_t)w->weight->shape[1];
    a.image = cti_data(from);
    a.left = cti_data(w->kind == CTI_CONV_WEIGHT ? w->output : w->weight);
    a.out = cti_data(w->kind == CTI_CONV_WEIGHT ? w->weight : to);
    a.rows = (int32_t)to->shape[1];
    a.columns = (int32_t)to->shape[0] * a.places;
    a.deep = (int32_t)(from->shape[1] * taps);
    if (w->kind == CTI_CONV_WEIGHT) {
        int32_t pairs = a.deep;
        a.deep = a.span = a.columns;
        a.columns = pairs;
    }
    for (int d = 0; d < 2; d++) {
        int from_dim = d - (2 - w->dims);
        a.stride[d] = from_dim < 0 ? 1 : (int32_t)w->stride[from_dim];
        a.padding[d] = from_dim < 0 ? 0 : (int32_t)w->padding[from_dim];
        a.dilation[d] = from_dim < 0 ? 1 : (int32_t)w->dilation[from_dim];
    }
    return a;
}

static bool is_small(const ct_tensor *t)
{
    bool good = t->numel < INT32_MAX / 2 && (uintptr_t)cti_data(t) % 8 == 0;
    for (int d = 2; d < t->ndim; d++)
        good = good && t->shape[d] <= MOST_SIDE;
    return good;
}

static bool is_contiguous(const ct_tensor *t)
{
    int64_t step = 1;
    bool good = true;
    for (int d = t->ndim - 1; d >= 0; d--) {
        good = good && (t->shape[d] == 1 || t->stride[d] == step);
        step *= t->shape[d];
    }
    return good;
}

bool cti_cuda_is_conv_tensor_cores(const struct cti_conv *w)
{
    struct cti_cuda_device *d = cti_cuda_use(w->input->storage->device.index);
    bool good = d && d->major >= 8 && w->input->dtype == CT_FLOAT32 && w->groups == 1 &&
                w->dims <= 2 && !w->channels_last && is_small(w->input) && is_small(w->output) &&
                is_small(w->weight) && is_contiguous(w->weight);
    for (int i = 0; good && i < w->dims; i++)
        good = w->padding[i] < MOST_SIDE && w->weight->shape[2 + i] * w->dilation[i] < MOST_SIDE &&
               w->stride[i] < 16 && (w->kind != CTI_CONV_INPUT || w->stride[i] == w->stride[0]);
    int64_t pairs = w->kind == CTI_CONV_INPUT ? w->weight->numel / w->weight->shape[1]
                                              : w->weight->numel / w->weight->shape[0];
    return good && pairs <= MOST_PAIRS;
}

static int64_t tiles_of(const struct arguments *a, struct tile t)
{
    return ceil_div(a->rows, t.m) * ceil_div(a->columns, t.n);
}

/* Tiles as large as they can be while there are enough of them for the card. */
static struct tile tile_of(const struct arguments *a, const struct cti_cuda_device *d)
{
    struct tile t = {a->rows <= 16 ? 16 : a->rows <= 32 ? 32 : a->rows <= 64 ? 64 : 128, 128};
    if (a->columns <= 64)
        t.n = 64;
    while (t.m == 128 && tiles_of(a, t) < d->multiprocessors)
        t.m = 64;
    if (tiles_of(a, t) < d->multiprocessors)
        t.n = 64;
    return t;
}

/* `parts` blocks for each tile of results; `pairs` of channels and taps lie in shared memory. */
static bool run(const struct arguments *a, const struct cti_conv *w, int device, struct tile t,
                int64_t pairs, int64_t parts)
{
    const ct_tensor *weight = w->weight;
    return cti_cuda_run(&(struct cti_launch){
        .file = "conv/tensor_cores",
        .params = {{"KIND", (int)w->kind},
                   {"BM", t.m},
                   {"BN", t.n},
                   {"BK", DEEP},
                   {"KH", weight->ndim == 4 ? (int)weight->shape[2] : 1},
                   {"KW", (int)weight->shape[weight->ndim - 1]},
                   {"STRIDE", w->kind == CTI_CONV_INPUT ? (int)w->stride[0] : 1},
                   {"EXACT", !ct_cuda_switch(CT_CUDNN_CONV_TF32)}},
        .device = device,
        .grid = {(unsigned)tiles_of(a, t), (unsigned)parts},
        .threads = THREADS,
        .shared = (unsigned)(ceil_div(pairs, DEEP) * DEEP * 8),
        .static_shared = 2 * 4 * (unsigned)(t.m + t.n) * (DEEP + 4),
        .args = a,
        .size = sizeof *a});
}

static bool run_weight(struct arguments *a, const struct cti_conv *w, int device,
                       const struct cti_cuda_device *d)
{
    struct tile t = tile_of(a, d);
    struct cti_conv_partial_sums parts;
    int64_t wanted = ceil_div(2 * (int64_t)d->multiprocessors, tiles_of(a, t));
    if (!cti_conv_partial_sums_begin(&parts, w, wanted, ceil_div(a->deep, DEEP), 16))
        return false;
    a->span = (int32_t)parts.span * DEEP;
    a->out = parts.data;
    return cti_conv_partial_sums_end(&parts, w, run(a, w, device, t, t.n, parts.n));
}

bool cti_cuda_conv_tensor_cores(const struct cti_conv *w)
{
    struct arguments a = describe(w);
    int device = w->input->storage->device.index;
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d)
        return false;
    if (w->kind == CTI_CONV_WEIGHT)
        return run_weight(&a, w, device, d);
    struct tile t = tile_of(&a, d);
    return run(&a, w, device, t, a.deep, 1);
}

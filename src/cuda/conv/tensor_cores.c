/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches tensor_cores.cu, convolutions of float32 images on tensor cores: one launch reads images
 * in their own layout, whereas cuDNN would convert them to another and back. Called by conv.c. */
#include "core/shape.h"
#include "core/small.h"
#include "cuda/common/partial_sums.h"
#include "cuda/conv/algorithms.h"
#include "cuda/conv/tensor_cores_args.h"
#include "cuda/runtime/launch.h"

#include "corten/cuda.h"

#define BK 16          /* K step of a block */
#define MAX_PAIRS 4608 /* pairs of a channel and a tap; a table in shared memory holds them */
#define MAX_SIDE 8192  /* sides of an image: the kernel keeps coordinates in 16 bits */

struct tile {
    int bm, bn;
};

static struct conv_tensor_cores_args tensor_cores_args_of(const struct cti_conv *w)
{
    const bool weight_grad = w->kind == CTI_CONV_WEIGHT, input_grad = w->kind == CTI_CONV_INPUT;
    const ct_tensor *from = input_grad ? w->output : w->input;
    const ct_tensor *to = input_grad ? w->input : w->output;
    int64_t taps = w->weight->numel / w->weight->shape[0] / w->weight->shape[1];
    struct conv_tensor_cores_args a = {.left = cti_data(weight_grad ? w->output : w->weight),
                                       .image = cti_data(from),
                                       .bias = cti_cuda_data(w->bias),
                                       .out = cti_data(weight_grad ? w->weight : to),
                                       .M = (int32_t)to->shape[1],
                                       .IH = (int32_t)conv_size(from, 0, 2),
                                       .IW = (int32_t)conv_size(from, 1, 2),
                                       .OH = (int32_t)conv_size(to, 0, 2),
                                       .OW = (int32_t)conv_size(to, 1, 2),
                                       .weight_ic = (int32_t)w->weight->shape[1],
                                       .stride_h = (int32_t)conv_param(w, w->stride, 0, 2, 1),
                                       .stride_w = (int32_t)conv_param(w, w->stride, 1, 2, 1),
                                       .pad_h = (int32_t)conv_param(w, w->padding, 0, 2, 0),
                                       .pad_w = (int32_t)conv_param(w, w->padding, 1, 2, 0),
                                       .dilation_h = (int32_t)conv_param(w, w->dilation, 0, 2, 1),
                                       .dilation_w = (int32_t)conv_param(w, w->dilation, 1, 2, 1)};
    int32_t pairs = (int32_t)(from->shape[1] * taps), positions;
    a.in_plane = a.IH * a.IW;
    a.in_image = a.in_plane * (int32_t)from->shape[1];
    a.out_plane = a.OH * a.OW;
    a.out_image = a.out_plane * (int32_t)to->shape[1];
    positions = (int32_t)to->shape[0] * a.out_plane;
    a.N = weight_grad ? pairs : positions;
    a.K = weight_grad ? positions : pairs;
    a.part_k = a.K;
    return a;
}

static bool tensor_cores_is_small(const ct_tensor *t)
{
    bool good = t->numel < INT32_MAX / 2 && (uintptr_t)cti_data(t) % 8 == 0;
    for (int d = 2; d < t->ndim; d++)
        good = good && t->shape[d] <= MAX_SIDE;
    return good;
}

bool cti_cuda_conv_tensor_cores_fits(const struct cti_conv *w)
{
    struct cti_cuda_device *d = cti_cuda_use(w->input->storage->device.index);
    const ct_tensor *k = w->weight;
    bool good = d && d->major >= 8 && w->input->dtype == CT_FLOAT32 && w->groups == 1 &&
                w->dims <= 2 && !w->channels_last && tensor_cores_is_small(w->input) &&
                tensor_cores_is_small(w->output) && tensor_cores_is_small(k) &&
                cti_shape_is_contiguous(k->ndim, k->shape, k->stride, CT_CONTIGUOUS_FORMAT);
    for (int i = 0; good && i < w->dims; i++)
        good = w->padding[i] < MAX_SIDE && k->shape[2 + i] * w->dilation[i] < MAX_SIDE &&
               w->stride[i] < 16 && (w->kind != CTI_CONV_INPUT || w->stride[i] == w->stride[0]);
    return good && k->numel / k->shape[w->kind == CTI_CONV_INPUT] <= MAX_PAIRS;
}

static int64_t tensor_cores_tiles_of(const struct conv_tensor_cores_args *a, struct tile t)
{
    return ceil_div(a->M, t.bm) * ceil_div(a->N, t.bn);
}

/* Chooses the largest tiles that still give every multiprocessor work. */
static struct tile tensor_cores_choose_tile(const struct conv_tensor_cores_args *a,
                                            const struct cti_cuda_device *d)
{
    struct tile t = {a->M <= 16 ? 16 : a->M <= 32 ? 32 : a->M <= 64 ? 64 : 128, 128};
    if (a->N <= 64)
        t.bn = 64;
    if (t.bm == 128 && tensor_cores_tiles_of(a, t) < d->multiprocessors)
        t.bm = 64;
    if (tensor_cores_tiles_of(a, t) < d->multiprocessors)
        t.bn = 64;
    return t;
}

/* `pairs` of a channel and a tap are in shared memory. */
static bool launch_tensor_cores(const struct conv_tensor_cores_args *a, const struct cti_conv *w,
                                struct tile t, int64_t pairs, int64_t parts)
{
    return cti_cuda_run(&(struct cti_launch){
        .file = "conv/tensor_cores",
        .texts = {{"T", "float"}},
        .params = {{"KIND", (int)w->kind},
                   {"BM", t.bm},
                   {"BN", t.bn},
                   {"BK", BK},
                   {"KH", (int)conv_size(w->weight, 0, 2)},
                   {"KW", (int)conv_size(w->weight, 1, 2)},
                   {"STRIDE", w->kind == CTI_CONV_INPUT ? (int)w->stride[0] : 1},
                   {"EXACT", !ct_cuda_switch(CT_CUDNN_CONV_TF32)}},
        .device = w->input->storage->device.index,
        .grid = {tensor_cores_tiles_of(a, t), parts},
        .threads = 256,
        .shared = (unsigned)(round_up(pairs, BK) * 8),
        .static_shared = 2 * 4 * (unsigned)(t.bm + t.bn) * (BK + 4),
        .args = a,
        .size = sizeof *a});
}

bool cti_cuda_conv_tensor_cores(const struct cti_conv *w)
{
    struct conv_tensor_cores_args a = tensor_cores_args_of(w);
    struct cti_conv_partial_sums parts;
    struct cti_cuda_device *d = cti_cuda_use(w->input->storage->device.index);
    if (!d)
        return false;
    struct tile t = tensor_cores_choose_tile(&a, d);
    if (w->kind != CTI_CONV_WEIGHT)
        return launch_tensor_cores(&a, w, t, a.K, 1);
    int64_t wanted = ceil_div(2 * (int64_t)d->multiprocessors, tensor_cores_tiles_of(&a, t));
    if (!cti_conv_partial_sums_begin(&parts, w, wanted, ceil_div(a.K, BK), 16))
        return false;
    a.part_k = (int32_t)parts.span * BK;
    a.out = parts.data;
    return cti_conv_partial_sums_end(&parts, w, launch_tensor_cores(&a, w, t, t.bn, parts.n));
}

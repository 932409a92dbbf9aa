/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches depthwise.cu, convolutions in groups of one input channel. Called by conv.c. */
#include "core/small.h"
#include "cuda/common/partial_sums.h"
#include "cuda/conv/algorithms.h"
#include "cuda/conv/depthwise_args.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#define MAX_TAPS 49
#define MIN_SPAN 2048 /* positions of a partial sum */

bool cti_cuda_conv_depthwise_fits(const struct cti_conv *w)
{
    const int64_t most = INT32_MAX / 2;
    return w->groups > 1 && w->weight->shape[1] == 1 && w->dims < 3 &&
           w->weight->numel / w->weight->shape[0] <= MAX_TAPS &&
           (w->input->dtype == CT_FLOAT32 || w->input->dtype == CT_FLOAT64) &&
           w->input->numel < most && w->output->numel < most && w->weight->numel < most;
}

static struct depthwise_side depthwise_side_of(const ct_tensor *t)
{
    return (struct depthwise_side){cti_data(t), (int32_t)t->stride[0], (int32_t)t->stride[1],
                                   (int32_t)conv_stride(t, 0, 2), (int32_t)conv_stride(t, 1, 2)};
}

static struct depthwise_args depthwise_args_of(const struct cti_conv *w)
{
    const ct_tensor *to = w->kind == CTI_CONV_INPUT ? w->input : w->output;
    struct depthwise_args a = {.input = depthwise_side_of(w->input),
                               .weight = depthwise_side_of(w->weight),
                               .output = depthwise_side_of(w->output),
                               .bias = cti_cuda_data(w->bias),
                               .N = (int32_t)w->input->shape[0],
                               .IC = (int32_t)w->input->shape[1],
                               .OC = (int32_t)w->output->shape[1],
                               .IH = (int32_t)conv_size(w->input, 0, 2),
                               .IW = (int32_t)conv_size(w->input, 1, 2),
                               .OH = (int32_t)conv_size(w->output, 0, 2),
                               .OW = (int32_t)conv_size(w->output, 1, 2),
                               .stride_h = (int32_t)conv_param(w, w->stride, 0, 2, 1),
                               .stride_w = (int32_t)conv_param(w, w->stride, 1, 2, 1),
                               .pad_h = (int32_t)conv_param(w, w->padding, 0, 2, 0),
                               .pad_w = (int32_t)conv_param(w, w->padding, 1, 2, 0),
                               .dilation_h = (int32_t)conv_param(w, w->dilation, 0, 2, 1),
                               .dilation_w = (int32_t)conv_param(w, w->dilation, 1, 2, 1),
                               .channels_last = w->channels_last};
    int64_t row = to->shape[to->ndim - 1];
    a.multiplier = a.OC / a.IC;
    a.items = (int32_t)(to->numel / row * ceil_div(row, EACH));
    return a;
}

static bool launch_depthwise(const struct depthwise_args *a, const struct cti_conv *w,
                             int64_t grid_x, int64_t grid_y)
{
    bool plain = a->stride_w == 1 && a->dilation_w == 1;
    return cti_cuda_run(&(struct cti_launch){
        .file = "conv/depthwise",
        .texts = {{"T", cti_cuda_type[w->input->dtype]}, {"PLAIN", plain ? "" : NULL}},
        .params = {{"KIND", (int)w->kind},
                   {"KH", (int)conv_size(w->weight, 0, 2)},
                   {"KW", (int)conv_size(w->weight, 1, 2)}},
        .device = w->input->storage->device.index,
        .grid = {grid_x, grid_y},
        .threads = THREADS,
        .args = a,
        .size = sizeof *a});
}

bool cti_cuda_conv_depthwise(const struct cti_conv *w)
{
    struct depthwise_args a = depthwise_args_of(w);
    struct cti_conv_partial_sums parts;
    struct cti_cuda_device *d = cti_cuda_use(w->input->storage->device.index);
    if (!d)
        return false;
    if (w->kind != CTI_CONV_WEIGHT)
        return launch_depthwise(&a, w, ceil_div(a.items, THREADS), 1);
    int64_t wanted = ceil_div(8 * d->multiprocessors, a.OC);
    int64_t positions = (int64_t)a.N * a.OH * a.OW;
    if (!cti_conv_partial_sums_begin(&parts, w, wanted, positions, MIN_SPAN))
        return false;
    a.span = (int32_t)parts.span;
    a.parts = parts.data;
    return cti_conv_partial_sums_end(&parts, w, launch_depthwise(&a, w, a.OC, parts.n));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches implicit_gemm.cu, convolutions as products of matrices that are never stored: for cards
 * without cuDNN and for what cuDNN does not support. Called by conv.c. */
#include "core/small.h"
#include "cuda/common/partial_sums.h"
#include "cuda/conv/algorithms.h"
#include "cuda/conv/implicit_gemm_args.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#define MIN_SPAN 256 /* positions of a partial sum */

static struct implicit_gemm_side implicit_gemm_side_of(const ct_tensor *t, int64_t size[3])
{
    struct implicit_gemm_side s = {cti_data(t), t->stride[0], t->stride[1], {0}};
    for (int d = 0; d < 3; d++) {
        size[d] = conv_size(t, d, 3);
        s.step[d] = conv_stride(t, d, 3);
    }
    return s;
}

static struct implicit_gemm_args implicit_gemm_args_of(const struct cti_conv *w)
{
    struct implicit_gemm_args a = {.bias = cti_cuda_data(w->bias),
                                   .N = w->input->shape[0],
                                   .IC = w->input->shape[1] / w->groups,
                                   .OC = w->output->shape[1] / w->groups,
                                   .groups = w->groups};
    a.input = implicit_gemm_side_of(w->input, a.in);
    a.weight = implicit_gemm_side_of(w->weight, a.taps);
    a.output = implicit_gemm_side_of(w->output, a.out);
    for (int d = 0; d < 3; d++) {
        a.stride[d] = conv_param(w, w->stride, d, 3, 1);
        a.padding[d] = conv_param(w, w->padding, d, 3, 0);
        a.dilation[d] = conv_param(w, w->dilation, d, 3, 1);
    }
    return a;
}

static bool launch_implicit_gemm(const struct implicit_gemm_args *a, const struct cti_conv *w,
                                 int64_t grid_x, int64_t grid_y)
{
    int dtype = w->input->dtype, wide = cti_cuda_compute(dtype);
    int64_t most = INT32_MAX / 2;
    bool small = w->input->numel < most && w->output->numel < most && w->weight->numel < most;
    return cti_cuda_run(
        &(struct cti_launch){.file = "conv/implicit_gemm",
                             .texts = {{"T", cti_cuda_type[dtype]},
                                       {"A", cti_cuda_type[wide]},
                                       {"INDEX", small ? "int32_t" : "int64_t"}},
                             .casts = {{"LOAD(x)", wide, dtype}, {"STORE(x)", dtype, wide}},
                             .params = {{"KIND", (int)w->kind}},
                             .device = w->input->storage->device.index,
                             .grid = {grid_x, grid_y, a->groups},
                             .threads = THREADS,
                             .args = a,
                             .size = sizeof *a});
}

bool cti_cuda_conv_implicit_gemm(const struct cti_conv *w)
{
    struct implicit_gemm_args a = implicit_gemm_args_of(w);
    struct cti_conv_partial_sums parts;
    struct cti_cuda_device *d = cti_cuda_use(w->input->storage->device.index);
    if (!d)
        return false;
    int64_t rows = w->kind == CTI_CONV_INPUT ? a.IC : a.OC;
    int64_t columns = w->kind == CTI_CONV_WEIGHT  ? w->weight->numel / w->weight->shape[0]
                      : w->kind == CTI_CONV_INPUT ? a.N * a.in[0] * a.in[1] * a.in[2]
                                                  : a.N * a.out[0] * a.out[1] * a.out[2];
    int64_t tiles = ceil_div(rows, TILE) * ceil_div(columns, TILE);
    if (w->kind != CTI_CONV_WEIGHT)
        return launch_implicit_gemm(&a, w, tiles, 1);
    int64_t positions = a.N * a.out[0] * a.out[1] * a.out[2];
    int64_t wanted = 4 * (int64_t)d->multiprocessors / (tiles * a.groups) + 1;
    if (!cti_conv_partial_sums_begin(&parts, w, wanted, positions, MIN_SPAN))
        return false;
    a.span = parts.span;
    a.parts = parts.data;
    return cti_conv_partial_sums_end(&parts, w, launch_implicit_gemm(&a, w, tiles, parts.n));
}

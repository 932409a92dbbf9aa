/* SPDX-License-Identifier: BSD-3-Clause */
/* arange and linspace by ramp.cu. */
#include "core/small.h"
#include "core/value.h"
#include "cuda/engines.h"
#include "cuda/pointwise/pointwise_args.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

enum cti_status cti_cuda_ramp(struct cti_ramp *work)
{
    ct_tensor *dst = work->dst;
    int dtype = dst->dtype;
    bool mirrored = work->end.kind != CT_VALUE_NONE;
    if (!cti_cuda_has_kernels())
        return CTI_DECLINED;
    struct ramp_args a = {.out = cti_data(dst),
                          .n = dst->numel,
                          .start = {cti_value_real(work->start), cti_value_imag(work->start)},
                          .step = {cti_value_real(work->step), cti_value_imag(work->step)},
                          .mirrored = mirrored};
    if (mirrored) {
        a.end[0] = cti_value_real(work->end);
        a.end[1] = cti_value_imag(work->end);
    } else {
        a.int_start = cti_value_int(work->start);
        a.int_step = cti_value_int(work->step);
    }
    /* The type in which values are computed. */
    int compute = dtype >= CT_COMPLEX64                                 ? CT_COMPLEX128
                  : dtype <= CT_UINT64 && dtype != CT_BOOL && !mirrored ? CT_INT64
                  : dtype == CT_FLOAT32 && mirrored                     ? CT_FLOAT32
                                                                        : CT_FLOAT64;
    char kind = compute == CT_COMPLEX128 ? 'c'
                : compute == CT_INT64    ? 'i'
                : compute == CT_FLOAT32  ? 's'
                                         : 'f';
    return cti_cuda_launched(
        cti_cuda_run(&(struct cti_launch){.file = "pointwise/ramp",
                                          .texts = {{"T", cti_cuda_type[dtype]}},
                                          .casts = {{"OUT(x)", dtype, compute}},
                                          .params = {{"KIND", kind}},
                                          .device = dst->storage->device.index,
                                          .grid = {ceil_div(a.n, THREADS)},
                                          .threads = THREADS,
                                          CTI_ARGS(a)}));
}

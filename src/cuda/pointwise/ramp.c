/* SPDX-License-Identifier: BSD-3-Clause */
/* arange and linspace by ramp.cu. */
#include "core/value.h"
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"

struct ramp_arguments {
    char *out;
    int64_t n, i_start, i_step;
    double start[2], step[2], end[2];
    int mirrored, unused;
};

static cu_function ramp_kernel(int device, int dtype, bool mirrored)
{
    struct cti_text cast = {0};
    bool whole = dtype <= CT_UINT64 && dtype != CT_BOOL && !mirrored;
    bool single = dtype == CT_FLOAT32 && mirrored;
    char kind = dtype >= CT_COMPLEX64 ? 'c' : whole ? 'i' : single ? 's' : 'f';
    int have = kind == 'c'   ? CT_COMPLEX128
               : kind == 'i' ? CT_INT64
               : kind == 's' ? CT_FLOAT32
                             : CT_FLOAT64;
    cti_cuda_cast(&cast, dtype, have, "(x)");
    cu_function f = cast.failed
                        ? NULL
                        : cti_cuda_template(device, "pointwise/ramp",
                                            "typedef %s T;\n#define KIND '%c'\n#define OUT(x) %s\n",
                                            cti_cuda_type[dtype], kind, cast.v);
    cti_text_free(&cast);
    return f;
}

enum cti_status cti_cuda_ramp(struct cti_ramp *work)
{
    ct_tensor *dst = work->dst;
    ct_value start = work->start;
    ct_value step = work->step;
    ct_value end = work->end;
    struct ramp_arguments a = {.out = cti_data(dst), .n = dst->numel};
    int device = dst->storage->device.index;
    if (!cti_cuda_has_kernels())
        return CTI_DECLINED;
    a.mirrored = end.kind != CT_VALUE_NONE;
    cu_function f = cti_cuda_use(device) ? ramp_kernel(device, dst->dtype, a.mirrored) : NULL;
    if (!f)
        return false;
    if (cti_cuda_fake())
        return CTI_DECLINED;
    if (a.n == 0)
        return true;
    a.start[0] = cti_value_real(start), a.start[1] = cti_value_imag(start);
    a.step[0] = cti_value_real(step), a.step[1] = cti_value_imag(step);
    if (a.mirrored) {
        a.end[0] = cti_value_real(end), a.end[1] = cti_value_imag(end);
    } else {
        a.i_start = cti_value_int(start);
        a.i_step = cti_value_int(step);
    }
    return cti_cuda_launch(device, f, (unsigned)((a.n + 255) / 256), 256, 0, &a, sizeof a);
}

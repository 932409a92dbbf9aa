/* SPDX-License-Identifier: BSD-3-Clause */
/* arange, linspace and cdist, each a short kernel: kernels/ramp.cu, kernels/distance.cu. */
#include "core/value.h"
#include "cuda/engines.h"
#include "cuda/host.h"
#include "cuda/kernel.h"

#include <math.h>

/* ---- ranges ---- */

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
                        : cti_cuda_template(device, "ramp",
                                            "typedef %s T;\n#define KIND '%c'\n#define OUT(x) %s\n",
                                            cti_cuda_type[dtype], kind, cast.v);
    cti_text_drop(&cast);
    return f;
}

bool cti_cuda_ramp(ct_tensor *dst, ct_value start, ct_value step, ct_value end)
{
    struct ramp_arguments a = {.out = cti_data(dst), .n = dst->numel};
    int device = dst->storage->device.index;
    if (!cti_cuda_has_kernels())
        return cti_cuda_host_ramp(dst, start, step, end);
    a.mirrored = end.kind != CT_VALUE_NONE;
    cu_function f = cti_cuda_use(device) ? ramp_kernel(device, dst->dtype, a.mirrored) : NULL;
    if (!f)
        return false;
    if (cti_cuda_fake())
        return cti_cuda_host_ramp(dst, start, step, end);
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

/* ---- distances ---- */

#define SIDE 16

struct distance_arguments {
    const char *a, *b;
    char *out;
    int64_t rows_a, rows_b, n;
    double p;
};

static cu_function distance_kernel(int device, int dtype, double p)
{
    const char *norm = p == 0 ? "0" : p == 1 ? "1" : p == 2 ? "2" : isinf(p) ? "'i'" : "'p'";
    return cti_cuda_template(device, "distance", "typedef %s T;\n#define NORM %s\n",
                             cti_cuda_type[dtype], norm);
}

bool cti_cuda_distance(ct_tensor *out, ct_tensor *a, ct_tensor *b, double p)
{
    struct distance_arguments w = {
        .a = cti_data(a), .b = cti_data(b), .out = cti_data(out), .p = p};
    int device = out->storage->device.index;
    w.rows_a = a->shape[a->ndim - 2];
    w.rows_b = b->shape[b->ndim - 2];
    w.n = a->shape[a->ndim - 1];
    int64_t batches = out->numel ? out->numel / (w.rows_a * w.rows_b) : 0;
    int64_t tiles = (w.rows_a + SIDE - 1) / SIDE;
    if (!cti_cuda_has_kernels() || batches > 65535 || tiles > 65535)
        return cti_cuda_host_distance(out, a, b, p);
    cu_function f = cti_cuda_use(device) ? distance_kernel(device, out->dtype, p) : NULL;
    if (!f)
        return false;
    if (cti_cuda_fake())
        return cti_cuda_host_distance(out, a, b, p);
    if (out->numel == 0)
        return true;
    unsigned grid[3] = {(unsigned)((w.rows_b + SIDE - 1) / SIDE), (unsigned)tiles,
                        (unsigned)batches};
    return cti_cuda_launch_2d(device, f, grid, SIDE * SIDE, 0, &w, sizeof w);
}

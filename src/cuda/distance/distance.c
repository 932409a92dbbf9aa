/* SPDX-License-Identifier: BSD-3-Clause */
/* cdist by distance.cu: the distances between all rows of two batches of matrices. */
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"

#include <math.h>

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
    return cti_cuda_template(device, "distance/distance", "typedef %s T;\n#define NORM %s\n",
                             cti_cuda_type[dtype], norm);
}

enum cti_status cti_cuda_distance(struct cti_distance *work)
{
    ct_tensor *out = work->out, *a = work->a, *b = work->b;
    double p = work->p;
    struct distance_arguments w = {
        .a = cti_data(a), .b = cti_data(b), .out = cti_data(out), .p = p};
    int device = out->storage->device.index;
    w.rows_a = a->shape[a->ndim - 2];
    w.rows_b = b->shape[b->ndim - 2];
    w.n = a->shape[a->ndim - 1];
    int64_t batches = out->numel ? out->numel / (w.rows_a * w.rows_b) : 0;
    int64_t tiles = (w.rows_a + SIDE - 1) / SIDE;
    if (!cti_cuda_has_kernels() || batches > 65535 || tiles > 65535)
        return CTI_DECLINED;
    cu_function f = cti_cuda_use(device) ? distance_kernel(device, out->dtype, p) : NULL;
    if (!f)
        return false;
    if (cti_cuda_fake())
        return CTI_DECLINED;
    if (out->numel == 0)
        return true;
    unsigned grid[3] = {(unsigned)((w.rows_b + SIDE - 1) / SIDE), (unsigned)tiles,
                        (unsigned)batches};
    return cti_cuda_launch_2d(device, f, grid, SIDE * SIDE, 0, &w, sizeof w);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers of the factor engine around cuSOLVER and cuBLAS; launched by solver.c. OP: see
 * factor_args.h. An element has PARTS numbers of type REAL: two if it is complex. PIVOTS and FINITE
 * use one block for each matrix. */
#include "cuda/factor/factor_args.h"

struct element {
    REAL part[PARTS];
};

static __device__ int64_t first()
{
    return blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
}

extern "C" __global__ void factor_helper(const factor_args g)
{
    const int64_t all = gridDim.x * (int64_t)blockDim.x;
#if OP == FACTOR_ADDRESSES
    for (int64_t i = first(); i < g.batch; i += all)
        ((char **)g.b)[i] = (char *)g.a + i * g.step;
#elif OP == FACTOR_TRIANGLE || OP == FACTOR_IDENTITY
    const int64_t size = g.n * g.n;
    for (int64_t i = first(); i < size * g.batch; i += all) {
        const int64_t row = i % size % g.n, column = i % size / g.n;
        element *const x = (element *)g.a + i;
#if OP == FACTOR_TRIANGLE
        if (g.m ? row > column : row < column)
            for (int part = 0; part < PARTS; part++)
                ((REAL *)x)[part] = 0;
#else
        ((REAL *)x)[0] = row == column;
        if (PARTS == 2)
            ((REAL *)x)[1] = 0;
#endif
    }
#elif OP == FACTOR_PIVOTS
    extern __shared__ int rows[];
    const int *const pivot = (const int *)g.a + blockIdx.x * g.m;
    int64_t *const order = (int64_t *)g.b + blockIdx.x * g.n;
    for (int i = threadIdx.x; i < g.n; i += blockDim.x)
        rows[i] = i;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 0; i < g.m; i++) {
            const int other = pivot[i] - 1;
            if (other < 0 || other >= g.n) {
                g.info[blockIdx.x] = 1;
                break;
            }
            const int row = rows[i];
            rows[i] = rows[other];
            rows[other] = row;
        }
    __syncthreads();
    for (int i = threadIdx.x; i < g.n; i += blockDim.x)
        order[i] = rows[i];
#else
    const REAL *const x = (const REAL *)g.a + blockIdx.x * g.m;
    for (int64_t i = threadIdx.x; i < g.m; i += blockDim.x)
        if (!(x[i] - x[i] == 0))
            g.info[blockIdx.x] = (int)g.n;
#endif
}

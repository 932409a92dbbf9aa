/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers of the factor engine around cuSOLVER and cuBLAS; launched by factor.c. Matrices are
 * column-major and batched. OP is 0: b[i] = a + i * step, pointer arrays; 1: zeros the triangle
 * above (m is 0) or below the diagonal; 2: identity matrices; 3: LAPACK pivots a (m of them,
 * 1-based) to the permutation b of n rows, a block each; 4: info becomes n where one of m elements
 * is not finite. */
struct arguments {
    char *a, *b;
    int *info;
    long long n, m, step;
    long long batch;
};

static __device__ long long first()
{
    return blockIdx.x * (long long)blockDim.x + threadIdx.x;
}

extern "C" __global__ void factor_helper(const struct arguments g)
{
    const long long all = gridDim.x * (long long)blockDim.x;
#if OP == 0
    for (long long i = first(); i < g.batch; i += all)
        ((char **)g.b)[i] = g.a + i * g.step;
#elif OP == 1 || OP == 2
    const long long size = g.n * g.n;
    for (long long i = first(); i < size * g.batch; i += all) {
        const long long place = i % size, row = place % g.n, column = place / g.n;
        T *const x = (T *)g.a + i;
#if OP == 1
        if (g.m ? row > column : row < column)
            for (int part = 0; part < PARTS; part++)
                ((REAL *)x)[part] = 0;
#else
        ((REAL *)x)[0] = row == column;
        if (PARTS == 2)
            ((REAL *)x)[1] = 0;
#endif
    }
#elif OP == 3
    extern __shared__ int rows[];
    const int *const pivot = (const int *)g.a + blockIdx.x * g.m;
    long long *const order = (long long *)g.b + blockIdx.x * g.n;
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
    for (long long i = threadIdx.x; i < g.m; i += blockDim.x)
        if (!(x[i] - x[i] == 0))
            g.info[blockIdx.x] = (int)g.n;
#endif
}

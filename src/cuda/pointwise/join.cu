/* SPDX-License-Identifier: BSD-3-Clause */
/* Concatenation along the inner dim; see struct join_args. blockIdx.y is the source. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/pointwise/pointwise_args.h"

struct alignas(PACK) pack {
    unsigned char v[PACK];
};

extern "C" __global__ void __launch_bounds__(THREADS) pointwise_join(const join_args a)
{
    const join_part &p = a.parts[blockIdx.y];
    const unsigned n = (unsigned)a.rows * p.width.size, first = blockIdx.x * THREADS * JOIN_VECTORS;
    pack x[JOIN_VECTORS];
    if (first >= n)
        return;
#pragma unroll
    for (int u = 0; u < JOIN_VECTORS; u++) {
        const unsigned i = first + u * THREADS + threadIdx.x;
        if (i < n)
            x[u] = ((const pack *)p.from)[i];
    }
#pragma unroll
    for (int u = 0; u < JOIN_VECTORS; u++) {
        const unsigned i = first + u * THREADS + threadIdx.x;
        const unsigned row = divide(i, p.width);
        if (i < n)
            ((pack *)a.to)[row * a.row_size + p.column + (i - row * p.width.size)] = x[u];
    }
}

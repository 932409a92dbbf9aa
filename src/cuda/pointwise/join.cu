/* SPDX-License-Identifier: BSD-3-Clause */
/* Concatenation along the inner dim: each of up to PARTS sources is a matrix with `rows` rows,
 * copied into its columns of the result. Lengths count vectors of PACK bytes. blockIdx.y is the
 * source. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#define THREADS 256
#define EACH 4 /* vectors of a thread, all in flight at once */

struct alignas(PACK) pack {
    unsigned char v[PACK];
};

struct part {
    const pack *from;
    long long at; /* column in the result */
    unsigned across, mul, shift, unused;
};

struct arguments {
    pack *to;
    long long rows, row; /* row: leading dimension */
    part parts[PARTS];
};

extern "C" __global__ void __launch_bounds__(THREADS) pointwise_join(const arguments a)
{
    const part &p = a.parts[blockIdx.y];
    const unsigned n = (unsigned)a.rows * p.across, first = blockIdx.x * THREADS * EACH;
    pack x[EACH];
    if (first >= n)
        return;
#pragma unroll
    for (int u = 0; u < EACH; u++) {
        const unsigned i = first + u * THREADS + threadIdx.x;
        if (i < n)
            x[u] = p.from[i];
    }
#pragma unroll
    for (int u = 0; u < EACH; u++) {
        const unsigned i = first + u * THREADS + threadIdx.x;
        const unsigned r = (__umulhi(i, p.mul) + i) >> p.shift; /* i / across */
        if (i < n)
            a.to[r * a.row + p.at + (i - r * p.across)] = x[u];
    }
}

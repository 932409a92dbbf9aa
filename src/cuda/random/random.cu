/* SPDX-License-Identifier: BSD-3-Clause */
/* Random fills that reproduce PyTorch's kernels: thread `id` of the grid has Philox subsequence
 * `id`; each of its steps gives four 32-bit words, for elements that are one grid apart. KIND is
 * the distribution: 'u' uniform, 'n' normal, 'b' Bernoulli, 'd' dropout's Bernoulli, 'i' integers,
 * 'e' exponential, 'c' Cauchy, 'l' log-normal, 'g' geometric. WIDE: the words of a step form two
 * 64-bit numbers. VECTOR: the number of adjacent elements of a thread; 0: elements are one grid
 * apart. FAR: positions need 64 bits. OUT converts a value to an element's type. Launched by
 * random.c. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/random/philox.cuh"
#include "cuda/random/random_args.h"

static __device__ void normals_f32(unsigned x, unsigned y, float *first, float *second)
{
    const float u = uniform_f32(x);
    const float v =
        __fmaf_rn((float)y, 2.3283064e-10f * 6.2831855f, 2.3283064e-10f * 6.2831855f / 2.0f);
    const float s = sqrtf(-2.0f * logf(u));
    __sincosf(v, first, second);
    *first *= s;
    *second *= s;
}

static __device__ void normals_f64(const words w, double *first, double *second)
{
    const double u = uniform_f64(w.v[0], w.v[1]);
    const uint64_t z = (uint64_t)w.v[2] ^ ((uint64_t)w.v[3] << (53 - 32));
    const double v = (double)z * (2.0 * 1.1102230246251565e-16) + 1.1102230246251565e-16;
    const double s = sqrt(-2.0 * log(u));
    sincospi(v, first, second);
    *first *= s;
    *second *= s;
}

static __device__ REAL from_uniform(const random_args &a, REAL r)
{
    if (KIND == 'b' || KIND == 'd')
        return r < (REAL)a.a ? (REAL)1 : (REAL)0;
    if (KIND == 'e') {
        const REAL small =
            sizeof(REAL) == 4 ? (REAL)1.1920928955078125e-07 : (REAL)2.220446049250313e-16;
        const REAL l = r >= (REAL)1 - small / 2 ? -small / 2 : (REAL)log((double)r);
        return (REAL)(-1 / a.a) * l;
    }
    const REAL tiny = sizeof(REAL) == 4 ? (REAL)1.1920928955078125e-07 : (REAL)0;
    if (KIND == 'c') { /* clamped, because the tangent is infinite at 0 and 1 */
        const REAL u = r > 1 - tiny ? 1 - tiny : r < tiny ? tiny : r;
        return (REAL)(a.a + a.b * tan(3.141592653589793 * ((double)u - 0.5)));
    }
    if (KIND == 'g')
        return (REAL)ceil(log((double)r) / log1p(-a.a));
    /* PyTorch rounds to the element's type before it compares with the upper bound. */
    const REAL x = FROM_MEMORY(TO_MEMORY(r * ((REAL)a.b - (REAL)a.a) + (REAL)a.a));
    return x == (REAL)a.b ? (REAL)a.a : x;
}

/* Elements of one step. */
#define EACH (WIDE ? 2 : 4)

static __device__ __forceinline__ void draw(const random_args &a, const words w, MEMORY (&out)[4])
{
#ifdef INTEGER
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const uint64_t x = WIDE ? (uint64_t)w.v[2 * k] << 32 | w.v[2 * k + 1] : w.v[k];
        out[k] = OUT((int64_t)(a.range ? x % a.range : x) + a.base);
    }
#else
    REAL x[4];
    if (KIND == 'n' || KIND == 'l') {
        if (WIDE) {
            double p, q;
            normals_f64(w, &p, &q);
            x[0] = (REAL)p;
            x[1] = (REAL)q;
        } else {
            float f[4];
            normals_f32(w.v[0], w.v[1], &f[0], &f[1]);
            normals_f32(w.v[2], w.v[3], &f[2], &f[3]);
            for (int k = 0; k < 4; k++)
                x[k] = f[k];
        }
        for (int k = 0; k < EACH; k++) {
            const REAL y = x[k] * (REAL)a.b + (REAL)a.a;
            x[k] = KIND == 'l' ? (REAL)exp((double)y) : y;
        }
    } else {
        for (int k = 0; k < EACH; k++)
            x[k] = from_uniform(a, WIDE ? (REAL)uniform_f64(w.v[2 * k], w.v[2 * k + 1])
                                        : (REAL)uniform_f32(w.v[k]));
    }
    for (int k = 0; k < EACH; k++)
        out[k] = OUT(x[k]);
#endif
}

#ifdef FAR
typedef uint64_t position;
#else
typedef unsigned position; /* n plus a step fits into 32 bits */
#endif

extern "C" __global__ void __launch_bounds__(256) random_fill(const random_args a)
{
    const position id = (position)blockIdx.x * 256 + threadIdx.x, n = (position)a.n;
    const position stride = (position)gridDim.x * 256;
    uint64_t step = a.offset / 4;
#if VECTOR
    for (position i = id * VECTOR, round = 0; i < n; i += stride * VECTOR, round++) {
        const words w = philox(a.seed, id, step + round * VECTOR / 4);
        for (int k = 0; k < VECTOR; k++)
            if (i + k < n)
                a.out[i + k] = OUT(from_uniform(a, (REAL)uniform_f32(w.v[round * VECTOR % 4 + k])));
    }
#else
    for (position i = id; i < n; i += stride * EACH, step++) {
        MEMORY x[4];
        draw(a, philox(a.seed, id, step), x);
        if (i + (EACH - 1) * stride < n) {
#pragma unroll
            for (int k = 0; k < EACH; k++)
                a.out[i + k * stride] = x[k];
        } else {
            for (int k = 0; k < EACH; k++)
                if (i + k * stride < n)
                    a.out[i + k * stride] = x[k];
        }
    }
#endif
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers in the order of PyTorch's kernels: thread `id` of the grid has the subsequence
 * `id`, each step of it is four 32-bit words, and the words of a step go to elements one grid
 * apart. OUT stores an element; KIND says what is made of the words: 'u' uniform, 'n' normal, 'b'
 * coin, 'i' whole numbers, 'e' exponential, 'c' Cauchy's, 'l' log-normal, 'g' geometric. WIDE: two
 * 64-bit draws a step. */
#include "philox.cuh"

struct arguments {
    MEMORY *out;
    long long n;
    unsigned long long seed, offset;
    double a, b;
    long long base;
    unsigned long long range;
};

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
    const unsigned long long z =
        (unsigned long long)w.v[2] ^ ((unsigned long long)w.v[3] << (53 - 32));
    const double v = (double)z * (2.0 * 1.1102230246251565e-16) + 1.1102230246251565e-16;
    const double s = sqrt(-2.0 * log(u));
    sincospi(v, first, second);
    *first *= s;
    *second *= s;
}

static __device__ void store(const arguments &a, long long i, REAL x)
{
    if (i < a.n)
        a.out[i] = OUT(x);
}

static __device__ REAL from_uniform(const arguments &a, REAL r)
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
    if (KIND == 'c') { /* away from the ends, where the tangent is infinite */
        const REAL u = r > 1 - tiny ? 1 - tiny : r < tiny ? tiny : r;
        return (REAL)(a.a + a.b * tan(3.141592653589793 * ((double)u - 0.5)));
    }
    if (KIND == 'g')
        return (REAL)ceil(log((double)r) / log1p(-a.a));
    const REAL x = ROUNDED(r * ((REAL)a.b - (REAL)a.a) + (REAL)a.a);
    return x == (REAL)a.b ? (REAL)a.a : x;
}

extern "C" __global__ void __launch_bounds__(256) k(const arguments a)
{
    const long long id = (long long)blockIdx.x * 256 + threadIdx.x,
                    apart = (long long)gridDim.x * 256;
    unsigned long long step = a.offset / 4;
    const int each = WIDE ? 2 : 4;
#if VECTOR
    for (long long i = id * VECTOR, turn = 0; i < a.n; i += apart * VECTOR, turn++) {
        const words w = philox(a.seed, (unsigned long long)id, step + turn * VECTOR / 4);
        for (int k = 0; k < VECTOR; k++)
            store(a, i + k, from_uniform(a, (REAL)uniform_f32(w.v[turn * VECTOR % 4 + k])));
    }
    return;
#endif
    for (long long i = id; i < a.n + apart * each; i += apart * each, step++) {
        if (i - id >= a.n)
            return;
        const words w = philox(a.seed, (unsigned long long)id, step);
#ifdef INTEGER
#pragma unroll
        for (int k = 0; k < each; k++) {
            const unsigned long long x =
                WIDE ? (unsigned long long)w.v[2 * k] << 32 | w.v[2 * k + 1] : w.v[k];
            const long long value = (long long)(a.range ? x % a.range : x) + a.base;
            if (i + k * apart < a.n)
                a.out[i + k * apart] = OUT(value);
        }
#else
        if (KIND == 'n' || KIND == 'l') {
            REAL x[4];
            if (WIDE) {
                double p, q;
                normals_f64(w, &p, &q);
                x[0] = (REAL)p;
                x[1] = (REAL)q;
            } else {
                float p, q, r, s;
                normals_f32(w.v[0], w.v[1], &p, &q);
                normals_f32(w.v[2], w.v[3], &r, &s);
                x[0] = p;
                x[1] = q;
                x[2] = r;
                x[3] = s;
            }
            for (int k = 0; k < each; k++) {
                const REAL y = x[k] * (REAL)a.b + (REAL)a.a;
                store(a, i + k * apart, KIND == 'l' ? (REAL)exp((double)y) : y);
            }
        } else if (WIDE) {
            store(a, i, from_uniform(a, (REAL)uniform_f64(w.v[0], w.v[1])));
            store(a, i + apart, from_uniform(a, (REAL)uniform_f64(w.v[2], w.v[3])));
        } else {
            for (int k = 0; k < 4; k++)
                store(a, i + k * apart, from_uniform(a, (REAL)uniform_f32(w.v[k])));
        }
#endif
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* grid_sample; see core/sample.h. The result at a location is a weighted sum of input elements, its
 * taps. A weight is the product of one-dimensional weights, so that its derivatives follow from
 * theirs. SAMPLE_FORWARD uses a thread for each location and SAMPLE_CHANNELS channels, as does
 * SAMPLE_GRAD_INPUT, which adds atomically; SAMPLE_GRAD_GRID uses a thread for each location. MODE,
 * PADDING, CORNERS and NDIM are those of the call; ALONG: weights and slopes are replaced by their
 * derivatives in the direction `along`. Launched by sample.c. */
#include "cuda/sample/sample_args.h"
enum { LINEAR, NEAREST, CUBIC };
enum { ZEROS, BORDER, REFLECTION };
#define TAPS (MODE == LINEAR ? 2 : MODE == NEAREST ? 1 : 4) /* along a dim */

/* The taps along one dim. */
struct taps {
    int64_t at[TAPS];                         /* -1: out of bounds */
    T weight[TAPS], slope[TAPS], curve[TAPS]; /* with first and second derivatives */
};

/* Maps a coordinate into bounds according to the padding mode, and NaN to 0; multiplies `by` by the
 * derivative of the map. */
static __device__ T clip(T x, int64_t n, T &by)
{
    if (PADDING == ZEROS)
        return x;
    if (PADDING == REFLECTION) {
        const T low = CORNERS ? (T)0 : (T)-0.5, span = CORNERS ? (T)(n - 1) : (T)n;
        if (span == 0) {
            by = 0;
            return 0;
        }
        T away = x - low;
        if (away < 0) {
            away = -away;
            by = -by;
        }
        const T rest = fmod(away, span);
        const bool reflected = fmod(floor(away / span), (T)2) != 0;
        x = (reflected ? span - rest : rest) + low;
        by = reflected ? -by : by;
    }
    if (x > 0 && x < (T)(n - 1))
        return x;
    by = 0;
    return x > 0 ? (T)(n - 1) : (T)0;
}

/* The integer x, or -1 if it is out of bounds. */
static __device__ int64_t tap_index(T x, int64_t n)
{
    return x >= 0 && x <= (T)(n - 1) ? (int64_t)x : -1;
}

/* R. Keys' cubic convolution kernel (1981) with a = -0.75, and its first two derivatives. */
static __device__ T cubic_weight(T x, T &slope, T &curve)
{
    const T a = (T)-0.75, sign = x < 0 ? (T)-1 : (T)1;
    x = x < 0 ? -x : x;
    if (x <= 1) {
        slope = sign * (3 * (a + 2) * x - 2 * (a + 3)) * x;
        curve = 6 * (a + 2) * x - 2 * (a + 3);
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    }
    slope = sign * ((3 * a * x - 10 * a) * x + 8 * a);
    curve = 6 * a * x - 10 * a;
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
}

static __device__ taps taps_of(T x, int64_t n)
{
    taps l;
    T by = CORNERS ? (T)(n - 1) / 2 : (T)n / 2;
    T at = CORNERS ? (x + 1) * by : (x + 1) * by - (T)0.5;
    if (MODE != CUBIC)
        at = clip(at, n, by);
    const T first = MODE == NEAREST ? rint(at) : floor(at);
#pragma unroll
    for (int k = 0; k < TAPS; k++) {
        T tap = first + (T)(MODE == CUBIC ? k - 1 : k), reflected = 1, slope = 0, curve = 0;
        if (MODE == NEAREST) {
            l.weight[k] = 1;
        } else if (MODE == LINEAR) {
            l.weight[k] = k ? at - first : first + 1 - at;
            slope = k ? (T)1 : (T)-1;
        } else {
            l.weight[k] = cubic_weight(at - tap, slope, curve);
            tap = clip(tap, n, reflected);
        }
        l.slope[k] = slope * by;
        l.curve[k] = curve * by * by;
        l.at[k] = tap_index(tap, n);
    }
    return l;
}

struct tap {
    int64_t at;
    T weight, slope[3];
};

/* Tap i of a location; v is the direction `along`, of NDIM elements. */
static __device__ tap tap_of(const taps (&l)[NDIM], const int64_t *in, int i, const T *v)
{
    const int x = i % TAPS, y = i / TAPS % TAPS;
    const int64_t ax = l[0].at[x], ay = l[1].at[y];
    T wz = 1, sz = 0, cz = 0;
    int64_t az = 0;
#if NDIM == 3
    const int z = i / (TAPS * TAPS);
    az = l[2].at[z];
    wz = l[2].weight[z];
    sz = l[2].slope[z];
    cz = l[2].curve[z];
#endif
    tap t;
    t.at = ax < 0 || ay < 0 || az < 0 ? -1 : (az * in[1] + ay) * in[0] + ax;
    const T wx = l[0].weight[x], sx = l[0].slope[x], wy = l[1].weight[y], sy = l[1].slope[y];
#if ALONG
    const T vx = v[0], vy = v[1], vz = NDIM == 3 ? v[NDIM - 1] : 0;
    t.weight = vx * sx * wy * wz + vy * wx * sy * wz + vz * wx * wy * sz;
    t.slope[0] = vx * l[0].curve[x] * wy * wz + vy * sx * sy * wz + vz * sx * wy * sz;
    t.slope[1] = vx * sx * sy * wz + vy * wx * l[1].curve[y] * wz + vz * wx * sy * sz;
    t.slope[2] = vx * sx * wy * sz + vy * wx * sy * sz + vz * wx * wy * cz;
#else
    t.weight = wx * wy * wz;
    t.slope[0] = sx * wy * wz;
    t.slope[1] = sy * wx * wz;
    t.slope[2] = sz * wx * wy;
#endif
    return t;
}

extern "C" __global__ void __launch_bounds__(THREADS) sample_grid(const sample_args a)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int all = TAPS * TAPS * (NDIM == 3 ? TAPS : 1);
    if (i >= a.n)
        return;
    const int64_t p = i % a.locations, block = i / a.locations;
    const int64_t blocks =
        WHAT == SAMPLE_GRAD_GRID ? 1 : (a.channels + SAMPLE_CHANNELS - 1) / SAMPLE_CHANNELS;
    const int64_t image = block / blocks,
                  first = WHAT == SAMPLE_GRAD_GRID ? 0 : block % blocks * SAMPLE_CHANNELS;
    const int64_t left = a.channels - first;
    const int nchannels =
        (int)(WHAT == SAMPLE_GRAD_GRID || left < SAMPLE_CHANNELS ? left : SAMPLE_CHANNELS);
    const int64_t plane = a.in[0] * a.in[1] * a.in[2], from = image * a.channels + first;
    const int64_t at = (image * a.locations + p) * NDIM;
    const T *const v = ALONG ? a.along + at : (const T *)0;
    taps l[NDIM];
#pragma unroll
    for (int d = 0; d < NDIM; d++)
        l[d] = taps_of(a.grid[at + d], a.in[d]);
#if WHAT == SAMPLE_FORWARD
    T sum[SAMPLE_CHANNELS] = {};
#pragma unroll
    for (int j = 0; j < all; j++) {
        const tap t = tap_of(l, a.in, j, v);
#pragma unroll
        for (int c = 0; c < SAMPLE_CHANNELS; c++)
            if (c < nchannels)
                sum[c] += (t.at < 0 ? (T)0 : a.input[(from + c) * plane + t.at]) * t.weight;
    }
    for (int c = 0; c < nchannels; c++)
        a.out[(from + c) * a.locations + p] = sum[c];
#elif WHAT == SAMPLE_GRAD_GRID
    T sum[3] = {};
    for (int c = 0; c < nchannels; c++) {
        const T g = a.upstream[(from + c) * a.locations + p];
#pragma unroll
        for (int j = 0; j < all; j++) {
            const tap t = tap_of(l, a.in, j, v);
            const T x = t.at < 0 ? (T)0 : a.input[(from + c) * plane + t.at];
            for (int d = 0; d < NDIM && t.at >= 0; d++)
                sum[d] += g * x * t.slope[d];
        }
    }
    for (int d = 0; d < NDIM; d++)
        a.out[at + d] = sum[d];
#else
#pragma unroll
    for (int j = 0; j < all; j++) {
        const tap t = tap_of(l, a.in, j, v);
        for (int c = 0; c < nchannels && t.at >= 0; c++)
            atomicAdd(a.out + (from + c) * plane + t.at,
                      a.upstream[(from + c) * a.locations + p] * t.weight);
    }
#endif
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* grid_sample; see core/sample.h. Each output location has taps: input elements with a weight and
 * the weight's derivative along each dim, products of one-dimensional ones. WHAT: 'f' the result, a
 * thread for each location and CHANNELS channels; 'g' the gradient of the grid, a thread for each
 * location; 'i' the gradient of the input, by atomic additions from threads as in 'f'. MODE,
 * PADDING, CORNERS and NDIM are the call's; ALONG: weights and slopes are replaced by their
 * derivatives in the direction `along`. Launched by sample.c. */
#define THREADS 256
#define CHANNELS 8
enum { LINEAR, NEAREST, CUBIC };
enum { ZEROS, BORDER, REFLECTION };
#define TAPS (MODE == LINEAR ? 2 : MODE == NEAREST ? 1 : 4) /* along a dim */
typedef long long wide;

struct arguments {
    const T *input, *grid, *upstream, *along;
    T *out;
    wide batch, channels, places, n;
    wide in[3]; /* in the grid's order: x, y, z */
};

struct line {
    wide at[TAPS]; /* -1: out of bounds */
    T weight[TAPS], slope[TAPS], curve[TAPS]; /* with first and second derivatives */
};

/* Maps a coordinate into bounds as the padding mode says; NaN goes to 0. `by` is scaled by the
 * map's derivative. */
static __device__ T inside(T x, wide n, T &by)
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

static __device__ wide whole(T x, wide n)
{
    return x >= 0 && x <= (T)(n - 1) ? (wide)x : -1;
}

/* Keys' cubic convolution kernel with a = -0.75, and its first two derivatives. */
static __device__ T keys(T x, T &slope, T &curve)
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

static __device__ line taps_of(T x, wide n)
{
    line l;
    T by = CORNERS ? (T)(n - 1) / 2 : (T)n / 2;
    T at = CORNERS ? (x + 1) * by : (x + 1) * by - (T)0.5;
    if (MODE != CUBIC)
        at = inside(at, n, by);
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
            l.weight[k] = keys(at - tap, slope, curve);
            tap = inside(tap, n, reflected);
        }
        l.slope[k] = slope * by;
        l.curve[k] = curve * by * by;
        l.at[k] = whole(tap, n);
    }
    return l;
}

struct tap {
    wide at;
    T weight, slope[3];
};

/* Tap i of a location; v: the direction, of NDIM elements. */
static __device__ tap tap_of(const line (&l)[NDIM], const wide *in, int i, const T *v)
{
    const int x = i % TAPS, y = i / TAPS % TAPS;
    const wide ax = l[0].at[x], ay = l[1].at[y];
    T wz = 1, sz = 0, cz = 0;
    wide az = 0;
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

extern "C" __global__ void __launch_bounds__(THREADS) sample_grid(const arguments a)
{
    const wide i = (wide)blockIdx.x * THREADS + threadIdx.x;
    const int all = TAPS * TAPS * (NDIM == 3 ? TAPS : 1);
    if (i >= a.n)
        return;
    const wide p = i % a.places, rest = i / a.places;
    const wide blocks = WHAT == 'g' ? 1 : (a.channels + CHANNELS - 1) / CHANNELS;
    const wide image = rest / blocks, first = WHAT == 'g' ? 0 : rest % blocks * CHANNELS;
    const wide left = a.channels - first;
    const int few = (int)(WHAT == 'g' || left < CHANNELS ? left : CHANNELS);
    const wide plane = a.in[0] * a.in[1] * a.in[2], from = image * a.channels + first;
    const wide place = (image * a.places + p) * NDIM;
    const T *const v = ALONG ? a.along + place : (const T *)0;
    line l[NDIM];
#pragma unroll
    for (int d = 0; d < NDIM; d++)
        l[d] = taps_of(a.grid[place + d], a.in[d]);
#if WHAT == 'f'
    T sum[CHANNELS] = {};
#pragma unroll
    for (int j = 0; j < all; j++) {
        const tap t = tap_of(l, a.in, j, v);
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            if (c < few)
                sum[c] += (t.at < 0 ? (T)0 : a.input[(from + c) * plane + t.at]) * t.weight;
    }
    for (int c = 0; c < few; c++)
        a.out[(from + c) * a.places + p] = sum[c];
#elif WHAT == 'g'
    T sum[3] = {};
    for (int c = 0; c < few; c++) {
        const T g = a.upstream[(from + c) * a.places + p];
#pragma unroll
        for (int j = 0; j < all; j++) {
            const tap t = tap_of(l, a.in, j, v);
            const T x = t.at < 0 ? (T)0 : a.input[(from + c) * plane + t.at];
            for (int d = 0; d < NDIM && t.at >= 0; d++)
                sum[d] += g * x * t.slope[d];
        }
    }
    for (int d = 0; d < NDIM; d++)
        a.out[place + d] = sum[d];
#else
#pragma unroll
    for (int j = 0; j < all; j++) {
        const tap t = tap_of(l, a.in, j, v);
        for (int c = 0; c < few && t.at >= 0; c++)
            atomicAdd(a.out + (from + c) * plane + t.at,
                      a.upstream[(from + c) * a.places + p] * t.weight);
    }
#endif
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Running sums, products, extremes and sums of exponentials along lines. WAY says how:
 * 'b': a block for a line, 256 threads with UNITS packs of PACK neighbouring elements each;
 * 'w': a warp for a line, 32 elements at a time;
 * 't': a thread for a line: neighbours in a warp are neighbouring lines.
 * Few long lines are cut into splits of `span` elements: a first launch (TOTALS) leaves the total
 * of each split in `parts`, the second joins those before its own. Joins happen in an order that
 * follows from the shape, so that equal calls give equal bits. T is the type of an element, OP is
 * SUM, PROD, LOGSUMEXP, MIN or MAX; scan.c defines them. */
#include "block.cuh"
#define SUM 0
#define PROD 1
#define LOGSUMEXP 2
#define MIN 3
#define MAX 4
#define THREADS 256
#define WARPS (THREADS / LANES)
#define UNITS 4
#define PACK (sizeof(T) >= 16 ? 1 : sizeof(T) == 1 ? 8 : 16 / (int)sizeof(T))

struct arguments {
    const char *in;
    char *out, *index, *parts;
    long long n, span, splits, in_step, out_step, index_step;
    lines all; /* in, out, index */
};

#if OP == MIN || OP == MAX
struct state {
    T best;
    PLACE at; /* -1: nothing yet */
};

static __device__ __forceinline__ state begin()
{
    state s;
    s.best = T();
    s.at = -1;
    return s;
}

static __device__ __forceinline__ state element(const T x, long long i)
{
    state s;
    s.best = x;
    s.at = (PLACE)i;
    return s;
}

/* Of equal elements the last counts, and NaN wins. */
static __device__ __forceinline__ state joined(const state a, const state b)
{
    const bool later = OP == MAX ? b.best >= a.best : b.best <= a.best;
    const bool take = a.at < 0 || (b.at >= 0 && (later || b.best != b.best));
    return take ? b : a;
}

static __device__ __forceinline__ T value_of(const state s)
{
    return s.best;
}
#else
typedef WIDE state; /* the accumulator */

static __device__ __forceinline__ state begin()
{
    return START;
}

static __device__ __forceinline__ state element(const T x, long long)
{
    return WIDEN(x);
}

static __device__ __forceinline__ T value_of(const state s)
{
    return NARROW(s);
}

#if OP == LOGSUMEXP && defined(COMPLEX)
/* log(exp(a) + exp(b)) = max + log1p(exp(min - max)), as on the CPU. */
static __device__ state joined(const state a, const state b)
{
    const state most = a.re >= b.re ? a : b, least = a.re >= b.re ? b : a;
    const double infinity = __longlong_as_double(0x7ff0000000000000ll);
    if (a.re != a.re || a.im != a.im || b.re != b.re || b.im != b.im)
        return state{infinity - infinity, infinity - infinity};
    if (most.re == least.re && most.re == -infinity)
        return least;
    const double size = most.re == least.re ? 1 : exp(least.re - most.re);
    const double angle = least.im - most.im;
    if (size == 0)
        return most;
    const double re = size * cos(angle), im = size * sin(angle);
    return state{most.re + 0.5 * log1p(2 * re + size * size), most.im + atan2(im, 1 + re)};
}
#elif OP == LOGSUMEXP
static __device__ state joined(const state a, const state b)
{
    const state low = a < b ? a : b, high = a < b ? b : a;
    const double infinity = __longlong_as_double(0x7ff0000000000000ll);
    if (a != a || b != b)
        return a + b;
    if (low == high && (high == infinity || high == -infinity))
        return high;
    return log1p(exp(low - high)) + high;
}
#elif defined(COMPLEX)
static __device__ __forceinline__ state joined(const state a, const state b)
{
    if (OP == SUM)
        return state{a.re + b.re, a.im + b.im};
    return state{a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
#else
static __device__ __forceinline__ state joined(const state a, const state b)
{
    return OP == SUM ? a + b : a * b;
}
#endif
#endif

struct join_of {
    __device__ __forceinline__ state operator()(const state a, const state b) const
    {
        return joined(a, b);
    }
};

static __device__ __forceinline__ T load(const char *p)
{
    return *(const T *)p;
}

static __device__ __forceinline__ void store(const arguments &a, char *out, char *index,
                                             long long i, const state s)
{
    *(T *)(out + i * a.out_step) = value_of(s);
#if OP == MIN || OP == MAX
    *(long long *)(index + i * a.index_step) = s.at;
#endif
}

struct alignas(PACK * sizeof(T)) pack {
    T v[PACK];
};

/* ---- a block for a line ---- */

#if WAY == 'b'
struct tile {
    state x[UNITS][PACK];
};

/* What the threads before this one have in each unit, the line so far before it; returns the line
 * up to the end of the tile. `room`: 2 * 33 states, used in turns so that one barrier less is
 * needed. */
static __device__ __forceinline__ state before(const tile &t, const state so_far, state *room,
                                               state *prefix)
{
    const int warp = threadIdx.x / LANES, lane = lane_id();
#pragma unroll
    for (int u = 0; u < UNITS; u++) {
        state total = t.x[u][0];
#pragma unroll
        for (int j = 1; j < PACK; j++)
            total = joined(total, t.x[u][j]);
        total = scan_warp(total, join_of());
        if (lane == LANES - 1)
            room[u * WARPS + warp] = total;
        total = shuffle_up(total, 1);
        prefix[u] = lane ? total : begin();
    }
    __syncthreads();
    if (warp == 0) {
        const state through = scan_warp(room[lane], join_of());
        room[lane + 1] = through;
        if (lane == 0)
            room[0] = begin();
    }
    __syncthreads();
#pragma unroll
    for (int u = 0; u < UNITS; u++)
        prefix[u] = joined(so_far, joined(room[u * WARPS + warp], prefix[u]));
    return joined(so_far, room[LANES]);
}

static __device__ __forceinline__ void
load_tile(const arguments &a, const char *in, long long first, long long end, bool packed, tile &t)
{
#pragma unroll
    for (int u = 0; u < UNITS; u++) {
        const long long i = first + ((long long)u * THREADS + threadIdx.x) * PACK;
        if (packed && i + PACK <= end) {
            const pack p = *(const pack *)(in + i * (long long)sizeof(T));
#pragma unroll
            for (int j = 0; j < PACK; j++)
                t.x[u][j] = element(p.v[j], i + j);
        } else {
#pragma unroll
            for (int j = 0; j < PACK; j++)
                t.x[u][j] = i + j < end ? element(load(in + (i + j) * a.in_step), i + j) : begin();
        }
    }
}

#ifndef TOTALS
static __device__ __forceinline__ void store_tile(const arguments &a, char *out, char *index,
                                                  long long first, long long end, bool packed,
                                                  const tile &t, const state *prefix)
{
#pragma unroll
    for (int u = 0; u < UNITS; u++) {
        const long long i = first + ((long long)u * THREADS + threadIdx.x) * PACK;
        state s = prefix[u];
        if (packed && i + PACK <= end) {
            pack p;
#pragma unroll
            for (int j = 0; j < PACK; j++) {
                s = joined(s, t.x[u][j]);
                p.v[j] = value_of(s);
#if OP == MIN || OP == MAX
                *(long long *)(index + (i + j) * a.index_step) = s.at;
#endif
            }
            *(pack *)(out + i * (long long)sizeof(T)) = p;
        } else {
#pragma unroll
            for (int j = 0; j < PACK; j++) {
                s = joined(s, t.x[u][j]);
                if (i + j < end)
                    store(a, out, index, i + j, s);
            }
        }
    }
}
#endif

static __device__ __forceinline__ bool is_packed(const char *p, long long step)
{
    return step == (long long)sizeof(T) && (unsigned long long)p % sizeof(pack) == 0;
}

extern "C" __global__ void __launch_bounds__(THREADS) k(const arguments a)
{
    __shared__ alignas(16) char memory[2 * (LANES + 1) * sizeof(state)];
    state *const room = (state *)memory;
    const long long number = blockIdx.x / a.splits, split = blockIdx.x % a.splits;
    const line l = line_at(a.all, number);
    const char *const in = a.in + l.at[0];
    const long long first = split * a.span;
    const long long end = first + a.span < a.n ? first + a.span : a.n;
    const bool packed_in = is_packed(in, a.in_step);
    state prefix[UNITS], so_far = begin();
    tile t;
    int turn = 0;
#ifdef TOTALS
    for (long long i = first; i < end; i += THREADS * UNITS * PACK, turn ^= 1) {
        load_tile(a, in, i, end, packed_in, t);
        so_far = before(t, so_far, room + turn * (LANES + 1), prefix);
    }
    if (threadIdx.x == 0)
        ((state *)a.parts)[blockIdx.x] = so_far;
#else
    char *const out = a.out + l.at[1], *const index = a.index + l.at[2];
    const bool packed_out = is_packed(out, a.out_step);
    const state *const parts = (const state *)a.parts + number * a.splits;
    for (long long i = 0; i < split; i += THREADS * UNITS * PACK, turn ^= 1) {
#pragma unroll
        for (int u = 0; u < UNITS; u++)
#pragma unroll
            for (int j = 0; j < PACK; j++) {
                const long long p = i + ((long long)u * THREADS + threadIdx.x) * PACK + j;
                t.x[u][j] = p < split ? parts[p] : begin();
            }
        so_far = before(t, so_far, room + turn * (LANES + 1), prefix);
    }
    for (long long i = first; i < end; i += THREADS * UNITS * PACK, turn ^= 1) {
        load_tile(a, in, i, end, packed_in, t);
        so_far = before(t, so_far, room + turn * (LANES + 1), prefix);
        store_tile(a, out, index, i, end, packed_out, t, prefix);
    }
#endif
}
#endif

/* ---- a warp for a line ---- */

#if WAY == 'w'
extern "C" __global__ void __launch_bounds__(THREADS) k(const arguments a)
{
    const long long number = (long long)blockIdx.x * WARPS + threadIdx.x / LANES;
    const int lane = lane_id();
    if (number >= a.all.count)
        return;
    const line l = line_at(a.all, number);
    const char *const in = a.in + l.at[0];
    state so_far = begin();
    for (long long i = lane; i - lane < a.n; i += LANES) {
        state s = i < a.n ? element(load(in + i * a.in_step), i) : begin();
        s = joined(so_far, scan_warp(s, join_of()));
        if (i < a.n)
            store(a, a.out + l.at[1], a.index + l.at[2], i, s);
        so_far = shuffle(s, LANES - 1);
    }
}
#endif

/* ---- a thread for a line ---- */

#if WAY == 't'
#define AHEAD 8 /* elements under way */

extern "C" __global__ void __launch_bounds__(THREADS) k(const arguments a)
{
    const long long number = (long long)blockIdx.x * THREADS + threadIdx.x, split = blockIdx.y;
    if (number >= a.all.count)
        return;
    const line l = line_at(a.all, number);
    const long long first = split * a.span;
    const long long end = first + a.span < a.n ? first + a.span : a.n;
    const char *const in = a.in + l.at[0];
    state so_far = begin();
#ifndef TOTALS
    for (long long i = 0; i < split; i++)
        so_far = joined(so_far, ((const state *)a.parts)[i * a.all.count + number]);
#endif
    for (long long i = first; i < end; i += AHEAD) {
        T x[AHEAD];
#pragma unroll
        for (int j = 0; j < AHEAD; j++)
            if (i + j < end)
                x[j] = load(in + (i + j) * a.in_step);
#pragma unroll
        for (int j = 0; j < AHEAD; j++)
            if (i + j < end) {
                so_far = joined(so_far, element(x[j], i + j));
#ifndef TOTALS
                store(a, a.out + l.at[1], a.index + l.at[2], i + j, so_far);
#endif
            }
    }
#ifdef TOTALS
    ((state *)a.parts)[split * a.all.count + number] = so_far;
#endif
}
#endif

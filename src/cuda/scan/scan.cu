/* SPDX-License-Identifier: BSD-3-Clause */
/* Inclusive scans along lines: sum, product, minimum, maximum, logsumexp. Launched by scan.c, which
 * defines T (the element type), OP, UNITS and WAY:
 * 'b': a block per line, 256 threads with UNITS vectors of PACK adjacent elements each;
 * 'w': a warp per line, 32 elements at a time;
 * 't': a thread per line, adjacent lines in adjacent lanes.
 * Few long lines are cut into splits of `span` elements (reduce-then-scan): a first launch (TOTALS)
 * leaves each split's total in `parts`, the second starts from the totals before it. The order of
 * joins follows from the shape alone, so equal calls give equal bits. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/common/block.cuh"
#define SUM 0
#define PROD 1
#define LOGSUMEXP 2
#define MIN 3
#define MAX 4
#define THREADS 256
#define WARPS (THREADS / LANES)
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
    PLACE at; /* -1: empty */
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

/* The last of equal elements is taken, and NaN wins. */
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
#elif OP == LOGSUMEXP && !defined(COMPLEX)
/* Online log-sum-exp: the sum of exponentials is sum * exp(most). */
struct state {
    double most, sum;
};

static __device__ __forceinline__ state begin()
{
    state s;
    s.most = -__longlong_as_double(0x7ff0000000000000ll);
    s.sum = 0;
    return s;
}

static __device__ __forceinline__ state element(const T x, long long)
{
    state s;
    s.most = (double)x;
    s.sum = 1;
    return s;
}

static __device__ __forceinline__ state joined(const state a, const state b)
{
    const bool first = a.most > b.most;
    const double less = first ? b.most - a.most : a.most - b.most;
    const double scale = a.most == b.most ? 1 : exp(less); /* equal infinities */
    state s;
    s.most = first || a.most != a.most ? a.most : b.most;
    s.sum = first ? a.sum + b.sum * scale : a.sum * scale + b.sum;
    return s;
}

static __device__ __forceinline__ T value_of(const state s)
{
    return (T)(s.most + log(s.sum));
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

/* ---- a block per line ---- */

#if WAY == 'b'
#define TILE (THREADS * UNITS * PACK)
/* Totals may be formed in any fixed order of threads. */
#define COMMUTES (OP == SUM || OP == PROD)

struct tile {
    T x[UNITS][PACK];
    long long first, end; /* of the tile; of the valid elements */
    bool packed;          /* vector loads and stores */
};

/* The index of a thread's vector in a unit. */
static __device__ __forceinline__ long long place(const tile &t, int u)
{
    return t.first + ((long long)u * THREADS + threadIdx.x) * PACK;
}

/* FULL, here and below: the tile has no tail and is aligned. */
template <bool FULL> static __device__ __forceinline__ state item(const tile &t, int u, int j)
{
    const long long i = place(t, u) + j;
    return FULL || i < t.end ? element(t.x[u][j], i) : begin();
}

static __device__ __forceinline__ bool is_packed(const char *p, long long step)
{
    return step == (long long)sizeof(T) && (unsigned long long)p % sizeof(pack) == 0;
}

template <bool FULL>
static __device__ __forceinline__ void load_tile(const arguments &a, const char *in, tile &t)
{
#pragma unroll
    for (int u = 0; u < UNITS; u++) {
        const long long i = place(t, u);
        if (FULL || (t.packed && i + PACK <= t.end)) {
            const pack p = *(const pack *)(in + i * (long long)sizeof(T));
#pragma unroll
            for (int j = 0; j < PACK; j++)
                t.x[u][j] = p.v[j];
        } else {
#pragma unroll
            for (int j = 0; j < PACK; j++)
                t.x[u][j] = i + j < t.end ? load(in + (i + j) * a.in_step) : T();
        }
    }
}

template <bool FULL> static __device__ __forceinline__ state unit_total(const tile &t, int u)
{
    state total = item<FULL>(t, u, 0);
#pragma unroll
    for (int j = 1; j < PACK; j++)
        total = joined(total, item<FULL>(t, u, j));
    return total;
}

/* Block-wide reduction in thread order. `room` has a state for each warp. */
static __device__ __forceinline__ state total_of_block(const state own, state *room)
{
    const state through = scan_warp(own, join_of());
    if (lane_id() == LANES - 1)
        room[threadIdx.x / LANES] = through;
    __syncthreads();
    state total = room[0];
    for (int w = 1; w < WARPS; w++)
        total = joined(total, room[w]);
    return total;
}

#ifdef TOTALS
/* Extends the running total (where totals commute, this thread's part of it) by one tile. */
template <bool FULL>
static __device__ __forceinline__ state with_tile(const arguments &a, const char *in, tile &t,
                                                  state so_far, state *room, int &turn)
{
    load_tile<FULL>(a, in, t);
#pragma unroll
    for (int u = 0; u < UNITS; u++) {
        const state total = unit_total<FULL>(t, u);
        so_far = joined(so_far, COMMUTES ? total : total_of_block(total, room + turn * WARPS));
        turn ^= 1;
    }
    return so_far;
}

extern "C" __global__ void __launch_bounds__(THREADS) scan_block_totals(const arguments a)
{
    __shared__ alignas(16) char memory[2 * WARPS * sizeof(state)];
    state *const room = (state *)memory;
    const long long number = blockIdx.x / a.splits, split = blockIdx.x % a.splits;
    const char *const in = a.in + line_at(a.all, number).at[0];
    state so_far = begin();
    int turn = 0;
    tile t;
    t.packed = is_packed(in, a.in_step);
    t.end = (split + 1) * a.span < a.n ? (split + 1) * a.span : a.n;
    for (t.first = split * a.span; t.first < t.end; t.first += TILE)
        so_far = t.packed && t.first + TILE <= t.end
                     ? with_tile<true>(a, in, t, so_far, room, turn)
                     : with_tile<false>(a, in, t, so_far, room, turn);
    if (COMMUTES)
        so_far = total_of_block(so_far, room);
    if (threadIdx.x == 0)
        ((state *)a.parts)[blockIdx.x] = so_far;
}
#else
/* Exclusive prefixes of this thread's units, the line so far included; returns the line's total up
 * to the end of the tile. `room` has UNITS * WARPS + 1 states. */
template <bool FULL>
static __device__ __forceinline__ state before(const tile &t, const state so_far, state *room,
                                               state *prefix)
{
    const int warp = threadIdx.x / LANES, lane = lane_id();
#pragma unroll
    for (int u = 0; u < UNITS; u++) {
        const state through = scan_warp(unit_total<FULL>(t, u), join_of());
        if (lane == LANES - 1)
            room[u * WARPS + warp] = through;
        const state below = shuffle_up(through, 1);
        prefix[u] = lane ? below : begin();
    }
    __syncthreads();
    if (warp == 0) {
        const state through = scan_warp(lane < UNITS * WARPS ? room[lane] : begin(), join_of());
        __syncwarp(); /* a lane overwrites what the next one has read */
        if (lane < UNITS * WARPS)
            room[lane + 1] = through;
        if (lane == 0)
            room[0] = begin();
    }
    __syncthreads();
#pragma unroll
    for (int u = 0; u < UNITS; u++)
        prefix[u] = joined(so_far, joined(room[u * WARPS + warp], prefix[u]));
    return joined(so_far, room[UNITS * WARPS]);
}

template <bool FULL>
static __device__ __forceinline__ void store_tile(const arguments &a, char *out, char *index,
                                                  const tile &t, const state *prefix)
{
#pragma unroll
    for (int u = 0; u < UNITS; u++) {
        const long long i = place(t, u);
        state s = prefix[u];
        if (FULL || (t.packed && i + PACK <= t.end)) {
            pack p;
#pragma unroll
            for (int j = 0; j < PACK; j++) {
                s = joined(s, item<FULL>(t, u, j));
                p.v[j] = value_of(s);
#if OP == MIN || OP == MAX
                *(long long *)(index + (i + j) * a.index_step) = s.at;
#endif
            }
            *(pack *)(out + i * (long long)sizeof(T)) = p;
        } else {
#pragma unroll
            for (int j = 0; j < PACK; j++) {
                s = joined(s, item<FULL>(t, u, j));
                if (i + j < t.end)
                    store(a, out, index, i + j, s);
            }
        }
    }
}

/* The total of the splits before this one: adjacent ones by thread, then all threads in order. */
static __device__ __forceinline__ state splits_before(const state *parts, int split, state *room)
{
    const int each = (split + THREADS - 1) / THREADS, first = threadIdx.x * each;
    state own = begin();
#pragma unroll 4
    for (int i = first; i < first + each; i++)
        if (i < split)
            own = joined(own, parts[i]);
    return total_of_block(own, room);
}

extern "C" __global__ void __launch_bounds__(THREADS) scan_blocks(const arguments a)
{
    __shared__ alignas(16) char memory[2 * (UNITS * WARPS + 1) * sizeof(state)];
    state *const room = (state *)memory;
    /* Last split first: the TOTALS launch read it last, so it may still be in L2. */
    const unsigned left = gridDim.x - 1 - blockIdx.x;
    const long long number = left / a.splits, split = left % a.splits;
    const line l = line_at(a.all, number);
    const char *const in = a.in + l.at[0];
    char *const out = a.out + l.at[1], *const index = a.index + l.at[2];
    state prefix[UNITS], so_far = begin();
    int turn = 0; /* double-buffered, which saves a barrier */
    tile t;
    t.packed = is_packed(in, a.in_step) && is_packed(out, a.out_step);
    t.end = (split + 1) * a.span < a.n ? (split + 1) * a.span : a.n;
    if (split > 0)
        so_far = splits_before((const state *)a.parts + number * a.splits, (int)split, room);
    for (t.first = split * a.span; t.first < t.end; t.first += TILE) {
        turn ^= 1;
        state *const own = room + turn * (UNITS * WARPS + 1);
        if (t.packed && t.first + TILE <= t.end) {
            load_tile<true>(a, in, t);
            so_far = before<true>(t, so_far, own, prefix);
            store_tile<true>(a, out, index, t, prefix);
        } else {
            load_tile<false>(a, in, t);
            so_far = before<false>(t, so_far, own, prefix);
            store_tile<false>(a, out, index, t, prefix);
        }
    }
}
#endif
#endif

/* ---- a warp per line ---- */

#if WAY == 'w'
extern "C" __global__ void __launch_bounds__(THREADS) scan_warps(const arguments a)
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

/* ---- a thread per line ---- */

#if WAY == 't'
#define AHEAD 8 /* loads in flight */

extern "C" __global__ void __launch_bounds__(THREADS) scan_threads(const arguments a)
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
#pragma unroll 8
    for (long long i = 0; i < split; i++)
        so_far = joined(so_far, ((const state *)a.parts)[i * a.all.count + number]);
#endif
    long long i = first;
    for (; i + AHEAD <= end; i += AHEAD) {
        T x[AHEAD];
#pragma unroll
        for (int j = 0; j < AHEAD; j++)
            x[j] = load(in + (i + j) * a.in_step);
#pragma unroll
        for (int j = 0; j < AHEAD; j++) {
            so_far = joined(so_far, element(x[j], i + j));
#ifndef TOTALS
            store(a, a.out + l.at[1], a.index + l.at[2], i + j, so_far);
#endif
        }
    }
    for (; i < end; i++) {
        so_far = joined(so_far, element(load(in + i * a.in_step), i));
#ifndef TOTALS
        store(a, a.out + l.at[1], a.index + l.at[2], i, so_far);
#endif
    }
#ifdef TOTALS
    ((state *)a.parts)[split * a.all.count + number] = so_far;
#endif
}
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Inclusive scans along lines: sum, product, minimum, maximum, logsumexp. Launched by scan.c, which
 * defines T (the element type), OP, UNITS and GROUP, the threads of a line:
 * BLOCK: 256 threads with UNITS vectors of PACK adjacent elements each;
 * WARP: 32 elements at a time;
 * THREAD: adjacent threads have adjacent lines.
 * Few long lines are cut into splits (reduce-then-scan): a first launch (TOTALS) computes the total
 * of each split, the second one starts each split from the totals before it. The order of
 * operations follows from the shape alone, so that equal calls give equal bits. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/common/block.cuh"
#include "cuda/scan/scan_args.h"
#define SUM 0
#define PROD 1
#define LOGSUMEXP 2
#define MIN 3
#define MAX 4
#define THREAD 0
#define WARP 1
#define BLOCK 2
#define WARPS (THREADS / LANES)
#define PACK (sizeof(T) >= 16 ? 1 : sizeof(T) == 1 ? 8 : 16 / (int)sizeof(T))

/* A state is an accumulator: `begin` is the state of no elements, `element` that of element i,
 * `joined` that of two adjacent ranges, and `value_of` returns the result. */
#if OP == MIN || OP == MAX
struct state {
    T best;
    INDEX at; /* -1: empty */
};

static __device__ __forceinline__ state begin()
{
    state s;
    s.best = T();
    s.at = -1;
    return s;
}

static __device__ __forceinline__ state element(const T x, int64_t i)
{
    state s;
    s.best = x;
    s.at = (INDEX)i;
    return s;
}

/* Of equal elements the last one wins, and NaN wins over numbers. */
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
#elif OP == LOGSUMEXP && !defined(REAL)
/* Online logsumexp: the sum of exponentials so far is sum * exp(max). */
struct state {
    double max, sum;
};

static __device__ __forceinline__ state begin()
{
    state s;
    s.max = -__longlong_as_double(0x7ff0000000000000ll);
    s.sum = 0;
    return s;
}

static __device__ __forceinline__ state element(const T x, int64_t)
{
    state s;
    s.max = (double)x;
    s.sum = 1;
    return s;
}

static __device__ __forceinline__ state joined(const state a, const state b)
{
    const bool first = a.max > b.max;
    const double difference = first ? b.max - a.max : a.max - b.max;
    const double scale = a.max == b.max ? 1 : exp(difference); /* not exp(inf - inf) */
    state s;
    s.max = first || a.max != a.max ? a.max : b.max;
    s.sum = first ? a.sum + b.sum * scale : a.sum * scale + b.sum;
    return s;
}

static __device__ __forceinline__ T value_of(const state s)
{
    return (T)(s.max + log(s.sum));
}
#else
typedef STATE state;

#ifdef REAL /* the element type of a complex T */
static __device__ __forceinline__ state begin()
{
    return state{OP == SUM    ? 0.0
                 : OP == PROD ? 1.0
                              : -__longlong_as_double(0x7ff0000000000000ll),
                 0};
}

static __device__ __forceinline__ state element(const T x, int64_t)
{
    return state{(double)x.re, (double)x.im};
}

static __device__ __forceinline__ T value_of(const state s)
{
    return T{(REAL)s.re, (REAL)s.im};
}
#else
static __device__ __forceinline__ state begin()
{
    return OP == PROD ? 1 : 0;
}

static __device__ __forceinline__ state element(const T x, int64_t)
{
    return (state)x;
}

static __device__ __forceinline__ T value_of(const state s)
{
    return (T)s;
}
#endif

#if OP == LOGSUMEXP && defined(REAL)
/* log(exp(a) + exp(b)) = max + log1p(exp(min - max)), as on the CPU. */
static __device__ state joined(const state a, const state b)
{
    const state larger = a.re >= b.re ? a : b, smaller = a.re >= b.re ? b : a;
    const double infinity = __longlong_as_double(0x7ff0000000000000ll);
    if (a.re != a.re || a.im != a.im || b.re != b.re || b.im != b.im)
        return state{infinity - infinity, infinity - infinity};
    if (larger.re == smaller.re && larger.re == -infinity)
        return smaller;
    const double size = larger.re == smaller.re ? 1 : exp(smaller.re - larger.re);
    const double angle = smaller.im - larger.im;
    if (size == 0)
        return larger;
    const double re = size * cos(angle), im = size * sin(angle);
    return state{larger.re + 0.5 * log1p(2 * re + size * size), larger.im + atan2(im, 1 + re)};
}
#elif defined(REAL)
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

static __device__ __forceinline__ void store(const scan_args &a, char *out, char *index, int64_t i,
                                             const state s)
{
    *(T *)(out + i * a.out_stride) = value_of(s);
#if OP == MIN || OP == MAX
    *(int64_t *)(index + i * a.index_stride) = s.at;
#endif
}

struct alignas(PACK * sizeof(T)) pack {
    T v[PACK];
};

/* ---- a block per line ---- */

#if GROUP == BLOCK
#define TILE (THREADS * UNITS * PACK)
/* The order of operands does not matter, so each thread may first combine its own elements of all
 * tiles. */
#define COMMUTES (OP == SUM || OP == PROD)

struct tile {
    T x[UNITS][PACK];
    int64_t first, end; /* the first element of the tile, the end of the split */
    bool packed;        /* loads and stores are vectors */
};

/* The index of the first element of a thread's vector in unit u. */
static __device__ __forceinline__ int64_t vector_index(const tile &t, int u)
{
    return t.first + ((int64_t)u * THREADS + threadIdx.x) * PACK;
}

/* Here and below, FULL means that the tile is complete and aligned and needs no checks. */
template <bool FULL> static __device__ __forceinline__ state item(const tile &t, int u, int j)
{
    const int64_t i = vector_index(t, u) + j;
    return FULL || i < t.end ? element(t.x[u][j], i) : begin();
}

static __device__ __forceinline__ bool is_packed(const char *p, int64_t step)
{
    return step == (int64_t)sizeof(T) && (uint64_t)p % sizeof(pack) == 0;
}

template <bool FULL>
static __device__ __forceinline__ void load_tile(const scan_args &a, const char *in, tile &t)
{
#pragma unroll
    for (int u = 0; u < UNITS; u++) {
        const int64_t i = vector_index(t, u);
        if (FULL || (t.packed && i + PACK <= t.end)) {
            const pack p = *(const pack *)(in + i * (int64_t)sizeof(T));
#pragma unroll
            for (int j = 0; j < PACK; j++)
                t.x[u][j] = p.v[j];
        } else {
#pragma unroll
            for (int j = 0; j < PACK; j++)
                t.x[u][j] = i + j < t.end ? load(in + (i + j) * a.in_stride) : T();
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

/* The total of the block in the order of threads. `shared` has a state for each warp. */
static __device__ __forceinline__ state total_of_block(const state own, state *shared)
{
    const state through = scan_warp(own, join_of());
    if (lane_id() == LANES - 1)
        shared[threadIdx.x / LANES] = through;
    __syncthreads();
    state total = shared[0];
    for (int w = 1; w < WARPS; w++)
        total = joined(total, shared[w]);
    return total;
}

#if TOTALS
/* Extends the running total by one tile; if COMMUTES, only by this thread's elements. */
template <bool FULL>
static __device__ __forceinline__ state with_tile(const scan_args &a, const char *in, tile &t,
                                                  state so_far, state *shared, int &buffer)
{
    load_tile<FULL>(a, in, t);
#pragma unroll
    for (int u = 0; u < UNITS; u++) {
        const state total = unit_total<FULL>(t, u);
        so_far = joined(so_far, COMMUTES ? total : total_of_block(total, shared + buffer * WARPS));
        buffer ^= 1;
    }
    return so_far;
}

extern "C" __global__ void __launch_bounds__(THREADS) scan_block_totals(const scan_args a)
{
    __shared__ alignas(16) char memory[2 * WARPS * sizeof(state)];
    state *const shared = (state *)memory;
    const int64_t number = blockIdx.x / a.splits, split = blockIdx.x % a.splits;
    const char *const in = a.in + line_at(a.lines, number).offset[0];
    state so_far = begin();
    int buffer = 0;
    tile t;
    t.packed = is_packed(in, a.in_stride);
    t.end = (split + 1) * a.split_size < a.n ? (split + 1) * a.split_size : a.n;
    for (t.first = split * a.split_size; t.first < t.end; t.first += TILE)
        so_far = t.packed && t.first + TILE <= t.end
                     ? with_tile<true>(a, in, t, so_far, shared, buffer)
                     : with_tile<false>(a, in, t, so_far, shared, buffer);
    if (COMMUTES)
        so_far = total_of_block(so_far, shared);
    if (threadIdx.x == 0)
        ((state *)a.totals)[blockIdx.x] = so_far;
}
#else
/* prefix[u] receives the total of everything before the thread's vector in unit u, including
 * so_far. Returns the total up to the end of the tile. `shared` has UNITS * WARPS + 1 states. */
template <bool FULL>
static __device__ __forceinline__ state scan_tile(const tile &t, const state so_far, state *shared,
                                                  state *prefix)
{
    const int warp = threadIdx.x / LANES, lane = lane_id();
#pragma unroll
    for (int u = 0; u < UNITS; u++) {
        const state through = scan_warp(unit_total<FULL>(t, u), join_of());
        if (lane == LANES - 1)
            shared[u * WARPS + warp] = through;
        const state below = shuffle_up(through, 1);
        prefix[u] = lane ? below : begin();
    }
    __syncthreads();
    if (warp == 0) {
        const state through = scan_warp(lane < UNITS * WARPS ? shared[lane] : begin(), join_of());
        __syncwarp(); /* all lanes have read before any of them overwrites */
        if (lane < UNITS * WARPS)
            shared[lane + 1] = through;
        if (lane == 0)
            shared[0] = begin();
    }
    __syncthreads();
#pragma unroll
    for (int u = 0; u < UNITS; u++)
        prefix[u] = joined(so_far, joined(shared[u * WARPS + warp], prefix[u]));
    return joined(so_far, shared[UNITS * WARPS]);
}

template <bool FULL>
static __device__ __forceinline__ void store_tile(const scan_args &a, char *out, char *index,
                                                  const tile &t, const state *prefix)
{
#pragma unroll
    for (int u = 0; u < UNITS; u++) {
        const int64_t i = vector_index(t, u);
        state s = prefix[u];
        if (FULL || (t.packed && i + PACK <= t.end)) {
            pack p;
#pragma unroll
            for (int j = 0; j < PACK; j++) {
                s = joined(s, item<FULL>(t, u, j));
                p.v[j] = value_of(s);
#if OP == MIN || OP == MAX
                *(int64_t *)(index + (i + j) * a.index_stride) = s.at;
#endif
            }
            *(pack *)(out + i * (int64_t)sizeof(T)) = p;
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

/* The total of the splits before this one. Each thread combines adjacent splits, then the block
 * combines its threads in order. */
static __device__ __forceinline__ state splits_before(const state *totals, int split, state *shared)
{
    const int each = (split + THREADS - 1) / THREADS, first = threadIdx.x * each;
    state own = begin();
#pragma unroll 4
    for (int i = first; i < first + each; i++)
        if (i < split)
            own = joined(own, totals[i]);
    return total_of_block(own, shared);
}

extern "C" __global__ void __launch_bounds__(THREADS) scan_blocks(const scan_args a)
{
    __shared__ alignas(16) char memory[2 * (UNITS * WARPS + 1) * sizeof(state)];
    state *const shared = (state *)memory;
    /* Start with the last split: the TOTALS launch read it last, so it may still be in L2. */
    const unsigned left = gridDim.x - 1 - blockIdx.x;
    const int64_t number = left / a.splits, split = left % a.splits;
    const line l = line_at(a.lines, number);
    const char *const in = a.in + l.offset[0];
    char *const out = a.out + l.offset[1], *const index = a.index + l.offset[2];
    state prefix[UNITS], so_far = begin();
    int buffer = 0; /* two buffers save a barrier in each tile */
    tile t;
    t.packed = is_packed(in, a.in_stride) && is_packed(out, a.out_stride);
    t.end = (split + 1) * a.split_size < a.n ? (split + 1) * a.split_size : a.n;
    if (split > 0)
        so_far = splits_before((const state *)a.totals + number * a.splits, (int)split, shared);
    for (t.first = split * a.split_size; t.first < t.end; t.first += TILE) {
        buffer ^= 1;
        state *const own = shared + buffer * (UNITS * WARPS + 1);
        if (t.packed && t.first + TILE <= t.end) {
            load_tile<true>(a, in, t);
            so_far = scan_tile<true>(t, so_far, own, prefix);
            store_tile<true>(a, out, index, t, prefix);
        } else {
            load_tile<false>(a, in, t);
            so_far = scan_tile<false>(t, so_far, own, prefix);
            store_tile<false>(a, out, index, t, prefix);
        }
    }
}
#endif
#endif

/* ---- a warp per line ---- */

#if GROUP == WARP
extern "C" __global__ void __launch_bounds__(THREADS) scan_warps(const scan_args a)
{
    const int64_t number = (int64_t)blockIdx.x * WARPS + threadIdx.x / LANES;
    const int lane = lane_id();
    if (number >= a.lines.count)
        return;
    const line l = line_at(a.lines, number);
    const char *const in = a.in + l.offset[0];
    state so_far = begin();
    for (int64_t i = lane; i - lane < a.n; i += LANES) {
        state s = i < a.n ? element(load(in + i * a.in_stride), i) : begin();
        s = joined(so_far, scan_warp(s, join_of()));
        if (i < a.n)
            store(a, a.out + l.offset[1], a.index + l.offset[2], i, s);
        so_far = shuffle(s, LANES - 1);
    }
}
#endif

/* ---- a thread per line ---- */

#if GROUP == THREAD
#define AHEAD 8 /* loads in flight */

extern "C" __global__ void __launch_bounds__(THREADS) scan_threads(const scan_args a)
{
    const int64_t number = (int64_t)blockIdx.x * THREADS + threadIdx.x, split = blockIdx.y;
    if (number >= a.lines.count)
        return;
    const line l = line_at(a.lines, number);
    const int64_t first = split * a.split_size;
    const int64_t end = first + a.split_size < a.n ? first + a.split_size : a.n;
    const char *const in = a.in + l.offset[0];
    state so_far = begin();
#if !TOTALS
#pragma unroll 8
    for (int64_t i = 0; i < split; i++)
        so_far = joined(so_far, ((const state *)a.totals)[i * a.lines.count + number]);
#endif
    int64_t i = first;
    for (; i + AHEAD <= end; i += AHEAD) {
        T x[AHEAD];
#pragma unroll
        for (int j = 0; j < AHEAD; j++)
            x[j] = load(in + (i + j) * a.in_stride);
#pragma unroll
        for (int j = 0; j < AHEAD; j++) {
            so_far = joined(so_far, element(x[j], i + j));
#if !TOTALS
            store(a, a.out + l.offset[1], a.index + l.offset[2], i + j, so_far);
#endif
        }
    }
    for (; i < end; i++) {
        so_far = joined(so_far, element(load(in + i * a.in_stride), i));
#if !TOTALS
        store(a, a.out + l.offset[1], a.index + l.offset[2], i, so_far);
#endif
    }
#if TOTALS
    ((state *)a.totals)[split * a.lines.count + number] = so_far;
#endif
}
#endif

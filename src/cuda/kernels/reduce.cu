/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions. A group of `lanes` threads works on one result; a block of 256 threads holds
 * 256 / lanes groups. Where elements of one result lie side by side, neighbours in a block are
 * lanes of one group (ROWS); where results lie side by side, they are groups (else), and where they
 * can be read so, a group has COLUMNS of them. A long
 * reduction is split over blocks, which leave accumulators that the last of them to be done joins in
 * order: a sum depends on shapes and the card, never on which block came first. The row's piece
 * comes before this text, with FOLD_MONOID, FOLD_PICK or FOLD_SPREAD; cuda/reduce.c writes
 * load_in, store_out. */
#include "block.cuh"
#define THREADS 256

#if PACK > 1
struct alignas(16) pack {
    memory_in v[PACK];
};
#endif

struct dims {
    int n;
    long long size[12], in[12], out[12], index[12];
};

struct arguments {
    const char *in;
    char *out, *index, *parts;
    unsigned *counters; /* of blocks that are done, for each blockIdx.x */
    long long kept, reduced, splits, span; /* span: elements of one split */
    double param;
    int lanes, rows;
    dims outer, inner; /* what is kept, what is reduced */
};

#ifdef FOLD_MONOID
typedef fold_A state;

static __device__ state begin()
{
    return fold_start_wide();
}

static __device__ state join(const state a, const state b)
{
    return fold_combine_wide(a, b);
}
#endif

#ifdef FOLD_PICK
struct state {
    fold_T best;
    long long at; /* -1: nothing yet */
};

static __device__ state begin()
{
    state s;
    s.best = fold_T();
    s.at = -1;
    return s;
}

static __device__ state join(const state a, const state b)
{
    if (a.at < 0 || b.at < 0)
        return a.at < 0 ? b : a;
    if (fold_same(b.best, a.best))
        return b.at < a.at ? b : a;
    return fold_better(b.best, a.best) ? b : a;
}
#endif

#ifdef FOLD_SPREAD
struct state {
    double count, mean, squares;
};

static __device__ state begin()
{
    state s = {0, 0, 0};
    return s;
}

/* Chan, Golub and LeVeque. */
static __device__ state join(const state a, const state b)
{
    if (a.count == 0 || b.count == 0)
        return a.count == 0 ? b : a;
    state s;
    const double step = b.mean - a.mean, share = b.count / (a.count + b.count);
    s.count = a.count + b.count;
    s.mean = a.mean + step * share;
    s.squares = a.squares + b.squares + step * step * a.count * share;
    return s;
}
#endif

static __device__ __forceinline__ long long quotient(long long i, long long size)
{
    return i <= 0xffffffffll && size <= 0xffffffffll ? (long long)((unsigned)i / (unsigned)size)
                                                     : i / size;
}

static __device__ long long offset_in(const dims &d, long long i)
{
    long long at = 0;
#pragma unroll 1
    for (int k = d.n - 1; k > 0; k--) {
        const long long next = quotient(i, d.size[k]);
        at += (i - next * d.size[k]) * d.in[k];
        i = next;
    }
    return at + i * d.in[0];
}

static __device__ void offsets_out(const dims &d, long long i, long long *out, long long *index)
{
    *out = *index = 0;
    if (d.n == 1) {
        *out = i * d.out[0];
        *index = i * d.index[0];
        return;
    }
#pragma unroll 1
    for (int k = d.n - 1; k >= 0; k--) {
        const long long next = quotient(i, d.size[k]), x = i - next * d.size[k];
        *out += x * d.out[k];
        *index += x * d.index[k];
        i = next;
    }
}

#ifdef FOLD_SPREAD
/* A few elements around their own mean, so that nothing cancels; from the first one on, so that
 * equal elements have a variance of zero. */
template <int N> static __device__ __forceinline__ state spread_of(const double *x)
{
    state few;
    double sum = 0, squares = 0;
#pragma unroll
    for (int k = 1; k < N; k++)
        sum += x[k] - x[0];
    few.count = N;
    few.mean = x[0] + sum * (1.0 / N);
#pragma unroll
    for (int k = 0; k < N; k++)
        squares += (x[k] - few.mean) * (x[k] - few.mean);
    few.squares = squares;
    return few;
}
#endif

/* One element more, at place i. */
static __device__ __forceinline__ state joined(const state s, const fold_T x, long long i,
                                               const arguments &a)
{
#ifdef FOLD_MONOID
    return fold_combine_wide(
        s, fold_widen(fold_combine(fold_start(), fold_element(x, (fold_P)a.param))));
#endif
#ifdef FOLD_PICK
    state t = s;
    if (s.at < 0 || fold_better(x, s.best)) {
        t.best = x;
        t.at = i;
    }
    return t;
#endif
#ifdef FOLD_SPREAD
    const double one = (double)x;
    return join(s, spread_of<1>(&one));
#endif
}

/* N neighbours in the order of a thread, the first at place i, the others `apart` places on. */
template <int N>
static __device__ __forceinline__ state joined_all(state s, const fold_T *x, long long i,
                                                   long long apart, const arguments &a)
{
#ifdef FOLD_MONOID
    fold_R part = fold_start();
#pragma unroll
    for (int k = 0; k < N; k++)
        part = fold_combine(part, fold_element(x[k], (fold_P)a.param));
    return fold_combine_wide(s, fold_widen(part));
#endif
#ifdef FOLD_PICK
#pragma unroll
    for (int k = 0; k < N; k++)
        s = joined(s, x[k], i + k * apart, a);
    return s;
#endif
#ifdef FOLD_SPREAD
    double wide[N];
#pragma unroll
    for (int k = 0; k < N; k++)
        wide[k] = (double)x[k];
    return join(s, spread_of<N>(wide));
#endif
}

#if PACK > 1
#define PACKS (PACK >= 8 ? 2 : 4) /* under way at once */

/* Elements without gaps, 16 bytes at a time: packs lane, lane + step ... of `whole`. */
static __device__ __forceinline__ state fold_packs(const arguments &a, state s, const pack *from,
                                                   long long base, int lane, int whole)
{
    const int step = a.lanes;
    int q = lane;
    for (; q + (PACKS - 1) * step < whole; q += PACKS * step) {
        pack v[PACKS];
        fold_T x[PACKS * PACK];
#pragma unroll
        for (int k = 0; k < PACKS; k++)
            v[k] = from[q + k * step];
#ifdef FOLD_PICK
#pragma unroll
        for (int k = 0; k < PACKS; k++) {
#pragma unroll
            for (int j = 0; j < PACK; j++)
                x[j] = load_in((const char *)&v[k].v[j]);
            s = joined_all<PACK>(s, x, base + (long long)(q + k * step) * PACK, 1, a);
        }
#else
#pragma unroll
        for (int k = 0; k < PACKS; k++)
#pragma unroll
            for (int j = 0; j < PACK; j++)
                x[k * PACK + j] = load_in((const char *)&v[k].v[j]);
        s = joined_all<PACKS * PACK>(s, x, 0, 1, a);
#endif
    }
    pack rest[PACKS];
#pragma unroll
    for (int k = 0; k < PACKS - 1; k++)
        if (q + k * step < whole)
            rest[k] = from[q + k * step];
#pragma unroll
    for (int k = 0; k < PACKS - 1; k++)
        if (q + k * step < whole) {
            fold_T x[PACK];
#pragma unroll
            for (int j = 0; j < PACK; j++)
                x[j] = load_in((const char *)&rest[k].v[j]);
            s = joined_all<PACK>(s, x, base + (long long)(q + k * step) * PACK, 1, a);
        }
    return s;
}
#endif

/* The elements i, i + lanes ... below end, of one result. PLAIN: in one dim. */
template <bool PLAIN>
static __device__ __forceinline__ state fold_elements(const arguments &a, state s, const char *p,
                                                      long long i, long long end)
{
    const long long step = a.lanes, in = a.inner.in[0];
    for (; i + 7 * step < end; i += 8 * step) {
        fold_T x[8];
#pragma unroll
        for (int k = 0; k < 8; k++)
            x[k] = load_in(p + (PLAIN ? (i + k * step) * in : offset_in(a.inner, i + k * step)));
        s = joined_all<8>(s, x, i, step, a);
    }
    fold_T rest[7]; /* under way at once, too */
#pragma unroll
    for (int k = 0; k < 7; k++)
        if (i + k * step < end)
            rest[k] =
                load_in(p + (PLAIN ? (i + k * step) * in : offset_in(a.inner, i + k * step)));
#pragma unroll
    for (int k = 0; k < 7; k++)
        if (i + k * step < end)
            s = joined(s, rest[k], i + k * step, a);
    return s;
}

/* The elements begin + lane, begin + lane + lanes ... below end, of one result. */
static __device__ __forceinline__ state fold_line(const arguments &a, const char *p, long long from,
                                                  long long end, int lane)
{
    state s = begin();
    long long i = from + lane;
#if PACK > 1
    const long long whole = (end - from) / PACK;
    s = fold_packs(a, s, (const pack *)(p + from * (long long)sizeof(memory_in)), from, lane,
                   (int)whole);
    return fold_elements<true>(a, s, p, i + whole * PACK, end);
#else
    return a.inner.n == 1 ? fold_elements<true>(a, s, p, i, end)
                          : fold_elements<false>(a, s, p, i, end);
#endif
}

#if COLUMNS > 1
#define DOWN 8 /* rows under way at once */

struct alignas(COLUMNS * sizeof(memory_in)) row {
    memory_in v[COLUMNS];
};

/* The same of COLUMNS neighbouring results. */
static __device__ __forceinline__ void fold_columns(const arguments &a, state (&s)[COLUMNS],
                                                    const char *p, long long i, long long end)
{
    const long long step = a.lanes;
    for (; i < end; i += DOWN * step) {
        row r[DOWN];
        const bool full = i + (DOWN - 1) * step < end;
#pragma unroll
        for (int k = 0; k < DOWN; k++)
            if (full || i + k * step < end)
                r[k] = *(const row *)(p + (a.inner.n == 1 ? (i + k * step) * a.inner.in[0]
                                                          : offset_in(a.inner, i + k * step)));
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            fold_T x[DOWN];
#pragma unroll
            for (int k = 0; k < DOWN; k++)
                x[k] = load_in((const char *)&r[k].v[c]);
            if (full)
                s[c] = joined_all<DOWN>(s[c], x, i, step, a);
#pragma unroll
            for (int k = 0; k < DOWN - 1; k++)
                if (!full && i + k * step < end)
                    s[c] = joined(s[c], x[k], i + k * step, a);
        }
    }
}
#endif

static __device__ void finish(const arguments &a, const state s, long long result)
{
    long long out, index;
    offsets_out(a.outer, result, &out, &index);
#ifdef FOLD_MONOID
    store_out(a.out + out, fold_result(s, (fold_AR)a.reduced, (fold_AR)a.param));
#endif
#ifdef FOLD_PICK
    if (a.out)
        store_out(a.out + out, s.best);
    if (a.index)
        *(long long *)(a.index + index) = s.at;
#endif
#ifdef FOLD_SPREAD
    const double left = (double)a.reduced - a.param;
    store_out(a.out + out, fold_result(s.squares / (left > 0 ? left : 0)));
#endif
}

/* The states of a group's lanes as one, at its first lane. Neighbours in a warp meet by shuffles,
 * others in shared memory. */
static __device__ state join_group(const arguments &a, state s, state *room, int group, int lane)
{
    if (a.rows) {
        const int width = a.lanes < LANES ? a.lanes : LANES;
        for (int apart = width / 2; apart > 0; apart /= 2)
            s = join(s, shuffle(s, (lane_id() + apart) % LANES));
        if (a.lanes <= LANES)
            return s;
        if (lane_id() == 0)
            room[threadIdx.x / LANES] = s;
        __syncthreads();
        for (int w = 1; lane == 0 && w < a.lanes / LANES; w++)
            s = join(s, room[threadIdx.x / LANES + w]);
        return s;
    }
    room[group * a.lanes + lane] = s;
    for (int width = a.lanes / 2; width > 0; width /= 2) {
        __syncthreads();
        if (lane < width)
            room[group * a.lanes + lane] =
                join(room[group * a.lanes + lane], room[group * a.lanes + lane + width]);
    }
    return room[group * a.lanes];
}

static __device__ __forceinline__ void join_groups(const arguments &a, state (&s)[COLUMNS],
                                                   state *room, int group, int lane)
{
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        if (c > 0)
            __syncthreads();
        s[c] = join_group(a, s[c], room, group, lane);
    }
}

/* Whether all other blocks of the same results have left their parts. */
static __device__ bool is_last(const arguments &a)
{
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(&a.counters[blockIdx.x], 1) == (unsigned)a.splits - 1;
        if (last)
            a.counters[blockIdx.x] = 0;
    }
    __syncthreads();
    __threadfence();
    return last;
}

extern "C" __global__ void __launch_bounds__(THREADS) k(const arguments a)
{
    __shared__ alignas(16) char memory[THREADS * sizeof(state)];
    state *const room = (state *)memory;
    const int groups = THREADS / a.lanes;
    const int lane = a.rows ? threadIdx.x % a.lanes : threadIdx.x / groups;
    const int group = a.rows ? threadIdx.x / a.lanes : threadIdx.x % groups;
    const long long result = ((long long)blockIdx.x * groups + group) * COLUMNS, split = blockIdx.y;
    const bool there = result < a.kept;
    state s[COLUMNS];
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
        s[c] = begin();
    if (there) {
        const char *const in = a.in + offset_in(a.outer, result);
        long long end = (split + 1) * a.span;
        end = end < a.reduced ? end : a.reduced;
#if COLUMNS > 1
        fold_columns(a, s, in, split * a.span + lane, end);
#else
        s[0] = fold_line(a, in, split * a.span, end, lane);
#endif
    }
    join_groups(a, s, room, group, lane);
    if (a.splits > 1) {
        state *const parts = (state *)a.parts + result * a.splits;
#pragma unroll
        for (int c = 0; c < COLUMNS; c++)
            if (lane == 0 && there)
                tell_others(parts + c * a.splits + split, s[c]);
        if (!is_last(a))
            return;
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            s[c] = begin();
            for (long long i = lane; there && i < a.splits; i += a.lanes)
                s[c] = join(s[c], told_by_others(parts + c * a.splits + i));
        }
        join_groups(a, s, room, group, lane);
    }
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
        if (lane == 0 && there)
            finish(a, s[c], result + c);
}

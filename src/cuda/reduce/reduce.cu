/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions. A group of `lanes` threads computes one result, or COLUMNS adjacent ones that it
 * loads at a time; a block has 256 / lanes groups. `rows`: adjacent threads are lanes of one group,
 * for results whose elements are adjacent; else they belong to different groups, for adjacent
 * results. A long reduction is split over blocks: each stores its accumulators, and the last one to
 * finish combines them in order, so that a sum depends on the shape and the card but never on the
 * order in which blocks run. FOLD names the operation's device functions, which precede this text
 * and define FOLD_MONOID, FOLD_PICK or FOLD_SPREAD; IN, OUT, LOAD and STORE are the types in memory
 * and the conversions. STEPPED_DIMS: the number of reduced dims, 1 or 2, if a thread can step along
 * them in 31 bits; else 0, and every offset is computed by divisions. Launched by reduce.c. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/common/block.cuh"
#include "cuda/reduce/reduce_args.h"

#if PACK > 1 || COLUMNS > 1
struct alignas(16) pack {
    IN v[PACK > 1 ? PACK : COLUMNS];
};
#endif

static __device__ __forceinline__ fold_T load_in(const char *p)
{
    return LOAD(*(const IN *)p);
}

static __device__ __forceinline__ void store_out(char *p, const RESULT x)
{
    *(OUT *)p = STORE(x);
}

/* A state is an accumulator: `begin` is the state of no elements, `join` combines the states of two
 * disjoint sets of elements. */
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
    int64_t at; /* -1: nothing yet */
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

/* T. Chan, G. Golub and R. LeVeque, Updating formulae and a pairwise algorithm for computing sample
 * variances, 1979. */
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

static __device__ int64_t offset_in(const reduce_dims &d, int64_t i)
{
    if (d.n == 1)
        return i * d.in[0];
    int64_t at = 0;
    for (int k = d.n - 1; k > 0; k--) {
        const int64_t next = i / d.size[k];
        at += (i - next * d.size[k]) * d.in[k];
        i = next;
    }
    return at + i * d.in[0];
}

/* The offset of element first * UNIT of one or two reduced dims; next() advances it by `units`
 * times UNIT elements without a division. */
template <int UNIT> struct stepper {
    int64_t at, ahead, back; /* bytes: the offset, a step, what a step into the next line adds */
    int x, step, size;       /* units: position in the line, a step, a line */

    __device__ __forceinline__ stepper(const reduce_dims &d, int64_t first, int64_t units)
    {
#if STEPPED_DIMS == 2
        const int64_t line = d.size[1] / UNIT, inner = d.in[1] * UNIT, outer = d.in[0];
        const int64_t row = first / line, rows = units / line;
        x = (int)(first - row * line);
        step = (int)(units - rows * line);
        size = (int)line;
        at = row * outer + x * inner;
        ahead = rows * outer + step * inner;
        back = outer - line * inner;
#else
        ahead = units * UNIT * d.in[0];
        at = first * UNIT * d.in[0];
#endif
    }
    __device__ __forceinline__ void next()
    {
        at += ahead;
#if STEPPED_DIMS == 2
        x += step;
        if (x >= size) {
            x -= size;
            at += back;
        }
#endif
    }
};

static __device__ void offsets_out(const reduce_dims &d, int64_t i, int64_t *out, int64_t *index)
{
    *out = *index = 0;
    if (d.n == 1) {
        *out = i * d.out[0];
        *index = i * d.index[0];
        return;
    }
    for (int k = d.n - 1; k >= 0; k--) {
        const int64_t next = i / d.size[k], x = i - next * d.size[k];
        *out += x * d.out[k];
        *index += x * d.index[k];
        i = next;
    }
}

#ifdef FOLD_SPREAD
/* The state of N elements, by two passes: deviations from the mean do not cancel as a sum of
 * squares would. The mean is relative to the first element, so that equal elements have a variance
 * of exactly zero. */
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

/* Returns s with element x added, whose index is i. */
static __device__ __forceinline__ state joined(const state s, const fold_T x, int64_t i,
                                               const reduce_args &a)
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

/* Returns s with N elements added; the first has index i, and indices are `apart` apart.
 * */
template <int N>
static __device__ __forceinline__ state joined_all(state s, const fold_T *x, int64_t i,
                                                   int64_t apart, const reduce_args &a)
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
    double values[N];
#pragma unroll
    for (int k = 0; k < N; k++)
        values[k] = (double)x[k];
    return join(s, spread_of<N>(values));
#endif
}

#if PACK > 1 || COLUMNS > 1
/* The same for N groups of UNIT adjacent elements, without the groups whose `valid` is false. */
template <int N, int UNIT>
static __device__ __forceinline__ state joined_some(state s, const fold_T *x, const bool *valid,
                                                    int64_t i, int64_t apart, const reduce_args &a)
{
#ifdef FOLD_MONOID
    fold_R part = fold_start();
#pragma unroll
    for (int k = 0; k < N * UNIT; k++)
        if (valid[k / UNIT])
            part = fold_combine(part, fold_element(x[k], (fold_P)a.param));
    return fold_combine_wide(s, fold_widen(part));
#else
#pragma unroll
    for (int k = 0; k < N; k++)
        if (valid[k])
            s = joined_all<UNIT>(s, x + k * UNIT, i + k * apart, 1, a);
    return s;
#endif
}
#endif

#if PACK > 1
#define PACKS (PACK >= 8 ? 2 : 4) /* loads in flight */

/* Reads contiguous elements, or contiguous lines, 16 bytes at a time: adds vectors lane, lane +
 * lanes, ... below `count` to s. `base` is the index of the first element of vector 0. */
static __device__ __forceinline__ state fold_packs(const reduce_args &a, state s, const char *from,
                                                   int64_t base, int lane, int count)
{
    const int step = a.lanes;
    int q = lane;
    stepper<PACK> w(a.inner, base / PACK + lane, step);
    for (; q + (PACKS - 1) * step < count; q += PACKS * step) {
        pack v[PACKS];
        fold_T x[PACKS * PACK];
#pragma unroll
        for (int k = 0; k < PACKS; k++) {
            v[k] = *(const pack *)(from + w.at);
            w.next();
        }
#ifdef FOLD_PICK
#pragma unroll
        for (int k = 0; k < PACKS; k++) {
#pragma unroll
            for (int j = 0; j < PACK; j++)
                x[j] = load_in((const char *)&v[k].v[j]);
            s = joined_all<PACK>(s, x, base + (int64_t)(q + k * step) * PACK, 1, a);
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
    /* The loads of the tail are also issued together, so that the thread waits for memory only
     * once. */
    pack v[PACKS - 1];
    fold_T x[(PACKS - 1) * PACK];
    bool valid[PACKS - 1];
#pragma unroll
    for (int k = 0; k < PACKS - 1; k++) {
        valid[k] = q + k * step < count;
        if (valid[k])
            v[k] = *(const pack *)(from + w.at);
        w.next();
    }
#pragma unroll
    for (int k = 0; k < (PACKS - 1) * PACK; k++)
        x[k] = load_in((const char *)&v[k / PACK].v[k % PACK]);
    s = joined_some<PACKS - 1, PACK>(s, x, valid, base + (int64_t)q * PACK, (int64_t)step * PACK,
                                     a);
    return s;
}
#endif

/* Returns s with the elements i, i + lanes, ... below `end` of a result added. */
static __device__ __forceinline__ state fold_steps(const reduce_args &a, state s, const char *p,
                                                   int64_t i, int64_t end)
{
    const int step = a.lanes;
    stepper<1> w(a.inner, i, step);
    for (; i + 7 * step < end; i += 8 * step) {
        IN v[8];
        fold_T x[8];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            v[k] = *(const IN *)(p + w.at);
            w.next();
        }
#pragma unroll
        for (int k = 0; k < 8; k++)
            x[k] = load_in((const char *)&v[k]);
        s = joined_all<8>(s, x, i, step, a);
    }
    for (; i < end; i += step) {
        s = joined(s, load_in(p + w.at), i, a);
        w.next();
    }
    return s;
}

/* Returns the state of a lane: of its elements in [from, end) of a result. */
static __device__ __forceinline__ state fold_line(const reduce_args &a, const char *p, int64_t from,
                                                  int64_t end, int lane)
{
    state s = begin();
    int64_t i = from + lane;
#if PACK > 1
    const int64_t count = (end - from) / PACK;
    s = fold_packs(a, s, p, from, lane, (int)count);
    i += count * PACK;
#endif
#if STEPPED_DIMS
    return fold_steps(a, s, p, i, end);
#else
    const int64_t step = a.lanes;
    for (; i + 7 * step < end; i += 8 * step) {
        fold_T x[8];
#pragma unroll
        for (int k = 0; k < 8; k++)
            x[k] = load_in(p + offset_in(a.inner, i + k * step));
        s = joined_all<8>(s, x, i, step, a);
    }
    for (; i < end; i += step)
        s = joined(s, load_in(p + offset_in(a.inner, i)), i, a);
    return s;
#endif
}

#if COLUMNS > 1
#ifdef FOLD_PICK
#define ROWS_IN_FLIGHT 4 /* indices take registers */
#else
#define ROWS_IN_FLIGHT 8 /* Note [Loads in flight] in cuda/reduce/reduce.c */
#endif

/* The same for COLUMNS adjacent results, whose first elements are at p. */
static __device__ __forceinline__ void fold_columns(const reduce_args &a, const char *p,
                                                    int64_t from, int64_t end, int lane, state *s)
{
    const int step = a.lanes;
    int64_t i = from + lane;
    stepper<1> w(a.inner, i, step);
    for (; i + (ROWS_IN_FLIGHT - 1) * step < end; i += ROWS_IN_FLIGHT * step) {
        pack v[ROWS_IN_FLIGHT];
#pragma unroll
        for (int k = 0; k < ROWS_IN_FLIGHT; k++) {
            v[k] = *(const pack *)(p + w.at);
            w.next();
        }
#pragma unroll
        for (int j = 0; j < COLUMNS; j++) {
            fold_T x[ROWS_IN_FLIGHT];
#pragma unroll
            for (int k = 0; k < ROWS_IN_FLIGHT; k++)
                x[k] = load_in((const char *)&v[k].v[j]);
            s[j] = joined_all<ROWS_IN_FLIGHT>(s[j], x, i, step, a);
        }
    }
    pack v[ROWS_IN_FLIGHT - 1];
    bool valid[ROWS_IN_FLIGHT - 1];
#pragma unroll
    for (int k = 0; k < ROWS_IN_FLIGHT - 1; k++) {
        valid[k] = i + k * step < end;
        if (valid[k])
            v[k] = *(const pack *)(p + w.at);
        w.next();
    }
#pragma unroll
    for (int j = 0; j < COLUMNS; j++) {
        fold_T x[ROWS_IN_FLIGHT - 1];
#pragma unroll
        for (int k = 0; k < ROWS_IN_FLIGHT - 1; k++)
            x[k] = load_in((const char *)&v[k].v[j]);
        s[j] = joined_some<ROWS_IN_FLIGHT - 1, 1>(s[j], x, valid, i, step, a);
    }
}
#endif

static __device__ void finish(const reduce_args &a, const state s, int64_t result)
{
    int64_t out, index;
    offsets_out(a.outer, result, &out, &index);
#ifdef FOLD_MONOID
    store_out(a.out + out, fold_result(s, (fold_AR)a.reduced, (fold_AR)a.param));
#endif
#ifdef FOLD_PICK
    if (a.out)
        store_out(a.out + out, s.best);
    if (a.index)
        *(int64_t *)(a.index + index) = s.at;
#endif
#ifdef FOLD_SPREAD
    const double left = (double)a.reduced - a.param;
    store_out(a.out + out, fold_result(s.squares / (left > 0 ? left : 0)));
#endif
}

/* Combines the states of a group's lanes; its first lane gets the result. Lanes of a warp use
 * shuffles, others shared memory, for which `shared` has THREADS * COLUMNS states. */
static __device__ void join_group(const reduce_args &a, state *s, state *shared, int lane)
{
    if (a.rows) {
        const int width = a.lanes < LANES ? a.lanes : LANES;
        for (int apart = width / 2; apart > 0; apart /= 2)
            s[0] = join(s[0], shuffle(s[0], (lane_id() + apart) % LANES));
        if (a.lanes <= LANES)
            return;
        if (lane_id() == 0)
            shared[threadIdx.x / LANES] = s[0];
        __syncthreads();
        for (int w = 1; lane == 0 && w < a.lanes / LANES; w++)
            s[0] = join(s[0], shared[threadIdx.x / LANES + w]);
        return;
    }
    state *const own = shared + threadIdx.x;
    const int groups = THREADS / a.lanes;
    for (int width = a.lanes / 2; width > 0; width /= 2) {
        if (lane >= width && lane < 2 * width)
#pragma unroll
            for (int j = 0; j < COLUMNS; j++)
                own[j * THREADS] = s[j];
        __syncthreads();
        if (lane < width)
#pragma unroll
            for (int j = 0; j < COLUMNS; j++)
                s[j] = join(s[j], own[j * THREADS + width * groups]);
    }
}

/* A state in global memory, where blocks exchange it in 32-bit words. */
struct alignas(sizeof(state) < 4 ? 4 : alignof(state)) part {
    state s;
};

/* Whether all other blocks of the same results have stored their parts. */
static __device__ bool is_last(const reduce_args &a)
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

#define PARTS (COLUMNS > 1 || sizeof(state) > 8 ? 2 : 4) /* loads in flight */

/* Adds up to PARTS splits to s. The first split is at p, and they are a.lanes apart; `left` splits
 * remain from p on. */
static __device__ __forceinline__ void join_parts(const reduce_args &a, state *s, const part *p,
                                                  int64_t left)
{
    part v[PARTS][COLUMNS];
#pragma unroll
    for (int k = 0; k < PARTS; k++)
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            if (k * a.lanes < left)
                v[k][j] = load_published(p + k * a.lanes * a.kept + j);
#pragma unroll
    for (int k = 0; k < PARTS; k++)
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            if (k * a.lanes < left)
                s[j] = join(s[j], v[k][j].s);
}

#if PACK > 1 || (COLUMNS > 1 && !defined FOLD_SPREAD)
#define BLOCKS 4 /* Note [Loads in flight] in cuda/reduce/reduce.c */
#else
#define BLOCKS 1
#endif

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) reduce_groups(const reduce_args a)
{
    __shared__ alignas(16) char memory[THREADS * COLUMNS * sizeof(state)];
    state *const shared = (state *)memory;
    const int groups = THREADS / a.lanes;
    const int lane = a.rows ? threadIdx.x % a.lanes : threadIdx.x / groups;
    const int group = a.rows ? threadIdx.x / a.lanes : threadIdx.x % groups;
    const int64_t first = ((int64_t)blockIdx.x * groups + group) * COLUMNS, split = blockIdx.y;
    const bool in_range = first < a.kept;
    state s[COLUMNS];
#pragma unroll
    for (int j = 0; j < COLUMNS; j++)
        s[j] = begin();
    if (in_range) {
        int64_t end = (split + 1) * a.split_size;
        end = end < a.reduced ? end : a.reduced;
        const char *const from = a.in + offset_in(a.outer, first);
#if COLUMNS > 1
        fold_columns(a, from, split * a.split_size, end, lane, s);
#else
        s[0] = fold_line(a, from, split * a.split_size, end, lane);
#endif
    }
    join_group(a, s, shared, lane);
    if (a.splits > 1) {
        part *const parts = (part *)a.parts + first;
        if (lane == 0 && in_range)
#pragma unroll
            for (int j = 0; j < COLUMNS; j++)
                publish(parts + split * a.kept + j, part{s[j]});
        if (!is_last(a))
            return;
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            s[j] = begin();
        for (int64_t i = lane; in_range && i < a.splits; i += PARTS * a.lanes)
            join_parts(a, s, parts + i * a.kept, a.splits - i);
        join_group(a, s, shared, lane);
    }
    if (lane == 0 && in_range)
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            finish(a, s[j], first + j);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions. A group of `lanes` threads works on one result; a block of 256 threads holds
 * 256 / lanes groups. Where elements of one result lie side by side, neighbours in a block are
 * lanes of one group (ROWS); where results lie side by side, they are groups (else), and a group may
 * have COLUMNS of them, which it reads at once. A long
 * reduction is split over blocks, which leave accumulators that the last of them to be done joins in
 * order: a sum depends on shapes and the card, never on which block came first. The row's piece
 * comes before this text, with FOLD_MONOID, FOLD_PICK or FOLD_SPREAD; cuda/reduce/reduce.c writes
 * load_in, store_out. WALK: so many dims are reduced, one or two, whose lines are not too long to be
 * counted in 31 bits; 0: more. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/common/block.cuh"
#define THREADS 256

#if PACK > 1 || COLUMNS > 1
struct alignas(16) pack {
    memory_in v[PACK > 1 ? PACK : COLUMNS];
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

static __device__ long long offset_in(const dims &d, long long i)
{
    if (d.n == 1)
        return i * d.in[0];
    long long at = 0;
    for (int k = d.n - 1; k > 0; k--) {
        const long long next = i / d.size[k];
        at += (i - next * d.size[k]) * d.in[k];
        i = next;
    }
    return at + i * d.in[0];
}

/* Steps of equal length over one dim or two that are reduced, from a place on, in units of UNIT
 * neighbours; without a division for each of them. */
template <int UNIT> struct walk {
    long long at, ahead, back; /* bytes: of this place, of a step, of a step into the next line */
    int x, step, size;

    __device__ __forceinline__ walk(const dims &d, long long first, long long units)
    {
#if WALK == 2
        const long long line = d.size[1] / UNIT, inner = d.in[1] * UNIT, outer = d.in[0];
        const long long row = first / line, rows = units / line;
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
#if WALK == 2
        x += step;
        if (x >= size) {
            x -= size;
            at += back;
        }
#endif
    }
};

static __device__ void offsets_out(const dims &d, long long i, long long *out, long long *index)
{
    *out = *index = 0;
    if (d.n == 1) {
        *out = i * d.out[0];
        *index = i * d.index[0];
        return;
    }
    for (int k = d.n - 1; k >= 0; k--) {
        const long long next = i / d.size[k], x = i - next * d.size[k];
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

#if PACK > 1 || COLUMNS > 1
/* The same of those of N times UNIT elements that are there, UNIT neighbours at a time. */
template <int N, int UNIT>
static __device__ __forceinline__ state joined_some(state s, const fold_T *x, const bool *there,
                                                    long long i, long long apart, const arguments &a)
{
#ifdef FOLD_MONOID
    fold_R part = fold_start();
#pragma unroll
    for (int k = 0; k < N * UNIT; k++)
        if (there[k / UNIT])
            part = fold_combine(part, fold_element(x[k], (fold_P)a.param));
    return fold_combine_wide(s, fold_widen(part));
#else
#pragma unroll
    for (int k = 0; k < N; k++)
        if (there[k])
            s = joined_all<UNIT>(s, x + k * UNIT, i + k * apart, 1, a);
    return s;
#endif
}
#endif

#if PACK > 1
#define PACKS (PACK >= 8 ? 2 : 4) /* under way at once */

/* Elements without gaps, or lines without gaps, 16 bytes at a time: packs lane, lane + step ... of
 * `whole`, the first of all at place `base`. */
static __device__ __forceinline__ state fold_packs(const arguments &a, state s, const char *from,
                                                   long long base, int lane, int whole)
{
    const int step = a.lanes;
    int q = lane;
    walk<PACK> w(a.inner, base / PACK + lane, step);
    for (; q + (PACKS - 1) * step < whole; q += PACKS * step) {
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
    /* What is left is under way at once, too: one wait for memory, not one for each pack. */
    pack v[PACKS - 1];
    fold_T x[(PACKS - 1) * PACK];
    bool there[PACKS - 1];
#pragma unroll
    for (int k = 0; k < PACKS - 1; k++) {
        there[k] = q + k * step < whole;
        if (there[k])
            v[k] = *(const pack *)(from + w.at);
        w.next();
    }
#pragma unroll
    for (int k = 0; k < (PACKS - 1) * PACK; k++)
        x[k] = load_in((const char *)&v[k / PACK].v[k % PACK]);
    s = joined_some<PACKS - 1, PACK>(s, x, there, base + (long long)q * PACK, (long long)step * PACK,
                                     a);
    return s;
}
#endif

/* The elements i, i + lanes ... below end, of one result. */
static __device__ __forceinline__ state fold_walk(const arguments &a, state s, const char *p,
                                                  long long i, long long end)
{
    const int step = a.lanes;
    walk<1> w(a.inner, i, step);
    for (; i + 7 * step < end; i += 8 * step) {
        memory_in v[8];
        fold_T x[8];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            v[k] = *(const memory_in *)(p + w.at);
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

/* The elements from + lane, from + lane + lanes ... below end, of one result. */
static __device__ __forceinline__ state fold_line(const arguments &a, const char *p, long long from,
                                                  long long end, int lane)
{
    state s = begin();
    long long i = from + lane;
#if PACK > 1
    const long long whole = (end - from) / PACK;
    s = fold_packs(a, s, p, from, lane, (int)whole);
    i += whole * PACK;
#endif
#if WALK
    return fold_walk(a, s, p, i, end);
#else
    const long long step = a.lanes;
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
#define UNDER_WAY 4 /* places take registers */
#else
#define UNDER_WAY 8 /* rows: Note [Bytes under way] in cuda/reduce/reduce.c */
#endif

/* The same of COLUMNS neighbouring results, whose first elements are at p. */
static __device__ __forceinline__ void fold_columns(const arguments &a, const char *p,
                                                    long long from, long long end, int lane,
                                                    state *s)
{
    const int step = a.lanes;
    long long i = from + lane;
    walk<1> w(a.inner, i, step);
    for (; i + (UNDER_WAY - 1) * step < end; i += UNDER_WAY * step) {
        pack v[UNDER_WAY];
#pragma unroll
        for (int k = 0; k < UNDER_WAY; k++) {
            v[k] = *(const pack *)(p + w.at);
            w.next();
        }
#pragma unroll
        for (int j = 0; j < COLUMNS; j++) {
            fold_T x[UNDER_WAY];
#pragma unroll
            for (int k = 0; k < UNDER_WAY; k++)
                x[k] = load_in((const char *)&v[k].v[j]);
            s[j] = joined_all<UNDER_WAY>(s[j], x, i, step, a);
        }
    }
    pack v[UNDER_WAY - 1];
    bool there[UNDER_WAY - 1];
#pragma unroll
    for (int k = 0; k < UNDER_WAY - 1; k++) {
        there[k] = i + k * step < end;
        if (there[k])
            v[k] = *(const pack *)(p + w.at);
        w.next();
    }
#pragma unroll
    for (int j = 0; j < COLUMNS; j++) {
        fold_T x[UNDER_WAY - 1];
#pragma unroll
        for (int k = 0; k < UNDER_WAY - 1; k++)
            x[k] = load_in((const char *)&v[k].v[j]);
        s[j] = joined_some<UNDER_WAY - 1, 1>(s[j], x, there, i, step, a);
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
 * others in shared memory, where room has THREADS * COLUMNS states. */
static __device__ void join_group(const arguments &a, state *s, state *room, int lane)
{
    if (a.rows) {
        const int width = a.lanes < LANES ? a.lanes : LANES;
        for (int apart = width / 2; apart > 0; apart /= 2)
            s[0] = join(s[0], shuffle(s[0], (lane_id() + apart) % LANES));
        if (a.lanes <= LANES)
            return;
        if (lane_id() == 0)
            room[threadIdx.x / LANES] = s[0];
        __syncthreads();
        for (int w = 1; lane == 0 && w < a.lanes / LANES; w++)
            s[0] = join(s[0], room[threadIdx.x / LANES + w]);
        return;
    }
    state *const own = room + threadIdx.x;
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

/* What blocks tell each other goes by words. */
struct alignas(sizeof(state) < 4 ? 4 : alignof(state)) part {
    state s;
};

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

#define PARTS (COLUMNS > 1 || sizeof(state) > 8 ? 2 : 4) /* read at once */

/* Up to PARTS more splits, the first at p, each lanes after another, of `left` splits from there. */
static __device__ __forceinline__ void join_parts(const arguments &a, state *s, const part *p,
                                                  long long left)
{
    part v[PARTS][COLUMNS];
#pragma unroll
    for (int k = 0; k < PARTS; k++)
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            if (k * a.lanes < left)
                v[k][j] = told_by_others(p + k * a.lanes * a.kept + j);
#pragma unroll
    for (int k = 0; k < PARTS; k++)
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            if (k * a.lanes < left)
                s[j] = join(s[j], v[k][j].s);
}

#if PACK > 1 || (COLUMNS > 1 && !defined FOLD_SPREAD)
#define BLOCKS 4 /* Note [Bytes under way] in cuda/reduce/reduce.c */
#else
#define BLOCKS 1
#endif

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) reduce_groups(const arguments a)
{
    __shared__ alignas(16) char memory[THREADS * COLUMNS * sizeof(state)];
    state *const room = (state *)memory;
    const int groups = THREADS / a.lanes;
    const int lane = a.rows ? threadIdx.x % a.lanes : threadIdx.x / groups;
    const int group = a.rows ? threadIdx.x / a.lanes : threadIdx.x % groups;
    const long long first = ((long long)blockIdx.x * groups + group) * COLUMNS, split = blockIdx.y;
    const bool there = first < a.kept;
    state s[COLUMNS];
#pragma unroll
    for (int j = 0; j < COLUMNS; j++)
        s[j] = begin();
    if (there) {
        long long end = (split + 1) * a.span;
        end = end < a.reduced ? end : a.reduced;
        const char *const from = a.in + offset_in(a.outer, first);
#if COLUMNS > 1
        fold_columns(a, from, split * a.span, end, lane, s);
#else
        s[0] = fold_line(a, from, split * a.span, end, lane);
#endif
    }
    join_group(a, s, room, lane);
    if (a.splits > 1) {
        part *const parts = (part *)a.parts + first;
        if (lane == 0 && there)
#pragma unroll
            for (int j = 0; j < COLUMNS; j++)
                tell_others(parts + split * a.kept + j, part{s[j]});
        if (!is_last(a))
            return;
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            s[j] = begin();
        for (long long i = lane; there && i < a.splits; i += PARTS * a.lanes)
            join_parts(a, s, parts + i * a.kept, a.splits - i);
        join_group(a, s, room, lane);
    }
    if (lane == 0 && there)
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            finish(a, s[j], first + j);
}

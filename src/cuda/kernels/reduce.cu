/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions. A group of `lanes` threads works on one result; a block of 256 threads holds
 * 256 / lanes groups. Where elements of one result lie side by side, neighbours in a block are
 * lanes of one group (ROWS); where results lie side by side, they are groups (else). A long
 * reduction is split over blocks, which leave accumulators that a second launch (FINISH) joins in
 * order: a sum depends on shapes and the card, never on which block came first. The row's piece
 * comes before this text, with FOLD_MONOID, FOLD_PICK or FOLD_SPREAD; cuda/reduce.c writes
 * load_in, store_out. */
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

static __device__ void offsets_out(const dims &d, long long i, long long *out, long long *index)
{
    *out = *index = 0;
    for (int k = d.n - 1; k >= 0; k--) {
        const long long next = i / d.size[k], x = i - next * d.size[k];
        *out += x * d.out[k];
        *index += x * d.index[k];
        i = next;
    }
}

/* The elements first, first + step ... below end, of one result. */
static __device__ state fold_line(const arguments &a, const char *p, long long first, long long end,
                                  long long step)
{
    state s = begin();
#ifdef FOLD_MONOID
    const fold_P param = (fold_P)a.param;
#if PACK > 1
    /* Elements without gaps, 16 bytes at a time and four of those under way. */
    const long long lane = threadIdx.x % a.lanes, whole = (end - first + lane) / PACK;
    const pack *const from = (const pack *)(p + (first - lane) * (long long)sizeof(memory_in));
    for (long long q = lane; q < whole; q += 4 * step) {
        pack v[4];
        fold_R part = fold_start();
        const int n = (whole - q + step - 1) / step < 4 ? (int)((whole - q + step - 1) / step) : 4;
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (k < n)
                v[k] = from[q + k * step];
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (k < n)
#pragma unroll
                for (int j = 0; j < PACK; j++)
                    part = fold_combine(part, fold_element(load_in((const char *)&v[k].v[j]), param));
        s = fold_combine_wide(s, fold_widen(part));
    }
    first += whole * PACK;
#endif
    for (long long i = first; i < end; i += 8 * step) {
        fold_T x[8];
        fold_R part = fold_start();
        if (i + 7 * step < end) {
#pragma unroll
            for (int k = 0; k < 8; k++)
                x[k] = load_in(p + offset_in(a.inner, i + k * step));
#pragma unroll
            for (int k = 0; k < 8; k++)
                part = fold_combine(part, fold_element(x[k], param));
        } else {
            for (long long j = i; j < end; j += step)
                part = fold_combine(part, fold_element(load_in(p + offset_in(a.inner, j)), param));
        }
        s = fold_combine_wide(s, fold_widen(part));
    }
#endif
#ifdef FOLD_PICK
    for (long long i = first; i < end; i += step) {
        const fold_T x = load_in(p + offset_in(a.inner, i));
        if (s.at < 0 || fold_better(x, s.best)) {
            s.best = x;
            s.at = i;
        }
    }
#endif
#ifdef FOLD_SPREAD
    /* Eight at a time around their own mean, so that nothing cancels. */
    for (long long i = first; i < end; i += 8 * step) {
        double x[8], sum = 0, off = 0;
        state few = begin();
        const long long left = (end - i + step - 1) / step;
        const int n = left < 8 ? (int)left : 8;
#pragma unroll
        for (int k = 0; k < 8; k++)
            x[k] = k < n ? (double)load_in(p + offset_in(a.inner, i + k * step)) : 0;
        /* from the first one on: equal elements have a variance of zero */
#pragma unroll
        for (int k = 0; k < 8; k++)
            sum += k < n ? x[k] - x[0] : 0;
        few.count = n;
        few.mean = x[0] + sum / n;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            off = k < n ? x[k] - few.mean : 0;
            few.squares += off * off;
        }
        s = join(s, few);
    }
#endif
    return s;
}

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

extern "C" __global__ void __launch_bounds__(THREADS) k(const arguments a)
{
    __shared__ alignas(16) char room[THREADS * sizeof(state)];
    state *const shared = (state *)room;
    const int groups = THREADS / a.lanes;
    const int lane = a.rows ? threadIdx.x % a.lanes : threadIdx.x / groups;
    const int group = a.rows ? threadIdx.x / a.lanes : threadIdx.x % groups;
    const long long result = (long long)blockIdx.x * groups + group, split = blockIdx.y;
    state s = begin();
    if (result < a.kept) {
#ifdef FINISH
        const state *parts = (const state *)a.parts + result * a.splits;
        for (long long i = lane; i < a.splits; i += a.lanes)
            s = join(s, parts[i]);
#else
        long long end = (split + 1) * a.span;
        end = end < a.reduced ? end : a.reduced;
        s = fold_line(a, a.in + offset_in(a.outer, result), split * a.span + lane, end, a.lanes);
#endif
    }
    shared[group * a.lanes + lane] = s;
    for (int width = a.lanes / 2; width > 0; width /= 2) {
        __syncthreads();
        if (lane < width)
            shared[group * a.lanes + lane] =
                join(shared[group * a.lanes + lane], shared[group * a.lanes + lane + width]);
    }
    if (lane == 0 && result < a.kept) {
        s = shared[group * a.lanes];
#ifndef FINISH
        if (a.splits > 1) {
            ((state *)a.parts)[result * a.splits + split] = s;
            return;
        }
#endif
        finish(a, s, result);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Scaled dot-product attention, forward and backward (see core/attend.h), following FlashAttention
 * (Dao et al., 2022; FlashAttention-2, 2023): the score matrix is never formed. A block keeps a
 * tile of TILE queries (or keys) in shared memory and loops over the tiles of keys (or queries).
 * Queries and keys have E columns, values EV. MODE: see attend_args.h; forward uses an online
 * softmax.
 * TENSOR: on tensor cores. A pair of warps computes 16 rows of the tile; each handles half of the
 * columns, and the two results are combined at the end. Products are 3xTF32, which keeps float32's
 * accuracy; LONG says that sums span many tiles. Otherwise 16 by 16 threads compute TILE / 16 rows
 * and columns each with FMAs. The statistics of a row are in LANES threads of a warp and are
 * reduced by shuffles.
 * No atomics and a fixed order of summation: every run gives the same bits. */
#include "cuda/attend/attend_args.h"

template <int N> struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) pack {
    T v[N];
};

static __device__ T infinity()
{
    return (T)__longlong_as_double(0x7ff0000000000000ll);
}

static __device__ T max_nan(T x, T y)
{
    return x > y || x != x ? x : y;
}

static __device__ T *of(const attend_side &s, int64_t b, int64_t h)
{
    return s.data + b * s.batch + h * s.head;
}

#if TENSOR
#define THREADS (TILE * 4)
#define LANES 4
#define ROWS 2             /* of scores per thread */
#define COLUMNS (TILE / 8) /* per row */
#define PADDED(n) (((n) + 31) / 32 * 32)
/* Padding of 4 modulo 32 words: no bank conflicts for row or column access. */
#define ROW_OF(n) (PADDED(n) + 4)
#define SCORE_ROW 0 /* leading dimension of scores in shared memory: they are in registers */
#else
#define THREADS 256
#define LANES 16
#define ROWS (TILE / 16)
#define COLUMNS (TILE / 16)
/* The columns of a result fill all threads. */
#define PADDED(n) ((n) <= 16 ? 16 : (n) <= 32 ? 32 : ((n) + 63) / 64 * 64)
#define ROW_OF(n) (PADDED(n) + 4)
#define SCORE_ROW (TILE + 4)
#endif

typedef T scores[ROWS][COLUMNS];

/* Loads rows [first, first + TILE) of a matrix with N columns, zero-padded. */
template <int N> static __device__ void load(T *to, const T *from, int64_t row, int first, int rows)
{
    constexpr int step = N % 4 == 0 && ALIGNED ? 4 : 1, row_steps = PADDED(N) / step;
#pragma unroll 4
    for (int i = threadIdx.x; i < TILE * row_steps; i += THREADS) {
        const int r = i / row_steps, c = i % row_steps * step;
        pack<step> x = {};
        if (first + r < rows && c < N)
            x = *(const pack<step> *)(from + (first + r) * row + c);
        *(pack<step> *)(to + r * ROW_OF(N) + c) = x;
    }
}

#if TENSOR
/* ---- tensor cores ---- */

/* Returns which half of the columns this warp computes. */
static __device__ int half()
{
    return threadIdx.x / 32 % 2;
}

/* The accumulator layout of mma.m16n8k8: lane 4 g + t holds rows g and g + 8 of the warp's 16, and
 * columns 2 t and 2 t + 1 of every 8. */
static __device__ int row_at(int r)
{
    return threadIdx.x / 64 * 16 + threadIdx.x % 32 / 4 + 8 * r;
}

static __device__ int column_of(int j)
{
    return j / 2 * 8 + threadIdx.x % 4 * 2 + j % 2;
}

static __device__ int column_at(int j)
{
    return half() * (TILE / 2) + column_of(j);
}

/* A float32 as the sum of two TF32 values. */
struct tf32x2 {
    float high, low;
};

static __device__ tf32x2 split(float x)
{
    const float high = __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
    return {high, x - high};
}

/* c += a b, one TF32 m16n8k8 MMA. */
static __device__ void mma(float (&c)[4], float a0, float a1, float a2, float a3, float b0, float b1)
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(__float_as_uint(a0)), "r"(__float_as_uint(a1)), "r"(__float_as_uint(a2)),
                   "r"(__float_as_uint(a3)), "r"(__float_as_uint(b0)), "r"(__float_as_uint(b1)));
}

#define GROUP 4 /* independent MMAs interleaved to hide their latency */
#define GROUP_OF(n) ((n) < GROUP ? (n) : GROUP)

template <int N>
static __device__ void multiply(float (*c)[4], const tf32x2 (&a)[4], const tf32x2 (&b)[N][2])
{
#pragma unroll
    for (int j = 0; j < N; j++)
        mma(c[j], a[0].low, a[1].low, a[2].low, a[3].low, b[j][0].high, b[j][1].high);
#pragma unroll
    for (int j = 0; j < N; j++)
        mma(c[j], a[0].high, a[1].high, a[2].high, a[3].high, b[j][0].low, b[j][1].low);
#pragma unroll
    for (int j = 0; j < N; j++)
        mma(c[j], a[0].high, a[1].high, a[2].high, a[3].high, b[j][0].high, b[j][1].high);
}

#define SHORT 64 /* K steps of one truncated accumulation */

/* s = x y': this warp's rows of x times its half of the rows of y. */
template <int N> static __device__ void rows_by_rows(scores &s, const T *x, const T *y)
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    float c[COLUMNS / 2][4] = {};
    constexpr int group = GROUP_OF(COLUMNS / 2);
    x += (threadIdx.x / 64 * 16 + g) * ROW_OF(N) + t;
    y += (half() * (TILE / 2) + g) * ROW_OF(N) + t;
    /* Tensor cores truncate when they accumulate, so accumulation chains are kept short. */
    for (int from = 0; from < N; from += SHORT) {
        float part[COLUMNS / 2][4] = {};
#pragma unroll 2
        for (int d = from; d < N && d < from + SHORT; d += 8) {
            const tf32x2 a[4] = {split(x[d]), split(x[8 * ROW_OF(N) + d]), split(x[d + 4]),
                              split(x[8 * ROW_OF(N) + d + 4])};
#pragma unroll
            for (int j = 0; j < COLUMNS / 2; j += group) {
                tf32x2 b[group][2];
                for (int i = 0; i < group; i++) {
                    const T *const at = y + (j + i) * 8 * ROW_OF(N) + d;
                    b[i][0] = split(at[0]);
                    b[i][1] = split(at[4]);
                }
                multiply(part + j, a, b);
            }
        }
        for (int j = 0; j < COLUMNS / 2; j++)
            for (int i = 0; i < 4; i++)
                c[j][i] = from ? c[j][i] + part[j][i] : part[j][i];
    }
    for (int j = 0; j < COLUMNS; j++)
        for (int r = 0; r < ROWS; r++)
            s[r][j] = c[j / 2][2 * r + j % 2];
}

/* c += s y for 8 rows of y and 8 GROUP columns. */
template <int N>
static __device__ __forceinline__ void step(float (*c)[4], const scores &s, const T *y, int k)
{
    const tf32x2 a[4] = {split(s[0][2 * k]), split(s[1][2 * k]), split(s[0][2 * k + 1]),
                      split(s[1][2 * k + 1])};
    tf32x2 b[GROUP][2];
    for (int i = 0; i < GROUP; i++) {
        const T *const at = y + k * 8 * ROW_OF(N) + i * 8;
        b[i][0] = split(at[0]);
        b[i][1] = split(at[ROW_OF(N)]);
    }
    multiply(c, a, b);
}

template <int N> struct sums {
    float c[PADDED(N) / 8][4];

    __device__ void clear()
    {
        for (int j = 0; j < PADDED(N) / 8; j++)
            for (int i = 0; i < 4; i++)
                c[j][i] = 0;
    }

    __device__ void scale(int r, T by)
    {
        for (int j = 0; j < PADDED(N) / 8; j++)
            for (int i = 0; i < 2; i++)
                c[j][2 * r + i] *= by;
    }

    /* c += s y. The score fragment can be the A operand without a shuffle if columns 2 t and 2 t +
     * 1 of 8 are taken as k = t and t + 4, so rows of y are read in that order. */
    __device__ void add(const scores &s, T *, const T *y)
    {
        const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
        y += (half() * (TILE / 2) + 2 * t) * ROW_OF(N) + g;
#if LONG /* a new accumulator for each tile limits truncation, but costs registers */
#pragma unroll
        for (int j = 0; j < PADDED(N) / 8; j += GROUP) {
            float part[GROUP][4] = {};
#pragma unroll
            for (int k = 0; k < COLUMNS / 2; k++)
                step<N>(part, s, y + j * 8, k);
            for (int i = 0; i < GROUP; i++)
                for (int e = 0; e < 4; e++)
                    c[j + i][e] += part[i][e];
        }
#else
#pragma unroll
        for (int k = 0; k < COLUMNS / 2; k++)
#pragma unroll
            for (int j = 0; j < PADDED(N) / 8; j += GROUP)
                step<N>(c + j, s, y + j * 8, k);
#endif
    }

    __device__ void store(T *to, int64_t row, int first, int rows)
    {
        for (int r = 0; r < ROWS; r++)
            if (first + row_at(r) < rows)
                for (int j = 0; j < PADDED(N) / 4; j++)
                    if (column_of(j) < N)
                        to[(first + row_at(r)) * row + column_of(j)] = c[j / 2][2 * r + j % 2];
    }

    /* Stores the sums of a pair's second warp in a tile of shared memory, for the first warp. */
    __device__ void spill(T *scratch) const
    {
        scratch += threadIdx.x / 64 * 32 + threadIdx.x % 32;
        for (int i = 0; i < PADDED(N) / 2; i++)
            scratch[i * (THREADS / 2)] = c[i / 4][i % 4];
    }

    __device__ void add_spilled(const T *scratch, const T (&own)[ROWS], const T (&other)[ROWS])
    {
        scratch += threadIdx.x / 64 * 32 + threadIdx.x % 32;
        for (int i = 0; i < PADDED(N) / 2; i++)
            c[i / 4][i % 4] =
                c[i / 4][i % 4] * own[i % 4 / 2] + scratch[i * (THREADS / 2)] * other[i % 4 / 2];
    }
};

/* Adds the sums of a pair in its first warp. Returns false in the second warp, which has
 * finished. */
template <int N> static __device__ bool reduce_pair(sums<N> &s, T *scratch)
{
    const T one[ROWS] = {1, 1};
    __syncthreads();
    if (half())
        s.spill(scratch);
    __syncthreads();
    if (!half())
        s.add_spilled(scratch, one, one);
    return !half();
}

/* The same for online-softmax state: both halves are rescaled to the common maximum. */
template <int N>
static __device__ bool reduce_pair(sums<N> &s, T (&most)[ROWS], T (&sum)[ROWS], T *scratch, T *statistics)
{
    T own[ROWS], other[ROWS];
    statistics += (threadIdx.x / 64 * 32 + threadIdx.x % 32) * 2 * ROWS;
    __syncthreads();
    if (half()) {
        s.spill(scratch);
        for (int r = 0; r < ROWS; r++) {
            statistics[r] = most[r];
            statistics[ROWS + r] = sum[r];
        }
    }
    __syncthreads();
    if (half())
        return false;
    for (int r = 0; r < ROWS; r++) {
        const T top = max_nan(statistics[r], most[r]), base = top == -infinity() ? (T)0 : top;
        own[r] = exp(most[r] - base);
        other[r] = exp(statistics[r] - base);
        sum[r] = sum[r] * own[r] + statistics[ROWS + r] * other[r];
        most[r] = top;
    }
    s.add_spilled(scratch, own, other);
    return true;
}
#else
/* ---- FMAs ---- */

static __device__ int row_at(int r)
{
    return threadIdx.x / 16 * ROWS + r;
}

static __device__ int column_at(int j)
{
    return threadIdx.x % 16 + 16 * j;
}

/* s = x y': this thread's rows of x times its rows of y. */
template <int N> static __device__ void rows_by_rows(scores &s, const T *x, const T *y)
{
    for (int r = 0; r < ROWS; r++)
        for (int j = 0; j < COLUMNS; j++)
            s[r][j] = 0;
    x += row_at(0) * ROW_OF(N);
    y += column_at(0) * ROW_OF(N);
#pragma unroll 4
    for (int d = 0; d < N; d += 4) {
        pack<4> a[ROWS], b[COLUMNS];
        for (int r = 0; r < ROWS; r++) {
            a[r] = *(const pack<4> *)(x + r * ROW_OF(N) + d);
            b[r] = *(const pack<4> *)(y + r * 16 * ROW_OF(N) + d);
        }
        for (int v = 0; v < 4; v++)
            for (int r = 0; r < ROWS; r++)
                for (int j = 0; j < COLUMNS; j++)
                    s[r][j] = fma(a[r].v[v], b[j].v[v], s[r][j]);
    }
}

/* A thread's accumulators of a result with N columns: CV adjacent columns in every 16 CV. */
template <int N> struct sums {
    static constexpr int CV = PADDED(N) >= 64 ? 4 : PADDED(N) / 16, GROUPS = PADDED(N) / (16 * CV);
    T v[ROWS][GROUPS][CV];

    __device__ void clear()
    {
        for (int r = 0; r < ROWS; r++)
            for (int g = 0; g < GROUPS; g++)
                for (int c = 0; c < CV; c++)
                    v[r][g][c] = 0;
    }

    __device__ void scale(int r, T by)
    {
        for (int g = 0; g < GROUPS; g++)
            for (int c = 0; c < CV; c++)
                v[r][g][c] *= by;
    }

    /* c += s y. The half-warp of a row needs all scores of the row, so they go through shared
     * memory. */
    __device__ void add(const scores &s, T *scratch, const T *y)
    {
        __syncwarp();
        for (int r = 0; r < ROWS; r++)
            for (int j = 0; j < COLUMNS; j++)
                scratch[row_at(r) * SCORE_ROW + column_at(j)] = s[r][j];
        __syncwarp();
        scratch += row_at(0) * SCORE_ROW;
        y += threadIdx.x % 16 * CV;
#pragma unroll 2
        for (int k = 0; k < TILE; k += 4) {
            pack<4> a[ROWS];
            for (int r = 0; r < ROWS; r++)
                a[r] = *(const pack<4> *)(scratch + r * SCORE_ROW + k);
            for (int u = 0; u < 4; u++)
                for (int g = 0; g < GROUPS; g++) {
                    const pack<CV> b = *(const pack<CV> *)(y + (k + u) * ROW_OF(N) + g * 16 * CV);
                    for (int r = 0; r < ROWS; r++)
                        for (int c = 0; c < CV; c++)
                            v[r][g][c] = fma(a[r].v[u], b.v[c], v[r][g][c]);
                }
        }
    }

    __device__ void store(T *to, int64_t row, int first, int rows)
    {
        for (int r = 0; r < ROWS; r++)
            if (first + row_at(r) < rows)
                for (int g = 0; g < GROUPS; g++)
                    for (int c = 0; c < CV; c++) {
                        const int column = g * 16 * CV + threadIdx.x % 16 * CV + c;
                        if (column < N)
                            to[(first + row_at(r)) * row + column] = v[r][g][c];
                    }
    }
};

template <int N> static __device__ bool reduce_pair(sums<N> &, T *)
{
    return true;
}

template <int N> static __device__ bool reduce_pair(sums<N> &, T (&)[ROWS], T (&)[ROWS], T *, T *)
{
    return true;
}
#endif

/* ---- scores ---- */

/* Applies the scale and the mask; scores of keys that a query does not attend to become -inf.
 * Queries are the rows, or with KEY_GRAD the columns. */
static __device__ void finish(const attend_args &a, int64_t b, int64_t h, int query0, int key0, scores &s)
{
    const int queries = (int)a.L, keys = (int)a.S;
    const bool whole = query0 + TILE <= queries && key0 + TILE <= keys && !a.mask &&
                       !(a.causal && key0 + TILE - 1 > query0);
    const T scale = (T)a.scale;
    for (int r = 0; r < ROWS; r++)
        for (int j = 0; j < COLUMNS; j++) {
            s[r][j] *= scale;
            if (whole)
                continue;
            const int query = query0 + (MODE == KEY_GRAD ? column_at(j) : row_at(r));
            const int key = key0 + (MODE == KEY_GRAD ? row_at(r) : column_at(j));
            const bool seen = query < queries && key < keys && !(a.causal && key > query);
            if (a.mask && seen) {
                const int64_t at = b * a.mask_batch + h * a.mask_head + query * a.mask_row +
                                key * a.mask_column;
                if (!a.mask_is_bool)
                    s[r][j] += ((const T *)a.mask)[at];
                else if (!((const unsigned char *)a.mask)[at])
                    s[r][j] = -infinity();
            }
            s[r][j] = seen ? s[r][j] : -infinity();
        }
}

/* Backward recomputes a probability from the saved log-sum-exp. */
static __device__ T probability(T s, T logsumexp)
{
    return s == -infinity() ? (T)0 : exp(s - logsumexp);
}

extern __shared__ __align__(16) char shared[];

extern "C" __global__ void __launch_bounds__(THREADS) attend_tiles(const attend_args a)
{
    const int queries = (int)a.L, keys = (int)a.S;
#if MODE == DELTA
    /* LANES threads per query. */
    const int lane = threadIdx.x % LANES;
    const int64_t line = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / LANES;
    const bool valid = line < a.B * a.H * a.L;
    T sum = 0;
    if (valid) {
        const int64_t q = line % a.L, h = line / a.L % a.H;
        const int64_t b = line / a.L / a.H;
        const T *const g = of(a.grad, b, h) + q * a.grad.row;
        const T *const o = of(a.out, b, h) + q * a.out.row;
        for (int c = lane; c < EV; c += LANES)
            sum = fma(g[c], o[c], sum);
    }
    for (int step = LANES / 2; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (valid && lane == 0)
        a.delta[line] = sum;
#else
    const int rows = MODE == KEY_GRAD ? keys : queries, tiles = (rows + TILE - 1) / TILE;
    const int64_t heads = MODE == KEY_GRAD ? a.H / a.group : a.H;
    /* Causal tiles differ in length: schedule the longest first, across all heads. */
    const int all = (int)(a.B * heads);
    const int order = a.causal ? blockIdx.x / all : blockIdx.x % tiles;
    const int number = a.causal ? blockIdx.x % all : blockIdx.x / tiles;
    const int tile = MODE == KEY_GRAD ? order : tiles - 1 - order;
    const int64_t head = number % heads, b = number / heads;
    const int first = tile * TILE;
    T *const q = (T *)shared, *const k = q + TILE * ROW_OF(E);
    T *const v = k + TILE * ROW_OF(E), *const scratch = v + TILE * ROW_OF(EV);
    scores s;
#if MODE == FORWARD
    const int64_t h = head, kv_head = h / a.group;
    sums<EV> out;
    T most[ROWS], sum[ROWS];
    out.clear();
    for (int r = 0; r < ROWS; r++) {
        most[r] = -infinity();
        sum[r] = 0;
    }
    load<E>(q, of(a.query, b, h), a.query.row, first, queries);
    const int end = a.causal && first + TILE < keys ? first + TILE : keys;
    for (int j0 = 0; j0 < end; j0 += TILE) {
        __syncthreads();
        load<E>(k, of(a.key, b, kv_head), a.key.row, j0, keys);
        load<EV>(v, of(a.value, b, kv_head), a.value.row, j0, keys);
        __syncthreads();
        rows_by_rows<E>(s, q, k);
        finish(a, b, h, first, j0, s);
        for (int r = 0; r < ROWS; r++) {
            T top = most[r], part = 0;
            for (int j = 0; j < COLUMNS; j++)
                top = max_nan(s[r][j], top);
            for (int step = LANES / 2; step > 0; step /= 2)
                top = max_nan(__shfl_xor_sync(0xffffffffu, top, step), top);
            const T base = top == -infinity() ? (T)0 : top, shrink = exp(most[r] - base);
            for (int j = 0; j < COLUMNS; j++) {
                s[r][j] = exp(s[r][j] - base);
                part += s[r][j];
            }
            sum[r] = sum[r] * shrink + part;
            most[r] = top;
            out.scale(r, shrink);
        }
        out.add(s, scratch, v);
    }
    for (int r = 0; r < ROWS; r++)
        for (int step = LANES / 2; step > 0; step /= 2)
            sum[r] += __shfl_xor_sync(0xffffffffu, sum[r], step);
    if (!reduce_pair(out, most, sum, v, q))
        return;
    for (int r = 0; r < ROWS; r++) {
        const bool masked = most[r] == -infinity();
        out.scale(r, masked ? (T)0 : (T)1 / sum[r]);
        const int at = first + row_at(r);
        if (threadIdx.x % LANES == 0 && at < queries)
            a.logsumexp[(b * a.H + h) * a.L + at] =
                masked ? infinity() : most[r] + log(sum[r]);
    }
    out.store(of(a.out, b, h), a.out.row, first, queries);
#elif MODE == QUERY_GRAD
    const int64_t h = head, kv_head = h / a.group, line = (b * a.H + h) * a.L;
    T *const g = scratch + TILE * SCORE_ROW, lse[ROWS], delta[ROWS];
    scores dp;
    sums<E> grad;
    grad.clear();
    for (int r = 0; r < ROWS; r++) {
        const int at = first + row_at(r);
        lse[r] = at < queries ? a.logsumexp[line + at] : infinity();
        delta[r] = at < queries ? a.delta[line + at] : (T)0;
    }
    load<E>(q, of(a.query, b, h), a.query.row, first, queries);
    load<EV>(g, of(a.grad, b, h), a.grad.row, first, queries);
    const int end = a.causal && first + TILE < keys ? first + TILE : keys;
    for (int j0 = 0; j0 < end; j0 += TILE) {
        __syncthreads();
        load<E>(k, of(a.key, b, kv_head), a.key.row, j0, keys);
        load<EV>(v, of(a.value, b, kv_head), a.value.row, j0, keys);
        __syncthreads();
        rows_by_rows<E>(s, q, k);
        rows_by_rows<EV>(dp, g, v);
        finish(a, b, h, first, j0, s);
        for (int r = 0; r < ROWS; r++)
            for (int j = 0; j < COLUMNS; j++)
                s[r][j] = probability(s[r][j], lse[r]) * (dp[r][j] - delta[r]) * (T)a.scale;
        grad.add(s, scratch, k);
    }
    if (reduce_pair(grad, k))
        grad.store(of(a.grad_query, b, h), a.grad_query.row, first, queries);
#else
    T *const g = scratch + TILE * SCORE_ROW;
    scores dp;
    sums<E> grad_key;
    sums<EV> grad_value;
    grad_key.clear();
    grad_value.clear();
    load<E>(k, of(a.key, b, head), a.key.row, first, keys);
    load<EV>(v, of(a.value, b, head), a.value.row, first, keys);
    for (int64_t h = head * a.group; h < (head + 1) * a.group; h++)
        for (int i0 = a.causal ? first : 0; i0 < queries; i0 += TILE) {
            const int64_t line = (b * a.H + h) * a.L;
            __syncthreads();
            load<E>(q, of(a.query, b, h), a.query.row, i0, queries);
            load<EV>(g, of(a.grad, b, h), a.grad.row, i0, queries);
            __syncthreads();
            rows_by_rows<E>(s, k, q);
            rows_by_rows<EV>(dp, v, g);
            finish(a, b, h, i0, first, s);
            for (int j = 0; j < COLUMNS; j++) {
                const int at = i0 + column_at(j);
                const T lse = at < queries ? a.logsumexp[line + at] : infinity();
                const T delta = at < queries ? a.delta[line + at] : (T)0;
                for (int r = 0; r < ROWS; r++) {
                    s[r][j] = probability(s[r][j], lse);
                    dp[r][j] = s[r][j] * (dp[r][j] - delta) * (T)a.scale;
                }
            }
            grad_value.add(s, scratch, g);
            grad_key.add(dp, scratch, q);
        }
    const bool first_half = reduce_pair(grad_key, q);
    reduce_pair(grad_value, g);
    if (!first_half)
        return;
    if (a.grad_key.data)
        grad_key.store(of(a.grad_key, b, head), a.grad_key.row, first, keys);
    if (a.grad_value.data)
        grad_value.store(of(a.grad_value, b, head), a.grad_value.row, first, keys);
#endif
#endif
}

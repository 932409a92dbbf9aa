/* SPDX-License-Identifier: BSD-3-Clause */
/* Attention; see core/attend.h. The matrix of scores is never formed: a block of 16 by 16 threads
 * has a tile of TILE queries (or keys) in shared memory and walks over tiles of the others. Each
 * thread has R by R scores: rows ty * R + r, columns tx + 16 j, and of results the same rows and
 * CV neighbouring columns of each 16 CV. What belongs to a row is known to its 16 threads, half a
 * warp, which meet by shuffles.
 * MODE 0  forward: exponentials relative to the greatest score so far
 *      1  the sum of grad * out for each query
 *      2  gradients of a tile of queries
 *      3  gradients of a tile of keys and values, over all heads of queries they serve
 * No two blocks write the same place, and sums have one order: each run has the same bits. */
typedef long long wide;

struct side {
    T *data;
    wide batch, head, row;
};

struct arguments {
    side query, key, value, out, grad, grad_query, grad_key, grad_value;
    const void *mask;
    wide mask_batch, mask_head, mask_row, mask_column;
    T *logsumexp, *delta;
    wide batch, heads, group, queries, keys;
    double scale;
    bool mask_is_bool, causal;
};

#define THREADS 256
#define R (TILE / 16)
/* Columns in shared memory: those of a result fill all threads. */
#define PADDED(n) ((n) <= 16 ? 16 : (n) <= 32 ? 32 : ((n) + 63) / 64 * 64)
#define ROW_OF(n) (PADDED(n) + 4)
#define SCORES (TILE + 4)

template <int N> struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) pack {
    T v[N];
};

static __device__ T infinity()
{
    return (T)__longlong_as_double(0x7ff0000000000000ll);
}

static __device__ T *of(const side &s, wide b, wide h)
{
    return s.data + b * s.batch + h * s.head;
}

/* ---- tiles ---- */

/* Rows [first, first + TILE) of a matrix with N columns; zeros beyond its end. */
template <int N> static __device__ void load(T *to, const T *from, wide row, int first, int rows)
{
    constexpr int step = N % 4 == 0 && ALIGNED ? 4 : 1, across = PADDED(N) / step;
    for (int i = threadIdx.x; i < TILE * across; i += THREADS) {
        const int r = i / across, c = i % across * step;
        pack<step> x = {};
        if (first + r < rows && c < N)
            x = *(const pack<step> *)(from + (first + r) * row + c);
        *(pack<step> *)(to + r * ROW_OF(N) + c) = x;
    }
}

/* s[r][j] = the product of row ty R + r of x and row tx + 16 j of y. */
template <int N> static __device__ void rows_by_rows(T (&s)[R][R], const T *x, const T *y)
{
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    for (int r = 0; r < R; r++)
        for (int j = 0; j < R; j++)
            s[r][j] = 0;
    x += ty * R * ROW_OF(N);
    y += tx * ROW_OF(N);
#pragma unroll 4
    for (int d = 0; d < N; d += 4) {
        pack<4> a[R], b[R];
        for (int r = 0; r < R; r++) {
            a[r] = *(const pack<4> *)(x + r * ROW_OF(N) + d);
            b[r] = *(const pack<4> *)(y + r * 16 * ROW_OF(N) + d);
        }
        for (int v = 0; v < 4; v++)
            for (int r = 0; r < R; r++)
                for (int j = 0; j < R; j++)
                    s[r][j] = fma(a[r].v[v], b[j].v[v], s[r][j]);
    }
}

/* What a thread has of a result with N columns. */
template <int N> struct sums {
    static constexpr int CV = PADDED(N) >= 64 ? 4 : PADDED(N) / 16, GROUPS = PADDED(N) / (16 * CV);
    T v[R][GROUPS][CV];

    __device__ void clear()
    {
        for (int r = 0; r < R; r++)
            for (int g = 0; g < GROUPS; g++)
                for (int c = 0; c < CV; c++)
                    v[r][g][c] = 0;
    }

    /* Adds p y: rows of p are scores, rows of y the columns of p. */
    __device__ void add(const T *p, const T *y)
    {
        const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
        p += ty * R * SCORES;
        y += tx * CV;
#pragma unroll 2
        for (int k = 0; k < TILE; k += 4) {
            pack<4> a[R];
            for (int r = 0; r < R; r++)
                a[r] = *(const pack<4> *)(p + r * SCORES + k);
            for (int u = 0; u < 4; u++)
                for (int g = 0; g < GROUPS; g++) {
                    const pack<CV> b =
                        *(const pack<CV> *)(y + (k + u) * ROW_OF(N) + g * 16 * CV);
                    for (int r = 0; r < R; r++)
                        for (int c = 0; c < CV; c++)
                            v[r][g][c] = fma(a[r].v[u], b.v[c], v[r][g][c]);
                }
        }
    }

    __device__ void store(T *to, wide row, int first, int rows)
    {
        const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
        for (int r = 0; r < R; r++) {
            const int at = first + ty * R + r;
            if (at < rows)
                for (int g = 0; g < GROUPS; g++)
                    for (int c = 0; c < CV; c++) {
                        const int column = g * 16 * CV + tx * CV + c;
                        if (column < N)
                            to[at * row + column] = v[r][g][c];
                    }
        }
    }
};

/* Scores, with rows ty R + r and columns tx + 16 j, into shared memory: only threads of the same
 * half a warp read them. */
static __device__ void put(T *p, const T (&s)[R][R])
{
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    __syncwarp();
    for (int r = 0; r < R; r++)
        for (int j = 0; j < R; j++)
            p[(ty * R + r) * SCORES + tx + 16 * j] = s[r][j];
    __syncwarp();
}

/* A product of a query and a key becomes a score: scaled, masked; -inf where it is not seen. */
static __device__ T score(const arguments &a, wide b, wide h, int query, int key, T product)
{
    if (query >= a.queries || key >= a.keys || (a.causal && key > query))
        return -infinity();
    T s = product * (T)a.scale;
    if (a.mask) {
        const wide at = b * a.mask_batch + h * a.mask_head + query * a.mask_row +
                        key * a.mask_column;
        if (a.mask_is_bool)
            s = ((const unsigned char *)a.mask)[at] ? s : -infinity();
        else
            s += ((const T *)a.mask)[at];
    }
    return s;
}

/* The probability of a score, when the logarithm of all exponentials' sum is known. */
static __device__ T probability(T s, T logsumexp)
{
    return s == -infinity() ? (T)0 : exp(s - logsumexp);
}

extern __shared__ __align__(16) char shared[];

extern "C" __global__ void __launch_bounds__(THREADS) k(const arguments a)
{
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    const int queries = (int)a.queries, keys = (int)a.keys;
#if MODE == 1
    /* Sixteen threads for each query. */
    const wide line = (wide)blockIdx.x * 16 + ty, all = a.batch * a.heads * a.queries;
    if (line < all) {
        const wide q = line % a.queries, h = line / a.queries % a.heads;
        const wide b = line / a.queries / a.heads;
        const T *const g = of(a.grad, b, h) + q * a.grad.row;
        const T *const o = of(a.out, b, h) + q * a.out.row;
        T sum = 0;
        for (int c = tx; c < WIDTH; c += 16)
            sum = fma(g[c], o[c], sum);
        for (int step = 8; step > 0; step /= 2)
            sum += __shfl_xor_sync(0xffffu << (threadIdx.x & 16), sum, step);
        if (tx == 0)
            a.delta[line] = sum;
    }
#else
    const int rows = MODE == 3 ? keys : queries, tiles = (rows + TILE - 1) / TILE;
    const wide heads = MODE == 3 ? a.heads / a.group : a.heads;
    const int tile = MODE == 3 ? blockIdx.x % tiles : tiles - 1 - blockIdx.x % tiles;
    const wide head = blockIdx.x / tiles % heads, b = blockIdx.x / tiles / heads;
    const int first = tile * TILE;
    T *const q = (T *)shared, *const k = q + TILE * ROW_OF(DEPTH);
    T *const v = k + TILE * ROW_OF(DEPTH), *const p = v + TILE * ROW_OF(WIDTH);
    T s[R][R];
#if MODE == 0
    const wide h = head, few = h / a.group;
    sums<WIDTH> out;
    T most[R], sum[R];
    out.clear();
    for (int r = 0; r < R; r++) {
        most[r] = -infinity();
        sum[r] = 0;
    }
    load<DEPTH>(q, of(a.query, b, h), a.query.row, first, queries);
    const int end = a.causal && first + TILE < keys ? first + TILE : keys;
    for (int j0 = 0; j0 < end; j0 += TILE) {
        __syncthreads();
        load<DEPTH>(k, of(a.key, b, few), a.key.row, j0, keys);
        load<WIDTH>(v, of(a.value, b, few), a.value.row, j0, keys);
        __syncthreads();
        rows_by_rows<DEPTH>(s, q, k);
        for (int r = 0; r < R; r++) {
            T top = most[r], part = 0;
            for (int j = 0; j < R; j++) {
                s[r][j] = score(a, b, h, first + ty * R + r, j0 + tx + 16 * j, s[r][j]);
                top = s[r][j] > top || s[r][j] != s[r][j] ? s[r][j] : top;
            }
            for (int step = 8; step > 0; step /= 2) {
                const T other = __shfl_xor_sync(0xffffffffu, top, step);
                top = other > top || other != other ? other : top;
            }
            const T base = top == -infinity() ? (T)0 : top, shrink = exp(most[r] - base);
            for (int j = 0; j < R; j++) {
                s[r][j] = exp(s[r][j] - base);
                part += s[r][j];
            }
            sum[r] = sum[r] * shrink + part;
            most[r] = top;
            for (int g = 0; g < out.GROUPS; g++)
                for (int c = 0; c < out.CV; c++)
                    out.v[r][g][c] *= shrink;
        }
        put(p, s);
        out.add(p, v);
    }
    for (int r = 0; r < R; r++) {
        for (int step = 8; step > 0; step /= 2)
            sum[r] += __shfl_xor_sync(0xffffffffu, sum[r], step);
        const bool none = most[r] == -infinity();
        const T by = none ? (T)0 : (T)1 / sum[r];
        for (int g = 0; g < out.GROUPS; g++)
            for (int c = 0; c < out.CV; c++)
                out.v[r][g][c] *= by;
        const int at = first + ty * R + r;
        if (tx == 0 && at < queries)
            a.logsumexp[(b * a.heads + h) * a.queries + at] =
                none ? infinity() : most[r] + log(sum[r]);
    }
    out.store(of(a.out, b, h), a.out.row, first, queries);
#elif MODE == 2
    const wide h = head, few = h / a.group, line = (b * a.heads + h) * a.queries;
    T *const g = p + TILE * SCORES, lse[R], delta[R], dp[R][R];
    sums<DEPTH> grad;
    grad.clear();
    for (int r = 0; r < R; r++) {
        const int at = first + ty * R + r;
        lse[r] = at < queries ? a.logsumexp[line + at] : infinity();
        delta[r] = at < queries ? a.delta[line + at] : (T)0;
    }
    load<DEPTH>(q, of(a.query, b, h), a.query.row, first, queries);
    load<WIDTH>(g, of(a.grad, b, h), a.grad.row, first, queries);
    const int end = a.causal && first + TILE < keys ? first + TILE : keys;
    for (int j0 = 0; j0 < end; j0 += TILE) {
        __syncthreads();
        load<DEPTH>(k, of(a.key, b, few), a.key.row, j0, keys);
        load<WIDTH>(v, of(a.value, b, few), a.value.row, j0, keys);
        __syncthreads();
        rows_by_rows<DEPTH>(s, q, k);
        rows_by_rows<WIDTH>(dp, g, v);
        for (int r = 0; r < R; r++)
            for (int j = 0; j < R; j++) {
                const T x = score(a, b, h, first + ty * R + r, j0 + tx + 16 * j, s[r][j]);
                s[r][j] = probability(x, lse[r]) * (dp[r][j] - delta[r]) * (T)a.scale;
            }
        put(p, s);
        grad.add(p, k);
    }
    grad.store(of(a.grad_query, b, h), a.grad_query.row, first, queries);
#else
    T *const g = p + TILE * SCORES, dp[R][R];
    sums<DEPTH> grad_key;
    sums<WIDTH> grad_value;
    grad_key.clear();
    grad_value.clear();
    load<DEPTH>(k, of(a.key, b, head), a.key.row, first, keys);
    load<WIDTH>(v, of(a.value, b, head), a.value.row, first, keys);
    for (wide h = head * a.group; h < (head + 1) * a.group; h++)
        for (int i0 = a.causal ? first : 0; i0 < queries; i0 += TILE) {
            const wide line = (b * a.heads + h) * a.queries;
            __syncthreads();
            load<DEPTH>(q, of(a.query, b, h), a.query.row, i0, queries);
            load<WIDTH>(g, of(a.grad, b, h), a.grad.row, i0, queries);
            __syncthreads();
            rows_by_rows<DEPTH>(s, k, q);
            rows_by_rows<WIDTH>(dp, v, g);
            for (int j = 0; j < R; j++) {
                const int at = i0 + tx + 16 * j;
                const T lse = at < queries ? a.logsumexp[line + at] : infinity();
                const T delta = at < queries ? a.delta[line + at] : (T)0;
                for (int r = 0; r < R; r++) {
                    s[r][j] = probability(score(a, b, h, at, first + ty * R + r, s[r][j]), lse);
                    dp[r][j] = s[r][j] * (dp[r][j] - delta) * (T)a.scale;
                }
            }
            put(p, s);
            grad_value.add(p, g);
            put(p, dp);
            grad_key.add(p, q);
        }
    if (a.grad_key.data)
        grad_key.store(of(a.grad_key, b, head), a.grad_key.row, first, keys);
    if (a.grad_value.data)
        grad_value.store(of(a.grad_value, b, head), a.grad_value.row, first, keys);
#endif
#endif
}

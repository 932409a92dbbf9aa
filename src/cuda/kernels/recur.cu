/* SPDX-License-Identifier: BSD-3-Clause */
/* One step of a recurrent layer, between its products; see Note [Recurrence] in core/recur.h. A
 * thread for each unit of each row. KIND is 0 tanh, 1 relu, 2 LSTM, 3 GRU.
 * STAGE 0  forward: states from gates and sums
 *       4  forward with its product: a block has 32 rows and 16 units with all their gates
 *       5  backward, and first the product of the step after it (in time); rows are all the same
 *       6, 7  the same as 4 and 5 by tensor cores: a block has 16 rows, each warp an eighth of the
 *             summands, three products of TF32 numbers for one of float32
 *       1  backward: the gradient of the states, then of the gates
 *       2  the first half of 1 alone, 3 the second: a projection comes between them
 * All rows are those of the step. */
typedef long long wide;

struct arguments {
    wide rows, hidden, width;
    const T *sums, *bias, *weight; /* sums: h W'; STAGE 5: the gates' gradients one step on */
    T *gates, *extra, *out, *h, *c;
    const T *grad_output, *before, *first; /* states before the step; of rows that begin with it */
    const T *cells_before, *first_cells;
    wide before_rows;
    T *grad_out, *grad_h, *grad_c, *grad_gates, *grad_last, *previous, *unprojected;
};

static __device__ T state_before(const arguments &a, const T *all, const T *first, wide row,
                                 wide at)
{
    return row < a.before_rows ? all[at] : first[at];
}

/* s: a sum for each gate; old: the state before. */
static __device__ void forward(const arguments &a, wide row, wide j, const T *s, T old)
{
    const wide n = a.hidden, at = row * n + j;
    T *const g = a.gates + row * GATES * n + j;
    T out;
    if (KIND < 2) {
        const T v = g[0] + s[0];
        out = KIND == 1 ? (v < 0 ? (T)0 : v) : TANH(v);
        g[0] = out;
    } else if (KIND == 2) {
        const T in = SIGMOID(g[0] + s[0]), forget = SIGMOID(g[n] + s[1]);
        const T fresh = TANH(g[2 * n] + s[2]), open = SIGMOID(g[3 * n] + s[3]);
        const T cell = forget * a.c[at] + in * fresh;
        g[0] = in;
        g[n] = forget;
        g[2 * n] = fresh;
        g[3 * n] = open;
        a.c[at] = cell;
        a.extra[at] = cell;
        out = open * TANH(cell);
    } else {
        const T reset = SIGMOID(g[0] + s[0]), stay = SIGMOID(g[n] + s[1]);
        const T last = s[2] + (a.bias ? a.bias[j] : (T)0);
        const T fresh = TANH(g[2 * n] + reset * last);
        g[0] = reset;
        g[n] = stay;
        g[2 * n] = fresh;
        a.extra[at] = last;
        out = (old - fresh) * stay + fresh;
    }
    a.out[at] = out;
    if (a.h)
        a.h[at] = out;
}

/* later: the gradient of the state that comes from the step after this one. */
static __device__ T whole_gradient(const arguments &a, wide row, wide at, T later)
{
    a.previous[at] = state_before(a, a.before, a.first, row, at);
    return (a.grad_output ? a.grad_output[at] : (T)0) + later;
}

static __device__ void backward(const arguments &a, wide row, wide j, T grad)
{
    const wide n = a.hidden, at = row * n + j;
    const T *const s = a.gates + row * GATES * n + j;
    T *const to = a.grad_gates + row * GATES * n + j;
    if (KIND < 2) {
        to[0] = KIND == 1 ? (s[0] > 0 ? grad : (T)0) : grad * (1 - s[0] * s[0]);
    } else if (KIND == 2) {
        const T i = s[0], f = s[n], g = s[2 * n], o = s[3 * n], t = TANH(a.extra[at]);
        const T by_cell = a.grad_c[at] + grad * o * (1 - t * t);
        const T old = state_before(a, a.cells_before, a.first_cells, row, at);
        to[0] = by_cell * g * i * (1 - i);
        to[n] = by_cell * old * f * (1 - f);
        to[2 * n] = by_cell * i * (1 - g * g);
        to[3 * n] = grad * t * o * (1 - o);
        a.grad_c[at] = by_cell * f;
        if (a.unprojected)
            a.unprojected[at] = o * t;
    } else {
        const T q = s[0], z = s[n], m = s[2 * n];
        const T by_fresh = grad * (1 - z) * (1 - m * m);
        to[0] = by_fresh * a.extra[at] * q * (1 - q);
        to[n] = grad * (state_before(a, a.before, a.first, row, at) - m) * z * (1 - z);
        to[2 * n] = by_fresh * q;
        a.grad_last[at] = by_fresh;
        a.grad_h[at] = grad * z; /* the product is added to it */
    }
}

#if STAGE == 4 || STAGE == 5
#define ROWS 32
#define UNITS 16
#define DEEP 32

struct alignas(16) four {
    T v[4];
};
#endif

#if STAGE >= 6
#include "mma.cuh"
#define SIDE 16                           /* rows and units of a block */
#define COLUMNS (STAGE == 6 ? GATES : 1)  /* for each unit */
#define TILES (COLUMNS * SIDE / 8)

/* high + low, but for the last bit; what is infinite or no number has no low part. */
static __device__ __forceinline__ void split(float &x, float &low)
{
    const float high = ROUND_TF32(x), rest = x - high;
    low = fabsf(rest) < 1e38f ? rest : 0;
    x = high;
}

/* Element (row, k) of the left factor and (k, column) of the right one; columns of a gate lie
 * together. */
static __device__ __forceinline__ float left_at(const arguments &a, int row, int k, int deep)
{
    if (row >= a.rows || k >= deep)
        return 0;
    return STAGE == 7 ? a.sums[(wide)row * deep + k]
                      : state_before(a, a.before, a.first, row, (wide)row * deep + k);
}

static __device__ __forceinline__ float right_at(const arguments &a, int k, int gate, int unit, int deep)
{
    if (unit >= a.hidden || k >= deep)
        return 0;
    return STAGE == 7 ? a.weight[(wide)k * a.hidden + unit]
                      : a.weight[(gate * a.hidden + unit) * deep + k];
}

extern "C" __global__ void __launch_bounds__(256) k(const arguments a)
{
    __shared__ float parts[8][SIDE][COLUMNS * SIDE + 2];
    const int across = (int)(a.hidden + SIDE - 1) / SIDE;
    const int row0 = blockIdx.x / across * SIDE, unit0 = blockIdx.x % across * SIDE;
    const int deep = STAGE == 7 ? (int)(GATES * a.hidden) : (int)a.width;
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const int span = (deep + 63) / 64 * 8, begin = warp * span;
    const int end = begin + span < deep ? begin + span : deep;
    float sum[TILES][4] = {};
#pragma unroll (STAGE == 7 ? 8 : 4)
    for (int k0 = begin; k0 < end; k0 += 8) {
        float x[4], low_x[4], y[TILES][2], low_y[TILES][2];
#pragma unroll
        for (int i = 0; i < 4; i++)
            x[i] = left_at(a, row0 + g + i % 2 * 8, k0 + t + i / 2 * 4, deep);
#pragma unroll
        for (int i = 0; i < TILES; i++)
#pragma unroll
            for (int j = 0; j < 2; j++)
                y[i][j] = right_at(a, k0 + t + j * 4, i / (SIDE / 8),
                                   unit0 + i % (SIDE / 8) * 8 + g, deep);
#pragma unroll
        for (int i = 0; i < 4; i++)
            split(x[i], low_x[i]);
#pragma unroll
        for (int i = 0; i < TILES; i++)
#pragma unroll
            for (int j = 0; j < 2; j++)
                split(y[i][j], low_y[i][j]);
#pragma unroll
        for (int i = 0; i < TILES; i++)
            MMA(sum[i], low_x, y[i]);
#pragma unroll
        for (int i = 0; i < TILES; i++)
            MMA(sum[i], x, low_y[i]);
#pragma unroll
        for (int i = 0; i < TILES; i++)
            MMA(sum[i], x, y[i]);
    }
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
        for (int e = 0; e < 4; e++)
            parts[warp][g + e / 2 * 8][i * 8 + 2 * t + e % 2] = sum[i][e];
    __syncthreads();
    const int unit = threadIdx.x % SIDE, row = threadIdx.x / SIDE;
    const wide r = row0 + row, j = unit0 + unit, at = r * a.hidden + j;
    float whole[COLUMNS] = {};
    for (int c = 0; c < COLUMNS; c++)
        for (int w = 0; w < 8; w++)
            whole[c] += parts[w][row][c * SIDE + unit];
    if (r >= a.rows || j >= a.hidden)
        return;
#if STAGE == 6
    forward(a, r, j, whole, KIND == 3 ? state_before(a, a.before, a.first, r, at) : (T)0);
#else
    backward(a, r, j, whole_gradient(a, r, at, whole[0] + (KIND == 3 ? a.grad_h[at] : (T)0)));
#endif
}
#elif STAGE == 5
extern "C" __global__ void __launch_bounds__(256) k(const arguments a)
{
    __shared__ four grads[ROWS][DEEP / 4 + 1];
    __shared__ T weights[DEEP][UNITS];
    const wide across = (a.hidden + UNITS - 1) / UNITS, deep = GATES * a.hidden;
    const wide row0 = blockIdx.x / across * ROWS, unit0 = blockIdx.x % across * UNITS;
    const int unit = threadIdx.x % UNITS, row = threadIdx.x / UNITS;
    T sum[2] = {};
    for (wide k0 = 0; k0 < deep; k0 += DEEP) {
        __syncthreads();
        for (int i = threadIdx.x; i < ROWS * DEEP; i += 256) {
            const wide r = row0 + i / DEEP, c = k0 + i % DEEP;
            ((T *)grads[i / DEEP])[i % DEEP] =
                r < a.rows && c < deep ? a.sums[r * deep + c] : (T)0;
        }
        for (int i = threadIdx.x; i < UNITS * DEEP; i += 256) {
            const wide c = k0 + i / UNITS, j = unit0 + i % UNITS;
            weights[i / UNITS][i % UNITS] =
                j < a.hidden && c < deep ? a.weight[c * a.hidden + j] : (T)0;
        }
        __syncthreads();
#pragma unroll
        for (int q = 0; q < DEEP / 4; q++) {
            const four x = grads[row][q], y = grads[row + ROWS / 2][q];
            for (int v = 0; v < 4; v++) {
                const T w = weights[4 * q + v][unit];
                sum[0] = fma(x.v[v], w, sum[0]);
                sum[1] = fma(y.v[v], w, sum[1]);
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        const wide r = row0 + row + i * (ROWS / 2), j = unit0 + unit, at = r * a.hidden + j;
        if (r < a.rows && j < a.hidden) {
            const T later = sum[i] + (KIND == 3 ? a.grad_h[at] : (T)0);
            backward(a, r, j, whole_gradient(a, r, at, later));
        }
    }
}
#elif STAGE == 4
extern "C" __global__ void __launch_bounds__(256) k(const arguments a)
{
    __shared__ four states[ROWS][DEEP / 4 + 1], weights[GATES][UNITS][DEEP / 4 + 1];
    const wide across = (a.hidden + UNITS - 1) / UNITS;
    const wide row0 = blockIdx.x / across * ROWS, unit0 = blockIdx.x % across * UNITS;
    const int unit = threadIdx.x % UNITS, row = threadIdx.x / UNITS;
    T sum[2][GATES] = {};
    for (wide k0 = 0; k0 < a.width; k0 += DEEP) {
        __syncthreads();
        for (int i = threadIdx.x; i < ROWS * DEEP; i += 256) {
            const wide r = row0 + i / DEEP, c = k0 + i % DEEP;
            ((T *)states[i / DEEP])[i % DEEP] =
                r < a.rows && c < a.width
                    ? state_before(a, a.before, a.first, r, r * a.width + c)
                    : (T)0;
        }
        for (int i = threadIdx.x; i < GATES * UNITS * DEEP; i += 256) {
            const int g = i / (UNITS * DEEP), u = i / DEEP % UNITS;
            const wide j = unit0 + u, c = k0 + i % DEEP;
            ((T *)weights[g][u])[i % DEEP] =
                j < a.hidden && c < a.width ? a.weight[(g * a.hidden + j) * a.width + c] : (T)0;
        }
        __syncthreads();
#pragma unroll
        for (int q = 0; q < DEEP / 4; q++) {
            const four x = states[row][q], y = states[row + ROWS / 2][q];
            for (int g = 0; g < GATES; g++) {
                const four w = weights[g][unit][q];
                for (int v = 0; v < 4; v++) {
                    sum[0][g] = fma(x.v[v], w.v[v], sum[0][g]);
                    sum[1][g] = fma(y.v[v], w.v[v], sum[1][g]);
                }
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        const wide r = row0 + row + i * (ROWS / 2), j = unit0 + unit;
        if (r < a.rows && j < a.hidden)
            forward(a, r, j, sum[i],
                    KIND == 3 ? state_before(a, a.before, a.first, r, r * a.width + j) : (T)0);
    }
}
#else
extern "C" __global__ void __launch_bounds__(256) k(const arguments a)
{
    const wide i = (wide)blockIdx.x * 256 + threadIdx.x, across = STAGE == 2 ? a.width : a.hidden;
    if (i >= a.rows * across)
        return;
    const wide row = i / across, j = i % across;
    if (STAGE == 0) {
        T sum[GATES];
        for (int g = 0; g < GATES; g++)
            sum[g] = a.sums[(row * GATES + g) * a.hidden + j];
        forward(a, row, j, sum, KIND == 3 ? a.h[i] : (T)0);
    } else if (STAGE == 2)
        a.grad_out[i] = whole_gradient(a, row, i, a.grad_h[i]);
    else
        backward(a, row, j, STAGE == 1 ? whole_gradient(a, row, i, a.grad_h[i]) : a.grad_out[i]);
}
#endif

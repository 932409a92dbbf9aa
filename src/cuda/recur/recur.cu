/* SPDX-License-Identifier: BSD-3-Clause */
/* One step of a recurrent layer, between its products; see Note [Recurrence] in core/recur.h. A
 * thread for each unit of each row. KIND is 0 tanh, 1 relu, 2 LSTM, 3 GRU.
 * STAGE 0  forward: states from gates and sums
 *       4  forward with its product: a block has 32 rows and 16 units with all their gates
 *       5  backward, and first the product of the step after it (in time); rows are all the same
 *       6, 7  the same as 4 and 5 by tensor cores, three products of TF32 numbers for one of
 *             float32: a block has 16 rows and 16 units, each warp a part of the summands. KEEP:
 *             all steps in one launch, see Note [Steps of one launch]
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
    wide steps, next; /* KEEP: how many, and the rows from one to the next */
    unsigned *counters;
};

static __device__ T state_before(const arguments &a, const T *all, const T *first, wide row,
                                 wide at)
{
    return row < a.before_rows ? all[at] : first[at];
}

/* What a step has before its product. */
struct given {
    T g[GATES], c;
};

static __device__ given given_of(const arguments &a, wide row, wide j)
{
    given x;
    for (int i = 0; i < GATES; i++)
        x.g[i] = a.gates[(row * GATES + i) * a.hidden + j];
    x.c = KIND == 2 ? a.c[row * a.hidden + j] : (T)0;
    return x;
}

/* s: a sum for each gate; old: the state before. Returns the state, and the cell in x. */
static __device__ T forward(const arguments &a, wide row, wide j, const T *s, T old, given &x)
{
    const wide n = a.hidden, at = row * n + j;
    T *const g = a.gates + row * GATES * n + j;
    T out;
    if (KIND < 2) {
        const T v = x.g[0] + s[0];
        out = KIND == 1 ? (v < 0 ? (T)0 : v) : TANH(v);
        g[0] = out;
    } else if (KIND == 2) {
        const T in = SIGMOID(x.g[0] + s[0]), forget = SIGMOID(x.g[1 % GATES] + s[1 % GATES]);
        const T fresh = TANH(x.g[2 % GATES] + s[2 % GATES]);
        const T open = SIGMOID(x.g[3 % GATES] + s[3 % GATES]);
        const T cell = forget * x.c + in * fresh;
        g[0] = in;
        g[n] = forget;
        g[2 * n] = fresh;
        g[3 * n] = open;
        x.c = cell;
        if (a.c)
            a.c[at] = cell;
        a.extra[at] = cell;
        out = open * TANH(cell);
    } else {
        const T reset = SIGMOID(x.g[0] + s[0]), stay = SIGMOID(x.g[1 % GATES] + s[1 % GATES]);
        const T last = s[2 % GATES] + (a.bias ? a.bias[j] : (T)0);
        const T fresh = TANH(x.g[2 % GATES] + reset * last);
        g[0] = reset;
        g[n] = stay;
        g[2 * n] = fresh;
        a.extra[at] = last;
        out = (old - fresh) * stay + fresh;
    }
    a.out[at] = out;
    if (a.h)
        a.h[at] = out;
    return out;
}

static __device__ void forward(const arguments &a, wide row, wide j, const T *s, T old)
{
    given x = given_of(a, row, j);
    forward(a, row, j, s, old, x);
}

/* What a step has of the way forward, and the gradient of what it gave. */
struct known {
    T s[GATES], extra, before, cell_before, grad;
};

static __device__ known known_of(const arguments &a, wide row, wide j)
{
    const wide at = row * a.hidden + j;
    known x;
    for (int i = 0; i < GATES; i++)
        x.s[i] = a.gates[(row * GATES + i) * a.hidden + j];
    x.extra = KIND >= 2 ? a.extra[at] : (T)0;
    x.cell_before = KIND == 2 ? state_before(a, a.cells_before, a.first_cells, row, at) : (T)0;
    x.before = KIND == 3 ? state_before(a, a.before, a.first, row, at) : (T)0;
    x.grad = a.grad_output ? a.grad_output[at] : (T)0;
    return x;
}

/* later: the gradient of the state that comes from the step after this one. */
static __device__ T whole_gradient(const arguments &a, wide row, wide at, T later)
{
    a.previous[at] = state_before(a, a.before, a.first, row, at);
    return (a.grad_output ? a.grad_output[at] : (T)0) + later;
}

/* grad: of the state; cell: of the cell, and afterwards of the one before. Returns what GRU's
 * state before has of the gradient, to which a product is added. */
static __device__ T backward(const arguments &a, wide row, wide j, T grad, T &cell, const known &x)
{
    const wide n = a.hidden, at = row * n + j;
    T *const to = a.grad_gates + row * GATES * n + j;
    if (KIND < 2) {
        const T s = x.s[0];
        to[0] = KIND == 1 ? (s > 0 ? grad : (T)0) : grad * (1 - s * s);
    } else if (KIND == 2) {
        const T i = x.s[0], f = x.s[1 % GATES], g = x.s[2 % GATES], o = x.s[3 % GATES];
        const T t = TANH(x.extra), by_cell = cell + grad * o * (1 - t * t);
        to[0] = by_cell * g * i * (1 - i);
        to[n] = by_cell * x.cell_before * f * (1 - f);
        to[2 * n] = by_cell * i * (1 - g * g);
        to[3 * n] = grad * t * o * (1 - o);
        cell = by_cell * f;
        if (a.unprojected)
            a.unprojected[at] = o * t;
    } else {
        const T q = x.s[0], z = x.s[1 % GATES], m = x.s[2 % GATES];
        const T by_fresh = grad * (1 - z) * (1 - m * m);
        to[0] = by_fresh * x.extra * q * (1 - q);
        to[n] = grad * (x.before - m) * z * (1 - z);
        to[2 * n] = by_fresh * q;
        a.grad_last[at] = by_fresh;
        return grad * z;
    }
    return 0;
}

static __device__ void backward(const arguments &a, wide row, wide j, T grad)
{
    const wide at = row * a.hidden + j;
    T cell = KIND == 2 ? a.grad_c[at] : (T)0;
    const T rest = backward(a, row, j, grad, cell, known_of(a, row, j));
    if (KIND == 2)
        a.grad_c[at] = cell;
    if (KIND == 3)
        a.grad_h[at] = rest;
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
#include "cuda/common/mma.cuh"
#define SIDE 16                           /* rows and units of a block */
#define COLUMNS (STAGE == 6 ? GATES : 1)  /* for each unit */
#define TILES (COLUMNS * SIDE / 8)
#define WARPS (STAGE == 6 ? 8 : 16)
#define CHUNK 32 /* neighbours among the summands, of which lane 4 g + t has 8 t to 8 t + 7 */

/* high + low, but for the last bit; what is infinite or no number has no low part. */
static __device__ __forceinline__ void split(float &x, float &low)
{
    const float high = ROUND_TF32(x), rest = x - high;
    low = fabsf(rest) < 1e38f ? rest : 0;
    x = high;
}

struct alignas(16) four {
    float v[4];
};

/* Right factors of a chunk: columns of a gate lie together. */
struct right_part {
    float high[CHUNK / 8][TILES][2], low[CHUNK / 8][TILES][2];
};

static __device__ __forceinline__ float right_at(const arguments &a, int k, int gate, int unit, int deep)
{
    if (unit >= a.hidden || k >= deep)
        return 0;
    return STAGE == 7 ? a.weight[(wide)k * a.hidden + unit]
                      : a.weight[(gate * a.hidden + unit) * deep + k];
}

static __device__ __forceinline__ void load_right(const arguments &a, int k0, int unit0, int deep,
                                                  right_part &y)
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
    for (int q = 0; q < CHUNK / 8; q++)
#pragma unroll
        for (int i = 0; i < TILES; i++)
#pragma unroll
            for (int j = 0; j < 2; j++) {
                y.high[q][i][j] = right_at(a, k0 + 8 * t + 2 * q + j, i / (SIDE / 8),
                                           unit0 + i % (SIDE / 8) * 8 + g, deep);
                split(y.high[q][i][j], y.low[q][i][j]);
            }
}

/* Left factors of a chunk, of rows g and g + 8. They may come from other blocks of this launch:
 * no cache of a multiprocessor is asked. */
static __device__ __forceinline__ void load_left(const arguments &a, int row0, int k0, int deep,
                                                 float (&x)[2][8])
{
    const int g = threadIdx.x % 32 / 4, k = k0 + threadIdx.x % 4 * 8;
#pragma unroll
    for (int r = 0; r < 2; r++) {
        const int row = row0 + g + 8 * r;
        const float *const from = STAGE == 7             ? a.sums
                                  : row < a.before_rows ? a.before
                                                        : a.first;
        const float *const p = from + (wide)row * deep + k;
#pragma unroll
        for (int e = 0; e < 8; e += VECTOR) {
            const bool there = row < a.rows && k + e < deep;
#if VECTOR == 4
            const float4 v = there ? __ldcg((const float4 *)(p + e)) : float4{0, 0, 0, 0};
            x[r][e] = v.x;
            x[r][e + 1] = v.y;
            x[r][e + 2] = v.z;
            x[r][e + 3] = v.w;
#else
            x[r][e] = there ? __ldcg(p + e) : 0;
#endif
        }
    }
}

static __device__ __forceinline__ void add_chunk(float (&sum)[TILES][4], const float (&left)[2][8],
                                                 const right_part &y)
{
#pragma unroll
    for (int q = 0; q < CHUNK / 8; q++) {
        float x[4], low[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            x[i] = left[i % 2][2 * q + i / 2];
            split(x[i], low[i]);
        }
#pragma unroll
        for (int i = 0; i < TILES; i++)
            MMA(sum[i], low, y.high[q][i]);
#pragma unroll
        for (int i = 0; i < TILES; i++)
            MMA(sum[i], x, y.low[q][i]);
#pragma unroll
        for (int i = 0; i < TILES; i++)
            MMA(sum[i], x, y.high[q][i]);
    }
}

struct room {
    float parts[WARPS][SIDE][COLUMNS * SIDE + 2];
};

/* The product of a step: a thread has the sums of one row and unit, if it has one. */
static __device__ __forceinline__ void product(const arguments &a, int row0, int unit0, int deep,
                                               const right_part *kept, room &r, float *whole)
{
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    float sum[TILES][4] = {};
#if KEEP
    float x[KEEP][2][8];
#pragma unroll
    for (int c = 0; c < KEEP; c++)
        load_left(a, row0, (c * WARPS + warp) * CHUNK, deep, x[c]);
#pragma unroll
    for (int c = 0; c < KEEP; c++)
        add_chunk(sum, x[c], kept[c]);
#else
    for (int k0 = warp * CHUNK; k0 < deep; k0 += WARPS * CHUNK) {
        float x[2][8];
        right_part y;
        load_left(a, row0, k0, deep, x);
        load_right(a, k0, unit0, deep, y);
        add_chunk(sum, x, y);
    }
#endif
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
        for (int e = 0; e < 4; e++)
            r.parts[warp][g + e / 2 * 8][i * 8 + 2 * t + e % 2] = sum[i][e];
    __syncthreads();
    if (threadIdx.x >= SIDE * SIDE)
        return;
    for (int c = 0; c < COLUMNS; c++) {
        whole[c] = 0;
#pragma unroll
        for (int w = 0; w < WARPS; w++)
            whole[c] += r.parts[w][threadIdx.x / SIDE][c * SIDE + threadIdx.x % SIDE];
    }
}

#if KEEP
/* Note [Steps of one launch]
 * Blocks keep their part of the weight in registers for all steps. All blocks of a row of them
 * need the states of the step before, so that they wait for each other: each counts itself in when
 * its states are written, and goes on when all have. They are on the card at the same time
 * (cti_cuda_launch_together), or a row has one block. The last to count itself in for the last time
 * leaves the counter at 0. */
static __device__ void count_in(unsigned *counter, unsigned all)
{
    __syncthreads();
    if (threadIdx.x)
        return;
    __threadfence();
    if (atomicAdd(counter, 1) == all - 1)
        atomicExch(counter, 0);
}

static __device__ void wait_for(const unsigned *counter, unsigned count)
{
    if (threadIdx.x == 0) {
        while (*(const volatile unsigned *)counter < count)
            ;
        __threadfence();
    }
    __syncthreads();
}

/* Moves all that belongs to a step on to the next one. */
static __device__ void advance(arguments &a)
{
    const wide rows = a.next, states = rows * a.width, gates = rows * GATES * a.hidden;
    a.gates += gates;
    a.extra += rows * a.hidden;
    if (STAGE == 6) {
        a.before = a.out;
        a.before_rows = a.rows;
        a.out += states;
        return;
    }
    a.sums = a.grad_gates;
    a.grad_gates += gates;
    a.grad_last += rows * a.hidden;
    a.previous += states;
    a.grad_output = a.grad_output ? a.grad_output + states : a.grad_output;
    a.before += states;
    a.cells_before += rows * a.hidden;
}
#endif

extern "C" __global__ void __launch_bounds__(WARPS * 32, 1)
    recur_tensor_cores(const arguments given_arguments)
{
    __shared__ room r;
    arguments a = given_arguments;
    const int across = (int)(a.hidden + SIDE - 1) / SIDE;
    const int row0 = blockIdx.x / across * SIDE, unit0 = blockIdx.x % across * SIDE;
    const int deep = STAGE == 7 ? (int)(GATES * a.hidden) : (int)a.width;
    const wide row = row0 + threadIdx.x / SIDE, j = unit0 + threadIdx.x % SIDE, at = row * a.hidden + j;
    const bool mine = threadIdx.x < SIDE * SIDE && row < a.rows && j < a.hidden;
    float whole[COLUMNS];
#if !KEEP
    product(a, row0, unit0, deep, nullptr, r, whole);
    if (!mine)
        return;
#if STAGE == 6
    forward(a, row, j, whole, KIND == 3 ? state_before(a, a.before, a.first, row, at) : (T)0);
#else
    backward(a, row, j, whole_gradient(a, row, at, whole[0] + (KIND == 3 ? a.grad_h[at] : (T)0)));
#endif
#else
    unsigned *const counter = a.counters + row0 / SIDE;
    right_part kept[KEEP];
#pragma unroll
    for (int c = 0; c < KEEP; c++)
        load_right(a, (c * WARPS + threadIdx.x / 32) * CHUNK, unit0, deep, kept[c]);
#if STAGE == 6
    T cell = mine && KIND == 2 ? a.c[at] : (T)0, old = mine && KIND == 3 ? a.first[at] : (T)0;
    T *const last_h = a.h, *const last_c = a.c;
    for (int s = 0; s < a.steps; s++) {
        given x;
        if (mine) {
            x = given_of(a, row, j);
            x.c = cell;
        }
        if (s > 0)
            wait_for(counter, (unsigned)(across * s));
        product(a, row0, unit0, deep, kept, r, whole);
        a.h = s + 1 == a.steps ? last_h : nullptr;
        a.c = s + 1 == a.steps ? last_c : nullptr;
        if (mine) {
            old = forward(a, row, j, whole, old, x);
            cell = x.c;
        }
        a.c = last_c;
        count_in(counter, (unsigned)(across * a.steps));
        advance(a);
    }
#else
    T cell = mine && KIND == 2 ? a.grad_c[at] : (T)0, rest = 0;
    const unsigned all = (unsigned)(across * (a.steps + 1));
    for (int s = 0; s < a.steps; s++) {
        known x;
        a.before_rows = s + 1 < a.steps ? a.rows : 0;
        if (mine) {
            x = known_of(a, row, j);
            a.previous[at] = state_before(a, a.before, a.first, row, at);
        }
        if (s > 0) {
            wait_for(counter, (unsigned)(across * s));
            product(a, row0, unit0, deep, kept, r, whole);
        } else {
            whole[0] = mine ? a.grad_h[at] : 0;
        }
        if (mine)
            rest = backward(a, row, j, x.grad + whole[0] + rest, cell, x);
        count_in(counter, all);
        advance(a);
    }
    wait_for(counter, (unsigned)(across * a.steps));
    count_in(counter, all);
    product(a, row0, unit0, deep, kept, r, whole);
    if (mine) {
        a.grad_h[at] = whole[0] + rest;
        if (KIND == 2)
            a.grad_c[at] = cell;
    }
#endif
#endif
}
#elif STAGE == 5
extern "C" __global__ void __launch_bounds__(256) recur_backward_product(const arguments a)
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
extern "C" __global__ void __launch_bounds__(256) recur_forward_product(const arguments a)
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
extern "C" __global__ void __launch_bounds__(256) recur_step(const arguments a)
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

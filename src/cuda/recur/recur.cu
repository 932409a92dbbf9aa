/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of a recurrent layer; see Note [Recurrence] in core/recur.h. Launched by recur.c. KIND is
 * an enum cti_recur_kind (tanh, relu, LSTM, GRU), STAGE is described in recur_args.h.
 *   FORWARD ... GATE_GRAD    a thread for each element of a state
 *   FUSED_*                  with the product of the step, by FMAs: a block computes 32 rows and 16
 *                            units with all their gates
 *   TENSOR_*                 the same by 3xTF32 on tensor cores: a block computes 16 rows and 16 units,
 *                            each warp a share of the terms. KEEP: all steps in one launch, see Note
 *                            [Steps of one launch] */
#include "cuda/recur/recur_args.h"

static __device__ T state_before(const recur_args &a, const T *all, const T *first, int64_t row,
                                 int64_t at)
{
    return row < a.before_rows ? all[at] : first[at];
}

/* The inputs of a unit besides the product: those of its gates, and its cell. */
struct step_inputs {
    T g[GATES], c;
};

static __device__ step_inputs inputs_of(const recur_args &a, int64_t row, int64_t j)
{
    step_inputs x;
    for (int i = 0; i < GATES; i++)
        x.g[i] = a.gates[(row * GATES + i) * a.H + j];
    x.c = KIND == 2 ? a.c[row * a.H + j] : (T)0;
    return x;
}

/* s: the product for each gate; old: the state before the step (GRU). Returns the new state, and the
 * new cell in x. */
static __device__ T forward(const recur_args &a, int64_t row, int64_t j, const T *s, T old, step_inputs &x)
{
    const int64_t n = a.H, at = row * n + j;
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

static __device__ void forward(const recur_args &a, int64_t row, int64_t j, const T *s, T old)
{
    step_inputs x = inputs_of(a, row, j);
    forward(a, row, j, s, old, x);
}

/* The inputs of a unit in backward: the values saved by forward, and the gradient of its output. */
struct saved_step {
    T s[GATES], extra, before, cell_before, grad;
};

static __device__ saved_step saved_of(const recur_args &a, int64_t row, int64_t j)
{
    const int64_t at = row * a.H + j;
    saved_step x;
    for (int i = 0; i < GATES; i++)
        x.s[i] = a.gates[(row * GATES + i) * a.H + j];
    x.extra = KIND >= 2 ? a.extra[at] : (T)0;
    x.cell_before = KIND == 2 ? state_before(a, a.cells_before, a.first_cells, row, at) : (T)0;
    x.before = KIND == 3 ? state_before(a, a.before, a.first, row, at) : (T)0;
    x.grad = a.grad_output ? a.grad_output[at] : (T)0;
    return x;
}

/* Returns the gradient of a state. later: the part that comes from the next step in time. */
static __device__ T state_gradient(const recur_args &a, int64_t row, int64_t at, T later)
{
    a.previous[at] = state_before(a, a.before, a.first, row, at);
    return (a.grad_output ? a.grad_output[at] : (T)0) + later;
}

/* grad: the gradient of the state; cell: the gradient of the cell, which is replaced by that of the
 * previous cell. For GRU, returns the part of the previous state's gradient that needs no
 * product. */
static __device__ T backward(const recur_args &a, int64_t row, int64_t j, T grad, T &cell, const saved_step &x)
{
    const int64_t n = a.H, at = row * n + j;
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

static __device__ void backward(const recur_args &a, int64_t row, int64_t j, T grad)
{
    const int64_t at = row * a.H + j;
    T cell = KIND == 2 ? a.grad_c[at] : (T)0;
    const T rest = backward(a, row, j, grad, cell, saved_of(a, row, j));
    if (KIND == 2)
        a.grad_c[at] = cell;
    if (KIND == 3)
        a.grad_h[at] = rest;
}

#if STAGE >= FUSED_FORWARD
#define IS_BACKWARD (STAGE == FUSED_BACKWARD || STAGE == TENSOR_BACKWARD)
#define COLUMNS (IS_BACKWARD ? 1 : GATES) /* results of a product for each unit */
#define UNITS 16                          /* of a block */

struct alignas(16) four {
    T v[4];
};

/* The terms of a product: states, or gradients of gates. */
static __device__ __forceinline__ int64_t terms_of(const recur_args &a)
{
    return IS_BACKWARD ? GATES * a.H : a.P;
}

static __device__ __forceinline__ T weight_at(const recur_args &a, int64_t k, int64_t gate, int64_t unit, int64_t K)
{
    if (unit >= a.H || k >= K)
        return 0;
    return IS_BACKWARD ? a.weight[k * a.H + unit] : a.weight[(gate * a.H + unit) * K + k];
}

/* The rest of a step for one unit, given its products. */
static __device__ void finish(const recur_args &a, int64_t row, int64_t j, const T *product)
{
    const int64_t at = row * a.H + j;
#if IS_BACKWARD
    backward(a, row, j, state_gradient(a, row, at, product[0] + (KIND == 3 ? a.grad_h[at] : (T)0)));
#else
    forward(a, row, j, product, KIND == 3 ? state_before(a, a.before, a.first, row, at) : (T)0);
#endif
}
#endif

#if STAGE >= TENSOR_FORWARD
#include "cuda/common/mma.cuh"
#include "cuda/common/tf32_split.cuh"
#define ROWS 16 /* of a block */
#define TILES (COLUMNS * UNITS / 8)
#define WARPS (IS_BACKWARD ? 16 : 8)
#define CHUNK 32 /* adjacent k, of which lane 4 g + t has 8 t to 8 t + 7 */

/* A lane's share of a chunk of the weight; the columns of a gate are adjacent tiles. */
struct weight_chunk {
    float high[CHUNK / 8][TILES][2], low[CHUNK / 8][TILES][2];
};

static __device__ __forceinline__ void load_weight(const recur_args &a, int k0, int unit0, int K,
                                                  weight_chunk &y)
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
    for (int q = 0; q < CHUNK / 8; q++)
#pragma unroll
        for (int i = 0; i < TILES; i++)
#pragma unroll
            for (int j = 0; j < 2; j++) {
                y.high[q][i][j] = weight_at(a, k0 + 8 * t + 2 * q + j, i / (UNITS / 8),
                                           unit0 + i % (UNITS / 8) * 8 + g, K);
                split(y.high[q][i][j], y.low[q][i][j]);
            }
}

/* Loads the share of a lane in a chunk of the states (or gradients of gates), rows g and g + 8. Other
 * blocks of this launch may have written them, so the loads bypass the L1 cache. */
static __device__ __forceinline__ void load_states(const recur_args &a, int row0, int k0, int K,
                                                 float (&x)[2][8])
{
    const int g = threadIdx.x % 32 / 4, k = k0 + threadIdx.x % 4 * 8;
#pragma unroll
    for (int r = 0; r < 2; r++) {
        const int row = row0 + g + 8 * r;
        const float *const from = IS_BACKWARD             ? a.product
                                  : row < a.before_rows ? a.before
                                                        : a.first;
        const float *const p = from + (int64_t)row * K + k;
#pragma unroll
        for (int e = 0; e < 8; e += VECTOR) {
            const bool there = row < a.B && k + e < K;
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
                                                 const weight_chunk &y)
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

struct partial_sums {
    float parts[WARPS][ROWS][COLUMNS * UNITS + 2];
};

/* The product of a step. Each of the first ROWS * UNITS threads gets the results of its row and unit in
 * `whole`. */
static __device__ __forceinline__ void product(const recur_args &a, int row0, int unit0, int K,
                                               const weight_chunk *kept, partial_sums &r, float *whole)
{
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    float sum[TILES][4] = {};
#if KEEP
    float x[KEEP][2][8];
#pragma unroll
    for (int c = 0; c < KEEP; c++)
        load_states(a, row0, (c * WARPS + warp) * CHUNK, K, x[c]);
#pragma unroll
    for (int c = 0; c < KEEP; c++)
        add_chunk(sum, x[c], kept[c]);
#else
    for (int k0 = warp * CHUNK; k0 < K; k0 += WARPS * CHUNK) {
        float x[2][8];
        weight_chunk y;
        load_states(a, row0, k0, K, x);
        load_weight(a, k0, unit0, K, y);
        add_chunk(sum, x, y);
    }
#endif
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
        for (int e = 0; e < 4; e++)
            r.parts[warp][g + e / 2 * 8][i * 8 + 2 * t + e % 2] = sum[i][e];
    __syncthreads();
    if (threadIdx.x >= ROWS * UNITS)
        return;
    for (int c = 0; c < COLUMNS; c++) {
        whole[c] = 0;
#pragma unroll
        for (int w = 0; w < WARPS; w++)
            whole[c] += r.parts[w][threadIdx.x / UNITS][c * UNITS + threadIdx.x % UNITS];
    }
}

#if KEEP
/* Note [Steps of one launch]
 * A block keeps its part of the weight in registers for all steps. The blocks of a block row, which
 * share their 16 rows, need each other's states from the previous step, so they synchronise on a
 * counter: each increments it when its states are written, and continues when all have. That is
 * safe because the blocks are resident at the same time (a cooperative launch), or because a block
 * row has only one block. The last increment of the last step resets the counter to 0. */
static __device__ void signal(unsigned *counter, unsigned all)
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

/* Advances the pointers of a step to the next one. */
static __device__ void advance(recur_args &a)
{
    const int64_t rows = a.next, states = rows * a.P, gates = rows * GATES * a.H;
    a.gates += gates;
    a.extra += rows * a.H;
    if (!IS_BACKWARD) {
        a.before = a.out;
        a.before_rows = a.B;
        a.out += states;
        return;
    }
    a.product = a.grad_gates;
    a.grad_gates += gates;
    a.grad_last += rows * a.H;
    a.previous += states;
    a.grad_output = a.grad_output ? a.grad_output + states : a.grad_output;
    a.before += states;
    a.cells_before += rows * a.H;
}
#endif

extern "C" __global__ void __launch_bounds__(WARPS * 32, 1)
    recur_tensor_cores(const recur_args first_args)
{
    __shared__ partial_sums r;
    recur_args a = first_args;
    const int unit_blocks = (int)(a.H + UNITS - 1) / UNITS;
    const int row0 = blockIdx.x / unit_blocks * ROWS, unit0 = blockIdx.x % unit_blocks * UNITS;
    const int K = (int)terms_of(a);
    const int64_t row = row0 + threadIdx.x / UNITS, j = unit0 + threadIdx.x % UNITS, at = row * a.H + j;
    const bool valid = threadIdx.x < ROWS * UNITS && row < a.B && j < a.H;
    float whole[COLUMNS];
#if !KEEP
    product(a, row0, unit0, K, nullptr, r, whole);
    if (valid)
        finish(a, row, j, whole);
#else
    unsigned *const counter = a.counters + row0 / ROWS;
    weight_chunk kept[KEEP];
#pragma unroll
    for (int c = 0; c < KEEP; c++)
        load_weight(a, (c * WARPS + threadIdx.x / 32) * CHUNK, unit0, K, kept[c]);
#if !IS_BACKWARD
    T cell = valid && KIND == 2 ? a.c[at] : (T)0, old = valid && KIND == 3 ? a.first[at] : (T)0;
    T *const last_h = a.h, *const last_c = a.c;
    for (int s = 0; s < a.steps; s++) {
        step_inputs x;
        if (valid) {
            x = inputs_of(a, row, j);
            x.c = cell;
        }
        if (s > 0)
            wait_for(counter, (unsigned)(unit_blocks * s));
        product(a, row0, unit0, K, kept, r, whole);
        a.h = s + 1 == a.steps ? last_h : nullptr;
        a.c = s + 1 == a.steps ? last_c : nullptr;
        if (valid) {
            old = forward(a, row, j, whole, old, x);
            cell = x.c;
        }
        a.c = last_c;
        signal(counter, (unsigned)(unit_blocks * a.steps));
        advance(a);
    }
#else
    T cell = valid && KIND == 2 ? a.grad_c[at] : (T)0, rest = 0;
    const unsigned all = (unsigned)(unit_blocks * (a.steps + 1));
    for (int s = 0; s < a.steps; s++) {
        saved_step x;
        a.before_rows = s + 1 < a.steps ? a.B : 0;
        if (valid) {
            x = saved_of(a, row, j);
            a.previous[at] = state_before(a, a.before, a.first, row, at);
        }
        if (s > 0) {
            wait_for(counter, (unsigned)(unit_blocks * s));
            product(a, row0, unit0, K, kept, r, whole);
        } else {
            whole[0] = valid ? a.grad_h[at] : 0;
        }
        if (valid)
            rest = backward(a, row, j, x.grad + whole[0] + rest, cell, x);
        signal(counter, all);
        advance(a);
    }
    wait_for(counter, (unsigned)(unit_blocks * a.steps));
    signal(counter, all);
    product(a, row0, unit0, K, kept, r, whole);
    if (valid) {
        a.grad_h[at] = whole[0] + rest;
        if (KIND == 2)
            a.grad_c[at] = cell;
    }
#endif
#endif
}
#elif STAGE >= FUSED_FORWARD
#define ROWS 32 /* of a block, of which a thread computes two */
#define BK 32

extern "C" __global__ void __launch_bounds__(256) recur_fused(const recur_args a)
{
    __shared__ four lefts[ROWS][BK / 4 + 1], weights[COLUMNS][UNITS][BK / 4 + 1];
    const int64_t unit_blocks = (a.H + UNITS - 1) / UNITS, K = terms_of(a);
    const int64_t row0 = blockIdx.x / unit_blocks * ROWS, unit0 = blockIdx.x % unit_blocks * UNITS;
    const int unit = threadIdx.x % UNITS, row = threadIdx.x / UNITS;
    T sum[2][COLUMNS] = {};
    for (int64_t k0 = 0; k0 < K; k0 += BK) {
        __syncthreads();
        for (int i = threadIdx.x; i < ROWS * BK; i += 256) {
            const int64_t r = row0 + i / BK, k = k0 + i % BK;
            T x = 0;
            if (r < a.B && k < K)
                x = IS_BACKWARD ? a.product[r * K + k] : state_before(a, a.before, a.first, r, r * K + k);
            ((T *)lefts[i / BK])[i % BK] = x;
        }
        for (int i = threadIdx.x; i < COLUMNS * UNITS * BK; i += 256) {
            /* neighbouring threads load adjacent elements of the weight */
            const int g = i / (UNITS * BK), u = IS_BACKWARD ? i % UNITS : i / BK % UNITS;
            const int k = IS_BACKWARD ? i / UNITS : i % BK;
            ((T *)weights[g][u])[k] = weight_at(a, k0 + k, g, unit0 + u, K);
        }
        __syncthreads();
#pragma unroll
        for (int q = 0; q < BK / 4; q++) {
            const four x = lefts[row][q], y = lefts[row + ROWS / 2][q];
            for (int c = 0; c < COLUMNS; c++) {
                const four w = weights[c][unit][q];
                for (int v = 0; v < 4; v++) {
                    sum[0][c] = fma(x.v[v], w.v[v], sum[0][c]);
                    sum[1][c] = fma(y.v[v], w.v[v], sum[1][c]);
                }
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        const int64_t r = row0 + row + i * (ROWS / 2), j = unit0 + unit;
        if (r < a.B && j < a.H)
            finish(a, r, j, sum[i]);
    }
}
#else
extern "C" __global__ void __launch_bounds__(256) recur_step(const recur_args a)
{
    const int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x, columns = STAGE == STATE_GRAD ? a.P : a.H;
    if (i >= a.B * columns)
        return;
    const int64_t row = i / columns, j = i % columns;
    if (STAGE == FORWARD) {
        T sum[GATES];
        for (int g = 0; g < GATES; g++)
            sum[g] = a.product[(row * GATES + g) * a.H + j];
        forward(a, row, j, sum, KIND == 3 ? a.h[i] : (T)0);
    } else if (STAGE == STATE_GRAD)
        a.grad_out[i] = state_gradient(a, row, i, a.grad_h[i]);
    else
        backward(a, row, j, STAGE == BACKWARD ? state_gradient(a, row, i, a.grad_h[i]) : a.grad_out[i]);
}
#endif

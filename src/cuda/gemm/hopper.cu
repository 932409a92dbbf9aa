/* SPDX-License-Identifier: BSD-3-Clause */
/* float32 GEMM on Hopper's tensor cores with float32 accuracy; launched by hopper.c:
 *   C[m, n] = alpha A[m, k] B[k, n] + beta C[m, n] + bias[n]
 * TRANSPOSED: the result is stored transposed, C[n, m], with a bias for each m. Each operand is
 * split into three bfloat16 terms (3 x 8 bits, all of float32's significand), and the six leading
 * of the nine term products keep float32's accuracy (bf16x6). Infinities and NaN cannot be split:
 * they make a result non-finite, and such results are recomputed with FMAs. Below 2^-110 the lowest
 * term underflows, an error below 2^-134.
 *
 * Warp-specialised and persistent: two consumer warpgroups of 64 rows each load and split their
 * fragments of the left operand; a producer warpgroup loads, splits and stores BK-deep stages of
 * the right operand into a ring of STAGES in shared memory. The consumers alternate (ping-pong):
 * one splits while the other's MMAs run. Tensor cores truncate as they accumulate, so each stage
 * sums from zero, small terms first, and is added to the float32 accumulators with
 * round-to-nearest.
 *
 * The order of k is free as long as both operands agree: of each 16 k, lane t of a quad holds 4 t
 * .. 4 t + 3 (k_at), so that a lane's share is one vector load. So is the order of rows and
 * columns: a lane holds rows 2 g and 2 g + 1 of 16, and columns are permuted so that it holds four
 * neighbours (quad_at), which are one vector store, adjacent to that of the next lane. Blocks loop
 * over work items (a tile, or its split-K part) and prefetch across their boundaries. */
#include "cuda/common/wgmma.cuh"
#include "cuda/gemm/gemm_args.h"

#define BM 128
#define BK 32
#define THREADS 384
#define PIECE (BN * BK * 2) /* bytes of one of three bfloat16 terms */
#define STAGE (3 * PIECE)
#define NSUMS (BN / 2) /* accumulators of a thread */
#define AHEAD 1        /* stages of the right operand in flight in registers */
#define LAST 2         /* MMAs still in flight when the other warpgroup may start */
#define LONG 1024      /* K span of an accumulator; longer sums are sums of these */
/* 168 registers a thread on average; the producer hands its share to the consumers. */
#define PRODUCER_REGISTERS 88
#define CONSUMER_REGISTERS 208
static_assert(2 * CONSUMER_REGISTERS + PRODUCER_REGISTERS <= 3 * 168, "registers of a multiprocessor");

extern __shared__ unsigned char shared_memory[];

struct barriers {
    unsigned long long full[STAGES], empty[STAGES], order[2]; /* order: which warpgroup's MMAs may
                                                               * start */
};

/* A block's position in the persistent schedule: a work item, and k within it. */
struct cursor {
    int item, m0, n0, part, batch, k, end;

    __device__ __forceinline__ void go_to(const gemm_args &a, int to)
    {
        item = to;
        m0 = to % a.tiles_m * BM;
        to /= a.tiles_m;
        n0 = to % a.tiles_n * BN;
        to /= a.tiles_n;
        part = to % a.nparts;
        batch = to / a.nparts;
        k = part * a.part_k;
        end = k + a.part_k < a.K ? k + a.part_k : a.K;
    }

    __device__ __forceinline__ void advance(const gemm_args &a)
    {
        k += BK;
        if (k >= end)
            go_to(a, item + gridDim.x);
    }
};

struct ring {
    int stage;
    unsigned parity;

    __device__ __forceinline__ void advance()
    {
        if (++stage == STAGES) {
            stage = 0;
            parity ^= 1;
        }
    }
};

/* Returns the k (of 16) held at a slot of the MMA fragment. */
static __device__ __forceinline__ constexpr int k_at(int at)
{
    return at % 8 / 2 * 4 + at / 8 * 2 + at % 2;
}

/* Columns are permuted so that slots c, c + BN / 4, c + BN / 2, ... hold four neighbours, a quad.
 * quad_at returns the quad at slot c < BN / 4; slot_of_quad is its inverse. */
static __device__ __forceinline__ int quad_at(int at)
{
    return at / 8 * 8 + at % 2 * 4 + at % 8 / 2;
}

static __device__ __forceinline__ int slot_of_quad(int four)
{
    return four / 8 * 8 + four % 4 * 2 + four % 8 / 4;
}

/* Splits two values into packed pairs of bfloat16 terms, largest first. */
static __device__ __forceinline__ void split(float x, float y, unsigned (&piece)[3])
{
#pragma unroll
    for (int i = 0; i < 3; i++) {
        piece[i] = PACK_BF16(y, x);
        x -= __uint_as_float(piece[i] << 16);
        y -= __uint_as_float(piece[i] & 0xffff0000u);
    }
}

/* Loads a vector, or zeros if predicated off. */
template <typename vector> static __device__ __forceinline__ vector load(const float *from, bool inside)
{
    vector x = {};
    if (inside)
        x = *(const vector *)from;
    return x;
}

/* ---- producer: the right operand ---- */

struct right_tile {
    float4 x[BN / 16];

    /* RIGHT_K_MAJOR: vectors of four k, of columns whose slots are 16 apart; else vectors of four
     * columns, of the k that are adjacent in a shared-memory row. */
    template <bool WHOLE> __device__ __forceinline__ void load_all(const gemm_args &a, const cursor &p)
    {
        const int thread = threadIdx.x % 128, warp = thread / 32, lane = thread % 32;
        const long long step = a.ldb;
        const float *const from = a.B + p.batch * a.b_batch;
#if RIGHT_K_MAJOR
        const int n = p.n0 + quad_at(warp * 4 + lane / 8) * 4, k = p.k + lane % 8 * 4;
        const float *const first = from + n * step + k;
#pragma unroll
        for (int i = 0; i < BN / 16; i++) {
            const int more = i % (BN / 64) * 64 + i / (BN / 64);
            x[i] = load<float4>(first + more * step, WHOLE || (n + more < a.N && k < p.end));
        }
#else
        const int n = p.n0 + lane / (128 / BN) * 4, at = warp * 8 + lane % (128 / BN) * 4;
        const int k = p.k + at / 16 * 16 + k_at(at % 16);
        const float *const first = from + k * step + n;
#pragma unroll
        for (int i = 0; i < BN / 16; i++) {
            const int more = k_at(i);
            x[i] = load<float4>(first + more * step, WHOLE || (n < a.N && k + more < p.end));
        }
#endif
    }

    __device__ __forceinline__ void fetch(const gemm_args &a, const cursor &p)
    {
        if (p.n0 + BN <= a.N && p.k + BK <= p.end)
            load_all<true>(a, p);
        else
            load_all<false>(a, p);
    }

    /* K-major rows of 64 bytes, their four 16-byte chunks XOR-swizzled by the row (64B swizzle). */
    __device__ __forceinline__ void put(unsigned char *to) const
    {
        const int thread = threadIdx.x % 128, warp = thread / 32, lane = thread % 32;
#if RIGHT_K_MAJOR
        const int row = warp * 4 + lane / 8, mix = row / 2 % 4, vector = lane % 8 / 4 * 2;
        unsigned char *const low = to + row * 64 + (vector ^ mix) * 16 + lane % 4 * 4;
        unsigned char *const high = to + row * 64 + ((vector + 1) ^ mix) * 16 + lane % 4 * 4;
#pragma unroll
        for (int i = 0; i < BN / 16; i++) {
            unsigned piece[3];
            split(x[i].x, x[i].y, piece);
#pragma unroll
            for (int j = 0; j < 3; j++)
                *(unsigned *)(low + i * 1024 + j * PIECE) = piece[j];
            split(x[i].z, x[i].w, piece);
#pragma unroll
            for (int j = 0; j < 3; j++)
                *(unsigned *)(high + i * 1024 + j * PIECE) = piece[j];
        }
#else
        const float *const v = (const float *)x;
        const int row = slot_of_quad(lane / (128 / BN));
        unsigned char *const line = to + row * 64 + (warp ^ (row / 2 % 4)) * 16;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            unsigned pieces[BN / 32][3];
#pragma unroll
            for (int j = 0; j < BN / 32; j++)
                split(v[j * 8 + i], v[j * 8 + 4 + i], pieces[j]);
#pragma unroll
            for (int j = 0; j < 3; j++) {
                unsigned char *const there = line + i * (BN * 16) + j * PIECE;
#if BN == 64
                *(uint2 *)(there + lane % 2 * 8) = make_uint2(pieces[0][j], pieces[1][j]);
#else
                *(uint4 *)there =
                    make_uint4(pieces[0][j], pieces[1][j], pieces[2][j], pieces[3][j]);
#endif
            }
        }
#endif
    }
};

/* ---- consumers: the left operand, straight into fragments ---- */

struct left_tile {
    float x[2][2][4]; /* [k16][row][k] */

    template <bool WHOLE> __device__ __forceinline__ void load_all(const gemm_args &a, const cursor &p)
    {
        const int lane = threadIdx.x % 32;
        const int m = p.m0 + threadIdx.x / 32 * 16 + lane / 4 * 2, k = p.k + lane % 4 * 4;
        const long long step = a.lda;
        const float *const from = a.A + p.batch * a.a_batch;
#if LEFT_K_MAJOR
        const float *const first = from + m * step + k;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int s = i / 2, r = i % 2;
            const float4 v = load<float4>(first + r * step + s * 16,
                                          WHOLE || (m + r < a.M && k + s * 16 < p.end));
            x[s][r][0] = v.x;
            x[s][r][1] = v.y;
            x[s][r][2] = v.z;
            x[s][r][3] = v.w;
        }
#else
        const float *const first = from + k * step + m;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            const int more = i / 4 * 16 + i % 4;
            const float2 v = load<float2>(first + more * step,
                                          WHOLE || (m < a.M && k + more < p.end));
            x[i / 4][0][i % 4] = v.x;
            x[i / 4][1][i % 4] = v.y;
        }
#endif
    }

    __device__ __forceinline__ void fetch(const gemm_args &a, const cursor &p)
    {
        if (p.m0 + BM <= a.M && p.k + BK <= p.end)
            load_all<true>(a, p);
        else
            load_all<false>(a, p);
    }
};

struct left_pieces {
    unsigned v[2][3][4]; /* [k16][term]: packed pairs */

    __device__ __forceinline__ void take(const left_tile &from)
    {
#pragma unroll
        for (int s = 0; s < 2; s++)
#pragma unroll
            for (int i = 0; i < 4; i++) {
                unsigned piece[3];
                split(from.x[s][i % 2][i / 2 * 2], from.x[s][i % 2][i / 2 * 2 + 1], piece);
#pragma unroll
                for (int j = 0; j < 3; j++)
                    v[s][j][i] = piece[j];
            }
    }
};

/* Issues products FROM to TO of a stage's 12 (6 term pairs by 2 k16), small terms first. */
template <int FROM, int TO>
static __device__ __forceinline__ void begin_products(float (&part)[NSUMS], const left_pieces &left,
                                                      unsigned right)
{
    constexpr int of_left[6] = {2, 0, 1, 1, 0, 0}, of_right[6] = {0, 2, 1, 0, 1, 0};
    /* shared-memory descriptor: 64B swizzle, 8 rows = 512 bytes apart */
    constexpr unsigned long long layout = 2ull << 62 | 512ull / 16 << 32 | 1ull << 16;
#pragma unroll
    for (int i = FROM; i < TO; i++)
        WGMMA(part, left.v[i % 2][of_left[i / 2]],
              layout | (right + of_right[i / 2] * PIECE + i % 2 * 32) / 16, i > 0);
    WGMMA_COMMIT();
}

/* ---- epilogue ---- */

/* The address of a result: in the matrix or, with split-K, in its part's workspace. */
static __device__ __forceinline__ float *dst_of(const gemm_args &a, const cursor &p, int m, int n)
{
    const int row = TRANSPOSED ? n : m, column = TRANSPOSED ? m : n;
    if (a.nparts == 1)
        return a.C + p.batch * a.c_batch + (long long)row * a.ldc + column;
    return a.parts + ((long long)p.batch * a.nparts + p.part) * a.M * a.N +
           (long long)row * (TRANSPOSED ? a.M : a.N) + column;
}

/* A dot product with FMAs. */
static __device__ __forceinline__ float dot_fma(const gemm_args &a, const cursor &p, int m, int n)
{
    const long long left_k = LEFT_K_MAJOR ? 1 : a.lda, right_k = RIGHT_K_MAJOR ? 1 : a.ldb;
    const long long left_m = LEFT_K_MAJOR ? a.lda : 1, right_n = RIGHT_K_MAJOR ? a.ldb : 1;
    const float *const left = a.A + p.batch * a.a_batch + m * left_m;
    const float *const right = a.B + p.batch * a.b_batch + n * right_n;
    float sum = 0;
    for (int k = p.part * a.part_k; k < p.end; k++)
        sum = __fmaf_rn(left[k * left_k], right[k * right_k], sum);
    return sum;
}

/* Scalar epilogue, for results that are not finite or cannot be stored as vectors. */
static __device__ __forceinline__ void store_scalars(const gemm_args &a, const cursor &p, int m0,
                                                     int n0, const float4 *kept)
{
#pragma unroll 1
    for (int i = 0; i < NSUMS; i++) {
        const int m = m0 + i % 4 / 2;
        const int n = n0 + i / 4 % (BN / 32) * 32 + i % 2 * 16 + i / (BN / 8);
        if (m >= a.M || n >= a.N)
            continue;
        float *const to = dst_of(a, p, m, n);
        float sum = ((const float *)&kept[i / 4 * 256 + threadIdx.x])[i % 4];
        if (!(fabsf(sum) <= 3.402823466e38f))
            sum = dot_fma(a, p, m, n);
        if (a.nparts == 1) {
            sum *= a.alpha;
            if (a.beta != 0)
                sum += a.beta * *to;
            if (a.bias)
                sum += a.bias[TRANSPOSED ? m : n];
        }
        *to = sum;
    }
}

/* N neighbours of a result row, as one vector. */
template <int N, typename vector>
static __device__ __forceinline__ void store_vector(const gemm_args &a, float *to, const float *bias,
                                                    const float (&sum)[N])
{
    union {
        vector all;
        float v[N];
    } x, more;
#pragma unroll
    for (int i = 0; i < N; i++)
        x.v[i] = sum[i] * (a.nparts == 1 ? a.alpha : 1);
    if (a.nparts == 1 && a.beta != 0) {
        more.all = *(const vector *)to;
#pragma unroll
        for (int i = 0; i < N; i++)
            x.v[i] += a.beta * more.v[i];
    }
    if (a.nparts == 1 && a.bias) {
        more.all = *(const vector *)bias;
#pragma unroll
        for (int i = 0; i < N; i++)
            x.v[i] += more.v[i];
    }
    *(vector *)to = x.all;
}

/* Vector epilogue: two rows, four columns at a time. */
static __device__ __forceinline__ void store_vectors(const gemm_args &a, const cursor &p, int m, int n,
                                                 const float (&sum)[NSUMS])
{
    float *const first = dst_of(a, p, m, n);
    const long long step = a.nparts == 1 ? a.ldc : TRANSPOSED ? a.M : a.N;
#pragma unroll
    for (int i = 0; i < NSUMS / 8; i++) {
        const int more = i / 2 * 32 + i % 2 * 16; /* column offset */
        float v[2][4];
#pragma unroll
        for (int j = 0; j < 8; j++)
            v[j / 4][j % 4] = sum[(j % 4 * (BN / 32) + i / 2) * 4 + j / 4 * 2 + i % 2];
        if (m >= a.M || n + more >= a.N)
            continue;
#if TRANSPOSED
#pragma unroll
        for (int q = 0; q < 4; q++) {
            const float pair[2] = {v[0][q], v[1][q]};
            store_vector<2, float2>(a, first + (more + q) * step, a.bias + m, pair);
        }
#else
#pragma unroll
        for (int r = 0; r < 2; r++)
            store_vector<4, float4>(a, first + r * step + more, a.bias + n + more, v[r]);
#endif
    }
}

static __device__ __forceinline__ void produce(const gemm_args &a, unsigned char *stages,
                                               barriers &b)
{
    right_tile tile[AHEAD + 1];
    cursor ahead;
    ring at = {0, 1};
    ahead.go_to(a, blockIdx.x);
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
        if (ahead.item < a.items) {
            tile[i].fetch(a, ahead);
            ahead.advance(a);
        }
    cursor here;
    here.go_to(a, blockIdx.x);
    while (here.item < a.items)
#pragma unroll
        for (int i = 0; i <= AHEAD; i++) {
            if (here.item >= a.items)
                break;
            if (ahead.item < a.items) {
                tile[(i + AHEAD) % (AHEAD + 1)].fetch(a, ahead);
                ahead.advance(a);
            }
            BARRIER_WAIT(&b.empty[at.stage], at.parity);
            tile[i].put(stages + at.stage * STAGE);
            FENCE_ASYNC();
            __syncwarp();
            if (threadIdx.x % 32 == 0)
                BARRIER_ARRIVE(&b.full[at.stage]);
            at.advance();
            here.advance(a);
        }
}

/* A consumer thread's state. */
struct consumer {
    left_tile tile[LEFT_AHEAD];
    left_pieces pieces;
    cursor here, ahead;
    ring at;
    unsigned order_parity;
    float part[NSUMS], sum[NSUMS];

    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (int i = 0; i < NSUMS; i++)
            sum[i] = 0;
    }

    __device__ __forceinline__ void begin(const gemm_args &a)
    {
        at = {0, 0};
        order_parity = threadIdx.x / 128 == 0;
        here.go_to(a, blockIdx.x);
        ahead = here;
#pragma unroll
        for (int i = 0; i < LEFT_AHEAD; i++)
            fetch(a, tile[i]);
        clear();
    }

    __device__ __forceinline__ void fetch(const gemm_args &a, left_tile &to)
    {
        if (ahead.item < a.items) {
            to.fetch(a, ahead);
            ahead.advance(a);
        }
    }

    /* Splitting and prefetching overlap the other warpgroup's MMAs. `all & a.zero` makes the order
     * barrier depend on the split terms: the compiler would otherwise sink the splits below it,
     * where they overlap nothing. */
    __device__ __forceinline__ void step(const gemm_args &a, left_tile &now, unsigned stages,
                                         barriers &b)
    {
        const int group = threadIdx.x / 128;
        unsigned all = 0;
        pieces.take(now);
        fetch(a, now);
#pragma unroll
        for (int i = 0; i < 24; i++)
            all |= pieces.v[i / 12][i / 4 % 3][i % 4];
        BARRIER_WAIT(&b.full[at.stage], at.parity);
        BARRIER_WAIT(&b.order[group], order_parity + (all & a.zero));
        WGMMA_BEGIN();
        begin_products<0, 12 - LAST>(part, pieces, stages + at.stage * STAGE);
        begin_products<12 - LAST, 12>(part, pieces, stages + at.stage * STAGE);
        WGMMA_WAIT(1);
        if (threadIdx.x % 32 == 0)
            BARRIER_ARRIVE(&b.order[1 - group]);
        WGMMA_WAIT(0);
#pragma unroll
        for (int i = 0; i < NSUMS; i++)
            KEEP_BEHIND(part[i]);
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            BARRIER_ARRIVE(&b.empty[at.stage]);
#pragma unroll
        for (int i = 0; i < NSUMS; i++)
            sum[i] += part[i];
        at.advance();
        order_parity ^= 1;
        here.k += BK;
    }

    /* Adds the accumulators of earlier spans of LONG k, which are staged in shared memory. */
    __device__ __forceinline__ void add_staged(const float4 *kept)
    {
#pragma unroll
        for (int i = 0; i < NSUMS / 4; i++) {
            const float4 v = kept[i * 256 + threadIdx.x];
            sum[i * 4] += v.x;
            sum[i * 4 + 1] += v.y;
            sum[i * 4 + 2] += v.z;
            sum[i * 4 + 3] += v.w;
        }
    }

    __device__ __forceinline__ void keep(float4 *kept)
    {
#pragma unroll
        for (int i = 0; i < NSUMS / 4; i++)
            kept[i * 256 + threadIdx.x] =
                make_float4(sum[i * 4], sum[i * 4 + 1], sum[i * 4 + 2], sum[i * 4 + 3]);
    }

    __device__ __forceinline__ void store(const gemm_args &a, float4 *kept)
    {
        const int m = here.m0 + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 * 2;
        const int n = here.n0 + threadIdx.x % 4 * 4;
        float zeros[4] = {0, 0, 0, 0}; /* NaN as soon as a sum is not finite */
#pragma unroll
        for (int i = 0; i < NSUMS; i++)
            zeros[i % 4] = __fmaf_rn(sum[i], 0.f, zeros[i % 4]);
        if (a.vectors && zeros[0] + zeros[1] + zeros[2] + zeros[3] == 0) {
            store_vectors(a, here, m, n, sum);
        } else {
            keep(kept);
            store_scalars(a, here, m, n, kept);
        }
    }
};

static __device__ __forceinline__ void consume(const gemm_args &a, unsigned stages, float4 *kept,
                                               barriers &b)
{
    consumer c;
    bool second = false; /* of the double buffer c.tile */
    for (c.begin(a); c.here.item < a.items; c.here.go_to(a, c.here.item + gridDim.x)) {
        bool staged = false;
        for (;;) {
            const int left = c.here.end - c.here.k;
            const int until = left > LONG ? c.here.k + LONG : c.here.end;
            for (; c.here.k < until; second = LEFT_AHEAD > 1 && !second)
                if (second)
                    c.step(a, c.tile[LEFT_AHEAD - 1], stages, b);
                else
                    c.step(a, c.tile[0], stages, b);
            if (staged)
                c.add_staged(kept);
            staged = true;
            if (left <= LONG)
                break;
            c.keep(kept);
            c.clear();
        }
        c.store(a, kept);
        c.clear();
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    gemm_hopper(const __grid_constant__ gemm_args a)
{
    __shared__ barriers b;
    const unsigned start = SHARED_ADDRESS(shared_memory), skip = (1024 - start % 1024) % 1024;
    if (threadIdx.x < STAGES) {
        BARRIER_INIT(&b.full[threadIdx.x], 4);  /* producer warps */
        BARRIER_INIT(&b.empty[threadIdx.x], 8); /* consumer warps */
        if (threadIdx.x < 2)
            BARRIER_INIT(&b.order[threadIdx.x], 4);
    }
    __syncthreads();
    if (threadIdx.x / 128 == 2) {
        FEWER_REGISTERS(PRODUCER_REGISTERS);
        produce(a, shared_memory + skip, b);
    } else {
        MORE_REGISTERS(CONSUMER_REGISTERS);
        consume(a, start + skip, (float4 *)(shared_memory + skip + STAGES * STAGE), b);
    }
}

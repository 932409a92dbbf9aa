/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of float32 matrices on Hopper's tensor cores with float32's accuracy:
 *   out[m, n] = alpha left[m, k] right[k, n] + beta out[m, n] + bias[n]
 * TURNED: the result is out[n, m], and there is a bias for each m. A number is the sum of three of
 * bfloat16, all its bits: six products of these keep what float32 keeps. What is left out, infinite
 * or NaN is found by its result, which is not finite then, and is computed again without them. Of
 * numbers below 2^-110 bits are lost that bfloat16 does not have: what is below 2^-134.
 *
 * A block has BM by BN results. Two warpgroups multiply, 64 rows each, whose numbers of the left
 * factor they load and split themselves; a third one loads, splits and stores the right factor's,
 * BK summands at a time, STAGES of them ahead. Tensor cores cut off what does not fit into a sum,
 * so that each of theirs is short, small terms first, and is added to others rounded to nearest.
 *
 * Which summand stands where does not matter if both factors agree: of 16 of them, numbers 4 t to
 * 4 t + 3 are those of lane t of four (summand_at), one vector to load. Nor does the order of rows
 * and columns: a lane has rows 2 g and 2 g + 1 of 16, and columns stand so that it has four
 * neighbours, one vector to store, beside those of the next lane (four_at). Blocks do one item (a
 * tile, or a part of its summands) after the other, and load the next one's numbers meanwhile. */
#include "wgmma.cuh"

#define BM 128
#define BK 32
#define THREADS 384
#define PIECE (BN * BK * 2) /* bytes of one of three pieces */
#define STAGE (3 * PIECE)
#define NSUMS (BN / 2) /* results of a thread */
#define AHEAD 1        /* stages of the right factor on their way in registers */
#define LAST 2         /* products that run while it is the other warpgroup's turn */
#define LONG 1024      /* summands, of which sums are kept apart */
/* A block has 168 for each thread: those who multiply get what the others give away. */
#define PRODUCER_REGISTERS 88
#define CONSUMER_REGISTERS 208
static_assert(2 * CONSUMER_REGISTERS + PRODUCER_REGISTERS <= 3 * 168, "there are no more");

struct arguments {
    const float *left, *right, *bias;
    float *out, *parts;
    long long left_batch, right_batch, out_batch;
    int left_step, right_step, out_step; /* from a row to the next; k or the row is contiguous */
    int rows, columns, deep, span, nparts;
    int high, wide, items; /* tiles, and with parts and batch */
    int vectors;           /* whether results are stored as such */
    int zero;              /* as the compiler does not know */
    float alpha, beta;
};

extern __shared__ unsigned char room[];

struct barriers {
    unsigned long long full[STAGES], empty[STAGES], turn[2]; /* turn: of a warpgroup to multiply */
};

/* Where a block is: an item, and summands of it. */
struct place {
    int item, m0, n0, part, batch, k, end;

    __device__ __forceinline__ void go_to(const arguments &a, int to)
    {
        item = to;
        m0 = to % a.high * BM;
        to /= a.high;
        n0 = to % a.wide * BN;
        to /= a.wide;
        part = to % a.nparts;
        batch = to / a.nparts;
        k = part * a.span;
        end = k + a.span < a.deep ? k + a.span : a.deep;
    }

    __device__ __forceinline__ void advance(const arguments &a)
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

/* Which summand of 16 stands at a place. */
static __device__ __forceinline__ constexpr int summand_at(int at)
{
    return at % 8 / 2 * 4 + at / 8 * 2 + at % 2;
}

/* Four columns of BN stand BN / 4 places apart. Which four it is whose first stands at one of the
 * first BN / 4 places, and the other way around. */
static __device__ __forceinline__ int four_at(int at)
{
    return at / 8 * 8 + at % 2 * 4 + at % 8 / 2;
}

static __device__ __forceinline__ int place_of_four(int four)
{
    return four / 8 * 8 + four % 4 * 2 + four % 8 / 4;
}

/* Two numbers into pairs of their pieces, the largest first. */
static __device__ __forceinline__ void split(float x, float y, unsigned (&piece)[3])
{
#pragma unroll
    for (int i = 0; i < 3; i++) {
        piece[i] = PACK_BF16(y, x);
        x -= __uint_as_float(piece[i] << 16);
        y -= __uint_as_float(piece[i] & 0xffff0000u);
    }
}

/* Neighbours in memory, or zeros. */
template <typename vector> static __device__ __forceinline__ vector load(const float *from, bool there)
{
    vector x = {};
    if (there)
        x = *(const vector *)from;
    return x;
}

/* ---- the right factor: loaded, split and stored by one warpgroup ---- */

struct right_tile {
    float4 x[BN / 16];

    /* Of RIGHT_DEEP: four summands of columns 16 places apart; else of four columns, summands that
     * stand side by side. */
    template <bool WHOLE> __device__ __forceinline__ void load_all(const arguments &a, const place &p)
    {
        const int thread = threadIdx.x % 128, warp = thread / 32, lane = thread % 32;
        const long long step = a.right_step;
        const float *const from = a.right + p.batch * a.right_batch;
#if RIGHT_DEEP
        const int n = p.n0 + four_at(warp * 4 + lane / 8) * 4, k = p.k + lane % 8 * 4;
        const float *const first = from + n * step + k;
#pragma unroll
        for (int i = 0; i < BN / 16; i++) {
            const int more = i % (BN / 64) * 64 + i / (BN / 64);
            x[i] = load<float4>(first + more * step, WHOLE || (n + more < a.columns && k < p.end));
        }
#else
        const int n = p.n0 + lane / (128 / BN) * 4, at = warp * 8 + lane % (128 / BN) * 4;
        const int k = p.k + at / 16 * 16 + summand_at(at % 16);
        const float *const first = from + k * step + n;
#pragma unroll
        for (int i = 0; i < BN / 16; i++) {
            const int more = summand_at(i);
            x[i] = load<float4>(first + more * step, WHOLE || (n < a.columns && k + more < p.end));
        }
#endif
    }

    __device__ __forceinline__ void fetch(const arguments &a, const place &p)
    {
        if (p.n0 + BN <= a.columns && p.k + BK <= p.end)
            load_all<true>(a, p);
        else
            load_all<false>(a, p);
    }

    /* Rows of 64 bytes, a column's summands; their four vectors change places by the row. */
    __device__ __forceinline__ void put(unsigned char *to) const
    {
        const int thread = threadIdx.x % 128, warp = thread / 32, lane = thread % 32;
#if RIGHT_DEEP
        const int row = warp * 4 + lane / 8, mix = row / 2 % 4, vector = lane % 8 / 4 * 2;
        unsigned char *const one = to + row * 64 + (vector ^ mix) * 16 + lane % 4 * 4;
        unsigned char *const other = to + row * 64 + ((vector + 1) ^ mix) * 16 + lane % 4 * 4;
#pragma unroll
        for (int i = 0; i < BN / 16; i++) {
            unsigned piece[3];
            split(x[i].x, x[i].y, piece);
#pragma unroll
            for (int j = 0; j < 3; j++)
                *(unsigned *)(one + i * 1024 + j * PIECE) = piece[j];
            split(x[i].z, x[i].w, piece);
#pragma unroll
            for (int j = 0; j < 3; j++)
                *(unsigned *)(other + i * 1024 + j * PIECE) = piece[j];
        }
#else
        const float *const v = (const float *)x;
        const int row = place_of_four(lane / (128 / BN));
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

/* ---- the left factor: a thread's own ---- */

struct left_tile {
    float x[2][2][4]; /* of two sixteens of summands, two rows, four summands */

    template <bool WHOLE> __device__ __forceinline__ void load_all(const arguments &a, const place &p)
    {
        const int lane = threadIdx.x % 32;
        const int m = p.m0 + threadIdx.x / 32 * 16 + lane / 4 * 2, k = p.k + lane % 4 * 4;
        const long long step = a.left_step;
        const float *const from = a.left + p.batch * a.left_batch;
#if LEFT_DEEP
        const float *const first = from + m * step + k;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int s = i / 2, r = i % 2;
            const float4 v = load<float4>(first + r * step + s * 16,
                                          WHOLE || (m + r < a.rows && k + s * 16 < p.end));
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
                                          WHOLE || (m < a.rows && k + more < p.end));
            x[i / 4][0][i % 4] = v.x;
            x[i / 4][1][i % 4] = v.y;
        }
#endif
    }

    __device__ __forceinline__ void fetch(const arguments &a, const place &p)
    {
        if (p.m0 + BM <= a.rows && p.k + BK <= p.end)
            load_all<true>(a, p);
        else
            load_all<false>(a, p);
    }
};

struct left_pieces {
    unsigned v[2][3][4]; /* of two sixteens, three pieces */

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

/* part = the products of a stage, small terms first, of which some are begun. */
template <int FROM, int TO>
static __device__ __forceinline__ void begin_products(float (&part)[NSUMS], const left_pieces &left,
                                                      unsigned right)
{
    constexpr int of_left[6] = {2, 0, 1, 1, 0, 0}, of_right[6] = {0, 2, 1, 0, 1, 0};
    /* 64-byte rows with vectors mixed; 8 of them are 512 bytes */
    constexpr unsigned long long layout = 2ull << 62 | 512ull / 16 << 32 | 1ull << 16;
#pragma unroll
    for (int i = FROM; i < TO; i++)
        WGMMA(part, left.v[i % 2][of_left[i / 2]],
              layout | (right + of_right[i / 2] * PIECE + i % 2 * 32) / 16, i > 0);
    WGMMA_COMMIT();
}

/* ---- results ---- */

/* Where a result is stored: in the matrix or, where its summands are in parts, among those. */
static __device__ __forceinline__ float *place_of(const arguments &a, const place &p, int m, int n)
{
    const int row = TURNED ? n : m, column = TURNED ? m : n;
    if (a.nparts == 1)
        return a.out + p.batch * a.out_batch + (long long)row * a.out_step + column;
    return a.parts + ((long long)p.batch * a.nparts + p.part) * a.rows * a.columns +
           (long long)row * (TURNED ? a.rows : a.columns) + column;
}

/* A sum without tensor cores. */
static __device__ __forceinline__ float plain_sum(const arguments &a, const place &p, int m, int n)
{
    const long long left_k = LEFT_DEEP ? 1 : a.left_step, right_k = RIGHT_DEEP ? 1 : a.right_step;
    const long long left_m = LEFT_DEEP ? a.left_step : 1, right_n = RIGHT_DEEP ? a.right_step : 1;
    const float *const left = a.left + p.batch * a.left_batch + m * left_m;
    const float *const right = a.right + p.batch * a.right_batch + n * right_n;
    float sum = 0;
    for (int k = p.part * a.span; k < p.end; k++)
        sum = __fmaf_rn(left[k * left_k], right[k * right_k], sum);
    return sum;
}

/* A thread's results one by one, where some are not finite or cannot be stored as vectors. */
static __device__ __forceinline__ void store_each(const arguments &a, const place &p, int m0, int n0,
                                                  const float4 *kept)
{
#pragma unroll 1
    for (int i = 0; i < NSUMS; i++) {
        const int m = m0 + i % 4 / 2;
        const int n = n0 + i / 4 % (BN / 32) * 32 + i % 2 * 16 + i / (BN / 8);
        if (m >= a.rows || n >= a.columns)
            continue;
        float *const to = place_of(a, p, m, n);
        float sum = ((const float *)&kept[i / 4 * 256 + threadIdx.x])[i % 4];
        if (!(fabsf(sum) <= 3.402823466e38f))
            sum = plain_sum(a, p, m, n);
        if (a.nparts == 1) {
            sum *= a.alpha;
            if (a.beta != 0)
                sum += a.beta * *to;
            if (a.bias)
                sum += a.bias[TURNED ? m : n];
        }
        *to = sum;
    }
}

/* N neighbours of a row of the result, as one vector. */
template <int N, typename vector>
static __device__ __forceinline__ void store_vector(const arguments &a, float *to, const float *bias,
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

/* A thread's results: of two rows, by four columns. */
static __device__ __forceinline__ void store_all(const arguments &a, const place &p, int m, int n,
                                                 const float (&sum)[NSUMS])
{
    float *const first = place_of(a, p, m, n);
    const long long step = a.nparts == 1 ? a.out_step : TURNED ? a.rows : a.columns;
#pragma unroll
    for (int i = 0; i < NSUMS / 8; i++) {
        const int more = i / 2 * 32 + i % 2 * 16; /* columns after the first */
        float v[2][4];
#pragma unroll
        for (int j = 0; j < 8; j++)
            v[j / 4][j % 4] = sum[(j % 4 * (BN / 32) + i / 2) * 4 + j / 4 * 2 + i % 2];
        if (m >= a.rows || n + more >= a.columns)
            continue;
#if TURNED
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

static __device__ __forceinline__ void produce(const arguments &a, unsigned char *stages,
                                               barriers &b)
{
    right_tile tile[AHEAD + 1];
    place ahead;
    ring at = {0, 1};
    ahead.go_to(a, blockIdx.x);
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
        if (ahead.item < a.items) {
            tile[i].fetch(a, ahead);
            ahead.advance(a);
        }
    place here;
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

/* What a warp that multiplies has. */
struct consumer {
    left_tile tile[LEFT_AHEAD];
    left_pieces pieces;
    place here, ahead;
    ring at;
    unsigned turn; /* parity */
    float part[NSUMS], sum[NSUMS];

    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (int i = 0; i < NSUMS; i++)
            sum[i] = 0;
    }

    __device__ __forceinline__ void begin(const arguments &a)
    {
        at = {0, 0};
        turn = threadIdx.x / 128 == 0;
        here.go_to(a, blockIdx.x);
        ahead = here;
#pragma unroll
        for (int i = 0; i < LEFT_AHEAD; i++)
            fetch(a, tile[i]);
        clear();
    }

    __device__ __forceinline__ void fetch(const arguments &a, left_tile &to)
    {
        if (ahead.item < a.items) {
            to.fetch(a, ahead);
            ahead.advance(a);
        }
    }

    /* Numbers are split, and the next ones loaded, while the other warpgroup's products run: the two
     * take turns. That waits for the last of the pieces, as the compiler would rather split while
     * nothing runs. */
    __device__ __forceinline__ void step(const arguments &a, left_tile &now, unsigned stages,
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
        BARRIER_WAIT(&b.turn[group], turn + (all & a.zero));
        WGMMA_BEGIN();
        begin_products<0, 12 - LAST>(part, pieces, stages + at.stage * STAGE);
        begin_products<12 - LAST, 12>(part, pieces, stages + at.stage * STAGE);
        WGMMA_WAIT(1);
        if (threadIdx.x % 32 == 0)
            BARRIER_ARRIVE(&b.turn[1 - group]);
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
        turn ^= 1;
        here.k += BK;
    }

    /* Long sums are sums of sums of LONG summands, which wait in shared memory. */
    __device__ __forceinline__ void add_kept(const float4 *kept)
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

    __device__ __forceinline__ void store(const arguments &a, float4 *kept)
    {
        const int m = here.m0 + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 * 2;
        const int n = here.n0 + threadIdx.x % 4 * 4;
        float zeros[4] = {0, 0, 0, 0}; /* or NaN */
#pragma unroll
        for (int i = 0; i < NSUMS; i++)
            zeros[i % 4] = __fmaf_rn(sum[i], 0.f, zeros[i % 4]);
        if (a.vectors && zeros[0] + zeros[1] + zeros[2] + zeros[3] == 0) {
            store_all(a, here, m, n, sum);
        } else {
            keep(kept);
            store_each(a, here, m, n, kept);
        }
    }
};

static __device__ __forceinline__ void consume(const arguments &a, unsigned stages, float4 *kept,
                                               barriers &b)
{
    consumer c;
    bool other = false; /* of two tiles */
    for (c.begin(a); c.here.item < a.items; c.here.go_to(a, c.here.item + gridDim.x)) {
        bool some = false;
        for (;;) {
            const int left = c.here.end - c.here.k;
            const int until = left > LONG ? c.here.k + LONG : c.here.end;
            for (; c.here.k < until; other = LEFT_AHEAD > 1 && !other)
                if (other)
                    c.step(a, c.tile[LEFT_AHEAD - 1], stages, b);
                else
                    c.step(a, c.tile[0], stages, b);
            if (some)
                c.add_kept(kept);
            some = true;
            if (left <= LONG)
                break;
            c.keep(kept);
            c.clear();
        }
        c.store(a, kept);
        c.clear();
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) k(const __grid_constant__ arguments a)
{
    __shared__ barriers b;
    const unsigned start = SHARED_ADDRESS(room), skip = (1024 - start % 1024) % 1024;
    if (threadIdx.x < STAGES) {
        BARRIER_INIT(&b.full[threadIdx.x], 4);  /* warps that store */
        BARRIER_INIT(&b.empty[threadIdx.x], 8); /* that multiply */
        if (threadIdx.x < 2)
            BARRIER_INIT(&b.turn[threadIdx.x], 4);
    }
    __syncthreads();
    if (threadIdx.x / 128 == 2) {
        FEWER_REGISTERS(PRODUCER_REGISTERS);
        produce(a, room + skip, b);
    } else {
        MORE_REGISTERS(CONSUMER_REGISTERS);
        consume(a, start + skip, (float4 *)(room + skip + STAGES * STAGE), b);
    }
}

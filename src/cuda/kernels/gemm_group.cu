/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of float32 matrices on the tensor cores of a Hopper card with float32's accuracy:
 *   out[m, n] = alpha left[m, k] right[k, n] + beta out[m, n] + bias[n]
 * or parts of these, where k was cut into some. Numbers are split into the sum of two that TF32 has,
 * and three products stand for one; sums of tensor cores, which cut off what does not fit, are BK
 * long. A block has GROUPS_M by 2 / GROUPS_M groups of four warps; each group has 64 by 128 results,
 * multiplies its rows of the left factor, split in registers, by the right one, split in shared
 * memory, where neighbouring k come in fours: right[k / 4][n][k % 4]. */
#define THREADS 256
#define BM (64 * GROUPS_M)
#define BN (256 / GROUPS_M)
#define BK 32
#define LEFT_ROW (LEFT_DEEP ? BK + 4 : BM + 8)
#define LEFT_SIZE ((LEFT_DEEP ? BM : BK) * LEFT_ROW)
#define PLANE ((BN + 1) * 4) /* elements from four k to the next */
#define RIGHT_SIZE (BK / 4 * PLANE)
#define TOO_LARGE 0x7f7ff000u /* bits from which on a number cannot be split */

struct arguments {
    const float *left, *right, *bias;
    float *out, *parts;
    long long left_batch, right_batch, out_batch;
    int left_step, right_step, out_step; /* from a row to the next; k or the row is contiguous */
    int rows, columns, deep, span, nparts;
    float alpha, beta;
};

struct alignas(16) four {
    float v[4];
};
extern __shared__ four shared[];

static __device__ __forceinline__ bool is_too_large(float x)
{
    return (__float_as_uint(x) & 0x7fffffffu) >= TOO_LARGE;
}

/* What is too large stays whole. */
static __device__ __forceinline__ void split(float x, float &high, float &low)
{
    high = __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
    low = x - high;
}

/* ---- the instructions ---- */

#ifdef EMULATED
#define UNIT 1 /* bytes that addresses count */
#define ASM(text)
static void multiply(float (&c)[64], const float (&a)[4], unsigned long long right, int add)
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    for (int j = 0; j < 16; j++) {
        const float *const at = (const float *)right + (j * 8 + g) * 4 + t;
        float four[4] = {}, b[2] = {at[0], at[PLANE]};
        for (int e = 0; e < 4 && add; e++)
            four[e] = c[j * 4 + e];
        emulated_mma(four, a, b);
        for (int e = 0; e < 4; e++)
            c[j * 4 + e] = four[e];
    }
}

static unsigned long long place_of(const float *right)
{
    return (unsigned long long)right;
}
#else
#define UNIT 16
#define ASM(text) asm volatile(text ::: "memory")
/* c = a b, or c += a b: 64 by 8 numbers in registers, 8 by 128 in shared memory. */
static __device__ __forceinline__ void multiply(float (&c)[64], const float (&a)[4],
                                                unsigned long long right, int add)
{
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %69, 0; "
                 "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
                 "{%64, %65, %66, %67}, %68, p, 1, 1; }"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]),
                   "+f"(c[6]), "+f"(c[7]), "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]),
                   "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]), "+f"(c[16]), "+f"(c[17]),
                   "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
                   "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]),
                   "+f"(c[30]), "+f"(c[31]), "+f"(c[32]), "+f"(c[33]), "+f"(c[34]), "+f"(c[35]),
                   "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]), "+f"(c[40]), "+f"(c[41]),
                   "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]),
                   "+f"(c[48]), "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]),
                   "+f"(c[54]), "+f"(c[55]), "+f"(c[56]), "+f"(c[57]), "+f"(c[58]), "+f"(c[59]),
                   "+f"(c[60]), "+f"(c[61]), "+f"(c[62]), "+f"(c[63])
                 : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])),
                   "r"(__float_as_uint(a[2])), "r"(__float_as_uint(a[3])), "l"(right), "r"(add));
}

/* Where a right factor lies: two planes for 8 k, groups of 8 columns 128 bytes apart. */
static __device__ __forceinline__ unsigned long long place_of(const float *right)
{
    const unsigned long long at = __cvta_generic_to_shared(right);
    return (at & 0x3ffff) >> 4 | (unsigned long long)(PLANE * 4 >> 4) << 16 |
           (unsigned long long)(128 >> 4) << 32;
}
#endif

/* ---- tiles ---- */

/* Left: lines of WIDE neighbours, four at a time. */
struct bringing_left {
    static constexpr int wide = LEFT_DEEP ? BK : BM, across = wide / 4, lines = THREADS / across;
    static constexpr int N = BM * BK / 4 / THREADS;
    four x[N];

    __device__ __forceinline__ void fetch(const arguments &a, const float *from, int m0, int k0, int end)
    {
        const int line = (LEFT_DEEP ? m0 : k0) + threadIdx.x / across;
        const int at = (LEFT_DEEP ? k0 : m0) + threadIdx.x % across * 4;
        const int nlines = LEFT_DEEP ? a.rows : end, last = LEFT_DEEP ? end : a.rows;
#pragma unroll
        for (int i = 0; i < N; i++) {
            x[i] = four{};
            if (line + i * lines < nlines && at < last)
                x[i] = *(const four *)(from + (long long)(line + i * lines) * a.left_step + at);
        }
    }

    __device__ __forceinline__ bool put(float *to) const
    {
        bool large = false;
#pragma unroll
        for (int i = 0; i < N; i++) {
            *(four *)(to + (threadIdx.x / across + i * lines) * LEFT_ROW +
                      threadIdx.x % across * 4) = x[i];
#pragma unroll
            for (int j = 0; j < 4; j++)
                large |= is_too_large(x[i].v[j]);
        }
        return large;
    }
};

/* Right: four k of a column. Neighbouring threads have neighbouring k where these are contiguous,
 * else neighbouring columns. */
struct bringing_right {
    static constexpr int N = BN * BK / 4 / THREADS;
    four x[N];

    static __device__ __forceinline__ int column(int i)
    {
        return RIGHT_DEEP ? (threadIdx.x + i * THREADS) / (BK / 4) : (threadIdx.x + i * THREADS) % BN;
    }

    static __device__ __forceinline__ int quad(int i)
    {
        return RIGHT_DEEP ? (threadIdx.x + i * THREADS) % (BK / 4) : (threadIdx.x + i * THREADS) / BN;
    }

    __device__ __forceinline__ void fetch(const arguments &a, const float *from, int n0, int k0, int end)
    {
#pragma unroll
        for (int i = 0; i < N; i++) {
            const int n = n0 + column(i), k = k0 + quad(i) * 4;
            x[i] = four{};
#if RIGHT_DEEP
            if (n < a.columns && k < end)
                x[i] = *(const four *)(from + (long long)n * a.right_step + k);
#else
#pragma unroll
            for (int j = 0; j < 4; j++)
                if (n < a.columns && k + j < end)
                    x[i].v[j] = from[(long long)(k + j) * a.right_step + n];
#endif
        }
    }

    __device__ __forceinline__ bool put(float *high, float *low) const
    {
        bool large = false;
#pragma unroll
        for (int i = 0; i < N; i++) {
            four h, l;
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const bool whole = is_too_large(x[i].v[j]);
                split(x[i].v[j], h.v[j], l.v[j]);
                h.v[j] = whole ? x[i].v[j] : h.v[j];
                l.v[j] = whole ? 0 : l.v[j];
                large |= whole;
            }
            *(four *)(high + quad(i) * PLANE + column(i) * 4) = h;
            *(four *)(low + quad(i) * PLANE + column(i) * 4) = l;
        }
        return large;
    }
};

/* sum += the products of two tiles; row, column: the first that this thread has of the results. */
static __device__ __forceinline__ void multiply_plainly(float (&sum)[64], const float *left,
                                                        const float *high, const float *low, int row,
                                                        int column)
{
#pragma unroll 1
    for (int k = 0; k < BK; k++)
#pragma unroll
        for (int e = 0; e < 64; e++) {
            const int m = row + e / 2 % 2 * 8, n = column + e / 4 * 8 + e % 2;
            const int at = k / 4 * PLANE + n * 4 + k % 4;
            sum[e] = fmaf(left[LEFT_DEEP ? m * LEFT_ROW + k : k * LEFT_ROW + m], high[at] + low[at],
                          sum[e]);
        }
}

static __device__ __forceinline__ float finished(const arguments &a, const float *to, int n, float sum)
{
    sum *= a.alpha;
    if (a.beta != 0)
        sum += a.beta * *to;
    return a.bias ? sum + a.bias[n] : sum;
}

static __device__ __forceinline__ void store(const arguments &a, const float (&sum)[64], int m0, int n0)
{
    const bool whole = a.nparts == 1;
    const int step = whole ? a.out_step : a.columns;
    float *const out = whole ? a.out + blockIdx.z * a.out_batch
                             : a.parts + ((long long)blockIdx.z * a.nparts + blockIdx.y) *
                                             a.rows * a.columns;
#pragma unroll
    for (int e = 0; e < 64; e += 2) {
        const int m = m0 + e / 2 % 2 * 8, n = n0 + e / 4 * 8;
        if (m >= a.rows || n >= a.columns)
            continue;
        float *const to = out + (long long)m * step + n;
        float x = sum[e], y = sum[e + 1];
        if (whole) {
            x = finished(a, to, n, x);
            y = finished(a, to + 1, n + 1, y);
        }
        *(float2 *)to = make_float2(x, y);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) k(const arguments a)
{
    float *const lefts = (float *)shared, *const highs = lefts + 2 * LEFT_SIZE;
    float *const lows = highs + 2 * RIGHT_SIZE;
    const int tiles = (a.rows + BM - 1) / BM;
    const int m0 = blockIdx.x % tiles * BM, n0 = blockIdx.x / tiles * BN;
    const int begin = blockIdx.y * a.span;
    const int end = begin + a.span < a.deep ? begin + a.span : a.deep;
    const float *const one = a.left + blockIdx.z * a.left_batch;
    const float *const other = a.right + blockIdx.z * a.right_batch;
    const int group = threadIdx.x / 128, warp = threadIdx.x % 128 / 32;
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const int row = group % GROUPS_M * 64 + warp * 16 + g, column = group / GROUPS_M * 128;
    const int left_m = LEFT_DEEP ? LEFT_ROW : 1, left_k = LEFT_DEEP ? 1 : LEFT_ROW;
    bringing_left next_left;
    bringing_right next_right;
    float sum[64] = {};
    next_left.fetch(a, one, m0, begin, end);
    next_right.fetch(a, other, n0, begin, end);
    bool large = next_left.put(lefts) | next_right.put(highs, lows);
    ASM("fence.proxy.async;");
    large = __syncthreads_or(large);
    for (int k0 = begin, now = 0; k0 < end; k0 += BK, now = 1 - now) {
        const float *const left = lefts + now * LEFT_SIZE;
        const float *const high = highs + now * RIGHT_SIZE, *const low = lows + now * RIGHT_SIZE;
        float *const to = lefts + (1 - now) * LEFT_SIZE, *const to_high = highs + (1 - now) * RIGHT_SIZE;
        float *const to_low = lows + (1 - now) * RIGHT_SIZE;
        bool next_large;
        next_left.fetch(a, one, m0, k0 + BK, end); /* zeros beyond the end */
        next_right.fetch(a, other, n0, k0 + BK, end);
        if (large) {
            multiply_plainly(sum, left, high, low, row, column + 2 * t);
            next_large = next_left.put(to) | next_right.put(to_high, to_low);
        } else {
            float part[64], x[BK / 8][4], y[BK / 8][4];
            const unsigned long long high_at = place_of(high + column * 4);
            const unsigned long long low_at = place_of(low + column * 4);
#pragma unroll
            for (int s = 0; s < BK / 8; s++)
#pragma unroll
                for (int e = 0; e < 4; e++)
                    split(left[(row + e % 2 * 8) * left_m + (s * 8 + t + e / 2 * 4) * left_k], x[s][e],
                          y[s][e]);
            ASM("wgmma.fence.sync.aligned;");
#pragma unroll
            for (int s = 0; s < BK / 8; s++) {
                const unsigned long long step = s * (2 * PLANE * 4 / UNIT);
                multiply(part, y[s], high_at + step, s > 0);
                multiply(part, x[s], low_at + step, 1);
                multiply(part, x[s], high_at + step, 1);
            }
            ASM("wgmma.commit_group.sync.aligned;");
            next_large = next_left.put(to) | next_right.put(to_high, to_low);
            ASM("wgmma.wait_group.sync.aligned 0;");
#pragma unroll
            for (int e = 0; e < 64; e++)
                sum[e] += part[e];
        }
        ASM("fence.proxy.async;");
        large = __syncthreads_or(next_large);
    }
    store(a, sum, m0 + row, n0 + column + 2 * t);
}

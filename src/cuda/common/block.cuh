/* SPDX-License-Identifier: BSD-3-Clause */
/* Warp and block primitives that kernels share: shuffles of values of any type, inclusive scans of
 * a warp and of a block, and addressing of tensor lines. texts.py resolves the #include. */
#define LANES 32
#define ALL_LANES 0xffffffffu
#define LINE_DIMS 12

static __device__ __forceinline__ int lane_id()
{
    return threadIdx.x % LANES;
}

/* A value of any type as 32-bit words, the unit of a shuffle. */
template <typename T> union words {
    T x;
    unsigned w[(sizeof(T) + 3) / 4];
    __device__ words() {}
};

/* __shfl_up_sync for a value of any type. */
template <typename T> static __device__ __forceinline__ T shuffle_up(const T x, int d)
{
    words<T> v;
    v.x = x;
#pragma unroll
    for (int i = 0; i < (int)(sizeof(T) + 3) / 4; i++)
        v.w[i] = __shfl_up_sync(ALL_LANES, v.w[i], d);
    return v.x;
}

/* Broadcast from one lane. */
template <typename T> static __device__ __forceinline__ T shuffle(const T x, int lane)
{
    words<T> v;
    v.x = x;
#pragma unroll
    for (int i = 0; i < (int)(sizeof(T) + 3) / 4; i++)
        v.w[i] = __shfl_sync(ALL_LANES, v.w[i], lane);
    return v.x;
}

/* Exchange between blocks of one launch: volatile, so that no L1 line serves a stale value. */
template <typename T> static __device__ __forceinline__ void tell_others(T *to, const T x)
{
    words<T> v;
    v.x = x;
#pragma unroll
    for (int i = 0; i < (int)(sizeof(T) + 3) / 4; i++)
        ((volatile unsigned *)to)[i] = v.w[i];
}

template <typename T> static __device__ __forceinline__ T told_by_others(const T *from)
{
    words<T> v;
#pragma unroll
    for (int i = 0; i < (int)(sizeof(T) + 3) / 4; i++)
        v.w[i] = ((const volatile unsigned *)from)[i];
    return v.x;
}

/* Inclusive scan of a warp. Operands are joined in lane order, so `join` need not commute. */
template <typename T, typename J> static __device__ __forceinline__ T scan_warp(T x, const J join)
{
    const int lane = lane_id();
#pragma unroll
    for (int d = 1; d < LANES; d *= 2) {
        const T before = shuffle_up(x, d);
        if (lane >= d)
            x = join(before, x);
    }
    return x;
}

struct sum_of {
    template <typename T> __device__ __forceinline__ T operator()(const T a, const T b) const
    {
        return a + b;
    }
};

/* Exclusive prefix sum over a block of up to 1024 threads, and its total. `room` has 33 elements;
 * it may be reused after the next barrier. */
template <typename T> static __device__ __forceinline__ T sum_before(const T x, T *room, T *all)
{
    const int warp = threadIdx.x / LANES, warps = (blockDim.x + LANES - 1) / LANES;
    const T through = scan_warp(x, sum_of());
    if (lane_id() == LANES - 1)
        room[warp] = through;
    __syncthreads();
    if (warp == 0) {
        const T total = lane_id() < warps ? room[lane_id()] : (T)0;
        const T sum = scan_warp(total, sum_of());
        room[lane_id()] = sum - total;
        if (lane_id() == LANES - 1)
            room[LANES] = sum;
    }
    __syncthreads();
    *all = room[LANES];
    return room[warp] + through - x;
}

/* Lines along one dim of up to three tensors, enumerated over the other dims; see
 * line_strides.h. */
struct lines {
    long long count;
    int ndim, unused;
    long long size[LINE_DIMS], step[3][LINE_DIMS];
};

struct line {
    long long at[3]; /* byte offset in each tensor */
};

static __device__ __forceinline__ line line_at(const lines &l, long long number)
{
    line r = {{0, 0, 0}};
    for (int d = l.ndim - 1; d >= 0; d--) {
        const long long next = l.count <= 0x7fffffff
                                   ? (long long)((unsigned)number / (unsigned)l.size[d])
                                   : number / l.size[d];
        const long long x = number - next * l.size[d];
        number = next;
#pragma unroll
        for (int k = 0; k < 3; k++)
            r.at[k] += x * l.step[k][d];
    }
    return r;
}

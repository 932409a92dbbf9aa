/* SPDX-License-Identifier: BSD-3-Clause */
/* Warp and block primitives shared by kernels: shuffles of values of any type, prefix sums over a
 * warp and over a block, and addresses of tensor lines. */
#include "cuda/common/lines.h"

#define LANES 32
#define ALL_LANES 0xffffffffu

static __device__ __forceinline__ int lane_id()
{
    return threadIdx.x % LANES;
}

/* A value of any type as 32-bit words, the unit of a shuffle. */
template <typename V> union words {
    V x;
    unsigned w[(sizeof(V) + 3) / 4];
    __device__ words() {}
};

/* __shfl_up_sync for a value of any type. */
template <typename V> static __device__ __forceinline__ V shuffle_up(const V x, int d)
{
    words<V> v;
    v.x = x;
#pragma unroll
    for (int i = 0; i < (int)(sizeof(V) + 3) / 4; i++)
        v.w[i] = __shfl_up_sync(ALL_LANES, v.w[i], d);
    return v.x;
}

/* Broadcast from one lane. */
template <typename V> static __device__ __forceinline__ V shuffle(const V x, int lane)
{
    words<V> v;
    v.x = x;
#pragma unroll
    for (int i = 0; i < (int)(sizeof(V) + 3) / 4; i++)
        v.w[i] = __shfl_sync(ALL_LANES, v.w[i], lane);
    return v.x;
}

/* A store that other blocks of the launch read with load_published. Both are volatile, because
 * the L1 caches of multiprocessors are not coherent. */
template <typename V> static __device__ __forceinline__ void publish(V *to, const V x)
{
    words<V> v;
    v.x = x;
#pragma unroll
    for (int i = 0; i < (int)(sizeof(V) + 3) / 4; i++)
        ((volatile unsigned *)to)[i] = v.w[i];
}

template <typename V> static __device__ __forceinline__ V load_published(const V *from)
{
    words<V> v;
#pragma unroll
    for (int i = 0; i < (int)(sizeof(V) + 3) / 4; i++)
        v.w[i] = ((const volatile unsigned *)from)[i];
    return v.x;
}

/* Inclusive scan of a warp. Operands are combined in lane order, so `combine` need not commute. */
template <typename V, typename C>
static __device__ __forceinline__ V scan_warp(V x, const C combine)
{
    const int lane = lane_id();
#pragma unroll
    for (int d = 1; d < LANES; d *= 2) {
        const V before = shuffle_up(x, d);
        if (lane >= d)
            x = combine(before, x);
    }
    return x;
}

struct add_values {
    template <typename V> __device__ __forceinline__ V operator()(const V a, const V b) const
    {
        return a + b;
    }
};

/* Exclusive prefix sum over a block of up to 1024 threads; *total gets the sum over the block.
 * `shared` has 33 elements and may be reused after the next barrier. */
template <typename V>
static __device__ __forceinline__ V exclusive_sum(const V x, V *shared, V *total)
{
    const int warp = threadIdx.x / LANES, warps = (blockDim.x + LANES - 1) / LANES;
    const V through = scan_warp(x, add_values());
    if (lane_id() == LANES - 1)
        shared[warp] = through;
    __syncthreads();
    if (warp == 0) {
        const V own = lane_id() < warps ? shared[lane_id()] : (V)0;
        const V sum = scan_warp(own, add_values());
        shared[lane_id()] = sum - own;
        if (lane_id() == LANES - 1)
            shared[LANES] = sum;
    }
    __syncthreads();
    *total = shared[LANES];
    return shared[warp] + through - x;
}

/* The byte offsets of a line in each of the tensors. */
struct line {
    int64_t offset[3];
};

static __device__ __forceinline__ line line_at(const cti_lines &l, int64_t number)
{
    line r = {{0, 0, 0}};
    for (int d = l.ndim - 1; d >= 0; d--) {
        const int64_t next = l.count <= 0x7fffffff
                                 ? (int64_t)((unsigned)number / (unsigned)l.size[d])
                                 : number / l.size[d];
        const int64_t i = number - next * l.size[d];
        number = next;
#pragma unroll
        for (int k = 0; k < 3; k++)
            r.offset[k] += i * l.stride[k][d];
    }
    return r;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts short lines: a block sorts `per_block` lines in shared memory by a bitonic network over
 * (key, position) pairs, which makes it stable. Lines are padded to a power of 2. WHAT: see
 * order_args.h. Launched by order.c. */
#include "cuda/common/block.cuh"
#include "cuda/order/keys.cuh"
#include "cuda/order/order_args.h"
#define MAX_PAIRS 2048 /* of a block */

#if BITS <= 32
typedef uint64_t pair;

static __device__ __forceinline__ pair pair_of(const KEY key, unsigned position)
{
    return (uint64_t)key << 32 | position;
}

static __device__ __forceinline__ KEY key_in(const pair p)
{
    return (KEY)(p >> 32);
}

static __device__ __forceinline__ unsigned position_in(const pair p)
{
    return (unsigned)p;
}

static __device__ __forceinline__ bool is_less(const pair a, const pair b)
{
    return a < b;
}
#else
struct pair {
    KEY key;
    unsigned position;
};

static __device__ __forceinline__ pair pair_of(const KEY key, unsigned position)
{
    pair p;
    p.key = key;
    p.position = position;
    return p;
}

static __device__ __forceinline__ KEY key_in(const pair &p)
{
    return p.key;
}

static __device__ __forceinline__ unsigned position_in(const pair &p)
{
    return p.position;
}

static __device__ __forceinline__ bool is_less(const pair &a, const pair &b)
{
    return a.key < b.key || (a.key == b.key && a.position < b.position);
}
#endif

static __device__ void store(const sort_args &a, const line &l, int64_t i, const pair &p)
{
    if (a.values)
        *(RAW *)(a.values + l.offset[1] + i * a.value_stride) =
            bits_of(key_in(p), (KEY)a.flip, a.in + l.offset[0] + position_in(p) * a.in_stride);
    if (a.index)
        *(int64_t *)(a.index + l.offset[2] + i * a.index_stride) = position_in(p);
}

extern "C" __global__ void __launch_bounds__(THREADS) order_sort(const sort_args a)
{
    __shared__ alignas(16) char memory[MAX_PAIRS * sizeof(pair)];
    pair *const pairs = (pair *)memory;
    const int all = a.padded * a.per_block;
    const int64_t first = (int64_t)blockIdx.x * a.per_block;
    for (int i = threadIdx.x; i < all; i += THREADS) {
        const int64_t number = first + i / a.padded;
        const int j = i & (a.padded - 1);
        pair p = pair_of((KEY) ~(KEY)0, (unsigned)j | 0x80000000u); /* padding sorts last */
        if (j < a.n && number < a.lines.count) {
            const line l = line_at(a.lines, number);
            const unsigned position =
                WHAT == SORT_GATHERED ? a.positions[number * a.n + j] : (unsigned)j;
            p = pair_of(
                key_of(*(const RAW *)(a.in + l.offset[0] + position * a.in_stride), (KEY)a.flip),
                position);
        }
        pairs[i] = p;
    }
    for (int run = 2; run <= a.padded; run *= 2)
        for (int distance = run / 2; distance > 0; distance /= 2) {
            __syncthreads();
            for (int i = threadIdx.x; i < all / 2; i += THREADS) {
                const int low = 2 * i - (i & (distance - 1)), high = low + distance;
                const bool up = (low & (a.padded - 1) & run) == 0;
                const pair x = pairs[low], y = pairs[high];
                if (is_less(y, x) == up) {
                    pairs[low] = y;
                    pairs[high] = x;
                }
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < all; i += THREADS) {
        const int64_t number = first + i / a.padded;
        const int j = i & (a.padded - 1);
        if (j >= a.n || number >= a.lines.count)
            continue;
#if WHAT == SORT_ONE
        const pair *const own = pairs + (i - j);
        const bool nan = a.nan_wins && key_in(own[a.n - 1]) == MAX_KEY;
        const bool here =
            nan ? key_in(own[j]) == MAX_KEY && (j == 0 || key_in(own[j - 1]) != MAX_KEY)
                : j == a.count;
        if (here)
            store(a, line_at(a.lines, number), 0, own[j]);
#else
        if (j < a.count)
            store(a, line_at(a.lines, number), j, pairs[i]);
#endif
    }
}

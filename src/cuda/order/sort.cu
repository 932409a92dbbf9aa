/* SPDX-License-Identifier: BSD-3-Clause */
/* Short lines, sorted by a block in shared memory: a bitonic network over (key, position) pairs,
 * which makes it stable. A block has `per` lines of `padded` pairs, a power of 2. WHAT: 's' stores
 * the first `count` of each line, 'p' the one of rank `count` alone, 'g' takes positions as given
 * (gathered by select.cu). Launched by order.c. */
#include "cuda/common/block.cuh"
#include "cuda/order/keys.cuh"
#define THREADS 256
#define MOST 2048 /* pairs of a block */

struct arguments {
    const char *in;
    char *values, *index; /* NULL: not wanted */
    const unsigned *given;
    unsigned long long flip;
    long long n, count, in_step, value_step, index_step;
    int padded, per, nan_wins, unused;
    lines all; /* in, values, index */
};

#if BITS <= 32
typedef unsigned long long pair;

static __device__ __forceinline__ pair pair_of(const K key, unsigned at)
{
    return (unsigned long long)key << 32 | at;
}

static __device__ __forceinline__ K key_in(const pair p)
{
    return (K)(p >> 32);
}

static __device__ __forceinline__ unsigned at_in(const pair p)
{
    return (unsigned)p;
}

static __device__ __forceinline__ bool is_less(const pair a, const pair b)
{
    return a < b;
}
#else
struct pair {
    K key;
    unsigned at;
};

static __device__ __forceinline__ pair pair_of(const K key, unsigned at)
{
    pair p;
    p.key = key;
    p.at = at;
    return p;
}

static __device__ __forceinline__ K key_in(const pair &p)
{
    return p.key;
}

static __device__ __forceinline__ unsigned at_in(const pair &p)
{
    return p.at;
}

static __device__ __forceinline__ bool is_less(const pair &a, const pair &b)
{
    return a.key < b.key || (a.key == b.key && a.at < b.at);
}
#endif

static __device__ void store(const arguments &a, const line &l, long long i, const pair &p)
{
    if (a.values)
        *(B *)(a.values + l.at[1] + i * a.value_step) =
            bits_of(key_in(p), (K)a.flip, a.in + l.at[0] + at_in(p) * a.in_step);
    if (a.index)
        *(long long *)(a.index + l.at[2] + i * a.index_step) = at_in(p);
}

extern "C" __global__ void __launch_bounds__(THREADS) order_sort(const arguments a)
{
    __shared__ alignas(16) char memory[MOST * sizeof(pair)];
    pair *const room = (pair *)memory;
    const int all = a.padded * a.per;
    const long long first = (long long)blockIdx.x * a.per;
    const K most = ((K)1 << (BITS - 1)) | (((K)1 << (BITS - 1)) - 1);
    for (int i = threadIdx.x; i < all; i += THREADS) {
        const long long number = first + i / a.padded;
        const int j = i & (a.padded - 1);
        pair p = pair_of((K) ~(K)0, (unsigned)j | 0x80000000u); /* padding sorts last */
        if (j < a.n && number < a.all.count) {
            const line l = line_at(a.all, number);
            const unsigned at = WHAT == 'g' ? a.given[number * a.n + j] : (unsigned)j;
            p = pair_of(key_of(*(const B *)(a.in + l.at[0] + at * a.in_step), (K)a.flip), at);
        }
        room[i] = p;
    }
    for (int run = 2; run <= a.padded; run *= 2)
        for (int distance = run / 2; distance > 0; distance /= 2) {
            __syncthreads();
            for (int i = threadIdx.x; i < all / 2; i += THREADS) {
                const int low = 2 * i - (i & (distance - 1)), high = low + distance;
                const bool up = (low & (a.padded - 1) & run) == 0;
                const pair x = room[low], y = room[high];
                if (is_less(y, x) == up) {
                    room[low] = y;
                    room[high] = x;
                }
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < all; i += THREADS) {
        const long long number = first + i / a.padded;
        const int j = i & (a.padded - 1);
        if (j >= a.n || number >= a.all.count)
            continue;
#if WHAT == 'p'
        const pair *const own = room + (i - j);
        const bool nan = a.nan_wins && key_in(own[a.n - 1]) == most;
        const bool here =
            nan ? key_in(own[j]) == most && (j == 0 || key_in(own[j - 1]) != most) : j == a.count;
        if (here)
            store(a, line_at(a.all, number), 0, own[j]);
#else
        if (j < a.count)
            store(a, line_at(a.all, number), j, room[i]);
#endif
    }
}

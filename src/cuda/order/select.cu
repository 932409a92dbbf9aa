/* SPDX-License-Identifier: BSD-3-Clause */
/* Radix select for topk and medians of long lines: the `count` first elements in (key, position)
 * order without a sort. Key and position form one long number; each launch ('h') fixes one more
 * digit of the last one wanted, from a histogram of the elements that match so far, and the last
 * block to finish picks the digit. 'g' gathers the positions of all up to that one, unordered; 'p'
 * stores that one alone. Launched by order.c. */
#include "cuda/common/block.cuh"
#include "cuda/order/keys.cuh"
#define THREADS 256
#define DIGITS 256

/* The digits known of a line's last element wanted. All zero at first. */
struct known {
    unsigned long long key, key_mask;
    unsigned at, at_mask;
    unsigned left; /* its rank among the matching ones, from 1; 0: not started */
    unsigned done; /* all that match are wanted, or one is left */
    unsigned nans, tickets, slots, unused;
    unsigned counts[DIGITS];
};

struct arguments {
    const char *in;
    char *values, *index;
    known *of;       /* by line */
    unsigned *given; /* 'g': positions, [line][count] */
    unsigned long long flip;
    long long n, count, blocks, in_step; /* blocks: of each line */
    int shift, on_position, nan_wins, single;
    lines all; /* in, values, index */
};

static __device__ __forceinline__ K load_key(const arguments &a, const char *in, long long i)
{
    return key_of(*(const B *)(in + i * a.in_step), (K)a.flip);
}

#if WHAT == 'h'
/* Picks the digit, and the rank among elements that share it. Run by one block. */
static __device__ void choose(const arguments &a, known *s)
{
    __shared__ unsigned room[LANES + 1];
    unsigned all;
    const volatile unsigned *const counts = s->counts;
    const unsigned here = counts[threadIdx.x], before = sum_before(here, room, &all);
    const unsigned nans = *(const volatile unsigned *)&s->nans;
    unsigned left = s->left              ? s->left
                    : a.nan_wins && nans ? (unsigned)a.n - nans + 1
                                         : (unsigned)a.count;
    __syncthreads(); /* all have read the counts */
    s->counts[threadIdx.x] = 0;
    if (before < left && left <= before + here) { /* holds for exactly one thread */
        if (a.on_position) {
            s->at |= threadIdx.x << a.shift;
            s->at_mask |= (unsigned)(DIGITS - 1) << a.shift;
        } else {
            s->key |= (unsigned long long)threadIdx.x << a.shift;
            s->key_mask |= (unsigned long long)(DIGITS - 1) << a.shift;
        }
        left -= before;
        s->left = left;
        s->done = here == 1 || (!a.single && here == left);
        s->tickets = 0;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) order_select_digit(const arguments a)
{
    __shared__ unsigned count[DIGITS], nans, ticket;
    const long long number = blockIdx.x / a.blocks, block = blockIdx.x % a.blocks;
    known *const s = a.of + number;
    const char *const in = a.in + line_at(a.all, number).at[0];
    const K most = ((K)1 << (BITS - 1)) | (((K)1 << (BITS - 1)) - 1);
    const K want = (K)s->key, mask = (K)s->key_mask;
    const unsigned at = s->at, at_mask = s->at_mask;
    if (s->done)
        return;
    count[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        nans = 0;
    __syncthreads();
    for (long long i = block * THREADS + threadIdx.x; i - threadIdx.x < a.n;
         i += a.blocks * THREADS) {
        const K key = i < a.n ? load_key(a, in, i) : 0;
        const bool agrees = i < a.n && (key & mask) == want && ((unsigned)i & at_mask) == at;
        const int digit = !agrees         ? DIGITS
                          : a.on_position ? (int)((unsigned)i >> a.shift) & (DIGITS - 1)
                                          : (int)(key >> a.shift) & (DIGITS - 1);
        const unsigned same = __match_any_sync(ALL_LANES, digit);
        if (agrees && lane_id() == __ffs((int)same) - 1)
            atomicAdd(&count[digit], (unsigned)__popc(same));
        if (a.nan_wins && i < a.n && key == most)
            atomicAdd(&nans, 1u);
    }
    __syncthreads();
    if (count[threadIdx.x])
        atomicAdd(&s->counts[threadIdx.x], count[threadIdx.x]);
    if (threadIdx.x == 0 && nans && s->left == 0)
        atomicAdd(&s->nans, nans);
    __threadfence(); /* counts are visible before the ticket */
    __syncthreads();
    if (threadIdx.x == 0)
        ticket = atomicAdd(&s->tickets, 1u);
    __syncthreads();
    if (ticket == a.blocks - 1) {
        __threadfence();
        choose(a, s);
    }
}
#else
extern "C" __global__ void __launch_bounds__(THREADS) order_select_gather(const arguments a)
{
    const long long number = blockIdx.x / a.blocks, block = blockIdx.x % a.blocks;
    known *const s = a.of + number;
    const line l = line_at(a.all, number);
    const char *const in = a.in + l.at[0];
    const K want = (K)s->key, mask = (K)s->key_mask;
    const unsigned at = s->at, at_mask = s->at_mask;
    for (long long i = block * THREADS + threadIdx.x; i < a.n; i += a.blocks * THREADS) {
        const K key = load_key(a, in, i) & mask;
        const unsigned place = (unsigned)i & at_mask;
        if (WHAT == 'g' && (key < want || (key == want && place <= at)))
            a.given[number * a.count + atomicAdd(&s->slots, 1u)] = (unsigned)i;
        if (WHAT == 'p' && key == want && place == at) {
            *(B *)(a.values + l.at[1]) = *(const B *)(in + i * a.in_step);
            *(long long *)(a.index + l.at[2]) = i;
        }
    }
}
#endif

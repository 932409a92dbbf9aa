/* SPDX-License-Identifier: BSD-3-Clause */
/* Radix select, for topk and kthvalue of long lines: finds the first `count` elements in (key,
 * position) order without a sort. Key and position together form one long number. Each SELECT_DIGIT
 * launch finds one more digit of the last requested element, from a histogram of the elements that
 * match the digits found so far; the last block to finish picks the digit. SELECT_GATHER then
 * gathers the positions of all elements up to that one, unordered. Launched by order.c. */
#include "cuda/common/block.cuh"
#include "cuda/order/keys.cuh"
#include "cuda/order/order_args.h"

static __device__ __forceinline__ KEY load_key(const select_args &a, const char *in, int64_t i)
{
    return key_of(*(const RAW *)(in + i * a.in_stride), (KEY)a.flip);
}

#if WHAT == SELECT_DIGIT
/* Picks the digit, and computes the rank among the elements that share it. Called by one block. */
static __device__ void pick_digit(const select_args &a, select_state *s)
{
    __shared__ unsigned shared[LANES + 1];
    unsigned total;
    const volatile unsigned *const counts = s->counts;
    const unsigned here = counts[threadIdx.x], before = exclusive_sum(here, shared, &total);
    const unsigned nans = *(const volatile unsigned *)&s->nans;
    unsigned rank = s->rank              ? s->rank
                    : a.nan_wins && nans ? (unsigned)a.n - nans + 1
                                         : (unsigned)a.count;
    __syncthreads(); /* all threads have read the counts */
    s->counts[threadIdx.x] = 0;
    if (before < rank && rank <= before + here) { /* true for exactly one thread */
        if (a.on_position) {
            s->position |= threadIdx.x << a.shift;
            s->position_mask |= (unsigned)(DIGITS - 1) << a.shift;
        } else {
            s->key |= (uint64_t)threadIdx.x << a.shift;
            s->key_mask |= (uint64_t)(DIGITS - 1) << a.shift;
        }
        rank -= before;
        s->rank = rank;
        s->done = here == 1 || (!a.single && here == rank);
        s->tickets = 0;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) order_select_digit(const select_args a)
{
    __shared__ unsigned count[DIGITS], nans, ticket;
    const int64_t number = blockIdx.x / a.blocks, block = blockIdx.x % a.blocks;
    select_state *const s = a.states + number;
    const char *const in = a.in + line_at(a.lines, number).offset[0];
    const KEY want = (KEY)s->key, mask = (KEY)s->key_mask;
    const unsigned last = s->position, position_mask = s->position_mask;
    if (s->done)
        return;
    count[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        nans = 0;
    __syncthreads();
    for (int64_t i = block * THREADS + threadIdx.x; i - threadIdx.x < a.n;
         i += a.blocks * THREADS) {
        const KEY key = i < a.n ? load_key(a, in, i) : 0;
        const bool agrees =
            i < a.n && (key & mask) == want && ((unsigned)i & position_mask) == last;
        const int digit = !agrees         ? DIGITS
                          : a.on_position ? (int)((unsigned)i >> a.shift) & (DIGITS - 1)
                                          : (int)(key >> a.shift) & (DIGITS - 1);
        const unsigned same = __match_any_sync(ALL_LANES, digit);
        if (agrees && lane_id() == __ffs((int)same) - 1)
            atomicAdd(&count[digit], (unsigned)__popc(same));
        if (a.nan_wins && i < a.n && key == MAX_KEY)
            atomicAdd(&nans, 1u);
    }
    __syncthreads();
    if (count[threadIdx.x])
        atomicAdd(&s->counts[threadIdx.x], count[threadIdx.x]);
    if (threadIdx.x == 0 && nans && s->rank == 0)
        atomicAdd(&s->nans, nans);
    __threadfence(); /* counts are visible before the ticket */
    __syncthreads();
    if (threadIdx.x == 0)
        ticket = atomicAdd(&s->tickets, 1u);
    __syncthreads();
    if (ticket == a.blocks - 1) {
        __threadfence();
        pick_digit(a, s);
    }
}
#else
extern "C" __global__ void __launch_bounds__(THREADS) order_select_gather(const select_args a)
{
    const int64_t number = blockIdx.x / a.blocks, block = blockIdx.x % a.blocks;
    select_state *const s = a.states + number;
    const line l = line_at(a.lines, number);
    const char *const in = a.in + l.offset[0];
    const KEY want = (KEY)s->key, mask = (KEY)s->key_mask;
    const unsigned last = s->position, position_mask = s->position_mask;
    for (int64_t i = block * THREADS + threadIdx.x; i < a.n; i += a.blocks * THREADS) {
        const KEY key = load_key(a, in, i) & mask;
        const unsigned position = (unsigned)i & position_mask;
        if (WHAT == SELECT_GATHER && (key < want || (key == want && position <= last)))
            a.positions[number * a.count + atomicAdd(&s->slots, 1u)] = (unsigned)i;
        if (WHAT == SELECT_ONE && key == want && position == last) {
            *(RAW *)(a.values + l.offset[1]) = *(const RAW *)(in + i * a.in_stride);
            *(int64_t *)(a.index + l.offset[2]) = i;
        }
    }
}
#endif

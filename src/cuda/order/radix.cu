/* SPDX-License-Identifier: BSD-3-Clause */
/* Stable LSD radix sort of long lines, 8 bits per pass. A block processes one tile of a line.
 * RADIX_COUNT counts the digits of each tile; RADIX_OFFSET computes offsets from the counts by
 * exclusive scans; RADIX_SCATTER ranks the keys of a tile by ballots of warps (multisplit),
 * reorders them in shared memory, and writes them from there, so that runs of equal digits are
 * coalesced. The first pass reads the tensor, the last one writes it. Launched by radix.c. */
#include "cuda/common/block.cuh"
#include "cuda/order/keys.cuh"
#include "cuda/order/order_args.h"
#define WARPS (THREADS / LANES)
#define TILE (THREADS * ITEMS)

static __device__ __forceinline__ KEY load_key(const radix_args &a, const char *in, int64_t number,
                                               int64_t i)
{
    return a.keys ? a.keys[number * a.n + i]
                  : key_of(*(const RAW *)(in + i * a.in_stride), (KEY)a.flip);
}

/* Returns the lanes with the same digit as this lane; lanes without a digit match each other. Eight
 * ballots are faster than __match_any_sync. */
static __device__ __forceinline__ unsigned same_digit(int digit, bool valid)
{
    unsigned same = __ballot_sync(ALL_LANES, valid);
    same = valid ? same : ~same;
#pragma unroll
    for (int bit = 0; bit < 8; bit++) {
        const unsigned set = __ballot_sync(ALL_LANES, digit >> bit & 1);
        same &= digit >> bit & 1 ? set : ~set;
    }
    return same;
}

#if WHAT == RADIX_COUNT
extern "C" __global__ void __launch_bounds__(THREADS) order_radix_count(const radix_args a)
{
    __shared__ unsigned count[DIGITS];
    const int64_t number = blockIdx.x / a.tiles, tile = blockIdx.x % a.tiles;
    const char *const in = a.keys ? a.in : a.in + line_at(a.lines, number).offset[0];
    count[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int64_t i = tile * TILE + k * THREADS + threadIdx.x;
        const bool valid = i < a.n;
        const int digit = valid ? (int)(load_key(a, in, number, i) >> a.shift) & a.mask : 0;
        /* one atomic for all lanes with this digit */
        const unsigned same = same_digit(digit, valid);
        if (valid && lane_id() == __ffs((int)same) - 1)
            atomicAdd(&count[digit], (unsigned)__popc(same));
    }
    __syncthreads();
    a.counts[(number * DIGITS + threadIdx.x) * a.tiles + tile] = count[threadIdx.x];
}
#endif

#if WHAT == RADIX_OFFSET
#define AHEAD 8 /* loads in flight per lane */

/* A warp for each digit of each line. */
extern "C" __global__ void __launch_bounds__(THREADS) order_radix_offset(const radix_args a)
{
    const int64_t row = (int64_t)blockIdx.x * WARPS + threadIdx.x / LANES;
    const int lane = lane_id();
    if (row >= a.lines.count * DIGITS)
        return;
    unsigned *const counts = a.counts + row * a.tiles;
    unsigned so_far = 0;
    for (int64_t i = lane; i - lane < a.tiles; i += AHEAD * LANES) {
        unsigned x[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            x[k] = i + k * LANES < a.tiles ? counts[i + k * LANES] : 0;
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            const unsigned through = so_far + scan_warp(x[k], add_values());
            if (i + k * LANES < a.tiles)
                counts[i + k * LANES] = through - x[k];
            so_far = shuffle(through, LANES - 1);
        }
    }
    if (lane == 0)
        a.totals[row] = so_far;
}
#endif

#if WHAT == RADIX_SCATTER
extern "C" __global__ void __launch_bounds__(THREADS) order_radix_scatter(const radix_args a)
{
    __shared__ unsigned own[WARPS][DIGITS], start[DIGITS], base[DIGITS];
    __shared__ KEY tile_keys[TILE];
    __shared__ unsigned tile_positions[TILE], scratch[2][LANES + 1];
    const int64_t number = blockIdx.x / a.tiles, tile = blockIdx.x % a.tiles;
    const int warp = threadIdx.x / LANES, lane = lane_id();
    const line l = line_at(a.lines, number);
    const char *const in = a.in + l.offset[0];
    const int64_t left = a.n - tile * TILE;
    const int here = left < TILE ? (int)left : TILE;
    KEY key[ITEMS];
    unsigned at[ITEMS], rank[ITEMS];
    for (int w = 0; w < WARPS; w++)
        own[w][threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int i = warp * LANES * ITEMS + k * LANES + lane;
        const int64_t j = tile * TILE + i;
        key[k] = i < here ? load_key(a, in, number, j) : 0;
        at[k] = i >= here ? 0 : a.keys ? a.positions[number * a.n + j] : (unsigned)j;
    }
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const bool valid = warp * LANES * ITEMS + k * LANES + lane < here;
        const int digit = valid ? (int)(key[k] >> a.shift) & a.mask : 0;
        const unsigned same = same_digit(digit, valid);
        const int leader = __ffs((int)same) - 1;
        unsigned before = 0;
        if (valid && lane == leader) {
            before = own[warp][digit];
            own[warp][digit] = before + __popc(same);
        }
        before = __shfl_sync(ALL_LANES, before, leader);
        rank[k] = before + __popc(same & ((1u << lane) - 1));
        __syncwarp();
    }
    __syncthreads();
    unsigned sum = 0, all;
    for (int w = 0; w < WARPS; w++) {
        const unsigned count = own[w][threadIdx.x];
        own[w][threadIdx.x] = sum;
        sum += count;
    }
    const unsigned below =
        exclusive_sum(a.totals[number * DIGITS + threadIdx.x], scratch[0], &all); /* in the line */
    const unsigned first = exclusive_sum(sum, scratch[1], &all);                  /* in the tile */
    start[threadIdx.x] = first;
    base[threadIdx.x] = below + a.counts[(number * DIGITS + threadIdx.x) * a.tiles + tile] - first;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        if (warp * LANES * ITEMS + k * LANES + lane < here) {
            const int digit = (int)(key[k] >> a.shift) & a.mask;
            const unsigned p = start[digit] + own[warp][digit] + rank[k];
            tile_keys[p] = key[k];
            tile_positions[p] = at[k];
        }
    __syncthreads();
    for (int p = threadIdx.x; p < here; p += THREADS) {
        const KEY x = tile_keys[p];
        const unsigned from = tile_positions[p];
        const int64_t to = base[(int)(x >> a.shift) & a.mask] + (unsigned)p;
        if (a.keys_out) {
            a.keys_out[number * a.n + to] = x;
            a.positions_out[number * a.n + to] = from;
            continue;
        }
        if (a.values)
            *(RAW *)(a.values + l.offset[1] + to * a.value_stride) =
                bits_of(x, (KEY)a.flip, in + from * a.in_stride);
        if (a.index)
            *(int64_t *)(a.index + l.offset[2] + to * a.index_stride) = from;
    }
}
#endif

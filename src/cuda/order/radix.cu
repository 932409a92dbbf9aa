/* SPDX-License-Identifier: BSD-3-Clause */
/* LSD radix sort of long lines, 8 bits a pass, stable. A block has a tile of a line. WHAT: 'c'
 * histograms each tile, 'o' turns the counts into offsets by exclusive scans, 's' scatters: warps
 * rank keys by ballots (multisplit), which are reordered in shared memory and written from there,
 * so that runs of equal digits are coalesced. The first pass reads the tensor, the last one writes
 * it. Launched by radix.c. */
#include "cuda/common/block.cuh"
#include "cuda/order/keys.cuh"
#define THREADS 256
#define WARPS (THREADS / LANES)
#define DIGITS 256
#define TILE (THREADS * ITEMS)

struct arguments {
    const char *in;
    char *values, *index; /* of the last pass; NULL: not wanted */
    const K *keys;        /* per line; NULL: taken from `in`, in order */
    const unsigned *at;
    K *keys_out; /* NULL: the last pass */
    unsigned *at_out;
    unsigned *counts, *totals; /* [line][digit][tile], [line][digit] */
    unsigned long long flip;
    long long n, tiles, in_step, value_step, index_step;
    int shift, mask; /* the digit */
    lines all;       /* in, values, index */
};

static __device__ __forceinline__ K load_key(const arguments &a, const char *in, long long number,
                                             long long i)
{
    return a.keys ? a.keys[number * a.n + i] : key_of(*(const B *)(in + i * a.in_step), (K)a.flip);
}

/* The lanes with the same digit (or none) as this one. Eight ballots beat __match_any_sync. */
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

#if WHAT == 'c'
extern "C" __global__ void __launch_bounds__(THREADS) order_radix_count(const arguments a)
{
    __shared__ unsigned count[DIGITS];
    const long long number = blockIdx.x / a.tiles, tile = blockIdx.x % a.tiles;
    const char *const in = a.keys ? a.in : a.in + line_at(a.all, number).at[0];
    count[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const long long i = tile * TILE + k * THREADS + threadIdx.x;
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

#if WHAT == 'o'
#define AHEAD 8 /* loads in flight per lane */

/* A warp for each digit of each line. */
extern "C" __global__ void __launch_bounds__(THREADS) order_radix_offset(const arguments a)
{
    const long long row = (long long)blockIdx.x * WARPS + threadIdx.x / LANES;
    const int lane = lane_id();
    if (row >= a.all.count * DIGITS)
        return;
    unsigned *const counts = a.counts + row * a.tiles;
    unsigned so_far = 0;
    for (long long i = lane; i - lane < a.tiles; i += AHEAD * LANES) {
        unsigned x[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            x[k] = i + k * LANES < a.tiles ? counts[i + k * LANES] : 0;
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            const unsigned through = so_far + scan_warp(x[k], sum_of());
            if (i + k * LANES < a.tiles)
                counts[i + k * LANES] = through - x[k];
            so_far = shuffle(through, LANES - 1);
        }
    }
    if (lane == 0)
        a.totals[row] = so_far;
}
#endif

#if WHAT == 's'
extern "C" __global__ void __launch_bounds__(THREADS) order_radix_scatter(const arguments a)
{
    __shared__ unsigned own[WARPS][DIGITS], start[DIGITS], base[DIGITS];
    __shared__ K tile_keys[TILE];
    __shared__ unsigned tile_at[TILE], room[2][LANES + 1];
    const long long number = blockIdx.x / a.tiles, tile = blockIdx.x % a.tiles;
    const int warp = threadIdx.x / LANES, lane = lane_id();
    const line l = line_at(a.all, number);
    const char *const in = a.in + l.at[0];
    const long long left = a.n - tile * TILE;
    const int here = left < TILE ? (int)left : TILE;
    K key[ITEMS];
    unsigned at[ITEMS], rank[ITEMS];
    for (int w = 0; w < WARPS; w++)
        own[w][threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int i = warp * LANES * ITEMS + k * LANES + lane;
        const long long j = tile * TILE + i;
        key[k] = i < here ? load_key(a, in, number, j) : 0;
        at[k] = i >= here ? 0 : a.keys ? a.at[number * a.n + j] : (unsigned)j;
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
        sum_before(a.totals[number * DIGITS + threadIdx.x], room[0], &all); /* in the line */
    const unsigned first = sum_before(sum, room[1], &all);                  /* in the tile */
    start[threadIdx.x] = first;
    base[threadIdx.x] = below + a.counts[(number * DIGITS + threadIdx.x) * a.tiles + tile] - first;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        if (warp * LANES * ITEMS + k * LANES + lane < here) {
            const int digit = (int)(key[k] >> a.shift) & a.mask;
            const unsigned p = start[digit] + own[warp][digit] + rank[k];
            tile_keys[p] = key[k];
            tile_at[p] = at[k];
        }
    __syncthreads();
    for (int p = threadIdx.x; p < here; p += THREADS) {
        const K x = tile_keys[p];
        const unsigned from = tile_at[p];
        const long long to = base[(int)(x >> a.shift) & a.mask] + (unsigned)p;
        if (a.keys_out) {
            a.keys_out[number * a.n + to] = x;
            a.at_out[number * a.n + to] = from;
            continue;
        }
        if (a.values)
            *(B *)(a.values + l.at[1] + to * a.value_step) =
                bits_of(x, (K)a.flip, in + from * a.in_step);
        if (a.index)
            *(long long *)(a.index + l.at[2] + to * a.index_step) = from;
    }
}
#endif

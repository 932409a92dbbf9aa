/* SPDX-License-Identifier: BSD-3-Clause */
/* Long lines, sorted digit by digit from the lowest, 8 bits each; every pass keeps the order of
 * equal digits. Each block has a tile of a line. WHAT: 'h' counts all digits of all lines; 's'
 * scatters by one digit: keys are ranked in the tile by warps (lanes with equal digits find each
 * other), brought into order in shared memory and written from there, so that runs of equal digits
 * are written side by side. How many equal digits the tiles before have, blocks tell each other:
 * each leaves the counts of its tile, adds up those before until it meets one that has done so
 * already, and leaves the sum. The first pass reads the tensor, the last one writes it. */
#include "block.cuh"
#include "keys.cuh"
#define THREADS 256
#define WARPS (THREADS / LANES)
#define DIGITS 256
#define TILE (THREADS * ITEMS)
/* What is told of a digit: of the tile alone, or of it and all before. */
#define OWN ((COUNT)1 << (8 * sizeof(COUNT) - 2))
#define ALL ((COUNT)2 << (8 * sizeof(COUNT) - 2))

struct arguments {
    const char *in;
    char *values, *index; /* of the last pass; NULL: not wanted */
    const K *keys;        /* by line; NULL: those of `in`, in order */
    const unsigned *at;
    K *keys_out; /* NULL: the last pass */
    unsigned *at_out;
    COUNT *told;      /* [line][tile][digit] */
    unsigned *totals; /* [line][pass][digit] */
    unsigned *ticket; /* blocks that have begun */
    unsigned long long flip;
    long long n, tiles, in_step, value_step, index_step;
    int shift, mask, pass, low, bits, chunks; /* the digit; 'h': all digits, blocks of a line */
    lines all;       /* in, values, index */
};

static __device__ __forceinline__ K load_key(const arguments &a, const char *in, long long number,
                                             long long i)
{
    return a.keys ? a.keys[number * a.n + i] : key_of(*(const B *)(in + i * a.in_step), (K)a.flip);
}

/* The lanes that have the same digit, or none, as this one: eight votes, which are faster than
 * __match_any_sync. */
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

#if WHAT == 'h'
extern "C" __global__ void __launch_bounds__(THREADS) k(const arguments a)
{
    __shared__ unsigned count[PASSES][DIGITS];
    const long long number = blockIdx.x / a.chunks;
    const char *const in = a.in + line_at(a.all, number).at[0];
    for (int p = 0; p < PASSES; p++)
        count[p][threadIdx.x] = 0;
    __syncthreads();
    for (long long tile = blockIdx.x % a.chunks; tile < a.tiles; tile += a.chunks) {
        K key[ITEMS];
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const long long i = tile * TILE + k * THREADS + threadIdx.x;
            key[k] = i < a.n ? load_key(a, in, number, i) : 0;
        }
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const long long i = tile * TILE + k * THREADS + threadIdx.x;
#pragma unroll
            for (int p = 0; p < PASSES && i < a.n; p++) {
                const int shift = a.low + 8 * p, left = a.bits - shift;
                atomicAdd(&count[p][(int)(key[k] >> shift) & ((1 << (left < 8 ? left : 8)) - 1)],
                          1);
            }
        }
    }
    __syncthreads();
    for (int p = 0; p < PASSES; p++)
        if (count[p][threadIdx.x])
            atomicAdd(&a.totals[(number * PASSES + p) * DIGITS + threadIdx.x],
                      count[p][threadIdx.x]);
}
#endif

#if WHAT == 's'
/* How many keys of the tiles before have a thread's digit; `here` are in this tile. */
static __device__ unsigned count_before(const arguments &a, long long number, long long tile,
                                        unsigned here)
{
    volatile COUNT *const told = a.told + number * a.tiles * DIGITS + threadIdx.x;
    COUNT sum = 0, word;
    for (long long t = tile - 1; t >= 0; t--) {
        while ((word = told[t * DIGITS]) == 0) {
        }
        sum += word & (OWN - 1);
        if (word & ALL)
            break;
    }
    told[tile * DIGITS] = ALL | (sum + here);
    return (unsigned)sum;
}

extern "C" __global__ void __launch_bounds__(THREADS, 3) k(const arguments a)
{
    __shared__ unsigned own[WARPS][DIGITS], start[DIGITS], base[DIGITS];
    __shared__ K tile_keys[TILE];
    __shared__ unsigned tile_at[TILE], room[2][LANES + 1], turn;
    if (threadIdx.x == 0)
        turn = atomicAdd(a.ticket, 1);
    __syncthreads();
    const long long number = turn / a.tiles, tile = turn - number * a.tiles;
    const int warp = threadIdx.x / LANES, lane = lane_id();
    const line l = line_at(a.all, number);
    const char *const in = a.in + l.at[0];
    const long long left = a.n - tile * TILE;
    const int here = left < TILE ? (int)left : TILE;
    K key[ITEMS];
    unsigned rank[ITEMS];
    for (int w = 0; w < WARPS; w++)
        own[w][threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int i = warp * LANES * ITEMS + k * LANES + lane;
        const long long j = tile * TILE + i;
        key[k] = i < here ? load_key(a, in, number, j) : 0;
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
    unsigned at[ITEMS]; /* under way while counts meet */
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int i = warp * LANES * ITEMS + k * LANES + lane;
        const long long j = tile * TILE + i;
        at[k] = i >= here ? 0 : a.keys ? a.at[number * a.n + j] : (unsigned)j;
    }
    __syncthreads();
    unsigned sum = 0, all;
    for (int w = 0; w < WARPS; w++) {
        const unsigned count = own[w][threadIdx.x];
        own[w][threadIdx.x] = sum;
        sum += count;
    }
    ((volatile COUNT *)a.told)[(number * a.tiles + tile) * DIGITS + threadIdx.x] = OWN | sum;
    const unsigned *const totals = a.totals + (number * PASSES + a.pass) * DIGITS;
    const unsigned below = sum_before(totals[threadIdx.x], room[0], &all); /* in the line */
    const unsigned first = sum_before(sum, room[1], &all);                 /* in the tile */
    start[threadIdx.x] = first;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        if (warp * LANES * ITEMS + k * LANES + lane < here) {
            const int digit = (int)(key[k] >> a.shift) & a.mask;
            const unsigned p = start[digit] + own[warp][digit] + rank[k];
            tile_keys[p] = key[k];
            tile_at[p] = at[k];
        }
    base[threadIdx.x] = below + count_before(a, number, tile, sum) - first;
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up the parts of a weight's gradient, each of them in the order of its dims, into a weight
 * with any strides. A block has 32 neighbours, of which 8 warps have an eighth of the parts each. */
struct arguments {
    const A *parts;
    MEMORY *weight;
    long long nparts, n, size[4], stride[5]; /* size: without the first dim */
};

extern "C" __global__ void __launch_bounds__(256) conv_partial_sums(const arguments a)
{
    __shared__ A meet[8][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long i = (long long)blockIdx.x * 32 + lane;
    A sum = 0;
#pragma unroll 8
    for (long long p = warp; p < a.nparts; p += 8)
        sum += i < a.n ? a.parts[p * a.n + i] : (A)0;
    meet[warp][lane] = sum;
    __syncthreads();
    if (warp || i >= a.n)
        return;
    for (int w = 1; w < 8; w++)
        sum += meet[w][lane];
    long long rest = i, to = 0;
    for (int d = 3; d >= 0; d--) {
        to += rest % a.size[d] * a.stride[d + 1];
        rest /= a.size[d];
    }
    a.weight[to + rest * a.stride[0]] = STORE(sum);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds partial sums of a weight's gradient, which are contiguous, and stores the gradient with any
 * strides. A block has 32 adjacent elements; each of its 8 warps adds an eighth of their partial
 * sums. Launched by partial_sums.c. */
#include "cuda/common/partial_sums_args.h"

extern "C" __global__ void __launch_bounds__(256) conv_partial_sums(const partial_sums_args a)
{
    __shared__ A warp_sums[8][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t i = (int64_t)blockIdx.x * 32 + lane;
    A sum = 0;
#pragma unroll 8
    for (int64_t p = warp; p < a.nparts; p += 8)
        sum += i < a.n ? a.parts[p * a.n + i] : (A)0;
    warp_sums[warp][lane] = sum;
    __syncthreads();
    if (warp || i >= a.n)
        return;
    for (int w = 1; w < 8; w++)
        sum += warp_sums[w][lane];
    int64_t rest = i, to = 0;
    for (int d = 3; d >= 0; d--) {
        to += rest % a.size[d] * a.stride[d + 1];
        rest /= a.size[d];
    }
    a.weight[to + rest * a.stride[0]] = STORE(sum);
}

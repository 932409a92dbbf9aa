/* SPDX-License-Identifier: BSD-3-Clause */
/* The last step of sums that several blocks have parts of, by 256 threads: 32 neighbours of the
 * result, of which 8 warps have an eighth of the parts each. */
static __device__ __forceinline__ void add_parts(float *out, const float *parts, int nparts, int all)
{
    __shared__ float meet[8][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, i = blockIdx.x * 32 + lane;
    float sum = 0;
#pragma unroll 8
    for (int p = warp; p < nparts; p += 8)
        sum += i < all ? parts[(long long)p * all + i] : 0;
    meet[warp][lane] = sum;
    __syncthreads();
    if (warp || i >= all)
        return;
    for (int w = 1; w < 8; w++)
        sum += meet[w][lane];
    out[i] = sum;
}

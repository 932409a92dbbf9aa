/* SPDX-License-Identifier: BSD-3-Clause */
/* A float32 as the sum of two TF32 numbers, for 3xTF32 products; include common/mma.cuh first. */

/* Splits x into TF32 numbers x + low, exact except for the last bit. For infinities and NaN, low is
 * 0. */
static __device__ __forceinline__ void split(float &x, float &low)
{
    const float high = ROUND_TF32(x), rest = x - high;
    low = fabsf(rest) < 1e38f ? rest : 0;
    x = high;
}

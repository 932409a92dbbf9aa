/* SPDX-License-Identifier: BSD-3-Clause */
/* Overloads of mathematical functions for float and double, for kernels whose element type is T. */
static __device__ __forceinline__ float exponential(float x)
{
    return ctm_exp_f32(x);
}

static __device__ __forceinline__ double exponential(double x)
{
    return ctm_exp_f64(x);
}

static __device__ __forceinline__ T infinity()
{
    return (T)__longlong_as_double(0x7ff0000000000000ll);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* arange and linspace; see struct ramp_args. KIND: 'i' integers, 'f' computed in float64, 's' in
 * float32, 'c' complex. OUT(x) converts to T. */
#include "cuda/pointwise/pointwise_args.h"

template <typename F>
static __device__ __forceinline__ F value_at(const ramp_args &a, F start, F step, F end, int64_t i)
{
    return a.mirrored && i >= a.n / 2 ? end - step * (F)(a.n - 1 - i) : start + step * (F)i;
}

extern "C" __global__ void __launch_bounds__(THREADS) pointwise_ramp(const ramp_args a)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= a.n)
        return;
#if KIND == 'i'
    const int64_t x = (int64_t)((uint64_t)a.int_start + (uint64_t)a.int_step * (uint64_t)i);
#elif KIND == 's'
    const float start = (float)a.start[0], end = (float)a.end[0];
    const float x = value_at(a, start, a.n > 1 ? (end - start) / (float)(a.n - 1) : 0, end, i);
#elif KIND == 'f'
    const double x = value_at(a, a.start[0], a.step[0], a.end[0], i);
#else
    const ct_c128 x = {value_at(a, a.start[0], a.step[0], a.end[0], i),
                       value_at(a, a.start[1], a.step[1], a.end[1], i)};
#endif
    a.out[i] = OUT(x);
}

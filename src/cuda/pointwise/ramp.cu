/* SPDX-License-Identifier: BSD-3-Clause */
/* arange and linspace: start + i * step; linspace counts its second half down from the end, as
 * PyTorch does. KIND: 'i' integers, 'f' in float64, 's' in float32, 'c' complex; OUT(x) casts to
 * T. */
struct arguments {
    T *out;
    long long n, i_start, i_step;
    double start[2], step[2], end[2]; /* real, imaginary */
    int mirrored, unused;
};

template <typename F>
static __device__ __forceinline__ F value_at(const arguments &a, F start, F step, F end,
                                             long long i)
{
    return a.mirrored && i >= a.n / 2 ? end - step * (F)(a.n - 1 - i) : start + step * (F)i;
}

extern "C" __global__ void __launch_bounds__(256) pointwise_ramp(const arguments a)
{
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= a.n)
        return;
#if KIND == 'i'
    const long long x = (long long)((unsigned long long)a.i_start +
                                    (unsigned long long)a.i_step * (unsigned long long)i);
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

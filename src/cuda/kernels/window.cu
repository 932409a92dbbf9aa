/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows: a thread for each element of the result, which walks its box; see core/window.h. The
 * tables of the three dims lie one after the other in device memory. */
struct dim {
    long long in, out, step, width;
    const long long *start, *count, *divisor;
    const double *weight;
};

struct arguments {
    const T *in;
    T *out;
    long long *index;
    long long outer, inner, n;
    dim d[3];
};

extern "C" __global__ void __launch_bounds__(256) k(const arguments a)
{
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= a.n)
        return;
    long long at[3], rest = i / a.inner;
    const long long column = i % a.inner;
    for (int k = 2; k >= 0; k--) {
        at[k] = rest % a.d[k].out;
        rest /= a.d[k].out;
    }
    const T *const from = a.in + rest * a.d[0].in * a.d[1].in * a.d[2].in * a.inner + column;
    double sum = 0, by = 1;
    T best = 0;
    long long found = -1;
    for (long long p = 0; p < a.d[0].count[at[0]]; p++)
        for (long long q = 0; q < a.d[1].count[at[1]]; q++)
            for (long long r = 0; r < a.d[2].count[at[2]]; r++) {
                const long long x = a.d[0].start[at[0]] + p * a.d[0].step;
                const long long y = a.d[1].start[at[1]] + q * a.d[1].step;
                const long long z = a.d[2].start[at[2]] + r * a.d[2].step;
                const long long place = (x * a.d[1].in + y) * a.d[2].in + z;
                const T v = from[place * a.inner];
                if (MAX) {
                    if (found < 0 || v > best || v != v) {
                        best = v;
                        found = place;
                    }
                    continue;
                }
                double share = (double)v;
                share *= a.d[0].weight ? a.d[0].weight[at[0] * a.d[0].width + p] : 1;
                share *= a.d[1].weight ? a.d[1].weight[at[1] * a.d[1].width + q] : 1;
                share *= a.d[2].weight ? a.d[2].weight[at[2] * a.d[2].width + r] : 1;
                sum += share;
            }
    for (int k = 0; k < 3; k++)
        by *= a.d[k].divisor ? (double)a.d[k].divisor[at[k]] : 1;
    a.out[i] = MAX ? best : (T)(sum / by);
    if (MAX && a.index)
        a.index[i] = found;
}

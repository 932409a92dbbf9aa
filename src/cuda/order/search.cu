/* SPDX-License-Identifier: BSD-3-Clause */
/* searchsorted: bisection with the CPU's exact steps, so that unsorted input gives the same
 * results. A thread for each value, and for each index of a sorter, all of which are checked as on
 * the CPU: one out of range is recorded for the host (fault.cuh). */
#include "cuda/common/fault.cuh"

struct arguments {
    const T *sorted, *values;
    const long long *sorter; /* NULL: lines are sorted */
    long long *out;
    fault *bad;
    long long count, n, per_line; /* values in all, elements of a line, values of a line (0: all) */
    long long sorters;            /* indices in all */
    int right, what;
};

extern "C" __global__ void __launch_bounds__(256) order_search(const arguments a)
{
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i < a.sorters && (a.sorter[i] < 0 || a.sorter[i] >= a.n))
        tell(a.bad, a.what, a.sorter[i], a.n);
    if (i >= a.count)
        return;
    const long long first = a.per_line ? i / a.per_line * a.n : 0;
    const T *const line = a.sorted + first, v = a.values[i];
    long long low = 0, left = a.n;
    while (left > 0) {
        const long long half = left >> 1;
        long long at = low + half;
        if (a.sorter) {
            at = a.sorter[first + at];
            at = at < 0 ? 0 : at >= a.n ? a.n - 1 : at; /* stay in bounds */
        }
        const T x = line[at];
        if (!(a.right ? x > v : x >= v)) {
            low += half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    a.out[i] = low;
}

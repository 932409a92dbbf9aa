/* SPDX-License-Identifier: BSD-3-Clause */
/* searchsorted: bisection with exactly the CPU's steps, so that unsorted input gives the same
 * results. A thread searches one value and checks one index of the sorter: as on the CPU, all
 * indices are checked, and one that is out of range is recorded for the host. */
#include "cuda/common/fault.cuh"
#include "cuda/order/order_args.h"

extern "C" __global__ void __launch_bounds__(THREADS) order_search(const search_args a)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < a.sorter_count && (a.sorter[i] < 0 || a.sorter[i] >= a.n))
        record_fault(a.fault, CTI_FAULT_SORTER, a.sorter[i], a.n);
    if (i >= a.count)
        return;
    const int64_t first = a.values_per_line ? i / a.values_per_line * a.n : 0;
    const T *const line = a.sorted + first, v = a.values[i];
    int64_t low = 0, left = a.n;
    while (left > 0) {
        const int64_t half = left >> 1;
        int64_t at = low + half;
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

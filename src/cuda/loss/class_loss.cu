/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross entropy with class indices; see core/class_loss.h. Launched by class_loss.c. The loss uses
 * one block: its threads sum rows in double, and a tree combines the threads, so that every run
 * gives the same bits. The derivative (BACK) uses a thread for each element. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/common/fault.cuh"
#include "cuda/common/real.cuh"
#include "cuda/loss/class_loss_args.h"

#if BACK
extern "C" __global__ void __launch_bounds__(THREADS) class_loss_backward(const class_loss_args a)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= a.rows * a.classes)
        return;
    const int64_t row =
        a.classes < 0x7fffffff && i < 0x7fffffff ? (int)i / (int)a.classes : i / a.classes;
    const int64_t target = a.target[row];
    const T share = target == a.ignore_index ? (T)0 : a.mean ? a.grad[0] / a.total[0] : a.grad[0];
    const T all = exponential(a.input[i] - a.lse[row]) * share;
    a.result[i] = i - row * a.classes == target && target != a.ignore_index ? all - share : all;
}
#else
extern "C" __global__ void __launch_bounds__(THREADS) class_loss_forward(const class_loss_args a)
{
    __shared__ double sums[THREADS];
    __shared__ int counts[THREADS];
    double sum = 0;
    int count = 0;
#pragma unroll 4
    for (int row = threadIdx.x; row < (int)a.rows; row += THREADS) {
        const int64_t target = a.target[row];
        if (target == a.ignore_index)
            continue;
        if (target < 0 || target >= a.classes) {
            record_fault(a.fault, CTI_FAULT_GATHER + 2 * CTI_FAULT_DIM, target, a.classes);
            continue;
        }
        sum += (double)(a.lse[row] - a.input[row * a.classes + target]);
        count++;
    }
    sums[threadIdx.x] = sum;
    counts[threadIdx.x] = count;
    for (int half = THREADS / 2; half; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half) {
            sums[threadIdx.x] += sums[threadIdx.x + half];
            counts[threadIdx.x] += counts[threadIdx.x + half];
        }
    }
    if (threadIdx.x)
        return;
    a.total[0] = (T)counts[0];
    a.loss[0] = a.mean ? (T)sums[0] / (T)counts[0] : (T)sums[0];
}
#endif

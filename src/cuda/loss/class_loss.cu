/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross entropy with class indices; see core/class_loss.h. Launched by class_loss.c. The loss: one
 * block, whose threads sum rows in double, then a reduction tree, so that every run gives the same
 * bits. Its derivative (BACK): a thread for each element. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/common/fault.cuh"
#define THREADS 256

struct arguments {
    const T *input;
    const long long *target;
    const T *lse, *grad;
    T *loss, *total, *result;
    fault *bad;
    long long rows, classes, ignore;
    int mean, what;
};

#if BACK
extern "C" __global__ void __launch_bounds__(THREADS) class_loss_backward(const arguments a)
{
    const long long i = (long long)blockIdx.x * THREADS + threadIdx.x;
    if (i >= a.rows * a.classes)
        return;
    const long long row = a.classes < 0x7fffffff && i < 0x7fffffff ? (int)i / (int)a.classes
                                                                   : i / a.classes;
    const long long target = a.target[row];
    const T share = target == a.ignore ? (T)0 : a.mean ? a.grad[0] / a.total[0] : a.grad[0];
    const T all = EXP(a.input[i] - a.lse[row]) * share;
    a.result[i] = i - row * a.classes == target && target != a.ignore ? all - share : all;
}
#else
extern "C" __global__ void __launch_bounds__(THREADS) class_loss_forward(const arguments a)
{
    __shared__ double sums[THREADS];
    __shared__ int counts[THREADS];
    double sum = 0;
    int count = 0;
#pragma unroll 4
    for (int row = threadIdx.x; row < (int)a.rows; row += THREADS) {
        const long long target = a.target[row];
        if (target == a.ignore)
            continue;
        if (target < 0 || target >= a.classes) {
            tell(a.bad, a.what, target, a.classes);
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

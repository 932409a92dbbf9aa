/* SPDX-License-Identifier: BSD-3-Clause */
/* The switches of corten/cuda.h, by which a program controls what NVIDIA's libraries may do.
 * Engines read them at each call, so that a change takes effect at the next call. */
#include "corten/cuda.h"

static int values[CT_CUDA_SWITCHES] = {
    [CT_CUDA_FP16_REDUCED] = 1,      [CT_CUDA_BF16_REDUCED] = 1, [CT_CUDNN_ENABLED] = 1,
    [CT_CUDNN_BENCHMARK_LIMIT] = 10, [CT_CUDNN_CONV_TF32] = 1,   [CT_CUDNN_RNN_TF32] = 1,
};

int ct_cuda_switch(enum ct_cuda_switch which)
{
    if ((unsigned)which >= CT_CUDA_SWITCHES)
        return -1;
    return __atomic_load_n(&values[which], __ATOMIC_RELAXED);
}

void ct_cuda_set_switch(enum ct_cuda_switch which, int value)
{
    if ((unsigned)which < CT_CUDA_SWITCHES)
        __atomic_store_n(&values[which], value, __ATOMIC_RELAXED);
}

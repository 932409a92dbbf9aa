/* SPDX-License-Identifier: BSD-3-Clause */
/* The switch of products: whether float32 factors may be rounded to TF32, as PyTorch's. */
#ifndef CORTEN_CUDA_GEMM_H
#define CORTEN_CUDA_GEMM_H

#include <stdbool.h>

void cti_cuda_set_tf32(bool allow);
bool cti_cuda_tf32(void);

#endif

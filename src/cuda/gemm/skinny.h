/* SPDX-License-Identifier: BSD-3-Clause */
/* float32 GEMM with few rows, implemented in skinny.c. */
#ifndef CORTEN_CUDA_GEMM_SKINNY_H
#define CORTEN_CUDA_GEMM_SKINNY_H

#include "core/gemm.h"

/* DECLINED: the kernel does not support the product, or would not be faster. */
enum cti_status cti_cuda_gemm_skinny(const struct cti_gemm *work);

#endif

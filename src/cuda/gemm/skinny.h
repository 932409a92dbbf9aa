/* SPDX-License-Identifier: BSD-3-Clause */
/* GEMM with few rows; skinny.c. */
#ifndef CORTEN_CUDA_GEMM_SKINNY_H
#define CORTEN_CUDA_GEMM_SKINNY_H

#include "core/gemm.h"

/* 1: launched; 0: not for this kernel; -1: failed. */
int cti_cuda_gemm_skinny(const struct cti_gemm *work);

#endif

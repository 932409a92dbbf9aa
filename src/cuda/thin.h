/* SPDX-License-Identifier: BSD-3-Clause */
/* Skinny GEMM; thin.c. */
#ifndef CORTEN_CUDA_THIN_H
#define CORTEN_CUDA_THIN_H

#include "core/gemm.h"

/* 1: launched; 0: not for this kernel; -1: failed. */
int cti_cuda_thin(const struct cti_gemm *work);

#endif

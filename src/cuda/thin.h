/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with few rows; thin.c. */
#ifndef CORTEN_CUDA_THIN_H
#define CORTEN_CUDA_THIN_H

#include "core/gemm.h"

/* 1: sent; 0: not for this kernel; -1: failed. */
int cti_cuda_thin(const struct cti_gemm *work);

#endif

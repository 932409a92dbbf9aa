/* SPDX-License-Identifier: BSD-3-Clause */
/* The gemm engine of the CPU. Note [Ways of a product]: gemm.c picks one by the shape and type,
 * never by the number of threads or their luck, so that a product has the same bits every time:
 *   tiny    loops in tiny.c, below the cost of any preparation
 *   vector  a matrix times a vector, or two vectors: vector.c, bound by memory
 *   direct  float32 and float64 that stay in the caches: direct.c, no preparation at all
 *   packed  everything else: packed.c, operands copied into panels for the kernels of simd/
 *   blas    the library of blas.h, when CORTEN_BLAS names one or simd/ has only baseline kernels */
#ifndef CORTEN_CPU_GEMM_H
#define CORTEN_CPU_GEMM_H

#include "core/gemm.h"

/* False: out of memory, the error is set and C is as it was. */
bool cti_cpu_gemm(const struct cti_gemm *g);

/* The ways, for gemm.c alone. Sizes are at least 1. */
enum { CTI_GEMM_TINY_COLS = 16 };
void cti_gemm_tiny(const struct cti_gemm *g); /* float32 and float64, n <= CTI_GEMM_TINY_COLS */
bool cti_gemm_vector(
    const struct cti_gemm *g); /* n is 1; a_col or a_row is 1; no narrow integers */
bool cti_gemm_is_direct(const struct cti_gemm *g);
void cti_gemm_direct(const struct cti_gemm *g); /* if it is */
bool cti_gemm_packed(const struct cti_gemm *g);
/* *done is false when there is no library or it does not do such products; nothing happened. */
bool cti_gemm_blas(const struct cti_gemm *g, bool *done);

#endif

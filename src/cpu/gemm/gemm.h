/* SPDX-License-Identifier: BSD-3-Clause */
/* The gemm engine of the CPU. Note [GEMM paths]: gemm.c dispatches by shape and type, never by the
 * number of threads or by timing, so that a product has the same bits every time:
 *   tiny    loops in tiny.c, for sizes where any setup would cost more
 *   vector  gemv and dot: vector.c, bound by memory bandwidth
 *   direct  float32 and float64 that stay in cache: direct.c, no packing
 *   packed  everything else: packed.c, operands packed into panels for the micro-kernels of simd/
 *   blas    the library of blas.h, if CORTEN_BLAS names one or simd/ has only baseline kernels */
#ifndef CORTEN_CPU_GEMM_H
#define CORTEN_CPU_GEMM_H

#include "core/gemm.h"
#include "cpu/gemm/gather.h"

/* Extends a product on the packed path to convolutions: operands are gathered from images, and the
 * result is scattered. The batch consists of `groups` matrices for each of several parts; a part is
 * part_images images, the last one perhaps fewer. */
struct cti_gemm_im2col {
    const struct cti_gemm_gather *a, *b;          /* NULL: an ordinary strided operand */
    const struct cti_gemm_positions *rows, *cols; /* of the result; NULL: strided */
    int64_t groups, a_part, b_part, c_part;       /* part strides, elements */
    int64_t images, part_images;
    enum ct_dtype c_dtype; /* of the result: the operands', or the accumulation type of halves */
};

/* Cache blocking parameters, from the processor's own description;
 * CORTEN_GEMM=a,b,direct,k,tiles,shared in the environment (kilobytes) overrides them. Only k and
 * tiles affect bits: sums are formed k block by k block. */
struct cti_gemm_limits {
    int64_t a_bytes;       /* packed: the A block, a quarter of L2 */
    int64_t b_bytes;       /* the B block: a share of L3 */
    int64_t direct_bytes;  /* direct: B, as far as it fits L2 with the other operands */
    int64_t k_bytes;       /* packed: a row of the A block (KC) */
    int64_t tiles_k_bytes; /* the same for AMX, whose accumulators stay in tiles over all of k */
    int64_t shared_bytes;  /* panels shared by all threads: half of the last-level cache */
};
const struct cti_gemm_limits *cti_gemm_limits(void);

/* The paths. Sizes are at least 1; im2col may be NULL. */
enum { CTI_GEMM_TINY_COLS = 16 };
void cti_gemm_tiny(const struct cti_gemm *g); /* float32 and float64, n <= CTI_GEMM_TINY_COLS */
/* n is 1, and a_col or a_row is 1. */
bool cti_gemm_vector(const struct cti_gemm *g);
bool cti_gemm_is_direct(const struct cti_gemm *g);
void cti_gemm_direct(const struct cti_gemm *g); /* if cti_gemm_is_direct */
bool cti_gemm_packed(const struct cti_gemm *g, const struct cti_gemm_im2col *im2col);
/* If there is no library or it lacks such products, sets *done to false and does nothing. */
bool cti_gemm_blas(const struct cti_gemm *g, bool *done);

#endif

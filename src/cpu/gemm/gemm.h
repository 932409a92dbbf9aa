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
#include "cpu/gemm/gather.h"

/* False: out of memory, the error is set and C is as it was. */
bool cti_cpu_gemm(const struct cti_gemm *g);

/* More than a product can say: what a convolution asks of the packed way. The batch of a product is
 * `groups` matrices for each of several parts, which take part_images images each of all. */
struct cti_gemm_extra {
    const struct cti_gemm_gather *a, *b;       /* NULL: the factor lies as the product says */
    const struct cti_gemm_places *rows, *cols; /* of the result; NULL: as the product says */
    int64_t groups, a_part, b_part, c_part;    /* strides from part to part, elements */
    int64_t images, part_images;
    enum ct_dtype c_dtype; /* of the result: the factors', or the type of sums of halves */
};

/* How much of the caches the ways use, from the processor's own description;
 * CORTEN_GEMM=a,b,direct,k,tiles,shared in the environment (kilobytes) tries others. Only k and
 * tiles change a sum: it is made block by block of k. */
struct cti_gemm_limits {
    int64_t a_bytes;       /* packed: of A in a block, a quarter of L2 */
    int64_t b_bytes;       /* of B: a share of the L3 cache */
    int64_t direct_bytes;  /* direct: of B, what L2 holds beside the rest */
    int64_t k_bytes;       /* packed: of a row of A in a block */
    int64_t tiles_k_bytes; /* the same for AMX: sums that need no second block stay in tiles */
    int64_t shared_bytes;  /* of panels that all threads share: half of the outer cache */
};
const struct cti_gemm_limits *cti_gemm_limits(void);

/* The ways, for gemm.c and conv.c. extra may be NULL. Sizes are at least 1. */
enum { CTI_GEMM_TINY_COLS = 16 };
void cti_gemm_tiny(const struct cti_gemm *g); /* float32 and float64, n <= CTI_GEMM_TINY_COLS */
bool cti_gemm_vector(
    const struct cti_gemm *g); /* n is 1; a_col or a_row is 1; no narrow integers */
bool cti_gemm_is_direct(const struct cti_gemm *g);
void cti_gemm_direct(const struct cti_gemm *g); /* if it is */
bool cti_gemm_packed(const struct cti_gemm *g, const struct cti_gemm_extra *extra);
/* *done is false when there is no library or it does not do such products; nothing happened. */
bool cti_gemm_blas(const struct cti_gemm *g, bool *done);

#endif

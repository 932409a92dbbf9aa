/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversion between tensors and the panels of the micro-kernels: operands are packed and
 * converted, accumulators are merged into the result. Called by packed.c for one block at a time;
 * handles every data type, but neither threads nor blocking. See Note [Units] in kernel.h. */
#ifndef CORTEN_CPU_GEMM_PACK_H
#define CORTEN_CPU_GEMM_PACK_H

#include "core/gemm.h"
#include "cpu/gemm/gather.h"
#include "cpu/gemm/kernel.h"
#include "cpu/isa.h"

/* An operand in the form that packing uses: w counts rows of A or columns of B. Strides are in
 * elements. */
struct cti_gemm_side {
    enum ct_dtype dtype;
    enum cti_gemm_unit unit;
    const char *data;
    int64_t w_stride, k_stride;
    int64_t k; /* elements, not units */
    bool conj;
    bool expand; /* complex B: each element becomes two by two units */
    bool tiles;  /* A in AMX tile layout, see kernel.h */
    /* NULL, or the im2col matrix of the image at data; strides are not used. Images with index >=
     * `images` read as 0. */
    const struct cti_gemm_gather *gather;
    int64_t images;
};

/* The epilogue: c = alpha * sum + beta * c, without reading c when beta is 0. */
struct cti_gemm_target {
    enum ct_dtype dtype;
    char *c; /* first element of the matrix */
    int64_t row, col;
    double alpha[2], beta[2];
    /* NULL, or added last: element (i, j) gets bias[i * bias_row + j * bias_col]. */
    const char *bias;
    int64_t bias_row, bias_col;
    const struct cti_gemm_positions *rows, *cols; /* used by packed.c: at most one is set */
};

#ifdef CT_ISA
/* The pack and store functions of struct cti_gemm_kernels, compiled once for each instruction
 * set. */
void CTI_ISA_NAME(cti_gemm_pack)(const struct cti_gemm_side *side, void *panels, int width,
                                 int64_t w0, int64_t w, int64_t k0, int64_t k);
void CTI_ISA_NAME(cti_gemm_pack_gathered)(const struct cti_gemm_side *side, void *panels, int width,
                                          int64_t w0, int64_t w, int64_t k0, int64_t k);
void CTI_ISA_NAME(cti_gemm_store)(const struct cti_gemm_target *target, int64_t i, int64_t j,
                                  int64_t rows, int64_t cols, const void *sums, int64_t sum_row);
#endif

#endif

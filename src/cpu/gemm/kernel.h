/* SPDX-License-Identifier: BSD-3-Clause */
/* The micro-kernels of products, one set for each instruction set, and the panels they read. A
 * panel holds `width` rows of A (or columns of B), k-major: element (w, k) is at k * width + w.
 * Panels are made by pack.c; kernels know neither tensors nor strides. */
#ifndef CORTEN_CPU_GEMM_KERNEL_H
#define CORTEN_CPU_GEMM_KERNEL_H

#include "cpu/isa.h"

#include <stdint.h>

/* Note [Units]: micro-kernels multiply five types, and every data type is converted to one of them.
 * float16, bfloat16 -> F32. Integers up to 32 bits -> U32, whose low bits are right for signed and
 * unsigned types alike. Complex -> F32 or F64: A is read as a real matrix with columns re, im, re,
 * im; each element of B becomes [[re, im], [-im, re]]; then the real product is the complex result,
 * re and im interleaved. PAIR holds two bfloat16 adjacent in k and accumulates in float32
 * (AVX512_BF16, AMX), where the processor can. */
enum cti_gemm_unit { CTI_UNIT_F32, CTI_UNIT_F64, CTI_UNIT_U32, CTI_UNIT_U64, CTI_UNIT_PAIR };

struct cti_gemm_kernel {
    int mr, nr; /* register blocking: panel widths of A and B; 0: no such kernel */
    /* c[i * c_row + j] = from[i * from_row + j] + sum over k of a[k * mr + i] * b[k * nr + j], for
     * i < rows, j < cols. from: c itself, a bias (row stride 0), or NULL for zero. Rows up to the
     * next even number, and columns up to a multiple of nr / 2, are read and written too: partial
     * tiles need a c of full mr by nr. Each element is summed over k in order, whatever the tile,
     * so tiling does not change bits. */
    void (*run)(int64_t k, const void *a, const void *b, void *c, int64_t c_row, const void *from,
                int64_t from_row, int rows, int cols);
    /* The same on unpacked operands: a[i * a_row + k * a_col], b[k * b_row + j]. Writes exactly
     * `rows` rows, 1 or an even number, and `cols` columns. add: 0 sets c to the product, 1 adds
     * it, -1 subtracts it. NULL: no such kernel. */
    void (*direct)(int64_t k, const void *a, int64_t a_row, int64_t a_col, const void *b,
                   int64_t b_row, void *c, int64_t c_row, int add, int rows, int cols);
};

/* Matrix types that vector.c reads in place; halves accumulate in float32, small integers in 32
 * bits, and the vectors have the accumulation type. */
enum cti_gemm_line_kind {
    CTI_LINE_F32,
    CTI_LINE_F64,
    CTI_LINE_U8,
    CTI_LINE_U16,
    CTI_LINE_U32,
    CTI_LINE_U64,
    CTI_LINE_F16,
    CTI_LINE_BF16,
    CTI_LINE_COUNT
};

/* gemv kernels for one or two vectors (nx), the second x_next after the first.
 * dots: out[i * nx + v] = sum over k of a[i * a_row + k] * x[v][k], i < rows.
 * axpys: out[v * out_next + i] += sum over k of a[k * a_col + i] * x[v][k], i < rows. */
struct cti_gemm_line {
    void (*dots)(int64_t rows, int64_t k, const void *a, int64_t a_row, const void *x,
                 int64_t x_next, int nx, void *out);
    void (*axpys)(int64_t rows, int64_t k, const void *a, int64_t a_col, const void *x,
                  int64_t x_next, int nx, void *out, int64_t out_next);
    /* Returns the low bits of the sum over k of a[k] * x[k], as many as the type of a and x has.
     * NULL: only the full sum is available. */
    uint32_t (*narrow)(int64_t k, const void *a, const void *x);
};

struct cti_gemm_side; /* pack.h */
struct cti_gemm_target;

enum { CTI_GEMM_MR_MAX = 32, CTI_GEMM_NR_MAX = 32 };

struct cti_gemm_kernels {
    struct cti_gemm_kernel unit[5]; /* by enum cti_gemm_unit */
    /* Packs units [w0, w0 + w) by [k0, k0 + k) of an operand into consecutive panels of `width`,
     * each of k times width units; the last panel is zero-padded. w0 is a multiple of width, k0
     * even. */
    void (*pack)(const struct cti_gemm_side *side, void *panels, int width, int64_t w0, int64_t w,
                 int64_t k0, int64_t k);
    /* The epilogue: merges accumulators (units; row stride `sum_row`) into elements from (i, j) on.
     * rows and cols count elements: a complex one takes two adjacent sums. */
    void (*store)(const struct cti_gemm_target *target, int64_t i, int64_t j, int64_t rows,
                  int64_t cols, const void *sums, int64_t sum_row);
    struct cti_gemm_line line[CTI_LINE_COUNT];
};

extern const struct cti_gemm_kernels CTI_ISA_NAMES(cti_gemm_kernels);

const struct cti_gemm_kernels *cti_gemm_kernels(void); /* for cti_cpu_isa(); in gemm.c */

/* The AMX kernel, or NULL. It multiplies panels of PAIR whose k is a multiple of 16 units; panels
 * of A have AMX tile layout: element (w, k) at (k / 16 * width + w) * 16 + k % 16. It writes
 * exactly `rows` rows and `cols` columns. In simd/gemm_amx.c. */
const struct cti_gemm_kernel *cti_gemm_tiles(void);

#endif

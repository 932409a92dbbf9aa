/* SPDX-License-Identifier: BSD-3-Clause */
/* Triangular solves of one tile, for factorisations in tiles: real types with wide vectors. A
 * library's own solve of a triangle this small runs at a sixth of the speed of its products.
 * Compiled once for each instruction set (simd/divide.c); called by tile.h.
 *
 * Note [Dividing]: rows are multiplied by reciprocals of the diagonal first, so that only products
 * and differences remain. If a reciprocal is not finite, the library solves the triangle. */
#ifndef CORTEN_CPU_FACTOR_DIVIDE_H
#define CORTEN_CPU_FACTOR_DIVIDE_H

#include "cpu/factor/job.h"

enum { CTI_DIVIDE_SIDE = 64 }; /* rows of a triangle, at most */

struct cti_factor_divide {
    /* Solves with a triangle at a, on the left of n rows x: L with a unit diagonal, or U. False:
     * not applicable, and nothing was done. */
    bool (*left)(bool upper, int n, int cols, const void *a, int lda, void *x, int ldx);
    /* Solves with the transpose of L on the right of n columns x. */
    bool (*right)(int rows, int n, const void *a, int lda, void *x, int ldx);
};

/* The functions for a job's type; NULL: none. In tiles.c. */
const struct cti_factor_divide *cti_factor_divide(const struct cti_factor_job *job);

#endif

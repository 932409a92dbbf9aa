/* SPDX-License-Identifier: BSD-3-Clause */
/* Division of a tile by a triangle, for the factors in tiles: real numbers and wide vectors, where
 * a library's own division of so few columns is a sixth as fast as its products. Built once for
 * each instruction set (simd/divide.c); called by tile.h.
 *
 * Note [Dividing]: rows are divided by the diagonal first, so that all that is left is products and
 * differences; a triangle with a diagonal that has no reciprocal is left to the library. */
#ifndef CORTEN_CPU_FACTOR_DIVIDE_H
#define CORTEN_CPU_FACTOR_DIVIDE_H

#include "cpu/factor/job.h"

enum { CTI_DIVIDE_SIDE = 64 }; /* of a triangle, at most */

struct cti_factor_divide {
    /* The n rows of x divided by a triangle at a: L with ones on its diagonal, or U. False: it
     * cannot be done so, and nothing has been done. */
    bool (*left)(bool upper, int n, int cols, const void *a, int lda, void *x, int ldx);
    /* The n columns of x divided by the transpose of L. */
    bool (*right)(int rows, int n, const void *a, int lda, void *x, int ldx);
};

/* For the type of a job; NULL: there is none. In tiles.c. */
const struct cti_factor_divide *cti_factor_divide(const struct cti_factor_job *job);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers shared by the tiled factorisations (tiles*.c): addresses of elements in a column-major
 * matrix, constants of every type, products of tiles. */
#ifndef CORTEN_CPU_FACTOR_TILE_H
#define CORTEN_CPU_FACTOR_TILE_H

#include "core/parallel.h"
#include "cpu/blas.h"
#include "cpu/factor/tiles.h"
#include "cpu/gemm/gemm.h"

#include <string.h>

enum { PANEL = 64 }; /* columns of a panel and of a tile */

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

static inline char *at(const struct cti_factor_job *job, char *a, int lda, int i, int j)
{
    return a + ((int64_t)j * lda + i) * job->size;
}

/* Returns the address of 1, -1 or 0 in the job's type. */
static inline const void *number(const struct cti_factor_job *job, int n)
{
    static const float narrow[3][2] = {{-1, 0}, {0, 0}, {1, 0}};
    static const double wide[3][2] = {{-1, 0}, {0, 0}, {1, 0}};
    return job->real == 4 ? (const void *)narrow[n + 1] : (const void *)wide[n + 1];
}

/* c += alpha op(a) op(b) with alpha 1 or -1, or without c (beta 0); c is m by n, k the inner size.
 * Uses our own loops, which are faster than a library on small tiles. Returns false if they would
 * need memory. */
static inline bool own_tile_product(const struct cti_factor_job *job, const char *op_a,
                                    const char *op_b, int m, int n, int k, int alpha, const char *a,
                                    int lda, const char *b, int ldb, int beta, char *c, int ldc)
{
    bool plain_a = *op_a == 'N', plain_b = *op_b == 'N';
    struct cti_gemm g = {
        .dtype = job->w->dtype, .m = n, .n = m, .k = k, .batch = 1}; /* c' = b' a' */
    g.a = b, g.a_row = plain_b ? ldb : 1, g.a_col = plain_b ? 1 : ldb;
    g.b = a, g.b_row = plain_a ? lda : 1, g.b_col = plain_a ? 1 : lda;
    g.c = c, g.c_row = ldc, g.c_col = 1;
    g.alpha[0] = alpha, g.beta[0] = beta;
    if (!cti_gemm_is_direct(&g))
        return false;
    cti_gemm_direct(&g);
    return true;
}

/* Like own_tile_product, but falls back on the library; call it only between cti_blas_enter and
 * cti_blas_leave. */
static inline void tile_product(const struct cti_factor_job *job, const char *op_a,
                                const char *op_b, int m, int n, int k, int alpha, const char *a,
                                int lda, const char *b, int ldb, int beta, char *c, int ldc)
{
    if (!own_tile_product(job, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc))
        job->lapack->gemm[job->type](op_a, op_b, &m, &n, &k, number(job, alpha), a, &lda, b, &ldb,
                                     number(job, beta), c, &ldc, 1, 1);
}

/* Sets a tile to columns of the identity matrix, with all rows. */
static inline void set_unit(const struct cti_factor_job *job, char *tile, int rows, int column,
                            int cols)
{
    memset(tile, 0, (size_t)rows * (size_t)cols * (size_t)job->size);
    for (int j = 0; j < cols; j++)
        memcpy(at(job, tile, rows, column + j, j), number(job, 1), (size_t)job->size);
}

#endif

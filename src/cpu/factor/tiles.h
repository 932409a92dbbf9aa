/* SPDX-License-Identifier: BSD-3-Clause */
/* Factorisations of one large matrix by all threads; see Note [Tiles]. Arguments and results are
 * those of the engine's kinds. The caller must not hold a permit of cti_blas_enter: tiles take
 * permits themselves. */
#ifndef CORTEN_CPU_FACTOR_TILES_H
#define CORTEN_CPU_FACTOR_TILES_H

#include "cpu/factor/job.h"

/* Whether a factorisation is computed in tiles; depends on the shape alone. */
static inline bool cti_factor_is_tiled(const struct cti_factor *w)
{
    enum { LARGE = 384, MANY = 256, FEW = 32 };
    switch (w->kind) {
    case CTI_FACTOR_LU:
    case CTI_FACTOR_LU_INVERSE:
    case CTI_FACTOR_CHOLESKY:
        return w->m >= LARGE && w->n >= LARGE;
    case CTI_FACTOR_LU_SOLVE:
        return w->n >= LARGE && w->k >= MANY;
    case CTI_FACTOR_QR:
        return w->m >= LARGE && w->n >= LARGE;
    case CTI_FACTOR_REFLECTORS:
        return w->m >= LARGE && w->n >= LARGE && w->k >= LARGE;
    case CTI_FACTOR_LSTSQ: /* gelsy of a tall matrix */
        return w->mode == 'y' && w->n >= FEW && w->m >= 2 * w->n;
    default:
        return false;
    }
}

int cti_tiles_cholesky(const struct cti_factor_job *job, char *a);
int cti_tiles_lu(const struct cti_factor_job *job, char *a, int *pivots);
void cti_tiles_lu_solve(const struct cti_factor_job *job, char *lu, const int *pivots, char *b);
void cti_tiles_lu_inverse_room(struct cti_factor_job *job);
void cti_tiles_lu_inverse(const struct cti_factor_job *job, char *room, char *lu,
                          const int *pivots);
bool cti_tiles_qr_room(struct cti_factor_job *job);
void cti_tiles_qr(const struct cti_factor_job *job, char *room, char *a, char *tau);
void cti_tiles_reflectors(const struct cti_factor_job *job, char *room, char *q, char *tau);
/* Reduces A, which has more rows than columns, to R above zeros, and replaces B, with as many rows,
 * by Q^H B. */
int64_t cti_tiles_reduce_room(const struct cti_factor_job *job);
void cti_tiles_reduce(const struct cti_factor_job *job, char *room, char *a, char *b);

#endif

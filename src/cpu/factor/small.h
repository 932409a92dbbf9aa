/* SPDX-License-Identifier: BSD-3-Clause */
/* Factorisations of small real matrices; arguments and results are those of the corresponding
 * functions of job.h. */
#ifndef CORTEN_CPU_FACTOR_SMALL_H
#define CORTEN_CPU_FACTOR_SMALL_H

#include "cpu/factor/job.h"

#define CTI_FACTOR_SMALL 16 /* rows and columns, at most */

static inline bool cti_factor_is_small(const struct cti_factor_job *job)
{
    return job->m <= CTI_FACTOR_SMALL && job->n <= CTI_FACTOR_SMALL && job->type < CTI_LAPACK_C;
}

int cti_small_lu(const struct cti_factor_job *job, void *a, int32_t *pivots);
void cti_small_lu_solve(const struct cti_factor_job *job, const void *lu, const int32_t *pivots,
                        void *b);
int cti_small_lu_inverse(const struct cti_factor_job *job, void *lu, const int32_t *pivots);
int cti_small_cholesky(const struct cti_factor_job *job, void *a);
void cti_small_qr(const struct cti_factor_job *job, void *a, void *tau);
void cti_small_reflectors(const struct cti_factor_job *job, void *a, const void *tau);

#endif

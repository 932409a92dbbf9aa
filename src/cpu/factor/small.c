/* SPDX-License-Identifier: BSD-3-Clause */
/* Factorisations of small real matrices without LAPACK, since its calls cost more than the
 * arithmetic. Called by the kinds in lu.c and triangles.c. */
#include "cpu/factor/small.h"

#include <math.h>
#include <string.h>

#define CT_EXPANDED inline __attribute__((always_inline))

#define T float
#define NAME(x) x##_f32
#define ABS fabsf
#define WIDE double
#define WIDE_SQRT sqrt
#define SQRT sqrtf
#include "cpu/factor/small_typed.h"

#define T double
#define NAME(x) x##_f64
#define ABS fabs
#define WIDE long double
#define WIDE_SQRT sqrtl
#define SQRT sqrt
#include "cpu/factor/small_typed.h"

int cti_small_lu(const struct cti_factor_job *job, void *a, int32_t *pivots)
{
    return job->type == CTI_LAPACK_S ? lu_f32(job->m, job->n, a, pivots)
                                     : lu_f64(job->m, job->n, a, pivots);
}

void cti_small_lu_solve(const struct cti_factor_job *job, const void *lu, const int32_t *pivots,
                        void *b)
{
    bool transposed = job->w->mode != 'N';
    if (job->type == CTI_LAPACK_S)
        lu_solve_f32(job->n, job->k, lu, pivots, b, transposed);
    else
        lu_solve_f64(job->n, job->k, lu, pivots, b, transposed);
}

int cti_small_lu_inverse(const struct cti_factor_job *job, void *lu, const int32_t *pivots)
{
    return job->type == CTI_LAPACK_S ? lu_inverse_f32(job->n, lu, pivots)
                                     : lu_inverse_f64(job->n, lu, pivots);
}

int cti_small_cholesky(const struct cti_factor_job *job, void *a)
{
    if (job->type == CTI_LAPACK_S)
        return job->w->uplo == 'L' ? cholesky_lower_f32(job->n, a) : cholesky_upper_f32(job->n, a);
    return job->w->uplo == 'L' ? cholesky_lower_f64(job->n, a) : cholesky_upper_f64(job->n, a);
}

void cti_small_qr(const struct cti_factor_job *job, void *a, void *tau)
{
    if (job->type == CTI_LAPACK_S)
        qr_f32(job->m, job->n, a, tau);
    else
        qr_f64(job->m, job->n, a, tau);
}

void cti_small_reflectors(const struct cti_factor_job *job, void *a, const void *tau)
{
    if (job->type == CTI_LAPACK_S)
        reflectors_f32(job->m, job->n, job->k, a, tau);
    else
        reflectors_f64(job->m, job->n, job->k, a, tau);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Cholesky and LDL factorisations and triangular solves of one matrix. Called by the driver
 * (factor.c) through its table of kinds. */
#include "cpu/factor/small.h"
#include "cpu/factor/tiles.h"

#include <string.h>

/* Zeroes the triangle that the factor does not use. Columns are contiguous. */
static void clear_other_triangle(const struct cti_factor_job *job, char *a)
{
    for (int64_t j = 0; j < job->n; j++) {
        char *column = a + j * job->n * job->size;
        int64_t first = job->w->uplo == 'L' ? 0 : j + 1;
        int64_t end = job->w->uplo == 'L' ? j : job->n;
        memset(column + first * job->size, 0, (size_t)((end - first) * job->size));
    }
}

/* The first NaN on the diagonal: OpenBLAS does not stop there. */
static int first_nan(const struct cti_factor_job *job, const char *a)
{
    for (int j = 0; j < job->n; j++) {
        const char *at = a + (int64_t)j * (job->n + 1) * job->size;
        double x = job->real == 4 ? (double)*(const float *)(const void *)at
                                  : *(const double *)(const void *)at;
        if (x != x)
            return j + 1;
    }
    return 0;
}

void cti_factor_cholesky(const struct cti_factor_job *job, char *room, int64_t i)
{
    int lda = cti_factor_least_one(job->n), info = 0;
    char *a = cti_factor_part_at(job, 0, job->size, i);
    (void)room;
    if (cti_factor_is_small(job))
        info = cti_small_cholesky(job, a);
    else if (cti_factor_is_tiled(job->w))
        info = cti_tiles_cholesky(job, a);
    else
        job->lapack->potrf[job->type](&job->w->uplo, &job->n, a, &lda, &info, 1);
    info = info ? info : first_nan(job, a);
    clear_other_triangle(job, a);
    job->w->info[i] = info;
}

void cti_factor_cholesky_solve(const struct cti_factor_job *job, char *room, int64_t i)
{
    int ld = cti_factor_least_one(job->n), info = 0;
    (void)room;
    job->lapack->potrs[job->type](&job->w->uplo, &job->n, &job->k,
                                  cti_factor_part_at(job, 0, job->size, i), &ld,
                                  cti_factor_part_at(job, 1, job->size, i), &ld, &info, 1);
}

/* Copies a triangle of a Hermitian matrix to the other one, without the diagonal. */
static void mirror(const struct cti_factor_job *job, char *a)
{
    bool complex = job->size != job->real;
    for (int64_t j = 0; j < job->n; j++)
        for (int64_t i = j + 1; i < job->n; i++) {
            char *below = a + (j * job->n + i) * job->size;
            char *above = a + (i * job->n + j) * job->size;
            char *to = job->w->uplo == 'L' ? above : below;
            memcpy(to, to == above ? below : above, (size_t)job->size);
            if (complex && job->real == 4)
                ((float *)(void *)to)[1] = -((float *)(void *)to)[1];
            else if (complex)
                ((double *)(void *)to)[1] = -((double *)(void *)to)[1];
        }
}

void cti_factor_cholesky_inverse(const struct cti_factor_job *job, char *room, int64_t i)
{
    int lda = cti_factor_least_one(job->n), info = 0;
    char *a = cti_factor_part_at(job, 0, job->size, i);
    (void)room;
    job->lapack->potri[job->type](&job->w->uplo, &job->n, a, &lda, &info, 1);
    job->w->info[i] = info;
    mirror(job, a);
}

void cti_factor_triangular(const struct cti_factor_job *job, char *room, int64_t i)
{
    static const float one_s[2] = {1, 0};
    static const double one_d[2] = {1, 0};
    const struct cti_factor *w = job->w;
    int lda = cti_factor_least_one(w->side == 'L' ? job->m : job->n);
    int ldb = cti_factor_least_one(job->m);
    (void)room;
    job->lapack->trsm[job->type](&w->side, &w->uplo, &w->op, &w->diag, &job->m, &job->n,
                                 job->real == 4 ? (const void *)one_s : one_d,
                                 cti_factor_part_at(job, 0, job->size, i), &lda,
                                 cti_factor_part_at(job, 1, job->size, i), &ldb, 1, 1, 1, 1);
}

/* ---- symmetric matrices ---- */

static int call_ldl(const struct cti_factor_job *job, char *room, int64_t i, const int *lwork)
{
    int lda = cti_factor_least_one(job->n), info = 0;
    void *a = cti_factor_part_at(job, 0, job->size, i);
    int *pivots = (int *)(void *)cti_factor_part_at(job, 1, 4, i);
    if (job->w->mode == 'H' && job->type >= CTI_LAPACK_C)
        job->lapack->hetrf[job->type - CTI_LAPACK_C](&job->w->uplo, &job->n, a, &lda, pivots, room,
                                                     lwork, &info, 1);
    else
        job->lapack->sytrf[job->type](&job->w->uplo, &job->n, a, &lda, pivots, room, lwork, &info,
                                      1);
    return info;
}

void cti_factor_ldl(const struct cti_factor_job *job, char *room, int64_t i)
{
    clear_other_triangle(job, cti_factor_part_at(job, 0, job->size, i));
    job->w->info[i] = call_ldl(job, room, i, &job->lwork);
}

bool cti_factor_ldl_room(struct cti_factor_job *job)
{
    return cti_factor_query_workspace(job, call_ldl, 0, "linalg.ldl_factor");
}

void cti_factor_ldl_solve(const struct cti_factor_job *job, char *room, int64_t i)
{
    int ld = cti_factor_least_one(job->n), info = 0;
    const void *a = cti_factor_part_at(job, 0, job->size, i);
    const int *pivots = (const int *)(void *)cti_factor_part_at(job, 1, 4, i);
    void *b = cti_factor_part_at(job, 2, job->size, i);
    (void)room;
    if (job->w->mode == 'H' && job->type >= CTI_LAPACK_C)
        job->lapack->hetrs[job->type - CTI_LAPACK_C](&job->w->uplo, &job->n, &job->k, a, &ld,
                                                     pivots, b, &ld, &info, 1);
    else
        job->lapack->sytrs[job->type](&job->w->uplo, &job->n, &job->k, a, &ld, pivots, b, &ld,
                                      &info, 1);
}

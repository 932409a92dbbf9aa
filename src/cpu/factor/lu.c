/* SPDX-License-Identifier: BSD-3-Clause */
/* LU factorisation of one matrix, solves with the factors, and the permutation of pivots. Called by
 * the driver (factor.c) through its table of kinds. */
#include "cpu/factor/small.h"
#include "cpu/factor/tiles.h"

void cti_factor_lu(const struct cti_factor_job *job, char *room, int64_t i)
{
    int lda = cti_factor_least_one(job->m), info = 0;
    void *a = cti_factor_part_at(job, 0, job->size, i);
    int *pivots = (int *)(void *)cti_factor_part_at(job, 1, 4, i);
    (void)room;
    if (cti_factor_is_small(job))
        info = cti_small_lu(job, a, pivots);
    else if (cti_factor_is_tiled(job->w))
        info = cti_tiles_lu(job, a, pivots);
    else
        job->lapack->getrf[job->type](&job->m, &job->n, a, &lda, pivots, &info);
    job->w->info[i] = info;
}

void cti_factor_lu_solve(const struct cti_factor_job *job, char *room, int64_t i)
{
    int ld = cti_factor_least_one(job->n), info = 0;
    char *lu = cti_factor_part_at(job, 0, job->size, i);
    const int *pivots = (const int *)(void *)cti_factor_part_at(job, 1, 4, i);
    void *b = cti_factor_part_at(job, 2, job->size, i);
    (void)room;
    if (cti_factor_is_small(job))
        cti_small_lu_solve(job, lu, pivots, b);
    else if (cti_factor_is_tiled(job->w))
        cti_tiles_lu_solve(job, lu, pivots, b);
    else
        job->lapack->getrs[job->type](&job->w->mode, &job->n, &job->k, lu, &ld, pivots, b, &ld,
                                      &info, 1);
}

bool cti_factor_rows(const int32_t *pivot, int64_t k, int64_t *row, int64_t m)
{
    for (int64_t j = 0; j < m; j++)
        row[j] = j;
    for (int64_t j = 0; j < k; j++) {
        int64_t other = (int64_t)pivot[j] - 1, kept = row[j];
        if (other < 0 || other >= m)
            return false;
        row[j] = row[other];
        row[other] = kept;
    }
    return true;
}

void cti_factor_order(const struct cti_factor_job *job, char *room, int64_t i)
{
    const int32_t *pivot = (const int32_t *)(const void *)cti_factor_part_at(job, 0, 4, i);
    int64_t *row = (int64_t *)(void *)cti_factor_part_at(job, 1, 8, i);
    (void)room;
    if (!cti_factor_rows(pivot, job->w->k, row, job->w->m))
        job->w->info[i] = 1;
}

static int call_inverse(const struct cti_factor_job *job, char *room, int64_t i, const int *lwork)
{
    int ld = cti_factor_least_one(job->n), info = 0;
    job->lapack->getri[job->type](&job->n, cti_factor_part_at(job, 0, job->size, i), &ld,
                                  (const int *)(void *)cti_factor_part_at(job, 1, 4, i), room,
                                  lwork, &info);
    return info;
}

void cti_factor_lu_inverse(const struct cti_factor_job *job, char *room, int64_t i)
{
    char *lu = cti_factor_part_at(job, 0, job->size, i);
    const int *pivots = (const int *)(void *)cti_factor_part_at(job, 1, 4, i);
    int info = 0;
    if (cti_factor_is_small(job))
        info = cti_small_lu_inverse(job, lu, pivots);
    else if (cti_factor_is_tiled(job->w))
        cti_tiles_lu_inverse(job, room, lu, pivots);
    else
        info = call_inverse(job, room, i, &job->lwork);
    job->w->info[i] = info;
}

bool cti_factor_lu_inverse_room(struct cti_factor_job *job)
{
    if (cti_factor_is_tiled(job->w))
        cti_tiles_lu_inverse_room(job);
    return cti_factor_is_small(job) || cti_factor_is_tiled(job->w) ||
           cti_factor_query_workspace(job, call_inverse, 0, "linalg.inv");
}

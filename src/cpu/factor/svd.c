/* SPDX-License-Identifier: BSD-3-Clause */
/* The singular values of one matrix. Called by the driver (factor.c) through its table of kinds. */
#include "cpu/factor/job.h"

#include <math.h>

static int call_svd(const struct cti_factor_job *job, char *room, int64_t i, const int *lwork)
{
    int lda = cti_factor_least_one(job->m),
        least = cti_factor_least_one(job->m < job->n ? job->m : job->n), info = 0;
    int ldvt = job->w->mode == 'A' ? cti_factor_least_one(job->n) : least;
    char *rwork = room + job->work_bytes;
    int *iwork = (int *)(rwork + job->rwork_bytes);
    void *a = cti_factor_part_at(job, 0, job->size, i),
         *s = cti_factor_part_at(job, 1, job->real, i);
    void *u = cti_factor_part_at(job, 2, job->size, i),
         *vt = cti_factor_part_at(job, 3, job->size, i);
    if (job->type >= CTI_LAPACK_C)
        job->lapack->gesdd_complex[job->type - CTI_LAPACK_C](&job->w->mode, &job->m, &job->n, a,
                                                             &lda, s, u, &lda, vt, &ldvt, room,
                                                             lwork, rwork, iwork, &info, 1);
    else
        job->lapack->gesdd_real[job->type](&job->w->mode, &job->m, &job->n, a, &lda, s, u, &lda, vt,
                                           &ldvt, room, lwork, iwork, &info, 1);
    return info;
}

int cti_factor_oddity(const struct cti_factor_job *job, const void *data, int64_t n)
{
    double sum = 0; /* sum of x - x: 0, or NaN */
    bool nan = false;
    for (int64_t i = 0; i < n; i++) {
        double x = job->real == 4 ? (double)((const float *)data)[i] : ((const double *)data)[i];
        sum += x - x;
        nan |= x != x;
    }
    return nan ? 2 : sum != 0 || sum != sum;
}

void cti_factor_fill_nan(const struct cti_factor_job *job, void *data, int64_t n)
{
    for (int64_t i = 0; data && i < n; i++) {
        if (job->real == 4)
            ((float *)data)[i] = NAN;
        else
            ((double *)data)[i] = NAN;
    }
}

/* LAPACK prints a message for values that are not finite, so they are handled here. */
void cti_factor_svd(const struct cti_factor_job *job, char *room, int64_t i)
{
    const struct cti_factor *w = job->w;
    int64_t parts = job->size / job->real, least = w->m < w->n ? w->m : w->n;
    int odd = cti_factor_oddity(job, cti_factor_part_at(job, 0, job->size, i), w->m * w->n * parts);
    if (odd == 1) {
        cti_factor_fill_nan(job, cti_factor_part_at(job, 1, job->real, i), least);
        cti_factor_fill_nan(job, cti_factor_part_at(job, 2, job->size, i), w->part[2].step * parts);
        cti_factor_fill_nan(job, cti_factor_part_at(job, 3, job->size, i), w->part[3].step * parts);
    }
    w->info[i] = odd ? (odd == 2 ? -4 : 0) : call_svd(job, room, i, &job->lwork);
}

/* The memory besides `work` is from the documentation of gesdd. */
bool cti_factor_svd_room(struct cti_factor_job *job)
{
    int64_t least = job->m < job->n ? job->m : job->n, most = job->m < job->n ? job->n : job->m;
    int64_t reals = job->w->mode == 'N' ? 7 * least : least * (5 * least + 7);
    int64_t tall = 2 * most * least + 2 * least * least + least;
    if (job->type >= CTI_LAPACK_C)
        job->rwork_bytes = (job->w->mode != 'N' && tall > reals ? tall : reals) * job->real;
    return cti_factor_query_workspace(job, call_svd, 8 * least * (int64_t)sizeof(int),
                                      "linalg.svd");
}

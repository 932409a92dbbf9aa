/* SPDX-License-Identifier: BSD-3-Clause */
/* The eigenvalues of one Hermitian or general matrix. Called by the driver (factor.c) through its
 * table of kinds. */
#include "cpu/factor/job.h"

#include <stdbool.h>

/* ---- Hermitian matrices ---- */

static int call_eigh(const struct cti_factor_job *job, char *room, int64_t i, const int *lwork)
{
    int n = job->n, lda = cti_factor_least_one(n), info = 0;
    bool vectors = job->w->mode == 'V';
    int liwork = vectors ? 3 + 5 * n : 1, lrwork = vectors ? 1 + 5 * n + 2 * n * n : n;
    const char *jobz = &job->w->mode, *uplo = &job->w->uplo;
    union {
        double wide;
        int whole;
    } spare[2]; /* a workspace query writes to all three */
    void *rwork = *lwork < 0 ? (void *)&spare[0] : room + job->work_bytes;
    int *iwork =
        *lwork < 0 ? &spare[1].whole : (int *)(void *)(room + job->work_bytes + job->rwork_bytes);
    void *a = cti_factor_part_at(job, 0, job->size, i);
    void *values = cti_factor_part_at(job, 1, job->real, i);
    lrwork = cti_factor_least_one(lrwork);
    if (job->type >= CTI_LAPACK_C)
        job->lapack->heevd[job->type - CTI_LAPACK_C](jobz, uplo, &n, a, &lda, values, room, lwork,
                                                     rwork, &lrwork, iwork, &liwork, &info, 1, 1);
    else
        job->lapack->syevd[job->type](jobz, uplo, &n, a, &lda, values, room, lwork, iwork, &liwork,
                                      &info, 1, 1);
    return info;
}

/* Applies cti_factor_oddity to the triangle that is read. */
static int oddity(const struct cti_factor_job *job, int64_t i)
{
    int64_t n = job->n, parts = job->size / job->real;
    const char *column = cti_factor_part_at(job, 0, job->size, i);
    bool lower = job->w->uplo == 'L';
    int most = 0;
    for (int64_t j = 0; j < n; j++, column += n * job->size) {
        const char *from = column + (lower ? j * job->size : 0);
        int odd = cti_factor_oddity(job, from, (lower ? n - j : j + 1) * parts);
        most = odd > most ? odd : most;
    }
    return most;
}

/* LAPACK may loop forever on values that are not finite, so those are handled here. The results are
 * mostly those of PyTorch's library: NaN if there are infinities or only two rows, otherwise
 * LAPACK's error code. The eigenvalue of a 1 by 1 matrix is its element, even if that is not
 * finite. */
void cti_factor_eigh(const struct cti_factor_job *job, char *room, int64_t i)
{
    int64_t n = job->n, parts = job->size / job->real;
    int odd = n == 1 ? 0 : oddity(job, i), code = job->w->mode == 'V' ? job->n - 1 : job->n - 2;
    if (odd == 0) {
        job->w->info[i] = call_eigh(job, room, i, &job->lwork);
    } else if (odd == 1 || n == 2) {
        cti_factor_fill_nan(job, cti_factor_part_at(job, 1, job->real, i), n);
        cti_factor_fill_nan(job, cti_factor_part_at(job, 0, job->size, i), n * n * parts);
        job->w->info[i] = 0;
    } else {
        job->w->info[i] = cti_factor_least_one(code);
    }
}

bool cti_factor_eigh_room(struct cti_factor_job *job)
{
    int64_t n = job->n;
    bool vectors = job->w->mode == 'V';
    if (2 * n * n + 5 * n + 1 > INT32_MAX)
        return cti_refuse(CT_ERR_RUNTIME, "linalg.eigh: %d by %d matrices are too large", job->n,
                          job->n);
    if (job->type >= CTI_LAPACK_C)
        job->rwork_bytes = (vectors ? 1 + 5 * n + 2 * n * n : n) * job->real;
    return cti_factor_query_workspace(
        job, call_eigh, (vectors ? 3 + 5 * n : 1) * (int64_t)sizeof(int), "linalg.eigh");
}

/* ---- general matrices ---- */

/* For real matrices LAPACK writes real and imaginary parts separately: wr, wi and the vectors are
 * stored after `work` in `room`. */
static int call_eig(const struct cti_factor_job *job, char *room, int64_t i, const int *lwork)
{
    int n = job->n, ld = cti_factor_least_one(n), one = 1, info = 0;
    bool vectors = job->w->part[2].data != NULL;
    const char *jobvr = vectors ? "V" : "N";
    char *rwork = room + job->work_bytes;
    void *a = cti_factor_part_at(job, 0, job->size, i);
    if (job->type >= CTI_LAPACK_C)
        job->lapack->geev_complex[job->type - CTI_LAPACK_C](
            "N", jobvr, &n, a, &ld, cti_factor_part_at(job, 1, job->size, i), NULL, &one,
            cti_factor_part_at(job, 2, job->size, i), &ld, room, lwork, rwork, &info, 1, 1);
    else
        job->lapack->geev_real[job->type]("N", jobvr, &n, a, &ld, rwork, rwork + n * job->real,
                                          NULL, &one, rwork + 2 * n * job->real, &ld, room, lwork,
                                          &info, 1, 1);
    return info;
}

static double real_at(const struct cti_factor_job *job, const char *from, int64_t i)
{
    return job->real == 4 ? (double)((const float *)(const void *)from)[i]
                          : ((const double *)(const void *)from)[i];
}

static void set_complex(const struct cti_factor_job *job, char *to, int64_t i, double re, double im)
{
    if (job->real == 4) {
        ((float *)(void *)to)[2 * i] = (float)re;
        ((float *)(void *)to)[2 * i + 1] = (float)im;
    } else {
        ((double *)(void *)to)[2 * i] = re;
        ((double *)(void *)to)[2 * i + 1] = im;
    }
}

/* A pair of complex eigenvalues has the real parts of its vectors in one column and the imaginary
 * parts in the next; the second vector is the conjugate of the first. */
static void join_parts(const struct cti_factor_job *job, const char *rwork, int64_t i)
{
    int64_t n = job->n;
    const char *wr = rwork, *wi = rwork + n * job->real, *packed = rwork + 2 * n * job->real;
    char *values = cti_factor_part_at(job, 1, 2 * job->size, i);
    char *vectors = cti_factor_part_at(job, 2, 2 * job->size, i);
    for (int64_t j = 0; j < n; j++)
        set_complex(job, values, j, real_at(job, wr, j), real_at(job, wi, j));
    for (int64_t j = 0; vectors && j < n; j++) {
        bool pair = real_at(job, wi, j) != 0 && j + 1 < n;
        for (int64_t k = 0; k < n; k++) {
            double re = real_at(job, packed, j * n + k);
            double im = pair ? real_at(job, packed, (j + 1) * n + k) : 0;
            set_complex(job, vectors, j * n + k, re, im);
            if (pair)
                set_complex(job, vectors, (j + 1) * n + k, re, -im);
        }
        j += pair;
    }
}

void cti_factor_eig(const struct cti_factor_job *job, char *room, int64_t i)
{
    int64_t n = job->n;
    const char *a = cti_factor_part_at(job, 0, job->size, i);
    if (cti_factor_oddity(job, a, n * n * job->size / job->real)) {
        job->w->info[i] = -1;
        return;
    }
    job->w->info[i] = call_eig(job, room, i, &job->lwork);
    if (job->type < CTI_LAPACK_C)
        join_parts(job, room + job->work_bytes, i);
}

bool cti_factor_eig_room(struct cti_factor_job *job)
{
    int64_t n = job->n;
    bool packed = job->type < CTI_LAPACK_C && job->w->part[2].data;
    job->rwork_bytes = (2 * n + (packed ? n * n : 0)) * job->real;
    return cti_factor_query_workspace(job, call_eig, 0, "linalg.eig");
}

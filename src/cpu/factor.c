/* SPDX-License-Identifier: BSD-3-Clause */
/* The factor engine: a batch of factorisations by LAPACK (lapack.h), one matrix at a time on each
 * thread. The library runs single-threaded, so the bits do not depend on the number of threads. A
 * new kind is a function that does one matrix, and what room that needs. */
#include "cpu/factor.h"

#include "core/alloc.h"
#include "core/backend.h"
#include "core/parallel.h"
#include "cpu/blas.h"
#include "cpu/lapack.h"

#include <limits.h>
#include <math.h>

enum { WORKERS_MAX = 64 };
#define WORK_ALONE 2e5 /* multiplications that are not worth another thread */

struct job {
    const struct cti_factor *w;
    const struct cti_lapack *lapack;
    int type, m, n, k; /* as LAPACK has them */
    int64_t size, real;
    int workers, lwork;
    char *room; /* for each worker: work, rwork, iwork */
    int64_t work_bytes, rwork_bytes, room_bytes;
    int64_t next; /* atomic */
};

static int least_one(int n)
{
    return n > 1 ? n : 1;
}

static char *part_at(const struct job *job, int part, int64_t size, int64_t i)
{
    const struct cti_factor_part *p = &job->w->part[part];
    return p->data ? (char *)p->data + i * p->step * size : NULL;
}

static void lu(const struct job *job, char *room, int64_t i)
{
    int lda = least_one(job->m), info = 0;
    (void)room;
    job->lapack->getrf[job->type](&job->m, &job->n, part_at(job, 0, job->size, i), &lda,
                                  (int *)part_at(job, 1, 4, i), &info);
    job->w->info[i] = info;
}

static void lu_solve(const struct job *job, char *room, int64_t i)
{
    int ld = least_one(job->n), info = 0;
    (void)room;
    job->lapack->getrs[job->type](&job->w->mode, &job->n, &job->k, part_at(job, 0, job->size, i),
                                  &ld, (const int *)part_at(job, 1, 4, i),
                                  part_at(job, 2, job->size, i), &ld, &info, 1);
}

static void order(const struct job *job, char *room, int64_t i)
{
    const int32_t *pivot = (const int32_t *)(const void *)part_at(job, 0, 4, i);
    int64_t *row = (int64_t *)(void *)part_at(job, 1, 8, i);
    (void)room;
    for (int64_t j = 0; j < job->w->m; j++)
        row[j] = j;
    for (int64_t j = 0; j < job->w->k; j++) {
        int64_t other = (int64_t)pivot[j] - 1, kept = row[j];
        if (other < 0 || other >= job->w->m) {
            job->w->info[i] = 1;
            return;
        }
        row[j] = row[other];
        row[other] = kept;
    }
}

/* With lwork -1 the best size of `work` is written to it. */
static int call_svd(const struct job *job, char *room, int64_t i, const int *lwork)
{
    int lda = least_one(job->m), least = least_one(job->m < job->n ? job->m : job->n), info = 0;
    int ldvt = job->w->mode == 'A' ? least_one(job->n) : least;
    char *rwork = room + job->work_bytes;
    int *iwork = (int *)(rwork + job->rwork_bytes);
    void *a = part_at(job, 0, job->size, i), *s = part_at(job, 1, job->real, i);
    void *u = part_at(job, 2, job->size, i), *vt = part_at(job, 3, job->size, i);
    if (job->type >= CTI_LAPACK_C)
        job->lapack->gesdd_complex[job->type - CTI_LAPACK_C](&job->w->mode, &job->m, &job->n, a,
                                                             &lda, s, u, &lda, vt, &ldvt, room,
                                                             lwork, rwork, iwork, &info, 1);
    else
        job->lapack->gesdd_real[job->type](&job->w->mode, &job->m, &job->n, a, &lda, s, u, &lda, vt,
                                           &ldvt, room, lwork, iwork, &info, 1);
    return info;
}

/* 0: all finite; 1: infinities, perhaps; 2: NaN. */
static int oddity(const struct job *job, const void *data, int64_t n)
{
    double sum = 0; /* of x - x: 0, or NaN */
    bool nan = false;
    for (int64_t i = 0; i < n; i++) {
        double x = job->real == 4 ? (double)((const float *)data)[i] : ((const double *)data)[i];
        sum += x - x;
        nan |= x != x;
    }
    return nan ? 2 : sum != 0 || sum != sum;
}

static void fill_nan(const struct job *job, void *data, int64_t n)
{
    for (int64_t i = 0; data && i < n; i++) {
        if (job->real == 4)
            ((float *)data)[i] = NAN;
        else
            ((double *)data)[i] = NAN;
    }
}

/* What is not finite never gets to LAPACK, which writes about it on the terminal. */
static void svd(const struct job *job, char *room, int64_t i)
{
    const struct cti_factor *w = job->w;
    int64_t parts = job->size / job->real, least = w->m < w->n ? w->m : w->n;
    int odd = oddity(job, part_at(job, 0, job->size, i), w->m * w->n * parts);
    if (odd == 1) {
        fill_nan(job, part_at(job, 1, job->real, i), least);
        fill_nan(job, part_at(job, 2, job->size, i), w->part[2].step * parts);
        fill_nan(job, part_at(job, 3, job->size, i), w->part[3].step * parts);
    }
    w->info[i] = odd ? (odd == 2 ? -4 : 0) : call_svd(job, room, i, &job->lwork);
}

/* The room of gesdd: `work` is asked for, the rest is in its documentation. */
static bool svd_room(struct job *job)
{
    int64_t least = job->m < job->n ? job->m : job->n, most = job->m < job->n ? job->n : job->m;
    int64_t reals = job->w->mode == 'N' ? 7 * least : least * (5 * least + 7);
    int64_t tall = 2 * most * least + 2 * least * least + least;
    union {
        float narrow;
        double wide[2]; /* a complex number: nothing else is touched */
    } answer;
    int query = -1;
    cti_blas_enter();
    int info = call_svd(job, (char *)&answer, 0, &query);
    cti_blas_leave();
    double best = job->real == 4 ? (double)answer.narrow : answer.wide[0];
    best = ceil(best * (job->real == 4 ? 1 + 1e-6 : 1)) + 1; /* it was rounded to that type */
    if (info || best > INT_MAX)
        return ct_fail(CT_ERR_RUNTIME, "linalg.svd: %d by %d matrices are too large", job->m,
                       job->n) != NULL;
    job->lwork = (int)best;
    job->work_bytes = (int64_t)best * job->size;
    if (job->type >= CTI_LAPACK_C)
        job->rwork_bytes = (job->w->mode != 'N' && tall > reals ? tall : reals) * job->real;
    job->room_bytes = job->work_bytes + job->rwork_bytes + 8 * least * (int64_t)sizeof(int);
    return true;
}

static const struct {
    void (*one)(const struct job *job, char *room, int64_t i);
    bool (*room)(struct job *job);
} kinds[] = {
    [CTI_FACTOR_LU] = {lu, NULL},
    [CTI_FACTOR_LU_SOLVE] = {lu_solve, NULL},
    [CTI_FACTOR_ORDER] = {order, NULL},
    [CTI_FACTOR_SVD] = {svd, svd_room},
};

/* A worker keeps its place in the library from its first matrix to its last. */
static void run_workers(void *context, int64_t begin, int64_t end)
{
    struct job *job = context;
    cti_blas_enter();
    for (int64_t worker = begin; worker < end; worker++)
        for (;;) {
            int64_t i = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED);
            if (i >= job->w->batch)
                break;
            kinds[job->w->kind].one(job, job->room + worker * job->room_bytes, i);
        }
    cti_blas_leave();
}

static int type_of(enum ct_dtype dtype)
{
    return dtype == CT_FLOAT32     ? CTI_LAPACK_S
           : dtype == CT_FLOAT64   ? CTI_LAPACK_D
           : dtype == CT_COMPLEX64 ? CTI_LAPACK_C
                                   : CTI_LAPACK_Z;
}

bool cti_cpu_factor(const struct cti_factor *w)
{
    if (w->m > INT_MAX || w->n > INT_MAX || w->k > INT_MAX)
        return ct_fail(CT_ERR_RUNTIME, "LAPACK has no matrices with more than %d rows or columns",
                       INT_MAX) != NULL;
    struct job job = {.w = w, .type = type_of(w->dtype), .size = cti_itemsize(w->dtype)};
    job.m = (int)w->m, job.n = (int)w->n, job.k = (int)w->k;
    job.real = job.type >= CTI_LAPACK_C ? job.size / 2 : job.size;
    job.lapack = cti_lapack();
    if (!job.lapack || (kinds[w->kind].room && !kinds[w->kind].room(&job)))
        return false;
    double each = (double)(w->m + w->k) * (double)w->n * (double)(w->m < w->n ? w->m : w->n);
    double workers = 1 + each * (double)w->batch / WORK_ALONE;
    job.workers = cti_parallel_threads() < WORKERS_MAX ? cti_parallel_threads() : WORKERS_MAX;
    if (workers < job.workers)
        job.workers = (int)workers;
    if (w->batch < job.workers)
        job.workers = (int)w->batch;
    if (job.room_bytes) {
        job.room_bytes = (job.room_bytes + 63) / 64 * 64;
        job.room = cti_malloc((size_t)job.room_bytes * (size_t)job.workers);
        if (!job.room)
            return false;
    }
    cti_parallel_for(job.workers, 1, run_workers, &job);
    cti_free(job.room);
    return true;
}

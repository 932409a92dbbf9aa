/* SPDX-License-Identifier: BSD-3-Clause */
/* The factor engine: a batch of factorisations by LAPACK (lapack.h), one matrix at a time on each
 * thread. The library runs single-threaded, so bits do not depend on the number of threads. A new
 * kind is a function for one matrix and one for its memory (job.h). */
#include "core/factor.h"
#include "cpu/engines.h"

#include "core/alloc.h"
#include "core/backend.h"
#include "core/interrupt.h"
#include "core/parallel.h"
#include "cpu/blas.h"
#include "cpu/factor/job.h"
#include "cpu/factor/tiles.h"

#include <limits.h>
#include <math.h>

enum { WORKERS_MAX = 64 };
#define WORK_ALONE 2e5 /* calls with fewer multiplications use one thread */

bool cti_factor_query_workspace(struct cti_factor_job *job, cti_factor_call *call,
                                int64_t iwork_bytes, const char *name)
{
    union {
        float narrow;
        double wide[2]; /* a complex number; the rest stays untouched */
    } answer;
    int query = -1;
    cti_blas_enter();
    int info = call(job, (char *)&answer, 0, &query);
    cti_blas_leave();
    double best = job->real == 4 ? (double)answer.narrow : answer.wide[0];
    best = ceil(best * (job->real == 4 ? 1 + 1e-6 : 1)) + 1; /* undo the rounding to float32 */
    if (info || best > INT_MAX)
        return cti_refuse(CT_ERR_RUNTIME, "%s: %d by %d matrices are too large", name, job->m,
                          job->n);
    job->lwork = (int)best;
    job->work_bytes = (int64_t)best * job->size;
    job->room_bytes = job->work_bytes + job->rwork_bytes + iwork_bytes;
    return true;
}

static const struct {
    cti_factor_one *one;
    cti_factor_room *room;
} kinds[] = {
    [CTI_FACTOR_LU] = {cti_factor_lu, NULL},
    [CTI_FACTOR_LU_SOLVE] = {cti_factor_lu_solve, NULL},
    [CTI_FACTOR_ORDER] = {cti_factor_order, NULL},
    [CTI_FACTOR_SVD] = {cti_factor_svd, cti_factor_svd_room},
    [CTI_FACTOR_LU_INVERSE] = {cti_factor_lu_inverse, cti_factor_lu_inverse_room},
    [CTI_FACTOR_CHOLESKY] = {cti_factor_cholesky, NULL},
    [CTI_FACTOR_CHOLESKY_SOLVE] = {cti_factor_cholesky_solve, NULL},
    [CTI_FACTOR_CHOLESKY_INVERSE] = {cti_factor_cholesky_inverse, NULL},
    [CTI_FACTOR_TRIANGULAR] = {cti_factor_triangular, NULL},
    [CTI_FACTOR_QR] = {cti_factor_qr, cti_factor_qr_room},
    [CTI_FACTOR_REFLECTORS] = {cti_factor_qr, cti_factor_qr_room},
    [CTI_FACTOR_REFLECT] = {cti_factor_reflect, cti_factor_reflect_room},
    [CTI_FACTOR_LSTSQ] = {cti_factor_lstsq, cti_factor_lstsq_room},
    [CTI_FACTOR_LDL] = {cti_factor_ldl, cti_factor_ldl_room},
    [CTI_FACTOR_LDL_SOLVE] = {cti_factor_ldl_solve, NULL},
    [CTI_FACTOR_EIGH] = {cti_factor_eigh, cti_factor_eigh_room},
    [CTI_FACTOR_EIG] = {cti_factor_eig, cti_factor_eig_room},
};

/* A worker keeps its permit to call the library from its first matrix to its last, except where the
 * tiles of one matrix take permits themselves. */
static void run_workers(void *context, int64_t begin, int64_t end)
{
    struct cti_factor_job *job = context;
    bool tiled = cti_factor_is_tiled(job->w);
    if (!tiled)
        cti_blas_enter();
    for (int64_t worker = begin; worker < end; worker++)
        for (;;) {
            int64_t i = __atomic_fetch_add(&job->next, job->claim, __ATOMIC_RELAXED);
            int64_t last = i + job->claim < job->w->batch ? i + job->claim : job->w->batch;
            if (i >= job->w->batch)
                break;
            for (; i < last && !cti_interrupted(); i++)
                kinds[job->w->kind].one(job, job->room + worker * job->room_bytes, i);
        }
    if (!tiled)
        cti_blas_leave();
}

static int type_of(enum ct_dtype dtype)
{
    return dtype == CT_FLOAT32     ? CTI_LAPACK_S
           : dtype == CT_FLOAT64   ? CTI_LAPACK_D
           : dtype == CT_COMPLEX64 ? CTI_LAPACK_C
                                   : CTI_LAPACK_Z;
}

enum cti_status cti_cpu_factor(struct cti_factor *w)
{
    if (w->m > INT_MAX || w->n > INT_MAX || w->k > INT_MAX)
        return cti_refuse(CT_ERR_RUNTIME,
                          "LAPACK has no matrices with more than %d rows or columns", INT_MAX);
    if (!w->batch)
        return true;
    struct cti_factor_job job = {.w = w, .type = type_of(w->dtype), .size = cti_itemsize(w->dtype)};
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
    job.claim = w->batch / (job.workers * 8) + 1;
    if (job.room_bytes) {
        job.room_bytes = (job.room_bytes + 63) / 64 * 64;
        job.room = cti_malloc((size_t)job.room_bytes * (size_t)job.workers);
        if (!job.room)
            return false;
    }
    if (job.workers == 1)
        run_workers(&job, 0, 1); /* one matrix: the threads may share its tiles */
    else
        cti_parallel_for(job.workers, 1, run_workers, &job);
    cti_free(job.room);
    return true;
}

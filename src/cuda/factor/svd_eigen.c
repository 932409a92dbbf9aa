/* SPDX-License-Identifier: BSD-3-Clause */
/* Singular values by one-sided Jacobi and eigenvalues of symmetric or Hermitian matrices, by
 * cuSOLVER; part of the factor engine. */
#include "core/alloc.h"
#include "cuda/factor/solver.h"
#include "cuda/runtime/memory.h"

#include <math.h>

#define SWEEPS 400

typedef struct cti_cuda_job job;
#define DID(call, name) cti_cuda_job_did(call, name)

/* ---- singular values ---- */

/* U and V are never NULL: gesvdj uses them as scratch even if no vectors are wanted; passing NULL
 * for a matrix that is not square crashes the CUDA context. */
struct svd {
    void *u, *s, *v;
    int m, n, thin, job, columns; /* columns of V */
    int64_t u_step, s_step, v_step;
};

static void *rotations(job *j)
{
    static void *made[2]; /* for float32 and float64 */
    void **params = &made[j->type % 4];
    double tolerance = j->type % 4 == 0 ? 0x1p-23 : 0x1p-52;
    if (!*params && (!DID(j->all->gesvdj_params(params), "CreateGesvdjInfo") ||
                     !DID(j->all->gesvdj_tolerance(*params, tolerance), "XgesvdjSetTolerance") ||
                     !DID(j->all->gesvdj_sweeps(*params, SWEEPS), "XgesvdjSetMaxSweeps")))
        return NULL;
    return *params;
}

static bool svd_batched(job *j, const struct svd *f, void *params)
{
    int lwork = 0, batch = (int)j->w->batch;
    void *a = j->w->part[0].data;
    if (!DID(j->f->gesvdj_batched_size(j->solver, f->job, f->m, f->n, a, f->m, f->s, f->u, f->m,
                                       f->v, f->n, &lwork, params, batch),
             "gesvdjBatched_bufferSize"))
        return false;
    void *work = cti_cuda_job_scratch(j, lwork * j->item);
    return work &&
           DID(j->f->gesvdj_batched(j->solver, f->job, f->m, f->n, a, f->m, f->s, f->u, f->m, f->v,
                                    f->n, work, lwork, j->w->info, params, batch),
               "gesvdjBatched");
}

static bool svd_looped(job *j, const struct svd *f, void *params)
{
    int lwork = 0;
    int64_t real = j->type >= 4 ? j->item / 2 : j->item;
    if (!DID(j->f->gesvdj_size(j->solver, f->job, f->thin, f->m, f->n, j->w->part[0].data, f->m,
                               f->s, f->u, f->m, f->v, f->n, &lwork, params),
             "gesvdj_bufferSize"))
        return false;
    void *work = cti_cuda_job_scratch(j, lwork * j->item);
    bool good = work != NULL;
    for (int64_t i = 0; i < j->w->batch && good; i++)
        good = DID(j->f->gesvdj(j->solver, f->job, f->thin, f->m, f->n, cti_cuda_job_at(j, 0, i),
                                f->m, (char *)f->s + i * f->s_step * real,
                                (char *)f->u + i * f->u_step * j->item, f->m,
                                (char *)f->v + i * f->v_step * j->item, f->n, work, lwork,
                                j->w->info + i, params),
                   "gesvdj");
    return good;
}

/* Whether all status codes are 0 and all singular values are finite. Waits for the device. */
static bool svd_converged(job *j, const struct svd *f, bool *failed)
{
    const struct ct_device host = {CT_CPU, -1};
    int64_t real = j->type >= 4 ? j->item / 2 : j->item, count = f->s_step * j->w->batch;
    char *s = cti_malloc((size_t)(count * real) + 1);
    int32_t *info = cti_malloc((size_t)j->w->batch * sizeof *info);
    bool good = s && info &&
                cti_cuda_move(info, host, j->w->info, j->w->work.device,
                              j->w->batch * (int64_t)sizeof *info, false) &&
                cti_cuda_move(s, host, f->s, j->w->work.device, count * real, true);
    *failed = !good;
    for (int64_t i = 0; i < j->w->batch && good; i++)
        good = info[i] == 0;
    for (int64_t i = 0; i < count && good; i++)
        good = isfinite(real == 4 ? (double)((float *)(void *)s)[i] : ((double *)(void *)s)[i]);
    cti_free(s);
    cti_free(info);
    return good;
}

/* Chooses memory for U and V: U is the result if it is wanted; V and an unwanted U are scratch,
 * which is shared if matrices are decomposed one by one. False: failed. */
static bool svd_scratch(job *j, struct svd *f, bool vectors, bool batched)
{
    int64_t least = f->m < f->n ? f->m : f->n, rows = f->m;
    int64_t u_columns = batched ? f->m : least, apart = vectors || batched;
    f->columns = (int)(vectors ? (f->thin ? least : f->n) : batched ? f->n : least);
    f->v_step = apart * f->n * f->columns;
    f->u_step = vectors ? j->w->part[2].step : apart * rows * u_columns;
    int64_t matrices = apart ? j->w->batch : 1;
    f->u = vectors ? j->w->part[2].data
                   : cti_cuda_job_scratch(j, rows * u_columns * matrices * j->item);
    f->v = f->u ? cti_cuda_job_scratch(j, (int64_t)f->n * f->columns * matrices * j->item) : NULL;
    return f->v != NULL;
}

/* If Jacobi does not converge, the host's LAPACK computes the result; it needs the matrices again.
 */
bool cti_cuda_svd(job *j, bool *lost)
{
    const struct cti_factor *w = j->w;
    int64_t m = w->m, n = w->n, least = m < n ? m : n, all = m * n * w->batch;
    bool vectors = w->mode != 'N', failed = false;
    bool batched = w->batch > 1 && m <= 32 && n <= 32 && (w->mode != 'S' || m == n);
    struct svd f = {.s = w->part[1].data,
                    .m = (int)m,
                    .n = (int)n,
                    .thin = w->mode != 'A',
                    .job = vectors || (batched && m != n), /* as PyTorch does */
                    .s_step = least};
    void *params = rotations(j), *kept = params ? cti_cuda_job_scratch(j, all * j->item) : NULL;
    if (!kept || !svd_scratch(j, &f, vectors, batched) ||
        !cti_cuda_job_copy(j, kept, m, m * n, w->part[0].data, m, m * n, m, n, false))
        return false;
    if (!(batched ? svd_batched(j, &f, params) : svd_looped(j, &f, params)))
        return false;
    if (svd_converged(j, &f, &failed))
        return !vectors || cti_cuda_job_copy(j, w->part[3].data, f.columns, w->part[3].step, f.v, n,
                                             f.v_step, f.columns, n, true);
    *lost = !failed && cti_cuda_job_copy(j, w->part[0].data, m, m * n, kept, m, m * n, m, n, false);
    return false;
}

/* ---- eigenvalues ---- */

bool cti_cuda_eigh(job *j)
{
    const struct cti_factor *w = j->w;
    int uplo = w->uplo == 'U', vectors = w->mode == 'V', real = j->type % 4;
    int64_t real_size = j->type >= 4 ? j->item / 2 : j->item;
    bool batched = w->batch > 1 && j->all->syev_batched;
    size_t device = 0, host = 0;
    int code = batched
                   ? j->all->syev_batched_size(j->solver, j->params, vectors, uplo, w->n, j->type,
                                               w->part[0].data, w->n, real, w->part[1].data,
                                               j->type, &device, &host, w->batch)
                   : j->all->syevd_size(j->solver, j->params, vectors, uplo, w->n, j->type,
                                        w->part[0].data, w->n, real, w->part[1].data, j->type,
                                        &device, &host);
    if (!DID(code, "syevd_bufferSize"))
        return false;
    void *scratch = cti_cuda_job_scratch(j, (int64_t)device), *here = cti_malloc(host ? host : 1);
    bool good = scratch && here;
    if (good && batched)
        good = DID(j->all->syev_batched(j->solver, j->params, vectors, uplo, w->n, j->type,
                                        w->part[0].data, w->n, real, w->part[1].data, j->type,
                                        scratch, device, here, host, w->info, w->batch),
                   "syevBatched");
    for (int64_t i = 0; i < w->batch && good && !batched; i++)
        good = DID(j->all->syevd(j->solver, j->params, vectors, uplo, w->n, j->type,
                                 cti_cuda_job_at(j, 0, i), w->n, real,
                                 (char *)w->part[1].data + i * w->part[1].step * real_size, j->type,
                                 scratch, device, here, host, w->info + i),
                   "syevd");
    cti_free(here);
    struct factor_args a = {
        .a = w->part[1].data, .info = w->info, .n = w->n, .m = w->n, .batch = w->batch};
    if (w->n == 1) /* the element is the eigenvalue, finite or not */
        return good;
    return good && cti_cuda_factor_kernel(j, FACTOR_FINITE, &a, w->batch);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Factorisations by cuSOLVER, or by cuBLAS for batches of small matrices, as PyTorch chooses
 * between them: LU, Cholesky, QR, the solves that use them, and least squares. Status codes remain
 * on the device. LDL, general eigenvalues and LAPACK's other drivers of least squares run on the
 * host.
 * */
#include "core/alloc.h"
#include "cuda/engines.h"
#include "cuda/factor/solver.h"

/* Parameters of cuBLAS and cuSOLVER */
enum { LEFT = 0, RIGHT = 1, LOWER = 0, UPPER = 1, NON_UNIT = 0 };

typedef struct cti_cuda_job job;
#define AT(part, i) cti_cuda_job_at(j, part, i)
#define DID(call, name) cti_cuda_job_did(call, name)

static int library_op(char op)
{
    return op == 'N' ? 0 : op == 'T' ? 1 : 2;
}

static int32_t *pivots_at(job *j, int64_t i)
{
    return (int32_t *)j->w->part[1].data + i * j->w->part[1].step;
}

/* Allocates scratch memory of lwork elements, followed by a status code for functions whose code is
 * not read. */
static void *work_area(job *j, int lwork, int **info)
{
    char *scratch = cti_cuda_job_scratch(j, lwork * j->item + 16);
    *info = (int *)(void *)(scratch + lwork * j->item);
    return scratch;
}

static const void *one_of(const job *j)
{
    static const float narrow[2] = {1, 0};
    static const double wide[2] = {1, 0};
    return j->type % 4 == 0 ? (const void *)narrow : wide;
}

/* ---- LU ---- */

static bool lu(job *j)
{
    const struct cti_factor *w = j->w;
    int m = (int)w->m, n = (int)w->n, lwork = 0, *unused;
    int64_t pivots = m < n ? m : n;
    if (w->batch > 1 && m == n && n < 512 && w->part[1].step == pivots) {
        void **a = cti_cuda_job_addresses(j, w->part[0].data, w->part[0].step);
        return a &&
               DID(j->f->getrf_batched(j->blas, n, a, n, w->part[1].data, w->info, (int)w->batch),
                   "getrfBatched");
    }
    if (!DID(j->f->getrf_size(j->solver, m, n, w->part[0].data, m, &lwork), "getrf_bufferSize"))
        return false;
    void *work = work_area(j, lwork, &unused);
    bool good = work != NULL;
    for (int64_t i = 0; i < w->batch && good; i++)
        good = DID(j->f->getrf(j->solver, m, n, AT(0, i), m, work, pivots_at(j, i), w->info + i),
                   "getrf");
    return good;
}

/* b, n by k for each matrix, becomes the solution; mode: see CTI_FACTOR_LU_SOLVE. */
static bool lu_divide(job *j, char mode, void *b, int64_t step, int k)
{
    const struct cti_factor *w = j->w;
    int n = (int)w->n, *info, ignored = 0;
    if (w->batch > 1 && n <= 128 && w->part[1].step == n) {
        void **a = cti_cuda_job_addresses(j, w->part[0].data, w->part[0].step);
        void **to = a ? cti_cuda_job_addresses(j, b, step) : NULL;
        return to && DID(j->f->getrs_batched(j->blas, library_op(mode), n, k, a, n, w->part[1].data,
                                             to, n, &ignored, (int)w->batch),
                         "getrsBatched");
    }
    bool good = work_area(j, 0, &info) != NULL;
    for (int64_t i = 0; i < w->batch && good; i++)
        good = DID(j->f->getrs(j->solver, library_op(mode), n, k, AT(0, i), n, pivots_at(j, i),
                               (char *)b + i * step * j->item, n, info),
                   "getrs");
    return good;
}

static bool factor_lu_solve(job *j)
{
    return lu_divide(j, j->w->mode, j->w->part[2].data, j->w->part[2].step, (int)j->w->k);
}

/* Makes identity matrices in scratch memory; NULL: failed. */
static void *identities(job *j)
{
    int64_t n = j->w->n, all = n * n * j->w->batch;
    void *unit = cti_cuda_job_scratch(j, all * j->item);
    struct factor_args a = {.a = unit, .n = n, .batch = j->w->batch};
    return unit && cti_cuda_factor_kernel(j, FACTOR_IDENTITY, &a, all) ? unit : NULL;
}

static bool put_inverse(job *j, const void *x)
{
    const struct cti_factor *w = j->w;
    return cti_cuda_job_copy(j, w->part[0].data, w->n, w->part[0].step, x, w->n, w->n * w->n, w->n,
                             w->n, false);
}

static bool lu_inverse(job *j)
{
    void *x = identities(j);
    return x && lu_divide(j, 'N', x, j->w->n * j->w->n, (int)j->w->n) && put_inverse(j, x);
}

static bool order(job *j)
{
    const struct cti_factor *w = j->w;
    struct factor_args a = {.a = w->part[0].data,
                            .b = w->part[1].data,
                            .info = w->info,
                            .n = w->m,
                            .m = w->k,
                            .batch = w->batch};
    return cti_cuda_factor_kernel(j, FACTOR_PIVOTS, &a, w->batch);
}

/* ---- triangles ---- */

/* A batch of column-major matrices. */
struct matrices {
    void *data;
    int64_t step; /* elements from one to the next */
    int ld;       /* leading dimension */
};

static struct matrices matrices_of(const job *j, int part, int64_t ld)
{
    return (struct matrices){j->w->part[part].data, j->w->part[part].step, (int)ld};
}

static void *matrix_at(const job *j, const struct matrices *a, int64_t i)
{
    return (char *)a->data + i * a->step * j->item;
}

/* b, m by n, becomes the solution of op(a) X = b (side LEFT) or X op(a) = b. */
static bool solve_triangular(job *j, int side, int uplo, int op, int diag, int m, int n,
                             struct matrices a, struct matrices b)
{
    int64_t batch = j->w->batch;
    if (batch > 1 && (side == LEFT ? m : n) <= 512) {
        void **as = cti_cuda_job_addresses(j, a.data, a.step);
        void **bs = as ? cti_cuda_job_addresses(j, b.data, b.step) : NULL;
        return bs && DID(j->f->trsm_batched(j->blas, side, uplo, op, diag, m, n, one_of(j), as,
                                            a.ld, bs, b.ld, (int)batch),
                         "trsmBatched");
    }
    bool good = true;
    for (int64_t i = 0; i < batch && good; i++)
        good = DID(j->f->trsm(j->blas, side, uplo, op, diag, m, n, one_of(j), matrix_at(j, &a, i),
                              a.ld, matrix_at(j, &b, i), b.ld),
                   "trsm");
    return good;
}

static bool triangular(job *j)
{
    const struct cti_factor *w = j->w;
    int side = w->side == 'R' ? RIGHT : LEFT;
    return solve_triangular(j, side, w->uplo == 'U' ? UPPER : LOWER, library_op(w->op),
                            w->diag == 'U', (int)w->m, (int)w->n,
                            matrices_of(j, 0, side == LEFT ? w->m : w->n), matrices_of(j, 1, w->m));
}

/* ---- Cholesky ---- */

static bool cholesky_looped(job *j, int uplo)
{
    const struct cti_factor *w = j->w;
    size_t device = 0, host = 0;
    if (!DID(j->all->potrf_size(j->solver, j->params, uplo, w->n, j->type, w->part[0].data, w->n,
                                j->type, &device, &host),
             "potrf_bufferSize"))
        return false;
    void *scratch = cti_cuda_job_scratch(j, (int64_t)device), *here = cti_malloc(host ? host : 1);
    bool good = scratch && here;
    for (int64_t i = 0; i < w->batch && good; i++)
        good = DID(j->all->potrf(j->solver, j->params, uplo, w->n, j->type, AT(0, i), w->n, j->type,
                                 scratch, device, here, host, w->info + i),
                   "potrf");
    cti_free(here);
    return good;
}

static bool cholesky(job *j)
{
    const struct cti_factor *w = j->w;
    int uplo = w->uplo == 'U' ? UPPER : LOWER, n = (int)w->n;
    struct factor_args beside = {
        .a = w->part[0].data, .n = n, .m = uplo == UPPER, .batch = w->batch};
    if (w->batch > 1 && n <= 512) {
        void **a = cti_cuda_job_addresses(j, w->part[0].data, w->part[0].step);
        if (!a || !DID(j->f->potrf_batched(j->solver, uplo, n, a, n, w->info, (int)w->batch),
                       "potrfBatched"))
            return false;
    } else if (!cholesky_looped(j, uplo)) {
        return false;
    }
    return cti_cuda_factor_kernel(j, FACTOR_TRIANGLE, &beside, (int64_t)n * n * w->batch);
}

/* b becomes the solution x of L L^H x = b, or U^H U x = b. */
static bool cholesky_divide(job *j, void *b, int64_t step, int k)
{
    bool upper = j->w->uplo == 'U';
    int n = (int)j->w->n, uplo = upper ? UPPER : LOWER;
    struct matrices a = matrices_of(j, 0, n), x = {b, step, n};
    return solve_triangular(j, LEFT, uplo, library_op(upper ? 'C' : 'N'), NON_UNIT, n, k, a, x) &&
           solve_triangular(j, LEFT, uplo, library_op(upper ? 'N' : 'C'), NON_UNIT, n, k, a, x);
}

static bool cholesky_solve(job *j)
{
    return cholesky_divide(j, j->w->part[1].data, j->w->part[1].step, (int)j->w->k);
}

static bool cholesky_inverse(job *j)
{
    void *x = identities(j);
    return x && cholesky_divide(j, x, j->w->n * j->w->n, (int)j->w->n) && put_inverse(j, x);
}

/* ---- QR ---- */

/* Matrices a, m by n, become R and the Householder reflectors below it, whose factors go to tau. */
static bool reflect_columns(job *j, struct matrices a, void *tau, int64_t tau_step, int m, int n)
{
    int lwork = 0, *info;
    if (!DID(j->f->geqrf_size(j->solver, m, n, a.data, m, &lwork), "geqrf_bufferSize"))
        return false;
    void *work = work_area(j, lwork, &info);
    bool good = work != NULL;
    for (int64_t i = 0; i < j->w->batch && good; i++)
        good = DID(j->f->geqrf(j->solver, m, n, matrix_at(j, &a, i), m,
                               (char *)tau + i * tau_step * j->item, work, lwork, info),
                   "geqrf");
    return good;
}

static bool qr(job *j)
{
    const struct cti_factor *w = j->w;
    return reflect_columns(j, matrices_of(j, 0, w->m), w->part[1].data, w->part[1].step, (int)w->m,
                           (int)w->n);
}

static bool reflectors(job *j)
{
    const struct cti_factor *w = j->w;
    int m = (int)w->m, n = (int)w->n, k = (int)w->k, lwork = 0, *info;
    if (!DID(j->f->orgqr_size(j->solver, m, n, k, w->part[0].data, m, w->part[1].data, &lwork),
             "orgqr_bufferSize"))
        return false;
    void *work = work_area(j, lwork, &info);
    bool good = work != NULL;
    for (int64_t i = 0; i < w->batch && good; i++)
        good =
            DID(j->f->orgqr(j->solver, m, n, k, AT(0, i), m, AT(1, i), work, lwork, info), "orgqr");
    return good;
}

/* c, m by n, becomes op(Q) c or c op(Q) for the Q of k reflectors a and their factors tau. */
static bool multiply_by_q(job *j, int side, int op, int m, int n, int k, struct matrices a,
                          struct matrices tau, struct matrices c)
{
    int lwork = 0, *info;
    if (!DID(j->f->ormqr_size(j->solver, side, op, m, n, k, a.data, a.ld, tau.data, c.data, c.ld,
                              &lwork),
             "ormqr_bufferSize"))
        return false;
    void *work = work_area(j, lwork, &info);
    bool good = work != NULL;
    for (int64_t i = 0; i < j->w->batch && good; i++)
        good = DID(j->f->ormqr(j->solver, side, op, m, n, k, matrix_at(j, &a, i), a.ld,
                               matrix_at(j, &tau, i), matrix_at(j, &c, i), c.ld, work, lwork, info),
                   "ormqr");
    return good;
}

/* The adjoint of a real matrix is its transpose; cuSOLVER accepts only that op for real types.
 * */
static int adjoint_of(const job *j)
{
    return library_op(j->type >= 4 ? 'C' : 'T');
}

static bool multiply_q(job *j)
{
    const struct cti_factor *w = j->w;
    int side = w->side == 'R' ? RIGHT : LEFT;
    return multiply_by_q(j, side, w->op == 'N' ? library_op('N') : adjoint_of(j), (int)w->m,
                         (int)w->n, (int)w->k, matrices_of(j, 0, side == LEFT ? w->m : w->n),
                         matrices_of(j, 1, 0), matrices_of(j, 2, w->m));
}

/* ---- least squares, by QR of a matrix of full rank ---- */

static bool least_squares(job *j)
{
    const struct cti_factor *w = j->w;
    int m = (int)w->m, n = (int)w->n, k = (int)w->k, least = m < n ? m : n;
    struct matrices a = matrices_of(j, 0, m), b = matrices_of(j, 1, m > n ? m : n);
    struct matrices tau = {cti_cuda_job_scratch(j, least * w->batch * j->item), least, 0};
    if (!tau.data)
        return false;
    if (m >= n) /* A = Q R: R x = Q^H b */
        return reflect_columns(j, a, tau.data, n, m, n) &&
               multiply_by_q(j, LEFT, adjoint_of(j), m, k, n, a, tau, b) &&
               solve_triangular(j, LEFT, UPPER, library_op('N'), NON_UNIT, n, k, a, b);
    /* A^H = Q R: x = Q (R^-H b) */
    struct matrices h = {cti_cuda_job_scratch(j, (int64_t)m * n * w->batch * j->item),
                         (int64_t)m * n, n};
    return h.data && cti_cuda_job_copy(j, h.data, n, h.step, a.data, m, a.step, n, m, true) &&
           reflect_columns(j, h, tau.data, m, n, m) &&
           solve_triangular(j, LEFT, UPPER, library_op('C'), NON_UNIT, m, k, h, b) &&
           multiply_by_q(j, LEFT, library_op('N'), n, k, m, h, tau, b);
}

/* ---- the engine ---- */

static bool is_for_host(const struct cti_factor *w)
{
    return w->kind == CTI_FACTOR_LDL || w->kind == CTI_FACTOR_LDL_SOLVE ||
           w->kind == CTI_FACTOR_EIG || (w->kind == CTI_FACTOR_LSTSQ && w->mode != '-') ||
           (w->kind == CTI_FACTOR_ORDER && w->m > 12000); /* shared memory */
}

static bool factor_run(job *j, bool *lost)
{
    switch (j->w->kind) {
    case CTI_FACTOR_LU:
        return lu(j);
    case CTI_FACTOR_LU_SOLVE:
        return factor_lu_solve(j);
    case CTI_FACTOR_LU_INVERSE:
        return lu_inverse(j);
    case CTI_FACTOR_ORDER:
        return order(j);
    case CTI_FACTOR_CHOLESKY:
        return cholesky(j);
    case CTI_FACTOR_CHOLESKY_SOLVE:
        return cholesky_solve(j);
    case CTI_FACTOR_CHOLESKY_INVERSE:
        return cholesky_inverse(j);
    case CTI_FACTOR_TRIANGULAR:
        return triangular(j);
    case CTI_FACTOR_QR:
        return qr(j);
    case CTI_FACTOR_REFLECTORS:
        return reflectors(j);
    case CTI_FACTOR_REFLECT:
        return multiply_q(j);
    case CTI_FACTOR_LSTSQ:
        return least_squares(j);
    case CTI_FACTOR_SVD:
        return cti_cuda_svd(j, lost);
    case CTI_FACTOR_EIGH:
        return cti_cuda_eigh(j);
    case CTI_FACTOR_LDL:
    case CTI_FACTOR_LDL_SOLVE:
    case CTI_FACTOR_EIG:
        break;
    }
    return false;
}

enum cti_status cti_cuda_factor(struct cti_factor *work)
{
    struct cti_cuda_job j;
    bool lost = false; /* the library did not converge and the input was restored */
    if (is_for_host(work) || !cti_cuda_job_begin(&j, work))
        return ct_error_kind() == CT_ERR_NONE ? CTI_DECLINED : CTI_FAILED;
    bool good = factor_run(&j, &lost);
    cti_cuda_job_end(&j);
    return lost ? CTI_DECLINED : good;
}

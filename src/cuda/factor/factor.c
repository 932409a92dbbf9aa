/* SPDX-License-Identifier: BSD-3-Clause */
/* Factorisations by cuSOLVER, and cuBLAS where many small matrices are done at once, as PyTorch
 * chooses between them: LU, Cholesky, Q and R, what is solved with them, and least squares. Codes
 * stay on the device. L and D, general eigenvalues and LAPACK's other ways of least squares go by
 * way of the host. */
#include "core/alloc.h"
#include "cuda/engines.h"
#include "cuda/factor/solver.h"

enum { LEFT = 0, RIGHT = 1, LOWER = 0, UPPER = 1 };

typedef struct cti_cuda_job job;
#define AT(part, i) cti_cuda_job_at(j, part, i)
#define DID(call, name) cti_cuda_job_did(call, name)

static int op_of(char op)
{
    return op == 'N' ? 0 : op == 'T' ? 1 : 2;
}

static int32_t *pivots_at(job *j, int64_t i)
{
    return (int32_t *)j->w->part[1].data + i * j->w->part[1].step;
}

/* A work area of so many elements with a code behind them that nobody reads. */
static void *work_area(job *j, int lwork, int **info)
{
    char *room = cti_cuda_job_room(j, lwork * j->item + 16);
    *info = (int *)(void *)(room + lwork * j->item);
    return room;
}

static const void *one_of(const job *j)
{
    static const float narrow[2] = {1, 0};
    static const double wide[2] = {1, 0};
    return j->type % 4 == 0 ? (const void *)narrow : wide;
}

/* ---- L and U ---- */

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

/* b, n by k for each matrix, becomes the solution. */
static bool lu_divide(job *j, char mode, void *b, int64_t step, int k)
{
    const struct cti_factor *w = j->w;
    int n = (int)w->n, *info, ignored = 0;
    if (w->batch > 1 && n <= 128 && w->part[1].step == n) {
        void **a = cti_cuda_job_addresses(j, w->part[0].data, w->part[0].step);
        void **to = a ? cti_cuda_job_addresses(j, b, step) : NULL;
        return to && DID(j->f->getrs_batched(j->blas, op_of(mode), n, k, a, n, w->part[1].data, to,
                                             n, &ignored, (int)w->batch),
                         "getrsBatched");
    }
    bool good = work_area(j, 0, &info) != NULL;
    for (int64_t i = 0; i < w->batch && good; i++)
        good = DID(j->f->getrs(j->solver, op_of(mode), n, k, AT(0, i), n, pivots_at(j, i),
                               (char *)b + i * step * j->item, n, info),
                   "getrs");
    return good;
}

static bool lu_solve(job *j)
{
    return lu_divide(j, j->w->mode, j->w->part[2].data, j->w->part[2].step, (int)j->w->k);
}

/* Unit matrices in a work area; NULL: failed. */
static void *units(job *j)
{
    int64_t n = j->w->n, all = n * n * j->w->batch;
    void *unit = cti_cuda_job_room(j, all * j->item);
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
    void *x = units(j);
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

struct triangle {
    void *a, *b;
    int64_t a_step, b_step;
    int side, uplo, op, diag, m, n, ld_a, ld_b;
};

static bool divide(job *j, const struct triangle *t)
{
    int order = t->side == LEFT ? t->m : t->n;
    int64_t batch = j->w->batch;
    if (batch > 1 && order <= 512) {
        void **a = cti_cuda_job_addresses(j, t->a, t->a_step);
        void **b = a ? cti_cuda_job_addresses(j, t->b, t->b_step) : NULL;
        return b && DID(j->f->trsm_batched(j->blas, t->side, t->uplo, t->op, t->diag, t->m, t->n,
                                           one_of(j), a, t->ld_a, b, t->ld_b, (int)batch),
                        "trsmBatched");
    }
    bool good = true;
    for (int64_t i = 0; i < batch && good; i++)
        good = DID(j->f->trsm(j->blas, t->side, t->uplo, t->op, t->diag, t->m, t->n, one_of(j),
                              (char *)t->a + i * t->a_step * j->item, t->ld_a,
                              (char *)t->b + i * t->b_step * j->item, t->ld_b),
                   "trsm");
    return good;
}

static bool triangular(job *j)
{
    const struct cti_factor *w = j->w;
    int side = w->side == 'R' ? RIGHT : LEFT, m = (int)w->m, n = (int)w->n;
    struct triangle t = {.a = w->part[0].data,
                         .b = w->part[1].data,
                         .a_step = w->part[0].step,
                         .b_step = w->part[1].step,
                         .side = side,
                         .uplo = w->uplo == 'U' ? UPPER : LOWER,
                         .op = op_of(w->op),
                         .diag = w->diag == 'U',
                         .m = m,
                         .n = n,
                         .ld_a = side == LEFT ? m : n,
                         .ld_b = m};
    return divide(j, &t);
}

/* ---- Cholesky's factors ---- */

static bool cholesky_looped(job *j, int uplo)
{
    const struct cti_factor *w = j->w;
    size_t device = 0, host = 0;
    if (!DID(j->all->potrf_size(j->solver, j->params, uplo, w->n, j->type, w->part[0].data, w->n,
                                j->type, &device, &host),
             "potrf_bufferSize"))
        return false;
    void *room = cti_cuda_job_room(j, (int64_t)device), *here = cti_malloc(host ? host : 1);
    bool good = room && here;
    for (int64_t i = 0; i < w->batch && good; i++)
        good = DID(j->all->potrf(j->solver, j->params, uplo, w->n, j->type, AT(0, i), w->n, j->type,
                                 room, device, here, host, w->info + i),
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

/* L L^H x = b, or U^H U x = b. */
static bool cholesky_divide(job *j, void *b, int64_t step, int k)
{
    const struct cti_factor *w = j->w;
    bool upper = w->uplo == 'U';
    int n = (int)w->n;
    struct triangle t = {.a = w->part[0].data,
                         .b = b,
                         .a_step = w->part[0].step,
                         .b_step = step,
                         .side = LEFT,
                         .uplo = upper ? UPPER : LOWER,
                         .op = op_of(upper ? 'C' : 'N'),
                         .m = n,
                         .n = k,
                         .ld_a = n,
                         .ld_b = n};
    if (!divide(j, &t))
        return false;
    t.op = op_of(upper ? 'N' : 'C');
    return divide(j, &t);
}

static bool cholesky_solve(job *j)
{
    return cholesky_divide(j, j->w->part[1].data, j->w->part[1].step, (int)j->w->k);
}

static bool cholesky_inverse(job *j)
{
    void *x = units(j);
    return x && cholesky_divide(j, x, j->w->n * j->w->n, (int)j->w->n) && put_inverse(j, x);
}

/* ---- Q and R ---- */

/* m by n matrices at a become R and reflectors, whose factors go to tau. */
static bool reflect_columns(job *j, void *a, int64_t step, void *tau, int64_t tau_step, int m,
                            int n)
{
    int lwork = 0, *info;
    if (!DID(j->f->geqrf_size(j->solver, m, n, a, m, &lwork), "geqrf_bufferSize"))
        return false;
    void *work = work_area(j, lwork, &info);
    bool good = work != NULL;
    for (int64_t i = 0; i < j->w->batch && good; i++)
        good = DID(j->f->geqrf(j->solver, m, n, (char *)a + i * step * j->item, m,
                               (char *)tau + i * tau_step * j->item, work, lwork, info),
                   "geqrf");
    return good;
}

static bool qr(job *j)
{
    const struct cti_factor *w = j->w;
    return reflect_columns(j, w->part[0].data, w->part[0].step, w->part[1].data, w->part[1].step,
                           (int)w->m, (int)w->n);
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

struct product { /* C, m by n with ld rows, becomes op(Q) C or C op(Q), of k reflectors */
    void *a, *tau, *c;
    int64_t a_step, tau_step, c_step;
    int side, op, m, n, k, ld_a, ld_c;
};

static bool multiply(job *j, const struct product *p)
{
    int lwork = 0, *info;
    if (!DID(j->f->ormqr_size(j->solver, p->side, p->op, p->m, p->n, p->k, p->a, p->ld_a, p->tau,
                              p->c, p->ld_c, &lwork),
             "ormqr_bufferSize"))
        return false;
    void *work = work_area(j, lwork, &info);
    bool good = work != NULL;
    for (int64_t i = 0; i < j->w->batch && good; i++)
        good = DID(j->f->ormqr(j->solver, p->side, p->op, p->m, p->n, p->k,
                               (char *)p->a + i * p->a_step * j->item, p->ld_a,
                               (char *)p->tau + i * p->tau_step * j->item,
                               (char *)p->c + i * p->c_step * j->item, p->ld_c, work, lwork, info),
                   "ormqr");
    return good;
}

/* The transpose of a real matrix is its adjoint, and cuSOLVER wants it by that name's letter. */
static int adjoint_of(const job *j)
{
    return j->type >= 4 ? 2 : 1;
}

static bool reflect(job *j)
{
    const struct cti_factor *w = j->w;
    int side = w->side == 'R' ? RIGHT : LEFT;
    struct product p = {.a = w->part[0].data,
                        .tau = w->part[1].data,
                        .c = w->part[2].data,
                        .a_step = w->part[0].step,
                        .tau_step = w->part[1].step,
                        .c_step = w->part[2].step,
                        .side = side,
                        .op = w->op == 'N' ? 0 : adjoint_of(j),
                        .m = (int)w->m,
                        .n = (int)w->n,
                        .k = (int)w->k,
                        .ld_a = (int)(side == LEFT ? w->m : w->n),
                        .ld_c = (int)w->m};
    return multiply(j, &p);
}

/* ---- least squares, by Q and R of full rank ---- */

/* R x = Q^H b. */
static bool least_squares_tall(job *j, void *tau)
{
    const struct cti_factor *w = j->w;
    int m = (int)w->m, n = (int)w->n, k = (int)w->k;
    struct product p = {.a = w->part[0].data,
                        .tau = tau,
                        .c = w->part[1].data,
                        .a_step = w->part[0].step,
                        .tau_step = n,
                        .c_step = w->part[1].step,
                        .op = adjoint_of(j),
                        .m = m,
                        .n = k,
                        .k = n,
                        .ld_a = m,
                        .ld_c = m};
    struct triangle t = {.a = w->part[0].data,
                         .b = w->part[1].data,
                         .a_step = w->part[0].step,
                         .b_step = w->part[1].step,
                         .uplo = UPPER,
                         .m = n,
                         .n = k,
                         .ld_a = m,
                         .ld_b = m};
    return reflect_columns(j, w->part[0].data, w->part[0].step, tau, n, m, n) && multiply(j, &p) &&
           divide(j, &t);
}

/* A^H = Q R: x = Q (R^-H b). */
static bool least_squares_wide(job *j, void *tau)
{
    const struct cti_factor *w = j->w;
    int m = (int)w->m, n = (int)w->n, k = (int)w->k;
    int64_t step = (int64_t)m * n;
    void *transposed = cti_cuda_job_room(j, step * w->batch * j->item);
    struct triangle t = {.a = transposed,
                         .b = w->part[1].data,
                         .a_step = step,
                         .b_step = w->part[1].step,
                         .uplo = UPPER,
                         .op = 2,
                         .m = m,
                         .n = k,
                         .ld_a = n,
                         .ld_b = n};
    struct product p = {.a = transposed,
                        .tau = tau,
                        .c = w->part[1].data,
                        .a_step = step,
                        .tau_step = m,
                        .c_step = w->part[1].step,
                        .m = n,
                        .n = k,
                        .k = m,
                        .ld_a = n,
                        .ld_c = n};
    return transposed &&
           cti_cuda_job_copy(j, transposed, n, step, w->part[0].data, m, w->part[0].step, n, m,
                             true) &&
           reflect_columns(j, transposed, step, tau, m, n, m) && divide(j, &t) && multiply(j, &p);
}

static bool least_squares(job *j)
{
    int64_t least = j->w->m < j->w->n ? j->w->m : j->w->n;
    void *tau = cti_cuda_job_room(j, least * j->w->batch * j->item);
    return tau && (j->w->m >= j->w->n ? least_squares_tall(j, tau) : least_squares_wide(j, tau));
}

/* ---- the engine ---- */

static bool by_host(const struct cti_factor *w)
{
    return w->kind == CTI_FACTOR_LDL || w->kind == CTI_FACTOR_LDL_SOLVE ||
           w->kind == CTI_FACTOR_EIG || (w->kind == CTI_FACTOR_LSTSQ && w->mode != '-') ||
           (w->kind == CTI_FACTOR_ORDER && w->m > 12000); /* shared memory */
}

static bool run(job *j, bool *lost)
{
    switch (j->w->kind) {
    case CTI_FACTOR_LU:
        return lu(j);
    case CTI_FACTOR_LU_SOLVE:
        return lu_solve(j);
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
        return reflect(j);
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
    bool lost = false; /* the library found no result, and the input is as it was */
    if (by_host(work) || !cti_cuda_job_begin(&j, work))
        return ct_error_kind() == CT_ERR_NONE ? CTI_DECLINED : CTI_FAILED;
    bool good = run(&j, &lost);
    cti_cuda_job_end(&j);
    return lost ? CTI_DECLINED : good;
}

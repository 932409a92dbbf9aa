/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements least squares for LAPACK's four drivers with the factor engine. The derivative is in
 * autograd/derivatives/linalg/qr.c. */
#include "core/hold.h"
#include "fronts.h"
#include "ops/index/index.h"
#include "ops/linalg/linalg.h"

#include <string.h>

/* ---- checks ---- */

/* Returns the engine's letter for a driver; 0: not supported. On accelerators only gels exists. */
static char driver_letter(const char *driver, bool device)
{
    static const char *const names[] = {"gels", "gelsy", "gelsd", "gelss"};
    if (!driver)
        return device ? '-' : 'y';
    for (int i = 0; i < (device ? 1 : 4); i++)
        if (strcmp(driver, names[i]) == 0)
            return "-yds"[i];
    ct_fail(CT_ERR_RUNTIME, device ? "torch.linalg.lstsq: `driver` other than `gels` is not "
                                     "supported on CUDA"
                                   : "torch.linalg.lstsq: parameter `driver` should be one of "
                                     "(gels, gelsy, gelsd, gelss)");
    return 0;
}

static bool is_on_accelerator(const ct_tensor *t)
{
    return cti_accelerator_of(t->storage->device.type) != NULL;
}

static bool check_lstsq(const ct_tensor *a, const ct_tensor *b)
{
    static const char name[] = "torch.linalg.lstsq";
    if (a->ndim < 2)
        return cti_refuse(CT_ERR_RUNTIME, "%s: input must have at least 2 dimensions.", name);
    if (b->ndim < 1)
        return cti_refuse(CT_ERR_RUNTIME, "%s: other must have at least 1 dimension.", name);
    if (a->dtype != b->dtype)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "%s: Expected input and other to have the same dtype, but got input's dtype "
            "%s and other's dtype %s",
            name, cti_dtype_scalar_name(ct_dtype(a)), cti_dtype_scalar_name(ct_dtype(b)));
    int more = a->ndim - b->ndim;
    if (more < 0 || more > 1)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "%s: input.dim() must be greater or equal to other.dim() and (input.dim() - "
            "other.dim()) <= 1",
            name);
    bool vector = cti_linalg_is_vector(a, b);
    if (cti_linalg_rows(a) != b->shape[b->ndim - (vector ? 1 : 2)])
        return cti_refuse(CT_ERR_RUNTIME, "%s: input.size(-2) should match other.size(%d)", name,
                          vector ? -1 : -2);
    return true;
}

/* PyTorch computes the default rcond, an epsilon, before it looks for a kernel. */
static bool lstsq_check_type(const ct_tensor *a, double rcond)
{
    if (a->dtype < CT_FLOAT32 && rcond != rcond)
        return cti_refuse(CT_ERR_RUNTIME,
                          "This function doesn't handle types other than float and double");
    return cti_linalg_has_kernel(a, "linalg_lstsq_cpu");
}

/* ---- the engine ---- */

struct lstsq {
    struct cti_hold h;
    ct_tensor *a, *x, *s, *rank; /* broadcast, in the engine's layout; borrowed */
    int64_t m, n, k;
    char driver;
};

/* Runs the engine on the prepared operands and checks the codes. rcond: relative to the largest
 * singular value. */
static bool lstsq_run(struct lstsq *f, double rcond)
{
    ct_tensor *info = cti_hold(&f->h, cti_linalg_vectors(f->a, -1, CT_INT32));
    if (!info)
        return false;
    struct cti_factor work = {.kind = CTI_FACTOR_LSTSQ,
                              .mode = f->driver,
                              .least = rcond,
                              .m = f->m,
                              .n = f->n,
                              .k = f->k,
                              .part = {cti_linalg_part(f->a, 2), cti_linalg_part(f->x, 2)}};
    if (f->s)
        work.part[2] = cti_linalg_part(f->s, 1);
    if (f->rank)
        work.part[3] = cti_linalg_part(f->rank, 0);
    if (!cti_linalg_run(&work, f->a, info) || (f->driver == '-' && is_on_accelerator(f->a)))
        return ct_error_kind() == CT_ERR_NONE; /* as in PyTorch, a device's code is never read */
    static const char *const words[] = {
        "%s: %sThe least squares solution could not be computed because the input matrix does not "
        "have full rank (error code: %d).",
        "%s: %sThe least squares solution could not be computed because the input contained "
        "non-finite values."};
    int32_t code;
    if (!cti_linalg_first_code(info, &code))
        return false;
    return !code ||
           cti_linalg_succeeded(info, CT_ERR_LINALG, words[code < 0], "torch.linalg.lstsq");
}

/* Copies a and b, broadcast, to column-major; x has max(m, n) rows, since LAPACK overwrites the
 * right-hand side with the longer solution. */
static bool lstsq_prepare(struct lstsq *f, ct_tensor *a, ct_tensor *b, int nbatch,
                          const int64_t *batch)
{
    struct cti_hold *h = &f->h;
    f->m = cti_linalg_rows(a);
    f->n = cti_linalg_cols(a);
    f->k = cti_linalg_cols(b);
    int64_t most = f->m > f->n ? f->m : f->n, least = f->m < f->n ? f->m : f->n;
    ct_tensor *expanded = cti_hold(h, cti_linalg_spread(a, nbatch, batch, 2));
    f->a = expanded ? cti_hold(h, cti_linalg_copy(expanded)) : NULL;
    ct_tensor *right = cti_hold(h, cti_linalg_spread(b, nbatch, batch, 2));
    f->x = right && f->a ? cti_hold(h, cti_linalg_columns(right, most, f->k, ct_dtype(b))) : NULL;
    if (!f->x || !cti_fill(f->x, ct_value_int(0)))
        return false;
    ct_tensor *head = cti_hold(h, ct_own_narrow(f->x, -2, 0, f->m));
    if (!head || !cti_copy(head, right))
        return false;
    if (f->driver == '-')
        return true;
    f->rank = cti_hold(h, cti_linalg_vectors(f->a, -1, CT_INT64));
    if (!f->rank || !cti_fill(f->rank, ct_value_int(0)) || f->driver == 'y')
        return f->rank != NULL;
    f->s = cti_hold(h, cti_linalg_vectors(f->a, least, cti_dtype_to_real(ct_dtype(a))));
    return f->s && cti_fill(f->s, ct_value_int(0));
}

/* ---- results ---- */

/* Removes the batch dims that only b has from a result that depends only on `a`. The caller owns
 * the result. */
static ct_tensor *of_matrix(ct_tensor *t, const ct_tensor *a, const ct_tensor *like,
                            enum ct_dtype dtype)
{
    if (!t)
        return cti_linalg_nothing(like, dtype);
    if (!t->numel) { /* a was broadcast to an empty batch and never factorised */
        int64_t shape[CTI_MAX_DIMS];
        for (int d = 0; d < t->ndim; d++)
            shape[d] = d < a->ndim - 2 ? a->shape[d] : t->shape[d];
        return cti_zeros(t->ndim, shape, dtype, t->storage->device);
    }
    ct_tensor *part = ct_retain(t);
    for (int d = 0; part && d < a->ndim - 2; d++) {
        if (part->shape[d] == a->shape[d])
            continue;
        part = cti_replace_take(part, ct_own_narrow(part, d, 0, a->shape[d]));
    }
    return cti_replace_take(part, part ? cti_contiguous(part) : NULL);
}

/* Whether the rows below the solution hold residuals: not if A is rank-deficient, and never with
 * gelsy. -1: failed. */
static int has_residuals(const struct lstsq *f)
{
    if (f->m <= f->n || f->driver == 'y')
        return 0;
    if (!f->rank || f->rank->storage->device.type == CT_META)
        return 1;
    ct_tensor *host = cti_host(f->rank);
    if (!host)
        return -1;
    const int64_t *rank = (const int64_t *)(const void *)cti_data(host);
    bool full = true;
    for (int64_t i = 0; i < host->numel; i++)
        full = full && rank[i] == f->n;
    ct_release(host);
    return full;
}

/* Computes the sums of squares of the residuals, one per right-hand side. The caller owns the
 * result. */
static ct_tensor *residuals_of(struct lstsq *f)
{
    enum ct_dtype real = cti_dtype_to_real(ct_dtype(f->x));
    int has = has_residuals(f);
    if (has <= 0)
        return has < 0 ? NULL : cti_linalg_nothing(f->x, real);
    ct_tensor *rest = cti_hold(&f->h, ct_own_narrow(f->x, -2, f->n, f->m - f->n));
    ct_tensor *size = cti_hold(&f->h, ct_own_abs(rest));
    ct_tensor *square = cti_hold(&f->h, ct_own_mul(V(size), V(size)));
    return ct_own_sum(square, CT_INTS(-2), false, CT_NO_DTYPE);
}

bool cti_op__linalg_lstsq(struct ct__linalg_lstsq_result *result, ct_tensor *input, ct_tensor *b,
                          double rcond, const char *driver)
{
    struct lstsq f = {0};
    int64_t batch[CTI_MAX_DIMS];
    ct_tensor *A = input, *B = b;
    if (!check_lstsq(A, B) || !(f.driver = driver_letter(driver, is_on_accelerator(A))) ||
        !lstsq_check_type(A, rcond))
        return false;
    bool vector = cti_linalg_is_vector(A, B);
    ct_tensor *right = cti_hold(&f.h, vector ? ct_own_unsqueeze(B, -1) : ct_retain(B));
    int nbatch = A->ndim - 2;
    memcpy(batch, A->shape, (size_t)nbatch * sizeof *batch);
    /* As in PyTorch, only those dims of B count that align with A's batch dims. */
    bool good = right && cti_shape_broadcast(&nbatch, batch, A->ndim - 2, B->shape) &&
                lstsq_prepare(&f, A, right, nbatch, batch);
    if (good && f.a->numel && f.k) {
        enum ct_dtype real = cti_dtype_to_real(ct_dtype(A));
        double unit = real == CT_FLOAT32 ? 0x1p-23 : 0x1p-52;
        good = lstsq_run(&f, rcond == rcond ? rcond : unit * (double)(f.m > f.n ? f.m : f.n));
    }
    if (good && !f.a->numel && f.driver == '-') /* gels zeroes an empty problem's solution */
        good = cti_fill(f.x, ct_value_int(0));
    if (good) {
        enum ct_dtype real = cti_dtype_to_real(ct_dtype(A));
        ct_tensor *x = cti_hold(&f.h, ct_own_narrow(f.x, -2, 0, f.n));
        result->solution =
            x && vector ? ct_own_squeeze(x, ct_ints_of((int64_t[]){-1}, 1)) : ct_retain(x);
        result->residuals = residuals_of(&f);
        result->rank = of_matrix(f.rank, A, f.x, CT_INT64);
        result->singular_values = of_matrix(f.s, A, f.x, real);
    }
    cti_hold_end(&f.h, NULL);
    return good && result->solution && result->residuals && result->rank && result->singular_values;
}

bool cti_op_linalg_lstsq(struct ct_linalg_lstsq_result *result, ct_tensor *input, ct_tensor *b,
                         double rcond, const char *driver)
{
    struct ct__linalg_lstsq_result f = ct_own__linalg_lstsq(input, b, rcond, driver);
    result->solution = f.solution;
    result->residuals = f.residuals;
    result->rank = f.rank;
    result->singular_values = cti_linalg_without_history(f.singular_values);
    return result->singular_values != NULL;
}

/* ---- deprecated ---- */

bool cti_op_gels(struct ct_gels_result *result, ct_tensor *input, ct_tensor *A)
{
    ct_tensor *B = input;
    struct lstsq f = {.driver = '-'};
    if (A->ndim != 2 || B->ndim != 2)
        return cti_refuse(CT_ERR_RUNTIME, "gels: A and B must be matrices, but have %d and %d dims",
                          A->ndim, B->ndim);
    bool good = check_lstsq(A, B) && lstsq_check_type(A, CT_NO_NUMBER) &&
                lstsq_prepare(&f, A, B, 0, NULL) && (!f.a->numel || !f.k || lstsq_run(&f, 0));
    result->solution = good ? ct_retain(f.x) : NULL;
    result->QR = good ? ct_retain(f.a) : NULL;
    cti_hold_end(&f.h, NULL);
    return good;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements QR with the factor engine: Q and R, the raw factors of geqrf, and products of
 * Householder reflectors. The derivatives are in autograd/derivatives/linalg/qr.c. */
#include "core/hold.h"
#include "fronts.h"
#include "ops/linalg/linalg.h"

#include <string.h>

/* ---- the engine ---- */

/* Overwrites a, column-major, with R and the reflectors; returns their scalar factors tau, owned by
 * h. */
static ct_tensor *qr_decompose(struct cti_hold *h, ct_tensor *a)
{
    int64_t m = cti_linalg_rows(a), n = cti_linalg_cols(a);
    ct_tensor *tau = cti_hold(h, cti_linalg_vectors(a, m < n ? m : n, ct_dtype(a)));
    if (!tau)
        return NULL;
    struct cti_factor work = {.kind = CTI_FACTOR_QR,
                              .m = m,
                              .n = n,
                              .part = {cti_linalg_part(a, 2), cti_linalg_part(tau, 1)}};
    return cti_linalg_run(&work, a, NULL) ? tau : NULL;
}

/* Overwrites q, column-major reflectors, with their product Q. */
static bool multiply_reflectors(ct_tensor *q, ct_tensor *tau)
{
    struct cti_factor work = {.kind = CTI_FACTOR_REFLECTORS,
                              .m = cti_linalg_rows(q),
                              .n = cti_linalg_cols(q),
                              .k = tau->shape[tau->ndim - 1],
                              .part = {cti_linalg_part(q, 2), cti_linalg_part(tau, 1)}};
    return cti_linalg_run(&work, q, NULL);
}

bool cti_op__geqrf(struct ct__geqrf_result *result, ct_tensor *input)
{
    struct cti_hold h = {0};
    if (input->ndim < 2)
        return cti_refuse(CT_ERR_RUNTIME, "torch.geqrf: input must have at least 2 dimensions.");
    if (!cti_linalg_has_kernel(input, "geqrf_cpu"))
        return false;
    ct_tensor *a = cti_hold(&h, cti_linalg_copy(input));
    ct_tensor *tau = a ? qr_decompose(&h, a) : NULL;
    result->a = tau ? ct_retain(a) : NULL;
    result->tau = tau ? ct_retain(tau) : NULL;
    cti_hold_end(&h, NULL);
    return result->a != NULL;
}

/* There is no derivative. PyTorch rejects complex results at once, real results in backward. real
 * ones in backward. */
bool cti_op_geqrf(struct ct_geqrf_result *result, ct_tensor *input)
{
    struct ct__geqrf_result f = ct_own__geqrf(input);
    *result = (struct ct_geqrf_result){f.a, f.tau};
    if (f.a && f.a->dtype >= CT_COMPLEX64 && cti_wants_grad(f.a))
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED,
                          "geqrf does not support automatic differentiation "
                          "for outputs with complex dtype.");
    return f.a != NULL;
}

/* ---- Q and R ---- */

/* [..., rows, n], column-major: the upper triangle of f, zeros below. The caller owns the
 * result. */
static ct_tensor *upper_of(ct_tensor *f, int64_t rows)
{
    ct_tensor *r = cti_linalg_columns(f, rows, cti_linalg_cols(f), ct_dtype(f));
    ct_tensor *leading = r ? ct_own_narrow(f, -2, 0, rows) : NULL;
    bool good = leading && cti_copy(r, leading) && ct_own_triu_(r, 0);
    ct_release(leading);
    return cti_take_if(r, good);
}

/* [..., m, columns], column-major, beginning with the reflectors of f; the remaining columns are
 * zero and become columns of the full Q. The caller owns the result. */
static ct_tensor *reflectors_of(ct_tensor *f, int64_t columns)
{
    int64_t m = cti_linalg_rows(f), n = cti_linalg_cols(f), first = n < columns ? n : columns;
    if (n == columns)
        return ct_retain(f);
    ct_tensor *q = cti_linalg_columns(f, m, columns, ct_dtype(f));
    ct_tensor *from = q ? ct_own_narrow(f, -1, 0, first) : NULL;
    ct_tensor *to = from ? ct_own_narrow(q, -1, 0, first) : NULL;
    ct_tensor *rest = to ? ct_own_narrow(q, -1, first, columns - first) : NULL;
    bool good = rest && cti_copy(to, from) && cti_fill(rest, ct_value_int(0));
    cti_release_all(from, to, rest);
    return cti_take_if(q, good);
}

bool cti_op_linalg_qr(struct ct_linalg_qr_result *result, ct_tensor *A, const char *mode)
{
    struct cti_hold h = {0};
    bool complete = strcmp(mode, "complete") == 0, alone = strcmp(mode, "r") == 0;
    if (!cti_linalg_is_matrix(A, "A", "linalg.qr") || !cti_linalg_is_floating(A, "linalg.qr"))
        return false;
    if (!complete && !alone && strcmp(mode, "reduced") != 0)
        return cti_refuse(CT_ERR_RUNTIME,
                          "qr received unrecognized mode '%s' but expected one of 'reduced' "
                          "(default), 'r', or 'complete'",
                          mode);
    if (!cti_linalg_has_kernel(A, "geqrf_cpu"))
        return false;
    int64_t m = cti_linalg_rows(A), n = cti_linalg_cols(A), k = m < n ? m : n;
    ct_tensor *f = cti_hold(&h, cti_linalg_copy(A));
    ct_tensor *tau = f ? qr_decompose(&h, f) : NULL;
    result->R = tau ? upper_of(f, complete ? m : k) : NULL;
    if (result->R && alone)
        result->Q = cti_linalg_nothing(A, ct_dtype(A));
    else if (result->R)
        result->Q = reflectors_of(f, complete ? m : k);
    /* Without columns there are no reflectors, and Q is the identity. */
    bool good =
        result->Q &&
        (alone || (k ? multiply_reflectors(result->Q, tau) : cti_linalg_fill_identity(result->Q)));
    cti_hold_end(&h, NULL);
    return good;
}

bool cti_op_qr(struct ct_qr_result *result, ct_tensor *input, bool some)
{
    struct ct_linalg_qr_result f = ct_own_linalg_qr(input, some ? "reduced" : "complete");
    *result = (struct ct_qr_result){f.Q, f.R};
    return f.Q != NULL;
}

/* ---- reflectors from the user ---- */

/* tau has the batch dims of `input` and one dim less. */
static bool qr_check_factors(const ct_tensor *input, const ct_tensor *tau, const char *name)
{
    char text[CTI_SHAPE_TEXT];
    if (input->ndim - tau->ndim != 1)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "%s: Expected tau to have one dimension less than input, but got tau.ndim "
            "equal to %d and input.ndim is equal to %d",
            name, tau->ndim, input->ndim);
    for (int d = 0; d < input->ndim - 2; d++)
        if (tau->shape[d] != input->shape[d])
            return cti_refuse(
                CT_ERR_RUNTIME,
                "%s: Expected batch dimensions of tau to be equal to input.shape[:-2], "
                "but got %s",
                name, cti_shape_text(text, tau->ndim - 1, tau->shape));
    return true;
}

/* Returns the last size; -1 and PyTorch's error if t is 0-d. */
static int64_t last_of(const ct_tensor *t)
{
    if (t->ndim)
        return t->shape[t->ndim - 1];
    ct_fail(CT_ERR_INDEX, "Dimension specified as -1 but tensor has no dimensions");
    return -1;
}

static bool check_householder(const ct_tensor *input, const ct_tensor *tau)
{
    static const char name[] = "torch.linalg.householder_product";
    if (input->ndim < 2)
        return cti_refuse(CT_ERR_RUNTIME, "%s: input must have at least 2 dimensions.", name);
    if (cti_linalg_rows(input) < cti_linalg_cols(input))
        return cti_refuse(CT_ERR_RUNTIME,
                          "%s: input.shape[-2] must be greater than or equal to input.shape[-1]",
                          name);
    int64_t k = last_of(tau);
    if (k < 0)
        return false;
    if (cti_linalg_cols(input) < k)
        return cti_refuse(CT_ERR_RUNTIME,
                          "%s: input.shape[-1] must be greater than or equal to tau.shape[-1]",
                          name);
    return qr_check_factors(input, tau, name) &&
           (input->dtype == tau->dtype ||
            cti_refuse(CT_ERR_RUNTIME, "%s: tau dtype %s does not match input dtype %s", name,
                       cti_dtype_scalar_name(ct_dtype(tau)),
                       cti_dtype_scalar_name(ct_dtype(input)))) &&
           cti_linalg_has_kernel(input, "orgqr_cpu");
}

ct_tensor *cti_op_linalg_householder_product(ct_tensor *input, ct_tensor *tau)
{
    struct cti_hold h = {0};
    if (!check_householder(input, tau))
        return NULL;
    ct_tensor *q = cti_hold(&h, cti_linalg_copy(input)),
              *factors = cti_hold(&h, cti_contiguous(tau));
    ct_tensor *plain = factors ? cti_hold(&h, cti_resolve(factors)) : NULL;
    bool good = q && plain && multiply_reflectors(q, plain);
    return cti_hold_end(&h, good ? q : NULL);
}

static bool check_ormqr(const ct_tensor *input, const ct_tensor *tau, const ct_tensor *other,
                        bool left)
{
    static const char name[] = "torch.ormqr";
    char text[CTI_SHAPE_TEXT];
    int side = left ? -2 : -1;
    if (input->ndim < 2 || other->ndim < 2)
        return cti_refuse(CT_ERR_RUNTIME, "%s: %s must have at least 2 dimensions.", name,
                          input->ndim < 2 ? "input" : "other");
    int64_t k = last_of(tau), rows = other->shape[other->ndim + side];
    if (k < 0)
        return false;
    if (rows != cti_linalg_rows(input))
        return cti_refuse(CT_ERR_RUNTIME, "%s: other.shape[%d] must be equal to input.shape[-2]",
                          name, side);
    if (k != (rows < cti_linalg_cols(input) ? rows : cti_linalg_cols(input)))
        return cti_refuse(
            CT_ERR_RUNTIME,
            "%s: tau.shape[-1] must be equal to min(other.shape[%d], input.shape[-1])", name, side);
    if (!qr_check_factors(input, tau, name))
        return false;
    if (input->ndim != other->ndim)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "%s: Expected other to have the same number of dimensions as input, but got "
            "other.ndim equal to %d and input.ndim is equal to %d",
            name, other->ndim, input->ndim);
    for (int d = 0; d < input->ndim - 2; d++)
        if (other->shape[d] != input->shape[d])
            return cti_refuse(CT_ERR_RUNTIME,
                              "%s: Expected batch dimensions of other to be equal to "
                              "input.shape[:-2], but got %s",
                              name, cti_shape_text(text, other->ndim - 2, other->shape));
    const ct_tensor *const both[] = {tau, other};
    for (int i = 0; i < 2; i++)
        if (input->dtype != both[i]->dtype)
            return cti_refuse(
                CT_ERR_RUNTIME,
                "%s: Expected input and %s to have the same dtype, but input has dtype"
                "%s and %s has dtype %s",
                name, i ? "other" : "tau", cti_dtype_scalar_name(ct_dtype(input)),
                i ? "other" : "tau", cti_dtype_scalar_name(ct_dtype(both[i])));
    return cti_linalg_has_kernel(input, "ormqr_cpu");
}

ct_tensor *cti_op_ormqr(ct_tensor *input, ct_tensor *input2, ct_tensor *input3, bool left,
                        bool transpose)
{
    struct cti_hold h = {0};
    ct_tensor *tau = input2, *other = input3;
    if (!check_ormqr(input, tau, other, left))
        return NULL;
    ct_tensor *c = cti_hold(&h, cti_linalg_copy(other));
    ct_tensor *q = cti_hold(&h, cti_linalg_copy(input)),
              *factors = cti_hold(&h, cti_contiguous(tau));
    ct_tensor *plain = factors ? cti_hold(&h, cti_resolve(factors)) : NULL;
    bool good = c && q && plain;
    if (good && plain->numel) {
        struct cti_factor work = {
            .kind = CTI_FACTOR_REFLECT,
            .side = left ? 'L' : 'R',
            .op = transpose ? 'C' : 'N',
            .m = cti_linalg_rows(c),
            .n = cti_linalg_cols(c),
            .k = plain->shape[plain->ndim - 1],
            .part = {cti_linalg_part(q, 2), cti_linalg_part(plain, 1), cti_linalg_part(c, 2)}};
        good = cti_linalg_run(&work, c, NULL);
    }
    return cti_hold_end(&h, good ? c : NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements Cholesky factors of positive definite matrices, and solutions that use them, with the
 * factor engine. The derivatives are in autograd/derivatives/linalg/cholesky.c. */
#include "core/hold.h"
#include "fronts.h"
#include "ops/linalg/linalg.h"

#define NOT_POSITIVE                                                                               \
    "%s: %sThe factorization could not be completed because the input is not positive-definite "   \
    "(the leading minor of order %d is not positive-definite)."

/* The factor and its info, both owned; the caller checks the info. */
static ct_tensor *cholesky_factorise(ct_tensor *a, bool upper, ct_tensor **info)
{
    if (!cti_linalg_is_square(a, "linalg.cholesky") ||
        !cti_linalg_is_floating(a, "linalg.cholesky") ||
        (a->numel && !cti_linalg_has_kernel(a, "cholesky_cpu")))
        return NULL;
    ct_tensor *l = cti_linalg_copy(a);
    *info = cti_linalg_vectors(a, -1, CT_INT32);
    bool good = l && *info;
    if (good) {
        struct cti_factor work = {.kind = CTI_FACTOR_CHOLESKY,
                                  .uplo = upper ? 'U' : 'L',
                                  .m = cti_linalg_rows(l),
                                  .n = cti_linalg_cols(l),
                                  .part = {cti_linalg_part(l, 2)}};
        good = cti_linalg_run(&work, l, *info);
    }
    if (good)
        return l;
    cti_release_all(l, *info);
    *info = NULL;
    return NULL;
}

bool cti_op_linalg_cholesky_ex(struct ct_linalg_cholesky_ex_info_result *result, ct_tensor *input,
                               bool upper, bool check_errors)
{
    result->L = cholesky_factorise(input, upper, &result->info);
    return result->L && (!check_errors || cti_linalg_succeeded(result->info, CT_ERR_LINALG,
                                                               NOT_POSITIVE, "linalg.cholesky_ex"));
}

ct_tensor *cti_op_linalg_cholesky(ct_tensor *input, bool upper)
{
    ct_tensor *info = NULL, *l = cholesky_factorise(input, upper, &info);
    bool good = l && cti_linalg_succeeded(info, CT_ERR_LINALG, NOT_POSITIVE, "linalg.cholesky");
    ct_release(info);
    return cti_take_if(l, good);
}

/* ---- solutions with given factors ---- */

bool cti_linalg_can_solve(const ct_tensor *b, const ct_tensor *a, const char *name)
{
    if (a->dtype != b->dtype)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "Expected b and A to have the same dtype, but found b of type %s and A of "
            "type %s instead.",
            cti_dtype_scalar_name(ct_dtype(b)), cti_dtype_scalar_name(ct_dtype(a)));
    int64_t m = cti_linalg_rows(a), n = cti_linalg_cols(a);
    if (m != n)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "A must be batches of square matrices, but they are %lld by %lld matrices",
            (long long)m, (long long)n);
    return n == cti_linalg_rows(b) ||
           cti_refuse(CT_ERR_RUNTIME,
                      "Incompatible matrix sizes for %s: each A matrix is %lld by %lld but each b "
                      "matrix is %lld by %lld",
                      name, (long long)m, (long long)n, (long long)cti_linalg_rows(b),
                      (long long)cti_linalg_cols(b));
}

ct_tensor *cti_op_cholesky_solve(ct_tensor *input, ct_tensor *input2, bool upper)
{
    struct cti_hold h = {0};
    int64_t batch[CTI_MAX_DIMS];
    int nbatch;
    ct_tensor *B = input, *L = input2;
    const ct_tensor *const both[] = {B, L};
    for (int i = 0; i < 2; i++)
        if (both[i]->ndim < 2)
            return ct_fail(CT_ERR_RUNTIME,
                           "%s should have at least 2 dimensions, but has %d dimensions instead",
                           i ? "u" : "b", both[i]->ndim);
    if (!cti_linalg_can_solve(B, L, "cholesky_solve") ||
        !cti_linalg_broadcast(L, B, &nbatch, batch) ||
        !cti_linalg_has_kernel(B, "cholesky_solve_cpu"))
        return NULL;
    ct_tensor *expanded = cti_hold(&h, cti_linalg_spread(B, nbatch, batch, 2));
    ct_tensor *x = expanded ? cti_hold(&h, cti_linalg_copy(expanded)) : NULL;
    ct_tensor *l = cti_hold(&h, cti_linalg_spread(L, nbatch, batch, 2));
    if (l && (!cti_linalg_is_column_major(l) || l->flags & (CTI_CONJ | CTI_NEG)))
        l = cti_hold(&h, cti_linalg_copy(l));
    bool good = x && l;
    if (good) {
        struct cti_factor work = {.kind = CTI_FACTOR_CHOLESKY_SOLVE,
                                  .uplo = upper ? 'U' : 'L',
                                  .m = cti_linalg_rows(x),
                                  .n = cti_linalg_rows(x),
                                  .k = cti_linalg_cols(x),
                                  .part = {cti_linalg_part(l, 2), cti_linalg_part(x, 2)}};
        good = cti_linalg_run(&work, x, NULL);
    }
    return cti_hold_end(&h, good ? x : NULL);
}

ct_tensor *cti_op_cholesky_inverse(ct_tensor *input, bool upper)
{
    struct cti_hold h = {0};
    if (!cti_linalg_is_square(input, "cholesky_inverse") ||
        !cti_linalg_has_kernel(input, "cholesky_inverse_out_cpu"))
        return NULL;
    ct_tensor *x = cti_hold(&h, cti_linalg_copy(input));
    ct_tensor *info = cti_hold(&h, cti_linalg_vectors(input, -1, CT_INT32));
    bool good = x && info;
    if (good) {
        struct cti_factor work = {.kind = CTI_FACTOR_CHOLESKY_INVERSE,
                                  .uplo = upper ? 'U' : 'L',
                                  .m = cti_linalg_rows(x),
                                  .n = cti_linalg_rows(x),
                                  .part = {cti_linalg_part(x, 2)}};
        good = cti_linalg_run(&work, x, info) &&
               cti_linalg_succeeded(info, CT_ERR_LINALG, CTI_LINALG_SINGULAR_INVERSE,
                                    "cholesky_inverse");
    }
    return cti_hold_end(&h, good ? x : NULL);
}

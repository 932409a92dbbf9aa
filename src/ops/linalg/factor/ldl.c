/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements L D L^T (or L D L^H) factors of symmetric and Hermitian matrices, and solutions that
 * use them, with the factor engine. As in PyTorch, these operations have no derivatives. */
#include "core/hold.h"
#include "fronts.h"
#include "ops/linalg/linalg.h"

static const char singular[] = "%s: %sThe factor D has a zero at [%d, %d] (error code of LAPACK), "
                               "and using it to solve equations would divide by it.";

bool cti_op_linalg_ldl_factor_ex(struct ct_linalg_ldl_factor_ex_info_result *result,
                                 ct_tensor *input, bool hermitian, bool check_errors)
{
    static const char name[] = "torch.linalg.ldl_factor_ex";
    ct_tensor *A = input;
    if (!cti_linalg_is_square(A, name) || !cti_linalg_is_floating(A, name) ||
        (A->numel && !cti_linalg_has_kernel(A, "ldl_factor_kernel_cpu")))
        return false;
    result->LD = cti_linalg_copy(A);
    result->pivots = cti_linalg_vectors(A, cti_linalg_cols(A), CT_INT32);
    result->info = cti_linalg_vectors(A, -1, CT_INT32);
    if (!result->LD || !result->pivots || !result->info)
        return false;
    struct cti_factor work = {
        .kind = CTI_FACTOR_LDL,
        .mode = hermitian ? 'H' : 'S',
        .uplo = 'L',
        .m = cti_linalg_rows(A),
        .n = cti_linalg_cols(A),
        .part = {cti_linalg_part(result->LD, 2), cti_linalg_part(result->pivots, 1)}};
    return cti_linalg_run(&work, result->LD, result->info) &&
           (!check_errors || cti_linalg_succeeded(result->info, CT_ERR_LINALG, singular, name));
}

bool cti_op_linalg_ldl_factor(struct ct_linalg_ldl_factor_result *result, ct_tensor *input,
                              bool hermitian)
{
    struct ct_linalg_ldl_factor_ex_info_result f =
        ct_own_linalg_ldl_factor_ex_info(input, hermitian, false);
    *result = (struct ct_linalg_ldl_factor_result){f.LD, f.pivots};
    bool good =
        f.LD && cti_linalg_succeeded(f.info, CT_ERR_LINALG, singular, "torch.linalg.ldl_factor");
    ct_release(f.info);
    return good;
}

/* ---- solutions ---- */

static bool check_ldl_solve(const ct_tensor *ld, const ct_tensor *pivots, const ct_tensor *b)
{
    static const char name[] = "torch.linalg.ldl_solve";
    char text[CTI_SHAPE_TEXT];
    if (!cti_linalg_is_square(ld, name) || !cti_linalg_is_floating(ld, name))
        return false;
    if (!cti_same_shape(pivots, ld->ndim - 1, ld->shape))
        return cti_refuse(CT_ERR_RUNTIME,
                          "%s: Expected LD.shape[:-1] and pivots.shape to be the same, but got "
                          "pivots with shape %s instead",
                          name, cti_shape_text(text, pivots->ndim, pivots->shape));
    if (pivots->dtype >= CT_FLOAT16 || pivots->dtype == CT_BOOL)
        return cti_refuse(CT_ERR_RUNTIME, "%s: Expected pivots to be integers. Got %s", name,
                          cti_dtype_scalar_name(ct_dtype(pivots)));
    int row;
    return b->ndim >= 2 || cti_shape_wrap_dim(-2, b->ndim, &row);
}

/* LAPACK indexes rows by |pivot| unchecked; a negative pivot marks a 2 by 2 block of D. */
static bool ldl_check_rows(ct_tensor *pivots, int64_t n)
{
    int32_t least, most;
    return cti_linalg_pivot_range(pivots, true, &least, &most) &&
           ((least >= 1 && (most <= n || !pivots->numel)) ||
            cti_refuse(CT_ERR_RUNTIME,
                       "Pivots given to ldl_solve must all satisfy |pivot| %s. Did you properly "
                       "pass the result of ldl_factor?",
                       least < 1 ? ">= 1" : "<= LD.size(-2)"));
}

ct_tensor *cti_op_linalg_ldl_solve(ct_tensor *LD, ct_tensor *pivots, ct_tensor *B, bool hermitian)
{
    struct cti_hold h = {0};
    int64_t batch[CTI_MAX_DIMS];
    int nbatch;
    if (!check_ldl_solve(LD, pivots, B) || !cti_linalg_can_solve(B, LD, "torch.linalg.ldl_solve") ||
        !cti_linalg_broadcast(LD, B, &nbatch, batch))
        return NULL;
    ct_tensor *expanded = cti_hold(&h, cti_linalg_spread(B, nbatch, batch, 2));
    ct_tensor *x = expanded ? cti_hold(&h, cti_linalg_copy(expanded)) : NULL;
    ct_tensor *expanded_ld = cti_hold(&h, cti_linalg_spread(LD, nbatch, batch, 2));
    ct_tensor *ld = expanded_ld ? cti_hold(&h, cti_linalg_copy(expanded_ld)) : NULL;
    ct_tensor *order = cti_hold(&h, cti_linalg_spread(pivots, nbatch, batch, 1));
    ct_tensor *plain = cti_hold(&h, cti_cast_contiguous(order, CT_INT32));
    bool good = x && ld && plain &&
                (!x->numel || cti_linalg_has_kernel(x, "ldl_solve_kernel_cpu")) &&
                ldl_check_rows(plain, cti_linalg_rows(ld));
    if (good) {
        struct cti_factor work = {
            .kind = CTI_FACTOR_LDL_SOLVE,
            .mode = hermitian ? 'H' : 'S',
            .uplo = 'L',
            .m = cti_linalg_rows(x),
            .n = cti_linalg_rows(x),
            .k = cti_linalg_cols(x),
            .part = {cti_linalg_part(ld, 2), cti_linalg_part(plain, 1), cti_linalg_part(x, 2)}};
        good = cti_linalg_run(&work, x, NULL);
    }
    return cti_hold_end(&h, good ? x : NULL);
}

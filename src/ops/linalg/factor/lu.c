/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements LU factors, packed or as separate matrices P, L and U. The derivative of the factors
 * is in autograd/derivatives/linalg/lu.c. */
#include "core/hold.h"
#include "fronts.h"
#include "inner.h"
#include "ops/linalg/linalg.h"

#include <string.h>

#define ZERO_PIVOT                                                                                 \
    "%s: %sU[%d,%d] is zero and using it on lu_solve would result in a division by zero. If you "  \
    "still want to perform the factorization, consider calling linalg.lu(A, pivot) or "            \
    "linalg.lu_factor_ex(A, pivot)"

static bool has_two_dims(const ct_tensor *t, const char *name)
{
    char text[CTI_SHAPE_TEXT];
    return t->ndim >= 2 ||
           cti_refuse(CT_ERR_RUNTIME,
                      "%s: Expected tensor with 2 or more dimensions. Got size: %s instead", name,
                      cti_shape_text(text, t->ndim, t->shape));
}

/* ---- factors ---- */

bool cti_op_linalg_lu_factor_ex_info(struct ct_linalg_lu_factor_ex_info_result *result,
                                     ct_tensor *A, bool pivot, bool check_errors)
{
    struct cti_linalg_lu f;
    if (!has_two_dims(A, "torch.lu_factor") || (A->numel && !cti_linalg_has_kernel(A, "lu_cpu")))
        return false;
    if (!pivot && A->numel)
        return cti_refuse(CT_ERR_RUNTIME,
                          "linalg.lu_factor: LU without pivoting is not implemented "
                          "on the CPU");
    if (!cti_linalg_lu_of(&f, A))
        return false;
    *result = (struct ct_linalg_lu_factor_ex_info_result){f.lu, f.pivots, f.info};
    return !check_errors ||
           cti_linalg_succeeded(f.info, CT_ERR_RUNTIME, ZERO_PIVOT, "torch.linalg.lu_factor_ex");
}

bool cti_op_linalg_lu_factor(struct ct_linalg_lu_factor_result *result, ct_tensor *A, bool pivot)
{
    struct ct_linalg_lu_factor_ex_info_result f = ct_own_linalg_lu_factor_ex_info(A, pivot, false);
    *result = (struct ct_linalg_lu_factor_result){f.LU, f.pivots};
    bool good =
        f.LU && cti_linalg_succeeded(f.info, CT_ERR_RUNTIME, ZERO_PIVOT, "torch.linalg.lu_factor");
    ct_release(f.info);
    return good;
}

/* ---- L, U and P ---- */

/* [..., m]: the row order that LAPACK's pivots (a sequence of exchanges) amount to. The caller owns
 * the result. */
static ct_tensor *permutation_of_pivots(ct_tensor *pivots, ct_tensor *lu)
{
    static const char words[] = "pivots passed to lu_unpack must be between 1 and LU.size(-2) "
                                "inclusive.Did you properly pass the result of lu_factor?";
    int64_t m = cti_linalg_rows(lu), n = cti_linalg_cols(lu);
    ct_tensor *order = cti_linalg_vectors(lu, m, CT_INT64);
    ct_tensor *info = cti_linalg_vectors(lu, -1, CT_INT32), *plain = cti_contiguous(pivots);
    bool good = order && info && plain && cti_fill(info, ct_value_int(0));
    if (good && order->numel) {
        struct cti_factor work = {.of = {.part = {plain, order}, .info = info},
                                  .kind = CTI_FACTOR_ORDER,
                                  .dtype = CT_INT32,
                                  .m = m,
                                  .k = m < n ? m : n,
                                  .batch = info->numel,
                                  .part = {cti_linalg_part(plain, 1), cti_linalg_part(order, 1)}};
        good = cti_run_on(&work.work, CTI_ENGINE_factor, order) &&
               cti_linalg_succeeded(info, CT_ERR_RUNTIME, "%s", words);
    }
    cti_release_all(info, plain);
    return cti_take_if(order, good);
}

static ct_tensor *permutation(ct_tensor *pivots, ct_tensor *lu)
{
    struct cti_hold h = {0};
    int64_t shape[CTI_MAX_DIMS], m = cti_linalg_rows(lu);
    memcpy(shape, lu->shape, (size_t)lu->ndim * sizeof *shape);
    shape[lu->ndim - 1] = m;
    ct_tensor *order = cti_hold(&h, permutation_of_pivots(pivots, lu));
    ct_tensor *rows = cti_hold(&h, ct_own_unsqueeze(order, -2));
    ct_tensor *zeros = rows ? cti_hold(&h, ct_own_zeros(ct_ints_of(shape, lu->ndim), ct_dtype(lu),
                                                        lu->storage->device, false))
                            : NULL;
    ct_tensor *p = ct_own_scatter_value_(zeros, -2, rows, ct_value_int(1));
    return cti_hold_end(&h, p);
}

/* L: the lower part with a unit diagonal; U: the upper part. Contiguous copies. */
bool cti_op_lu_unpack_data(struct ct_lu_unpack_data_result *result, ct_tensor *LU)
{
    struct cti_hold h = {0};
    int64_t m = cti_linalg_rows(LU), n = cti_linalg_cols(LU), k = m < n ? m : n;
    ct_tensor *left = cti_hold(&h, ct_own_narrow(LU, -1, 0, k));
    ct_tensor *upper = cti_hold(&h, ct_own_narrow(LU, -2, 0, k));
    ct_tensor *lower = cti_hold(&h, ct_own_tril(left, -1));
    result->L = ct_own_clone(lower, CT_CONTIGUOUS_FORMAT);
    ct_tensor *diagonal = result->L ? cti_hold(&h, ct_own_diagonal(result->L, 0, -2, -1)) : NULL;
    bool good = diagonal && cti_fill(diagonal, ct_value_int(1));
    upper = good ? cti_hold(&h, ct_own_triu(upper, 0)) : NULL;
    result->U = ct_own_clone(upper, CT_CONTIGUOUS_FORMAT);
    cti_hold_end(&h, NULL);
    return good && result->U;
}

static bool check_pivots(const ct_tensor *lu, const ct_tensor *pivots)
{
    int64_t shape[CTI_MAX_DIMS], m = cti_linalg_rows(lu), n = cti_linalg_cols(lu);
    char want[CTI_SHAPE_TEXT], have[CTI_SHAPE_TEXT];
    if (pivots->dtype != CT_INT32)
        return cti_refuse(CT_ERR_RUNTIME,
                          "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of "
                          "torch.int32 dtype.\nNote: this function is intended to be used with the "
                          "output produced by torch.linalg.lu_factor");
    memcpy(shape, lu->shape, (size_t)(lu->ndim - 1) * sizeof *shape);
    shape[lu->ndim - 2] = m < n ? m : n;
    return cti_same_shape(pivots, lu->ndim - 1, shape) ||
           cti_refuse(CT_ERR_VALUE, "Expected LU_pivots to have shape %s but got %s instead.",
                      cti_shape_text(want, lu->ndim - 1, shape),
                      cti_shape_text(have, pivots->ndim, pivots->shape));
}

bool cti_op_lu_unpack(struct ct_lu_unpack_result *result, ct_tensor *LU_data, ct_tensor *LU_pivots,
                      bool unpack_data, bool unpack_pivots)
{
    if (!has_two_dims(LU_data, "torch.lu_unpack") ||
        (unpack_pivots && !check_pivots(LU_data, LU_pivots)))
        return false;
    bool mode = cti_grad_pause();
    result->P = unpack_pivots ? permutation(LU_pivots, LU_data)
                              : cti_linalg_nothing(LU_data, LU_data->dtype);
    cti_grad_restore(mode);
    if (!result->P)
        return false;
    if (unpack_data) {
        struct ct_lu_unpack_data_result parts = ct_own_lu_unpack_data(LU_data);
        result->L = parts.L;
        result->U = parts.U;
    } else {
        result->L = cti_linalg_nothing(LU_data, LU_data->dtype);
        result->U = cti_linalg_nothing(LU_data, LU_data->dtype);
    }
    return result->L && result->U;
}

bool cti_op__linalg_lu(struct ct__linalg_lu_result *result, ct_tensor *A, bool pivot)
{
    struct ct_linalg_lu_factor_ex_info_result f = ct_own_linalg_lu_factor_ex_info(A, pivot, false);
    struct ct_lu_unpack_result all = ct_own_lu_unpack(f.LU, f.pivots, true, pivot);
    cti_release_all(f.LU, f.pivots, f.info);
    *result = (struct ct__linalg_lu_result){all.P, all.L, all.U};
    return all.P != NULL;
}

bool cti_op_linalg_lu(struct ct_linalg_lu_result *result, ct_tensor *A, bool pivot)
{
    if (!has_two_dims(A, "linalg.lu"))
        return false;
    struct ct__linalg_lu_result all = ct_own__linalg_lu(A, pivot);
    result->P = cti_linalg_without_history(all.P);
    result->L = all.L;
    result->U = all.U;
    return result->P != NULL;
}

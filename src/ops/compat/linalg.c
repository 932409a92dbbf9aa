/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix decompositions that PyTorch deprecated or moved to torch.linalg (lu, lu_solve, eig,
 * symeig, solve), expressed in terms of their successors. */
#include "ops/linalg/linalg.h"
#include "core/alloc.h"
#include "core/hold.h"
#include "fronts.h"

static bool is_one_matrix(const ct_tensor *a, const char *name)
{
    return (a->ndim == 2 && a->shape[0] == a->shape[1] && a->dtype < CT_COMPLEX64) ||
           cti_refuse(CT_ERR_RUNTIME, "%s: expected one square matrix of real numbers", name);
}

/* Converts eigenvectors to LAPACK's real format: of a conjugate pair, the first column holds the
 * real parts of the vector and the second the imaginary parts. */
static ct_tensor *real_columns(ct_tensor *values, ct_tensor *vectors)
{
    struct cti_hold h = {0};
    ct_tensor *re = cti_hold(&h, ct_own_real(vectors)), *im = cti_hold(&h, ct_own_imag(vectors));
    ct_tensor *parts = cti_hold(&h, ct_own_imag(values));
    ct_tensor *before = cti_hold(&h, ct_own_roll(im, CT_INTS(1), CT_INTS(1)));
    ct_tensor *second = cti_hold(&h, ct_own_lt(V(parts), ct_value_int(0)));
    ct_tensor *result = cti_hold(&h, ct_own_where(second, V(before), V(re)));
    return cti_hold_end(&h, result);
}

bool cti_op_eig(struct ct_eig_result *result, ct_tensor *input, bool eigenvectors)
{
    struct ct_linalg_eig_result f = {0};
    if (!is_one_matrix(input, "eig"))
        return false;
    f.eigenvalues = eigenvectors ? NULL : ct_own_linalg_eigvals(input);
    if (eigenvectors)
        f = ct_own_linalg_eig(input);
    ct_tensor *pairs = f.eigenvalues ? ct_own_view_as_real(f.eigenvalues) : NULL;
    result->eigenvalues = ct_own_clone(pairs, CT_CONTIGUOUS_FORMAT);
    if (result->eigenvalues)
        result->eigenvectors = eigenvectors ? real_columns(f.eigenvalues, f.eigenvectors)
                                            : cti_linalg_nothing(input, ct_dtype(input));
    cti_release_all(pairs, f.eigenvalues, f.eigenvectors);
    return result->eigenvalues && result->eigenvectors;
}

bool cti_op_symeig(struct ct_symeig_result *result, ct_tensor *input, bool eigenvectors, bool upper)
{
    if (!eigenvectors) {
        result->eigenvalues = ct_own_linalg_eigvalsh(input, upper ? "U" : "L");
        result->eigenvectors =
            result->eigenvalues ? cti_linalg_nothing(input, ct_dtype(input)) : NULL;
        return result->eigenvectors != NULL;
    }
    struct ct_linalg_eigh_result f = ct_own_linalg_eigh(input, upper ? "U" : "L");
    *result = (struct ct_symeig_result){f.eigenvalues, f.eigenvectors};
    return f.eigenvalues != NULL;
}

bool cti_op_solve(struct ct_solve_result *result, ct_tensor *input, ct_tensor *A)
{
    result->solution = ct_own_linalg_solve(A, input, true);
    struct ct_linalg_lu_factor_ex_info_result f = {0};
    if (result->solution)
        f = ct_own_linalg_lu_factor_ex_info(A, true, false);
    result->LU = f.LU;
    cti_release_all(f.pivots, f.info);
    return result->LU != NULL;
}

ct_list cti_op_lu(ct_tensor *A, bool pivot, bool get_infos)
{
    static bool warned;
    cti_warn_once(&warned,
                  "torch.lu is deprecated in favor of torch.linalg.lu_factor / "
                  "torch.linalg.lu_factor_ex and will be removed in a future PyTorch release.\n"
                  "LU, pivots = torch.lu(A, compute_pivots)\nshould be replaced with\n"
                  "LU, pivots = torch.linalg.lu_factor(A, compute_pivots)\nand\n"
                  "LU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\n"
                  "should be replaced with\n"
                  "LU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)");
    struct ct_linalg_lu_factor_ex_info_result f = ct_own_linalg_lu_factor_ex_info(A, pivot, false);
    ct_list list = {NULL, 0};
    ct_tensor **parts = f.LU ? cti_malloc(3 * sizeof *parts) : NULL;
    if (parts) {
        parts[0] = ct_retain(f.LU);
        parts[1] = ct_retain(f.pivots);
        parts[2] = get_infos ? ct_retain(f.info) : NULL;
        list = (ct_list){parts, get_infos ? 3 : 2};
    }
    cti_release_all(f.LU, f.pivots, f.info);
    return list;
}

ct_tensor *cti_op_lu_solve(ct_tensor *input, ct_tensor *LU_data, ct_tensor *LU_pivots)
{
    static bool warned;
    cti_warn_once(
        &warned,
        "torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in "
        "a future PyTorch release.\nNote that torch.linalg.lu_solve has its arguments "
        "reversed.\nX = torch.lu_solve(B, LU, pivots)\nshould be replaced with\nX = "
        "torch.linalg.lu_solve(LU, pivots, B)");
    return ct_own_linalg_lu_solve(LU_data, LU_pivots, input, true, false);
}

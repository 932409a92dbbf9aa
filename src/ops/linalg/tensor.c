/* SPDX-License-Identifier: BSD-3-Clause */
/* Tensors as matrices: tensorinv and tensorsolve; and the decompositions that PyTorch once had
 * outside of its module linalg: lu, eig, symeig and solve, as they were. */
#include "core/alloc.h"
#include "core/hold.h"
#include "fronts.h"
#include "ops/linalg/linalg.h"

#include <string.h>

static int64_t product(const int64_t *shape, int64_t n)
{
    int64_t all = 1;
    for (int64_t d = 0; d < n; d++)
        all *= shape[d];
    return all;
}

ct_tensor *cti_op_linalg_tensorinv(ct_tensor *input, int64_t ind)
{
    struct cti_hold h = {0};
    int64_t shape[CTI_MAX_DIMS];
    if (ind <= 0)
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected a strictly positive integer for 'ind', but got %lld",
                       (long long)ind);
    if (ind > input->ndim)
        return ct_fail(CT_ERR_RUNTIME, "ArrayRef: invalid slice, N = %lld; size = %d",
                       (long long)ind, input->ndim);
    int64_t behind = input->ndim - ind, first = product(input->shape, ind);
    int64_t second = product(input->shape + ind, behind);
    if (first != second)
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected self to satisfy the requirement prod(self.shape[ind:]) == "
                       "prod(self.shape[:ind]), but got %lld != %lld",
                       (long long)second, (long long)first);
    memcpy(shape, input->shape + ind, (size_t)behind * sizeof *shape);
    memcpy(shape + behind, input->shape, (size_t)ind * sizeof *shape);
    ct_tensor *flat = cti_hold(&h, ct_own_reshape(input, ct_ints_of((int64_t[]){first, first}, 2)));
    struct ct_linalg_inv_ex_result f = ct_own_linalg_inv_ex(flat, false);
    cti_hold(&h, f.inverse);
    cti_hold(&h, f.info);
    bool good = f.inverse &&
                cti_linalg_succeeded(f.info, CT_ERR_LINALG, CTI_LINALG_SINGULAR_INVERSE, "inv");
    ct_tensor *result =
        good ? cti_hold(&h, ct_own_reshape(f.inverse, ct_ints_of(shape, input->ndim))) : NULL;
    return cti_hold_end(&h, result);
}

ct_tensor *cti_op_linalg_tensorsolve(ct_tensor *input, ct_tensor *other, ct_ints dims)
{
    struct cti_hold h = {0};
    int64_t last[CTI_MAX_DIMS];
    ct_tensor *moved = input;
    if (dims.v) {
        for (int64_t i = 0; i < dims.n && i < CTI_MAX_DIMS; i++)
            last[i] = input->ndim - dims.n + i;
        moved = cti_hold(&h, ct_own_movedim(input, dims, ct_ints_of(last, dims.n)));
        if (!moved)
            return cti_hold_end(&h, NULL);
    }
    int64_t behind = moved->ndim - other->ndim;
    if (behind < 0) {
        cti_hold_end(&h, NULL);
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected self to have at least as many dimensions as other, but got %d and "
                       "%d",
                       input->ndim, other->ndim);
    }
    const int64_t *shape = moved->shape + other->ndim;
    int64_t n = product(shape, behind);
    if (n != other->numel) {
        cti_hold_end(&h, NULL);
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
                       "prod(self.shape[:other.ndim]), but got %lld != %lld",
                       (long long)n, (long long)other->numel);
    }
    ct_tensor *matrix = cti_hold(&h, ct_own_reshape(moved, ct_ints_of((int64_t[]){n, n}, 2)));
    ct_tensor *flat = cti_hold(&h, ct_own_flatten(other, 0, -1));
    ct_tensor *x = matrix && flat ? cti_hold(&h, ct_own_linalg_solve(matrix, flat, true)) : NULL;
    return cti_hold_end(&h, x ? cti_hold(&h, ct_own_reshape(x, ct_ints_of(shape, behind))) : NULL);
}

/* ---- deprecated names ---- */

static ct_tensor *nothing(const ct_tensor *like)
{
    return cti_empty(1, (int64_t[]){0}, ct_dtype(like), like->storage->device);
}

static bool is_one_matrix(const ct_tensor *a, const char *name)
{
    return (a->ndim == 2 && a->shape[0] == a->shape[1] && a->dtype < CT_COMPLEX64) ||
           cti_refuse(CT_ERR_RUNTIME, "%s: expected one square matrix of real numbers", name);
}

/* Real columns: of a pair of complex vectors the real parts, then the imaginary ones. */
static ct_tensor *real_columns(ct_tensor *values, ct_tensor *vectors)
{
    struct cti_hold h = {0};
    const int64_t one = 1;
    ct_tensor *re = cti_hold(&h, ct_own_real(vectors)), *im = cti_hold(&h, ct_own_imag(vectors));
    ct_tensor *parts = cti_hold(&h, ct_own_imag(values));
    ct_tensor *before = cti_hold(&h, ct_own_roll(im, ct_ints_of(&one, 1), ct_ints_of(&one, 1)));
    ct_tensor *second = parts ? cti_hold(&h, ct_own_lt(V(parts), ct_value_int(0))) : NULL;
    ct_tensor *result =
        second && before && re ? cti_hold(&h, ct_own_where(second, V(before), V(re))) : NULL;
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
    result->eigenvalues = pairs ? ct_own_clone(pairs, CT_CONTIGUOUS_FORMAT) : NULL;
    if (result->eigenvalues)
        result->eigenvectors =
            eigenvectors ? real_columns(f.eigenvalues, f.eigenvectors) : nothing(input);
    ct_release(pairs);
    ct_release(f.eigenvalues);
    ct_release(f.eigenvectors);
    return result->eigenvalues && result->eigenvectors;
}

bool cti_op_symeig(struct ct_symeig_result *result, ct_tensor *input, bool eigenvectors, bool upper)
{
    if (!eigenvectors) {
        result->eigenvalues = ct_own_linalg_eigvalsh(input, upper ? "U" : "L");
        result->eigenvectors = result->eigenvalues ? nothing(input) : NULL;
        return result->eigenvectors != NULL;
    }
    struct ct_linalg_eigh_result f = ct_own_linalg_eigh(input, upper ? "U" : "L");
    result->eigenvalues = f.eigenvalues;
    result->eigenvectors = f.eigenvectors;
    return f.eigenvalues != NULL;
}

bool cti_op_solve(struct ct_solve_result *result, ct_tensor *input, ct_tensor *A)
{
    result->solution = ct_own_linalg_solve(A, input, true);
    struct ct_linalg_lu_factor_ex_info_result f = {0};
    if (result->solution)
        f = ct_own_linalg_lu_factor_ex_info(A, true, false);
    result->LU = f.LU;
    ct_release(f.pivots);
    ct_release(f.info);
    return result->LU != NULL;
}

ct_list cti_op_lu(ct_tensor *A, bool pivot, bool get_infos)
{
    static bool said;
    cti_warn_once(&said,
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
    ct_release(f.LU);
    ct_release(f.pivots);
    ct_release(f.info);
    return list;
}

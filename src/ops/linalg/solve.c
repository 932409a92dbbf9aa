/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements linear systems and determinants by LU factors. The differentiable operation is
 * linalg_solve_factored: it takes the factors as arguments, so that derivatives of every order
 * reuse them. */
#include "core/hold.h"
#include "fronts.h"
#include "inner.h"
#include "ops/linalg/linalg.h"

#include <string.h>

#define SINGULAR_SOLVE "%s: %sThe solver failed because the input matrix is singular."

bool cti_linalg_is_vector(const ct_tensor *a, const ct_tensor *b)
{
    return b->ndim == 1 || (a->ndim - 1 == b->ndim && cti_same_shape(b, a->ndim - 1, a->shape));
}

/* Returns b as a matrix: vectors get a last dim of size 1. The caller owns the result. */
static ct_tensor *solve_matrix(ct_tensor *b, bool vector)
{
    return vector ? ct_own_unsqueeze(b, -1) : ct_retain(b);
}

/* ---- with given factors ---- */

static bool same_type(const ct_tensor *a, const ct_tensor *b, const char *letter, const char *name)
{
    return a->dtype == b->dtype ||
           cti_refuse(
               CT_ERR_RUNTIME,
               "%s: Expected %s and B to have the same dtype, but found %s of type %s and B of "
               "type %s instead",
               name, letter, letter, cti_dtype_scalar_name(ct_dtype(a)),
               cti_dtype_scalar_name(ct_dtype(b)));
}

static bool check_lu_solve(const ct_tensor *lu, const ct_tensor *pivots, ct_tensor *b, bool left)
{
    static const char name[] = "linalg.lu_solve";
    char text[CTI_SHAPE_TEXT];
    if (!cti_linalg_is_floating(lu, "torch.linalg.lu_solve") || !same_type(lu, b, "LU", name))
        return false;
    if (pivots->dtype != CT_INT32)
        return cti_refuse(CT_ERR_RUNTIME,
                          "%s: pivots should be a Tensor of scalar type torch.int32", name);
    if (!cti_linalg_is_square(lu, "torch.linalg.lu_solve") || !cti_linalg_is_matrix(b, "B", name))
        return false;
    int64_t n = cti_linalg_cols(lu), m = cti_linalg_rows(b), k = cti_linalg_cols(b);
    if (!cti_linalg_fit(n, m, k, left, name))
        return false;
    if (!pivots->ndim || pivots->shape[pivots->ndim - 1] != n)
        return cti_refuse(CT_ERR_RUNTIME,
                          "%s: Number of pivots per batch should be same as the dimension of the "
                          "matrix",
                          name);
    if (!cti_same_shape(pivots, lu->ndim - 1, lu->shape))
        return cti_refuse(
            CT_ERR_RUNTIME,
            "%s: Expected LU.shape[:-1] and pivots.shape to be the same, but got pivots "
            "with shape %s instead",
            name, cti_shape_text(text, pivots->ndim, pivots->shape));
    return true;
}

/* Transposes the matrix dims in place; t has no other references. */
static bool transpose_in_place(ct_tensor *t)
{
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS];
    int n = t->ndim;
    for (int d = 0; d < n; d++) {
        int from = d < n - 2 ? d : 2 * n - 3 - d;
        shape[d] = t->shape[from];
        stride[d] = t->stride[from];
    }
    return cti_tensor_set_geometry(t, n, shape, stride, t->offset);
}

/* LAPACK indexes rows by pivots unchecked. Even those of our own factorisation are checked: a write
 * through an alias may have changed them before a derivative uses them. */
static bool solve_check_rows(ct_tensor *pivots, int64_t n)
{
    int32_t least, most;
    return cti_linalg_pivot_range(pivots, false, &least, &most) &&
           ((least >= 1 && (most <= n || !pivots->numel)) ||
            cti_refuse(CT_ERR_RUNTIME,
                       "Pivots given to lu_solve must all be %s. Did you properly pass the result "
                       "of lu_factor?",
                       least < 1 ? "greater or equal to 1" : "smaller or equal to LU.size(-2)"));
}

/* Solves op(A) X = B in a column-major copy of B; X op(A) = B as op(A)^H X^H = B^H. The caller owns
 * the result. */
static ct_tensor *lu_solve(ct_tensor *lu, ct_tensor *pivots, ct_tensor *b, bool left, bool adjoint)
{
    struct cti_hold h = {0};
    int64_t batch[CTI_MAX_DIMS];
    int nbatch;
    if (!cti_linalg_broadcast(lu, b, &nbatch, batch))
        return NULL;
    ct_tensor *oriented = left ? b : cti_hold(&h, ct_own_adjoint(b));
    ct_tensor *expanded =
        oriented ? cti_hold(&h, cti_linalg_spread(oriented, nbatch, batch, 2)) : NULL;
    ct_tensor *x = expanded ? cti_hold(&h, cti_linalg_copy(expanded)) : NULL;
    ct_tensor *factors = cti_hold(&h, cti_linalg_spread(lu, nbatch, batch, 2));
    if (factors && (!cti_linalg_is_column_major(factors) || factors->flags & (CTI_CONJ | CTI_NEG)))
        factors = cti_hold(&h, cti_linalg_copy(factors));
    ct_tensor *seen_order = cti_hold(&h, cti_linalg_spread(pivots, nbatch, batch, 1));
    ct_tensor *order = seen_order ? cti_hold(&h, cti_contiguous(seen_order)) : NULL;
    bool good = x && factors && order && solve_check_rows(order, cti_linalg_cols(lu)) &&
                cti_linalg_lu_apply(factors, order, x, adjoint == left ? 'C' : 'N');
    if (good && !left) { /* as in PyTorch, a complex result is conjugated by a flag */
        good = transpose_in_place(x);
        x->flags |= x->dtype >= CT_COMPLEX64 && x->numel ? CTI_CONJ : 0;
    }
    return cti_hold_end(&h, good ? x : NULL);
}

ct_tensor *cti_op_linalg_solve_factored(ct_tensor *A, ct_tensor *LU, ct_tensor *pivots,
                                        ct_tensor *B, bool left, bool adjoint)
{
    bool vector = cti_linalg_is_vector(A, B);
    ct_tensor *b = solve_matrix(B, vector), *x = NULL;
    if (b && check_lu_solve(LU, pivots, b, left))
        x = lu_solve(LU, pivots, b, left, adjoint);
    ct_release(b);
    if (!x || !vector)
        return x;
    /* Drop the last dim, of size 1. As in PyTorch, several vectors are stored like the rows of a
     * column-major matrix. */
    ct_tensor *result = NULL;
    if (cti_tensor_set_geometry(x, x->ndim - 1, x->shape, x->stride, x->offset))
        result = x->ndim > 1 ? cti_linalg_copy(x) : ct_retain(x);
    ct_release(x);
    return result;
}

/* ---- solve ---- */

static bool check_solve(const ct_tensor *a, ct_tensor *b, bool left)
{
    static const char name[] = "linalg.solve";
    if (!cti_linalg_is_floating(a, name) || !same_type(a, b, "A", name))
        return false;
    bool vector = cti_linalg_is_vector(a, b);
    if (!cti_linalg_is_square(a, name) || (!vector && !cti_linalg_is_matrix(b, "B", name)))
        return false;
    int64_t m = b->shape[b->ndim - (vector ? 1 : 2)], k = vector ? 1 : b->shape[b->ndim - 1];
    int64_t n = cti_linalg_cols(a);
    if (!cti_linalg_fit(n, m, k, left, name))
        return false;
    if (vector && !left)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "%s: Vector broadcasting of the left hand side is not supported for "
            "left=False. In this case linalg.solve is equivalent to B / A.squeeze(-1)",
            name);
    return !a->numel || cti_linalg_has_kernel(a, "lu_cpu");
}

static ct_tensor *solved(ct_tensor *a, ct_tensor *b, bool left, ct_tensor **info)
{
    struct cti_linalg_lu f;
    if (!check_solve(a, b, left) || !cti_linalg_lu_of(&f, a))
        return NULL;
    ct_tensor *x = ct_own_linalg_solve_factored(a, f.lu, f.pivots, b, left, false);
    *info = x ? ct_retain(f.info) : NULL;
    cti_linalg_lu_release(&f);
    return x;
}

bool cti_op_linalg_solve_ex(struct ct_linalg_solve_ex_info_result *result, ct_tensor *A,
                            ct_tensor *B, bool left, bool check_errors)
{
    result->result = solved(A, B, left, &result->info);
    return result->result &&
           (!check_errors || cti_linalg_succeeded(result->info, CT_ERR_LINALG, SINGULAR_SOLVE,
                                                  "torch.linalg.solve_ex"));
}

ct_tensor *cti_op_linalg_solve(ct_tensor *A, ct_tensor *B, bool left)
{
    ct_tensor *info = NULL, *x = solved(A, B, left, &info);
    bool good =
        x && cti_linalg_succeeded(info, CT_ERR_LINALG, SINGULAR_SOLVE, "torch.linalg.solve");
    ct_release(info);
    return cti_take_if(x, good);
}

/* ---- determinants ---- */

/* Computes the sign of each permutation: -1 if the number of row exchanges is odd, else 1. */
static ct_tensor *sign_of_order(struct cti_hold *h, ct_tensor *pivots)
{
    int64_t n = pivots->shape[pivots->ndim - 1], last = -1;
    ct_tensor *still =
        cti_hold(h, ct_own_arange(ct_value_int(1), ct_value_int(n + 1), ct_value_int(1), CT_INT32,
                                  pivots->storage->device, false));
    ct_tensor *moved = cti_hold(h, ct_own_ne(V(still), V(pivots)));
    ct_tensor *count = cti_hold(h, ct_own_sum(moved, ct_ints_of(&last, 1), false, CT_INT64));
    ct_tensor *odd = cti_hold(h, ct_own_fmod(V(count), ct_value_int(2)));
    ct_tensor *twice = cti_hold(h, ct_own_mul(V(odd), ct_value_int(-2)));
    return cti_hold(h, ct_own_add(V(twice), ct_value_int(1), ct_value_int(1)));
}

bool cti_op__linalg_det(struct ct__linalg_det_result *result, ct_tensor *A)
{
    struct cti_linalg_lu f;
    struct cti_hold h = {0};
    if (!cti_linalg_is_square(A, "linalg.det") || !cti_linalg_is_floating(A, "linalg.det") ||
        (A->numel && !cti_linalg_has_kernel(A, "lu_cpu")) || !cti_linalg_lu_of(&f, A))
        return false;
    ct_tensor *sign = sign_of_order(&h, f.pivots);
    ct_tensor *diagonal = cti_hold(&h, ct_own_diagonal(f.lu, 0, -2, -1));
    ct_tensor *line = diagonal ? cti_hold(&h, cti_contiguous(diagonal)) : NULL;
    ct_tensor *product = cti_hold(&h, ct_own_prod(line, -1, false, CT_NO_DTYPE));
    result->result = cti_hold_end(&h, cti_hold(&h, ct_own_mul(V(sign), V(product))));
    result->LU = ct_retain(f.lu);
    result->pivots = ct_retain(f.pivots);
    cti_linalg_lu_release(&f);
    return result->result != NULL;
}

ct_tensor *cti_op_linalg_det(ct_tensor *A)
{
    struct ct__linalg_det_result all = ct_own__linalg_det(A);
    cti_release_all(all.LU, all.pivots);
    return all.result;
}

static bool check_slogdet(const ct_tensor *a, const char *name)
{
    return cti_linalg_is_square(a, name) && cti_linalg_is_full(a, name);
}

bool cti_op__linalg_slogdet(struct ct__linalg_slogdet_result *result, ct_tensor *A)
{
    struct cti_linalg_lu f;
    struct cti_hold h = {0};
    if (!cti_linalg_lu_of(&f, A))
        return false;
    ct_tensor *order = sign_of_order(&h, f.pivots);
    ct_tensor *diagonal = cti_hold(&h, ct_own_diagonal(f.lu, 0, -2, -1));
    ct_tensor *signs = cti_hold(&h, ct_own_sgn(diagonal));
    ct_tensor *sign = cti_hold(&h, ct_own_prod(signs, -1, false, CT_NO_DTYPE));
    result->sign = ct_own_mul(V(sign), V(order));
    ct_tensor *size = cti_hold(&h, ct_own_abs(diagonal));
    ct_tensor *logs = cti_hold(&h, ct_own_log(size));
    result->logabsdet = ct_own_sum(logs, CT_INTS(-1), false, CT_NO_DTYPE);
    result->LU = ct_retain(f.lu);
    result->pivots = ct_retain(f.pivots);
    cti_hold_end(&h, NULL);
    cti_linalg_lu_release(&f);
    return result->sign && result->logabsdet;
}

bool cti_op_linalg_slogdet(struct ct_linalg_slogdet_result *result, ct_tensor *A)
{
    if (!check_slogdet(A, "linalg.slogdet"))
        return false;
    struct ct__linalg_slogdet_result all = ct_own__linalg_slogdet(A);
    *result = (struct ct_linalg_slogdet_result){all.sign, all.logabsdet};
    cti_release_all(all.LU, all.pivots);
    return all.sign != NULL;
}

bool cti_op_slogdet(struct ct_slogdet_result *result, ct_tensor *input)
{
    struct ct_linalg_slogdet_result all = ct_own_linalg_slogdet(input);
    *result = (struct ct_slogdet_result){all.sign, all.logabsdet};
    return all.sign != NULL;
}

ct_tensor *cti_op_logdet(ct_tensor *input)
{
    struct cti_hold h = {0};
    if (!check_slogdet(input, "logdet"))
        return NULL;
    struct ct__linalg_slogdet_result all = ct_own__linalg_slogdet(input);
    ct_tensor *sign = cti_hold(&h, all.sign), *size = cti_hold(&h, all.logabsdet);
    cti_hold(&h, all.LU);
    cti_hold(&h, all.pivots);
    ct_tensor *result = NULL;
    if (input->dtype >= CT_COMPLEX64) {
        ct_tensor *angle = cti_hold(&h, ct_own_log(sign));
        result = cti_hold(&h, ct_own_add(V(angle), V(size), ct_value_int(1)));
    } else {
        ct_tensor *below = cti_hold(&h, ct_own_eq(V(sign), ct_value_float(-1)));
        result = cti_hold(&h, ct_own_where(below, ct_value_float(__builtin_nan("")), V(size)));
    }
    return cti_hold_end(&h, result);
}

/* ---- with factors from the user ---- */

ct_tensor *cti_op_linalg_lu_solve(ct_tensor *LU, ct_tensor *pivots, ct_tensor *B, bool left,
                                  bool adjoint)
{
    int64_t batch[CTI_MAX_DIMS];
    int nbatch;
    if (!check_lu_solve(LU, pivots, B, left) || !cti_linalg_broadcast(LU, B, &nbatch, batch) ||
        !cti_linalg_has_kernel(LU, "linalg.lu_solve_cpu"))
        return NULL;
    return lu_solve(LU, pivots, B, left, adjoint);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of solve, of LU factors and solves that use them, and of determinants. They call
 * differentiable operations, so that they can be differentiated again. */
#include "autograd/derivatives/derivatives.h"

/* ---- equations ---- */

ct_tensor *cti_grad_linalg_solve_right(ct_tensor *grad, ct_tensor *A, ct_tensor *LU,
                                       ct_tensor *pivots, ct_ints B, bool left, bool adjoint)
{
    struct cti_hold h = {0};
    const int64_t last = -1;
    bool vector = grad->ndim < A->ndim; /* or a batch of vectors, one for each matrix */
    ct_tensor *column = vector ? cti_hold(&h, ct_own_unsqueeze(grad, -1)) : grad;
    ct_tensor *x =
        cti_hold(&h, ct_own_linalg_solve_factored(A, LU, pivots, column, left, !adjoint));
    ct_tensor *line = vector && x ? cti_hold(&h, ct_own_squeeze(x, ct_ints_of(&last, 1))) : x;
    return cti_hold_end(&h, fitted(&h, line, B));
}

/* X = op(A)^-1 B: with gB, the gradient of op(A) is -gB X^H. For X op(A) = B it is -X^H gB. */
ct_tensor *cti_grad_linalg_solve(ct_tensor *grad, ct_tensor *A, ct_tensor *LU, ct_tensor *pivots,
                                 ct_tensor *result, bool left, bool adjoint_of_a)
{
    struct cti_hold h = {0};
    bool vector = grad->ndim < A->ndim;
    ct_tensor *column = vector ? cti_hold(&h, ct_own_unsqueeze(grad, -1)) : grad;
    ct_tensor *x = vector ? cti_hold(&h, ct_own_unsqueeze(result, -1)) : result;
    ct_tensor *g =
        cti_hold(&h, ct_own_linalg_solve_factored(A, LU, pivots, column, left, !adjoint_of_a));
    ct_tensor *other = adjoint(&h, x);
    ct_tensor *outer = left ? product(&h, g, other) : product(&h, other, g);
    ct_tensor *transposed = negative(&h, outer);
    ct_tensor *own = adjoint_of_a ? adjoint(&h, transposed) : transposed;
    return cti_hold_end(&h, fitted(&h, own, ct_ints_of(A->shape, A->ndim)));
}

/* ---- factors ---- */

/* Pads t, [..., k, n] or [..., m, k], with zeros at its end to [..., m, n]. */
static ct_tensor *widened(struct cti_hold *h, ct_tensor *t, ct_ints shape, int dim)
{
    if (!t || t->shape[t->ndim + dim] == shape.v[shape.n + dim])
        return t;
    return cti_hold(h, ct_own_slice_backward(t, shape, dim, 0, t->shape[t->ndim + dim], 1));
}

ct_tensor *cti_grad_lu_unpack(const struct cti_node *node, ct_tensor *const *grads, ct_ints LU)
{
    struct cti_hold h = {0};
    (void)node;
    ct_tensor *lower =
        grads[0] ? widened(&h, cti_hold(&h, ct_own_tril(grads[0], -1)), LU, -1) : NULL;
    ct_tensor *upper =
        grads[1] ? widened(&h, cti_hold(&h, ct_own_triu(grads[1], 0)), LU, -2) : NULL;
    if ((grads[0] && !lower) || (grads[1] && !upper))
        return cti_hold_end(&h, NULL);
    return cti_hold_end(&h, !lower ? upper : !upper ? lower : plus(&h, lower, upper));
}

/* Solves with a triangular factor by lu_solve: a triangular matrix is its own LU factorisation,
 * with pivots that exchange nothing. */
static ct_tensor *triangular_solve(struct cti_hold *h, ct_tensor *factor, ct_tensor *still,
                                   ct_tensor *b, bool left)
{
    return b ? cti_hold(h, ct_own_linalg_solve_factored(factor, factor, still, b, left, true))
             : NULL;
}

/* 1, 2, ..., k for each matrix of the batch. */
static ct_tensor *no_pivots(struct cti_hold *h, ct_tensor *like, int64_t k)
{
    int64_t shape[CTI_MAX_DIMS];
    for (int d = 0; d < like->ndim - 1; d++)
        shape[d] = d < like->ndim - 2 ? like->shape[d] : k;
    ct_tensor *line =
        cti_hold(h, ct_own_arange(ct_value_int(1), ct_value_int(k + 1), ct_value_int(1), CT_INT32,
                                  like->storage->device, false));
    return cti_hold(h, ct_own_expand(line, ct_ints_of(shape, like->ndim - 1), false));
}

/* A = P L U. If A is square or wide, U = [U1 U2]:
 *   gA = P L^-H [ tril(L^H gL - gU U^H, -1) U1^-H + gU1, gU2 ]
 * If it is tall, L = [L1; L2]:
 *   gA = P [ L1^-H triu(gU U^H - L^H gL) + gL1; gL2 ] U^-H
 * where only the strictly lower part of gL and the upper part of gU count. Either may be
 * missing. */
static ct_tensor *through_lu(struct cti_hold *h, ct_tensor *p, ct_tensor *l, ct_tensor *u,
                             ct_tensor *gl, ct_tensor *gu)
{
    if (!p || !l || !u)
        return NULL;
    int64_t m = l->shape[l->ndim - 2], n = u->shape[u->ndim - 1], k = m < n ? m : n;
    int64_t shape[CTI_MAX_DIMS];
    for (int d = 0; d < l->ndim; d++)
        shape[d] = d == l->ndim - 1 ? n : l->shape[d];
    ct_ints whole_shape = ct_ints_of(shape, l->ndim);
    gl = gl ? cti_hold(h, ct_own_tril(gl, -1)) : cti_hold(h, cti_grad_zeros_like(l));
    gu = gu ? cti_hold(h, ct_own_triu(gu, 0)) : cti_hold(h, cti_grad_zeros_like(u));
    ct_tensor *still = no_pivots(h, l, k), *whole = NULL;
    ct_tensor *down = product(h, adjoint(h, l), gl), *up = product(h, gu, adjoint(h, u));
    if (m <= n) {
        ct_tensor *core = cti_hold(h, ct_own_tril(minus(h, down, up), -1));
        ct_tensor *square = m == n ? u : cti_hold(h, ct_own_narrow(u, -1, 0, k));
        ct_tensor *first = triangular_solve(h, square, still, core, false);
        whole =
            triangular_solve(h, l, still, plus(h, widened(h, first, whole_shape, -1), gu), true);
    } else {
        ct_tensor *core = cti_hold(h, ct_own_triu(minus(h, up, down), 0));
        ct_tensor *square = cti_hold(h, ct_own_narrow(l, -2, 0, k));
        ct_tensor *first = triangular_solve(h, square, still, core, true);
        whole =
            triangular_solve(h, u, still, plus(h, widened(h, first, whole_shape, -2), gl), false);
    }
    return product(h, p, whole);
}

ct_tensor *cti_grad_linalg_lu_factor(ct_tensor *grad, ct_tensor *LU, ct_tensor *pivots)
{
    struct cti_hold h = {0};
    int64_t m = LU->shape[LU->ndim - 2], n = LU->shape[LU->ndim - 1], k = m < n ? m : n;
    if (!LU->numel)
        return cti_grad_zeros_like(LU);
    struct ct_lu_unpack_result f = ct_own_lu_unpack(LU, pivots, true, true);
    ct_tensor *p = cti_hold(&h, f.P), *l = cti_hold(&h, f.L), *u = cti_hold(&h, f.U);
    ct_tensor *gl = cti_hold(&h, ct_own_narrow(grad, -1, 0, k));
    ct_tensor *gu = cti_hold(&h, ct_own_narrow(grad, -2, 0, k));
    return cti_hold_end(&h, gl && gu ? through_lu(&h, p, l, u, gl, gu) : NULL);
}

ct_tensor *cti_grad_linalg_lu(const struct cti_node *node, ct_tensor *const *grads, ct_tensor *P,
                              ct_tensor *L, ct_tensor *U)
{
    struct cti_hold h = {0};
    (void)node;
    if (L->numel && U->numel)
        return cti_hold_end(&h, through_lu(&h, P, L, U, grads[1], grads[2]));
    int64_t shape[CTI_MAX_DIMS];
    for (int d = 0; d < L->ndim; d++)
        shape[d] = d == L->ndim - 1 ? U->shape[d] : L->shape[d];
    return ct_own_zeros(ct_ints_of(shape, L->ndim), ct_dtype(L), L->storage->device, false);
}

ct_tensor *cti_grad_linalg_lu_solve_right(ct_tensor *grad, ct_tensor *LU, ct_tensor *pivots,
                                          ct_ints B, bool left, bool adjoint)
{
    struct cti_hold h = {0};
    ct_tensor *x = cti_hold(&h, ct_own_linalg_lu_solve(LU, pivots, grad, left, !adjoint));
    return cti_hold_end(&h, fitted(&h, x, B));
}

/* Through A = P L U: with Q = P^T gA, the gradient of L is tril(Q U^H, -1), and that of U is
 * triu(L^H Q). */
ct_tensor *cti_grad_linalg_lu_solve(ct_tensor *grad, ct_tensor *LU, ct_tensor *pivots,
                                    ct_tensor *result, bool left, bool adjoint_of_a)
{
    struct cti_hold h = {0};
    ct_tensor *g = cti_hold(&h, ct_own_linalg_lu_solve(LU, pivots, grad, left, !adjoint_of_a));
    struct ct_lu_unpack_result f = ct_own_lu_unpack(LU, pivots, true, true);
    ct_tensor *p = cti_hold(&h, f.P), *l = cti_hold(&h, f.L), *u = cti_hold(&h, f.U);
    ct_tensor *other = adjoint(&h, result);
    ct_tensor *outer = left ? product(&h, g, other) : product(&h, other, g);
    ct_tensor *transposed = negative(&h, outer);
    ct_tensor *own = adjoint_of_a ? adjoint(&h, transposed) : transposed;
    ct_tensor *q = product(&h, cti_hold(&h, ct_own_mT(p)), own);
    ct_tensor *lower = cti_hold(&h, ct_own_tril(product(&h, q, adjoint(&h, u)), -1));
    ct_tensor *upper = cti_hold(&h, ct_own_triu(product(&h, adjoint(&h, l), q), 0));
    return cti_hold_end(&h, fitted(&h, plus(&h, lower, upper), ct_ints_of(LU->shape, LU->ndim)));
}

/* ---- determinants ---- */

/* A^-H times `factor`, a number for each matrix. */
static ct_tensor *inverse_times(struct cti_hold *h, ct_tensor *a, ct_tensor *lu, ct_tensor *pivots,
                                ct_tensor *factor)
{
    int64_t shape[CTI_MAX_DIMS];
    if (!factor)
        return NULL;
    for (int d = 0; d < a->ndim - 1; d++)
        shape[d] = a->shape[d];
    ct_tensor *column = cti_hold(h, ct_own_unsqueeze(factor, -1));
    ct_tensor *along = cti_hold(h, ct_own_expand(column, ct_ints_of(shape, a->ndim - 1), false));
    ct_tensor *diagonal = cti_hold(h, ct_own_diag_embed(along, 0, -2, -1));
    return cti_hold(h, ct_own_linalg_solve_factored(a, lu, pivots, diagonal, true, true));
}

/* Replaces zeros on the diagonal of L and U by small numbers: the determinant is smooth there, and
 * its derivative hardly changes so close to A. No gradient passes through the replacement. */
static ct_tensor *without_zeros(struct cti_hold *h, ct_tensor *lu)
{
    bool mode = cti_grad_pause();
    double least = lu->dtype == CT_FLOAT32 || lu->dtype == CT_COMPLEX64 ? 0x1p-23 : 0x1p-52;
    ct_tensor *diagonal = cti_hold(h, ct_own_diagonal(lu, 0, -2, -1));
    ct_tensor *zero = cti_hold(h, ct_own_eq(V(diagonal), ct_value_int(0)));
    ct_tensor *type = zero ? cti_hold(h, ct_own_to_dtype(zero, ct_dtype(lu))) : NULL;
    ct_tensor *step = cti_hold(h, ct_own_mul(V(type), ct_value_float(least)));
    ct_tensor *result = plus(h, lu, cti_hold(h, ct_own_diag_embed(step, 0, -2, -1)));
    cti_grad_restore(mode);
    return result;
}

/* The gradient of the determinant of a singular A for second derivatives, from the singular value
 * decomposition, without division. */
static ct_tensor *singular_det(struct cti_hold *h, ct_tensor *grad, ct_tensor *a)
{
    struct ct_linalg_svd_result f = ct_own_linalg_svd(a, true, NULL);
    ct_tensor *u = cti_hold(h, f.U), *s = cti_hold(h, f.S), *vh = cti_hold(h, f.Vh);
    ct_tensor *phase =
        times(h, cti_hold(h, ct_own_linalg_det(u)), cti_hold(h, ct_own_linalg_det(vh)));
    ct_tensor *conj_phase = cti_hold(h, ct_own_conj(phase));
    ct_tensor *weight = cti_hold(h, ct_own_unsqueeze(times(h, conj_phase, grad), -1));
    ct_tensor *each = weight && s ? cti_hold(h, cti_grad_prod_recorded(weight, s, -1)) : NULL;
    ct_tensor *column = cti_hold(h, ct_own_unsqueeze(each, -1));
    return product(h, u, times(h, column, vh));
}

ct_tensor *cti_grad_linalg_det(ct_tensor *grad, ct_tensor *A, ct_tensor *result, ct_tensor *LU,
                               ct_tensor *pivots)
{
    struct cti_hold h = {0};
    if (!A->numel)
        return cti_grad_zeros_like(A);
    bool zeros = cti_has_zero(result);
    if (zeros && cti_grad_on())
        return cti_hold_end(&h, singular_det(&h, grad, A));
    ct_tensor *factor = times(&h, grad, cti_hold(&h, ct_own_conj(result)));
    ct_tensor *lu = zeros ? without_zeros(&h, LU) : LU;
    return cti_hold_end(&h, lu ? inverse_times(&h, A, lu, pivots, factor) : NULL);
}

ct_tensor *cti_grad_linalg_slogdet(const struct cti_node *node, ct_tensor *const *grads,
                                   ct_tensor *A, ct_tensor *sign, ct_tensor *LU, ct_tensor *pivots)
{
    struct cti_hold h = {0};
    (void)node;
    ct_tensor *factor = grads[3];
    /* the gradient of the phase: i Im(g conj(sign)) */
    if (sign->dtype >= CT_COMPLEX64 && grads[0]) {
        ct_tensor *rotation = times(&h, grads[0], cti_hold(&h, ct_own_conj(sign)));
        ct_tensor *part = cti_hold(&h, ct_own_imag(rotation));
        ct_tensor *phase = cti_hold(&h, ct_own_mul(V(part), ct_value_complex_of(0, 1)));
        factor = factor ? plus(&h, factor, phase) : phase;
    }
    if (!factor || !A->numel) /* the sign of a real determinant is locally constant */
        return cti_hold_end(&h, cti_hold(&h, cti_grad_zeros_like(A)));
    ct_tensor *typed = cti_hold(&h, ct_own_to_dtype(factor, ct_dtype(A)));
    return cti_hold_end(&h, inverse_times(&h, A, LU, pivots, typed));
}

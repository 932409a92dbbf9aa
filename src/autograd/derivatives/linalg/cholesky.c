/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of Cholesky factors, of solves and inverses that use them, and of triangular solves.
 * G is the gradient of the result. They call differentiable operations, so that they can be
 * differentiated again. */
#include "autograd/derivatives/derivatives.h"

static ct_tensor *solve(struct cti_hold *h, ct_tensor *a, ct_tensor *b, bool upper, bool left,
                        bool unit)
{
    return a && b ? cti_hold(h, ct_own_linalg_solve_triangular(a, b, upper, left, unit)) : NULL;
}

/* ---- triangular matrices ---- */

/* X = A^-1 B: the gradient of B is A^-H G. */
ct_tensor *cti_grad_solve_triangular_right(ct_tensor *grad, ct_tensor *A, bool upper, bool left,
                                           bool unitriangular, ct_ints B)
{
    struct cti_hold h = {0};
    return cti_hold_end(
        &h, fitted(&h, solve(&h, adjoint(&h, A), grad, !upper, left, unitriangular), B));
}

/* ... and that of A is the triangle of -(A^-H G) X^H. For X A = B it is that of -X^H (G A^-H). */
ct_tensor *cti_grad_solve_triangular(ct_tensor *grad, ct_tensor *A, ct_tensor *result, bool upper,
                                     bool left, bool unitriangular)
{
    struct cti_hold h = {0};
    ct_tensor *g = solve(&h, adjoint(&h, A), grad, !upper, left, unitriangular);
    ct_tensor *x = adjoint(&h, result);
    ct_tensor *outer = negative(&h, left ? product(&h, g, x) : product(&h, x, g));
    ct_tensor *own = triangle(&h, outer, upper, (upper ? 1 : -1) * unitriangular);
    return cti_hold_end(&h, fitted(&h, own, ct_ints_of(A->shape, A->ndim)));
}

/* torch.triangular_solve, whose op does not conjugate: the gradient of b is conj(op(A))^-T G. */
static ct_tensor *solve_old(struct cti_hold *h, ct_tensor *grad, ct_tensor *a, bool upper,
                            bool transpose, bool unit)
{
    ct_tensor *transposed = cti_hold(h, transpose ? ct_own_conj(a) : ct_own_adjoint(a));
    return solve(h, transposed, grad, upper == transpose, true, unit);
}

ct_tensor *cti_grad_triangular_solve_right(const struct cti_node *node, ct_tensor *const *grads,
                                           ct_tensor *A, bool upper, bool transpose,
                                           bool unitriangular, ct_ints b)
{
    struct cti_hold h = {0};
    (void)node;
    if (!grads[0]) /* the returned copy of A does not depend on b */
        return ct_own_new_zeros(A, b, CT_NO_DTYPE, CT_NO_DEVICE, false);
    ct_tensor *g = solve_old(&h, grads[0], A, upper, transpose, unitriangular);
    return cti_hold_end(&h, fitted(&h, g, b));
}

ct_tensor *cti_grad_triangular_solve(const struct cti_node *node, ct_tensor *const *grads,
                                     ct_tensor *A, ct_tensor *solution, bool upper, bool transpose,
                                     bool unitriangular)
{
    struct cti_hold h = {0};
    (void)node;
    ct_tensor *own = grads[1];
    if (grads[0]) {
        ct_tensor *g = solve_old(&h, grads[0], A, upper, transpose, unitriangular);
        ct_tensor *x = adjoint(&h, solution);
        ct_tensor *outer = negative(&h, product(&h, g, x));
        own = transpose ? cti_hold(&h, ct_own_mT(outer)) : outer;
        own = triangle(&h, own, upper, (upper ? 1 : -1) * unitriangular);
        own = own && grads[1] ? plus(&h, own, grads[1]) : own;
    }
    return cti_hold_end(&h, fitted(&h, own, ct_ints_of(A->shape, A->ndim)));
}

/* ---- Cholesky's factors ---- */

/* A = L L^H: with P the lower triangle of L^H G, its diagonal halved, the gradient of A is
 * L^-H (P + P^H) / 2 L^-1 (I. Murray, Differentiation of the Cholesky decomposition, 2016). */
ct_tensor *cti_grad_linalg_cholesky(ct_tensor *grad, ct_tensor *L, bool upper)
{
    struct cti_hold h = {0};
    ct_tensor *l = upper ? adjoint(&h, L) : L, *g = upper ? adjoint(&h, grad) : grad;
    ct_tensor *transposed = adjoint(&h, l);
    ct_tensor *whole = product(&h, transposed, g);
    ct_tensor *lower = triangle(&h, whole, false, 0);
    ct_tensor *strict = triangle(&h, whole, false, -1);
    ct_tensor *both = plus(&h, lower, adjoint(&h, strict));
    if (both && both->dtype >= CT_COMPLEX64) { /* only the real part of the diagonal counts */
        ct_tensor *line = cti_hold(&h, ct_own_diagonal(whole, 0, -2, -1));
        ct_tensor *part = cti_hold(&h, ct_own_imag(line));
        ct_tensor *unreal = cti_hold(&h, ct_own_mul(V(part), ct_value_complex_of(0, 1)));
        both = minus(&h, both, cti_hold(&h, ct_own_diag_embed(unreal, 0, -2, -1)));
    }
    ct_tensor *half = cti_hold(&h, ct_own_mul(V(both), ct_value_float(0.5)));
    ct_tensor *left = solve(&h, transposed, half, true, true, false);
    return cti_hold_end(&h, solve(&h, l, left, false, false, false));
}

ct_tensor *cti_grad_cholesky_solve_right(ct_tensor *grad, ct_tensor *L, bool upper, ct_ints B)
{
    struct cti_hold h = {0};
    return cti_hold_end(&h, fitted(&h, cti_hold(&h, ct_own_cholesky_solve(grad, L, upper)), B));
}

/* The gradient of the factor from S, that of A: (S + S^H) times the factor. */
static ct_tensor *through_factor(struct cti_hold *h, ct_tensor *s, ct_tensor *l, bool upper)
{
    ct_tensor *both = plus(h, s, adjoint(h, s));
    return upper ? product(h, l, both) : product(h, both, l);
}

/* X = A^-1 B with A = L L^H or U^H U: the gradient of A is S = -(A^-1 G) X^H. */
ct_tensor *cti_grad_cholesky_solve(ct_tensor *grad, ct_tensor *L, bool upper, ct_tensor *result)
{
    struct cti_hold h = {0};
    ct_tensor *g = cti_hold(&h, ct_own_cholesky_solve(grad, L, upper));
    ct_tensor *s = negative(&h, product(&h, g, adjoint(&h, result)));
    ct_tensor *own = through_factor(&h, s, L, upper);
    return cti_hold_end(&h, fitted(&h, own, ct_ints_of(L->shape, L->ndim)));
}

/* X = A^-1: the gradient of A is S = -X G X. */
ct_tensor *cti_grad_cholesky_inverse(ct_tensor *grad, ct_tensor *L, bool upper, ct_tensor *result)
{
    struct cti_hold h = {0};
    ct_tensor *s = negative(&h, product(&h, result, product(&h, grad, result)));
    return cti_hold_end(&h, through_factor(&h, s, L, upper));
}

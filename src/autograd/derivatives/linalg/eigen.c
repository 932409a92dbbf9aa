/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of eigenvalue decompositions (eigh, eig, lobpcg), and of the matrix square root,
 * polar factors, pseudoinverse and matrix exponential. They call differentiable operations, so that
 * they can be differentiated again. */
#include "autograd/derivatives/derivatives.h"

/* (X + X^H) / 2, or if skew (X - X^H) / 2. */
static ct_tensor *half(struct cti_hold *h, ct_tensor *x, bool skew)
{
    ct_tensor *transposed = adjoint(h, x);
    ct_tensor *sum = skew ? minus(h, x, transposed) : plus(h, x, transposed);
    return cti_hold(h, ct_own_mul(V(sum), ct_value_float(0.5)));
}

/* ---- eigenvalues ---- */

/* An eigenvector may be multiplied by any phase e^(i phi). A loss that depends on the phase has no
 * derivative: that is an error. */
static bool phase_is_free(ct_tensor *core, const char *name)
{
    struct cti_hold h = {0};
    bool mode = cti_grad_pause();
    ct_tensor *along = cti_hold(&h, ct_own_diagonal(core, 0, -2, -1));
    ct_tensor *part = along ? cti_hold(&h, ct_own_imag(along)) : NULL;
    ct_tensor *zero = part ? cti_hold(&h, cti_grad_zeros_like(part)) : NULL;
    int close = zero ? ct_own_allclose(part, zero, 1e-2, 1e-2, false) : -1;
    cti_grad_restore(mode);
    cti_hold_end(&h, NULL);
    if (close == 0)
        ct_fail(CT_ERR_RUNTIME,
                "%s: The eigenvectors in the complex case are specified up to multiplication by "
                "e^{i phi}. The specified loss function depends on this quantity, so it is "
                "ill-defined.",
                name);
    return close == 1;
}

/* core[i, j] / (L[j] - L[i]) off the diagonal, and core + gL on it. */
static ct_tensor *over_gaps(struct cti_hold *h, ct_tensor *core, ct_tensor *values, ct_tensor *gl)
{
    ct_tensor *gap = minus(h, cti_hold(h, ct_own_unsqueeze(values, -2)),
                           cti_hold(h, ct_own_unsqueeze(values, -1)));
    ct_tensor *ones =
        values ? cti_hold(h, ct_own_ones_like(values, CT_NO_DTYPE, CT_NO_DEVICE, false, -1)) : NULL;
    ct_tensor *unit = cti_hold(h, ct_own_diag_embed(ones, 0, -2, -1));
    ct_tensor *ratio = cti_hold(h, ct_own_div(V(core), V(plus(h, gap, unit)), NULL));
    return gl ? plus(h, ratio, cti_hold(h, ct_own_diag_embed(gl, 0, -2, -1))) : ratio;
}

/* A = V L V^H: gA = V [ skew(V^H gV) / (L[j] - L[i]) + gL ] V^H, with skew(X) = (X - X^H) / 2. */
ct_tensor *cti_grad_linalg_eigh(const struct cti_node *node, ct_tensor *const *grads, ct_tensor *L,
                                ct_tensor *vectors)
{
    struct cti_hold h = {0};
    ct_tensor *gl = grads[0], *gv = grads[1], *transposed = adjoint(&h, vectors);
    (void)node;
    if (!gv) {
        ct_tensor *scaled = times(&h, vectors, cti_hold(&h, ct_own_unsqueeze(gl, -2)));
        return cti_hold_end(&h, product(&h, scaled, transposed));
    }
    ct_tensor *core = product(&h, transposed, gv);
    if (!core || (core->dtype >= CT_COMPLEX64 && !phase_is_free(core, "linalg_eigh_backward")))
        return cti_hold_end(&h, NULL);
    ct_tensor *inner = over_gaps(&h, half(&h, core, true), L, gl);
    return cti_hold_end(&h, product(&h, vectors, product(&h, inner, transposed)));
}

/* Pads the gradient of the first columns with zeros to n columns. */
static ct_tensor *padded(struct cti_hold *h, ct_tensor *grad, int64_t n)
{
    const int64_t more[] = {0, n - grad->shape[grad->ndim - 1]};
    return cti_hold(h, ct_own_constant_pad_nd(grad, ct_ints_of(more, 2), ct_value_int(0)));
}

/* The derivative of some eigenvalues of a matrix: recomputes all of them and differentiates that.
 * Eigenvectors are unique up to their sign, so the gradient of each vector is multiplied by the
 * sign of its product with the recomputed one. */
ct_tensor *cti_grad_lobpcg(const struct cti_node *node, ct_tensor *const *grads, ct_tensor *A,
                           ct_tensor *B, ct_tensor *values, ct_tensor *vectors, int largest)
{
    struct cti_hold h = {0};
    const int64_t last = -1, rows = -2, n = A->shape[A->ndim - 1];
    bool beside = cti_is_given(B);
    if (A->dtype >= CT_COMPLEX64 || (beside && B->dtype >= CT_COMPLEX64))
        return ct_fail(CT_ERR_VALUE, "lobpcg.backward does not support complex input yet. Note "
                                     "that lobpcg.forward does though.");
    if (beside)
        return ct_fail(CT_ERR_VALUE, "lobpcg.backward does not support backward with B != I yet.");
    struct ct_linalg_eigh_result f = ct_own_linalg_eigh(A, "U");
    ct_tensor *L = cti_hold(&h, f.eigenvalues), *all = cti_hold(&h, f.eigenvectors);
    if (largest) {
        L = cti_hold(&h, ct_own_flip(L, ct_ints_of(&last, 1)));
        all = cti_hold(&h, ct_own_flip(all, ct_ints_of(&last, 1)));
    }
    ct_tensor *gl = grads[0] ? padded(&h, grads[0], n) : NULL, *gv = NULL;
    if (!all || (grads[0] && !gl))
        return cti_hold_end(&h, NULL);
    if (grads[1]) {
        bool mode = cti_grad_pause();
        ct_tensor *few = cti_hold(&h, ct_own_narrow(all, -1, 0, values->shape[values->ndim - 1]));
        ct_tensor *inner = cti_hold(
            &h, ct_own_sum(times(&h, few, vectors), ct_ints_of(&rows, 1), true, CT_NO_DTYPE));
        ct_tensor *ones =
            inner ? cti_hold(&h, ct_own_ones_like(inner, CT_NO_DTYPE, CT_NO_DEVICE, false, -1))
                  : NULL;
        ct_tensor *side = cti_hold(&h, ct_own_copysign(ones, V(inner)));
        cti_grad_restore(mode);
        ct_tensor *aligned = times(&h, grads[1], side);
        gv = aligned ? padded(&h, aligned, n) : NULL;
        if (!gv)
            return cti_hold_end(&h, NULL);
    }
    return cti_hold_end(&h,
                        cti_hold(&h, cti_grad_linalg_eigh(node, (ct_tensor *[]){gl, gv}, L, all)));
}

/* A = V L V^-1 with columns of length 1. With M = V^H gV, from which the part that would change the
 * lengths is removed,
 *   gA = V^-H [ (M - V^H V Re(diag(M))) / conj(L[j] - L[i]) + gL ] V^H. */
ct_tensor *cti_grad_linalg_eig(const struct cti_node *node, ct_tensor *const *grads, ct_tensor *L,
                               ct_tensor *vectors)
{
    struct cti_hold h = {0};
    ct_tensor *gl = grads[0], *gv = grads[1], *transposed = adjoint(&h, vectors);
    (void)node;
    if (!gv) {
        ct_tensor *scaled = times(&h, cti_hold(&h, ct_own_unsqueeze(gl, -1)), transposed);
        return cti_hold_end(&h, cti_hold(&h, ct_own_linalg_solve(transposed, scaled, true)));
    }
    ct_tensor *core = product(&h, transposed, gv);
    if (!core || !phase_is_free(core, "linalg_eig_backward"))
        return cti_hold_end(&h, NULL);
    ct_tensor *lengths = cti_hold(&h, ct_own_real(cti_hold(&h, ct_own_diagonal(core, 0, -2, -1))));
    ct_tensor *scaled = times(&h, vectors, cti_hold(&h, ct_own_unsqueeze(lengths, -2)));
    ct_tensor *tangent = minus(&h, core, product(&h, transposed, scaled));
    ct_tensor *inner = over_gaps(&h, tangent, cti_hold(&h, ct_own_conj(L)), gl);
    ct_tensor *right = product(&h, inner, transposed);
    return cti_hold_end(&h,
                        right ? cti_hold(&h, ct_own_linalg_solve(transposed, right, true)) : NULL);
}

/* ---- the equation H Y + Y H = X ---- */

/* G', the gradient of X, is the solution of the same equation with right-hand side G, and the
 * gradient of H is -(G' Y^H + Y^H G'). */
ct_tensor *cti_grad_linalg_halves(ct_tensor *grad, ct_tensor *H, ct_tensor *result)
{
    struct cti_hold h = {0};
    ct_tensor *g = cti_hold(&h, ct_own__linalg_halves(H, grad)), *y = adjoint(&h, result);
    ct_tensor *sum = plus(&h, product(&h, g, y), product(&h, y, g));
    return cti_hold_end(&h, sum ? cti_hold(&h, ct_own_neg(sum)) : NULL);
}

/* R R = A, so dR R + R dR = dA. */
ct_tensor *cti_grad_linalg_matrix_sqrth(ct_tensor *grad, ct_tensor *result)
{
    struct cti_hold h = {0};
    ct_tensor *g = half(&h, grad, false);
    return cti_hold_end(&h, g ? cti_hold(&h, ct_own__linalg_halves(result, g)) : NULL);
}

/* A = U H. With gH replaced by its Hermitian part (gH + gH^H) / 2, and K = U^H gU - gH H,
 *   gA = U (Y + gH) + (1 - U U^H) gU H^-1, where H Y + Y H = K - K^H. */
ct_tensor *cti_grad_linalg_polar(const struct cti_node *node, ct_tensor *const *grads, ct_tensor *U,
                                 ct_tensor *H)
{
    struct cti_hold h = {0};
    ct_tensor *gu = grads[0], *k = NULL;
    ct_tensor *gh = grads[1] ? half(&h, grads[1], false) : NULL;
    ct_tensor *transposed = adjoint(&h, U), *inside = gu ? product(&h, transposed, gu) : NULL;
    ct_tensor *bent = gh ? product(&h, gh, H) : NULL;
    (void)node;
    if (!transposed || (gu && !inside) || (grads[1] && !bent))
        return cti_hold_end(&h, NULL);
    k = inside && bent ? minus(&h, inside, bent) : inside ? inside : cti_hold(&h, ct_own_neg(bent));
    ct_tensor *skew = minus(&h, k, adjoint(&h, k));
    ct_tensor *y = skew ? cti_hold(&h, ct_own__linalg_halves(H, skew)) : NULL;
    ct_tensor *all = product(&h, U, gh ? plus(&h, y, gh) : y);
    if (gu && U->shape[U->ndim - 2] > U->shape[U->ndim - 1]) {
        ct_tensor *outside = minus(&h, gu, product(&h, U, inside));
        ct_tensor *more = outside ? cti_hold(&h, ct_own_linalg_solve(H, outside, false)) : NULL;
        all = plus(&h, all, more);
    }
    return cti_hold_end(&h, all);
}

/* ---- the pseudoinverse ---- */

/* G. Golub, V. Pereyra, The Differentiation of Pseudo-Inverses and Nonlinear Least Squares Problems
 * Whose Variables Separate, 1973: with P the pseudoinverse,
 *   gA = -(P G^H P)^H + (1 - A P) G^H P P^H + P^H P G^H (1 - P A). */
ct_tensor *cti_grad_linalg_pinv(ct_tensor *grad, ct_tensor *input, ct_tensor *result)
{
    struct cti_hold h = {0};
    ct_tensor *g = adjoint(&h, grad), *p = result, *ph = adjoint(&h, result);
    bool wide = input->shape[input->ndim - 2] <= input->shape[input->ndim - 1];
    if (!input->numel)
        return cti_hold_end(&h, cti_hold(&h, cti_grad_zeros_like(input)));
    /* G^H P is smaller here. The order of the terms is PyTorch's, because it decides the
     * strides. */
    if (wide) {
        ct_tensor *k = product(&h, g, p), *low = product(&h, k, ph);
        ct_tensor *transposed = negative(&h, adjoint(&h, product(&h, p, k)));
        ct_tensor *second = product(&h, product(&h, input, p), low);
        ct_tensor *third = product(&h, product(&h, ph, p), minus(&h, g, product(&h, k, input)));
        return cti_hold_end(&h, plus(&h, minus(&h, plus(&h, transposed, low), second), third));
    }
    ct_tensor *k = product(&h, p, g), *low = product(&h, ph, k);
    ct_tensor *transposed = negative(&h, adjoint(&h, product(&h, k, p)));
    ct_tensor *rest = minus(&h, g, product(&h, input, k));
    ct_tensor *second = product(&h, product(&h, rest, p), ph);
    ct_tensor *third = product(&h, product(&h, low, p), input);
    return cti_hold_end(&h, minus(&h, plus(&h, plus(&h, transposed, second), low), third));
}

/* ---- the exponential ---- */

/* The upper right block of exp([[A^H, G], [0, A^H]]) is the gradient of A. */
ct_tensor *cti_grad_linalg_matrix_exp(ct_tensor *grad, ct_tensor *input)
{
    struct cti_hold h = {0};
    int64_t n = input->shape[input->ndim - 1];
    if (!input->numel)
        return cti_hold_end(&h, cti_hold(&h, cti_grad_zeros_like(input)));
    ct_tensor *transposed = adjoint(&h, input);
    ct_tensor *zeros = transposed ? cti_hold(&h, cti_grad_zeros_like(transposed)) : NULL;
    if (!zeros)
        return cti_hold_end(&h, NULL);
    ct_tensor *above =
        cti_hold(&h, ct_own_cat(ct_list_of((ct_tensor *[]){transposed, grad}, 2), -1));
    ct_tensor *below =
        cti_hold(&h, ct_own_cat(ct_list_of((ct_tensor *[]){zeros, transposed}, 2), -1));
    ct_tensor *whole =
        above && below ? cti_hold(&h, ct_own_cat(ct_list_of((ct_tensor *[]){above, below}, 2), -2))
                       : NULL;
    ct_tensor *found = whole ? cti_hold(&h, ct_own_linalg_matrix_exp(whole)) : NULL;
    ct_tensor *rows = found ? cti_hold(&h, ct_own_narrow(found, -2, 0, n)) : NULL;
    return cti_hold_end(&h, rows ? cti_hold(&h, ct_own_narrow(rows, -1, n, n)) : NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of the singular value decomposition. It calls differentiable operations, so that
 * it can be differentiated again. */
#include "autograd/derivatives/derivatives.h"

/* A = U S Vh with the first k columns of U and rows of Vh; the k singular values must differ. With
 * skew(X) = X - X^H, and E[i, j] = S[j]^2 - S[i]^2 off the diagonal and 1 on it,
 *
 *   gA = U [ (skew(U^H gU) S + S skew(Vh gVh^H)) / E + diag(gS) ] Vh
 *
 * (J. Townsend, Differentiating the Singular Value Decomposition, 2016), plus the parts of gU and
 * gVh outside of the space of U and Vh if these are not square. In the complex case the phase of
 * each pair of vectors is free; a loss that depends on it has no derivative. */
struct svd_grad {
    struct cti_hold h;
    ct_tensor *u, *s, *vh;    /* of A; borrowed, like all members */
    ct_tensor *row, *column;  /* s with a dim inserted before or after its last */
    ct_tensor *gu, *gs, *gvh; /* NULL: missing */
    ct_tensor *left, *right;  /* skew(U^H gU), skew(Vh gVh^H) */
};

static ct_tensor *skew(struct svd_grad *g, ct_tensor *x)
{
    return minus(&g->h, x, adjoint(&g->h, x));
}

/* The imaginary parts of both diagonals must cancel. */
static bool phase_is_free(const struct svd_grad *g)
{
    struct cti_hold h = {0};
    bool mode = cti_grad_pause();
    ct_tensor *a = cti_hold(&h, g->left ? ct_own_diagonal(g->left, 0, -2, -1) : NULL);
    ct_tensor *b = cti_hold(&h, g->right ? ct_own_diagonal(g->right, 0, -2, -1) : NULL);
    ct_tensor *sum = a && b ? plus(&h, a, b) : a ? a : b;
    ct_tensor *part = sum ? cti_hold(&h, ct_own_imag(sum)) : NULL;
    ct_tensor *zero = part ? cti_hold(&h, cti_grad_zeros_like(part)) : NULL;
    int close = zero ? ct_own_allclose(zero, part, 1e-2, 1e-2, false) : -1;
    cti_grad_restore(mode);
    cti_hold_end(&h, NULL);
    if (close == 0)
        ct_fail(CT_ERR_RUNTIME,
                "svd_backward: The singular vectors in the complex case are specified up to "
                "multiplication by e^{i phi}. The specified loss function depends on this phase "
                "term, making it ill-defined.");
    return close == 1;
}

/* The matrix in brackets, between U and Vh. */
static ct_tensor *svd_core(struct svd_grad *g)
{
    struct cti_hold *h = &g->h;
    ct_tensor *square = times(h, g->s, g->s);
    ct_tensor *ones =
        square ? cti_hold(h, ct_own_ones_like(g->s, CT_NO_DTYPE, CT_NO_DEVICE, false, -1)) : NULL;
    ct_tensor *apart = minus(h, cti_hold(h, ct_own_unsqueeze(square, -2)),
                             cti_hold(h, ct_own_unsqueeze(square, -1)));
    ct_tensor *e = plus(h, apart, cti_hold(h, ct_own_diag_embed(ones, 0, -2, -1)));
    ct_tensor *sum = NULL;
    if (g->gu && g->gvh)
        sum = over(h, plus(h, times(h, g->left, g->row), times(h, g->column, g->right)), e);
    else if (g->gu)
        sum = times(h, over(h, g->left, e), g->row);
    else
        sum = times(h, g->column, over(h, g->right, e));
    if (g->gs)
        sum = plus(h, sum, cti_hold(h, ct_own_diag_embed(g->gs, 0, -2, -1)));
    if (g->gu && g->gvh && g->u->dtype >= CT_COMPLEX64) {
        ct_tensor *twice = cti_hold(h, ct_own_mul(V(g->s), ct_value_int(2)));
        ct_tensor *along = over(h, cti_hold(h, ct_own_diagonal(g->left, 0, -2, -1)), twice);
        sum = plus(h, sum, cti_hold(h, ct_own_diag_embed(along, 0, -2, -1)));
    }
    return sum;
}

static ct_tensor *svd_whole(struct svd_grad *g, int64_t m, int64_t n, int64_t k)
{
    struct cti_hold *h = &g->h;
    ct_tensor *core = svd_core(g);
    if (m > k && g->gu) {
        ct_tensor *more = over(h, g->gu, g->row);
        ct_tensor *inside = product(h, g->u, product(h, adjoint(h, g->u), more));
        ct_tensor *all = minus(h, plus(h, product(h, g->u, core), more), inside);
        return product(h, all, g->vh);
    }
    if (n > k && g->gvh) {
        ct_tensor *more = over(h, g->gvh, g->column);
        ct_tensor *inside = product(h, product(h, more, adjoint(h, g->vh)), g->vh);
        ct_tensor *all = minus(h, plus(h, product(h, core, g->vh), more), inside);
        return product(h, g->u, all);
    }
    return m >= n ? product(h, g->u, product(h, core, g->vh))
                  : product(h, product(h, g->u, core), g->vh);
}

ct_tensor *cti_grad_linalg_svd(const struct cti_node *node, ct_tensor *const *grads, ct_tensor *U,
                               ct_tensor *S, ct_tensor *Vh)
{
    struct svd_grad g = {.s = S, .gs = grads[1]};
    struct cti_hold *h = &g.h;
    int64_t m = U->shape[U->ndim - 2], n = Vh->shape[Vh->ndim - 1], k = S->shape[S->ndim - 1];
    (void)node;
    g.u = cti_hold(h, ct_own_narrow(U, -1, 0, k));
    g.vh = cti_hold(h, ct_own_narrow(Vh, -2, 0, k));
    g.row = cti_hold(h, ct_own_unsqueeze(S, -2));
    g.column = cti_hold(h, ct_own_unsqueeze(S, -1));
    g.gu = grads[0] ? cti_hold(h, ct_own_narrow(grads[0], -1, 0, k)) : NULL;
    g.gvh = grads[2] ? cti_hold(h, ct_own_narrow(grads[2], -2, 0, k)) : NULL;
    if (!g.u || !g.vh || !g.row || !g.column || (grads[0] && !g.gu) || (grads[2] && !g.gvh))
        return cti_hold_end(h, NULL);
    if (!g.gu && !g.gvh) {
        ct_tensor *diagonal = cti_hold(h, ct_own_unsqueeze(grads[1], m >= n ? -1 : -2));
        return cti_hold_end(h, m >= n ? product(h, g.u, times(h, diagonal, g.vh))
                                      : product(h, times(h, g.u, diagonal), g.vh));
    }
    if (g.gu)
        g.left = skew(&g, product(h, adjoint(h, g.u), g.gu));
    if (g.gvh)
        g.right = skew(&g, product(h, g.vh, adjoint(h, g.gvh)));
    if ((g.gu && !g.left) || (g.gvh && !g.right) ||
        (U->dtype >= CT_COMPLEX64 && !phase_is_free(&g)))
        return cti_hold_end(h, NULL);
    return cti_hold_end(h, svd_whole(&g, m, n, k));
}

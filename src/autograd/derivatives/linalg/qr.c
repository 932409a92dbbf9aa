/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of QR factors, of products of Householder reflectors, and of least squares. They call
 * differentiable operations, so that they can be differentiated again. */
#include "autograd/derivatives/derivatives.h"

#include <string.h>

/* ---- Q and R ---- */

/* t - share * diag(the real or imaginary part of its diagonal). */
static ct_tensor *less_diagonal(struct cti_hold *h, ct_tensor *t, bool imaginary, double share)
{
    if (!t || (imaginary && t->dtype < CT_COMPLEX64))
        return t;
    ct_tensor *line = cti_hold(h, ct_own_diagonal(t, 0, -2, -1));
    if (t->dtype >= CT_COMPLEX64)
        line = cti_hold(h, imaginary ? ct_own_imag(line) : ct_own_real(line));
    ct_value part = imaginary ? ct_value_complex_of(0, share) : ct_value_float(share);
    ct_tensor *scaled = cti_hold(h, ct_own_mul(V(line), part));
    return minus(h, t, cti_hold(h, ct_own_diag_embed(scaled, 0, -2, -1)));
}

/* gR R^H - Q^H gQ; a missing gradient counts as 0. */
static ct_tensor *between(struct cti_hold *h, ct_tensor *gq, ct_tensor *gr, ct_tensor *q,
                          ct_tensor *r)
{
    ct_tensor *first = gr ? product(h, gr, adjoint(h, r)) : NULL;
    ct_tensor *second = gq ? product(h, adjoint(h, q), gq) : NULL;
    return !gq ? first : !gr ? negative(h, second) : minus(h, first, second);
}

/* Let M be the above. If A is tall or square, with M reduced to its upper triangle,
 *   gA = (gQ + Q (M + M^H - Re diag M)) R^-H.
 * If it is wide, R = [R1 R2], with T the lower triangle of M^H - M, and half the imaginary part on
 * its diagonal,
 *   gA = Q (gR + [T R1^-H, 0]).
 * After M. Seeger et al., Auto-differentiating linear algebra, 2017, with LAPACK's phases: the
 * diagonal of R is real. */
static ct_tensor *qr_tall(struct cti_hold *h, ct_tensor *gq, ct_tensor *gr, ct_tensor *q,
                          ct_tensor *r)
{
    ct_tensor *m = triangle(h, between(h, gq, gr, q, r), true, 0);
    ct_tensor *both = less_diagonal(h, plus(h, m, adjoint(h, m)), false, 0.5);
    ct_tensor *whole = product(h, q, both);
    whole = gq ? plus(h, whole, gq) : whole;
    ct_tensor *transposed = adjoint(h, r);
    return whole
               ? cti_hold(h, ct_own_linalg_solve_triangular(transposed, whole, false, false, false))
               : NULL;
}

static ct_tensor *qr_wide(struct cti_hold *h, ct_tensor *gq, ct_tensor *gr, ct_tensor *q,
                          ct_tensor *r)
{
    int64_t m = q->shape[q->ndim - 2];
    ct_tensor *k = between(h, gq, gr, q, r);
    ct_tensor *skew = triangle(h, minus(h, adjoint(h, k), k), false, 0);
    skew = less_diagonal(h, skew, true, 0.5);
    ct_tensor *square = cti_hold(h, ct_own_narrow(r, -1, 0, m));
    ct_tensor *transposed = adjoint(h, square);
    ct_tensor *part =
        skew ? cti_hold(h, ct_own_linalg_solve_triangular(transposed, skew, false, false, false))
             : NULL;
    ct_tensor *whole =
        part ? cti_hold(h, ct_own_slice_backward(part, ct_ints_of(r->shape, r->ndim), -1, 0, m, 1))
             : NULL;
    return product(h, q, gr ? plus(h, whole, gr) : whole);
}

ct_tensor *cti_grad_linalg_qr(const struct cti_node *node, ct_tensor *const *grads, ct_tensor *Q,
                              ct_tensor *R, const char *mode)
{
    struct cti_hold h = {0};
    (void)node;
    if (strcmp(mode, "r") == 0)
        return ct_fail(CT_ERR_RUNTIME,
                       "The derivative of linalg.qr depends on Q, which is not computed when "
                       "mode='r'. Please use linalg.qr(A, mode='reduced') if you are going to "
                       "differentiate through linalg.qr.");
    int64_t m = Q->shape[Q->ndim - 2], n = R->shape[R->ndim - 1];
    if (m > n && strcmp(mode, "complete") == 0)
        return ct_fail(CT_ERR_RUNTIME, "The QR decomposition is not differentiable when "
                                       "mode='complete' and nrows > ncols.");
    return cti_hold_end(&h, m >= n ? qr_tall(&h, grads[0], grads[1], Q, R)
                                   : qr_wide(&h, grads[0], grads[1], Q, R));
}

ct_tensor *cti_grad_no_geqrf(const struct cti_node *node, ct_tensor *const *grads)
{
    (void)node;
    (void)grads;
    return ct_fail(CT_ERR_NOT_IMPLEMENTED, "the derivative for 'geqrf' is not implemented.");
}

/* ---- reflectors ---- */

/* The product of reflectors I - tau_i v_i v_i^H is I - V T V^H with an upper triangular T, for
 * which T^-1 = 1 / tau + S, where 1 / tau stands for a diagonal and S for V^H V above it (C.
 * Puglisi, Modification of the Householder method based on the compact WY representation, 1992).
 * Without dividing by tau: T = M^-1 D, with D the diagonal of tau and M = 1 + D S, which has ones
 * on its diagonal. Of <X, Q Y>, with W = V^H Y and Z = V^H X, the gradients are gT = -Z W^H,  gS =
 * -T^H gT T^H above the diagonal,  gD = M^-H gT (1 - S T)^H, gV = -X (T W)^H - Y (T^H Z)^H + V (gS
 * + gS^H). */
struct reflectors {
    struct cti_hold h;
    ct_tensor *v, *s, *t, *m, *gt; /* borrowed */
    ct_tensor *w, *z;
};

static bool reflect(struct reflectors *r, ct_tensor *a, ct_tensor *tau, ct_tensor *x, ct_tensor *y)
{
    struct cti_hold *h = &r->h;
    int64_t k = tau->shape[tau->ndim - 1];
    ct_tensor *first = cti_hold(h, ct_own_narrow(a, -1, 0, k));
    ct_tensor *ones = cti_hold(h, ct_own_ones_like(tau, CT_NO_DTYPE, CT_NO_DEVICE, false, -1));
    ct_tensor *unit = cti_hold(h, ct_own_diag_embed(ones, 0, -2, -1));
    int64_t shape[CTI_MAX_DIMS];
    memcpy(shape, first ? first->shape : tau->shape, (size_t)a->ndim * sizeof *shape);
    ct_tensor *tall =
        first && unit
            ? cti_hold(h, ct_own_slice_backward(unit, ct_ints_of(shape, a->ndim), -2, 0, k, 1))
            : NULL;
    r->v = tall ? plus(h, triangle(h, first, false, -1), tall) : NULL;
    ct_tensor *transposed = adjoint(h, r->v);
    r->s = triangle(h, product(h, transposed, r->v), true, 1);
    ct_tensor *d = cti_hold(h, ct_own_unsqueeze(tau, -1));
    r->m = times(h, d, r->s); /* its diagonal of ones is implicit */
    ct_tensor *diagonal = cti_hold(h, ct_own_diag_embed(tau, 0, -2, -1));
    r->t = r->m && diagonal
               ? cti_hold(h, ct_own_linalg_solve_triangular(r->m, diagonal, true, true, true))
               : NULL;
    r->w = product(h, transposed, y);
    r->z = product(h, transposed, x);
    r->gt = r->w && r->z ? negative(h, product(h, r->z, adjoint(h, r->w))) : NULL;
    return r->t && r->gt;
}

/* The gradient of the matrix that stores the reflectors below its diagonal. */
static ct_tensor *grad_of_reflectors(ct_tensor *a, ct_tensor *tau, ct_tensor *x, ct_tensor *y)
{
    struct reflectors r = {0};
    struct cti_hold *h = &r.h;
    if (!x || !y || !reflect(&r, a, tau, x, y))
        return cti_hold_end(h, NULL);
    ct_tensor *transposed = adjoint(h, r.t);
    ct_tensor *inner = product(h, transposed, product(h, r.gt, transposed));
    ct_tensor *gs = negative(h, triangle(h, inner, true, 1));
    ct_tensor *first = product(h, x, adjoint(h, product(h, r.t, r.w)));
    ct_tensor *second = product(h, y, adjoint(h, product(h, transposed, r.z)));
    ct_tensor *third = product(h, r.v, plus(h, gs, adjoint(h, gs)));
    ct_tensor *gv = triangle(h, minus(h, third, plus(h, first, second)), false, -1);
    int64_t k = tau->shape[tau->ndim - 1];
    if (gv && k < a->shape[a->ndim - 1])
        gv = cti_hold(h, ct_own_slice_backward(gv, ct_ints_of(a->shape, a->ndim), -1, 0, k, 1));
    return cti_hold_end(h, gv);
}

static ct_tensor *grad_of_factors(ct_tensor *a, ct_tensor *tau, ct_tensor *x, ct_tensor *y)
{
    struct reflectors r = {0};
    struct cti_hold *h = &r.h;
    if (!x || !y || !reflect(&r, a, tau, x, y))
        return cti_hold_end(h, NULL);
    ct_tensor *rest = product(h, r.s, r.t); /* gT (1 - S T)^H */
    ct_tensor *right = minus(h, r.gt, product(h, r.gt, adjoint(h, rest)));
    ct_tensor *transposed = adjoint(h, r.m);
    ct_tensor *whole =
        right ? cti_hold(h, ct_own_linalg_solve_triangular(transposed, right, false, true, true))
              : NULL;
    return cti_hold_end(h, cti_hold(h, ct_own_diagonal(whole, 0, -2, -1)));
}

/* The unit matrix, to which a product of reflectors is applied. The caller owns the result. */
static ct_tensor *unit_columns(ct_tensor *a)
{
    return ct_own_eye(a->shape[a->ndim - 2], a->shape[a->ndim - 1], ct_dtype(a), a->storage->device,
                      false);
}

ct_tensor *cti_grad_householder(ct_tensor *grad, ct_tensor *A, ct_tensor *tau)
{
    if (!A->numel)
        return CT_NO_TENSOR;
    ct_tensor *unit = unit_columns(A), *result = grad_of_reflectors(A, tau, grad, unit);
    ct_release(unit);
    return result;
}

ct_tensor *cti_grad_householder_tau(ct_tensor *grad, ct_tensor *A, ct_tensor *tau)
{
    if (!A->numel)
        return CT_NO_TENSOR;
    ct_tensor *unit = unit_columns(A), *found = grad_of_factors(A, tau, grad, unit);
    ct_tensor *result = ct_own_contiguous(found, CT_CONTIGUOUS_FORMAT);
    cti_release_all(unit, found);
    return result;
}

/* ormqr: op(Q) C or C op(Q), with the gradient G, as X and Y of <X, Q Y>. If C is on the left, both
 * are replaced by their adjoints, and if Q is transposed, they are exchanged. */
static ct_tensor *ormqr_part(ct_tensor *(*part)(ct_tensor *a, ct_tensor *tau, ct_tensor *x,
                                                ct_tensor *y),
                             ct_tensor *grad, ct_tensor *a, ct_tensor *tau, ct_tensor *other,
                             bool left, bool transpose)
{
    struct cti_hold h = {0};
    ct_tensor *g = left ? grad : adjoint(&h, grad), *c = left ? other : adjoint(&h, other);
    bool straight = left != transpose;
    return cti_hold_end(&h, cti_hold(&h, part(a, tau, straight ? g : c, straight ? c : g)));
}

ct_tensor *cti_grad_ormqr(ct_tensor *grad, ct_tensor *input, ct_tensor *tau, ct_tensor *other,
                          bool left, bool transpose)
{
    if (!input->numel)
        return CT_NO_TENSOR;
    return ormqr_part(grad_of_reflectors, grad, input, tau, other, left, transpose);
}

ct_tensor *cti_grad_ormqr_tau(ct_tensor *grad, ct_tensor *input, ct_tensor *tau, ct_tensor *other,
                              bool left, bool transpose)
{
    if (!input->numel)
        return CT_NO_TENSOR;
    ct_tensor *found = ormqr_part(grad_of_factors, grad, input, tau, other, left, transpose);
    ct_tensor *result = ct_own_contiguous(found, CT_CONTIGUOUS_FORMAT);
    ct_release(found);
    return result;
}

ct_tensor *cti_grad_ormqr_other(ct_tensor *grad, ct_tensor *input, ct_tensor *tau, bool left,
                                bool transpose)
{
    return ct_own_ormqr(input, tau, grad, left, !transpose);
}

/* ---- least squares ---- */

/* A^+ B, the solution of minimal norm. */
static ct_tensor *least(struct cti_hold *h, ct_tensor *a, ct_tensor *b)
{
    if (!a || !b)
        return NULL;
    struct ct_linalg_lstsq_result f = ct_own_linalg_lstsq(a, b, CT_NO_NUMBER, NULL);
    cti_release_all(f.residuals, f.rank, f.singular_values);
    return cti_hold(h, f.solution);
}

/* All as matrices, borrowed; missing gradients are NULL. */
struct lstsq {
    struct cti_hold h;
    bool vector;
    ct_tensor *b, *x, *rest; /* rest: B - A X */
    ct_tensor *gx, *u;       /* u = A^+H gX */
    ct_tensor *gl;           /* -2 rest times the gradient of the residuals (its squared norms) */
};

static ct_tensor *as_matrix(struct lstsq *f, ct_tensor *t)
{
    return f->vector ? cti_hold(&f->h, ct_own_unsqueeze(t, -1)) : t;
}

static bool prepare(struct lstsq *f, ct_tensor *const *grads, ct_tensor *a, ct_tensor *b,
                    ct_tensor *x)
{
    struct cti_hold *h = &f->h;
    f->vector = x->ndim < a->ndim;
    f->b = as_matrix(f, b);
    f->x = as_matrix(f, x);
    f->rest = minus(h, f->b, product(h, a, f->x));
    f->gx = grads[0] ? as_matrix(f, grads[0]) : NULL;
    f->u = f->gx ? least(h, adjoint(h, a), f->gx) : NULL;
    if (grads[1] && grads[1]->numel) {
        ct_tensor *row = cti_hold(h, ct_own_unsqueeze(grads[1], -2));
        ct_tensor *scaled = times(h, f->rest, row);
        f->gl = scaled ? cti_hold(h, ct_own_mul(V(scaled), ct_value_int(-2))) : NULL;
    }
    return f->rest && (!f->gx || f->u) && (!(grads[1] && grads[1]->numel) || f->gl);
}

/* X = A^+ B: d(A^+) = -A^+ dA A^+ + A^+ A^+H dA^H (1 - A A^+) + (1 - A^+ A) dA^H A^+H A^+ (G. Golub
 * and V. Pereyra, 1973), so gA = -u X^H + rest (A^+ u)^H + A^+H X (gX - A^H u)^H. X minimises the
 * residuals, so their derivative is the same as if X were constant. */
ct_tensor *cti_grad_linalg_lstsq(const struct cti_node *node, ct_tensor *const *grads, ct_tensor *A,
                                 ct_tensor *B, ct_tensor *solution)
{
    struct lstsq f = {0};
    struct cti_hold *h = &f.h;
    (void)node;
    ct_ints shape = ct_ints_of(A->shape, A->ndim);
    if (!grads[0] && !(grads[1] && grads[1]->numel))
        return CT_NO_TENSOR;
    if (!A->numel || !B->numel || !prepare(&f, grads, A, B, solution))
        return cti_hold_end(h, A->numel && B->numel ? NULL : cti_hold(h, cti_grad_zeros_like(A)));
    ct_tensor *own = NULL;
    if (f.u) {
        ct_tensor *first = product(h, f.u, adjoint(h, f.x));
        ct_tensor *second = product(h, f.rest, adjoint(h, least(h, A, f.u)));
        ct_tensor *transposed = adjoint(h, A);
        ct_tensor *beyond = minus(h, f.gx, product(h, transposed, f.u));
        ct_tensor *third = product(h, least(h, transposed, f.x), adjoint(h, beyond));
        own = minus(h, plus(h, second, third), first);
        if (!own)
            return cti_hold_end(h, NULL);
    }
    if (f.gl) {
        ct_tensor *more = product(h, f.gl, adjoint(h, f.x));
        own = own ? plus(h, own, more) : more;
    }
    return cti_hold_end(h, own ? fitted(h, own, shape) : cti_hold(h, cti_grad_zeros_like(A)));
}

ct_tensor *cti_grad_linalg_lstsq_right(const struct cti_node *node, ct_tensor *const *grads,
                                       ct_tensor *A, ct_tensor *B, ct_tensor *solution)
{
    struct lstsq f = {0};
    struct cti_hold *h = &f.h;
    const int64_t last = -1;
    (void)node;
    bool some = grads[1] && grads[1]->numel; /* without columns, the residuals are all of B */
    if (!grads[0] && !some)
        return CT_NO_TENSOR;
    bool found = B->numel && (A->numel || some);
    if (!found || !prepare(&f, A->numel ? grads : (ct_tensor *[]){NULL, grads[1]}, A, B, solution))
        return cti_hold_end(h, found ? NULL : cti_hold(h, cti_grad_zeros_like(B)));
    ct_tensor *own = f.u;
    if (f.gl)
        own = own ? minus(h, own, f.gl) : negative(h, f.gl);
    if (!own)
        return cti_hold_end(h, cti_hold(h, cti_grad_zeros_like(B)));
    own = f.vector ? cti_hold(h, ct_own_squeeze(own, ct_ints_of(&last, 1))) : own;
    return cti_hold_end(h, fitted(h, own, ct_ints_of(B->shape, B->ndim)));
}

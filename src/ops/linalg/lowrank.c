/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements approximate singular values by products with a few random vectors: N. Halko, P.
 * Martinsson,
 * J. Tropp, Finding Structure with Randomness, 2009, algorithms 4.4 and 5.1. Composed of
 * differentiable operations, so it needs no derivative. */
#include "core/hold.h"
#include "fronts.h"
#include "ops/linalg/linalg.h"

/* a - b. The result is borrowed. */
static ct_tensor *minus(struct cti_hold *h, ct_tensor *a, ct_tensor *b)
{
    return cti_hold(h, ct_own_sub(V(a), V(b), ct_value_int(1)));
}

static bool has_rows(const ct_tensor *a)
{
    return a->ndim >= 2 ||
           cti_refuse(CT_ERR_VALUE, "not enough values to unpack (expected 2, got %d)", a->ndim);
}

/* (A - M) X as A X - M X, so that the difference is never materialised. The result is borrowed. */
static ct_tensor *lowrank_times(struct cti_hold *h, ct_tensor *a, ct_tensor *mean, ct_tensor *x)
{
    ct_tensor *product = cti_hold(h, ct_own_matmul(a, x));
    if (mean == CT_NO_TENSOR)
        return product;
    ct_tensor *off = cti_hold(h, ct_own_matmul(mean, x));
    return minus(h, product, off);
}

/* An orthonormal basis of the span of x's columns. The caller owns the result. */
static ct_tensor *columns(ct_tensor *x)
{
    struct ct_linalg_qr_result f = ct_own_linalg_qr(x, "reduced");
    ct_release(f.R);
    return f.Q;
}

/* q orthonormal columns that approximate the range of A - M (algorithm 4.4): a random start, then
 * `niter` power iterations with both A and A^H. The caller owns the result. */
static ct_tensor *basis(ct_tensor *a, int64_t q, int64_t niter, ct_tensor *mean)
{
    struct cti_hold fixed = {0};
    ct_tensor *transposed = cti_hold(&fixed, ct_own_adjoint(a));
    ct_tensor *low = mean == CT_NO_TENSOR ? mean : cti_hold(&fixed, ct_own_adjoint(mean));
    enum ct_dtype dtype = a->dtype >= CT_COMPLEX64 ? ct_dtype(a) : cti_linalg_floating(ct_dtype(a));
    const int64_t shape[] = {cti_linalg_cols(a), q};
    ct_tensor *start = cti_hold(
        &fixed, ct_own_randn(ct_ints_of(shape, 2), NULL, dtype, a->storage->device, false));
    struct cti_hold h = {0};
    ct_tensor *found =
        start && transposed && low ? columns(lowrank_times(&h, a, mean, start)) : NULL;
    cti_hold_end(&h, NULL);
    for (int64_t i = 0; found && i < niter; i++) {
        ct_tensor *back =
            cti_hold(&h, columns(lowrank_times(&h, transposed, low, cti_hold(&h, found))));
        found = columns(lowrank_times(&h, a, mean, back));
        cti_hold_end(&h, NULL);
    }
    cti_hold_end(&fixed, NULL);
    return found;
}

bool cti_op_svd_lowrank(struct ct_svd_lowrank_result *r, ct_tensor *A, int64_t q, int64_t niter,
                        ct_tensor *M)
{
    struct cti_hold h = {0};
    if (!has_rows(A))
        return false;
    bool wide = cti_linalg_rows(A) < cti_linalg_cols(A);
    ct_tensor *a = A, *mean = M;
    if (mean != CT_NO_TENSOR)
        mean = cti_hold(&h, ct_own_broadcast_to(mean, cti_shape_of(A)));
    if (wide) { /* iterate on the transpose, whose columns are shorter */
        a = cti_hold(&h, ct_own_adjoint(A));
        mean = mean == CT_NO_TENSOR || !mean ? mean : cti_hold(&h, ct_own_adjoint(mean));
    }
    q = q == CT_NO_DIM ? 6 : q;
    niter = niter == CT_NO_DIM ? 2 : niter;
    ct_tensor *Q = a && mean ? cti_hold(&h, basis(a, q, niter, mean)) : NULL;
    ct_tensor *transposed = cti_hold(&h, ct_own_adjoint(Q));
    ct_tensor *inner = cti_hold(&h, ct_own_matmul(transposed, a));
    if (inner && mean != CT_NO_TENSOR) {
        ct_tensor *off = cti_hold(&h, ct_own_matmul(transposed, mean));
        inner = minus(&h, inner, off);
    }
    struct ct_linalg_svd_result f = ct_own_linalg_svd(inner, false, NULL);
    ct_tensor *left = ct_own_matmul(Q, cti_hold(&h, f.U));
    ct_tensor *right = ct_own_adjoint(cti_hold(&h, f.Vh));
    cti_hold_end(&h, NULL);
    r->U = wide ? right : left;
    r->S = f.S;
    r->V = wide ? left : right;
    return r->U && r->S && r->V;
}

bool cti_op_pca_lowrank(struct ct_pca_lowrank_result *r, ct_tensor *A, int64_t q, bool center,
                        int64_t niter)
{
    if (!has_rows(A))
        return false;
    int64_t m = cti_linalg_rows(A), n = cti_linalg_cols(A), least = m < n ? m : n;
    if (q == CT_NO_DIM)
        q = least < 6 ? least : 6;
    else if (q < 0 || q > least)
        return cti_refuse(
            CT_ERR_VALUE,
            "q(=%lld) must be non-negative integer and not greater than min(m, n)=%lld",
            (long long)q, (long long)least);
    if (niter < 0)
        return cti_refuse(CT_ERR_VALUE, "niter(=%lld) must be non-negative integer",
                          (long long)niter);
    struct cti_hold h = {0};
    ct_tensor *a = A;
    if (center) {
        ct_tensor *mean = cti_hold(&h, ct_own_mean(A, CT_INTS(-2), true, CT_NO_DTYPE));
        a = minus(&h, A, mean);
    }
    struct ct_svd_lowrank_result f = ct_own_svd_lowrank(a, q, niter, CT_NO_TENSOR);
    cti_hold_end(&h, NULL);
    *r = (struct ct_pca_lowrank_result){f.U, f.S, f.V};
    return r->U && r->S && r->V;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* lobpcg: checks its arguments with PyTorch's error messages, fills in parameters, and loops over a
 * batch of matrices. The iteration is in lobpcg.c, the derivative in
 * autograd/derivatives/linalg/eigen.c. */
#include "core/alloc.h"
#include "core/hold.h"
#include "fronts.h"
#include "inner.h"
#include "ops/linalg/eigen/lobpcg.h"

#include <math.h>

static bool check_lobpcg(const ct_tensor *a, const ct_tensor *b)
{
    char text[CTI_SHAPE_TEXT], other[CTI_SHAPE_TEXT];
    if (a->ndim < 2)
        return cti_refuse(CT_ERR_INDEX, "tuple index out of range");
    if (cti_linalg_rows(a) != cti_linalg_cols(a))
        return cti_refuse(CT_ERR_ASSERTION, "A must be square, got shape torch.Size(%s)",
                          cti_shape_text(text, a->ndim, a->shape));
    return b == CT_NO_TENSOR || cti_same_shape(b, a->ndim, a->shape) ||
           cti_refuse(CT_ERR_ASSERTION,
                      "A and B must have same shape, got torch.Size(%s) vs torch.Size(%s)",
                      cti_shape_text(text, a->ndim, a->shape),
                      cti_shape_text(other, b->ndim, b->shape));
}

static int64_t usual(int64_t given, int64_t otherwise)
{
    return given == CT_NO_DIM ? otherwise : given;
}

/* Fills in the parameters that are the same for all matrices of the batch. */
static bool lobpcg_settle(struct cti_lobpcg *s, const ct_tensor *a, const ct_tensor *x, int64_t k,
                          int64_t n, double tol)
{
    enum ct_dtype dtype = cti_linalg_floating(ct_dtype(a));
    if (isnan(tol) && dtype == CT_FLOAT16)
        return cti_refuse(CT_ERR_KEY, "torch.float16");
    s->tol = isnan(tol) ? sqrt(dtype == CT_FLOAT32 ? 1.2e-07 : 2.23e-16) : tol;
    s->m = cti_linalg_cols(a);
    int64_t columns = x == CT_NO_TENSOR ? 1 : x->ndim ? cti_linalg_cols(x) : -1;
    if (columns < 0)
        return cti_refuse(CT_ERR_INDEX, "tuple index out of range");
    s->k = usual(k, columns);
    s->n = x == CT_NO_TENSOR ? usual(n, s->k) : columns;
    return s->n <= s->m / 3 ||
           cti_refuse(CT_ERR_VALUE,
                      "LOBPCG algorithm is not applicable when the number of A rows (=%lld) is "
                      "smaller than 3 x the number of requested eigenpairs (=%lld)",
                      (long long)s->m, (long long)s->n);
}

static void settle_ortho(struct cti_lobpcg *s, ct_ints counts, ct_floats tolerances)
{
    int64_t *count[] = {&s->ortho_i_max, &s->ortho_j_max};
    double *tolerance[] = {&s->ortho_tol, &s->ortho_tol_drop, &s->ortho_tol_replace};
    counts = cti_ints_counted(counts);
    tolerances = cti_floats_counted(tolerances);
    for (int i = 0; i < 2; i++)
        *count[i] = i < counts.n && counts.v[i] >= 0 ? counts.v[i] : 3;
    for (int i = 0; i < 3; i++)
        *tolerance[i] = i < tolerances.n && tolerances.v[i] >= 0 ? tolerances.v[i] : s->tol;
}

/* [m, n], or [m] if n < 0. The caller owns the result. */
static ct_tensor *lobpcg_zeros(const ct_tensor *like, int64_t m, int64_t n)
{
    const int64_t shape[] = {m, n};
    return ct_own_zeros(ct_ints_of(shape, n < 0 ? 1 : 2), ct_dtype(like), like->storage->device,
                        false);
}

/* Returns the starting vectors: x, or normally distributed numbers. The caller owns the result. */
static ct_tensor *first_vectors(const struct cti_lobpcg *s, ct_tensor *x)
{
    const int64_t shape[] = {s->m, s->n};
    char text[CTI_SHAPE_TEXT];
    if (x == CT_NO_TENSOR)
        return ct_own_randn(ct_ints_of(shape, 2), NULL, cti_linalg_floating(ct_dtype(s->A)),
                            s->A->storage->device, false);
    if (cti_same_shape(x, 2, shape))
        return ct_retain(x);
    return ct_fail(CT_ERR_ASSERTION, "X_ shape mismatch: got torch.Size(%s), expected (%lld, %lld)",
                   cti_shape_text(text, x->ndim, x->shape), (long long)s->m, (long long)s->n);
}

static ct_tensor *first_few(ct_tensor *t, int64_t k)
{
    int64_t n = t->shape[t->ndim - 1];
    k = k < 0 ? n + k : k;
    return ct_own_narrow(t, -1, 0, k < 0 ? 0 : k < n ? k : n);
}

/* Solves for one matrix; values and vectors are owned. */
static bool solve_one(struct cti_lobpcg s, ct_tensor *x, ct_tensor **E, ct_tensor **X)
{
    *E = *X = NULL;
    s.X = first_vectors(&s, x);
    if (s.X) {
        s.E = lobpcg_zeros(s.X, s.n, -1);
        s.R = lobpcg_zeros(s.X, s.m, s.n);
        s.S = lobpcg_zeros(s.X, s.m, 3 * s.n);
    }
    if (s.E && s.R && s.S && cti_lobpcg_run(&s)) {
        *E = first_few(s.E, s.k);
        *X = first_few(s.X, s.k);
    }
    cti_release_all(s.X, s.E, s.R, s.S);
    return *E && *X;
}

/* Returns t as a stack of matrices. The result is borrowed. */
static ct_tensor *stacked(struct cti_hold *h, ct_tensor *t, int64_t count)
{
    if (t == CT_NO_TENSOR)
        return t;
    const int64_t shape[] = {count, t->ndim < 2 ? 1 : cti_linalg_rows(t), cti_linalg_cols(t)};
    return cti_hold(h, ct_own_reshape(t, ct_ints_of(shape, 3)));
}

static ct_tensor *at(struct cti_hold *h, ct_tensor *t, int64_t i)
{
    return t == CT_NO_TENSOR ? t : cti_hold(h, ct_own_select(t, 0, i));
}

static bool put(struct cti_hold *h, ct_tensor *all, int64_t i, ct_tensor *one_of_them)
{
    ct_tensor *element = at(h, all, i);
    ct_tensor *expanded =
        element ? cti_hold(h, ct_own_broadcast_to(one_of_them, cti_shape_of(element))) : NULL;
    return expanded && ct_own_copy_(element, expanded, false);
}

/* t reshaped to A's batch dims followed by `more` dims. The caller owns the result. */
static ct_tensor *with_batch(ct_tensor *t, const ct_tensor *a, int more, const int64_t *dims)
{
    int64_t shape[CTI_MAX_DIMS];
    int n = a->ndim - 2;
    for (int d = 0; d < n + more; d++)
        shape[d] = d < n ? a->shape[d] : dims[d - n];
    return ct_own_reshape(t, ct_ints_of(shape, n + more));
}

/* Solves for each matrix of a batch and collects values and vectors. */
static bool solve_batch(struct ct__lobpcg_result *r, struct cti_lobpcg s, ct_tensor *x)
{
    struct cti_hold h = {0};
    int64_t count = cti_linalg_batch(s.A), shape[] = {count, s.m, s.k}, row[] = {count, s.k};
    enum ct_dtype dtype = cti_linalg_floating(ct_dtype(s.A));
    struct ct_device device = s.A->storage->device;
    ct_tensor *a = stacked(&h, s.A, count), *b = stacked(&h, s.B, count);
    ct_tensor *start = stacked(&h, x, count);
    ct_tensor *E = cti_hold(&h, ct_own_empty(ct_ints_of(row, 2), dtype, device, false, -1));
    ct_tensor *X = cti_hold(&h, ct_own_empty(ct_ints_of(shape, 3), dtype, device, false, -1));
    bool good = a && b && start && E && X;
    for (int64_t i = 0; good && i < count; i++) {
        struct cti_hold step = {0};
        struct cti_lobpcg mine = s;
        ct_tensor *values, *vectors;
        mine.A = at(&step, a, i);
        mine.B = at(&step, b, i);
        ct_tensor *from = at(&step, start, i);
        good = mine.A && mine.B && from && solve_one(mine, from, &values, &vectors);
        if (good) {
            values = cti_hold(&step, values);
            vectors = cti_hold(&step, vectors);
            good = put(&step, E, i, values) && put(&step, X, i, vectors);
        }
        cti_hold_end(&step, NULL);
    }
    r->eigenvalues = good ? with_batch(E, s.A, 1, &s.k) : NULL;
    r->eigenvectors = good ? with_batch(X, s.A, 2, shape + 1) : NULL;
    cti_hold_end(&h, NULL);
    return r->eigenvalues && r->eigenvectors;
}

bool cti_op__lobpcg(struct ct__lobpcg_result *r, ct_tensor *A, int64_t k, ct_tensor *B,
                    ct_tensor *X, int64_t n, ct_tensor *iK, int64_t niter, double tol, int largest,
                    const char *method, ct_ints ortho_iparams, ct_floats ortho_fparams,
                    int ortho_bparams)
{
    struct cti_lobpcg s = {.A = A,
                           .B = B,
                           .iK = iK,
                           .niter = usual(niter, 1000),
                           .largest = largest != 0,
                           .method = method ? method : "ortho",
                           .ortho_use_drop = ortho_bparams == 1};
    if (!check_lobpcg(A, B) || !lobpcg_settle(&s, A, X, k, n, tol))
        return false;
    settle_ortho(&s, ortho_iparams, ortho_fparams);
    return A->ndim > 2 ? solve_batch(r, s, X) : solve_one(s, X, &r->eigenvalues, &r->eigenvectors);
}

/* (A + A^T) / 2, which makes the gradient symmetric. The caller owns the result. */
static ct_tensor *symmetrised(ct_tensor *a)
{
    struct cti_hold h = {0};
    if (a == CT_NO_TENSOR)
        return ct_retain(a);
    ct_tensor *transposed = cti_hold(&h, ct_own_mT(a));
    ct_tensor *sum = cti_hold(&h, ct_own_add(V(a), V(transposed), ct_value_int(1)));
    ct_tensor *half = cti_hold(&h, ct_own_div(V(sum), ct_value_int(2), NULL));
    return cti_hold_end(&h, cti_hold(&h, ct_own_contiguous(half, -1)));
}

bool cti_op_lobpcg(struct ct_lobpcg_result *r, ct_tensor *A, int64_t k, ct_tensor *B, ct_tensor *X,
                   int64_t n, ct_tensor *iK, int64_t niter, double tol, int largest,
                   const char *method, ct_ints ortho_iparams, ct_floats ortho_fparams,
                   int ortho_bparams)
{
    bool recorded = cti_wants_grad(A) || cti_wants_grad(B);
    ct_tensor *a = recorded ? symmetrised(A) : ct_retain(A);
    ct_tensor *b = recorded ? symmetrised(B) : ct_retain(B);
    struct ct__lobpcg_result f = {0};
    if (a && b)
        f = ct_own__lobpcg(a, k, b, X, n, iK, niter, tol, largest, method, ortho_iparams,
                           ortho_fparams, ortho_bparams);
    cti_release_all(a, b);
    *r = (struct ct_lobpcg_result){f.eigenvalues, f.eigenvectors};
    return r->eigenvalues && r->eigenvectors;
}

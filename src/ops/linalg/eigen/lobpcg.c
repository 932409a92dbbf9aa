/* SPDX-License-Identifier: BSD-3-Clause */
/* A few eigenvalues of a large matrix by the locally optimal block preconditioned conjugate
 * gradient method. The method `basic` is by A. Knyazev (SIAM J. Sci. Comput. 23, 2001), `ortho` by
 * J. Duersch, M. Shao, C. Yang and M. Gu (SIAM J. Sci. Comput. 40, 2018), with the
 * orthogonalisation of A. Stathopoulos and K. Wu (2002). The steps are composed of operations on
 * matrices; the arguments are read in lobpcg_call.c. */
#include "ops/linalg/eigen/lobpcg.h"
#include "core/alloc.h"
#include "core/hold.h"
#include "fronts.h"
#include "inner.h"

#include <string.h>

/* ---- operations whose results h owns ---- */

/* A X; an absent A is the identity. */
static ct_tensor *lobpcg_times(struct cti_hold *h, ct_tensor *a, ct_tensor *x)
{
    return a == CT_NO_TENSOR ? x : cti_hold(h, ct_own_matmul(a, x));
}

static ct_tensor *lobpcg_product(struct cti_hold *h, ct_tensor *a, ct_tensor *b)
{
    return cti_hold(h, ct_own_matmul(a, b));
}

static ct_tensor *lobpcg_scaled(struct cti_hold *h, ct_tensor *a, ct_tensor *by)
{
    return cti_hold(h, ct_own_mul(V(a), V(by)));
}

static ct_tensor *transposed(struct cti_hold *h, ct_tensor *a)
{
    return cti_hold(h, ct_own_mT(a));
}

/* S^T A S */
static ct_tensor *form(struct cti_hold *h, ct_tensor *a, ct_tensor *s)
{
    return lobpcg_product(h, transposed(h, s), lobpcg_times(h, a, s));
}

/* Returns columns from, ..., to - 1 of x, clipped to its columns. */
static ct_tensor *part(struct cti_hold *h, ct_tensor *x, int64_t from, int64_t to)
{
    int64_t n = x ? cti_linalg_cols(x) : 0;
    to = to < n ? to : n;
    from = from < to ? from : to;
    return cti_hold(h, ct_own_narrow(x, -1, from, to - from));
}

/* x ** -0.5 */
static ct_tensor *inverse_root(struct cti_hold *h, ct_tensor *x)
{
    return cti_hold(h, ct_own_pow(V(x), ct_value_float(-0.5)));
}

static ct_tensor *diagonal(struct cti_hold *h, ct_tensor *x)
{
    return cti_hold(h, ct_own_diagonal(x, 0, -2, -1));
}

static ct_tensor *lobpcg_column(struct cti_hold *h, ct_tensor *x)
{
    return cti_hold(h, ct_own_unsqueeze(x, -1));
}

/* Eigenvalues and eigenvectors in ascending order, or descending if `largest`. */
static bool eigen(struct cti_hold *h, ct_tensor *a, bool largest, ct_tensor **E, ct_tensor **Z)
{
    struct ct_linalg_eigh_result f = ct_own_linalg_eigh(a, "U");
    *E = cti_hold(h, f.eigenvalues);
    *Z = cti_hold(h, f.eigenvectors);
    if (largest) {
        *E = cti_hold(h, ct_own_flip(*E, CT_INTS(-1)));
        *Z = cti_hold(h, ct_own_flip(*Z, CT_INTS(-1)));
    }
    return *E && *Z;
}

/* Computes the Frobenius norm as a 0-d tensor. */
static ct_tensor *norm(struct cti_hold *h, ct_tensor *x)
{
    return cti_hold(h,
                    ct_own_linalg_vector_norm(x, ct_value_int(2), CT_NO_DIMS, false, CT_NO_DTYPE));
}

/* Computes the norm of each column. */
static ct_tensor *lobpcg_norms(struct cti_hold *h, ct_tensor *x)
{
    return cti_hold(h,
                    ct_own_linalg_vector_norm(x, ct_value_int(2), CT_INTS(0), false, CT_NO_DTYPE));
}

/* ---- writes and reads; false: failed ---- */

/* Copies to columns from, ..., end - 1 of a matrix, or to these elements of a vector. */
static bool write_part(ct_tensor *to, int64_t from, int64_t end, ct_tensor *what)
{
    struct cti_hold h = {0};
    ct_tensor *columns = part(&h, to, from, end);
    bool good = what && columns && ct_own_copy_(columns, what, false);
    cti_hold_end(&h, NULL);
    return good;
}

static bool replace(ct_tensor **old, ct_tensor *fresh)
{
    if (!fresh)
        return false;
    ct_retain(fresh);
    ct_release(*old);
    *old = fresh;
    return true;
}

static bool read(ct_tensor *number, double *x)
{
    if (!number)
        return false;
    *x = ct_item(number);
    return true;
}

/* ---- orthonormal vectors ---- */

/* Upper triangular Ri with Ri^T (S^T B S) Ri = 1, from the Cholesky factor of S^T B S scaled to a
 * unit diagonal. The result is borrowed. */
static ct_tensor *rayleigh_ritz(struct cti_hold *h, ct_tensor *B, ct_tensor *S)
{
    ct_tensor *SBS = form(h, B, S), *row = inverse_root(h, diagonal(h, SBS));
    ct_tensor *balanced = lobpcg_scaled(h, lobpcg_scaled(h, SBS, row), lobpcg_column(h, row));
    ct_tensor *R = cti_hold(h, ct_own_linalg_cholesky(balanced, true));
    ct_tensor *D = cti_hold(h, ct_own_diag_embed(row, 0, -2, -1));
    return cti_hold(h, ct_own_linalg_solve_triangular(R, D, true, false, false));
}

/* Selects the columns of a matrix, or elements of a vector, for which `some` is nonzero. The result
 * is borrowed. */
static ct_tensor *lobpcg_chosen(struct cti_hold *h, ct_tensor *x, ct_tensor *some, int64_t dim)
{
    ct_tensor *positions = cti_hold(h, ct_own_nonzero(some));
    ct_tensor *flat = cti_hold(h, ct_own_flatten(positions, 0, -1));
    return cti_hold(h, ct_own_index_select(x, dim, flat));
}

/* Returns B-orthonormal columns with the span of U; with `drop`, directions below the tolerance are
 * omitted. The caller owns the result. */
static ct_tensor *svqb(ct_tensor *B, ct_tensor *U, bool drop, double tau)
{
    struct cti_hold h = {0};
    if (!U->numel)
        return ct_retain(U);
    ct_tensor *UBU = form(&h, B, U), *d = diagonal(&h, UBU);
    ct_tensor *some = cti_hold(&h, ct_own_ne(V(d), ct_value_int(0)));
    ct_tensor *kept = some ? lobpcg_chosen(&h, U, some, 1) : NULL;
    if (kept && cti_linalg_cols(kept) < cti_linalg_cols(U)) {
        U = kept;
        if (!U->numel)
            return cti_hold_end(&h, U);
        UBU = form(&h, B, U);
        d = diagonal(&h, UBU);
    }
    ct_tensor *column = lobpcg_column(&h, inverse_root(&h, d));
    ct_tensor *balanced = lobpcg_scaled(&h, lobpcg_scaled(&h, UBU, column), transposed(&h, column)),
              *E, *Z;
    if (!kept || !eigen(&h, balanced, false, &E, &Z))
        return cti_hold_end(&h, NULL);
    ct_tensor *size = cti_hold(&h, ct_own_max(cti_hold(&h, ct_own_abs(E))));
    ct_tensor *least = cti_hold(&h, ct_own_mul(V(size), ct_value_float(tau)));
    if (drop) {
        ct_tensor *keep = cti_hold(&h, ct_own_gt(V(E), V(least)));
        E = lobpcg_chosen(&h, E, keep, 0);
        Z = lobpcg_chosen(&h, Z, keep, 1);
        column = lobpcg_chosen(&h, column, keep, 0);
    } else {
        E = cti_hold(&h, ct_own_where(cti_hold(&h, ct_own_lt(V(E), V(least))), V(least), V(E)));
    }
    ct_tensor *left = lobpcg_scaled(&h, U, transposed(&h, column));
    return cti_hold_end(&h, lobpcg_product(&h, left, lobpcg_scaled(&h, Z, inverse_root(&h, E))));
}

/* The relative error |U^T B U - 1| / (|B U| |U|). */
static bool unlike_unit(ct_tensor *B, ct_tensor *U, double *rerr)
{
    struct cti_hold h = {0};
    double off = 0, lengths = 0;
    ct_tensor *BU = lobpcg_times(&h, B, U), *UBU = lobpcg_product(&h, transposed(&h, U), BU);
    ct_tensor *unit = UBU ? cti_hold(&h, ct_own_eye(cti_linalg_cols(UBU), CT_NO_DIM, ct_dtype(UBU),
                                                    UBU->storage->device, false))
                          : NULL;
    ct_tensor *rest = cti_hold(&h, ct_own_sub(V(UBU), V(unit), ct_value_int(1)));
    bool good =
        read(norm(&h, rest), &off) && read(lobpcg_scaled(&h, norm(&h, BU), norm(&h, U)), &lengths);
    cti_hold_end(&h, NULL);
    *rerr = off / lengths;
    return good;
}

/* Makes the columns of *U orthonormal in several rounds. *done: no column remains. */
static bool orthonormal(struct cti_lobpcg *s, ct_tensor **U, bool *done)
{
    for (int64_t j = 0; j < s->ortho_j_max; j++) {
        bool first = s->ortho_use_drop && j == 0;
        ct_tensor *next = svqb(s->B, *U, s->ortho_use_drop && j > 0,
                               first ? s->ortho_tol_drop : s->ortho_tol_replace);
        double rerr;
        ct_release(*U);
        *U = next;
        if (!next)
            return false;
        if ((*done = !next->numel))
            return true;
        if (!unlike_unit(s->B, next, &rerr))
            return false;
        if (rerr < s->ortho_tol)
            break;
    }
    return true;
}

/* Returns B-orthonormal columns with the span of U, B-orthogonal to `basis`; possibly none. The
 * caller owns the result. */
static ct_tensor *ortho(struct cti_lobpcg *s, ct_tensor *given, ct_tensor *basis)
{
    struct cti_hold h = {0}, step = {0};
    bool done = false, good = true;
    ct_tensor *size = norm(&h, lobpcg_times(&h, s->B, basis)), *basis_t = transposed(&h, basis);
    ct_tensor *U = given && basis_t ? ct_retain(given) : NULL;
    for (int64_t i = 0; U && good && !done && i < s->ortho_i_max; i++) {
        ct_tensor *VBU = lobpcg_product(&step, basis_t, lobpcg_times(&step, s->B, U));
        ct_tensor *along = lobpcg_product(&step, basis, VBU);
        U = ct_own_sub(V(cti_hold(&step, U)), V(along), ct_value_int(1));
        good = U && orthonormal(s, &U, &done);
        if (good && !done) {
            double off = 0, lengths = 0;
            VBU = lobpcg_product(&step, basis_t, lobpcg_times(&step, s->B, U));
            good = read(norm(&step, VBU), &off) &&
                   read(lobpcg_scaled(&step, size, norm(&step, U)), &lengths);
            done = off / lengths < s->ortho_tol;
        }
        if (good && !done && s->m < cti_linalg_cols(U) + cti_linalg_cols(basis)) {
            good = false;
            if (s->B == CT_NO_TENSOR)
                ct_fail(CT_ERR_ASSERTION, "B must not be None");
            else
                ct_fail(CT_ERR_VALUE,
                        "Overdetermined shape of U: #B-cols(=%lld) >= #U-cols(=%lld) + "
                        "#V-cols(=%lld) must hold",
                        (long long)cti_linalg_cols(s->B), (long long)cti_linalg_cols(U),
                        (long long)cti_linalg_cols(basis));
        }
        cti_hold_end(&step, NULL);
    }
    cti_hold_end(&h, NULL);
    return cti_take_if(U, good);
}

/* ---- steps ---- */

/* R = A X - B X E */
static bool update_residual(struct cti_lobpcg *s)
{
    struct cti_hold h = {0};
    ct_tensor *BXE = lobpcg_scaled(&h, lobpcg_times(&h, s->B, s->X), s->E);
    ct_tensor *AX = lobpcg_times(&h, s->A, s->X);
    bool good = replace(&s->R, cti_hold(&h, ct_own_sub(V(AX), V(BXE), ct_value_int(1))));
    cti_hold_end(&h, NULL);
    return good;
}

/* Counts the leading pairs that have converged. */
static bool count_converged(struct cti_lobpcg *s)
{
    struct cti_hold h = {0};
    int64_t before = s->converged_count, count = 0;
    ct_tensor *sizes = cti_hold(&h, ct_own_abs(part(&h, s->E, 0, cti_linalg_cols(s->X))));
    ct_tensor *low = cti_hold(&h, ct_own_mul(V(sizes), ct_value_float(s->B_norm)));
    ct_tensor *sum = cti_hold(&h, ct_own_add(V(low), ct_value_float(s->A_norm), ct_value_int(1)));
    ct_tensor *scale = lobpcg_scaled(&h, lobpcg_norms(&h, s->X), sum);
    ct_tensor *rerr = cti_hold(&h, ct_own_div(V(lobpcg_norms(&h, s->R)), V(scale), NULL));
    ct_tensor *small = cti_hold(&h, ct_own_lt(V(rerr), ct_value_float(s->tol)));
    bool good = small != NULL, more = good;
    for (; more && count < small->shape[0]; count += more) {
        ct_tensor *one = ct_own_select(small, 0, count);
        good = more = one != NULL;
        more = more && ct_item(one) != 0;
        ct_release(one);
    }
    cti_hold_end(&h, NULL);
    if (good && count < before)
        return cti_refuse(CT_ERR_ASSERTION,
                          "the number of converged eigenpairs (was %lld, got %lld) cannot decrease",
                          (long long)before, (long long)count);
    s->converged_count = count;
    return good;
}

/* S = [X, P, W]; P may be absent. */
static bool gather(struct cti_lobpcg *s, ct_tensor *P, ct_tensor *W)
{
    int64_t at = s->n, np = P == CT_NO_TENSOR || !P ? 0 : cti_linalg_cols(P);
    if (!P || !W || !write_part(s->S, 0, at, s->X) || (np && !write_part(s->S, at, at + np, P)))
        return false;
    at += np;
    s->converged_end = at + cti_linalg_cols(W);
    return write_part(s->S, at, s->converged_end, W);
}

/* Computes the first iterate: orthogonalised starting vectors and their eigenvalues. The result is
 * borrowed. */
static bool start(struct cti_hold *h, struct cti_lobpcg *s, ct_tensor **E, ct_tensor **X)
{
    ct_tensor *Ri = rayleigh_ritz(h, s->B, s->X), *Z = NULL;
    ct_tensor *M = Ri ? form(h, form(h, s->A, s->X), Ri) : NULL;
    if (!M || !eigen(h, M, s->largest, E, &Z))
        return false;
    *X = lobpcg_product(h, s->X, lobpcg_product(h, Ri, Z));
    return *X != NULL;
}

/* Makes one step of `basic`: Rayleigh-Ritz in the span of S, the residuals, and the next S. */
static bool update_basic(struct cti_lobpcg *s)
{
    struct cti_hold h = {0};
    ct_tensor *E, *X, *Z, *P = CT_NO_TENSOR;
    int64_t n = s->n, nc = s->converged_count;
    bool good;
    if (s->istep == 0) {
        good = start(&h, s, &E, &X) && write_part(s->X, 0, n, X) && write_part(s->E, 0, n, E);
    } else {
        ct_tensor *S = part(&h, s->S, nc, s->converged_end), *Ri = rayleigh_ritz(&h, s->B, S);
        ct_tensor *M = Ri ? form(&h, form(&h, s->A, S), Ri) : NULL;
        good = M && eigen(&h, M, s->largest, &E, &Z);
        X = good ? lobpcg_product(&h, S, lobpcg_product(&h, Ri, part(&h, Z, 0, n - nc))) : NULL;
        P = good ? lobpcg_product(&h, S, lobpcg_product(&h, Ri, part(&h, Z, n, 2 * n - nc))) : NULL;
        good =
            X && P && write_part(s->X, nc, n, X) && write_part(s->E, nc, n, part(&h, E, 0, n - nc));
    }
    good = good && update_residual(s) && count_converged(s);
    if (good) {
        int64_t from = P == CT_NO_TENSOR ? 0 : s->converged_count;
        good = gather(s, P, lobpcg_times(&h, s->iK, part(&h, s->R, from, n)));
    }
    cti_hold_end(&h, NULL);
    return good;
}

/* Makes one step of `ortho`: Rayleigh-Ritz in an orthonormal S, new directions P, and residuals W
 * that are orthogonalised against X and P. */
static bool update_ortho(struct cti_lobpcg *s)
{
    struct cti_hold h = {0};
    ct_tensor *E, *X, *Z, *P = CT_NO_TENSOR, *W = NULL;
    int64_t n = s->n, nc = s->converged_count;
    bool good;
    if (s->istep == 0) {
        good = start(&h, s, &E, &X) && replace(&s->X, X);
    } else {
        ct_tensor *S = part(&h, s->S, nc, s->converged_end);
        good = S && eigen(&h, form(&h, s->A, S), s->largest, &E, &Z);
        X = good ? lobpcg_product(&h, S, part(&h, Z, 0, n - nc)) : NULL;
        ct_tensor *right = good ? part(&h, Z, n - nc, cti_linalg_cols(Z)) : NULL;
        ct_tensor *head = cti_hold(&h, ct_own_narrow(right, -2, 0, n - nc));
        struct ct_linalg_qr_result f = ct_own_linalg_qr(transposed(&h, head), "reduced");
        cti_hold(&h, f.R);
        P = lobpcg_product(&h, S, lobpcg_product(&h, right, cti_hold(&h, f.Q)));
        good =
            X && P && write_part(s->X, nc, n, X) && write_part(s->E, nc, n, part(&h, E, 0, n - nc));
    }
    good = good && update_residual(s) && count_converged(s);
    if (good && P == CT_NO_TENSOR) {
        W = cti_hold(&h, ortho(s, s->R, s->X));
    } else if (good) {
        ct_tensor *XP = cti_hold(&h, ct_own_cat(ct_list_of((ct_tensor *[]){s->X, P}, 2), -1));
        W = cti_hold(&h, ortho(s, part(&h, s->R, s->converged_count, n), XP));
    }
    good = good && gather(s, P, W);
    cti_hold_end(&h, NULL);
    return good;
}

static bool measure(struct cti_lobpcg *s)
{
    struct cti_hold h = {0};
    bool good = read(norm(&h, s->X), &s->X_norm) &&
                read(norm(&h, lobpcg_times(&h, s->A, s->X)), &s->A_norm) &&
                read(norm(&h, lobpcg_times(&h, s->B, s->X)), &s->B_norm);
    cti_hold_end(&h, NULL);
    s->A_norm *= 1 / s->X_norm;
    s->B_norm *= 1 / s->X_norm;
    return good;
}

bool cti_lobpcg_run(struct cti_lobpcg *s)
{
    bool (*update)(struct cti_lobpcg *) =
        strcmp(s->method, "ortho") == 0 ? update_ortho : update_basic;
    if (!measure(s))
        return false;
    for (int64_t left = s->niter; left != 0 && s->converged_count < s->k; left--) {
        if (!update(s))
            return false;
        s->istep++;
    }
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the pseudoinverse, rank, condition number and polar factors from singular values or
 * eigenvalues, and the tolerances below which such a value counts as zero. */
#include "core/hold.h"
#include "fronts.h"
#include "inner.h"
#include "ops/linalg/linalg.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- tolerances ---- */

static bool absent(const ct_tensor *t)
{
    return t == CT_NO_TENSOR;
}

/* Returns a number as a 0-d float64 tensor, which makes the computation float64. The caller owns
 * the result. */
static ct_tensor *tolerance_number(double x, const ct_tensor *like)
{
    return ct_own_full(ct_ints_of(NULL, 0), ct_value_float(x), CT_FLOAT64, like->storage->device,
                       false);
}

static bool usual_tolerance(const ct_tensor *a, double *rtol)
{
    enum ct_dtype real = cti_dtype_to_real(ct_dtype(a));
    int row;
    if (!a->ndim)
        return cti_refuse(CT_ERR_INDEX, "Dimension specified as -2 but tensor has no dimensions");
    if (!cti_shape_wrap_dim(-2, a->ndim, &row))
        return false;
    int64_t m = cti_linalg_rows(a), n = cti_linalg_cols(a);
    if (real != CT_FLOAT32 && real != CT_FLOAT64)
        return cti_refuse(CT_ERR_RUNTIME,
                          "This function doesn't handle types other than float and double");
    *rtol = (real == CT_FLOAT32 ? (double)FLT_EPSILON : DBL_EPSILON) * (double)(m > n ? m : n);
    return true;
}

/* Replaces tolerances that are NaN (not given) by their defaults. */
static bool settle_numbers(const ct_tensor *a, double *atol, double *rtol)
{
    if (isnan(*rtol)) {
        if (!usual_tolerance(a, rtol))
            return false;
        *rtol = *atol > 0 ? 0 : *rtol;
    }
    *atol = isnan(*atol) ? 0 : *atol;
    return true;
}

static bool tolerance_is_real(const ct_tensor *t, const char *which, const char *name)
{
    return absent(t) || t->dtype < CT_COMPLEX64 ||
           cti_refuse(CT_ERR_RUNTIME, "%s: %s tensor of complex type is not supported. Got %s",
                      name, which, cti_dtype_scalar_name(ct_dtype(t)));
}

/* A function of a matrix and its tolerances: the pseudoinverse or the rank. The caller owns the
 * result. */
typedef ct_tensor *by_tolerance(ct_tensor *a, ct_tensor *atol, ct_tensor *rtol, bool hermitian);

static ct_tensor *with_numbers(by_tolerance *make, ct_tensor *a, double atol, double rtol,
                               bool hermitian)
{
    struct cti_hold h = {0};
    ct_tensor *low = cti_hold(&h, tolerance_number(atol, a)),
              *share = cti_hold(&h, tolerance_number(rtol, a));
    ct_tensor *result = low && share ? make(a, low, share, hermitian) : NULL;
    cti_hold_end(&h, NULL);
    return result;
}

/* Returns the default rtol: usual_tolerance, or 0 if a positive atol is given. The result is
 * borrowed. */
static ct_tensor *share_of(struct cti_hold *h, ct_tensor *a, ct_tensor *atol)
{
    double usual = 0;
    if (!usual_tolerance(a, &usual))
        return NULL;
    ct_tensor *small = cti_hold(h, tolerance_number(usual, a));
    if (absent(atol))
        return small;
    ct_tensor *given = cti_hold(h, ct_own_gt(V(atol), ct_value_int(0)));
    ct_tensor *zero = cti_hold(h, tolerance_number(0, a));
    return cti_hold(h, ct_own_where(given, V(zero), V(small)));
}

static ct_tensor *with_tensors(by_tolerance *make, ct_tensor *a, ct_tensor *atol, ct_tensor *rtol,
                               bool hermitian, const char *name)
{
    struct cti_hold h = {0};
    if (!tolerance_is_real(atol, "atol", name) || !tolerance_is_real(rtol, "rtol", name))
        return NULL;
    ct_tensor *share = absent(rtol) ? share_of(&h, a, atol) : rtol;
    ct_tensor *low = absent(atol) ? cti_hold(&h, tolerance_number(0, a)) : atol;
    ct_tensor *result = low && share ? make(a, low, share, hermitian) : NULL;
    cti_hold_end(&h, NULL);
    return result;
}

/* max(atol, rtol * most): smaller values count as 0. `most` has a last dim of size 1. */
static ct_tensor *threshold(struct cti_hold *h, ct_tensor *atol, ct_tensor *rtol, ct_tensor *most)
{
    ct_tensor *low = cti_hold(h, ct_own_unsqueeze(atol, -1));
    ct_tensor *share = cti_hold(h, ct_own_unsqueeze(rtol, -1));
    ct_tensor *scaled = cti_hold(h, ct_own_mul(V(share), V(most)));
    return cti_hold(h, ct_own_maximum(V(low), scaled));
}

/* Computes the maximum along the last dim, which is kept. */
static ct_tensor *greatest_value(struct cti_hold *h, ct_tensor *t)
{
    const int64_t last = -1;
    return cti_hold(h, ct_own_amax(t, ct_ints_of(&last, 1), true));
}

/* ---- the pseudoinverse ---- */

static bool check_pinv(const ct_tensor *a)
{
    char text[CTI_SHAPE_TEXT];
    return (a->ndim >= 2 && a->dtype >= CT_FLOAT32) ||
           cti_refuse(CT_ERR_RUNTIME,
                      "linalg.pinv(%s{%s}): expected a tensor with 2 or more dimensions of float, "
                      "double, cfloat or cdouble types",
                      cti_dtype_scalar_name(ct_dtype(a)), cti_shape_text(text, a->ndim, a->shape));
}

static ct_tensor *pinv_of_nothing(ct_tensor *a)
{
    int64_t shape[CTI_MAX_DIMS];
    memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
    shape[a->ndim - 2] = cti_linalg_cols(a);
    shape[a->ndim - 1] = cti_linalg_rows(a);
    return cti_empty(a->ndim, shape, ct_dtype(a), a->storage->device);
}

/* Vh^H S^-1 U^H, or V L^-1 V^H if hermitian, with 0 for the inverse of values below the threshold.
 */
ct_tensor *cti_op__linalg_pinv(ct_tensor *input, ct_tensor *atol, ct_tensor *rtol, bool hermitian)
{
    struct cti_hold h = {0};
    if (!input->numel)
        return pinv_of_nothing(input);
    ct_tensor *values, *sizes, *left, *right;
    if (hermitian) {
        struct ct_linalg_eigh_result f = ct_own_linalg_eigh(input, "L");
        values = cti_hold(&h, f.eigenvalues);
        left = right = cti_hold(&h, f.eigenvectors);
        sizes = cti_hold(&h, ct_own_abs(values));
    } else {
        struct ct_linalg_svd_result f = ct_own_linalg_svd(input, false, NULL);
        values = sizes = cti_hold(&h, f.S);
        right = cti_hold(&h, f.U);
        left = cti_hold(&h, ct_own_adjoint(cti_hold(&h, f.Vh)));
    }
    ct_tensor *least = sizes ? threshold(&h, atol, rtol, greatest_value(&h, sizes)) : NULL;
    ct_tensor *large = cti_hold(&h, ct_own_gt(V(sizes), V(least)));
    ct_tensor *inverse = large ? cti_hold(&h, ct_own_reciprocal(values)) : NULL;
    ct_tensor *kept = cti_hold(&h, ct_own_where(large, V(inverse), ct_value_int(0)));
    ct_tensor *typed = cti_hold(&h, ct_own_to_dtype(kept, ct_dtype(input)));
    ct_tensor *row = cti_hold(&h, ct_own_unsqueeze(typed, -2));
    ct_tensor *scaled = cti_hold(&h, ct_own_mul(V(left), V(row)));
    ct_tensor *adjoint = scaled ? cti_hold(&h, ct_own_adjoint(right)) : NULL;
    return cti_hold_end(&h, cti_hold(&h, ct_own_matmul(scaled, adjoint)));
}

ct_tensor *cti_op_linalg_pinv_atol_rtol_tensor(ct_tensor *input, ct_tensor *atol, ct_tensor *rtol,
                                               bool hermitian)
{
    return check_pinv(input) ? with_tensors(ct_own__linalg_pinv, input, atol, rtol, hermitian,
                                            "torch.linalg.pinv")
                             : NULL;
}

ct_tensor *cti_op_linalg_pinv(ct_tensor *input, double atol, double rtol, bool hermitian)
{
    bool good = settle_numbers(input, &atol, &rtol) && check_pinv(input);
    return good ? with_numbers(ct_own__linalg_pinv, input, atol, rtol, hermitian) : NULL;
}

ct_tensor *cti_op_linalg_pinv_rcond_tensor(ct_tensor *input, ct_tensor *rcond, bool hermitian)
{
    ct_tensor *zero = tolerance_number(0, input);
    return cti_replace_take(zero,
                            ct_own_linalg_pinv_atol_rtol_tensor(input, zero, rcond, hermitian));
}

/* ---- the rank ---- */

static bool check_rank(const ct_tensor *a)
{
    return cti_linalg_is_matrix(a, "input", "torch.linalg.matrix_rank");
}

static ct_tensor *rank(ct_tensor *a, ct_tensor *atol, ct_tensor *rtol, bool hermitian)
{
    struct cti_hold h = {0};
    if (!a->numel)
        return ct_own_zeros(ct_ints_of(a->shape, a->ndim - 2), CT_INT64, a->storage->device, false);
    bool mode = cti_grad_pause(); /* the rank is a count and has no derivative */
    ct_tensor *values = hermitian ? ct_own_linalg_eigvalsh(a, "L") : ct_own_linalg_svdvals(a, NULL);
    cti_hold(&h, values);
    ct_tensor *sizes = hermitian && values ? cti_hold(&h, ct_own_abs(values)) : values;
    ct_tensor *least = sizes ? threshold(&h, atol, rtol, greatest_value(&h, sizes)) : NULL;
    ct_tensor *large = cti_hold(&h, ct_own_gt(V(sizes), V(least)));
    ct_tensor *count = ct_own_sum(large, CT_INTS(-1), false, CT_NO_DTYPE);
    /* Written through `out` semantics as in PyTorch, which warns if tolerances broadcast it. */
    ct_tensor *result = cti_empty(a->ndim - 2, a->shape, CT_INT64, a->storage->device);
    bool good = result ? cti_out_copy(result, count) : (ct_release(count), false);
    cti_grad_restore(mode);
    cti_hold_end(&h, NULL);
    return cti_take_if(result, good);
}

ct_tensor *cti_op_linalg_matrix_rank_atol_rtol_tensor(ct_tensor *input, ct_tensor *atol,
                                                      ct_tensor *rtol, bool hermitian)
{
    return check_rank(input)
               ? with_tensors(rank, input, atol, rtol, hermitian, "torch.linalg.matrix_rank")
               : NULL;
}

ct_tensor *cti_op_linalg_matrix_rank(ct_tensor *input, double atol, double rtol, bool hermitian)
{
    bool good = check_rank(input) && settle_numbers(input, &atol, &rtol);
    return good ? with_numbers(rank, input, atol, rtol, hermitian) : NULL;
}

ct_tensor *cti_op_linalg_matrix_rank_tol_tensor(ct_tensor *input, ct_tensor *tol, bool hermitian)
{
    ct_tensor *zero = tolerance_number(0, input);
    return cti_replace_take(
        zero, ct_own_linalg_matrix_rank_atol_rtol_tensor(input, tol, zero, hermitian));
}

/* ---- the condition ---- */

static ct_tensor *cond_of_nothing(ct_tensor *a)
{
    return ct_own_zeros(ct_ints_of(a->shape, a->ndim - 2), cti_dtype_to_real(ct_dtype(a)),
                        a->storage->device, false);
}

/* Computes the inverse; singular matrices give infinities. */
static ct_tensor *inverse_or_infinity(struct cti_hold *h, ct_tensor *a)
{
    struct ct_linalg_inv_ex_result f = ct_own_linalg_inv_ex(a, false);
    ct_tensor *inverse = cti_hold(h, f.inverse);
    ct_tensor *column = cti_hold(h, ct_own_unsqueeze(cti_hold(h, f.info), -1));
    ct_tensor *info = cti_hold(h, ct_own_unsqueeze(column, -1));
    ct_tensor *singular = cti_hold(h, ct_own_gt(V(info), ct_value_int(0)));
    return cti_hold(h, ct_own_masked_fill(inverse, singular, ct_value_float(INFINITY)));
}

/* Multiplies norms, with 0 * inf = inf as in NumPy. */
static ct_tensor *product_of_norms(struct cti_hold *h, ct_tensor *a, ct_tensor *b)
{
    ct_tensor *product = cti_hold(h, ct_own_mul(V(a), V(b)));
    return cti_hold(h, ct_own_nan_to_num(product, INFINITY, INFINITY, -INFINITY));
}

/* Divides the largest singular value by the smallest, or the reverse. */
static ct_tensor *cond_of_spectrum(ct_tensor *a, bool inverse)
{
    struct cti_hold h = {0};
    ct_tensor *values = cti_hold(&h, ct_own_linalg_svdvals(a, NULL));
    if (!values)
        return NULL;
    int64_t k = values->shape[values->ndim - 1];
    ct_tensor *most = cti_hold(&h, ct_own_narrow(values, -1, 0, 1));
    ct_tensor *least = cti_hold(&h, ct_own_narrow(values, -1, k - 1, 1));
    ct_tensor *ratio = cti_hold(&h, inverse ? ct_own_div(V(least), V(most), NULL)
                                            : ct_own_div(V(most), V(least), NULL));
    return cti_hold_end(&h, cti_hold(&h, ct_own_squeeze(ratio, CT_INTS(-1))));
}

static bool check_cond(const ct_tensor *a)
{
    return a->ndim >= 2 ||
           cti_refuse(CT_ERR_RUNTIME,
                      "linalg.cond: The input tensor must have at least 2 dimensions.");
}

ct_tensor *cti_op_linalg_cond(ct_tensor *input, ct_value p)
{
    static const int64_t dims[] = {-2, -1};
    struct cti_hold h = {0};
    char name[64];
    if (!check_cond(input))
        return NULL;
    if (p.kind == CT_VALUE_COMPLEX)
        return ct_fail(CT_ERR_VALUE,
                       "linalg.cond: Expected a non-complex scalar as the order of norm.");
    double ord = p.kind == CT_VALUE_NONE ? 2 : cti_value_real(p), size = fabs(ord);
    if (size != 2 && size != 1 && !isinf(size))
        return ct_fail(CT_ERR_VALUE, "linalg.cond got an invalid norm type: %g", ord);
    if (!input->numel)
        return cond_of_nothing(input);
    if (size == 2)
        return cond_of_spectrum(input, ord < 0);
    snprintf(name, sizeof name,
             p.kind == CT_VALUE_FLOAT ? "linalg.cond(ord=%f)" : "linalg.cond(ord=%.0f)", ord);
    if (!cti_linalg_is_square(input, name))
        return NULL;
    ct_ints matrix = ct_ints_of(dims, 2);
    ct_tensor *inverse = inverse_or_infinity(&h, input);
    ct_tensor *own =
        inverse ? cti_hold(&h, ct_own_linalg_matrix_norm(input, p, matrix, false, CT_NO_DTYPE))
                : NULL;
    ct_tensor *other =
        own ? cti_hold(&h, ct_own_linalg_matrix_norm(inverse, p, matrix, false, CT_NO_DTYPE))
            : NULL;
    return cti_hold_end(&h, product_of_norms(&h, own, other));
}

ct_tensor *cti_op_linalg_cond_p_str(ct_tensor *input, const char *p)
{
    static const int64_t dims[] = {-2, -1}, last = -1;
    struct cti_hold h = {0};
    char name[64];
    bool nuclear = strcmp(p, "nuc") == 0;
    if (!nuclear && strcmp(p, "fro") != 0)
        return ct_fail(CT_ERR_VALUE, "linalg.cond got an invalid norm type: %s", p);
    snprintf(name, sizeof name, "linalg.cond(ord=%s)", p);
    if (!cti_linalg_is_square(input, name))
        return NULL;
    if (!input->numel)
        return cond_of_nothing(input);
    if (nuclear) {
        ct_tensor *values = cti_hold(&h, ct_own_linalg_svdvals(input, NULL));
        ct_tensor *inverse = cti_hold(&h, ct_own_reciprocal(values));
        ct_tensor *sum = cti_hold(&h, ct_own_sum(values, ct_ints_of(&last, 1), false, CT_NO_DTYPE));
        ct_tensor *other =
            cti_hold(&h, ct_own_sum(inverse, ct_ints_of(&last, 1), false, CT_NO_DTYPE));
        return cti_hold_end(&h, cti_hold(&h, ct_own_mul(V(sum), V(other))));
    }
    ct_ints matrix = ct_ints_of(dims, 2);
    ct_tensor *inverse = inverse_or_infinity(&h, input);
    ct_tensor *own =
        inverse
            ? cti_hold(&h, ct_own_linalg_matrix_norm_str_ord(input, p, matrix, false, CT_NO_DTYPE))
            : NULL;
    ct_tensor *other = own ? cti_hold(&h, ct_own_linalg_matrix_norm_str_ord(inverse, p, matrix,
                                                                            false, CT_NO_DTYPE))
                           : NULL;
    return cti_hold_end(&h, product_of_norms(&h, own, other));
}

/* ---- polar factors ---- */

/* With A = W S Vh: U = W Vh and H = Vh^H S Vh. */
bool cti_op_linalg_polar(struct ct_linalg_polar_result *result, ct_tensor *A)
{
    static const char name[] = "linalg.polar";
    struct cti_hold h = {0};
    if (!cti_linalg_is_matrix(A, "A", name) || !cti_linalg_is_floating(A, name))
        return false;
    int64_t m = cti_linalg_rows(A), n = cti_linalg_cols(A);
    if (m < n)
        return cti_refuse(CT_ERR_RUNTIME,
                          "%s: input must have at least as many rows as columns, but got %lld by "
                          "%lld matrices",
                          name, (long long)m, (long long)n);
    struct ct_linalg_svd_result f = ct_own_linalg_svd(A, false, NULL);
    cti_hold(&h, f.U);
    cti_hold(&h, f.S);
    cti_hold(&h, f.Vh);
    ct_tensor *row = cti_hold(&h, ct_own_unsqueeze(f.S, -2));
    ct_tensor *right = cti_hold(&h, ct_own_adjoint(f.Vh));
    ct_tensor *scaled = cti_hold(&h, ct_own_mul(V(right), V(row)));
    result->U = scaled ? ct_own_matmul(f.U, f.Vh) : NULL;
    result->H = result->U ? ct_own_matmul(scaled, f.Vh) : NULL;
    cti_hold_end(&h, NULL);
    return result->H != NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements matrix norms and linalg.norm. They are composed of differentiable operations, so they
 * need no separate derivative. */
#include "core/hold.h"
#include "fronts.h"
#include "ops/linalg/linalg.h"
#include "ops/matmul/matmul.h"
#include "ops/reduce/reduce.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool cti_norm_dtype(const ct_tensor *a, enum ct_dtype dtype, const char *name)
{
    enum ct_dtype own = ct_dtype(a);
    if (dtype == CT_NO_DTYPE)
        return true;
    const char *want = dtype < CT_FLOAT16                            ? "floating point or complex"
                       : own < CT_COMPLEX64 && dtype >= CT_COMPLEX64 ? "real for real inputs"
                       : own >= CT_COMPLEX64 && dtype < CT_COMPLEX64 ? "complex for complex inputs"
                                                                     : NULL;
    if (want)
        return cti_refuse(CT_ERR_RUNTIME, "%s: dtype should be %s, but got %s", name, want,
                          cti_dtype_scalar_name(dtype));
    if (ct_promote_types(own, dtype) != dtype)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "%s: the dtype of the input (%s) should be convertible without narrowing to "
            "the specified dtype (%s)",
            name, cti_dtype_scalar_name(own), cti_dtype_scalar_name(dtype));
    return true;
}

/* Checks the arguments; d becomes the two dims, counted from 0. */
static bool check_matrix_norm(const ct_tensor *a, ct_ints dim, enum ct_dtype dtype, bool halves,
                              int d[2])
{
    static const char name[] = "linalg.matrix_norm";
    if (!cti_linalg_is_matrix(a, "A", name) ||
        !(halves ? cti_linalg_is_floating(a, name) : cti_linalg_is_full(a, name)))
        return false;
    if (dim.n != 2) {
        char text[256] = "";
        for (int64_t i = 0; i < dim.n; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%lld", i ? " " : "",
                     (long long)dim.v[i]);
        return cti_refuse(CT_ERR_RUNTIME, "%s: dim must be a 2-tuple. Got %s", name, text);
    }
    for (int i = 0; i < 2; i++)
        if (!cti_shape_wrap_dim(dim.v[i], a->ndim, &d[i]))
            return false;
    if (d[0] == d[1])
        return cti_refuse(CT_ERR_RUNTIME, "%s: dims must be different. Got (%d, %d)", name, d[0],
                          d[1]);
    return cti_norm_dtype(a, dtype, name);
}

/* The maximum or minimum along one dim, owned. The maximum of no elements is 0, without a gradient.
 */
static ct_tensor *norm_extreme(ct_tensor *t, int64_t dim, bool greatest, bool keepdim)
{
    ct_ints along = ct_ints_of(&dim, 1);
    if (t && greatest && !t->shape[dim < 0 ? dim + t->ndim : dim]) {
        bool mode = cti_grad_pause();
        ct_tensor *zeros = ct_own_sum(t, along, keepdim, CT_NO_DTYPE);
        cti_grad_restore(mode);
        return zeros;
    }
    return greatest ? ct_own_amax(t, along, keepdim) : ct_own_amin(t, along, keepdim);
}

/* Reduces the singular values of each matrix: 's' to their sum, '>' the largest, '<' the smallest.
 * */
static ct_tensor *of_singular_values(ct_tensor *a, const int d[2], char how, bool keepdim,
                                     enum ct_dtype dtype)
{
    int64_t order[CTI_MAX_DIMS], back[CTI_MAX_DIMS], last = -1;
    int n = 0, ndim = a->ndim;
    for (int i = 0; i < ndim; i++)
        if (i != d[0] && i != d[1])
            order[n++] = i;
    order[n++] = d[0];
    order[n++] = d[1];
    for (int i = 0; i < ndim; i++)
        back[order[i]] = i;
    ct_tensor *cast = dtype == CT_NO_DTYPE ? ct_retain(a) : ct_own_to_dtype(a, dtype);
    ct_tensor *transposed = ct_own_permute(cast, ct_ints_of(order, ndim));
    ct_tensor *values = ct_own_linalg_svdvals(transposed, NULL);
    ct_tensor *result = how == 's' ? ct_own_sum(values, ct_ints_of(&last, 1), keepdim, CT_NO_DTYPE)
                                   : norm_extreme(values, -1, how == '>', keepdim);
    if (keepdim) {
        ct_tensor *with_dim = ct_own_unsqueeze(result, -1);
        cti_product_renew(&result, ct_own_permute(with_dim, ct_ints_of(back, ndim)));
        ct_release(with_dim);
    }
    cti_release_all(cast, transposed, values);
    return result;
}

ct_tensor *cti_op_linalg_matrix_norm(ct_tensor *input, ct_value ord, ct_ints dim, bool keepdim,
                                     enum ct_dtype dtype)
{
    int d[2];
    if (ord.kind == CT_VALUE_COMPLEX)
        return ct_fail(CT_ERR_RUNTIME, "linalg.matrix_norm: Expected a non-complex scalar as the "
                                       "order of norm.");
    double p = cti_value_real(ord), size = fabs(p);
    if (size != 2 && size != 1 && !isinf(size))
        return ct_fail(CT_ERR_RUNTIME, "linalg.matrix_norm: Order %g not supported.", p);
    if (!check_matrix_norm(input, dim, dtype, size != 2, d))
        return NULL;
    if (size == 2)
        return of_singular_values(input, d, p > 0 ? '>' : '<', keepdim, dtype);
    int64_t first = isinf(size) ? d[1] : d[0], second = isinf(size) ? d[0] : d[1];
    ct_tensor *sums =
        ct_own_vector_norm(input, ct_value_float(1), ct_ints_of(&first, 1), keepdim, dtype);
    return cti_replace_take(
        sums, norm_extreme(sums, second - (!keepdim && first < second), p > 0, keepdim));
}

ct_tensor *cti_op_linalg_matrix_norm_str_ord(ct_tensor *input, const char *ord, ct_ints dim,
                                             bool keepdim, enum ct_dtype dtype)
{
    int d[2];
    bool nuclear = strcmp(ord, "nuc") == 0;
    if (!nuclear && strcmp(ord, "fro") != 0)
        return ct_fail(CT_ERR_RUNTIME, "linalg.matrix_norm: Order %s not supported.", ord);
    if (!check_matrix_norm(input, dim, dtype, !nuclear, d))
        return NULL;
    if (nuclear)
        return of_singular_values(input, d, 's', keepdim, dtype);
    return ct_own_vector_norm(input, ct_value_int(2), dim, keepdim, dtype);
}

/* ---- linalg.norm ---- */

static bool check_norm(const ct_tensor *a, ct_ints dim, bool ordered)
{
    char text[CTI_SHAPE_TEXT];
    if (dim.v && dim.n > CTI_MAX_DIMS)
        dim.n = CTI_MAX_DIMS;
    if (dim.v && dim.n != 1 && dim.n != 2)
        return cti_refuse(CT_ERR_RUNTIME,
                          "linalg.norm: If dim is specified, it must be of length 1 or 2. Got %s",
                          cti_shape_text(text, (int)dim.n, dim.v));
    if (!dim.v && ordered && a->ndim != 1 && a->ndim != 2)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "linalg.norm: If dim is not specified but ord is, the input must be 1D or "
            "2D. Got %dD.",
            a->ndim);
    return true;
}

ct_tensor *cti_op_linalg_norm(ct_tensor *input, ct_value ord, ct_ints dim, bool keepdim,
                              enum ct_dtype dtype)
{
    bool ordered = ord.kind != CT_VALUE_NONE;
    if (!check_norm(input, dim, ordered))
        return NULL;
    if (ordered && (dim.v ? dim.n == 2 : input->ndim == 2))
        return ct_own_linalg_matrix_norm(input, ord, dim.v ? dim : CT_INTS(0, 1), keepdim, dtype);
    return ct_own_vector_norm(input, ordered ? ord : ct_value_int(2), dim, keepdim, dtype);
}

ct_tensor *cti_op_linalg_norm_ord_str(ct_tensor *input, const char *ord, ct_ints dim, bool keepdim,
                                      enum ct_dtype dtype)
{
    if (!check_norm(input, dim, true))
        return NULL;
    return ct_own_linalg_matrix_norm_str_ord(input, ord, dim.v ? dim : CT_INTS(0, 1), keepdim,
                                             dtype);
}

/* torch.norm with p='nuc' or 'fro': over all dims if none are given. */
ct_tensor *cti_op_norm_name(ct_tensor *input, const char *p, ct_ints dim, bool keepdim,
                            enum ct_dtype dtype)
{
    int64_t all[CTI_MAX_DIMS];
    for (int d = 0; d < input->ndim; d++)
        all[d] = d;
    if (strcmp(p, "fro") == 0 && (!dim.v || dim.n <= 2))
        return ct_own_vector_norm(input, ct_value_int(2), dim, keepdim, dtype);
    return ct_own_linalg_matrix_norm_str_ord(input, p, dim.v ? dim : ct_ints_of(all, input->ndim),
                                             keepdim, dtype);
}

/* The norm over all dims but one, for weight normalisation. */
ct_tensor *cti_op_norm_except_dim(ct_tensor *v, int64_t pow, int64_t dim)
{
    int64_t others[CTI_MAX_DIMS];
    int kept, n = 0;
    if (v->dtype < CT_FLOAT16)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                       "norm(): input dtype should be either floating point or complex. Got %s "
                       "instead.",
                       cti_dtype_scalar_name((enum ct_dtype)v->dtype));
    if (dim == -1)
        return ct_own_vector_norm(v, ct_value_int(pow), CT_NO_DIMS, false, CT_NO_DTYPE);
    if (!cti_shape_wrap_dim(dim, v->ndim, &kept))
        return NULL;
    if (kept > 0 && kept < v->ndim - 1) { /* move the inner dim first, for PyTorch's strides */
        struct cti_hold h = {0};
        ct_tensor *front = cti_hold(&h, ct_own_transpose(v, 0, kept));
        ct_tensor *norm = cti_hold(&h, front ? cti_op_norm_except_dim(front, pow, 0) : NULL);
        return cti_hold_end(&h, cti_hold(&h, ct_own_transpose(norm, 0, kept)));
    }
    for (int d = 0; d < v->ndim; d++)
        if (d != kept)
            others[n++] = d;
    if (n > 0)
        return ct_own_vector_norm(v, ct_value_int(pow), ct_ints_of(others, n), true, CT_NO_DTYPE);
    return ct_own_abs(v);
}

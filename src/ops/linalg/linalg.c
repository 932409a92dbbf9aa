/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers shared by the operations of linear algebra (their contracts are in linalg.h), and the
 * implementation of the inverse, vecdot and vander. */
#include "ops/linalg/linalg.h"

#include "fronts.h"

#include <stdio.h>
#include <string.h>

/* ---- checks ---- */

bool cti_linalg_is_matrix(const ct_tensor *t, const char *letter, const char *name)
{
    return t->ndim >= 2 ||
           cti_refuse(CT_ERR_RUNTIME, "%s: The input tensor %s must have at least 2 dimensions.",
                      name, letter);
}

bool cti_linalg_is_square(const ct_tensor *a, const char *name)
{
    if (!cti_linalg_is_matrix(a, "A", name))
        return false;
    return cti_linalg_rows(a) == cti_linalg_cols(a) ||
           cti_refuse(
               CT_ERR_RUNTIME,
               "%s: A must be batches of square matrices, but they are %lld by %lld matrices", name,
               (long long)cti_linalg_rows(a), (long long)cti_linalg_cols(a));
}

bool cti_linalg_is_floating(const ct_tensor *a, const char *name)
{
    return a->dtype >= CT_FLOAT16 ||
           cti_refuse(CT_ERR_NOT_IMPLEMENTED,
                      "%s: Expected a floating point or complex tensor as input. Got %s", name,
                      cti_dtype_scalar_name(a->dtype));
}

bool cti_linalg_is_full(const ct_tensor *a, const char *name)
{
    if (!cti_linalg_is_floating(a, name))
        return false;
    return (a->dtype >= CT_FLOAT32 && a->dtype != CT_COMPLEX32) ||
           cti_refuse(CT_ERR_NOT_IMPLEMENTED, "%s: Low precision dtypes not supported. Got %s",
                      name, cti_dtype_scalar_name(a->dtype));
}

bool cti_linalg_fit(int64_t n, int64_t m, int64_t k, bool left, const char *name)
{
    return n == (left ? m : k) ||
           cti_refuse(CT_ERR_RUNTIME,
                      "%s: Incompatible shapes of A and B for the equation %s (%lldx%lld and "
                      "%lldx%lld)",
                      name, left ? "AX = B" : "XA = B", (long long)n, (long long)n, (long long)m,
                      (long long)k);
}

bool cti_linalg_has_kernel(const ct_tensor *a, const char *name)
{
    return (a->dtype >= CT_FLOAT32 && a->dtype != CT_COMPLEX32) ||
           cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", name,
                      cti_dtype_scalar_name(a->dtype));
}

static int32_t *codes(const ct_tensor *info)
{
    return (int32_t *)(void *)cti_data(info);
}

/* Finds the first nonzero code and its position; *code is 0 if there is none. Synchronizes with the
 * device; meta tensors have no codes. False: the error is set. */
static bool first_failed(ct_tensor *info, int32_t *code, int64_t *position)
{
    ct_tensor *host = info->storage->device.type == CT_META ? NULL : cti_host(info);
    *code = 0;
    for (*position = 0; host && *position < host->numel && !*code; ++*position)
        *code = codes(host)[*position];
    --*position;
    bool good = host || info->storage->device.type == CT_META;
    ct_release(host);
    return good;
}

bool cti_linalg_succeeded(ct_tensor *info, enum ct_error_kind kind, const char *format,
                          const char *name)
{
    char where[64] = "";
    int64_t i;
    int32_t code;
    if (!first_failed(info, &code, &i))
        return false;
    if (!code)
        return true;
    if (info->ndim)
        snprintf(where, sizeof where, "(Batch element %lld): ", (long long)i);
    return cti_refuse(kind, format, name, where, code, code);
}

bool cti_linalg_first_code(ct_tensor *info, int32_t *code)
{
    int64_t i;
    return first_failed(info, code, &i);
}

/* ---- tensors ---- */

ct_tensor *cti_linalg_columns(const ct_tensor *like, int64_t m, int64_t n, enum ct_dtype dtype)
{
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS];
    int ndim = like->ndim;
    memcpy(shape, like->shape, (size_t)ndim * sizeof *shape);
    shape[ndim - 2] = n; /* strides of the contiguous transpose */
    shape[ndim - 1] = m;
    cti_shape_contiguous(ndim, shape, stride);
    shape[ndim - 2] = m;
    shape[ndim - 1] = n;
    int64_t step = stride[ndim - 2];
    stride[ndim - 2] = stride[ndim - 1];
    stride[ndim - 1] = step;
    return cti_empty_strided(ndim, shape, stride, dtype, like->storage->device);
}

ct_tensor *cti_linalg_copy(ct_tensor *a)
{
    ct_tensor *copy = cti_linalg_columns(a, cti_linalg_rows(a), cti_linalg_cols(a), ct_dtype(a));
    return cti_take_if(copy, copy && cti_copy(copy, a));
}

ct_tensor *cti_linalg_vectors(const ct_tensor *like, int64_t n, enum ct_dtype dtype)
{
    int64_t shape[CTI_MAX_DIMS];
    int ndim = like->ndim - (n < 0 ? 2 : 1);
    memcpy(shape, like->shape, (size_t)like->ndim * sizeof *shape);
    if (n >= 0)
        shape[ndim - 1] = n;
    return cti_empty(ndim, shape, dtype, like->storage->device);
}

bool cti_linalg_broadcast(const ct_tensor *a, const ct_tensor *b, int *nbatch, int64_t *shape)
{
    *nbatch = b->ndim - 2;
    memcpy(shape, b->shape, (size_t)*nbatch * sizeof *shape);
    return cti_shape_broadcast(nbatch, shape, a->ndim - 2, a->shape);
}

ct_tensor *cti_linalg_spread(ct_tensor *t, int nbatch, const int64_t *batch, int dims)
{
    int64_t shape[CTI_MAX_DIMS];
    for (int d = 0; d < nbatch + dims; d++)
        shape[d] = d < nbatch ? batch[d] : t->shape[t->ndim - dims + d - nbatch];
    return cti_same_shape(t, nbatch + dims, shape)
               ? ct_retain(t)
               : ct_own_expand(t, ct_ints_of(shape, nbatch + dims), false);
}

bool cti_linalg_is_column_major(const ct_tensor *t)
{
    int n = t->ndim;
    if (!t->numel)
        return true;
    int64_t step = t->shape[n - 2] * t->shape[n - 1];
    bool good = t->stride[n - 2] == 1 && t->stride[n - 1] == t->shape[n - 2];
    for (int d = n - 3; d >= 0; step *= t->shape[d--])
        good = good && (t->stride[d] == step || t->shape[d] == 1);
    return good;
}

ct_tensor *cti_linalg_without_history(ct_tensor *t)
{
    if (!t || !cti_wants_grad(t))
        return t;
    return cti_replace_take(t, cti_alias(t));
}

/* ---- the engine ---- */

struct cti_factor_part cti_linalg_part(ct_tensor *t, int dims)
{
    int64_t step = 1;
    for (int d = t->ndim - dims; d < t->ndim; d++)
        step *= t->shape[d];
    return (struct cti_factor_part){.tensor = t, .step = step};
}

int64_t cti_linalg_batch(const ct_tensor *t)
{
    int64_t batch = 1;
    for (int d = 0; d < t->ndim - 2; d++)
        batch *= t->shape[d];
    return batch;
}

bool cti_linalg_run(struct cti_factor *work, const ct_tensor *on, ct_tensor *info)
{
    if (on->dtype == CT_COMPLEX32 && on->numel)
        return cti_linalg_has_kernel(on, "linalg");
    if (info && !cti_fill(info, ct_value_int(0)))
        return false;
    work->dtype = ct_dtype(on);
    work->batch = cti_linalg_batch(on);
    work->of.info = info;
    for (int i = 0; i < 4; i++)
        work->of.part[i] = work->part[i].tensor;
    return !on->numel || cti_run_on(&work->work, CTI_ENGINE_factor, on);
}

bool cti_linalg_pivot_range(ct_tensor *t, bool magnitude, int32_t *least, int32_t *most)
{
    *least = *most = 1;
    if (t->storage->device.type == CT_META)
        return true;
    ct_tensor *host = cti_host(t);
    for (int64_t i = 0; host && i < host->numel; i++) {
        int32_t p = codes(host)[i];
        p = magnitude && p < 0 ? (p == INT32_MIN ? INT32_MAX : -p) : p;
        *least = p < *least ? p : *least;
        *most = p > *most ? p : *most;
    }
    ct_release(host);
    return host != NULL;
}

void cti_linalg_lu_release(struct cti_linalg_lu *f)
{
    cti_release_all(f->lu, f->pivots, f->info);
    *f = (struct cti_linalg_lu){0};
}

static bool lu_factorise(struct cti_linalg_lu *f)
{
    if (!f->lu || !f->pivots || !f->info)
        return false;
    struct cti_factor work = {.kind = CTI_FACTOR_LU,
                              .m = cti_linalg_rows(f->lu),
                              .n = cti_linalg_cols(f->lu),
                              .part = {cti_linalg_part(f->lu, 2), cti_linalg_part(f->pivots, 1)}};
    return cti_linalg_run(&work, f->lu, f->info);
}

bool cti_linalg_lu_of(struct cti_linalg_lu *f, ct_tensor *a)
{
    int64_t m = cti_linalg_rows(a), n = cti_linalg_cols(a);
    f->lu = cti_linalg_copy(a);
    f->pivots = cti_linalg_vectors(a, m < n ? m : n, CT_INT32);
    f->info = cti_linalg_vectors(a, -1, CT_INT32);
    if (lu_factorise(f))
        return true;
    cti_linalg_lu_release(f);
    return false;
}

bool cti_linalg_lu_apply(ct_tensor *lu, ct_tensor *pivots, ct_tensor *b, char op)
{
    struct cti_factor work = {
        .kind = CTI_FACTOR_LU_SOLVE,
        .mode = op,
        .n = cti_linalg_rows(b),
        .k = cti_linalg_cols(b),
        .part = {cti_linalg_part(lu, 2), cti_linalg_part(pivots, 1), cti_linalg_part(b, 2)}};
    work.m = work.n;
    return cti_linalg_run(&work, b, NULL);
}

/* ---- the inverse ---- */

bool cti_linalg_fill_identity(ct_tensor *t)
{
    ct_tensor *diagonal = cti_fill(t, ct_value_int(0)) ? ct_own_diagonal(t, 0, -2, -1) : NULL;
    bool good = diagonal && cti_fill(diagonal, ct_value_int(1));
    ct_release(diagonal);
    return good;
}

/* A^-1 from its factors. If any matrix is singular, solves A X = 1 instead, because the divisions
 * by zero then give the same infinities as in PyTorch. On an accelerator it always solves: reading
 * the codes would wait for the device. The caller owns the result. */
static ct_tensor *inverse_from_lu(struct cti_linalg_lu *f)
{
    int32_t code = cti_accelerator_of(f->lu->storage->device.type) != NULL;
    if (!code && !cti_linalg_first_code(f->info, &code))
        return NULL;
    if (code) {
        int64_t n = cti_linalg_cols(f->lu);
        ct_tensor *inverse = cti_linalg_columns(f->lu, n, n, ct_dtype(f->lu));
        return cti_take_if(inverse, inverse && cti_linalg_fill_identity(inverse) &&
                                        cti_linalg_lu_apply(f->lu, f->pivots, inverse, 'N'));
    }
    struct cti_factor work = {.kind = CTI_FACTOR_LU_INVERSE,
                              .m = cti_linalg_rows(f->lu),
                              .n = cti_linalg_cols(f->lu),
                              .k = cti_linalg_cols(f->lu),
                              .part = {cti_linalg_part(f->lu, 2), cti_linalg_part(f->pivots, 1)}};
    return cti_linalg_run(&work, f->lu, f->info) ? ct_retain(f->lu) : NULL;
}

/* The inverse and its info, both owned; the caller checks the info. */
static ct_tensor *invert(ct_tensor *a, ct_tensor **info)
{
    struct cti_linalg_lu f;
    if (!cti_linalg_is_square(a, "linalg.inv") || !cti_linalg_is_full(a, "linalg.inv") ||
        !cti_linalg_lu_of(&f, a))
        return NULL;
    ct_tensor *inverse = inverse_from_lu(&f);
    *info = inverse ? ct_retain(f.info) : NULL;
    cti_linalg_lu_release(&f);
    return inverse;
}

bool cti_op_linalg_inv_ex(struct ct_linalg_inv_ex_result *result, ct_tensor *A, bool check_errors)
{
    result->inverse = invert(A, &result->info);
    return result->inverse &&
           (!check_errors || cti_linalg_succeeded(result->info, CT_ERR_LINALG,
                                                  CTI_LINALG_SINGULAR_INVERSE, "linalg.inv_ex"));
}

ct_tensor *cti_op_linalg_inv(ct_tensor *A)
{
    ct_tensor *info = NULL, *inverse = invert(A, &info);
    bool good = inverse && cti_linalg_succeeded(info, CT_ERR_LINALG, CTI_LINALG_SINGULAR_INVERSE,
                                                "linalg.inv");
    ct_release(info);
    return cti_take_if(inverse, good);
}

/* ---- vecdot and vander ---- */

ct_tensor *cti_op_linalg_vecdot(ct_tensor *x, ct_tensor *y, int64_t dim)
{
    if (!cti_linalg_is_floating(x, "linalg.vecdot"))
        return NULL;
    if (x->dtype != y->dtype)
        return ct_fail(CT_ERR_RUNTIME,
                       "linalg.vecdot: Expected x and y to have the same dtype, but found x of "
                       "type %s and y of type %s instead",
                       cti_dtype_scalar_name(ct_dtype(x)), cti_dtype_scalar_name(ct_dtype(y)));
    if (x->ndim == 1 && y->ndim == 1)
        return ct_own_vdot(x, y);
    ct_tensor *transposed = ct_own_conj(x);
    ct_tensor *product = ct_own_mul(V(transposed), V(y));
    ct_tensor *result = ct_own_sum(product, ct_ints_of(&dim, 1), false, CT_NO_DTYPE);
    cti_release_all(transposed, product);
    return result;
}

ct_tensor *cti_op_linalg_vander(ct_tensor *x, int64_t N)
{
    if (x->dtype == CT_BOOL || x->dtype == CT_FLOAT16 || x->dtype == CT_BFLOAT16)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                       "linalg.vander supports floating point, complex, and integer tensors, but "
                       "got %s",
                       cti_dtype_scalar_name(ct_dtype(x)));
    int64_t shape[CTI_MAX_DIMS + 1], last = -1;
    int ndim = x->ndim ? x->ndim : 1; /* a 0-d tensor counts as a vector of one element */
    for (int d = 0; d < ndim; d++)
        shape[d] = x->ndim ? x->shape[d] : 1;
    shape[ndim] = (N == CT_NO_DIM ? shape[ndim - 1] : N) - 1;
    if (shape[ndim] <= 0)
        return ct_fail(CT_ERR_RUNTIME, "N must be greater than 1.");
    ct_tensor *column = ct_own_unsqueeze(x, -1);
    ct_tensor *powers = ct_own_expand(column, ct_ints_of(shape, ndim + 1), false);
    ct_tensor *products = ct_own_cumprod(powers, -1, CT_NO_DTYPE);
    shape[ndim] = 1;
    ct_tensor *ones = products ? ct_own_ones(ct_ints_of(shape, ndim + 1), ct_dtype(products),
                                             x->storage->device, false)
                               : NULL;
    ct_tensor *result =
        ones ? ct_own_cat(ct_list_of((ct_tensor *[]){ones, products}, 2), last) : NULL;
    cti_release_all(column, powers, products, ones);
    return result;
}

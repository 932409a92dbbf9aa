/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the products of two tensors of matmul.toml: applies PyTorch's rules for dims and
 * dtypes and calls the gemm engine. Sums of products are in sums.c. */
#include "ops/matmul/matmul.h"
#include "core/gemm.h"
#include "core/note.h"
#include "core/product.h"
#include "fronts.h"
#include "ops/pointwise/pointwise.h"

#include <string.h>

/* ---- checks ---- */

static bool fail_matrix(const char *name, const char *which, int ndim)
{
    ct_fail(CT_ERR_RUNTIME, "%s: %s must be a matrix, got %d-D tensor", name, which, ndim);
    return cti_note("the operator @ multiplies matrices, vectors and batches of matrices");
}

static bool fail_batch(const char *which)
{
    ct_fail(CT_ERR_RUNTIME, "%s must be a 3D tensor", which);
    return cti_note("the operator @ multiplies matrices, vectors and batches of matrices");
}

bool cti_product_check_matrices(const char *name, const ct_tensor *a, const ct_tensor *b)
{
    if (a->ndim != 2)
        return fail_matrix(name, "self", a->ndim);
    if (b->ndim != 2)
        return fail_matrix(name, "mat2", b->ndim);
    if (a->shape[1] != b->shape[0]) {
        ct_fail(CT_ERR_RUNTIME,
                "%s: mat1 and mat2 shapes cannot be multiplied (%lldx%lld and %lldx%lld)", name,
                (long long)a->shape[0], (long long)a->shape[1], (long long)b->shape[0],
                (long long)b->shape[1]);
        return cti_note_product(&(struct cti_note_row){"mat1", 2, a->shape},
                                &(struct cti_note_row){"mat2", 2, b->shape});
    }
    return true;
}

bool cti_product_check_batches(const ct_tensor *a, const ct_tensor *b)
{
    if (a->ndim != 3)
        return fail_batch("batch1");
    if (b->ndim != 3)
        return fail_batch("batch2");
    if (b->shape[0] != a->shape[0] || b->shape[1] != a->shape[2]) {
        ct_fail(CT_ERR_RUNTIME,
                "Expected size for first two dimensions of batch2 tensor to be: [%lld, "
                "%lld] but got: [%lld, %lld].",
                (long long)a->shape[0], (long long)a->shape[2], (long long)b->shape[0],
                (long long)b->shape[1]);
        return cti_note_product(&(struct cti_note_row){"batch1", 3, a->shape},
                                &(struct cti_note_row){"batch2", 3, b->shape});
    }
    return true;
}

/* ---- the engine ---- */

struct factor {   /* an operand with its strides */
    ct_tensor *t; /* owned */
    int64_t row, col, batch;
};

/* Resolves a negated view; the engine handles conjugated ones. */
static bool take_factor(struct factor *f, ct_tensor *t, int first)
{
    f->t = t->flags & CTI_NEG ? cti_resolve(t) : ct_retain(t);
    if (!f->t)
        return false;
    f->batch = first ? f->t->stride[0] : 0;
    f->row = f->t->stride[first];
    f->col = f->t->ndim > first + 1 ? f->t->stride[first + 1] : 0;
    return true;
}

/* Describes the product with strides and runs the engine; arguments as in cti_product_into and
 * cti_product_plus. */
static bool run_gemm(ct_tensor *c, ct_tensor *a, ct_tensor *b, ct_value alpha, ct_value beta,
                     ct_tensor *bias)
{
    int first = a->ndim == 3;
    bool vector = b->ndim == first + 1;
    struct factor fa = {0}, fb = {0};
    bool good = take_factor(&fa, a, first) && take_factor(&fb, b, first);
    if (good) {
        struct cti_gemm g = {
            .of = {.c = c, .a = fa.t, .b = fb.t, .bias = bias},
            .dtype = c->dtype,
            .m = a->shape[first],
            .n = vector ? 1 : b->shape[first + 1],
            .k = a->shape[first + 1],
            .batch = first ? a->shape[0] : 1,
            .a_row = fa.row,
            .a_col = fa.col,
            .a_batch = fa.batch,
            .b_row = fb.row,
            .b_col = vector ? 1 : fb.col,
            .b_batch = fb.batch,
            .c_row = c->stride[first],
            .c_col = vector ? 1 : c->stride[first + 1],
            .c_batch = first ? c->stride[0] : 0,
            .alpha = {cti_value_real(alpha), cti_value_imag(alpha)},
            .beta = {cti_value_real(beta), cti_value_imag(beta)},
            .conj_a = fa.t->flags & CTI_CONJ,
            .conj_b = fb.t->flags & CTI_CONJ,
        };
        if (bias) {
            g.bias_row = bias->stride[first];
            g.bias_col = vector ? 0 : bias->stride[first + 1];
            g.bias_batch = first ? bias->stride[0] : 0;
        }
        /* As in PyTorch, the profiler does not count products with a vector. */
        if (!vector && a->ndim > first + 1 && cti_counts_products()) {
            bool sum = bias || g.beta[0] != 0 || g.beta[1] != 0;
            cti_count_product(first ? (sum ? "baddbmm" : "bmm") : (sum ? "addmm" : "mm"),
                              (const ct_tensor *[]){a, b, c}, 3, false);
        }
        good = cti_run_on(&g.work, CTI_ENGINE_gemm, c);
    }
    cti_release_all(fa.t, fb.t);
    return good;
}

/* The gemm engine lacks complex32 and float8, so operands and result are cast. */
static bool has_no_loops(enum ct_dtype dtype)
{
    return dtype == CT_COMPLEX32 || cti_is_float8(dtype);
}

static bool run_gemm_cast(ct_tensor *c, ct_tensor *a, ct_tensor *b, ct_value alpha, ct_value beta,
                          ct_tensor *bias)
{
    enum ct_dtype type = cti_dtype_compute(c->dtype);
    ct_tensor *wide_c = cti_cast(c, type), *wide_a = cti_cast(a, type), *wide_b = cti_cast(b, type);
    ct_tensor *wide_bias = bias ? cti_cast(bias, type) : NULL;
    bool good = wide_c && wide_a && wide_b && (wide_bias || !bias) &&
                run_gemm(wide_c, wide_a, wide_b, alpha, beta, wide_bias) && cti_copy(c, wide_c);
    cti_release_all(wide_c, wide_a, wide_b, wide_bias);
    return good;
}

bool cti_product_into(ct_tensor *c, ct_tensor *a, ct_tensor *b, ct_value alpha, ct_value beta,
                      const char *kernel)
{
    if (has_no_loops(c->dtype))
        return run_gemm_cast(c, a, b, alpha, beta, NULL);
    if (c->dtype != CT_BOOL)
        return run_gemm(c, a, b, alpha, beta, NULL);
    if (a->numel && b->numel)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for 'Bool'", kernel);
    return cti_fill(c, ct_value_bool(false));
}

bool cti_product_plus(ct_tensor *c, ct_tensor *a, ct_tensor *b, ct_value alpha, ct_tensor *bias)
{
    if (has_no_loops(c->dtype))
        return run_gemm_cast(c, a, b, alpha, ct_value_int(0), bias);
    return run_gemm(c, a, b, alpha, ct_value_int(0), bias);
}

bool cti_product_direct(const ct_tensor *c, const ct_tensor *a, const ct_tensor *b)
{
    return c->dtype == a->dtype && !(c->flags & (CTI_CONJ | CTI_NEG)) && c->storage != a->storage &&
           c->storage != b->storage;
}

static const ct_value zero = {CT_VALUE_INT, {.i = 0}}, one = {CT_VALUE_INT, {.i = 1}};

static ct_tensor *matmul_product(ct_tensor *a, ct_tensor *b, int ndim, const int64_t *shape,
                                 const char *kernel)
{
    ct_tensor *c = cti_empty(ndim, shape, a->dtype, a->storage->device);
    return cti_take_if(c, c && cti_product_into(c, a, b, one, zero, kernel));
}

/* Computes straight into `out` if possible, else through a new tensor. */
static bool product_out(ct_tensor *out, ct_tensor *a, ct_tensor *b, int ndim, const int64_t *shape,
                        const char *kernel)
{
    if (cti_product_direct(out, a, b) && cti_same_shape(out, ndim, shape))
        return cti_shape_check_writable(out) && cti_product_into(out, a, b, one, zero, kernel) &&
               cti_version_bump(out);
    return cti_out_copy(out, matmul_product(a, b, ndim, shape, kernel)) && cti_version_bump(out);
}

/* ---- operations ---- */

static void *note_types(const char *a_name, const ct_tensor *a, const char *b_name,
                        const ct_tensor *b)
{
    enum ct_dtype common = ct_promote_types(a->dtype, b->dtype);
    cti_note("  %s: %s\n  %s: %s", a_name, ct_dtype_str(a->dtype), b_name, ct_dtype_str(b->dtype));
    return cti_note("both operands need the same dtype: use %s.to(%s)",
                    common == a->dtype ? b_name : a_name, ct_dtype_str(common));
}

static bool check_mm(const ct_tensor *a, const ct_tensor *b)
{
    if (!cti_product_check_matrices("mm", a, b))
        return false;
    if (a->dtype != b->dtype) {
        ct_fail(CT_ERR_RUNTIME, "expected m1 and m2 to have the same dtype, but got: %s != %s",
                cti_product_type_name(a), cti_product_type_name(b));
        return note_types("m1", a, "m2", b);
    }
    return true;
}

ct_tensor *cti_op_mm(ct_tensor *input, ct_tensor *mat2)
{
    if (!check_mm(input, mat2))
        return NULL;
    return matmul_product(input, mat2, 2, (int64_t[]){input->shape[0], mat2->shape[1]},
                          "addmm_impl_cpu_");
}

ct_tensor *cti_op_mm_layout(ct_tensor *input, ct_tensor *mat2, bool columns)
{
    if (!columns)
        return cti_op_mm(input, mat2);
    if (!check_mm(input, mat2))
        return NULL;
    int64_t shape[] = {input->shape[0], mat2->shape[1]}, stride[] = {1, shape[0] ? shape[0] : 1};
    ct_tensor *c =
        cti_empty_strided(2, shape, stride, (enum ct_dtype)input->dtype, input->storage->device);
    return cti_take_if(c, c && cti_product_into(c, input, mat2, one, zero, "addmm_impl_cpu_"));
}

bool cti_op_mm_out(ct_tensor *out, ct_tensor *input, ct_tensor *mat2)
{
    return check_mm(input, mat2) &&
           product_out(out, input, mat2, 2, (int64_t[]){input->shape[0], mat2->shape[1]},
                       "addmm_impl_cpu_");
}

static bool check_bmm(const ct_tensor *a, const ct_tensor *b)
{
    if (!cti_product_check_batches(a, b))
        return false;
    if (a->dtype == CT_BOOL && a->numel && b->numel)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"bmm\" not implemented for 'Bool'");
    if (a->dtype != b->dtype) {
        ct_fail(CT_ERR_RUNTIME, "expected scalar type %s but found %s", cti_product_scalar_name(a),
                cti_product_scalar_name(b));
        return note_types("batch1", a, "batch2", b);
    }
    return true;
}

ct_tensor *cti_op_bmm(ct_tensor *input, ct_tensor *mat2)
{
    if (!check_bmm(input, mat2))
        return NULL;
    return matmul_product(input, mat2, 3,
                          (int64_t[]){input->shape[0], input->shape[1], mat2->shape[2]}, "bmm");
}

bool cti_op_bmm_out(ct_tensor *out, ct_tensor *input, ct_tensor *mat2)
{
    return check_bmm(input, mat2) &&
           product_out(out, input, mat2, 3,
                       (int64_t[]){input->shape[0], input->shape[1], mat2->shape[2]}, "bmm");
}

static bool check_mv(const ct_tensor *input, const ct_tensor *vec)
{
    if (input->ndim != 2 || vec->ndim != 1)
        return ct_fail(CT_ERR_RUNTIME, "vector + matrix @ vector expected, got 1, %d, %d",
                       input->ndim, vec->ndim);
    if (input->shape[1] != vec->shape[0]) {
        ct_fail(CT_ERR_RUNTIME, "size mismatch, got input (%lld), mat (%lldx%lld), vec (%lld)",
                (long long)input->shape[0], (long long)input->shape[0], (long long)input->shape[1],
                (long long)vec->shape[0]);
        return cti_note_product(&(struct cti_note_row){"mat", 2, input->shape},
                                &(struct cti_note_row){"vec", 1, vec->shape});
    }
    if (input->dtype != vec->dtype)
        return ct_fail(CT_ERR_RUNTIME,
                       "addmv input tensors must have the same dtype, but got %s, %s, and %s",
                       cti_product_scalar_name(vec), cti_product_scalar_name(input),
                       cti_product_scalar_name(vec));
    return true;
}

ct_tensor *cti_op_mv(ct_tensor *input, ct_tensor *vec)
{
    return check_mv(input, vec) ? matmul_product(input, vec, 1, input->shape, "addmv_impl_cpu")
                                : NULL;
}

bool cti_op_mv_out(ct_tensor *out, ct_tensor *input, ct_tensor *vec)
{
    return check_mv(input, vec) && product_out(out, input, vec, 1, input->shape, "addmv_impl_cpu");
}

/* conj(a) . conj(b) = conj(a . b): the result is conjugated by its flag. */
static ct_tensor *dot_conj(ct_tensor *input, ct_tensor *tensor)
{
    ct_tensor *a = ct_own_conj(input), *b = ct_own_conj(tensor),
              *c = a && b ? cti_op_dot(a, b) : NULL;
    cti_release_all(a, b);
    if (c)
        c->flags |= CTI_CONJ;
    return c;
}

ct_tensor *cti_op_dot(ct_tensor *input, ct_tensor *tensor)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    if (input->ndim != 1 || tensor->ndim != 1) {
        ct_fail(CT_ERR_RUNTIME, "1D tensors expected, but got %dD and %dD tensors", input->ndim,
                tensor->ndim);
        return cti_note("dot takes two vectors: input @ tensor multiplies matrices, "
                        "(input * tensor).sum() adds all products");
    }
    if (input->dtype != tensor->dtype)
        return ct_fail(CT_ERR_RUNTIME,
                       "dot : expected both vectors to have same dtype, but found %s and %s",
                       cti_product_scalar_name(input), cti_product_scalar_name(tensor));
    if (input->numel != tensor->numel)
        return ct_fail(CT_ERR_RUNTIME,
                       "inconsistent tensor size, expected tensor %s and src %s to have the same "
                       "number of elements, but got %lld and %lld elements respectively",
                       cti_shape_text(a, 1, input->shape), cti_shape_text(b, 1, tensor->shape),
                       (long long)input->numel, (long long)tensor->numel);
    if (input->dtype == CT_BOOL)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"dot\" not implemented for 'Bool'");
    if (input->flags & tensor->flags & CTI_CONJ)
        return dot_conj(input, tensor);
    /* Computes a row times a column, with input viewed as [1, n]. */
    ct_tensor *row = cti_view_unsqueeze(input, 0);
    ct_tensor *c = row ? matmul_product(row, tensor, 1, (int64_t[]){1}, "dot") : NULL;
    ct_release(row);
    return cti_take_if(c, c && cti_tensor_set_geometry(c, 0, NULL, NULL, 0));
}

ct_tensor *cti_op_vdot(ct_tensor *input, ct_tensor *other)
{
    ct_tensor *conjugated = ct_own_conj(input),
              *result = conjugated ? cti_op_dot(conjugated, other) : NULL;
    ct_release(conjugated);
    return result;
}

static bool check_vectors(const ct_tensor *input, const ct_tensor *vec2)
{
    const ct_tensor *const both[] = {input, vec2};
    for (int i = 0; i < 2; i++)
        if (both[i]->ndim != 1)
            return cti_refuse(CT_ERR_RUNTIME, "outer: Expected 1-D argument %s, but got %d-D",
                              i ? "vec2" : "self", both[i]->ndim);
    return true;
}

static ct_tensor *matmul_column(ct_tensor *t)
{
    return ct_own_reshape(t, ct_ints_of((int64_t[]){t->numel, 1}, 2));
}

ct_tensor *cti_op_outer(ct_tensor *input, ct_tensor *vec2)
{
    ct_tensor *column = check_vectors(input, vec2) ? matmul_column(input) : NULL;
    return cti_replace_take(column, ct_own_mul(V(column), V(vec2)));
}

ct_tensor *cti_op_unsafe_view(ct_tensor *input, ct_ints size)
{
    ct_tensor *view = cti_view_view(input, size);
    if (view) { /* autograd must not treat it as a view */
        ct_release(view->base);
        view->base = NULL;
    }
    return view;
}

/* ---- matmul ---- */

/* Multiplies a batch of matrices by one matrix or vector, as one product with the batch merged into
 * the rows. */
static ct_tensor *fold_batch(ct_tensor *a, ct_tensor *b)
{
    int64_t shape[CTI_MAX_DIMS], last = a->ndim - 1, rows = 1;
    for (int d = 0; d < last; d++) {
        shape[d] = a->shape[d];
        rows *= a->shape[d];
    }
    ct_tensor *tall = ct_own_reshape(a, ct_ints_of((int64_t[]){rows, a->shape[last]}, 2));
    ct_tensor *flat = b->ndim == 1 ? ct_own_mv(tall, b) : ct_own_mm(tall, b);
    if (b->ndim == 2)
        shape[last] = b->shape[1];
    ct_tensor *result = ct_own_unsafe_view(flat, ct_ints_of(shape, last + (b->ndim == 2)));
    cti_release_all(tall, flat);
    return result;
}

/* Expands t to the broadcast batch, and merges the batch dims into one. */
static ct_tensor *batched(ct_tensor *t, int ndim, const int64_t *batch, int64_t total)
{
    int64_t shape[CTI_MAX_DIMS + 2], rows = t->shape[t->ndim - 2], cols = t->shape[t->ndim - 1];
    memcpy(shape, batch, sizeof(int64_t) * (size_t)ndim);
    shape[ndim] = rows;
    shape[ndim + 1] = cols;
    ct_tensor *expanded = ct_own_expand(t, ct_ints_of(shape, ndim + 2), false);
    ct_tensor *flat = ct_own_reshape(expanded, ct_ints_of((int64_t[]){total, rows, cols}, 3));
    ct_release(expanded);
    return flat;
}

static ct_tensor *multiply_batches(ct_tensor *a, ct_tensor *b)
{
    int64_t shape[CTI_MAX_DIMS], total = 1;
    int ndim = 0;
    if (!cti_shape_broadcast(&ndim, shape, a->ndim - 2, a->shape) ||
        !cti_shape_broadcast(&ndim, shape, b->ndim - 2, b->shape))
        return NULL;
    for (int d = 0; d < ndim; d++)
        total *= shape[d];
    ct_tensor *fa = batched(a, ndim, shape, total), *fb = batched(b, ndim, shape, total);
    ct_tensor *flat = ct_own_bmm(fa, fb);
    shape[ndim] = a->shape[a->ndim - 2];
    shape[ndim + 1] = b->shape[b->ndim - 1];
    ct_tensor *result = ct_own_unsafe_view(flat, ct_ints_of(shape, ndim + 2));
    cti_release_all(fa, fb, flat);
    return result;
}

/* A vector on the left is a matrix of one row, and the row dim is removed afterwards. */
static ct_tensor *vector_times(ct_tensor *v, ct_tensor *b)
{
    ct_tensor *row = ct_own_unsqueeze(v, 0), *product = ct_own_matmul(row, b);
    ct_release(row);
    return cti_take_if(product,
                       product && ct_own_squeeze_(product, ct_ints_of((int64_t[]){-2}, 1)));
}

ct_tensor *cti_op_matmul(ct_tensor *input, ct_tensor *other)
{
    int a = input->ndim, b = other->ndim;
    if (a == 2 && b == 2)
        return ct_own_mm(input, other);
    if (!a || !b)
        return ct_fail(CT_ERR_RUNTIME,
                       "both arguments to matmul need to be at least 1D, but they are %dD and %dD",
                       a, b);
    if (a == 1 && b == 1)
        return ct_own_dot(input, other);
    if (a == 1)
        return vector_times(input, other);
    if (b == 1)
        return a == 2 ? ct_own_mv(input, other) : fold_batch(input, other);
    return b == 2 ? fold_batch(input, other) : multiply_batches(input, other);
}

ct_tensor *cti_op_trace(ct_tensor *input)
{
    if (input->ndim != 2)
        return ct_fail(CT_ERR_RUNTIME, "trace: expected a matrix, but got tensor with dim %d",
                       input->ndim);
    if (input->dtype == CT_BOOL)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"trace\" not implemented for 'Bool'");
    ct_tensor *diagonal = ct_own_diagonal(input, 0, 0, 1);
    return cti_replace_take(diagonal, ct_own_sum(diagonal, CT_NO_DIMS, false, CT_NO_DTYPE));
}

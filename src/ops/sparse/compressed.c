/* SPDX-License-Identifier: BSD-3-Clause */
/* Compressed tensors (CSR, CSC): construction and its checks, conversion between sparse layouts,
 * and access to their indices. See Note [Compressed tensors]. */
#include "ops/sparse/sparse.h"

#include "fronts.h"

#include <string.h>

/* The terms with which PyTorch's messages describe a layout. */
static const struct terms {
    const char *compressed, *plain, *line, *lines, *others, *kind;
} of_rows = {"crow_indices", "col_indices", "rows", "nrows", "ncols", "row"},
  of_columns = {"ccol_indices", "row_indices", "columns", "ncols", "nrows", "column"};

static const struct terms *terms_of(enum ct_layout layout)
{
    return cti_by_columns(layout) ? &of_columns : &of_rows;
}

ct_tensor *cti_op_sparse_compressed(ct_tensor *indices, ct_tensor *values, ct_ints size,
                                    bool is_coalesced, int64_t layout, bool narrow, int64_t rows,
                                    int64_t columns)
{
    if (layout < CT_SPARSE_CSR || layout > CT_SPARSE_BSC || indices->ndim != 2 ||
        indices->dtype != CT_INT64 || indices->shape[0] < 2 || values->ndim < 1 ||
        values->shape[0] != indices->shape[1] || size.n != indices->shape[0] + values->ndim - 1)
        return ct_fail(CT_ERR_RUNTIME, "indices, values and size do not make a compressed tensor");
    struct cti_sparse kind = {.coalesced = is_coalesced,
                              .narrow = narrow,
                              .layout = (enum ct_layout)layout,
                              .block = {rows, columns}};
    return cti_sparse_take(cti_alias(indices), cti_alias(values), size, kind);
}

ct_tensor *cti_sparse_made(ct_tensor *indices, ct_tensor *values, ct_ints size, bool ordered,
                           const ct_tensor *like)
{
    struct cti_sparse *kind = cti_sparse_of(like);
    if (kind->layout == CT_SPARSE_COO)
        return ct_own_sparse_coo(indices, values, size, ordered);
    return ct_own_sparse_compressed(indices, values, size, ordered, kind->layout, kind->narrow,
                                    kind->block[0], kind->block[1]);
}

/* ---- making ---- */

static bool compressed_check_dims(const ct_tensor *begins, const ct_tensor *plain,
                                  const ct_tensor *values, const struct terms *w, int inner,
                                  bool strict)
{
    const ct_tensor *const three[] = {begins, plain, values};
    const char *const names[] = {w->compressed, w->plain, "values"};
    for (int i = 0; i < 3; i++)
        if (cti_sparse_tensor(three[i]))
            return cti_refuse(CT_ERR_RUNTIME,
                              "expected %s to be a strided tensor but got %s tensor", names[i],
                              cti_layout_name(three[i]));
    if (begins->ndim < 1)
        return cti_refuse(CT_ERR_RUNTIME, "%s must have dimensionality >= 1 but got %d",
                          w->compressed, begins->ndim);
    if (begins->ndim != plain->ndim)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "%s and %s dimensionalities must be equal but got %d and %d, respectively",
            w->compressed, w->plain, begins->ndim, plain->ndim);
    if (values->ndim < begins->ndim + inner)
        return cti_refuse(CT_ERR_RUNTIME,
                          "values must have dimensionality > sum of batch and block "
                          "dimensionalities (=%d + %d) but got %d",
                          begins->ndim - 1, inner, values->ndim);
    if (values->ndim + 1 > CTI_MAX_DIMS)
        return cti_refuse(CT_ERR_RUNTIME, "a tensor has at most %d dimensions, not %d",
                          CTI_MAX_DIMS, values->ndim + 1);
    if (begins->dtype != plain->dtype && strict)
        return cti_refuse(CT_ERR_RUNTIME,
                          "%s and %s must have the same dtype, bot got %s and %s, respectively",
                          w->compressed, w->plain, cti_dtype_scalar_name(ct_dtype(begins)),
                          cti_dtype_scalar_name(ct_dtype(plain)));
    for (int i = 0; i < 2; i++)
        if (strict ? three[i]->dtype != CT_INT32 && three[i]->dtype != CT_INT64
                   : !cti_is_integral(ct_dtype(three[i]), false))
            return cti_refuse(CT_ERR_RUNTIME, "%s and %s dtype must be Int or Long, but got %s",
                              w->compressed, w->plain, cti_dtype_scalar_name(ct_dtype(three[i])));
    return true;
}

/* Checks the sizes of the three tensors against the size of the whole. */
static bool compressed_check_sizes(const ct_tensor *begins, const ct_tensor *plain,
                                   const ct_tensor *values, ct_ints size, enum ct_layout layout)
{
    const struct terms *w = terms_of(layout);
    int inner = cti_has_blocks(layout) ? 2 : 0, batch = begins->ndim - 1;
    int dense = values->ndim - begins->ndim - inner;
    const int64_t *block = values->shape + batch + 1;
    char text[4][CTI_SHAPE_TEXT];
    if (size.n != batch + 2 + dense)
        return cti_refuse(CT_ERR_RUNTIME,
                          "tensor dimensionality must be sum of batch, base, and dense "
                          "dimensionalities (=%d + 2 + %d) but got %lld",
                          batch, dense, (long long)size.n);
    if (cti_shape_numel((int)size.n, size.v) < 0)
        return false;
    size_t bytes = (size_t)batch * sizeof *size.v;
    if (memcmp(begins->shape, size.v, bytes) != 0 || memcmp(plain->shape, size.v, bytes) != 0 ||
        memcmp(values->shape, size.v, bytes) != 0)
        return cti_refuse(CT_ERR_RUNTIME,
                          "all batch dimensions of %s (=%s), %s (=%s), and values (=%s) must be "
                          "equal to tensor batch dimensions (=%s)",
                          w->compressed, cti_shape_text(text[0], batch, begins->shape), w->plain,
                          cti_shape_text(text[1], batch, plain->shape),
                          cti_shape_text(text[2], batch, values->shape),
                          cti_shape_text(text[3], batch, size.v));
    for (int k = 0; k < inner; k++)
        if (block[k] < 1 || size.v[batch + k] % block[k])
            return cti_refuse(CT_ERR_RUNTIME,
                              "tensor shape[%d] (=%lld) must be divisible with blocksize[%d] "
                              "(=%lld) as defined by values shape",
                              batch + k, (long long)size.v[batch + k], k, (long long)block[k]);
    int64_t line = cti_sparse_dim_at(layout, batch + 2, batch);
    int64_t lines = size.v[line] / (inner ? block[line - batch] : 1);
    if (begins->shape[batch] - 1 != lines)
        return cti_refuse(CT_ERR_RUNTIME,
                          "%s.shape[-1] must be equal to the number of %s + 1 (=%lld), but got "
                          "%lld",
                          w->compressed, w->line, (long long)lines + 1,
                          (long long)begins->shape[batch]);
    if (plain->shape[batch] != values->shape[batch])
        return cti_refuse(CT_ERR_RUNTIME,
                          "%s.shape[-1] must be equal to nnz (=%lld) as defined by "
                          "values.shape[%d], but got %lld",
                          w->plain, (long long)values->shape[batch], batch,
                          (long long)plain->shape[batch]);
    if (memcmp(block + inner, size.v + batch + 2, (size_t)dense * sizeof *size.v) != 0)
        return cti_refuse(CT_ERR_RUNTIME,
                          "values has incorrect size, expected dense dimensions %s, got %s",
                          cti_shape_text(text[0], dense, size.v + batch + 2),
                          cti_shape_text(text[1], dense, block + inner));
    return true;
}

/* The state while compressed indices are expanded to coordinates, matrix by matrix. */
struct filling {
    const int64_t *begins, *plain; /* of the current matrix */
    int64_t lines, others, nnz;
    int64_t *line_of, *other_of;
    const struct terms *terms;
    bool strict, ordered; /* strict: unsorted lines are an error; ordered: none was found */
};

static bool fill_line(struct filling *f, int64_t line)
{
    for (int64_t i = f->begins[line]; i < f->begins[line + 1]; i++) {
        int64_t other = f->plain[i];
        if (other < 0 || other >= f->others)
            return cti_refuse(CT_ERR_RUNTIME, "`0 <= %s < %s` is not satisfied.", f->terms->plain,
                              f->terms->others);
        if (i > f->begins[line] && other <= f->plain[i - 1])
            f->ordered = false;
        f->line_of[i] = line;
        f->other_of[i] = other;
    }
    return true;
}

/* Checks the compressed indices of one matrix and writes its coordinates. */
static bool fill_matrix(struct filling *f)
{
    const struct terms *w = f->terms;
    if (f->begins[0] != 0)
        return cti_refuse(CT_ERR_RUNTIME, "`%s[..., 0] == 0` is not satisfied.", w->compressed);
    if (f->begins[f->lines] != f->nnz)
        return cti_refuse(CT_ERR_RUNTIME, "`%s[..., -1] == nnz` is not satisfied.", w->compressed);
    for (int64_t i = 0; i < f->lines; i++) {
        int64_t from = f->begins[i], to = f->begins[i + 1];
        if (from > to || to > f->nnz || (f->strict && to - from > f->others))
            return cti_refuse(CT_ERR_RUNTIME,
                              "`0 <= %s[..., 1:] - %s[..., :-1] <= %s` is not satisfied.",
                              w->compressed, w->compressed, w->others);
    }
    for (int64_t i = 0; i < f->lines; i++)
        if (!fill_line(f, i))
            return false;
    return f->ordered || !f->strict ||
           cti_refuse(CT_ERR_RUNTIME,
                      "`%s[..., %s[..., i - 1]:%s[..., i]] for all i = 1, ..., %s are sorted and "
                      "distinct along the last dimension values` is not satisfied.",
                      w->plain, w->compressed, w->compressed, w->lines);
}

/* Computes the coordinates, [dims, nnz of all matrices], from contiguous `begins` and `plain` on
 * the CPU. */
static ct_tensor *expanded(ct_tensor *begins, ct_tensor *plain, ct_ints size, struct filling *f,
                           enum ct_layout layout, const int64_t *block)
{
    int64_t batch = begins->ndim - 1, shape[2] = {batch + 2, plain->numel};
    ct_tensor *made = cti_empty(2, shape, CT_INT64, (struct ct_device){CT_CPU, -1});
    int64_t *out = made ? (int64_t *)(void *)cti_data(made) : NULL, count = 1;
    for (int64_t d = 0; d < batch; d++)
        count *= size.v[d];
    f->begins = (const int64_t *)(const void *)cti_data(begins);
    f->plain = (const int64_t *)(const void *)cti_data(plain);
    f->lines = begins->shape[batch] - 1;
    int64_t other = cti_sparse_dim_at(layout, batch + 2, batch + 1);
    f->others = size.v[other] / (block ? block[other - batch] : 1);
    f->nnz = plain->shape[batch];
    f->ordered = true;
    bool good = made != NULL;
    for (int64_t b = 0; good && b < count; b++) {
        int64_t rest = b;
        for (int64_t d = batch; d-- > 0; rest /= size.v[d])
            for (int64_t i = 0; i < f->nnz; i++)
                out[d * shape[1] + b * f->nnz + i] = rest % size.v[d];
        f->line_of = out + cti_sparse_dim_at(layout, shape[0], batch) * shape[1] + b * f->nnz;
        f->other_of = out + cti_sparse_dim_at(layout, shape[0], batch + 1) * shape[1] + b * f->nnz;
        good = fill_matrix(f);
        f->begins += f->lines + 1;
        f->plain += f->nnz;
    }
    return cti_take_if(made, good);
}

static ct_tensor *on_host(struct cti_hold *h, ct_tensor *t)
{
    struct ct_device cpu = {CT_CPU, -1};
    t = cti_hold(h, ct_own_to(t, CT_INT64, cpu, false, false, CT_PRESERVE_FORMAT));
    return cti_hold(h, ct_own_contiguous(t, CT_CONTIGUOUS_FORMAT));
}

/* Computes the smallest size that contains all indices. */
static void guess_size(const ct_tensor *begins, const ct_tensor *plain, const ct_tensor *values,
                       enum ct_layout layout, int64_t *shape)
{
    int inner = cti_has_blocks(layout) ? 2 : 0, batch = begins->ndim - 1;
    const int64_t *block = values->shape + batch + 1;
    const int64_t *index = (const int64_t *)(const void *)cti_data(plain);
    int64_t most = -1;
    for (int64_t i = 0; i < plain->numel; i++)
        most = index[i] > most ? index[i] : most;
    for (int d = 0; d < values->ndim + 1 - inner; d++)
        shape[d] = d < batch ? begins->shape[d] : d < batch + 2 ? 0 : values->shape[d - 1 + inner];
    int64_t lines = begins->shape[batch] - 1;
    shape[cti_sparse_dim_at(layout, batch + 2, batch)] = lines < 0 ? 0 : lines;
    shape[cti_sparse_dim_at(layout, batch + 2, batch + 1)] = most < INT64_MAX ? most + 1 : most;
    for (int k = 0; k < inner; k++)
        shape[batch + k] = cti_mul_sat(shape[batch + k], block[k]);
}

ct_tensor *cti_op_sparse_compressed_tensor(ct_tensor *compressed_indices, ct_tensor *plain_indices,
                                           ct_tensor *values, ct_ints size, int layout,
                                           int check_invariants)
{
    struct cti_hold h = {0};
    int64_t shape[CTI_MAX_DIMS + 1];
    if (layout < CT_SPARSE_CSR || layout > CT_SPARSE_BSC)
        return ct_fail(CT_ERR_RUNTIME,
                       "sparse_compressed_tensor expected sparse compressed tensor layout but got "
                       "%s",
                       layout == CT_STRIDED ? "Strided"
                       : layout < 0         ? "none"
                                            : "Sparse");
    const struct terms *w = terms_of((enum ct_layout)layout);
    int inner = cti_has_blocks((enum ct_layout)layout) ? 2 : 0;
    struct filling f = {.terms = w, .strict = inner || check_invariants > 0};
    if (!compressed_check_dims(compressed_indices, plain_indices, values, w, inner,
                               check_invariants > 0))
        return NULL;
    if (ct_device_of(values).type == CT_META || ct_device_of(plain_indices).type == CT_META ||
        ct_device_of(compressed_indices).type == CT_META)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                       "compressed sparse tensors are not supported on the meta device");
    ct_tensor *begins = on_host(&h, compressed_indices), *made = NULL;
    ct_tensor *plain = begins ? on_host(&h, plain_indices) : NULL;
    if (plain && !size.v) {
        guess_size(begins, plain, values, (enum ct_layout)layout, shape);
        size = ct_ints_of(shape, values->ndim + 1 - inner);
    }
    if (plain && compressed_check_sizes(begins, plain, values, size, (enum ct_layout)layout)) {
        int64_t none[2] = {0, 0}, batch = begins->ndim - 1;
        const int64_t *block = inner ? values->shape + batch + 1 : none;
        ct_tensor *indices = cti_hold(
            &h, expanded(begins, plain, size, &f, (enum ct_layout)layout, inner ? block : NULL));
        if (indices && inner)
            indices = cti_hold(&h, cti_sparse_spread(indices, block));
        indices = cti_hold(&h, ct_own_to(indices, CT_NO_DTYPE, ct_device_of(values), false, false,
                                         CT_PRESERVE_FORMAT));
        ct_tensor *flat = indices ? cti_hold(&h, ct_own_flatten(values, 0, batch + inner)) : NULL;
        if (flat)
            made = cti_hold(&h, ct_own_sparse_compressed(indices, flat, size, f.ordered, layout,
                                                         compressed_indices->dtype == CT_INT32 &&
                                                             plain_indices->dtype == CT_INT32,
                                                         block[0], block[1]));
    }
    return cti_hold_end(&h, made);
}

/* ---- other layouts ---- */

bool cti_sparse_even(ct_tensor *t)
{
    int64_t n = cti_sparse_dims(t) - 2, count = cti_shape_numel((int)n, t->shape), least, most;
    if (count < 2)
        return count >= 0;
    ct_tensor *number = cti_sparse_number(cti_sparse_of(t)->indices, t->shape, CT_SPARSE_COO, n);
    ct_tensor *counts = ct_own_bincount(number, CT_NO_TENSOR, count);
    bool good =
        counts && cti_sparse_extremes(counts, &least, &most) &&
        (least == most ||
         cti_refuse(CT_ERR_RUNTIME, "Expect the same number of specified elements per batch."));
    cti_release_all(number, counts);
    return good;
}

ct_tensor *cti_sparse_to_take(ct_tensor *t, enum ct_layout layout, bool narrow)
{
    struct cti_hold h = {0};
    struct cti_coo c;
    if (!t || ct_layout_of(t) == layout)
        return t;
    cti_hold(&h, t);
    ct_tensor *made = NULL;
    enum ct_layout from = ct_layout_of(t);
    bool coo = layout == CT_SPARSE_COO;
    if (!coo && cti_sparse_dims(t) < 2)
        ct_fail(CT_ERR_RUNTIME,
                "coo_to_sparse_%s: conversion from Sparse to %s for input tensors with "
                "sparse_dim()!=2 is not supported",
                layout == CT_SPARSE_CSR ? "csr" : "csc",
                layout == CT_SPARSE_CSR ? "SparseCsr" : "SparseCsc");
    else if (cti_sparse_open(&c, t, true)) {
        ct_ints size = cti_shape_of(t);
        bool ordered = c.coalesced && layout != CT_SPARSE_CSC;
        made = cti_hold(&h, coo ? ct_own_sparse_coo(c.indices, c.values, size, ordered)
                                : ct_own_sparse_compressed(c.indices, c.values, size, ordered,
                                                           layout, narrow, 0, 0));
        /* As in PyTorch, coordinates from columns or blocks keep their order, unsorted. */
        if (made && !ordered && !(coo && (from == CT_SPARSE_CSC || cti_has_blocks(from))))
            made = cti_hold(&h, ct_own_sparse_sorted(made));
        made = made && (coo || cti_sparse_even(made)) ? made : NULL;
        cti_sparse_free(&c);
    }
    return cti_hold_end(&h, made);
}

ct_tensor *cti_sparse_to_take_like(ct_tensor *t, const ct_tensor *like)
{
    struct cti_sparse *kind = cti_sparse_of(like);
    if (t && cti_has_blocks(kind->layout) && ct_layout_of(t) != kind->layout)
        return cti_replace_take(t, cti_sparse_to_blocks(t, ct_dense_dim(like), kind));
    if (t && !cti_sparse_tensor(t) && kind->layout != CT_SPARSE_COO)
        t = cti_replace_take(
            t, ct_own_to_sparse(t, cti_sparse_dims(like), CT_SPARSE_COO, (ct_ints){0}, CT_NO_DIM));
    return t && cti_sparse_tensor(t) ? cti_sparse_to_take(t, kind->layout, kind->narrow) : t;
}

/* to_sparse_csr and to_sparse_csc: PyTorch's checks, then the conversion. The caller owns the
 * result. */
ct_tensor *cti_op_to_sparse_compressed(ct_tensor *input, int64_t dense_dim, int layout)
{
    int64_t dense = dense_dim == CT_NO_DIM ? 0 : dense_dim;
    const char *name = layout == CT_SPARSE_CSR ? "csr" : "csc";
    if (cti_has_blocks(ct_layout_of(input)))
        return ct_fail(CT_ERR_RUNTIME,
                       "sparse_compressed_to_sparse_%s: expected SparseCsr or SparseCsc layout but "
                       "got %s",
                       name, cti_layout_name(input));
    if (cti_sparse_tensor(input))
        return cti_sparse_to_take(ct_retain(input), layout, cti_sparse_of(input)->narrow);
    if (input->ndim < 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "dense_to_sparse_%s: expected a tensor of at least 2 dimensions, but got %d",
                       name, input->ndim);
    if (dense < 0 || dense > input->ndim - 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "dense_to_sparse_%s: dense_dim argument must be in [0,%d] range, but %lld "
                       "is given",
                       name, input->ndim - 2, (long long)dense);
    return cti_sparse_to_take(
        ct_own_to_sparse(input, input->ndim - dense, CT_SPARSE_COO, (ct_ints){0}, CT_NO_DIM),
        layout, false);
}

/* ---- access ---- */

ct_tensor *cti_op_compressed_indices(ct_tensor *input, int layout, bool plain)
{
    const struct terms *w = terms_of(layout);
    if (!cti_compressed(input) || cti_by_columns(ct_layout_of(input)) != cti_by_columns(layout))
        return ct_fail(CT_ERR_RUNTIME, "%s expected sparse %s compressed tensor layout but got %s",
                       plain ? w->plain : w->compressed, w->kind, cti_layout_name(input));
    ct_tensor *part = plain ? cti_sparse_plain(input) : cti_sparse_begins(input);
    return cti_replace_take(part,
                            ct_own_to(part, cti_sparse_of(input)->narrow ? CT_INT32 : CT_INT64,
                                      ct_device_of(input), false, false, CT_PRESERVE_FORMAT));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and frees sparse tensors, see Note [Sparse tensors], and computes the parts of the
 * compressed layouts. The operations are in src/ops/sparse. */
#include "core/sparse.h"
#include "core/check_args.h"

#include "core/alloc.h"
#include "core/backend.h"
#include "core/shape.h"

#include <string.h>

static void sparse_drop(void *context)
{
    struct cti_sparse *pair = context;
    ct_release(pair->indices);
    ct_release(pair->values);
    cti_free(pair);
}

/* Whether the row offsets of a compressed tensor, with one more entry for each matrix, can be
 * counted in an int64. */
static bool countable(int64_t n, const int64_t *size)
{
    int64_t most[CTI_MAX_DIMS + 1];
    for (int64_t d = 0; d < n; d++)
        most[d] = size[d] ? size[d] : 1;
    most[n] = 2;
    return cti_shape_numel((int)n + 1, most) >= 0;
}

ct_tensor *cti_sparse_take(ct_tensor *indices, ct_tensor *values, ct_ints size,
                           struct cti_sparse kind)
{
    static const int64_t none[CTI_MAX_DIMS];
    bool good =
        indices && values && (kind.layout == CT_SPARSE_COO || countable(indices->shape[0], size.v));
    struct cti_sparse *pair = good ? cti_malloc(sizeof *pair) : NULL;
    if (!pair) {
        ct_release(indices);
        ct_release(values);
        return NULL;
    }
    *pair = kind;
    pair->indices = indices;
    pair->values = values;
    struct ct_device device = {CTI_SPARSE_DEVICE, 0};
    enum ct_dtype dtype = ct_dtype(values);
    ct_tensor *t = cti_tensor_take(cti_storage_borrow(pair, 0, device, sparse_drop, pair), dtype,
                                   (int)size.n, size.v, none, 0);
    if (t)
        t->flags |= CTI_SPARSE;
    return t;
}

void *cti_sparse_refused(const char *operation)
{
    return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                   "Could not run 'aten::%s' with arguments from the 'SparseCPU' backend. This "
                   "could be because the operator doesn't exist for this backend.",
                   operation);
}

bool ct_is_sparse(const ct_tensor *t)
{
    return t && t->flags & CTI_SPARSE;
}

enum ct_layout ct_layout_of(const ct_tensor *t)
{
    return t && t->flags & CTI_SPARSE ? cti_sparse_of(t)->layout : CT_STRIDED;
}

const char *cti_layout_name(const ct_tensor *t)
{
    static const char *const names[] = {"Strided",   "Sparse",    "SparseCsr",
                                        "SparseCsc", "SparseBsr", "SparseBsc"};
    return names[ct_layout_of(t)];
}

int64_t ct_sparse_dim(const ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_sparse_dim", "t"))
        return -1;
    return !t ? -1 : cti_compressed(t) ? 2 : cti_sparse_dims(t);
}

int64_t ct_dense_dim(const ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_dense_dim", "t"))
        return -1;
    return t->ndim - cti_sparse_dims(t);
}

static struct cti_sparse *pair_of(const ct_tensor *t, const char *what)
{
    bool coo = t && t->flags & CTI_SPARSE && !cti_compressed(t);
    if (t && !coo)
        ct_fail(CT_ERR_NOT_IMPLEMENTED,
                "Could not run 'aten::%s' with arguments from the '%sCPU' backend. This could be "
                "because the operator doesn't exist for this backend.",
                what, cti_compressed(t) ? "SparseCsr" : "");
    return coo ? cti_sparse_of(t) : NULL;
}

/* ---- compressed tensors ---- */

static int64_t matrices(const ct_tensor *t)
{
    int64_t count = 1;
    for (int64_t d = 0; d < cti_sparse_dims(t) - 2; d++)
        count *= t->shape[d];
    return count;
}

/* How many elements a block has; 1 without blocks. */
static int64_t block_area(const ct_tensor *t)
{
    struct cti_sparse *pair = cti_sparse_of(t);
    return cti_has_blocks(pair->layout) ? pair->block[0] * pair->block[1] : 1;
}

int64_t ct_sparse_nnz(const ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_sparse_nnz", "t"))
        return -1;
    if (t && cti_compressed(t)) {
        int64_t count = matrices(t) * block_area(t), all = cti_sparse_of(t)->indices->shape[1];
        return count ? all / count : 0;
    }
    struct cti_sparse *pair = pair_of(t, "_nnz");
    return pair ? pair->indices->shape[1] : -1;
}

/* Takes `part`, whose first dim counts the values of all matrices, and returns it with the batch
 * dims instead, and if `blocks` with the two dims of a block behind them. */
static ct_tensor *apart_take(ct_tensor *part, const ct_tensor *t, bool blocks)
{
    int64_t n = cti_sparse_dims(t) - 2, shape[2 * CTI_MAX_DIMS], stride[2 * CTI_MAX_DIMS];
    struct cti_sparse *pair = cti_sparse_of(t);
    int more = blocks ? 2 : 0;
    if (!part)
        return NULL;
    shape[n] = ct_sparse_nnz(t);
    stride[n] = part->stride[0];
    for (int k = more; k > 0; k--) { /* from the last dim of a block to the first */
        shape[n + k] = pair->block[k - 1];
        stride[n + k] = stride[n];
        stride[n] *= shape[n + k];
    }
    for (int64_t d = n; d-- > 0;) {
        shape[d] = t->shape[d];
        stride[d] = stride[d + 1] * shape[d + 1];
    }
    for (int d = 1; d < part->ndim; d++) {
        shape[n + more + d] = part->shape[d];
        stride[n + more + d] = part->stride[d];
    }
    return cti_take_if(part, cti_tensor_set_geometry(part, (int)n + more + part->ndim, shape,
                                                     stride, part->offset));
}

ct_tensor *cti_sparse_batched(const ct_tensor *t)
{
    struct cti_sparse *pair = cti_sparse_of(t);
    return apart_take(cti_alias(pair->values), t, cti_has_blocks(pair->layout));
}

/* The column (CSC: row) of each block, counted in blocks. */
static ct_tensor *plain_of_blocks(const ct_tensor *t, int64_t row)
{
    struct cti_sparse *pair = cti_sparse_of(t);
    int64_t step = block_area(t), count = step ? pair->indices->shape[1] / step : 0;
    int64_t side = cti_sparse_side(pair, cti_sparse_dims(t), row);
    ct_tensor *made = cti_empty(1, &count, CT_INT64, (struct ct_device){CT_CPU, -1});
    ct_tensor *indices = made ? cti_host(pair->indices) : NULL;
    int64_t *out = indices ? (int64_t *)(void *)cti_data(made) : NULL;
    const int64_t *at = indices ? (const int64_t *)(const void *)cti_data(indices) : NULL;
    for (int64_t i = 0; out && i < count; i++)
        out[i] = at[row * indices->stride[0] + i * step * indices->stride[1]] / side;
    ct_release(indices);
    return cti_take_if(made, out != NULL);
}

ct_tensor *cti_sparse_plain(const ct_tensor *t)
{
    struct cti_sparse *pair = cti_sparse_of(t);
    int64_t n = cti_sparse_dims(t), row = cti_sparse_dim_at(pair->layout, n, n - 1);
    if (cti_has_blocks(pair->layout) && pair->indices->storage->device.type != CT_META)
        return apart_take(plain_of_blocks(t, row), t, false);
    ct_tensor *part = cti_alias(pair->indices);
    if (part && !cti_tensor_set_geometry(part, 1, part->shape + 1, part->stride + 1,
                                         part->offset + row * part->stride[0])) {
        ct_release(part);
        part = NULL;
    }
    return apart_take(part, t, false);
}

/* Counts the values of each row of each matrix. Checks the indices, which a program may have
 * changed. */
static bool count_rows(const ct_tensor *t, const ct_tensor *indices, int64_t *begins)
{
    int64_t n = cti_sparse_dims(t);
    const int64_t *at = (const int64_t *)(const void *)cti_data(indices);
    struct cti_sparse *pair = cti_sparse_of(t);
    for (int64_t i = 0; i < indices->shape[1]; i += block_area(t)) {
        int64_t line = 0;
        for (int64_t k = 0; k < n - 1; k++) {
            int64_t d = cti_sparse_dim_at(pair->layout, n, k), side = cti_sparse_side(pair, n, d);
            int64_t index = at[d * indices->stride[0] + i * indices->stride[1]];
            if (index < 0 || index >= t->shape[d])
                return cti_refuse(CT_ERR_RUNTIME,
                                  "size is inconsistent with indices: for dim %lld, size is %lld "
                                  "but found index %lld",
                                  (long long)d, (long long)t->shape[d], (long long)index);
            line = k < n - 2 ? line * t->shape[d] + index
                             : line * (t->shape[d] / side + 1) + index / side +
                                   1; /* each matrix begins with a 0 */
        }
        begins[line]++;
    }
    return true;
}

ct_tensor *cti_sparse_begins(const ct_tensor *t)
{
    struct cti_sparse *pair = cti_sparse_of(t);
    int64_t n = cti_sparse_dims(t), shape[CTI_MAX_DIMS];
    for (int64_t d = 0; d < n - 2; d++)
        shape[d] = t->shape[d];
    int64_t lines = cti_sparse_dim_at(pair->layout, n, n - 2);
    shape[n - 2] = t->shape[lines] / cti_sparse_side(pair, n, lines) + 1;
    struct ct_device device = pair->indices->storage->device;
    bool meta = device.type == CT_META;
    ct_tensor *made =
        cti_empty((int)n - 1, shape, CT_INT64, meta ? device : (struct ct_device){CT_CPU, -1});
    if (meta)
        return made;
    ct_tensor *indices = made ? cti_host(pair->indices) : NULL;
    int64_t *begins = made ? (int64_t *)(void *)cti_data(made) : NULL;
    if (made)
        memset(begins, 0, (size_t)made->numel * sizeof *begins);
    bool good = indices && count_rows(t, indices, begins);
    for (int64_t i = 0; good && i < made->numel; i++)
        if (i % shape[n - 2])
            begins[i] += begins[i - 1];
    ct_release(indices);
    return cti_take_if(made, good);
}

/* ---- coordinates ---- */

ct_tensor *ct_own_sparse_indices(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_own_sparse_indices", "t"))
        return NULL;
    struct cti_sparse *pair = pair_of(t, "_indices");
    return pair ? cti_alias(pair->indices) : NULL;
}

ct_tensor *ct_own_sparse_values(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_own_sparse_values", "t"))
        return NULL;
    struct cti_sparse *pair = pair_of(t, "_values");
    return pair ? cti_alias(pair->values) : NULL;
}

int ct_sparse_is_coalesced(const ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_sparse_is_coalesced", "t"))
        return -1;
    if (t && ct_layout_of(t) != CT_SPARSE_COO) {
        ct_fail(CT_ERR_RUNTIME, "is_coalesced expected sparse coordinate tensor layout but got %s",
                cti_layout_name(t));
        return -1;
    }
    return t ? cti_sparse_of(t)->coalesced : -1;
}

bool ct_sparse_set_coalesced(ct_tensor *t, bool coalesced)
{
    if (!cti_check_pointer(t, "ct_sparse_set_coalesced", "t"))
        return false;
    struct cti_sparse *pair = pair_of(t, "_coalesced_");
    if (pair)
        pair->coalesced = coalesced;
    return pair != NULL;
}

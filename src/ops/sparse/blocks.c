/* SPDX-License-Identifier: BSD-3-Clause */
/* Block compressed tensors (BSR, BSC): conversion, and the order of elements within a block. See
 * Note [Blocks] in core/sparse.h. */
#include "ops/sparse/sparse.h"

#include "fronts.h"

ct_tensor *cti_sparse_spread(ct_tensor *positions, const int64_t block[2])
{
    int64_t n = positions->shape[0], count = positions->shape[1], area = block[0] * block[1];
    int64_t shape[2] = {n, cti_mul_sat(count, area)};
    ct_tensor *made = cti_empty(2, shape, CT_INT64, (struct ct_device){CT_CPU, -1});
    ct_tensor *dense = made ? cti_contiguous(positions) : NULL;
    if (!dense)
        return cti_replace_take(made, NULL);
    const int64_t *at = (const int64_t *)(const void *)cti_data(dense);
    int64_t *out = (int64_t *)(void *)cti_data(made);
    for (int64_t d = 0; d < n; d++)
        for (int64_t i = 0; i < count; i++)
            for (int64_t k = 0; k < area; k++, out++)
                *out = d == n - 2   ? at[d * count + i] * block[0] + k / block[1]
                       : d == n - 1 ? at[d * count + i] * block[1] + k % block[1]
                                    : at[d * count + i];
    ct_release(dense);
    return made;
}

/* Transposes the elements within each block; dim `dim` of t lists the elements block by block. */
static ct_tensor *transpose_within(struct cti_hold *h, ct_tensor *t, int dim,
                                   const int64_t block[2])
{
    int64_t split[CTI_MAX_DIMS + 2], whole[CTI_MAX_DIMS], n = t->ndim;
    for (int64_t d = 0; d < n; d++) {
        whole[d] = t->shape[d];
        split[d < dim ? d : d + 2] = t->shape[d];
    }
    split[dim] = t->shape[dim] / (block[0] * block[1]);
    split[dim + 1] = block[0];
    split[dim + 2] = block[1];
    ct_tensor *blocks = cti_hold(h, ct_own_reshape(t, ct_ints_of(split, n + 2)));
    ct_tensor *other = cti_hold(h, ct_own_transpose(blocks, dim + 1, dim + 2));
    return cti_hold(h, ct_own_reshape(other, ct_ints_of(whole, n)));
}

bool cti_sparse_transpose_blocks(struct cti_hold *h, ct_tensor **indices, ct_tensor **values,
                                 const int64_t block[2])
{
    *indices = transpose_within(h, *indices, 1, block);
    *values = *indices ? transpose_within(h, *values, 0, block) : NULL;
    return *values != NULL;
}

/* [batch, block rows, block columns, rows, columns, dense dims]; block rows and columns are swapped
 * for BSC. h owns the result. */
static ct_tensor *as_blocks(struct cti_hold *h, ct_tensor *dense, int64_t batch,
                            const struct cti_sparse *kind)
{
    int64_t shape[CTI_MAX_DIMS + 2], order[CTI_MAX_DIMS + 2], n = dense->ndim;
    bool columns = cti_by_columns(kind->layout);
    for (int64_t d = 0; d < n + 2; d++) {
        shape[d] = d < batch ? dense->shape[d] : d < batch + 4 ? 0 : dense->shape[d - 2];
        order[d] = d;
    }
    for (int k = 0; k < 2; k++) {
        shape[batch + 2 * k] = dense->shape[batch + k] / kind->block[k];
        shape[batch + 2 * k + 1] = kind->block[k];
        order[batch + (columns ? 1 - k : k)] = batch + 2 * k;
        order[batch + 2 + k] = batch + 2 * k + 1;
    }
    ct_tensor *split = cti_hold(h, ct_own_reshape(dense, ct_ints_of(shape, n + 2)));
    return cti_hold(h, ct_own_permute(split, ct_ints_of(order, n + 2)));
}

/* Returns a dense mask of the stored entries, including explicit zeros. h owns the result. */
static ct_tensor *stored_mask(struct cti_hold *h, ct_tensor *t)
{
    struct cti_coo c;
    bool outer = cti_grad_pause();
    ct_tensor *made = NULL;
    if (cti_sparse_open(&c, t, true)) {
        ct_tensor *ones =
            ct_own_ones_like(c.values, CT_BOOL, CT_NO_DEVICE, false, CT_PRESERVE_FORMAT);
        ct_tensor *mask = cti_sparse_close(&c, ones);
        made = cti_hold(h, ct_own_to_dense(mask, CT_NO_DTYPE, -1));
        ct_release(mask);
    }
    cti_grad_restore(outer);
    return made;
}

ct_tensor *cti_sparse_to_blocks(ct_tensor *t, int64_t dense_dim, const struct cti_sparse *kind)
{
    struct cti_hold h = {0};
    bool sparse = cti_sparse_tensor(t);
    int64_t batch = t->ndim - 2 - dense_dim, n = batch + 2;
    ct_tensor *dense = sparse ? cti_hold(&h, ct_own_to_dense(t, CT_NO_DTYPE, -1)) : t, *made = NULL;
    ct_tensor *pattern = !dense ? NULL : sparse ? stored_mask(&h, t) : dense;
    ct_tensor *blocks = pattern ? as_blocks(&h, dense, batch, kind) : NULL;
    ct_tensor *nonzero = blocks ? as_blocks(&h, pattern, batch, kind) : NULL;
    nonzero = nonzero ? cti_hold(&h, ct_own_ne(V(nonzero), ct_value_int(0))) : NULL;
    nonzero = cti_hold(&h, ct_own_flatten(nonzero, n, -1));
    nonzero = cti_hold(&h, ct_own_any(nonzero, CT_DIMS(-1), false));
    ct_tensor *positions = cti_hold(&h, ct_own_nonzero(nonzero));
    positions = cti_hold(&h, ct_own_t(positions));
    ct_tensor *values = positions ? cti_hold(&h, cti_sparse_pick(blocks, positions)) : NULL;
    values = cti_hold(&h, ct_own_flatten(values, 0, 2));
    if (values && cti_by_columns(kind->layout)) { /* indices go back to rows, columns */
        ct_tensor *row[CTI_MAX_DIMS];
        for (int64_t d = 0; d < n; d++)
            row[d] = cti_sparse_row(&h, positions, d < batch ? d : n - 1 - (d - batch));
        positions = cti_hold(&h, ct_own_stack(ct_list_of(row, n), 0));
    }
    struct ct_device cpu = {CT_CPU, -1};
    ct_tensor *host =
        values
            ? cti_hold(&h, ct_own_to(positions, CT_NO_DTYPE, cpu, false, false, CT_PRESERVE_FORMAT))
            : NULL;
    ct_tensor *indices = host ? cti_hold(&h, cti_sparse_spread(host, kind->block)) : NULL;
    indices = cti_hold(
        &h, ct_own_to(indices, CT_NO_DTYPE, ct_device_of(t), false, false, CT_PRESERVE_FORMAT));
    if (indices)
        made = cti_hold(&h, ct_own_sparse_compressed(indices, values, cti_shape_of(t), true,
                                                     kind->layout, kind->narrow, kind->block[0],
                                                     kind->block[1]));
    return cti_hold_end(&h, made && cti_sparse_even(made) ? made : NULL);
}

/* to_sparse_bsr and to_sparse_bsc: PyTorch's checks, then the conversion. The caller owns the
 * result. */
ct_tensor *cti_op_to_sparse_blocks(ct_tensor *input, ct_ints blocksize, int64_t dense_dim,
                                   int layout)
{
    const char *name = layout == CT_SPARSE_BSR ? "bsr" : "bsc";
    int64_t dense = cti_sparse_tensor(input) ? ct_dense_dim(input)
                    : dense_dim == CT_NO_DIM ? 0
                                             : dense_dim;
    if (blocksize.n != 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "dense_to_sparse_%s: blocksize needs to be a tuple of size 2, but got %lld",
                       name, (long long)blocksize.n);
    if (blocksize.v[0] < 1 || blocksize.v[1] < 1)
        return ct_fail(CT_ERR_RUNTIME,
                       "dense_to_sparse_%s: blocksize needs to be positive, but got [%lld, %lld]",
                       name, (long long)blocksize.v[0], (long long)blocksize.v[1]);
    if (input->ndim < 2)
        return ct_fail(CT_ERR_INDEX,
                       "Dimension out of range (expected to be in range of [%d, %d], but got -2)",
                       input->ndim ? -input->ndim : -1, input->ndim ? input->ndim - 1 : 0);
    if (dense < 0 || dense > input->ndim - 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "dense_to_sparse_%s: dense_dim argument must be in [0,%d] range, but %lld "
                       "is given",
                       name, input->ndim - 2, (long long)dense);
    const int64_t *size = input->shape + input->ndim - 2 - dense;
    if (size[0] % blocksize.v[0] || size[1] % blocksize.v[1])
        return ct_fail(CT_ERR_RUNTIME,
                       "dense_to_sparse_%s: tensor sparse size (%lld,%lld) must be divisible by "
                       "given blocksize (%lld,%lld)",
                       name, (long long)size[0], (long long)size[1], (long long)blocksize.v[0],
                       (long long)blocksize.v[1]);
    struct cti_sparse kind = {.layout = layout, .block = {blocksize.v[0], blocksize.v[1]}};
    if (cti_compressed(input))
        kind.narrow = cti_sparse_of(input)->narrow;
    if (ct_layout_of(input) == kind.layout && cti_sparse_of(input)->block[0] == kind.block[0] &&
        cti_sparse_of(input)->block[1] == kind.block[1])
        return ct_retain(input);
    return cti_sparse_to_blocks(input, dense, &kind);
}

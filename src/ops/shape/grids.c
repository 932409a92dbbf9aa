/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements meshgrid, cartesian_prod, combinations and block_diag, declared in stacks.toml. All
 * but block_diag are composed of differentiable operations. */
#include "core/alloc.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"

#include <string.h>

/* ---- meshgrid ---- */

static bool check_grid(ct_list tensors)
{
    if (!tensors.n)
        return cti_refuse(CT_ERR_RUNTIME, "meshgrid expects a non-empty TensorList");
    for (int64_t i = 0; i + 1 < tensors.n; i++)
        if (tensors.v[i]->dtype != tensors.v[i + 1]->dtype)
            return cti_refuse(CT_ERR_RUNTIME,
                              "meshgrid expects all tensors to have the same dtype");
    for (int64_t i = 0; i < tensors.n; i++)
        if (tensors.v[i]->ndim > 1) {
            char text[CTI_SHAPE_TEXT];
            return cti_refuse(
                CT_ERR_RUNTIME,
                "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: "
                "a tensor of shape %s",
                cti_shape_text(text, tensors.v[i]->ndim, tensors.v[i]->shape));
        }
    if (tensors.n > CTI_MAX_DIMS)
        return cti_refuse(CT_ERR_RUNTIME, "a tensor can have at most %d dimensions", CTI_MAX_DIMS);
    return true;
}

/* Returns a vector along dim `at` of a grid, expanded to the shape of the grid. */
static ct_tensor *along_grid(ct_tensor *vector, int at, int ndim, const int64_t *shape)
{
    int64_t flat[CTI_MAX_DIMS];
    for (int d = 0; d < ndim; d++)
        flat[d] = d == at ? vector->numel : 1;
    ct_tensor *thin = ct_own_view(vector, ct_ints_of(flat, ndim));
    return cti_replace_take(thin, ct_own_expand(thin, ct_ints_of(shape, ndim), false));
}

ct_list cti_op_meshgrid(ct_list tensors, const char *indexing)
{
    int64_t shape[CTI_MAX_DIMS];
    static bool said;
    if (!indexing)
        cti_warn_once(
            &said,
            "torch.meshgrid: in an upcoming release, it will be required to pass the indexing "
            "argument.");
    if (!check_grid(tensors))
        return CT_NO_LIST;
    bool swapped = indexing && strcmp(indexing, "xy") == 0;
    if (indexing && !swapped && strcmp(indexing, "ij") != 0)
        return cti_no_list(
            ct_fail(CT_ERR_RUNTIME,
                    "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: %s",
                    indexing));
    int ndim = (int)tensors.n;
    swapped = swapped && ndim > 1;
    for (int d = 0; d < ndim; d++)
        shape[swapped && d < 2 ? 1 - d : d] = tensors.v[d]->numel;
    ct_tensor **grid = cti_calloc((size_t)tensors.n, sizeof *grid);
    bool good = grid;
    for (int d = 0; good && d < ndim; d++)
        good = (grid[d] = along_grid(tensors.v[d], swapped && d < 2 ? 1 - d : d, ndim, shape));
    return cti_list_take_if(grid, ndim, good);
}

static bool grid_check_vector(const ct_tensor *t)
{
    char text[CTI_SHAPE_TEXT];
    return t->ndim == 1 || cti_refuse(CT_ERR_RUNTIME, "Expect a 1D vector, but got shape %s",
                                      cti_shape_text(text, t->ndim, t->shape));
}

ct_tensor *cti_op_cartesian_prod(ct_list tensors)
{
    for (int64_t i = 0; i < tensors.n; i++)
        if (!grid_check_vector(tensors.v[i]))
            return NULL;
    if (tensors.n == 1)
        return ct_retain(tensors.v[0]);
    ct_list grid = cti_op_meshgrid(tensors, "ij");
    ct_tensor **flat = grid.v ? cti_calloc((size_t)grid.n, sizeof *flat) : NULL;
    bool good = flat;
    for (int64_t i = 0; good && i < grid.n; i++)
        good = (flat[i] = ct_own_flatten(grid.v[i], 0, -1));
    ct_tensor *result = good ? ct_own_stack(ct_list_of(flat, grid.n), 1) : NULL;
    for (int64_t i = 0; flat && i < grid.n; i++)
        ct_release(flat[i]);
    cti_free(flat);
    ct_list_release(grid);
    return result;
}

/* ---- combinations ---- */

/* Returns a bool mask of the grid, [n, n, ...] with r dims: true where each index is greater than
 * (or equal to) the index before it. */
static ct_tensor *rising(ct_list grid, bool with_replacement)
{
    ct_tensor *mask = NULL;
    for (int64_t i = 0; i + 1 < grid.n; i++) {
        ct_value a = V(grid.v[i]), b = V(grid.v[i + 1]);
        ct_tensor *pair = with_replacement ? ct_own_le(a, b) : ct_own_lt(a, b);
        ct_tensor *both = ct_own_logical_and(mask, pair);
        bool first = i == 0;
        ct_release(mask);
        mask = first ? pair : both;
        if (!first)
            ct_release(pair);
        if (!mask)
            return NULL;
    }
    return mask;
}

/* Returns the indices of all combinations of r out of n, [count, r]. */
static ct_tensor *combined_positions(int64_t n, int64_t r, bool with_replacement,
                                     struct ct_device device)
{
    ct_tensor *range =
        ct_own_arange(ct_value_int(0), ct_value_int(n), ct_value_int(1), CT_INT64, device, false);
    ct_tensor *vectors[CTI_MAX_DIMS], *result = NULL, *mask = NULL, *at = NULL;
    for (int64_t i = 0; i < r; i++)
        vectors[i] = range;
    ct_list grid = range ? cti_op_meshgrid(ct_list_of(vectors, r), "ij") : CT_NO_LIST;
    if (grid.v && r == 1)
        result = ct_own_unsqueeze(range, 1);
    else if (grid.v && (mask = rising(grid, with_replacement)))
        at = ct_own_nonzero(mask);
    if (at)
        result = ct_own_clone(at, CT_CONTIGUOUS_FORMAT);
    cti_release_all(range, mask, at);
    ct_list_release(grid);
    return result;
}

ct_tensor *cti_op_combinations(ct_tensor *input, int64_t r, bool with_replacement)
{
    if (!grid_check_vector(input))
        return NULL;
    if (r < 0)
        return ct_fail(CT_ERR_RUNTIME, "Expect a non-negative number, but got %lld", (long long)r);
    if (r > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "a tensor can have at most %d dimensions", CTI_MAX_DIMS);
    struct ct_device device = input->storage->device;
    if (r == 0)
        return cti_empty(1, &r, input->dtype, device);
    ct_tensor *at = combined_positions(input->numel, r, with_replacement, device);
    return cti_replace_take(at, at ? ct_own_index_Tensor(input, ct_list_of(&at, 1)) : NULL);
}

/* ---- block_diag ---- */

static bool put_block(ct_tensor *whole, ct_tensor *block, int64_t *at)
{
    int64_t shape[2] = {block->ndim == 2 ? block->shape[0] : 1,
                        block->ndim == 2 ? block->shape[1] : block->numel};
    int64_t offset = at[0] * whole->stride[0] + at[1] * whole->stride[1];
    ct_tensor *part = cti_view(whole, 2, shape, whole->stride, offset);
    bool good = part && cti_copy(part, block);
    ct_release(part);
    at[0] += shape[0];
    at[1] += shape[1];
    return good;
}

/* The promoted dtype of all tensors; CT_NO_DTYPE: the error is set. */
static enum ct_dtype promoted_dtype(ct_list tensors)
{
    ct_value *operand = cti_malloc(sizeof *operand * (size_t)tensors.n);
    for (int64_t i = 0; operand && i < tensors.n; i++)
        operand[i] = V(tensors.v[i]);
    enum ct_dtype dtype = operand ? cti_result_type(operand, (int)tensors.n) : CT_NO_DTYPE;
    cti_free(operand);
    return dtype;
}

ct_tensor *cti_op_block_diag(ct_list tensors)
{
    if (!tensors.n)
        return cti_empty(2, (int64_t[]){1, 0}, ct_get_default_dtype(), ct_get_default_device());
    int64_t shape[2] = {0, 0}, at[2] = {0, 0};
    for (int64_t i = 0; i < tensors.n; i++) {
        const ct_tensor *t = tensors.v[i];
        if (t->ndim > 2)
            return ct_fail(CT_ERR_RUNTIME,
                           "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input "
                           "%lld has %d dimensions",
                           (long long)i, t->ndim);
        if (__builtin_add_overflow(shape[0], t->ndim == 2 ? t->shape[0] : 1, &shape[0]) ||
            __builtin_add_overflow(shape[1], t->ndim == 2 ? t->shape[1] : t->numel, &shape[1]))
            return cti_shape_fail(2, shape, NULL);
    }
    enum ct_dtype dtype = promoted_dtype(tensors);
    ct_tensor *whole =
        dtype == CT_NO_DTYPE ? NULL : cti_zeros(2, shape, dtype, tensors.v[0]->storage->device);
    bool good = whole;
    for (int64_t i = 0; good && i < tensors.n; i++)
        good = put_block(whole, tensors.v[i], at);
    return cti_take_new_if(whole, good);
}

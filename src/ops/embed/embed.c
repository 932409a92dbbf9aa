/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a table: lookup is index_select, its derivative adds rows at their numbers. Bags are made
 * of recorded operations, sums of an engine's where the device has it. Called by the fronts of
 * embed.toml. */
#include "autograd/autograd.h"
#include "core/alloc.h"
#include "core/hold.h"
#include "fronts.h"
#include "ops/front.h"

static ct_value tensor(ct_tensor *t)
{
    return ct_value_tensor(t);
}

static bool check_indices(const ct_tensor *t, const char *name, const char *of)
{
    if (t->dtype == CT_INT64 || t->dtype == CT_INT32)
        return true;
    return cti_refuse(
        CT_ERR_RUNTIME,
        "Expected tensor for argument #1 '%s' to have one of the following scalar types: "
        "Long, Int; but got torch.%sTensor instead (while checking arguments for %s)",
        name, cti_dtype_scalar_name((enum ct_dtype)t->dtype), of);
}

ct_tensor *cti_op_embedding(ct_tensor *weight, ct_tensor *indices, int64_t padding_idx,
                            bool scale_grad_by_freq, bool sparse)
{
    (void)padding_idx, (void)scale_grad_by_freq, (void)sparse;
    if (weight->ndim != 2)
        return ct_fail(CT_ERR_RUNTIME, "'weight' must be 2-D");
    if (!check_indices(indices, "indices", "embedding"))
        return NULL;
    struct cti_hold h = {0};
    int64_t shape[CTI_MAX_DIMS], all = -1;
    for (int d = 0; d < indices->ndim && d < CTI_MAX_DIMS - 1; d++)
        shape[d] = indices->shape[d];
    shape[indices->ndim] = weight->shape[1];
    ct_tensor *flat = cti_hold(&h, ct_own_reshape(indices, ct_ints_of(&all, 1)));
    ct_tensor *rows = flat ? cti_hold(&h, ct_own_index_select(weight, 0, flat)) : NULL;
    return cti_hold_end(
        &h, rows ? cti_hold(&h, ct_own_view(rows, ct_ints_of(shape, indices->ndim + 1))) : NULL);
}

/* ---- bags ---- */

static bool read_offset(ct_tensor *offsets, int64_t at, int64_t *value)
{
    ct_tensor *one = ct_own_select(offsets, 0, at);
    ct_value read = ct_item_value(one);
    *value = read.kind == CT_VALUE_NULL ? 0 : cti_value_int(read);
    ct_release(one);
    return read.kind != CT_VALUE_NULL;
}

static bool check_bags(const ct_tensor *weight, const ct_tensor *indices, ct_tensor *offsets)
{
    if (weight->ndim != 2)
        return cti_refuse(CT_ERR_RUNTIME,
                          "weight has to be a 2D Tensor, but got Tensor of dimension %d",
                          weight->ndim);
    if (indices->ndim != 1 || offsets->ndim != 1)
        return cti_refuse(CT_ERR_RUNTIME, "input and offsets have to be 1D Tensors");
    if (!check_indices(indices, "indices", "embedding_bag") ||
        !check_indices(offsets, "offsets", "embedding_bag"))
        return false;
    int64_t n = offsets->shape[0], first = 0, last = 0;
    if (n == 0 || ct_device_of(offsets).type != CT_CPU)
        return true;
    if (!read_offset(offsets, 0, &first) || !read_offset(offsets, n - 1, &last))
        return false;
    if (first != 0)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to "
            "start from position 0. However, got %lld",
            (long long)first);
    if (last > indices->shape[0])
        return cti_refuse(CT_ERR_RUNTIME,
                          "offsets[-1] can not be greater than input's length({%lld}) but got "
                          "offsets[-1] of %lld",
                          (long long)indices->shape[0], (long long)last);
    return true;
}

/* An engine adds rows where they lie, else they are looked up and added. */
ct_tensor *cti_op_embedding_sum(ct_tensor *weight, ct_tensor *indices, ct_tensor *bag,
                                ct_tensor *ends, bool scale_grad_by_freq)
{
    (void)scale_grad_by_freq;
    if (weight->ndim != 2 || indices->ndim != 1 || bag->ndim != 1 || ends->ndim != 1)
        return ct_fail(CT_ERR_RUNTIME, "embedding_sum(): weight has two dims, all others have one");
    if (!check_indices(indices, "indices", "embedding_sum"))
        return NULL;
    struct cti_hold h = {0};
    const struct cti_backend *backend = cti_backend_of(weight);
    int64_t shape[2] = {ends->shape[0], weight->shape[1]}, bad;
    struct ct_device device = ct_device_of(weight);
    bool plain = weight->dtype == CT_FLOAT32 || weight->dtype == CT_FLOAT64;
    ct_tensor *out = NULL;
    if (!plain || weight->storage->device.type != CT_CPU || weight->stride[1] != 1 ||
        weight->shape[1] < 2) {
        out = cti_hold(&h, ct_own_zeros(ct_ints_of(shape, 2), weight->dtype, device, false));
        ct_tensor *rows = cti_hold(&h, ct_own_index_select(weight, 0, indices));
        return cti_hold_end(
            &h, out && rows ? cti_hold(&h, ct_own_index_add(out, 0, bag, rows, ct_value_int(1)))
                            : NULL);
    }
    ct_tensor *wide = cti_hold(&h, cti_cast(indices, CT_INT64));
    ct_tensor *at = wide ? cti_hold(&h, ct_own_contiguous(wide, CT_CONTIGUOUS_FORMAT)) : NULL;
    ct_tensor *in = at ? cti_hold(&h, cti_resolve(weight)) : NULL;
    ct_tensor *count = in ? cti_hold(&h, cti_cast(ends, CT_INT64)) : NULL;
    ct_tensor *last = count ? cti_hold(&h, ct_own_contiguous(count, CT_CONTIGUOUS_FORMAT)) : NULL;
    out = last ? cti_hold(&h, cti_empty(2, shape, weight->dtype, device)) : NULL;
    if (out && at->numel && !backend->index_check(at, weight->shape[0], false, &bad))
        out = ct_fail(CT_ERR_INDEX, "index out of range in self");
    return cti_hold_end(&h,
                        out && (!out->numel || backend->bag_sum(out, in, at, last)) ? out : NULL);
}

static ct_tensor *zeros(struct cti_hold *h, int64_t rows, int64_t columns, const ct_tensor *like,
                        enum ct_dtype dtype)
{
    int64_t shape[2] = {rows, columns};
    return cti_hold(
        h, ct_own_zeros(ct_ints_of(shape, columns < 0 ? 1 : 2), dtype, ct_device_of(like), false));
}

/* How many bags begin up to each index: a running sum of marks, which costs less than a search for
 * every index. */
static ct_tensor *begun_by_marks(struct cti_hold *h, ct_tensor *starts, int64_t n)
{
    ct_tensor *none = zeros(h, cti_add_sat(n, 1), -1, starts, CT_INT64);
    ct_tensor *inside = cti_hold(h, ct_own_clamp(starts, ct_value_int(0), ct_value_int(n)));
    ct_tensor *one =
        cti_hold(h, ct_own_ones_like(starts, CT_INT64, CT_NO_DEVICE, false, CT_PRESERVE_FORMAT));
    ct_tensor *marks = none && inside && one
                           ? cti_hold(h, ct_own_index_add(none, 0, inside, one, ct_value_int(1)))
                           : NULL;
    ct_tensor *begun = marks ? cti_hold(h, ct_own_cumsum(marks, 0, CT_NO_DTYPE)) : NULL;
    return begun ? cti_hold(h, ct_own_narrow(begun, 0, 0, n)) : NULL;
}

static ct_tensor *begun_by_search(struct cti_hold *h, ct_tensor *starts, int64_t n)
{
    ct_tensor *place = cti_hold(h, ct_own_arange(ct_value_int(0), ct_value_int(n), ct_value_int(1),
                                                 starts->dtype, ct_device_of(starts), false));
    return place ? cti_hold(h, ct_own_searchsorted(starts, tensor(place), false, true, NULL,
                                                   CT_NO_TENSOR))
                 : NULL;
}

/* The number of the bag of each index: how many bags begin up to it, less one. */
static ct_tensor *bag_of_each(struct cti_hold *h, ct_tensor *indices, ct_tensor *offsets,
                              int64_t bags)
{
    int64_t n = indices->shape[0];
    ct_tensor *starts = cti_hold(h, ct_own_narrow(offsets, 0, 0, bags));
    if (!starts)
        return NULL;
    ct_tensor *begun = ct_device_of(starts).type == CT_CPU ? begun_by_marks(h, starts, n)
                                                           : begun_by_search(h, starts, n);
    return begun ? cti_hold(h, ct_own_sub(tensor(begun), ct_value_int(1), ct_value_int(1))) : NULL;
}

static ct_tensor *column(struct cti_hold *h, ct_tensor *t)
{
    return t ? cti_hold(h, ct_own_unsqueeze(t, 1)) : NULL;
}

/* The rows of the greatest elements, the first of equals. */
static ct_tensor *greatest_rows(struct cti_hold *h, ct_tensor *rows, ct_tensor *output,
                                ct_tensor *indices, ct_tensor *bag, ct_tensor *place)
{
    ct_tensor *none = zeros(h, output->shape[0], output->shape[1], indices, CT_INT64);
    ct_tensor *of_bag = cti_hold(h, ct_own_index_select(output, 0, bag));
    ct_tensor *is = of_bag ? cti_hold(h, ct_own_eq(tensor(rows), tensor(of_bag))) : NULL;
    ct_tensor *wide =
        cti_hold(h, cti_cast(indices, CT_INT64)); /* as wide as what stands for none */
    ct_tensor *number = column(h, wide);
    ct_tensor *which = is && number
                           ? cti_hold(h, ct_own_where(is, tensor(number), ct_value_int(INT64_MAX)))
                           : NULL;
    return none && which ? ct_own_scatter_reduce(none, 0, place, which, "amin", false) : NULL;
}

struct bags {
    ct_tensor *indices, *bag, *scale; /* without padding; CT_NO_TENSOR: no scale */
    ct_tensor *size;                  /* of each bag */
};

/* Leaves out the indices that are padding. */
static bool leave_out(struct cti_hold *h, struct bags *b, int64_t padding_idx)
{
    ct_tensor *kept = cti_hold(h, ct_own_ne(tensor(b->indices), ct_value_int(padding_idx)));
    if (!kept)
        return false;
    b->indices = cti_hold(h, ct_own_masked_select(b->indices, kept));
    b->bag = cti_hold(h, ct_own_masked_select(b->bag, kept));
    if (b->scale != CT_NO_TENSOR)
        b->scale = cti_hold(h, ct_own_masked_select(b->scale, kept));
    return b->indices && b->bag && b->scale;
}

enum { SUM, MEAN, MAX };
enum { OUTPUT, BAG_OF_EACH, BAG_SIZE, GREATEST, RESULTS };

/* The rows of all bags, times their scale. */
static ct_tensor *rows_of(struct cti_hold *h, ct_tensor *weight, const struct bags *b,
                          bool scale_grad_by_freq, bool sparse)
{
    ct_tensor *rows =
        cti_hold(h, ct_own_embedding(weight, b->indices, -1, scale_grad_by_freq, sparse));
    ct_tensor *scale = rows && b->scale != CT_NO_TENSOR ? column(h, b->scale) : NULL;
    return scale ? cti_hold(h, ct_own_mul(tensor(rows), tensor(scale))) : rows;
}

static bool fill_greatest(struct cti_hold *h, ct_tensor **r, ct_tensor *rows, const struct bags *b,
                          int64_t bags)
{
    ct_tensor *start = zeros(h, bags, rows->shape[1], rows, rows->dtype);
    ct_tensor *place = column(h, b->bag);
    place = place ? cti_hold(h, ct_own_expand_as(place, rows)) : NULL;
    if (!start || !place)
        return false;
    r[OUTPUT] = ct_own_scatter_reduce(start, 0, place, rows, "amax", false);
    r[GREATEST] = r[OUTPUT] ? greatest_rows(h, rows, r[OUTPUT], b->indices, b->bag, place) : NULL;
    return r[GREATEST];
}

/* Sums or means; rows that are to be scaled, or to get a sparse gradient, are looked up first. */
static bool fill_sums(struct cti_hold *h, ct_tensor **r, ct_tensor *weight, const struct bags *b,
                      int64_t mode, bool scale_grad_by_freq, bool sparse)
{
    ct_tensor *sums = NULL;
    if (b->scale == CT_NO_TENSOR && !sparse) {
        ct_tensor *ends = cti_hold(h, ct_own_cumsum(b->size, 0, CT_NO_DTYPE));
        sums = ends ? ct_own_embedding_sum(weight, b->indices, b->bag, ends, scale_grad_by_freq)
                    : NULL;
    } else {
        ct_tensor *start = zeros(h, b->size->shape[0], weight->shape[1], weight, weight->dtype);
        ct_tensor *rows = start ? rows_of(h, weight, b, scale_grad_by_freq, sparse) : NULL;
        sums = rows ? ct_own_index_add(start, 0, b->bag, rows, ct_value_int(1)) : NULL;
    }
    if (mode == MEAN && cti_hold(h, sums)) {
        ct_tensor *divisor = cti_hold(h, ct_own_clamp_min(b->size, ct_value_int(1)));
        divisor = column(h, divisor);
        sums = divisor ? ct_own_div(tensor(sums), tensor(divisor), NULL) : NULL;
    }
    r[OUTPUT] = sums;
    r[GREATEST] = ct_own_clone(b->size, CT_PRESERVE_FORMAT); /* as in PyTorch, of no meaning */
    return r[OUTPUT] && r[GREATEST];
}

ct_list cti_op_embedding_bag(ct_tensor *weight, ct_tensor *indices, ct_tensor *offsets,
                             bool scale_grad_by_freq, int64_t mode, bool sparse,
                             ct_tensor *per_sample_weights, bool include_last_offset,
                             int64_t padding_idx)
{
    ct_list none = {NULL, 0};
    ct_tensor **r = check_bags(weight, indices, offsets) ? cti_calloc(RESULTS, sizeof *r) : NULL;
    if (!r)
        return none;
    int64_t bags = offsets->shape[0] - (include_last_offset && offsets->shape[0] > 0);
    struct cti_hold h = {0};
    struct bags b = {.indices = indices, .scale = per_sample_weights};
    b.bag = bag_of_each(&h, indices, offsets, bags);
    r[BAG_OF_EACH] = b.bag ? ct_retain(b.bag) : NULL;
    if (padding_idx != CT_NO_DIM)
        padding_idx += padding_idx < 0 ? weight->shape[0] : 0;
    bool good = b.bag && (padding_idx == CT_NO_DIM || leave_out(&h, &b, padding_idx));
    r[BAG_SIZE] = good ? ct_own_bincount(b.bag, CT_NO_TENSOR, bags) : NULL;
    b.size = r[BAG_SIZE];
    good = b.size;
    if (good && mode == MAX) {
        ct_tensor *rows = rows_of(&h, weight, &b, scale_grad_by_freq, sparse);
        good = rows && fill_greatest(&h, r, rows, &b, bags);
    } else if (good) {
        good = fill_sums(&h, r, weight, &b, mode, scale_grad_by_freq, sparse);
    }
    cti_hold_end(&h, NULL);
    if (good)
        return ct_list_of(r, RESULTS);
    ct_list_release(ct_list_of(r, RESULTS));
    return none;
}

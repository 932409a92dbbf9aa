/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements embedding_bag, declared in embed.toml: sums, means or maxima of bags of rows, composed
 * of differentiable operations. If the device has an engine for the sums, it computes them. */
#include <math.h>

#include "autograd/autograd.h"
#include "core/alloc.h"
#include "core/hold.h"
#include "embed.h"
#include "fronts.h"
#include "ops/front.h"

enum { SUM, MEAN, MAX };
enum { OUTPUT, BAG_OF_EACH, BAG_SIZE, GREATEST, RESULTS };
/* ---- checks, with PyTorch's error messages ---- */

static bool read_item(ct_tensor *one, int64_t *value)
{
    ct_value read = ct_item_value(one);
    *value = read.kind == CT_VALUE_NULL ? 0 : cti_value_int(read);
    return read.kind != CT_VALUE_NULL;
}

static bool read_offset(ct_tensor *offsets, int64_t at, int64_t *value)
{
    ct_tensor *one = ct_own_select(offsets, 0, at);
    bool good = read_item(one, value);
    ct_release(one);
    return good;
}

static bool bag_check_weight(const ct_tensor *weight)
{
    if (weight->ndim != 2)
        return cti_refuse(CT_ERR_RUNTIME,
                          "weight has to be a 2D Tensor, but got Tensor of dimension %d",
                          weight->ndim);
    if (weight->dtype >= CT_FLOAT16 && !ct_dtype_is_complex((enum ct_dtype)weight->dtype))
        return true;
    /* PyTorch's message says torch.IntTensor, but CPUComplexFloatType. */
    bool complex = ct_dtype_is_complex((enum ct_dtype)weight->dtype);
    return cti_refuse(CT_ERR_RUNTIME,
                      "Expected tensor for argument #1 'weight' to have one of the following "
                      "scalar types: Half, BFloat16, Float, Double; but got %s%s%s instead "
                      "(while checking arguments for embedding_bag)",
                      complex ? "CPU" : "torch.",
                      cti_dtype_scalar_name((enum ct_dtype)weight->dtype),
                      complex ? "Type" : "Tensor");
}

static bool check_scale(const ct_tensor *weight, const ct_tensor *indices, int64_t mode,
                        const ct_tensor *scale)
{
    const char *improve = "(Could this error message be improved?  If so, please report an "
                          "enhancement request to PyTorch.)";
    if (scale == CT_NO_TENSOR)
        return true;
    if (mode != SUM)
        return cti_refuse(CT_ERR_RUNTIME,
                          "embedding_bag: per_sample_weights only supported with mode='sum'");
    if (scale->dtype != weight->dtype)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Expected tensor for argument #1 'weight' to have the same type as "
                          "tensor for argument #1 'per_sample_weights'; but type torch.%sTensor "
                          "does not equal torch.%sTensor (while checking arguments for "
                          "embedding_bag)",
                          cti_dtype_scalar_name((enum ct_dtype)weight->dtype),
                          cti_dtype_scalar_name((enum ct_dtype)scale->dtype));
    if (scale->ndim != 1)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Expected per_sample_weights.value().dim() == 1 to be true, but got "
                          "false.  %s",
                          improve);
    if (scale->numel != indices->numel)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Expected per_sample_weights.value().numel() == indices.numel() to be "
                          "true, but got false.  %s",
                          improve);
    return true;
}

static bool check_padding(const ct_tensor *weight, int64_t *padding_idx)
{
    int64_t rows = weight->shape[0];
    if (*padding_idx == CT_NO_DIM || (*padding_idx >= 0 && *padding_idx < rows))
        return true;
    if (*padding_idx < -rows || *padding_idx >= rows)
        return cti_refuse(CT_ERR_RUNTIME,
                          "padding_idx must be within the number of embeddings, -%lld through "
                          "%lld, but got %lld",
                          (long long)rows, (long long)rows - 1, (long long)*padding_idx);
    *padding_idx += rows;
    return true;
}

/* Whether some offset is less than the one before it; -1: failed. */
static int any_decreases(ct_tensor *offsets)
{
    struct cti_hold h = {0};
    int64_t n = offsets->shape[0], some = 0;
    ct_tensor *before = cti_hold(&h, ct_own_narrow(offsets, 0, 0, n - 1));
    ct_tensor *after = cti_hold(&h, ct_own_narrow(offsets, 0, 1, n - 1));
    ct_tensor *less = cti_hold(&h, ct_own_lt(V(after), V(before)));
    ct_tensor *any = cti_hold(&h, ct_own_any(less, CT_NO_DIMS, false));
    bool good = read_item(any, &some);
    cti_hold_end(&h, NULL);
    return good ? some != 0 : -1;
}

static bool check_offsets(const ct_tensor *indices, ct_tensor *offsets)
{
    int64_t n = offsets->shape[0], first = 0, last = 0;
    if (n == 0 || ct_device_of(offsets).type != CT_CPU)
        return true;
    if (!read_offset(offsets, 0, &first) || !read_offset(offsets, n - 1, &last))
        return false;
    if (first != 0)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to "
            "start from position 0. However, got %lld\n[ torch.%sTensor{} ]",
            (long long)first, cti_dtype_scalar_name((enum ct_dtype)offsets->dtype));
    if (last > indices->numel)
        return cti_refuse(CT_ERR_RUNTIME,
                          "offsets[-1] can not be greater than input's length %lld but got "
                          "offsets[-1] of %lld",
                          (long long)indices->numel, (long long)last);
    int decreases = any_decreases(offsets);
    if (decreases > 0)
        cti_refuse(CT_ERR_RUNTIME,
                   "embedding_bag: offsets must not decrease, but one is less than the one before");
    return !decreases;
}

/* Returns the position of the first index that equals `bad`. */
static int64_t position_of(ct_tensor *indices, int64_t bad)
{
    struct cti_hold h = {0};
    int64_t position = 0;
    ct_tensor *is = cti_hold(&h, ct_own_eq(V(indices), ct_value_int(bad)));
    ct_tensor *at = cti_hold(&h, ct_own_nonzero(is));
    ct_tensor *row = cti_hold(&h, ct_own_select(at, 0, 0));
    if (row)
        read_offset(row, 0, &position);
    cti_hold_end(&h, NULL);
    return position;
}

/* Checks indices on the CPU; a GPU reports bad ones at the lookup. PyTorch has one message for its
 * fast sums and another for everything else. */
static bool bag_check_indices(ct_tensor *weight, ct_tensor *indices, bool fast)
{
    int64_t bad = 0, rows = weight->shape[0];
    if (ct_device_of(indices).type != CT_CPU)
        return true;
    ct_tensor *cast = cti_cast(indices, CT_INT64);
    bool inside = cast && cti_check_index(cast, rows, false, &bad);
    if (cast && !inside && fast)
        cti_refuse(CT_ERR_RUNTIME,
                   "Index %lld of input takes value %lld which is not in the valid range [0, %lld)",
                   (long long)position_of(cast, bad), (long long)bad, (long long)rows);
    else if (cast && !inside)
        cti_refuse(CT_ERR_RUNTIME,
                   "embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be "
                   "%lld",
                   (long long)bad);
    ct_release(cast);
    return inside;
}

/* ---- sums ---- */

/* The engine sums rows of the table directly; otherwise they are looked up first. */
ct_tensor *cti_op_embedding_sum(ct_tensor *weight, ct_tensor *indices, ct_tensor *bag,
                                ct_tensor *ends, bool scale_grad_by_freq)
{
    (void)scale_grad_by_freq;
    if (weight->ndim != 2 || indices->ndim != 1 || bag->ndim != 1 || ends->ndim != 1)
        return ct_fail(CT_ERR_RUNTIME,
                       "embedding_sum(): weight must have two dims, all other arguments one");
    if (!cti_embed_indices(indices, 1, "indices", "embedding_sum"))
        return NULL;
    struct cti_hold h = {0};
    int64_t shape[2] = {ends->shape[0], weight->shape[1]}, bad;
    struct ct_device device = ct_device_of(weight);
    bool plain = weight->dtype == CT_FLOAT32 || weight->dtype == CT_FLOAT64;
    ct_tensor *out = NULL;
    if (!plain || weight->storage->device.type != CT_CPU || weight->stride[1] != 1 ||
        weight->shape[1] < 2) {
        out = cti_hold(&h, ct_own_zeros(ct_ints_of(shape, 2), weight->dtype, device, false));
        ct_tensor *rows = cti_hold(&h, ct_own_index_select(weight, 0, indices));
        return cti_hold_end(&h, cti_hold(&h, ct_own_index_add(out, 0, bag, rows, ct_value_int(1))));
    }
    ct_tensor *cast = cti_hold(&h, cti_cast(indices, CT_INT64));
    ct_tensor *at = cti_hold(&h, ct_own_contiguous(cast, CT_CONTIGUOUS_FORMAT));
    ct_tensor *in = at ? cti_hold(&h, cti_resolve(weight)) : NULL;
    ct_tensor *count = in ? cti_hold(&h, cti_cast(ends, CT_INT64)) : NULL;
    ct_tensor *last = cti_hold(&h, ct_own_contiguous(count, CT_CONTIGUOUS_FORMAT));
    out = last ? cti_hold(&h, cti_empty(2, shape, weight->dtype, device)) : NULL;
    if (out && at->numel && !cti_check_index(at, weight->shape[0], false, &bad))
        out = ct_fail(CT_ERR_INDEX, "index out of range in self");
    return cti_hold_end(&h, out && (!out->numel || CTI_RUN(bag_sum, weight, .out = out, .in = in,
                                                           .index = at, .ends = last))
                                ? out
                                : NULL);
}

/* ---- the bag of each index ---- */

static ct_tensor *bag_zeros(struct cti_hold *h, int64_t rows, int64_t columns,
                            const ct_tensor *like, enum ct_dtype dtype)
{
    int64_t shape[2] = {rows, columns};
    return cti_hold(
        h, ct_own_zeros(ct_ints_of(shape, columns < 0 ? 1 : 2), dtype, ct_device_of(like), false));
}

/* Counts the bags that begin at or before each index, by a running sum of marks, which is cheaper
 * than searching each index. */
static ct_tensor *begun_by_marks(struct cti_hold *h, ct_tensor *starts, int64_t n)
{
    ct_tensor *none = bag_zeros(h, cti_add_sat(n, 1), -1, starts, CT_INT64);
    ct_tensor *inside = cti_hold(h, ct_own_clamp(starts, ct_value_int(0), ct_value_int(n)));
    ct_tensor *one =
        cti_hold(h, ct_own_ones_like(starts, CT_INT64, CT_NO_DEVICE, false, CT_PRESERVE_FORMAT));
    ct_tensor *marks = cti_hold(h, ct_own_index_add(none, 0, inside, one, ct_value_int(1)));
    ct_tensor *begun = cti_hold(h, ct_own_cumsum(marks, 0, CT_NO_DTYPE));
    return cti_hold(h, ct_own_narrow(begun, 0, 0, n));
}

static ct_tensor *begun_by_search(struct cti_hold *h, ct_tensor *starts, int64_t n)
{
    ct_tensor *position =
        cti_hold(h, ct_own_arange(ct_value_int(0), ct_value_int(n), ct_value_int(1), starts->dtype,
                                  ct_device_of(starts), false));
    return cti_hold(h, ct_own_searchsorted(starts, V(position), false, true, NULL, CT_NO_TENSOR));
}

/* The bag number of each index: the number of bags begun, minus one. */
static ct_tensor *bag_of_each(struct cti_hold *h, ct_tensor *indices, ct_tensor *offsets,
                              int64_t bags)
{
    int64_t n = indices->shape[0];
    ct_tensor *starts = cti_hold(h, ct_own_narrow(offsets, 0, 0, bags));
    if (!starts)
        return NULL;
    ct_tensor *begun = ct_device_of(starts).type == CT_CPU ? begun_by_marks(h, starts, n)
                                                           : begun_by_search(h, starts, n);
    return begun ? cti_hold(h, ct_own_sub(V(begun), ct_value_int(1), ct_value_int(1))) : NULL;
}

static ct_tensor *bag_column(struct cti_hold *h, ct_tensor *t)
{
    return cti_hold(h, ct_own_unsqueeze(t, 1));
}

struct bags {
    ct_tensor *indices, *bag, *scale; /* without padding; scale may be CT_NO_TENSOR */
    ct_tensor *size;                  /* of each bag */
};

/* Removes indices that are padding. */
static bool remove_padding(struct cti_hold *h, struct bags *b, int64_t padding_idx)
{
    ct_tensor *kept = cti_hold(h, ct_own_ne(V(b->indices), ct_value_int(padding_idx)));
    if (!kept)
        return false;
    b->indices = cti_hold(h, ct_own_masked_select(b->indices, kept));
    b->bag = cti_hold(h, ct_own_masked_select(b->bag, kept));
    if (b->scale != CT_NO_TENSOR)
        b->scale = cti_hold(h, ct_own_masked_select(b->scale, kept));
    return b->indices && b->bag && b->scale;
}

/* Removes indices after the last bag, which the last offset ends if it is included. */
static bool cut_indices(struct cti_hold *h, struct bags *b, ct_tensor *offsets,
                        bool include_last_offset)
{
    int64_t n = b->indices->shape[0], end = offsets->shape[0] ? n : 0;
    if (ct_device_of(offsets).type == CT_META)
        return true;
    if (include_last_offset && !read_offset(offsets, offsets->shape[0] - 1, &end))
        return false;
    if (end == n)
        return true;
    b->indices = cti_hold(h, ct_own_narrow(b->indices, 0, 0, end));
    if (b->scale != CT_NO_TENSOR)
        b->scale = cti_hold(h, ct_own_narrow(b->scale, 0, 0, end));
    return b->indices && b->scale;
}

/* ---- maxima ---- */

/* Returns keys whose maximum per bag selects the row that PyTorch selects. PyTorch starts with the
 * first row of a bag and moves to another row only if it is greater, so a NaN wins if it comes
 * first and loses otherwise. */
static ct_tensor *bag_keys(struct cti_hold *h, ct_tensor *rows, const struct bags *b,
                           ct_tensor *position)
{
    ct_tensor *ends = cti_hold(h, ct_own_cumsum(b->size, 0, CT_NO_DTYPE));
    ct_tensor *starts = ends ? cti_hold(h, ct_own_sub(V(ends), V(b->size), ct_value_int(1))) : NULL;
    ct_tensor *start = cti_hold(h, ct_own_index_select(starts, 0, b->bag));
    ct_tensor *first = start ? cti_hold(h, ct_own_eq(V(start), V(position))) : NULL;
    ct_tensor *highest = cti_hold(h, ct_own_full_like(rows, ct_value_float(INFINITY), CT_NO_DTYPE,
                                                      CT_NO_DEVICE, false, CT_PRESERVE_FORMAT));
    ct_tensor *is_first = bag_column(h, first), *nan = cti_hold(h, ct_own_isnan(rows));
    ct_tensor *for_nan = cti_hold(h, ct_own_where(is_first, V(highest), ct_value_float(-INFINITY)));
    return cti_hold(h, ct_own_where(nan, V(for_nan), V(rows)));
}

/* For each bag and column, returns the index whose row is greatest; 0 for empty bags. */
static ct_tensor *bag_argmax(struct cti_hold *h, ct_tensor *weight, const struct bags *b)
{
    int64_t bags = b->size->shape[0], n = b->indices->shape[0];
    ct_tensor *none = bag_zeros(h, bags, weight->shape[1], weight, CT_INT64);
    ct_tensor *start = bag_zeros(h, bags, weight->shape[1], weight, (enum ct_dtype)weight->dtype);
    if (n == 0)
        return none;
    ct_tensor *table = cti_hold(h, ct_own_detach(weight));
    ct_tensor *rows = cti_hold(h, ct_own_index_select(table, 0, b->indices));
    ct_tensor *position =
        cti_hold(h, ct_own_arange(ct_value_int(0), ct_value_int(n), ct_value_int(1), CT_INT64,
                                  ct_device_of(weight), false));
    ct_tensor *key = rows && position ? bag_keys(h, rows, b, position) : NULL;
    ct_tensor *bag = bag_column(h, b->bag), *positions = bag_column(h, position);
    bag = cti_hold(h, ct_own_expand_as(bag, rows));
    ct_tensor *most = cti_hold(h, ct_own_scatter_reduce(start, 0, bag, key, "amax", false));
    ct_tensor *of_bag = cti_hold(h, ct_own_index_select(most, 0, b->bag));
    ct_tensor *is = cti_hold(h, ct_own_eq(V(key), V(of_bag)));
    ct_tensor *which = cti_hold(h, ct_own_where(is, V(positions), ct_value_int(n)));
    ct_tensor *at = cti_hold(h, ct_own_scatter_reduce(none, 0, bag, which, "amin", false));
    ct_tensor *cast = cti_hold(h, cti_cast(b->indices, CT_INT64));
    ct_tensor *found = cti_hold(h, ct_own_take(cast, at));
    ct_tensor *empty = cti_hold(h, ct_own_eq(V(b->size), ct_value_int(0)));
    empty = bag_column(h, empty);
    return cti_hold(h, ct_own_masked_fill(found, empty, ct_value_int(0)));
}

/* For each bag and column, returns the element in the row `greatest`; 0 for empty bags. */
ct_tensor *cti_op_embedding_max(ct_tensor *weight, ct_tensor *greatest, ct_tensor *size)
{
    struct cti_hold h = {0};
    if (weight->shape[0] == 0)
        return ct_own_zeros(cti_shape_of(greatest), (enum ct_dtype)weight->dtype,
                            ct_device_of(weight), false);
    ct_tensor *found = cti_hold(&h, ct_own_gather(weight, 0, greatest, false));
    ct_tensor *empty = cti_hold(&h, ct_own_eq(V(size), ct_value_int(0)));
    empty = bag_column(&h, empty);
    return cti_hold_end(&h, cti_hold(&h, ct_own_masked_fill(found, empty, ct_value_float(0))));
}

static bool fill_greatest(struct cti_hold *h, ct_tensor **r, ct_tensor *weight,
                          const struct bags *b)
{
    ct_tensor *which = bag_argmax(h, weight, b);
    r[GREATEST] = which ? ct_retain(which) : NULL;
    r[OUTPUT] = ct_own_embedding_max(weight, which, b->size);
    return r[OUTPUT];
}

/* ---- embedding_bag ---- */

/* Returns the rows of all bags, scaled. */
static ct_tensor *bag_rows(struct cti_hold *h, ct_tensor *weight, const struct bags *b,
                           bool scale_grad_by_freq, bool sparse)
{
    ct_tensor *rows =
        cti_hold(h, ct_own_embedding(weight, b->indices, -1, scale_grad_by_freq, sparse));
    ct_tensor *scale = rows && b->scale != CT_NO_TENSOR ? bag_column(h, b->scale) : NULL;
    return scale ? cti_hold(h, ct_own_mul(V(rows), V(scale))) : rows;
}

/* Sums or means. Rows that are scaled or get a sparse gradient are looked up first. */
static bool fill_sums(struct cti_hold *h, ct_tensor **r, ct_tensor *weight, const struct bags *b,
                      int64_t mode, bool scale_grad_by_freq, bool sparse)
{
    ct_tensor *sums = NULL;
    if (b->scale == CT_NO_TENSOR && !sparse) {
        ct_tensor *ends = cti_hold(h, ct_own_cumsum(b->size, 0, CT_NO_DTYPE));
        sums = ct_own_embedding_sum(weight, b->indices, b->bag, ends, scale_grad_by_freq);
    } else {
        ct_tensor *start = bag_zeros(h, b->size->shape[0], weight->shape[1], weight, weight->dtype);
        ct_tensor *rows = start ? bag_rows(h, weight, b, scale_grad_by_freq, sparse) : NULL;
        sums = ct_own_index_add(start, 0, b->bag, rows, ct_value_int(1));
    }
    if (mode == MEAN && cti_hold(h, sums)) {
        ct_tensor *divisor = cti_hold(h, ct_own_clamp_min(b->size, ct_value_int(1)));
        divisor = bag_column(h, divisor);
        sums = divisor ? ct_own_div(V(sums), V(divisor), NULL) : NULL;
    }
    r[OUTPUT] = sums;
    r[GREATEST] = ct_own_clone(b->size, CT_PRESERVE_FORMAT); /* meaningless, as in PyTorch */
    return r[OUTPUT] && r[GREATEST];
}

/* Promotes indices and offsets to a common dtype and flattens indices. */
static bool same_types(struct cti_hold *h, ct_tensor **indices, ct_tensor **offsets)
{
    if ((*indices)->ndim > 2 || (*indices)->ndim < 1)
        return cti_refuse(CT_ERR_RUNTIME,
                          "input has to be a 1D or 2D Tensor, but got Tensor of dimension %d",
                          (*indices)->ndim);
    if ((*offsets)->ndim != 1)
        return cti_refuse(CT_ERR_RUNTIME,
                          "offsets has to be a 1D Tensor, but got Tensor of dimension %d",
                          (*offsets)->ndim);
    enum ct_dtype both =
        ct_promote_types((enum ct_dtype)(*indices)->dtype, (enum ct_dtype)(*offsets)->dtype);
    *indices = cti_hold(h, cti_cast(*indices, both));
    *offsets = cti_hold(h, cti_cast(*offsets, both));
    if (*indices && (*indices)->ndim == 2)
        *indices = cti_hold(h, ct_own_reshape(*indices, CT_INTS(-1)));
    return *indices && *offsets && cti_embed_indices(*indices, 1, "indices", "embedding_bag");
}

static bool check_bags(ct_tensor *weight, ct_tensor *indices, ct_tensor *offsets, int64_t mode,
                       const ct_tensor *scale, bool include_last_offset, int64_t *padding_idx)
{
    if (mode < SUM || mode > MAX)
        return cti_refuse(CT_ERR_RUNTIME, "`mode` must be sum, mean, or max.");
    if (!bag_check_weight(weight) || !check_scale(weight, indices, mode, scale) ||
        !check_padding(weight, padding_idx))
        return false;
    if (include_last_offset && offsets->shape[0] == 0)
        return cti_refuse(CT_ERR_RUNTIME,
                          "include_last_offset: number of offset should be at least 1");
    bool fast = mode != MAX && weight->dtype != CT_FLOAT64 && *padding_idx == CT_NO_DIM &&
                weight->stride[1] == 1;
    return check_offsets(indices, offsets) && bag_check_indices(weight, indices, fast);
}

ct_list cti_op_embedding_bag(ct_tensor *weight, ct_tensor *indices, ct_tensor *offsets,
                             bool scale_grad_by_freq, int64_t mode, bool sparse,
                             ct_tensor *per_sample_weights, bool include_last_offset,
                             int64_t padding_idx)
{
    struct cti_hold h = {0};
    ct_tensor **r = NULL;
    if (same_types(&h, &indices, &offsets) &&
        check_bags(weight, indices, offsets, mode, per_sample_weights, include_last_offset,
                   &padding_idx))
        r = cti_calloc(RESULTS, sizeof *r);
    struct bags b = {.indices = indices, .scale = per_sample_weights};
    bool good = r && cut_indices(&h, &b, offsets, include_last_offset);
    int64_t bags = good ? offsets->shape[0] - include_last_offset : 0;
    b.bag = good ? bag_of_each(&h, b.indices, offsets, bags) : NULL;
    if (b.bag)
        r[BAG_OF_EACH] = ct_retain(b.bag);
    good = b.bag && (padding_idx == CT_NO_DIM || remove_padding(&h, &b, padding_idx));
    b.size = good ? ct_own_bincount(b.bag, CT_NO_TENSOR, bags) : NULL;
    if (b.size)
        r[BAG_SIZE] = b.size;
    good = b.size && (mode == MAX ? fill_greatest(&h, r, weight, &b)
                                  : fill_sums(&h, r, weight, &b, mode, scale_grad_by_freq, sparse));
    cti_hold_end(&h, NULL);
    return cti_list_take_if(r, RESULTS, good);
}

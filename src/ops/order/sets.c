/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements unique and unique_consecutive, declared in sets.toml: equal neighbours are merged,
 * after a sort or in the given order. Composed of other operations; only the order of whole slices
 * comes from an engine. */
#include "core/alloc.h"
#include "core/dtype.h"
#include "core/hold.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"

static ct_list no_list(void *ignored)
{
    (void)ignored;
    return CT_NO_LIST;
}

/* Returns a bool mask of n > 0 rows: true for the first row and for each row that differs from the
 * previous one. */
static ct_tensor *first_ones(struct cti_hold *h, ct_tensor *rows)
{
    int64_t n = rows->shape[0];
    ct_tensor *mask = cti_hold(h, cti_empty(1, &n, CT_BOOL, rows->storage->device));
    ct_tensor *before = cti_hold(h, ct_own_narrow(rows, 0, 0, n - 1));
    ct_tensor *after = cti_hold(h, ct_own_narrow(rows, 0, 1, n - 1));
    ct_tensor *differ = cti_hold(h, ct_own_ne(V(before), V(after)));
    if (rows->ndim > 1) {
        ct_tensor *flat = cti_hold(h, ct_own_reshape(differ, CT_INTS(n - 1, rows->numel / n)));
        differ = cti_hold(h, ct_own_any(flat, CT_INTS(1), false));
    }
    ct_tensor *rest = cti_hold(h, ct_own_narrow(mask, 0, 1, n - 1));
    return differ && rest && cti_fill(mask, ct_value_bool(true)) && cti_copy(rest, differ) ? mask
                                                                                           : NULL;
}

/* Returns the group index of each input row, from the mask of group starts. `order`: the input row
 * at each sorted position; NULL: the rows are in input order. */
static ct_tensor *unique_inverse(struct cti_hold *h, ct_tensor *mask, ct_tensor *order)
{
    ct_tensor *number = cti_hold(h, ct_own_cumsum(mask, 0, CT_INT64));
    ct_tensor *group = cti_hold(h, ct_own_sub(V(number), ct_value_int(1), ct_value_int(1)));
    if (!order || !group)
        return group;
    ct_tensor *inverse =
        cti_hold(h, ct_own_empty_like(group, CT_NO_DTYPE, CT_NO_DEVICE, false, -1));
    return inverse && ct_own_scatter_(inverse, 0, order, group) ? inverse : NULL;
}

/* Counts the rows in each group. */
static ct_tensor *counts_of(struct cti_hold *h, ct_tensor *mask)
{
    ct_tensor *at = cti_hold(h, cti_nonzero(mask));
    ct_tensor *first = cti_hold(h, ct_own_reshape(at, CT_INTS(-1)));
    ct_tensor *end =
        cti_hold(h, cti_number_tensor(ct_value_int(mask->numel), CT_INT64, mask->storage->device));
    end = cti_hold(h, ct_own_reshape(end, CT_INTS(1)));
    ct_tensor *next = first ? cti_hold(h, ct_own_narrow(first, 0, 1, first->numel - 1)) : NULL;
    if (!next || !end)
        return NULL;
    ct_tensor *ends = cti_hold(h, ct_own_cat(ct_list_of((ct_tensor *[]){next, end}, 2), 0));
    return cti_hold(h, ct_own_sub(V(ends), V(first), ct_value_int(1)));
}

/* Makes the result list: values, then `inverse` and `counts` if requested. Releases everything else
 * that h holds. */
static ct_list answer(struct cti_hold *h, ct_tensor *values, const bool asked[2],
                      ct_tensor *const more[2])
{
    ct_tensor **list = cti_calloc(3, sizeof *list);
    int64_t n = 0;
    bool good = list && values && (!asked[0] || more[0]) && (!asked[1] || more[1]);
    if (good) {
        list[n++] = ct_retain(values);
        for (int i = 0; i < 2; i++)
            if (asked[i])
                list[n++] = ct_retain(more[i]);
    } else {
        cti_free(list);
    }
    cti_hold_end(h, NULL);
    return good ? ct_list_of(list, n) : no_list(NULL);
}

/* ---- elements ---- */

/* Computes unique of the flattened input. */
static ct_list unique_elements(ct_tensor *input, bool sort, const bool asked[2])
{
    struct cti_hold h = {0};
    ct_tensor *order = NULL, *more[2] = {NULL, NULL}, *values = NULL;
    ct_tensor *line = cti_hold(&h, ct_own_reshape(input, CT_INTS(-1)));
    if (line && sort && line->numel) {
        struct ct_sort_result all = ct_own_sort(line, 0, false, true);
        line = cti_hold(&h, all.values);
        order = cti_hold(&h, all.indices);
    }
    if (line && !line->numel) {
        values = cti_hold(&h, ct_own_clone(line, -1));
        more[0] =
            cti_hold(&h, cti_zeros(input->ndim, input->shape, CT_INT64, input->storage->device));
        more[1] = cti_hold(&h, cti_zeros(1, line->shape, CT_INT64, input->storage->device));
    } else if (line) {
        ct_tensor *mask = first_ones(&h, line);
        values = cti_hold(&h, ct_own_masked_select(line, mask));
        if (mask && asked[0]) {
            ct_tensor *flat = unique_inverse(&h, mask, order);
            more[0] = cti_hold(&h, ct_own_reshape(flat, cti_shape_of(input)));
        }
        if (mask && asked[1])
            more[1] = counts_of(&h, mask);
    }
    return answer(&h, values, asked, more);
}

/* ---- slices ---- */

/* Returns the row indices in sorted order. h owns the result. */
static ct_tensor *sorted_rows(struct cti_hold *h, ct_tensor *rows)
{
    bool half = rows->dtype == CT_FLOAT16 || rows->dtype == CT_BFLOAT16;
    ct_tensor *cast = half ? cti_hold(h, cti_cast(rows, CT_FLOAT32)) : rows;
    ct_tensor *plain = cast ? cti_hold(h, cti_contiguous(cast)) : NULL;
    ct_tensor *order = cti_hold(h, cti_empty(1, rows->shape, CT_INT64, rows->storage->device));
    return plain && order && CTI_RUN(sort_rows, plain, .index = order, .rows = plain) ? order
                                                                                      : NULL;
}

static bool check_slices(const char *name, ct_tensor *input, int64_t dim, int *d)
{
    if (!input->ndim)
        return cti_refuse(CT_ERR_INDEX, "Dimension specified as %lld but tensor has no dimensions",
                          (long long)dim);
    if (!cti_shape_wrap_dim(dim, input->ndim, d))
        return false;
    int64_t zeros = 0;
    for (int i = 0; i < input->ndim; i++)
        zeros += i != *d && input->shape[i] == 0;
    if (input->numel == 0 && zeros)
        return cti_refuse(CT_ERR_RUNTIME,
                          "There are 0 sized dimensions, and they aren't selected, so "
                          "unique cannot be applied");
    if (input->dtype >= CT_COMPLEX64)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", name,
                          cti_dtype_scalar_name(input->dtype));
    return true;
}

/* Computes unique along dim d: the slices become rows, which are sorted first if `sort`. */
static ct_list unique_slices(ct_tensor *input, int d, bool sort, const bool asked[2])
{
    struct cti_hold h = {0};
    ct_tensor *order = NULL, *more[2] = {NULL, NULL}, *values = NULL;
    ct_tensor *moved = cti_hold(&h, ct_own_movedim(input, CT_INTS(d), CT_INTS(0)));
    ct_tensor *rows = moved ? cti_hold(&h, cti_contiguous(moved)) : NULL;
    if (rows && !rows->shape[0]) {
        values = cti_hold(&h, ct_own_clone(input, -1));
        more[0] = cti_hold(&h, cti_zeros(1, rows->shape, CT_INT64, input->storage->device));
        more[1] = more[0];
        return answer(&h, values, asked, more);
    }
    if (rows && sort) {
        order = sorted_rows(&h, rows);
        rows = cti_hold(&h, ct_own_index_select(rows, 0, order));
    }
    ct_tensor *mask = rows ? first_ones(&h, rows) : NULL;
    ct_tensor *at = mask ? cti_hold(&h, cti_nonzero(mask)) : NULL;
    ct_tensor *first = cti_hold(&h, ct_own_reshape(at, CT_INTS(-1)));
    ct_tensor *kept = cti_hold(&h, ct_own_index_select(rows, 0, first));
    ct_tensor *back = cti_hold(&h, ct_own_movedim(kept, CT_INTS(0), CT_INTS(d)));
    values = back ? cti_hold(&h, cti_alias(back)) : NULL; /* not a view for autograd */
    if (mask && asked[0])
        more[0] = unique_inverse(&h, mask, order);
    if (mask && asked[1])
        more[1] = counts_of(&h, mask);
    return answer(&h, values, asked, more);
}

ct_tensor *cti_op_unique_values(ct_tensor *values, ct_tensor *input, int64_t dim)
{
    (void)input, (void)dim;
    return ct_retain(values);
}

ct_tensor *cti_op_unique_consecutive_values(ct_tensor *values, ct_tensor *input)
{
    (void)input;
    return ct_retain(values);
}

/* Makes the values require grad if the input does; backward then raises PyTorch's error. Consumes
 * the list. */
static ct_list recorded(ct_list list, ct_tensor *input, bool sorted, int64_t dim)
{
    ct_tensor *values = sorted ? ct_own_unique_values(list.v[0], input, dim)
                               : ct_own_unique_consecutive_values(list.v[0], input);
    ct_release(values); /* the list holds it */
    if (values)
        return list;
    ct_list_release(list);
    return CT_NO_LIST;
}

static ct_list unique_rows(ct_tensor *input, bool sort, bool inverse, bool counts, int64_t dim)
{
    const bool asked[2] = {inverse, counts};
    const char *name = dim == CT_NO_DIM ? "unique" : "unique_dim";
    int d;
    bool mode = cti_grad_pause();
    ct_list list = {NULL, 0};
    if (dim != CT_NO_DIM) {
        if (check_slices(name, input, dim, &d))
            list = unique_slices(input, d, sort, asked);
    } else if (input->dtype >= CT_COMPLEX64) {
        ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", name,
                cti_dtype_scalar_name(input->dtype));
    } else {
        list = unique_elements(input, sort, asked);
    }
    cti_grad_restore(mode);
    return list.v ? recorded(list, input, sort, dim) : list;
}

/* Always sorted, as in PyTorch on the CPU. */
ct_list cti_op_unique(ct_tensor *input, bool sorted, bool return_inverse, bool return_counts,
                      int64_t dim)
{
    (void)sorted;
    return unique_rows(input, true, return_inverse, return_counts, dim);
}

ct_list cti_op_unique_consecutive(ct_tensor *input, bool return_inverse, bool return_counts,
                                  int64_t dim)
{
    return unique_rows(input, false, return_inverse, return_counts, dim);
}

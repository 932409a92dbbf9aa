/* SPDX-License-Identifier: BSD-3-Clause */
/* Python's x[...] and x[...] = value: ints, slices, None, Ellipsis, bools and tensors in any
 * mixture. Ints and slices make views; index tensors go on to tensors.c. Bindings call the two
 * functions at the end; C programs reach them through notation.c. */
#include "core/check_args.h"
#include "core/note.h"
#include "core/profile.h"
#include "core/value.h"
#include "fronts.h"
#include "ops/index/index.h"
#include "ops/sparse/sparse.h"

#include <string.h>

/* Note [Walking an index]: items are applied from left to right, each to one dim of the view so
 * far. If a gradient is wanted every step is recorded separately, as in PyTorch;
 * otherwise the steps only update shape, strides and offset, and one view is made at the end. */
struct walk {
    ct_tensor *source;    /* borrowed: the indexed tensor */
    ct_tensor *now;       /* owned: the view so far if steps are recorded, else NULL */
    bool recorded, alone; /* alone: there is only one item */
    int steps;            /* items that changed the view */
    int ndim, dim, named; /* the view's dims; the next dim; source dims that items use up */
    int64_t shape[CTI_MAX_DIMS + 1], stride[CTI_MAX_DIMS + 1], offset;
    ct_tensor *index[CTI_MAX_DIMS + 1]; /* owned, or CT_NO_TENSOR for a whole dim */
    int nindex, covered;                /* covered: view dims that they index (a mask: several) */
};

static void walk_begin(struct walk *w, ct_tensor *t)
{
    w->source = t;
    w->now = NULL;
    w->recorded = cti_grad_on() && cti_wants_grad(t);
    w->steps = w->dim = w->nindex = w->covered = 0;
    w->ndim = t->ndim;
    w->offset = t->offset;
    memcpy(w->shape, t->shape, sizeof(int64_t) * t->ndim);
    memcpy(w->stride, t->stride, sizeof(int64_t) * t->ndim);
}

static void walk_end(struct walk *w)
{
    ct_release(w->now);
    for (int i = 0; i < w->nindex; i++)
        if (w->index[i] != CT_NO_TENSOR)
            ct_release(w->index[i]);
}

/* Makes the result of a recorded step, which it takes, the current view. */
static bool moved_to(struct walk *w, ct_tensor *view)
{
    ct_release(w->now);
    w->now = view;
    if (!view)
        return false;
    w->ndim = view->ndim;
    memcpy(w->shape, view->shape, sizeof(int64_t) * view->ndim);
    return true;
}

static ct_tensor *current_view(const struct walk *w)
{
    return w->now ? w->now : w->source;
}

static void drop_dim(struct walk *w, int dim)
{
    size_t rest = sizeof(int64_t) * (size_t)(w->ndim - dim - 1);
    memmove(w->shape + dim, w->shape + dim + 1, rest);
    memmove(w->stride + dim, w->stride + dim + 1, rest);
    w->ndim--;
}

/* ---- the steps ---- */

static bool fail_bounds(int64_t i, int dim, int64_t size)
{
    ct_fail(CT_ERR_INDEX, "index %lld is out of bounds for dimension %d with size %lld",
            (long long)i, dim, (long long)size);
    if (size == 0)
        return cti_note("dim %d has size 0: there is nothing to index", dim);
    return cti_note("dim %d has size %lld: indices are 0 to %lld, or -%lld to -1 from the end", dim,
                    (long long)size, (long long)(size - 1), (long long)size);
}

/* position: the position of the item, which PyTorch's message calls the dimension. */
static bool take_int(struct walk *w, int64_t i, int position)
{
    int64_t size = w->dim < w->ndim ? w->shape[w->dim] : 0;
    if (i < -size || i >= size)
        return fail_bounds(i, position, size);
    w->steps++;
    if (w->recorded)
        return moved_to(w, ct_own_select(current_view(w), w->dim, i));
    w->offset = cti_offset_by(w->offset, w->stride[w->dim], i < 0 ? i + size : i);
    drop_dim(w, w->dim);
    return true;
}

/* Python's rules for a slice: returns its length, *first is its first index. */
static int64_t slice_bounds(const ct_index *s, int64_t size, int64_t step, int64_t *first)
{
    int64_t low = step < 0 ? -1 : 0, high = step < 0 ? size - 1 : size;
    int64_t start = s->start, stop = s->stop;
    if (start == CT_NO_DIM)
        start = step < 0 ? high : low;
    else
        start += start < 0 ? size : 0;
    if (stop == CT_NO_DIM)
        stop = step < 0 ? low : high;
    else
        stop += stop < 0 ? size : 0;
    start = start < low ? low : start > high ? high : start;
    stop = stop < low ? low : stop > high ? high : stop;
    *first = start;
    if (step > 0)
        return stop > start ? (stop - start - 1) / step + 1 : 0;
    return start > stop ? (start - stop - 1) / -step + 1 : 0;
}

/* Applies a slice to the current dim of the view. */
static bool take_slice(struct walk *w, const ct_index *s)
{
    int64_t step = s->step == CT_NO_DIM ? 1 : s->step, first;
    if (w->ndim == 0)
        return ct_fail(CT_ERR_INDEX, "slice() cannot be applied to a 0-dim tensor.");
    if (w->dim >= w->ndim) /* after two ellipses */
        return cti_shape_wrap_dim(w->dim, w->ndim, &(int){0});
    if (step == 0)
        return ct_fail(CT_ERR_VALUE, "slice step cannot be zero");
    int64_t size = w->shape[w->dim], count = slice_bounds(s, size, step, &first);
    /* PyTorch makes no view for `:` unless it stands alone. */
    bool from_start = s->start == CT_NO_DIM || s->start == 0;
    if (from_start && count == size && step == 1 && !w->alone) {
        w->dim++;
        return true;
    }
    w->steps++;
    if (w->recorded) {
        ct_tensor *view = ct_own_slice(current_view(w), w->dim, s->start, s->stop, step);
        w->dim++;
        return moved_to(w, view);
    }
    if (count > 0 || step > 0)
        w->offset = cti_offset_by(w->offset, w->stride[w->dim], first);
    w->shape[w->dim] = count;
    w->stride[w->dim] = cti_stride_times(w->stride[w->dim], step);
    w->dim++;
    return true;
}

static bool take_new_dim(struct walk *w)
{
    if (w->dim > w->ndim) /* after two ellipses */
        return cti_shape_wrap_dim(w->dim, w->ndim + 1, &(int){0});
    if (w->ndim == CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "tensor has too many (>%d) dims", CTI_MAX_DIMS);
    w->steps++;
    if (w->recorded)
        return moved_to(w, ct_own_unsqueeze(current_view(w), w->dim));
    int64_t stride = w->dim < w->ndim ? w->shape[w->dim] * w->stride[w->dim] : 1;
    size_t rest = sizeof(int64_t) * (size_t)(w->ndim - w->dim);
    memmove(w->shape + w->dim + 1, w->shape + w->dim, rest);
    memmove(w->stride + w->dim + 1, w->stride + w->dim, rest);
    w->shape[w->dim] = 1;
    w->stride[w->dim] = stride;
    w->ndim++;
    return true;
}

/* Adds an index tensor for `width` dims of the view. Consumes it. */
static bool take_tensor(struct walk *w, ct_tensor *owned, int width)
{
    if (!owned)
        return false;
    if (w->dim + width > CTI_MAX_DIMS) {
        ct_release(owned);
        return ct_fail(CT_ERR_INDEX, "too many indices for tensor of dimension %d (got %d)",
                       w->ndim, w->dim + width);
    }
    for (; w->covered < w->dim; w->covered++)
        w->index[w->nindex++] = CT_NO_TENSOR;
    w->index[w->nindex++] = owned;
    w->dim = w->covered = w->dim + width;
    return true;
}

/* True and False index a new dim of size 1 with [0] and []. */
static bool take_bool(struct walk *w, bool on)
{
    int64_t count = on;
    if (!take_new_dim(w))
        return false;
    return take_tensor(w, cti_zeros(1, &count, CT_INT64, w->source->storage->device), 1);
}

/* ---- items ---- */

/* Counts the source dims that an item uses up. */
static int width_of(const ct_index *item)
{
    switch (item->kind) {
    case CT_INDEX_INT:
    case CT_INDEX_SLICE:
        return 1;
    case CT_INDEX_TENSOR:
        return cti_is_mask(item->tensor) ? item->tensor->ndim : 1;
    case CT_INDEX_NONE:
    case CT_INDEX_ELLIPSIS:
    case CT_INDEX_BOOL:
        return 0;
    }
    return 0;
}

/* Applies one item to the view so far. 0-d index tensors are read and treated as ints or bools. */
static bool take_item(struct walk *w, const ct_index *item, int position)
{
    ct_tensor *t = item->tensor;
    switch (item->kind) {
    case CT_INDEX_INT:
        return take_int(w, item->start, position);
    case CT_INDEX_SLICE:
        return take_slice(w, item);
    case CT_INDEX_NONE:
        if (!take_new_dim(w))
            return false;
        w->dim++;
        return true;
    case CT_INDEX_ELLIPSIS:
        w->dim += w->source->ndim - w->named;
        return true;
    case CT_INDEX_BOOL:
        return take_bool(w, item->start != 0);
    case CT_INDEX_TENSOR:
        break;
    }
    if (t->ndim == 0 && cti_is_mask(t)) {
        ct_value v = ct_item_value(t);
        return v.kind != CT_VALUE_NULL && take_bool(w, cti_value_true(v));
    }
    if (t->ndim == 0 && cti_is_integral(t->dtype, false)) {
        ct_value v = ct_item_value(t);
        return v.kind != CT_VALUE_NULL && cti_number_fits(v, CT_INT64) &&
               take_int(w, v.as.i, position);
    }
    return take_tensor(w, cti_index_beside(t, w->source), width_of(item));
}

/* Applies all items after checking that they name no more dims than the source has. */
static bool walk_items(struct walk *w, const ct_index *index, int64_t n, bool alone)
{
    w->named = 0;
    w->alone = alone;
    for (int64_t i = 0; i < n; i++) {
        if (index[i].kind == CT_INDEX_TENSOR && !index[i].tensor)
            return false;
        w->named += width_of(&index[i]);
    }
    if (w->source->ndim == 0 && n == 1 && index[0].kind == CT_INDEX_INT) {
        if (index[0].start)
            return fail_bounds(index[0].start, 0, 0);
        return ct_fail(CT_ERR_INDEX,
                       "invalid index of a 0-dim tensor. Use `tensor.item()` in Python "
                       "or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a "
                       "number");
    }
    bool slice_of_number = w->source->ndim == 0 && n == 1 && index[0].kind == CT_INDEX_SLICE;
    if (w->named > w->source->ndim && !slice_of_number) {
        ct_fail(CT_ERR_INDEX, "too many indices for tensor of dimension %d", w->source->ndim);
        return cti_note("the index names %d dims, the tensor has %d", w->named, w->source->ndim);
    }
    for (int64_t i = 0; i < n; i++)
        if (!take_item(w, &index[i], (int)i))
            return false;
    return true;
}

/* The view made by ints, slices and None; the caller owns it. */
static ct_tensor *walk_view(struct walk *w)
{
    if (w->recorded && w->steps)
        return ct_retain(w->now);
    if (w->recorded)
        return ct_own_alias(w->source);
    return cti_attach(NULL, cti_view(w->source, w->ndim, w->shape, w->stride, w->offset));
}

/* ---- reading ---- */

/* The common x[i] and x[a:b] without a gradient: one view, no walk. */
static ct_tensor *quick_view(ct_tensor *t, const ct_index *item)
{
    int64_t i = item->start, size = t->shape[0];
    if (item->kind == CT_INDEX_INT) {
        if (i < -size || i >= size) {
            fail_bounds(i, 0, size);
            return NULL;
        }
        i += i < 0 ? size : 0;
        return cti_view(t, t->ndim - 1, t->shape + 1, t->stride + 1, t->offset + i * t->stride[0]);
    }
    int64_t shape[CTI_MAX_DIMS], first;
    memcpy(shape, t->shape, sizeof(int64_t) * t->ndim);
    shape[0] = slice_bounds(item, size, 1, &first);
    return cti_view(t, t->ndim, shape, t->stride, t->offset + first * t->stride[0]);
}

static bool is_quick(const ct_tensor *t, const ct_index *index, int64_t n)
{
    if (n != 1 || t->ndim == 0 || (cti_grad_on() && cti_wants_grad(t)))
        return false;
    return index->kind == CT_INDEX_INT ||
           (index->kind == CT_INDEX_SLICE && (index->step == 1 || index->step == CT_NO_DIM));
}

static ct_tensor *get_items(ct_tensor *t, const ct_index *index, int64_t n)
{
    struct walk w;
    ct_tensor *result = NULL;
    if (!t)
        return NULL;
    if (cti_sparse_tensor(t))
        return cti_sparse_getitem(t, index, n);
    if (is_quick(t, index, n))
        return cti_attach(NULL, quick_view(t, index));
    walk_begin(&w, t);
    if (walk_items(&w, index, n, n == 1))
        result = walk_view(&w);
    if (result && w.nindex) {
        ct_tensor *view = result;
        result = ct_own_index_Tensor(view, ct_list_of(w.index, w.nindex));
        ct_release(view);
    }
    walk_end(&w);
    return result;
}

ct_tensor *ct_own_getitem(ct_tensor *t, const ct_index *index, int64_t n)
{
    if (!(cti_check_pointer(t, "ct_own_getitem", "t") &&
          cti_check_array(index, n, "ct_own_getitem", "index")))
        return NULL;
    if (__builtin_expect(!cti_profiling, 1))
        return get_items(t, index, n);
    int64_t event = ct_profile_begin_call("index", ct_list_of(&t, 1));
    ct_tensor *result = get_items(t, index, n);
    ct_profile_end_call(event, result);
    return result;
}

/* ---- writing ---- */

/* t without leading dims of size 1, since the rest broadcasts to the same shapes. The caller owns
 * the result. */
static ct_tensor *without_leading_ones(ct_tensor *t)
{
    int drop = 0;
    while (drop < t->ndim && t->shape[drop] == 1)
        drop++;
    if (drop == 0)
        return ct_retain(t);
    return ct_own_view(t, ct_ints_of(t->shape + drop, t->ndim - drop));
}

static bool write_view(ct_tensor *view, ct_value value)
{
    if (value.kind != CT_VALUE_TENSOR)
        return ct_own_fill_(view, value) != NULL;
    ct_tensor *given = value.as.tensor;
    if (cti_same_shape(given, view->ndim, view->shape)) /* x[0:1] += 2 writes x[0:1] to itself */
        return ct_own_copy_(view, given, false) != NULL;
    if (given->ndim == 0)
        return ct_own_fill_(view, value) != NULL;
    ct_tensor *src = without_leading_ones(given);
    ct_tensor *expanded =
        ct_own_expand(src, cti_shape_of(view), true); /* its error is PyTorch's here */
    bool good = expanded && ct_own_copy_(view, expanded, false);
    cti_release_all(src, expanded);
    return good;
}

/* Whether the only index tensor is an int64 one after whole dims: x[:, positions]. */
static bool is_one_list(const struct walk *w)
{
    for (int i = 0; i < w->nindex - 1; i++)
        if (w->index[i] != CT_NO_TENSOR)
            return false;
    return w->index[w->nindex - 1]->dtype == CT_INT64;
}

/* Writes one number. As in PyTorch, a single list of positions or a mask becomes a fill. */
static bool write_number(ct_tensor *view, const struct walk *w, ct_value number)
{
    ct_list list = ct_list_of(w->index, w->nindex);
    ct_tensor *mask = NULL, *made = NULL;
    bool good = false;
    if (is_one_list(w)) {
        made = ct_own_reshape(w->index[w->nindex - 1], CT_INTS(-1));
        good = made && ct_own_index_fill_(view, w->nindex - 1, made, number);
    } else if (!cti_index_only_mask(view, list, &mask)) {
        good = false;
    } else if (mask) {
        bool fits = mask->dtype != CT_BOOL || cti_number_fits(number, view->dtype);
        good = fits && ct_own_masked_fill_(view, mask, number);
    } else {
        made = cti_number_tensor(number, view->dtype, view->storage->device);
        good = made && ct_own_index_put_(view, list, made, false);
    }
    cti_release_all(mask, made);
    return good;
}

static bool write_indexed(ct_tensor *view, const struct walk *w, ct_value value)
{
    if (value.kind != CT_VALUE_TENSOR)
        return write_number(view, w, value);
    ct_tensor *src = without_leading_ones(value.as.tensor);
    bool good = src && ct_own_index_put_(view, ct_list_of(w->index, w->nindex), src, false);
    ct_release(src);
    return good;
}

/* x[index] = value: writes through the view that the items make, or through index tensors. */
static bool set_items(ct_tensor *t, const ct_index *index, int64_t n, ct_value value)
{
    struct walk w;
    ct_tensor *view = NULL;
    if (!t || value.kind == CT_VALUE_NULL)
        return false;
    /* x[False] = v does nothing, x[True] = v is x[None] = v. */
    if (n == 1 && index->kind == CT_INDEX_BOOL) {
        ct_index none = {.kind = CT_INDEX_NONE};
        return !index->start || set_items(t, &none, 1, value);
    }
    if (is_quick(t, index, n)) {
        view = quick_view(t, index);
        if (view && cti_same_shape(view, t->ndim, t->shape)) { /* no view: no CopySlices node */
            ct_release(view);
            return write_view(t, value);
        }
        view = cti_attach(NULL, view);
        bool good = view && write_view(view, value);
        ct_release(view);
        return good;
    }
    walk_begin(&w, t);
    if (walk_items(&w, index, n, false))
        view = !w.steps ? ct_retain(t) : walk_view(&w); /* no view: no CopySlices node */
    bool good = view && (w.nindex ? write_indexed(view, &w, value) : write_view(view, value));
    ct_release(view);
    walk_end(&w);
    return good;
}

bool ct_own_setitem(ct_tensor *t, const ct_index *index, int64_t n, ct_value value)
{
    if (!(cti_check_pointer(t, "ct_own_setitem", "t") &&
          cti_check_array(index, n, "ct_own_setitem", "index") &&
          cti_check_value(value, "ct_own_setitem", "value")))
        return false;
    if (__builtin_expect(!cti_profiling, 1))
        return set_items(t, index, n, value);
    int64_t event = ct_profile_begin_call("index_put_", ct_list_of(&t, 1));
    bool good = set_items(t, index, n, value);
    ct_profile_end(event);
    return good;
}

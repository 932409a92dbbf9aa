/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements x[i, j, ...] and x[i, j, ...] = v with index tensors and masks: converts masks to
 * indices, broadcasts indices, computes the result's layout and runs the index engine. The autograd
 * node must keep a list of tensors, so it is made here and not by generated code
 * (src/autograd/derivatives/index.c). subscript.c calls these functions for Python's index
 * expressions. */
#include "autograd/derivatives/index.h"
#include "core/dtype.h"
#include "core/note.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/index/index.h"

#include <stdio.h>
#include <string.h>

/* Note [Index tensors]: in `x` the indexed dims come first. `shape` is that of x[...], in which the
 * dims of the broadcast indices start at `lead_at`: at the first indexed dim if the indices are
 * adjacent, else at 0. */
struct plan {
    int nindex, rest;                 /* rest: dims without an index */
    ct_tensor *index[CTI_MAX_DIMS];   /* int64, as given and then broadcast; owned */
    int dim[CTI_MAX_DIMS];            /* the dim that each of them indexes */
    int lead;                         /* dims of the broadcast index */
    int64_t lead_shape[CTI_MAX_DIMS]; /* its shape */
    int lead_at, ndim;
    int64_t shape[CTI_MAX_DIMS]; /* of the result */
    int order[CTI_MAX_DIMS];     /* dims of x: the indexed ones, then the others */
};

static void plan_end(struct plan *p)
{
    for (int k = 0; k < p->nindex; k++)
        ct_release(p->index[k]);
    p->nindex = 0;
}

/* The indices on self's device; see cti_index_beside. */
struct beside {
    ct_list list;
    ct_tensor *own[CTI_MAX_DIMS];
};

static void beside_end(struct beside *b)
{
    for (int64_t i = 0; b->list.v == b->own && i < b->list.n; i++)
        if (b->own[i] != CT_NO_TENSOR)
            ct_release(b->own[i]);
}

/* False: the error is set, and there is nothing to release. */
static bool beside_begin(struct beside *b, const ct_tensor *self, ct_list indices)
{
    b->list = indices;
    if (self->storage->device.type != CT_CUDA || indices.n > CTI_MAX_DIMS)
        return true; /* too many indices are refused later */
    b->list = ct_list_of(b->own, 0);
    for (int64_t i = 0; i < indices.n; i++) {
        ct_tensor *t = indices.v[i];
        b->own[i] = t == CT_NO_TENSOR ? t : cti_index_beside(t, self);
        if (!b->own[i]) {
            beside_end(b);
            return false;
        }
        b->list.n++;
    }
    return true;
}

/* Checks that a mask has the sizes of self's dims from `dim` on. */
static bool index_mask_fits(const ct_tensor *self, const ct_tensor *mask, int dim)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    for (int d = 0; d < mask->ndim; d++)
        if (dim + d >= self->ndim || mask->shape[d] != self->shape[dim + d]) {
            ct_fail(CT_ERR_INDEX,
                    "The shape of the mask %s at index %d does not match the shape of the "
                    "indexed tensor %s at index %d",
                    cti_shape_text(a, mask->ndim, mask->shape), d,
                    cti_shape_text(b, self->ndim, self->shape), dim + d);
            return cti_note("a mask covers whole dims and does not broadcast: x[mask] picks rows, "
                            "x[:, mask] columns");
        }
    return true;
}

/* Adds one index for each dim that a mask covers. */
static bool index_add_mask(struct plan *p, ct_tensor *self, ct_tensor *mask, int dim)
{
    if (mask->dtype == CT_UINT8)
        cti_warn("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool "
                 "instead.");
    if (!index_mask_fits(self, mask, dim))
        return false;
    ct_tensor *positions = cti_nonzero(mask);
    if (!positions)
        return false;
    for (int d = 0; d < mask->ndim; d++) {
        int64_t offset = positions->offset + d * positions->stride[1];
        ct_tensor *column = cti_view(positions, 1, positions->shape, positions->stride, offset);
        if (!column)
            break;
        p->index[p->nindex] = column;
        p->dim[p->nindex++] = dim + d;
    }
    bool good = mask->ndim == 0 || (p->nindex > 0 && p->dim[p->nindex - 1] == dim + mask->ndim - 1);
    ct_release(positions);
    return good;
}

static bool check_index_type(const ct_tensor *index)
{
    enum ct_dtype dtype = index->dtype;
    if (cti_is_mask(index) || dtype == CT_INT64 || dtype == CT_INT32)
        return true;
    ct_fail(CT_ERR_INDEX, "tensors used as indices must be long, int, byte or bool tensors");
    return cti_note("the index has type %s; convert it with index.long() or, as a mask, with "
                    "index.bool()",
                    ct_dtype_str(dtype));
}

/* Fills in index and dim: in int64, with masks converted. */
static bool gather_indices(struct plan *p, ct_tensor *self, ct_list indices)
{
    int dim = 0, named = 0;
    p->nindex = 0;
    for (int64_t i = 0; i < indices.n; i++) {
        ct_tensor *t = indices.v[i];
        if (t != CT_NO_TENSOR && !check_index_type(t))
            return false;
        named += t != CT_NO_TENSOR && cti_is_mask(t) ? t->ndim : 1;
    }
    if (named > self->ndim)
        return ct_fail(CT_ERR_INDEX, "too many indices for tensor of dimension %d (got %d)",
                       self->ndim, named);
    for (int64_t i = 0; i < indices.n; i++) {
        ct_tensor *t = indices.v[i];
        int step = t != CT_NO_TENSOR && cti_is_mask(t) ? t->ndim : 1;
        if (t != CT_NO_TENSOR && cti_is_mask(t)) {
            if (!index_add_mask(p, self, t, dim))
                return false;
        } else if (t != CT_NO_TENSOR) {
            ct_tensor *index = cti_cast(t, CT_INT64);
            if (!index)
                return false;
            p->index[p->nindex] = index;
            p->dim[p->nindex++] = dim;
        }
        dim += step;
    }
    return true;
}

static bool fail_broadcast(const struct plan *p)
{
    char text[1024], one[CTI_SHAPE_TEXT];
    size_t used = 0;
    text[0] = 0;
    for (int k = 0; k < p->nindex && used < sizeof text; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", k ? ", " : "",
                                 cti_shape_text(one, p->index[k]->ndim, p->index[k]->shape));
    return ct_fail(CT_ERR_INDEX,
                   "shape mismatch: indexing tensors could not be broadcast together with shapes "
                   "%s",
                   text);
}

/* Broadcasts the indices to one shape. */
static bool broadcast_indices(struct plan *p)
{
    p->lead = 0;
    for (int k = 0; k < p->nindex; k++) {
        const ct_tensor *t = p->index[k];
        int ndim = p->lead > t->ndim ? p->lead : t->ndim;
        int64_t shape[CTI_MAX_DIMS];
        for (int d = 0; d < ndim; d++) {
            int da = d - (ndim - p->lead), db = d - (ndim - t->ndim);
            int64_t a = da >= 0 ? p->lead_shape[da] : 1, b = db >= 0 ? t->shape[db] : 1;
            if (a != b && a != 1 && b != 1)
                return fail_broadcast(p);
            shape[d] = a == 1 ? b : a;
        }
        p->lead = ndim;
        memcpy(p->lead_shape, shape, sizeof(int64_t) * (size_t)ndim);
    }
    for (int k = 0; k < p->nindex; k++) {
        if (cti_same_shape(p->index[k], p->lead, p->lead_shape))
            continue;
        ct_tensor *expanded = cti_broadcast_view(p->index[k], p->lead, p->lead_shape);
        if (!expanded)
            return false;
        ct_release(p->index[k]);
        p->index[k] = expanded;
    }
    return true;
}

/* Plans self[indices]: shapes, dims and order. False: the error is set, and there is nothing to
 * release. */
static bool plan_make(struct plan *p, ct_tensor *self, ct_list indices)
{
    bool named[CTI_MAX_DIMS] = {false}, neighbours = true;
    if (!gather_indices(p, self, indices) || !broadcast_indices(p)) {
        plan_end(p);
        return false;
    }
    int at = 0;
    for (int k = 0; k < p->nindex; k++) {
        named[p->dim[k]] = true;
        neighbours = neighbours && (k == 0 || p->dim[k] == p->dim[k - 1] + 1);
        p->order[at++] = p->dim[k];
    }
    p->lead_at = neighbours && p->nindex ? p->dim[0] : 0;
    p->rest = 0;
    p->ndim = 0;
    bool empty = false;
    for (int k = 0; k < p->nindex; k++)
        empty = empty || self->shape[p->dim[k]] == 0;
    for (int d = 0; d < p->lead; d++)
        empty = empty && p->lead_shape[d] != 0;
    if (empty) {
        plan_end(p);
        return ct_fail(CT_ERR_INDEX, "index is out of bounds for dimension with size 0");
    }
    if (self->ndim - p->nindex + p->lead > CTI_MAX_DIMS) {
        plan_end(p);
        return ct_fail(CT_ERR_RUNTIME, "tensor has too many (>%d) dims", CTI_MAX_DIMS);
    }
    for (int d = 0; d <= self->ndim; d++) {
        if (p->rest == p->lead_at && p->ndim == p->rest) {
            memcpy(p->shape + p->ndim, p->lead_shape, sizeof(int64_t) * (size_t)p->lead);
            p->ndim += p->lead;
        }
        if (d < self->ndim && !named[d]) {
            p->shape[p->ndim++] = self->shape[d];
            p->order[at++] = d;
            p->rest++;
        }
    }
    return true;
}

/* A view of x with the indexed dims first. */
static ct_tensor *indexed_first(const struct plan *p, ct_tensor *x)
{
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS];
    for (int d = 0; d < x->ndim; d++) {
        shape[d] = x->shape[p->order[d]];
        stride[d] = x->stride[p->order[d]];
    }
    return cti_view(x, x->ndim, shape, stride, x->offset);
}

/* A view of t, which has the result's shape, with the index dims first. */
static ct_tensor *lead_first(const struct plan *p, ct_tensor *t)
{
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS];
    int n = 0;
    for (int d = p->lead_at; d < p->lead_at + p->lead; d++, n++) {
        shape[n] = t->shape[d];
        stride[n] = t->stride[d];
    }
    for (int d = 0; d < t->ndim; d++)
        if (d < p->lead_at || d >= p->lead_at + p->lead) {
            shape[n] = t->shape[d];
            stride[n++] = t->stride[d];
        }
    return cti_view(t, t->ndim, shape, stride, t->offset);
}

/* A new result. Its strides are those of a pointwise operation on the indices and on x with stride
 * 0 along the index dims, as in PyTorch. */
static ct_tensor *new_result(const struct plan *p, ct_tensor *x)
{
    ct_tensor *input[CTI_MAX_DIMS + 1] = {NULL}, *out = NULL;
    int64_t stride[CTI_MAX_DIMS], shape[CTI_MAX_DIMS];
    int others = p->nindex;
    for (int d = 0, r = 0; d < p->ndim; d++) {
        bool of_index = d >= p->lead_at && d < p->lead_at + p->lead;
        stride[d] = of_index ? 0 : x->stride[p->order[others + r++]];
    }
    input[0] = cti_view(x, p->ndim, p->shape, stride, x->offset);
    bool good = input[0] != NULL;
    for (int k = 0; k < p->nindex && good; k++) {
        for (int d = 0; d < p->ndim; d++) {
            bool of_index = d >= p->lead_at && d < p->lead_at + p->lead;
            shape[d] = of_index ? p->shape[d] : 1;
        }
        input[k + 1] = cti_op_reshape(p->index[k], ct_ints_of(shape, p->ndim));
        good = input[k + 1] != NULL;
    }
    if (good)
        out =
            cti_empty_result(p->nindex + 1, input, p->ndim, p->shape, x->dtype, x->storage->device);
    for (int k = 0; k <= p->nindex; k++)
        ct_release(input[k]);
    return out;
}

static ct_tensor *index_get(ct_tensor *self, ct_list indices)
{
    struct plan p;
    /* One mask over all dims needs no indices. */
    if (indices.n == 1 && indices.v[0] != CT_NO_TENSOR && indices.v[0]->dtype == CT_BOOL &&
        self->ndim && cti_same_shape(indices.v[0], self->ndim, self->shape))
        return cti_masked_select(self, indices.v[0]);
    ct_tensor *x = cti_resolve(self), *from = NULL, *out = NULL, *to = NULL;
    if (!x || !plan_make(&p, x, indices)) {
        ct_release(x);
        return NULL;
    }
    bool good =
        (from = indexed_first(&p, x)) && (out = new_result(&p, x)) && (to = lead_first(&p, out));
    good = good && (out->numel == 0 || p.nindex == 0 ? p.nindex || cti_copy(out, x)
                                                     : CTI_RUN(index_get, x, .out = to, .in = from,
                                                               .index = {p.index, p.nindex}));
    plan_end(&p);
    cti_release_all(x, from, to);
    return cti_take_if(out, good);
}

static ct_tensor *index_recorded(ct_tensor *input, ct_list indices)
{
    struct cti_node *node = NULL;
    if (cti_grad_on() && cti_wants_grad(input) && !(node = cti_node_index(input, indices)))
        return NULL;
    bool mode = cti_grad_pause();
    ct_tensor *result = index_get(input, indices);
    cti_grad_restore(mode);
    return cti_attach(node, result);
}

ct_tensor *cti_op_index(ct_tensor *input, ct_list indices)
{
    struct beside b;
    if (!beside_begin(&b, input, indices))
        return NULL;
    ct_tensor *result = index_recorded(input, b.list);
    beside_end(&b);
    return result;
}

/* ---- assignment ---- */

/* Checks `values` and expands them to the result's shape; the caller owns it. */
static ct_tensor *fit_values(const struct plan *p, ct_tensor *self, ct_tensor *values)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    bool fits = values->ndim <= p->ndim;
    for (int d = 0; fits && d < values->ndim; d++) {
        int64_t have = values->shape[d], want = p->shape[p->ndim - values->ndim + d];
        fits = have == want || have == 1;
    }
    if (!fits)
        return ct_fail(CT_ERR_RUNTIME,
                       "shape mismatch: value tensor of shape %s cannot be broadcast to indexing "
                       "result of shape %s",
                       cti_shape_text(a, values->ndim, values->shape),
                       cti_shape_text(b, p->ndim, p->shape));
    if (values->dtype != self->dtype)
        return ct_fail(CT_ERR_RUNTIME,
                       "Index put requires the source and destination dtypes match, got %s for the "
                       "destination and %s for the source.",
                       cti_dtype_scalar_name(self->dtype), cti_dtype_scalar_name(values->dtype));
    return cti_broadcast_view(values, p->ndim, p->shape);
}

bool cti_index_only_mask(ct_tensor *self, ct_list indices, ct_tensor **view)
{
    ct_tensor *mask = NULL;
    int before = 0, seen = 0;
    *view = NULL;
    for (int64_t i = 0; i < indices.n; i++) {
        ct_tensor *t = indices.v[i];
        if (t != CT_NO_TENSOR && (!cti_is_mask(t) || mask))
            return true;
        seen += t == CT_NO_TENSOR ? 1 : t->ndim;
        if (seen > self->ndim)
            return true; /* the general path reports the error */
        if (t != CT_NO_TENSOR && !index_mask_fits(self, t, before))
            return false;
        mask = t == CT_NO_TENSOR ? mask : t;
        before += !mask;
    }
    if (!mask)
        return true;
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS];
    for (int d = 0; d < self->ndim; d++) {
        bool covered = d >= before && d < before + mask->ndim;
        shape[d] = covered ? self->shape[d] : 1;
        stride[d] = covered ? mask->stride[d - before] : 0;
    }
    *view = cti_view(mask, self->ndim, shape, stride, mask->offset);
    return *view != NULL;
}

/* Writes or adds values at the indices. A single value at one mask becomes a masked fill. */
static bool index_put(ct_tensor *self, ct_list indices, ct_tensor *values, bool accumulate)
{
    ct_tensor *mask = NULL;
    cti_warn_expanded(self, "index_put_", "tensor[indices] = tensor");
    if (!accumulate && values->numel == 1 && !cti_index_only_mask(self, indices, &mask))
        return false;
    if (mask) {
        int64_t none = 0;
        ct_tensor *value = cti_view(values, 0, &none, &none, values->offset);
        bool done = value && cti_op_masked_fill_(self, mask, V(value));
        cti_release_all(mask, value);
        return done;
    }
    struct plan p;
    struct cti_target to;
    if (!cti_shape_check_overlap(self, values, false) || !plan_make(&p, self, indices))
        return false;
    ct_tensor *expanded = fit_values(&p, self, values), *x = NULL, *v = NULL, *plain = NULL;
    bool good = expanded && cti_target_begin(&to, self, accumulate);
    if (good) {
        plain = cti_cast(expanded, to.work->dtype);
        good = plain && (x = indexed_first(&p, to.work)) && (v = lead_first(&p, plain));
        if (good && v->numel && p.nindex)
            good = CTI_RUN(index_put, self, .self = x, .value = v, .accumulate = accumulate,
                           .index = {p.index, p.nindex});
        good = cti_target_end(&to, good);
    }
    plan_end(&p);
    cti_release_all(expanded, plain, x, v);
    return good;
}

static bool put_recorded(ct_tensor *self, ct_list indices, ct_tensor *values, bool accumulate)
{
    struct cti_node *node = NULL;
    if (cti_grad_on() && (cti_wants_grad(self) || cti_wants_grad(values))) {
        node = cti_node_index_put(self, indices, values, accumulate);
        if (!node)
            return false;
    }
    if (!cti_inplace_begin(self, &node))
        return false;
    bool mode = cti_grad_pause();
    bool good = index_put(self, indices, values, accumulate);
    cti_grad_restore(mode);
    return cti_finish_inplace(node, self, good) != NULL;
}

bool cti_op_index_put_(ct_tensor *self, ct_list indices, ct_tensor *values, bool accumulate)
{
    struct beside b;
    ct_value value = V(values);
    if (cti_devices_differ_list(self, indices, NULL) ||
        cti_devices_differ_value(self, value, NULL) || !beside_begin(&b, self, indices))
        return false;
    ct_tensor *on_device = cti_value_beside(value, self);
    bool good = on_device && put_recorded(self, b.list, on_device, accumulate);
    ct_release(on_device);
    beside_end(&b);
    return good;
}

ct_tensor *cti_op_index_put(ct_tensor *input, ct_list indices, ct_tensor *values, bool accumulate)
{
    ct_tensor *result = ct_own_clone(input, CT_PRESERVE_FORMAT);
    return cti_take_if(result, result && cti_op_index_put_(result, indices, values, accumulate));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements gather, all forms of scatter, and take_along_dim, declared in index.toml: PyTorch's
 * checks and error messages, then the index engine. No autograd node is made here. */
#include "core/dtype.h"
#include "core/note.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/index/index.h"

#include <string.h>

static int ndim_at_least_1(const ct_tensor *t)
{
    return t->ndim ? t->ndim : 1;
}

/* The index as int64 with flags resolved; the caller owns it. */
static ct_tensor *index_of(ct_tensor *index, const char *name)
{
    if (index->dtype != CT_INT64 && index->dtype != CT_INT32 && index->numel)
        return ct_fail(CT_ERR_RUNTIME, "%s(): Expected dtype int32/int64 for index", name);
    return cti_cast(index, CT_INT64);
}

/* ---- gather ---- */

static bool check_gather(ct_tensor *input, int dim, ct_tensor *index)
{
    if (index->numel == 0)
        return true;
    if (ndim_at_least_1(input) != ndim_at_least_1(index))
        return ct_fail(CT_ERR_RUNTIME, "Index tensor must have the same number of dimensions as "
                                       "input tensor");
    for (int d = 0; d < ndim_at_least_1(input); d++)
        if (d != dim && cti_size_of(index, d) > cti_size_of(input, d)) {
            char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
            return ct_fail(CT_ERR_RUNTIME,
                           "Size does not match at dimension %d expected index %s to be no larger "
                           "than self %s apart from dimension %d",
                           d, cti_shape_text(a, index->ndim, index->shape),
                           cti_shape_text(b, input->ndim, input->shape), dim);
        }
    return true;
}

ct_tensor *cti_op_gather(ct_tensor *input, int64_t dim, ct_tensor *index, bool sparse_grad)
{
    int d;
    (void)sparse_grad;
    ct_tensor *in = NULL, *at = NULL, *out = NULL;
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    if (!(at = index_of(index, "gather")) || !check_gather(input, d, at))
        goto out;
    in = cti_resolve(input);
    if (in)
        out = cti_empty(at->ndim, at->shape, in->dtype, in->storage->device);
    out = cti_take_if(out, out && (!out->numel || CTI_RUN(gather, in, .out = out, .in = in,
                                                          .dim = d, .index = at)));
out:
    cti_release_all(in, at);
    return out;
}

/* ---- scatter ---- */

static bool check_scatter(ct_tensor *self, int dim, ct_tensor *index, ct_tensor *src)
{
    if (index->numel == 0)
        return true;
    if (ndim_at_least_1(self) != ndim_at_least_1(index))
        return ct_fail(CT_ERR_RUNTIME, "Index tensor must have the same number of dimensions as "
                                       "self tensor");
    int wrapped;
    if (src && !cti_shape_wrap_dim(dim, src->ndim, &wrapped))
        return false;
    if (src && ndim_at_least_1(src) != ndim_at_least_1(index))
        return ct_fail(CT_ERR_RUNTIME, "Index tensor must have the same number of dimensions as "
                                       "src tensor");
    for (int d = 0; d < ndim_at_least_1(self); d++) {
        char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT], c[CTI_SHAPE_TEXT];
        bool larger = d != dim && cti_size_of(index, d) > cti_size_of(self, d);
        bool more = src && cti_size_of(index, d) > cti_size_of(src, d);
        if (!larger && !more)
            continue;
        cti_shape_text(a, index->ndim, index->shape);
        cti_shape_text(b, self->ndim, self->shape);
        if (src)
            return ct_fail(CT_ERR_RUNTIME,
                           "Expected index %s to be no larger than self %s apart from dimension "
                           "%d and to be no larger size than src %s",
                           a, b, dim, cti_shape_text(c, src->ndim, src->shape));
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected index %s to be no larger than self %s apart from dimension %d", a,
                       b, dim);
    }
    return true;
}

static bool gather_check_indices(ct_tensor *index, int64_t size, int dim)
{
    int64_t bad = 0;
    if (index->numel == 0 || cti_check_index(index, size, false, &bad))
        return true;
    ct_fail(CT_ERR_RUNTIME, "index %lld is out of bounds for dimension %d with size %lld",
            (long long)bad, dim, (long long)size);
    return cti_note("dim %d has size %lld: indices are 0 to %lld", dim, (long long)size,
                    (long long)(size - 1));
}

/* Checks everything about self.scatter_(dim, index, src) before the first write. *at receives the
 * index in int64, owned. */
static bool ready(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src, int *d,
                  ct_tensor **at)
{
    if (!cti_shape_wrap_dim(dim, self->ndim, d) || !(*at = index_of(index, "scatter")))
        return false;
    if (self->dtype != src->dtype)
        return ct_fail(CT_ERR_RUNTIME, "scatter(): Expected self.dtype to be equal to src.dtype");
    if (!check_scatter(self, *d, *at, src))
        return false;
    return gather_check_indices(*at, cti_size_of(self, *d), *d) && cti_shape_check_writable(self) &&
           cti_shape_check_overlap(self, src, false);
}

/* self.scatter_(dim, index, src), combining values as `how` says. */
static bool scatter(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src,
                    enum cti_combine how)
{
    int d;
    struct cti_target to;
    ct_tensor *at = NULL;
    bool good = ready(self, dim, index, src, &d, &at);
    if (good && how == CTI_COMBINE_NONE)
        good = ct_fail(CT_ERR_RUNTIME, "reduce argument must be either add or multiply.");
    good = good && cti_target_begin(&to, self, how != 0);
    if (good) {
        ct_tensor *from = cti_cast(src, to.work->dtype);
        good = from && (at->numel == 0 || CTI_RUN(scatter, self, .self = to.work, .dim = d,
                                                  .index = at, .src = from, .how = how));
        good = cti_target_end(&to, good);
        ct_release(from);
    }
    ct_release(at);
    return good;
}

/* Writes or combines one number at every position of the index. */
static bool scatter_number(ct_tensor *self, int64_t dim, ct_tensor *index, ct_value value,
                           enum cti_combine how)
{
    enum ct_dtype dtype = self->dtype;
    ct_tensor *one = NULL, *src = NULL;
    bool good = false;
    one = cti_number_tensor(value, dtype, self->storage->device);
    if (one && index->ndim > 0)
        src = cti_broadcast_view(one, index->ndim, index->shape);
    else
        src = ct_retain(one);
    /* Without src, so that the size checks of src do not apply. */
    int d;
    if (src && cti_shape_wrap_dim(dim, self->ndim, &d)) {
        bool int_like = index->dtype == CT_INT64 || index->dtype == CT_INT32;
        good = !int_like || check_scatter(self, d, index, NULL);
        good = good && scatter(self, dim, index, src, how);
    }
    cti_release_all(one, src);
    return good;
}

bool cti_op_scatter_(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src)
{
    return scatter(self, dim, index, src, CTI_COMBINE_PUT);
}

bool cti_op_scatter_value_(ct_tensor *self, int64_t dim, ct_tensor *index, ct_value value)
{
    return scatter_number(self, dim, index, value, CTI_COMBINE_PUT);
}

/* An unknown name gives CTI_COMBINE_NONE, which scatter refuses after all other checks. */
static enum cti_combine old_reduce(const char *reduce)
{
    return strcmp(reduce, "add") == 0        ? CTI_COMBINE_ADD
           : strcmp(reduce, "multiply") == 0 ? CTI_COMBINE_MULTIPLY
                                             : CTI_COMBINE_NONE;
}

bool cti_op_scatter_src_reduce_(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src,
                                const char *reduce)
{
    static bool warned;
    cti_warn_once(&warned,
                  "The reduce argument of torch.scatter with Tensor src is deprecated and will be "
                  "removed in a future PyTorch release. Use torch.scatter_reduce instead for more "
                  "reduction options.");
    return scatter(self, dim, index, src, old_reduce(reduce));
}

bool cti_op_scatter_value_reduce_(ct_tensor *self, int64_t dim, ct_tensor *index, ct_value value,
                                  const char *reduce)
{
    return scatter_number(self, dim, index, value, old_reduce(reduce));
}

bool cti_op_scatter_add_(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src)
{
    return scatter(self, dim, index, src, CTI_COMBINE_ADD);
}

ct_tensor *cti_op_scatter(ct_tensor *input, int64_t dim, ct_tensor *index, ct_tensor *src)
{
    ct_tensor *c = cti_contiguous_copy(input);
    return cti_take_if(c, c && scatter(c, dim, index, src, CTI_COMBINE_PUT));
}

ct_tensor *cti_op_scatter_value(ct_tensor *input, int64_t dim, ct_tensor *index, ct_value value)
{
    ct_tensor *c = cti_contiguous_copy(input);
    return cti_take_if(c, c && scatter_number(c, dim, index, value, CTI_COMBINE_PUT));
}

ct_tensor *cti_op_scatter_src_reduce(ct_tensor *input, int64_t dim, ct_tensor *index,
                                     ct_tensor *src, const char *reduce)
{
    ct_tensor *c = cti_contiguous_copy(input);
    return cti_take_if(c, c && cti_op_scatter_src_reduce_(c, dim, index, src, reduce));
}

ct_tensor *cti_op_scatter_value_reduce(ct_tensor *input, int64_t dim, ct_tensor *index,
                                       ct_value value, const char *reduce)
{
    ct_tensor *c = cti_contiguous_copy(input);
    return cti_take_if(c, c && cti_op_scatter_value_reduce_(c, dim, index, value, reduce));
}

ct_tensor *cti_op_scatter_add(ct_tensor *input, int64_t dim, ct_tensor *index, ct_tensor *src)
{
    ct_tensor *c = cti_contiguous_copy(input);
    return cti_take_if(c, c && scatter(c, dim, index, src, CTI_COMBINE_ADD));
}

/* The gradient of gather: zeros with `grad` added at the indices. */
ct_tensor *cti_op_gather_backward(ct_tensor *grad, ct_ints sizes, int64_t dim, ct_tensor *index)
{
    ct_tensor *result = cti_zeros_for(grad, sizes);
    return cti_take_if(result, result && scatter(result, dim, index, grad, CTI_COMBINE_ADD));
}

/* ---- scatter_reduce ---- */

static enum cti_combine new_reduce(const char *reduce)
{
    static const struct {
        const char *name;
        enum cti_combine how;
    } table[] = {{"sum", CTI_COMBINE_ADD},
                 {"prod", CTI_COMBINE_MULTIPLY},
                 {"mean", CTI_COMBINE_MEAN},
                 {"amax", CTI_COMBINE_MAX},
                 {"amin", CTI_COMBINE_MIN}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(reduce, table[i].name) == 0)
            return table[i].how;
    ct_fail(CT_ERR_RUNTIME, "reduce argument must be either sum, prod, mean, amax or amin, got %s",
            reduce);
    return CTI_COMBINE_NONE;
}

/* For include_self=False: sets all target positions to the neutral element. For amax and amin, any
 * of the values written there serves as the start. */
static bool make_neutral(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src,
                         enum cti_combine how)
{
    if (how == CTI_COMBINE_MIN || how == CTI_COMBINE_MAX)
        return scatter(self, dim, index, src, CTI_COMBINE_PUT);
    return scatter_number(self, dim, index, ct_value_int(how == CTI_COMBINE_MULTIPLY),
                          CTI_COMBINE_PUT);
}

/* Counts the values combined at each position, at least 1. */
static ct_tensor *count_combined(ct_tensor *self, int64_t dim, ct_tensor *index, bool include_self)
{
    struct ct_device device = self->storage->device;
    ct_tensor *count = cti_empty(self->ndim, self->shape, CT_INT64, device);
    bool good = count && cti_fill(count, ct_value_int(1));
    if (good && !include_self)
        good = scatter_number(count, dim, index, ct_value_int(0), CTI_COMBINE_PUT);
    good = good && scatter_number(count, dim, index, ct_value_int(1), CTI_COMBINE_ADD);
    return cti_take_if(count, good);
}

static bool divide_by_count(ct_tensor *self, int64_t dim, ct_tensor *index, bool include_self)
{
    ct_tensor *count = count_combined(self, dim, index, include_self);
    bool good = count && cti_divide_sums(self, count);
    ct_release(count);
    return good;
}

bool cti_op_scatter_combine_(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src,
                             int64_t combine, bool include_self)
{
    enum cti_combine how = (enum cti_combine)combine;
    enum ct_dtype dtype = self->dtype;
    bool refused = how == CTI_COMBINE_MEAN ? dtype == CT_BOOL
                                           : how != CTI_COMBINE_ADD && how != CTI_COMBINE_MULTIPLY;
    if (refused && (how == CTI_COMBINE_MEAN || ct_dtype_is_complex(dtype)) && index->numel)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                       "\"scatter_gather_tensor_cpu_reduce_%s\" not implemented for '%s'",
                       how == CTI_COMBINE_MEAN  ? "mean"
                       : how == CTI_COMBINE_MAX ? "amax"
                                                : "amin",
                       cti_dtype_scalar_name(dtype));
    int d;
    ct_tensor *at = NULL;
    bool good = ready(self, dim, index, src, &d, &at);
    ct_release(at);
    if (!good || index->numel == 0)
        return good;
    if (include_self && how != CTI_COMBINE_MEAN)
        return scatter(self, dim, index, src, how);
    /* Several steps, each of which may fail: work on a copy and write self at the end. */
    ct_tensor *work = cti_contiguous_copy(self);
    enum cti_combine step = how == CTI_COMBINE_MEAN ? CTI_COMBINE_ADD : how;
    good = work && (include_self || make_neutral(work, dim, index, src, step)) &&
           scatter(work, dim, index, src, step) &&
           (how != CTI_COMBINE_MEAN || divide_by_count(work, dim, index, include_self)) &&
           cti_copy(self, work);
    ct_release(work);
    return good;
}

ct_tensor *cti_op_scatter_combine(ct_tensor *input, int64_t dim, ct_tensor *index, ct_tensor *src,
                                  int64_t how, bool include_self)
{
    ct_tensor *c = cti_contiguous_copy(input);
    return cti_take_if(c, c && cti_op_scatter_combine_(c, dim, index, src, how, include_self));
}

bool cti_op_scatter_reduce_(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src,
                            const char *reduce, bool include_self)
{
    enum cti_combine how = new_reduce(reduce);
    return how != CTI_COMBINE_NONE &&
           ct_own_scatter_combine_(self, dim, index, src, how, include_self);
}

ct_tensor *cti_op_scatter_reduce(ct_tensor *input, int64_t dim, ct_tensor *index, ct_tensor *src,
                                 const char *reduce, bool include_self)
{
    enum cti_combine how = new_reduce(reduce);
    return how == CTI_COMBINE_NONE
               ? NULL
               : ct_own_scatter_combine(input, dim, index, src, how, include_self);
}

/* ---- take_along_dim: recorded through gather ---- */

/* gather after broadcasting both to one shape except in `dim`, with indices wrapped into range. */
static ct_tensor *take_along(ct_tensor *input, ct_tensor *indices, int dim)
{
    int64_t a[CTI_MAX_DIMS], b[CTI_MAX_DIMS];
    int n = input->ndim;
    for (int d = 0; d < n; d++) {
        a[d] = d == dim ? 1 : input->shape[d];
        b[d] = d == dim ? 1 : indices->shape[d];
    }
    if (!cti_shape_broadcast(&n, a, n, b))
        return NULL;
    memcpy(b, a, sizeof(int64_t) * (size_t)n);
    a[dim] = input->shape[dim];
    b[dim] = indices->shape[dim];
    ct_tensor *inside = ct_own_remainder(V(indices), ct_value_int(a[dim]));
    ct_tensor *at = inside ? cti_broadcast_view(inside, n, b) : NULL;
    ct_tensor *in = at ? ct_own_expand(input, ct_ints_of(a, n), false) : NULL;
    ct_tensor *result = ct_own_gather(in, dim, at, false);
    cti_release_all(in, at, inside);
    return result;
}

ct_tensor *cti_op_take_along_dim(ct_tensor *input, ct_tensor *indices, int64_t dim)
{
    int d;
    if (dim != CT_NO_DIM && indices->dtype != CT_INT64)
        return ct_fail(CT_ERR_RUNTIME,
                       "torch.take_along_dim(): dtype of indices should be Long but got %s",
                       cti_dtype_scalar_name(indices->dtype));
    if (dim == CT_NO_DIM) {
        ct_tensor *flat = ct_own_reshape(input, CT_INTS(-1));
        ct_tensor *at = ct_own_reshape(indices, CT_INTS(-1));
        ct_tensor *result = ct_own_gather(flat, 0, at, false);
        cti_release_all(flat, at);
        return result;
    }
    if (input->ndim != indices->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "torch.take_along_dim(): input and indices should have the same number of "
                       "dimensions, but got %d dimensions for input, and %d dimensions for indices",
                       input->ndim, indices->ndim);
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    if (input->ndim == 0)
        return ct_own_gather(input, 0, indices, false);
    return take_along(input, indices, d);
}

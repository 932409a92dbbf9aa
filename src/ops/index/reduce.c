/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements index_reduce, declared in index.toml: combines slices of a source into slices of self,
 * chosen by a vector of indices. */
#include "core/dtype.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/index/index.h"

#include <string.h>

static enum cti_combine combine_of(const char *reduce)
{
    static const char *const names[] = {[CTI_COMBINE_MULTIPLY] = "prod",
                                        [CTI_COMBINE_MIN] = "amin",
                                        [CTI_COMBINE_MAX] = "amax",
                                        [CTI_COMBINE_MEAN] = "mean"};
    for (int i = CTI_COMBINE_MULTIPLY; i <= CTI_COMBINE_MEAN; i++)
        if (strcmp(reduce, names[i]) == 0)
            return (enum cti_combine)i;
    ct_fail(CT_ERR_RUNTIME,
            "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got %s.",
            reduce);
    return CTI_COMBINE_NONE;
}

/* Writes or combines one number into all chosen slices. */
static bool put_number(ct_tensor *self, int dim, ct_tensor *at, ct_tensor *source, int64_t number,
                       enum cti_combine how)
{
    ct_tensor *one = cti_number_tensor(ct_value_int(number), self->dtype, self->storage->device);
    ct_tensor *expanded = one ? cti_broadcast_view(one, source->ndim, source->shape) : NULL;
    bool good = expanded && cti_scatter_slices(self, dim, at, expanded, how);
    cti_release_all(one, expanded);
    return good;
}

static bool divide(ct_tensor *self, int dim, ct_tensor *at, ct_tensor *source, bool include_self)
{
    ct_tensor *count = cti_empty(self->ndim, self->shape, CT_INT64, self->storage->device);
    bool good = count && cti_fill(count, ct_value_int(1)) &&
                (include_self || put_number(count, dim, at, source, 0, CTI_COMBINE_PUT)) &&
                put_number(count, dim, at, source, 1, CTI_COMBINE_ADD) &&
                cti_divide_sums(self, count);
    ct_release(count);
    return good;
}

static bool index_reduce_check_type(const ct_tensor *self, enum cti_combine how, bool include_self)
{
    enum ct_dtype dtype = self->dtype;
    bool whole = dtype != CT_BOOL && dtype < CT_COMPLEX64;
    if (!include_self && !whole)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED,
                          "\"index_reduce_func_exclude_input_init\" not implemented for '%s'",
                          cti_dtype_scalar_name(dtype));
    if (how == CTI_COMBINE_MEAN && dtype == CT_BOOL)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"div_floor_cpu\" not implemented for 'Bool'");
    if ((how == CTI_COMBINE_MIN || how == CTI_COMBINE_MAX) && dtype >= CT_COMPLEX64)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"%s_cpu\" not implemented for '%s'",
                          how == CTI_COMBINE_MAX ? "maximum" : "minimum",
                          cti_dtype_scalar_name(dtype));
    return true;
}

/* Combines in several steps, so `work` must be private until the last. */
static bool combine_slices(ct_tensor *work, int dim, ct_tensor *at, ct_tensor *source,
                           enum cti_combine how, bool include_self)
{
    bool good = true;
    if (!include_self && (how == CTI_COMBINE_MULTIPLY || how == CTI_COMBINE_MEAN))
        good = put_number(work, dim, at, source, how == CTI_COMBINE_MULTIPLY, CTI_COMBINE_PUT);
    else if (!include_self)
        good = cti_scatter_slices(work, dim, at, source, CTI_COMBINE_PUT);
    good = good && cti_scatter_slices(work, dim, at, source,
                                      how == CTI_COMBINE_MEAN ? CTI_COMBINE_ADD : how);
    return good && (how != CTI_COMBINE_MEAN || divide(work, dim, at, source, include_self));
}

/* A contiguous copy of input with the source combined into it; the caller owns it. */
static ct_tensor *combined(ct_tensor *input, int64_t dim, ct_tensor *index, ct_tensor *source,
                           enum cti_combine how, bool include_self)
{
    int d;
    int64_t bad = 0;
    ct_tensor *work = cti_empty(input->ndim, input->shape, input->dtype, input->storage->device);
    ct_tensor *at = NULL;
    bool good = work && cti_shape_wrap_dim(dim, input->ndim, &d) &&
                cti_check_slices(work, d, index, source, "index_reduce_") &&
                (at = cti_cast(index, CT_INT64)) &&
                index_reduce_check_type(work, how, include_self);
    static bool warned;
    if (good)
        cti_warn_once(&warned, "index_reduce() is in beta and the API may change at any time.");
    if (good && at->numel && !cti_check_index(at, cti_size_of(work, d), false, &bad))
        good = ct_fail(CT_ERR_INDEX, "index out of range in self");
    good = good && cti_copy(work, input) && combine_slices(work, d, at, source, how, include_self);
    ct_release(at);
    return cti_take_if(work, good);
}

bool cti_op_index_combine_(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *source,
                           int64_t how, bool include_self)
{
    if (!cti_shape_check_writable(self) || !cti_shape_check_overlap(self, source, false))
        return false;
    ct_tensor *work = combined(self, dim, index, source, (enum cti_combine)how, include_self);
    bool good = work && cti_copy(self, work);
    ct_release(work);
    return good;
}

ct_tensor *cti_op_index_combine(ct_tensor *input, int64_t dim, ct_tensor *index, ct_tensor *source,
                                int64_t how, bool include_self)
{
    return combined(input, dim, index, source, (enum cti_combine)how, include_self);
}

bool cti_op_index_reduce_(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *source,
                          const char *reduce, bool include_self)
{
    enum cti_combine how = combine_of(reduce);
    return how != CTI_COMBINE_NONE &&
           ct_own_index_combine_(self, dim, index, source, how, include_self);
}

ct_tensor *cti_op_index_reduce(ct_tensor *input, int64_t dim, ct_tensor *index, ct_tensor *source,
                               const char *reduce, bool include_self)
{
    enum cti_combine how = combine_of(reduce);
    return how == CTI_COMBINE_NONE
               ? NULL
               : ct_own_index_combine(input, dim, index, source, how, include_self);
}

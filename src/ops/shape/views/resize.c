/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements resize_ and resize_as_, declared in resize.toml. */
#include "fronts.h"
#include "ops/create/create.h"
#include "ops/front.h"

#include <string.h>

/* Computes the strides of a size in a memory format; -1: contiguous. */
static bool strides_for(int ndim, const int64_t *shape, int format, int64_t *stride)
{
    if (format == CT_PRESERVE_FORMAT)
        return cti_refuse(CT_ERR_RUNTIME, "Unsupported memory formatPreserve");
    cti_shape_contiguous(ndim, shape, stride);
    return format < 0 || format == CT_CONTIGUOUS_FORMAT ||
           cti_shape_format_strides((enum ct_memory_format)format, ndim, shape, stride);
}

/* Counts the elements of a shape; -1: PyTorch's error is set. */
static int64_t sizes_count(int ndim, const int64_t *shape)
{
    int64_t n = 1;
    bool bad = false;
    for (int d = 0; d < ndim; d++)
        bad = bad || shape[d] < 0 || __builtin_mul_overflow(n, shape[d], &n);
    if (bad)
        ct_fail(CT_ERR_RUNTIME, "numel: integer multiplication overflow");
    return bad ? -1 : n;
}

/* Changes self's shape in place and enlarges the storage if necessary. Returns self, borrowed, or
 * NULL. */
static ct_tensor *resized(ct_tensor *self, int ndim, const int64_t *shape, int format)
{
    int64_t stride[CTI_MAX_DIMS], size = cti_itemsize(self->dtype);
    if (cti_wants_grad(self) && !cti_grad_mode.inference)
        return ct_fail(CT_ERR_RUNTIME, "cannot resize variables that require grad");
    if (sizes_count(ndim, shape) < 0)
        return NULL;
    bool same = cti_same_shape(self, ndim, shape);
    if (same && format < 0)
        return self;
    if (!strides_for(ndim, shape, format, stride))
        return NULL;
    int64_t nbytes = cti_shape_nbytes(ndim, shape, NULL, self->offset, size);
    if (nbytes < 0)
        return cti_shape_fail(ndim, shape, NULL);
    if (nbytes > ct_storage_nbytes(self->storage) && !cti_create_grow(self, nbytes))
        return NULL;
    bool good =
        cti_tensor_set_geometry(self, ndim, shape, stride, self->offset) && cti_version_bump(self);
    return good ? self : NULL;
}

ct_tensor *cti_op_resize_(ct_tensor *self, ct_ints size, int memory_format)
{
    if (size.n > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "a tensor can have at most %d dimensions", CTI_MAX_DIMS);
    return resized(self, (int)size.n, size.v, memory_format);
}

ct_tensor *cti_op_resize_as_(ct_tensor *self, ct_tensor *the_template, int memory_format)
{
    int64_t shape[CTI_MAX_DIMS];
    if (memory_format == CT_PRESERVE_FORMAT) {
        bool last = the_template->ndim == 4 && !(the_template->flags & CTI_CONTIGUOUS) &&
                    ct_is_contiguous_as(the_template, CT_CHANNELS_LAST);
        memory_format = last ? CT_CHANNELS_LAST : CT_CONTIGUOUS_FORMAT;
    }
    memcpy(shape, the_template->shape, sizeof(int64_t) * the_template->ndim);
    return resized(self, the_template->ndim, shape, memory_format);
}

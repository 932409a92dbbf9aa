/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements clone, contiguous, to, copy_ and fill, declared in copy.toml. */
#include "core/check_args.h"
#include "core/shape.h"
#include "corten/cuda.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"

#include <string.h>

static enum ct_memory_format copy_format(int memory_format)
{
    return memory_format < 0 ? CT_PRESERVE_FORMAT : (enum ct_memory_format)memory_format;
}

static ct_tensor *copy_as(ct_tensor *input, enum ct_dtype dtype, int memory_format)
{
    ct_tensor *c = cti_empty_like(input, dtype, copy_format(memory_format));
    return cti_take_if(c, c && cti_copy(c, input));
}

ct_tensor *cti_empty_like_on(const ct_tensor *input, enum ct_dtype dtype, struct ct_device device,
                             enum ct_memory_format format)
{
    device = cti_device_meant(device);
    if (device.type == CT_NO_DEVICE_TYPE || cti_same_device(device, input->storage->device))
        return cti_empty_like(input, dtype, format);
    /* Only the strides are needed from a result on the input's device, so compute them on meta. */
    ct_storage meta = {.device = {CT_META, -1}};
    ct_tensor input_on_meta = *input;
    input_on_meta.storage = &meta;
    ct_tensor *laid = cti_empty_like(&input_on_meta, dtype, format);
    return cti_replace_take(
        laid,
        laid ? cti_empty_strided(laid->ndim, laid->shape, laid->stride, dtype, device) : NULL);
}

ct_tensor *cti_op_clone(ct_tensor *input, int memory_format)
{
    return copy_as(input, input->dtype, memory_format);
}

ct_tensor *cti_op_contiguous(ct_tensor *input, int memory_format)
{
    enum ct_memory_format format =
        memory_format < 0 ? CT_CONTIGUOUS_FORMAT : (enum ct_memory_format)memory_format;
    if (format == CT_PRESERVE_FORMAT && !(input->flags & CTI_CONTIGUOUS))
        return ct_fail(CT_ERR_RUNTIME,
                       "preserve memory format is unsupported by the contiguous operator");
    if (format == CT_PRESERVE_FORMAT || ct_is_contiguous_as(input, format))
        return ct_retain(input);
    return ct_own_clone(input, (int)format);
}

ct_tensor *cti_op_to(ct_tensor *input, enum ct_dtype dtype, struct ct_device device,
                     bool non_blocking, bool copy, int memory_format)
{
    struct ct_device current = ct_device_of(input);
    dtype = dtype == CT_NO_DTYPE ? input->dtype : dtype;
    device = cti_device_meant(device);
    bool same_device =
        device.type == CT_NO_DEVICE_TYPE ||
        (device.type == current.type && (current.type != CT_CUDA || device.index == current.index));
    if (!same_device && current.type == CT_META)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "Cannot copy out of meta tensor; no data!");
    enum ct_memory_format format = copy_format(memory_format);
    /* As in PyTorch, a format requires a copy only if it differs from the suggested one. */
    enum ct_memory_format suggested = CT_CONTIGUOUS_FORMAT;
    if (input->ndim == 4 && !(input->flags & CTI_CONTIGUOUS) &&
        ct_is_contiguous_as(input, CT_CHANNELS_LAST))
        suggested = CT_CHANNELS_LAST;
    bool same_format = format == CT_PRESERVE_FORMAT || format == suggested;
    if (!copy && same_device && input->dtype == dtype && same_format)
        return ct_retain(input);
    return ct_own_to_copy(input, dtype, same_device ? CT_NO_DEVICE : device, non_blocking,
                          memory_format);
}

ct_tensor *cti_op_to_copy(ct_tensor *input, enum ct_dtype dtype, struct ct_device device,
                          bool non_blocking, int memory_format)
{
    (void)non_blocking; /* copies to pageable memory always wait */
    cti_warn_of_cast(input, dtype);
    ct_tensor *c = cti_empty_like_on(input, dtype, device, copy_format(memory_format));
    return cti_take_if(c, c && cti_copy(c, input));
}

ct_tensor *cti_op_to_dtype(ct_tensor *input, enum ct_dtype dtype)
{
    return input->dtype == dtype ? ct_retain(input)
                                 : ct_own_to_copy(input, dtype, CT_NO_DEVICE, false, -1);
}

/* Whether both view the same elements in the same order. */
static bool is_same_data(const ct_tensor *a, const ct_tensor *b)
{
    uint16_t odd = (uint16_t)((a->flags ^ b->flags) & (CTI_CONJ | CTI_NEG));
    return a->storage == b->storage && a->offset == b->offset && a->dtype == b->dtype && !odd &&
           cti_same_shape(a, b->ndim, b->shape) &&
           memcmp(a->stride, b->stride, a->ndim * sizeof *a->stride) == 0;
}

bool cti_op_copy_(ct_tensor *self, ct_tensor *src, bool non_blocking)
{
    int64_t shape[CTI_MAX_DIMS];
    int ndim = self->ndim;
    char have[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
    (void)non_blocking;
    if (self == src || is_same_data(self, src))
        return true;
    if (!cti_shape_check_writable(self) || !cti_shape_check_overlap(self, src, true))
        return false;
    for (int d = 0; d < ndim; d++)
        shape[d] = self->shape[d];
    if (!cti_shape_broadcast(&ndim, shape, src->ndim, src->shape))
        return false;
    if (!cti_same_shape(self, ndim, shape)) /* src broadcasts to self, not the reverse */
        return cti_refuse(
            CT_ERR_RUNTIME, "output with shape %s doesn't match the broadcast shape %s",
            cti_shape_text(have, self->ndim, self->shape), cti_shape_text(want, ndim, shape));
    ct_tensor *source = cti_same_shape(src, ndim, shape)
                            ? ct_retain(src)
                            : cti_view_expand(src, ct_ints_of(shape, ndim), true);
    if (!source)
        return false;
    cti_warn_of_cast(src, self->dtype);
    bool good;
    if (cti_shape_may_overlap(self, src)) {
        ct_tensor *copy = cti_clone(source);
        good = copy && cti_copy(self, copy);
        ct_release(copy);
    } else {
        good = cti_copy(self, source);
    }
    ct_release(source);
    return good;
}

ct_tensor *cti_op_fill(ct_tensor *input, ct_value value)
{
    ct_tensor *out = cti_empty_like(input, input->dtype, CT_PRESERVE_FORMAT);
    return cti_take_if(out, out && cti_op_fill_(out, value));
}

bool cti_op_fill_(ct_tensor *self, ct_value value)
{
    /* Overlapping elements are fine: they get the same number. */
    if (value.kind != CT_VALUE_TENSOR)
        return cti_number_fits(value, self->dtype) && cti_fill(self, value);
    if (value.as.tensor->ndim)
        return cti_refuse(CT_ERR_RUNTIME,
                          "fill_ only supports 0-dimension value tensor but got tensor with %d "
                          "dimensions.",
                          value.as.tensor->ndim);
    if (!cti_shape_check_writable(self))
        return false;
    if (self->numel)
        cti_warn_of_cast(value.as.tensor, self->dtype);
    if (self->storage->device.type == CT_META)
        return true; /* neither tensor has data */
    value = ct_item_value(value.as.tensor);
    return value.kind != CT_VALUE_NULL && cti_fill(self, value);
}

bool cti_op_zero_(ct_tensor *self)
{
    return cti_op_fill_(self, ct_value_int(0));
}

/* ---- ct_cuda and ct_cpu, for C programs ---- */

static ct_tensor *moved(ct_tensor *x, enum ct_device_type type)
{
    return x ? ct_scoped(ct_own_to(x, CT_NO_DTYPE, (struct ct_device){type, -1}, false, false,
                                   CT_PRESERVE_FORMAT))
             : NULL;
}

ct_tensor *ct_cuda(ct_tensor *x)
{
    if (!cti_check_pointer(x, "ct_cuda", "x"))
        return NULL;
    return moved(x, CT_CUDA);
}

ct_tensor *ct_cpu(ct_tensor *x)
{
    if (!cti_check_pointer(x, "ct_cpu", "x"))
        return NULL;
    return moved(x, CT_CPU);
}

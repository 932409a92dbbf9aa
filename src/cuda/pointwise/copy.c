/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies on a device, between devices, and between a device and the host. Equal layouts need one
 * copy by the driver. Other copies on one device are a pointwise program without steps, which
 * converts types and layouts; between two devices, elements are made contiguous for the
 * transfer. */
#include "cuda/engines.h"

#include "core/shape.h"
#include "cuda/runtime/memory.h"

#include <string.h>

/* Whether both have the same dtype, flags and strides, and no gaps: their bytes can be copied. */
static bool same_layout(const ct_tensor *dst, const ct_tensor *src)
{
    if (dst->dtype != src->dtype || ((dst->flags ^ src->flags) & (CTI_CONJ | CTI_NEG)))
        return false;
    if ((dst->flags & CTI_CONTIGUOUS) && (src->flags & CTI_CONTIGUOUS))
        return true;
    for (int d = 0; d < dst->ndim; d++)
        if (dst->shape[d] > 1 && (dst->stride[d] != src->stride[d] || dst->stride[d] < 0))
            return false;
    return cti_shape_is_dense(dst);
}

static bool move_bytes(ct_tensor *dst, ct_tensor *src)
{
    /* The caller may change or free host memory as soon as this returns. The driver has read
     * pageable memory by then, so only copies to the host and from pinned memory have to wait. */
    bool wait = dst->storage->device.type == CT_CPU || cti_cuda_is_pinned(cti_data(src));
    return cti_cuda_move(cti_data(dst), dst->storage->device, cti_data(src), src->storage->device,
                         dst->numel * cti_itemsize((enum ct_dtype)dst->dtype), wait);
}

/* Copies on one device. */
static bool copy_on_device(ct_tensor *dst, ct_tensor *src)
{
    struct cti_pointwise w = {.work = {CTI_ENGINE_pointwise, dst->storage->device},
                              .ndim = dst->ndim};
    int64_t bstride[2][CTI_MAX_DIMS];
    ct_tensor *t[] = {dst, src};
    if (same_layout(dst, src))
        return move_bytes(dst, src);
    w.nout = 1;
    w.noperands = 2;
    w.shape = dst->shape;
    for (int o = 0; o < 2; o++) {
        int64_t size = cti_itemsize((enum ct_dtype)t[o]->dtype);
        for (int d = 0; d < dst->ndim; d++)
            bstride[o][d] = dst->shape[d] == 1 ? 0 : t[o]->stride[d] * size;
        w.operand[o] = (struct cti_operand){.data = cti_data(t[o]),
                                            .dtype = t[o]->dtype,
                                            .compute = t[o]->dtype,
                                            .bstride = bstride[o]};
        w.slot_dtype[o] = t[o]->dtype;
    }
    /* A conjugation or negation that is pending on dst is applied to the elements of src. */
    w.operand[1].flags = (uint8_t)((src->flags ^ dst->flags) & (CTI_CONJ | CTI_NEG));
    w.operand[1].compute = dst->dtype;
    return cti_run(&w.work);
}

/* Returns t if it is contiguous without pending flags, otherwise a contiguous copy. Owned. */
static ct_tensor *contiguous(ct_tensor *t)
{
    if ((t->flags & CTI_CONTIGUOUS) && !(t->flags & (CTI_CONJ | CTI_NEG)))
        return ct_retain(t);
    ct_tensor *p = cti_empty(t->ndim, t->shape, (enum ct_dtype)t->dtype, t->storage->device);
    return cti_take_if(p, p && cti_run_copy(p, t));
}

/* Copies between tensors of the same shape. */
static bool copy_same_shape(ct_tensor *dst, ct_tensor *src)
{
    if (cti_same_device(dst->storage->device, src->storage->device))
        return copy_on_device(dst, src);
    if (same_layout(dst, src))
        return move_bytes(dst, src);
    ct_tensor *from = contiguous(src);
    if (!from)
        return false;
    ct_tensor *to = NULL;
    bool good;
    if (same_layout(dst, from)) {
        good = move_bytes(dst, from);
    } else {
        to = cti_empty(dst->ndim, dst->shape, (enum ct_dtype)src->dtype, dst->storage->device);
        good = to && move_bytes(to, from) && cti_run_copy(dst, to);
    }
    ct_release(from);
    ct_release(to);
    return good;
}

enum cti_status cti_cuda_copy(struct cti_copy *work)
{
    ct_tensor *dst = work->dst, *src = work->src;
    bool same = dst->ndim == src->ndim;
    for (int d = 0; same && d < dst->ndim; d++)
        same = dst->shape[d] == src->shape[d];
    if (dst->numel == 0 || same)
        return dst->numel == 0 || copy_same_shape(dst, src);
    /* src broadcasts */
    int64_t stride[CTI_MAX_DIMS];
    ct_tensor expanded = *src;
    int pad = dst->ndim - src->ndim;
    for (int d = 0; d < dst->ndim; d++)
        stride[d] = d < pad || src->shape[d - pad] == 1 ? 0 : src->stride[d - pad];
    expanded.ndim = dst->ndim;
    expanded.numel = dst->numel;
    expanded.shape = dst->shape;
    expanded.stride = stride;
    expanded.flags &= (uint16_t)~CTI_CONTIGUOUS;
    return copy_same_shape(dst, &expanded);
}

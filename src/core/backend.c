/* SPDX-License-Identifier: BSD-3-Clause */
/* Which backend serves a device, and which memory. The only place in core that names them. */
#include "core/backend.h"
#include "core/border.h"

#include "core/shape.h"
#include "core/sparse.h"

static const struct cti_backend *const backends[] = {
    [CT_CPU] = &cti_cpu_backend,
    [CT_CUDA] = &cti_cuda_backend,
    [CT_META] = &cti_meta_backend,
    [CTI_SPARSE_DEVICE] = &cti_sparse_backend,
};

const struct cti_backend *cti_backend_of(const ct_tensor *t)
{
    return backends[t->storage->device.type];
}

const struct cti_backend *cti_copy_backend(const ct_tensor *dst, const ct_tensor *src)
{
    if ((dst->flags | src->flags) & CTI_SPARSE)
        return &cti_sparse_backend;
    bool from_device = dst->storage->device.type == CT_CPU && src->storage->device.type != CT_META;
    return cti_backend_of(from_device ? src : dst);
}

bool cti_join_by_copies(ct_tensor *dst, ct_tensor *const *src, int64_t n, int dim)
{
    bool good = true;
    for (int64_t i = 0, at = dst->offset; good && i < n; i++) {
        ct_tensor *place = cti_view(dst, dst->ndim, src[i]->shape, dst->stride, at);
        good = place && cti_backend_of(dst)->copy(place, src[i]);
        ct_release(place);
        at += src[i]->shape[dim] * dst->stride[dim];
    }
    return good;
}

const struct cti_accelerator *cti_accelerator_of(enum ct_device_type type)
{
    return type == CT_CUDA ? &cti_cuda_accelerator : NULL;
}

struct ct_device cti_device_meant(struct ct_device device)
{
    const struct cti_accelerator *memory = cti_accelerator_of(device.type);
    if (memory && device.index < 0)
        device.index = memory->current();
    return device;
}

ct_tensor *ct_own_host(ct_tensor *t)
{
    if (!cti_given_pointer(t, "ct_own_host", "t"))
        return NULL;
    return cti_host(t);
}

ct_tensor *cti_host(ct_tensor *t)
{
    int64_t stride[CTI_MAX_DIMS];
    if (t && t->flags & CTI_SPARSE)
        return ct_fail(CT_ERR_RUNTIME,
                       "Cannot access data pointer of Tensor that doesn't have storage");
    if (t && t->storage->device.type == CT_META) /* who reads elements must not find a header */
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "Cannot copy out of meta tensor; no data!");
    if (!t || !cti_accelerator_of(t->storage->device.type))
        return ct_retain(t);
    cti_shape_like_strides(t, stride);
    ct_tensor *here = cti_empty_strided(t->ndim, t->shape, stride, (enum ct_dtype)t->dtype,
                                        (struct ct_device){CT_CPU, -1});
    return cti_take_if(here, here && cti_copy_backend(here, t)->copy(here, t));
}

ct_tensor *cti_plain(ct_tensor *t, bool host)
{
    ct_tensor *near = host ? cti_host(t) : ct_retain(t);
    if (!near || (ct_is_contiguous(near) && !(near->flags & (CTI_CONJ | CTI_NEG))))
        return near;
    ct_tensor *plain =
        cti_empty(near->ndim, near->shape, (enum ct_dtype)near->dtype, near->storage->device);
    bool good = plain && cti_copy_backend(plain, near)->copy(plain, near);
    ct_release(near);
    return cti_take_if(plain, good);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrappers for engines that many operations use, and copies of tensors to host memory. This is the
 * only file of core that refers to accelerators. */
#include "core/backend.h"
#include "core/check_args.h"

#include "core/shape.h"
#include "core/sparse.h"

bool cti_run_copy(ct_tensor *dst, ct_tensor *src)
{
    bool from_device = dst->storage->device.type == CT_CPU && src->storage->device.type != CT_META;
    struct cti_copy copy = {.work = {CTI_ENGINE_copy, (from_device ? src : dst)->storage->device},
                            .dst = dst,
                            .src = src};
    if ((dst->flags | src->flags) & CTI_SPARSE)
        copy.work.device.type = CTI_SPARSE_DEVICE;
    return cti_run(&copy.work);
}

bool cti_check_index(ct_tensor *index, int64_t size, bool wrap, int64_t *bad)
{
    struct cti_index_check check = {.index = index, .size = size, .wrap = wrap};
    if (!cti_run_on(&check.work, CTI_ENGINE_index_check, index))
        return false;
    if (check.outside)
        *bad = check.bad;
    return !check.outside;
}

int64_t cti_count_nonzero(ct_tensor *mask)
{
    struct cti_count_nonzero count = {.mask = mask};
    return cti_run_on(&count.work, CTI_ENGINE_count_nonzero, mask) ? count.count : -1;
}

bool cti_join_by_copies(const struct cti_join *work)
{
    ct_tensor *dst = work->dst;
    bool good = true;
    for (int64_t i = 0, at = dst->offset; good && i < work->parts.n; i++) {
        ct_tensor *part = work->parts.v[i];
        ct_tensor *to = cti_view(dst, dst->ndim, part->shape, dst->stride, at);
        good = to && CTI_RUN(copy, dst, .dst = to, .src = part);
        ct_release(to);
        at += part->shape[work->dim] * dst->stride[work->dim];
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
    if (!cti_check_pointer(t, "ct_own_host", "t"))
        return NULL;
    return cti_host(t);
}

ct_tensor *cti_host(ct_tensor *t)
{
    int64_t stride[CTI_MAX_DIMS];
    if (t && t->flags & CTI_SPARSE)
        return ct_fail(CT_ERR_RUNTIME,
                       "Cannot access data pointer of Tensor that doesn't have storage");
    /* otherwise the caller would read the storage's header as elements */
    if (t && t->storage->device.type == CT_META)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "Cannot copy out of meta tensor; no data!");
    if (!t || !cti_accelerator_of(t->storage->device.type))
        return ct_retain(t);
    cti_shape_like_strides(t, stride);
    ct_tensor *here =
        cti_empty_strided(t->ndim, t->shape, stride, t->dtype, (struct ct_device){CT_CPU, -1});
    return cti_take_if(here, here && cti_run_copy(here, t));
}

ct_tensor *cti_plain(ct_tensor *t, bool host)
{
    ct_tensor *near = host ? cti_host(t) : ct_retain(t);
    if (!near || (ct_is_contiguous(near) && !(near->flags & (CTI_CONJ | CTI_NEG))))
        return near;
    ct_tensor *plain = cti_empty(near->ndim, near->shape, near->dtype, near->storage->device);
    bool good = plain && cti_run_copy(plain, near);
    ct_release(near);
    return cti_take_if(plain, good);
}

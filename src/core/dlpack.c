/* SPDX-License-Identifier: BSD-3-Clause */
/* Export to and import from DLPack. An exported structure holds the storage, not the tensor, so
 * later changes of the tensor do not affect it. An imported structure becomes borrowed memory with
 * its deleter. */
#include "corten/dlpack.h"
#include "core/check_args.h"

#include "core/alloc.h"
#include "core/tensor.h"

#include <string.h>

/* ---- data types ---- */

static const uint8_t dl_code[CT_DTYPE_COUNT] = {
    [CT_BOOL] = CT_DL_BOOL,
    [CT_UINT8] = CT_DL_UINT,
    [CT_INT8] = CT_DL_INT,
    [CT_INT16] = CT_DL_INT,
    [CT_INT32] = CT_DL_INT,
    [CT_INT64] = CT_DL_INT,
    [CT_UINT16] = CT_DL_UINT,
    [CT_UINT32] = CT_DL_UINT,
    [CT_UINT64] = CT_DL_UINT,
    [CT_FLOAT16] = CT_DL_FLOAT,
    [CT_BFLOAT16] = CT_DL_BFLOAT,
    [CT_FLOAT32] = CT_DL_FLOAT,
    [CT_FLOAT64] = CT_DL_FLOAT,
    [CT_COMPLEX64] = CT_DL_COMPLEX,
    [CT_COMPLEX128] = CT_DL_COMPLEX,
    [CT_COMPLEX32] = CT_DL_COMPLEX,
    [CT_FLOAT8_E4M3FN] = CT_DL_FLOAT8_E4M3FN,
    [CT_FLOAT8_E5M2] = CT_DL_FLOAT8_E5M2,
    [CT_FLOAT8_E4M3FNUZ] = CT_DL_FLOAT8_E4M3FNUZ,
    [CT_FLOAT8_E5M2FNUZ] = CT_DL_FLOAT8_E5M2FNUZ,
    [CT_FLOAT8_E8M0FNU] = CT_DL_FLOAT8_E8M0FNU,
};

static enum ct_dtype dtype_from(const struct ct_dl_tensor *d)
{
    for (int i = 0; i < CT_DTYPE_COUNT; i++) {
        if (d->dtype.lanes == 1 && dl_code[i] == d->dtype.code &&
            cti_itemsize((enum ct_dtype)i) * 8 == d->dtype.bits)
            return (enum ct_dtype)i;
    }
    ct_fail(CT_ERR_BUFFER, "from_dlpack: no data type has code %d, %d bits and %d lanes",
            d->dtype.code, d->dtype.bits, d->dtype.lanes);
    return CT_NO_DTYPE;
}

/* ---- export ---- */

/* The structure, the storage it holds and its sizes in one block. */
struct exported {
    union {
        struct ct_dl_managed plain;
        struct ct_dl_versioned versioned;
    } as;
    ct_storage *storage;
    int64_t dims[]; /* shape, then strides */
};

static struct exported *export_tensor(ct_tensor *t)
{
    if (!t)
        return NULL;
    if (t->flags & CTI_REQUIRES_GRAD)
        return ct_fail(CT_ERR_BUFFER,
                       "Can't export tensors that require gradient, use tensor.detach()");
    if (t->flags & (CTI_CONJ | CTI_NEG))
        return ct_fail(CT_ERR_BUFFER, "Can't export tensors with the %s bit set",
                       t->flags & CTI_CONJ ? "conjugate" : "negative");
    if (t->storage->device.type != CT_CPU && t->storage->device.type != CT_CUDA)
        return ct_fail(CT_ERR_BUFFER, "Cannot pack tensors on %s",
                       ct_device_str(t->storage->device));
    struct exported *e = cti_malloc(sizeof *e + 2 * t->ndim * sizeof *e->dims);
    if (!e)
        return NULL;
    memset(e, 0, sizeof *e);
    memcpy(e->dims, t->shape, t->ndim * sizeof *e->dims);
    memcpy(e->dims + t->ndim, t->stride, t->ndim * sizeof *e->dims);
    e->storage = ct_storage_retain(t->storage);
    ct_storage_set_resizable(t->storage, false);
    return e;
}

static struct ct_dl_tensor dlpack_describe(ct_tensor *t, struct exported *e)
{
    bool on_gpu = t->storage->device.type == CT_CUDA;
    return (struct ct_dl_tensor){
        .data = ct_data(t),
        .device = {on_gpu ? CT_DL_CUDA : CT_DL_CPU, on_gpu ? t->storage->device.index : 0},
        .ndim = t->ndim,
        .dtype = {dl_code[t->dtype], (uint8_t)(8 * cti_itemsize(t->dtype)), 1},
        .shape = e->dims,
        .strides = e->dims + t->ndim,
    };
}

static void dlpack_drop(struct exported *e)
{
    ct_storage_release(e->storage);
    cti_free(e);
}

static void drop_plain(struct ct_dl_managed *self)
{
    if (self)
        dlpack_drop(self->context);
}

static void drop_versioned(struct ct_dl_versioned *self)
{
    if (self)
        dlpack_drop(self->context);
}

struct ct_dl_managed *ct_to_dlpack(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_to_dlpack", "t"))
        return NULL;
    struct exported *e = export_tensor(t);
    if (!e)
        return NULL;
    e->as.plain = (struct ct_dl_managed){dlpack_describe(t, e), e, drop_plain};
    return &e->as.plain;
}

struct ct_dl_versioned *ct_to_dlpack_versioned(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_to_dlpack_versioned", "t"))
        return NULL;
    struct exported *e = export_tensor(t);
    if (!e)
        return NULL;
    e->as.versioned = (struct ct_dl_versioned){
        .version = {CT_DL_MAJOR, CT_DL_MINOR},
        .context = e,
        .deleter = drop_versioned,
        .tensor = dlpack_describe(t, e),
    };
    return &e->as.versioned;
}

/* ---- import ---- */

static void drop_import(void *context)
{
    struct ct_dl_managed *m = context;
    if (m->deleter)
        m->deleter(m);
}

static void drop_versioned_import(void *context)
{
    struct ct_dl_versioned *m = context;
    if (m->deleter)
        m->deleter(m);
}

/* False and an error unless the memory belongs to the CPU or an NVIDIA GPU. */
static bool readable(const struct ct_dl_tensor *d)
{
    if (d->device.type != CT_DL_CPU && d->device.type != CT_DL_CUDA_HOST &&
        d->device.type != CT_DL_ROCM_HOST && d->device.type != CT_DL_CUDA)
        return ct_fail(CT_ERR_BUFFER, "from_dlpack: device type %d is not supported",
                       d->device.type);
    if (d->ndim < 0 || d->ndim > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_BUFFER, "from_dlpack: a tensor has at most %d dimensions, not %d",
                       CTI_MAX_DIMS, d->ndim);
    return true;
}

static ct_tensor *import_tensor(const struct ct_dl_tensor *d, void (*deleter)(void *),
                                void *context)
{
    enum ct_dtype dtype = dtype_from(d);
    if (dtype == CT_NO_DTYPE || !readable(d)) {
        deleter(context);
        return NULL;
    }
    static const int64_t none;
    ct_ints shape = {d->ndim ? d->shape : &none, d->ndim};
    ct_ints stride = {d->ndim ? d->strides : &none, d->ndim};
    void *data = d->data ? (char *)d->data + d->byte_offset : NULL;
    ct_tensor *t = ct_own_from_memory(data, dtype, shape, stride, deleter, context);
    if (t && d->device.type == CT_DL_CUDA) /* no other thread has the storage yet */
        t->storage->device = (struct ct_device){CT_CUDA, d->device.id};
    return t;
}

ct_tensor *ct_own_from_dlpack(struct ct_dl_managed *managed)
{
    if (!cti_check_pointer(managed, "ct_own_from_dlpack", "managed"))
        return NULL;
    return import_tensor(&managed->tensor, drop_import, managed);
}

ct_tensor *ct_from_dlpack(struct ct_dl_managed *managed)
{
    if (!cti_check_pointer(managed, "ct_from_dlpack", "managed"))
        return NULL;
    return ct_scoped(ct_own_from_dlpack(managed));
}

ct_tensor *ct_own_from_dlpack_versioned(struct ct_dl_versioned *managed)
{
    if (!cti_check_pointer(managed, "ct_own_from_dlpack_versioned", "managed"))
        return NULL;
    /* another major version may move all members but the deleter */
    if (managed->version.major > CT_DL_MAJOR) {
        ct_fail(CT_ERR_BUFFER, "from_dlpack: DLPack %u.%u is newer than %d.%d",
                managed->version.major, managed->version.minor, CT_DL_MAJOR, CT_DL_MINOR);
        drop_versioned_import(managed);
        return NULL;
    }
    return import_tensor(&managed->tensor, drop_versioned_import, managed);
}

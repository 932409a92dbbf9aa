/* SPDX-License-Identifier: BSD-3-Clause */
/* Tensors to and from other libraries by DLPack, the common C structure of array libraries: no copy
 * is made, both sides see one memory. The structures have the layout of DLPack 1.x (and, without a
 * version, of all before), so pointers to theirs can be cast to these. */
#ifndef CORTEN_DLPACK_H
#define CORTEN_DLPACK_H

#ifdef __GNUC__
#pragma GCC system_header /* compilers speak of the program, not of what macros are made of */
#endif

#include "corten/base.h"

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {
#endif

enum ct_dl_device_type {
    CT_DL_CPU = 1,
    CT_DL_CUDA = 2,
    CT_DL_CUDA_HOST = 3, /* pinned: the CPU reads it as its own */
    CT_DL_ROCM_HOST = 11
};

enum ct_dl_code {
    CT_DL_INT = 0,
    CT_DL_UINT = 1,
    CT_DL_FLOAT = 2,
    CT_DL_BFLOAT = 4,
    CT_DL_COMPLEX = 5,
    CT_DL_BOOL = 6,
    CT_DL_FLOAT8_E4M3FN = 10,
    CT_DL_FLOAT8_E4M3FNUZ = 11,
    CT_DL_FLOAT8_E5M2 = 12,
    CT_DL_FLOAT8_E5M2FNUZ = 13,
    CT_DL_FLOAT8_E8M0FNU = 14
};

enum { CT_DL_READ_ONLY = 1 << 0, CT_DL_IS_COPIED = 1 << 1 }; /* flags of the versioned form */

#define CT_DL_MAJOR 1
#define CT_DL_MINOR 1

struct ct_dl_tensor {
    void *data;
    struct {
        int32_t type, id;
    } device;
    int32_t ndim;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } dtype;
    int64_t *shape, *strides; /* in elements; strides NULL: contiguous */
    uint64_t byte_offset;
};

struct ct_dl_managed {
    struct ct_dl_tensor tensor;
    void *context;
    void (*deleter)(struct ct_dl_managed *self); /* may be NULL */
};

struct ct_dl_versioned {
    struct {
        uint32_t major, minor;
    } version;
    void *context;
    void (*deleter)(struct ct_dl_versioned *self); /* may be NULL */
    uint64_t flags;
    struct ct_dl_tensor tensor;
};

/* The memory of t for another library, which calls the deleter, on any thread, when it is done.
 * NULL and an error for what DLPack cannot say: gradients, lazily conjugated views, no memory. */
CT_API struct ct_dl_managed *ct_to_dlpack(ct_tensor *t);
CT_API struct ct_dl_versioned *ct_to_dlpack_versioned(ct_tensor *t);

/* A tensor over another library's memory. Takes the structure over: its deleter runs when the last
 * view is gone, also when this call fails. */
CT_API ct_tensor *ct_from_dlpack(struct ct_dl_managed *managed); /* belongs to the scope */
CT_API ct_tensor *ct_own_from_dlpack(struct ct_dl_managed *managed);
CT_API ct_tensor *ct_own_from_dlpack_versioned(struct ct_dl_versioned *managed);

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif

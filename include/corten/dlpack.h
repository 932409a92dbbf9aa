/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges tensors with other libraries through DLPack, the C structure that array libraries
 * share. No elements are copied: both sides use the same memory. The structures below have the
 * layout of DLPack 1.x (ct_dl_versioned) and of earlier versions (ct_dl_managed), so pointers to
 * DLPack's own structures can be cast to them. */
#ifndef CORTEN_DLPACK_H
#define CORTEN_DLPACK_H

#ifdef __GNUC__
#pragma GCC system_header /* warnings point at the program, not into expanded macros */
#endif

#include "corten/base.h"

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {
#endif

enum ct_dl_device_type {
    CT_DL_CPU = 1,
    CT_DL_CUDA = 2,
    CT_DL_CUDA_HOST = 3, /* page-locked host memory, which the CPU can read */
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

/* Exports t. The other library calls the deleter, on any thread, when it does not need the memory
 * any more. NULL and an error: t requires a gradient, is a lazily conjugated view or is sparse,
 * which DLPack cannot express, or out of memory. */
CT_API struct ct_dl_managed *ct_to_dlpack(ct_tensor *t);
CT_API struct ct_dl_versioned *ct_to_dlpack_versioned(ct_tensor *t);

/* Imports another library's structure as a tensor on its memory. Takes over the structure: its
 * deleter is called when the last tensor on the memory is released, and also if this call fails. */
CT_API ct_tensor *ct_from_dlpack(struct ct_dl_managed *managed); /* in the innermost scope */
CT_API ct_tensor *ct_own_from_dlpack(struct ct_dl_managed *managed);
CT_API ct_tensor *ct_own_from_dlpack_versioned(struct ct_dl_versioned *managed);

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif

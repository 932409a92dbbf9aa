/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that implement the creation of tensors. */
#ifndef CORTEN_OPS_CREATE_H
#define CORTEN_OPS_CREATE_H

#include "core/tensor.h"

static inline enum ct_dtype cti_create_dtype(enum ct_dtype dtype)
{
    return dtype == CT_NO_DTYPE ? ct_get_default_dtype() : dtype;
}

/* Returns an uninitialised tensor; CT_NO_DEVICE: on the default device. The caller owns it. */
ct_tensor *cti_create_empty(ct_ints size, enum ct_dtype dtype, struct ct_device device);

/* Fills uninitialised memory with NaN, the largest integer or true if the program asked for
 * deterministic empty tensors (ct_set_fill_empty); else does nothing. */
bool cti_create_fill_unwritten(ct_tensor *t);

/* Enlarges t's storage to nbytes; the new part is uninitialised memory in the sense above. */
bool cti_create_grow(ct_tensor *t, int64_t nbytes);

/* The last step of a creation: sets requires_grad. Takes t, which may be NULL. */
ct_tensor *cti_create_take(ct_tensor *t, bool requires_grad);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that creations share. */
#ifndef CORTEN_OPS_CREATE_H
#define CORTEN_OPS_CREATE_H

#include "core/tensor.h"

static inline enum ct_dtype cti_create_dtype(enum ct_dtype dtype)
{
    return dtype == CT_NO_DTYPE ? ct_get_default_dtype() : dtype;
}

/* CT_NO_DEVICE: the default one. */
ct_tensor *cti_create_empty(ct_ints size, enum ct_dtype dtype, struct ct_device device);

/* Memory that nobody has written stays as it is, or is filled for programs that want no surprises:
 * with NaN, the greatest integer or true (see ct_set_fill_empty). */
bool cti_create_fill_unwritten(ct_tensor *t);

/* Enlarges t's storage, whose new part is memory that nobody has written. */
bool cti_create_grow(ct_tensor *t, int64_t nbytes);

/* The last step of every creation: a tensor that asks for gradients. Takes t. */
ct_tensor *cti_create_take(ct_tensor *t, bool requires_grad);

#endif

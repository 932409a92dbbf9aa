/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles: the hook by which a binding learns that the library releases the last reference to a
 * tensor that has an object in its language. Only bindings call this; the handle itself is a field
 * of the tensor. */
#include "tensor.h"

void ct_set_handle_hook(bool (*last_reference)(ct_tensor *t))
{
    cti_core_hooks.handle_last_reference = last_reference;
}

int64_t ct_reference_count(const ct_tensor *t)
{
    return t ? __atomic_load_n(&t->refs, __ATOMIC_ACQUIRE) : 0;
}

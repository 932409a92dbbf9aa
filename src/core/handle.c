/* SPDX-License-Identifier: BSD-3-Clause */
/* How the binding of another language learns that the library lets go of a tensor which has an
 * object there. Called by bindings alone; the handle itself is a field of the tensor. */
#include "tensor.h"

void ct_set_handle_hook(bool (*last_reference)(ct_tensor *t))
{
    cti_core_hooks.face_last_reference = last_reference;
}

int64_t ct_reference_count(const ct_tensor *t)
{
    return t ? __atomic_load_n(&t->refs, __ATOMIC_ACQUIRE) : 0;
}

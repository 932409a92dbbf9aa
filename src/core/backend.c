/* SPDX-License-Identifier: BSD-3-Clause */
/* Which backend serves a device. The only place in core that names them. */
#include "core/backend.h"

static const struct cti_backend *const backends[] = {
    [CT_CPU] = &cti_cpu_backend,
    [CT_META] = &cti_meta_backend,
};

const struct cti_backend *cti_backend_of(const ct_tensor *t)
{
    return backends[t->storage->device.type];
}

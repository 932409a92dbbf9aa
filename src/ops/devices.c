/* SPDX-License-Identifier: BSD-3-Clause */
/* Rejects operands on different devices before an engine sees them: an engine works on raw
 * addresses and cannot read another device's memory. Generated entry points call these functions
 * for every operation with several tensors, unless its row contains devices = "any". */
#include "core/sparse.h"
#include "ops/front.h"

#include <string.h>

bool cti_device_refused(const ct_tensor *found, const ct_tensor *wanted, const char *message)
{
    if ((found->flags | wanted->flags) & CTI_SPARSE)
        return cti_sparse_refused("empty.memory_format") != NULL;
    if (message)
        return cti_refuse(CT_ERR_RUNTIME, "%s", message);
    struct ct_device found_device = found->storage->device, wanted_device = wanted->storage->device;
    if (found_device.type == CT_META || wanted_device.type == CT_META)
        return cti_refuse(CT_ERR_RUNTIME, "Tensor on device %s is not on the expected device %s!",
                          ct_device_str(found_device), ct_device_str(wanted_device));
    bool swap = wanted_device.type == CT_CPU; /* PyTorch names the CPU last */
    return cti_refuse(CT_ERR_RUNTIME,
                      "Expected all tensors to be on the same device, but found at least two "
                      "devices, %s and %s!",
                      ct_device_str(swap ? found_device : wanted_device),
                      ct_device_str(swap ? wanted_device : found_device));
}

bool cti_devices_differ_value(const ct_tensor *first, ct_value other, const char *message)
{
    if (other.kind != CT_VALUE_TENSOR)
        return false;
    const ct_tensor *t = other.as.tensor;
    if (memcmp(&t->storage->device, &first->storage->device, sizeof t->storage->device) == 0)
        return false;
    bool number = t->ndim == 0 && t->storage->device.type == CT_CPU;
    return !number && cti_devices_differ_tensor(first, t, message);
}

bool cti_devices_differ_list(const ct_tensor *first, ct_list list, const char *message)
{
    bool given = first != NULL;
    for (int64_t i = 0; i < list.n; i++) {
        const ct_tensor *t = list.v[i];
        if (t == CT_NO_TENSOR || (given && t->storage->device.type == CT_CPU))
            continue;
        if (first && cti_devices_differ_tensor(first, t, message))
            return true;
        first = first ? first : t;
    }
    return false;
}

bool cti_out_apart(const ct_tensor *out, const ct_tensor *result)
{
    if (cti_same_device(out->storage->device, result->storage->device))
        return false;
    ct_fail(CT_ERR_RUNTIME,
            "Attempting to copy from device %s to device %s, but cross-device copies are not "
            "allowed!",
            ct_device_str(result->storage->device), ct_device_str(out->storage->device));
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts devices to text ("cpu", "cuda:1") and back, with PyTorch's errors. It does not check
 * whether a device exists. */
#include "core/check_args.h"
#include "core/note.h"
#include "core/scope.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const type_name[] = {
    [CT_NO_DEVICE_TYPE] = "None", [CT_CPU] = "cpu",         [CT_CUDA] = "cuda", [CT_XLA] = "xla",
    [CT_META] = "meta",           [CT_BAD_DEVICE] = "None",
};

/* Device types that PyTorch knows and Corten has no backend for. */
static const char *const foreign[] = {
    "ipu",  "xpu",  "mkldnn", "opengl", "opencl", "ideep", "hip",  "ve",
    "fpga", "maia", "lazy",   "vulkan", "mps",    "hpu",   "mtia", "privateuseone",
};

static struct ct_device bad_device(void)
{
    return (struct ct_device){CT_BAD_DEVICE, -1};
}

static void note_spelling(bool gpu)
{
    cti_note("devices are written 'cpu', 'cuda', 'cuda:0'%s", gpu ? "; a GPU is 'cuda'" : "");
}

static struct ct_device bad_text(const char *text)
{
    ct_fail(CT_ERR_RUNTIME, "Invalid device string: '%s'", text);
    note_spelling(false);
    return bad_device();
}

static struct ct_device unknown_type(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (strlen(foreign[i]) == length && memcmp(foreign[i], text, length) == 0) {
            ct_fail(CT_ERR_RUNTIME, "Corten has no backend for devices of type %s", foreign[i]);
            return bad_device();
        }
    ct_fail(CT_ERR_RUNTIME,
            "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, "
            "maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of "
            "device string: %.*s",
            (int)length, text);
    note_spelling(length == 3 && strncmp(text, "gpu", 3) == 0);
    return bad_device();
}

struct ct_device ct_device(const char *text)
{
    if (!cti_check_text(text, "ct_device", "text"))
        return bad_device();
    if (!*text) {
        ct_fail(CT_ERR_RUNTIME, "Device string must not be empty");
        return bad_device();
    }
    size_t length = 0;
    while (isalpha((unsigned char)text[length]) || text[length] == '_')
        length++;
    const char *digits = text + length;
    struct ct_device device = {CT_NO_DEVICE_TYPE, -1};
    if (length == 0 || (*digits && *digits != ':'))
        return bad_text(text);
    if (*digits) {
        digits++;
        size_t n = strspn(digits, "0123456789");
        if (n == 0 || digits[n] || (n > 1 && digits[0] == '0'))
            return bad_text(text);
        errno = 0;
        long index = strtol(digits, NULL, 10);
        if (errno || index > INT32_MAX) {
            ct_fail(CT_ERR_RUNTIME, "Could not parse device index '%s' in device string '%s'",
                    digits, text);
            return bad_device();
        }
        device.index = (int)index;
    }
    for (int type = CT_CPU; type <= CT_META; type++)
        if (strlen(type_name[type]) == length && memcmp(type_name[type], text, length) == 0)
            device.type = (enum ct_device_type)type;
    return device.type == CT_NO_DEVICE_TYPE ? unknown_type(text, length) : device;
}

const char *ct_device_str(struct ct_device device)
{
    if ((int)device.type < 0 || device.type > CT_BAD_DEVICE)
        return NULL;
    const char *name = type_name[device.type];
    if (device.index < 0)
        return name;
    char text[32];
    snprintf(text, sizeof text, "%s:%d", name, device.index);
    return cti_scope_text(text);
}

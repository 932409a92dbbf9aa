/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings that programs make: the device of new tensors and the broadcasting rule (per thread),
 * negative strides, the number of interop threads, denormal numbers, and the contents of
 * uninitialised memory. Other files read them through settings.h. */
#include "core/settings.h"
#include "core/check_args.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/thread.h"

#include <stdatomic.h>

/* ---- devices ---- */

struct ct_device ct_get_default_device(void)
{
    struct ct_device device = cti_thread.default_device;
    return device.type == CT_NO_DEVICE_TYPE ? (struct ct_device){CT_CPU, -1} : device;
}

bool ct_set_default_device(struct ct_device device)
{
    if (device.type == CT_BAD_DEVICE ||
        !cti_check_device(device, "ct_set_default_device", "device"))
        return false;
    cti_thread.default_device = device;
    return true;
}

/* ---- shapes ---- */

enum ct_broadcast ct_set_broadcast(enum ct_broadcast rule)
{
    enum ct_broadcast old = cti_thread.broadcast;
    if ((unsigned)rule > CT_BROADCAST_RAISE)
        cti_check_refuse("ct_set_broadcast", "rule", "is no enum ct_broadcast");
    else
        cti_thread.broadcast = rule;
    return old;
}

enum ct_broadcast cti_broadcast_rule(void)
{
    return cti_thread.broadcast;
}

/* ---- strides ---- */

static atomic_bool no_negative_strides;

void ct_allow_negative_strides(bool on)
{
    atomic_store_explicit(&no_negative_strides, !on, memory_order_relaxed);
}

bool cti_negative_strides(void)
{
    return !atomic_load_explicit(&no_negative_strides, memory_order_relaxed);
}

/* ---- threads ---- */

int ct_get_num_threads(void)
{
    return cti_parallel_threads();
}

bool ct_set_num_threads(int64_t count)
{
    if (count < 1)
        return ct_fail(CT_ERR_RUNTIME, "set_num_threads expects a positive integer");
    cti_parallel_set_threads(count > INT32_MAX ? INT32_MAX : (int)count);
    return true;
}

/* Operations never run in parallel to each other; the number is only stored. */
static atomic_int interop_threads;

int ct_get_num_interop_threads(void)
{
    int count = atomic_load(&interop_threads);
    return count ? count : cti_parallel_threads();
}

bool ct_set_num_interop_threads(int64_t count)
{
    if (count < 1)
        return ct_fail(CT_ERR_RUNTIME, "set_num_interop_threads expects a positive integer");
    int none = 0, wanted = count > INT32_MAX ? INT32_MAX : (int)count;
    if (!atomic_compare_exchange_strong(&interop_threads, &none, wanted))
        return ct_fail(CT_ERR_RUNTIME,
                       "Error: cannot set number of interop threads after parallel work has "
                       "started or set_num_interop_threads called");
    return true;
}

/* ---- denormal numbers ---- */

bool ct_set_flush_denormal(bool on)
{
    unsigned mode = cti_float_mode();
    cti_set_float_mode(on ? mode | CTI_FLUSH_BITS : mode & ~CTI_FLUSH_BITS);
    /* Where the mode does not exist, as under valgrind, the bits do not stay set. */
    return CTI_FLUSH_BITS && (cti_float_mode() & CTI_FLUSH_BITS) == (on ? CTI_FLUSH_BITS : 0);
}

/* ---- uninitialised memory ---- */

static atomic_bool fill_empty;

void ct_set_fill_empty(bool on)
{
    atomic_store_explicit(&fill_empty, on, memory_order_relaxed);
}

bool cti_fill_empty(void)
{
    return atomic_load_explicit(&fill_empty, memory_order_relaxed);
}

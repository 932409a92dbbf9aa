/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings: at most two per thread wait until a binding takes them with ct_take_warning. The
 * library itself never prints. */
#include "core/alloc.h"
#include "core/tensor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool warn_always; /* atomic */

static void warning_keep(const char *format, va_list arguments)
{
    char text[1024];
    char **slot = cti_thread.warning ? &cti_thread.second_warning : &cti_thread.warning;
    if (*slot)
        return;
    vsnprintf(text, sizeof text, format, arguments);
    cti_thread_register();
    *slot = strdup(text);
}

void cti_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    warning_keep(format, arguments);
    va_end(arguments);
}

void cti_warn_once(bool *said, const char *format, ...)
{
    va_list arguments;
    if (__atomic_exchange_n(said, true, __ATOMIC_RELAXED) && !ct_get_warn_always())
        return;
    va_start(arguments, format);
    warning_keep(format, arguments);
    va_end(arguments);
}

void ct_set_warn_always(bool on)
{
    __atomic_store_n(&warn_always, on, __ATOMIC_RELAXED);
}

bool ct_get_warn_always(void)
{
    return __atomic_load_n(&warn_always, __ATOMIC_RELAXED);
}

char *ct_take_warning(void)
{
    char *text = cti_thread.warning;
    cti_thread.warning = cti_thread.second_warning;
    cti_thread.second_warning = NULL;
    return text;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings for the user: one text per thread that waits until a face takes it. The library itself
 * never prints. */
#include "core/alloc.h"
#include "core/tensor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cti_warn(const char *format, ...)
{
    va_list arguments;
    char text[1024];
    if (cti_thread.warning)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cti_thread_register();
    cti_thread.warning = strdup(text);
}

char *ct_take_warning(void)
{
    char *text = cti_thread.warning;
    cti_thread.warning = NULL;
    return text;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings for the user: up to two texts per thread that wait until a face takes them. The library
 * itself never prints. */
#include "core/alloc.h"
#include "core/tensor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cti_warn(const char *format, ...)
{
    va_list arguments;
    char text[1024];
    char **place = cti_thread.warning ? &cti_thread.second_warning : &cti_thread.warning;
    if (*place)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cti_thread_register();
    *place = strdup(text);
}

char *ct_take_warning(void)
{
    char *text = cti_thread.warning;
    cti_thread.warning = cti_thread.second_warning;
    cti_thread.second_warning = NULL;
    return text;
}

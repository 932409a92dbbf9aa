/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings for the user: one text per thread that waits until a face takes it. The library itself
 * never prints. */
#include "core/alloc.h"
#include "core/tensor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static __thread char *waiting;

void cti_warn(const char *format, ...)
{
    va_list arguments;
    char text[1024];
    if (waiting)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    waiting = strdup(text);
}

char *ct_take_warning(void)
{
    char *text = waiting;
    waiting = NULL;
    return text;
}

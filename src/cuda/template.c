/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels that are a file of kernels/ specialised by a few #defines, such as its types. */
#include "cuda/kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct template
{
    const char *name, *definitions;
};

static void write_template(struct cti_text *text, const void *context)
{
    const struct template *t = context;
    cti_text_add(text, t->definitions);
    cti_text_add(text, cti_cuda_kernel_text(t->name));
}

cu_function cti_cuda_template(int device, const char *name, const char *format, ...)
{
    char key[1024];
    int n = snprintf(key, sizeof key, "t%s\n", name);
    va_list arguments;
    va_start(arguments, format);
    int m = vsnprintf(key + n, sizeof key - (size_t)n, format, arguments);
    va_end(arguments);
    struct template t = {name, key + n};
    return cti_cuda_kernel(device, key, (size_t)(n + m), write_template, &t);
}

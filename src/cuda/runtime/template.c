/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels that are a .cu file specialised by a few #defines, such as its types. Called by
 * launchers; see kernel.h. */
#include "cuda/runtime/kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MOST 1024 /* bytes of the definitions, and of a key */

struct template
{
    const char *name, *format;
    va_list *arguments;
};

static void write_template(struct cti_text *text, const void *context)
{
    const struct template *t = context;
    char definitions[MOST];
    int n = vsnprintf(definitions, sizeof definitions, t->format, *t->arguments);
    text->failed |= n < 0 || n >= MOST;
    cti_text_add(text, definitions);
    cti_text_add(text, cti_cuda_kernel_text(t->name));
}

/* What the definitions depend on, which costs a launch less than to write them: the name, where the
 * format lies, and what %d, %c and %s stand for. 0: it has no room, or another conversion. */
static size_t write_key(char key[MOST], const char *name, const char *format, va_list arguments)
{
    size_t n = 1 + sizeof format, size = strlen(name) + 1;
    if (n + size > MOST)
        return 0;
    key[0] = 't';
    memcpy(key + 1, &format, sizeof format);
    memcpy(key + n, name, size);
    n += size;
    for (const char *at = strchr(format, '%'); at; at = strchr(at + 2, '%'), n += size) {
        int number;
        const void *from = &number;
        size = sizeof number;
        if (at[1] == 's') {
            from = va_arg(arguments, const char *);
            size = strlen(from) + 1;
        } else if (at[1] == 'd' || at[1] == 'c') {
            number = va_arg(arguments, int);
        } else {
            return 0;
        }
        if (n + size > MOST)
            return 0;
        memcpy(key + n, from, size);
    }
    return n;
}

cu_function cti_cuda_template(int device, const char *name, const char *format, ...)
{
    char key[MOST];
    va_list arguments;
    va_start(arguments, format);
    size_t size = write_key(key, name, format, arguments);
    va_end(arguments);
    if (size == 0)
        return ct_fail(CT_ERR_RUNTIME, "the definitions of the CUDA kernel %s are too long", name);
    va_start(arguments, format);
    struct template t = {name, format, &arguments};
    cu_function f = cti_cuda_kernel(device, key, size, write_template, &t);
    va_end(arguments);
    return f;
}

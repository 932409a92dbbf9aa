/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles and launches .cu files by named parameters; see launch.h. */
#include "cuda/runtime/launch.h"

#include "cuda/runtime/kernel.h"

#include <string.h>

#define MOST_KEY 1024      /* bytes */
#define PLAIN_SHARED 49152 /* bytes of shared memory that a kernel may have without asking */

static void write_kernel(struct cti_text *text, const void *context)
{
    const struct cti_launch *l = context;
    for (int i = 0; i < CTI_MAX_TEXTS && l->texts[i].name; i++)
        if (l->texts[i].text)
            cti_text_printf(text, "#define %s %s\n", l->texts[i].name, l->texts[i].text);
    for (int i = 0; i < CTI_MAX_PARAMS && l->params[i].name; i++)
        cti_text_printf(text, "#define %s %d\n", l->params[i].name, l->params[i].value);
    cti_text_add(text, cti_cuda_kernel_text(l->file));
}

struct key {
    size_t size;
    unsigned char bytes[MOST_KEY];
};

static void add(struct key *key, const void *bytes, size_t size)
{
    if (key->size + size <= MOST_KEY)
        memcpy(key->bytes + key->size, bytes, size);
    key->size += size;
}

/* Names go into the key as addresses: a launch has no time to copy and compare their letters. */
static void write_key(struct key *key, const struct cti_launch *l)
{
    static const char *const end = NULL;
    static const char given = 1, absent = 0;
    key->size = 0;
    add(key, "l", 1);
    add(key, &l->file, sizeof l->file);
    for (int i = 0; i < CTI_MAX_PARAMS && l->params[i].name; i++) {
        add(key, &l->params[i].name, sizeof l->params[i].name);
        add(key, &l->params[i].value, sizeof l->params[i].value);
    }
    add(key, &end, sizeof end); /* where numbers end and texts begin */
    for (int i = 0; i < CTI_MAX_TEXTS && l->texts[i].name; i++) {
        const char *text = l->texts[i].text;
        add(key, &l->texts[i].name, sizeof l->texts[i].name);
        add(key, text ? &given : &absent, 1);
        if (text)
            add(key, text, strlen(text) + 1);
    }
}

bool cti_cuda_run(const struct cti_launch *l)
{
    struct key key;
    write_key(&key, l);
    if (key.size > MOST_KEY)
        return ct_fail(CT_ERR_RUNTIME, "the definitions of the CUDA kernel %s are too long",
                       l->file);
    cu_function f = cti_cuda_kernel(l->device, key.bytes, key.size, write_kernel, l);
    if (!f || cti_cuda_fake() || l->grid[0] == 0)
        return f != NULL;
    if (l->shared + l->static_shared > PLAIN_SHARED &&
        !cti_cuda_check(cti_cu.function_set(f, CU_FUNCTION_MAX_DYNAMIC_SHARED, (int)l->shared)))
        return false;
    const unsigned grid[3] = {l->grid[0], l->grid[1] ? l->grid[1] : 1, l->grid[2] ? l->grid[2] : 1};
    return cti_cuda_launch_2d(l->device, f, grid, l->threads, l->shared, l->args, l->size);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles and launches .cu files by named parameters; see launch.h. */
#include "cuda/runtime/launch.h"

#include "core/small.h"
#include "cuda/runtime/kernel.h"

#include <stdlib.h>
#include <string.h>

#define MAX_KEY 1024       /* bytes */
#define PLAIN_SHARED 49152 /* bytes of shared memory that need no opt-in */

/* ---- kernels by their parameters ---- */

static void write_kernel(struct cti_text *text, const void *context)
{
    const struct cti_launch *l = context;
    for (int i = 0; i < CTI_MAX_TEXTS && l->texts[i].name; i++)
        if (l->texts[i].text)
            cti_text_printf(text, "#define %s %s\n", l->texts[i].name, l->texts[i].text);
    for (int i = 0; i < CTI_MAX_CASTS && l->casts[i].name; i++) {
        cti_text_printf(text, "#define %s ", l->casts[i].name);
        cti_cuda_cast(text, l->casts[i].to, l->casts[i].from, "(x)");
        cti_text_add(text, "\n");
    }
    for (int i = 0; i < CTI_MAX_PARAMS && l->params[i].name; i++)
        cti_text_printf(text, "#define %s %d\n", l->params[i].name, l->params[i].value);
    cti_text_add(text, cti_cuda_kernel_text(l->file));
}

struct key {
    size_t size;
    unsigned char bytes[MAX_KEY];
};

static void key_add(struct key *key, const void *bytes, size_t size)
{
    if (key->size + size <= MAX_KEY)
        memcpy(key->bytes + key->size, bytes, size);
    key->size += size;
}

/* The key contains the addresses of names, which is faster than copying and comparing the names. */
static void write_key(struct key *key, const struct cti_launch *l)
{
    static const char *const end = NULL;
    static const char given = 1, absent = 0;
    key->size = 0;
    key_add(key, "l", 1);
    key_add(key, &l->file, sizeof l->file);
    for (int i = 0; i < CTI_MAX_PARAMS && l->params[i].name; i++) {
        key_add(key, &l->params[i].name, sizeof l->params[i].name);
        key_add(key, &l->params[i].value, sizeof l->params[i].value);
    }
    key_add(key, &end, sizeof end); /* separates the lists */
    for (int i = 0; i < CTI_MAX_CASTS && l->casts[i].name; i++)
        key_add(key, &l->casts[i], sizeof l->casts[i]);
    key_add(key, &end, sizeof end);
    for (int i = 0; i < CTI_MAX_TEXTS && l->texts[i].name; i++) {
        const char *text = l->texts[i].text;
        key_add(key, &l->texts[i].name, sizeof l->texts[i].name);
        key_add(key, text ? &given : &absent, 1);
        if (text)
            key_add(key, text, strlen(text) + 1);
    }
}

/* ---- launches ---- */

/* Whether each launch waits for its kernel, for debugging. */
static bool is_blocking(void)
{
    static int answer = -1;
    if (answer < 0) {
        const char *text = getenv("CUDA_LAUNCH_BLOCKING");
        answer = text && *text && *text != '0';
    }
    return answer;
}

static bool launch_grid(int device, cu_function function, const int64_t grid[3], unsigned threads,
                        unsigned shared, bool together, const void *args, size_t size)
{
    void *extra[] = {(void *)1, (void *)(uintptr_t)args, (void *)2, &size, NULL};
    struct cu_launch_attribute attribute = {
        .what = together ? CU_LAUNCH_TOGETHER : CU_LAUNCH_OVERLAPS, .flag = 1};
    struct cu_launch l = {
        .grid = {(unsigned)grid[0], (unsigned)max64(grid[1], 1), (unsigned)max64(grid[2], 1)},
        .block = {threads, 1, 1},
        .shared = shared,
        .stream = cti_cuda_stream(device),
        .attributes = &attribute,
        .nattributes = together || cti_cuda_overlaps(device)};
    return cti_cuda_no_fault(device) && cti_cuda_check(cti_cu.launch(&l, function, NULL, extra)) &&
           (!is_blocking() || cti_cuda_wait(device));
}

bool cti_cuda_launch(int device, cu_function function, int64_t grid, unsigned threads,
                     const void *args, size_t size)
{
    return launch_grid(device, function, (const int64_t[3]){grid}, threads, 0, false, args, size);
}

bool cti_cuda_run(const struct cti_launch *l)
{
    struct key key;
    write_key(&key, l);
    if (key.size > MAX_KEY)
        return ct_fail(CT_ERR_RUNTIME, "the definitions of the CUDA kernel %s are too long",
                       l->file);
    if (!cti_cuda_use(l->device))
        return false;
    cu_function f = cti_cuda_kernel(l->device, key.bytes, key.size, write_kernel, l);
    if (!f || l->grid[0] == 0)
        return f != NULL;
    if (l->shared + l->static_shared > PLAIN_SHARED &&
        !cti_cuda_check(cti_cu.function_set(f, CU_FUNCTION_MAX_DYNAMIC_SHARED, (int)l->shared)))
        return false;
    return launch_grid(l->device, f, l->grid, l->threads, l->shared, l->together, l->args, l->size);
}

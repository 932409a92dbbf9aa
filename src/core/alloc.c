/* SPDX-License-Identifier: BSD-3-Clause */
/* Host memory for small objects: cti_malloc, and the per-thread free lists of tensors and small
 * storages. A thread may free a block that another thread allocated; the block then joins the free
 * list of the freeing thread. The lists have a maximum length; when a thread ends, its blocks go
 * back to the C library. */
#include "core/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "core/tensor.h"

/* Under the address sanitizer nothing is cached, so that it sees every use after free. */
#if defined(__SANITIZE_ADDRESS__)
#define KEEP(n) 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KEEP(n) 0
#endif
#endif
#ifndef KEEP
#define KEEP(n) (n)
#endif

#define HEADER sizeof(struct ct_storage)
_Static_assert(HEADER == 64, "inline bytes of a storage begin on a cache line");

const uint16_t cti_pool_size[CTI_POOL_COUNT] = {
    [CTI_POOL_TENSOR] = (sizeof(struct ct_tensor) + 63) / 64 * 64,
    [CTI_POOL_STORAGE] = HEADER,
    [CTI_POOL_SMALL] = HEADER + 64,
    [CTI_POOL_SMALL + 1] = HEADER + 128,
    [CTI_POOL_SMALL + 2] = HEADER + 256,
    [CTI_POOL_SMALL + 3] = HEADER + 512,
    [CTI_POOL_SMALL + 4] = HEADER + 1024,
    [CTI_POOL_SMALL + 5] = HEADER + 2048,
    [CTI_POOL_SMALL + 6] = HEADER + 4096,
};

const uint16_t cti_pool_limit[CTI_POOL_COUNT] = {
    [CTI_POOL_TENSOR] = KEEP(512),    [CTI_POOL_STORAGE] = KEEP(256),
    [CTI_POOL_SMALL] = KEEP(512),     [CTI_POOL_SMALL + 1] = KEEP(256),
    [CTI_POOL_SMALL + 2] = KEEP(128), [CTI_POOL_SMALL + 3] = KEEP(64),
    [CTI_POOL_SMALL + 4] = KEEP(64),  [CTI_POOL_SMALL + 5] = KEEP(32),
    [CTI_POOL_SMALL + 6] = KEEP(32),
};

int64_t cti_alloc_countdown;

void cti_alloc_fail_after(int64_t n)
{
    __atomic_store_n(&cti_alloc_countdown, n > 0 ? n : 0, __ATOMIC_RELAXED);
}

void ct_test_fail_alloc(int64_t n)
{
    cti_alloc_fail_after(n);
}

static void *out_of_memory(void)
{
    return ct_fail(CT_ERR_OUT_OF_MEMORY, "out of memory");
}

bool cti_alloc_must_fail(void)
{
    /* Stop at 0: another thread may have taken the last count. */
    int64_t left = __atomic_load_n(&cti_alloc_countdown, __ATOMIC_RELAXED);
    do {
        if (left <= 0)
            return false;
    } while (!__atomic_compare_exchange_n(&cti_alloc_countdown, &left, left - 1, true,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    if (left > 1)
        return false;
    out_of_memory();
    return true;
}

void *cti_malloc(size_t size)
{
    if (cti_alloc_refused())
        return NULL;
    void *memory = malloc(size ? size : 1);
    return memory ? memory : out_of_memory();
}

void *cti_calloc(size_t count, size_t size)
{
    if (cti_alloc_refused())
        return NULL;
    void *memory = calloc(count ? count : 1, size ? size : 1);
    return memory ? memory : out_of_memory();
}

void *cti_realloc(void *memory, size_t size)
{
    if (cti_alloc_refused())
        return NULL;
    void *grown = realloc(memory, size ? size : 1);
    return grown ? grown : out_of_memory();
}

char *cti_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = cti_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

void cti_free(void *memory)
{
    free(memory);
}

void *cti_pool_fresh(int which)
{
    void *block = aligned_alloc(64, cti_pool_size[which]);
    return block ? block : out_of_memory();
}

/* The slow path of cti_pool_put: the list is full, or the thread is not registered yet. */
void cti_pool_overflow(int which, void *block)
{
    struct cti_pool *pool = &cti_thread.pool[which];
    cti_thread_register();
    if (pool->count >= cti_pool_limit[which]) {
        free(block);
        return;
    }
    *(void **)block = pool->head;
    pool->head = block;
    pool->count++;
}

void cti_alloc_thread_exit(void)
{
    for (int i = 0; i < CTI_POOL_COUNT; i++) {
        struct cti_pool *pool = &cti_thread.pool[i];
        while (pool->head) {
            void *block = pool->head;
            pool->head = *(void **)block;
            free(block);
        }
        pool->count = 0;
    }
}

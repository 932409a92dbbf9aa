/* SPDX-License-Identifier: BSD-3-Clause */
/* Host memory. Three allocators: cti_malloc for the small structures of the library, per-thread
 * free lists for tensors and small storages (only for src/core), and cached blocks for the bytes of
 * larger storages. Each can be made to fail on demand, see cti_alloc_fail_after. */
#ifndef CORTEN_CORE_ALLOC_H
#define CORTEN_CORE_ALLOC_H

#include "core/thread.h"

/* Like malloc, calloc and realloc; release the memory with free(). NULL sets
 * CT_ERR_OUT_OF_MEMORY. */
void *cti_malloc(size_t size) __attribute__((malloc, alloc_size(1)));
void *cti_calloc(size_t count, size_t size) __attribute__((malloc, alloc_size(1, 2)));
void *cti_realloc(void *memory, size_t size) __attribute__((alloc_size(2)));
char *cti_strdup(const char *text);
void cti_free(void *memory);

/* For tests: the n-th allocation of the process from now on fails, once; 0 turns it off. */
void cti_alloc_fail_after(int64_t n);
extern int64_t cti_alloc_countdown; /* atomic; 0: off */
bool cti_alloc_must_fail(void);     /* counts one allocation; sets the error when it must fail */

static inline bool cti_alloc_refused(void)
{
    return __builtin_expect(__atomic_load_n(&cti_alloc_countdown, __ATOMIC_RELAXED) != 0, 0) &&
           cti_alloc_must_fail();
}

/* ---- blocks of larger storages ---- */

struct cti_block {
    void *address; /* 64-byte aligned; on huge pages from 2 MiB on */
    int64_t size;
    struct cti_block *next, **link;  /* free blocks of one size, most recently freed first */
    struct cti_block *older, *newer; /* all free blocks by age */
    bool mapped;                     /* from mmap, else from the C library */
    const struct ct_allocator *from; /* or from the program's allocator, see ct_set_allocator */
};

/* Returns at least nbytes. Pages are not touched here: the threads that compute fault them in
 * (first touch). */
struct cti_block *cti_block_new(int64_t nbytes);
void cti_block_free(struct cti_block *block);

struct cti_block_stats {
    int64_t live, cached, peak; /* bytes in use, cached, peak in use */
};
struct cti_block_stats cti_block_stats(void);

/* ---- per-thread free lists ---- */

extern const uint16_t cti_pool_size[CTI_POOL_COUNT];  /* bytes of a block */
extern const uint16_t cti_pool_limit[CTI_POOL_COUNT]; /* free blocks that a thread keeps */
void *cti_pool_fresh(int which);

/* Returns a 64-byte aligned block of the given class, or NULL and an error. */
static inline void *cti_pool_get(int which)
{
    struct cti_pool *pool = &cti_thread.pool[which];
    if (cti_alloc_refused())
        return NULL;
    void *block = pool->head;
    if (__builtin_expect(!block, 0))
        return cti_pool_fresh(which);
    pool->head = *(void **)block;
    pool->count--;
    return block;
}

void cti_pool_overflow(int which, void *block);

/* May be called on any thread: the block joins the free list of the calling thread. */
static inline void cti_pool_put(int which, void *block)
{
    struct cti_pool *pool = &cti_thread.pool[which];
    if (__builtin_expect(pool->count >= cti_pool_limit[which] || !cti_thread.registered, 0)) {
        cti_pool_overflow(which, block);
        return;
    }
    *(void **)block = pool->head;
    pool->head = block;
    pool->count++;
}

#endif

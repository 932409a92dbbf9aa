/* SPDX-License-Identifier: BSD-3-Clause */
/* The caching allocator for the bytes of larger storages. A freed block is kept and reused, because
 * fresh pages would have to be faulted in and cleared by the kernel. Sizes are rounded up by at
 * most an eighth, and blocks of equal size share a free list. Blocks of 2 MiB and more use huge
 * pages.
 *
 * Note [Pages]: blocks of several pages are page-aligned. Otherwise two blocks could be a cache
 * line apart modulo 4096, and 4K aliasing (the processor compares only the low 12 bits of
 * addresses) would make each load from one wait for the last store to the other: loops ran at two
 * thirds of their speed.
 *
 * Note [Cache bound]: a training step allocates and frees sizes that peak at different times, so a
 * cache that is too small frees blocks which the next step needs. The sum of memory in use and
 * cached memory is therefore bounded by the peak in use plus a margin: as much again, but at most 1
 * GiB or a quarter of the peak, whichever is more; and the bound is at least 64 MiB. The blocks
 * that were freed longest ago are dropped first. */
#include "core/alloc.h"
#include "core/debug.h"
#include "core/fork.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LEAST_BITS = 11, SIZES = 8 * (49 - LEAST_BITS) };
#define PAGE 4096
#define HUGE_PAGE ((int64_t)2 << 20)
#define ALWAYS_KEPT ((int64_t)64 << 20)
#define KEPT_BESIDE ((int64_t)1 << 30) /* the limit of the margin of Note [Cache bound] */
#define LARGEST ((int64_t)1 << 48)     /* larger than any address space */

/* Under the address sanitizer blocks come from malloc, and cached blocks are poisoned, so that it
 * detects every access to a freed one. */
#if defined(__SANITIZE_ADDRESS__)
#define WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED 1
#endif
#endif
#ifdef WATCHED
#include <sanitizer/asan_interface.h>
#else
#define WATCHED 0
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cti_block *bin[SIZES];
static struct cti_block *oldest, *newest;
static struct cti_block_stats stats;
static const struct ct_allocator *program; /* atomic; never freed: blocks refer to it */

/* Rounds up to one of eight size classes per power of two; *which is its list. */
static int64_t round_size(int64_t nbytes, int *which)
{
    if (nbytes < (int64_t)1 << LEAST_BITS)
        nbytes = (int64_t)1 << LEAST_BITS;
    int bits = 63 - __builtin_clzll((unsigned long long)nbytes);
    int64_t step = (int64_t)1 << (bits - 3);
    int64_t eighths = (nbytes + step - 1) / step; /* 8..16 */
    *which = 8 * (bits - LEAST_BITS) + (int)eighths - 8;
    return eighths * step;
}

/* The limit of memory in use and cached together. */
static int64_t cache_bound(void)
{
    int64_t peak = stats.peak, again = peak < KEPT_BESIDE ? peak : KEPT_BESIDE;
    int64_t limit = peak + (again > peak / 4 ? again : peak / 4);
    return limit > ALWAYS_KEPT ? limit : ALWAYS_KEPT;
}

static void unlink_block(struct cti_block *block)
{
    *block->link = block->next;
    if (block->next)
        block->next->link = block->link;
    *(block->older ? &block->older->newer : &oldest) = block->newer;
    *(block->newer ? &block->newer->older : &newest) = block->older;
    stats.cached -= block->size;
}

static void link_block(struct cti_block *block, int which)
{
    block->next = bin[which];
    block->link = &bin[which];
    if (block->next)
        block->next->link = &block->next;
    bin[which] = block;
    block->newer = NULL;
    block->older = newest;
    *(newest ? &newest->newer : &oldest) = block;
    newest = block;
    stats.cached += block->size;
}

/* Unlinks free blocks, the oldest first, until the cached memory fits below `limit`. Returns them
 * as a chain by `next`, which the caller frees after it has released the lock. */
static struct cti_block *cache_shrink(int64_t limit)
{
    struct cti_block *chain = NULL;
    while (oldest && stats.live + stats.cached > limit) {
        struct cti_block *block = oldest;
        unlink_block(block);
        block->next = chain;
        chain = block;
    }
    return chain;
}

static void free_chain(struct cti_block *chain)
{
    while (chain) {
        struct cti_block *block = chain;
        chain = block->next;
        ASAN_UNPOISON_MEMORY_REGION(block->address, (size_t)block->size);
        if (block->from)
            block->from->release(block->address, (size_t)block->size, block->from->context);
        else if (block->mapped)
            munmap(block->address, (size_t)block->size);
        else
            free(block->address);
        free(block);
    }
}

static void *map_huge(int64_t size)
{
    size_t total = (size_t)(size + HUGE_PAGE);
    char *start = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    size_t before = (size_t)(-(uintptr_t)start & (uintptr_t)(HUGE_PAGE - 1));
    if (before)
        munmap(start, before);
    munmap(start + before + size, (size_t)HUGE_PAGE - before);
    madvise(start + before, (size_t)size, MADV_HUGEPAGE);
    return start + before;
}

static void *from_heap(int64_t size)
{
    void *address;
    size_t alignment = size < 4 * PAGE ? 64 : size < HUGE_PAGE ? PAGE : HUGE_PAGE;
    return posix_memalign(&address, alignment, (size_t)size) == 0 ? address : NULL;
}

static struct cti_block *from_system(int64_t size)
{
    struct cti_block *block = malloc(sizeof *block);
    if (!block)
        return NULL;
    block->size = size;
    block->from = __atomic_load_n(&program, __ATOMIC_ACQUIRE);
    block->mapped = !WATCHED && !block->from && size >= HUGE_PAGE;
    if (block->from)
        block->address = block->from->allocate((size_t)size, block->from->context);
    else
        block->address = block->mapped ? map_huge(size) : from_heap(size);
    if (block->address)
        return block;
    free(block);
    return NULL;
}

static struct cti_block *from_cache(int64_t size, int which)
{
    pthread_mutex_lock(&lock);
    /* Also accept a block of the next size: an eighth of waste is cheaper than fresh pages. */
    struct cti_block *block = bin[which];
    if (!block && which + 1 < SIZES)
        block = bin[which + 1];
    if (block) {
        unlink_block(block);
        size = block->size;
    }
    stats.live += size;
    if (stats.live > stats.peak)
        stats.peak = stats.live;
    pthread_mutex_unlock(&lock);
    return block;
}

struct cti_block *cti_block_new(int64_t nbytes)
{
    if (nbytes < LARGEST && !cti_alloc_refused()) {
        int which;
        int64_t size = round_size(nbytes, &which);
        struct cti_block *block = from_cache(size, which);
        if (!block)
            block = from_system(size);
        if (!block) {
            ct_empty_cache();
            block = from_system(size);
        }
        if (block) {
            ASAN_UNPOISON_MEMORY_REGION(block->address, (size_t)block->size);
            return block;
        }
        pthread_mutex_lock(&lock);
        stats.live -= size;
        pthread_mutex_unlock(&lock);
    }
    return ct_fail(CT_ERR_OUT_OF_MEMORY,
                   "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't "
                   "allocate memory: you tried to allocate %lld bytes. Error code 12 (Cannot "
                   "allocate memory)",
                   (long long)nbytes);
}

void cti_block_free(struct cti_block *block)
{
    int which;
    round_size(block->size, &which);
    pthread_mutex_lock(&lock);
    stats.live -= block->size;
    ASAN_POISON_MEMORY_REGION(block->address, (size_t)block->size);
    link_block(block, which);
    struct cti_block *chain = cache_shrink(cti_debug_on ? -1 : cache_bound());
    pthread_mutex_unlock(&lock);
    free_chain(chain);
}

void ct_empty_cache(void)
{
    pthread_mutex_lock(&lock);
    struct cti_block *chain = cache_shrink(-1);
    pthread_mutex_unlock(&lock);
    free_chain(chain);
}

/* All allocators that were ever set. Blocks refer to their allocator, so none of these is freed. An
 * allocator that is set again is found here. */
static struct kept {
    struct ct_allocator functions;
    struct kept *older;
} * kept;

static struct ct_allocator *allocator_keep(const struct ct_allocator *a)
{
    struct kept *k = kept;
    while (k && (k->functions.allocate != a->allocate || k->functions.release != a->release ||
                 k->functions.context != a->context))
        k = k->older;
    if (!k && (k = cti_malloc(sizeof *k))) {
        *k = (struct kept){*a, kept};
        kept = k;
    }
    return k ? &k->functions : NULL;
}

bool ct_set_allocator(const struct ct_allocator *allocator)
{
    if (allocator && (!allocator->allocate || !allocator->release))
        return ct_fail(CT_ERR_VALUE, "ct_set_allocator(): allocate and release must not be NULL");
    pthread_mutex_lock(&lock);
    struct ct_allocator *found = allocator ? allocator_keep(allocator) : NULL;
    pthread_mutex_unlock(&lock);
    if (allocator && !found)
        return false;
    __atomic_store_n(&program, found, __ATOMIC_RELEASE);
    ct_empty_cache(); /* cached blocks came from another allocator */
    return true;
}

struct cti_block_stats cti_block_stats(void)
{
    pthread_mutex_lock(&lock);
    struct cti_block_stats now = stats;
    pthread_mutex_unlock(&lock);
    return now;
}

__attribute__((constructor)) static void watch_forks(void)
{
    cti_fork_guard(&lock, 1);
}

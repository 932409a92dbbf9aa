/* SPDX-License-Identifier: BSD-3-Clause */
/* The caching allocator of device memory: free blocks by device, stream and size class. Work on a
 * stream is ordered, so a freed block can be reused on its stream at once; a block that other
 * streams also used (record_stream) waits for their events. Small blocks are cut from slabs. When
 * the device is full, cached blocks are returned to the driver and the allocation is retried. */
#include "cuda/runtime/memory.h"

#include "core/alloc.h"
#include "core/note.h"
#include "corten/cuda.h"
#include "cuda/random/random.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define SMALLEST ((int64_t)512) /* bytes; also the alignment of all blocks */
#define SLAB ((int64_t)4 << 20)
#define LARGE ((int64_t)1 << 20)       /* from here on the driver allocates each block */
#define HUGE_SIZE ((int64_t)128 << 20) /* from here on size classes are finer */
#define CLASSES 768

struct use {
    cu_stream stream;
    cu_event event;
    struct use *next;
};

struct block {
    char *address, *slab; /* slab: the one it was cut from, or NULL */
    int64_t size, asked;
    int device;
    bool used;
    cu_stream stream;
    struct use *uses;           /* on other streams */
    struct block *next, *older; /* older: links all blocks */
};

/* The free lists of one stream of a device. */
struct pool {
    cu_stream stream;
    char *slab, *slab_start;
    int64_t slab_left;
    struct block *free[CLASSES];
    struct pool *next;
};

static struct arena {
    pthread_mutex_t lock;
    struct pool *pools;
    struct block *waiting; /* freed, but still in use on other streams */
    struct block *newest;
    double fraction; /* the limit, as a fraction of the device memory; 0: no limit */
    struct ct_cuda_memory stats;
} arenas[CTI_CUDA_MAX_DEVICES];

static void __attribute__((constructor)) make_locks(void)
{
    for (int i = 0; i < CTI_CUDA_MAX_DEVICES; i++)
        pthread_mutex_init(&arenas[i].lock, NULL);
}

/* ---- statistics ---- */

static void count(struct arena *a, enum ct_cuda_count what, bool large, int64_t n)
{
    struct ct_cuda_counter *const both[] = {
        &a->stats.count[what][CT_CUDA_ALL],
        &a->stats.count[what][large ? CT_CUDA_LARGE : CT_CUDA_SMALL]};
    for (int i = 0; i < 2; i++) {
        struct ct_cuda_counter *c = both[i];
        c->current += n;
        *(n > 0 ? &c->allocated : &c->freed) += n > 0 ? n : -n;
        c->peak = c->current > c->peak ? c->current : c->peak;
    }
}

static void count_block(struct arena *a, const struct block *b, int64_t sign)
{
    bool large = b->size >= LARGE;
    count(a, CT_CUDA_ALLOCATIONS, large, sign);
    count(a, CT_CUDA_ALLOCATED_BYTES, large, sign * ((b->asked + 511) / 512 * 512));
    count(a, CT_CUDA_REQUESTED_BYTES, large, sign * b->asked);
}

/* ---- blocks ---- */

/* Returns the size class and rounds *size up to it. There are four classes for each power of two,
 * and sixteen for huge sizes. All sizes are multiples of SMALLEST, because the blocks of a slab are
 * adjacent and cuBLASLt needs its workspace aligned to 256 bytes: with less, it may refuse an
 * algorithm in one call and not in the next, so that the bits of a product depend on the address of
 * a block. */
static int class_of(int64_t *size)
{
    int64_t n = *size < SMALLEST ? SMALLEST : *size;
    int bits = n >= HUGE_SIZE ? 4 : 2;
    int exponent = 63 - __builtin_clzll((unsigned long long)n);
    int64_t step = (int64_t)1 << (exponent - bits);
    step = step < SMALLEST ? SMALLEST : step;
    n = (n + step - 1) / step * step;
    exponent = 63 - __builtin_clzll((unsigned long long)n);
    step = (int64_t)1 << (exponent - 4);
    *size = n;
    return (exponent - 9) * 16 + (int)((n - ((int64_t)1 << exponent)) / step);
}

static struct pool *pool_of(struct arena *a, cu_stream stream)
{
    struct pool *p = a->pools;
    while (p && p->stream != stream)
        p = p->next;
    if (p || !(p = cti_malloc(sizeof *p)))
        return p;
    memset(p, 0, sizeof *p);
    p->stream = stream;
    p->next = a->pools;
    a->pools = p;
    return p;
}

static void cache_block(struct arena *a, struct block *b)
{
    struct pool *p = pool_of(a, b->stream);
    int64_t size = b->size;
    if (!p)
        return; /* the host is out of memory, too: the block is leaked */
    struct block **list = &p->free[class_of(&size)];
    b->next = *list;
    *list = b;
}

/* Caches the waiting blocks whose uses on other streams are complete. */
static void collect_waiting(struct arena *a)
{
    for (struct block **at = &a->waiting; *at;) {
        struct block *b = *at;
        while (b->uses && cti_cu.event_query(b->uses->event) != CU_NOT_READY) {
            struct use *u = b->uses;
            cti_cu.event_destroy(u->event);
            b->uses = u->next;
            cti_free(u);
        }
        if (b->uses) {
            at = &b->next;
            continue;
        }
        *at = b->next;
        cache_block(a, b);
    }
}

/* Returns the large blocks of the cache to the driver. */
static void release_cached(struct arena *a)
{
    cti_cu.synchronize();
    collect_waiting(a);
    for (struct pool *p = a->pools; p; p = p->next)
        for (int c = 0; c < CLASSES; c++)
            for (struct block *b = p->free[c], *next; b && b->size >= LARGE; b = next) {
                next = b->next;
                p->free[c] = next;
                count(a, CT_CUDA_SEGMENTS, true, -1);
                count(a, CT_CUDA_RESERVED_BYTES, true, -b->size);
                cti_cu.release((cu_address)(uintptr_t)b->address);
                b->address = NULL;
            }
    for (struct block **at = &a->newest; *at;) {
        struct block *b = *at;
        if (b->address) {
            at = &b->older;
            continue;
        }
        *at = b->older;
        cti_free(b);
    }
}

/* Whether the limit that the program has set allows `size` more bytes. */
static bool is_allowed(struct arena *a, int64_t size)
{
    size_t unused = 0, all = 0;
    if (a->fraction == 0 || cti_cu.memory_info(&unused, &all) != CU_OK)
        return true;
    return (double)(a->stats.count[CT_CUDA_RESERVED_BYTES][CT_CUDA_ALL].current + size) <=
           a->fraction * (double)all;
}

static char *from_driver(struct arena *a, int64_t size, bool large)
{
    cu_address address = 0;
    int code = is_allowed(a, size) ? cti_cu.allocate(&address, (size_t)size) : CU_OUT_OF_MEMORY;
    if (code == CU_OUT_OF_MEMORY) {
        a->stats.retries++;
        release_cached(a);
        code = is_allowed(a, size) ? cti_cu.allocate(&address, (size_t)size) : CU_OUT_OF_MEMORY;
    }
    if (code == CU_OUT_OF_MEMORY)
        return NULL;
    if (!cti_cuda_check(code))
        return NULL;
    count(a, CT_CUDA_SEGMENTS, large, 1);
    count(a, CT_CUDA_RESERVED_BYTES, large, size);
    return (char *)(uintptr_t)address;
}

static char *new_memory(struct arena *a, struct pool *p, int64_t size)
{
    if (size >= LARGE)
        return from_driver(a, size, true);
    if (p->slab_left < size) {
        char *slab = from_driver(a, SLAB, false);
        if (!slab)
            return NULL;
        p->slab = p->slab_start = slab;
        p->slab_left = SLAB;
    }
    char *address = p->slab;
    p->slab += size;
    p->slab_left -= size;
    return address;
}

static struct block *find_block(struct arena *a, int device, int64_t asked)
{
    int64_t size = asked;
    int class = class_of(&size);
    struct pool *p = pool_of(a, cti_cuda_stream(device));
    if (!p)
        return NULL;
    if (a->waiting)
        collect_waiting(a);
    struct block *b = p->free[class];
    if (b) {
        p->free[class] = b->next;
    } else {
        b = cti_malloc(sizeof *b);
        char *address = b ? new_memory(a, p, size) : NULL;
        if (!address) {
            cti_free(b);
            return NULL;
        }
        *b = (struct block){.address = address,
                            .slab = size < LARGE ? p->slab_start : NULL,
                            .size = size,
                            .device = device,
                            .stream = p->stream,
                            .older = a->newest};
        a->newest = b;
    }
    b->asked = asked;
    b->used = true;
    b->next = NULL;
    count_block(a, b, 1);
    return b;
}

/* Writes a size such as "1.50 GiB". */
static const char *size_text(char text[32], int64_t nbytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    double n = (double)nbytes;
    int unit = 0;
    for (; unit < 3 && n >= 1024; unit++)
        n /= 1024;
    snprintf(text, 32, unit ? "%.2f %s" : "%.0f %s", n, units[unit]);
    return text;
}

#define LISTED 4 /* sizes in the note of an error */

/* A note with the largest sizes of allocated blocks, and how many blocks of each there are. */
static void *note_largest(struct arena *a)
{
    struct {
        int64_t size, n;
    } largest[LISTED] = {{0}};
    char text[32 + LISTED * 64] = "most of it:", one[32];
    pthread_mutex_lock(&a->lock);
    for (struct block *b = a->newest; b; b = b->older) {
        int rank = 0;
        while (rank < LISTED && largest[rank].size > b->size)
            rank++;
        if (!b->used || rank == LISTED)
            continue;
        if (largest[rank].size != b->size) {
            memmove(&largest[rank + 1], &largest[rank],
                    (size_t)(LISTED - 1 - rank) * sizeof *largest);
            largest[rank].size = b->size;
            largest[rank].n = 0;
        }
        largest[rank].n++;
    }
    pthread_mutex_unlock(&a->lock);
    for (int i = 0; i < LISTED && largest[i].n; i++) {
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%s %lld of %s", i ? "," : "", (long long)largest[i].n,
                 size_text(one, largest[i].size));
    }
    return largest[0].n ? cti_note("%s", text) : NULL;
}

static void *out_of_memory(int device, int64_t nbytes)
{
    struct arena *a = &arenas[device];
    const struct ct_cuda_memory *s = &a->stats;
    size_t unused = 0, all = 0;
    char asked[32], capacity[32], left[32], mine[32], used[32], rest[32], limit[64] = "";
    int64_t allocated = s->count[CT_CUDA_ALLOCATED_BYTES][CT_CUDA_ALL].current;
    int64_t reserved = s->count[CT_CUDA_RESERVED_BYTES][CT_CUDA_ALL].current;
    cti_cu.memory_info(&unused, &all);
    if (a->fraction > 0)
        snprintf(limit, sizeof limit, " Of these, %s may be used.",
                 size_text(rest, (int64_t)(a->fraction * (double)all)));
    a->stats.fails++;
    ct_fail(CT_ERR_DEVICE_MEMORY,
            "CUDA out of memory. Tried to allocate %s. GPU %d has a total capacity of %s of which "
            "%s is free.%s Including non-PyTorch memory, this process has %s memory in use. Of the "
            "allocated memory %s is allocated by PyTorch, and %s is reserved by PyTorch but "
            "unallocated.",
            size_text(asked, nbytes), device, size_text(capacity, (int64_t)all),
            size_text(left, (int64_t)unused), limit, size_text(mine, reserved),
            size_text(used, allocated), size_text(rest, reserved - allocated));
    return note_largest(a);
}

static struct block *allocate_block(int device, int64_t nbytes)
{
    if (!cti_cuda_use(device))
        return NULL;
    struct arena *a = &arenas[device];
    pthread_mutex_lock(&a->lock);
    struct block *b = find_block(a, device, nbytes);
    pthread_mutex_unlock(&a->lock);
    if (!b && ct_error_kind() == CT_ERR_NONE)
        out_of_memory(device, nbytes);
    return b;
}

static void free_block(struct block *b)
{
    struct arena *a = &arenas[b->device];
    pthread_mutex_lock(&a->lock);
    count_block(a, b, -1);
    b->used = false;
    bool waits = false;
    for (struct use *u = b->uses; u; u = u->next)
        waits = cti_cuda_use(b->device) && cti_cu.event_record(u->event, u->stream) == CU_OK;
    if (waits) {
        b->next = a->waiting;
        a->waiting = b;
    } else {
        cache_block(a, b);
    }
    pthread_mutex_unlock(&a->lock);
}

/* ---- storages ---- */

static bool take(ct_storage *s, int64_t nbytes)
{
    static char nothing[16]; /* the address of tensors without elements */
    int device = s->device.index < 0 ? cti_cuda_current() : s->device.index;
    struct block *b = nbytes > 0 ? allocate_block(device, nbytes) : NULL;
    if (!b && (nbytes > 0 || !cti_cuda_use(device)))
        return false;
    s->device.index = device;
    s->block = b;
    s->data = b ? b->address : nothing;
    return true;
}

static void drop(ct_storage *s)
{
    free_block(s->block);
    s->block = NULL;
}

bool cti_cuda_record_stream(ct_storage *s, cu_stream stream)
{
    struct block *b = s->block;
    if (!b || s->borrowed || b->stream == stream)
        return true;
    struct arena *a = &arenas[b->device];
    pthread_mutex_lock(&a->lock);
    struct use *u = b->uses;
    while (u && u->stream != stream)
        u = u->next;
    bool good = true;
    if (!u) {
        u = cti_malloc(sizeof *u);
        good = u && cti_cuda_use(b->device) &&
               cti_cuda_check(cti_cu.event_create(&u->event, CU_EVENT_NO_TIMING));
        if (good) {
            u->stream = stream;
            u->next = b->uses;
            b->uses = u;
        } else {
            cti_free(u);
        }
    }
    pthread_mutex_unlock(&a->lock);
    return good;
}

/* ---- scratch ---- */

void *cti_cuda_scratch(int device, int64_t nbytes, void **block)
{
    struct block *b = allocate_block(device, nbytes > 0 ? nbytes : 1);
    *block = b;
    return b ? b->address : NULL;
}

void cti_cuda_scratch_end(void *block)
{
    if (block)
        free_block(block);
}

/* ---- queries ---- */

bool ct_cuda_get_memory(int device, struct ct_cuda_memory *memory)
{
    size_t unused = 0, total = 0;
    device = device < 0 ? cti_cuda_current() : device;
    if (!cti_cuda_use(device) || !cti_cuda_check(cti_cu.memory_info(&unused, &total)))
        return false;
    struct arena *a = &arenas[device];
    pthread_mutex_lock(&a->lock);
    *memory = a->stats;
    pthread_mutex_unlock(&a->lock);
    memory->unused = (int64_t)unused;
    memory->total = (int64_t)total;
    return true;
}

/* Resets peaks, or accumulated totals. */
static void reset(int device, bool peaks)
{
    device = device < 0 ? cti_cuda_current() : device;
    if (device >= CTI_CUDA_MAX_DEVICES)
        return;
    struct arena *a = &arenas[device];
    pthread_mutex_lock(&a->lock);
    for (int what = 0; what < CT_CUDA_COUNTS; what++)
        for (int pool = 0; pool < CT_CUDA_POOLS; pool++) {
            struct ct_cuda_counter *c = &a->stats.count[what][pool];
            if (peaks)
                c->peak = c->current;
            else
                c->allocated = c->freed = 0;
        }
    if (!peaks)
        a->stats.retries = a->stats.fails = 0;
    pthread_mutex_unlock(&a->lock);
}

void ct_cuda_reset_peak(int device)
{
    reset(device, true);
}

void ct_cuda_reset_accumulated(int device)
{
    reset(device, false);
}

bool ct_cuda_set_memory_fraction(int device, double fraction)
{
    device = device < 0 ? cti_cuda_current() : device;
    if (!cti_cuda_use(device))
        return false;
    arenas[device].fraction = fraction;
    return true;
}

double ct_cuda_memory_fraction(int device)
{
    device = device < 0 ? cti_cuda_current() : device;
    double fraction = device < CTI_CUDA_MAX_DEVICES ? arenas[device].fraction : 0;
    return fraction > 0 ? fraction : 1;
}

int64_t ct_cuda_snapshot(int device, struct ct_cuda_block *blocks, int64_t n)
{
    device = device < 0 ? cti_cuda_current() : device;
    int64_t all = 0;
    if (device >= CTI_CUDA_MAX_DEVICES)
        return 0;
    struct arena *a = &arenas[device];
    pthread_mutex_lock(&a->lock);
    for (struct block *b = a->newest; b; b = b->older, all++)
        if (all < n)
            blocks[all] = (struct ct_cuda_block){.address = b->address,
                                                 .segment = b->slab ? b->slab : b->address,
                                                 .stream = b->stream,
                                                 .size = b->size,
                                                 .requested = b->used ? b->asked : 0,
                                                 .segment_size = b->slab ? SLAB : b->size,
                                                 .state = b->used   ? 1
                                                          : b->uses ? 2
                                                                    : 0};
    pthread_mutex_unlock(&a->lock);
    return all;
}

void cti_cuda_empty_cache(void)
{
    for (int i = 0; i < CTI_CUDA_MAX_DEVICES; i++)
        if (arenas[i].pools && cti_cuda_use(i)) {
            pthread_mutex_lock(&arenas[i].lock);
            release_cached(&arenas[i]);
            pthread_mutex_unlock(&arenas[i].lock);
        }
}

/* ---- copies ---- */

/* Makes later work on the current stream of `to` wait for all earlier work on the current stream of
 * `from`. */
static bool order_streams(int from, int to)
{
    cu_event event;
    bool good =
        cti_cuda_use(from) && cti_cuda_check(cti_cu.event_create(&event, CU_EVENT_NO_TIMING));
    if (!good)
        return false;
    good = cti_cuda_check(cti_cu.event_record(event, cti_cuda_stream(from))) && cti_cuda_use(to) &&
           cti_cuda_check(cti_cu.stream_wait(cti_cuda_stream(to), event, 0));
    cti_cu.event_destroy(event);
    return good;
}

/* Copies a few bytes to the host through a pinned page, which avoids the driver's staging. Only one
 * thread uses the page at a time. 1: done; 0: not done, so that an ordinary copy is needed; -1:
 * failed. */
static int read_mapped(void *dst, const void *src, int64_t nbytes, int device)
{
    enum { MOST = 4096 };
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static void *page;
    if (nbytes > MOST || !cti_cuda_use(device) || pthread_mutex_trylock(&lock) != 0)
        return 0;
    if (!page && cti_cu.host_allocate(&page, MOST, CU_HOST_PORTABLE) != CU_OK)
        page = NULL;
    int done = 0;
    if (page) {
        bool good =
            cti_cuda_check(cti_cu.copy((cu_address)(uintptr_t)page, (cu_address)(uintptr_t)src,
                                       (size_t)nbytes, cti_cuda_stream(device))) &&
            cti_cuda_wait(device);
        if (good)
            memcpy(dst, page, (size_t)nbytes);
        done = good ? 1 : -1;
    }
    pthread_mutex_unlock(&lock);
    return done;
}

bool cti_cuda_move(void *dst, struct ct_device to, const void *src, struct ct_device from,
                   int64_t nbytes, bool wait)
{
    bool both = to.type == CT_CUDA && from.type == CT_CUDA;
    int device = to.type == CT_CUDA ? to.index : from.index;
    if (nbytes == 0)
        return true;
    if (both && to.index != from.index && !order_streams(from.index, to.index))
        return false;
    int read = to.type == CT_CPU && wait ? read_mapped(dst, src, nbytes, device) : 0;
    if (read)
        return read > 0;
    bool good = cti_cuda_use(device) &&
                cti_cuda_check(cti_cu.copy((cu_address)(uintptr_t)dst, (cu_address)(uintptr_t)src,
                                           (size_t)nbytes, cti_cuda_stream(device)));
    if (good && both && to.index != from.index)
        return order_streams(to.index, from.index);
    return good && (both || !wait || cti_cuda_wait(device));
}

static bool holds(const void *address)
{
    return !cti_cuda_fake() || cti_cuda_fake_holds(address);
}

const struct cti_accelerator cti_cuda_accelerator = {.current = cti_cuda_current,
                                                     .take = take,
                                                     .drop = drop,
                                                     .move = cti_cuda_move,
                                                     .wait = cti_cuda_wait,
                                                     .holds = holds,
                                                     .seed_all = cti_cuda_seed_all};

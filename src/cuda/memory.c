/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of devices: blocks of the driver, kept and handed out again by device, stream and size
 * class. Work on one stream runs in order, so a block that goes back may be the next one's at once;
 * a block that other streams used too (record_stream) waits for them. Small blocks are cut from
 * slabs; when the device is full, what is kept is given back and asked for again. */
#include "cuda/memory.h"

#include "core/alloc.h"
#include "cuda/random.h"

#include <pthread.h>
#include <string.h>

#define SMALLEST ((int64_t)512)
#define SLAB ((int64_t)4 << 20)
#define LARGE ((int64_t)1 << 20)  /* from here on blocks are the driver's own */
#define VAST ((int64_t)128 << 20) /* from here on classes are close together */
#define CLASSES 768

struct use {
    cu_stream stream;
    cu_event event;
    struct use *next;
};

struct block {
    char *address;
    int64_t size, asked;
    int device;
    cu_stream stream;
    struct use *uses; /* by other streams */
    struct block *next;
};

/* What one stream of a device has. */
struct pool {
    cu_stream stream;
    char *slab;
    int64_t slab_left;
    struct block *free[CLASSES];
    struct pool *next;
};

static struct arena {
    pthread_mutex_t lock;
    struct pool *pools;
    struct block *waiting; /* for other streams */
    struct cti_cuda_memory_stats stats;
} arenas[CTI_CUDA_MAX_DEVICES];

static void __attribute__((constructor)) make_locks(void)
{
    for (int i = 0; i < CTI_CUDA_MAX_DEVICES; i++)
        pthread_mutex_init(&arenas[i].lock, NULL);
}

/* The class of a size, which is rounded up to it: a quarter of a power of two apart, huge ones a
 * sixteenth. */
static int class_of(int64_t *size)
{
    int64_t n = *size < SMALLEST ? SMALLEST : *size;
    int bits = n >= VAST ? 4 : 2;
    int exponent = 63 - __builtin_clzll((unsigned long long)n);
    int64_t step = (int64_t)1 << (exponent - bits);
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

static void keep(struct arena *a, struct block *b)
{
    struct pool *p = pool_of(a, b->stream);
    int64_t size = b->size;
    if (!p)
        return; /* lost to the process, as the host has no memory left either */
    struct block **list = &p->free[class_of(&size)];
    b->next = *list;
    *list = b;
}

/* Blocks that no other stream is waited for any more. */
static void collect(struct arena *a)
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
        keep(a, b);
    }
}

/* Gives large blocks that nobody uses back to the driver. */
static void give_back(struct arena *a)
{
    cti_cu.synchronize();
    collect(a);
    for (struct pool *p = a->pools; p; p = p->next)
        for (int c = 0; c < CLASSES; c++)
            for (struct block *b = p->free[c], *next; b && b->size >= LARGE; b = next) {
                next = b->next;
                p->free[c] = next;
                a->stats.reserved -= b->size;
                cti_cu.release((cu_address)(uintptr_t)b->address);
                cti_free(b);
            }
}

static char *from_driver(struct arena *a, int64_t size)
{
    cu_address address = 0;
    int code = cti_cu.allocate(&address, (size_t)size);
    if (code == CU_OUT_OF_MEMORY) {
        give_back(a);
        code = cti_cu.allocate(&address, (size_t)size);
    }
    if (code == CU_OUT_OF_MEMORY)
        return NULL;
    if (!cti_cuda_check(code))
        return NULL;
    a->stats.reserved += size;
    a->stats.segments++;
    if (a->stats.reserved > a->stats.reserved_peak)
        a->stats.reserved_peak = a->stats.reserved;
    return (char *)(uintptr_t)address;
}

static char *new_memory(struct arena *a, struct pool *p, int64_t size)
{
    if (size >= LARGE)
        return from_driver(a, size);
    if (p->slab_left < size) {
        char *slab = from_driver(a, SLAB);
        if (!slab)
            return NULL;
        p->slab = slab;
        p->slab_left = SLAB;
    }
    char *address = p->slab;
    p->slab += size;
    p->slab_left -= size;
    return address;
}

static struct block *take_block(struct arena *a, int device, int64_t asked)
{
    int64_t size = asked;
    int class = class_of(&size);
    struct pool *p = pool_of(a, cti_cuda_stream(device));
    if (!p)
        return NULL;
    if (a->waiting)
        collect(a);
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
        *b = (struct block){.address = address, .size = size, .device = device};
        b->stream = p->stream;
    }
    b->asked = asked;
    b->next = NULL;
    a->stats.allocations++;
    a->stats.active++;
    a->stats.allocated += size;
    if (a->stats.allocated > a->stats.allocated_peak)
        a->stats.allocated_peak = a->stats.allocated;
    return b;
}

static void *out_of_memory(int device, int64_t nbytes)
{
    const struct cti_cuda_memory_stats *s = &arenas[device].stats;
    size_t unused = 0, all = 0;
    const double gib = 1 << 30, mib = 1 << 20;
    cti_cu.memory_info(&unused, &all);
    return ct_fail(CT_ERR_OUT_OF_MEMORY,
                   "CUDA out of memory. Tried to allocate %.2f %s. GPU %d has a total capacity of "
                   "%.2f GiB of which %.2f GiB is free. Of the allocated memory %.2f GiB is "
                   "allocated by tensors, and %.2f GiB is reserved but unallocated.",
                   nbytes < gib ? (double)nbytes / mib : (double)nbytes / gib,
                   nbytes < gib ? "MiB" : "GiB", device, (double)all / gib, (double)unused / gib,
                   (double)s->allocated / gib, (double)(s->reserved - s->allocated) / gib);
}

static struct block *take_for(int device, int64_t nbytes)
{
    if (!cti_cuda_use(device))
        return NULL;
    struct arena *a = &arenas[device];
    pthread_mutex_lock(&a->lock);
    struct block *b = take_block(a, device, nbytes);
    pthread_mutex_unlock(&a->lock);
    if (!b && ct_error_kind() == CT_ERR_NONE)
        out_of_memory(device, nbytes);
    return b;
}

static void drop_block(struct block *b)
{
    struct arena *a = &arenas[b->device];
    pthread_mutex_lock(&a->lock);
    a->stats.active--;
    a->stats.allocated -= b->size;
    bool waits = false;
    for (struct use *u = b->uses; u; u = u->next)
        waits = cti_cuda_use(b->device) && cti_cu.event_record(u->event, u->stream) == CU_OK;
    if (waits) {
        b->next = a->waiting;
        a->waiting = b;
    } else {
        keep(a, b);
    }
    pthread_mutex_unlock(&a->lock);
}

/* ---- storages ---- */

static bool take(ct_storage *s, int64_t nbytes)
{
    int device = s->device.index < 0 ? cti_cuda_current() : s->device.index;
    struct block *b = nbytes > 0 ? take_for(device, nbytes) : NULL;
    if (!b && (nbytes > 0 || !cti_cuda_use(device)))
        return false;
    s->device.index = device;
    s->block = b;
    if (b)
        s->data = b->address;
    return true;
}

static void drop(ct_storage *s)
{
    drop_block(s->block);
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
    struct block *b = take_for(device, nbytes > 0 ? nbytes : 1);
    *block = b;
    return b ? b->address : NULL;
}

void cti_cuda_scratch_end(void *block)
{
    if (block)
        drop_block(block);
}

/* ---- what is told ---- */

struct cti_cuda_memory_stats cti_cuda_memory_stats(int device)
{
    struct arena *a = &arenas[device];
    pthread_mutex_lock(&a->lock);
    struct cti_cuda_memory_stats s = a->stats;
    pthread_mutex_unlock(&a->lock);
    return s;
}

void cti_cuda_memory_reset_peak(int device)
{
    struct arena *a = &arenas[device];
    pthread_mutex_lock(&a->lock);
    a->stats.allocated_peak = a->stats.allocated;
    a->stats.reserved_peak = a->stats.reserved;
    pthread_mutex_unlock(&a->lock);
}

void cti_cuda_empty_cache(void)
{
    for (int i = 0; i < CTI_CUDA_MAX_DEVICES; i++)
        if (arenas[i].pools && cti_cuda_use(i)) {
            pthread_mutex_lock(&arenas[i].lock);
            give_back(&arenas[i]);
            pthread_mutex_unlock(&arenas[i].lock);
        }
}

/* ---- moves ---- */

/* Work that dst's stream gets from now on sees what src's was sent so far. */
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

bool cti_cuda_move(void *dst, struct ct_device to, const void *src, struct ct_device from,
                   int64_t nbytes, bool wait)
{
    bool both = to.type == CT_CUDA && from.type == CT_CUDA;
    int device = to.type == CT_CUDA ? to.index : from.index;
    if (nbytes == 0)
        return true;
    if (both && to.index != from.index && !order_streams(from.index, to.index))
        return false;
    bool good = cti_cuda_use(device) &&
                cti_cuda_check(cti_cu.copy((cu_address)(uintptr_t)dst, (cu_address)(uintptr_t)src,
                                           (size_t)nbytes, cti_cuda_stream(device)));
    if (good && both && to.index != from.index)
        return order_streams(to.index, from.index);
    return good && (both || !wait || cti_cuda_wait(device));
}

static bool move(void *dst, struct ct_device to, const void *src, struct ct_device from,
                 int64_t nbytes)
{
    return cti_cuda_move(dst, to, src, from, nbytes, true);
}

const struct cti_accelerator cti_cuda_accelerator = {.current = cti_cuda_current,
                                                     .take = take,
                                                     .drop = drop,
                                                     .move = move,
                                                     .seed_all = cti_cuda_seed_all};

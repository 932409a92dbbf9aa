/* SPDX-License-Identifier: BSD-3-Clause */
/* Storages: bytes on a device with a reference count. Small ones store their bytes behind the
 * header, in one block of a free list. Larger ones hold a block of the cache. Borrowed ones hold
 * memory of another owner, with a deleter. Meta storages have no bytes. */
#define _GNU_SOURCE /* O_TMPFILE, memfd_create */
#include "core/alloc.h"
#include "core/backend.h"
#include "core/check_args.h"
#include "core/debug.h"
#include "core/ref.h"
#include "core/sparse.h"
#include "core/tensor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct lender {
    void (*deleter)(void *context);
    void *context;
};

static int pool_for(int64_t nbytes)
{
    if (nbytes == 0)
        return CTI_POOL_STORAGE;
    if (nbytes <= 64)
        return CTI_POOL_SMALL;
    return CTI_POOL_SMALL + 58 - __builtin_clzll((unsigned long long)(nbytes - 1));
}

static ct_storage *new_header(int pool, int64_t nbytes, struct ct_device device)
{
    ct_storage *s = cti_pool_get(pool);
    if (!s)
        return NULL;
    *s = (ct_storage){
        .refs = 1,
        .data = (char *)(s + 1), /* a valid address, even without bytes */
        .nbytes = nbytes,
        /* the CPU has no index */
        .device = device.type == CT_CPU ? (struct ct_device){CT_CPU, -1} : device,
        .resizable = true,
        .pool = (uint8_t)pool,
        .level = (unsigned)cti_thread.level & 63U,
        .version = {CTI_VERSION_INSIDE, 0},
    };
    return s;
}

static void *no_device(struct ct_device device)
{
    if (device.type == CT_XLA)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                       "Could not run 'aten::empty.memory_format' with arguments from the 'XLA' "
                       "backend.");
    if (device.type == CTI_SPARSE_DEVICE)
        return cti_sparse_refused("empty.memory_format");
    return ct_fail(CT_ERR_RUNTIME, "a tensor needs a device");
}

static __attribute__((noinline)) ct_storage *new_elsewhere(int64_t nbytes, struct ct_device device)
{
    const struct cti_accelerator *memory = cti_accelerator_of(device.type);
    if (!memory && device.type != CT_META)
        return no_device(device);
    ct_storage *s = new_header(CTI_POOL_STORAGE, nbytes, device);
    if (s && memory && !memory->take(s, nbytes)) {
        cti_pool_put(CTI_POOL_STORAGE, s);
        return NULL;
    }
    return s;
}

ct_storage *cti_storage_new(int64_t nbytes, struct ct_device device)
{
    if (__builtin_expect(device.type != CT_CPU, 0))
        return new_elsewhere(nbytes, device);
    if (nbytes <= CTI_SMALL_MAX)
        return new_header(pool_for(nbytes), nbytes, device);
    ct_storage *s = new_header(CTI_POOL_STORAGE, nbytes, device);
    if (!s)
        return NULL;
    struct cti_block *block = cti_block_new(nbytes);
    if (!block) {
        cti_pool_put(CTI_POOL_STORAGE, s);
        return NULL;
    }
    s->block = block;
    s->data = block->address;
    return s;
}

ct_storage *cti_storage_borrow(void *data, int64_t nbytes, struct ct_device device,
                               void (*deleter)(void *), void *context)
{
    struct lender *lender = NULL;
    ct_storage *s = new_header(CTI_POOL_STORAGE, nbytes, device);
    if (s && deleter)
        lender = cti_malloc(sizeof *lender);
    if (!s || (deleter && !lender)) {
        if (s)
            cti_pool_put(CTI_POOL_STORAGE, s);
        if (deleter)
            deleter(context);
        return NULL;
    }
    if (lender)
        *lender = (struct lender){deleter, context};
    if (data)
        s->data = data;
    s->block = lender;
    s->borrowed = true;
    s->exposed = true;
    s->resizable = false;
    return s;
}

/* Releases the bytes, but not the header. */
static void drop_bytes(ct_storage *s)
{
    if (s->borrowed) {
        struct lender *lender = s->block;
        if (lender)
            lender->deleter(lender->context);
        cti_free(lender);
    } else if (s->device.type != CT_CPU) {
        cti_accelerator_of(s->device.type)->drop(s);
    } else if (s->block) {
        cti_block_free(s->block);
    }
}

ct_storage *ct_storage_retain(ct_storage *s)
{
    if (s)
        cti_ref_get(&s->refs);
    return s;
}

void ct_storage_release(ct_storage *s)
{
    if (!s || !cti_ref_put(&s->refs))
        return;
    if (__builtin_expect(s->block != NULL, 0))
        drop_bytes(s);
    if (__builtin_expect(cti_debug_on, 0))
        free(s); /* it may contain the elements */
    else
        cti_pool_put(s->pool, s);
}

/* The size of the memory at `data`: nbytes, or more if the storage was shrunk, since earlier
 * tensors may still use the rest. */
static int64_t capacity_of(const ct_storage *s)
{
    if (s->borrowed)
        return s->nbytes;
    return s->block ? ((const struct cti_block *)s->block)->size
                    : cti_pool_size[s->pool] - (int64_t)sizeof *s;
}

/* Resizes memory that the host cannot read. */
static bool resize_elsewhere(ct_storage *s, int64_t nbytes)
{
    const struct cti_accelerator *memory = cti_accelerator_of(s->device.type);
    ct_storage old = *s;
    if (nbytes <= s->nbytes || !memory) {
        s->nbytes = nbytes;
        return true;
    }
    s->block = NULL;
    if (!memory->take(s, nbytes)) {
        s->block = old.block;
        return false;
    }
    bool good = memory->move(s->data, s->device, old.data, old.device, old.nbytes, true);
    if (old.block)
        drop_bytes(&old);
    s->nbytes = nbytes;
    return good;
}

bool cti_storage_resize(ct_storage *s, int64_t nbytes)
{
    if (!ct_storage_resizable(s))
        return ct_fail(CT_ERR_RUNTIME, "Trying to resize storage that is not resizable");
    if (nbytes < 0)
        return ct_fail(CT_ERR_RUNTIME,
                       "[enforce fail at alloc_cpu.cpp:98] ((ptrdiff_t)nbytes) >= 0. alloc_cpu() "
                       "seems to have been called with negative number: %llu",
                       (unsigned long long)nbytes);
    if (s->device.type != CT_CPU)
        return resize_elsewhere(s, nbytes);
    int64_t capacity = capacity_of(s);
    if (nbytes <= capacity) {
        s->nbytes = nbytes;
        return true;
    }
    struct cti_block *block = cti_block_new(nbytes);
    if (!block)
        return false;
    memcpy(block->address, s->data, (size_t)(s->nbytes < nbytes ? s->nbytes : nbytes));
    drop_bytes(s);
    s->block = block;
    s->data = block->address;
    s->nbytes = nbytes;
    return true;
}

/* ---- shared memory: an unnamed file, whose descriptor can be sent to another process ---- */

struct shared {
    void *address;
    size_t nbytes;
    int fd;
    ct_storage old; /* the earlier bytes, whose address may still be in use */
};

static void end_sharing(void *context)
{
    struct shared *shared = context;
    munmap(shared->address, shared->nbytes);
    close(shared->fd);
    if (shared->old.block)
        drop_bytes(&shared->old);
    cti_free(shared);
}

/* Creates an unnamed file in memory of this length; if possible one that linkat can name. */
static int new_file(size_t nbytes)
{
    int fd = open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        fd = memfd_create("corten", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, (off_t)nbytes) < 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Maps a file, which it takes over, as the memory of s. The earlier bytes are kept until it is
 * unmapped. */
static bool use_file(ct_storage *s, int fd, int64_t capacity, bool copy)
{
    size_t nbytes = capacity > 0 ? (size_t)capacity : 1;
    struct shared *shared = cti_malloc(sizeof *shared);
    struct lender *lender = shared ? cti_malloc(sizeof *lender) : NULL;
    void *address = lender && fd >= 0
                        ? mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                        : MAP_FAILED;
    if (address == MAP_FAILED) {
        if (lender)
            ct_fail(CT_ERR_RUNTIME, "unable to mmap %zu bytes of shared memory: %s", nbytes,
                    strerror(errno));
        if (fd >= 0)
            close(fd);
        cti_free(lender);
        cti_free(shared);
        return false;
    }
    if (copy)
        memcpy(address, s->data, (size_t)capacity);
    *shared = (struct shared){address, nbytes, fd, *s};
    *lender = (struct lender){end_sharing, shared};
    s->data = address;
    s->block = lender;
    s->borrowed = s->shared = true;
    s->resizable = false;
    return true;
}

bool ct_storage_share(ct_storage *s)
{
    if (!cti_check_pointer(s, "ct_storage_share", "s"))
        return false;
    if (s->shared || s->device.type != CT_CPU)
        return true;
    return use_file(s, new_file(capacity_of(s) > 0 ? (size_t)capacity_of(s) : 1), capacity_of(s),
                    true);
}

int ct_storage_share_fd(ct_storage *s)
{
    if (!cti_check_pointer(s, "ct_storage_share_fd", "s"))
        return -1;
    if (!ct_storage_share(s))
        return -1;
    if (!s->shared) {
        ct_fail(CT_ERR_RUNTIME, "only CPU memory can be shared between processes");
        return -1;
    }
    return ((struct shared *)((struct lender *)s->block)->context)->fd;
}

ct_storage *ct_storage_open_fd(int fd, int64_t nbytes)
{
    struct stat info;
    ct_storage *s = NULL;
    if (fd >= 0 && nbytes >= 0 && fstat(fd, &info) == 0 && info.st_size >= nbytes)
        s = new_header(CTI_POOL_STORAGE, nbytes, (struct ct_device){CT_CPU, -1});
    else
        ct_fail(CT_ERR_RUNTIME, "this is not shared memory of %lld bytes", (long long)nbytes);
    if (!s) {
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    if (use_file(s, fd, nbytes, false))
        return s;
    cti_pool_put(CTI_POOL_STORAGE, s);
    return NULL;
}

bool ct_storage_is_shared(const ct_storage *s)
{
    if (!cti_check_pointer(s, "ct_storage_is_shared", "s"))
        return false;
    return s && s->shared;
}

ct_storage *ct_storage_create(int64_t nbytes, struct ct_device device)
{
    if (device.type == CT_BAD_DEVICE)
        return NULL;
    if (device.type == CT_NO_DEVICE_TYPE)
        device = (struct ct_device){CT_CPU, -1};
    if (nbytes < 0)
        return ct_fail(CT_ERR_RUNTIME,
                       "[enforce fail at alloc_cpu.cpp:98] ((ptrdiff_t)nbytes) >= 0. alloc_cpu() "
                       "seems to have been called with negative number: %llu",
                       (unsigned long long)nbytes);
    return cti_storage_new(nbytes, device);
}

int64_t ct_storage_nbytes(const ct_storage *s)
{
    if (!cti_check_pointer(s, "ct_storage_nbytes", "s"))
        return -1;
    return s->nbytes;
}

void *ct_storage_data(ct_storage *s)
{
    if (!cti_check_pointer(s, "ct_storage_data", "s"))
        return NULL;
    __atomic_store_n(&s->exposed, true, __ATOMIC_RELAXED);
    return s->data;
}

struct ct_device ct_storage_device(const ct_storage *s)
{
    if (!cti_check_pointer(s, "ct_storage_device", "s"))
        return (struct ct_device){0};
    return s->device;
}

bool ct_storage_resize(ct_storage *s, int64_t nbytes)
{
    if (!cti_check_pointer(s, "ct_storage_resize", "s"))
        return false;
    return s && cti_storage_resize(s, nbytes);
}

bool ct_storage_resizable(const ct_storage *s)
{
    if (!cti_check_pointer(s, "ct_storage_resizable", "s"))
        return false;
    return s && __atomic_load_n(&s->resizable, __ATOMIC_RELAXED) &&
           __atomic_load_n(&s->pins, __ATOMIC_RELAXED) == 0;
}

void ct_storage_pin(ct_storage *s, int by)
{
    uint16_t pins = s ? __atomic_load_n(&s->pins, __ATOMIC_RELAXED) : UINT16_MAX;
    while (pins < UINT16_MAX && /* a saturated count stays forever */
           !__atomic_compare_exchange_n(&s->pins, &pins, (uint16_t)(pins + by), true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

void ct_storage_set_resizable(ct_storage *s, bool on)
{
    if (!cti_check_pointer(s, "ct_storage_set_resizable", "s"))
        return;
    __atomic_store_n(&s->resizable, on && !s->borrowed, __ATOMIC_RELAXED);
}

void *ct_storage_handle(const ct_storage *s)
{
    return s ? s->handle : NULL;
}

void ct_storage_set_handle(ct_storage *s, void *handle)
{
    if (s)
        s->handle = handle;
}

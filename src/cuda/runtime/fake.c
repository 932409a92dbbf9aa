/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices for tests on machines without a GPU (CORTEN_FAKE_CUDA=2). Their memory is PROT_NONE pages
 * that only this driver's copies and fills can access, so that host code which dereferences a
 * device pointer faults at once. Kernels may be loaded and launched, but a launch does nothing;
 * streams and events are always complete. */
#include "cuda/runtime/driver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define FAKE_MEMORY ((size_t)4 << 30) /* reported by each device */
#define PAGE ((size_t)4096)

struct region {
    char *address;
    size_t nbytes;
    struct region *next;
};
static struct region *regions;
static size_t taken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int init(unsigned flags)
{
    (void)flags;
    return CU_OK;
}

static int driver_version(int *version)
{
    *version = 13000;
    return CU_OK;
}

static int error_text(int code, const char **text)
{
    *text = code == CU_OUT_OF_MEMORY ? "out of memory" : "invalid argument";
    return CU_OK;
}

static int device_count(int *count)
{
    const char *wanted = getenv("CORTEN_FAKE_CUDA");
    *count = wanted ? atoi(wanted) : 0;
    return CU_OK;
}

static int device_get(int *device, int ordinal)
{
    *device = ordinal;
    return CU_OK;
}

static int device_name(char *name, int size, int device)
{
    snprintf(name, (size_t)size, "Fake device %d", device);
    return CU_OK;
}

static int device_memory(size_t *bytes, int device)
{
    (void)device;
    *bytes = FAKE_MEMORY;
    return CU_OK;
}

static int device_uuid(unsigned char uuid[16], int device)
{
    memset(uuid, device, 16);
    return CU_OK;
}

static int device_attribute(int *value, int attribute, int device)
{
    (void)device;
    *value = attribute == CU_MAJOR                        ? 9
             : attribute == CU_MINOR                      ? 0
             : attribute == CU_MULTIPROCESSORS            ? 1
             : attribute == CU_WARP_SIZE                  ? 32
             : attribute == CU_THREADS_PER_MULTIPROCESSOR ? 2048
                                                          : 1024;
    return CU_OK;
}

static int device_peer(int *can, int device, int peer)
{
    *can = device != peer;
    return CU_OK;
}

static int context_retain(cu_context *context, int device)
{
    static char contexts[CTI_CUDA_MAX_DEVICES];
    *context = (cu_context)(void *)&contexts[device];
    return CU_OK;
}

static int context_set(cu_context context)
{
    (void)context;
    return CU_OK;
}

static int context_peer(cu_context peer, unsigned flags)
{
    (void)peer, (void)flags;
    return CU_OK;
}

static int done(void)
{
    return CU_OK;
}

static int memory_info(size_t *unused, size_t *all)
{
    *all = FAKE_MEMORY;
    *unused = FAKE_MEMORY - taken;
    return CU_OK;
}

static int allocate(cu_address *address, size_t nbytes)
{
    nbytes = (nbytes + PAGE - 1) / PAGE * PAGE;
    struct region *r = malloc(sizeof *r);
    pthread_mutex_lock(&lock);
    void *p = r && taken + nbytes <= FAKE_MEMORY
                  ? mmap(NULL, nbytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                  : MAP_FAILED;
    if (p != MAP_FAILED) {
        *r = (struct region){p, nbytes, regions};
        regions = r;
        taken += nbytes;
    }
    pthread_mutex_unlock(&lock);
    *address = (cu_address)(uintptr_t)p;
    if (p != MAP_FAILED)
        return CU_OK;
    free(r);
    return CU_OUT_OF_MEMORY;
}

static int release(cu_address address)
{
    pthread_mutex_lock(&lock);
    struct region **at = &regions, *found;
    while (*at && (*at)->address != (char *)(uintptr_t)address)
        at = &(*at)->next;
    found = *at;
    if (found) {
        *at = found->next;
        taken -= found->nbytes;
        munmap(found->address, found->nbytes);
        free(found);
    }
    pthread_mutex_unlock(&lock);
    return found ? CU_OK : 1;
}

static int host_allocate(void **address, size_t nbytes, unsigned flags)
{
    (void)flags;
    *address = aligned_alloc(PAGE, (nbytes + PAGE - 1) / PAGE * PAGE);
    return *address ? CU_OK : CU_OUT_OF_MEMORY;
}

static int host_release(void *address)
{
    free(address);
    return CU_OK;
}

static int host_device_address(cu_address *address, void *host, unsigned flags)
{
    (void)flags;
    *address = (cu_address)(uintptr_t)host;
    return CU_OK;
}

/* Sets the protection of a range of device memory, and does nothing for host addresses. False: the
 * range runs past the end of its allocation. */
static bool guard(cu_address address, size_t nbytes, int protection)
{
    char *p = (char *)(uintptr_t)address;
    for (struct region *r = regions; r; r = r->next)
        if (p >= r->address && p < r->address + r->nbytes) {
            char *from = (char *)((uintptr_t)p / PAGE * PAGE);
            if (p + nbytes > r->address + r->nbytes)
                return false;
            return mprotect(from, (size_t)(p + nbytes - from), protection) == 0;
        }
    return true;
}

bool cti_cuda_fake_holds(const void *address)
{
    const char *p = address;
    bool found = false;
    pthread_mutex_lock(&lock);
    for (struct region *r = regions; r && !found; r = r->next)
        found = p >= r->address && p < r->address + r->nbytes;
    pthread_mutex_unlock(&lock);
    return found;
}

static int copy(cu_address dst, cu_address src, size_t nbytes, cu_stream stream)
{
    (void)stream;
    pthread_mutex_lock(&lock);
    bool good =
        guard(dst, nbytes, PROT_READ | PROT_WRITE) && guard(src, nbytes, PROT_READ | PROT_WRITE);
    if (good)
        memmove((void *)(uintptr_t)dst, (const void *)(uintptr_t)src, nbytes);
    good = guard(dst, nbytes, PROT_NONE) && guard(src, nbytes, PROT_NONE) && good;
    pthread_mutex_unlock(&lock);
    return good ? CU_OK : 1;
}

static int set_bytes(cu_address address, unsigned char value, size_t count, cu_stream stream)
{
    (void)stream;
    pthread_mutex_lock(&lock);
    bool good = guard(address, count, PROT_READ | PROT_WRITE);
    if (good)
        memset((void *)(uintptr_t)address, value, count);
    good = guard(address, count, PROT_NONE) && good;
    pthread_mutex_unlock(&lock);
    return good ? CU_OK : 1;
}

static int stream_create(cu_stream *stream, unsigned flags, int priority)
{
    (void)flags, (void)priority;
    *stream = malloc(1);
    return *stream ? CU_OK : CU_OUT_OF_MEMORY;
}

static int stream_destroy(cu_stream stream)
{
    free(stream);
    return CU_OK;
}

static int stream_synchronize(cu_stream stream)
{
    (void)stream;
    return CU_OK;
}

static int stream_wait(cu_stream stream, cu_event event, unsigned flags)
{
    (void)stream, (void)event, (void)flags;
    return CU_OK;
}

static int event_create(cu_event *event, unsigned flags)
{
    (void)flags;
    *event = malloc(1);
    return *event ? CU_OK : CU_OUT_OF_MEMORY;
}

static int event_destroy(cu_event event)
{
    free(event);
    return CU_OK;
}

static int event_record(cu_event event, cu_stream stream)
{
    (void)event, (void)stream;
    return CU_OK;
}

static int event_query(cu_event event)
{
    (void)event;
    return CU_OK;
}

static int event_elapsed(float *ms, cu_event start, cu_event end)
{
    (void)start, (void)end;
    *ms = 0;
    return CU_OK;
}

static int module_load(cu_module *module, const void *image)
{
    *module = (cu_module)(uintptr_t)image; /* any address will do; it is never read */
    return CU_OK;
}

static int module_function(cu_function *function, cu_module module, const char *name)
{
    (void)name;
    *function = (cu_function)(void *)module;
    return CU_OK;
}

static int function_set(cu_function function, int attribute, int value)
{
    (void)function, (void)attribute, (void)value;
    return CU_OK;
}

static int launch(const struct cu_launch *l, cu_function function, void **arguments, void **extra)
{
    (void)l, (void)function, (void)arguments, (void)extra;
    return CU_OK;
}

void cti_cuda_fake_driver(struct cti_cuda_driver *driver)
{
    *driver = (struct cti_cuda_driver){
        .init = init,
        .driver_version = driver_version,
        .error_text = error_text,
        .device_count = device_count,
        .device_get = device_get,
        .device_name = device_name,
        .device_memory = device_memory,
        .device_uuid = device_uuid,
        .device_attribute = device_attribute,
        .device_peer = device_peer,
        .context_retain = context_retain,
        .context_set = context_set,
        .context_peer = context_peer,
        .synchronize = done,
        .memory_info = memory_info,
        .allocate = allocate,
        .release = release,
        .host_allocate = host_allocate,
        .host_release = host_release,
        .host_device_address = host_device_address,
        .copy = copy,
        .set_bytes = set_bytes,
        .stream_create = stream_create,
        .stream_destroy = stream_destroy,
        .stream_synchronize = stream_synchronize,
        .stream_query = stream_synchronize,
        .stream_wait = stream_wait,
        .event_create = event_create,
        .event_destroy = event_destroy,
        .event_record = event_record,
        .event_query = event_query,
        .event_synchronize = event_query,
        .event_elapsed = event_elapsed,
        .module_load = module_load,
        .module_function = module_function,
        .function_set = function_set,
        .launch = launch,
    };
}

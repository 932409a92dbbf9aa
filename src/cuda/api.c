/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the functions of corten/cuda.h. */
#include "core/check_args.h"
#include "corten/cuda.h"

#include "cuda/engines.h"
#include "cuda/random/random.h"
#include "cuda/runtime/memory.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

/* Maps a negative device to the current one. */
static int device_or_current(int device)
{
    return device < 0 ? cti_cuda_current() : device;
}

/* ---- devices ---- */

bool ct_cuda_is_available(void)
{
    return cti_cuda_count() > 0;
}

int ct_cuda_device_count(void)
{
    return cti_cuda_count();
}

bool ct_cuda_is_initialized(void)
{
    return cti_cuda_started();
}

int ct_cuda_current_device(void)
{
    return cti_cuda_current();
}

bool ct_cuda_set_device(int device)
{
    return cti_cuda_set_current(device);
}

bool(ct_cuda_synchronize)(int device)
{
    __atomic_fetch_add(&cti_cuda_waits, 1, __ATOMIC_RELAXED);
    return cti_cuda_use(device_or_current(device)) && cti_cuda_check(cti_cu.synchronize()) &&
           cti_cuda_no_fault(device_or_current(device));
}

bool ct_cuda_get_properties(int device, struct ct_cuda_properties *p)
{
    struct cti_cuda_device *d = cti_cuda_use(device_or_current(device));
    if (!d)
        return false;
    *p = (struct ct_cuda_properties){.major = d->major,
                                     .minor = d->minor,
                                     .multiprocessors = d->multiprocessors,
                                     .total_memory = (int64_t)d->memory,
                                     .shared_optin = d->shared_optin,
                                     .threads_per_multiprocessor = d->max_threads};
    strcpy(p->name, d->name);
    cti_cu.device_uuid(p->uuid, d->handle);
    const struct {
        int attribute, *value;
        int64_t *wide;
    } rest[] = {
        {CU_WARP_SIZE, &p->warp_size, NULL},
        {CU_MAX_THREADS_PER_BLOCK, &p->max_threads_per_block, NULL},
        {CU_REGISTERS_PER_MULTIPROCESSOR, &p->registers_per_multiprocessor, NULL},
        {CU_L2_BYTES, NULL, &p->l2_bytes},
        {CU_MAX_SHARED_PER_BLOCK, NULL, &p->shared_per_block},
        {CU_SHARED_PER_MULTIPROCESSOR, NULL, &p->shared_per_multiprocessor},
        {CU_INTEGRATED, &p->is_integrated, NULL},
        {CU_MULTI_GPU_BOARD, &p->is_multi_gpu_board, NULL},
        {CU_PCI_BUS, &p->pci_bus, NULL},
        {CU_PCI_DEVICE, &p->pci_device, NULL},
        {CU_PCI_DOMAIN, &p->pci_domain, NULL},
        {CU_CLOCK_RATE, &p->clock_rate, NULL},
        {CU_MEMORY_CLOCK, &p->memory_clock_rate, NULL},
        {CU_BUS_WIDTH, &p->memory_bus_width, NULL},
    };
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        int value = 0;
        cti_cu.device_attribute(&value, rest[i].attribute, d->handle);
        if (rest[i].value)
            *rest[i].value = value;
        else
            *rest[i].wide = value;
    }
    return true;
}

int ct_cuda_device_of(const void *address)
{
    int device = cti_cuda_current();
    if (cti_cuda_use(device) && cti_cu.pointer_attribute)
        cti_cu.pointer_attribute(&device, CU_POINTER_DEVICE, (cu_address)(uintptr_t)address);
    return device;
}

bool ct_cuda_can_access_peer(int device, int peer)
{
    struct cti_cuda_device *d = cti_cuda_use(device), *other = d ? cti_cuda_use(peer) : NULL;
    int can = 0;
    return other && cti_cu.device_peer(&can, d->handle, other->handle) == CU_OK && can;
}

int ct_cuda_driver_version(void)
{
    int version = 0;
    if (cti_cuda_count())
        cti_cu.driver_version(&version);
    return version;
}

/* ---- memory ---- */

void ct_cuda_empty_cache(void)
{
    if (cti_cuda_started())
        cti_cuda_empty_cache();
}

int64_t ct_cuda_waits(void)
{
    return __atomic_load_n(&cti_cuda_waits, __ATOMIC_RELAXED);
}

/* ---- generators ---- */

void ct_cuda_manual_seed_all(uint64_t seed)
{
    cti_cuda_seed_all(seed);
}

ct_generator *ct_cuda_default_generator(int device)
{
    return cti_cuda_generator(device_or_current(device));
}

/* ---- streams ---- */

void *ct_cuda_stream_create(int device, int priority)
{
    cu_stream stream = NULL;
    return cti_cuda_use(device_or_current(device)) &&
                   cti_cuda_check(cti_cu.stream_create(&stream, CU_STREAM_NON_BLOCKING, priority))
               ? stream
               : NULL;
}

void ct_cuda_stream_destroy(void *stream)
{
    if (stream)
        cti_cu.stream_destroy(stream);
}

void *(ct_cuda_current_stream)(int device)
{
    return cti_cuda_stream(device_or_current(device) % CTI_CUDA_MAX_DEVICES);
}

bool ct_cuda_set_stream(int device, void *stream)
{
    if (!cti_cuda_use(device_or_current(device)))
        return false;
    cti_cuda_set_stream(device_or_current(device), stream);
    return true;
}

bool ct_cuda_stream_synchronize(int device, void *stream)
{
    __atomic_fetch_add(&cti_cuda_waits, 1, __ATOMIC_RELAXED);
    return cti_cuda_use(device_or_current(device)) &&
           cti_cuda_check(cti_cu.stream_synchronize(stream));
}

#define POOL 32 /* streams of a device, returned round-robin as in PyTorch */

void *ct_cuda_stream_new(void)
{
    static cu_stream streams[CTI_CUDA_MAX_DEVICES][POOL];
    static int next[CTI_CUDA_MAX_DEVICES];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int device = cti_cuda_current();
    pthread_mutex_lock(&lock);
    cu_stream *stream = &streams[device][next[device]++ % POOL];
    if (!*stream)
        *stream = ct_cuda_stream_create(device, 0);
    cu_stream made = *stream;
    pthread_mutex_unlock(&lock);
    return made;
}

bool ct_stream_synchronize(void *stream)
{
    return ct_cuda_stream_synchronize(-1, stream);
}

/* ---- scoped device and stream ---- */

struct ct_cuda_before ct_cuda_enter_device(const char *device)
{
    struct ct_cuda_before before = {.device = -1};
    struct ct_device wanted = ct_device(device);
    int old = cti_cuda_current();
    if (wanted.type == CT_CUDA && cti_cuda_set_current(wanted.index < 0 ? old : wanted.index))
        before.device = old;
    return before;
}

void ct_cuda_leave_device(struct ct_cuda_before *before)
{
    if (before && before->device >= 0)
        cti_cuda_set_current(before->device);
}

struct ct_cuda_before ct_cuda_enter_stream(void *stream)
{
    int device = cti_cuda_current();
    struct ct_cuda_before before = {device, cti_cuda_stream(device)};
    if (!ct_cuda_set_stream(device, stream))
        before.device = -1;
    return before;
}

void ct_cuda_leave_stream(struct ct_cuda_before *before)
{
    if (before && before->device >= 0)
        cti_cuda_set_stream(before->device, before->stream);
}

/* 1: complete, 0: not yet, -1: failed. */
static int is_ready(int code)
{
    return code == CU_NOT_READY ? 0 : cti_cuda_check(code) ? 1 : -1;
}

int ct_cuda_stream_query(int device, void *stream)
{
    return cti_cuda_use(device_or_current(device)) ? is_ready(cti_cu.stream_query(stream)) : -1;
}

bool ct_cuda_stream_wait_event(int device, void *stream, void *event)
{
    return cti_cuda_use(device_or_current(device)) &&
           cti_cuda_check(cti_cu.stream_wait(stream, event, 0));
}

void *ct_cuda_event_create(int device, bool timing, bool blocking)
{
    cu_event event = NULL;
    unsigned flags = (timing ? 0 : CU_EVENT_NO_TIMING) | (blocking ? CU_EVENT_BLOCKING : 0);
    return cti_cuda_use(device_or_current(device)) &&
                   cti_cuda_check(cti_cu.event_create(&event, flags))
               ? event
               : NULL;
}

void ct_cuda_event_destroy(void *event)
{
    if (event)
        cti_cu.event_destroy(event);
}

bool ct_cuda_event_record(int device, void *event, void *stream)
{
    return cti_cuda_use(device_or_current(device)) &&
           cti_cuda_check(cti_cu.event_record(event, stream));
}

int ct_cuda_event_query(int device, void *event)
{
    return cti_cuda_use(device_or_current(device)) ? is_ready(cti_cu.event_query(event)) : -1;
}

bool ct_cuda_event_synchronize(int device, void *event)
{
    __atomic_fetch_add(&cti_cuda_waits, 1, __ATOMIC_RELAXED);
    return cti_cuda_use(device_or_current(device)) &&
           cti_cuda_check(cti_cu.event_synchronize(event));
}

double ct_cuda_event_elapsed(int device, void *start, void *end)
{
    float ms = 0;
    return cti_cuda_use(device_or_current(device)) &&
                   cti_cuda_check(cti_cu.event_elapsed(&ms, start, end))
               ? (double)ms
               : NAN;
}

bool ct_cuda_record_stream(ct_tensor *t, void *stream)
{
    return t && (t->storage->device.type != CT_CUDA || cti_cuda_record_stream(t->storage, stream));
}

/* ---- pinned memory ---- */

ct_tensor *ct_own_pin_memory(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_own_pin_memory", "t"))
        return NULL;
    if (!t || ct_is_pinned(t))
        return ct_retain(t);
    if (t->storage->device.type != CT_CPU)
        return ct_fail(CT_ERR_RUNTIME, "cannot pin '%s' only dense CPU tensors can be pinned",
                       ct_device_str(t->storage->device));
    ct_storage *s = cti_cuda_pinned(t->numel * cti_itemsize((enum ct_dtype)t->dtype));
    ct_tensor *pinned =
        s ? cti_tensor_take(s, (enum ct_dtype)t->dtype, t->ndim, t->shape, NULL, 0) : NULL;
    return cti_take_if(pinned, pinned && cti_run_copy(pinned, t));
}

ct_tensor *ct_pin_memory(ct_tensor *x)
{
    if (!cti_check_pointer(x, "ct_pin_memory", "x"))
        return NULL;
    return ct_scoped(ct_own_pin_memory(x));
}

bool ct_is_pinned(const ct_tensor *t)
{
    return t && t->storage->device.type == CT_CPU && cti_cuda_is_pinned(t->storage->data);
}

/* ---- graphs ---- */

enum { CAPTURE_RELAXED = 2 }; /* the allocator may call the driver during capture */

int ct_cuda_is_capturing(int device)
{
    int status = 0;
    device = device_or_current(device);
    if (!cti_cuda_use(device))
        return -1;
    return !cti_cu.capture_status                                                    ? 0
           : cti_cuda_check(cti_cu.capture_status(cti_cuda_stream(device), &status)) ? status == 1
                                                                                     : -1;
}

bool ct_cuda_capture_begin(int device)
{
    device = device_or_current(device);
    if (!cti_cuda_use(device))
        return false;
    if (!cti_cu.capture_begin)
        return cti_refuse(CT_ERR_RUNTIME, "this device does not support graphs");
    bool good = cti_cuda_check(cti_cu.capture_begin(cti_cuda_stream(device), CAPTURE_RELAXED));
    __atomic_fetch_add(&cti_cuda_captures, good, __ATOMIC_RELAXED);
    return good;
}

void *ct_cuda_capture_end(int device)
{
    cu_graph graph = NULL;
    cu_graph_exec exec = NULL;
    device = device_or_current(device);
    __atomic_fetch_sub(&cti_cuda_captures, 1, __ATOMIC_RELAXED);
    if (!cti_cuda_use(device) ||
        !cti_cuda_check(cti_cu.capture_end(cti_cuda_stream(device), &graph)) || !graph)
        return NULL;
    bool good = cti_cuda_check(cti_cu.graph_instantiate(&exec, graph, 0));
    cti_cu.graph_destroy(graph);
    return good ? exec : NULL;
}

bool ct_cuda_graph_launch(int device, void *graph)
{
    device = device_or_current(device);
    return cti_cuda_use(device) &&
           cti_cuda_check(cti_cu.graph_launch(graph, cti_cuda_stream(device)));
}

void ct_cuda_graph_destroy(void *graph)
{
    if (graph)
        cti_cu.graph_exec_destroy(graph);
}

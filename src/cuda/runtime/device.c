/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices: opens the driver once, enumerates the devices, retains contexts at their first use, and
 * keeps each thread's current device and streams. In a process forked after the first context was
 * made, calls fail with PyTorch's error. CORTEN_CUDA_DEVICES=n presents the cards as n devices, so
 * that tests of several devices run on one card. */
#include "cuda/runtime/driver.h"

#include "core/error.h"
#include "core/note.h"
#include "corten/cuda.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cti_cuda_driver cti_cu;
int64_t cti_cuda_waits;
int cti_cuda_captures;

static struct {
    pthread_once_t once, begin;
    pthread_mutex_t lock; /* guards contexts */
    int count;
    bool fake;
    bool started, lost; /* a context was made; a fork has lost it */
    struct cti_cuda_device device[CTI_CUDA_MAX_DEVICES];
} state = {
    .once = PTHREAD_ONCE_INIT, .begin = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER};

/* A thread's current device, and the device whose context is current (-1: unknown). */
static __thread int current_device, context_device = -1;
static __thread cu_stream *streams; /* by device; NULL: the default streams */

/* ---- the driver ---- */

static bool open_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    bool whole = true;
#define FIND(name, symbol, arguments)                                                              \
    whole = (*(void **)&cti_cu.name = dlsym(library, #symbol)) != NULL && whole;
    CTI_CUDA_FUNCTIONS(FIND)
#undef FIND
    return whole;
}

/* Reads a number of devices from an environment variable; 0 if it is unset. */
static int device_count_of(const char *variable)
{
    const char *text = getenv(variable);
    int n = text ? atoi(text) : 0;
    return n < 0 ? 0 : n > CTI_CUDA_MAX_DEVICES ? CTI_CUDA_MAX_DEVICES : n;
}

static void describe(struct cti_cuda_device *d, int ordinal)
{
    cti_cu.device_get(&d->handle, ordinal);
    cti_cu.device_name(d->name, sizeof d->name, d->handle);
    cti_cu.device_memory(&d->memory, d->handle);
    cti_cu.device_attribute(&d->major, CU_MAJOR, d->handle);
    cti_cu.device_attribute(&d->minor, CU_MINOR, d->handle);
    cti_cu.device_attribute(&d->multiprocessors, CU_MULTIPROCESSORS, d->handle);
    cti_cu.device_attribute(&d->max_threads, CU_THREADS_PER_MULTIPROCESSOR, d->handle);
    cti_cu.device_attribute(&d->shared_optin, CU_MAX_SHARED_OPTIN, d->handle);
    cti_cu.device_attribute(&d->together, CU_CAN_LAUNCH_TOGETHER, d->handle);
}

static void open_all(void)
{
    int cards = 0, fakes = device_count_of("CORTEN_FAKE_CUDA");
    if (fakes) {
        state.fake = true;
        cti_cuda_fake_driver(&cti_cu);
    } else if (!open_driver()) {
        return;
    }
    if (cti_cu.init(0) != CU_OK || cti_cu.device_count(&cards) != CU_OK || cards <= 0)
        return;
    int shown = device_count_of("CORTEN_CUDA_DEVICES");
    shown = shown && !fakes ? shown : cards;
    state.count = shown < CTI_CUDA_MAX_DEVICES ? shown : CTI_CUDA_MAX_DEVICES;
    for (int i = 0; i < state.count; i++)
        describe(&state.device[i], i % cards);
}

int cti_cuda_count(void)
{
    pthread_once(&state.once, open_all);
    return state.count;
}

bool cti_cuda_fake(void)
{
    return cti_cuda_count() && state.fake;
}

bool cti_cuda_started(void)
{
    return __atomic_load_n(&state.started, __ATOMIC_ACQUIRE);
}

/* ---- errors ---- */

bool cti_cuda_check(int code)
{
    const char *text = NULL;
    if (__builtin_expect(code == CU_OK, 1))
        return true;
    cti_cu.error_text(code, &text);
    return cti_refuse(CT_ERR_ACCELERATOR, "CUDA error: %s", text ? text : "unknown error");
}

static void *no_driver(void)
{
    ct_fail(CT_ERR_RUNTIME, "Found no NVIDIA driver on your system. Please check that you have an "
                            "NVIDIA GPU and installed a driver from "
                            "http://www.nvidia.com/Download/index.aspx");
    return cti_note("device = 'cuda' if torch.cuda.is_available() else 'cpu' runs anywhere");
}

static void *no_such_device(void)
{
    ct_fail(CT_ERR_ACCELERATOR, "CUDA error: invalid device ordinal");
    return cti_note("there are %d of them: 'cuda:0' to 'cuda:%d'", state.count, state.count - 1);
}

/* ---- contexts ---- */

static bool make_context(struct cti_cuda_device *d)
{
    cu_context context = NULL;
    bool good = true;
    pthread_mutex_lock(&state.lock);
    for (int i = 0; i < state.count && !context; i++)
        if (state.device[i].handle == d->handle)
            context = state.device[i].context;
    if (!context)
        good = cti_cuda_check(cti_cu.context_retain(&context, d->handle));
    if (good)
        __atomic_store_n(&d->context, context, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&state.lock);
    return good;
}

/* The driver does not survive a fork. */
static void child_of_fork(void)
{
    context_device = -1;
    state.lost = true;
}

static void start(void)
{
    __atomic_store_n(&state.started, true, __ATOMIC_RELEASE);
    pthread_atfork(NULL, NULL, child_of_fork);
}

struct cti_cuda_device *cti_cuda_use(int index)
{
    struct cti_cuda_device *d = &state.device[index < 0 ? 0 : index % CTI_CUDA_MAX_DEVICES];
    if (__builtin_expect(index >= 0 && context_device == index, 1))
        return d;
    if (cti_cuda_count() == 0)
        return no_driver();
    if (index < 0 || index >= state.count)
        return no_such_device();
    if (state.lost)
        return ct_fail(CT_ERR_RUNTIME,
                       "Cannot re-initialize CUDA in forked subprocess. To use CUDA with "
                       "multiprocessing, you must use the 'spawn' start method");
    pthread_once(&state.begin, start);
    if (!__atomic_load_n(&d->context, __ATOMIC_ACQUIRE) && !make_context(d))
        return NULL;
    if (!cti_cuda_check(cti_cu.context_set(d->context)))
        return NULL;
    context_device = index;
    return d;
}

bool cti_cuda_set_current(int index)
{
    if (!cti_cuda_use(index))
        return false;
    current_device = index;
    return true;
}

int cti_cuda_current(void)
{
    return current_device;
}

bool cti_cuda_overlaps(int device)
{
    return state.device[device].major >= 9 &&
           __atomic_load_n(&cti_cuda_captures, __ATOMIC_RELAXED) <= 0;
}

/* ---- streams ---- */

cu_stream cti_cuda_stream(int device)
{
    return streams ? streams[device] : NULL;
}

static pthread_key_t streams_key;

static void make_streams_key(void)
{
    pthread_key_create(&streams_key, free);
}

void cti_cuda_set_stream(int device, cu_stream stream)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!streams) {
        pthread_once(&once, make_streams_key);
        streams = calloc(CTI_CUDA_MAX_DEVICES, sizeof *streams);
        if (!streams)
            return;
        pthread_setspecific(streams_key, streams);
    }
    streams[device] = stream;
}

/* ---- faults of kernels ---- */

static struct cti_fault_page *faults[CTI_CUDA_MAX_DEVICES];

bool cti_cuda_fault_page(int device, struct cti_fault_page **page)
{
    cu_address address = 0;
    if (!cti_cuda_use(device))
        return false;
    void *host = __atomic_load_n(&faults[device], __ATOMIC_ACQUIRE);
    if (!host) {
        pthread_mutex_lock(&state.lock);
        host = faults[device];
        if (!host && cti_cuda_check(cti_cu.host_allocate(&host, sizeof **faults,
                                                         CU_HOST_PORTABLE | CU_HOST_MAPPED))) {
            memset(host, 0, sizeof **faults);
            __atomic_store_n(&faults[device], host, __ATOMIC_RELEASE);
        }
        pthread_mutex_unlock(&state.lock);
    }
    if (!host || !cti_cuda_check(cti_cu.host_device_address(&address, host, 0)))
        return false;
    *page = (void *)(uintptr_t)address;
    return true;
}

static bool report_fault(const struct cti_fault_page *f)
{
    static const char *const names[CTI_FAULTS] = {
        [CTI_FAULT_GATHER] = "gather(): ",
        [CTI_FAULT_SCATTER] = "scatter(): ",
        [CTI_FAULT_SELECT] = "index_select(): ",
        [CTI_FAULT_PUT] = "index_put_(): ",
    };
    static const char *const values[CTI_FAULTS] = {
        [CTI_FAULT_PROBABILITY] = "Expected p_in >= 0 && p_in <= 1 to be true, but got false.",
        [CTI_FAULT_WEIGHT] = "invalid multinomial distribution (encountering probability entry "
                             "< 0)",
        [CTI_FAULT_INFINITE_WEIGHT] = "invalid multinomial distribution (encountering probability "
                                      "entry = infinity or NaN)",
        [CTI_FAULT_NO_WEIGHTS] = "invalid multinomial distribution (sum of probabilities <= 0)",
        [CTI_FAULT_SHORT_SOURCE] = "Number of elements of source < number of ones in mask",
        [CTI_FAULT_SORTER] = "torch.searchsorted(): sorter index out of range",
    };
    unsigned who = (unsigned)f->what % CTI_FAULT_DIM, dim = (unsigned)f->what / CTI_FAULT_DIM;
    char dimension[32] = "dimension";
    who = who < CTI_FAULTS ? who : CTI_FAULT_OTHER;
    if (dim)
        snprintf(dimension, sizeof dimension, "dimension %u", dim - 1);
    if (values[who])
        ct_fail(CT_ERR_RUNTIME, "%s", values[who]);
    else
        ct_fail(CT_ERR_INDEX, "%sindex %lld is out of bounds for %s with size %lld",
                names[who] ? names[who] : "", (long long)f->index, dimension, (long long)f->size);
    return cti_note("the GPU found this in an earlier call; with "
                    "CUDA_LAUNCH_BLOCKING=1 that call itself fails") != NULL;
}

bool cti_cuda_no_fault(int device)
{
    struct cti_fault_page *f = __atomic_load_n(&faults[device], __ATOMIC_RELAXED);
    if (__builtin_expect(!f || !__atomic_load_n(&f->set, __ATOMIC_RELAXED), 1))
        return true;
    cti_cu.synchronize(); /* makes the other fields of the fault visible */
    struct cti_fault_page fault = *f;
    f->what = 0;
    __atomic_store_n(&f->set, 0, __ATOMIC_RELEASE);
    return report_fault(&fault);
}

bool cti_cuda_wait(int device)
{
    int debug = ct_cuda_switch(CT_CUDA_SYNC_DEBUG);
    __atomic_fetch_add(&cti_cuda_waits, 1, __ATOMIC_RELAXED);
    if (debug == 2)
        return cti_refuse(CT_ERR_RUNTIME, "called a synchronizing CUDA operation");
    if (debug == 1)
        cti_warn("called a synchronizing CUDA operation");
    return cti_cuda_use(device) &&
           cti_cuda_check(cti_cu.stream_synchronize(cti_cuda_stream(device))) &&
           cti_cuda_no_fault(device);
}

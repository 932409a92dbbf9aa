/* SPDX-License-Identifier: BSD-3-Clause */
/* The CUDA driver API: our own declarations of the functions of libcuda that we call, which are
 * looked up at the first use, so that neither building nor importing needs CUDA. CORTEN_FAKE_CUDA=n
 * replaces the driver by n devices of protected host memory (fake.c): they do not run kernels, so
 * every engine declines, and host code that touches device memory faults. Only src/cuda includes
 * this. */
#ifndef CORTEN_CUDA_RUNTIME_DRIVER_H
#define CORTEN_CUDA_RUNTIME_DRIVER_H

#include "core/backend.h"
#include "cuda/common/fault.h"

#include <stddef.h>

typedef struct cu_context *cu_context;
typedef struct cu_stream *cu_stream; /* NULL: the default stream */
typedef struct cu_event *cu_event;
typedef struct cu_module *cu_module;
typedef struct cu_function *cu_function;
typedef struct cu_graph *cu_graph;
typedef struct cu_graph_exec *cu_graph_exec;
typedef unsigned long long cu_address;

enum {
    CU_OK = 0,
    CU_OUT_OF_MEMORY = 2,
    CU_NO_DEVICE = 100,
    CU_NOT_FOUND = 500,
    CU_NOT_READY = 600,
    CU_PEER_ENABLED = 704,
    /* device attributes */
    CU_MAX_THREADS_PER_BLOCK = 1,
    CU_MAX_SHARED_PER_BLOCK = 8,
    CU_TOTAL_CONSTANT = 9,
    CU_WARP_SIZE = 10,
    CU_REGISTERS_PER_BLOCK = 12,
    CU_CLOCK_RATE = 13,
    CU_MULTIPROCESSORS = 16,
    CU_INTEGRATED = 18,
    CU_PCI_BUS = 33,
    CU_PCI_DEVICE = 34,
    CU_MEMORY_CLOCK = 36,
    CU_BUS_WIDTH = 37,
    CU_L2_BYTES = 38,
    CU_THREADS_PER_MULTIPROCESSOR = 39,
    CU_PCI_DOMAIN = 50,
    CU_MAJOR = 75,
    CU_MINOR = 76,
    CU_SHARED_PER_MULTIPROCESSOR = 81,
    CU_REGISTERS_PER_MULTIPROCESSOR = 82,
    CU_MULTI_GPU_BOARD = 84,
    CU_CAN_LAUNCH_TOGETHER = 95,
    CU_MAX_SHARED_OPTIN = 97,
    /* pointer attributes */
    CU_POINTER_DEVICE = 9,
    /* function attributes */
    CU_FUNCTION_MAX_DYNAMIC_SHARED = 8,
    /* flags */
    CU_STREAM_NON_BLOCKING = 1,
    CU_EVENT_BLOCKING = 1,
    CU_EVENT_NO_TIMING = 2,
    CU_HOST_PORTABLE = 1,
    CU_HOST_MAPPED = 2,
    /* launch attributes; programmatic stream serialization, Note [Overlapping launches] */
    CU_LAUNCH_OVERLAPS = 6,
    CU_LAUNCH_TOGETHER = 2, /* cooperative: all blocks resident at once, or it fails */
};

/* CUlaunchConfig and CUlaunchAttribute. */
struct cu_launch_attribute {
    int what, unused;
    union {
        int flag;
        char size[64];
    };
};

struct cu_launch {
    unsigned grid[3], block[3], shared;
    cu_stream stream;
    struct cu_launch_attribute *attributes;
    unsigned nattributes;
};

/* field, the name in libcuda, arguments */
#define CTI_CUDA_FUNCTIONS(X)                                                                      \
    X(init, cuInit, (unsigned flags))                                                              \
    X(driver_version, cuDriverGetVersion, (int *version))                                          \
    X(error_text, cuGetErrorString, (int code, const char **text))                                 \
    X(device_count, cuDeviceGetCount, (int *count))                                                \
    X(device_get, cuDeviceGet, (int *device, int ordinal))                                         \
    X(device_name, cuDeviceGetName, (char *name, int size, int device))                            \
    X(device_memory, cuDeviceTotalMem_v2, (size_t * bytes, int device))                            \
    X(device_uuid, cuDeviceGetUuid_v2, (unsigned char uuid[16], int device))                       \
    X(device_attribute, cuDeviceGetAttribute, (int *value, int attribute, int device))             \
    X(device_peer, cuDeviceCanAccessPeer, (int *can, int device, int peer))                        \
    X(context_retain, cuDevicePrimaryCtxRetain, (cu_context * context, int device))                \
    X(context_set, cuCtxSetCurrent, (cu_context context))                                          \
    X(context_peer, cuCtxEnablePeerAccess, (cu_context peer, unsigned flags))                      \
    X(synchronize, cuCtxSynchronize, (void))                                                       \
    X(memory_info, cuMemGetInfo_v2, (size_t * unused, size_t * all))                               \
    X(allocate, cuMemAlloc_v2, (cu_address * address, size_t nbytes))                              \
    X(release, cuMemFree_v2, (cu_address address))                                                 \
    X(host_allocate, cuMemHostAlloc, (void **address, size_t nbytes, unsigned flags))              \
    X(host_release, cuMemFreeHost, (void *address))                                                \
    X(host_device_address, cuMemHostGetDevicePointer_v2,                                           \
      (cu_address * address, void *host, unsigned flags))                                          \
    X(pointer_attribute, cuPointerGetAttribute, (void *value, int attribute, cu_address address))  \
    X(copy, cuMemcpyAsync, (cu_address dst, cu_address src, size_t nbytes, cu_stream stream))      \
    X(set_bytes, cuMemsetD8Async,                                                                  \
      (cu_address address, unsigned char value, size_t count, cu_stream stream))                   \
    X(stream_create, cuStreamCreateWithPriority,                                                   \
      (cu_stream * stream, unsigned flags, int priority))                                          \
    X(stream_destroy, cuStreamDestroy_v2, (cu_stream stream))                                      \
    X(stream_synchronize, cuStreamSynchronize, (cu_stream stream))                                 \
    X(stream_query, cuStreamQuery, (cu_stream stream))                                             \
    X(stream_wait, cuStreamWaitEvent, (cu_stream stream, cu_event event, unsigned flags))          \
    X(event_create, cuEventCreate, (cu_event * event, unsigned flags))                             \
    X(event_destroy, cuEventDestroy_v2, (cu_event event))                                          \
    X(event_record, cuEventRecord, (cu_event event, cu_stream stream))                             \
    X(event_query, cuEventQuery, (cu_event event))                                                 \
    X(event_synchronize, cuEventSynchronize, (cu_event event))                                     \
    X(event_elapsed, cuEventElapsedTime_v2, (float *ms, cu_event start, cu_event end))             \
    X(module_load, cuModuleLoadData, (cu_module * module, const void *image))                      \
    X(module_function, cuModuleGetFunction,                                                        \
      (cu_function * function, cu_module module, const char *name))                                \
    X(function_set, cuFuncSetAttribute, (cu_function function, int attribute, int value))          \
    X(launch, cuLaunchKernelEx,                                                                    \
      (const struct cu_launch *launch, cu_function function, void **arguments, void **extra))      \
    X(capture_status, cuStreamIsCapturing, (cu_stream stream, int *status))                        \
    X(capture_begin, cuStreamBeginCapture_v2, (cu_stream stream, int mode))                        \
    X(capture_end, cuStreamEndCapture, (cu_stream stream, cu_graph * graph))                       \
    X(graph_instantiate, cuGraphInstantiateWithFlags,                                              \
      (cu_graph_exec * exec, cu_graph graph, unsigned long long flags))                            \
    X(graph_launch, cuGraphLaunch, (cu_graph_exec exec, cu_stream stream))                         \
    X(graph_destroy, cuGraphDestroy, (cu_graph graph))                                             \
    X(graph_exec_destroy, cuGraphExecDestroy, (cu_graph_exec exec))

struct cti_cuda_driver {
#define FIELD(name, symbol, arguments) int(*name) arguments;
    CTI_CUDA_FUNCTIONS(FIELD)
#undef FIELD
};
extern struct cti_cuda_driver cti_cu;

/* ---- devices ---- */

#define CTI_CUDA_MAX_DEVICES 16

struct cti_cuda_device {
    cu_context context; /* NULL until first used */
    int handle;         /* of the driver; several of our devices may share one */
    int major, minor, multiprocessors, max_threads;
    int shared_optin; /* bytes of shared memory that a kernel may use after an opt-in */
    int together;     /* cooperative launches are supported */
    size_t memory;
    char name[96];
};

/* The number of devices, 0 without a driver; makes no context. */
int cti_cuda_count(void);
/* Makes the device's context current on the calling thread; NULL: failed, the error is set. */
struct cti_cuda_device *cti_cuda_use(int index);
bool cti_cuda_set_current(int index);
int cti_cuda_current(void); /* makes no context */
bool cti_cuda_fake(void);   /* the devices run no kernels */
bool cti_cuda_started(void);
bool cti_cuda_overlaps(int device); /* Note [Overlapping launches]; its context is current */
/* True for CU_OK; else sets the error with PyTorch's text. */
bool cti_cuda_check(int code);
void cti_cuda_fake_driver(struct cti_cuda_driver *driver); /* fake.c */
bool cti_cuda_fake_holds(const void *address); /* whether a fake device has this address */

/* ---- streams ---- */

/* The calling thread's current stream of a device. */
cu_stream cti_cuda_stream(int device);
void cti_cuda_set_stream(int device, cu_stream stream);
/* Waits for the current stream; fails if a kernel has recorded a fault. */
bool cti_cuda_wait(int device);
/* The device address of the page where kernels record an invalid argument; Note [Late faults]. */
bool cti_cuda_fault_page(int device, struct cti_fault_page **page);
/* False: a kernel has recorded a fault; the error is set. */
bool cti_cuda_no_fault(int device);
/* How often the host waited for a device; tests of training steps check it. */
extern int64_t cti_cuda_waits;
/* How many graphs are being captured; while this is positive, launches do not overlap. */
extern int cti_cuda_captures;

/* ---- memory ---- */

/* Workspace from the caching allocator, for work on the current stream; NULL: failed. */
void *cti_cuda_scratch(int device, int64_t nbytes, void **block);
void cti_cuda_scratch_end(void *block);

#endif

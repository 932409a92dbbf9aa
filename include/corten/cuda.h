/* SPDX-License-Identifier: BSD-3-Clause */
/* NVIDIA GPUs: devices, memory, streams, events and graphs. ct_to(x, .device = ct_device("cuda"))
 * moves a tensor to a GPU, and an operation runs on the device of its tensors. Programs also run on
 * machines without CUDA; ct_cuda_device_count() then returns 0. Work on a GPU is asynchronous: a
 * call queues it on the current stream and returns, and a call that reads an element waits for it.
 * A device is given by its index; -1 is the current device of the calling thread. Functions that
 * return bool or a pointer return false or NULL and set the error if they fail. */
#ifndef CORTEN_CUDA_H
#define CORTEN_CUDA_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "corten/macros.h"

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The argument of ct_cuda_synchronize and ct_cuda_current_stream is optional; the default is -1. */
#ifdef __cplusplus
#define CT_CUDA_DEVICE int device = -1
#else
#define CT_CUDA_DEVICE int device
#define CT_CUDA_LAST(...)                                                                          \
    ((const int[]){__VA_ARGS__}[sizeof((int[]){__VA_ARGS__}) / sizeof(int) - 1])
#define ct_cuda_synchronize(...) ct_cuda_synchronize(CT_CUDA_LAST(-1, ##__VA_ARGS__))
#define ct_cuda_current_stream(...) ct_cuda_current_stream(CT_CUDA_LAST(-1, ##__VA_ARGS__))
#endif

CT_API bool ct_cuda_is_available(void);
CT_API int ct_cuda_device_count(void);            /* does not initialise CUDA */
CT_API bool ct_cuda_is_initialized(void);         /* whether a GPU has been used */
CT_API int ct_cuda_current_device(void);          /* of the calling thread */
CT_API bool ct_cuda_set_device(int device);       /* for the calling thread */
CT_API bool(ct_cuda_synchronize)(CT_CUDA_DEVICE); /* waits for all streams */
CT_API ct_tensor *ct_cuda(ct_tensor *x);          /* x on the current GPU; differentiable */
CT_API ct_tensor *ct_cpu(ct_tensor *x);           /* x on the CPU; differentiable */
CT_API ct_tensor *ct_pin_memory(ct_tensor *x);    /* a copy in page-locked host memory */

/* Sizes are in bytes, clock rates in kHz, and the bus width is in bits. */
struct ct_cuda_properties {
    char name[96];
    int major, minor;
    int multiprocessors, warp_size, threads_per_multiprocessor, max_threads_per_block;
    int registers_per_multiprocessor;
    int64_t total_memory, l2_bytes, shared_per_block, shared_per_multiprocessor, shared_optin;
    int is_integrated, is_multi_gpu_board, pci_bus, pci_device, pci_domain, clock_rate;
    int memory_clock_rate, memory_bus_width;
    unsigned char uuid[16];
};
CT_API bool ct_cuda_get_properties(int device, struct ct_cuda_properties *properties);
/* The device of the memory at this address; the current device if that is unknown. */
CT_API int ct_cuda_device_of(const void *address);
/* Whether `device` can read the memory of `peer`. */
CT_API bool ct_cuda_can_access_peer(int device, int peer);
CT_API int ct_cuda_driver_version(void); /* 13000 for CUDA 13.0; 0: no driver */
/* Loads NVIDIA's library "cudnn", "cufft" or "cusolver" and returns its version in its own
 * numbering. 0: it is not installed, or there is no GPU. */
CT_API int ct_cuda_library_version(const char *name);
/* Loads a library of NVIDIA, searching where its packages install it: ("libnccl", {".2", "", NULL})
 * tries these suffixes behind ".so". Returns the handle of dlopen; NULL: not found. */
CT_API void *ct_cuda_open_library(const char *name, const char *const *versions);
/* The handle of "cublas" or "cusolver" for a device; NULL: the library is not installed. */
CT_API void *ct_cuda_library_handle(int device, const char *name);

/* Settings of the process, as in torch.backends. Values are 0 or 1 unless noted; the default comes
 * last in each comment. */
enum ct_cuda_switch {
    CT_CUDA_MATMUL_TF32,       /* float32 matrix products may round their factors to TF32; 0 */
    CT_CUDA_FP16_REDUCED,      /* float16 products may combine partial sums in float16; 1 */
    CT_CUDA_BF16_REDUCED,      /* the same for bfloat16; 1 */
    CT_CUDA_FP16_ACCUMULATION, /* float16 products may accumulate in float16; 0 */
    CT_CUDA_DETERMINISTIC,     /* only algorithms with reproducible results; 0 */
    CT_CUDA_SYNC_DEBUG,        /* a call that waits for the GPU: 1 warns, 2 fails; 0 */
    CT_CUDNN_ENABLED,          /* cuDNN may be used; 1 */
    CT_CUDNN_BENCHMARK,        /* time its algorithms at the first call for a shape; 0 */
    CT_CUDNN_BENCHMARK_LIMIT,  /* how many of them at most, 0: all; 10 */
    CT_CUDNN_DETERMINISTIC,    /* only reproducible algorithms of cuDNN; 0 */
    CT_CUDNN_CONV_TF32,        /* float32 convolutions may use TF32; 1 */
    CT_CUDNN_RNN_TF32,         /* recurrent layers may use TF32; 1 */
    CT_CUDA_SWITCHES
};
CT_API int ct_cuda_switch(enum ct_cuda_switch which);
CT_API void ct_cuda_set_switch(enum ct_cuda_switch which, int value);

/* The cache of cuFFT plans of a device: how many it holds, and its capacity. The least recently
 * used plan is evicted first. */
CT_API int ct_cuda_fft_plans(int device);
CT_API int ct_cuda_fft_most_plans(int device);
CT_API void ct_cuda_set_fft_plans(int device, int most);
CT_API void ct_cuda_clear_fft_plans(int device);

/* The counters of the caching allocator: for small blocks, for large blocks, and for both. */
enum ct_cuda_count {
    CT_CUDA_ALLOCATIONS,     /* blocks in use */
    CT_CUDA_ALLOCATED_BYTES, /* their bytes, rounded up to multiples of 512 */
    CT_CUDA_REQUESTED_BYTES, /* their bytes as requested */
    CT_CUDA_SEGMENTS,        /* segments allocated from the driver */
    CT_CUDA_RESERVED_BYTES,
    CT_CUDA_COUNTS
};
enum ct_cuda_pool { CT_CUDA_ALL, CT_CUDA_LARGE, CT_CUDA_SMALL, CT_CUDA_POOLS };
struct ct_cuda_counter {
    int64_t current, peak, allocated, freed; /* allocated, freed: totals */
};
struct ct_cuda_memory {
    int64_t unused, total;  /* bytes of device memory */
    int64_t retries, fails; /* allocations that failed at first, and those that failed again after
                               the cache was freed */
    struct ct_cuda_counter count[CT_CUDA_COUNTS][CT_CUDA_POOLS];
};
CT_API bool ct_cuda_get_memory(int device, struct ct_cuda_memory *memory);
CT_API void ct_cuda_reset_peak(int device);
CT_API void ct_cuda_reset_accumulated(int device);
/* Page-locked host memory, which is not cached: the driver allocates each block and frees it when
 * its last tensor is released. Times are in microseconds spent in the driver; `least` is 0 before
 * the first call. */
struct ct_cuda_timer {
    int64_t total, most, least, count;
};
struct ct_cuda_host_memory {
    struct ct_cuda_counter blocks, bytes;
    struct ct_cuda_timer pinning, releasing;
};
CT_API void ct_cuda_get_host_memory(struct ct_cuda_host_memory *memory);
/* Resets the peaks (peak), or the totals. */
CT_API void ct_cuda_reset_host_memory(bool peak);
/* The fraction of device memory that the allocator may use; 1 unless set. */
CT_API bool ct_cuda_set_memory_fraction(int device, double fraction);
CT_API double ct_cuda_memory_fraction(int device);

struct ct_cuda_block {
    void *address, *segment, *stream;
    int64_t size, requested, segment_size;
    int state; /* 0: free, 1: in use, 2: freed, but another stream may still use it */
};
/* Stores up to n blocks of a device in an array and returns how many there are. */
CT_API int64_t ct_cuda_snapshot(int device, struct ct_cuda_block *blocks, int64_t n);
CT_API void ct_cuda_empty_cache(void);
CT_API int64_t ct_cuda_waits(void); /* how often the host has waited for a GPU so far */

CT_API void ct_cuda_manual_seed_all(uint64_t seed);         /* the generators of all devices */
CT_API ct_generator *ct_cuda_default_generator(int device); /* borrowed */

/* Streams and events are those of the CUDA driver (CUstream, CUevent); NULL is the default stream.
 */
CT_API void *ct_cuda_stream_create(int device, int priority);
CT_API void ct_cuda_stream_destroy(void *stream);
CT_API void *ct_cuda_stream_new(void); /* one of a pool of 32 for the current device */
CT_API bool ct_stream_synchronize(void *stream);
CT_API void *(ct_cuda_current_stream)(CT_CUDA_DEVICE);
CT_API bool ct_cuda_set_stream(int device, void *stream);
CT_API bool ct_cuda_stream_synchronize(int device, void *stream);
CT_API int ct_cuda_stream_query(int device, void *stream); /* 1: idle, 0: busy, -1: failed */
CT_API bool ct_cuda_stream_wait_event(int device, void *stream, void *event);
CT_API void *ct_cuda_event_create(int device, bool timing, bool blocking);
CT_API void ct_cuda_event_destroy(void *event);
CT_API bool ct_cuda_event_record(int device, void *event, void *stream);
CT_API int ct_cuda_event_query(int device, void *event);
CT_API bool ct_cuda_event_synchronize(int device, void *event);
CT_API double ct_cuda_event_elapsed(int device, void *start,
                                    void *end); /* milliseconds; NaN: failed */
/* Reports to the allocator that work queued on this stream uses the memory of t, so that the memory
 * is not reused before that work is done. */
CT_API bool ct_cuda_record_stream(ct_tensor *t, void *stream);

CT_API ct_tensor *ct_own_pin_memory(ct_tensor *t); /* owned */
CT_API bool ct_is_pinned(const ct_tensor *t);

/* CUDA graphs: work queued on the current stream between begin and end is recorded in a graph,
 * which can be launched repeatedly. */
CT_API int ct_cuda_is_capturing(int device); /* 1: the current stream is; -1: failed */
CT_API bool ct_cuda_capture_begin(int device);
CT_API void *ct_cuda_capture_end(int device); /* the graph; NULL: failed */
CT_API bool ct_cuda_graph_launch(int device, void *graph);
CT_API void ct_cuda_graph_destroy(void *graph);

/* Until the end of the block, CT_DEVICE("cuda:1"); makes that GPU the current one, and
 * CT_STREAM(s); makes s the stream of the current GPU. */
struct ct_cuda_before {
    int device; /* -1: nothing to restore */
    void *stream;
};
CT_API struct ct_cuda_before ct_cuda_enter_device(const char *device);
CT_API void ct_cuda_leave_device(struct ct_cuda_before *before);
CT_API struct ct_cuda_before ct_cuda_enter_stream(void *stream);
CT_API void ct_cuda_leave_stream(struct ct_cuda_before *before);
#ifndef __cplusplus
#define CT_DEVICE(device)                                                                          \
    CT_WITH(struct ct_cuda_before, ct_cuda_leave_device, ct_cuda_enter_device(device))
#define CT_STREAM(stream)                                                                          \
    CT_WITH(struct ct_cuda_before, ct_cuda_leave_stream, ct_cuda_enter_stream(stream))
#endif

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* NVIDIA GPUs: what is there, which one is current, its memory, streams and events. Tensors go
 * there with ct_to(x, .device = ct_device("cuda")), and every operation runs where its tensors are.
 * Nothing here needs CUDA to be installed; without a GPU ct_cuda_device_count() is 0. Work is sent
 * to the current stream and runs later; reading an element waits for it. */
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

/* A device is its number, and -1 the current one; ct_cuda_synchronize() means that too. */
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
CT_API int ct_cuda_device_count(void);            /* starts nothing */
CT_API bool ct_cuda_is_initialized(void);         /* a GPU has been used */
CT_API int ct_cuda_current_device(void);          /* of the calling thread */
CT_API bool ct_cuda_set_device(int device);       /* for the calling thread */
CT_API bool(ct_cuda_synchronize)(CT_CUDA_DEVICE); /* waits for all its streams */
CT_API ct_tensor *ct_cuda(ct_tensor *x);          /* x on the current GPU; with its gradient */
CT_API ct_tensor *ct_cpu(ct_tensor *x);           /* and back */
CT_API ct_tensor *ct_pin_memory(ct_tensor *x);    /* a copy that GPUs read by themselves */

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
CT_API int ct_cuda_device_of(const void *address); /* that has this memory */
CT_API bool ct_cuda_can_access_peer(int device, int peer);
CT_API int ct_cuda_driver_version(void); /* 13000 for 13.0; 0: none */
/* Of NVIDIA's library "cudnn", "cufft" or "cusolver", as it numbers them itself;
 * 0: not there, or no GPU to use it on. Opens it. */
CT_API int ct_cuda_library_version(const char *name);
/* A library of NVIDIA's, wherever its packages put it ("libnccl", {".2", "", NULL}), as by dlopen;
 * NULL: there is none. */
CT_API void *ct_cuda_open_library(const char *name, const char *const *versions);
/* The handle of a device that "cublas" or "cusolver" works with; NULL: not there. */
CT_API void *ct_cuda_library_handle(int device, const char *name);

/* What NVIDIA's libraries may do, for the whole program: 0 or 1 unless said otherwise. */
enum ct_cuda_switch {
    CT_CUDA_MATMUL_TF32,       /* products of float32 may round their factors to TF32; 0 */
    CT_CUDA_FP16_REDUCED,      /* sums of float16 products may be split in float16; 1 */
    CT_CUDA_BF16_REDUCED,      /* the same of bfloat16; 1 */
    CT_CUDA_FP16_ACCUMULATION, /* sums of float16 products may be kept in float16; 0 */
    CT_CUDA_DETERMINISTIC,     /* results must be the same in each run; 0 */
    CT_CUDA_SYNC_DEBUG,        /* what becomes of calls that wait: 1 a warning, 2 an error; 0 */
    CT_CUDNN_ENABLED,          /* cuDNN may be used; 1 */
    CT_CUDNN_BENCHMARK,        /* its algorithms are timed at the first call of a shape; 0 */
    CT_CUDNN_BENCHMARK_LIMIT,  /* at most so many of them, 0: all; 10 */
    CT_CUDNN_DETERMINISTIC,    /* only those that give the same result in each run; 0 */
    CT_CUDNN_CONV_TF32,        /* convolutions of float32 may use TF32; 1 */
    CT_CUDNN_RNN_TF32,         /* recurrent layers too; 1 */
    CT_CUDA_SWITCHES
};
CT_API int ct_cuda_switch(enum ct_cuda_switch which);
CT_API void ct_cuda_set_switch(enum ct_cuda_switch which, int value);

/* Plans of Fourier transforms that are kept for a device; the least recently used go first. */
CT_API int ct_cuda_fft_plans(int device);
CT_API int ct_cuda_fft_most_plans(int device);
CT_API void ct_cuda_set_fft_plans(int device, int most);
CT_API void ct_cuda_clear_fft_plans(int device);

/* What the allocator counts, of small blocks (cut from slabs), of large ones, and of all. */
enum ct_cuda_count {
    CT_CUDA_ALLOCATIONS,     /* blocks in use by tensors and work */
    CT_CUDA_ALLOCATED_BYTES, /* rounded up to 512 */
    CT_CUDA_REQUESTED_BYTES, /* as asked for */
    CT_CUDA_SEGMENTS,        /* what was taken from the driver */
    CT_CUDA_RESERVED_BYTES,
    CT_CUDA_COUNTS
};
enum ct_cuda_pool { CT_CUDA_ALL, CT_CUDA_LARGE, CT_CUDA_SMALL, CT_CUDA_POOLS };
struct ct_cuda_counter {
    int64_t current, peak, allocated, freed; /* allocated, freed: in all */
};
struct ct_cuda_memory {
    int64_t unused, total;  /* bytes of the card */
    int64_t retries, fails; /* times the driver had too little, and still had it then */
    struct ct_cuda_counter count[CT_CUDA_COUNTS][CT_CUDA_POOLS];
};
CT_API bool ct_cuda_get_memory(int device, struct ct_cuda_memory *memory);
CT_API void ct_cuda_reset_peak(int device);
CT_API void ct_cuda_reset_accumulated(int device);
/* Page-locked memory of the host. The driver is asked for each block, and gets it back when its
 * last tensor goes. Times are microseconds that the driver took; `least` is 0 before the first
 * call. */
struct ct_cuda_timer {
    int64_t total, most, least, count;
};
struct ct_cuda_host_memory {
    struct ct_cuda_counter blocks, bytes;
    struct ct_cuda_timer pinning, releasing;
};
CT_API void ct_cuda_get_host_memory(struct ct_cuda_host_memory *memory);
/* Begins the peaks anew, or what is counted in all. */
CT_API void ct_cuda_reset_host_memory(bool peak);
/* The part of the card that may be taken from the driver; 1 unless set. */
CT_API bool ct_cuda_set_memory_fraction(int device, double fraction);
CT_API double ct_cuda_memory_fraction(int device);

struct ct_cuda_block {
    void *address, *segment, *stream;
    int64_t size, requested, segment_size;
    int state; /* 0: free, 1: in use, 2: waits for another stream */
};
/* All blocks of a device, at most n of them into a list; how many there are. */
CT_API int64_t ct_cuda_snapshot(int device, struct ct_cuda_block *blocks, int64_t n);
CT_API void ct_cuda_empty_cache(void);
CT_API int64_t ct_cuda_waits(void); /* how often the host has waited for a GPU */

CT_API void ct_cuda_manual_seed_all(uint64_t seed);
CT_API ct_generator *ct_cuda_default_generator(int device); /* borrowed */

/* Streams and events are the driver's own (CUstream, CUevent); NULL is the default stream. */
CT_API void *ct_cuda_stream_create(int device, int priority);
CT_API void ct_cuda_stream_destroy(void *stream);
CT_API void *ct_cuda_stream_new(void); /* one of 32 of the current device, which stay */
CT_API bool ct_stream_synchronize(void *stream);
CT_API void *(ct_cuda_current_stream)(CT_CUDA_DEVICE);
CT_API bool ct_cuda_set_stream(int device, void *stream);
CT_API bool ct_cuda_stream_synchronize(int device, void *stream);
CT_API int ct_cuda_stream_query(int device, void *stream); /* 1: done, 0: not yet, -1: failed */
CT_API bool ct_cuda_stream_wait_event(int device, void *stream, void *event);
CT_API void *ct_cuda_event_create(int device, bool timing, bool blocking);
CT_API void ct_cuda_event_destroy(void *event);
CT_API bool ct_cuda_event_record(int device, void *event, void *stream);
CT_API int ct_cuda_event_query(int device, void *event);
CT_API bool ct_cuda_event_synchronize(int device, void *event);
CT_API double ct_cuda_event_elapsed(int device, void *start, void *end); /* ms; NaN: failed */
CT_API bool ct_cuda_record_stream(ct_tensor *t, void *stream); /* memory stays until it is done */

CT_API ct_tensor *ct_own_pin_memory(ct_tensor *t); /* a copy in memory that GPUs read themselves */
CT_API bool ct_is_pinned(const ct_tensor *t);

/* What is sent to a stream between begin and end becomes a graph, run as often as one likes. */
CT_API int ct_cuda_is_capturing(int device); /* 1: the current stream is; -1: failed */
CT_API bool ct_cuda_capture_begin(int device);
CT_API void *ct_cuda_capture_end(int device); /* the graph; NULL: failed */
CT_API bool ct_cuda_graph_launch(int device, void *graph);
CT_API void ct_cuda_graph_destroy(void *graph);

/* Until the end of the block: CT_DEVICE("cuda:1"); is the current GPU, CT_STREAM(s); is where work
 * of the current GPU goes. */
struct ct_cuda_before {
    int device; /* -1: nothing to come back to */
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

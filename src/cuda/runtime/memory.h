/* SPDX-License-Identifier: BSD-3-Clause */
/* Device memory: the parts of memory.c that only some engines and api.c need. */
#ifndef CORTEN_CUDA_RUNTIME_MEMORY_H
#define CORTEN_CUDA_RUNTIME_MEMORY_H

#include "cuda/runtime/driver.h"

/* Returns unused large blocks to the driver. */
void cti_cuda_empty_cache(void);
/* Prevents reuse of the memory until the work queued so far on `stream` is complete. */
bool cti_cuda_record_stream(ct_storage *s, cu_stream stream);
/* Copies bytes between devices, or between a device and the host, after the earlier work on their
 * current streams. wait: returns when a copy from or to the host is complete. */
bool cti_cuda_move(void *dst, struct ct_device to, const void *src, struct ct_device from,
                   int64_t nbytes, bool wait);

#endif

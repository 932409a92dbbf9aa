/* SPDX-License-Identifier: BSD-3-Clause */
/* Device memory, for the rest of src/cuda and the Python package; memory.c. */
#ifndef CORTEN_CUDA_RUNTIME_MEMORY_H
#define CORTEN_CUDA_RUNTIME_MEMORY_H

#include "cuda/runtime/driver.h"

void cti_cuda_empty_cache(void);
bool cti_cuda_record_stream(ct_storage *s, cu_stream stream);
/* Copies bytes on the current streams, ordered after earlier work there. wait: until it is done,
 * where the host is one of the two. */
bool cti_cuda_move(void *dst, struct ct_device to, const void *src, struct ct_device from,
                   int64_t nbytes, bool wait);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Invalid arguments that can be detected only on the device, such as an index out of range: a
 * kernel records the first one in a page of host memory (fault.cuh), and the host reports it at the
 * next launch or wait (runtime/device.c). Note [Late faults] in index/index.c. */
#ifndef CORTEN_CUDA_COMMON_FAULT_H
#define CORTEN_CUDA_COMMON_FAULT_H

#include <stdint.h>

/* The operation that detected the fault, plus CTI_FAULT_DIM * (dim + 1) if the message names a
 * dim. */
enum cti_cuda_fault {
    CTI_FAULT_OTHER,
    CTI_FAULT_GATHER,
    CTI_FAULT_SCATTER,
    CTI_FAULT_SELECT,
    CTI_FAULT_GET,
    CTI_FAULT_PUT,
    CTI_FAULT_PROBABILITY,
    CTI_FAULT_WEIGHT,
    CTI_FAULT_INFINITE_WEIGHT,
    CTI_FAULT_NO_WEIGHTS,
    CTI_FAULT_SHORT_SOURCE,
    CTI_FAULT_SORTER,
    CTI_FAULTS
};
#define CTI_FAULT_DIM 256

struct cti_fault_page {
    int32_t set, what; /* what: enum cti_cuda_fault */
    int64_t index, size;
};

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A pointwise program with its class of geometry; pointwise.c makes it, and source.c writes its
 * kernel. */
#ifndef CORTEN_CUDA_POINTWISE_POINTWISE_H
#define CORTEN_CUDA_POINTWISE_POINTWISE_H

#include "core/backend.h"
#include "core/text.h"

#define CTI_POINTWISE_THREADS 256
#define CTI_TILE_EDGE 32 /* elements along each side of a tile */

/* How a kernel reads an operand. */
enum cti_pointwise_kind {
    ALONG,      /* one element for each element of the result */
    ONE,        /* one element in device memory for all */
    NUMBER,     /* a scalar in the argument */
    SPLAT,      /* one element for each vector */
    TRANSPOSED, /* tiles in shared memory */
};

struct cti_pointwise_plan {
    const struct cti_pointwise *work;
    int ndim;     /* 0: contiguous */
    int pack;     /* elements of a vector */
    bool index64; /* indices have 64 bits */
    bool tiled;
    uint8_t kind[CTI_MAX_OPERANDS];
    int64_t numel; /* range of the linear index: elements, vectors if strided, or tiles */
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_OPERANDS][CTI_MAX_DIMS];
};

/* A cti_cuda_writer whose context is a plan. */
void cti_cuda_pointwise_text(struct cti_text *text, const void *plan);

#endif

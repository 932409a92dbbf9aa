/* SPDX-License-Identifier: BSD-3-Clause */
/* A pointwise program with its class of geometry (pointwise.c), and the source of its kernel
 * (source.c). */
#ifndef CORTEN_CUDA_POINTWISE_POINTWISE_H
#define CORTEN_CUDA_POINTWISE_POINTWISE_H

#include "core/backend.h"
#include "core/text.h"

#define CTI_POINTWISE_THREADS 256
#define CTI_TILE_EDGE 32 /* of a tile */

/* How an operand is read: element by element, one element for all, a scalar argument, one element
 * for each vector, or through tiles in shared memory (transposed). */
enum cti_pointwise_kind { ALONG, ONE, NUMBER, SPLAT, TRANSPOSED };

struct cti_pointwise_plan {
    const struct cti_pointwise *work;
    int ndim;  /* 0: contiguous */
    int pack;  /* elements of a vector */
    bool wide; /* 64-bit indices */
    bool tiled;
    uint8_t kind[CTI_MAX_OPERANDS];
    int64_t numel; /* linear indices: elements, vectors of a strided plan, or tiles */
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_OPERANDS][CTI_MAX_DIMS];
};

/* A cti_cuda_writer; the context is a plan. */
void cti_cuda_pointwise_text(struct cti_text *text, const void *plan);

#endif

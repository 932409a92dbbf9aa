/* SPDX-License-Identifier: BSD-3-Clause */
/* A pointwise program with its class of geometry (pointwise.c), and the text of its kernel
 * (pointwise_text.c). */
#ifndef CORTEN_CUDA_POINTWISE_H
#define CORTEN_CUDA_POINTWISE_H

#include "core/backend.h"
#include "core/text.h"

#define CTI_POINTWISE_THREADS 256
#define CTI_TILE_EDGE 32 /* of a tile */

/* An element for each, one for all, a number in the arguments, one for each pack; an element for
 * each that comes by tiles. */
enum cti_pointwise_kind { ALONG, ONE, NUMBER, SPLAT, TURNED };

struct cti_pointwise_plan {
    const struct cti_pointwise *work;
    int ndim;  /* 0: packed */
    int pack;  /* elements at a time */
    bool wide; /* 64-bit indices */
    bool tiled;
    uint8_t kind[CTI_MAX_OPERANDS];
    int64_t numel; /* indices to take apart: elements, packs of a strided plan, or tiles */
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_OPERANDS][CTI_MAX_DIMS];
};

/* A writer of kernels; the context is a plan. */
void cti_cuda_pointwise_text(struct cti_text *text, const void *plan);

#endif

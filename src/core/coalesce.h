/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites the dims of one or several tensors as the fewest that address the same elements: drops
 * dims of size 1, orders the others, and merges neighbours that are contiguous in all tensors. A
 * contiguous [2, 3, 4] becomes one dim of 24. The pointwise, reduce and index engines of every
 * device call it before they choose loops or kernels; it handles only sizes and strides, not
 * memory. */
#ifndef CORTEN_CORE_COALESCE_H
#define CORTEN_CORE_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

/* Which of two dims goes inside the other. Dims of equal rank keep their order. */
enum cti_dims_order {
    CTI_DIMS_KEEP,  /* no dim moves */
    CTI_DIMS_FIRST, /* the dim with the smaller stride in the first tensor; 0 is the smallest */
    CTI_DIMS_EACH,  /* the same in the first tensor whose strides differ and are both nonzero, so
                       that a broadcast tensor leaves the decision to the next */
};

/* Sizes and strides belong to the caller and are rewritten in place. */
struct cti_dims {
    int n;
    enum cti_dims_order order;
    bool inner_last; /* as in a shape; false: the innermost dim comes first */
    bool keep_one;   /* if no dim remains, keep one of size 1 with strides 0 */
    int tensors;
    int64_t *size;
    int64_t *const *stride; /* of each tensor; in any unit */
};

/* Returns the number of dims that remain. */
int cti_coalesce(struct cti_dims *dims);
void cti_dims_swap(const struct cti_dims *dims, int a, int b);

#endif

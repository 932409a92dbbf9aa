/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of a library by the bytes of what they were made for: a hash table that knows which were
 * used last, so that it can be bounded without two plans in use ever taking turns. The caller owns
 * plans, makes and destroys them, and locks. For cudnn.c and gemm.c. */
#ifndef CORTEN_CUDA_RUNTIME_PLANS_H
#define CORTEN_CUDA_RUNTIME_PLANS_H

#include <stddef.h>
#include <stdint.h>

/* The first field of a plan. */
struct cti_plan {
    struct cti_plan *next;          /* of its bucket */
    struct cti_plan *newer, *older; /* by last use */
    const void *key;                /* in the plan itself */
    size_t size;
    uint64_t hash;
};

#define CTI_PLAN_BUCKETS 512

struct cti_plans {
    int n;
    struct cti_plan *newest, *oldest, *bucket[CTI_PLAN_BUCKETS];
};

/* NULL: not there. What is found counts as used. */
void *cti_plans_find(struct cti_plans *t, const void *key, size_t size);
/* A plan that is not there yet. Returns the plan that was not used for longest and is no longer in
 * the table, where there are more than `most` of them now; else NULL. */
void *cti_plans_add(struct cti_plans *t, struct cti_plan *p, const void *key, size_t size,
                    int most);

#endif

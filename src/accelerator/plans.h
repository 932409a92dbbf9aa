/* SPDX-License-Identifier: BSD-3-Clause */
/* A bounded table of plans that a library made, such as cuDNN's for one convolution, found by the
 * bytes of what each was made for. When the table is full, the plan that was used least recently
 * goes. The caller makes, owns and destroys plans, and holds a lock around each call. */
#ifndef CORTEN_ACCELERATOR_PLANS_H
#define CORTEN_ACCELERATOR_PLANS_H

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

/* A hash of n bytes; also for other tables of compiled things. */
uint64_t cti_plans_hash(const void *key, size_t size);
/* The plan of a key, which counts as used now; NULL if there is none. */
void *cti_plans_find(struct cti_plans *t, const void *key, size_t size);
/* Adds a plan whose key is not in the table. Returns NULL, or if there are more than `most` plans
 * now, the one used least recently, which the table has dropped and the caller destroys. */
void *cti_plans_add(struct cti_plans *t, struct cti_plan *p, const void *key, size_t size,
                    int most);
/* Drops the plan used least recently and returns it; the table is not empty. */
void *cti_plans_take_oldest(struct cti_plans *t);

#endif

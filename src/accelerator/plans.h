/* SPDX-License-Identifier: BSD-3-Clause */
/* An LRU cache of plans made by a library, such as cuDNN's plans for convolutions. The key is the
 * bytes of a struct that describes the work. When the table is full, the least recently used plan
 * is removed. The caller makes, owns and destroys plans, and holds a lock around each call. */
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

/* Returns a hash of n bytes; also used by other caches of compiled objects. */
uint64_t cti_plans_hash(const void *key, size_t size);
/* Finds the plan of a key and marks it as used now; NULL if absent. */
void *cti_plans_find(struct cti_plans *t, const void *key, size_t size);
/* Adds a plan whose key is not in the table. If there are now more than `most` plans, removes and
 * returns the least recently used one, which the caller destroys. Otherwise returns NULL. */
void *cti_plans_add(struct cti_plans *t, struct cti_plan *p, const void *key, size_t size,
                    int most);
/* Drops the plan used least recently and returns it; the table is not empty. */
void *cti_plans_take_oldest(struct cti_plans *t);

#endif

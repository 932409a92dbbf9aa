/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the plan cache of plans.h: a hash table with chaining, and a list of its plans by last
 * use. */
#include "accelerator/plans.h"

#include <string.h>

uint64_t cti_plans_hash(const void *key, size_t size)
{
    const char *p = key;
    uint64_t h = size * UINT64_C(0x9e3779b97f4a7c15), word;
    for (; size >= 8; size -= 8, p += 8) {
        memcpy(&word, p, 8);
        h = (h ^ word) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    for (; size; size--, p++)
        h = (h ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
    return h ^ (h >> 29);
}

static void unlink_use(struct cti_plans *t, struct cti_plan *p)
{
    *(p->newer ? &p->newer->older : &t->newest) = p->older;
    *(p->older ? &p->older->newer : &t->oldest) = p->newer;
}

static void link_newest(struct cti_plans *t, struct cti_plan *p)
{
    p->newer = NULL;
    p->older = t->newest;
    *(t->newest ? &t->newest->newer : &t->oldest) = p;
    t->newest = p;
}

void *cti_plans_find(struct cti_plans *t, const void *key, size_t size)
{
    uint64_t hash = cti_plans_hash(key, size);
    struct cti_plan *p = t->bucket[hash % CTI_PLAN_BUCKETS];
    while (p && !(p->hash == hash && p->size == size && memcmp(p->key, key, size) == 0))
        p = p->next;
    if (p && p != t->newest) {
        unlink_use(t, p);
        link_newest(t, p);
    }
    return p;
}

void *cti_plans_take_oldest(struct cti_plans *t)
{
    struct cti_plan *p = t->oldest, **at = &t->bucket[p->hash % CTI_PLAN_BUCKETS];
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    unlink_use(t, p);
    t->n--;
    return p;
}

void *cti_plans_add(struct cti_plans *t, struct cti_plan *p, const void *key, size_t size, int most)
{
    p->hash = cti_plans_hash(key, size);
    p->key = key;
    p->size = size;
    struct cti_plan **bucket = &t->bucket[p->hash % CTI_PLAN_BUCKETS];
    p->next = *bucket;
    *bucket = p;
    link_newest(t, p);
    t->n++;
    return t->n > most ? cti_plans_take_oldest(t) : NULL;
}

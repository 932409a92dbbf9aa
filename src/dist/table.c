/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys and values of a store: a chained hash table, and the effect of each request on it. It
 * does not wait: the caller retries a request when the table has changed. */
#include "core/alloc.h"
#include "dist/dist.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cti_entry {
    struct cti_entry *next;
    uint64_t hash;
    struct cti_bytes value;
    int64_t nkey;
    char key[];
};

static uint64_t hash_of(struct cti_piece key) /* FNV-1a */
{
    uint64_t h = 14695981039346656037u;
    for (int64_t i = 0; i < key.nbytes; i++)
        h = (h ^ (unsigned char)key.data[i]) * 1099511628211u;
    return h;
}

static struct cti_entry **find_link(const struct cti_table *table, struct cti_piece key, uint64_t h)
{
    struct cti_entry **at = &table->bucket[h & (uint64_t)(table->nbuckets - 1)];
    while (*at && ((*at)->hash != h || (*at)->nkey != key.nbytes ||
                   memcmp((*at)->key, key.data, (size_t)key.nbytes) != 0))
        at = &(*at)->next;
    return at;
}

static bool table_grow(struct cti_table *table)
{
    int64_t n = table->nbuckets ? 2 * table->nbuckets : 64;
    struct cti_entry **bucket = cti_calloc((size_t)n, sizeof(struct cti_entry *));
    if (!bucket)
        return false;
    for (int64_t i = 0; i < table->nbuckets; i++) {
        for (struct cti_entry *e = table->bucket[i], *next; e; e = next) {
            next = e->next;
            struct cti_entry **first = &bucket[e->hash & (uint64_t)(n - 1)];
            e->next = *first;
            *first = e;
        }
    }
    cti_free(table->bucket);
    table->bucket = bucket;
    table->nbuckets = n;
    return true;
}

static struct cti_entry *find_entry(const struct cti_table *table, struct cti_piece key)
{
    return table->nbuckets ? *find_link(table, key, hash_of(key)) : NULL;
}

/* Concatenates a and b with a trailing NUL, so that values can be read as text. */
static bool copy_bytes(struct cti_bytes *dst, struct cti_piece a, struct cti_piece b)
{
    char *data = cti_malloc((size_t)(a.nbytes + b.nbytes) + 1);
    if (!data)
        return false;
    if (a.nbytes)
        memcpy(data, a.data, (size_t)a.nbytes);
    if (b.nbytes)
        memcpy(data + a.nbytes, b.data, (size_t)b.nbytes);
    data[a.nbytes + b.nbytes] = 0;
    *dst = (struct cti_bytes){data, a.nbytes + b.nbytes};
    return true;
}

static struct cti_piece piece_of(const struct cti_entry *e)
{
    return e ? (struct cti_piece){e->value.data, e->value.n} : (struct cti_piece){NULL, 0};
}

bool cti_table_get(const struct cti_table *table, struct cti_piece key, struct cti_piece *value)
{
    struct cti_entry *e = find_entry(table, key);
    *value = piece_of(e);
    return e != NULL;
}

/* Sets a key to the concatenation of a and b. */
static bool table_put(struct cti_table *table, struct cti_piece key, struct cti_piece a,
                      struct cti_piece b)
{
    if (key.nbytes > CTI_WIRE_MAX || a.nbytes > CTI_WIRE_MAX || b.nbytes > CTI_WIRE_MAX - a.nbytes)
        return ct_fail(CT_ERR_VALUE, "keys and values of a store are limited to 1 GiB");
    if (table->count >= table->nbuckets && !table_grow(table))
        return false;
    uint64_t h = hash_of(key);
    struct cti_entry **at = find_link(table, key, h), *e = *at;
    struct cti_bytes value;
    if (!copy_bytes(&value, a, b))
        return false;
    if (!e) {
        e = cti_malloc(sizeof *e + (size_t)key.nbytes);
        if (!e) {
            cti_free(value.data);
            return false;
        }
        *e = (struct cti_entry){.hash = h, .nkey = key.nbytes};
        memcpy(e->key, key.data, (size_t)key.nbytes);
        *at = e;
        table->count++;
    }
    cti_free(e->value.data);
    e->value = value;
    return true;
}

bool cti_table_set(struct cti_table *table, struct cti_piece key, struct cti_piece value)
{
    return table_put(table, key, value, (struct cti_piece){NULL, 0});
}

bool cti_table_delete(struct cti_table *table, struct cti_piece key)
{
    if (!table->nbuckets)
        return false;
    struct cti_entry **at = find_link(table, key, hash_of(key)), *e = *at;
    if (!e)
        return false;
    *at = e->next;
    cti_free(e->value.data);
    cti_free(e);
    table->count--;
    return true;
}

void cti_table_clear(struct cti_table *table)
{
    for (int64_t i = 0; i < table->nbuckets; i++) {
        for (struct cti_entry *e = table->bucket[i], *next; e; e = next) {
            next = e->next;
            cti_free(e->value.data);
            cti_free(e);
        }
    }
    cti_free(table->bucket);
    *table = (struct cti_table){0};
}

static bool table_add(struct cti_table *table, const struct cti_request *q, struct cti_reply *reply)
{
    struct cti_entry *e = find_entry(table, q->key);
    char text[32], *end = NULL;
    long long old = 0;
    errno = 0;
    if (e)
        old = strtoll(e->value.data, &end, 10);
    if (e && (end == e->value.data || end != e->value.data + e->value.n || errno))
        return ct_fail(CT_ERR_NETWORK, "the value of '%.*s' is not a number",
                       (int)(q->key.nbytes < 200 ? q->key.nbytes : 200), q->key.data);
    reply->number = (int64_t)((uint64_t)old + (uint64_t)q->number);
    int n = snprintf(text, sizeof text, "%lld", (long long)reply->number);
    return cti_table_set(table, q->key, (struct cti_piece){text, n});
}

static bool compare_set(struct cti_table *table, const struct cti_request *q,
                        struct cti_reply *reply)
{
    static const struct cti_piece nothing;
    struct cti_entry *e = find_entry(table, q->key);
    struct cti_piece held = piece_of(e);
    bool same = held.nbytes == q->value.nbytes &&
                (!held.nbytes || memcmp(held.data, q->value.data, (size_t)held.nbytes) == 0);
    if (same)
        return cti_table_set(table, q->key, q->desired) &&
               copy_bytes(&reply->value, q->desired, nothing);
    return copy_bytes(&reply->value, e ? held : q->value, nothing);
}

enum cti_answer cti_table_answer(struct cti_table *table, const struct cti_request *q,
                                 struct cti_reply *reply)
{
    struct cti_entry *e = find_entry(table, q->key);
    bool good = true;
    switch (q->kind) {
    case CTI_SET:
        good = cti_table_set(table, q->key, q->value);
        break;
    case CTI_GET:
    case CTI_WAIT:
        if (!e)
            return CTI_NOT_YET;
        good = q->kind == CTI_WAIT ||
               copy_bytes(&reply->value, piece_of(e), (struct cti_piece){NULL, 0});
        break;
    case CTI_CHECK:
        reply->number = e != NULL;
        break;
    case CTI_ADD:
        good = table_add(table, q, reply);
        break;
    case CTI_COMPARE_SET:
        good = compare_set(table, q, reply);
        break;
    case CTI_APPEND:
        good = table_put(table, q->key, piece_of(e), q->value);
        break;
    case CTI_DELETE:
        reply->number = cti_table_delete(table, q->key);
        break;
    case CTI_COUNT:
        reply->number = table->count;
        break;
    case CTI_REQUESTS:
        good = ct_fail(CT_ERR_NETWORK, "no such request");
        break;
    }
    return good ? CTI_ANSWERED : CTI_UNANSWERED;
}

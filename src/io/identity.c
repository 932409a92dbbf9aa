/* SPDX-License-Identifier: BSD-3-Clause */
/* PyTorch writes an id into each file. Its first twenty digits are a hash of the record names: the
 * hashes of the names, combined in the iteration order of a std::unordered_set of GNU's C++
 * library. To write files that are identical bit by bit, this file reproduces that hash and that
 * order. */
#include "io/identity.h"

#include "io/file.h"

#include "core/alloc.h"

#include <string.h>

static uint64_t shift_mix(uint64_t v)
{
    return v ^ v >> 47;
}

/* MurmurHash64A, as in std::hash. */
uint64_t cti_name_hash(const char *name, size_t n)
{
    const uint64_t mul = (UINT64_C(0xc6a4a793) << 32) + UINT64_C(0x5bd1e995);
    uint64_t hash = UINT64_C(0xc70f6907) ^ n * mul;
    for (; n >= 8; name += 8, n -= 8) {
        hash ^= shift_mix(cti_le64(name) * mul) * mul;
        hash *= mul;
    }
    if (n) {
        char rest[8] = {0};
        memcpy(rest, name, n);
        hash = (hash ^ cti_le64(rest)) * mul;
    }
    return shift_mix(shift_mix(hash) * mul);
}

uint64_t cti_hash_combine(uint64_t seed, uint64_t value)
{
    return seed ^ (value + 0x9e3779b9 + (seed << 6) + (seed >> 2));
}

enum { NONE = -1, HEAD = -2 }; /* no node; the head of the list */

/* A singly linked list of nodes; before[b] is the node before the first one of bucket b. */
struct set {
    const uint64_t *hash;
    int64_t *next, *before;
    int64_t first, buckets;
};

static int64_t *link_of(struct set *s, int64_t node)
{
    return node == HEAD ? &s->first : &s->next[node];
}

/* Inserts at the beginning of the bucket, or of the whole list if the bucket is empty. */
static void insert(struct set *s, int64_t node)
{
    int64_t bucket = (int64_t)(s->hash[node] % (uint64_t)s->buckets);
    if (s->before[bucket] == NONE) {
        s->next[node] = s->first;
        if (s->first != NONE)
            s->before[s->hash[s->first] % (uint64_t)s->buckets] = node;
        s->first = node;
        s->before[bucket] = HEAD;
    } else {
        int64_t *link = link_of(s, s->before[bucket]);
        s->next[node] = *link;
        *link = node;
    }
}

static bool rehash(struct set *s, int64_t buckets)
{
    int64_t *before = cti_realloc(s->before, (size_t)buckets * sizeof *before);
    if (!before)
        return false;
    for (int64_t i = 0; i < buckets; i++)
        before[i] = NONE;
    s->before = before;
    s->buckets = buckets;
    int64_t node = s->first;
    s->first = NONE;
    while (node != NONE) {
        int64_t next = s->next[node];
        insert(s, node);
        node = next;
    }
    return true;
}

/* Returns the next number of buckets; the table has the primes that libstdc++ uses when a set
 * grows. */
static int64_t more_buckets(int64_t than)
{
    static const int64_t sizes[] = {13,    29,     59,     127,    257,    541,
                                    1109,  2357,   5087,   10273,  20753,  42043,
                                    85229, 172933, 351061, 712697, 1447153};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i] > than)
            return sizes[i];
    }
    return 2 * than + 1;
}

bool cti_identity(const uint64_t *hash, int64_t count, uint64_t *answer)
{
    struct set s = {hash, cti_malloc((size_t)(count + 1) * sizeof *s.next), NULL, NONE, 0};
    bool good = s.next != NULL;
    for (int64_t i = 0; good && i < count; i++) {
        if (i >= s.buckets)
            good = rehash(&s, more_buckets(s.buckets));
        if (good)
            insert(&s, i);
    }
    *answer = 0;
    for (int64_t i = s.first; good && i != NONE; i = s.next[i])
        *answer = cti_hash_combine(*answer, hash[i]);
    cti_free(s.next);
    cti_free(s.before);
    return good;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What the order engines share. Note [Sort keys]: every value becomes an unsigned key whose order
 * is PyTorch's (NaN above all and equal to each other, -0 equal to 0), complemented for descending
 * order. A key travels with its position, and pairs are compared by key and then position, so every
 * sort is stable and every selection has one answer. Keys of up to 32 bits share one word with the
 * position (key << 32 | position); wider keys, or lines of 2^32 elements, use struct cti_pair.
 *
 * Note [Close keys]: whole numbers of a line often lie close together, int64 too: less the least of
 * them, the base, their keys are narrow and have few bits. Of other wide keys the upper halves are
 * sorted first, as narrow ones; what is equal in these comes in a few short runs. */
#ifndef CORTEN_CPU_ORDER_H
#define CORTEN_CPU_ORDER_H

#include "core/tensor.h"

struct cti_pair {
    uint64_t key, at;
};

#define CTI_ORDER_DIGIT 11 /* bits of a key that one radix pass sorts by */
#define CTI_ORDER_BUCKETS (1 << CTI_ORDER_DIGIT)
#define CTI_ORDER_CHUNK (1 << 17) /* elements that make a chunk worth a thread */

/* True when the data type's keys (and a line of n positions) fit one word. */
bool cti_order_is_narrow(enum ct_dtype dtype, int64_t n);

/* Pairs of the elements [first, first + n) of a line that begins at `in`, `step` bytes apart. */
void cti_order_load_narrow(enum ct_dtype dtype, const char *in, int64_t step, int64_t first,
                           int64_t n, bool descending, uint64_t base, uint64_t *pairs);
void cti_order_load_wide(enum ct_dtype dtype, const char *in, int64_t step, int64_t first,
                         int64_t n, bool descending, struct cti_pair *pairs);
/* Of wide keys: the upper halves of n, as narrow keys; and whole pairs of elements at the positions
 * of narrow ones. */
void cti_order_load_high(enum ct_dtype dtype, const char *in, int64_t step, int64_t n,
                         bool descending, uint64_t *pairs);
void cti_order_load_at(enum ct_dtype dtype, const char *in, int64_t step, const uint64_t *places,
                       int64_t n, bool descending, struct cti_pair *pairs);
/* True when a line's keys are narrow less the base, and how many bits they have then. */
struct cti_order_span {
    uint64_t base;
    int bits;
};
bool cti_order_is_close(enum ct_dtype dtype, const char *in, int64_t step, int64_t n,
                        bool descending, struct cti_order_span *span);
/* Back: values (where they are wanted) and positions of sorted pairs. */
struct cti_order_store {
    const char *in;
    char *values, *index; /* NULL: not wanted */
    int64_t in_step, value_step, index_step;
    uint64_t base; /* of narrow keys */
    bool descending;
};
void cti_order_store_narrow(enum ct_dtype dtype, const struct cti_order_store *to,
                            const uint64_t *pairs, int64_t first, int64_t n);
void cti_order_store_wide(enum ct_dtype dtype, const struct cti_order_store *to,
                          const struct cti_pair *pairs, int64_t first, int64_t n);

/* Sorts n pairs that come in the order of their positions; `spare` has room for as many, `counts`
 * for CTI_ORDER_BUCKETS for each chunk. Returns where the result is: pairs or spare. With chunks >
 * 1 threads share the work. */
uint64_t *cti_order_sort_narrow(uint64_t *pairs, uint64_t *spare, int64_t n, int bits,
                                uint32_t *counts, int64_t chunks);
struct cti_pair *cti_order_sort_wide(struct cti_pair *pairs, struct cti_pair *spare, int64_t n,
                                     int bits, uint32_t *counts, int64_t chunks);
int cti_order_bits(enum ct_dtype dtype); /* of a key */
/* The k-th smallest of a few, counted from 0; they may change places. */
uint64_t cti_order_pick_narrow(uint64_t *pairs, int64_t n, int64_t k);
struct cti_pair cti_order_pick_wide(struct cti_pair *pairs, int64_t n, int64_t k);

/* Keeps the k smallest of n, in the order in which they are; returns the greatest of them. `spare`
 * has room for n. */
uint64_t cti_order_keep_narrow(uint64_t *pairs, uint64_t *spare, int64_t n, int64_t k);
struct cti_pair cti_order_keep_wide(struct cti_pair *pairs, struct cti_pair *spare, int64_t n,
                                    int64_t k);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the order engines. Note [Sort keys]: every value becomes an unsigned key whose order is
 * PyTorch's (NaN above everything and equal to other NaN, -0 equal to 0), complemented for
 * descending order. A key is paired with its position, and pairs are compared by key, then
 * position, so every sort is stable and every selection is unique. A key of up to 32 bits and its
 * position share one 64-bit integer, a *narrow* pair (key << 32 | position). Wider keys, or lines
 * of 2^32 elements, use struct cti_pair.
 *
 * Note [Close keys]: the integers of a line often span a small range, even if they are int64. After
 * subtracting their minimum, the base, the keys are narrow and have few bits. Other wide keys are
 * first sorted by their upper halves, as narrow pairs; keys with equal upper halves form a few
 * short runs, which are sorted afterwards. */
#ifndef CORTEN_CPU_ORDER_H
#define CORTEN_CPU_ORDER_H

#include "core/tensor.h"

struct cti_pair {
    uint64_t key, at;
};

#define CTI_ORDER_DIGIT 11 /* bits of a key for one radix pass */
#define CTI_ORDER_BUCKETS (1 << CTI_ORDER_DIGIT)
#define CTI_ORDER_CHUNK (1 << 17) /* elements of a chunk that justifies a thread */

/* Whether the data type's keys fit narrow pairs in a line of n elements. */
bool cti_order_is_narrow(enum ct_dtype dtype, int64_t n);

/* Makes narrow pairs of the elements [first, first + n) of a line; elements are `step` bytes
 * apart. */
void cti_order_load_narrow(enum ct_dtype dtype, const char *in, int64_t step, int64_t first,
                           int64_t n, bool descending, uint64_t base, uint64_t *pairs);
void cti_order_load_wide(enum ct_dtype dtype, const char *in, int64_t step, int64_t first,
                         int64_t n, bool descending, struct cti_pair *pairs);
/* For wide keys: _high makes narrow pairs of their upper halves; the other function makes full
 * pairs of the elements at the positions of narrow pairs. */
void cti_order_load_high(enum ct_dtype dtype, const char *in, int64_t step, int64_t n,
                         bool descending, uint64_t *pairs);
void cti_order_load_at(enum ct_dtype dtype, const char *in, int64_t step,
                       const uint64_t *narrow_pairs, int64_t n, bool descending,
                       struct cti_pair *pairs);
/* Whether the keys of a line are narrow once the base is subtracted, and how many bits they have
 * then. */
struct cti_order_span {
    uint64_t base;
    int bits;
};
bool cti_order_is_close(enum ct_dtype dtype, const char *in, int64_t step, int64_t n,
                        bool descending, struct cti_order_span *span);
/* Writes the values (if requested) and positions of sorted pairs. */
struct cti_order_store {
    const char *in;
    char *values, *index; /* NULL: not requested */
    int64_t in_step, value_step, index_step;
    uint64_t base; /* of narrow keys */
    bool descending;
};
void cti_order_store_narrow(enum ct_dtype dtype, const struct cti_order_store *to,
                            const uint64_t *pairs, int64_t first, int64_t n);
void cti_order_store_wide(enum ct_dtype dtype, const struct cti_order_store *to,
                          const struct cti_pair *pairs, int64_t first, int64_t n);

/* Sorts n pairs that are ordered by position. `spare` has room for n pairs, `counts` for
 * CTI_ORDER_BUCKETS counts of each chunk. With chunks > 1 the threads share the work. Returns the
 * result: pairs or spare. */
uint64_t *cti_order_sort_narrow(uint64_t *pairs, uint64_t *spare, int64_t n, int bits,
                                uint32_t *counts, int64_t chunks);
struct cti_pair *cti_order_sort_wide(struct cti_pair *pairs, struct cti_pair *spare, int64_t n,
                                     int bits, uint32_t *counts, int64_t chunks);
int cti_order_bits(enum ct_dtype dtype); /* of a key */
/* The k-th smallest of a few pairs, counted from 0; reorders them. */
uint64_t cti_order_pick_narrow(uint64_t *pairs, int64_t n, int64_t k);
struct cti_pair cti_order_pick_wide(struct cti_pair *pairs, int64_t n, int64_t k);

/* Keeps the k smallest of n pairs without changing their order and returns the largest of these.
 * `spare` has room for n pairs. */
uint64_t cti_order_keep_narrow(uint64_t *pairs, uint64_t *spare, int64_t n, int64_t k);
struct cti_pair cti_order_keep_wide(struct cti_pair *pairs, struct cti_pair *spare, int64_t n,
                                    int64_t k);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts (key, position) pairs, see Note [Sort keys]. Positions break ties, so every algorithm gives
 * the same order. Called by the order engines; works on keys, not on values or tensors. */
#include "core/parallel.h"
#include "cpu/order/order.h"

#include <string.h>

#define T uint64_t
#define LESS(a, b) ((a) < (b))
#define DIGIT(x, shift) ((x) >> (shift))
#define LOWEST 0
#define HIGHEST UINT64_MAX
#define NAME(x) narrow_##x
#include "cpu/order/radix.h"

#define T struct cti_pair
#define LESS(a, b) (((a).key < (b).key) | (((a).key == (b).key) & ((a).at < (b).at)))
#define DIGIT(x, shift) ((x).key >> (shift))
#define LOWEST ((struct cti_pair){0, 0})
#define HIGHEST ((struct cti_pair){UINT64_MAX, UINT64_MAX})
#define NAME(x) wide_##x
#include "cpu/order/radix.h"

uint64_t *cti_order_sort_narrow(uint64_t *pairs, uint64_t *spare, int64_t n, int bits,
                                uint32_t *counts, int64_t chunks)
{
    return narrow_sort(pairs, spare, n, 32, bits, counts, chunks);
}

struct cti_pair *cti_order_sort_wide(struct cti_pair *pairs, struct cti_pair *spare, int64_t n,
                                     int bits, uint32_t *counts, int64_t chunks)
{
    return wide_sort(pairs, spare, n, 0, bits, counts, chunks);
}

uint64_t cti_order_pick_narrow(uint64_t *pairs, int64_t n, int64_t k)
{
    return narrow_pick(pairs, n, k);
}

struct cti_pair cti_order_pick_wide(struct cti_pair *pairs, int64_t n, int64_t k)
{
    return wide_pick(pairs, n, k);
}

uint64_t cti_order_keep_narrow(uint64_t *pairs, uint64_t *spare, int64_t n, int64_t k)
{
    return narrow_keep(pairs, spare, n, k);
}

struct cti_pair cti_order_keep_wide(struct cti_pair *pairs, struct cti_pair *spare, int64_t n,
                                    int64_t k)
{
    return wide_keep(pairs, spare, n, k);
}

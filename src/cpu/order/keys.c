/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts values to sort keys and back, see Note [Sort keys]. Keys are made from a value's bits,
 * so one pair of functions serves all types: unsigned integers are keys already, signed ones have
 * their top bit inverted, and negative floating numbers all their bits. */
#include "cpu/order/order.h"

#include <string.h>

enum kind { UNSIGNED, SIGNED, FLOATING };

struct shape_of_key {
    int bits;
    enum kind kind;
    uint64_t infinity; /* bits above it are NaN */
};

static inline struct shape_of_key key_shape(enum ct_dtype dtype)
{
    static const struct shape_of_key table[CT_DTYPE_COUNT] = {
        [CT_BOOL] = {8, UNSIGNED, 0},
        [CT_UINT8] = {8, UNSIGNED, 0},
        [CT_INT8] = {8, SIGNED, 0},
        [CT_INT16] = {16, SIGNED, 0},
        [CT_INT32] = {32, SIGNED, 0},
        [CT_INT64] = {64, SIGNED, 0},
        [CT_UINT16] = {16, UNSIGNED, 0},
        [CT_UINT32] = {32, UNSIGNED, 0},
        [CT_UINT64] = {64, UNSIGNED, 0},
        [CT_FLOAT16] = {16, FLOATING, 0x7C00},
        [CT_BFLOAT16] = {16, FLOATING, 0x7F80},
        [CT_FLOAT32] = {32, FLOATING, 0x7F800000},
        [CT_FLOAT64] = {64, FLOATING, 0x7FF0000000000000},
    };
    return table[dtype];
}

#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t mask_of(int bits)
{
    return bits == 64 ? ~0ull : (1ull << bits) - 1;
}

INLINE uint64_t load_bits(const char *p, int bits)
{
    uint8_t v1;
    uint16_t v2;
    uint32_t v4;
    uint64_t v8;
    switch (bits) {
    case 8:
        memcpy(&v1, p, 1);
        return v1;
    case 16:
        memcpy(&v2, p, 2);
        return v2;
    case 32:
        memcpy(&v4, p, 4);
        return v4;
    default:
        memcpy(&v8, p, 8);
        return v8;
    }
}

INLINE uint64_t key_of(uint64_t v, int bits, enum kind kind, uint64_t infinity)
{
    uint64_t top = 1ull << (bits - 1);
    if (kind == UNSIGNED)
        return v;
    if (kind == SIGNED)
        return v ^ top;
    uint64_t size = v & (top - 1);
    if (bits == 16) { /* this code stays scalar, and signs are unpredictable: avoid branches */
        v &= 0 - (uint64_t)(size != 0);
        uint64_t flipped = v ^ ((0 - (v >> (bits - 1))) & (top - 1)) ^ top;
        return flipped | ((0 - (uint64_t)(size > infinity)) & mask_of(bits));
    }
    v = size == 0 ? 0 : v;
    uint64_t key = v & top ? ~v & mask_of(bits) : v | top;
    return size > infinity ? mask_of(bits) : key;
}

/* Returns the bits of the value with this key. Sets *lost if several values share the key (zeros,
 * NaN). */
INLINE uint64_t value_of(uint64_t key, int bits, enum kind kind, bool *lost)
{
    uint64_t top = 1ull << (bits - 1);
    *lost = kind == FLOATING && (key == top || key == mask_of(bits));
    if (kind == UNSIGNED)
        return key;
    if (kind == SIGNED)
        return key ^ top;
    return key & top ? key ^ top : ~key & mask_of(bits);
}

INLINE void load_narrow(const char *in, int64_t step, int64_t first, int64_t n, bool descending,
                        uint64_t base, uint64_t *pairs, int bits, enum kind kind, uint64_t infinity)
{
    uint64_t flip = descending ? mask_of(bits) : 0;
    if (step == bits / 8) /* a constant stride for the compiler */
        for (int64_t i = 0; i < n; i++) {
            uint64_t v = load_bits(in + (first + i) * (bits / 8), bits);
            uint64_t key = (key_of(v, bits, kind, infinity) ^ flip) - base;
            pairs[i] = key << 32 | (uint64_t)(first + i);
        }
    else
        for (int64_t i = 0; i < n; i++) {
            uint64_t v = load_bits(in + (first + i) * step, bits);
            uint64_t key = (key_of(v, bits, kind, infinity) ^ flip) - base;
            pairs[i] = key << 32 | (uint64_t)(first + i);
        }
}

void cti_order_load_narrow(enum ct_dtype dtype, const char *in, int64_t step, int64_t first,
                           int64_t n, bool descending, uint64_t base, uint64_t *pairs)
{
    struct shape_of_key k = key_shape(dtype);
    if (dtype == CT_FLOAT32)
        load_narrow(in, step, first, n, descending, 0, pairs, 32, FLOATING, 0x7F800000);
    else if (dtype == CT_BFLOAT16)
        load_narrow(in, step, first, n, descending, 0, pairs, 16, FLOATING, 0x7F80);
    else if (dtype == CT_FLOAT16)
        load_narrow(in, step, first, n, descending, 0, pairs, 16, FLOATING, 0x7C00);
    else if (k.bits == 64)
        load_narrow(in, step, first, n, descending, base, pairs, 64, k.kind, k.infinity);
    else if (k.bits == 32)
        load_narrow(in, step, first, n, descending, base, pairs, 32, k.kind, 0);
    else if (k.bits == 16)
        load_narrow(in, step, first, n, descending, base, pairs, 16, k.kind, 0);
    else
        load_narrow(in, step, first, n, descending, base, pairs, 8, k.kind, 0);
}

INLINE void load_wide(const char *in, int64_t step, int64_t first, int64_t n, bool descending,
                      struct cti_pair *pairs, struct shape_of_key k)
{
    uint64_t flip = descending ? mask_of(k.bits) : 0;
    for (int64_t i = 0; i < n; i++) {
        uint64_t v = load_bits(in + (first + i) * step, k.bits);
        pairs[i].key = key_of(v, k.bits, k.kind, k.infinity) ^ flip;
        pairs[i].at = (uint64_t)(first + i);
    }
}

void cti_order_load_wide(enum ct_dtype dtype, const char *in, int64_t step, int64_t first,
                         int64_t n, bool descending, struct cti_pair *pairs)
{
    struct shape_of_key k = key_shape(dtype);
    if (dtype == CT_FLOAT64)
        load_wide(in, step, first, n, descending, pairs,
                  (struct shape_of_key){64, FLOATING, 0x7FF0000000000000});
    else if (dtype == CT_INT64)
        load_wide(in, step, first, n, descending, pairs, (struct shape_of_key){64, SIGNED, 0});
    else
        load_wide(in, step, first, n, descending, pairs, k);
}

void cti_order_load_high(enum ct_dtype dtype, const char *in, int64_t step, int64_t n,
                         bool descending, uint64_t *pairs)
{
    struct shape_of_key k = key_shape(dtype);
    uint64_t flip = descending ? ~0ull : 0;
    for (int64_t i = 0; i < n; i++) {
        uint64_t key = key_of(load_bits(in + i * step, 64), 64, k.kind, k.infinity) ^ flip;
        pairs[i] = (key & ~(uint64_t)UINT32_MAX) | (uint64_t)i;
    }
}

void cti_order_load_at(enum ct_dtype dtype, const char *in, int64_t step,
                       const uint64_t *narrow_pairs, int64_t n, bool descending,
                       struct cti_pair *pairs)
{
    struct shape_of_key k = key_shape(dtype);
    uint64_t flip = descending ? ~0ull : 0;
    for (int64_t i = 0; i < n; i++) {
        uint64_t at = narrow_pairs[i] & UINT32_MAX, v = load_bits(in + (int64_t)at * step, 64);
        pairs[i] = (struct cti_pair){key_of(v, 64, k.kind, k.infinity) ^ flip, at};
    }
}

/* Finds the range of the keys. Checks a few samples first, which rule out most lines with a large
 * range. */
INLINE bool find_span(const char *in, int64_t step, int64_t n, bool descending, int bits,
                      enum kind kind, struct cti_order_span *span)
{
    uint64_t flip = descending ? mask_of(bits) : 0, least = ~0ull, most = 0;
    for (int64_t i = 0, end; i < n; i = end) {
        end = i + (i ? 1024 : 16) < n ? i + (i ? 1024 : 16) : n;
        for (int64_t j = i; j < end; j++) {
            uint64_t key = key_of(load_bits(in + j * step, bits), bits, kind, 0) ^ flip;
            least = key < least ? key : least;
            most = key > most ? key : most;
        }
        if (most - least > UINT32_MAX)
            return false;
    }
    *span = (struct cti_order_span){least, most > least ? 64 - __builtin_clzll(most - least) : 0};
    return true;
}

bool cti_order_is_close(enum ct_dtype dtype, const char *in, int64_t step, int64_t n,
                        bool descending, struct cti_order_span *span)
{
    struct shape_of_key k = key_shape(dtype);
    *span = (struct cti_order_span){0, k.bits};
    if (n > UINT32_MAX)
        return false;
    if (k.kind == FLOATING)
        return k.bits <= 32;
    if (k.bits == 64)
        return find_span(in, step, n, descending, 64, k.kind, span);
    if (k.bits == 32)
        return find_span(in, step, n, descending, 32, k.kind, span);
    if (k.bits == 16)
        return find_span(in, step, n, descending, 16, k.kind, span);
    return find_span(in, step, n, descending, 8, k.kind, span);
}

INLINE void store(const struct cti_order_store *to, int64_t i, uint64_t key, uint64_t at, int bits,
                  enum kind kind)
{
    if (to->index)
        *(int64_t *)(void *)(to->index + i * to->index_step) = (int64_t)at;
    if (!to->values)
        return;
    bool lost;
    uint64_t v = value_of(key, bits, kind, &lost);
    if (lost)
        v = load_bits(to->in + (int64_t)at * to->in_step, bits);
    memcpy(to->values + i * to->value_step, &v, (size_t)bits / 8); /* little endian */
}

INLINE void store_narrow(const struct cti_order_store *to, const uint64_t *pairs, int64_t first,
                         int64_t n, int bits, enum kind kind)
{
    uint64_t flip = to->descending ? mask_of(bits) : 0;
    for (int64_t i = first; i < first + n; i++)
        store(to, i, ((pairs[i] >> 32) + to->base) ^ flip, pairs[i] & UINT32_MAX, bits, kind);
}

void cti_order_store_narrow(enum ct_dtype dtype, const struct cti_order_store *to,
                            const uint64_t *pairs, int64_t first, int64_t n)
{
    struct shape_of_key k = key_shape(dtype);
    struct cti_order_store dense = *to;
    if (dtype == CT_FLOAT32 && to->values && to->index && to->value_step == 4 &&
        to->index_step == 8) {
        dense.value_step = 4;
        dense.index_step = 8;
        dense.base = 0;
        store_narrow(&dense, pairs, first, n, 32, FLOATING);
    } else if (k.bits == 64) {
        store_narrow(to, pairs, first, n, 64, k.kind);
    } else if (k.bits == 8) {
        store_narrow(to, pairs, first, n, 8, k.kind);
    } else {
        store_narrow(to, pairs, first, n, k.bits, k.kind);
    }
}

void cti_order_store_wide(enum ct_dtype dtype, const struct cti_order_store *to,
                          const struct cti_pair *pairs, int64_t first, int64_t n)
{
    struct shape_of_key k = key_shape(dtype);
    uint64_t flip = to->descending ? mask_of(k.bits) : 0;
    if (k.bits == 64)
        for (int64_t i = first; i < first + n; i++)
            store(to, i, pairs[i].key ^ flip, pairs[i].at, 64, k.kind);
    else
        for (int64_t i = first; i < first + n; i++)
            store(to, i, pairs[i].key ^ flip, pairs[i].at, k.bits, k.kind);
}

int cti_order_bits(enum ct_dtype dtype)
{
    return key_shape(dtype).bits;
}

bool cti_order_is_narrow(enum ct_dtype dtype, int64_t n)
{
    return key_shape(dtype).bits <= 32 && n <= UINT32_MAX;
}

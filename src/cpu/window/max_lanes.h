/* SPDX-License-Identifier: BSD-3-Clause */
/* The maxima of COUNT windows with stride 2 at a time, with their indices. The first of equal
 * elements wins. Included by max_typed.h after T, INDEX, IS_NAN, EVEN and ODD (shuffles that
 * deinterleave two adjacent vectors) and OF(x). */

typedef T OF(lanes) __attribute__((vector_size(COUNT * sizeof(T)), aligned(sizeof(T)), may_alias));
typedef INDEX OF(whole) __attribute__((vector_size(COUNT * sizeof(T))));
typedef int64_t OF(numbers) __attribute__((vector_size(COUNT * 8), aligned(8), may_alias));

static inline __attribute__((always_inline)) void OF(better)(OF(lanes) * best, OF(whole) * at,
                                                             OF(lanes) v, INDEX number)
{
    OF(whole) better = (v > *best) | IS_NAN(v);
    *at = (better & number) | (~better & *at);
    *best = (OF(lanes))((better & (OF(whole))v) | (~better & (OF(whole)) * best));
}

/* `first` is the index of the first element. Reads nothing beyond the last window. */
static inline __attribute__((always_inline)) void
OF(pick_lanes)(T *out, int64_t *index, const T *x, struct cti_pick p, int width, int64_t first)
{
    OF(lanes) low = *(const OF(lanes) *)x, high = *(const OF(lanes) *)(x + COUNT);
    OF(lanes) best = __builtin_shufflevector(low, high, EVEN);
    OF(whole) at = {0};
    for (int64_t row = 0; row < p.rows; row++, x += p.next) {
        INDEX number = (INDEX)(row * p.next);
        low = *(const OF(lanes) *)x, high = *(const OF(lanes) *)(x + COUNT);
        /* the first element is compared with itself */
        OF(better)(&best, &at, __builtin_shufflevector(low, high, EVEN), number);
        OF(better)(&best, &at, __builtin_shufflevector(low, high, ODD), number + 1);
        if (width < 3)
            continue;
        low = *(const OF(lanes) *)(x + 1), high = *(const OF(lanes) *)(x + 1 + COUNT);
        OF(better)(&best, &at, __builtin_shufflevector(low, high, ODD), number + 2);
    }
    *(OF(lanes) *)out = best;
    *(OF(numbers) *)index = __builtin_convertvector(at, OF(numbers)) + first + (OF(numbers)){EVEN};
}

/* Processes n >= COUNT windows; the last vector overlaps the one before. */
static void OF(pick)(T *out, int64_t *index, const T *x, int64_t n, struct cti_pick p,
                     int64_t first)
{
    for (int64_t i = 0; i < n; i += COUNT) {
        i = i > n - COUNT ? n - COUNT : i;
        if (p.width == 2)
            OF(pick_lanes)(out + i, index + i, x + 2 * i, p, 2, first + 2 * i);
        else
            OF(pick_lanes)(out + i, index + i, x + 2 * i, p, 3, first + 2 * i);
    }
}

#undef COUNT
#undef EVEN
#undef ODD
#undef OF

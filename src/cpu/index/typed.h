/* SPDX-License-Identifier: BSD-3-Clause */
/* Combining loops of one data type. combine.c includes this file once per type, with
 *   T     the type in memory        W      the type to compute in (unsigned for integers: wraps)
 *   MUL   product of two W          NAME   a function's name for this type
 *   IS_NAN  whether a T is NaN    ORDERED  1 if < is defined
 * There is no include guard, on purpose. */

static inline void NAME(add_line)(const struct cti_write w)
{
    if (w.index_step == 0) { /* adds a row to a row */
        char *row = w.dst + *(const int64_t *)(const void *)w.index * w.jump;
        if (w.dst_step == (int64_t)sizeof(T) && w.src_step == (int64_t)sizeof(T)) {
            T *d = (T *)(void *)row;
            const T *s = (const T *)(const void *)w.src;
            CT_IVDEP
            for (int64_t i = 0; i < w.n; i++)
                d[i] = (T)((W)d[i] + (W)s[i]);
            return;
        }
    }
    if (w.dst_step == (int64_t)sizeof(T) && w.src_step == (int64_t)sizeof(T) && w.index_step == 8) {
        const T *s = (const T *)(const void *)w.src;
        const int64_t *at = (const int64_t *)(const void *)w.index;
        for (int64_t i = 0; i < w.n; i++) { /* elements of a row have separate indices */
            T *d = (T *)(void *)(w.dst + at[i] * w.jump) + i;
            *d = (T)((W)*d + (W)s[i]);
        }
        return;
    }
    if (cti_write_is_dense(&w, sizeof(T))) {
        T *d = (T *)(void *)w.dst;
        const T *s = (const T *)(const void *)w.src;
        const int64_t *at = (const int64_t *)(const void *)w.index;
        int64_t i = 0;
        for (; i + 4 <= w.n; i += 4) { /* four independent additions in flight */
            T *a = d + at[i], *b = d + at[i + 1], *c = d + at[i + 2], *e = d + at[i + 3];
            *a = (T)((W)*a + (W)s[i]);
            *b = (T)((W)*b + (W)s[i + 1]);
            *c = (T)((W)*c + (W)s[i + 2]);
            *e = (T)((W)*e + (W)s[i + 3]);
        }
        for (; i < w.n; i++)
            d[at[i]] = (T)((W)d[at[i]] + (W)s[i]);
        return;
    }
    for (int64_t i = 0; i < w.n; i++) {
        T *d = (T *)cti_write_address(&w, i);
        *d = (T)((W)*d + (W) * (const T *)(const void *)(w.src + i * w.src_step));
    }
}

static void NAME(add)(struct cti_write w)
{
    for (int64_t row = 0; row <= w.more; row++, cti_write_next(&w))
        NAME(add_line)(w);
}

static void NAME(multiply)(struct cti_write w)
{
    for (int64_t row = 0; row <= w.more; row++, cti_write_next(&w))
        for (int64_t i = 0; i < w.n; i++) {
            T *d = (T *)cti_write_address(&w, i);
            *d = (T)MUL((W)*d, (W) * (const T *)(const void *)(w.src + i * w.src_step));
        }
}

#if ORDERED
/* A NaN in either operand wins: no comparison with a NaN in `old` is true, so it stays.
 * Branch-free, because the outcome is unpredictable. `least` is a constant after inlining. */
static inline __attribute__((always_inline)) void NAME(extreme)(struct cti_write w, bool least)
{
    for (int64_t row = 0; row <= w.more; row++, cti_write_next(&w))
        for (int64_t i = 0; i < w.n; i++) {
            T *d = (T *)cti_write_address(&w, i);
            T s = *(const T *)(const void *)(w.src + i * w.src_step), old = *d;
            *d = (IS_NAN(s) != 0) | (least ? s < old : old < s) ? s : old;
        }
}

static void NAME(min)(struct cti_write w)
{
    if (cti_write_is_dense(&w, sizeof(T)))
        NAME(extreme)(cti_write_dense(w, sizeof(T)), true);
    else
        NAME(extreme)(w, true);
}

static void NAME(max)(struct cti_write w)
{
    if (cti_write_is_dense(&w, sizeof(T)))
        NAME(extreme)(cti_write_dense(w, sizeof(T)), false);
    else
        NAME(extreme)(w, false);
}
#endif

static cti_write_fn *const NAME(table)[] = {
    [CTI_COMBINE_ADD] = NAME(add),
    [CTI_COMBINE_MULTIPLY] = NAME(multiply),
#if ORDERED
    [CTI_COMBINE_MIN] = NAME(min),
    [CTI_COMBINE_MAX] = NAME(max),
#else
    [CTI_COMBINE_MIN] = NULL,
    [CTI_COMBINE_MAX] = NULL,
#endif
};

#undef T
#undef W
#undef MUL
#undef IS_NAN
#undef ORDERED
#undef NAME

/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of one size under a mask, without branches, which would be unpredictable. mask.c
 * includes this file once per size, with T a type of that size and NAME a function's name for it.
 * There is no include guard, on purpose. */

/* Writes the `count` elements that the mask selects. */
static inline void NAME(pack)(const uint8_t *mask, const char *from, int64_t count, char *to)
{
    const T *in = (const T *)(const void *)from;
    T *out = (T *)(void *)to;
    for (int64_t i = 0, k = 0; k < count; i++) {
        out[k] = in[i];
        k += mask[i] != 0;
    }
}

/* Selected elements become src[next], src[next + 1] ...; the others are rewritten with their own
 * value. `last` is the last element of src. */
static inline void NAME(put)(const uint8_t *mask, char *to, int64_t n, const char *from,
                             int64_t next, int64_t last)
{
    const T *src = (const T *)(const void *)from;
    T *self = (T *)(void *)to;
    for (int64_t i = 0; i < n; i++) {
        const T either[2] = {self[i], src[next < last ? next : last]};
        self[i] = either[mask[i] != 0];
        next += mask[i] != 0;
    }
}

#undef T
#undef NAME

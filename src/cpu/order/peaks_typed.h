/* SPDX-License-Identifier: BSD-3-Clause */
/* The best element of each group, for one type. peaks.c includes this file once per type, with
 *   T the type in memory FLIP(x, down) x, in an order that `down` reverses LOOK(x), SHOW(y) convert
 *   a T in memory to a comparable T, and back NAME how a function is called for this type There is
 *   no include guard, on purpose. */

/* `width` is a constant after inlining, so each loop is a few vector instructions or
 * branch-free. */
static inline __attribute__((always_inline)) void NAME(halve)(T *lane, int64_t width)
{
    for (int64_t k = 0; k < width; k++)
        lane[k] = lane[k + width] < lane[k] ? lane[k + width] : lane[k];
}

/* For groups with NaN: the minimum ignores NaN unless all elements are NaN; the maximum is NaN. */
static T NAME(best_with_nan)(const T *x, int64_t n, bool greatest)
{
    T best = x[0];
    for (int64_t i = 1; i < n; i++)
        best = greatest ? (x[i] != x[i] ? x[i] : best)
                        : (((best != best) | (x[i] < best)) ? x[i] : best);
    return best;
}

static void NAME(peaks)(const void *in, int64_t group, int64_t count, bool greatest, void *best)
{
    const T *x = in;
    for (int64_t g = 0; g < count; g++, x += group) {
        T lane[CTI_PEAKS_LANES];
        for (int64_t k = 0; k < CTI_PEAKS_LANES; k++)
            lane[k] = FLIP(LOOK(x[k]), greatest);
        for (int64_t i = CTI_PEAKS_LANES; i < group; i += CTI_PEAKS_LANES)
            for (int64_t k = 0; k < CTI_PEAKS_LANES; k++) {
                T v = FLIP(LOOK(x[i + k]), greatest);
                lane[k] = ((v < lane[k]) | (v != v)) ? v : lane[k]; /* NaN stays */
            }
        int odd = 0;
        for (int64_t k = 0; k < CTI_PEAKS_LANES; k++)
            odd |= lane[k] != lane[k];
        NAME(halve)(lane, 16);
        NAME(halve)(lane, 8);
        NAME(halve)(lane, 4);
        NAME(halve)(lane, 2);
        NAME(halve)(lane, 1);
        ((T *)best)[g] =
            odd ? NAME(best_with_nan)(x, group, greatest) : SHOW((T)FLIP(lane[0], greatest));
    }
}

#undef T
#undef FLIP
#undef LOOK
#undef SHOW
#undef NAME

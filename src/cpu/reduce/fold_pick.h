/* SPDX-License-Identifier: BSD-3-Clause */
/* A fold that picks one element and keeps its index: argmax, argmin. Generated files include this
 * once for each operation and data type, after they have defined FOLD(name), the type T of elements
 * and the functions FOLD(better), FOLD(best_of) and FOLD(same). See Note [Folds] in fold.h. */
struct FOLD(acc) {
    T value;
    int64_t index; /* -1: nothing yet */
};

enum { FOLD(lanes) = CTI_FOLD_LANES_OF(T) };

static inline __attribute__((always_inline)) void FOLD(halve)(T *lane, int64_t width)
{
    for (int64_t k = 0; k < width && width < FOLD(lanes); k++)
        lane[k] = FOLD(best_of)(lane[k], lane[k + width]);
}

static inline __attribute__((always_inline)) T FOLD(combine_lanes)(T *lane)
{
    FOLD(halve)(lane, 32);
    FOLD(halve)(lane, 16);
    FOLD(halve)(lane, 8);
    FOLD(halve)(lane, 4);
    FOLD(halve)(lane, 2);
    FOLD(halve)(lane, 1);
    return lane[0];
}

static CTI_FOLD_APART T FOLD(line)(const T *q, int64_t count)
{
    T lane[FOLD(lanes)];
    int64_t i = 0;
    if (count >= FOLD(lanes)) {
        for (; i < FOLD(lanes); i++)
            lane[i] = q[i];
    } else {
        for (int64_t k = 0; k < FOLD(lanes); k++)
            lane[k] = q[0];
    }
    for (; i + FOLD(lanes) <= count; i += FOLD(lanes))
        for (int64_t k = 0; k < FOLD(lanes); k++)
            lane[k] = FOLD(best_of)(lane[k], q[i + k]);
    if (i < count && CTI_FOLD_MASKS(T)) {
        const CTI_FOLD_INDEX(T) rest = (CTI_FOLD_INDEX(T))(count - i);
        CT_ALONG
        for (CTI_FOLD_INDEX(T) k = 0; k < FOLD(lanes); k++)
            lane[k] = FOLD(best_of)(lane[k], k < rest ? q[i + k] : lane[k]);
    } else {
        for (int64_t k = 0; i < count; i++, k++)
            lane[k] = FOLD(best_of)(lane[k], q[i]);
    }
    return FOLD(combine_lanes)(lane);
}

static CTI_FOLD_APART void FOLD(slice)(T *restrict lane, const T *q)
{
    for (int64_t i = 0; i < CTI_FOLD_SLICE(T); i += FOLD(lanes)) {
        CTI_FOLD_IN_ORDER;
        for (int64_t k = 0; k < FOLD(lanes); k++)
            lane[k] = FOLD(best_of)(lane[k], q[i + k]);
    }
}

/* Folds several pieces together, see Note [Streams]. */
static void FOLD(streams)(const struct cti_fold_lines *w, T *best)
{
    _Alignas(64) T lane[CTI_FOLD_STREAMS][FOLD(lanes)];
    for (int64_t s = 0; s < CTI_FOLD_STREAMS; s++)
        for (int64_t k = 0; k < FOLD(lanes); k++)
            lane[s][k] = *(const T *)(w->p + s * w->bstride);
    for (int64_t at = 0; at < w->n; at += CTI_FOLD_SLICE(T))
        for (int64_t s = 0; s < CTI_FOLD_STREAMS; s++)
            FOLD(slice)(lane[s], (const T *)(w->p + s * w->bstride) + at);
    for (int64_t s = 0; s < CTI_FOLD_STREAMS; s++)
        best[s] = FOLD(combine_lanes)(lane[s]);
}

/* The index of the first element equal to `best`: finds its group of lanes, then the lane. */
static int64_t FOLD(find)(const T *q, int64_t count, T best)
{
    int64_t i = 0;
    for (; i + FOLD(lanes) <= count; i += FOLD(lanes)) {
        int found = 0;
        for (int64_t k = 0; k < FOLD(lanes); k++)
            found |= FOLD(same)(q[i + k], best);
        if (found)
            break;
    }
    while (i < count && !(FOLD(same)(q[i], best)))
        i++;
    return i;
}

/* Searches for the index only if the block's best element is better than all earlier ones. */
static void FOLD(block)(const struct cti_fold_lines *w, void *accs)
{
    struct FOLD(acc) *acc = accs;
    T best[CTI_FOLD_STREAMS];
    if (w->streams)
        FOLD(streams)(w, best);
    for (int64_t i = 0; i < w->lines; i++) {
        const T *q = (const T *)(w->p + i * w->bstride);
        const T found = w->streams ? best[i] : FOLD(line)(q, w->n);
        if (acc[i].index < 0 || FOLD(better)(found, acc[i].value))
            acc[i] = (struct FOLD(acc)){found, w->at + i * w->apart + FOLD(find)(q, w->n, found)};
    }
}

static void FOLD(merge)(void *acc, const void *parts, int64_t n)
{
    struct FOLD(acc) *a = acc;
    const struct FOLD(acc) *b = parts;
    for (int64_t i = 0; i < n; i++)
        if (b[i].index >= 0 && (a[i].index < 0 || FOLD(better)(b[i].value, a[i].value)))
            a[i] = b[i];
}

static void FOLD(columns)(const char *p, int64_t bstride, int64_t rows, int64_t n, int64_t at,
                          double param, void *accs)
{
    T best[CTI_FOLD_COLUMNS];
    int32_t row[CTI_FOLD_COLUMNS];
    struct FOLD(acc) part[CTI_FOLD_COLUMNS];
    (void)param;
    for (int64_t i = 0; i < n; i++) {
        best[i] = ((const T *)p)[i];
        row[i] = 0;
    }
    for (int64_t r = 1; r < rows; r++) {
        const T *q = (const T *)(p + r * bstride);
        CT_ALONG
        for (int64_t i = 0; i < n; i++) {
            bool take = FOLD(better)(q[i], best[i]);
            best[i] = take ? q[i] : best[i];
            row[i] = take ? (int32_t)r : row[i];
        }
    }
    for (int64_t i = 0; i < n; i++)
        part[i] = (struct FOLD(acc)){best[i], at + row[i]};
    FOLD(merge)(accs, part, n);
}

static void FOLD(begin)(void *acc, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        ((struct FOLD(acc) *)acc)[i] = (struct FOLD(acc)){0, -1};
}

static void FOLD(finish)(void *out, const void *acc, int64_t n, double count, double param)
{
    (void)count;
    (void)param;
    for (int64_t i = 0; i < n; i++)
        ((T *)out)[i] = ((const struct FOLD(acc) *)acc)[i].value;
}

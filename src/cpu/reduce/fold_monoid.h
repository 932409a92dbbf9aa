/* SPDX-License-Identifier: BSD-3-Clause */
/* A fold whose parts are combined: sums, products, extremes, truth. Generated files include this
 * once for each operation and data type, after they have defined FOLD(name); the types T (element),
 * R (part), A (accumulator), AR (its real type), P (param) and O (result); the functions
 * FOLD(element), combine, combine_wide, widen, start, start_wide and result. See Note [Folds] in
 * fold.h. */
enum { FOLD(lanes) = CTI_FOLD_LANES_OF(R) };

/* `width` is a constant after inlining, so each loop is a few vector instructions. */
static inline __attribute__((always_inline)) void FOLD(halve)(R *lane, int64_t width)
{
    for (int64_t k = 0; k < width && width < FOLD(lanes); k++)
        lane[k] = FOLD(combine)(lane[k], lane[k + width]);
}

static inline __attribute__((always_inline)) R FOLD(combine_lanes)(R *lane)
{
    FOLD(halve)(lane, 32);
    FOLD(halve)(lane, 16);
    FOLD(halve)(lane, 8);
    FOLD(halve)(lane, 4);
    FOLD(halve)(lane, 2);
    FOLD(halve)(lane, 1);
    return lane[0];
}

static CTI_FOLD_APART R FOLD(line)(const T *q, int64_t count, const P param)
{
    R lane[FOLD(lanes)];
    int64_t i = 0;
    if (count >= FOLD(lanes)) {
        for (; i < FOLD(lanes); i++)
            lane[i] = FOLD(combine)(FOLD(start)(), FOLD(element)(q[i], param));
    } else {
        for (int64_t k = 0; k < FOLD(lanes); k++)
            lane[k] = FOLD(start)();
    }
    for (; i + FOLD(lanes) <= count; i += FOLD(lanes))
        for (int64_t k = 0; k < FOLD(lanes); k++)
            lane[k] = FOLD(combine)(lane[k], FOLD(element)(q[i + k], param));
    if (i < count && CTI_FOLD_MASKS(T)) { /* missing elements count as the neutral element */
        const CTI_FOLD_INDEX(T) rest = (CTI_FOLD_INDEX(T))(count - i);
        CT_ALONG
        for (CTI_FOLD_INDEX(T) k = 0; k < FOLD(lanes); k++)
            lane[k] =
                FOLD(combine)(lane[k], k < rest ? FOLD(element)(q[i + k], param) : FOLD(start)());
    } else {
        for (int64_t k = 0; i < count; i++, k++)
            lane[k] = FOLD(combine)(lane[k], FOLD(element)(q[i], param));
    }
    return FOLD(combine_lanes)(lane);
}

static CTI_FOLD_APART void FOLD(slice)(R *restrict lane, const T *q, const P param)
{
    for (int64_t i = 0; i < CTI_FOLD_SLICE(T); i += FOLD(lanes)) {
        CTI_FOLD_IN_ORDER;
        for (int64_t k = 0; k < FOLD(lanes); k++)
            lane[k] = FOLD(combine)(lane[k], FOLD(element)(q[i + k], param));
    }
}

/* Folds several pieces together, see Note [Streams]. */
static void FOLD(streams)(const struct cti_fold_lines *w, R *part)
{
    _Alignas(64) R lane[CTI_FOLD_STREAMS][FOLD(lanes)];
    for (int64_t s = 0; s < CTI_FOLD_STREAMS; s++)
        for (int64_t k = 0; k < FOLD(lanes); k++)
            lane[s][k] = FOLD(start)();
    for (int64_t at = 0; at < w->n; at += CTI_FOLD_SLICE(T))
        for (int64_t s = 0; s < CTI_FOLD_STREAMS; s++)
            FOLD(slice)(lane[s], (const T *)(w->p + s * w->bstride) + at, (P)w->param);
    for (int64_t s = 0; s < CTI_FOLD_STREAMS; s++)
        part[s] = FOLD(combine_lanes)(lane[s]);
}

static void FOLD(merge)(void *acc, const R *part, int64_t n)
{
    A *a = acc;
    for (int64_t i = 0; i < n; i++)
        a[i] = FOLD(combine_wide)(a[i], FOLD(widen)(part[i]));
}

static void FOLD(block)(const struct cti_fold_lines *w, void *accs)
{
    R part[CTI_FOLD_COLUMNS];
    if (w->streams)
        FOLD(streams)(w, part);
    else
        for (int64_t i = 0; i < w->lines; i++)
            part[i] = FOLD(line)((const T *)(w->p + i * w->bstride), w->n, (P)w->param);
    FOLD(merge)(accs, part, w->lines);
}

static void FOLD(columns)(const char *p, int64_t bstride, int64_t rows, int64_t n, int64_t at,
                          double number, void *accs)
{
    const P param = (P)number;
    R part[CTI_FOLD_COLUMNS];
    int64_t r = 0;
    (void)at;
    for (int64_t i = 0; i < n; i++)
        part[i] = FOLD(start)();
    for (; r + 4 <= rows; r += 4) {
        const T *a = (const T *)(p + r * bstride), *b = (const T *)(p + (r + 1) * bstride);
        const T *c = (const T *)(p + (r + 2) * bstride), *d = (const T *)(p + (r + 3) * bstride);
        CT_ALONG
        for (int64_t i = 0; i < n; i++)
            part[i] = FOLD(combine)(
                part[i],
                FOLD(combine)(
                    FOLD(combine)(FOLD(element)(a[i], param), FOLD(element)(b[i], param)),
                    FOLD(combine)(FOLD(element)(c[i], param), FOLD(element)(d[i], param))));
    }
    for (; r < rows; r++) {
        const T *a = (const T *)(p + r * bstride);
        CT_ALONG
        for (int64_t i = 0; i < n; i++)
            part[i] = FOLD(combine)(part[i], FOLD(element)(a[i], param));
    }
    FOLD(merge)(accs, part, n);
}

static void FOLD(begin)(void *acc, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        ((A *)acc)[i] = FOLD(start_wide)();
}

static void FOLD(join)(void *acc, const void *others, int64_t n)
{
    A *a = acc;
    for (int64_t i = 0; i < n; i++)
        a[i] = FOLD(combine_wide)(a[i], ((const A *)others)[i]);
}

static void FOLD(finish)(void *out, const void *accs, int64_t n, double count_of, double number)
{
    const AR count = (AR)count_of, param = (AR)number;
    (void)count;
    (void)param;
    for (int64_t i = 0; i < n; i++) {
        const A acc = ((const A *)accs)[i];
        ((O *)out)[i] = FOLD(result)(acc, count, param);
    }
}

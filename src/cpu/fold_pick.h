/* SPDX-License-Identifier: BSD-3-Clause */
/* A fold that picks one element and keeps its index: argmax, argmin. Generated files include this
 * once for each row and data type, after they have defined FOLD(name), the type T of elements and
 * the functions FOLD(better), FOLD(best_of) and FOLD(same). See Note [Folds] in fold.h. */
struct FOLD(acc) {
    T value;
    int64_t index; /* -1: nothing yet */
};

static void FOLD(block)(const void *p, int64_t count, int64_t at, double param, void *part)
{
    const T *q = p;
    T lane[CTI_FOLD_LANES], best = q[0];
    int64_t i = 0;
    (void)param;
    if (count >= CTI_FOLD_LANES) {
        for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
            lane[k] = q[k];
        for (i = CTI_FOLD_LANES; i + CTI_FOLD_LANES <= count; i += CTI_FOLD_LANES)
            for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
                lane[k] = FOLD(best_of)(lane[k], q[i + k]);
        for (int64_t width = CTI_FOLD_LANES / 2; width > 0; width /= 2)
            for (int64_t k = 0; k < width; k++)
                lane[k] = FOLD(best_of)(lane[k], lane[k + width]);
        best = lane[0];
    }
    for (; i < count; i++)
        best = FOLD(better)(q[i], best) ? q[i] : best;
    /* where it stands: first the lanes' width that has it, then the place */
    for (i = 0; i + CTI_FOLD_LANES <= count; i += CTI_FOLD_LANES) {
        int found = 0;
        for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
            found |= FOLD(same)(q[i + k], best);
        if (found)
            break;
    }
    for (; i < count && !(FOLD(same)(q[i], best)); i++)
        ;
    *(struct FOLD(acc) *)part = (struct FOLD(acc)){best, at + i};
}

static void FOLD(columns)(const char *p, int64_t bstride, int64_t rows, int64_t n, int64_t at,
                          double param, void *parts)
{
    T best[CTI_FOLD_COLUMNS];
    int32_t row[CTI_FOLD_COLUMNS];
    struct FOLD(acc) *part = parts;
    (void)param;
    for (int64_t i = 0; i < n; i++) {
        best[i] = ((const T *)p)[i];
        row[i] = 0;
    }
    for (int64_t r = 1; r < rows; r++) {
        const T *q = (const T *)(p + r * bstride);
        CT_IVDEP
        for (int64_t i = 0; i < n; i++) {
            bool take = FOLD(better)(q[i], best[i]);
            best[i] = take ? q[i] : best[i];
            row[i] = take ? (int32_t)r : row[i];
        }
    }
    for (int64_t i = 0; i < n; i++)
        part[i] = (struct FOLD(acc)){best[i], at + row[i]};
}

static void FOLD(begin)(void *acc, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        ((struct FOLD(acc) *)acc)[i] = (struct FOLD(acc)){0, -1};
}

static void FOLD(merge)(void *acc, const void *parts, int64_t n)
{
    struct FOLD(acc) *a = acc;
    const struct FOLD(acc) *b = parts;
    for (int64_t i = 0; i < n; i++)
        if (b[i].index >= 0 && (a[i].index < 0 || FOLD(better)(b[i].value, a[i].value)))
            a[i] = b[i];
}

static void FOLD(finish)(void *out, const void *acc, int64_t n, double count, double param)
{
    (void)count;
    (void)param;
    for (int64_t i = 0; i < n; i++)
        ((T *)out)[i] = ((const struct FOLD(acc) *)acc)[i].value;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean and sum of squared deviations, for var and std. Generated files include this once for each
 * operation and data type, after they have defined FOLD(name), the type T of elements and the
 * function FOLD(result). See Note [Folds] in fold.h. */
struct FOLD(acc) {
    double count, mean, squares; /* squares: sum of squared deviations */
};

/* Whether T could represent every square of this sum. */
static inline bool FOLD(good)(double squares)
{
    return squares < (double)INFINITY && (sizeof(T) == sizeof(double) || squares > 1e-25);
}

/* The same in double, used if squares overflow T: the squares of 1e20 and -1e20 do not fit float32,
 * although the deviation does. */
static struct FOLD(acc) FOLD(careful)(const char *p, int64_t bstride, int64_t count)
{
    const double n = (double)count, first = (double)*(const T *)p;
    double mean = first, squares = 0, off = 0;
    for (int64_t i = 0; i < count; i++)
        mean += (double)*(const T *)(p + i * bstride) / n - first / n;
    for (int64_t i = 0; i < count; i++) {
        double step = (double)*(const T *)(p + i * bstride) - mean;
        squares += step * step;
        off += step;
    }
    squares -= off * off < (double)INFINITY ? off * off / n : 0;
    return (struct FOLD(acc)){n, mean, squares < 0 ? 0 : squares};
}

/* Combines counts, means and squared deviations of two sets (Chan, Golub and LeVeque, Updating
 * formulae and a pairwise algorithm for computing sample variances, 1979). */
static void FOLD(merge)(void *acc, const void *parts, int64_t n)
{
    struct FOLD(acc) *a = acc;
    const struct FOLD(acc) *b = parts;
    for (int64_t i = 0; i < n; i++) {
        double count = a[i].count + b[i].count, step = b[i].mean - a[i].mean;
        double share = count > 0 ? b[i].count / count : 0;
        a[i].mean += step * share;
        a[i].squares += b[i].squares + step * step * a[i].count * share;
        a[i].count = count;
    }
}

/* The sum over lanes in double, as a tree. */
static CTI_FOLD_APART double FOLD(sum_lanes)(const T *lane)
{
    double wide[CTI_FOLD_LANES];
    for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
        wide[k] = (double)lane[k];
    for (int64_t width = CTI_FOLD_LANES / 2; width > 0; width /= 2)
        for (int64_t k = 0; k < width; k++)
            wide[k] += wide[k + width];
    return wide[0];
}

/* The sum of the differences from the first element. */
static CTI_FOLD_APART double FOLD(sum)(const T *q, int64_t count)
{
    const T first = q[0];
    T lane[CTI_FOLD_LANES] = {0};
    int64_t i = 0;
    for (; i + CTI_FOLD_LANES <= count; i += CTI_FOLD_LANES)
        for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
            lane[k] += q[i + k] - first;
    for (int64_t k = 0; i < count; i++, k++)
        lane[k] += q[i] - first;
    return FOLD(sum_lanes)(lane);
}

/* A second pass over a block in cache, since a single pass would suffer from cancellation. `sum` is
 * the sum of differences from the first element, so that equal elements have a variance of exactly
 * 0. */
static CTI_FOLD_APART struct FOLD(acc) FOLD(line)(const T *q, int64_t count, double sum)
{
    const double exact = (double)q[0] + sum / (double)count;
    const T mean = (T)exact;
    T lane[CTI_FOLD_LANES] = {0};
    int64_t i = 0;
    for (; i + CTI_FOLD_LANES <= count; i += CTI_FOLD_LANES)
        for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
            lane[k] += (q[i + k] - mean) * (q[i + k] - mean);
    for (int64_t k = 0; i < count; i++, k++)
        lane[k] += (q[i] - mean) * (q[i] - mean);
    /* Corrects for the rounding of `mean`. */
    const double off = exact - (double)mean,
                 squares = FOLD(sum_lanes)(lane) - (double)count * off * off;
    if (!FOLD(good)(squares))
        return FOLD(careful)((const char *)q, (int64_t)sizeof(T), count);
    return (struct FOLD(acc)){(double)count, exact, squares < 0 ? 0 : squares};
}

static CTI_FOLD_APART void FOLD(slice)(T *restrict lane, const T *q, const T first)
{
    for (int64_t i = 0; i < CTI_FOLD_SLICE(T); i += CTI_FOLD_LANES) {
        CTI_FOLD_IN_ORDER;
        for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
            lane[k] += q[i + k] - first;
    }
}

/* The mean needs a separate pass before the deviations, see Note [Streams]. */
static void FOLD(block)(const struct cti_fold_lines *w, void *accs)
{
    struct FOLD(acc) part[CTI_FOLD_COLUMNS];
    _Alignas(64) T lane[CTI_FOLD_STREAMS][CTI_FOLD_LANES] = {{0}};
    for (int64_t at = 0; w->streams && at < w->n; at += CTI_FOLD_SLICE(T))
        for (int64_t s = 0; s < CTI_FOLD_STREAMS; s++) {
            const T *q = (const T *)(w->p + s * w->bstride);
            FOLD(slice)(lane[s], q + at, q[0]);
        }
    for (int64_t i = 0; i < w->lines; i++) {
        const T *q = (const T *)(w->p + i * w->bstride);
        part[i] = FOLD(line)(q, w->n, w->streams ? FOLD(sum_lanes)(lane[i]) : FOLD(sum)(q, w->n));
    }
    FOLD(merge)(accs, part, w->lines);
}

static void FOLD(columns)(const char *p, int64_t bstride, int64_t rows, int64_t n, int64_t at,
                          double param, void *accs)
{
    T mean[CTI_FOLD_COLUMNS], squares[CTI_FOLD_COLUMNS];
    struct FOLD(acc) part[CTI_FOLD_COLUMNS];
    (void)at;
    (void)param;
    for (int64_t i = 0; i < n; i++)
        mean[i] = squares[i] = 0;
    const T *first = (const T *)p;
    for (int64_t r = 1; r < rows; r++) {
        const T *q = (const T *)(p + r * bstride);
        for (int64_t i = 0; i < n; i++)
            mean[i] += q[i] - first[i];
    }
    for (int64_t i = 0; i < n; i++)
        mean[i] = first[i] + mean[i] / (T)rows;
    for (int64_t r = 0; r < rows; r++) {
        const T *q = (const T *)(p + r * bstride);
        for (int64_t i = 0; i < n; i++)
            squares[i] += (q[i] - mean[i]) * (q[i] - mean[i]);
    }
    for (int64_t i = 0; i < n; i++) {
        part[i] = (struct FOLD(acc)){(double)rows, (double)mean[i], (double)squares[i]};
        if (rows && !FOLD(good)(part[i].squares))
            part[i] = FOLD(careful)(p + i * (int64_t)sizeof(T), bstride, rows);
    }
    FOLD(merge)(accs, part, n);
}

static void FOLD(begin)(void *acc, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        ((struct FOLD(acc) *)acc)[i] = (struct FOLD(acc)){0, 0, 0};
}

static void FOLD(finish)(void *out, const void *accs, int64_t n, double count, double param)
{
    (void)count;
    for (int64_t i = 0; i < n; i++) {
        const struct FOLD(acc) *a = (const struct FOLD(acc) *)accs + i;
        double free = a->count - param;
        double acc = a->squares / (free > 0 ? free : 0);
        ((T *)out)[i] = (T)FOLD(result)(acc);
    }
}

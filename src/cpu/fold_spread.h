/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean and sum of squared distances: variance and standard deviation. Generated files include this
 * once for each row and data type, after they have defined FOLD(name), the type T of elements and
 * the function FOLD(result). See Note [Folds] in fold.h. */
struct FOLD(acc) {
    double count, mean, squares; /* of distances from the mean */
};

/* Whether T was wide enough for squares that add up to this. */
static inline bool FOLD(good)(double squares)
{
    return squares < (double)INFINITY && (sizeof(T) == sizeof(double) || squares > 1e-25);
}

/* In double, where it is not: of 1e20 and -1e20 the squares are no float32, but the deviation is.
 */
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

/* Two passes over a block that is in the cache: exact where one pass would cancel. The mean is
 * sought from the first element on, so that equal elements have a variance of zero. */
static void FOLD(block)(const void *p, int64_t count, int64_t at, double param, void *part)
{
    const T *q = p, first = count ? q[0] : 0;
    T lane[CTI_FOLD_LANES] = {0};
    int64_t i = 0;
    (void)at;
    (void)param;
    for (; i + CTI_FOLD_LANES <= count; i += CTI_FOLD_LANES)
        for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
            lane[k] += q[i + k] - first;
    for (int64_t k = 0; i < count; i++, k++)
        lane[k] += q[i] - first;
    double sum = 0, squares = 0;
    for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
        sum += (double)lane[k];
    const double exact = (double)first + sum / (double)count;
    const T mean = (T)exact;
    for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
        lane[k] = 0;
    for (i = 0; i + CTI_FOLD_LANES <= count; i += CTI_FOLD_LANES)
        for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
            lane[k] += (q[i + k] - mean) * (q[i + k] - mean);
    for (int64_t k = 0; i < count; i++, k++)
        lane[k] += (q[i] - mean) * (q[i] - mean);
    for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
        squares += (double)lane[k];
    /* `mean` was rounded: what its error adds to the squares is taken back. */
    double off = exact - (double)mean;
    squares -= (double)count * off * off;
    struct FOLD(acc) found = {(double)count, exact, squares < 0 ? 0 : squares};
    if (count && !FOLD(good)(squares))
        found = FOLD(careful)(p, (int64_t)sizeof(T), count);
    *(struct FOLD(acc) *)part = found;
}

static void FOLD(columns)(const char *p, int64_t bstride, int64_t rows, int64_t n, int64_t at,
                          double param, void *parts)
{
    T mean[CTI_FOLD_COLUMNS], squares[CTI_FOLD_COLUMNS];
    struct FOLD(acc) *part = parts;
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
}

static void FOLD(begin)(void *acc, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        ((struct FOLD(acc) *)acc)[i] = (struct FOLD(acc)){0, 0, 0};
}

/* Chan, Golub and LeVeque: the squares of two sets from those of each. */
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

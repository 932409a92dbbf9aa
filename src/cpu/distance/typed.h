/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances of rows in one data type. loops.c includes this file once per type, with LANES the
 * number of partial sums, T the type, POW its power and NAME a function's name for this type. There
 * is no include guard, on purpose. */

static inline T NAME(square)(T a, T b)
{
    return (a - b) * (a - b);
}

static inline T NAME(apart)(T a, T b)
{
    return a < b ? b - a : a - b;
}

static T NAME(sum_lanes)(T *lane)
{
    for (int64_t width = LANES / 2; width > 0; width /= 2)
        for (int64_t k = 0; k < width; k++)
            lane[k] += lane[k + width];
    return lane[0];
}

static T NAME(euclid)(const T *a, const T *b, int64_t n)
{
    T lane[LANES], few = 0;
    int64_t i = LANES;
    if (n < LANES) {
        for (int64_t k = 0; k < n; k++)
            few += NAME(square)(a[k], b[k]);
        return (T)__builtin_sqrt((double)few);
    }
    for (int64_t k = 0; k < LANES; k++)
        lane[k] = NAME(square)(a[k], b[k]);
    for (; i + LANES <= n; i += LANES)
        for (int64_t k = 0; k < LANES; k++)
            lane[k] += NAME(square)(a[i + k], b[i + k]);
    for (int64_t k = 0; k < n - i; k++)
        lane[k] += NAME(square)(a[i + k], b[i + k]);
    return (T)__builtin_sqrt((double)NAME(sum_lanes)(lane));
}

static T NAME(city)(const T *a, const T *b, int64_t n)
{
    T lane[LANES], few = 0;
    int64_t i = LANES;
    if (n < LANES) {
        for (int64_t k = 0; k < n; k++)
            few += NAME(apart)(a[k], b[k]);
        return few;
    }
    for (int64_t k = 0; k < LANES; k++)
        lane[k] = NAME(apart)(a[k], b[k]);
    for (; i + LANES <= n; i += LANES)
        for (int64_t k = 0; k < LANES; k++)
            lane[k] += NAME(apart)(a[i + k], b[i + k]);
    for (int64_t k = 0; k < n - i; k++)
        lane[k] += NAME(apart)(a[i + k], b[i + k]);
    return NAME(sum_lanes)(lane);
}

/* Returns the sum of |a - b|^p. Works a block at a time, so that the powers are vectorised. */
static T NAME(powers)(const T *a, const T *b, int64_t n, double p)
{
    T power[LANES];
    double sum = 0;
    for (int64_t i = 0; i < n; i += LANES) {
        int64_t m = n - i < LANES ? n - i : LANES;
        for (int64_t k = 0; k < m; k++)
            power[k] = POW(NAME(apart)(a[i + k], b[i + k]), (T)p);
        for (int64_t k = 0; k < m; k++)
            sum += (double)power[k];
    }
    return (T)ctm_pow_f64(sum, 1 / p);
}

/* 1 if elements differ; NaN stays NaN. */
static inline T NAME(differ)(T x)
{
    return x == x ? (T)(x != 0) : x;
}

static T NAME(count)(const T *a, const T *b, int64_t n)
{
    T sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += NAME(differ)(NAME(apart)(a[i], b[i]));
    return sum;
}

/* The maximum difference, which ignores NaN as in PyTorch. */
static T NAME(most)(const T *a, const T *b, int64_t n)
{
    T lane[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int64_t k = 0; k < LANES; k++) {
            T x = NAME(apart)(a[i + k], b[i + k]);
            lane[k] = x > lane[k] ? x : lane[k];
        }
    for (int64_t k = 0; k < n - i; k++) {
        T x = NAME(apart)(a[i + k], b[i + k]);
        lane[k] = x > lane[k] ? x : lane[k];
    }
    T most = 0;
    for (int64_t k = 0; k < LANES; k++)
        most = lane[k] > most ? lane[k] : most;
    return most;
}

static T NAME(distance)(const T *a, const T *b, int64_t n, double p)
{
    if (p == 2)
        return NAME(euclid)(a, b, n);
    if (p == 1)
        return NAME(city)(a, b, n);
    if (p == 0)
        return NAME(count)(a, b, n);
    if (p == CTM_INF_F64)
        return NAME(most)(a, b, n);
    return NAME(powers)(a, b, n, p);
}

/* The distances of a row of n elements from SIDE rows, which are transposed to columns: for short
 * rows a loop along the row would be all prologue and epilogue. The sums have the order of the
 * functions above. */
static void NAME(from_columns)(const T *a, const T *columns, int64_t n, double p, T *out)
{
    T sum[SIDE] = {0};
    double wide[SIDE] = {0};
    for (int64_t i = 0; i < n; i++, columns += SIDE) {
        if (p == 2)
            for (int64_t j = 0; j < SIDE; j++)
                sum[j] += NAME(square)(a[i], columns[j]);
        else if (p == 1)
            for (int64_t j = 0; j < SIDE; j++)
                sum[j] += NAME(apart)(a[i], columns[j]);
        else if (p == 0)
            for (int64_t j = 0; j < SIDE; j++)
                sum[j] += NAME(differ)(NAME(apart)(a[i], columns[j]));
        else if (p == CTM_INF_F64)
            for (int64_t j = 0; j < SIDE; j++) {
                T x = NAME(apart)(a[i], columns[j]);
                sum[j] = x > sum[j] ? x : sum[j];
            }
        else
            for (int64_t j = 0; j < SIDE; j++)
                wide[j] += (double)POW(NAME(apart)(a[i], columns[j]), (T)p);
    }
    if (p == 2)
        for (int64_t j = 0; j < SIDE; j++)
            out[j] = (T)__builtin_sqrt((double)sum[j]);
    else if (p == 0 || p == 1 || p == CTM_INF_F64)
        for (int64_t j = 0; j < SIDE; j++)
            out[j] = sum[j];
    else
        for (int64_t j = 0; j < SIDE; j++)
            out[j] = (T)ctm_pow_f64(wide[j], 1 / p);
}

/* Rows [begin, end) of a, of one batch, to all rows of b, which are short. */
static void NAME(short_rows)(const struct cti_distance_run *w, int64_t begin, int64_t end)
{
    const T *b = (const T *)(const void *)w->b + begin / w->rows_a * w->rows_b * w->n;
    T columns[LANES * SIDE] = {0}, found[SIDE];
    for (int64_t j = 0; j < w->rows_b; j += SIDE) {
        int64_t side = w->rows_b - j < SIDE ? w->rows_b - j : SIDE;
        for (int64_t k = 0; k < side; k++)
            for (int64_t i = 0; i < w->n; i++)
                columns[i * SIDE + k] = b[(j + k) * w->n + i];
        for (int64_t r = begin; r < end; r++) {
            T *out = (T *)(void *)w->out + r * w->rows_b + j;
            const T *a = (const T *)(const void *)w->a + r * w->n;
            NAME(from_columns)(a, columns, w->n, w->p, side == SIDE ? out : found);
            if (side < SIDE)
                memcpy(out, found, (size_t)side * sizeof(T));
        }
    }
}

static void NAME(rows)(void *context, int64_t begin, int64_t end)
{
    const struct cti_distance_run *w = context;
    for (int64_t r = begin, stop; r < end; r = stop) {
        stop = r - r % w->rows_a + w->rows_a; /* start of the next batch */
        stop = stop < end ? stop : end;
        if (w->n < LANES && w->rows_b >= SIDE / 4) {
            NAME(short_rows)(w, r, stop);
            continue;
        }
        for (; r < stop; r++) {
            const T *a = (const T *)(const void *)w->a + r * w->n;
            const T *b = (const T *)(const void *)w->b + r / w->rows_a * w->rows_b * w->n;
            T *out = (T *)(void *)w->out + r * w->rows_b;
            for (int64_t j = 0; j < w->rows_b; j++, b += w->n)
                out[j] = NAME(distance)(a, b, w->n, w->p);
        }
    }
}

#undef T
#undef POW
#undef NAME

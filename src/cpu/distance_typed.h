/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances of rows in one data type. distance.c includes this file once per type, with T the type
 * and NAME how a function is called for this type. There is no include guard on purpose. */

#define LANES 8 /* sums that run side by side */

static T NAME(sum_lanes)(const T *lane)
{
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

static T NAME(euclid)(const T *a, const T *b, int64_t n)
{
    T lane[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int64_t k = 0; k < LANES; k++)
            lane[k] += (a[i + k] - b[i + k]) * (a[i + k] - b[i + k]);
    for (int64_t k = 0; i < n; i++, k++)
        lane[k] += (a[i] - b[i]) * (a[i] - b[i]);
    return (T)__builtin_sqrt((double)NAME(sum_lanes)(lane));
}

static T NAME(city)(const T *a, const T *b, int64_t n)
{
    T lane[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int64_t k = 0; k < LANES; k++)
            lane[k] += a[i + k] < b[i + k] ? b[i + k] - a[i + k] : a[i + k] - b[i + k];
    for (int64_t k = 0; i < n; i++, k++)
        lane[k] += a[i] < b[i] ? b[i] - a[i] : a[i] - b[i];
    return NAME(sum_lanes)(lane);
}

/* Of any order: how many differ, the greatest difference, or sums of powers. As in
 * PyTorch a NaN is no greatest difference. */
static T NAME(other)(const T *a, const T *b, int64_t n, double p)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        double x = a[i] < b[i] ? (double)(b[i] - a[i]) : (double)(a[i] - b[i]);
        if (p == 0)
            sum += x != 0;
        else if (p == CTM_INF_F64)
            sum = x > sum ? x : sum;
        else
            sum += ctm_pow_f64(x, p);
    }
    return (T)(p == 0 || p == CTM_INF_F64 ? sum : ctm_pow_f64(sum, 1 / p));
}

/* Rows [begin, end) of a, counted through all batches, against all rows of b's batch. */
static void NAME(rows)(void *context, int64_t begin, int64_t end)
{
    const struct work *w = context;
    for (int64_t r = begin; r < end; r++) {
        const T *a = (const T *)(const void *)w->a + r * w->n;
        const T *b = (const T *)(const void *)w->b + r / w->rows_a * w->rows_b * w->n;
        T *out = (T *)(void *)w->out + r * w->rows_b;
        for (int64_t j = 0; j < w->rows_b; j++, b += w->n)
            out[j] = w->p == 2   ? NAME(euclid)(a, b, w->n)
                     : w->p == 1 ? NAME(city)(a, b, w->n)
                                 : NAME(other)(a, b, w->n, w->p);
    }
}

#undef LANES
#undef T
#undef NAME

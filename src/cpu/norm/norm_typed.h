/* SPDX-License-Identifier: BSD-3-Clause */
/* Normalisation for one type, included by loops.c after T and NAME(x).
 *
 * Mean and squared deviations are formed block by block while a block is in L1, in T over many
 * lanes, and combined in double. The second pass reads from the caches. */

static inline T NAME(lanes_sum)(const T *lane)
{
    T half[LANES / 2];
    for (int k = 0; k < LANES / 2; k++)
        half[k] = lane[k] + lane[k + LANES / 2];
    for (int width = LANES / 4; width > 0; width /= 2)
        for (int k = 0; k < width; k++)
            half[k] += half[k + width];
    return half[0];
}

static T NAME(block_sum)(const T *x, int64_t n)
{
    T lane[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int64_t k = 0; k < LANES; k++)
            lane[k] += x[i + k];
    for (int64_t k = 0; k < n - i; k++)
        lane[k] += x[i + k];
    return NAME(lanes_sum)(lane);
}

static T NAME(block_squares)(const T *x, T mean, int64_t n)
{
    T lane[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int64_t k = 0; k < LANES; k++)
            lane[k] += (x[i + k] - mean) * (x[i + k] - mean);
    for (int64_t k = 0; k < n - i; k++)
        lane[k] += (x[i + k] - mean) * (x[i + k] - mean);
    return NAME(lanes_sum)(lane);
}

static void NAME(add_moments)(struct moments *m, const T *x, int64_t n)
{
    for (int64_t i = 0; i < n; i += BLOCK) {
        int64_t part = n - i < BLOCK ? n - i : BLOCK;
        double sum = (double)NAME(block_sum)(x + i, part);
        T mean = (T)(sum / (double)part);
        double squares = (double)NAME(block_squares)(x + i, mean, part);
        /* Corrects for the rounding of the mean. */
        double off = sum / (double)part - (double)mean;
        combine(m, (double)part, sum / (double)part, squares - off * off * (double)part);
    }
}

static void NAME(keep)(const struct cti_norm_run *r, int64_t at, const struct moments *m)
{
    double var = m->n > 0 ? m->squares / m->n : 0;
    ((T *)r->mean)[at] = (T)m->mean;
    ((T *)r->rstd)[at] = (T)(1 / sqrt(var + r->work->eps));
    if (r->var)
        ((T *)r->var)[at] = (T)var;
}

static void NAME(scale)(T *y, const T *x, int64_t n, T mean, T by, T shift)
{
    CT_IVDEP
    for (int64_t i = 0; i < n; i++)
        y[i] = (x[i] - mean) * by + shift;
}

/* Like scale, with a weight for each element. */
static void NAME(scale_each)(T *y, const T *x, int64_t n, T mean, T rstd, const T *weight,
                             const T *bias)
{
    if (weight && bias) {
        CT_IVDEP
        for (int64_t i = 0; i < n; i++)
            y[i] = (x[i] - mean) * rstd * weight[i] + bias[i];
    } else if (weight) {
        CT_IVDEP
        for (int64_t i = 0; i < n; i++)
            y[i] = (x[i] - mean) * rstd * weight[i];
    } else if (bias) {
        CT_IVDEP
        for (int64_t i = 0; i < n; i++)
            y[i] = (x[i] - mean) * rstd + bias[i];
    } else {
        NAME(scale)(y, x, n, mean, rstd, 0);
    }
}

static void NAME(lines)(const struct cti_norm_run *r, int64_t begin, int64_t end)
{
    const struct cti_norm *w = r->work;
    int64_t n = w->channels * w->inner;
    for (int64_t l = begin; l < end; l++) {
        const T *x = (const T *)r->in + l * n;
        T *y = (T *)r->out + l * n;
        struct moments m = {0};
        NAME(add_moments)(&m, x, n);
        NAME(keep)(r, l, &m);
        T mean = ((T *)r->mean)[l], rstd = ((T *)r->rstd)[l];
        const T *weight = r->weight, *bias = r->bias;
        weight = weight ? weight + l % w->groups * w->channels : NULL;
        bias = bias ? bias + l % w->groups * w->channels : NULL;
        if (w->inner == 1)
            NAME(scale_each)(y, x, n, mean, rstd, weight, bias);
        for (int64_t c = 0; c < w->channels && w->inner > 1; c++)
            NAME(scale)
        (y + c * w->inner, x + c * w->inner, w->inner, mean, weight ? rstd * weight[c] : rstd,
         bias ? bias[c] : 0);
    }
}

static void NAME(channels)(const struct cti_norm_run *r, int64_t begin, int64_t end)
{
    const struct cti_norm *w = r->work;
    int64_t n = w->inner, step = w->channels * n;
    for (int64_t c = begin; c < end; c++) {
        const T *x = (const T *)r->in + c * n;
        T *y = (T *)r->out + c * n;
        struct moments m = {0};
        for (int64_t o = 0; o < w->outer && !w->given; o++)
            NAME(add_moments)(&m, x + o * step, n);
        if (!w->given)
            NAME(keep)(r, c, &m);
        T mean = ((T *)r->mean)[c], by = ((T *)r->rstd)[c];
        by = r->weight ? by * ((const T *)r->weight)[c] : by;
        T shift = r->bias ? ((const T *)r->bias)[c] : 0;
        for (int64_t o = 0; o < w->outer; o++)
            NAME(scale)(y + o * step, x + o * step, n, mean, by, shift);
    }
}

/* ---- channels-last ---- */

/* Adds the means and squared deviations of up to CTI_NORM_ROWS rows to those of the block. */
static void NAME(column_block)(const struct cti_norm_run *r, const T *x, int64_t rows, int64_t done,
                               int64_t columns, double *mean, double *squares)
{
    T sum[COLUMNS], square[COLUMNS];
    int64_t step = r->work->channels;
    for (int64_t i = 0; i < columns; i++)
        sum[i] = square[i] = 0;
    for (int64_t k = 0; k < rows; k++) {
        CT_IVDEP
        for (int64_t i = 0; i < columns; i++)
            sum[i] += x[k * step + i];
    }
    for (int64_t i = 0; i < columns; i++)
        sum[i] /= (T)rows;
    for (int64_t k = 0; k < rows; k++) {
        CT_IVDEP
        for (int64_t i = 0; i < columns; i++)
            square[i] += (x[k * step + i] - sum[i]) * (x[k * step + i] - sum[i]);
    }
    for (int64_t i = 0; i < columns; i++) {
        struct moments m = {(double)done, mean[i], squares[i]};
        combine(&m, (double)rows, (double)sum[i], (double)square[i]);
        mean[i] = m.mean;
        squares[i] = m.squares;
    }
}

static void NAME(column_parts)(const struct cti_norm_run *r, int64_t begin, int64_t end)
{
    const struct cti_norm *w = r->work;
    for (int64_t b = begin; b < end; b++) {
        int64_t first = b * r->rows, last = first + r->rows < w->outer ? first + r->rows : w->outer;
        double *mean = r->part + 2 * b * w->channels, *squares = mean + w->channels;
        for (int64_t c = 0; c < w->channels; c += COLUMNS) {
            int64_t columns = w->channels - c < COLUMNS ? w->channels - c : COLUMNS;
            for (int64_t k = first; k < last; k += CTI_NORM_ROWS) {
                int64_t rows = last - k < CTI_NORM_ROWS ? last - k : CTI_NORM_ROWS;
                NAME(column_block)
                (r, (const T *)r->in + k * w->channels + c, rows, k - first, columns, mean + c,
                 squares + c);
            }
        }
    }
}

static void NAME(combine_columns)(const struct cti_norm_run *r, int64_t blocks)
{
    const struct cti_norm *w = r->work;
    for (int64_t c = 0; c < w->channels; c++) {
        struct moments m = {0};
        for (int64_t b = 0; b < blocks; b++) {
            int64_t rows = w->outer - b * r->rows < r->rows ? w->outer - b * r->rows : r->rows;
            const double *part = r->part + 2 * b * w->channels + c;
            combine(&m, (double)rows, part[0], part[w->channels]);
        }
        NAME(keep)(r, c, &m);
    }
}

static void NAME(column_rows)(const struct cti_norm_run *r, int64_t begin, int64_t end)
{
    const struct cti_norm *w = r->work;
    const T *mean = r->mean, *rstd = r->rstd, *weight = r->weight, *bias = r->bias;
    for (int64_t c = 0; c < w->channels; c += COLUMNS) {
        int64_t n = w->channels - c < COLUMNS ? w->channels - c : COLUMNS;
        T by[COLUMNS], shift[COLUMNS];
        for (int64_t i = 0; i < n; i++) {
            by[i] = weight ? rstd[c + i] * weight[c + i] : rstd[c + i];
            shift[i] = bias ? bias[c + i] : 0;
        }
        for (int64_t k = begin; k < end; k++) {
            const T *x = (const T *)r->in + k * w->channels + c;
            T *y = (T *)r->out + k * w->channels + c;
            CT_IVDEP
            for (int64_t i = 0; i < n; i++)
                y[i] = (x[i] - mean[c + i]) * by[i] + shift[i];
        }
    }
}

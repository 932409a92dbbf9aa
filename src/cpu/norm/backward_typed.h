/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of normalisation for one type, included by loops.c after norm_typed.h.
 *
 * With z = (x - mean) rstd and h = grad * weight, over the n elements that share a mean:
 *   grad of x = rstd (h - sum(h) / n - z sum(h z) / n), or rstd h if the mean was given. x must not
 *   enter that formula, not even times 0, since an infinite element would give NaN;
 *   grad of weight = sum(grad z), grad of bias = sum(grad), over the elements that share a
 * weight. */

/* sum(g) and sum(g (x - mean)) over up to BLOCK elements. */
static void NAME(block_pair)(const T *g, const T *x, T mean, int64_t n, double *sum, double *dot)
{
    T a[LANES] = {0}, b[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int64_t k = 0; k < LANES; k++) {
            a[k] += g[i + k];
            b[k] += g[i + k] * (x[i + k] - mean);
        }
    for (int64_t k = 0; k < n - i; k++) {
        a[k] += g[i + k];
        b[k] += g[i + k] * (x[i + k] - mean);
    }
    *sum += (double)NAME(lanes_sum)(a);
    *dot += (double)NAME(lanes_sum)(b);
}

/* Like block_pair, with g multiplied by a weight for each element. */
static void NAME(weighted_pair)(const T *g, const T *x, const T *w, T mean, int64_t n, double *sum,
                                double *dot)
{
    T a[LANES] = {0}, b[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int64_t k = 0; k < LANES; k++) {
            T h = g[i + k] * w[i + k];
            a[k] += h;
            b[k] += h * (x[i + k] - mean);
        }
    for (int64_t k = 0; k < n - i; k++) {
        T h = g[i + k] * w[i + k];
        a[k] += h;
        b[k] += h * (x[i + k] - mean);
    }
    *sum += (double)NAME(lanes_sum)(a);
    *dot += (double)NAME(lanes_sum)(b);
}

static void NAME(pair)(const T *g, const T *x, const T *w, T mean, int64_t n, double *sum,
                       double *dot)
{
    for (int64_t i = 0; i < n; i += BLOCK) {
        int64_t part = n - i < BLOCK ? n - i : BLOCK;
        if (w)
            NAME(weighted_pair)(g + i, x + i, w + i, mean, part, sum, dot);
        else
            NAME(block_pair)(g + i, x + i, mean, part, sum, dot);
    }
}

/* y = g * by - less - (x - mean) * slope, for one channel. */
static void NAME(affine)(T *y, const T *g, const T *x, int64_t n, T mean, T by, T less, T slope)
{
    CT_IVDEP
    for (int64_t i = 0; i < n; i++)
        y[i] = g[i] * by - less - (x[i] - mean) * slope;
}

/* y = g * by. */
static void NAME(times)(T *y, const T *g, int64_t n, T by)
{
    CT_IVDEP
    for (int64_t i = 0; i < n; i++)
        y[i] = g[i] * by;
}

static void NAME(back_channels)(const struct cti_norm_run *r, int64_t begin, int64_t end)
{
    const struct cti_norm *w = r->work;
    int64_t n = w->inner, step = w->channels * n;
    double count = (double)(w->outer * n);
    for (int64_t c = begin; c < end; c++) {
        const T *x = (const T *)r->in + c * n, *g = (const T *)r->grad + c * n;
        T mean = ((const T *)r->mean)[c], rstd = ((const T *)r->rstd)[c];
        double sum = 0, dot = 0;
        for (int64_t o = 0; o < w->outer; o++)
            NAME(pair)(g + o * step, x + o * step, NULL, mean, n, &sum, &dot);
        if (r->grad_weight)
            ((T *)r->grad_weight)[c] = (T)(dot * (double)rstd);
        if (r->grad_bias)
            ((T *)r->grad_bias)[c] = (T)sum;
        double by = r->weight ? (double)(rstd * ((const T *)r->weight)[c]) : (double)rstd;
        T less = (T)(by * sum / count);
        T slope = (T)(by * dot * (double)rstd * (double)rstd / count);
        for (int64_t o = 0; o < w->outer && r->out; o++) {
            T *y = (T *)r->out + c * n + o * step;
            if (w->given)
                NAME(times)(y, g + o * step, n, (T)by);
            else
                NAME(affine)(y, g + o * step, x + o * step, n, mean, (T)by, less, slope);
        }
    }
}

/* ---- channels-last ---- */

static void NAME(back_column_parts)(const struct cti_norm_run *r, int64_t begin, int64_t end)
{
    const struct cti_norm *w = r->work;
    const T *mean = r->mean;
    for (int64_t b = begin; b < end; b++) {
        int64_t first = b * r->rows, last = first + r->rows < w->outer ? first + r->rows : w->outer;
        double *sums = r->part + 2 * b * w->channels, *dots = sums + w->channels;
        for (int64_t c = 0; c < w->channels; c += COLUMNS) {
            int64_t n = w->channels - c < COLUMNS ? w->channels - c : COLUMNS;
            for (int64_t k = first; k < last; k += CTI_NORM_ROWS) {
                T sum[COLUMNS] = {0}, dot[COLUMNS] = {0};
                for (int64_t row = k; row < last && row < k + CTI_NORM_ROWS; row++) {
                    const T *x = (const T *)r->in + row * w->channels + c;
                    const T *g = (const T *)r->grad + row * w->channels + c;
                    CT_IVDEP
                    for (int64_t i = 0; i < n; i++) {
                        sum[i] += g[i];
                        dot[i] += g[i] * (x[i] - mean[c + i]);
                    }
                }
                for (int64_t i = 0; i < n; i++) {
                    sums[c + i] += (double)sum[i];
                    dots[c + i] += (double)dot[i];
                }
            }
        }
    }
}

/* Adds the sums of all blocks to those of the first, row by row: walking down the columns would
 * touch a page for each element. */
static void NAME(add_blocks)(double *part, int64_t count, int64_t blocks)
{
    for (int64_t b = 1; b < blocks; b++) {
        const double *more = part + b * count;
        CT_IVDEP
        for (int64_t i = 0; i < count; i++)
            part[i] += more[i];
    }
}

/* Computes the gradients of weight and bias from the sums of all blocks. */
static void NAME(combine_back_columns)(const struct cti_norm_run *r, int64_t blocks)
{
    const struct cti_norm *w = r->work;
    NAME(add_blocks)(r->part, 2 * w->channels, blocks);
    for (int64_t c = 0; c < w->channels; c++) {
        if (r->grad_weight)
            ((T *)r->grad_weight)[c] =
                (T)(r->part[w->channels + c] * (double)((const T *)r->rstd)[c]);
        if (r->grad_bias)
            ((T *)r->grad_bias)[c] = (T)r->part[c];
    }
}

static void NAME(back_column_rows)(const struct cti_norm_run *r, int64_t begin, int64_t end)
{
    const struct cti_norm *w = r->work;
    const T *mean = r->mean, *rstd = r->rstd, *weight = r->weight;
    double count = (double)w->outer;
    for (int64_t c = 0; c < w->channels; c += COLUMNS) {
        int64_t n = w->channels - c < COLUMNS ? w->channels - c : COLUMNS;
        T by[COLUMNS], less[COLUMNS], slope[COLUMNS];
        for (int64_t i = 0; i < n; i++) {
            double s = (double)rstd[c + i];
            by[i] = weight ? rstd[c + i] * weight[c + i] : rstd[c + i];
            less[i] = (T)((double)by[i] * r->part[c + i] / count);
            slope[i] = (T)((double)by[i] * r->part[w->channels + c + i] * s * s / count);
        }
        for (int64_t k = begin; k < end; k++) {
            const T *x = (const T *)r->in + k * w->channels + c;
            const T *g = (const T *)r->grad + k * w->channels + c;
            T *y = (T *)r->out + k * w->channels + c;
            if (w->given) {
                CT_IVDEP
                for (int64_t i = 0; i < n; i++)
                    y[i] = g[i] * by[i];
                continue;
            }
            CT_IVDEP
            for (int64_t i = 0; i < n; i++)
                y[i] = g[i] * by[i] - less[i] - (x[i] - mean[c + i]) * slope[i];
        }
    }
}

/* ---- lines ---- */

/* Adds a line's contribution to its block's gradients of weight and bias. */
static void NAME(add_line)(const struct cti_norm *w, const T *g, const T *x, T mean, T rstd,
                           double *bias, double *weight)
{
    if (w->inner == 1) {
        CT_IVDEP
        for (int64_t i = 0; i < w->channels; i++) {
            bias[i] += (double)g[i];
            weight[i] += (double)(g[i] * ((x[i] - mean) * rstd));
        }
        return;
    }
    for (int64_t c = 0; c < w->channels; c++) {
        double sum = 0, dot = 0;
        NAME(pair)(g + c * w->inner, x + c * w->inner, NULL, mean, w->inner, &sum, &dot);
        bias[c] += sum;
        weight[c] += dot * (double)rstd;
    }
}

static void NAME(back_line)(const struct cti_norm_run *r, int64_t l, const T *g, const T *x)
{
    const struct cti_norm *w = r->work;
    int64_t n = w->channels * w->inner;
    T mean = ((const T *)r->mean)[l], rstd = ((const T *)r->rstd)[l], *y = (T *)r->out + l * n;
    const T *weight = r->weight;
    weight = weight ? weight + l % w->groups * w->channels : NULL;
    double sum = 0, dot = 0;
    if (w->inner == 1 || !weight) {
        NAME(pair)(g, x, weight, mean, n, &sum, &dot);
    } else {
        for (int64_t c = 0; c < w->channels; c++) {
            double s = 0, d = 0;
            NAME(pair)(g + c * w->inner, x + c * w->inner, NULL, mean, w->inner, &s, &d);
            sum += s * (double)weight[c];
            dot += d * (double)weight[c];
        }
    }
    double s = (double)rstd;
    T less = (T)(s * sum / (double)n), slope = (T)(s * s * s * dot / (double)n);
    if (weight && w->inner == 1) {
        CT_IVDEP
        for (int64_t i = 0; i < n; i++)
            y[i] = g[i] * weight[i] * rstd - less - (x[i] - mean) * slope;
        return;
    }
    for (int64_t c = 0; c < (weight ? w->channels : 1); c++) {
        int64_t run = weight ? w->inner : n;
        NAME(affine)
        (y + c * run, g + c * run, x + c * run, run, mean, weight ? rstd * weight[c] : rstd, less,
         slope);
    }
}

/* Blocks [begin, end) of lines. */
static void NAME(back_lines)(const struct cti_norm_run *r, int64_t begin, int64_t end)
{
    const struct cti_norm *w = r->work;
    int64_t n = w->channels * w->inner, weights = w->groups * w->channels;
    for (int64_t b = begin; b < end; b++) {
        double *bias = r->part ? r->part + 2 * b * weights : NULL, *weight = bias + weights;
        for (int64_t l = b * r->rows; l < (b + 1) * r->rows && l < w->outer; l++) {
            const T *x = (const T *)r->in + l * n, *g = (const T *)r->grad + l * n;
            int64_t at = l % w->groups * w->channels;
            if (bias)
                NAME(add_line)
            (w, g, x, ((const T *)r->mean)[l], ((const T *)r->rstd)[l], bias + at, weight + at);
            if (r->out)
                NAME(back_line)(r, l, g, x);
        }
    }
}

static void NAME(combine_back_lines)(const struct cti_norm_run *r, int64_t blocks)
{
    int64_t weights = r->work->groups * r->work->channels;
    NAME(add_blocks)(r->part, 2 * weights, blocks);
    for (int64_t c = 0; c < weights; c++) {
        if (r->grad_bias)
            ((T *)r->grad_bias)[c] = (T)r->part[c];
        if (r->grad_weight)
            ((T *)r->grad_weight)[c] = (T)r->part[weights + c];
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops over a tile of scores (Note [Scores] in attend.h) for one type. loops.c includes this
 * after it has defined T, EXP, SCALE, LOG, INFINITE and NAME(x). EXP is e^x times SCALE, for x <=
 * 0; the factor cancels against the sum of exponentials. */

#define QUERIES CTI_ATTEND_QUERIES

/* Multiplies scores by the scale and adds the mask; -inf for keys that are not attended to. */
static void NAME(mask)(const struct cti_attend_tile *t)
{
    T *s = t->scores, scale = (T)t->scale;
    int64_t n = t->columns;
    for (int64_t k = 0; k < t->keys * n; k++)
        s[k] *= scale;
    for (int64_t i = 0; t->mask && i < n; i++) {
        const unsigned char *seen = (const unsigned char *)t->mask + i * t->mask_row;
        const T *more = (const T *)t->mask + i * t->mask_row;
        for (int64_t k = 0; k < t->keys; k++) {
            int64_t at = k * t->mask_column;
            if (!t->mask_is_bool)
                s[k * n + i] += more[at];
            else if (!seen[at])
                s[k * n + i] = -INFINITE;
        }
    }
    if (!t->causal)
        return;
    for (int64_t k = 0; k < t->keys; k++) {
        int64_t hidden = t->key0 + k - t->query0; /* causal: earlier queries do not see the key */
        for (int64_t i = 0; i < hidden && i < n; i++)
            s[k * n + i] = -INFINITE;
    }
}

/* n is a compile-time constant for full tiles, so that columns stay in registers. */
static inline __attribute__((always_inline)) void NAME(columns)(const struct cti_attend_tile *t,
                                                                int64_t n)
{
    T *s = t->scores, *most = t->most, *sum = t->sum, *shrink = t->shrink;
    T top[QUERIES], total[QUERIES];
    for (int64_t i = 0; i < n; i++) {
        top[i] = most[i];
        total[i] = 0;
    }
    for (int64_t k = 0; k < t->keys; k++)
        CT_IVDEP
    for (int64_t i = 0; i < n; i++)
        top[i] = s[k * n + i] > top[i] ? s[k * n + i] : top[i];
    for (int64_t i = 0; i < n; i++) {
        /* Until a query has seen a key, its results are zero and the factor is irrelevant. */
        T base = top[i] == -INFINITE ? 0 : top[i];
        shrink[i] = most[i] == -INFINITE ? 0 : EXP(most[i] - base) * (T)(1 / SCALE);
        most[i] = top[i];
        top[i] = base;
    }
    for (int64_t k = 0; k < t->keys; k++)
        CT_IVDEP
    for (int64_t i = 0; i < n; i++) {
        T e = EXP(s[k * n + i] - top[i]);
        s[k * n + i] = e;
        total[i] += e;
    }
    for (int64_t i = 0; i < n; i++)
        sum[i] = sum[i] * shrink[i] + total[i];
}

static void NAME(exponentials)(const struct cti_attend_tile *t)
{
    NAME(mask)(t);
    if (t->columns == QUERIES)
        NAME(columns)(t, QUERIES);
    else
        NAME(columns)(t, t->columns);
}

static void NAME(scale_rows)(void *to, int64_t stride, const void *from, const void *factor,
                             int64_t rows, int64_t columns)
{
    for (int64_t i = 0; i < rows; i++) {
        T *t = (T *)to + i * stride, f = ((const T *)factor)[i];
        const T *x = (const T *)from + i * columns;
        CT_IVDEP
        for (int64_t j = 0; j < columns; j++)
            t[j] = x[j] * f + 0; /* turns -0 into 0 for a query that sees no key */
    }
}

static void NAME(finish)(void *factor, void *logsumexp, const void *most, const void *sum,
                         int64_t n)
{
    const T *m = most, *s = sum;
    for (int64_t i = 0; i < n; i++) {
        bool none = m[i] == -INFINITE;
        ((T *)factor)[i] = none ? 0 : 1 / s[i];
        ((T *)logsumexp)[i] = none ? INFINITE : m[i] + LOG(s[i] * (T)(1 / SCALE));
    }
}

static void NAME(probabilities)(const struct cti_attend_tile *t)
{
    T *s = t->scores;
    const T *base = t->most;
    NAME(mask)(t);
    for (int64_t k = 0; k < t->keys; k++)
        CT_IVDEP
    for (int64_t i = 0; i < t->columns; i++)
        s[k * t->columns + i] = EXP(s[k * t->columns + i] - base[i]) * (T)(1 / SCALE);
}

static void NAME(scores_grad)(const struct cti_attend_tile *t, void *grad, const void *dot)
{
    const T *p = t->scores, *d = dot, scale = (T)t->scale;
    T *g = grad;
    int64_t n = t->columns;
    for (int64_t k = 0; k < t->keys; k++)
        CT_IVDEP
    for (int64_t i = 0; i < n; i++)
        g[k * n + i] = p[k * n + i] * (g[k * n + i] - d[i]) * scale;
}

static void NAME(dots)(void *dot, const void *a, int64_t a_row, const void *b, int64_t b_row,
                       int64_t rows, int64_t columns)
{
    for (int64_t i = 0; i < rows; i++) {
        const T *x = (const T *)a + i * a_row, *y = (const T *)b + i * b_row;
        T lane[16] = {0}, sum = 0;
        int64_t j = 0;
        for (; j + 16 <= columns; j += 16)
            for (int k = 0; k < 16; k++)
                lane[k] += x[j + k] * y[j + k];
        for (; j < columns; j++)
            sum += x[j] * y[j];
        for (int k = 0; k < 16; k++)
            sum += lane[k];
        ((T *)dot)[i] = sum;
    }
}

extern const struct cti_attend_loops CTI_ISA_NAME(NAME(cti_attend));
const struct cti_attend_loops CTI_ISA_NAME(NAME(cti_attend)) = {
    NAME(exponentials),  NAME(scale_rows),  NAME(finish),
    NAME(probabilities), NAME(scores_grad), NAME(dots),
};

#undef QUERIES
#undef T
#undef EXP
#undef SCALE
#undef LOG
#undef INFINITE
#undef NAME

/* SPDX-License-Identifier: BSD-3-Clause */
/* logcumsumexp of one real data type. scan.c includes this file once per type, with T the type and
 * NAME a function's name for this type. There is no include guard, on purpose. */

/* log(e^a + e^b), accumulated in double like PyTorch, for infinities too. */
static void NAME(log_line)(const struct scan *s, const struct cti_line *line)
{
    double sum = -CTM_INF_F64;
    for (int64_t i = 0; i < s->n && !cti_interrupted_at(i, POLL); i++) {
        double x = (double)*(const T *)(const void *)(line->p[1] + i * s->in_step);
        double low = x < sum ? x : sum, high = x < sum ? sum : x;
        if (x != x || sum != sum)
            sum = x + sum;
        else if (low == high && (high == CTM_INF_F64 || high == -CTM_INF_F64))
            sum = high;
        else
            sum = log1p(exp(low - high)) + high;
        *(T *)(void *)(line->p[0] + i * s->out_step) = (T)sum;
    }
}

#undef T
#undef NAME

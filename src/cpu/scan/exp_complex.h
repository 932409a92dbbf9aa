/* SPDX-License-Identifier: BSD-3-Clause */
/* logcumsumexp along a line of complex numbers, in float64. Each step is scaled by the larger real
 * part of the pair, so that no earlier result depends on later elements. T is the type of a part,
 * NAME a function's name for it. Included by scan.c. */

#ifndef CORTEN_CPU_SCAN_EXP_COMPLEX_H
#define CORTEN_CPU_SCAN_EXP_COMPLEX_H

struct complex_sum {
    double re, im;
};

/* log(exp(a) + exp(b)) = max + log1p(exp(min - max)), with the results of PyTorch for
 * infinities. */
static struct complex_sum add_exponentials(struct complex_sum a, struct complex_sum b)
{
    struct complex_sum most = a.re >= b.re ? a : b, least = a.re >= b.re ? b : a;
    if (isnan(a.re) || isnan(a.im) || isnan(b.re) || isnan(b.im))
        return (struct complex_sum){NAN, NAN};
    if (most.re == least.re && isinf(most.re) && most.re < 0)
        return least;
    double size = most.re == least.re ? 1 : exp(least.re - most.re); /* at most 1 */
    double angle = least.im - most.im;
    if (size == 0)
        return most;
    double re = size * cos(angle), im = size * sin(angle);
    return (struct complex_sum){most.re + 0.5 * log1p(2 * re + size * size),
                                most.im + atan2(im, 1 + re)};
}

#endif

static void NAME(log_line)(const struct scan *s, const struct cti_line *line)
{
    const char *in = line->p[1];
    char *out = line->p[0];
    struct complex_sum sum = {-INFINITY, 0};
    for (int64_t i = 0; i < s->n; i++, in += s->in_step, out += s->out_step) {
        if (cti_interrupted_at(i, POLL))
            return;
        const T *x = (const T *)(const void *)in;
        struct complex_sum next = {(double)x[0], (double)x[1]};
        sum = add_exponentials(sum, next);
        ((T *)(void *)out)[0] = (T)sum.re;
        ((T *)(void *)out)[1] = (T)sum.im;
    }
}
#undef T
#undef NAME

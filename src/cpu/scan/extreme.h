/* SPDX-License-Identifier: BSD-3-Clause */
/* Running maxima and minima of one data type, with their indices. scan.c includes this file once
 * per type, with T the type, IS_NAN whether a T is NaN, and NAME a function's name for this type.
 * There is no include guard, on purpose. */

/* As in PyTorch, the last of equal values wins, and NaN wins over numbers. `up` is a constant after
 * inlining. Fields are copied to locals, because a store of a T might alias them. */
static inline __attribute__((always_inline)) void
NAME(extreme_of)(const struct scan *s, const struct cti_line *line, bool up)
{
    const char *in = line->p[1];
    char *out = line->p[0], *index = line->p[2];
    const int64_t n = s->n, in_step = s->in_step, out_step = s->out_step, at_step = s->index_step;
    T best = *(const T *)(const void *)in;
    int64_t where = 0;
    for (int64_t i = 0, end; i < n && !(i > 0 && cti_interrupted()); i = end)
        for (end = n - i < POLL ? n : i + POLL; i < end; i++) {
            T v = *(const T *)(const void *)in;
            bool take = (up ? v >= best : v <= best) | (IS_NAN(v) != 0);
            best = take ? v : best;
            where = take ? i : where;
            *(T *)(void *)out = best;
            *(int64_t *)(void *)index = where;
            in += in_step;
            out += out_step;
            index += at_step;
        }
}

static void NAME(extreme)(const struct scan *s, const struct cti_line *line)
{
    if (s->op == CTI_SCAN_MAX)
        NAME(extreme_of)(s, line, true);
    else
        NAME(extreme_of)(s, line, false);
}

#undef T
#undef IS_NAN
#undef NAME

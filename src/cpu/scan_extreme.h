/* SPDX-License-Identifier: BSD-3-Clause */
/* Running maxima and minima of one data type, with their places. scan.c includes this file once per
 * type, with T the type, IS_NAN whether a T is NaN, and NAME how a function is called for this
 * type. There is no include guard on purpose. */

/* Of equal values the last counts, and NaN wins, as in PyTorch. */
static void NAME(extreme)(const struct scan *s, const struct cti_line *line)
{
    T best = 0;
    int64_t where = 0;
    for (int64_t i = 0; i < s->n; i++) {
        T v = *(const T *)(const void *)(line->p[1] + i * s->in_step);
        bool better = s->op == '>' ? v >= best : v <= best;
        if (i == 0 || better || IS_NAN(v)) {
            best = v;
            where = i;
        }
        *(T *)(void *)(line->p[0] + i * s->out_step) = best;
        *(int64_t *)(void *)(line->p[2] + i * s->index_step) = where;
    }
}

#undef T
#undef IS_NAN
#undef NAME

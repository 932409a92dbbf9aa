/* SPDX-License-Identifier: BSD-3-Clause */
/* Bisection and comparison of rows for one data type. search.c includes this file once per type,
 * with T the type and NAME how a function is called for this type. There is no include guard on
 * purpose. */

/* The first place whose element is not less than a value, or is greater, for TOGETHER values at a
 * time and without branches: no step of one waits for that of another, or is foreseen. NaN is
 * beyond all, as in PyTorch, whose steps these are: lines that are not in order give the same
 * places. */
static inline __attribute__((always_inline)) void
NAME(bisect)(const T *line, const int64_t *sorter, int64_t n, const T *v, int64_t *low, bool right)
{
    int64_t left[TOGETHER], least = n, most = n; /* elements that are left, of any value */
    for (int k = 0; k < TOGETHER; k++) {
        low[k] = 0;
        left[k] = n;
    }
    for (; most > 0; most >>= 1, least = (least - 1) >> 1)
        for (int k = 0; k < TOGETHER; k++) {
            int64_t half = left[k] >> 1, mid = low[k] + half;
            if (least <= 0) /* nothing is left of some, and there may be nothing to read */
                mid = left[k] > 0 ? mid : 0;
            T at = line[sorter ? sorter[mid] : mid];
            int64_t on = -(int64_t)(!(right ? at > v[k] : at >= v[k]) & (left[k] > 0));
            low[k] += (half + 1) & on;
            left[k] = half + ((left[k] - 2 * half - 1) & on);
        }
}

static void NAME(find)(const struct search *s, int64_t begin, int64_t end)
{
    const T *values = (const T *)(const void *)s->values;
    for (int64_t i = begin, count; i < end; i += count) {
        int64_t number = s->one_line ? 0 : i / s->per_line, first = number * s->n;
        const T *line = (const T *)(const void *)s->sorted + first;
        const int64_t *sorter = s->sorter ? s->sorter + first : NULL;
        int64_t stop = s->one_line ? end : (number + 1) * s->per_line, low[TOGETHER];
        stop = stop < end ? stop : end;
        count = stop - i < TOGETHER ? stop - i : TOGETHER;
        T v[TOGETHER] = {0};
        memcpy(v, values + i, (size_t)count * sizeof *v);
        if (s->right)
            NAME(bisect)(line, sorter, s->n, v, low, true);
        else
            NAME(bisect)(line, sorter, s->n, v, low, false);
        memcpy(s->out + i, low, (size_t)count * sizeof *low);
    }
}

static bool NAME(less)(const char *a, const char *b, int64_t n)
{
    const T *x = (const T *)(const void *)a, *y = (const T *)(const void *)b;
    for (int64_t i = 0; i < n; i++) {
        if (x[i] < y[i])
            return true;
        if (x[i] > y[i])
            return false;
    }
    return false;
}

#undef T
#undef NAME

/* SPDX-License-Identifier: BSD-3-Clause */
/* Binary search and comparison of rows for one data type. search.c includes this file once per
 * type, with T the type and NAME a function's name for it. There is no include guard, on
 * purpose. */

/* Finds the first index whose element is not less than a value (or is greater, if `right`).
 * TOGETHER searches run interleaved and without branches, which hides latency and avoids
 * mispredictions. NaN counts as larger than everything. The steps are exactly those of PyTorch, so
 * that unsorted lines give the same indices. */
static inline __attribute__((always_inline)) void
NAME(bisect)(const T *line, const int64_t *sorter, int64_t n, const T *v, int64_t *low, bool right)
{
    /* Elements that are still to be searched for each value; their minimum and maximum. */
    int64_t left[TOGETHER], least = n, most = n;
    for (int k = 0; k < TOGETHER; k++) {
        low[k] = 0;
        left[k] = n;
    }
    for (; most > 0; most >>= 1, least = (least - 1) >> 1)
        for (int k = 0; k < TOGETHER; k++) {
            int64_t half = left[k] >> 1, mid = low[k] + half;
            if (least <= 0) /* some searches are finished and must not read */
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

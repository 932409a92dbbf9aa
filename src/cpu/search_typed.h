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
    int64_t high[TOGETHER];
    for (int k = 0; k < TOGETHER; k++) {
        low[k] = 0;
        high[k] = n;
    }
    for (int64_t width = n; width > 0; width >>= 1) /* at least as wide as what is left */
        for (int k = 0; k < TOGETHER; k++) {
            int64_t open = -(int64_t)(low[k] < high[k]), mid = (low[k] + high[k]) >> 1 & open;
            T at = line[sorter ? sorter[mid] : mid];
            int64_t stop = -(int64_t)(right ? at > v[k] : at >= v[k]);
            low[k] ^= (low[k] ^ (mid + 1)) & open & ~stop;
            high[k] ^= (high[k] ^ mid) & open & stop;
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

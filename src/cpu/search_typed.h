/* SPDX-License-Identifier: BSD-3-Clause */
/* Bisection and comparison of rows for one data type. search.c includes this file once per type,
 * with T the type and NAME how a function is called for this type. There is no include guard on
 * purpose. */

/* The first place whose element is not less than a value, or is greater. NaN is beyond all, as in
 * PyTorch, whose steps these are: lines that are not in order give the same places. */
static void NAME(find)(const struct search *s, int64_t begin, int64_t end)
{
    const T *values = (const T *)(const void *)s->values;
    for (int64_t i = begin; i < end; i++) {
        int64_t first = s->one_line ? 0 : i / s->per_line * s->n, low = 0, high = s->n;
        const T *line = (const T *)(const void *)s->sorted + first, v = values[i];
        while (low < high) {
            int64_t mid = low + ((high - low) >> 1);
            T at = line[s->sorter ? s->sorter[first + mid] : mid];
            bool stop = s->right ? at > v : at >= v;
            low = stop ? low : mid + 1;
            high = stop ? mid : high;
        }
        s->out[i] = low;
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

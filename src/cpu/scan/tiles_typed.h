/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles of running sums and products of one data type. tiles.c includes this file once per type,
 * with T the type in memory, A the accumulator (unsigned for integers: wraps) and NAME a function's
 * name for this type. There is no include guard, on purpose. */

typedef T NAME(elements) __attribute__((vector_size(8 * sizeof(T))));
typedef A NAME(accs) __attribute__((vector_size(8 * sizeof(A))));

/* Scans rows of eight elements, whose accumulators stay in registers. */
static inline __attribute__((always_inline)) void NAME(strip)(const struct cti_scan_tile *t,
                                                              int64_t first, A *accs, bool product)
{
    const char *in = t->in + first * (int64_t)sizeof(T);
    char *out = t->out + first * (int64_t)sizeof(T);
    NAME(accs) acc;
    memcpy(&acc, accs + first, sizeof acc);
    for (int64_t i = 0; i < t->rows; i++, in += t->in_step, out += t->out_step) {
        NAME(elements) x;
        memcpy(&x, in, sizeof x);
        const NAME(accs) wide = __builtin_convertvector(x, NAME(accs));
        acc = product ? acc * wide : acc + wide;
        x = __builtin_convertvector(acc, NAME(elements));
        memcpy(out, &x, sizeof x);
    }
    memcpy(accs + first, &acc, sizeof acc);
}

/* Scans rows of any width, each to its end, so that memory is read in order. */
static inline __attribute__((always_inline)) void NAME(rows)(const struct cti_scan_tile *t,
                                                             int64_t first, A *acc, bool product)
{
    for (int64_t i = 0; i < t->rows; i++) {
        const T *x = (const T *)(const void *)(t->in + i * t->in_step);
        T *y = (T *)(void *)(t->out + i * t->out_step);
        CT_IVDEP
        for (int64_t j = first; j < t->width; j++) {
            acc[j] = product ? acc[j] * (A)x[j] : acc[j] + (A)x[j];
            y[j] = (T)acc[j];
        }
    }
}

static void NAME(tile)(const struct cti_scan_tile *t, void *accs)
{
    int64_t j = 0;
    if (t->in_step <= NEAR && t->out_step <= NEAR && t->in_step >= 0 && t->out_step >= 0)
        for (; j + 8 <= t->width; j += 8) {
            if (t->product)
                NAME(strip)(t, j, accs, true);
            else
                NAME(strip)(t, j, accs, false);
        }
    if (j < t->width && t->product)
        NAME(rows)(t, j, accs, true);
    else if (j < t->width)
        NAME(rows)(t, j, accs, false);
}

static void NAME(total)(const void *in, void *acc)
{
    A part[8] = {0};
    const T *x = in;
    for (int64_t i = 0; i < CTI_SCAN_PART; i += 8)
        for (int64_t j = 0; j < 8; j++)
            part[j] += (A)x[i + j];
    *(A *)acc =
        ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

#undef T
#undef A
#undef NAME

/* SPDX-License-Identifier: BSD-3-Clause */
/* Running sums and products of one data type. scan.c includes this file once per type, with
 *   T     the type in memory        A     the accumulator (unsigned for integers: wraps)
 *   MUL   product of two A          NAME  how a function is called for this type
 *   BLOCKED  1 where sums of pieces are exact enough to begin a piece before the last one ends
 *   STEPPED  1 where an addition takes longer than a step, so that pieces run side by side
 * There is no include guard on purpose. */

/* One line, from `carry` on. Returns the last accumulator. */
static A NAME(sum_line)(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t n,
                        A carry)
{
    for (int64_t i = 0; i < n; i++) {
        carry += (A) * (const T *)(const void *)(in + i * in_step);
        *(T *)(void *)(out + i * out_step) = (T)carry;
    }
    return carry;
}

static void NAME(product_line)(const char *in, int64_t in_step, char *out, int64_t out_step,
                               int64_t n)
{
    A carry = 1;
    for (int64_t i = 0; i < n; i++) {
        carry = MUL(carry, (A) * (const T *)(const void *)(in + i * in_step));
        *(T *)(void *)(out + i * out_step) = (T)carry;
    }
}

#if BLOCKED
static A NAME(total)(const T *in)
{
    A part[8] = {0};
    for (int64_t i = 0; i < SCAN_PART; i += 8)
        for (int64_t j = 0; j < 8; j++)
            part[j] += (A)in[i + j];
    return ((part[0] + part[4]) + (part[2] + part[6])) +
           ((part[1] + part[5]) + (part[3] + part[7]));
}

#if STEPPED
/* One block of SCAN_PARTS pieces side by side: their totals say where each begins, and then the
 * pieces run in step, so that no addition waits for the one before it. */
static A NAME(sum_block)(const T *in, T *out, A carry)
{
    A at[SCAN_PARTS];
    for (int64_t p = 0; p < SCAN_PARTS; p++) {
        at[p] = carry;
        carry += NAME(total)(in + p * SCAN_PART);
    }
    for (int64_t i = 0; i < SCAN_PART; i++)
        for (int64_t p = 0; p < SCAN_PARTS; p++) {
            at[p] += (A)in[p * SCAN_PART + i];
            out[p * SCAN_PART + i] = (T)at[p];
        }
    return carry;
}
#else
static A NAME(sum_block)(const T *in, T *out, A carry)
{
    for (int64_t i = 0; i < SCAN_BLOCK; i++)
        out[i] = (T)(carry += (A)in[i]);
    return carry;
}
#endif
#endif

static void NAME(line)(const struct scan *s, const struct cti_line *line)
{
    const char *in = line->p[1];
    char *out = line->p[0];
    int64_t n = s->n, i = 0;
    if (s->op == '*') {
        NAME(product_line)(in, s->in_step, out, s->out_step, n);
        return;
    }
    A carry = 0;
#if BLOCKED
    if (s->in_step == (int64_t)sizeof(T) && s->out_step == (int64_t)sizeof(T))
        for (; i + SCAN_BLOCK <= n; i += SCAN_BLOCK)
            carry = NAME(sum_block)((const T *)(const void *)in + i, (T *)(void *)out + i, carry);
#endif
    NAME(sum_line)
    (in + i * s->in_step, s->in_step, out + i * s->out_step, s->out_step, n - i, carry);
}

#if BLOCKED
/* Blocks of one long line on several threads: first all totals, then all blocks. carry[b] is the
 * sum of all before block b, added up in the same order as on one thread. */
static void NAME(totals)(void *context, int64_t begin, int64_t end)
{
    const struct scan *s = context;
    for (int64_t b = begin; b < end; b++)
        for (int64_t p = 0; p < SCAN_PARTS; p++)
            ((A *)s->carry)[b * SCAN_PARTS + p] = NAME(total)(
                (const T *)(const void *)s->lines.base[1] + b * SCAN_BLOCK + p * SCAN_PART);
}

static void NAME(blocks)(void *context, int64_t begin, int64_t end)
{
    const struct scan *s = context;
    for (int64_t b = begin; b < end; b++)
        NAME(sum_block)
    ((const T *)(const void *)s->lines.base[1] + b * SCAN_BLOCK,
     (T *)(void *)s->lines.base[0] + b * SCAN_BLOCK, ((const A *)s->carry)[b * SCAN_PARTS]);
}

static void NAME(long_line)(struct scan *s)
{
    int64_t blocks = s->n / SCAN_BLOCK;
    A *carry = s->carry, sum = 0;
    cti_parallel_for(blocks, 1, NAME(totals), s);
    for (int64_t i = 0; i < blocks * SCAN_PARTS; i++) {
        A part = carry[i];
        carry[i] = sum;
        sum += part;
    }
    cti_parallel_for(blocks, 1, NAME(blocks), s);
    NAME(sum_line)
    (s->lines.base[1] + blocks * SCAN_BLOCK * s->in_step, s->in_step,
     s->lines.base[0] + blocks * SCAN_BLOCK * s->out_step, s->out_step, s->n - blocks * SCAN_BLOCK,
     sum);
}
#endif

/* A tile of neighbouring lines: each step along the dim is a row of independent additions. */
static void NAME(tile)(const struct scan *s, const char *in, char *out, int64_t width)
{
    A acc[SCAN_TILE];
    bool product = s->op == '*';
    for (int64_t j = 0; j < width; j++)
        acc[j] = product ? 1 : 0;
    for (int64_t i = 0; i < s->n; i++) {
        const T *x = (const T *)(const void *)(in + i * s->in_step);
        T *y = (T *)(void *)(out + i * s->out_step);
        if (product)
            for (int64_t j = 0; j < width; j++) {
                acc[j] = MUL(acc[j], (A)x[j]);
                y[j] = (T)acc[j];
            }
        else
            for (int64_t j = 0; j < width; j++) {
                acc[j] += (A)x[j];
                y[j] = (T)acc[j];
            }
    }
}

static const struct scan_loops NAME(loops) = {
    .line = NAME(line),
    .tile = NAME(tile),
#if BLOCKED
    .long_line = NAME(long_line),
#endif
};

#undef T
#undef A
#undef MUL
#undef NAME
#undef BLOCKED
#undef STEPPED

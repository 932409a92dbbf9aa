/* SPDX-License-Identifier: BSD-3-Clause */
/* Running sums and products of one data type. scan.c includes this file once per type, with
 *   T the type in memory A the accumulator (unsigned for integers: wraps) MUL product of two A NAME
 *   a function's name for this type BLOCKED 1 if the total of a piece may be computed before its
 *   scan, so that pieces run in parallel STEPPED 1 if additions have latency, so that pieces should
 *   run in parallel TILED 1 if tiles.h has loops for this type
 * There is no include guard, on purpose. */

/* Scans a piece of a line from `carry` on; returns the last accumulator. */
static A NAME(sum_piece)(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t n,
                         A carry)
{
    for (int64_t i = 0; i < n; i++) {
        carry += (A) * (const T *)(const void *)(in + i * in_step);
        *(T *)(void *)(out + i * out_step) = (T)carry;
    }
    return carry;
}

static A NAME(product_piece)(const char *in, int64_t in_step, char *out, int64_t out_step,
                             int64_t n, A carry)
{
    for (int64_t i = 0; i < n; i++) {
        carry = MUL(carry, (A) * (const T *)(const void *)(in + i * in_step));
        *(T *)(void *)(out + i * out_step) = (T)carry;
    }
    return carry;
}

/* Scans a line from `carry` on, and checks for an interrupt between pieces. */
static void NAME(run_line)(const struct scan *s, const char *in, char *out, int64_t n, A carry)
{
    for (int64_t i = 0; i < n && !(i > 0 && cti_interrupted()); i += POLL) {
        int64_t part = n - i < POLL ? n - i : POLL;
        carry = (s->op == CTI_SCAN_PROD ? NAME(product_piece) : NAME(sum_piece))(
            in + i * s->in_step, s->in_step, out + i * s->out_step, s->out_step, part, carry);
    }
}

#if BLOCKED
static A NAME(total)(const struct scan *s, const T *in)
{
    A sum;
    s->tiles->total(in, &sum);
    return sum;
}

#if STEPPED
/* Scans SCAN_PARTS pieces in parallel: first their totals, which give the start value of each
 * piece; then the pieces, transposed to lanes, so that consecutive additions are independent. */
static A NAME(sum_block)(const struct scan *s, const T *in, T *out, A carry)
{
    A at[SCAN_PARTS];
    for (int64_t p = 0; p < SCAN_PARTS; p++) {
        at[p] = carry;
        carry += NAME(total)(s, in + p * SCAN_PART);
    }
    transpose_lines(s, (const char *)in, SCAN_PART * s->item, (char *)out, SCAN_PART * s->item,
                    SCAN_PARTS, SCAN_PART, at);
    return carry;
}
#else
static A NAME(sum_block)(const struct scan *s, const T *in, T *out, A carry)
{
    (void)s;
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
    A carry = s->op == CTI_SCAN_PROD ? 1 : 0;
#if BLOCKED
    if (s->op != CTI_SCAN_PROD && s->in_step == (int64_t)sizeof(T) &&
        s->out_step == (int64_t)sizeof(T))
        for (; i + SCAN_BLOCK <= n; i += SCAN_BLOCK) {
            if (cti_interrupted_at(i / SCAN_BLOCK, POLL / SCAN_BLOCK))
                return;
            carry =
                NAME(sum_block)(s, (const T *)(const void *)in + i, (T *)(void *)out + i, carry);
        }
#endif
    NAME(run_line)(s, in + i * s->in_step, out + i * s->out_step, n - i, carry);
}

#if BLOCKED
/* Blocks of one long line on several threads: first the totals, then the blocks. carry[b] is the
 * sum of all elements before block b, added in the same order as on one thread. */
static void NAME(totals)(void *context, int64_t begin, int64_t end)
{
    const struct scan *s = context;
    for (int64_t b = begin; b < end; b++)
        for (int64_t p = 0; p < SCAN_PARTS; p++)
            ((A *)s->carry)[b * SCAN_PARTS + p] = NAME(total)(
                s, (const T *)(const void *)s->lines.base[1] + b * SCAN_BLOCK + p * SCAN_PART);
}

static void NAME(blocks)(void *context, int64_t begin, int64_t end)
{
    const struct scan *s = context;
    for (int64_t b = begin; b < end; b++)
        NAME(sum_block)
    (s, (const T *)(const void *)s->lines.base[1] + b * SCAN_BLOCK,
     (T *)(void *)s->lines.base[0] + b * SCAN_BLOCK, ((const A *)s->carry)[b * SCAN_PARTS]);
}

static void NAME(long_line)(struct scan *s)
{
    int64_t blocks = s->n / SCAN_BLOCK;
    A *carry = s->carry, sum = 0;
    cti_parallel_for(blocks, 8, NAME(totals), s);
    for (int64_t i = 0; i < blocks * SCAN_PARTS; i++) {
        A part = carry[i];
        carry[i] = sum;
        sum += part;
    }
    cti_parallel_for(blocks, 8, NAME(blocks), s);
    NAME(sum_piece)
    (s->lines.base[1] + blocks * SCAN_BLOCK * s->in_step, s->in_step,
     s->lines.base[0] + blocks * SCAN_BLOCK * s->out_step, s->out_step, s->n - blocks * SCAN_BLOCK,
     sum);
}
#endif

/* Scans four lines in parallel, so that consecutive additions are independent. */
static void NAME(four)(const struct scan *s, const struct cti_line *line, int64_t in_line,
                       int64_t out_line)
{
    const int64_t n = s->n, in_step = s->in_step, out_step = s->out_step;
    const bool product = s->op == CTI_SCAN_PROD;
    const char *in = line->p[1];
    char *out = line->p[0];
    A a = product ? 1 : 0, b = a, c = a, d = a;
    for (int64_t i = 0; i < n; i++, in += in_step, out += out_step) {
        const A w = (A) * (const T *)(const void *)in;
        const A x = (A) * (const T *)(const void *)(in + in_line);
        const A y = (A) * (const T *)(const void *)(in + 2 * in_line);
        const A z = (A) * (const T *)(const void *)(in + 3 * in_line);
        a = product ? MUL(a, w) : a + w;
        b = product ? MUL(b, x) : b + x;
        c = product ? MUL(c, y) : c + y;
        d = product ? MUL(d, z) : d + z;
        *(T *)(void *)out = (T)a;
        *(T *)(void *)(out + out_line) = (T)b;
        *(T *)(void *)(out + 2 * out_line) = (T)c;
        *(T *)(void *)(out + 3 * out_line) = (T)d;
    }
}

#if !TILED
/* A tile of interleaved lines: each step along the dim is a row of independent additions. */
static void NAME(tile)(const struct scan *s, const char *in, char *out, int64_t width)
{
    A acc[COMPLEX_TILE];
    bool product = s->op == CTI_SCAN_PROD;
    for (int64_t j = 0; j < width; j++)
        acc[j] = product ? 1 : 0;
    for (int64_t i = 0; i < s->n && !cti_interrupted_at(i, 1024); i++) {
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
#endif

static void NAME(begin)(void *accs, int64_t n, bool product)
{
    for (int64_t i = 0; i < n; i++)
        ((A *)accs)[i] = product ? 1 : 0;
}

static const struct scan_loops NAME(loops) = {
    .line = NAME(line),
    .four = NAME(four),
    .begin = NAME(begin),
#if !TILED
    .tile = NAME(tile),
#endif
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
#undef TILED

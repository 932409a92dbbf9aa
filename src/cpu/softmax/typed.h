/* SPDX-License-Identifier: BSD-3-Clause */
/* Softmax, log_softmax, logsumexp and their derivatives for one type. loops.c includes this after
 * it has defined T, EXP, SCALE, LOG, INFINITE and NAME(x).
 *
 * With m the maximum of a line and s the sum of exp(x - m): softmax is exp(x - m) / s, log_softmax
 * is x - m - log(s), logsumexp is m + log(s). The search for m may ignore NaN, since a NaN element
 * makes s NaN anyway. EXP is e^x times SCALE; the factor cancels when s is used. The sum of a block
 * is formed in T over many lanes, the sum of blocks in double. */

/* ---- pieces of a line ---- */

/* The tail of a line, fewer than LANES elements, is processed in all lanes with a condition that
 * compiles to a mask. A separate loop over so few elements would be all prologue and epilogue. */

typedef T NAME(four) __attribute__((vector_size(4 * sizeof(T)), aligned(sizeof(T)), may_alias));

static inline T NAME(larger)(T a, T b)
{
    return a > b ? a : b;
}

/* `width` is a constant after inlining: a few vector instructions. */
static inline __attribute__((always_inline)) void NAME(halve)(T *lane, int64_t width)
{
    for (int64_t k = 0; k < width; k++)
        lane[k] = NAME(larger)(lane[k], lane[k + width]);
}

static T NAME(greatest)(const T *x, int64_t n)
{
    T lane[LANES];
    if (n < LANES) {
        for (int64_t k = 0; k < LANES; k++)
            lane[k] = k < n ? x[k] : -INFINITE;
    } else {
        for (int64_t k = 0; k < LANES; k++)
            lane[k] = NAME(larger)(x[k], x[n - LANES + k]);
    }
    for (int64_t i = LANES; i + LANES < n; i += LANES)
        for (int64_t k = 0; k < LANES; k++)
            lane[k] = NAME(larger)(x[i + k], lane[k]);
    NAME(halve)(lane, 16);
    NAME(halve)(lane, 8);
    NAME(halve)(lane, 4);
    NAME(halve)(lane, 2);
    NAME(halve)(lane, 1);
    return NAME(larger)(lane[0], -INFINITE); /* no NaN */
}

/* The sum of all lanes, as a tree. */
static inline T NAME(sum_lanes)(const T *lane)
{
    NAME(four) four[LANES / 4];
    memcpy(four, lane, sizeof four);
    for (int width = LANES / 8; width > 0; width /= 2)
        for (int k = 0; k < width; k++)
            four[k] += four[k + width];
    return (four[0][0] + four[0][2]) + (four[0][1] + four[0][3]);
}

/* e[i] = EXP(x[i] - m), and their sum; n <= BLOCK. */
static T NAME(exponentials)(T *e, const T *x, T m, int64_t n)
{
    T lane[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        CT_IVDEP
        for (int64_t k = 0; k < LANES; k++) {
            T v = EXP(x[i + k] - m);
            e[i + k] = v;
            lane[k] += v;
        }
    }
    if (i < n) {
        CT_IVDEP
        for (int64_t k = 0; k < LANES; k++) {
            T v = EXP((k < n - i ? x[i + k] : 0) - m);
            lane[k] += k < n - i ? v : 0;
            if (k < n - i)
                e[i + k] = v;
        }
    }
    return NAME(sum_lanes)(lane);
}

static T NAME(sum_products)(const T *a, const T *b, int64_t n)
{
    T lane[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int64_t k = 0; k < LANES; k++)
            lane[k] += a[i + k] * b[i + k];
    if (i < n)
        for (int64_t k = 0; k < LANES; k++)
            lane[k] += k < n - i ? a[i + k] * b[i + k] : 0;
    return NAME(sum_lanes)(lane);
}

static T NAME(sum)(const T *a, int64_t n)
{
    T lane[LANES], rest = 0;
    int64_t i = LANES;
    if (n < LANES) {
        for (int64_t k = 0; k < n; k++)
            rest += a[k];
        return rest;
    }
    for (int64_t k = 0; k < LANES; k++)
        lane[k] = a[k];
    for (; i + LANES <= n; i += LANES)
        for (int64_t k = 0; k < LANES; k++)
            lane[k] += a[i + k];
    if (i < n)
        for (int64_t k = 0; k < LANES; k++)
            lane[k] += k < n - i ? a[i + k] : 0;
    return NAME(sum_lanes)(lane);
}

/* logsumexp of a line whose maximum is infinite: the maximum or NaN. */
static T NAME(infinite)(const T *x, int64_t n, int64_t step, T most)
{
    for (int64_t i = 0; i < n; i++)
        most = x[i * step] == x[i * step] ? most : x[i * step];
    return most;
}

static bool NAME(is_infinite)(T x)
{
    return x == INFINITE || x == -INFINITE;
}

/* ---- contiguous lines ---- */

/* Writes the exponentials of a line with maximum m to `out` (softmax). Returns the factor for its
 * elements, or the logarithm of the sum. */
static T NAME(weigh)(enum cti_softmax_op op, T *out, const T *x, T m, int64_t n)
{
    T room[BLOCK];
    double total = 0;
    for (int64_t i = 0; i < n && !cti_interrupted_at(i / BLOCK, 128); i += BLOCK) {
        T *e = op == CTI_SOFTMAX ? out + i : room;
        total += (double)NAME(exponentials)(e, x + i, m, n - i < BLOCK ? n - i : BLOCK);
    }
    return op == CTI_SOFTMAX ? (T)(1 / total) : LOG((T)(total / SCALE));
}

static void NAME(finish_line)(enum cti_softmax_op op, T *out, const T *x, T m, T by, int64_t n)
{
    if (op == CTI_SOFTMAX) {
        CT_IVDEP
        for (int64_t i = 0; i < n; i++)
            out[i] *= by;
    } else if (op == CTI_LOG_SOFTMAX) {
        CT_IVDEP
        for (int64_t i = 0; i < n; i++)
            out[i] = x[i] - m - by;
    } else {
        *out = NAME(is_infinite)(m) ? NAME(infinite)(x, n, 1, m) : m + by;
    }
}

/* Searches for the maximum of the next line while the sum of this one is computed, so that the long
 * dependency chains at the end of a line overlap with other work. */
static void NAME(forward_lines)(enum cti_softmax_op op, T *out, const T *x, int64_t n,
                                int64_t lines)
{
    int64_t out_n = op == CTI_LOGSUMEXP ? 1 : n;
    T m = NAME(greatest)(x, n);
    for (int64_t l = 0; l < lines; l++, x += n, out += out_n) {
        T by = NAME(weigh)(op, out, x, m, n);
        T next = l + 1 < lines ? NAME(greatest)(x + n, n) : m;
        NAME(finish_line)(op, out, x, m, by, n);
        m = next;
    }
}

/* Processes as many short lines as fill a block: the exponentials of all lines are computed
 * together, and the sums of lines are independent of each other. */
static void NAME(forward_block)(enum cti_softmax_op op, T *out, const T *x, int64_t n,
                                int64_t lines)
{
    T room[8192 / sizeof(T)], base[8192 / sizeof(T)], by[8192 / sizeof(T)];
    T *apart = op == CTI_LOGSUMEXP ? room : out, *e = op == CTI_SOFTMAX ? out : room;
    for (int64_t l = 0; l < lines; l++) {
        const T *line = x + l * n;
        base[l] = NAME(greatest)(line, n);
        for (int64_t i = 0; i < n; i++)
            apart[l * n + i] = line[i] - base[l];
    }
    CT_IVDEP
    for (int64_t i = 0; i < lines * n; i++)
        e[i] = EXP(apart[i]);
    for (int64_t l = 0; l < lines; l++)
        by[l] = NAME(sum)(e + l * n, n);
    CT_IVDEP
    for (int64_t l = 0; l < lines; l++)
        by[l] = op == CTI_SOFTMAX ? 1 / by[l] : LOG(by[l] / (T)SCALE);
    for (int64_t l = 0; l < lines; l++) {
        T *line = out + l * n;
        if (op == CTI_LOGSUMEXP)
            out[l] = NAME(is_infinite)(base[l]) ? NAME(infinite)(x + l * n, n, 1, base[l])
                                                : base[l] + by[l];
        else if (op == CTI_SOFTMAX)
            for (int64_t i = 0; i < n; i++)
                line[i] *= by[l];
        else
            for (int64_t i = 0; i < n; i++)
                line[i] -= by[l];
    }
}

/* softmax: (grad - sum(grad y)) y. log_softmax: grad - exp(y) sum(grad). y is the result of
 * forward. */
static void NAME(backward_line)(enum cti_softmax_op op, T *out, const T *y, const T *grad,
                                int64_t n)
{
    double total = 0;
    for (int64_t i = 0; i < n; i += BLOCK) {
        int64_t part = n - i < BLOCK ? n - i : BLOCK;
        total += (double)(op == CTI_SOFTMAX_BACKWARD ? NAME(sum_products)(grad + i, y + i, part)
                                                     : NAME(sum)(grad + i, part));
    }
    T s = (T)(op == CTI_SOFTMAX_BACKWARD ? total : total / SCALE);
    if (op == CTI_SOFTMAX_BACKWARD) {
        CT_IVDEP
        for (int64_t i = 0; i < n; i++)
            out[i] = (grad[i] - s) * y[i];
    } else {
        CT_IVDEP
        for (int64_t i = 0; i < n; i++)
            out[i] = grad[i] - EXP(y[i]) * s;
    }
}

static void NAME(lines)(const struct cti_softmax_run *run, int64_t lines)
{
    int64_t n = run->n, out_n = run->op == CTI_LOGSUMEXP ? 1 : n;
    const T *in = run->in, *grad = run->grad;
    T *out = run->out;
    if (grad) {
        for (int64_t l = 0; l < lines; l++)
            NAME(backward_line)(run->op, out + l * n, in + l * n, grad + l * n, n);
    } else if (n > SHORT || n == 0) {
        NAME(forward_lines)(run->op, out, in, n, lines);
    } else {
        int64_t step = SHARED / n;
        for (int64_t l = 0; l < lines; l += step)
            NAME(forward_block)
        (run->op, out + l * out_n, in + l * n, n, lines - l < step ? lines - l : step);
    }
}

/* ---- interleaved lines ---- */

static void NAME(forward_columns)(const struct cti_softmax_run *run, int64_t width)
{
    enum cti_softmax_op op = run->op;
    const T *in = run->in;
    int64_t n = run->n, inner = run->inner;
    T *out = run->out, m[COLUMNS], by[COLUMNS], room[COLUMNS];
    double total[COLUMNS];
    for (int64_t i = 0; i < width; i++)
        m[i] = -INFINITE;
    for (int64_t r = 0; r < n; r++) {
        const T *x = in + r * inner;
        CT_IVDEP
        for (int64_t i = 0; i < width; i++)
            m[i] = x[i] > m[i] ? x[i] : m[i];
    }
    for (int64_t i = 0; i < width; i++)
        total[i] = 0;
    for (int64_t r = 0; r < n && !cti_interrupted_at(r, 4096); r++) {
        const T *x = in + r * inner;
        T *e = op == CTI_SOFTMAX ? out + r * inner : room;
        CT_IVDEP
        for (int64_t i = 0; i < width; i++)
            e[i] = EXP(x[i] - m[i]);
        for (int64_t i = 0; i < width; i++)
            total[i] += (double)e[i];
    }
    for (int64_t i = 0; i < width; i++)
        by[i] = op == CTI_SOFTMAX ? (T)(1 / total[i]) : LOG((T)(total[i] / SCALE));
    for (int64_t r = 0; r < n && op != CTI_LOGSUMEXP; r++) {
        const T *x = in + r * inner;
        T *y = out + r * inner;
        if (op == CTI_SOFTMAX) {
            CT_IVDEP
            for (int64_t i = 0; i < width; i++)
                y[i] *= by[i];
        } else {
            CT_IVDEP
            for (int64_t i = 0; i < width; i++)
                y[i] = x[i] - m[i] - by[i];
        }
    }
    for (int64_t i = 0; i < width && op == CTI_LOGSUMEXP; i++)
        out[i] = NAME(is_infinite)(m[i]) ? NAME(infinite)(in + i, n, inner, m[i]) : m[i] + by[i];
}

static void NAME(backward_columns)(const struct cti_softmax_run *run, int64_t width)
{
    bool plain = run->op == CTI_SOFTMAX_BACKWARD;
    int64_t n = run->n, inner = run->inner;
    double total[COLUMNS];
    T s[COLUMNS];
    for (int64_t i = 0; i < width; i++)
        total[i] = 0;
    for (int64_t r = 0; r < n; r++) {
        const T *y = (const T *)run->in + r * inner, *grad = (const T *)run->grad + r * inner;
        if (plain)
            for (int64_t i = 0; i < width; i++)
                total[i] += (double)(grad[i] * y[i]);
        else
            for (int64_t i = 0; i < width; i++)
                total[i] += (double)grad[i];
    }
    for (int64_t i = 0; i < width; i++)
        s[i] = (T)(plain ? total[i] : total[i] / SCALE);
    for (int64_t r = 0; r < n; r++) {
        const T *y = (const T *)run->in + r * inner, *grad = (const T *)run->grad + r * inner;
        T *out = (T *)run->out + r * inner;
        if (plain) {
            CT_IVDEP
            for (int64_t i = 0; i < width; i++)
                out[i] = (grad[i] - s[i]) * y[i];
        } else {
            CT_IVDEP
            for (int64_t i = 0; i < width; i++)
                out[i] = grad[i] - EXP(y[i]) * s[i];
        }
    }
}

static void NAME(columns)(const struct cti_softmax_run *run, int64_t lines)
{
    if (run->grad)
        NAME(backward_columns)(run, lines);
    else
        NAME(forward_columns)(run, lines);
}

#undef T
#undef EXP
#undef SCALE
#undef LOG
#undef INFINITE
#undef NAME

/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops over rows of a step (Note [Recurrence] in core/recur.h) for one type. loops.c includes
 * this after it has defined T, SIGMOID, TANH and NAME(x). */

static void NAME(forward_plain)(const struct cti_recur_rows *r)
{
    bool relu = r->kind == CTI_RECUR_RELU;
    for (int64_t i = 0; i < r->rows; i++) {
        const T *s = (const T *)r->sums + i * r->sum_row;
        T *g = (T *)r->gates + i * r->hidden, *out = (T *)r->out + i * r->out_row;
        CT_IVDEP
        for (int64_t j = 0; j < r->units; j++) {
            T v = g[j] + s[j];
            v = relu ? (v < 0 ? 0 : v) : TANH(v);
            g[j] = v;
            out[j] = v;
        }
    }
}

static void NAME(forward_lstm)(const struct cti_recur_rows *r)
{
    for (int64_t i = 0; i < r->rows; i++) {
        const T *s0 = (const T *)r->sums + i * r->sum_row, *s1 = s0 + r->gate_next;
        const T *s2 = s1 + r->gate_next, *s3 = s2 + r->gate_next;
        T *g0 = (T *)r->gates + i * 4 * r->hidden, *g1 = g0 + r->hidden, *g2 = g1 + r->hidden;
        T *g3 = g2 + r->hidden, *c = (T *)r->c + i * r->hidden;
        T *kept = (T *)r->extra + i * r->hidden, *out = (T *)r->out + i * r->out_row;
        CT_IVDEP
        for (int64_t j = 0; j < r->units; j++) {
            T in = SIGMOID(g0[j] + s0[j]), forget = SIGMOID(g1[j] + s1[j]);
            T fresh = TANH(g2[j] + s2[j]), open = SIGMOID(g3[j] + s3[j]);
            T cell = forget * c[j] + in * fresh;
            g0[j] = in;
            g1[j] = forget;
            g2[j] = fresh;
            g3[j] = open;
            c[j] = cell;
            kept[j] = cell;
            out[j] = open * TANH(cell);
        }
    }
}

static void NAME(forward_gru)(const struct cti_recur_rows *r)
{
    const T *bias = r->bias;
    for (int64_t i = 0; i < r->rows; i++) {
        const T *s0 = (const T *)r->sums + i * r->sum_row, *s1 = s0 + r->gate_next;
        const T *s2 = s1 + r->gate_next, *h = (const T *)r->h + i * r->h_row;
        T *g0 = (T *)r->gates + i * 3 * r->hidden, *g1 = g0 + r->hidden, *g2 = g1 + r->hidden;
        T *kept = (T *)r->extra + i * r->hidden, *out = (T *)r->out + i * r->out_row;
        CT_IVDEP
        for (int64_t j = 0; j < r->units; j++) {
            T reset = SIGMOID(g0[j] + s0[j]), stay = SIGMOID(g1[j] + s1[j]);
            T last = s2[j] + (bias ? bias[j] : 0), fresh = TANH(g2[j] + reset * last);
            g0[j] = reset;
            g1[j] = stay;
            g2[j] = fresh;
            kept[j] = last;
            out[j] = (h[j] - fresh) * stay + fresh;
        }
    }
}

static void NAME(forward)(const struct cti_recur_rows *r)
{
    if (r->kind == CTI_RECUR_LSTM)
        NAME(forward_lstm)(r);
    else if (r->kind == CTI_RECUR_GRU)
        NAME(forward_gru)(r);
    else
        NAME(forward_plain)(r);
}

/* Backward, one row. */
static void NAME(backward_plain)(const struct cti_recur_rows *r)
{
    const T *h = r->gates, *grad = r->grad_out;
    T *g = r->grad_gates;
    bool relu = r->kind == CTI_RECUR_RELU;
    CT_IVDEP
    for (int64_t j = 0; j < r->units; j++)
        g[j] = relu ? (h[j] > 0 ? grad[j] : 0) : grad[j] * (1 - h[j] * h[j]);
}

static void NAME(backward_lstm)(const struct cti_recur_rows *r)
{
    int64_t n = r->hidden;
    const T *in = r->gates, *forget = in + n, *fresh = forget + n, *open = fresh + n;
    const T *cell = r->extra, *old = r->before, *grad = r->grad_out;
    T *to = r->grad_gates, *grad_c = r->grad_c, *unprojected = r->unprojected;
    CT_IVDEP
    for (int64_t j = 0; j < n; j++) {
        T t = TANH(cell[j]), i = in[j], f = forget[j], g = fresh[j], o = open[j];
        T by_cell = grad_c[j] + grad[j] * o * (1 - t * t);
        to[j] = by_cell * g * i * (1 - i);
        to[n + j] = by_cell * old[j] * f * (1 - f);
        to[2 * n + j] = by_cell * i * (1 - g * g);
        to[3 * n + j] = grad[j] * t * o * (1 - o);
        grad_c[j] = by_cell * f;
    }
    if (unprojected)
        CT_IVDEP
    for (int64_t j = 0; j < n; j++)
        unprojected[j] = open[j] * TANH(cell[j]);
}

static void NAME(backward_gru)(const struct cti_recur_rows *r)
{
    int64_t n = r->hidden;
    const T *reset = r->gates, *stay = reset + n, *fresh = stay + n;
    const T *last = r->extra, *h = r->before, *grad = r->grad_out;
    T *to = r->grad_gates, *inputs = r->grad_last, *keep = r->keep;
    CT_IVDEP
    for (int64_t j = 0; j < n; j++) {
        T z = stay[j], q = reset[j], m = fresh[j];
        T by_fresh = grad[j] * (1 - z) * (1 - m * m);
        to[j] = by_fresh * last[j] * q * (1 - q);
        to[n + j] = grad[j] * (h[j] - m) * z * (1 - z);
        to[2 * n + j] = by_fresh * q;
        inputs[j] = by_fresh;
        keep[j] = grad[j] * z;
    }
}

static void NAME(backward)(const struct cti_recur_rows *r)
{
    if (r->kind == CTI_RECUR_LSTM)
        NAME(backward_lstm)(r);
    else if (r->kind == CTI_RECUR_GRU)
        NAME(backward_gru)(r);
    else
        NAME(backward_plain)(r);
}

static void NAME(add)(void *out, const void *a, const void *b, int64_t n)
{
    T *to = out;
    const T *x = a, *y = b;
    CT_IVDEP
    for (int64_t j = 0; j < n; j++)
        to[j] = x ? x[j] + y[j] : y[j];
}

static void NAME(multiply)(void *sums, int64_t sum_row, const void *a, int64_t a_row, int64_t rows,
                           const void *panel, int64_t k, int64_t width)
{
    for (int64_t i = 0; i < rows; i++) {
        T *s = (T *)sums + i * sum_row;
        const T *x = (const T *)a + i * a_row, *w = panel;
        for (int64_t j = 0; j < width; j++)
            s[j] = 0;
        for (int64_t p = 0; p < k; p++, w += width)
            CT_IVDEP
        for (int64_t j = 0; j < width; j++)
            s[j] += x[p] * w[j];
    }
}

extern const struct cti_recur_loops CTI_ISA_NAME(NAME(cti_recur));
const struct cti_recur_loops CTI_ISA_NAME(NAME(cti_recur)) = {NAME(forward), NAME(backward),
                                                              NAME(add), NAME(multiply)};

#undef T
#undef SIGMOID
#undef TANH
#undef NAME

/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over windows (average pooling, interpolation) for one type, included by loops.c after T and
 * NAME(x).
 *
 * Separable: adds up the input rows that the windows of a result row cover, vectorised along the
 * row, then neighbours along the row. Channels-last (`inner`), both steps are vectorised over
 * channels. A single row with weight 1 is read in place. */

/* buf[s * m + j] = the sum over depth and height of in[..., first + s, c + j], s < span, j < m. */
static const T *NAME(add_rows)(const struct cti_window *w, const T *in, int64_t od, int64_t oh,
                               int64_t first, int64_t span, int64_t c, int64_t m, T *buf)
{
    const struct cti_window_dim *D = &w->dim[0], *H = &w->dim[1], *W = &w->dim[2];
    int64_t inner = w->inner, run = m == inner ? span * m : m, runs = m == inner ? 1 : span;
    bool begun = false;
    for (int64_t kd = 0; kd < D->count[od]; kd++)
        for (int64_t kh = 0; kh < H->count[oh]; kh++) {
            int64_t d = D->start[od] + kd * D->step, h = H->start[oh] + kh * H->step;
            const T *x = in + ((d * H->in + h) * W->in + first) * inner + c;
            double by = (D->weight ? D->weight[od * D->width + kd] : 1) *
                        (H->weight ? H->weight[oh * H->width + kh] : 1);
            T t = (T)by;
            if (by == 1 && runs == 1 && D->count[od] * H->count[oh] == 1)
                return x;
            for (int64_t r = 0; r < runs; r++, x += inner) {
                T *y = buf + r * run;
                if (!begun) {
                    CT_IVDEP
                    for (int64_t i = 0; i < run; i++)
                        y[i] = t * x[i];
                } else {
                    CT_IVDEP
                    for (int64_t i = 0; i < run; i++)
                        y[i] += t * x[i];
                }
            }
            begun = true;
        }
    if (!begun)
        memset(buf, 0, (size_t)(span * m) * sizeof *buf);
    return buf;
}

/* Windows of `width` neighbours with a constant stride. */
static inline __attribute__((always_inline)) void
NAME(add_regular)(T *out, const T *x, int64_t n, int64_t stride, int64_t step, int64_t width)
{
    CT_IVDEP
    for (int64_t i = 0; i < n; i++)
        out[i] = x[i * stride];
    for (int64_t k = 1; k < width; k++) {
        CT_IVDEP
        for (int64_t i = 0; i < n; i++)
            out[i] += x[i * stride + k * step];
    }
}

/* Windows of one element, or of two with weights: linear interpolation. */
static void NAME(add_few)(const struct cti_window_dim *W, T *out, const T *x, int64_t o,
                          int64_t end, int64_t first)
{
    const double *by = W->weight;
    for (; o < end && W->width == 1; o++) {
        T v = W->count[o] ? x[W->start[o] - first] : 0;
        out[o] = by ? (T)by[o] * v : v;
    }
    for (; o < end; o++) {
        const T *at = x + (W->count[o] ? W->start[o] - first : 0);
        T v = W->count[o] ? (T)by[2 * o] * at[0] : 0;
        bool two = W->count[o] > 1 || W->always_two;
        out[o] = two ? v + (T)by[2 * o + 1] * at[W->count[o] > 1] : v;
    }
}

/* Computes elements [o, end) of a row from the sums of rows, which begin at column `first`. */
static void NAME(add_along)(const struct cti_window_run *r, T *out, const T *x, int64_t o,
                            int64_t end, int64_t first, int64_t m)
{
    const struct cti_window_dim *W = &r->work->dim[2];
    int64_t inner = r->work->inner;
    if (m == 1 && inner == 1 && (W->width == 1 || (W->width == 2 && W->weight))) {
        NAME(add_few)(W, out, x, o, end, first);
        return;
    }
    while (o < end) {
        const T *at = x + (W->start[o] - first) * m;
        if (m == 1 && inner == 1 && !W->weight && o >= r->from && o < r->to) {
            int64_t n = (end < r->to ? end : r->to) - o;
            if (r->stride == 1)
                NAME(add_regular)(out + o, at, n, 1, W->step, W->width);
            else if (r->stride == 2)
                NAME(add_regular)(out + o, at, n, 2, W->step, W->width);
            else
                NAME(add_regular)(out + o, at, n, r->stride, W->step, W->width);
            o += n;
            continue;
        }
        T *y = out + o * inner;
        const double *by = W->weight ? W->weight + o * W->width : NULL;
        if (m == 1) {
            T sum = 0;
            for (int64_t k = 0; k < W->count[o]; k++)
                sum += by ? (T)by[k] * at[k * W->step] : at[k * W->step];
            *y = sum;
        } else {
            for (int64_t j = 0; j < m; j++)
                y[j] = 0;
            for (int64_t k = 0; k < W->count[o]; k++) {
                const T *line = at + k * W->step * m;
                T t = by ? (T)by[k] : 1;
                CT_IVDEP
                for (int64_t j = 0; j < m; j++)
                    y[j] += t * line[j];
            }
        }
        o++;
    }
}

/* Computes a window wider than the buffer, element by element. */
static void NAME(add_wide)(const struct cti_window *w, T *out, const T *in, int64_t od, int64_t oh,
                           int64_t o, int64_t c, int64_t m)
{
    const struct cti_window_dim *D = &w->dim[0], *H = &w->dim[1], *W = &w->dim[2];
    for (int64_t j = 0; j < m; j++) {
        double sum = 0;
        for (int64_t kd = 0; kd < D->count[od]; kd++)
            for (int64_t kh = 0; kh < H->count[oh]; kh++) {
                int64_t d = D->start[od] + kd * D->step, h = H->start[oh] + kh * H->step;
                const T *x = in + ((d * H->in + h) * W->in + W->start[o]) * w->inner + c + j;
                double by = (D->weight ? D->weight[od * D->width + kd] : 1) *
                            (H->weight ? H->weight[oh * H->width + kh] : 1),
                       line = 0;
                for (int64_t k = 0; k < W->count[o]; k++)
                    line += (W->weight ? W->weight[o * W->width + k] : 1) *
                            (double)x[k * W->step * w->inner];
                sum += by * line;
            }
        out[j] = (T)sum;
    }
}

static void NAME(divide)(const struct cti_window *w, T *out, int64_t od, int64_t oh)
{
    const struct cti_window_dim *D = &w->dim[0], *H = &w->dim[1], *W = &w->dim[2];
    int64_t outside = (D->divisor ? D->divisor[od] : 1) * (H->divisor ? H->divisor[oh] : 1);
    if (!W->divisor && outside == 1)
        return;
    for (int64_t o = 0; o < W->out; o++) {
        T by = (T)(outside * (W->divisor ? W->divisor[o] : 1));
        for (int64_t j = 0; j < w->inner; j++)
            out[o * w->inner + j] /= by;
    }
}

static void NAME(sum_row)(const struct cti_window_run *r, int64_t plane, int64_t od, int64_t oh)
{
    const struct cti_window *w = r->work;
    const struct cti_window_dim *D = &w->dim[0], *H = &w->dim[1], *W = &w->dim[2];
    int64_t inner = w->inner;
    const T *in = (const T *)r->in + plane * D->in * H->in * W->in * inner;
    T *out = (T *)r->out + ((plane * D->out + od) * H->out + oh) * W->out * inner, room[ROOM];
    int64_t most = inner < ROOM / 8 ? inner : ROOM / 8;
    for (int64_t c = 0; c < inner; c += most) {
        int64_t m = inner - c < most ? inner - c : most, o = 0;
        while (o < W->out) {
            int64_t first, span, end = tile(W, o, W->out, ROOM / m, &first, &span);
            if (end == o) {
                NAME(add_wide)(w, out + o * inner + c, in, od, oh, o, c, m);
                o++;
                continue;
            }
            const T *x = NAME(add_rows)(w, in, od, oh, first, span, c, m, room);
            NAME(add_along)(r, out + c, x, o, end, first, m);
            o = end;
        }
    }
    NAME(divide)(w, out, od, oh);
}

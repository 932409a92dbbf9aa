/* SPDX-License-Identifier: BSD-3-Clause */
/* Max pooling for one type, included by loops.c after T, INDEX (an integer as wide), IS_NAN and
 * NAME(x).
 *
 * Separable, like sums: first over the rows that a window covers, vectorised along the row, then
 * along the row, carrying the row of each maximum. Of equal elements the first in input order wins;
 * if there are NaNs, the last one wins. */

static inline bool NAME(beats)(T v, T best)
{
    return v > best || IS_NAN(v);
}

/* Compares LANES elements of row `row` with the maxima so far. Comparing an element twice is
 * harmless. */
static inline __attribute__((always_inline)) void
NAME(compare_lanes)(T *restrict y, INDEX *restrict at, const T *restrict x, INDEX row)
{
    CT_ALONG
    for (int i = 0; i < LANES; i++) {
        bool better = NAME(beats)(x[i], y[i]);
        at[i] = better ? row : at[i];
        y[i] = better ? x[i] : y[i];
    }
}

/* The maxima over depth and height of columns first + s, s < span, and their rows, numbered over
 * depth * height. */
static void NAME(max_rows)(const struct cti_window *w, const T *in, int64_t od, int64_t oh,
                           int64_t first, int64_t span, int64_t c, int64_t m, T *best, INDEX *where)
{
    const struct cti_window_dim *D = &w->dim[0], *H = &w->dim[1], *W = &w->dim[2];
    int64_t inner = w->inner, run = m == inner ? span * m : m, runs = m == inner ? 1 : span;
    bool begun = false;
    for (int64_t kd = 0; kd < D->count[od]; kd++)
        for (int64_t kh = 0; kh < H->count[oh]; kh++) {
            int64_t d = D->start[od] + kd * D->step, h = H->start[oh] + kh * H->step;
            const T *x = in + ((d * H->in + h) * W->in + first) * inner + c;
            INDEX row = (INDEX)(d * H->in + h);
            for (int64_t r = 0; r < runs; r++, x += inner) {
                T *y = best + r * run;
                INDEX *at = where ? where + r * run : NULL;
                if (!begun) {
                    memcpy(y, x, (size_t)run * sizeof *y);
                    for (int64_t i = 0; at && i < run; i++)
                        at[i] = row;
                } else if (at && run >= LANES) {
                    for (int64_t i = 0; i < run - LANES; i += LANES)
                        NAME(compare_lanes)(y + i, at + i, x + i, row);
                    int64_t last = run - LANES; /* overlaps the vector before */
                    NAME(compare_lanes)(y + last, at + last, x + last, row);
                } else if (at) {
                    CT_IVDEP
                    for (int64_t i = 0; i < run; i++) {
                        bool better = NAME(beats)(x[i], y[i]);
                        at[i] = better ? row : at[i];
                        y[i] = better ? x[i] : y[i];
                    }
                } else {
                    CT_IVDEP
                    for (int64_t i = 0; i < run; i++)
                        y[i] = NAME(beats)(x[i], y[i]) ? x[i] : y[i];
                }
            }
            begun = true;
        }
}

/* Windows with a constant stride, without indices. */
static inline __attribute__((always_inline)) void
NAME(max_regular)(T *out, const T *x, int64_t n, int64_t stride, int64_t step, int64_t width)
{
    CT_IVDEP
    for (int64_t i = 0; i < n; i++)
        out[i] = x[i * stride];
    for (int64_t k = 1; k < width; k++) {
        CT_IVDEP
        for (int64_t i = 0; i < n; i++) {
            T v = x[i * stride + k * step];
            out[i] = NAME(beats)(v, out[i]) ? v : out[i];
        }
    }
}

#define COUNT 8
#define EVEN 0, 2, 4, 6, 8, 10, 12, 14
#define ODD 1, 3, 5, 7, 9, 11, 13, 15
#define OF(x) NAME(x##_8)
#include "cpu/window/max_lanes.h"

#define COUNT 4
#define EVEN 0, 2, 4, 6
#define ODD 1, 3, 5, 7
#define OF(x) NAME(x##_4)
#include "cpu/window/max_lanes.h"

static void NAME(pick_one)(const struct cti_window_dim *W, T *out, int64_t *index, const T *x,
                           const INDEX *where, int64_t o, int64_t first, int64_t m, int64_t j)
{
    int64_t begin = W->start[o] - first, row = where ? where[begin * m + j] : 0, at = 0;
    T best = x[begin * m + j];
    for (int64_t k = 1; k < W->count[o]; k++) {
        int64_t e = (begin + k * W->step) * m + j, other = where ? where[e] : 0;
        T v = x[e];
        bool better =
            IS_NAN(v) ? !IS_NAN(best) || other >= row : v > best || (v == best && other < row);
        best = better ? v : best;
        row = better ? other : row;
        at = better ? k : at;
    }
    *out = best;
    if (index)
        *index = row * W->in + W->start[o] + at * W->step;
}

/* Computes one window of m <= ROOM / 8 interleaved lines, one line in each lane. */
static void NAME(max_lines)(const struct cti_window_dim *W, T *out, int64_t *index, const T *x,
                            const INDEX *where, int64_t o, int64_t first, int64_t m)
{
    int64_t begin = W->start[o] - first;
    INDEX row[ROOM / 8], at[ROOM / 8];
    memcpy(out, x + begin * m, (size_t)m * sizeof *out);
    for (int64_t j = 0; j < m && index; j++) {
        row[j] = where[begin * m + j];
        at[j] = 0;
    }
    for (int64_t k = 1; k < W->count[o]; k++) {
        const T *line = x + (begin + k * W->step) * m;
        const INDEX *rows = where ? where + (begin + k * W->step) * m : NULL;
        if (!index) {
            CT_IVDEP
            for (int64_t j = 0; j < m; j++)
                out[j] = NAME(beats)(line[j], out[j]) ? line[j] : out[j];
            continue;
        }
        CT_IVDEP
        for (int64_t j = 0; j < m; j++) {
            T v = line[j], best = out[j];
            bool later = IS_NAN(v) && (!IS_NAN(best) || rows[j] >= row[j]);
            bool better = later | (v > best) | ((v == best) & (rows[j] < row[j]));
            out[j] = better ? v : best;
            row[j] = better ? rows[j] : row[j];
            at[j] = better ? (INDEX)k : at[j];
        }
    }
    for (int64_t j = 0; j < m && index; j++)
        index[j] = (int64_t)row[j] * W->in + W->start[o] + (int64_t)at[j] * W->step;
}

static void NAME(max_along)(const struct cti_window_run *r, T *out, int64_t *index, const T *x,
                            const INDEX *where, int64_t o, int64_t end, int64_t first, int64_t m)
{
    const struct cti_window_dim *W = &r->work->dim[2];
    int64_t inner = r->work->inner;
    while (o < end) {
        int64_t begin = W->start[o] - first;
        if (m == 1 && inner == 1 && o >= r->from && o < r->to) {
            int64_t n = (end < r->to ? end : r->to) - o;
            for (int64_t i = o; index && i < o + n; i++)
                NAME(pick_one)(W, out + i, index + i, x, where, i, first, 1, 0);
            if (!index && r->stride == 1)
                NAME(max_regular)(out + o, x + begin, n, 1, W->step, W->width);
            else if (!index && r->stride == 2)
                NAME(max_regular)(out + o, x + begin, n, 2, W->step, W->width);
            else if (!index)
                NAME(max_regular)(out + o, x + begin, n, r->stride, W->step, W->width);
            o += n;
            continue;
        }
        int64_t *to = index ? index + o * inner : NULL;
        if (m > 1)
            NAME(max_lines)(W, out + o * inner, to, x, where, o, first, m);
        else
            NAME(pick_one)(W, out + o * inner, to, x, where, o, first, 1, 0);
        o++;
    }
}

/* Computes a window wider than the buffer, element by element. */
static void NAME(max_wide)(const struct cti_window *w, T *out, int64_t *index, const T *in,
                           int64_t od, int64_t oh, int64_t o, int64_t c, int64_t m)
{
    const struct cti_window_dim *D = &w->dim[0], *H = &w->dim[1], *W = &w->dim[2];
    for (int64_t j = 0; j < m; j++) {
        int64_t at = (D->start[od] * H->in + H->start[oh]) * W->in + W->start[o];
        T best = in[at * w->inner + c + j];
        for (int64_t kd = 0; kd < D->count[od]; kd++)
            for (int64_t kh = 0; kh < H->count[oh]; kh++)
                for (int64_t k = 0; k < W->count[o]; k++) {
                    int64_t d = D->start[od] + kd * D->step, h = H->start[oh] + kh * H->step;
                    int64_t e = (d * H->in + h) * W->in + W->start[o] + k * W->step;
                    T v = in[e * w->inner + c + j];
                    at = NAME(beats)(v, best) ? e : at;
                    best = NAME(beats)(v, best) ? v : best;
                }
        out[j] = best;
        if (index)
            index[j] = at;
    }
}

/* Elements [o, stop) of a row of the result, using the buffer. */
static void NAME(max_part)(const struct cti_window_run *r, T *out, int64_t *index, const T *in,
                           int64_t od, int64_t oh, int64_t o, int64_t stop)
{
    const struct cti_window *w = r->work;
    int64_t inner = w->inner, most = inner < ROOM / 8 ? inner : ROOM / 8, from = o;
    T room[ROOM];
    INDEX rows[ROOM], *where = index ? rows : NULL;
    for (int64_t c = 0; c < inner; c += most) {
        int64_t m = inner - c < most ? inner - c : most;
        for (o = from; o < stop;) {
            int64_t first, span, end = tile(&w->dim[2], o, stop, ROOM / m, &first, &span);
            int64_t *to = index ? index + c : NULL;
            if (end == o) {
                NAME(max_wide)
                (w, out + o * inner + c, to ? to + o * inner : NULL, in, od, oh, o, c, m);
                o++;
                continue;
            }
            NAME(max_rows)(w, in, od, oh, first, span, c, m, room, where);
            NAME(max_along)(r, out + c, to, room, where, o, end, first, m);
            o = end;
        }
    }
}

static void NAME(max_row)(const struct cti_window_run *r, int64_t plane, int64_t od, int64_t oh)
{
    const struct cti_window *w = r->work;
    const struct cti_window_dim *D = &w->dim[0], *H = &w->dim[1], *W = &w->dim[2];
    int64_t inner = w->inner, at = ((plane * D->out + od) * H->out + oh) * W->out * inner;
    const T *in = (const T *)r->in + plane * D->in * H->in * W->in * inner;
    T *out = (T *)r->out + at;
    int64_t *index = r->index ? r->index + at : NULL;
    bool pairs = index && inner == 1 && r->stride == 2 && W->step == 1 && r->to - r->from >= 4 &&
                 (W->width == 2 || W->width == 3) && D->count[od] == 1 &&
                 H->count[oh] * H->step < INT32_MAX / W->in;
    if (!pairs) {
        NAME(max_part)(r, out, index, in, od, oh, 0, W->out);
        return;
    }
    int64_t n = r->to - r->from, next = H->step * W->in;
    int64_t first = (D->start[od] * H->in + H->start[oh]) * W->in + W->start[r->from];
    struct cti_pick pick = {H->count[oh], next, W->width};
    if (n >= 8)
        NAME(pick_8)(out + r->from, index + r->from, in + first, n, pick, first);
    else
        NAME(pick_4)(out + r->from, index + r->from, in + first, n, pick, first);
    NAME(max_part)(r, out, index, in, od, oh, 0, r->from);
    NAME(max_part)(r, out, index, in, od, oh, r->to, W->out);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs panels of the implicit im2col matrix; see gather.h. Contiguous runs are copied: positions
 * along a row of the image, or the channels of one position. Runs along the width of the panel that
 * need no conversion are written straight into it; other runs go through a small buffer that pack.c
 * packs. Called by pack.c; compiled once for each instruction set. */
#include "cpu/gemm/gather.h"
#include "cpu/gemm/pack.h"

#include "core/tensor.h"
#include "cpu/simd/gather.h"

#include <string.h>

enum {
    BUFFER = 16 << 10,   /* bytes */
    POSITIONS_MOST = 64, /* positions that are cut into segments at a time */
};

/* Adjacent positions of one row. */
struct segment {
    int64_t at, count; /* from the first position on */
    int64_t offset;    /* of the image */
    int64_t y[3];      /* input coordinates under the first tap */
};

static int cut_positions(const struct cti_gemm_side *side, int64_t position, int64_t count,
                         struct segment *s)
{
    const struct cti_gemm_gather *g = side->gather;
    int n = 0;
    for (int64_t at = 0; at < count; n++) {
        int64_t p2 = position % g->grid[2], rest = position / g->grid[2];
        int64_t p1 = rest % g->grid[1], p0 = rest / g->grid[1] % g->grid[0];
        int64_t image = rest / g->grid[1] / g->grid[0];
        int64_t run = g->grid[2] - p2 < count - at ? g->grid[2] - p2 : count - at;
        s[n] = (struct segment){at,
                                run,
                                image * g->image_stride,
                                {p0 * g->step[0] + g->origin[0], p1 * g->step[1] + g->origin[1],
                                 p2 * g->step[2] + g->origin[2]}};
        if (image >= side->images)
            s[n].y[0] = INT64_MIN / 4; /* out of bounds for every tap */
        at += run;
        position += run;
    }
    return n;
}

/* Copies the input under one tap of one channel for the positions of a segment. `size` is a
 * constant after inlining. */
static inline __attribute__((always_inline)) void
fill_run(const struct cti_gemm_gather *g, const char *data, const struct segment *s,
         const int64_t hop[3], char *to, int64_t size)
{
    int64_t y0 = s->y[0] + hop[0], y1 = s->y[1] + hop[1], y2 = s->y[2] + hop[2];
    int64_t step = g->step[2], inside = g->size[2];
    if ((uint64_t)y0 >= (uint64_t)g->size[0] || (uint64_t)y1 >= (uint64_t)g->size[1]) {
        memset(to, 0, (size_t)(s->count * size));
        return;
    }
    /* Unsigned arithmetic, since an address or a step that is not used may overflow. */
    uint64_t between = (uint64_t)size;
    int64_t i = 0, end = s->count;
    if (end > 1)
        between *= (uint64_t)step * (uint64_t)g->stride[2];
    for (; i < end && y2 + i * step < 0; i++)
        memset(to + i * size, 0, (size_t)size);
    while (end > i && y2 + (end - 1) * step >= inside)
        memset(to + --end * size, 0, (size_t)size);
    if (i == end)
        return;
    uint64_t row = (uint64_t)(s->offset + y0 * g->stride[0] + y1 * g->stride[1]) +
                   (uint64_t)y2 * (uint64_t)g->stride[2];
    row *= (uint64_t)size;
    if (between == (uint64_t)size) {
        memcpy(to + i * size, data + (int64_t)(row + (uint64_t)i * between),
               (size_t)((end - i) * size));
        return;
    }
    for (; i < end; i++)
        memcpy(to + i * size, data + (int64_t)(row + (uint64_t)i * between), (size_t)size);
}

/* to[(r - r0) * line + (p - p0)]: channel and tap r at position p. */
static inline __attribute__((always_inline)) void fill_positions(const struct cti_gemm_side *side,
                                                                 char *to, int64_t line, int64_t r0,
                                                                 int64_t nr, int64_t p0, int64_t np,
                                                                 int64_t size)
{
    const struct cti_gemm_gather *g = side->gather;
    struct segment segment[POSITIONS_MOST];
    int segments = cut_positions(side, p0, np, segment);
    int64_t t2 = r0 % g->taps[2], rest = r0 / g->taps[2], t1 = rest % g->taps[1];
    rest /= g->taps[1];
    int64_t t0 = rest % g->taps[0], c = rest / g->taps[0];
    for (int64_t r = 0; r < nr; r++, to += line * size) {
        const char *data = side->data + c * g->channel_stride * size;
        int64_t hop[3] = {t0 * g->tap_step[0], t1 * g->tap_step[1], t2 * g->tap_step[2]};
        for (int i = 0; i < segments; i++)
            fill_run(g, data, &segment[i], hop, to + segment[i].at * size, size);
        if (++t2 < g->taps[2])
            continue;
        t2 = 0;
        if (++t1 < g->taps[1])
            continue;
        t1 = 0;
        if (++t0 < g->taps[0])
            continue;
        t0 = 0;
        c++;
    }
}

/* One row of taps at one position, from `first` on: adjacent taps (dilation 1, all channels in the
 * group) are one contiguous run. */
static void fill_tap_row(const struct cti_gemm_gather *g, const char *row, int64_t y2, char *to,
                         int64_t first, int64_t count, int64_t size)
{
    int64_t c = g->channels, low = -y2 * c - first, high = (g->size[2] - y2) * c - first;
    low = low < 0 ? 0 : low < count ? low : count;
    high = high < low ? low : high < count ? high : count;
    memset(to, 0, (size_t)(low * size));
    memcpy(to + low * size, row + (y2 * c + first + low) * size, (size_t)((high - low) * size));
    memset(to + high * size, 0, (size_t)((count - high) * size));
}

/* to[(p - p0) * line + (r - r0)], where r counts channels first, then taps. */
static void fill_channels(const struct cti_gemm_side *side, char *to, int64_t line, int64_t r0,
                          int64_t nr, int64_t p0, int64_t np, int64_t size)
{
    const struct cti_gemm_gather *g = side->gather;
    bool joined = g->stride[2] == g->channels && g->tap_step[2] == 1;
    int64_t width = joined ? g->taps[2] * g->channels : g->channels; /* elements of a run */
    for (int64_t p = 0; p < np; p++, to += line * size) {
        struct segment s;
        cut_positions(side, p0 + p, 1, &s);
        for (int64_t r = 0, count; r < nr; r += count) {
            int64_t run = (r0 + r) / width, first = (r0 + r) % width;
            int64_t t2 = joined ? 0 : run % g->taps[2], t = joined ? run : run / g->taps[2];
            count = width - first < nr - r ? width - first : nr - r;
            int64_t y2 = s.y[2] + t2 * g->tap_step[2],
                    y1 = s.y[1] + t % g->taps[1] * g->tap_step[1];
            int64_t y0 = s.y[0] + t / g->taps[1] * g->tap_step[0];
            bool inside =
                (uint64_t)y0 < (uint64_t)g->size[0] && (uint64_t)y1 < (uint64_t)g->size[1];
            const char *row = NULL;
            if (inside) /* otherwise y0 may be far outside */
                row = side->data + (s.offset + y0 * g->stride[0] + y1 * g->stride[1]) * size;
            if (inside && joined)
                fill_tap_row(g, row, y2, to + r * size, first, count, size);
            else if (inside && (uint64_t)y2 < (uint64_t)g->size[2])
                memcpy(to + r * size, row + (y2 * g->stride[2] + first) * size,
                       (size_t)(count * size));
            else
                memset(to + r * size, 0, (size_t)(count * size));
        }
    }
}

static void fill_block(const struct cti_gemm_side *side, char *to, int64_t line, int64_t w0,
                       int64_t w, int64_t k0, int64_t k, int64_t size)
{
    bool transposed = side->gather->positions_are_k;
    int64_t p0 = transposed ? k0 : w0, np = transposed ? k : w, r0 = transposed ? w0 : k0,
            nr = transposed ? w : k;
    if (side->gather->channels_inner) {
        fill_channels(side, to, line, r0, nr, p0, np, size);
        return;
    }
    switch (size) {
    case 1:
        fill_positions(side, to, line, r0, nr, p0, np, 1);
        break;
    case 2:
        fill_positions(side, to, line, r0, nr, p0, np, 2);
        break;
    case 4:
        fill_positions(side, to, line, r0, nr, p0, np, 4);
        break;
    case 8:
        fill_positions(side, to, line, r0, nr, p0, np, 8);
        break;
    default:
        fill_positions(side, to, line, r0, nr, p0, np, 16);
    }
}

/* ---- spots: positions along contiguous image rows, by masked loads ---- */

enum { SPOTS_MOST = 1024, ROW = 128 }; /* bytes of a row */

#if CTI_SPOTS
/* Finds the spots of adjacent positions for every tap, and returns how many there are for each. 0:
 * they do not fit. */
static int find_spots(const struct cti_gemm_side *side, int64_t position, int64_t count,
                      struct cti_spot *spot, int64_t room)
{
    const struct cti_gemm_gather *g = side->gather;
    struct segment segment[POSITIONS_MOST];
    int n = cut_positions(side, position, count, segment);
    int64_t taps = g->taps[0] * g->taps[1] * g->taps[2], step = g->step[2];
    if (taps * n > room)
        return 0;
    for (int64_t t = 0; t < taps; t++) {
        int64_t hop2 = t % g->taps[2] * g->tap_step[2],
                hop1 = t / g->taps[2] % g->taps[1] * g->tap_step[1];
        int64_t hop0 = t / g->taps[2] / g->taps[1] * g->tap_step[0];
        for (int i = 0; i < n; i++, spot++) {
            const struct segment *s = &segment[i];
            int64_t y0 = s->y[0] + hop0, y1 = s->y[1] + hop1, y2 = s->y[2] + hop2;
            *spot = (struct cti_spot){0, 0};
            if ((uint64_t)y0 >= (uint64_t)g->size[0] || (uint64_t)y1 >= (uint64_t)g->size[1])
                continue;
            int64_t first = y2 >= 0 ? 0 : (-y2 + step - 1) / step;
            int64_t end = y2 >= g->size[2] ? 0 : (g->size[2] - 1 - y2) / step + 1;
            end = end < s->count ? end : s->count;
            if (first >= end)
                continue;
            uint64_t lanes = ((UINT64_C(1) << end) - 1) & ~((UINT64_C(1) << first) - 1);
            spot->lanes = (uint32_t)(lanes << s->at);
            spot->at = s->offset + y0 * g->stride[0] + y1 * g->stride[1] + y2 - s->at * step;
        }
    }
    return n;
}

/* Writes rows r0 to r0 + nr of channels and taps, `line` bytes apart. */
static inline __attribute__((always_inline)) void fill_rows(const struct cti_gemm_side *side,
                                                            const struct cti_spot *spot, int spots,
                                                            char *to, int64_t line, int64_t r0,
                                                            int64_t nr, int64_t step, int64_t size)
{
    const struct cti_gemm_gather *g = side->gather;
    int64_t taps = g->taps[0] * g->taps[1] * g->taps[2], tap = r0 % taps;
    int64_t next = g->channel_stride * size;
    const char *from = side->data + r0 / taps * next;
    for (int64_t r = 0; r < nr; r++, to += line) {
        cti_simd_gather(to, from, spot + tap * spots, spots, step, size);
        if (++tap == taps) {
            tap = 0;
            from += next;
        }
    }
}

static void fill_spots(const struct cti_gemm_side *side, const struct cti_spot *spot, int spots,
                       char *to, int64_t line, int64_t r0, int64_t nr, int64_t size)
{
    int64_t step = side->gather->step[2];
    if (size == 4 && step == 1)
        fill_rows(side, spot, spots, to, line, r0, nr, 1, 4);
    else if (size == 4 && step == 2)
        fill_rows(side, spot, spots, to, line, r0, nr, 2, 4);
    else if (size == 4 && step == 4)
        fill_rows(side, spot, spots, to, line, r0, nr, 4, 4);
    else if (size == 4)
        fill_rows(side, spot, spots, to, line, r0, nr, step, 4);
    else if (step == 1)
        fill_rows(side, spot, spots, to, line, r0, nr, 1, 8);
    else
        fill_rows(side, spot, spots, to, line, r0, nr, step, 8);
}

/* Packs panels without conversion whose width counts positions: gathered straight into the
 * panel. */
static bool pack_positions(const struct cti_gemm_side *side, char *panel, int64_t width, int64_t w0,
                           int64_t w, int64_t k0, int64_t k, int64_t size)
{
    struct cti_spot spot[SPOTS_MOST];
    for (int64_t done = 0; done < w; done += width, panel += k * width * size) {
        int spots =
            find_spots(side, w0 + done, w - done < width ? w - done : width, spot, SPOTS_MOST);
        if (!spots)
            return false;
        fill_spots(side, spot, spots, panel, ROW, k0, k, size);
    }
    return true;
}

/* Packs panels without conversion whose k counts positions: gathered row by row, then transposed.
 * Each panel gets several rows of positions before the next one, so that memory is read in longer
 * runs. */
static bool pack_transposed(const struct cti_gemm_side *side, char *panels, int width, int64_t w0,
                            int64_t w, int64_t k0, int64_t k, int64_t size)
{
    enum { RUNS = 8 };
    struct cti_spot spot[SPOTS_MOST];
    _Alignas(64) char buffer[CTI_GEMM_NR_MAX * ROW];
    struct cti_gemm_side part = *side;
    int64_t taps = side->gather->taps[0] * side->gather->taps[1] * side->gather->taps[2];
    int64_t at = 0, row = ROW / size;
    part.gather = NULL;
    part.data = buffer;
    part.w_stride = row;
    part.k_stride = 1;
    while (at < k) {
        int spots[RUNS], runs = 0;
        int64_t used[RUNS + 1] = {0};
        for (; runs < RUNS && at + runs * row < k; runs++) {
            int64_t first = at + runs * row, count = k - first < row ? k - first : row;
            spots[runs] =
                find_spots(side, k0 + first, count, spot + used[runs], SPOTS_MOST - used[runs]);
            if (!spots[runs])
                break;
            used[runs + 1] = used[runs] + spots[runs] * taps;
        }
        if (!runs)
            return false;
        for (int64_t done = 0; done < w; done += width) {
            int64_t rows = w - done < width ? w - done : width;
            for (int i = 0; i < runs; i++) {
                int64_t first = at + i * row;
                part.k = k - first < row ? k - first : row;
                fill_spots(side, spot + used[i], spots[i], buffer, ROW, w0 + done, rows, size);
                CTI_ISA_NAME(cti_gemm_pack)
                (&part, panels + (done * k + first * width) * size, width, 0, rows, 0, part.k);
            }
        }
        at += runs * row;
    }
    return true;
}

static bool pack_by_spots(const struct cti_gemm_side *side, void *panels, int width, int64_t w0,
                          int64_t w, int64_t k0, int64_t k, int64_t size)
{
    const struct cti_gemm_gather *g = side->gather;
    if (g->channels_inner || g->stride[2] != 1 || g->step[2] > 1 << 20)
        return false;
    if (g->positions_are_k)
        return pack_transposed(side, panels, width, w0, w, k0, k, size);
    return width * size == ROW && pack_positions(side, panels, width, w0, w, k0, k, size);
}
#else
static bool pack_by_spots(const struct cti_gemm_side *side, void *panels, int width, int64_t w0,
                          int64_t w, int64_t k0, int64_t k, int64_t size)
{
    (void)side, (void)panels, (void)width, (void)w0, (void)w, (void)k0, (void)k, (void)size;
    return false;
}
#endif

void CTI_ISA_NAME(cti_gemm_pack_gathered)(const struct cti_gemm_side *side, void *panels, int width,
                                          int64_t w0, int64_t w, int64_t k0, int64_t k)
{
    int64_t size = cti_itemsize(side->dtype);
    int64_t unit = side->unit == CTI_UNIT_F64 || side->unit == CTI_UNIT_U64 ? 8 : 4;
    bool complex = ct_dtype_is_complex(side->dtype), pairs = side->unit == CTI_UNIT_PAIR;
    bool w_inner = side->gather->positions_are_k == side->gather->channels_inner;
    bool plain = w_inner && size == unit && !complex;
    if (size == unit && !complex && pack_by_spots(side, panels, width, w0, w, k0, k, size))
        return;
    _Alignas(64) char buffer[BUFFER];
    int64_t w_units = side->expand ? 2 : 1;
    /* elements of k in a buffer: even; for AMX, whole tiles */
    int64_t most = BUFFER / size / width & ~INT64_C(1);
    most = most < POSITIONS_MOST ? most : POSITIONS_MOST;
    for (int64_t done = 0; done < w; done += width) {
        char *panel = (char *)panels + done * k * unit;
        int64_t count = w - done < width ? w - done : width;
        if (plain) {
            if (count < width)
                memset(panel, 0, (size_t)(k * width * unit));
            for (int64_t i = 0; i < k; i += POSITIONS_MOST)
                fill_block(side, panel + i * width * unit, width, w0 + done, count, k0 + i,
                           k - i < POSITIONS_MOST ? k - i : POSITIONS_MOST, size);
            continue;
        }
        int64_t w_first = (w0 + done) / w_units, w_count = count / w_units;
        int64_t k_first = complex ? k0 / 2 : pairs ? 2 * k0 : k0;
        int64_t k_end = complex ? (k0 + k) / 2 : pairs ? 2 * (k0 + k) : k0 + k;
        k_end = k_end < side->k ? k_end : side->k;
        const char *start = panel;
        for (int64_t i = k_first; i < k_end; i += most) {
            int64_t k_count = k_end - i < most ? k_end - i : most;
            int64_t line = w_inner ? w_count : k_count;
            int64_t units = complex ? 2 * k_count : pairs ? (k_count + 1) / 2 : k_count;
            if (i + k_count == k_end && pairs) /* zero-pad to the end */
                units = k - (panel - start) / (width * unit);
            struct cti_gemm_side part = *side;
            fill_block(side, buffer, line, w_first, w_count, i, k_count, size);
            part.gather = NULL;
            part.data = buffer;
            part.w_stride = w_inner ? 1 : line;
            part.k_stride = w_inner ? line : 1;
            part.k = k_count;
            CTI_ISA_NAME(cti_gemm_pack)(&part, panel, width, 0, count, 0, units);
            panel += units * width * unit;
        }
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* ct_explain(): draws the layout of a tensor in its storage and comments on it. For people who want
 * to understand a view; not optimised. */
#include "explain/explain.h"
#include "core/alloc.h"
#include "core/check_args.h"
#include "core/scope.h"
#include "core/small.h"
#include "core/value.h"

#include <stdio.h>
#include <string.h>

/* ---- mapping elements to cells ---- */

#define MAX_VISITS 100000 /* bound: many elements may share a cell */
#define SUFFIX 22         /* space for the "+2" of a cell */

/* The minimum and maximum offset that dims from d on can add. */
static void reach(const ct_tensor *t, int d, int64_t *low, int64_t *high)
{
    *low = *high = 0;
    for (; d < t->ndim; d++) {
        int64_t last = (t->shape[d] - 1) * t->stride[d];
        *(last < 0 ? low : high) += last;
    }
}

static void add_index(struct cti_picture_cell *cell, const ct_tensor *t, const int64_t *index)
{
    if (cell->elements++)
        return;
    size_t at = 0, room = sizeof cell->index - SUFFIX;
    cell->index[at++] = '[';
    for (int d = 0; d < t->ndim && at < room; d++) {
        const char *comma = d ? "," : "";
        at += (size_t)(t->stride[d] == 0 && t->shape[d] > 1
                           ? snprintf(cell->index + at, room - at, "%s:", comma)
                           : snprintf(cell->index + at, room - at, "%s%lld", comma,
                                      (long long)index[d]));
    }
    strcpy(cell->index + (at < room ? at : room - 1), "]");
}

/* Visits only elements in the shown cells: along each dim, just the indices that can reach them. */
static void visit(struct cti_picture *p, int d, int64_t cell, int64_t *index)
{
    const ct_tensor *t = p->t;
    if (d == t->ndim) {
        p->visits++;
        if (cell >= p->first && cell < p->first + p->shown)
            add_index(&p->cell[cell - p->first], t, index);
        return;
    }
    int64_t low, high, step = t->stride[d], begin = 0, end = step ? t->shape[d] - 1 : 0;
    reach(t, d + 1, &low, &high);
    int64_t first_offset = p->first - cell - high,
            last_offset = p->first + p->shown - 1 - cell - low;
    if (step) {
        int64_t from = step > 0 ? first_offset : -last_offset,
                to = step > 0 ? last_offset : -first_offset;
        step = step > 0 ? step : -step;
        begin = from > 0 ? ceil_div(from, step) : 0;
        end = to < 0 ? -1 : to / step < end ? to / step : end;
    }
    for (index[d] = begin; index[d] <= end && p->visits < MAX_VISITS; index[d]++)
        visit(p, d + 1, cell + index[d] * t->stride[d], index);
}

static void write_value(char *word, ct_value v)
{
    switch (v.kind) {
    case CT_VALUE_BOOL:
        snprintf(word, CTI_PICTURE_WORD, "%s", v.as.b ? "True" : "False");
        break;
    case CT_VALUE_INT:
        snprintf(word, CTI_PICTURE_WORD, "%lld", (long long)v.as.i);
        break;
    case CT_VALUE_UINT:
        snprintf(word, CTI_PICTURE_WORD, "%llu", (unsigned long long)v.as.u);
        break;
    case CT_VALUE_COMPLEX:
        snprintf(word, CTI_PICTURE_WORD, "%.4g%+.4gj", v.as.c.re, v.as.c.im);
        break;
    default:
        snprintf(word, CTI_PICTURE_WORD, "%.4g", cti_value_real(v));
    }
}

void cti_picture_take(struct cti_picture *p, const ct_tensor *t)
{
    int64_t size = cti_itemsize(t->dtype), low, high;
    int64_t index[CTI_MAX_DIMS] = {0};
    memset(p, 0, sizeof *p);
    p->t = t;
    p->total = t->storage->nbytes / size;
    p->shown = p->total;
    if (p->total > CTI_PICTURE_CELLS) {
        reach(t, 0, &low, &high);
        p->first = t->offset + low;
        p->first -= p->first < 2 ? p->first : 2; /* two preceding cells show that the storage begins
                                                  * earlier */
        p->shown = p->total - p->first;
    }
    if (p->shown > CTI_PICTURE_CELLS)
        p->shown = CTI_PICTURE_CELLS;
    if (t->numel)
        visit(p, 0, t->offset, index);
    for (int64_t i = 0; i < p->shown; i++) {
        struct cti_picture_cell *cell = &p->cell[i];
        if (t->storage->device.type == CT_CPU)
            write_value(cell->value,
                        cti_value_load(cti_data(t) + (p->first + i - t->offset) * size, t->dtype));
        if (cell->elements > 1)
            snprintf(cell->index + strlen(cell->index), SUFFIX, "+%lld",
                     (long long)(cell->elements - 1));
        int value = (int)strlen(cell->value), label = (int)strlen(cell->index);
        p->width = value > p->width ? value : p->width;
        p->width = label > p->width ? label : p->width;
    }
    int number = snprintf(NULL, 0, "%lld", (long long)(p->first + p->shown));
    p->width = number > p->width ? number : p->width;
}

/* ---- captions and remarks ---- */

enum { INDEX_NAME = 16 };

static const char *index_name(const ct_tensor *t, int d, char *room)
{
    static const char *letters[] = {"i", "j", "k", "l", "m", "n"};
    if (t->ndim <= 6)
        return letters[d];
    snprintf(room, INDEX_NAME, "i%d", d);
    return room;
}

/* "3 + 2*i - j" */
static void add_formula(const ct_tensor *t, struct cti_text *text)
{
    char room[INDEX_NAME];
    size_t before = text->n;
    if (t->offset)
        cti_text_printf(text, "%lld", (long long)t->offset);
    for (int d = 0; d < t->ndim; d++) {
        int64_t step = t->stride[d];
        if (step == 0 || t->shape[d] == 1)
            continue;
        if (text->n > before)
            cti_text_add(text, step < 0 ? " - " : " + ");
        else if (step < 0)
            cti_text_add(text, "-");
        step = step < 0 ? -step : step;
        if (step != 1)
            cti_text_printf(text, "%lld*", (long long)step);
        cti_text_add(text, index_name(t, d, room));
    }
    if (text->n == before)
        cti_text_add(text, "0");
}

void cti_picture_caption(const ct_tensor *t, struct cti_text *text)
{
    char room[INDEX_NAME];
    cti_text_add(text, "shape ");
    cti_text_tuple(text, t->ndim, t->shape);
    cti_text_add(text, ", stride ");
    cti_text_tuple(text, t->ndim, t->stride);
    cti_text_printf(text, ", offset %lld: element [", (long long)t->offset);
    for (int d = 0; d < t->ndim; d++)
        cti_text_printf(text, d ? ",%s" : "%s", index_name(t, d, room));
    cti_text_add(text, "] is in cell ");
    add_formula(t, text);
}

/* Finds two successive dims, ignoring those of size 1, that cannot be merged; false if all can. */
static bool find_break(const ct_tensor *t, int *outer, int *inner)
{
    *inner = -1;
    for (int d = t->ndim - 1; d >= 0; d--) {
        if (t->shape[d] == 1)
            continue;
        *outer = d;
        if (*inner >= 0 && t->stride[d] != t->shape[*inner] * t->stride[*inner])
            return true;
        *inner = d;
    }
    return false;
}

static void remark_on_order(const ct_tensor *t, struct cti_text *text)
{
    int outer, inner;
    if (t->flags & CTI_CONTIGUOUS) {
        cti_text_add(text, "contiguous: the cells follow each other as the indices do; view() can "
                           "give it any other shape\n");
    } else if (find_break(t, &outer, &inner)) {
        cti_text_printf(text,
                        "not contiguous: view(-1) would need stride[%d] == shape[%d]*stride[%d], "
                        "but %lld is not %lld;\n    reshape(-1) and contiguous() copy\n",
                        outer, inner, inner, (long long)t->stride[outer],
                        (long long)(t->shape[inner] * t->stride[inner]));
    } else {
        cti_text_add(text, "not contiguous, but evenly spaced: view(-1) works without a copy\n");
    }
}

void cti_picture_remarks(const ct_tensor *t, struct cti_text *text)
{
    if (t->numel)
        remark_on_order(t, text);
    for (int d = 0; d < t->ndim && t->numel; d++) {
        if (t->shape[d] > 1 && t->stride[d] == 0)
            cti_text_printf(text,
                            "dim %d is expanded: its %lld indices lead to the same cells; clone() "
                            "before writing in place\n",
                            d, (long long)t->shape[d]);
        else if (t->shape[d] > 1 && t->stride[d] < 0)
            cti_text_printf(text, "dim %d runs backwards\n", d);
    }
    if (t->flags & CTI_CONJ)
        cti_text_add(text, "elements are the conjugates of what the cells hold\n");
    if (t->flags & CTI_NEG)
        cti_text_add(text, "elements are the cells' values with the other sign\n");
}

/* ---- as text ---- */

static void add_centred(struct cti_text *text, const char *word, int64_t width)
{
    int64_t spare = width - (int64_t)strlen(word);
    cti_text_fill(text, ' ', spare / 2);
    cti_text_add(text, word);
    cti_text_fill(text, ' ', spare - spare / 2);
}

/* Ends a line, removing trailing spaces. */
static void end_line(struct cti_text *text)
{
    while (!text->failed && text->n && text->v[text->n - 1] == ' ')
        text->v[--text->n] = '\0';
    cti_text_add(text, "\n");
}

static void add_edge(struct cti_text *text, int64_t cells, int64_t width)
{
    cti_text_add(text, "  ");
    for (int64_t i = 0; i < cells; i++) {
        cti_text_add(text, "+");
        cti_text_fill(text, '-', width);
    }
    cti_text_add(text, "+\n");
}

/* Draws a row of cells: cell numbers, the boxes, the elements below. */
static void draw_row(const struct cti_picture *p, int64_t from, int64_t cells, int64_t width,
                     struct cti_text *text)
{
    char number[CTI_PICTURE_WORD];
    bool labels = false;
    cti_text_add(text, "  ");
    for (int64_t i = from; i < from + cells; i++) {
        snprintf(number, sizeof number, "%lld", (long long)(p->first + i));
        cti_text_add(text, " ");
        add_centred(text, number, width);
        labels = labels || p->cell[i].elements;
    }
    end_line(text);
    add_edge(text, cells, width);
    cti_text_add(text, "  ");
    for (int64_t i = from; i < from + cells; i++) {
        cti_text_add(text, "|");
        add_centred(text, p->cell[i].value, width);
    }
    cti_text_add(text, "|\n");
    add_edge(text, cells, width);
    cti_text_add(text, labels ? "  " : "");
    for (int64_t i = from; labels && i < from + cells; i++) {
        cti_text_add(text, " ");
        add_centred(text, p->cell[i].index, width);
    }
    end_line(text);
}

static void draw_text(const struct cti_picture *p, struct cti_text *text)
{
    const ct_storage *s = p->t->storage;
    int64_t width = p->width + 2, line = ct_get_print_options().linewidth;
    int64_t most = (line - 3) / (width + 1);
    cti_picture_caption(p->t, text);
    cti_text_printf(text, "\nstorage: %lld cell%s of %s, %lld bytes; held by %lld\n\n",
                    (long long)p->total, p->total == 1 ? "" : "s", ct_dtype_str(p->t->dtype),
                    (long long)s->nbytes, (long long)s->refs);
    most = most < 1 ? 1 : most;
    if (p->first)
        cti_text_printf(text, "  ... %lld cells before\n", (long long)p->first);
    for (int64_t i = 0; i < p->shown; i += most)
        draw_row(p, i, p->shown - i < most ? p->shown - i : most, width, text);
    int64_t rest = p->total - p->first - p->shown;
    if (rest)
        cti_text_printf(text, "  ... %lld cells more\n", (long long)rest);
    cti_text_add(text, "\n");
    cti_picture_remarks(p->t, text);
    while (!text->failed && text->n && text->v[text->n - 1] == '\n')
        text->v[--text->n] = '\0';
}

char *ct_own_explain(ct_tensor *t, bool svg)
{
    if (!cti_check_pointer(t, "ct_own_explain", "t"))
        return NULL;
    struct cti_picture *p = cti_malloc(sizeof *p);
    struct cti_text text = {0};
    if (!p)
        return NULL;
    cti_picture_take(p, t);
    (svg ? cti_picture_draw_svg : draw_text)(p, &text);
    cti_free(p);
    return cti_text_take(&text);
}

const char *ct_explain(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_explain", "t"))
        return NULL;
    return cti_scope_text_take(ct_own_explain(t, false));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws shapes and suggests changes that would make them fit; see note.h. It depends on the
 * thread's error, but not on tensors. It runs only after a failure, so nothing here needs to be
 * fast. */
#define _GNU_SOURCE /* asprintf */
#include "core/note.h"
#include "core/text.h"
#include "core/thread.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIMS 64

static bool is_open(void)
{
    return cti_thread.error_fresh;
}

/* Adds the text to the error and takes ownership of it; drops it if there is no new error, or no
 * memory. */
static void *add_line(struct cti_text *line)
{
    struct cti_thread *thread = &cti_thread;
    if (line->failed || !line->v || !is_open()) {
        cti_text_free(line);
        return NULL;
    }
    char *old = thread->error_detail, *joined = NULL;
    if (asprintf(&joined, "%s%s%s", old ? old : "", old ? "\n" : "", line->v) >= 0) {
        thread->error_detail = joined;
        free(old);
    }
    cti_text_free(line);
    return NULL;
}

void *cti_note(const char *format, ...)
{
    char text[1024];
    struct cti_text line = {0};
    va_list arguments;
    if (!is_open())
        return NULL;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cti_text_add(&line, text);
    return add_line(&line);
}

/* ---- drawing ---- */

static int digits(int64_t size)
{
    return snprintf(NULL, 0, "%lld", (long long)size);
}

/* width[k]: the width of the k-th column from the end. */
static int measure_columns(const struct cti_note_row *row, int n, int *width)
{
    int columns = 0;
    for (int r = 0; r < n; r++)
        columns = row[r].ndim > columns ? row[r].ndim : columns;
    for (int k = 0; k < columns; k++) {
        width[k] = 0;
        for (int r = 0; r < n; r++) {
            int d = row[r].ndim - 1 - k;
            int w = d >= 0 ? digits(row[r].shape[d]) : 0;
            width[k] = w > width[k] ? w : width[k];
        }
    }
    return columns;
}

static void draw_row(const struct cti_note_row *row, int name_width, int columns, const int *width)
{
    struct cti_text line = {0};
    cti_text_printf(&line, "  %*s: ", name_width, row->name);
    for (int k = columns - 1; k >= row->ndim; k--)
        cti_text_fill(&line, ' ', width[k] + 2);
    cti_text_add(&line, "[");
    for (int d = 0; d < row->ndim; d++)
        cti_text_printf(&line, "%s%*lld", d ? ", " : "", width[row->ndim - 1 - d],
                        (long long)row->shape[d]);
    cti_text_add(&line, "]");
    add_line(&line);
}

void *cti_note_shapes(const struct cti_note_row *row, int n, int mark)
{
    int width[MAX_DIMS] = {0}, name_width = 0;
    if (!is_open())
        return NULL;
    for (int r = 0; r < n; r++) {
        int length = (int)strlen(row[r].name);
        name_width = length > name_width ? length : name_width;
        if (row[r].ndim > MAX_DIMS)
            return NULL;
    }
    int columns = measure_columns(row, n, width);
    for (int r = 0; r < n; r++)
        draw_row(&row[r], name_width, columns, width);
    if (mark < 0 || mark >= columns)
        return NULL;
    struct cti_text line = {0};
    cti_text_fill(&line, ' ', name_width + 5);
    for (int k = columns - 1; k > mark; k--)
        cti_text_fill(&line, ' ', width[k] + 2);
    cti_text_fill(&line, ' ', width[mark] - 1);
    cti_text_add(&line, "^");
    return add_line(&line);
}

/* ---- broadcasting ---- */

static int64_t size_at(const struct cti_note_row *row, int from_end)
{
    return from_end < row->ndim ? row->shape[row->ndim - 1 - from_end] : 1;
}

/* The first dim, counted from the end, in which two shapes do not broadcast, or -1. */
static int first_clash(const struct cti_note_row *a, const struct cti_note_row *b)
{
    int n = a->ndim > b->ndim ? a->ndim : b->ndim;
    for (int k = 0; k < n; k++) {
        int64_t x = size_at(a, k), y = size_at(b, k);
        if (x != y && x != 1 && y != 1)
            return k;
    }
    return -1;
}

static bool fits_with_last_dim(const struct cti_note_row *a, const struct cti_note_row *b)
{
    int64_t longer[MAX_DIMS + 1];
    if (b->ndim == 0 || b->ndim >= a->ndim)
        return false;
    memcpy(longer, b->shape, sizeof(int64_t) * (size_t)b->ndim);
    longer[b->ndim] = 1;
    return first_clash(a, &(struct cti_note_row){b->name, b->ndim + 1, longer}) < 0;
}

static bool fits_transposed(const struct cti_note_row *a, const struct cti_note_row *b)
{
    int64_t transposed[MAX_DIMS];
    if (b->ndim < 2)
        return false;
    memcpy(transposed, b->shape, sizeof(int64_t) * (size_t)b->ndim);
    transposed[b->ndim - 1] = b->shape[b->ndim - 2];
    transposed[b->ndim - 2] = b->shape[b->ndim - 1];
    return first_clash(a, &(struct cti_note_row){b->name, b->ndim, transposed}) < 0;
}

static bool hint_last_dim(const struct cti_note_row *a, const struct cti_note_row *b)
{
    bool fits = fits_with_last_dim(a, b);
    if (fits)
        cti_note("%s.unsqueeze(-1) would fit: one more dim, of size 1, at the end", b->name);
    return fits;
}

static bool hint_transposed(const struct cti_note_row *a, const struct cti_note_row *b)
{
    bool fits = fits_transposed(a, b);
    if (fits)
        cti_note("%s%s would fit: its last two dims swapped", b->name,
                 b->ndim == 2 ? ".t()" : ".mT");
    return fits;
}

void *cti_note_broadcast(const struct cti_note_row *a, const struct cti_note_row *b)
{
    const struct cti_note_row rows[] = {*a, *b};
    if (!is_open() || a->ndim > MAX_DIMS || b->ndim > MAX_DIMS)
        return NULL;
    int mark = first_clash(a, b);
    cti_note_shapes(rows, 2, mark);
    if (mark < 0 || hint_last_dim(a, b) || hint_last_dim(b, a) || hint_transposed(a, b) ||
        hint_transposed(b, a))
        return NULL;
    return cti_note("shapes broadcast when their sizes, from the last dim backwards, are equal or "
                    "one of them is 1");
}

/* ---- products ---- */

void *cti_note_product(const struct cti_note_row *a, const struct cti_note_row *b)
{
    const struct cti_note_row rows[] = {*a, *b};
    if (!is_open() || a->ndim < 1 || b->ndim < 1)
        return NULL;
    cti_note_shapes(rows, 2, -1);
    int64_t rows_a = size_at(a, 1), inner_a = size_at(a, 0);
    int64_t inner_b = b->ndim > 1 ? size_at(b, 1) : size_at(b, 0), columns_b = size_at(b, 0);
    cti_note("the last size of %s (%lld) has to be the %s of %s (%lld)", a->name,
             (long long)inner_a, b->ndim > 1 ? "last but one" : "size", b->name,
             (long long)inner_b);
    const char *turn_b = b->ndim == 2 ? ".t()" : ".mT", *turn_a = a->ndim == 2 ? ".t()" : ".mT";
    if (b->ndim > 1 && inner_a == columns_b)
        return cti_note("%s @ %s%s would fit", a->name, b->name, turn_b);
    if (a->ndim > 1 && rows_a == inner_b)
        return cti_note("%s%s @ %s would fit", a->name, turn_a, b->name);
    if (a->ndim > 1 && b->ndim > 1 && columns_b == rows_a)
        return cti_note("%s @ %s would fit", b->name, a->name);
    return NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Presentation of profiles: a table with one row per name, and a trace for Chrome and Perfetto.
 * core/profile.c records; nothing here is optimised. */
#include "corten/profile.h"
#include "core/alloc.h"
#include "core/check_args.h"
#include "core/error.h"
#include "core/scope.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- events as text ---- */

static void add_name(struct cti_text *text, const struct ct_profile_event *e)
{
    if (e->kind == CT_PROFILE_OPERATION)
        cti_text_add(text, "aten::");
    cti_text_add(text, e->name);
}

/* Writes shapes as "[[2, 3], []]". */
static void add_shapes(struct cti_text *text, const struct ct_profile_event *e)
{
    cti_text_add(text, "[");
    for (int64_t at = 0; at < e->nshapes;) {
        cti_text_add(text, at ? ", [" : "[");
        int64_t ndim = e->shapes[at++];
        for (int64_t d = 0; d < ndim; d++)
            cti_text_printf(text, "%s%lld", d ? ", " : "", (long long)e->shapes[at++]);
        cti_text_add(text, "]");
    }
    cti_text_add(text, "]");
}

/* Writes a text inside JSON quotes, escaped. */
static void add_json(struct cti_text *text, const char *word)
{
    for (const char *c = word; *c; c++) {
        if ((unsigned char)*c < ' ')
            cti_text_printf(text, "\\u%04x", *c);
        else
            cti_text_printf(text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    }
}

char *ct_own_profile_trace(const ct_profile *p)
{
    if (!cti_check_pointer(p, "ct_own_profile_trace", "p"))
        return NULL;
    static const char *const category[] = {"cpu_op", "cpu_op", "user_annotation"};
    struct cti_text text = {0};
    cti_text_add(&text, "{\"schemaVersion\": 1, \"displayTimeUnit\": \"ms\", \"traceEvents\": [");
    for (int64_t i = 0; i < ct_profile_count(p); i++) {
        const struct ct_profile_event *e = ct_profile_at(p, i);
        cti_text_add(&text, i ? ",\n{\"name\": \"" : "\n{\"name\": \"");
        cti_text_add(&text, e->kind == CT_PROFILE_OPERATION ? "aten::" : "");
        add_json(&text, e->name);
        cti_text_printf(&text,
                        "\", \"ph\": \"X\", \"cat\": \"%s\", \"ts\": %.3f, \"dur\": %.3f, "
                        "\"pid\": %d, \"tid\": %lld, \"args\": {\"Bytes\": %lld",
                        category[e->kind], (double)e->start / 1e3,
                        (double)(e->end - e->start) / 1e3, (int)getpid(), (long long)e->thread,
                        (long long)e->memory);
        if (e->nshapes) {
            cti_text_add(&text, ", \"Input Dims\": ");
            add_shapes(&text, e);
        }
        cti_text_add(&text, "}}");
    }
    cti_text_add(&text, "\n]}\n");
    return cti_text_take(&text);
}

/* ---- the table ---- */

struct line {
    char *name, *shapes; /* shapes is NULL unless rows are by shape */
    int64_t order, count, total, self, memory;
};

struct lines {
    struct line *v;
    int64_t n;
};

static void rows_free(struct lines *lines)
{
    for (int64_t i = 0; i < lines->n; i++) {
        cti_free(lines->v[i].name);
        cti_free(lines->v[i].shapes);
    }
    cti_free(lines->v);
}

static int by_name(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    order = order || !x->shapes ? order : strcmp(x->shapes, y->shapes);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

static bool alike(const struct line *x, const struct line *y)
{
    return strcmp(x->name, y->name) == 0 && (!x->shapes || strcmp(x->shapes, y->shapes) == 0);
}

/* Makes a row for each event. False if memory runs out; the rows made must then be freed. */
static bool gather_rows(const ct_profile *p, bool by_shape, struct lines *lines)
{
    int64_t n = ct_profile_count(p);
    lines->v = cti_calloc((size_t)(n ? n : 1), sizeof *lines->v);
    if (!lines->v)
        return false;
    for (; lines->n < n; lines->n++) {
        const struct ct_profile_event *e = ct_profile_at(p, lines->n);
        struct line *l = &lines->v[lines->n];
        struct cti_text name = {0}, shapes = {0};
        add_name(&name, e);
        l->name = cti_text_take(&name);
        if (l->name && by_shape) {
            add_shapes(&shapes, e);
            l->shapes = cti_text_take(&shapes);
        }
        if (!l->name || (by_shape && !l->shapes)) {
            lines->n++;
            return false;
        }
        l->order = lines->n;
        l->count = 1;
        l->total = e->end - e->start;
        l->self = l->total - e->inside;
        l->memory = e->memory;
    }
    return true;
}

/* Merges rows of the same name. */
static void merge_rows(struct lines *lines)
{
    int64_t kept = 0;
    if (!lines->n)
        return;
    qsort(lines->v, (size_t)lines->n, sizeof *lines->v, by_name);
    for (int64_t i = 1; i < lines->n; i++) {
        struct line *to = &lines->v[kept], *from = &lines->v[i];
        if (!alike(to, from)) {
            lines->v[++kept] = *from;
            continue;
        }
        to->count += from->count;
        to->total += from->total;
        to->self += from->self;
        to->memory += from->memory;
        cti_free(from->name);
        cti_free(from->shapes);
    }
    lines->n = kept + 1;
}

#define COMPARE(name, member, sign)                                                                \
    static int name(const void *a, const void *b)                                                  \
    {                                                                                              \
        const struct line *x = a, *y = b;                                                          \
        int64_t d = sign * (x->member > y->member ? 1 : x->member < y->member ? -1 : 0);           \
        return d ? (int)d : (x->order > y->order) - (x->order < y->order);                         \
    }
COMPARE(by_order, order, 1)
COMPARE(by_self, self, -1)
COMPARE(by_total, total, -1)
COMPARE(by_count, count, -1)
COMPARE(by_memory, memory, -1)

static const struct {
    const char *name;
    int (*compare)(const void *, const void *);
} orders[] = {{"self_cpu_time_total", by_self},
              {"cpu_time_total", by_total},
              {"count", by_count},
              {"cpu_memory_usage", by_memory}};

static bool sort(struct lines *lines, const char *by)
{
    int (*compare)(const void *, const void *) = by ? NULL : by_order;
    for (size_t i = 0; by && i < sizeof orders / sizeof *orders; i++)
        if (strcmp(orders[i].name, by) == 0)
            compare = orders[i].compare;
    if (!compare)
        return cti_refuse(CT_ERR_VALUE, "ct_profile_table: there is no column '%s'", by);
    if (lines->n)
        qsort(lines->v, (size_t)lines->n, sizeof *lines->v, compare);
    return true;
}

static const char *time_text(char *to, size_t room, double ns)
{
    if (ns >= 1e9)
        snprintf(to, room, "%.3fs", ns / 1e9);
    else if (ns >= 1e6)
        snprintf(to, room, "%.3fms", ns / 1e6);
    else
        snprintf(to, room, "%.3fus", ns / 1e3);
    return to;
}

static const char *memory_text(char *to, size_t room, int64_t n)
{
    double size = (double)n, whole = size < 0 ? -size : size;
    if (whole >= 1 << 30)
        snprintf(to, room, "%.2f GB", size / (1 << 30));
    else if (whole >= 1 << 20)
        snprintf(to, room, "%.2f MB", size / (1 << 20));
    else if (whole >= 1 << 10)
        snprintf(to, room, "%.2f KB", size / (1 << 10));
    else
        snprintf(to, room, "%lld B", (long long)n);
    return to;
}

static void rule(struct cti_text *text, int name_width)
{
    static const int column[] = {10, 12, 11, 12, 12, 12, 10};
    cti_text_fill(text, '-', name_width);
    for (size_t i = 0; i < sizeof column / sizeof *column; i++) {
        cti_text_add(text, "  ");
        cti_text_fill(text, '-', column[i]);
    }
    cti_text_add(text, "\n");
}

static void draw_table(struct cti_text *text, const struct lines *lines, int64_t limit)
{
    int width = 4;
    int64_t shown = limit >= 0 && limit < lines->n ? limit : lines->n, all = 0;
    for (int64_t i = 0; i < lines->n; i++)
        all += lines->v[i].self;
    for (int64_t i = 0; i < shown; i++) {
        int length = (int)strlen(lines->v[i].name);
        width = length > width ? length : width;
    }
    double whole = all ? (double)all : 1;
    rule(text, width);
    cti_text_printf(text, "%*s  %10s  %12s  %11s  %12s  %12s  %12s  %10s\n", width, "Name",
                    "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg", "CPU Mem",
                    "# of Calls");
    rule(text, width);
    for (int64_t i = 0; i < shown; i++) {
        const struct line *l = &lines->v[i];
        char self[32], total[32], mean[32], memory[32];
        cti_text_printf(
            text, "%*s  %9.2f%%  %12s  %10.2f%%  %12s  %12s  %12s  %10lld", width, l->name,
            100 * (double)l->self / whole, time_text(self, sizeof self, (double)l->self),
            100 * (double)l->total / whole, time_text(total, sizeof total, (double)l->total),
            time_text(mean, sizeof mean, (double)l->total / (double)l->count),
            memory_text(memory, sizeof memory, l->memory), (long long)l->count);
        cti_text_printf(text, "%s%s\n", l->shapes ? "  " : "", l->shapes ? l->shapes : "");
    }
    rule(text, width);
    char total[32];
    cti_text_printf(text, "Self CPU time total: %s\n", time_text(total, sizeof total, (double)all));
}

char *ct_own_profile_table(const ct_profile *p, const struct ct_profile_table_args *given)
{
    if (!cti_check_pointer(p, "ct_own_profile_table", "p"))
        return NULL;
    struct ct_profile_table_args args = ct_profile_table_defaults;
    struct lines lines = {0};
    struct cti_text text = {0};
    if (given && given->struct_size >= sizeof args)
        args = *given;
    bool good = gather_rows(p, args.by_shape, &lines);
    if (good) {
        merge_rows(&lines);
        good = sort(&lines, args.sort_by);
    }
    if (good)
        draw_table(&text, &lines, args.row_limit);
    rows_free(&lines);
    return good ? cti_text_take(&text) : NULL;
}

const char *ct_profile_table_ex(const ct_profile *p, const struct ct_profile_table_args *args)
{
    if (!cti_check_pointer(p, "ct_profile_table", "p"))
        return NULL;
    char *text = ct_own_profile_table(p, args);
    return text ? cti_scope_text_take(text) : NULL;
}

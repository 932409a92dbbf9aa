/* SPDX-License-Identifier: BSD-3-Clause */
/* Text tables of numbers, read like NumPy's loadtxt. */
#define _GNU_SOURCE
#include "corten/io.h"
#include "io/file.h"

#include "core/alloc.h"
#include "corten/own.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

struct table {
    double *v;
    int64_t n, room, rows, columns;
};

static bool table_append(struct table *t, double value)
{
    if (t->n == t->room) {
        int64_t room = t->room ? 2 * t->room : 64;
        double *grown = cti_realloc(t->v, (size_t)room * sizeof *grown);
        if (!grown)
            return false;
        t->v = grown;
        t->room = room;
    }
    t->v[t->n++] = value;
    return true;
}

/* Parses one NUL-terminated field, in the C locale `plain`, so that the result does not depend on
 * the user's. */
static bool add_field(struct table *t, const char *text, locale_t plain)
{
    char *end;
    double value = strtod_l(text, &end, plain);
    while (*end == ' ' || *end == '\t' || *end == '\r')
        end++;
    if (end == text || *end)
        return ct_fail(CT_ERR_VALUE,
                       "could not convert string '%s' to float64 at row %lld, column %lld.", text,
                       (long long)t->rows, (long long)(t->n - t->rows * t->columns + 1));
    return table_append(t, value);
}

/* Parses a line into a row; skips empty lines and comments. */
static bool read_line(struct table *t, char *line, const struct ct_loadtxt_args *args,
                      locale_t plain)
{
    char *comment = args->comment && *args->comment ? strstr(line, args->comment) : NULL;
    if (comment)
        *comment = 0;
    if (line[strspn(line, " \t\r")] == 0)
        return true;
    int64_t before = t->n;
    if (args->delimiter && *args->delimiter) {
        size_t width = strlen(args->delimiter);
        for (char *field = line, *next; field; field = next) {
            next = strstr(field, args->delimiter);
            if (next) {
                *next = 0;
                next += width;
            }
            if (!add_field(t, field, plain))
                return false;
        }
    } else {
        char *rest = NULL;
        for (char *f = strtok_r(line, " \t\r", &rest); f; f = strtok_r(NULL, " \t\r", &rest)) {
            if (!add_field(t, f, plain))
                return false;
        }
    }
    int64_t columns = t->n - before;
    if (t->rows && columns != t->columns)
        return ct_fail(CT_ERR_VALUE,
                       "the number of columns changed from %lld to %lld at row %lld; use "
                       "`usecols` to select a subset and avoid this error",
                       (long long)t->columns, (long long)columns, (long long)t->rows + 1);
    t->columns = columns;
    t->rows++;
    return true;
}

static bool read_lines(struct table *t, char *text, const struct ct_loadtxt_args *args)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    bool good = plain != (locale_t)0;
    int64_t number = 0;
    for (char *line = text, *next; good && line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        if (number++ >= args->skiprows)
            good = read_line(t, line, args, plain);
    }
    if (plain != (locale_t)0)
        freelocale(plain);
    return good;
}

static ct_tensor *table_tensor(const struct table *t, enum ct_dtype dtype)
{
    int64_t shape[2] = {t->rows, t->columns}, n = 2;
    if (t->rows <= 1 || t->columns <= 1) { /* squeezed, as in NumPy */
        shape[0] = t->n;
        n = t->n == 1 ? 0 : 1;
    }
    ct_storage *s = ct_storage_create(t->n * 8, (struct ct_device){CT_CPU, -1});
    if (!s)
        return NULL;
    if (t->n)
        memcpy(ct_storage_data(s), t->v, (size_t)t->n * 8);
    ct_tensor *x = ct_own_from_storage(s, CT_FLOAT64, ct_ints_of(shape, n), CT_NO_DIMS, 0);
    ct_storage_release(s);
    ct_tensor *cast = x ? ct_own_to_dtype(x, dtype) : NULL;
    ct_release(x);
    return cast;
}

ct_tensor *ct_loadtxt_ex(const char *path, const struct ct_loadtxt_args *args)
{
    static const struct ct_loadtxt_args defaults = ct_loadtxt_defaults;
    struct cti_map map;
    args = args ? args : &defaults;
    if (!cti_io_map(&map, path))
        return NULL;
    char *text = cti_malloc((size_t)map.nbytes + 1);
    struct table t = {0};
    ct_tensor *x = NULL;
    if (text) {
        memcpy(text, map.data, (size_t)map.nbytes);
        text[map.nbytes] = 0;
        if (memchr(text, 0, (size_t)map.nbytes))
            ct_fail(CT_ERR_VALUE, "this file is not a text table: it contains zero bytes");
        else if (read_lines(&t, text, args))
            x = table_tensor(&t, args->dtype);
    }
    cti_free(text);
    cti_free(t.v);
    cti_io_unmap(&map);
    return ct_scoped(x);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Python's index notation in a C string, for ct_at and ct_set: "1:, None, ..., ::2, [0, 2], ?".
 * Each `?` stands for the next argument, a number or a tensor. Produces items for subscript.c. */
#include "core/check_args.h"
#include "corten/macros.h"
#include "ops/index/index.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ITEMS 128
#define MAX_LIST 64

struct reader {
    const char *text, *at;
    const ct_value *value; /* the next argument for a `?` */
    ct_index item[MAX_ITEMS];
    int n;
    ct_tensor *made[MAX_ITEMS]; /* index tensors of literal lists; owned */
    int nmade;
};

static bool invalid(const struct reader *r)
{
    return ct_fail(CT_ERR_SYNTAX, "invalid index '%s'", r->text);
}

static void skip_spaces(struct reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

/* Consumes `token` if the string continues with it. */
static bool accept(struct reader *r, const char *token)
{
    size_t n = strlen(token);
    skip_spaces(r);
    if (strncmp(r->at, token, n) != 0)
        return false;
    if (isalpha((unsigned char)*token) && (isalnum((unsigned char)r->at[n]) || r->at[n] == '_'))
        return false;
    r->at += n;
    return true;
}

static bool next_is_number(struct reader *r)
{
    skip_spaces(r);
    const char *p = r->at + (*r->at == '-' || *r->at == '+');
    return isdigit((unsigned char)*p);
}

static bool notation_read_number(struct reader *r, int64_t *v)
{
    char *end;
    errno = 0;
    *v = strtoll(r->at, &end, 10);
    r->at = end;
    return errno == 0 || invalid(r);
}

/* Reads the next argument as an item: an int, a bool or a tensor. */
static bool argument(struct reader *r, ct_index *item)
{
    ct_value v = *r->value;
    if (v.kind == CT_VALUE_END)
        return invalid(r);
    r->value++;
    switch (v.kind) {
    case CT_VALUE_INT:
        *item = (ct_index){.kind = CT_INDEX_INT, .start = v.as.i};
        return true;
    case CT_VALUE_BOOL:
        *item = (ct_index){.kind = CT_INDEX_BOOL, .start = v.as.b};
        return true;
    case CT_VALUE_NONE:
        *item = (ct_index){.kind = CT_INDEX_NONE};
        return true;
    case CT_VALUE_TENSOR:
        *item = (ct_index){.kind = CT_INDEX_TENSOR, .tensor = v.as.tensor};
        return true;
    case CT_VALUE_NULL:
        return false; /* the call that made this argument has set the error */
    case CT_VALUE_UINT:
        return cti_refuse(CT_ERR_VALUE, "Overflow when unpacking long long");
    case CT_VALUE_FLOAT:
    case CT_VALUE_COMPLEX:
    case CT_VALUE_STR:
    case CT_VALUE_END:
        break;
    }
    return ct_fail(CT_ERR_INDEX,
                   "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables "
                   "are valid indices (got %s)",
                   v.kind == CT_VALUE_FLOAT     ? "float"
                   : v.kind == CT_VALUE_COMPLEX ? "complex"
                                                : "str");
}

/* Reads a literal list, [0, 2] or [True, False], as an index tensor or a mask. */
static bool read_list(struct reader *r, ct_index *item)
{
    int64_t number[MAX_LIST], n = 0, truths = 0;
    bool mask[MAX_LIST];
    while (!accept(r, "]")) {
        if (n == MAX_LIST || (n > 0 && !accept(r, ",")))
            return invalid(r);
        bool yes = accept(r, "True"), no = !yes && accept(r, "False");
        if (yes || no) {
            truths++;
            number[n] = yes;
        } else if (!next_is_number(r) || !notation_read_number(r, &number[n])) {
            return invalid(r);
        }
        mask[n] = number[n] != 0;
        n++;
    }
    if (truths && truths != n)
        return invalid(r);
    ct_tensor *t = cti_empty(1, &n, truths ? CT_BOOL : CT_INT64, (struct ct_device){CT_CPU, -1});
    if (!t)
        return false;
    if (n)
        memcpy(cti_data(t), truths ? (const void *)mask : (const void *)number,
               (size_t)(n * cti_itemsize(t->dtype)));
    r->made[r->nmade++] = t;
    *item = (ct_index){.kind = CT_INDEX_TENSOR, .tensor = t};
    return true;
}

/* Reads a bound of a slice: a number, `?`, None, or nothing. */
static bool read_bound(struct reader *r, int64_t *v, bool *given)
{
    ct_index item;
    *v = CT_NO_DIM;
    *given = true;
    if (next_is_number(r))
        return notation_read_number(r, v);
    if (accept(r, "None"))
        return true;
    if (accept(r, "?")) {
        if (!argument(r, &item))
            return false;
        if (item.kind != CT_INDEX_INT)
            return ct_fail(CT_ERR_TYPE, "slice indices must be integers or None or have an "
                                        "__index__ method");
        *v = item.start;
        return true;
    }
    *given = false;
    return true;
}

/* Reads one item of the index: `...`, a bool, a list, None, an int, `?` or a slice. */
static bool read_item(struct reader *r)
{
    ct_index *item = &r->item[r->n++];
    bool given;
    *item = (ct_index){.kind = CT_INDEX_ELLIPSIS};
    if (accept(r, "..."))
        return true;
    if (accept(r, "True") || accept(r, "False")) {
        *item = (ct_index){.kind = CT_INDEX_BOOL, .start = r->at[-2] == 'u'};
        return true;
    }
    if (accept(r, "["))
        return read_list(r, item);
    const char *before = r->at;
    if (accept(r, "None")) {
        bool alone = !accept(r, ":");
        r->at = alone ? r->at : before;
        *item = (ct_index){.kind = CT_INDEX_NONE};
        if (alone)
            return true;
    }
    if (accept(r, "?")) {
        if (!argument(r, item))
            return false;
        given = true;
    } else {
        *item = (ct_index){.kind = CT_INDEX_INT};
        if (!read_bound(r, &item->start, &given))
            return false;
    }
    if (!accept(r, ":"))
        return given || invalid(r);
    if (given && item->kind != CT_INDEX_INT && item->kind != CT_INDEX_NONE)
        return invalid(r);
    if (item->kind == CT_INDEX_NONE)
        item->start = CT_NO_DIM;
    item->kind = CT_INDEX_SLICE;
    item->step = CT_NO_DIM;
    if (!read_bound(r, &item->stop, &given))
        return false;
    if (accept(r, ":") && !read_bound(r, &item->step, &given))
        return false;
    return true;
}

static bool read_text(struct reader *r, const char *text)
{
    r->text = r->at = text;
    skip_spaces(r);
    if (!*r->at)
        return invalid(r);
    do {
        if (r->n == MAX_ITEMS)
            return invalid(r);
        skip_spaces(r);
        if (!*r->at && r->n)
            break; /* a trailing comma, as in a tuple of one */
        if (!read_item(r))
            return false;
    } while (accept(r, ","));
    skip_spaces(r);
    return !*r->at || invalid(r);
}

/* Reads an argument list: a string and the values of its `?`, or only numbers and tensors. Stops
 * before the last `kept` arguments, which are not part of the index. */
static bool read_index(struct reader *r, const ct_value *index, int kept)
{
    r->text = "";
    r->n = r->nmade = 0;
    r->value = index;
    if (index->kind == CT_VALUE_STR) {
        r->value++;
        if (!index->as.str)
            return ct_fail(CT_ERR_TYPE, "the text of an index is NULL");
        return read_text(r, index->as.str);
    }
    while (r->value[0].kind != CT_VALUE_END && (!kept || r->value[1].kind != CT_VALUE_END))
        if (r->n == MAX_ITEMS || !argument(r, &r->item[r->n++]))
            return false;
    return r->n || invalid(r);
}

static void read_end(struct reader *r)
{
    for (int i = 0; i < r->nmade; i++)
        ct_release(r->made[i]);
}

static bool used_up(const struct reader *r, int64_t left)
{
    for (int64_t i = 0; i < left; i++)
        if (r->value[i].kind == CT_VALUE_END)
            return invalid(r);
    if (r->value[left].kind != CT_VALUE_END)
        return invalid(r);
    return true;
}

static ct_tensor *element(ct_tensor *x, const ct_value *index, const char *function)
{
    struct reader r;
    ct_tensor *result = NULL;
    if (!cti_check_tensor(x, function, "x") || !cti_check_pointer(index, function, "index"))
        return NULL;
    if (read_index(&r, index, 0) && used_up(&r, 0))
        result = ct_own_getitem(x, r.item, r.n);
    read_end(&r);
    return result;
}

ct_tensor *ct_at_ex(ct_tensor *x, const ct_value *index)
{
    return ct_scoped(element(x, index, "ct_at"));
}

double ct_item_at_ex(ct_tensor *x, const ct_value *index)
{
    ct_tensor *one = element(x, index, "ct_item_at");
    double item = one ? ct_item(one) : NAN;
    ct_release(one);
    return item;
}

ct_tensor *ct_set_ex(ct_tensor *x, const ct_value *index_and_value)
{
    struct reader r;
    bool good = false;
    if (!cti_check_tensor(x, "ct_set", "x") ||
        !cti_check_pointer(index_and_value, "ct_set", "index"))
        return NULL;
    if (read_index(&r, index_and_value, 1) && used_up(&r, 1) &&
        cti_check_value(*r.value, "ct_set", "value"))
        good = ct_own_setitem(x, r.item, r.n, *r.value);
    read_end(&r);
    return good ? x : NULL;
}

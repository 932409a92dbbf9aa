/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses einsum's equation into labels and positions, with PyTorch's errors. Called by einsum.c; of
 * the operands only the number of dims is used. */
#include "ops/matmul/einsum.h"

#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static uint8_t label_of(char c)
{
    return (uint8_t)(c <= 'Z' ? c - 'A' : c - 'a' + CTI_EQUATION_LETTERS);
}

static bool bad_letter(int64_t at)
{
    return ct_fail(CT_ERR_RUNTIME,
                   "einsum(): invalid subscript given at index %lld in the equation string, "
                   "subscripts must be in [a-zA-Z]",
                   (long long)at);
}

/* Whether text[i] begins a complete "...". */
static bool is_ellipsis(const char *text, int64_t i, int64_t length)
{
    return i + 2 < length && text[i + 1] == '.' && text[i + 2] == '.';
}

/* Parses the labels of the operands, left of the arrow. */
static bool read_operands(struct cti_equation *e, const char *text, int64_t length)
{
    int64_t op = 0, n = 0;
    bool dotted = false;
    e->start[0] = 0;
    for (int64_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == ' ')
            continue;
        if (c == ',') {
            e->start[++op] = n;
            dotted = false;
            if (op == e->nops)
                return ct_fail(CT_ERR_RUNTIME, "einsum(): fewer operands were provided than "
                                               "specified in the equation");
        } else if (c == '.') {
            if (dotted)
                return ct_fail(CT_ERR_RUNTIME,
                               "einsum(): found '.' for operand %lld for which an ellipsis was "
                               "already found",
                               (long long)op);
            if (!is_ellipsis(text, i, length))
                return ct_fail(CT_ERR_RUNTIME,
                               "einsum(): found '.' for operand %lld that is not part of any "
                               "ellipsis",
                               (long long)op);
            e->labels[n++] = CTI_EQUATION_ELLIPSIS;
            dotted = true;
            i += 2;
        } else if (is_letter(c)) {
            e->labels[n++] = label_of(c);
        } else {
            return bad_letter(i);
        }
    }
    if (op != e->nops - 1)
        return ct_fail(CT_ERR_RUNTIME, "einsum(): more operands were provided than specified in "
                                       "the equation");
    e->start[e->nops] = n;
    return true;
}

/* Checks each operand's labels against its dims; counts labels and the dims under an ellipsis. */
static bool count_labels(struct cti_equation *e, ct_list operands)
{
    for (int64_t i = 0; i < e->nops; i++) {
        int64_t ndim = operands.v[i]->ndim, n = e->start[i + 1] - e->start[i];
        bool dotted = memchr(e->labels + e->start[i], CTI_EQUATION_ELLIPSIS, (size_t)n) != NULL;
        for (int64_t k = e->start[i]; k < e->start[i + 1]; k++)
            if (e->labels[k] != CTI_EQUATION_ELLIPSIS)
                e->count[e->labels[k]]++;
        n -= dotted;
        if (dotted && ndim - n > e->ellipsis_dims)
            e->ellipsis_dims = ndim - n;
        if (dotted ? n > ndim : n != ndim)
            return ct_fail(CT_ERR_RUNTIME,
                           "einsum(): the number of subscripts in the equation (%lld) %s the "
                           "number of dimensions (%lld) for operand %lld%s",
                           (long long)n, dotted ? "is more than" : "does not match",
                           (long long)ndim, (long long)i,
                           dotted ? "" : " and no ellipsis was given");
    }
    return true;
}

/* Without an arrow, the labels of the result are the ellipsis and then all labels that occur once,
 * in alphabetical order, capitals first. */
static void imply_result(struct cti_equation *e)
{
    e->ndim = e->ellipsis_dims;
    for (int label = 0; label < CTI_EQUATION_LABELS; label++)
        if (e->count[label] == 1)
            e->position[label] = e->ndim++;
}

/* Parses the labels right of the arrow. before: their offset in the equation, for errors. */
static bool read_result(struct cti_equation *e, const char *text, int64_t before, bool *dotted)
{
    int64_t length = (int64_t)strlen(text);
    for (int64_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == ' ')
            continue;
        if (c == '.') {
            if (*dotted)
                return ct_fail(CT_ERR_RUNTIME, "einsum(): found '.' for output but an ellipsis "
                                               "(...) was already found");
            if (!is_ellipsis(text, i, length))
                return ct_fail(CT_ERR_RUNTIME, "einsum(): found '.' for output that is not part "
                                               "of any ellipsis (...)");
            e->ellipsis_position = e->ndim;
            e->ndim += e->ellipsis_dims;
            *dotted = true;
            i += 2;
        } else if (!is_letter(c)) {
            return bad_letter(before + i);
        } else {
            uint8_t label = label_of(c);
            if (!e->count[label] || e->position[label] >= 0)
                return ct_fail(CT_ERR_RUNTIME, "einsum(): output subscript %c %s", c,
                               e->position[label] >= 0
                                   ? "appears more than once in the output"
                                   : "does not appear in the equation for any input operand");
            e->position[label] = e->ndim++;
        }
    }
    return true;
}

bool cti_equation_read(struct cti_equation *e, const char *text, ct_list operands)
{
    const char *arrow = strstr(text, "->");
    bool dotted = !arrow;
    int64_t left = arrow ? arrow - text : (int64_t)strlen(text);
    memset(e->position, -1, sizeof e->position);
    if (!read_operands(e, text, left) || !count_labels(e, operands))
        return false;
    if (!arrow)
        imply_result(e);
    else if (!read_result(e, arrow + 2, left + 2, &dotted))
        return false;
    e->ndim_out = e->ndim;
    if (!dotted) {
        e->ellipsis_position = e->ndim;
        e->ndim += e->ellipsis_dims;
    }
    for (int label = 0; label < CTI_EQUATION_LABELS; label++)
        if (e->count[label] && e->position[label] < 0)
            e->position[label] = e->ndim++;
    if (e->ndim > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "einsum(): %lld subscripts are more dims than a tensor has",
                       (long long)e->ndim);
    return true;
}

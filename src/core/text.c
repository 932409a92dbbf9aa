/* SPDX-License-Identifier: BSD-3-Clause */
/* A growing text buffer, and numbers as Python writes them: the shortest digits that read back as
 * the same double, with an exponent from 1e16 on and below 1e-4. */
#include "core/text.h"
#include "core/alloc.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool text_reserve(struct cti_text *text, size_t more)
{
    if (text->failed)
        return false;
    if (text->n + more < text->capacity)
        return true;
    size_t capacity = 2 * (text->n + more) + 64;
    char *grown = cti_realloc(text->v, capacity);
    if (!grown) {
        text->failed = true;
        return false;
    }
    text->v = grown;
    text->capacity = capacity;
    return true;
}

void cti_text_add_n(struct cti_text *text, const char *more, size_t n)
{
    if (!text_reserve(text, n + 1))
        return;
    memcpy(text->v + text->n, more, n);
    text->n += n;
    text->v[text->n] = '\0';
}

void cti_text_add(struct cti_text *text, const char *more)
{
    cti_text_add_n(text, more, strlen(more));
}

void cti_text_fill(struct cti_text *text, char c, int64_t times)
{
    if (times <= 0 || !text_reserve(text, (size_t)times + 1))
        return;
    memset(text->v + text->n, c, (size_t)times);
    text->n += (size_t)times;
    text->v[text->n] = '\0';
}

void cti_text_printf(struct cti_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    char small[128];
    int n = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    if (n < 0) { /* vsnprintf failed: the text is too long */
        text->failed = true;
        ct_fail(CT_ERR_VALUE, "the number has too many digits to be written as text");
    } else if (n < (int)sizeof small) {
        cti_text_add_n(text, small, (size_t)n);
    } else if (text_reserve(text, (size_t)n + 1)) {
        vsnprintf(text->v + text->n, (size_t)n + 1, format, again);
        text->n += (size_t)n;
    }
    va_end(again);
}

char *cti_text_take(struct cti_text *text)
{
    cti_text_add_n(text, "", 0); /* so that an empty string is not NULL */
    char *v = text->v;
    if (text->failed) {
        cti_free(v);
        v = NULL;
    }
    *text = (struct cti_text){0};
    return v;
}

void cti_text_free(struct cti_text *text)
{
    cti_free(text->v);
    *text = (struct cti_text){0};
}

/* ---- numbers ---- */

/* Writes d.ddde+xx, the shortest text that reads back as x (finite, positive). */
static void shortest_digits(char out[40], double x)
{
    /* A normal double keeps 15 digits, so start there; the caller removes zeros at the end. */
    int digits = x < 0x1p-1022 ? 1 : 15;
    for (; digits < 17; digits++) {
        snprintf(out, 40, "%.*e", digits - 1, x);
        if (strtod(out, NULL) == x)
            return;
    }
    /* Rounding is not symmetric at a power of two: 16 digits rounded up may read back as x although
     * the 16 digits nearest to x, just tried, do not. */
    snprintf(out, 40, "%.16e", x);
    unsigned long long all =
        (unsigned long long)(out[0] - '0') * 10000000000000000u + strtoull(out + 2, NULL, 10);
    unsigned long long up = all / 10 + 1, unit = 1000000000000000u;
    char tried[40];
    snprintf(tried, sizeof tried, "%llu.%015llu%s", up / unit, up % unit, strchr(out, 'e'));
    if (strtod(tried, NULL) == x)
        memcpy(out, tried, sizeof tried);
}

/* point_zero: adds ".0" to integral values, as for floats but not for parts of complex numbers. */
static void add_double(struct cti_text *text, double x, bool point_zero)
{
    if (isnan(x) || isinf(x)) {
        cti_text_add(text, isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
        return;
    }
    char digits[40] = "0e+00";
    if (x != 0)
        shortest_digits(digits, fabs(x));
    if (signbit(x))
        cti_text_add(text, "-");
    char mantissa[40];
    int n = 0, point = atoi(strchr(digits, 'e') + 1) + 1; /* digits before the point */
    for (const char *c = digits; *c != 'e'; c++)
        if (*c >= '0' && *c <= '9')
            mantissa[n++] = *c;
    while (n > 1 && mantissa[n - 1] == '0')
        n--;
    mantissa[n] = '\0';
    if (point > 16 || point < -3) {
        cti_text_printf(text, n > 1 ? "%c.%se%+03d" : "%c%se%+03d", mantissa[0], mantissa + 1,
                        point - 1);
        return;
    }
    if (point <= 0) {
        cti_text_add(text, "0.");
        cti_text_fill(text, '0', -point);
        cti_text_add(text, mantissa);
        return;
    }
    cti_text_add_n(text, mantissa, (size_t)(n < point ? n : point));
    cti_text_fill(text, '0', point - n);
    if (n > point) {
        cti_text_add(text, ".");
        cti_text_add(text, mantissa + point);
    } else if (point_zero) {
        cti_text_add(text, ".0");
    }
}

void cti_text_number(struct cti_text *text, ct_value number)
{
    switch (number.kind) {
    case CT_VALUE_BOOL:
        cti_text_add(text, number.as.b ? "True" : "False");
        break;
    case CT_VALUE_INT:
        cti_text_printf(text, "%lld", (long long)number.as.i);
        break;
    case CT_VALUE_UINT:
        cti_text_printf(text, "%llu", (unsigned long long)number.as.u);
        break;
    case CT_VALUE_FLOAT:
        add_double(text, number.as.f, true);
        break;
    case CT_VALUE_COMPLEX: {
        double re = number.as.c.re, im = number.as.c.im;
        bool both = re != 0 || signbit(re);
        if (both) {
            cti_text_add(text, "(");
            add_double(text, re, false);
            if (isnan(im) || !signbit(im))
                cti_text_add(text, "+");
        }
        add_double(text, im, false);
        cti_text_add(text, both ? "j)" : "j");
        break;
    }
    case CT_VALUE_NULL:
    case CT_VALUE_NONE:
    case CT_VALUE_TENSOR:
    case CT_VALUE_STR:
    case CT_VALUE_END:
        cti_text_add(text, "None");
        break;
    }
}

void cti_text_tuple(struct cti_text *text, int64_t n, const int64_t *v)
{
    cti_text_add(text, "(");
    for (int64_t i = 0; i < n; i++)
        cti_text_printf(text, i ? ", %lld" : "%lld", (long long)v[i]);
    cti_text_add(text, n == 1 ? ",)" : ")");
}

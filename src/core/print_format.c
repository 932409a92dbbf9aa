/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the format of a tensor's elements, such as "3.", "3.1416" or "3.1416e+00", from the
 * finite, nonzero values that are shown, as PyTorch does, and writes single numbers in it. Called
 * by print.c. */
#include "core/dtype.h"
#include "core/interrupt.h"
#include "core/print.h"
#include "core/value.h"

#include <math.h>

static ct_value number_part(ct_value v, enum cti_part part)
{
    if (part == CTI_WHOLE || v.kind != CT_VALUE_COMPLEX)
        return v;
    return ct_value_float(part == CTI_REAL ? v.as.c.re : v.as.c.im);
}

/* Calls visit on every shown element below dim d. */
static void visit_shown(const struct cti_shown *shown, int d, const char *at,
                        void (*visit)(void *context, ct_value v), void *context, enum cti_part part)
{
    const ct_tensor *t = shown->tensor;
    if (d == t->ndim) {
        visit(context, number_part(cti_value_element(t, at), part));
        return;
    }
    int64_t n = t->shape[d], edge = shown->edge;
    int64_t step = t->stride[d] * cti_itemsize(t->dtype);
    bool cut = shown->summarize && n > 2 * edge;
    if (cut && edge == 0) {
        /* PyTorch reads x[-0:] here, which is all of a vector; with more dims it reads nothing. */
        if (d < t->ndim - 1)
            return;
        cut = false;
    }
    for (int64_t i = 0; i < n && !cti_interrupted_at(i, 1024); i++) {
        if (cut && i == edge)
            i = n - edge;
        visit_shown(shown, d + 1, at + i * step, visit, context, part);
    }
}

/* ---- first pass: the range, and whether all are integers ---- */

static void see_float(void *context, ct_value v)
{
    struct cti_format *format = context;
    double x = fabs(v.as.f);
    if (x == 0 || !isfinite(x))
        return;
    if (format->most < 0 || x > format->most)
        format->most = x;
    if (format->least < 0 || x < format->least)
        format->least = x;
    if (x != ceil(x))
        format->int_mode = false;
}

/* ---- second pass: the width ---- */

#define MAX_PRECISION (1 << 20)

struct measure {
    struct cti_format *format;
    struct cti_text scratch;
};

static void write_float(const struct cti_format *format, struct cti_text *text, double x)
{
    if (isnan(x))
        cti_text_add(text, "nan");
    else if (isinf(x))
        cti_text_add(text, x < 0 ? "-inf" : "inf");
    else if (format->sci_mode)
        cti_text_printf(text, "%.*e", format->precision, x);
    else if (format->int_mode)
        cti_text_printf(text, "%.0f.", x);
    else
        cti_text_printf(text, "%.*f", format->precision, x);
}

static void measure_number(void *context, ct_value v)
{
    struct measure *measure = context;
    struct cti_format *format = measure->format;
    measure->scratch.n = 0;
    if (!format->floating)
        cti_text_number(&measure->scratch, v);
    else if (v.as.f != 0 && isfinite(v.as.f))
        write_float(format, &measure->scratch, v.as.f);
    else
        return;
    if ((int64_t)measure->scratch.n > format->width)
        format->width = (int64_t)measure->scratch.n;
}

bool cti_format_choose(struct cti_format *format, const struct cti_shown *shown, enum cti_part part,
                       const struct ct_print_options *options)
{
    const ct_tensor *t = shown->tensor;
    enum ct_dtype dtype = t->dtype;
    /* larger values take seconds and much memory per number */
    if (options->precision > MAX_PRECISION)
        return cti_refuse(CT_ERR_VALUE, "precision too big");
    *format = (struct cti_format){
        .floating = cti_dtype_category(dtype) >= CTI_KIND_FLOAT,
        .int_mode = true,
        .precision = options->precision,
        .width = 1,
        .dtype = dtype,
        .least = -1,
        .most = -1,
    };
    if (format->floating) {
        visit_shown(shown, 0, cti_data(t), see_float, format, part);
        if (format->most < 0)
            return true; /* only zeros, infinities and NaN: keep the defaults */
        format->sci_mode = options->sci_mode >= 0
                               ? options->sci_mode != 0
                               : format->most / format->least > 1000.0 || format->most > 1.0e8 ||
                                     format->least < 1.0e-4;
    }
    struct measure measure = {format, {0}};
    visit_shown(shown, 0, cti_data(t), measure_number, &measure, part);
    bool ok = !measure.scratch.failed && cti_ran();
    cti_text_free(&measure.scratch);
    return ok;
}

void cti_format_number(const struct cti_format *format, struct cti_text *text, ct_value number)
{
    size_t before = text->n;
    if (format->floating)
        write_float(format, text, number.as.f);
    else
        cti_text_number(text, number);
    int64_t missing = format->width - (int64_t)(text->n - before);
    if (missing <= 0 || text->failed)
        return;
    /* Append the spaces first, then move the number behind them. */
    size_t length = text->n - before;
    cti_text_fill(text, ' ', missing);
    if (text->failed)
        return;
    char *number_at = text->v + before;
    for (size_t i = length; i-- > 0;)
        number_at[i + (size_t)missing] = number_at[i];
    for (int64_t i = 0; i < missing; i++)
        number_at[i] = ' ';
}

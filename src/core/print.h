/* SPDX-License-Identifier: BSD-3-Clause */
/* Formatting of tensor elements, shared by print.c (whole tensors) and print_format.c (which
 * chooses the width and mode for a set of values). */
#ifndef CORTEN_CORE_PRINT_H
#define CORTEN_CORE_PRINT_H

#include "core/tensor.h"
#include "core/text.h"

/* How numbers of one tensor (or its real or imaginary parts) are written. */
struct cti_format {
    bool floating;
    bool int_mode; /* floats that are all integers: "3." */
    bool sci_mode;
    int precision;
    int64_t width;
    enum ct_dtype dtype;
    /* The range of the values so far. */
    double least, most;
};

/* Which part of an element: a real number, or one part of a complex one. */
enum cti_part { CTI_WHOLE, CTI_REAL, CTI_IMAG };

/* The elements that a printed tensor shows, summarised or not. */
struct cti_shown {
    const ct_tensor *tensor;
    bool summarize;
    int64_t edge;
};

/* Chooses the format from the elements that are shown. False: out of memory. */
bool cti_format_choose(struct cti_format *format, const struct cti_shown *shown, enum cti_part part,
                       const struct ct_print_options *options);
/* Appends one number, padded on the left to the common width. */
void cti_format_number(const struct cti_format *format, struct cti_text *text, ct_value number);

#endif

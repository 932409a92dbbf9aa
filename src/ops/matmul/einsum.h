/* SPDX-License-Identifier: BSD-3-Clause */
/* An equation in Einstein's notation, as einsum_equation.c reads it and einsum.c computes it. Used
 * by these two alone. */
#ifndef CORTEN_OPS_EINSUM_H
#define CORTEN_OPS_EINSUM_H

#include "ops/front.h"

enum {
    CTI_EQUATION_LETTERS = 26,
    CTI_EQUATION_LABELS = 2 * CTI_EQUATION_LETTERS,
    CTI_EQUATION_ELLIPSIS = CTI_EQUATION_LABELS
};

/* What the equation says. Places count dims of the common order: the result's first, then those
 * that are summed. */
struct cti_equation {
    uint8_t *labels; /* of all operands */
    int64_t *start;  /* operand i has labels[start[i]] to labels[start[i + 1] - 1] */
    int64_t nops;
    int64_t count[CTI_EQUATION_LABELS]; /* how often operands use it */
    int64_t place[CTI_EQUATION_LABELS]; /* -1: none */
    int64_t ellipsis_dims, ellipsis_place;
    int64_t ndim_out, ndim;
};

/* Reads `text` for these operands; e is zero but for its memory (labels, start) and nops. */
bool cti_equation_read(struct cti_equation *e, const char *text, ct_list operands);

/* A label as it is written. */
static inline char cti_equation_letter(int label)
{
    return (char)(label < CTI_EQUATION_LETTERS ? 'A' + label : 'a' + label - CTI_EQUATION_LETTERS);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The parsed equation of einsum: einsum_equation.c reads it, einsum.c evaluates it. Private to
 * these two files. */
#ifndef CORTEN_OPS_EINSUM_H
#define CORTEN_OPS_EINSUM_H

#include "ops/front.h"

enum {
    CTI_EQUATION_LETTERS = 26,
    CTI_EQUATION_LABELS = 2 * CTI_EQUATION_LETTERS,
    CTI_EQUATION_ELLIPSIS = CTI_EQUATION_LABELS
};

/* A parsed equation. Positions count dims of the common order: the result's first, then the summed
 * ones. */
struct cti_equation {
    uint8_t *labels; /* of all operands, one after the other */
    int64_t *start;  /* operand i has labels[start[i]] to labels[start[i + 1] - 1] */
    int64_t nops;
    int64_t count[CTI_EQUATION_LABELS];    /* occurrences in operands */
    int64_t position[CTI_EQUATION_LABELS]; /* -1: unused */
    int64_t ellipsis_dims, ellipsis_position;
    int64_t ndim_out, ndim;
};

/* Parses `text` for these operands. The caller has allocated e->labels and e->start, set e->nops
 * and zeroed the rest. False: PyTorch's error is set. */
bool cti_equation_read(struct cti_equation *e, const char *text, ct_list operands);

/* A label as the user wrote it. */
static inline char cti_equation_letter(int label)
{
    return (char)(label < CTI_EQUATION_LETTERS ? 'A' + label : 'a' + label - CTI_EQUATION_LETTERS);
}

#endif

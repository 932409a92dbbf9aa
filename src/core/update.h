/* SPDX-License-Identifier: BSD-3-Clause */
/* The update engine: one pointwise program with several results over many tensors, such as the step
 * of an optimizer. A line is one parameter with its gradient and its states. They have the same
 * memory layout, so their elements at index i belong together. */
#ifndef CORTEN_CORE_UPDATE_H
#define CORTEN_CORE_UPDATE_H

#include "core/backend.h"

#define CTI_UPDATE_OPERANDS 6
#define CTI_UPDATE_NUMBERS 12
#define CTI_UPDATE_STEPS 24

/* Slots of a step: operands, then scalars, then the results of steps. A step whose result is an
 * operand writes it; later reads of that operand see the new value. */
#define CTI_UPDATE_NUMBER(k) (CTI_UPDATE_OPERANDS + (k))
#define CTI_UPDATE_RESULT(s) (CTI_UPDATE_OPERANDS + CTI_UPDATE_NUMBERS + (s))
#define CTI_UPDATE_SLOTS CTI_UPDATE_RESULT(CTI_UPDATE_STEPS)

struct cti_update_line {
    int64_t at; /* the number of elements in the lines before it */
    int64_t numel;
    char *data[CTI_UPDATE_OPERANDS];
    double number[CTI_UPDATE_NUMBERS];
};

struct cti_update {
    struct cti_work work;
    int noperands, nnumbers, nsteps;
    uint8_t dtype[CTI_UPDATE_OPERANDS]; /* the type in memory, a floating type */
    uint8_t compute;                    /* float32 or float64; truth values are bool */
    struct cti_step step[CTI_UPDATE_STEPS];
    int64_t nlines, total; /* lines; elements of all */
    const struct cti_update_line *line;
};

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The common implementation of pointwise operations: promotes, broadcasts, allocates the result and
 * passes one program to the backend. An operation is a program of one step; the formula of a
 * derivative may have several. */
#ifndef CORTEN_OPS_POINTWISE_H
#define CORTEN_OPS_POINTWISE_H

#include "core/backend.h"

enum cti_row_result { CTI_RESULT_SAME, CTI_RESULT_BOOL, CTI_RESULT_REAL };

/* The strides of a new result: those that PyTorch's iterator chooses, those of the first operand,
 * or contiguous. */
enum cti_row_layout {
    CTI_LAYOUT_SORTED,
    CTI_LAYOUT_LIKE,
    CTI_LAYOUT_PLAIN,
    CTI_LAYOUT_PLAIN_NUMBER, /* contiguous if the first operand is a number */
    CTI_LAYOUT_PLAIN_COMPLEX /* contiguous if complex */
};

/* Whether an operation accepts float8, see Note [Float8]. */
enum cti_row_float8 {
    CTI_FLOAT8_NO,
    CTI_FLOAT8_YES,
    CTI_FLOAT8_TENSORS /* only if no operand is a number */
};

/* The generated description of an operation. Bit sets count operands from 0. */
struct cti_row_facts {
    const char *name, *kernel; /* as PyTorch's errors name them */
    uint8_t nin;
    uint8_t masks;       /* operands that are bools */
    uint8_t promoting;   /* operands that decide the dtype; others are cast to it */
    uint8_t result;      /* enum cti_row_result */
    uint8_t layout;      /* enum cti_row_layout */
    bool to_common;      /* operands are promoted, nothing else */
    bool to_float;       /* integers become the default dtype */
    bool to_complex;     /* real and imaginary parts become a complex dtype */
    uint8_t float8;      /* enum cti_row_float8 */
    uint32_t types;      /* bit set of dtypes */
    bool beside_numbers; /* numbers among later operands do not affect the layout */
    const char *refuse_bool, *refuse_complex, *refuse_integer; /* the messages, or NULL */
    bool (*late)(const ct_value *operand); /* a check after dtypes and shapes, or NULL */
};
extern const struct cti_row_facts cti_row_facts[];

/* Runs one operation on n operands. If out is NULL, returns a new result, which the caller owns.
 * Otherwise writes to `out` (the user's, or self in place, which is also operand 0) and returns it,
 * borrowed. Returns NULL if the error is set. */
ct_tensor *cti_pointwise(uint16_t row, ct_tensor *out, const ct_value *operand, int n);

/* A fixed list of steps. Input slots below noperands are operands, the others results of earlier
 * steps. cti_pointwise_program runs all steps in one pass and returns the last one's result, new
 * and owned; NULL: the error is set. */
struct cti_program {
    uint8_t noperands, nsteps;
    struct {
        uint16_t row;
        uint8_t in[CTI_MAX_INPUTS];
    } step[CTI_MAX_STEPS];
};
ct_tensor *cti_pointwise_program(const struct cti_program *p, const ct_value *operand);

#endif

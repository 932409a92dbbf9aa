/* SPDX-License-Identifier: BSD-3-Clause */
/* The front of pointwise work: promotes, broadcasts, allocates and hands one program to the
 * backend. One operation is a program of one step; a derivative's formula is a longer one. */
#ifndef CORTEN_OPS_POINTWISE_H
#define CORTEN_OPS_POINTWISE_H

#include "core/backend.h"

enum cti_row_result { CTI_RESULT_SAME, CTI_RESULT_BOOL, CTI_RESULT_REAL };

/* The layout of a new result: as PyTorch's iterator has it, like the first operand, or contiguous.
 */
enum cti_row_layout {
    CTI_LAYOUT_SORTED,
    CTI_LAYOUT_LIKE,
    CTI_LAYOUT_PLAIN,
    CTI_LAYOUT_PLAIN_NUMBER, /* where the first operand is a number */
    CTI_LAYOUT_PLAIN_COMPLEX /* of complex numbers */
};

/* What a row says of its types; generated. Bits count operands from 0. */
/* Note [Float8]: whether a row takes the types of one byte. */
enum cti_row_float8 {
    CTI_FLOAT8_NO,
    CTI_FLOAT8_YES,
    CTI_FLOAT8_TENSORS /* but not beside a number */
};

struct cti_row_facts {
    const char *name, *kernel; /* as PyTorch's errors name them */
    uint8_t nin;
    uint8_t masks;       /* operands that are truth values */
    uint8_t promoting;   /* operands that decide the type; the others follow */
    uint8_t result;      /* enum cti_row_result */
    uint8_t layout;      /* enum cti_row_layout */
    bool to_common;      /* as the operands promote, and no further */
    bool to_float;       /* integers become the default type */
    bool to_complex;     /* the parts of complex numbers: the type that holds them */
    uint8_t float8;      /* enum cti_row_float8 */
    uint32_t types;      /* bit set of data types */
    bool beside_numbers; /* operands after the first count as numbers: they decide no layout */
    const char *refuse_bool, *refuse_complex, *refuse_integer; /* texts of its own for these */
    bool (*late)(const ct_value *operand); /* checks values, after types and shapes; or NULL */
};
extern const struct cti_row_facts cti_row_facts[];

/* Runs one row. out NULL: a new result, owned; else `out`, not owned anew: self of an in-place call
 * (which is operand 0 too) or the user's `out`. */
ct_tensor *cti_pointwise(uint16_t row, ct_tensor *out, const ct_value *operand, int n);

/* A fixed list of steps over operands: slots below noperands are operands, the others results of
 * earlier steps; the last step gives the result. */
struct cti_program {
    uint8_t noperands, nsteps;
    struct {
        uint16_t row;
        uint8_t in[CTI_MAX_INPUTS];
    } step[CTI_MAX_STEPS];
};
ct_tensor *cti_pointwise_program(const struct cti_program *p, const ct_value *operand);

#endif

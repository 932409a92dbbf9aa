/* SPDX-License-Identifier: BSD-3-Clause */
/* The update of one parameter as a program: operations applied to its tensors, and its numbers.
 * formulas.c builds it; update.c runs many of them in one engine call, record.c runs it as recorded
 * operations. */
#ifndef CORTEN_OPTIM_PROGRAM_H
#define CORTEN_OPTIM_PROGRAM_H

#include "core/hold.h"
#include "core/update.h"
#include "corten/optim.h"

/* Operands of every program; states follow. */
enum { CTI_OPTIM_PARAM, CTI_OPTIM_GRAD, CTI_OPTIM_STATE };

_Static_assert(CTI_OPTIM_STATE + CT_OPTIM_STATES == CTI_UPDATE_OPERANDS, "all states are operands");

struct cti_optim_program {
    int nsteps, nnumbers;
    struct cti_step step[CTI_UPDATE_STEPS];
    double number[CTI_UPDATE_NUMBERS];
    ct_tensor *tensor[CTI_UPDATE_NUMBERS]; /* of numbers that require grad; borrowed */
};

/* Builds the program of one parameter and advances the item's states that are numbers. Tensors of
 * the program's numbers are added to `hold`; NULL: nothing is differentiated, and the call cannot
 * fail. */
bool cti_optim_formula(struct cti_optim_program *p, enum ct_optim_kind kind,
                       const struct ct_optim_options *o, struct ct_optim_item *item,
                       struct cti_hold *hold);

/* Lists the tensors of an item by operand (NULL if absent); returns the number of operands. */
int cti_optim_operands(const struct ct_optim_item *item, ct_tensor **tensor);

/* Runs a program as recorded operations, so that gradients flow through the step. */
bool cti_optim_record(const struct cti_optim_program *p, const struct ct_optim_item *item);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* How the rooms' files speak of one parameter's step: a program of rows over its tensors, and the
 * numbers that belong to this parameter. formulas.c writes it; update.c runs many as one engine
 * call, record.c as recorded operations. */
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
    ct_tensor *tensor[CTI_UPDATE_NUMBERS]; /* of numbers that get a gradient; held by the caller */
};

/* The step of one parameter; also moves on the states of the item that are numbers. `hold` gets the
 * tensors of the program's numbers; NULL: none is to be differentiated, and nothing can fail. */
bool cti_optim_formula(struct cti_optim_program *p, enum ct_optim_kind kind,
                       const struct ct_optim_options *o, struct ct_optim_item *item,
                       struct cti_hold *hold);

/* The tensors of an item by operand, NULL where there is none; returns how many operands. */
int cti_optim_operands(const struct ct_optim_item *item, ct_tensor **tensor);

/* The same program as recorded operations: for gradients through a step. */
bool cti_optim_record(const struct cti_optim_program *p, const struct ct_optim_item *item);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A parameter's step as recorded operations, so that gradients pass through it
 * (differentiable=True): the program of formulas.c, row by row. Called by update.c. */
#include "optim/program.h"

#include "core/hold.h"
#include "corten/own.h"
#include "rows.h"

/* A slot as an argument: a tensor, or a number. */
static ct_value value_of(const struct cti_optim_program *p, ct_tensor *const *slot, int s)
{
    bool number = s >= CTI_UPDATE_OPERANDS && s < CTI_UPDATE_RESULT(0);
    return number ? ct_value_float(p->number[s - CTI_UPDATE_OPERANDS]) : ct_value_tensor(slot[s]);
}

/* The operation of a step; owned. */
static ct_tensor *call(const struct cti_step *step, const ct_value *v)
{
    ct_tensor *x = v[0].kind == CT_VALUE_TENSOR ? v[0].as.tensor : NULL;
    ct_tensor *y = step->nin > 1 && v[1].kind == CT_VALUE_TENSOR ? v[1].as.tensor : NULL;
    ct_tensor *z = step->nin > 2 && v[2].kind == CT_VALUE_TENSOR ? v[2].as.tensor : NULL;
    switch (step->row) {
    case CTI_ROW_NEG:
        return ct_own_neg(x);
    case CTI_ROW_ABS:
        return ct_own_abs(x);
    case CTI_ROW_SIGN:
        return ct_own_sign(x);
    case CTI_ROW_SQRT:
        return ct_own_sqrt(x);
    case CTI_ROW_ADD:
        return ct_own_add(v[0], v[1], ct_value_int(1));
    case CTI_ROW_ADD_FULL:
        return ct_own_add(v[0], v[1], v[2]);
    case CTI_ROW_SUB:
        return ct_own_sub(v[0], v[1], ct_value_int(1));
    case CTI_ROW_MUL:
        return ct_own_mul(v[0], v[1]);
    case CTI_ROW_DIV:
        return ct_own_div(v[0], v[1], NULL);
    case CTI_ROW_MAXIMUM:
        return ct_own_maximum(v[0], y);
    case CTI_ROW_LERP:
        return ct_own_lerp(x, y, v[2]);
    case CTI_ROW_ADDCMUL:
        return ct_own_addcmul(x, y, z, v[3]);
    case CTI_ROW_ADDCDIV:
        return ct_own_addcdiv(x, y, z, v[3]);
    case CTI_ROW_LT:
        return ct_own_lt(v[0], v[1]);
    case CTI_ROW_GT:
        return ct_own_gt(v[0], v[1]);
    case CTI_ROW_WHERE:
        return ct_own_where(x, v[1], v[2]);
    case CTI_ROW_CLAMP_BOTH:
        return ct_own_clamp(x, v[1], v[2]);
    default:
        return ct_fail(CT_ERR_RUNTIME, "an optimizer's row %d has no recorded form", step->row);
    }
}

bool cti_optim_record(const struct cti_optim_program *p, const struct ct_optim_item *item)
{
    struct cti_hold h = {0};
    ct_tensor *slot[CTI_UPDATE_SLOTS] = {NULL}, *tensor[CTI_UPDATE_OPERANDS];
    bool good = true, written[CTI_UPDATE_OPERANDS] = {false};
    int n = cti_optim_operands(item, tensor);
    for (int k = 0; k < n; k++)
        slot[k] = tensor[k];
    for (int s = 0; s < p->nsteps && good; s++) {
        const struct cti_step *step = &p->step[s];
        ct_value v[CTI_MAX_INPUTS] = {{0}};
        for (int i = 0; i < step->nin; i++)
            v[i] = value_of(p, slot, step->in[i]);
        slot[step->out] = cti_hold(&h, call(step, v));
        good = slot[step->out] != NULL;
        if (step->out < CTI_UPDATE_OPERANDS)
            written[step->out] = true;
    }
    for (int k = 0; k < n && good; k++)
        if (written[k])
            good = ct_own_copy_(tensor[k], slot[k], false) != NULL;
    cti_hold_end(&h, NULL);
    return good;
}

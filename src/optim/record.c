/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a parameter's update as recorded operations, so that gradients flow through it
 * (differentiable=True): the program of formulas.c, step by step. Called by update.c. */
#include "optim/program.h"

#include "core/hold.h"
#include "corten/own.h"
#include "rows.h"

/* The value of a slot: a tensor, or a number, which is a tensor if it requires a gradient. */
static ct_value slot_value(const struct cti_optim_program *p, ct_tensor *const *slot, int s)
{
    if (s < CTI_UPDATE_OPERANDS || s >= CTI_UPDATE_RESULT(0))
        return ct_value_tensor(slot[s]);
    ct_tensor *of = p->tensor[s - CTI_UPDATE_OPERANDS];
    return of ? ct_value_tensor(of) : ct_value_float(p->number[s - CTI_UPDATE_OPERANDS]);
}

/* Returns x + factor * y for a factor that is a tensor, which add does not accept. Consumes y. */
static ct_tensor *add_scaled_take(ct_tensor *x, ct_tensor *y, ct_value factor)
{
    ct_tensor *scaled = y ? ct_own_mul(ct_value_tensor(y), factor) : NULL;
    ct_tensor *sum =
        scaled ? ct_own_add(ct_value_tensor(x), ct_value_tensor(scaled), ct_value_int(1)) : NULL;
    ct_release(y);
    ct_release(scaled);
    return sum;
}

/* Converts a number to a tensor of the parameter's dtype and device. Owned. */
static ct_tensor *number_tensor(ct_value v, const ct_tensor *param)
{
    if (v.kind == CT_VALUE_TENSOR)
        return ct_own_to_dtype(v.as.tensor, ct_dtype(param));
    return ct_own_scalar_tensor(v, ct_dtype(param), ct_device_of(param), false);
}

/* Clamps x to bounds of which at least one is a tensor, which gets a gradient where it applies. */
static ct_tensor *clamp_by(ct_value x, ct_value low, ct_value high, const ct_tensor *param)
{
    ct_tensor *a = number_tensor(low, param), *b = number_tensor(high, param),
              *raised = a ? ct_own_maximum(x, a) : NULL;
    ct_tensor *result = raised && b ? ct_own_minimum(ct_value_tensor(raised), b) : NULL;
    ct_release(a);
    ct_release(b);
    ct_release(raised);
    return result;
}

/* where() of two numbers would give float32, so `a` becomes a tensor of the parameter's dtype. */
static ct_tensor *record_where(ct_tensor *condition, ct_value a, ct_value b, const ct_tensor *param)
{
    ct_tensor *first = number_tensor(a, param);
    ct_tensor *result = first ? ct_own_where(condition, ct_value_tensor(first), b) : NULL;
    ct_release(first);
    return result;
}

/* Runs the operation of a step; the result is owned. */
static ct_tensor *record_step(const struct cti_step *step, const ct_value *v,
                              const ct_tensor *param)
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
        if (z) /* the scale is a tensor */
            return add_scaled_take(x, ct_retain(y), v[2]);
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
        if (v[3].kind == CT_VALUE_TENSOR)
            return add_scaled_take(x, ct_own_mul(v[1], v[2]), v[3]);
        return ct_own_addcmul(x, y, z, v[3]);
    case CTI_ROW_ADDCDIV:
        if (v[3].kind == CT_VALUE_TENSOR)
            return add_scaled_take(x, ct_own_div(v[1], v[2], NULL), v[3]);
        return ct_own_addcdiv(x, y, z, v[3]);
    case CTI_ROW_LT:
        return ct_own_lt(v[0], v[1]);
    case CTI_ROW_GT:
        return ct_own_gt(v[0], v[1]);
    case CTI_ROW_WHERE:
        return record_where(x, v[1], v[2], param);
    case CTI_ROW_CLAMP_BOTH:
        return y || z ? clamp_by(v[0], v[1], v[2], param) : ct_own_clamp(x, v[1], v[2]);
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
    for (int s = 0; s < p->nsteps; s++)
        if (p->step[s].out < CTI_UPDATE_OPERANDS)
            written[p->step[s].out] = true;
    /* Operands that the program overwrites are copied, since steps may save them for backward. */
    for (int k = 0; k < n && good; k++) {
        bool copied = tensor[k] && written[k];
        slot[k] = copied ? cti_hold(&h, ct_own_clone(tensor[k], CT_PRESERVE_FORMAT)) : tensor[k];
        good = slot[k] || !copied;
    }
    for (int s = 0; s < p->nsteps && good; s++) {
        const struct cti_step *step = &p->step[s];
        ct_value v[CTI_MAX_INPUTS] = {{0}};
        for (int i = 0; i < step->nin; i++)
            v[i] = slot_value(p, slot, step->in[i]);
        slot[step->out] = cti_hold(&h, record_step(step, v, tensor[CTI_OPTIM_PARAM]));
        good = slot[step->out] != NULL;
    }
    for (int k = 0; k < n && good; k++)
        if (written[k])
            good = ct_own_copy_(tensor[k], slot[k], false) != NULL;
    cti_hold_end(&h, NULL);
    return good;
}

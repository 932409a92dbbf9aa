/* SPDX-License-Identifier: BSD-3-Clause */
/* The formulas of the optimizers, each a program of rows: the operations of torch.optim's
 * single-tensor versions in their order, so that results agree to rounding. A formula reads like
 * the recurrence it is; `set` ends a value in the parameter or a state, and whoever reads that
 * operand afterwards has the new value. What depends on the step count is computed here, in
 * float64, and enters as a number. */
#include "optim/program.h"

#include "ops/pointwise/pointwise.h"
#include "rows.h"

#include <math.h>

typedef uint8_t slot;

enum { PARAM = CTI_OPTIM_PARAM, GRAD = CTI_OPTIM_GRAD, FIRST = CTI_OPTIM_STATE, SECOND, THIRD };

struct build {
    struct cti_optim_program *p;
    const struct ct_optim_options *o;
    struct ct_optim_item *item;
};

static slot number(struct build *b, double value)
{
    b->p->number[b->p->nnumbers] = value;
    return (slot)CTI_UPDATE_NUMBER(b->p->nnumbers++);
}

static slot apply(struct build *b, uint16_t row, int n, const slot *in)
{
    const struct cti_row_facts *f = &cti_row_facts[row];
    struct cti_step *step = &b->p->step[b->p->nsteps];
    *step = (struct cti_step){.row = row, .nin = (uint8_t)n, .masks = f->masks};
    step->params = (uint8_t)(~(f->promoting | f->masks) & ((1u << n) - 1));
    for (int i = 0; i < n; i++)
        step->in[i] = in[i];
    step->out = (uint8_t)CTI_UPDATE_RESULT(b->p->nsteps++);
    return step->out;
}

static slot unary(struct build *b, uint16_t row, slot x)
{
    return apply(b, row, 1, &x);
}

static slot binary(struct build *b, uint16_t row, slot x, slot y)
{
    return apply(b, row, 2, (slot[]){x, y});
}

static slot scaled(struct build *b, slot x, double factor)
{
    return binary(b, CTI_ROW_MUL, x, number(b, factor));
}

/* x + alpha * y */
static slot plus(struct build *b, slot x, slot y, double alpha)
{
    return apply(b, CTI_ROW_ADD_FULL, 3, (slot[]){x, y, number(b, alpha)});
}

static slot lerp(struct build *b, slot x, slot y, double weight)
{
    return apply(b, CTI_ROW_LERP, 3, (slot[]){x, y, number(b, weight)});
}

static slot addcmul(struct build *b, slot x, slot y, slot z, double value)
{
    return apply(b, CTI_ROW_ADDCMUL, 4, (slot[]){x, y, z, number(b, value)});
}

static slot addcdiv(struct build *b, slot x, slot y, slot z, double value)
{
    return apply(b, CTI_ROW_ADDCDIV, 4, (slot[]){x, y, z, number(b, value)});
}

static slot where(struct build *b, slot condition, slot x, slot y)
{
    return apply(b, CTI_ROW_WHERE, 3, (slot[]){condition, x, y});
}

/* sqrt(x) + eps */
static slot root(struct build *b, slot x)
{
    return binary(b, CTI_ROW_ADD, unary(b, CTI_ROW_SQRT, x), number(b, b->o->eps));
}

/* Ends the value of the last step in an operand. */
static void set(struct build *b, slot operand)
{
    b->p->step[b->p->nsteps - 1].out = operand;
}

/* The gradient, downhill; with the decay that belongs to it. */
static slot gradient(struct build *b)
{
    const struct ct_optim_options *o = b->o;
    slot g = o->maximize ? unary(b, CTI_ROW_NEG, GRAD) : GRAD;
    return o->weight_decay != 0 && !o->decoupled_weight_decay ? plus(b, g, PARAM, o->weight_decay)
                                                              : g;
}

/* The parameter, with the decay that does not go through the gradient. */
static slot parameter(struct build *b)
{
    const struct ct_optim_options *o = b->o;
    return o->weight_decay != 0 && o->decoupled_weight_decay
               ? scaled(b, PARAM, 1 - o->lr * o->weight_decay)
               : PARAM;
}

/* state = decay * state + (1 - decay) * g * g */
static void average_square(struct build *b, slot state, slot g, double decay)
{
    addcmul(b, scaled(b, state, decay), g, g, 1 - decay);
    set(b, state);
}

static void average(struct build *b, slot state, slot g, double weight)
{
    lerp(b, state, g, weight);
    set(b, state);
}

static void sgd(struct build *b)
{
    const struct ct_optim_options *o = b->o;
    slot g = gradient(b);
    if (o->momentum != 0) {
        if (b->item->fresh)
            scaled(b, g, 1);
        else
            plus(b, scaled(b, FIRST, o->momentum), g, 1 - o->dampening);
        set(b, FIRST);
        g = o->nesterov ? plus(b, g, FIRST, o->momentum) : FIRST;
    }
    plus(b, PARAM, g, -o->lr);
    set(b, PARAM);
}

static void adam(struct build *b)
{
    const struct ct_optim_options *o = b->o;
    double correction1 = 1 - pow(o->beta1, b->item->step);
    double correction2 = 1 - pow(o->beta2, b->item->step);
    slot x = parameter(b), g = gradient(b), square = SECOND;
    average(b, FIRST, g, 1 - o->beta1);
    average_square(b, SECOND, g, o->beta2);
    if (o->amsgrad) {
        binary(b, CTI_ROW_MAXIMUM, THIRD, SECOND);
        set(b, THIRD);
        square = THIRD;
    }
    slot deviation = unary(b, CTI_ROW_SQRT, square);
    deviation = binary(b, CTI_ROW_DIV, deviation, number(b, sqrt(correction2)));
    deviation = binary(b, CTI_ROW_ADD, deviation, number(b, o->eps));
    addcdiv(b, x, FIRST, deviation, -o->lr / correction1);
    set(b, PARAM);
}

static void adamax(struct build *b)
{
    const struct ct_optim_options *o = b->o;
    slot g = gradient(b);
    average(b, FIRST, g, 1 - o->beta1);
    slot size = binary(b, CTI_ROW_ADD, unary(b, CTI_ROW_ABS, g), number(b, o->eps));
    binary(b, CTI_ROW_MAXIMUM, scaled(b, SECOND, o->beta2), size);
    set(b, SECOND);
    addcdiv(b, PARAM, FIRST, SECOND, -o->lr / (1 - pow(o->beta1, b->item->step)));
    set(b, PARAM);
}

static void nadam(struct build *b)
{
    const struct ct_optim_options *o = b->o;
    double step = b->item->step, correction2 = 1 - pow(o->beta2, step);
    double mu = o->beta1 * (1 - 0.5 * pow(0.96, step * o->momentum_decay));
    double next = o->beta1 * (1 - 0.5 * pow(0.96, (step + 1) * o->momentum_decay));
    double product = (float)(b->item->number[0] * mu); /* a float32 in state dicts */
    b->item->number[0] = product;
    slot x = parameter(b), g = gradient(b);
    average(b, FIRST, g, 1 - o->beta1);
    average_square(b, SECOND, g, o->beta2);
    slot deviation = root(b, binary(b, CTI_ROW_DIV, SECOND, number(b, correction2)));
    x = addcdiv(b, x, g, deviation, -o->lr * (1 - mu) / (1 - product));
    addcdiv(b, x, FIRST, deviation, -o->lr * next / (1 - product * next));
    set(b, PARAM);
}

static void radam(struct build *b)
{
    const struct ct_optim_options *o = b->o;
    double step = b->item->step;
    double correction1 = 1 - pow(o->beta1, step), correction2 = 1 - pow(o->beta2, step);
    double longest = 2 / (1 - o->beta2) - 1;
    double length = longest - 2 * step * pow(o->beta2, step) / correction2;
    slot x = parameter(b), g = gradient(b);
    average(b, FIRST, g, 1 - o->beta1);
    average_square(b, SECOND, g, o->beta2);
    slot move = scaled(b, binary(b, CTI_ROW_DIV, FIRST, number(b, correction1)), o->lr);
    if (length > 5) { /* the variance is tractable */
        double rectified =
            sqrt((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length));
        slot rate = binary(b, CTI_ROW_DIV, number(b, sqrt(correction2)), root(b, SECOND));
        move = scaled(b, binary(b, CTI_ROW_MUL, move, rate), rectified);
    }
    plus(b, x, move, -1);
    set(b, PARAM);
}

static void adagrad(struct build *b)
{
    const struct ct_optim_options *o = b->o;
    slot g = gradient(b);
    addcmul(b, FIRST, g, g, 1);
    set(b, FIRST);
    double rate = o->lr / (1 + (b->item->step - 1) * o->lr_decay);
    addcdiv(b, PARAM, g, root(b, FIRST), -rate);
    set(b, PARAM);
}

static void adadelta(struct build *b)
{
    const struct ct_optim_options *o = b->o;
    slot g = gradient(b);
    average_square(b, FIRST, g, o->rho);
    slot eps = number(b, o->eps);
    slot deviation = unary(b, CTI_ROW_SQRT, binary(b, CTI_ROW_ADD, FIRST, eps));
    slot delta = unary(b, CTI_ROW_SQRT, binary(b, CTI_ROW_ADD, SECOND, eps));
    delta = binary(b, CTI_ROW_MUL, binary(b, CTI_ROW_DIV, delta, deviation), g);
    average_square(b, SECOND, delta, o->rho);
    plus(b, PARAM, delta, -o->lr);
    set(b, PARAM);
}

static void rmsprop(struct build *b)
{
    const struct ct_optim_options *o = b->o;
    slot g = gradient(b), square = FIRST;
    average_square(b, FIRST, g, o->alpha);
    if (o->centered) {
        average(b, THIRD, g, 1 - o->alpha);
        square = addcmul(b, FIRST, THIRD, THIRD, -1);
    }
    slot deviation = root(b, square);
    if (o->momentum > 0) {
        addcdiv(b, scaled(b, SECOND, o->momentum), g, deviation, 1);
        set(b, SECOND);
        plus(b, PARAM, SECOND, -o->lr);
    } else {
        addcdiv(b, PARAM, g, deviation, -o->lr);
    }
    set(b, PARAM);
}

static void rprop(struct build *b)
{
    const struct ct_optim_options *o = b->o;
    slot g = gradient(b), zero = number(b, 0);
    slot agreement = binary(b, CTI_ROW_MUL, g, FIRST);
    slot reversed = binary(b, CTI_ROW_LT, agreement, zero);
    slot factor = where(b, reversed, number(b, o->etaminus), number(b, 1));
    factor = where(b, binary(b, CTI_ROW_GT, agreement, zero), number(b, o->etaplus), factor);
    apply(b, CTI_ROW_CLAMP_BOTH, 3,
          (slot[]){binary(b, CTI_ROW_MUL, SECOND, factor), number(b, o->step_size_min),
                   number(b, o->step_size_max)});
    set(b, SECOND);
    where(b, reversed, zero, g);
    set(b, FIRST);
    addcmul(b, PARAM, unary(b, CTI_ROW_SIGN, FIRST), SECOND, -1);
    set(b, PARAM);
}

static void asgd(struct build *b)
{
    const struct ct_optim_options *o = b->o;
    double *eta = &b->item->number[0], *mu = &b->item->number[1];
    slot g = gradient(b);
    plus(b, scaled(b, PARAM, 1 - o->lambd * *eta), g, -*eta);
    set(b, PARAM);
    if (*mu == 1)
        scaled(b, PARAM, 1);
    else
        binary(b, CTI_ROW_ADD, FIRST, scaled(b, binary(b, CTI_ROW_SUB, PARAM, FIRST), *mu));
    set(b, FIRST);
    double past = b->item->step - o->t0;
    *eta = (float)(o->lr / pow(1 + o->lambd * o->lr * b->item->step, o->alpha));
    *mu = (float)(1 / (past > 1 ? past : 1));
}

/* ---- the table ---- */

static const struct kind {
    void (*formula)(struct build *b);
    const char *state[CT_OPTIM_STATES], *number[CT_OPTIM_NUMBERS];
} kinds[CT_OPTIM_KINDS] = {
    [CT_OPTIM_SGD] = {sgd, {"momentum_buffer"}, {NULL}},
    [CT_OPTIM_ADAM] = {adam, {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"}, {NULL}},
    [CT_OPTIM_ADAMAX] = {adamax, {"exp_avg", "exp_inf"}, {NULL}},
    [CT_OPTIM_NADAM] = {nadam, {"exp_avg", "exp_avg_sq"}, {"mu_product"}},
    [CT_OPTIM_RADAM] = {radam, {"exp_avg", "exp_avg_sq"}, {NULL}},
    [CT_OPTIM_ADAGRAD] = {adagrad, {"sum"}, {NULL}},
    [CT_OPTIM_ADADELTA] = {adadelta, {"square_avg", "acc_delta"}, {NULL}},
    [CT_OPTIM_RMSPROP] = {rmsprop, {"square_avg", "momentum_buffer", "grad_avg"}, {NULL}},
    [CT_OPTIM_RPROP] = {rprop, {"prev", "step_size"}, {NULL}},
    [CT_OPTIM_ASGD] = {asgd, {"ax"}, {"eta", "mu"}},
};

const char *ct_optim_state_name(enum ct_optim_kind kind, const struct ct_optim_options *o, int i)
{
    if ((unsigned)kind >= CT_OPTIM_KINDS || i < 0 || i >= CT_OPTIM_STATES)
        return NULL;
    bool absent = (kind == CT_OPTIM_SGD && o->momentum == 0) ||
                  (kind == CT_OPTIM_ADAM && i == 2 && !o->amsgrad) ||
                  (kind == CT_OPTIM_RMSPROP && i == 1 && !(o->momentum > 0)) ||
                  (kind == CT_OPTIM_RMSPROP && i == 2 && !o->centered);
    return absent ? NULL : kinds[kind].state[i];
}

const char *ct_optim_number_name(enum ct_optim_kind kind, int i)
{
    bool known = (unsigned)kind < CT_OPTIM_KINDS && i >= 0 && i < CT_OPTIM_NUMBERS;
    return known ? kinds[kind].number[i] : NULL;
}

void cti_optim_formula(struct cti_optim_program *p, enum ct_optim_kind kind,
                       const struct ct_optim_options *o, struct ct_optim_item *item)
{
    struct build b = {p, o, item};
    p->nsteps = p->nnumbers = 0;
    kinds[kind].formula(&b);
}

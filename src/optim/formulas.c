/* SPDX-License-Identifier: BSD-3-Clause */
/* The formulas of the optimizers, each a program of pointwise operations: those of torch.optim's
 * single-tensor implementations in the same order, so that results agree to rounding. Each formula
 * reads like its recurrence; `set` stores the last value in the parameter or a state, and later
 * uses of that operand see the new value. Quantities that depend on the step count are computed
 * here, in float64, and enter as numbers.
 *
 * Note [Numbers with gradients]: with differentiable=True an option may be a tensor that requires a
 * gradient. Arithmetic on numbers is then also recorded: n_mul(b, x, y) is the double x.v * y.v,
 * plus a 0-d tensor if x or y has one. */
#include "optim/program.h"

#include "corten/autograd.h"
#include "corten/own.h"
#include "ops/pointwise/pointwise.h"
#include "rows.h"

#include <math.h>

typedef uint8_t slot;

enum { PARAM = CTI_OPTIM_PARAM, GRAD = CTI_OPTIM_GRAD, FIRST = CTI_OPTIM_STATE, SECOND, THIRD };

/* A number of a formula; `of` is its tensor if it requires a gradient, else NULL. */
typedef struct {
    double v;
    ct_tensor *of;
} num;

struct build {
    struct cti_optim_program *p;
    const struct ct_optim_options *o;
    struct ct_optim_item *item;
    struct cti_hold *hold; /* NULL: no number has a tensor */
    bool failed;
};

/* ---- numbers ---- */

static num plain(double v)
{
    return (num){v, NULL};
}

/* An option, by name. */
#define OPTION(name) ((num){b->o->name, b->hold && b->o->tensors ? b->o->tensors->name : NULL})

static ct_value number_value(num x)
{
    return x.of ? ct_value_tensor(x.of) : ct_value_float(x.v);
}

/* A number whose tensor is the result of an operation. Consumes `of`. */
static num made(struct build *b, double v, ct_tensor *of)
{
    of = of ? cti_hold(b->hold, of) : NULL;
    b->failed |= !of;
    return (num){v, of};
}

static num n_add(struct build *b, num x, num y)
{
    if (!x.of && !y.of)
        return plain(x.v + y.v);
    return made(b, x.v + y.v, ct_own_add(number_value(x), number_value(y), ct_value_int(1)));
}

static num n_mul(struct build *b, num x, num y)
{
    return x.of || y.of ? made(b, x.v * y.v, ct_own_mul(number_value(x), number_value(y)))
                        : plain(x.v * y.v);
}

static num n_div(struct build *b, num x, num y)
{
    return x.of || y.of ? made(b, x.v / y.v, ct_own_div(number_value(x), number_value(y), NULL))
                        : plain(x.v / y.v);
}

static num n_pow(struct build *b, num x, num y)
{
    return x.of || y.of ? made(b, pow(x.v, y.v), ct_own_pow(number_value(x), number_value(y)))
                        : plain(pow(x.v, y.v));
}

static num n_sqrt(struct build *b, num x)
{
    return x.of ? made(b, sqrt(x.v), ct_own_sqrt(x.of)) : plain(sqrt(x.v));
}

static num n_neg(struct build *b, num x)
{
    return x.of ? made(b, -x.v, ct_own_neg(x.of)) : plain(-x.v);
}

static num n_sub(struct build *b, num x, num y)
{
    return x.of || y.of ? n_add(b, x, n_neg(b, y)) : plain(x.v - y.v);
}

/* 1 - x */
static num rest(struct build *b, num x)
{
    return n_sub(b, plain(1), x);
}

/* Reads a state that is a number. Copies its tensor, since the step overwrites it. */
static num state_number(struct build *b, int k)
{
    ct_tensor *t = b->hold ? b->item->number_tensor[k] : NULL;
    double v = b->item->number[k];
    return t && ct_requires_grad(t) ? made(b, v, ct_own_clone(t, CT_PRESERVE_FORMAT)) : plain(v);
}

/* Stores a number in a state, which is float32 in state dicts; returns the rounded number. */
static num keep_number(struct build *b, int k, num x)
{
    x.v = b->item->number[k] = (float)x.v;
    if (x.of) {
        ct_tensor *state = b->item->number_tensor[k];
        x = made(b, x.v, ct_own_to_dtype(x.of, CT_FLOAT32));
        b->failed |= !state || !x.of || !ct_own_copy_(state, x.of, false);
        b->item->number_written[k] = true;
    }
    return x;
}

/* ---- steps ---- */

static slot add_number(struct build *b, num x)
{
    int k = b->p->nnumbers++;
    b->p->number[k] = x.v;
    b->p->tensor[k] = x.of;
    return (slot)CTI_UPDATE_NUMBER(k);
}

/* Appends a step that applies an operation to n slots; returns the slot of its result. */
static slot add_step(struct build *b, uint16_t row, int n, const slot *in)
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
    return add_step(b, row, 1, &x);
}

static slot binary(struct build *b, uint16_t row, slot x, slot y)
{
    return add_step(b, row, 2, (slot[]){x, y});
}

static slot scaled(struct build *b, slot x, num factor)
{
    return binary(b, CTI_ROW_MUL, x, add_number(b, factor));
}

/* x + alpha * y */
static slot plus(struct build *b, slot x, slot y, num alpha)
{
    return add_step(b, CTI_ROW_ADD_FULL, 3, (slot[]){x, y, add_number(b, alpha)});
}

static slot lerp(struct build *b, slot x, slot y, num weight)
{
    return add_step(b, CTI_ROW_LERP, 3, (slot[]){x, y, add_number(b, weight)});
}

static slot addcmul(struct build *b, slot x, slot y, slot z, num value)
{
    return add_step(b, CTI_ROW_ADDCMUL, 4, (slot[]){x, y, z, add_number(b, value)});
}

static slot addcdiv(struct build *b, slot x, slot y, slot z, num value)
{
    return add_step(b, CTI_ROW_ADDCDIV, 4, (slot[]){x, y, z, add_number(b, value)});
}

static slot where(struct build *b, slot condition, slot x, slot y)
{
    return add_step(b, CTI_ROW_WHERE, 3, (slot[]){condition, x, y});
}

/* sqrt(x) + eps */
static slot root(struct build *b, slot x)
{
    return binary(b, CTI_ROW_ADD, unary(b, CTI_ROW_SQRT, x), add_number(b, OPTION(eps)));
}

/* Stores the result of the last step in an operand. */
static void set(struct build *b, slot operand)
{
    b->p->step[b->p->nsteps - 1].out = operand;
}

/* The gradient to descend along: negated for `maximize`, with coupled weight decay added. */
static slot gradient(struct build *b)
{
    const struct ct_optim_options *o = b->o;
    slot g = o->maximize ? unary(b, CTI_ROW_NEG, GRAD) : GRAD;
    return o->weight_decay != 0 && !o->decoupled_weight_decay
               ? plus(b, g, PARAM, OPTION(weight_decay))
               : g;
}

/* The parameter after decoupled weight decay. */
static slot parameter(struct build *b)
{
    const struct ct_optim_options *o = b->o;
    return o->weight_decay != 0 && o->decoupled_weight_decay
               ? scaled(b, PARAM, rest(b, n_mul(b, OPTION(lr), OPTION(weight_decay))))
               : PARAM;
}

/* state = decay * state + (1 - decay) * g * g */
static void average_square(struct build *b, slot state, slot g, num decay)
{
    addcmul(b, scaled(b, state, decay), g, g, rest(b, decay));
    set(b, state);
}

/* state += weight * (g - state) */
static void average(struct build *b, slot state, slot g, num weight)
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
            scaled(b, g, plain(1));
        else
            plus(b, scaled(b, FIRST, OPTION(momentum)), g, rest(b, OPTION(dampening)));
        set(b, FIRST);
        g = o->nesterov ? plus(b, g, FIRST, OPTION(momentum)) : FIRST;
    }
    plus(b, PARAM, g, n_neg(b, OPTION(lr)));
    set(b, PARAM);
}

static void adam(struct build *b)
{
    const struct ct_optim_options *o = b->o;
    num step = plain(b->item->step), beta1 = OPTION(beta1), beta2 = OPTION(beta2);
    num correction1 = rest(b, n_pow(b, beta1, step)), correction2 = rest(b, n_pow(b, beta2, step));
    slot x = parameter(b), g = gradient(b), square = SECOND;
    average(b, FIRST, g, rest(b, beta1));
    average_square(b, SECOND, g, beta2);
    if (o->amsgrad) {
        binary(b, CTI_ROW_MAXIMUM, THIRD, SECOND);
        set(b, THIRD);
        square = THIRD;
    }
    slot deviation = unary(b, CTI_ROW_SQRT, square);
    deviation = binary(b, CTI_ROW_DIV, deviation, add_number(b, n_sqrt(b, correction2)));
    deviation = binary(b, CTI_ROW_ADD, deviation, add_number(b, OPTION(eps)));
    addcdiv(b, x, FIRST, deviation, n_neg(b, n_div(b, OPTION(lr), correction1)));
    set(b, PARAM);
}

static void adamax(struct build *b)
{
    num beta1 = OPTION(beta1), correction = rest(b, n_pow(b, beta1, plain(b->item->step)));
    slot g = gradient(b);
    average(b, FIRST, g, rest(b, beta1));
    slot size = binary(b, CTI_ROW_ADD, unary(b, CTI_ROW_ABS, g), add_number(b, OPTION(eps)));
    binary(b, CTI_ROW_MAXIMUM, scaled(b, SECOND, OPTION(beta2)), size);
    set(b, SECOND);
    addcdiv(b, PARAM, FIRST, SECOND, n_neg(b, n_div(b, OPTION(lr), correction)));
    set(b, PARAM);
}

/* NAdam's momentum coefficient at a step. */
static num momentum_at(struct build *b, double step)
{
    num decay = n_pow(b, plain(0.96), n_mul(b, plain(step), OPTION(momentum_decay)));
    return n_mul(b, OPTION(beta1), rest(b, n_mul(b, plain(0.5), decay)));
}

static void nadam(struct build *b)
{
    double step = b->item->step;
    num lr = OPTION(lr), beta2 = OPTION(beta2), correction2 = rest(b, n_pow(b, beta2, plain(step)));
    num mu = momentum_at(b, step), next = momentum_at(b, step + 1);
    num product = keep_number(b, 0, n_mul(b, state_number(b, 0), mu));
    slot x = parameter(b), g = gradient(b);
    average(b, FIRST, g, rest(b, OPTION(beta1)));
    average_square(b, SECOND, g, beta2);
    slot deviation = root(b, binary(b, CTI_ROW_DIV, SECOND, add_number(b, correction2)));
    num by_gradient = n_div(b, n_mul(b, lr, rest(b, mu)), rest(b, product));
    num by_average = n_div(b, n_mul(b, lr, next), rest(b, n_mul(b, product, next)));
    x = addcdiv(b, x, g, deviation, n_neg(b, by_gradient));
    addcdiv(b, x, FIRST, deviation, n_neg(b, by_average));
    set(b, PARAM);
}

static void radam(struct build *b)
{
    num step = plain(b->item->step), beta1 = OPTION(beta1), beta2 = OPTION(beta2);
    num correction1 = rest(b, n_pow(b, beta1, step)), power = n_pow(b, beta2, step);
    num correction2 = rest(b, power), two = plain(2), four = plain(4);
    num longest = n_sub(b, n_div(b, two, rest(b, beta2)), plain(1));
    num lost = n_div(b, n_mul(b, n_mul(b, two, step), power), correction2);
    num length = n_sub(b, longest, lost);
    slot x = parameter(b), g = gradient(b);
    average(b, FIRST, g, rest(b, beta1));
    average_square(b, SECOND, g, beta2);
    slot move = scaled(b, binary(b, CTI_ROW_DIV, FIRST, add_number(b, correction1)), OPTION(lr));
    if (length.v > 5) { /* the variance is tractable */
        num above = n_mul(b, n_mul(b, n_sub(b, length, four), n_sub(b, length, two)), longest);
        num below = n_mul(b, n_mul(b, n_sub(b, longest, four), n_sub(b, longest, two)), length);
        num rectified = n_sqrt(b, n_div(b, above, below));
        slot rate = binary(b, CTI_ROW_DIV, add_number(b, n_sqrt(b, correction2)), root(b, SECOND));
        move = scaled(b, binary(b, CTI_ROW_MUL, move, rate), rectified);
    }
    plus(b, x, move, plain(-1));
    set(b, PARAM);
}

static void adagrad(struct build *b)
{
    slot g = gradient(b);
    addcmul(b, FIRST, g, g, plain(1));
    set(b, FIRST);
    num slower = n_mul(b, plain(b->item->step - 1), OPTION(lr_decay));
    num rate = n_div(b, OPTION(lr), n_add(b, plain(1), slower));
    addcdiv(b, PARAM, g, root(b, FIRST), n_neg(b, rate));
    set(b, PARAM);
}

static void adadelta(struct build *b)
{
    num rho = OPTION(rho);
    slot g = gradient(b);
    average_square(b, FIRST, g, rho);
    slot eps = add_number(b, OPTION(eps));
    slot deviation = unary(b, CTI_ROW_SQRT, binary(b, CTI_ROW_ADD, FIRST, eps));
    slot delta = unary(b, CTI_ROW_SQRT, binary(b, CTI_ROW_ADD, SECOND, eps));
    delta = binary(b, CTI_ROW_MUL, binary(b, CTI_ROW_DIV, delta, deviation), g);
    average_square(b, SECOND, delta, rho);
    plus(b, PARAM, delta, n_neg(b, OPTION(lr)));
    set(b, PARAM);
}

static void rmsprop(struct build *b)
{
    const struct ct_optim_options *o = b->o;
    slot g = gradient(b), square = FIRST;
    average_square(b, FIRST, g, OPTION(alpha));
    if (o->centered) {
        average(b, THIRD, g, rest(b, OPTION(alpha)));
        square = addcmul(b, FIRST, THIRD, THIRD, plain(-1));
    }
    slot deviation = root(b, square);
    if (o->momentum > 0) {
        addcdiv(b, scaled(b, SECOND, OPTION(momentum)), g, deviation, plain(1));
        set(b, SECOND);
        plus(b, PARAM, SECOND, n_neg(b, OPTION(lr)));
    } else {
        addcdiv(b, PARAM, g, deviation, n_neg(b, OPTION(lr)));
    }
    set(b, PARAM);
}

static void rprop(struct build *b)
{
    slot g = gradient(b), zero = add_number(b, plain(0));
    slot agreement = binary(b, CTI_ROW_MUL, g, FIRST);
    slot reversed = binary(b, CTI_ROW_LT, agreement, zero);
    slot factor = where(b, reversed, add_number(b, OPTION(etaminus)), add_number(b, plain(1)));
    factor =
        where(b, binary(b, CTI_ROW_GT, agreement, zero), add_number(b, OPTION(etaplus)), factor);
    add_step(b, CTI_ROW_CLAMP_BOTH, 3,
             (slot[]){binary(b, CTI_ROW_MUL, SECOND, factor), add_number(b, OPTION(step_size_min)),
                      add_number(b, OPTION(step_size_max))});
    set(b, SECOND);
    where(b, reversed, zero, g);
    set(b, FIRST);
    addcmul(b, PARAM, unary(b, CTI_ROW_SIGN, FIRST), SECOND, plain(-1));
    set(b, PARAM);
}

static void asgd(struct build *b)
{
    num eta = state_number(b, 0), mu = state_number(b, 1), lambd = OPTION(lambd), lr = OPTION(lr);
    slot g = gradient(b);
    plus(b, scaled(b, PARAM, rest(b, n_mul(b, lambd, eta))), g, n_neg(b, eta));
    set(b, PARAM);
    if (mu.v == 1)
        scaled(b, PARAM, plain(1));
    else
        binary(b, CTI_ROW_ADD, FIRST, scaled(b, binary(b, CTI_ROW_SUB, PARAM, FIRST), mu));
    set(b, FIRST);
    num slower = n_mul(b, n_mul(b, lambd, lr), plain(b->item->step));
    num past = n_sub(b, plain(b->item->step), OPTION(t0));
    keep_number(b, 0, n_div(b, lr, n_pow(b, n_add(b, plain(1), slower), OPTION(alpha))));
    keep_number(b, 1, past.v > 1 ? n_div(b, plain(1), past) : plain(1));
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
    if (!o || (unsigned)kind >= CT_OPTIM_KINDS || i < 0 || i >= CT_OPTIM_STATES)
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

bool cti_optim_formula(struct cti_optim_program *p, enum ct_optim_kind kind,
                       const struct ct_optim_options *o, struct ct_optim_item *item,
                       struct cti_hold *hold)
{
    struct build b = {p, o, item, hold, false};
    p->nsteps = p->nnumbers = 0;
    kinds[kind].formula(&b);
    return !b.failed;
}

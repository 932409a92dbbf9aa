/* SPDX-License-Identifier: BSD-3-Clause */
/* Optimizers for C programs: a list of parameters with their states, which are created with the
 * first gradient. ct_optim_update does the arithmetic. */
#include "core/check_args.h"
#include "corten/optim.h"

#include "autograd/autograd.h"
#include "core/alloc.h"
#include "core/backend.h"
#include "core/scope.h"
#include "core/shape.h"
#include "core/value.h"
#include "corten/own.h"
#include "corten/profile.h"
#include "ops/front.h"

#include <math.h>
#include <stddef.h>

struct ct_optim {
    enum ct_optim_kind kind;
    struct ct_optim_options options;
    double start; /* initial value of Adagrad's sum or Rprop's step sizes */
    int64_t n;
    struct ct_optim_item item[]; /* param and states are owned; grad is set during a step */
};

static void optim_release(void *object)
{
    ct_optim *o = object;
    for (int64_t i = 0; i < o->n; i++) {
        ct_release(o->item[i].param);
        for (int s = 0; s < CT_OPTIM_STATES; s++)
            ct_release(o->item[i].state[s]);
    }
    cti_free(o);
}

/* ---- keywords ---- */

/* The range of a keyword; errors have PyTorch's texts. */
enum bound { NOT_NEGATIVE, BELOW_ONE };

static bool check_range(double value, enum bound bound, const char *words)
{
    if (value >= 0 && (bound == NOT_NEGATIVE || value < 1))
        return true;
    return cti_refuse(CT_ERR_VALUE, "%s: %g", words, value);
}

static bool check_options(enum ct_optim_kind kind, const struct ct_optim_options *o)
{
    if (!check_range(o->lr, NOT_NEGATIVE, "Invalid learning rate") ||
        !check_range(o->eps, NOT_NEGATIVE, "Invalid epsilon value") ||
        !check_range(o->weight_decay, NOT_NEGATIVE, "Invalid weight_decay value") ||
        !check_range(o->momentum, NOT_NEGATIVE, "Invalid momentum value") ||
        !check_range(o->beta1, BELOW_ONE, "Invalid beta parameter at index 0") ||
        !check_range(o->beta2, BELOW_ONE, "Invalid beta parameter at index 1") ||
        !check_range(o->lr_decay, NOT_NEGATIVE, "Invalid lr_decay value") ||
        !check_range(o->momentum_decay, NOT_NEGATIVE, "Invalid momentum_decay value") ||
        !check_range(o->alpha, NOT_NEGATIVE, "Invalid alpha value") ||
        !check_range(o->rho > 1 ? -o->rho : o->rho, NOT_NEGATIVE, "Invalid rho value"))
        return false;
    if (o->nesterov && (o->momentum <= 0 || o->dampening != 0))
        return cti_refuse(CT_ERR_VALUE, "Nesterov momentum requires a momentum and zero dampening");
    if (kind == CT_OPTIM_RPROP && !(0 < o->etaminus && o->etaminus < 1 && 1 < o->etaplus))
        return cti_refuse(CT_ERR_VALUE, "Invalid eta values: %g, %g", o->etaminus, o->etaplus);
    return true;
}

/* Checks the options and makes an optimizer in the innermost scope. start: as in struct
 * ct_optim. */
static ct_optim *optim_new(enum ct_optim_kind kind, ct_list params,
                           const struct ct_optim_options *o, double start)
{
    static const char *const names[CT_OPTIM_KINDS] = {
        [CT_OPTIM_SGD] = "ct_sgd",           [CT_OPTIM_ADAM] = "ct_adam",
        [CT_OPTIM_ADAMAX] = "ct_adamax",     [CT_OPTIM_NADAM] = "ct_nadam",
        [CT_OPTIM_RADAM] = "ct_radam",       [CT_OPTIM_ADAGRAD] = "ct_adagrad",
        [CT_OPTIM_ADADELTA] = "ct_adadelta", [CT_OPTIM_RMSPROP] = "ct_rmsprop",
        [CT_OPTIM_RPROP] = "ct_rprop",       [CT_OPTIM_ASGD] = "ct_asgd"};
    bool adamw = kind == CT_OPTIM_ADAM && o->decoupled_weight_decay;
    if (!cti_check_list(&params, adamw ? "ct_adamw" : names[kind], "params"))
        return NULL;
    int64_t n = params.n;
    if (n == 0)
        return ct_fail(CT_ERR_VALUE, "optimizer got an empty parameter list");
    for (int64_t i = 0; i < n; i++) {
        if (!ct_is_leaf(params.v[i]))
            return ct_fail(CT_ERR_VALUE, "can't optimize a non-leaf Tensor");
    }
    if (!check_options(kind, o))
        return NULL;
    ct_optim *optim = cti_calloc(1, sizeof *optim + (size_t)n * sizeof optim->item[0]);
    if (!optim)
        return NULL;
    optim->kind = kind;
    optim->options = *o;
    optim->start = start;
    optim->n = n;
    for (int64_t i = 0; i < n; i++) {
        struct ct_optim_item *item = &optim->item[i];
        item->param = ct_retain(params.v[i]);
        item->fresh = true;
        item->number[0] = kind == CT_OPTIM_ASGD ? o->lr : 1;
        item->number[1] = 1;
    }
    return cti_scope_add(optim, optim_release);
}

/* The keywords `a` of an optimizer: its defaults, overwritten by those that the caller passed. */
#define KEYWORDS(name)                                                                             \
    struct ct_##name##_args a = ct_##name##_defaults;                                              \
    cti_keywords_copy(&a, sizeof a, args)

/* An option with the name and the value of a keyword. */
#define SAME(keyword) .keyword = a.keyword

ct_optim *ct_sgd_ex(ct_list params, const struct ct_sgd_args *args)
{
    KEYWORDS(sgd);
    struct ct_optim_options o = {SAME(lr),           SAME(momentum), SAME(dampening),
                                 SAME(weight_decay), SAME(nesterov), SAME(maximize)};
    return optim_new(CT_OPTIM_SGD, params, &o, 0);
}

ct_optim *ct_adam_ex(ct_list params, const struct ct_adam_args *args)
{
    KEYWORDS(adam);
    struct ct_optim_options o = {SAME(lr),           SAME(beta1),   SAME(beta2),   SAME(eps),
                                 SAME(weight_decay), SAME(amsgrad), SAME(maximize)};
    return optim_new(CT_OPTIM_ADAM, params, &o, 0);
}

ct_optim *ct_adamw_ex(ct_list params, const struct ct_adamw_args *args)
{
    KEYWORDS(adamw);
    struct ct_optim_options o = {
        SAME(lr),           SAME(beta1),   SAME(beta2),    SAME(eps),
        SAME(weight_decay), SAME(amsgrad), SAME(maximize), .decoupled_weight_decay = true};
    return optim_new(CT_OPTIM_ADAM, params, &o, 0);
}

ct_optim *ct_adamax_ex(ct_list params, const struct ct_adamax_args *args)
{
    KEYWORDS(adamax);
    struct ct_optim_options o = {SAME(lr),  SAME(beta1),        SAME(beta2),
                                 SAME(eps), SAME(weight_decay), SAME(maximize)};
    return optim_new(CT_OPTIM_ADAMAX, params, &o, 0);
}

ct_optim *ct_nadam_ex(ct_list params, const struct ct_nadam_args *args)
{
    KEYWORDS(nadam);
    struct ct_optim_options o = {SAME(lr),
                                 SAME(beta1),
                                 SAME(beta2),
                                 SAME(eps),
                                 SAME(weight_decay),
                                 SAME(momentum_decay),
                                 SAME(decoupled_weight_decay),
                                 SAME(maximize)};
    return optim_new(CT_OPTIM_NADAM, params, &o, 0);
}

ct_optim *ct_radam_ex(ct_list params, const struct ct_radam_args *args)
{
    KEYWORDS(radam);
    struct ct_optim_options o = {SAME(lr),      SAME(beta1),        SAME(beta2),
                                 SAME(eps),     SAME(weight_decay), SAME(decoupled_weight_decay),
                                 SAME(maximize)};
    return optim_new(CT_OPTIM_RADAM, params, &o, 0);
}

ct_optim *ct_adagrad_ex(ct_list params, const struct ct_adagrad_args *args)
{
    KEYWORDS(adagrad);
    struct ct_optim_options o = {SAME(lr), SAME(lr_decay), SAME(eps), SAME(weight_decay),
                                 SAME(maximize)};
    if (!check_range(a.initial_accumulator_value, NOT_NEGATIVE,
                     "Invalid initial_accumulator_value value"))
        return NULL;
    return optim_new(CT_OPTIM_ADAGRAD, params, &o, a.initial_accumulator_value);
}

ct_optim *ct_adadelta_ex(ct_list params, const struct ct_adadelta_args *args)
{
    KEYWORDS(adadelta);
    struct ct_optim_options o = {SAME(lr), SAME(rho), SAME(eps), SAME(weight_decay),
                                 SAME(maximize)};
    return optim_new(CT_OPTIM_ADADELTA, params, &o, 0);
}

ct_optim *ct_rmsprop_ex(ct_list params, const struct ct_rmsprop_args *args)
{
    KEYWORDS(rmsprop);
    struct ct_optim_options o = {SAME(lr),       SAME(alpha),    SAME(eps),     SAME(weight_decay),
                                 SAME(momentum), SAME(centered), SAME(maximize)};
    return optim_new(CT_OPTIM_RMSPROP, params, &o, 0);
}

ct_optim *ct_rprop_ex(ct_list params, const struct ct_rprop_args *args)
{
    KEYWORDS(rprop);
    struct ct_optim_options o = {
        SAME(lr),      SAME(etaminus), SAME(etaplus), SAME(step_size_min), SAME(step_size_max),
        SAME(maximize)};
    return optim_new(CT_OPTIM_RPROP, params, &o, a.lr);
}

ct_optim *ct_asgd_ex(ct_list params, const struct ct_asgd_args *args)
{
    KEYWORDS(asgd);
    struct ct_optim_options o = {SAME(lr), SAME(lambd),        SAME(alpha),
                                 SAME(t0), SAME(weight_decay), SAME(maximize)};
    return optim_new(CT_OPTIM_ASGD, params, &o, 0);
}

/* ---- steps ---- */

/* Creates the states of a parameter at its first gradient. */
static bool make_states(ct_optim *o, struct ct_optim_item *item)
{
    for (int s = 0; s < CT_OPTIM_STATES; s++) {
        if (item->state[s] || !ct_optim_state_name(o->kind, &o->options, s))
            continue;
        bool starts = o->kind == CT_OPTIM_ADAGRAD || (o->kind == CT_OPTIM_RPROP && s == 1);
        ct_value start = ct_value_float(starts ? o->start : 0);
        item->state[s] = cti_empty_like(item->param, item->param->dtype, CT_PRESERVE_FORMAT);
        if (!item->state[s] ||
            !CTI_RUN(fill, item->state[s], .dst = item->state[s], .number = start))
            return false;
    }
    return true;
}

bool ct_step(ct_optim *o)
{
    if (!cti_check_pointer(o, "ct_step", "o"))
        return false;
    int64_t event = ct_profile_begin("Optimizer.step");
    struct ct_optim_item *now = cti_malloc((size_t)o->n * sizeof *now);
    int64_t *which = cti_malloc((size_t)o->n * sizeof *which), n = 0;
    bool good = now && which, mode = ct_set_grad_enabled(false);
    for (int64_t i = 0; i < o->n && good; i++) {
        ct_tensor *grad = ct_own_grad(o->item[i].param);
        if (!grad)
            continue;
        good = make_states(o, &o->item[i]);
        now[n] = o->item[i];
        now[n].grad = grad;
        now[n].step += 1;
        which[n++] = i;
    }
    good = good && ct_optim_update(o->kind, &o->options, now, n, false);
    for (int64_t k = 0; k < n; k++) {
        ct_release(now[k].grad);
        if (!good)
            continue;
        struct ct_optim_item *item = &o->item[which[k]];
        item->step = now[k].step;
        item->number[0] = now[k].number[0];
        item->number[1] = now[k].number[1];
        item->fresh = false;
    }
    ct_set_grad_enabled(mode);
    cti_free(now);
    cti_free(which);
    ct_profile_end(event);
    return good;
}

void ct_zero_grad(ct_optim *o)
{
    if (!cti_check_pointer(o, "ct_zero_grad", "o"))
        return;
    for (int64_t i = 0; i < o->n; i++)
        ct_set_grad(o->item[i].param, CT_NO_TENSOR);
}

double ct_lr(const ct_optim *o)
{
    if (!cti_check_pointer(o, "ct_lr", "o"))
        return NAN;
    return o->options.lr;
}

bool ct_set_lr(ct_optim *o, double lr)
{
    if (!cti_check_pointer(o, "ct_set_lr", "o"))
        return false;
    if (!check_range(lr, NOT_NEGATIVE, "Invalid learning rate"))
        return false;
    o->options.lr = lr;
    return true;
}

void ct_optim_free(ct_optim *o)
{
    if (o)
        cti_scope_remove(o);
}

/* ---- clipping ---- */

double ct_clip_grad_norm(ct_list params, double max_norm)
{
    if (!cti_check_list(&params, "ct_clip_grad_norm", "params"))
        return NAN;
    double square = 0;
    int64_t n = cti_list_count(params);
    bool mode = ct_set_grad_enabled(false), good = true;
    for (int64_t i = 0; i < n && good; i++) {
        ct_tensor *grad = params.v[i] ? ct_own_grad(params.v[i]) : NULL;
        if (!grad)
            continue;
        ct_tensor *norm =
            ct_own_linalg_vector_norm(grad, ct_value_int(2), CT_NO_DIMS, false, CT_NO_DTYPE);
        double size = norm ? ct_item(norm) : NAN;
        good = norm != NULL;
        square += size * size;
        ct_release(norm);
        ct_release(grad);
    }
    double total = sqrt(square), factor = max_norm / (total + 1e-6);
    for (int64_t i = 0; i < n && good && factor < 1; i++) {
        ct_tensor *grad = params.v[i] ? ct_own_grad(params.v[i]) : NULL;
        good = !grad || ct_own_mul_(grad, ct_value_float(factor));
        ct_release(grad);
    }
    ct_set_grad_enabled(mode);
    return good ? total : NAN;
}

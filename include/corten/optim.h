/* SPDX-License-Identifier: BSD-3-Clause */
/* Optimizers. A C program makes one and steps it:
 *
 *     ct_optim *o = ct_adam(CT_LIST(w, b), .lr = 3e-4);
 *     for (...) { CT_SCOPE; ct_zero_grad(o); ct_backward(loss(w, b)); ct_step(o); }
 *
 * Names, defaults and results are those of torch.optim. Bindings that keep the state of parameters
 * themselves call ct_optim_update. */
#ifndef CORTEN_OPTIM_H
#define CORTEN_OPTIM_H

#ifdef __GNUC__
#pragma GCC system_header /* compilers speak of the program, not of what macros are made of */
#endif

#include "corten/macros.h"
#include "corten/ops.h"

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- for C programs: one struct of keywords each, as in torch.optim ---- */

typedef struct ct_optim ct_optim;

struct ct_sgd_args {
    size_t struct_size;
    double lr, momentum, dampening, weight_decay;
    bool nesterov, maximize;
};
#define ct_sgd_defaults                                                                            \
    {                                                                                              \
        .struct_size = sizeof(struct ct_sgd_args), .lr = 1e-3                                      \
    }

struct ct_adam_args {
    size_t struct_size;
    double lr, beta1, beta2, eps, weight_decay;
    bool amsgrad, maximize;
};
#define ct_adam_defaults                                                                           \
    {                                                                                              \
        .struct_size = sizeof(struct ct_adam_args), .lr = 1e-3, .beta1 = 0.9, .beta2 = 0.999,      \
        .eps = 1e-8                                                                                \
    }

struct ct_adamw_args {
    size_t struct_size;
    double lr, beta1, beta2, eps, weight_decay;
    bool amsgrad, maximize;
};
#define ct_adamw_defaults                                                                          \
    {                                                                                              \
        .struct_size = sizeof(struct ct_adamw_args), .lr = 1e-3, .beta1 = 0.9, .beta2 = 0.999,     \
        .eps = 1e-8, .weight_decay = 1e-2                                                          \
    }

struct ct_adamax_args {
    size_t struct_size;
    double lr, beta1, beta2, eps, weight_decay;
    bool maximize;
};
#define ct_adamax_defaults                                                                         \
    {                                                                                              \
        .struct_size = sizeof(struct ct_adamax_args), .lr = 2e-3, .beta1 = 0.9, .beta2 = 0.999,    \
        .eps = 1e-8                                                                                \
    }

struct ct_nadam_args {
    size_t struct_size;
    double lr, beta1, beta2, eps, weight_decay, momentum_decay;
    bool decoupled_weight_decay, maximize;
};
#define ct_nadam_defaults                                                                          \
    {                                                                                              \
        .struct_size = sizeof(struct ct_nadam_args), .lr = 2e-3, .beta1 = 0.9, .beta2 = 0.999,     \
        .eps = 1e-8, .momentum_decay = 4e-3                                                        \
    }

struct ct_radam_args {
    size_t struct_size;
    double lr, beta1, beta2, eps, weight_decay;
    bool decoupled_weight_decay, maximize;
};
#define ct_radam_defaults                                                                          \
    {                                                                                              \
        .struct_size = sizeof(struct ct_radam_args), .lr = 1e-3, .beta1 = 0.9, .beta2 = 0.999,     \
        .eps = 1e-8                                                                                \
    }

struct ct_adagrad_args {
    size_t struct_size;
    double lr, lr_decay, weight_decay, initial_accumulator_value, eps;
    bool maximize;
};
#define ct_adagrad_defaults                                                                        \
    {                                                                                              \
        .struct_size = sizeof(struct ct_adagrad_args), .lr = 1e-2, .eps = 1e-10                    \
    }

struct ct_adadelta_args {
    size_t struct_size;
    double lr, rho, eps, weight_decay;
    bool maximize;
};
#define ct_adadelta_defaults                                                                       \
    {                                                                                              \
        .struct_size = sizeof(struct ct_adadelta_args), .lr = 1, .rho = 0.9, .eps = 1e-6           \
    }

struct ct_rmsprop_args {
    size_t struct_size;
    double lr, alpha, eps, weight_decay, momentum;
    bool centered, maximize;
};
#define ct_rmsprop_defaults                                                                        \
    {                                                                                              \
        .struct_size = sizeof(struct ct_rmsprop_args), .lr = 1e-2, .alpha = 0.99, .eps = 1e-8      \
    }

struct ct_rprop_args {
    size_t struct_size;
    double lr, etaminus, etaplus, step_size_min, step_size_max;
    bool maximize;
};
#define ct_rprop_defaults                                                                          \
    {                                                                                              \
        .struct_size = sizeof(struct ct_rprop_args), .lr = 1e-2, .etaminus = 0.5, .etaplus = 1.2,  \
        .step_size_min = 1e-6, .step_size_max = 50                                                 \
    }

struct ct_asgd_args {
    size_t struct_size;
    double lr, lambd, alpha, t0, weight_decay;
    bool maximize;
};
#define ct_asgd_defaults                                                                           \
    {                                                                                              \
        .struct_size = sizeof(struct ct_asgd_args), .lr = 1e-2, .lambd = 1e-4, .alpha = 0.75,      \
        .t0 = 1e6                                                                                  \
    }

/* Each in the innermost scope, with a reference to its parameters. NULL keywords: the defaults. */
CT_API ct_optim *ct_sgd_ex(ct_list params, const struct ct_sgd_args *args);
CT_API ct_optim *ct_adam_ex(ct_list params, const struct ct_adam_args *args);
CT_API ct_optim *ct_adamw_ex(ct_list params, const struct ct_adamw_args *args);
CT_API ct_optim *ct_adamax_ex(ct_list params, const struct ct_adamax_args *args);
CT_API ct_optim *ct_nadam_ex(ct_list params, const struct ct_nadam_args *args);
CT_API ct_optim *ct_radam_ex(ct_list params, const struct ct_radam_args *args);
CT_API ct_optim *ct_adagrad_ex(ct_list params, const struct ct_adagrad_args *args);
CT_API ct_optim *ct_adadelta_ex(ct_list params, const struct ct_adadelta_args *args);
CT_API ct_optim *ct_rmsprop_ex(ct_list params, const struct ct_rmsprop_args *args);
CT_API ct_optim *ct_rprop_ex(ct_list params, const struct ct_rprop_args *args);
CT_API ct_optim *ct_asgd_ex(ct_list params, const struct ct_asgd_args *args);
#ifndef __cplusplus
#define ct_sgd(...) CT_CALL_L_K(CT_ID(ct_k), ct_sgd, __VA_ARGS__)
#define ct_adam(...) CT_CALL_L_K(CT_ID(ct_k), ct_adam, __VA_ARGS__)
#define ct_adamw(...) CT_CALL_L_K(CT_ID(ct_k), ct_adamw, __VA_ARGS__)
#define ct_adamax(...) CT_CALL_L_K(CT_ID(ct_k), ct_adamax, __VA_ARGS__)
#define ct_nadam(...) CT_CALL_L_K(CT_ID(ct_k), ct_nadam, __VA_ARGS__)
#define ct_radam(...) CT_CALL_L_K(CT_ID(ct_k), ct_radam, __VA_ARGS__)
#define ct_adagrad(...) CT_CALL_L_K(CT_ID(ct_k), ct_adagrad, __VA_ARGS__)
#define ct_adadelta(...) CT_CALL_L_K(CT_ID(ct_k), ct_adadelta, __VA_ARGS__)
#define ct_rmsprop(...) CT_CALL_L_K(CT_ID(ct_k), ct_rmsprop, __VA_ARGS__)
#define ct_rprop(...) CT_CALL_L_K(CT_ID(ct_k), ct_rprop, __VA_ARGS__)
#define ct_asgd(...) CT_CALL_L_K(CT_ID(ct_k), ct_asgd, __VA_ARGS__)
#endif

/* Changes every parameter that has a gradient. False: failed, and no parameter was changed. */
CT_API bool ct_step(ct_optim *o);
CT_API void ct_zero_grad(ct_optim *o); /* takes all gradients away */
CT_API double ct_lr(const ct_optim *o);
CT_API bool ct_set_lr(ct_optim *o, double lr);
CT_API void ct_optim_free(ct_optim *o); /* before its scope ends */

/* Scales the gradients of these tensors so that the norm of all together is at most max_norm;
 * returns the norm that they had, NaN on failure. */
CT_API double ct_clip_grad_norm(ct_list params, double max_norm);
/* The same in steps: the norm of the norms of all tensors (owned, 0-d); scaling them, in place, so
 * that `total` would be at most max_norm. */
CT_API ct_tensor *ct_own_total_norm(ct_list tensors, double order);
CT_API bool ct_scale_to_norm(ct_list tensors, double max_norm, ct_tensor *total);

/* ---- lists of tensors: one operation on each, in one call (torch._foreach_*) ---- */

/* The list, and the second operand of each of its tensors: that of a list of the same length, or
 * one value for all, or one value each. Operands that an operation does not read may be zero. */
struct ct_foreach_operands {
    ct_list list, first, second; /* addcmul, addcdiv and lerp have a second and a third list */
    ct_value value;              /* a number, or a tensor without dims; the order of a norm */
    const ct_value *values;      /* NULL: `value` is for all */
    int64_t nvalues;
    ct_value alpha;      /* add and sub: a scale of the second operand; zero bytes mean 1 */
    enum ct_dtype dtype; /* norm */
    int memory_format;   /* clone */
    bool non_blocking;   /* copy */
};

/* `name` is PyTorch's without "_foreach_" and "_": "add", "norm"; "rpow" is a number to the power
 * of each. The results are owned; .v is NULL where one failed, and then nothing is left. */
CT_API ct_list ct_own_foreach(const char *name, const struct ct_foreach_operands *args);
/* In place. False: failed; the operation failed on one tensor, and those before it are changed, as
 * in PyTorch. */
CT_API bool ct_foreach_(const char *name, const struct ct_foreach_operands *args);

/* ---- scaled losses (torch.amp.GradScaler) ---- */

/* Multiplies gradients of one device by inv_scale; found_inf becomes 1 if an element was not
 * finite, and else keeps its value. Both are float32 with one element. A GPU is not waited for. */
CT_API bool ct_amp_unscale_(ct_list grads, ct_tensor *found_inf, ct_tensor *inv_scale);

struct ct_amp_factors {
    double growth, backoff;
    int64_t interval; /* steps without overflow until the scale grows */
};
/* The scale (float32) and the steps counted since it changed (int32), after a step that did or did
 * not overflow. A GPU is not waited for. */
CT_API bool ct_amp_update_scale_(ct_tensor *scale, ct_tensor *growth_tracker, ct_tensor *found_inf,
                                 const struct ct_amp_factors *by);

/* ---- for bindings ---- */

enum ct_optim_kind {
    CT_OPTIM_SGD,
    CT_OPTIM_ADAM, /* AdamW with decoupled_weight_decay */
    CT_OPTIM_ADAMAX,
    CT_OPTIM_NADAM,
    CT_OPTIM_RADAM,
    CT_OPTIM_ADAGRAD,
    CT_OPTIM_ADADELTA,
    CT_OPTIM_RMSPROP,
    CT_OPTIM_RPROP,
    CT_OPTIM_ASGD,
    CT_OPTIM_KINDS
};

/* Options as 0-d tensors, NULL where there is none: with `recorded`, gradients of the step pass to
 * them. The numbers below have their values. */
struct ct_optim_option_tensors {
    ct_tensor *lr, *weight_decay, *eps, *beta1, *beta2;
    ct_tensor *momentum, *dampening, *alpha, *rho, *lr_decay, *momentum_decay, *lambd, *t0;
    ct_tensor *etaminus, *etaplus, *step_size_min, *step_size_max;
};

/* What the formulas read; a kind reads its own. */
struct ct_optim_options {
    double lr, weight_decay, eps, beta1, beta2;
    double momentum, dampening;      /* SGD; momentum of RMSprop too */
    double alpha;                    /* RMSprop, ASGD */
    double rho;                      /* Adadelta */
    double lr_decay, momentum_decay; /* Adagrad; NAdam */
    double lambd, t0;                /* ASGD */
    double etaminus, etaplus;        /* Rprop, as the next two */
    double step_size_min, step_size_max;
    bool nesterov, maximize, amsgrad, centered, decoupled_weight_decay;
    const struct ct_optim_option_tensors *tensors; /* NULL: none */
};

#define CT_OPTIM_STATES 4
#define CT_OPTIM_NUMBERS 2

/* One parameter: its states in the order of ct_optim_state_name, where the options ask for them. */
struct ct_optim_item {
    ct_tensor *param, *grad, *state[CT_OPTIM_STATES];
    double step;                     /* of this call, from 1 on */
    double number[CT_OPTIM_NUMBERS]; /* states that are numbers; the call changes them */
    bool fresh;                      /* SGD: the momentum buffer holds nothing yet */
    /* With `recorded`, the numbers' 0-d tensors, or NULL. Where a gradient passes to a number the
     * call writes its tensor, and says so; otherwise that is the caller's. */
    ct_tensor *number_tensor[CT_OPTIM_NUMBERS];
    bool number_written[CT_OPTIM_NUMBERS];
};

/* PyTorch's name of the i-th tensor or number that a kind keeps; NULL: it has no more, or none with
 * these options. */
CT_API const char *ct_optim_state_name(enum ct_optim_kind kind,
                                       const struct ct_optim_options *options, int i);
CT_API const char *ct_optim_number_name(enum ct_optim_kind kind, int i);

/* One step of n parameters. All that can fail comes before anything is written, unless `recorded`
 * says that the step itself is to be differentiated (differentiable=True). */
CT_API bool ct_optim_update(enum ct_optim_kind kind, const struct ct_optim_options *options,
                            struct ct_optim_item *item, int64_t n, bool recorded);

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Optimizers, with the names, defaults and results of those in torch.optim:
 *
 *     ct_optim *o = ct_adam(CT_LIST(w, b), .lr = 3e-4);
 *     for (...) { CT_SCOPE; ct_zero_grad(o); ct_backward(loss(w, b)); ct_step(o); }
 *
 * Bindings that keep the state of the parameters themselves use ct_optim_update instead. */
#ifndef CORTEN_OPTIM_H
#define CORTEN_OPTIM_H

#ifdef __GNUC__
#pragma GCC system_header /* warnings point at the program, not into expanded macros */
#endif

#include "corten/macros.h"
#include "corten/ops.h"

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- optimizers for C programs: the structs hold the keyword arguments ---- */

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

/* Each makes an optimizer that belongs to the innermost scope and holds references to the
 * parameters. args NULL: the defaults. */
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

/* Updates every parameter that has a gradient. False: failed, and no parameter was changed. */
CT_API bool ct_step(ct_optim *o);
CT_API void ct_zero_grad(ct_optim *o); /* removes the gradients of all parameters */
CT_API double ct_lr(const ct_optim *o);
CT_API bool ct_set_lr(ct_optim *o, double lr);
CT_API void ct_optim_free(ct_optim *o); /* frees it before its scope ends */

/* Scales the gradients of these tensors so that their common 2-norm is at most max_norm. Returns
 * the norm before scaling; NaN: failed. */
CT_API double ct_clip_grad_norm(ct_list params, double max_norm);
/* The two steps of ct_clip_grad_norm, for any tensors: compute their common norm of this order
 * (owned, 0-d), and scale them in place by max_norm / total if that is below 1. */
CT_API ct_tensor *ct_own_total_norm(ct_list tensors, double order);
CT_API bool ct_scale_to_norm(ct_list tensors, double max_norm, ct_tensor *total);

/* ---- one operation on each tensor of a list (torch._foreach_*) ---- */

/* `list` has the first operands. The second operands are the tensors of another list of the same
 * length, or one value for all, or a value for each. Members that an operation does not use may be
 * zero. */
struct ct_foreach_operands {
    ct_list list, first, second; /* addcmul, addcdiv and lerp have a second and a third list */
    ct_value value;              /* a number or a 0-d tensor; the order of a norm */
    const ct_value *values;      /* NULL: `value` is for all */
    int64_t nvalues;
    ct_value alpha;      /* add and sub: a scale of the second operand; zero bytes mean 1 */
    enum ct_dtype dtype; /* norm */
    int memory_format;   /* clone */
    bool non_blocking;   /* copy */
};

/* `name` is PyTorch's name without "_foreach_" and a final "_", such as "add" or "norm"; "rpow"
 * raises a number to the power of each tensor. The list is owned; v == NULL: failed. */
CT_API ct_list ct_own_foreach(const char *name, const struct ct_foreach_operands *args);
/* The same in place. False: it failed on one tensor; those before it have been changed, as in
 * PyTorch. */
CT_API bool ct_foreach_(const char *name, const struct ct_foreach_operands *args);

/* ---- scaled losses (torch.amp.GradScaler) ---- */

/* Multiplies gradients, all on one device, by inv_scale, and sets found_inf to 1 if an element is
 * not finite. Both are float32 with one element. Does not wait for a GPU. */
CT_API bool ct_amp_unscale_(ct_list grads, ct_tensor *found_inf, ct_tensor *inv_scale);

struct ct_amp_factors {
    double growth, backoff;
    int64_t interval; /* how many steps without overflow make the scale grow */
};
/* Updates scale (float32) and growth_tracker (int32: the steps since the scale changed) after a
 * step; found_inf reports whether that step overflowed. Does not wait for a GPU. */
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

/* Options passed as 0-d tensors. NULL: the option is a number. If the step is recorded, backward
 * computes their gradients. The numbers in ct_optim_options must have the same values. */
struct ct_optim_option_tensors {
    ct_tensor *lr, *weight_decay, *eps, *beta1, *beta2;
    ct_tensor *momentum, *dampening, *alpha, *rho, *lr_decay, *momentum_decay, *lambd, *t0;
    ct_tensor *etaminus, *etaplus, *step_size_min, *step_size_max;
};

/* The options of all optimizers; each kind reads only its own. */
struct ct_optim_options {
    double lr, weight_decay, eps, beta1, beta2;
    double momentum, dampening;      /* SGD; momentum also of RMSprop */
    double alpha;                    /* RMSprop, ASGD */
    double rho;                      /* Adadelta */
    double lr_decay, momentum_decay; /* Adagrad; NAdam */
    double lambd, t0;                /* ASGD */
    double etaminus, etaplus;        /* Rprop, like the next two */
    double step_size_min, step_size_max;
    bool nesterov, maximize, amsgrad, centered, decoupled_weight_decay;
    const struct ct_optim_option_tensors *tensors; /* NULL: none */
};

#define CT_OPTIM_STATES 4
#define CT_OPTIM_NUMBERS 2

/* A parameter and its state, in the order of ct_optim_state_name. */
struct ct_optim_item {
    ct_tensor *param, *grad, *state[CT_OPTIM_STATES];
    double step;                     /* the number of this step, from 1 */
    double number[CT_OPTIM_NUMBERS]; /* states that are numbers; the call updates them */
    bool fresh;                      /* SGD: the momentum buffer is uninitialised */
    /* With `recorded`: the numbers as 0-d tensors, or NULL. The call writes a tensor, and sets
     * number_written, if gradients pass through the number; otherwise the caller writes it. */
    ct_tensor *number_tensor[CT_OPTIM_NUMBERS];
    bool number_written[CT_OPTIM_NUMBERS];
};

/* PyTorch's name of the i-th tensor or number in the state of a kind. NULL: there is none, for
 * these options. */
CT_API const char *ct_optim_state_name(enum ct_optim_kind kind,
                                       const struct ct_optim_options *options, int i);
CT_API const char *ct_optim_number_name(enum ct_optim_kind kind, int i);

/* One step of n parameters. On failure nothing has been written, except with `recorded`, which
 * records the step for autograd (PyTorch's differentiable=True). */
CT_API bool ct_optim_update(enum ct_optim_kind kind, const struct ct_optim_options *options,
                            struct ct_optim_item *item, int64_t n, bool recorded);

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Elementwise losses: squares, absolute differences, binary cross entropy. After PyTorch's checks
 * and broadcasting they call two operations of loss.toml: `*_each` computes the loss of each
 * element; the autograd graph shows `*_reduced`. Losses over classes are in classes.c, composed
 * losses in composite.c. */
#include "ops/loss/loss.h"

#include "core/note.h"
#include "fronts.h"
#include "inner.h"

#include <stdio.h>
#include <string.h>

/* ---- reductions ---- */

int cti_reduction(const char *name, int size_average, int reduce)
{
    if (size_average >= 0 || reduce >= 0) {
        int kind = reduce == 0         ? CTI_REDUCE_NONE
                   : size_average == 0 ? CTI_REDUCE_SUM
                                       : CTI_REDUCE_MEAN;
        static const char *const names[] = {"none", "mean", "sum"};
        cti_warn("size_average and reduce args will be deprecated, please use reduction='%s' "
                 "instead.",
                 names[kind]);
        return kind;
    }
    if (!strcmp(name, "mean"))
        return CTI_REDUCE_MEAN;
    if (!strcmp(name, "sum"))
        return CTI_REDUCE_SUM;
    if (!strcmp(name, "none"))
        return CTI_REDUCE_NONE;
    if (!strcmp(name, "elementwise_mean")) {
        cti_warn("reduction='elementwise_mean' is deprecated. Please use reduction='mean' "
                 "instead.");
        return CTI_REDUCE_MEAN;
    }
    ct_fail(CT_ERR_VALUE, "%s is not a valid value for reduction", name);
    return -1;
}

ct_tensor *cti_loss_reduced_take(ct_tensor *each, int64_t reduction)
{
    if (!each || reduction == CTI_REDUCE_NONE)
        return each;
    return cti_replace_take(each, reduction == CTI_REDUCE_MEAN
                                      ? ct_own_mean(each, CT_NO_DIMS, false, CT_NO_DTYPE)
                                      : ct_own_sum(each, CT_NO_DIMS, false, CT_NO_DTYPE));
}

bool cti_loss_constant(const ct_tensor *t, const char *function, const char *argument)
{
    if (t == CT_NO_TENSOR || !cti_grad_on() || !cti_wants_grad(t))
        return true;
    return cti_refuse(CT_ERR_RUNTIME,
                      "The function '%s' is not differentiable with respect to argument '%s'. This "
                      "input cannot have requires_grad True.",
                      function, argument);
}

ct_tensor *cti_op_loss_scale(ct_tensor *upstream, ct_ints sizes, int64_t reduction)
{
    if (reduction != CTI_REDUCE_MEAN)
        return cti_alias(upstream);
    double n = 1;
    for (int64_t d = 0; d < sizes.n; d++)
        n *= (double)sizes.v[d];
    return ct_own_div(V(upstream), ct_value_float(n), NULL);
}

const char *cti_size_text(char text[CTI_SHAPE_TEXT + 16], const ct_tensor *t)
{
    char shape[CTI_SHAPE_TEXT];
    snprintf(text, CTI_SHAPE_TEXT + 16, "torch.Size(%s)", cti_shape_text(shape, t->ndim, t->shape));
    return text;
}

/* ---- losses that broadcast input and target, with a warning ---- */

struct pair {
    struct cti_hold held;
    ct_tensor *input, *target;
};

static bool loss_broadcast(struct pair *p, ct_tensor *input, ct_tensor *target)
{
    *p = (struct pair){.input = input, .target = target};
    if (cti_same_shape(input, target->ndim, target->shape))
        return true;
    char a[CTI_SHAPE_TEXT + 16], b[CTI_SHAPE_TEXT + 16];
    cti_warn(
        "Using a target size (%s) that is different to the input size (%s). This will likely "
        "lead to incorrect results due to broadcasting. Please ensure they have the same size.",
        cti_size_text(a, target), cti_size_text(b, input));
    ct_tensor *const both[] = {input, target};
    ct_list list = ct_own_broadcast_tensors(ct_list_of((ct_tensor **)both, 2));
    if (!list.v)
        return false;
    p->input = cti_hold(&p->held, ct_retain(list.v[0]));
    p->target = cti_hold(&p->held, ct_retain(list.v[1]));
    ct_list_release(list);
    return true;
}

/* Multiplies by weights and reduces; by_weight: a mean divides by the sum of the weights. Takes
 * `each`. */
static ct_tensor *weighed_take(ct_tensor *each, ct_tensor *input, ct_tensor *weight,
                               const char *reduction, bool by_weight)
{
    struct cti_hold h = {0};
    each = cti_hold(&h, each);
    if (!each || !cti_same_shape(weight, input->ndim, input->shape)) {
        if (each)
            ct_fail(CT_ERR_VALUE, "Weights and input must have the same size.");
        return cti_hold_end(&h, NULL);
    }
    ct_tensor *loss = cti_hold(&h, ct_own_mul(V(each), V(weight)));
    if (!loss || !strcmp(reduction, "none"))
        return cti_hold_end(&h, loss);
    if (!strcmp(reduction, "mean") && !by_weight)
        return cti_hold_end(&h, cti_hold(&h, ct_own_mean(loss, CT_NO_DIMS, false, CT_NO_DTYPE)));
    ct_tensor *sum = cti_hold(&h, ct_own_sum(loss, CT_NO_DIMS, false, CT_NO_DTYPE));
    if (!strcmp(reduction, "sum"))
        return cti_hold_end(&h, sum);
    if (strcmp(reduction, "mean")) {
        ct_fail(CT_ERR_VALUE, "Invalid reduction mode: %s. Expected one of 'none', 'mean', 'sum'.",
                reduction);
        return cti_hold_end(&h, NULL);
    }
    ct_tensor *total = cti_hold(&h, ct_own_sum(weight, CT_NO_DIMS, false, CT_NO_DTYPE));
    return cti_hold_end(&h, cti_hold(&h, ct_own_div(V(sum), V(total), NULL)));
}

ct_tensor *cti_op_mse_loss(ct_tensor *input, ct_tensor *target, int size_average, int reduce,
                           const char *reduction, ct_tensor *weight)
{
    struct pair p;
    ct_tensor *result = NULL;
    int kind = cti_reduction(weight == CT_NO_TENSOR ? reduction : "none", size_average, reduce);
    if (kind < 0 || !loss_broadcast(&p, input, target))
        return NULL;
    if (weight == CT_NO_TENSOR) {
        result = ct_own_mse_reduced(p.input, p.target, kind);
    } else {
        ct_tensor *difference = cti_hold(&p.held, ct_own_sub(V(p.input), V(p.target), ONE));
        result = weighed_take(ct_own_square(difference), input, weight, reduction, true);
    }
    return cti_hold_end(&p.held, cti_hold(&p.held, result));
}

ct_tensor *cti_op_mse_reduced(ct_tensor *input, ct_tensor *target, int64_t reduction)
{
    return cti_loss_reduced_take(ct_own_mse_each(input, target), reduction);
}

ct_tensor *cti_op_l1_loss(ct_tensor *input, ct_tensor *target, int size_average, int reduce,
                          const char *reduction, ct_tensor *weight)
{
    struct pair p;
    int kind = cti_reduction(weight == CT_NO_TENSOR ? reduction : "none", size_average, reduce);
    if (kind < 0 || !loss_broadcast(&p, input, target))
        return NULL;
    ct_tensor *each = ct_own_abs(cti_hold(&p.held, ct_own_sub(V(p.input), V(p.target), ONE)));
    ct_tensor *result = weight == CT_NO_TENSOR ? cti_loss_reduced_take(each, kind)
                                               : weighed_take(each, input, weight, reduction, true);
    return cti_hold_end(&p.held, cti_hold(&p.held, result));
}

ct_tensor *cti_op_smooth_l1_loss(ct_tensor *input, ct_tensor *target, int size_average, int reduce,
                                 const char *reduction, double beta)
{
    struct pair p;
    int kind = cti_reduction(reduction, size_average, reduce);
    if (kind < 0 || !loss_broadcast(&p, input, target))
        return NULL;
    ct_tensor *result = NULL;
    if (beta < 0)
        ct_fail(CT_ERR_RUNTIME, "smooth_l1_loss does not support negative values for beta.");
    else if (beta == 0)
        result = cti_loss_reduced_take(
            ct_own_abs(cti_hold(&p.held, ct_own_sub(V(p.input), V(p.target), ONE))), kind);
    else
        result = ct_own_smooth_l1_reduced(p.input, p.target, kind, ct_value_float(beta));
    return cti_hold_end(&p.held, cti_hold(&p.held, result));
}

ct_tensor *cti_op_smooth_l1_reduced(ct_tensor *input, ct_tensor *target, int64_t reduction,
                                    ct_value beta)
{
    return cti_loss_reduced_take(ct_own_smooth_l1_each(input, target, beta), reduction);
}

ct_tensor *cti_op_huber_loss(ct_tensor *input, ct_tensor *target, const char *reduction,
                             double delta, ct_tensor *weight)
{
    struct pair p;
    int kind = cti_reduction(weight == CT_NO_TENSOR ? reduction : "none", -1, -1);
    if (kind < 0 || !loss_broadcast(&p, input, target))
        return NULL;
    ct_tensor *result = NULL;
    if (delta > 0)
        result = ct_own_huber_reduced(p.input, p.target, kind, ct_value_float(delta));
    else
        ct_fail(CT_ERR_RUNTIME, "huber_loss does not support non-positive values for delta.");
    if (weight != CT_NO_TENSOR)
        result = weighed_take(result, input, weight, reduction, false);
    return cti_hold_end(&p.held, cti_hold(&p.held, result));
}

ct_tensor *cti_op_huber_reduced(ct_tensor *input, ct_tensor *target, int64_t reduction,
                                ct_value delta)
{
    return cti_loss_reduced_take(ct_own_huber_each(input, target, delta), reduction);
}

ct_tensor *cti_op_soft_margin_loss(ct_tensor *input, ct_tensor *target, int size_average,
                                   int reduce, const char *reduction)
{
    int kind = cti_reduction(reduction, size_average, reduce);
    if (kind < 0 || !cti_loss_constant(target, "soft_margin_loss", "target"))
        return NULL;
    return ct_own_soft_margin_reduced(input, target, kind);
}

ct_tensor *cti_op_soft_margin_reduced(ct_tensor *input, ct_tensor *target, int64_t reduction)
{
    return cti_loss_reduced_take(ct_own_soft_margin_each(input, target), reduction);
}

/* ---- probabilities of two classes ---- */

ct_tensor *cti_op_binary_cross_entropy(ct_tensor *input, ct_tensor *target, ct_tensor *weight,
                                       int size_average, int reduce, const char *reduction)
{
    char a[CTI_SHAPE_TEXT + 16], b[CTI_SHAPE_TEXT + 16];
    int kind = cti_reduction(reduction, size_average, reduce);
    if (kind < 0)
        return NULL;
    if (!cti_same_shape(input, target->ndim, target->shape))
        return ct_fail(CT_ERR_VALUE,
                       "Using a target size (%s) that is different to the input size (%s) is "
                       "deprecated. Please ensure they have the same size.",
                       cti_size_text(a, target), cti_size_text(b, input));
    if (!cti_loss_constant(weight, "binary_cross_entropy", "weight"))
        return NULL;
    return ct_own_bce_reduced(input, target, weight, kind);
}

/* Checks that all elements are in [0, 1]; NaN fails the check. Reads from the device. */
static bool are_probabilities(ct_tensor *input, const char *name)
{
    if (input->numel == 0 || input->storage->device.type == CT_META)
        return true;
    ct_tensor *low = ct_own_amin(input, CT_INTS(), false);
    ct_tensor *high = ct_own_amax(input, CT_INTS(), false);
    bool good = low && high, fits = good && ct_item(low) >= 0 && ct_item(high) <= 1;
    cti_release_all(low, high);
    if (good && !fits)
        ct_fail(CT_ERR_RUNTIME, "all elements of %s should be between 0 and 1", name);
    return fits;
}

ct_tensor *cti_op_bce_reduced(ct_tensor *input, ct_tensor *target, ct_tensor *weight,
                              int64_t reduction)
{
    ct_tensor *each = ct_own_bce_each(input, target);
    if (each && (!are_probabilities(input, "input") || !are_probabilities(target, "target")))
        return cti_replace_take(each, NULL);
    if (weight != CT_NO_TENSOR)
        each = cti_replace_take(each, ct_own_mul(V(each), V(weight)));
    return cti_loss_reduced_take(each, reduction);
}

/* Whether the loss can have the target's dtype, as in PyTorch. */
static bool becomes_target(enum ct_dtype from, ct_tensor *target)
{
    enum ct_dtype to = (enum ct_dtype)target->dtype;
    if (to == CT_BOOL) /* the error of PyTorch's subtraction 1 - target */
        return ct_own_sub(ct_value_int(1), V(target), ct_value_int(1)) != NULL;
    if (ct_can_cast(from, to))
        return true;
    ct_fail(CT_ERR_RUNTIME, "result type %s can't be cast to the desired output type %s",
            cti_dtype_scalar_name(from), cti_dtype_scalar_name(to));
    return cti_note("the loss has the target's dtype; pass target.to(input.dtype)");
}

ct_tensor *cti_op_bce_with_logits(ct_tensor *input, ct_tensor *target, ct_tensor *weight,
                                  int size_average, int reduce, const char *reduction,
                                  ct_tensor *pos_weight)
{
    char a[CTI_SHAPE_TEXT + 16], b[CTI_SHAPE_TEXT + 16];
    int kind = cti_reduction(reduction, size_average, reduce);
    if (kind < 0)
        return NULL;
    if (!cti_same_shape(input, target->ndim, target->shape))
        return ct_fail(CT_ERR_VALUE, "Target size (%s) must be the same as input size (%s)",
                       cti_size_text(a, target), cti_size_text(b, input));
    static const char name[] = "binary_cross_entropy_with_logits";
    if (!cti_loss_constant(weight, name, "weight") ||
        !cti_loss_constant(pos_weight, name, "pos_weight") ||
        !becomes_target((enum ct_dtype)input->dtype, target))
        return NULL;
    return ct_own_bce_logits_reduced(input, target, weight, pos_weight, kind);
}

ct_tensor *cti_op_bce_logits_reduced(ct_tensor *input, ct_tensor *target, ct_tensor *weight,
                                     ct_tensor *pos_weight, int64_t reduction)
{
    ct_tensor *each = pos_weight == CT_NO_TENSOR
                          ? ct_own_bce_logits_each(input, target)
                          : ct_own_bce_logits_weighed(input, target, pos_weight);
    if (weight != CT_NO_TENSOR)
        each = cti_replace_take(each, ct_own_mul(V(each), V(weight)));
    /* PyTorch continues in place from 1 - target, so the result has the target's dtype. */
    if (each && each->dtype != target->dtype)
        each = cti_replace_take(each, ct_own_to_dtype(each, (enum ct_dtype)target->dtype));
    return cti_loss_reduced_take(each, reduction);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the losses that are composed of differentiable operations (more.toml), with PyTorch's
 * checks. */
#include "fronts.h"
#include "inner.h"
#include "ops/loss/loss.h"

#include <math.h>
#include <string.h>

#define FLOAT(x) ct_value_float(x)
#define NOTHING ct_value_int(0)

/* Ends a composed loss: releases h and reduces the loss of each element. */
static ct_tensor *loss_finish(struct cti_hold *h, ct_tensor *each, int64_t reduction)
{
    return cti_loss_reduced_take(cti_hold_end(h, each), reduction);
}

/* ---- divergences ---- */

ct_tensor *cti_op_kl_div(ct_tensor *input, ct_tensor *target, int size_average, int reduce,
                         const char *reduction, bool log_target)
{
    struct cti_hold h = {0};
    bool batch = size_average < 0 && reduce < 0 && !strcmp(reduction, "batchmean");
    int kind = cti_reduction(batch ? "sum" : reduction, size_average, reduce);
    if (kind < 0)
        return NULL;
    if (size_average < 0 && reduce < 0 && !strcmp(reduction, "mean"))
        cti_warn("reduction: 'mean' divides the total loss by both the batch size and the support "
                 "size.'batchmean' divides only by the batch size, and aligns with the KL div math "
                 "definition.'mean' will be changed to behave the same as 'batchmean' in the next "
                 "major release.");
    ct_tensor *each;
    if (log_target) {
        ct_tensor *difference = cti_hold(&h, ct_own_sub(V(target), V(input), ONE));
        each = cti_hold(&h, ct_own_mul(V(cti_hold(&h, ct_own_exp(target))), V(difference)));
    } else {
        ct_tensor *entropy = cti_hold(&h, ct_own_xlogy(V(target), V(target)));
        ct_tensor *cross = cti_hold(&h, ct_own_mul(V(target), V(input)));
        each = cti_hold(&h, ct_own_sub(V(entropy), V(cross), ONE));
    }
    if (!batch || input->ndim == 0)
        return loss_finish(&h, each, kind);
    ct_tensor *sum = loss_finish(&h, each, kind);
    return cti_replace_take(sum, ct_own_div(V(sum), ct_value_int(input->shape[0]), NULL));
}

/* log(n!) by Stirling's formula; 0 for n <= 1. */
static ct_tensor *stirling(struct cti_hold *h, ct_tensor *n)
{
    ct_tensor *log = cti_hold(h, ct_own_log(n));
    ct_tensor *main = cti_hold(h, ct_own_mul(V(n), V(log)));
    ct_tensor *less = cti_hold(h, ct_own_sub(V(main), V(n), ONE));
    ct_tensor *round = cti_hold(h, ct_own_mul(V(n), FLOAT(2 * M_PI)));
    ct_tensor *rest = cti_hold(h, ct_own_mul(V(cti_hold(h, ct_own_log(round))), FLOAT(0.5)));
    ct_tensor *sum = cti_hold(h, ct_own_add(V(less), V(rest), ONE));
    ct_tensor *few = cti_hold(h, ct_own_le(V(n), ONE));
    return cti_hold(h, ct_own_where(few, NOTHING, V(sum)));
}

ct_tensor *cti_op_poisson_nll_loss(ct_tensor *input, ct_tensor *target, bool log_input, bool full,
                                   int size_average, double eps, int reduce, const char *reduction)
{
    struct cti_hold h = {0};
    int kind = cti_reduction(reduction, size_average, reduce);
    if (kind < 0)
        return NULL;
    ct_tensor *each;
    if (log_input) {
        ct_tensor *product = cti_hold(&h, ct_own_mul(V(target), V(input)));
        each = cti_hold(&h, ct_own_sub(V(cti_hold(&h, ct_own_exp(input))), V(product), ONE));
    } else {
        ct_tensor *shifted = cti_hold(&h, ct_own_add(V(input), FLOAT(eps), ONE));
        ct_tensor *log = cti_hold(&h, ct_own_log(shifted));
        ct_tensor *product = cti_hold(&h, ct_own_mul(V(target), V(log)));
        each = cti_hold(&h, ct_own_sub(V(input), V(product), ONE));
    }
    if (full)
        each = cti_hold(&h, ct_own_add(V(each), V(stirling(&h, target)), ONE));
    return loss_finish(&h, each, kind);
}

static bool check_variance(ct_tensor *t)
{
    if (t->numel == 0 || t->storage->device.type == CT_META)
        return true;
    ct_tensor *plain = ct_own_detach(t);
    ct_tensor *below = ct_own_lt(V(plain), ct_value_int(0)); /* unlike a minimum, ignores NaNs */
    ct_tensor *any = ct_own_any(below, (ct_ints){0}, false);
    bool looked = any != NULL, negative = looked && ct_item(any) != 0;
    cti_release_all(plain, below, any);
    if (negative)
        return cti_refuse(CT_ERR_VALUE, "var has negative entry/entries");
    return looked;
}

/* Whether shapes are equal except for one dim, in which the variance has size 1. */
static bool shares_variance(const ct_tensor *input, const ct_tensor *var)
{
    int64_t sum = 0;
    if (input->ndim != var->ndim)
        return false;
    for (int d = 0; d < var->ndim; d++)
        sum += input->shape[d] != var->shape[d] ? var->shape[d] : 0;
    return sum == 1;
}

ct_tensor *cti_op_gaussian_nll_loss(ct_tensor *input, ct_tensor *target, ct_tensor *var, bool full,
                                    double eps, const char *reduction)
{
    struct cti_hold h = {0};
    if (!check_variance(var))
        return NULL;
    if (!cti_same_shape(var, input->ndim, input->shape)) {
        if (input->ndim && cti_same_shape(var, input->ndim - 1, input->shape))
            var = cti_hold(&h, ct_own_unsqueeze(var, -1));
        else if (!shares_variance(input, var))
            return ct_fail(CT_ERR_VALUE, "var is of incorrect size");
    }
    if (strcmp(reduction, "none") && strcmp(reduction, "mean") && strcmp(reduction, "sum")) {
        ct_fail(CT_ERR_VALUE, "%s is not valid", reduction);
        return cti_hold_end(&h, NULL);
    }
    /* clamp(var, min=eps), with the gradient of the unclamped variance */
    ct_tensor *copy = cti_hold(&h, ct_own_clone(var, CT_PRESERVE_FORMAT));
    bool outer = cti_grad_pause();
    bool good = copy && ct_own_clamp_min_(copy, FLOAT(eps));
    cti_grad_restore(outer);
    if (!good)
        return cti_hold_end(&h, NULL);
    ct_tensor *difference = cti_hold(&h, ct_own_sub(V(input), V(target), ONE));
    ct_tensor *square = cti_hold(&h, ct_own_square(difference));
    ct_tensor *share = cti_hold(&h, ct_own_div(V(square), V(copy), NULL));
    ct_tensor *sum = cti_hold(&h, ct_own_add(V(cti_hold(&h, ct_own_log(copy))), V(share), ONE));
    ct_tensor *each = cti_hold(&h, ct_own_mul(V(sum), FLOAT(0.5)));
    if (full)
        each = cti_hold(&h, ct_own_add(V(each), FLOAT(0.5 * log(2 * M_PI)), ONE));
    return loss_finish(&h, each, cti_reduction(reduction, -1, -1));
}

/* ---- margins ---- */

ct_tensor *cti_op_hinge_embedding_loss(ct_tensor *input, ct_tensor *target, double margin,
                                       int size_average, int reduce, const char *reduction)
{
    struct cti_hold h = {0};
    int kind = cti_reduction(reduction, size_average, reduce);
    if (kind < 0)
        return NULL;
    ct_tensor *less = cti_hold(&h, ct_own_rsub(input, FLOAT(margin), ONE));
    ct_tensor *hinge = cti_hold(&h, ct_own_clamp_min(less, NOTHING));
    ct_tensor *negative = cti_hold(&h, ct_own_ne(V(target), ONE));
    ct_tensor *positive = cti_hold(&h, ct_own_ne(V(target), ct_value_int(-1)));
    ct_tensor *a = cti_hold(&h, ct_own_where(negative, V(hinge), NOTHING));
    ct_tensor *b = cti_hold(&h, ct_own_where(positive, V(input), NOTHING));
    return loss_finish(&h, cti_hold(&h, ct_own_add(V(a), V(b), ONE)), kind);
}

ct_tensor *cti_op_margin_ranking_loss(ct_tensor *input1, ct_tensor *input2, ct_tensor *target,
                                      double margin, int size_average, int reduce,
                                      const char *reduction)
{
    struct cti_hold h = {0};
    char a[CTI_SHAPE_TEXT + 16], b[CTI_SHAPE_TEXT + 16], c[CTI_SHAPE_TEXT + 16];
    int kind = cti_reduction(reduction, size_average, reduce);
    if (kind < 0)
        return NULL;
    if (input1->ndim != input2->ndim || input1->ndim != target->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "margin_ranking_loss : All input tensors should have same dimension but got "
                       "sizes: input1: %s, input2: %s, target: %s ",
                       cti_size_text(a, input1), cti_size_text(b, input2),
                       cti_size_text(c, target));
    ct_tensor *difference = cti_hold(&h, ct_own_sub(V(input1), V(input2), ONE));
    ct_tensor *back = cti_hold(&h, ct_own_neg(target));
    ct_tensor *signed_difference = cti_hold(&h, ct_own_mul(V(back), V(difference)));
    ct_tensor *lack = cti_hold(&h, ct_own_add(V(signed_difference), FLOAT(margin), ONE));
    return loss_finish(&h, cti_hold(&h, ct_own_clamp_min(lack, NOTHING)), kind);
}

ct_tensor *cti_op_multilabel_soft_margin_loss(ct_tensor *input, ct_tensor *target,
                                              ct_tensor *weight, int size_average, int reduce,
                                              const char *reduction)
{
    struct cti_hold h = {0};
    int kind = cti_reduction(reduction, size_average, reduce);
    if (kind < 0)
        return NULL;
    if (input->ndim == 0)
        return ct_fail(CT_ERR_INDEX, "Dimension specified as -1 but tensor has no dimensions");
    ct_tensor *yes = cti_hold(&h, ct_own_logsigmoid(input));
    ct_tensor *no = cti_hold(&h, ct_own_logsigmoid(cti_hold(&h, ct_own_neg(input))));
    ct_tensor *other = cti_hold(&h, ct_own_rsub(target, ONE, ONE));
    ct_tensor *a = cti_hold(&h, ct_own_mul(V(target), V(yes)));
    ct_tensor *b = cti_hold(&h, ct_own_mul(V(other), V(no)));
    ct_tensor *loss = cti_hold(&h, ct_own_neg(cti_hold(&h, ct_own_add(V(a), V(b), ONE))));
    if (weight != CT_NO_TENSOR)
        loss = cti_hold(&h, ct_own_mul(V(loss), V(weight)));
    ct_tensor *sum = cti_hold(&h, ct_own_sum(loss, CT_INTS(-1), false, CT_NO_DTYPE));
    ct_value classes = ct_value_int(input->shape[input->ndim - 1]);
    return loss_finish(&h, cti_hold(&h, ct_own_div(V(sum), classes, NULL)), kind);
}

/* ---- classes ---- */

static bool check_margin(ct_tensor *input, ct_tensor *target, ct_tensor *weight)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    int64_t rows = input->ndim == 2 ? input->shape[0] : 1;
    cti_shape_text(b, input->ndim, input->shape);
    bool full = input->ndim == 1 || input->ndim == 2;
    full = full && input->shape[input->ndim - 1] != 0;
    if (!full)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Expected non-empty vector or matrix with optional 0-dim batch size, but "
                          "got: %s",
                          b);
    if (target->ndim > 1 || target->numel != rows)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "multi_margin_loss: target tensor should be 1-D with size equal to the "
            "number of input samples (batch size). Expected target size [%lld], but got "
            "%s. Input has shape %s.",
            (long long)rows, cti_shape_text(a, target->ndim, target->shape), b);
    int64_t classes = input->shape[input->ndim - 1], bad = 0;
    if (weight != CT_NO_TENSOR && (weight->ndim != 1 || weight->numel != classes))
        return (weight->ndim != 1
                    ? ct_fail(CT_ERR_VALUE, "weight must be one-dimensional")
                    : ct_fail(CT_ERR_RUNTIME, "inconsistent weight size, expected %lld but got %s",
                              (long long)classes, cti_shape_text(a, 1, weight->shape))) != NULL;
    if (target->dtype != CT_INT64)
        return cti_refuse(CT_ERR_RUNTIME, "expected scalar type Long but found %s",
                          cti_dtype_scalar_name((enum ct_dtype)target->dtype));
    ct_tensor *plain = cti_contiguous(target);
    bool inside = plain && cti_check_index(plain, classes, false, &bad);
    if (plain && !inside)
        ct_fail(CT_ERR_RUNTIME, "target out of range");
    ct_release(plain);
    return inside;
}

ct_tensor *cti_op_multi_margin_loss(ct_tensor *input, ct_tensor *target, int64_t p, double margin,
                                    ct_tensor *weight, int size_average, int reduce,
                                    const char *reduction)
{
    struct cti_hold h = {0};
    int kind = cti_reduction(reduction, size_average, reduce);
    if (kind < 0)
        return NULL;
    if (p != 1 && p != 2)
        return ct_fail(CT_ERR_VALUE, "only p == 1 and p == 2 supported");
    if (!check_margin(input, target, weight) ||
        !cti_loss_constant(weight, "multi_margin_loss", "weight"))
        return NULL;
    int64_t classes = input->shape[input->ndim - 1];
    ct_tensor *x = input->ndim == 1 ? cti_hold(&h, ct_own_unsqueeze(input, 0)) : input;
    ct_tensor *index = cti_hold(&h, ct_own_reshape(target, CT_INTS(-1, 1)));
    ct_tensor *own = cti_hold(&h, ct_own_gather(x, 1, index, false));
    ct_tensor *difference = cti_hold(&h, ct_own_sub(V(x), V(own), ONE));
    ct_tensor *shortfall = cti_hold(&h, ct_own_add(V(difference), FLOAT(margin), ONE));
    ct_tensor *loss = cti_hold(&h, ct_own_clamp_min(shortfall, NOTHING));
    if (p == 2)
        loss = cti_hold(&h, ct_own_mul(V(loss), V(loss)));
    if (weight != CT_NO_TENSOR) {
        ct_tensor *flat = cti_hold(&h, ct_own_reshape(index, CT_INTS(-1)));
        ct_tensor *found = cti_hold(&h, ct_own_index_select(weight, 0, flat));
        loss = cti_hold(&h, ct_own_mul(V(loss), V(cti_hold(&h, ct_own_unsqueeze(found, 1)))));
    }
    loss = cti_hold(&h, ct_own_scatter_value(loss, 1, index, NOTHING));
    ct_tensor *sum = cti_hold(&h, ct_own_sum(loss, CT_INTS(1), false, CT_NO_DTYPE));
    ct_tensor *each = cti_hold(&h, ct_own_div(V(sum), ct_value_int(classes), NULL));
    if (kind == CTI_REDUCE_NONE && target->ndim == 0 && each)
        each = cti_hold(&h, ct_own_squeeze(each, CT_INTS(0)));
    return loss_finish(&h, each, kind);
}

/* A mask of the target classes: those before the first -1 in each row. *valid is the mask of these
 * entries in `target`, and *index contains them, with 0 elsewhere. h owns the result. */
static ct_tensor *targets_of(struct cti_hold *h, ct_tensor *target, ct_tensor **valid,
                             ct_tensor **index)
{
    ct_tensor *is = cti_hold(h, ct_own_ge(V(target), NOTHING));
    ct_tensor *numbers = cti_hold(h, ct_own_to_dtype(is, CT_INT64));
    ct_tensor *run = cti_hold(h, ct_own_cumprod(numbers, 1, CT_NO_DTYPE));
    *valid = cti_hold(h, ct_own_to_dtype(run, CT_BOOL));
    *index = cti_hold(h, ct_own_where(*valid, V(target), NOTHING));
    ct_tensor *none =
        cti_hold(h, ct_own_zeros_like(target, CT_INT64, CT_NO_DEVICE, false, CT_PRESERVE_FORMAT));
    ct_tensor *count = cti_hold(h, ct_own_scatter_add(none, 1, *index, run));
    return cti_hold(h, ct_own_gt(V(count), NOTHING));
}

ct_tensor *cti_op_multilabel_margin_loss(ct_tensor *input, ct_tensor *target, int size_average,
                                         int reduce, const char *reduction)
{
    struct cti_hold h = {0};
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    int kind = cti_reduction(reduction, size_average, reduce);
    if (kind < 0)
        return NULL;
    if (input->ndim > 2 || !cti_same_shape(target, input->ndim, input->shape))
        return ct_fail(CT_ERR_RUNTIME, "inconsistent target size: %s for input of size: %s",
                       cti_shape_text(a, target->ndim, target->shape),
                       cti_shape_text(b, input->ndim, input->shape));
    if (target->dtype != CT_INT64)
        return ct_fail(CT_ERR_RUNTIME, "expected scalar type Long but found %s",
                       cti_dtype_scalar_name((enum ct_dtype)target->dtype));
    bool alone = input->ndim < 2;
    int64_t classes = input->ndim ? input->shape[input->ndim - 1] : 1;
    ct_tensor *x = alone ? cti_hold(&h, ct_own_reshape(input, CT_INTS(1, classes))) : input;
    ct_tensor *y = alone ? cti_hold(&h, ct_own_reshape(target, CT_INTS(1, classes))) : target;
    if (y && y->numel && y->storage->device.type != CT_META) {
        ct_tensor *low = cti_hold(&h, ct_own_amin(y, CT_INTS(), false));
        ct_tensor *high = cti_hold(&h, ct_own_amax(y, CT_INTS(), false));
        if (low && high && (ct_item_i64(low) < -1 || ct_item_i64(high) >= classes)) {
            ct_fail(CT_ERR_RUNTIME, "argument #2 'target' is out of range");
            return cti_hold_end(&h, NULL);
        }
    }
    ct_tensor *valid, *index, *is = targets_of(&h, y, &valid, &index);
    ct_tensor *own = cti_hold(&h, ct_own_gather(x, 1, index, false));
    ct_tensor *of = cti_hold(&h, ct_own_unsqueeze(own, 2)),
              *all = cti_hold(&h, ct_own_unsqueeze(x, 1));
    ct_tensor *difference = cti_hold(&h, ct_own_sub(V(all), V(of), ONE));
    ct_tensor *shortfall = cti_hold(&h, ct_own_add(V(difference), ONE, ONE));
    ct_tensor *hinge = cti_hold(&h, ct_own_clamp_min(shortfall, NOTHING));
    ct_tensor *others = cti_hold(&h, ct_own_unsqueeze(cti_hold(&h, ct_own_logical_not(is)), 1));
    ct_tensor *each_valid = cti_hold(&h, ct_own_unsqueeze(valid, 2));
    ct_tensor *pairs = cti_hold(&h, ct_own_logical_and(each_valid, others));
    ct_tensor *loss = cti_hold(&h, ct_own_where(pairs, V(hinge), NOTHING));
    ct_tensor *sum = cti_hold(&h, ct_own_sum(loss, CT_INTS(1, 2), false, CT_NO_DTYPE));
    ct_tensor *each = cti_hold(&h, ct_own_div(V(sum), ct_value_int(classes), NULL));
    if (alone && kind == CTI_REDUCE_NONE && each)
        each = cti_hold(&h, ct_own_squeeze(each, CT_INTS(0)));
    return loss_finish(&h, each, kind);
}

/* ---- vectors ---- */

ct_tensor *cti_op_cosine_embedding_loss(ct_tensor *input1, ct_tensor *input2, ct_tensor *target,
                                        double margin, int size_average, int reduce,
                                        const char *reduction)
{
    struct cti_hold h = {0};
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    int kind = cti_reduction(reduction, size_average, reduce);
    if (kind < 0)
        return NULL;
    if (target->ndim > 1)
        return ct_fail(CT_ERR_RUNTIME,
                       "0D or 1D target tensor expected, multi-target not supported");
    if (input1->ndim != target->ndim + 1 || input2->ndim != target->ndim + 1)
        return ct_fail(CT_ERR_RUNTIME,
                       "%dD target tensor expects %dD input tensors, but found inputs with sizes "
                       "%s and %s.",
                       target->ndim, target->ndim + 1,
                       cti_shape_text(a, input1->ndim, input1->shape),
                       cti_shape_text(b, input2->ndim, input2->shape));
    ct_ints dim = CT_INTS(-1);
    ct_tensor *product = cti_hold(&h, ct_own_mul(V(input1), V(input2)));
    ct_tensor *dot = cti_hold(&h, ct_own_sum(product, dim, false, CT_NO_DTYPE));
    ct_tensor *length[2], *const input[] = {input1, input2};
    for (int i = 0; i < 2; i++) {
        ct_tensor *square = cti_hold(&h, ct_own_mul(V(input[i]), V(input[i])));
        ct_tensor *sum = cti_hold(&h, ct_own_sum(square, dim, false, CT_NO_DTYPE));
        length[i] = cti_hold(&h, ct_own_add(V(sum), FLOAT(1e-12), ONE));
    }
    ct_tensor *both = cti_hold(&h, ct_own_mul(V(length[0]), V(length[1])));
    ct_tensor *cosine = cti_hold(&h, ct_own_div(V(dot), V(cti_hold(&h, ct_own_sqrt(both))), NULL));
    ct_tensor *near = cti_hold(&h, ct_own_rsub(cosine, ONE, ONE));
    ct_tensor *above = cti_hold(&h, ct_own_sub(V(cosine), FLOAT(margin), ONE));
    ct_tensor *far = cti_hold(&h, ct_own_clamp_min(above, NOTHING));
    ct_tensor *is = cti_hold(&h, ct_own_eq(V(target), ONE));
    ct_tensor *is_not = cti_hold(&h, ct_own_eq(V(target), ct_value_int(-1)));
    ct_tensor *first = cti_hold(&h, ct_own_where(is, V(near), NOTHING));
    ct_tensor *second = cti_hold(&h, ct_own_where(is_not, V(far), NOTHING));
    return loss_finish(&h, cti_hold(&h, ct_own_add(V(first), V(second), ONE)), kind);
}

ct_tensor *cti_op_triplet_margin_loss(ct_tensor *anchor, ct_tensor *positive, ct_tensor *negative,
                                      double margin, double p, double eps, bool swap,
                                      int size_average, int reduce, const char *reduction)
{
    struct cti_hold h = {0};
    int kind = cti_reduction(reduction, size_average, reduce);
    if (kind < 0)
        return NULL;
    if (margin <= 0)
        return ct_fail(CT_ERR_VALUE, "margin must be greater than 0, got %g%s", margin,
                       margin == floor(margin) ? ".0" : "");
    if (anchor->ndim != positive->ndim || positive->ndim != negative->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "The anchor, positive, and negative tensors are expected to have the same "
                       "number of dimensions, but got: anchor %dD, positive %dD, and negative %dD "
                       "inputs",
                       anchor->ndim, positive->ndim, negative->ndim);
    ct_tensor *near = cti_hold(&h, ct_own_pairwise_distance(anchor, positive, p, eps, false));
    ct_tensor *far = cti_hold(&h, ct_own_pairwise_distance(anchor, negative, p, eps, false));
    if (swap) {
        ct_tensor *other =
            cti_hold(&h, ct_own_pairwise_distance(positive, negative, p, eps, false));
        far = cti_hold(&h, ct_own_minimum(V(far), other));
    }
    ct_tensor *raised = cti_hold(&h, ct_own_add(V(near), FLOAT(margin), ONE));
    ct_tensor *difference = cti_hold(&h, ct_own_sub(V(raised), V(far), ONE));
    return loss_finish(&h, cti_hold(&h, ct_own_clamp_min(difference, NOTHING)), kind);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of losses: binary cross entropy with optional weights, and losses with class indices.
 * They call differentiable operations, so that they can be differentiated again. */
#include "autograd/autograd.h"

#include "core/backend.h"
#include "core/class_loss.h"
#include "core/hold.h"
#include "core/value.h"
#include "grads.h"
#include "inner.h"

#define ONE ct_value_int(1)
enum { NONE, MEAN, SUM }; /* PyTorch's numbers of reductions */

/* The gradient of each element's loss: grad, divided by the count for a mean, times the weight. */
static ct_tensor *reduced_gradient(struct cti_hold *h, ct_tensor *grad, ct_tensor *like,
                                   ct_tensor *weight, int64_t reduction)
{
    ct_tensor *scale =
        cti_hold(h, ct_own_loss_scale(grad, ct_ints_of(like->shape, like->ndim), reduction));
    return weight == CT_NO_TENSOR ? scale : cti_hold(h, ct_own_mul(V(scale), V(weight)));
}

/* ---- probabilities of two classes ---- */

ct_tensor *cti_grad_bce(ct_tensor *grad, ct_tensor *input, ct_tensor *target, ct_tensor *weight,
                        int64_t reduction)
{
    struct cti_hold h = {0};
    ct_tensor *scale = reduced_gradient(&h, grad, input, weight, reduction);
    return cti_hold_end(&h, cti_hold(&h, ct_own_bce_back(scale, input, target)));
}

/* log1p(-x) - log(x), both clamped to at least -100 as in the loss. */
ct_tensor *cti_grad_bce_target(ct_tensor *grad, ct_tensor *input, ct_tensor *target,
                               ct_tensor *weight, int64_t reduction)
{
    (void)target;
    struct cti_hold h = {0};
    ct_value least = ct_value_int(-100);
    ct_tensor *other = cti_hold(&h, ct_own_log1p(cti_hold(&h, ct_own_neg(input))));
    ct_tensor *no = cti_hold(&h, ct_own_clamp_min(other, least));
    ct_tensor *yes = cti_hold(&h, ct_own_clamp_min(cti_hold(&h, ct_own_log(input)), least));
    ct_tensor *slope = cti_hold(&h, ct_own_sub(V(no), V(yes), ONE));
    ct_tensor *scale = reduced_gradient(&h, grad, input, weight, reduction);
    return cti_hold_end(&h, cti_hold(&h, ct_own_mul(V(slope), V(scale))));
}

/* sigmoid(x) - y, and with a weight p of the positive class (1 - y + p y) sigmoid(x) - p y. */
ct_tensor *cti_grad_bce_logits(ct_tensor *grad, ct_tensor *input, ct_tensor *target,
                               ct_tensor *weight, ct_tensor *pos_weight, int64_t reduction)
{
    struct cti_hold h = {0};
    ct_tensor *scale = reduced_gradient(&h, grad, input, weight, reduction);
    if (pos_weight == CT_NO_TENSOR)
        return cti_hold_end(&h, cti_hold(&h, ct_own_bce_logits_back(scale, input, target)));
    ct_tensor *t = cti_hold(&h, ct_own_mul(V(pos_weight), V(target)));
    ct_tensor *both = cti_hold(&h, ct_own_sub(V(t), V(target), ONE));
    ct_tensor *all = cti_hold(&h, ct_own_add(V(both), ONE, ONE));
    ct_tensor *p = cti_hold(&h, ct_own_sigmoid(input));
    ct_tensor *slope =
        cti_hold(&h, ct_own_sub(V(cti_hold(&h, ct_own_mul(V(all), V(p)))), V(t), ONE));
    return cti_hold_end(&h, cti_hold(&h, ct_own_mul(V(slope), V(scale))));
}

/* -x, and with a weight p of the positive class logsigmoid(-x) - p logsigmoid(x). */
ct_tensor *cti_grad_bce_logits_target(ct_tensor *grad, ct_tensor *input, ct_tensor *weight,
                                      ct_tensor *pos_weight, int64_t reduction)
{
    struct cti_hold h = {0};
    ct_tensor *scale = reduced_gradient(&h, grad, input, weight, reduction);
    ct_tensor *slope = cti_hold(&h, ct_own_neg(input));
    if (pos_weight != CT_NO_TENSOR) {
        ct_tensor *yes = cti_hold(&h, ct_own_logsigmoid(input));
        ct_tensor *weighed = cti_hold(&h, ct_own_mul(V(pos_weight), V(yes)));
        slope = cti_hold(&h, ct_own_logsigmoid(slope));
        slope = cti_hold(&h, ct_own_sub(V(slope), V(weighed), ONE));
    }
    return cti_hold_end(&h, cti_hold(&h, ct_own_mul(V(slope), V(scale))));
}

/* ---- classes ---- */

/* The gradient of each target's loss, in the shape of the targets: its weight times grad, and 0 for
 * ignored targets. *index: the targets with a dim of size 1 inserted at 1, and 0 for ignored
 * ones. */
static ct_tensor *class_gradient(struct cti_hold *h, ct_tensor *grad, ct_tensor *target,
                                 ct_tensor *weight, int64_t reduction, int64_t ignore_index,
                                 ct_tensor *total_weight, ct_tensor **index)
{
    ct_value none = ct_value_int(0);
    ct_tensor *valid = cti_hold(h, ct_own_ne(V(target), ct_value_int(ignore_index)));
    ct_tensor *where = cti_hold(h, ct_own_where(valid, V(target), none));
    ct_tensor *classes = cti_hold(h, ct_own_to_dtype(where, CT_INT64));
    ct_tensor *share = grad;
    if (reduction == MEAN)
        share = cti_hold(h, ct_own_div(V(share), V(total_weight), NULL));
    if (weight != CT_NO_TENSOR && classes) {
        ct_tensor *flat = cti_hold(h, ct_own_flatten(classes, 0, -1));
        ct_tensor *found = cti_hold(h, ct_own_index_select(weight, 0, flat));
        ct_tensor *shaped =
            cti_hold(h, ct_own_view(found, ct_ints_of(classes->shape, classes->ndim)));
        share = cti_hold(h, ct_own_mul(V(share), V(shaped)));
    }
    share = cti_hold(h, ct_own_where(valid, V(share), none));
    *index = cti_hold(h, ct_own_unsqueeze(classes, 1));
    return cti_hold(h, ct_own_unsqueeze(share, 1));
}

ct_tensor *cti_grad_nll(ct_tensor *grad, ct_ints input, ct_tensor *target, ct_tensor *weight,
                        int64_t reduction, int64_t ignore_index, ct_tensor *total_weight)
{
    struct cti_hold h = {0};
    ct_tensor *index;
    ct_tensor *share =
        class_gradient(&h, grad, target, weight, reduction, ignore_index, total_weight, &index);
    ct_tensor *less = cti_hold(&h, ct_own_neg(share));
    ct_tensor *nothing =
        cti_hold(&h, less ? ct_own_new_zeros(less, input, CT_NO_DTYPE, CT_NO_DEVICE, false) : NULL);
    return cti_hold_end(&h, cti_hold(&h, ct_own_scatter(nothing, 1, index, less)));
}

/* Computes the gradient with the class_loss engine, in one pass. */
static enum cti_status cross_entropy_at_once(ct_tensor *grad, ct_tensor *input, ct_tensor *target,
                                             ct_tensor *weight, int64_t reduction,
                                             int64_t ignore_index, ct_tensor *total_weight,
                                             ct_tensor *lse, ct_tensor **result)
{
    int dtype = input->dtype;
    if (input->storage->device.type != CT_CUDA || cti_grad_on() || input->ndim != 2 ||
        weight != CT_NO_TENSOR || reduction == NONE ||
        (dtype != CT_FLOAT32 && dtype != CT_FLOAT64) || target->dtype != CT_INT64 ||
        grad->dtype != dtype || total_weight->dtype != dtype || lse->dtype != dtype ||
        !ct_is_contiguous(input) || !ct_is_contiguous(target) || !ct_is_contiguous(lse))
        return CTI_DECLINED;
    *result = cti_empty(2, input->shape, (enum ct_dtype)dtype, input->storage->device);
    struct cti_class_loss work = {.work = {CTI_ENGINE_class_loss, input->storage->device},
                                  .input = input,
                                  .target = target,
                                  .lse = lse,
                                  .total = total_weight,
                                  .grad = grad,
                                  .result = *result,
                                  .ignore_index = ignore_index,
                                  .mean = reduction == MEAN};
    enum cti_status status = *result ? cti_offer(&work.work) : CTI_FAILED;
    if (status != CTI_DONE) {
        ct_release(*result);
        *result = NULL;
    }
    return status;
}

/* softmax(x) times the gradient of its row, less that gradient at the target. If this is to be
 * differentiated again, the softmax is recorded; otherwise the saved log-sum-exp gives it in one
 * pass. */
ct_tensor *cti_grad_cross_entropy(ct_tensor *grad, ct_tensor *input, ct_tensor *target,
                                  ct_tensor *weight, int64_t reduction, int64_t ignore_index,
                                  ct_tensor *total_weight, ct_tensor *lse)
{
    struct cti_hold h = {0};
    ct_tensor *index, *all;
    if (cross_entropy_at_once(grad, input, target, weight, reduction, ignore_index, total_weight,
                              lse, &all) != CTI_DECLINED)
        return all;
    ct_tensor *share =
        class_gradient(&h, grad, target, weight, reduction, ignore_index, total_weight, &index);
    if (cti_grad_on()) {
        ct_tensor *p = cti_hold(&h, ct_own_softmax(input, 1, CT_NO_DTYPE));
        all = cti_hold(&h, ct_own_mul(V(p), V(share)));
    } else {
        all = cti_hold(&h, ct_own_softmax_share(input, lse, share));
    }
    ct_tensor *less = cti_hold(&h, ct_own_neg(share));
    if (!all || !less)
        return cti_hold_end(&h, NULL);
    if (cti_grad_on()) {
        all = cti_hold(&h, ct_own_scatter_add(all, 1, index, less));
    } else { /* this function owns it, so it is computed in place */
        ct_tensor *cast = cti_hold(&h, ct_own_to_dtype(less, all->dtype));
        if (!cast || !CTI_RUN(scatter, all, .self = all, .dim = 1, .index = index, .src = cast,
                              .how = CTI_COMBINE_ADD))
            return cti_hold_end(&h, NULL);
    }
    return cti_hold_end(&h, cti_hold(&h, ct_own_to_dtype(all, input->dtype)));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the losses over classes, nll_loss and cross_entropy. Dim 1 of the input holds the
 * classes; a target is a class index. With such targets cross_entropy does not compute log_softmax
 * for all classes: it needs one logsumexp per row, which reads the input once, and the target's
 * logit. Its derivative is one pass, too (autograd/derivatives/loss.c). Other targets use
 * log_softmax, as in PyTorch. */
#include "ops/loss/loss.h"

#include "core/class_loss.h"
#include "fronts.h"
#include "inner.h"

/* ---- checks ---- */

static bool classes_check_weight(ct_tensor *weight, int64_t classes, bool spatial)
{
    char text[CTI_SHAPE_TEXT];
    if (weight == CT_NO_TENSOR || (weight->ndim == 1 && weight->numel == classes))
        return true;
    if (spatial)
        ct_fail(CT_ERR_RUNTIME, "weight tensor should be defined either for all or no classes");
    else
        ct_fail(CT_ERR_RUNTIME,
                "weight tensor should be defined either for all %lld classes or no classes but got "
                "weight tensor of shape: %s",
                (long long)classes, cti_shape_text(text, weight->ndim, weight->shape));
    return false;
}

static bool classes_check_sizes(ct_tensor *input, ct_tensor *target)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    if (input->ndim < 1)
        return cti_refuse(CT_ERR_VALUE, "Expected 1 or more dimensions (got 0)");
    if (input->ndim != 1 && (target->ndim == 0 || input->shape[0] != target->shape[0]))
        return (target->ndim == 0
                    ? ct_fail(CT_ERR_INDEX, "Dimension specified as 0 but tensor has no dimensions")
                    : ct_fail(CT_ERR_VALUE,
                              "Expected input batch_size (%lld) to match target batch_size (%lld).",
                              (long long)input->shape[0], (long long)target->shape[0])) != NULL;
    if (input->ndim <= 2) {
        if (target->ndim > 1)
            return cti_refuse(CT_ERR_RUNTIME,
                              "0D or 1D target tensor expected, multi-target not supported");
        if (input->ndim == 1 && target->ndim == 1 && target->shape[0] != 1)
            return cti_refuse(CT_ERR_VALUE,
                              "For 1D input, 1D target must have size 1, but got target size: %lld",
                              (long long)target->shape[0]);
        return true;
    }
    int64_t expected[CTI_MAX_DIMS];
    expected[0] = input->shape[0];
    for (int d = 2; d < input->ndim; d++)
        expected[d - 1] = input->shape[d];
    if (cti_same_shape(target, input->ndim - 1, expected))
        return true;
    if (input->ndim == 4 && target->ndim != 3)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "only batches of spatial targets supported (3D tensors) but got targets of "
            "dimension: %d",
            target->ndim);
    if (input->ndim == 4)
        return cti_refuse(CT_ERR_RUNTIME, "size mismatch (got input: %s , target: %s",
                          cti_shape_text(a, input->ndim, input->shape),
                          cti_shape_text(b, target->ndim, target->shape));
    return cti_refuse(CT_ERR_RUNTIME, "Expected target size %s, got %s",
                      cti_shape_text(a, input->ndim - 1, expected),
                      cti_shape_text(b, target->ndim, target->shape));
}

static bool check_classes(ct_tensor *input, ct_tensor *target, ct_tensor *weight)
{
    if (!classes_check_sizes(input, target))
        return false;
    int64_t classes = input->shape[input->ndim == 1 ? 0 : 1];
    if (!classes_check_weight(weight, classes, input->ndim > 2))
        return false;
    if (target->dtype != CT_INT64 && target->dtype != CT_UINT8)
        return cti_refuse(CT_ERR_RUNTIME, "expected target dtype to be Long or Byte, but got %s",
                          cti_dtype_scalar_name((enum ct_dtype)target->dtype));
    if (weight != CT_NO_TENSOR && weight->dtype != input->dtype)
        return cti_refuse(CT_ERR_RUNTIME, "expected scalar type %s but found %s",
                          cti_dtype_scalar_name((enum ct_dtype)input->dtype),
                          cti_dtype_scalar_name((enum ct_dtype)weight->dtype));
    return true;
}

/* ---- gathering by target ---- */

struct picked {
    ct_tensor *valid;  /* mask of the targets that count; NULL: all */
    ct_tensor *index;  /* targets, with 0 for ignored ones */
    ct_tensor *weight; /* the weight of each target; NULL: 1 */
};

/* Fills in *p from the targets: indices, the mask of ignored ones, and class weights. h owns the
 * result. */
static bool find_classes(struct cti_hold *h, ct_tensor *target, ct_tensor *weight, int64_t classes,
                         int64_t ignore_index, struct picked *p)
{
    int64_t bad = 0;
    *p = (struct picked){.index = cti_hold(h, ct_own_to_dtype(target, CT_INT64))};
    if (!p->index)
        return false;
    /* Reading targets from a GPU would wait for it, so there the ignored targets are always
     * masked. */
    bool inside = !cti_accelerator_of(target->storage->device.type) &&
                  cti_check_index(p->index, classes, false, &bad);
    if (!inside || (ignore_index >= 0 && ignore_index < classes)) {
        ct_value none = ct_value_int(0);
        p->valid = cti_hold(h, ct_own_ne(V(p->index), ct_value_int(ignore_index)));
        p->index = cti_hold(h, ct_own_where(p->valid, V(p->index), none));
        if (!p->index)
            return false;
        if (!cti_check_index(p->index, classes, false, &bad))
            return cti_refuse(CT_ERR_INDEX, "Target %lld is out of bounds.", (long long)bad);
    }
    if (weight != CT_NO_TENSOR) {
        ct_tensor *flat = cti_hold(h, ct_own_flatten(p->index, 0, -1));
        ct_tensor *found = cti_hold(h, ct_own_index_select(weight, 0, flat));
        p->weight = cti_hold(h, ct_own_view(found, cti_shape_of(p->index)));
    }
    return weight == CT_NO_TENSOR || p->weight;
}

/* Weighs and reduces the loss of each target; *total is the sum of weights, the mean's divisor. */
static bool reduce_targets(struct cti_hold *h, ct_tensor *each, const struct picked *p,
                           int64_t reduction, ct_tensor **output, ct_tensor **total)
{
    enum ct_dtype dtype = (enum ct_dtype)each->dtype;
    ct_value none = ct_value_int(0);
    ct_tensor *weight = p->weight;
    if (p->weight)
        each = cti_hold(h, ct_own_mul(V(each), V(p->weight)));
    if (p->valid) {
        each = cti_hold(h, ct_own_where(p->valid, V(each), none));
        weight = cti_hold(h, weight ? ct_own_where(p->valid, V(weight), none)
                                    : ct_own_to_dtype(p->valid, dtype));
    }
    if (!each || (p->valid && !weight))
        return false;
    if (reduction == CTI_REDUCE_NONE) {
        *output = ct_retain(each);
        *total = cti_value_as_tensor(ct_value_int(0));
        return *total;
    }
    ct_tensor *sum = cti_hold(h, ct_own_sum(each, CT_NO_DIMS, false, CT_NO_DTYPE));
    *total = weight ? ct_own_sum(weight, CT_NO_DIMS, false, CT_NO_DTYPE)
                    : ct_own_full(CT_INTS(), ct_value_int(p->index->numel), dtype,
                                  each->storage->device, false);
    *output = reduction == CTI_REDUCE_SUM ? (sum ? ct_retain(sum) : NULL)
                                          : ct_own_div(V(sum), V(*total), NULL);
    return *output && *total;
}

/* input[n, target[n, ...], ...]; the class dim is removed. h owns the result. */
static ct_tensor *pick_class(struct cti_hold *h, ct_tensor *input, const struct picked *p)
{
    ct_tensor *index = cti_hold(h, ct_own_unsqueeze(p->index, 1));
    ct_tensor *found = cti_hold(h, ct_own_gather(input, 1, index, false));
    return cti_hold(h, ct_own_squeeze(found, CT_INTS(1)));
}

bool cti_op_nll_reduced(struct ct_nll_reduced_result *result, ct_tensor *input, ct_tensor *target,
                        ct_tensor *weight, int64_t reduction, int64_t ignore_index, int spatial)
{
    (void)spatial;
    struct cti_hold h = {0};
    struct picked p;
    ct_tensor *each = NULL;
    bool good = find_classes(&h, target, weight, input->shape[1], ignore_index, &p);
    if (good)
        each = cti_hold(&h, ct_own_neg(pick_class(&h, input, &p)));
    good = each && reduce_targets(&h, each, &p, reduction, &result->output, &result->total_weight);
    cti_hold_end(&h, NULL);
    return good;
}

/* Computes the loss of rows of logits without weights in one engine call: on a GPU the launches of
 * the general path cost more than its arithmetic. */
static enum cti_status reduced_at_once(struct ct_cross_entropy_index_result *result,
                                       ct_tensor *input, ct_tensor *target, ct_tensor *weight,
                                       int64_t reduction, int64_t ignore_index)
{
    enum ct_dtype dtype = (enum ct_dtype)input->dtype;
    struct ct_device device = input->storage->device;
    if (device.type != CT_CUDA || input->ndim != 2 || weight != CT_NO_TENSOR ||
        reduction == CTI_REDUCE_NONE || (dtype != CT_FLOAT32 && dtype != CT_FLOAT64) ||
        target->dtype != CT_INT64 || !ct_is_contiguous(input) || !ct_is_contiguous(target))
        return CTI_DECLINED;
    struct cti_class_loss work = {.work = {CTI_ENGINE_class_loss, device},
                                  .input = input,
                                  .target = target,
                                  .lse = ct_own_logsumexp(input, CT_INTS(1), true),
                                  .loss = cti_empty(0, NULL, dtype, device),
                                  .total = cti_empty(0, NULL, dtype, device),
                                  .ignore_index = ignore_index,
                                  .mean = reduction == CTI_REDUCE_MEAN};
    enum cti_status status =
        work.lse && work.loss && work.total ? cti_offer(&work.work) : CTI_FAILED;
    if (status == CTI_DONE) {
        *result = (struct ct_cross_entropy_index_result){work.loss, work.total, work.lse};
        return status;
    }
    cti_release_all(work.lse, work.loss, work.total);
    return status;
}

bool cti_op_cross_entropy_index(struct ct_cross_entropy_index_result *result, ct_tensor *input,
                                ct_tensor *target, ct_tensor *weight, int64_t reduction,
                                int64_t ignore_index, int spatial)
{
    (void)spatial;
    struct cti_hold h = {0};
    struct picked p;
    enum ct_dtype dtype = (enum ct_dtype)input->dtype;
    bool half = dtype == CT_FLOAT16 || dtype == CT_BFLOAT16;
    ct_tensor *each = NULL, *sums = NULL, *output = NULL;
    enum cti_status status =
        reduced_at_once(result, input, target, weight, reduction, ignore_index);
    if (status != CTI_DECLINED)
        return status == CTI_DONE;
    bool good = find_classes(&h, target, weight, input->shape[1], ignore_index, &p);
    if (good) {
        /* In half precision the error of logsumexp would affect every probability. */
        ct_tensor *in = cti_hold(&h, half ? ct_own_to_dtype(input, CT_FLOAT32) : ct_retain(input));
        ct_tensor *found = pick_class(&h, input, &p);
        result->lse = ct_own_logsumexp(in, CT_INTS(1), true);
        sums = cti_hold(&h, ct_own_squeeze(result->lse, CT_INTS(1)));
        each = cti_hold(&h, ct_own_sub(V(sums), V(found), ONE));
        good = each && reduce_targets(&h, each, &p, reduction, &output, &result->total_weight);
    }
    if (good) {
        result->output = cti_cast(output, dtype);
        good = result->output != NULL;
    }
    ct_release(output);
    cti_hold_end(&h, NULL);
    return good;
}

/* ---- entry points ---- */

/* nll_loss of log probabilities or, if `of_logits`, cross entropy of logits. A single 1-d input is
 * a batch of one. The caller owns the result. */
static ct_tensor *nll(ct_tensor *input, ct_tensor *target, ct_tensor *weight, int reduction,
                      int64_t ignore_index, bool of_logits)
{
    if (!check_classes(input, target, weight) ||
        !cti_loss_constant(weight, input->ndim > 2 ? "nll_loss2d_forward" : "nll_loss_forward",
                           "weight"))
        return NULL;
    if (input->dtype < CT_FLOAT16 || input->dtype >= CT_COMPLEX64)
        return of_logits ? ct_own_log_softmax(input, input->ndim == 1 ? 0 : 1, CT_NO_DTYPE)
                         : ct_fail(CT_ERR_NOT_IMPLEMENTED,
                                   "\"nll_loss%s_out_frame\" not implemented for '%s'",
                                   input->ndim > 2 ? "2d_forward" : "",
                                   cti_dtype_scalar_name((enum ct_dtype)input->dtype));
    struct cti_hold h = {0};
    bool alone = input->ndim == 1;
    int spatial = input->ndim > 2 ? 1 : -1; /* selects the name of PyTorch's node */
    ct_tensor *in = alone ? cti_hold(&h, ct_own_unsqueeze(input, 0)) : input;
    ct_tensor *classes = alone ? cti_hold(&h, ct_own_reshape(target, CT_INTS(1))) : target;
    ct_tensor *output = NULL;
    if (of_logits) {
        struct ct_cross_entropy_index_result r =
            ct_own_cross_entropy_index(in, classes, weight, reduction, ignore_index, spatial);
        output = cti_hold(&h, r.output);
        cti_hold(&h, r.total_weight);
        cti_hold(&h, r.lse);
    } else {
        struct ct_nll_reduced_result r =
            ct_own_nll_reduced(in, classes, weight, reduction, ignore_index, spatial);
        output = cti_hold(&h, r.output);
        cti_hold(&h, r.total_weight);
    }
    if (output && alone && reduction == CTI_REDUCE_NONE && target->ndim == 0)
        output = cti_hold(&h, ct_own_squeeze(output, CT_INTS(0)));
    return cti_hold_end(&h, output);
}

ct_tensor *cti_op_nll_loss(ct_tensor *input, ct_tensor *target, ct_tensor *weight, int size_average,
                           int64_t ignore_index, int reduce, const char *reduction)
{
    int kind = cti_reduction(reduction, size_average, reduce);
    return kind < 0 ? NULL : nll(input, target, weight, kind, ignore_index, false);
}

/* The class weights as a view that broadcasts along the class dim of `input`. h owns the result. */
static ct_tensor *spread_weight(struct cti_hold *h, ct_tensor *input, ct_tensor *weight)
{
    int64_t shape[CTI_MAX_DIMS];
    int at = input->ndim == 1 ? 0 : 1;
    for (int d = 0; d < input->ndim; d++)
        shape[d] = d == at ? weight->numel : 1;
    return cti_hold(h, ct_own_view(weight, ct_ints_of(shape, input->ndim)));
}

/* Cross entropy with class probabilities as target. The caller owns the result. */
static ct_tensor *of_probabilities(ct_tensor *input, ct_tensor *target, ct_tensor *weight,
                                   int reduction, double smoothing)
{
    char text[CTI_SHAPE_TEXT];
    int64_t dim = input->ndim == 1 ? 0 : 1, classes = input->shape[dim];
    if (weight != CT_NO_TENSOR && (weight->ndim != 1 || weight->numel != classes))
        return ct_fail(CT_ERR_RUNTIME,
                       "cross_entropy: weight tensor should be defined either for all %lld classes "
                       "or no classes but got weight tensor of shape: %s",
                       (long long)classes, cti_shape_text(text, weight->ndim, weight->shape));
    struct cti_hold h = {0};
    ct_tensor *logs = cti_hold(&h, ct_own_log_softmax(input, dim, CT_NO_DTYPE));
    if (smoothing > 0) {
        ct_tensor *less = cti_hold(&h, ct_own_mul(V(target), ct_value_float(1 - smoothing)));
        target =
            cti_hold(&h, ct_own_add(V(less), ct_value_float(smoothing / (double)classes), ONE));
    }
    ct_tensor *each = cti_hold(&h, ct_own_mul(V(logs), V(target)));
    if (weight != CT_NO_TENSOR)
        each = cti_hold(&h, ct_own_mul(V(each), V(spread_weight(&h, input, weight))));
    ct_ints dims = reduction == CTI_REDUCE_NONE ? CT_INTS(dim) : CT_NO_DIMS;
    ct_tensor *sum = cti_hold(&h, ct_own_sum(each, dims, false, CT_NO_DTYPE));
    ct_tensor *loss = cti_hold(&h, ct_own_neg(sum));
    if (reduction == CTI_REDUCE_MEAN) {
        double rows = classes ? (double)(input->numel / classes) : 0;
        loss = cti_hold(&h, ct_own_div(V(loss), ct_value_float(rows), NULL));
    }
    return cti_hold_end(&h, loss);
}

/* Cross entropy with label smoothing: (1 - s) times the loss of the target class plus s times the
 * mean of the losses of all classes. */
static ct_tensor *smoothed(ct_tensor *input, ct_tensor *target, ct_tensor *weight, int reduction,
                           int64_t ignore_index, double smoothing)
{
    struct cti_hold h = {0};
    ct_value none = ct_value_int(0);
    int64_t dim = input->ndim == 1 ? 0 : 1;
    ct_tensor *logs = cti_hold(&h, ct_own_log_softmax(input, dim, CT_NO_DTYPE));
    ct_tensor *nlls =
        logs ? cti_hold(&h, nll(logs, target, weight, reduction, ignore_index, false)) : NULL;
    if (!nlls)
        return cti_hold_end(&h, NULL);
    ct_tensor *terms = weight == CT_NO_TENSOR
                           ? logs
                           : cti_hold(&h, ct_own_mul(V(logs), V(spread_weight(&h, input, weight))));
    ct_tensor *sums = cti_hold(&h, ct_own_sum(terms, CT_INTS(dim), false, CT_NO_DTYPE));
    ct_tensor *less = cti_hold(&h, ct_own_neg(sums));
    ct_tensor *valid = cti_hold(&h, ct_own_ne(V(target), ct_value_int(ignore_index)));
    ct_tensor *loss = cti_hold(&h, ct_own_where(valid, V(less), none));
    if (reduction != CTI_REDUCE_NONE)
        loss = cti_hold(&h, ct_own_sum(loss, CT_NO_DIMS, false, CT_NO_DTYPE));
    if (reduction == CTI_REDUCE_MEAN) {
        ct_tensor *share = valid;
        if (weight != CT_NO_TENSOR) {
            ct_tensor *classes = cti_hold(&h, ct_own_where(valid, V(target), none));
            ct_tensor *flat = cti_hold(&h, ct_own_flatten(classes, 0, -1));
            ct_tensor *found = cti_hold(&h, ct_own_index_select(weight, 0, flat));
            ct_tensor *shaped = cti_hold(&h, ct_own_view(found, cti_shape_of(target)));
            share = cti_hold(&h, ct_own_where(valid, V(shaped), none));
        }
        ct_tensor *total = cti_hold(&h, ct_own_sum(share, CT_NO_DIMS, false, CT_NO_DTYPE));
        loss = cti_hold(&h, ct_own_div(V(loss), V(total), NULL));
    }
    double classes = (double)input->shape[dim];
    ct_tensor *first = cti_hold(&h, ct_own_mul(V(nlls), ct_value_float(1 - smoothing)));
    ct_tensor *second = cti_hold(&h, ct_own_mul(V(loss), ct_value_float(smoothing / classes)));
    return cti_hold_end(&h, cti_hold(&h, ct_own_add(V(first), V(second), ONE)));
}

ct_tensor *cti_op_cross_entropy(ct_tensor *input, ct_tensor *target, ct_tensor *weight,
                                int size_average, int64_t ignore_index, int reduce,
                                const char *reduction, double label_smoothing)
{
    int kind = cti_reduction(reduction, size_average, reduce);
    if (kind < 0)
        return NULL;
    bool smooth = label_smoothing != 0;
    if (input->ndim && cti_same_shape(input, target->ndim, target->shape)) {
        if (target->dtype < CT_FLOAT16)
            return ct_fail(CT_ERR_RUNTIME,
                           "Expected floating point type for target with class probabilities, got "
                           "%s",
                           cti_dtype_scalar_name((enum ct_dtype)target->dtype));
        if (ignore_index >= 0)
            return ct_fail(CT_ERR_RUNTIME,
                           "ignore_index is not supported for floating point target");
        if (label_smoothing < 0 || label_smoothing > 1)
            return ct_fail(CT_ERR_RUNTIME, "label_smoothing must be between 0.0 and 1.0. Got: %g",
                           label_smoothing);
        return of_probabilities(input, target, weight, kind, label_smoothing);
    }
    if (smooth && !(label_smoothing >= 0 && label_smoothing <= 1))
        return ct_fail(CT_ERR_RUNTIME, "label_smoothing must be between 0.0 and 1.0. Got: %g",
                       label_smoothing);
    return smooth ? smoothed(input, target, weight, kind, ignore_index, label_smoothing)
                  : nll(input, target, weight, kind, ignore_index, true);
}

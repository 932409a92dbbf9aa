# SPDX-License-Identifier: BSD-3-Clause
"""Loss functions as layers. Each stores its options and calls the function in nn.functional."""
import math
import warnings

from .. import functional as F
from .._reduction import legacy_get_string
from .distance import PairwiseDistance
from .linear import Linear
from .module import Module

__all__ = ["BCELoss", "BCEWithLogitsLoss", "CTCLoss", "CosineEmbeddingLoss", "CrossEntropyLoss", "GaussianNLLLoss",
           "HingeEmbeddingLoss", "HuberLoss", "KLDivLoss", "L1Loss", "LinearCrossEntropyLoss", "MSELoss", "MarginRankingLoss",
           "MultiLabelMarginLoss", "MultiLabelSoftMarginLoss", "MultiMarginLoss", "NLLLoss", "NLLLoss2d", "PoissonNLLLoss",
           "SmoothL1Loss", "SoftMarginLoss", "TripletMarginLoss", "TripletMarginWithDistanceLoss"]


class _Loss(Module):
    """Base of the losses: stores `reduction` and the other options as attributes.

    `size_average` and `reduce` are PyTorch's old names for the choices that `reduction` offers.
    """

    def __init__(self, size_average=None, reduce=None, reduction="mean", **arguments):
        super().__init__()
        old = size_average is not None or reduce is not None
        self.reduction = legacy_get_string(size_average, reduce) if old else reduction
        self.__dict__.update(arguments)


class _WeightedLoss(_Loss):
    """Base of losses with a tensor of weights, stored as a buffer so that it moves with the module."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", **arguments):
        super().__init__(size_average, reduce, reduction, **arguments)
        self.register_buffer("weight", weight)


class _Unweighted(_Loss):
    """Base of losses whose only option is `reduction`."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)


class _Weighted(_WeightedLoss):
    """Base of losses whose only options are `weight` and `reduction`."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(weight, size_average, reduce, reduction)


class L1Loss(_Unweighted):
    """Mean absolute error between input and target.

        loss = |input - target|, then averaged

    Large errors count less than with MSELoss, so it is robust against outliers. The gradient is the
    sign of the difference, and 0 where both are equal. Inputs of different shapes broadcast, which
    is rarely wanted and therefore warns. The mean over no elements is NaN, the sum 0.

    Args:
        reduction: "none" gives one loss per element, "sum" adds them up, "mean" takes their
            average. Default: "mean".
        size_average, reduce: deprecated in favour of `reduction`.

    Shape:
        - Input, target: any shape, the same for both.
        - Output: a scalar, or the input's shape if reduction="none".

    Example:
        >>> x, y = torch.tensor([1., 2., 3.]), torch.tensor([1., 4., 7.])
        >>> nn.L1Loss()(x, y)
        tensor(2.)
        >>> nn.L1Loss(reduction="none")(x, y)
        tensor([0., 2., 4.])
    """

    def forward(self, input, target):
        """Return the loss of `input` for `target`."""
        return F.l1_loss(input, target, reduction=self.reduction)


class MSELoss(_Unweighted):
    """Mean squared error between input and target.

        loss = (input - target)^2, then averaged

    Inputs of different shapes broadcast, which is rarely wanted and therefore warns. The mean over
    no elements is NaN, the sum 0.

    Args:
        reduction: "none" gives one loss per element, "sum" adds them up, "mean" takes their
            average. Default: "mean".
        size_average, reduce: deprecated in favour of `reduction`.

    Shape:
        - Input, target: any shape, the same for both.
        - Output: a scalar, or the input's shape if reduction="none".

    Example:
        >>> x, y = torch.tensor([1., 2., 3.]), torch.tensor([1., 4., 7.])
        >>> nn.MSELoss()(x, y)
        tensor(6.6667)
        >>> nn.MSELoss(reduction="none")(x, y)
        tensor([ 0.,  4., 16.])
    """

    def forward(self, input, target):
        """The loss of `input` for `target`."""
        return F.mse_loss(input, target, reduction=self.reduction)


class NLLLoss(_WeightedLoss):
    """Negative log-likelihood: minus the log-probability that the model gives the target class.

        loss[n] = -weight[target[n]] * input[n, target[n]]

    The input has to be log-probabilities, as LogSoftmax gives them; CrossEntropyLoss takes raw
    scores instead. With "mean" the losses are added up and divided by the sum of the weights of
    their targets. If no example counts, "mean" gives NaN and "sum" 0.

    Args:
        weight: (C,), the importance of each class, for example to balance rare ones. Default: None,
            all 1.
        size_average, reduce: deprecated in favour of `reduction`.
        ignore_index: examples with this target count for nothing, neither in the loss nor in the
            average. Default: -100.
        reduction: "none" gives one loss per example, "sum" adds them up, "mean" takes their
            average. Default: "mean".

    Shape:
        - Input: (N, C) log-probabilities, (C,) for one example, or (N, C, d1, d2, ...) for one
          prediction per pixel.
        - Target: (N,), () or (N, d1, d2, ...) of class indices from 0 to C - 1, int64.
        - Output: a scalar, or the target's shape if reduction="none".

    Example:
        >>> log_p = torch.tensor([[0.5, 0.25, 0.25], [0.125, 0.125, 0.75]]).log()
        >>> target = torch.tensor([0, 1])
        >>> nn.NLLLoss(reduction="none")(log_p, target)  # log 2 and log 8
        tensor([0.6931, 2.0794])
        >>> nn.NLLLoss(weight=torch.tensor([1., 3., 1.]))(log_p, target)  # (1 * 0.6931 + 3 * 2.0794) / 4
        tensor(1.7329)
    """

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        super().__init__(weight, size_average, reduce, reduction, ignore_index=ignore_index)

    def forward(self, input, target):
        """Return the loss of log-probabilities for class indices."""
        return F.nll_loss(input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction)


class NLLLoss2d(NLLLoss):
    """Deprecated name of NLLLoss, which accepts images, too; creating one warns."""

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        warnings.warn("`NLLLoss2d` has been deprecated. Please use `NLLLoss` instead as a drop-in replacement and see "
                      "https://pytorch.org/docs/main/nn.html#torch.nn.NLLLoss for more details.", FutureWarning, stacklevel=2)
        super().__init__(weight, size_average, ignore_index, reduce, reduction)


class CrossEntropyLoss(_WeightedLoss):
    """Cross entropy between the class probabilities that scores (logits) imply and the target.

        loss[n] = -weight[y] * log(exp(input[n, y]) / sum over c of exp(input[n, c]))  (y = target[n])

    It is LogSoftmax followed by NLLLoss in one stable step, so give it raw scores, never
    probabilities. The target holds class indices, or a probability for each class; then

        loss[n] = -sum over c of weight[c] * target[n, c] * log_softmax(input[n])[c]

    With "mean", losses of class indices are divided by the sum of the weights of their targets;
    losses of probabilities by the number of predictions. If no example counts, "mean" gives NaN and
    "sum" 0. A class index outside of 0 to C - 1 that is not `ignore_index` raises IndexError.

    Args:
        weight: (C,), the importance of each class, for example to balance rare ones. Default: None,
            all 1.
        size_average, reduce: deprecated in favour of `reduction`.
        ignore_index: examples with this target count for nothing, neither in the loss nor in the
            average. Default: -100. Not for probabilities.
        reduction: "none" gives one loss per example, "sum" adds them up, "mean" takes their
            average. Default: "mean".
        label_smoothing: between 0 and 1; the target becomes (1 - s) times itself plus s / C for
            every class, which discourages overconfidence (Szegedy et al., 2015). Default: 0.

    Shape:
        - Input: (N, C) scores, (C,) for one example, or (N, C, d1, d2, ...) for one prediction per
          pixel.
        - Target: (N,), () or (N, d1, d2, ...) of class indices from 0 to C - 1, int64; or
          probabilities in the shape and type of the input.
        - Output: a scalar, or the shape of the class indices if reduction="none".

    Example:
        >>> scores = torch.tensor([[2., 0., 0.], [0., 0., 0.]])
        >>> nn.CrossEntropyLoss(reduction="none")(scores, torch.tensor([0, 2]))
        tensor([0.2395, 1.0986])
        >>> nn.CrossEntropyLoss(ignore_index=2)(scores, torch.tensor([0, 2]))
        tensor(0.2395)
        >>> nn.CrossEntropyLoss()(scores, torch.tensor([[1., 0., 0.], [0., 0.5, 0.5]]))  # probabilities
        tensor(0.6691)
    """

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0):
        super().__init__(weight, size_average, reduce, reduction, ignore_index=ignore_index, label_smoothing=label_smoothing)

    def forward(self, input, target):
        """Return the loss of scores for class indices or probabilities."""
        return F.cross_entropy(input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction,
                               label_smoothing=self.label_smoothing)


class LinearCrossEntropyLoss(_WeightedLoss):
    """A linear layer followed by the cross entropy of its scores, in one module.

        loss = cross_entropy(input @ weight^T + bias, target)

    Language models have a large last layer whose scores, one per word of the vocabulary, need more
    memory than anything else. With `options` the scores are computed, used and freed a chunk of
    rows at a time.

    Args:
        in_features: size of an input row.
        num_classes: number of classes, C.
        out_features: sizes of further dimensions of the prediction; (4, 3) makes 4 * 3 predictions,
            each with its scores, per row. Default: (), one prediction.
        bias: whether the layer has a bias. Default: False.
        device, dtype: the device and dtype of the layer. Default: the current defaults.
        reduction: "none", "sum" or "mean". Default: "mean".
        weight: (C,), the importance of each class. Default: None, all 1.
        ignore_index: class index of examples that do not count. Default: None, which is -100.
        label_smoothing: from 0 to 1, as in CrossEntropyLoss. Default: 0.
        options: a LinearCrossEntropyOptions to work in chunks. Default: None, all at once.

    Shape:
        - Input: (N, in_features) or (in_features,).
        - Target: (N, *out_features) or () of class indices, or (N, C, *out_features) of
          probabilities.
        - Output: a scalar, or the shape of the class indices if reduction="none".

    Example:
        >>> loss = nn.LinearCrossEntropyLoss(2, 3)
        >>> _ = nn.init.zeros_(loss.linear.weight)  # all classes are equally likely: log 3
        >>> loss(torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([0, 2])).item()
        1.0986123085021973
        >>> chunks = nn.LinearCrossEntropyOptions(batch_chunk_size=2)
        >>> nn.LinearCrossEntropyLoss(5, 1000, options=chunks)(torch.ones(8, 5), torch.arange(8)).shape
        torch.Size([])
    """

    def __init__(self, in_features, num_classes, *, out_features=(), bias=False, device=None, dtype=None, reduction="mean",
                 weight=None, ignore_index=None, label_smoothing=0.0, options=None):
        if weight is not None and weight.shape != (num_classes,):
            raise RuntimeError(f"expected weight shape to be {(num_classes,)}, got {tuple(weight.shape)}")
        if label_smoothing < 0 or label_smoothing > 1:
            raise RuntimeError(f"expected label_smoothing to be in range [0, 1], got {label_smoothing}")
        super().__init__(weight, reduction=reduction, num_classes=num_classes, out_features=out_features, ignore_index=ignore_index,
                         label_smoothing=label_smoothing)
        self.linear = Linear(in_features, num_classes * math.prod(out_features), bias=bias, device=device, dtype=dtype)
        self.options = options

    def forward(self, input, target):
        """Return the loss of the layer's scores for `input` against `target`."""
        scores = (self.num_classes, *self.out_features)
        bias = None if self.linear.bias is None else self.linear.bias.reshape(scores)
        return F.linear_cross_entropy(input, self.linear.weight.reshape(*scores, -1), target, linear_bias=bias, weight=self.weight,
                                      reduction=self.reduction, ignore_index=self.ignore_index,
                                      label_smoothing=self.label_smoothing, options=self.options)

    def extra_repr(self):
        """The arguments as printed."""
        return (f"in_features={self.linear.in_features}, num_classes={self.num_classes}, out_features={self.out_features}, "
                f"bias={self.linear.bias is not None}, reduction={self.reduction}, ignore_index={self.ignore_index}, "
                f"label_smoothing={self.label_smoothing}, options={self.options}")


class PoissonNLLLoss(_Loss):
    """Negative log-likelihood of counts under Poisson distributions.

        loss = exp(input) - target * input              if log_input
        loss = input - target * log(input + eps)        otherwise

    The term log(target!), which does not depend on the input, is left out unless `full` asks for
    Stirling's approximation of it. The mean over no elements is NaN, the sum 0.

    Args:
        log_input: whether the input is the logarithm of the rate. Default: True.
        full: add target * log(target) - target + log(2 * pi * target) / 2 where the target exceeds
            1. Default: False.
        size_average, reduce: deprecated in favour of `reduction`.
        eps: keeps log(input) finite if log_input=False. Default: 1e-8.
        reduction: "none" gives one loss per element, "sum" adds them up, "mean" takes their
            average. Default: "mean".

    Shape:
        - Input, target: any shape, the same for both.
        - Output: a scalar, or the input's shape if reduction="none".

    Example:
        >>> log_rate, counts = torch.tensor([0., 1.]), torch.tensor([1., 2.])
        >>> nn.PoissonNLLLoss(reduction="none")(log_rate, counts)
        tensor([1.0000, 0.7183])
        >>> nn.PoissonNLLLoss(log_input=False)(log_rate.exp(), counts)
        tensor(0.8591)
    """

    def __init__(self, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction, log_input=log_input, full=full, eps=eps)

    def forward(self, log_input, target):
        """Return the loss of (log) rates for the counts in `target`."""
        return F.poisson_nll_loss(log_input, target, log_input=self.log_input, full=self.full, eps=self.eps,
                                  reduction=self.reduction)


class GaussianNLLLoss(_Loss):
    """Negative log-likelihood of targets under normal distributions with predicted mean and variance.

        loss = (log(max(var, eps)) + (input - target)^2 / max(var, eps)) / 2

    With it a network learns how uncertain it is: a large variance makes errors cheap but costs its
    logarithm. The clamping by `eps` is not part of the gradient. A negative variance raises
    ValueError. The mean over no elements is NaN, the sum 0.

    Args:
        full: add the constant log(2 * pi) / 2. Default: False.
        eps: lower limit of the variance. Default: 1e-6.
        reduction: "none" gives one loss per element, "sum" adds them up, "mean" takes their
            average. Default: "mean".

    Shape:
        - Input: (N, *) or (*), the means.
        - Target: the shape of the input, or one that broadcasts to it.
        - Var: the shape of the input, or the same without the last dimension or with 1 in its place
          (one variance per row), or a float.
        - Output: a scalar, or the input's shape if reduction="none".

    Example:
        >>> mean, target = torch.tensor([0., 0.]), torch.tensor([0., 2.])
        >>> nn.GaussianNLLLoss(reduction="none")(mean, target, torch.tensor([1., 4.]))
        tensor([0.0000, 1.1931])
    """

    def __init__(self, *, full=False, eps=1e-6, reduction="mean"):
        super().__init__(reduction=reduction, full=full, eps=eps)

    def forward(self, input, target, var):
        """Return the loss of means `input` and variances `var` for `target`."""
        return F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


class KLDivLoss(_Loss):
    """Kullback-Leibler divergence of predicted probabilities from target probabilities.

        loss = target * (log(target) - input)

    where the input holds log-probabilities; a target of 0 contributes 0. Summed over a distribution
    it is never negative, and 0 only if both agree. "mean" divides by the number of elements, which
    is not the divergence; "batchmean", which divides by the number of examples, is.

    Args:
        size_average, reduce: deprecated in favour of `reduction`.
        reduction: "none", "sum", "mean" (over elements) or "batchmean" (the sum divided by the size
            of dim 0). Default: "mean".
        log_target: whether the target holds log-probabilities, too. Default: False.

    Shape:
        - Input: any shape, log-probabilities.
        - Target: the same shape.
        - Output: a scalar, or the input's shape if reduction="none".

    Example:
        >>> predicted = torch.tensor([[0.5, 0.5], [0.5, 0.5]])
        >>> target = torch.tensor([[1., 0.], [0.5, 0.5]])
        >>> nn.KLDivLoss(reduction="none")(predicted.log(), target)
        tensor([[0.6931, 0.0000],
                [0.0000, 0.0000]])
        >>> nn.KLDivLoss(reduction="batchmean")(predicted.log(), target)  # log 2 and 0, averaged
        tensor(0.3466)
    """

    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        super().__init__(size_average, reduce, reduction, log_target=log_target)

    def forward(self, input, target):
        """Return the divergence of log-probabilities `input` from `target`."""
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class BCELoss(_Weighted):
    """Binary cross entropy between probabilities and targets.

        loss = -weight * (target * log(input) + (1 - target) * log(1 - input))

    The logarithms are limited to at least -100, so a confident mistake costs 100 instead of
    infinity. Inputs outside of [0, 1] raise RuntimeError. BCEWithLogitsLoss on raw scores is more
    accurate. The mean over no elements is NaN, the sum 0.

    Args:
        weight: a factor for each element, broadcast to the input. Default: None, all 1.
        size_average, reduce: deprecated in favour of `reduction`.
        reduction: "none" gives one loss per element, "sum" adds them up, "mean" takes their
            average. Default: "mean".

    Shape:
        - Input, target: any shape, the same for both; probabilities, and targets from 0 to 1.
        - Output: a scalar, or the input's shape if reduction="none".

    Example:
        >>> p, target = torch.tensor([0.5, 0.25, 0.]), torch.tensor([1., 0., 1.])
        >>> nn.BCELoss(reduction="none")(p, target)
        tensor([  0.6931,   0.2877, 100.0000])
    """

    def forward(self, input, target):
        """Return the loss of probabilities for targets from 0 to 1."""
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_Loss):
    """Binary cross entropy between scores (logits) and targets: Sigmoid and BCELoss in one stable step.

        loss = -weight * (pos_weight * target * log(sigmoid(input)) + (1 - target) * log(1 - sigmoid(input)))

    Use it for yes-or-no questions and for several labels that do not exclude each other, one score
    each. The mean over no elements is NaN, the sum 0.

    Args:
        weight: a factor for each element, broadcast to the input. Default: None, all 1.
        size_average, reduce: deprecated in favour of `reduction`.
        reduction: "none" gives one loss per element, "sum" adds them up, "mean" takes their
            average. Default: "mean".
        pos_weight: a factor for the positive part, broadcast to the input, for example (labels,).
            With 100 positive and 300 negative examples of a label, 3 balances them. Default: None,
            all 1.

    Shape:
        - Input, target: any shape, the same for both; targets are from 0 to 1.
        - Output: a scalar, or the input's shape if reduction="none".

    Example:
        >>> scores, target = torch.tensor([0., 200., -200.]), torch.tensor([1., 1., 1.])
        >>> nn.BCEWithLogitsLoss(reduction="none")(scores, target)  # log 2, 0 and 200: no overflow
        tensor([  0.6931,   0.0000, 200.0000])
        >>> nn.BCEWithLogitsLoss(pos_weight=torch.tensor(3.))(torch.tensor([0., 0.]), torch.tensor([1., 0.]))
        tensor(1.3863)
    """

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input, target):
        """Return the loss of scores for targets from 0 to 1."""
        return F.binary_cross_entropy_with_logits(input, target, self.weight, pos_weight=self.pos_weight,
                                                  reduction=self.reduction)


class HingeEmbeddingLoss(_Loss):
    """Hinge loss on distances: pulls similar pairs together and pushes others apart up to a margin.

        loss = input                     where target = 1
        loss = max(0, margin - input)    where target = -1

    The input is usually a distance between two embeddings, as computed by PairwiseDistance.

    Args:
        margin: distance beyond which dissimilar pairs cost nothing. Default: 1.
        size_average, reduce: deprecated in favour of `reduction`.
        reduction: "none" gives one loss per element, "sum" adds them up, "mean" takes their
            average. Default: "mean".

    Shape:
        - Input, target: any shape, the same for both; targets are 1 or -1.
        - Output: a scalar, or the input's shape if reduction="none".

    Example:
        >>> distance = torch.tensor([0.3, 0.3, 2.])
        >>> nn.HingeEmbeddingLoss(reduction="none")(distance, torch.tensor([1., -1., -1.]))
        tensor([0.3000, 0.7000, 0.0000])
    """

    def __init__(self, margin=1.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction, margin=margin)

    def forward(self, input, target):
        """Return the loss of distances that should be small (target 1) or large (target -1)."""
        return F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)


class MultiLabelMarginLoss(_Unweighted):
    """Hinge loss of several target classes per example: each of them should outscore each other class by 1.

        loss[n] = (sum over targets t and non-targets i of max(0, 1 - (input[n, t] - input[n, i]))) / C

    The target row lists the classes of the example; the first -1 ends the list.

    Args:
        size_average, reduce: deprecated in favour of `reduction`.
        reduction: "none" gives one loss per example, "sum" adds them up, "mean" takes their
            average. Default: "mean".

    Shape:
        - Input: (N, C) or (C,), scores.
        - Target: the shape of the input, int64: class indices, then -1.
        - Output: a scalar, or (N,) if reduction="none".

    Example:
        >>> scores = torch.tensor([[0.1, 0.2, 0.4, 0.8]])
        >>> target = torch.tensor([[3, 0, -1, 1]])  # classes 3 and 0; what follows -1 is ignored
        >>> nn.MultiLabelMarginLoss()(scores, target)
        tensor(0.8500)
    """

    def forward(self, input, target):
        """Return the loss of scores for lists of classes."""
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """Squared error near zero and absolute error beyond: a smooth L1 loss (Girshick, 2015).

        loss = (input - target)^2 / (2 * beta)      where |input - target| < beta
        loss = |input - target| - beta / 2          elsewhere

    It is HuberLoss(delta=beta) divided by beta. As beta goes to 0 it becomes L1Loss, which beta=0
    gives exactly; a negative beta raises RuntimeError. Inputs of different shapes broadcast, which
    is rarely wanted and therefore warns.

    Args:
        size_average, reduce: deprecated in favour of `reduction`.
        reduction: "none" gives one loss per element, "sum" adds them up, "mean" takes their
            average. Default: "mean".
        beta: where the square turns into a line. Default: 1.

    Shape:
        - Input, target: any shape, the same for both.
        - Output: a scalar, or the input's shape if reduction="none".

    Example:
        >>> x, y = torch.tensor([0., 0., 0.]), torch.tensor([0.5, 1., 3.])
        >>> nn.SmoothL1Loss(reduction="none")(x, y)
        tensor([0.1250, 0.5000, 2.5000])
    """

    def __init__(self, size_average=None, reduce=None, reduction="mean", beta=1.0):
        super().__init__(size_average, reduce, reduction, beta=beta)

    def forward(self, input, target):
        """The loss of `input` for `target`."""
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(_Loss):
    """Squared error near zero and absolute error beyond, joined smoothly (Huber, 1964).

        loss = (input - target)^2 / 2                       where |input - target| < delta
        loss = delta * (|input - target| - delta / 2)       elsewhere

    The gradient never exceeds delta, which limits the influence of outliers. Inputs of different
    shapes broadcast, which is rarely wanted and therefore warns.

    Args:
        reduction: "none" gives one loss per element, "sum" adds them up, "mean" takes their
            average. Default: "mean".
        delta: where the square turns into a line; positive. Default: 1.

    Shape:
        - Input, target: any shape, the same for both.
        - Output: a scalar, or the input's shape if reduction="none".

    Example:
        >>> x, y = torch.tensor([0., 0., 0.]), torch.tensor([0.5, 1., 3.])
        >>> nn.HuberLoss(reduction="none", delta=2.)(x, y)
        tensor([0.1250, 0.5000, 4.0000])
    """

    def __init__(self, reduction="mean", delta=1.0):
        if not isinstance(delta, (float, int)):
            raise TypeError(f"delta must be a float or int, got: {type(delta)}")
        super().__init__(reduction=reduction, delta=delta)

    def forward(self, input, target):
        """The loss of `input` for `target`."""
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class SoftMarginLoss(_Unweighted):
    """Logistic loss of a two-class problem with targets 1 and -1.

        loss = log(1 + exp(-target * input))

    It is BCEWithLogitsLoss with the classes named -1 and 1 instead of 0 and 1.

    Args:
        size_average, reduce: deprecated in favour of `reduction`.
        reduction: "none" gives one loss per element, "sum" adds them up, "mean" takes their
            average. Default: "mean".

    Shape:
        - Input, target: any shape, the same for both; targets are 1 or -1.
        - Output: a scalar, or the input's shape if reduction="none".

    Example:
        >>> scores = torch.tensor([2., 2., 0.])
        >>> nn.SoftMarginLoss(reduction="none")(scores, torch.tensor([1., -1., 1.]))
        tensor([0.1269, 2.1269, 0.6931])
    """

    def forward(self, input, target):
        """Return the loss of scores for targets 1 and -1."""
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(_Weighted):
    """Binary cross entropy of several labels per example, averaged over the labels.

        loss[n] = -mean over c of weight[c] * (
            target[n, c] * log(sigmoid(input[n, c])) + (1 - target[n, c]) * log(1 - sigmoid(input[n, c])))

    With reduction="mean" it equals BCEWithLogitsLoss; the other reductions average over the labels
    first.

    Args:
        weight: (C,), the importance of each label. Default: None, all 1.
        size_average, reduce: deprecated in favour of `reduction`.
        reduction: "none" gives one loss per example, "sum" adds them up, "mean" takes their
            average. Default: "mean".

    Shape:
        - Input: (N, C), scores.
        - Target: (N, C), 0 or 1.
        - Output: a scalar, or (N,) if reduction="none".

    Example:
        >>> scores = torch.tensor([[2., -2.], [0., 0.]])
        >>> nn.MultiLabelSoftMarginLoss(reduction="none")(scores, torch.tensor([[1., 0.], [1., 0.]]))
        tensor([0.1269, 0.6931])
    """

    def forward(self, input, target):
        """Return the loss of scores for targets 0 and 1."""
        return F.multilabel_soft_margin_loss(input, target, weight=self.weight, reduction=self.reduction)


class CosineEmbeddingLoss(_Loss):
    """Loss on the angle between two embeddings: similar pairs should point the same way, others should not.

        loss = 1 - cos(input1, input2)                  where target = 1
        loss = max(0, cos(input1, input2) - margin)     where target = -1

    The cosine of a zero vector counts as 0.

    Args:
        margin: cosine below which dissimilar pairs cost nothing; 0 to 0.5 is usual, -1 to 1
            possible. Default: 0.
        size_average, reduce: deprecated in favour of `reduction`.
        reduction: "none" gives one loss per pair, "sum" adds them up, "mean" takes their average.
            Default: "mean".

    Shape:
        - Input1, input2: (N, D), or (D,) for one pair.
        - Target: (N,) or (), 1 or -1.
        - Output: a scalar, or the target's shape if reduction="none".

    Example:
        >>> a = torch.tensor([[1., 0.], [1., 0.]])
        >>> b = torch.tensor([[0., 1.], [1., 1.]])  # at 90 and 45 degrees
        >>> nn.CosineEmbeddingLoss(reduction="none")(a, b, torch.tensor([1, -1]))
        tensor([1.0000, 0.7071])
    """

    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction, margin=margin)

    def forward(self, input1, input2, target):
        """Return the loss of pairs (input1, input2) that are similar (target 1) or dissimilar (-1)."""
        return F.cosine_embedding_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class MarginRankingLoss(_Loss):
    """Hinge loss on the order of two scores.

        loss = max(0, -target * (input1 - input2) + margin)

    Where the target is 1, input1 should be greater by the margin; where it is -1, input2.

    Args:
        margin: the minimum difference between the scores. Default: 0.
        size_average, reduce: deprecated in favour of `reduction`.
        reduction: "none" gives one loss per pair, "sum" adds them up, "mean" takes their average.
            Default: "mean".

    Shape:
        - Input1, input2, target: (N,) or (), all alike; targets are 1 or -1.
        - Output: a scalar, or the inputs' shape if reduction="none".

    Example:
        >>> a, b = torch.tensor([3., 3., 3.]), torch.tensor([1., 2.5, 4.])
        >>> nn.MarginRankingLoss(margin=1., reduction="none")(a, b, torch.tensor([1, 1, 1]))
        tensor([0.0000, 0.5000, 2.0000])
    """

    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction, margin=margin)

    def forward(self, input1, input2, target):
        """Return the loss of pairs of scores for the order given by `target`."""
        return F.margin_ranking_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class MultiMarginLoss(_WeightedLoss):
    """Hinge loss of one target class per example: it should outscore each other class by a margin.

        loss[n] = (sum over i != y of weight[y] * max(0, margin - input[n, y] + input[n, i])^p) / C  (y = target[n])

    With p=1 it is the loss of a multi-class support vector machine.

    Args:
        p: 1 or 2, the power. Default: 1.
        margin: the minimum difference between the scores. Default: 1.
        weight: (C,), the importance of each class. Default: None, all 1.
        size_average, reduce: deprecated in favour of `reduction`.
        reduction: "none" gives one loss per example, "sum" adds them up, "mean" takes their
            average. Default: "mean".

    Shape:
        - Input: (N, C) or (C,), scores.
        - Target: (N,) or (), class indices from 0 to C - 1, int64.
        - Output: a scalar, or the target's shape if reduction="none".

    Example:
        >>> scores = torch.tensor([[0.1, 0.2, 0.4, 0.8]])
        >>> nn.MultiMarginLoss()(scores, torch.tensor([3]))  # (0.3 + 0.4 + 0.6) / 4
        tensor(0.3250)
    """

    def __init__(self, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(weight, size_average, reduce, reduction, p=p, margin=margin)
        if p not in (1, 2):
            raise ValueError("only p == 1 and p == 2 supported")
        if weight is not None and weight.dim() != 1:
            raise ValueError(f"MultiMarginLoss: expected weight to be None or 1D tensor, got {weight.dim()}D instead")

    def forward(self, input, target):
        """Return the loss of scores for class indices."""
        return F.multi_margin_loss(input, target, p=self.p, margin=self.margin, weight=self.weight, reduction=self.reduction)


class _Triplet(_Loss):
    """Base of the triplet losses: checks that the margin is positive."""

    def __init__(self, margin, **arguments):
        super().__init__(margin=margin, **arguments)
        if margin <= 0:
            raise ValueError(f"{self._get_name()}: expected margin to be greater than 0, got {margin} instead")


class TripletMarginLoss(_Triplet):
    """Triplet loss: an anchor should be closer to a positive example than to a negative one, by a margin.

        loss = max(d(anchor, positive) - d(anchor, negative) + margin, 0), where d is the p-norm of the difference

    Used to learn embeddings, for example of faces (Balntas et al., 2016, describe the loss and the
    swap). A margin that is not positive raises ValueError.

    Args:
        margin: the minimum difference between the distances. Default: 1.
        p: exponent of the norm. Default: 2.
        eps: added to every difference, so that the gradient of equal vectors is finite. Default:
            1e-6.
        swap: use d(positive, negative) instead of d(anchor, negative) where it is smaller. Default:
            False.
        size_average, reduce: deprecated in favour of `reduction`.
        reduction: "none" gives one loss per triplet, "sum" adds them up, "mean" takes their
            average. Default: "mean".

    Shape:
        - Anchor, positive, negative: (N, D), or (D,) for one triplet.
        - Output: a scalar, or (N,) if reduction="none" (() for one triplet).

    Example:
        >>> anchor, positive = torch.tensor([[0., 0.]]), torch.tensor([[3., 4.]])  # 5 apart
        >>> loss = nn.TripletMarginLoss()
        >>> round(loss(anchor, positive, torch.tensor([[0., 5.5]])).item(), 3)
        0.5
        >>> loss(anchor, positive, torch.tensor([[0., 10.]])).item()
        0.0
    """

    def __init__(self, margin=1.0, p=2.0, eps=1e-6, swap=False, size_average=None, reduce=None, reduction="mean"):
        super().__init__(margin, size_average=size_average, reduce=reduce, reduction=reduction, p=p, eps=eps, swap=swap)

    def forward(self, anchor, positive, negative):
        """Return the loss of triplets of embeddings."""
        return F.triplet_margin_loss(anchor, positive, negative, margin=self.margin, p=self.p, eps=self.eps, swap=self.swap,
                                     reduction=self.reduction)


class TripletMarginWithDistanceLoss(_Triplet):
    """Triplet loss with a distance function of your choice.

        loss = max(d(anchor, positive) - d(anchor, negative) + margin, 0)

    A margin that is not positive raises ValueError.

    Args:
        distance_function: called with two tensors, gives their non-negative distances. Default:
            None, PairwiseDistance().
        margin: the wanted difference of the distances. Default: 1.
        swap: use d(positive, negative) instead of d(anchor, negative) where it is smaller. Default:
            False.
        reduction: "none" gives one loss per triplet, "sum" adds them up, "mean" takes their
            average. Default: "mean".

    Shape:
        - Anchor, positive, negative: (N, *), whatever the distance function takes.
        - Output: a scalar, or the shape of the distances if reduction="none".

    Example:
        >>> def largest(a, b):  # the maximum norm
        ...     return (a - b).abs().amax(-1)
        >>> loss = nn.TripletMarginWithDistanceLoss(distance_function=largest)
        >>> loss(torch.tensor([[0., 0.]]), torch.tensor([[3., 4.]]), torch.tensor([[0., 4.5]]))
        tensor(0.5000)
    """

    def __init__(self, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
        super().__init__(margin, reduction=reduction, swap=swap)
        self.distance_function = PairwiseDistance() if distance_function is None else distance_function

    def forward(self, anchor, positive, negative):
        """The loss of triplets of embeddings."""
        return F.triplet_margin_with_distance_loss(anchor, positive, negative, distance_function=self.distance_function,
                                                   margin=self.margin, swap=self.swap, reduction=self.reduction)


class CTCLoss(_Loss):
    """Connectionist temporal classification: scores label sequences against frames without an alignment.

        loss = -log(sum over all alignments of the product of their frames' probabilities)

    An alignment gives every frame a label or the blank; repeated labels are merged, then blanks
    dropped, and the target has to remain. Speech and handwriting recognition train with it (Graves
    et al., 2006). "mean" divides each loss by its target length (at least 1), then averages over
    the batch. A target that does not fit into its frames has loss infinity.

    Args:
        blank: index of the blank label. Default: 0.
        reduction: "none" gives one loss per sequence, "sum" adds them up, "mean" takes their
            average. Default: "mean".
        zero_infinity: replace infinite losses, and their gradients, by zero. Default: False.

    Shape:
        - Log_probs: (T, N, C), or (T, C) for one sequence: log-probabilities of T frames for C
          labels with the blank, as log_softmax gives them.
        - Targets: (N, S) padded to the longest, or all targets in one 1-D tensor, one after the
          other; labels without the blank.
        - Input_lengths, target_lengths: (N,) or (), tensors or tuples of ints: how many frames and
          labels count.
        - Output: a scalar, or (N,) if reduction="none".

    Example:
        >>> frames = torch.full((3, 1, 3), 1 / 3).log()  # 3 frames, 3 labels equally likely
        >>> target = torch.tensor([[1, 2]])
        >>> loss = nn.CTCLoss(reduction="sum")(frames, target, (3,), (2,))
        >>> round((-loss).exp().item() * 27)  # of 27 alignments these fit: 112, 122, 012, 102, 120
        5
    """

    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__(reduction=reduction, blank=blank, zero_infinity=zero_infinity)

    def forward(self, log_probs, targets, input_lengths, target_lengths):
        """Return the loss of label sequences `targets` for frames `log_probs`; see the class for the shapes."""
        return F.ctc_loss(log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity)

# SPDX-License-Identifier: BSD-3-Clause
"""Losses."""
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
    """Keeps how a loss is reduced (`size_average` and `reduce` are old names for that) and its arguments."""

    def __init__(self, size_average=None, reduce=None, reduction="mean", **arguments):
        super().__init__()
        old = size_average is not None or reduce is not None
        self.reduction = legacy_get_string(size_average, reduce) if old else reduction
        self.__dict__.update(arguments)


class _WeightedLoss(_Loss):
    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", **arguments):
        super().__init__(size_average, reduce, reduction, **arguments)
        self.register_buffer("weight", weight)


class _Unweighted(_Loss):
    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)


class _Weighted(_WeightedLoss):
    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(weight, size_average, reduce, reduction)


class L1Loss(_Unweighted):
    """|input - target|.

        >>> nn.L1Loss()(torch.tensor([[1., 2.]]), torch.tensor([[1., 4.]]))
        tensor(1.)
    """

    def forward(self, input, target):
        return F.l1_loss(input, target, reduction=self.reduction)


class MSELoss(_Unweighted):
    """(input - target)^2.

        >>> nn.MSELoss()(torch.tensor([[1., 2.]]), torch.tensor([[1., 4.]]))
        tensor(2.)
    """

    def forward(self, input, target):
        return F.mse_loss(input, target, reduction=self.reduction)


class NLLLoss(_WeightedLoss):
    """The negative log-probability of the target class.

        >>> _ = torch.manual_seed(0)
        >>> nn.NLLLoss()(torch.randn(3, 4), torch.randint(4, (3,)))
        tensor(0.0870)
    """

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        super().__init__(weight, size_average, reduce, reduction, ignore_index=ignore_index)

    def forward(self, input, target):
        return F.nll_loss(input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction)


class NLLLoss2d(NLLLoss):
    """The old name of NLLLoss for images."""

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        warnings.warn("`NLLLoss2d` has been deprecated. Please use `NLLLoss` instead as a drop-in replacement and see "
                      "https://pytorch.org/docs/main/nn.html#torch.nn.NLLLoss for more details.", FutureWarning, stacklevel=2)
        super().__init__(weight, size_average, ignore_index, reduce, reduction)


class CrossEntropyLoss(_WeightedLoss):
    """The cross entropy between scores and target classes or probabilities.

        >>> _ = torch.manual_seed(0)
        >>> nn.CrossEntropyLoss()(torch.randn(3, 4), torch.randint(4, (3,)))
        tensor(1.5982)
    """

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0):
        super().__init__(weight, size_average, reduce, reduction, ignore_index=ignore_index, label_smoothing=label_smoothing)

    def forward(self, input, target):
        return F.cross_entropy(input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction,
                               label_smoothing=self.label_smoothing)


class LinearCrossEntropyLoss(_WeightedLoss):
    """A linear layer without bias, and the cross entropy between its scores and target classes or probabilities.

    Args:
        in_features: the size of an input row.
        num_classes: how many scores the layer gives.
        out_features: the places that have scores of their own: (4, 3) gives 12 times `num_classes` scores.
        bias: whether the layer has a bias.
        options: a LinearCrossEntropyOptions, to compute the scores a chunk of rows at a time.

        >>> _ = torch.manual_seed(0)
        >>> loss = nn.LinearCrossEntropyLoss(5, 10, options=nn.LinearCrossEntropyOptions(batch_chunk_size=2))
        >>> loss(torch.randn(4, 5), torch.tensor([1, 0, 9, 4])).shape
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
        scores = (self.num_classes, *self.out_features)
        bias = None if self.linear.bias is None else self.linear.bias.reshape(scores)
        return F.linear_cross_entropy(input, self.linear.weight.reshape(*scores, -1), target, linear_bias=bias, weight=self.weight,
                                      reduction=self.reduction, ignore_index=self.ignore_index,
                                      label_smoothing=self.label_smoothing, options=self.options)

    def extra_repr(self):
        return (f"in_features={self.linear.in_features}, num_classes={self.num_classes}, out_features={self.out_features}, "
                f"bias={self.linear.bias is not None}, reduction={self.reduction}, ignore_index={self.ignore_index}, "
                f"label_smoothing={self.label_smoothing}, options={self.options}")


class PoissonNLLLoss(_Loss):
    """The negative log-likelihood of counts.

        >>> _ = torch.manual_seed(0)
        >>> nn.PoissonNLLLoss()(torch.randn(3, 4), torch.rand(3, 4) * 4)
        tensor(1.7860)
    """

    def __init__(self, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction, log_input=log_input, full=full, eps=eps)

    def forward(self, log_input, target):
        return F.poisson_nll_loss(log_input, target, log_input=self.log_input, full=self.full, eps=self.eps,
                                  reduction=self.reduction)


class GaussianNLLLoss(_Loss):
    """The negative log-likelihood under normal distributions.

        >>> _ = torch.manual_seed(0)
        >>> nn.GaussianNLLLoss()(torch.randn(3, 4), torch.randn(3, 4), torch.rand(3, 4))
        tensor(4.1598)
    """

    def __init__(self, *, full=False, eps=1e-6, reduction="mean"):
        super().__init__(reduction=reduction, full=full, eps=eps)

    def forward(self, input, target, var):
        return F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


class KLDivLoss(_Loss):
    """The divergence of log-probabilities from target probabilities.

        >>> _ = torch.manual_seed(0)
        >>> nn.KLDivLoss(reduction='batchmean')(torch.randn(3, 4), torch.rand(3, 4))
        tensor(-0.4368)
    """

    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        super().__init__(size_average, reduce, reduction, log_target=log_target)

    def forward(self, input, target):
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class BCELoss(_Weighted):
    """The cross entropy of probabilities of two classes.

        >>> _ = torch.manual_seed(0)
        >>> nn.BCELoss()(torch.rand(3, 4), torch.rand(3, 4))
        tensor(0.8710)
    """

    def forward(self, input, target):
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_Loss):
    """The same of scores, before the sigmoid.

        >>> _ = torch.manual_seed(0)
        >>> nn.BCEWithLogitsLoss()(torch.randn(3, 4), torch.rand(3, 4))
        tensor(0.8239)
    """

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input, target):
        return F.binary_cross_entropy_with_logits(input, target, self.weight, pos_weight=self.pos_weight,
                                                  reduction=self.reduction)


class HingeEmbeddingLoss(_Loss):
    """Distances of similar pairs, and how far others are within a margin.

        >>> _ = torch.manual_seed(0)
        >>> nn.HingeEmbeddingLoss()(torch.randn(3, 4), torch.randint(2, (3, 4)) * 2 - 1)
        tensor(0.0204)
    """

    def __init__(self, margin=1.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction, margin=margin)

    def forward(self, input, target):
        return F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)


class MultiLabelMarginLoss(_Unweighted):
    """A hinge between the scores of target classes and of all others.

        >>> _ = torch.manual_seed(0)
        >>> nn.MultiLabelMarginLoss()(torch.randn(2, 4), torch.tensor([[3, 0, -1, 1], [1, -1, 0, 0]]))
        tensor(0.9363)
    """

    def forward(self, input, target):
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """Squares below `beta`, absolute values above.

        >>> nn.SmoothL1Loss(beta=0.5)(torch.tensor([[1., 2.]]), torch.tensor([[1., 4.]]))
        tensor(0.8750)
    """

    def __init__(self, size_average=None, reduce=None, reduction="mean", beta=1.0):
        super().__init__(size_average, reduce, reduction, beta=beta)

    def forward(self, input, target):
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(_Loss):
    """Squares below `delta`, a straight line above.

        >>> nn.HuberLoss(delta=0.7)(torch.tensor([[1., 2.]]), torch.tensor([[1., 4.]]))
        tensor(0.5775)
    """

    def __init__(self, reduction="mean", delta=1.0):
        if not isinstance(delta, (float, int)):
            raise TypeError(f"delta must be a float or int, got: {type(delta)}")
        super().__init__(reduction=reduction, delta=delta)

    def forward(self, input, target):
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class SoftMarginLoss(_Unweighted):
    """log(1 + e^(-target input)).

        >>> _ = torch.manual_seed(0)
        >>> nn.SoftMarginLoss()(torch.randn(3, 4), torch.randint(2, (3, 4)) * 2 - 1)
        tensor(0.9913)
    """

    def forward(self, input, target):
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(_Weighted):
    """The cross entropy of several yes-or-no targets.

        >>> _ = torch.manual_seed(0)
        >>> nn.MultiLabelSoftMarginLoss()(torch.randn(3, 4), torch.randint(2, (3, 4)))
        tensor(0.9913)
    """

    def forward(self, input, target):
        return F.multilabel_soft_margin_loss(input, target, weight=self.weight, reduction=self.reduction)


class CosineEmbeddingLoss(_Loss):
    """1 - cosine of similar pairs, the cosine beyond a margin of others.

        >>> _ = torch.manual_seed(0)
        >>> nn.CosineEmbeddingLoss(0.2)(torch.randn(3, 4), torch.randn(3, 4), torch.randint(2, (3,)) * 2 - 1)
        tensor(0.4692)
    """

    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction, margin=margin)

    def forward(self, input1, input2, target):
        return F.cosine_embedding_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class MarginRankingLoss(_Loss):
    """Whether one input ranks above the other by a margin.

        >>> _ = torch.manual_seed(0)
        >>> nn.MarginRankingLoss(0.3)(torch.randn(3), torch.randn(3), torch.randint(2, (3,)) * 2 - 1)
        tensor(0.4242)
    """

    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction, margin=margin)

    def forward(self, input1, input2, target):
        return F.margin_ranking_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class MultiMarginLoss(_WeightedLoss):
    """A hinge between the target's score and each other.

        >>> _ = torch.manual_seed(0)
        >>> nn.MultiMarginLoss()(torch.randn(3, 4), torch.randint(4, (3,)))
        tensor(0.8714)
    """

    def __init__(self, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(weight, size_average, reduce, reduction, p=p, margin=margin)
        if p not in (1, 2):
            raise ValueError("only p == 1 and p == 2 supported")
        if weight is not None and weight.dim() != 1:
            raise ValueError(f"MultiMarginLoss: expected weight to be None or 1D tensor, got {weight.dim()}D instead")

    def forward(self, input, target):
        return F.multi_margin_loss(input, target, p=self.p, margin=self.margin, weight=self.weight, reduction=self.reduction)


class _Triplet(_Loss):
    def __init__(self, margin, **arguments):
        super().__init__(margin=margin, **arguments)
        if margin <= 0:
            raise ValueError(f"{self._get_name()}: expected margin to be greater than 0, got {margin} instead")


class TripletMarginLoss(_Triplet):
    """Whether a positive example is nearer than a negative one by a margin.

        >>> _ = torch.manual_seed(0)
        >>> nn.TripletMarginLoss()(torch.randn(3, 4), torch.randn(3, 4), torch.randn(3, 4))
        tensor(1.5928)
    """

    def __init__(self, margin=1.0, p=2.0, eps=1e-6, swap=False, size_average=None, reduce=None, reduction="mean"):
        super().__init__(margin, size_average=size_average, reduce=reduce, reduction=reduction, p=p, eps=eps, swap=swap)

    def forward(self, anchor, positive, negative):
        return F.triplet_margin_loss(anchor, positive, negative, margin=self.margin, p=self.p, eps=self.eps, swap=self.swap,
                                     reduction=self.reduction)


class TripletMarginWithDistanceLoss(_Triplet):
    """The same with a distance of one's own.

        >>> _ = torch.manual_seed(0)
        >>> nn.TripletMarginWithDistanceLoss(margin=0.5)(torch.randn(3, 4), torch.randn(3, 4), torch.randn(3, 4))
        tensor(1.0928)
    """

    def __init__(self, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
        super().__init__(margin, reduction=reduction, swap=swap)
        self.distance_function = PairwiseDistance() if distance_function is None else distance_function

    def forward(self, anchor, positive, negative):
        return F.triplet_margin_with_distance_loss(anchor, positive, negative, distance_function=self.distance_function,
                                                   margin=self.margin, swap=self.swap, reduction=self.reduction)


class CTCLoss(_Loss):
    """The negative log-probability of a sequence under all its alignments."""

    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__(reduction=reduction, blank=blank, zero_infinity=zero_infinity)

    def forward(self, log_probs, targets, input_lengths, target_lengths):
        return F.ctc_loss(log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity)

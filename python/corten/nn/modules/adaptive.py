# SPDX-License-Identifier: BSD-3-Clause
"""AdaptiveLogSoftmaxWithLoss: a softmax over very many classes, with rare classes grouped in clusters."""
from collections import namedtuple
from itertools import pairwise

from ... import argmax
from .. import functional as F
from .container import ModuleList, Sequential
from .linear import Linear
from .module import Module

__all__ = ["AdaptiveLogSoftmaxWithLoss"]

_ASMoutput = namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(Module):
    """Approximate softmax and its loss for very many classes whose frequencies differ widely.

    The method of Grave et al. (2016): classes must be sorted by frequency, the most frequent as 0.
    The first `cutoffs[0]` classes form the head; the others are split into clusters. The head
    scores its classes and each cluster as a whole; the classes of a cluster are scored only for
    examples whose target is in it, from a smaller projection of the input. So most examples cost
    only a small softmax:

        log p(class) = log p(cluster in head) + log p(class in cluster)

    Args:
        in_features: size of an input row.
        n_classes: number of classes.
        cutoffs: where clusters begin: increasing ints from 1 to n_classes - 1. [10, 100] makes a
            head of classes 0 to 9 and clusters 10 to 99 and 100 to n_classes - 1. Otherwise
            ValueError.
        div_value: cluster i (from 1) projects to in_features / div_value^i features, rounded down.
            Default: 4.
        head_bias: whether the head has a bias. Default: False.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input: (N, in_features) or (in_features,).
        - Target: (N,) or (), class indices.
        - Output: a named tuple: `output`, the log-probability of each target, (N,) or (); and
          `loss`, the mean of -output, a scalar.

    Attributes:
        head: Linear, scores of the first classes and of the clusters.
        tail: ModuleList, two Linear layers for each cluster.

    Example:
        >>> m = nn.AdaptiveLogSoftmaxWithLoss(8, 20, cutoffs=[5, 10], div_value=2.)
        >>> x, target = torch.ones(3, 8), torch.tensor([0, 7, 19])
        >>> output, loss = m(x, target)
        >>> output.shape, loss.shape
        (torch.Size([3]), torch.Size([]))
        >>> m.log_prob(x).shape, m.head, len(m.tail)
        (torch.Size([3, 20]), Linear(in_features=8, out_features=7, bias=False), 2)
        >>> torch.allclose(m.log_prob(x).exp().sum(1), torch.ones(3))  # probabilities
        True
    """

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None):
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        if cutoffs != sorted(set(cutoffs)) or cutoffs[0] <= 0 or cutoffs[-1] > n_classes - 1 or any(int(c) != c for c in cutoffs):
            raise ValueError("cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each "
                             "value is between 1 and n_classes-1")
        self.in_features, self.n_classes, self.cutoffs = in_features, n_classes, cutoffs + [n_classes]
        self.div_value, self.head_bias = div_value, head_bias
        self.shortlist_size, self.n_clusters = cutoffs[0], len(cutoffs)
        self.head_size = self.shortlist_size + self.n_clusters
        kind = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, self.head_size, bias=head_bias, **kind)
        self.tail = ModuleList()
        for i, (low, high) in enumerate(pairwise(self.cutoffs)):
            inner = int(in_features // div_value**(i + 1))
            self.tail.append(Sequential(Linear(in_features, inner, bias=False, **kind),
                                        Linear(inner, high - low, bias=False, **kind)))

    def reset_parameters(self):
        """Draw new parameters of head and clusters."""
        self.head.reset_parameters()
        for projection in self.tail:
            for layer in projection:
                layer.reset_parameters()

    @staticmethod
    def _check(input, target):
        if target.dim() == 1:
            if input.size(0) != target.size(0):
                raise RuntimeError("Input and target should have the same size in the batch dimension.")
            if input.dim() != 2:
                raise RuntimeError(f"1D target tensor expects 2D input tensors, but found inputs with size {input.size()}")
        elif target.dim() == 0:
            if input.dim() != 1:
                raise RuntimeError(f"0D target tensor expects 1D input tensors, but found inputs with size {input.size()}")
        else:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")

    def forward(self, input_, target_):
        """Return the log-probabilities of the targets and their mean loss.

        Args:
            input_: (N, in_features) or (in_features,).
            target_: (N,) or (), class indices from 0 to n_classes - 1; others raise RuntimeError.
        """
        self._check(input_, target_)
        batched = target_.dim() > 0
        input, target = (input_, target_) if batched else (input_.unsqueeze(0), target_.unsqueeze(0))
        output = input.new_zeros(target.size(0))
        in_head = target.new_empty(target.size(0))  # for each row, the head's column for its class or cluster
        found = 0
        for i, (low, high) in enumerate(pairwise([0, *self.cutoffs])):
            rows = ((target >= low) & (target < high)).nonzero().squeeze(1)
            if rows.numel() == 0:
                continue
            found += rows.numel()
            wanted = target.index_select(0, rows)
            if i == 0:
                in_head.index_copy_(0, rows, wanted)
                continue
            in_head.index_fill_(0, rows, self.shortlist_size + i - 1)
            scores = F.log_softmax(self.tail[i - 1](input.index_select(0, rows)), dim=1)
            output.index_copy_(0, rows, scores.gather(1, (wanted - low).unsqueeze(1)).squeeze(1))
        if found != target.size(0):
            raise RuntimeError(f"Target values should be in [0, {self.n_classes - 1}], but values in range "
                               f"[{target.min().item()}, {target.max().item()}] were found. ")
        scores = F.log_softmax(self.head(input), dim=1)
        output += scores.gather(1, in_head.unsqueeze(1)).squeeze(1)
        return _ASMoutput(output if batched else output.squeeze(0), (-output).mean())

    def _get_full_log_prob(self, input, head_output):
        out = input.new_empty((head_output.size(0), self.n_classes))
        head = F.log_softmax(head_output, dim=1)
        out[:, :self.shortlist_size] = head[:, :self.shortlist_size]
        for i, (low, high) in enumerate(pairwise(self.cutoffs)):
            tail = F.log_softmax(self.tail[i](input), dim=1)
            out[:, low:high] = tail + head[:, self.shortlist_size + i].unsqueeze(1)
        return out

    def log_prob(self, input):
        """Return the log-probabilities of all classes: (N, n_classes) for an input (N, in_features)."""
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input):
        """Return the most probable class of each row, (N,). Clusters are computed only for rows whose best head entry is a cluster."""
        head_output = self.head(input)
        output = argmax(head_output, dim=1)
        left = output >= self.shortlist_size
        if left.any():
            output[left] = argmax(self._get_full_log_prob(input[left], head_output[left]), dim=1)
        return output

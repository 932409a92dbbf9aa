# SPDX-License-Identifier: BSD-3-Clause
"""The softmax over very many classes, rare ones in clusters."""
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
    """Scores of frequent classes and of clusters in a head, of the rare ones in a tail for each cluster (Grave et al.).

        >>> _ = torch.manual_seed(0)
        >>> nn.AdaptiveLogSoftmaxWithLoss(8, 10, [4], head_bias=True)(torch.randn(8), torch.tensor(7))
        _ASMoutput(output=tensor(-3.4371, grad_fn=<SqueezeBackward1>), loss=tensor(3.4371, grad_fn=<MeanBackward0>))
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
        self._check(input_, target_)
        batched = target_.dim() > 0
        input, target = (input_, target_) if batched else (input_.unsqueeze(0), target_.unsqueeze(0))
        output = input.new_zeros(target.size(0))
        in_head = target.new_empty(target.size(0))  # the class or cluster that the head has to score
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
        """The log-probabilities of all classes."""
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input):
        """The most probable class; rows that the head decides do not ask the tails."""
        head_output = self.head(input)
        output = argmax(head_output, dim=1)
        left = output >= self.shortlist_size
        if left.any():
            output[left] = argmax(self._get_full_log_prob(input[left], head_output[left]), dim=1)
        return output

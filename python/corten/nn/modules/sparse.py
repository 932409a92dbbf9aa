# SPDX-License-Identifier: BSD-3-Clause
"""Rows of a table by their numbers."""
from ... import empty, no_grad
from .. import functional as F
from .. import init
from ..parameter import Parameter
from .module import Module

__all__ = ["Embedding", "EmbeddingBag"]


class _Table(Module):
    """The table, and what both kinds of looking up keep."""

    def _make_table(self, num_embeddings, embedding_dim, padding_idx, label, weight, requires_grad, device, dtype):
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings and padding_idx != 0:
                raise AssertionError(f"{label} must be within num_embeddings")
            padding_idx += num_embeddings if padding_idx < 0 else 0
        self.padding_idx = padding_idx
        if weight is not None and weight.shape != (num_embeddings, embedding_dim):
            raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
        table = empty((num_embeddings, embedding_dim), device=device, dtype=dtype) if weight is None else weight
        self.weight = Parameter(table, requires_grad=requires_grad)
        if weight is None:
            self.reset_parameters()

    def reset_parameters(self):
        init.normal_(self.weight)
        self._fill_padding_idx_with_zero()

    def _fill_padding_idx_with_zero(self):
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def _described(self, padding_first, *more):
        """The text of both classes: sizes, and what is not as usual."""
        padding = [] if self.padding_idx is None else [f"padding_idx={self.padding_idx}"]
        unusual = [f"{name}={getattr(self, name)!r}" for name, usual in (("max_norm", None), ("norm_type", 2),
                                                                         ("scale_grad_by_freq", False))
                   if getattr(self, name) != usual]
        parts = padding + unusual + list(more) if padding_first else unusual + list(more) + padding
        return ", ".join([str(self.num_embeddings), str(self.embedding_dim), *parts])

    @staticmethod
    def _check_pretrained(embeddings):
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        return embeddings.shape


class Embedding(_Table):
    """A row of a learnt table for each number.

        >>> nn.Embedding(5, 3)(torch.randint(5, (2, 4))).shape
        torch.Size([2, 4, 3])
    """

    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                 sparse=False, _weight=None, _freeze=False, device=None, dtype=None):
        super().__init__()
        self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse = max_norm, norm_type, scale_grad_by_freq, sparse
        self._make_table(num_embeddings, embedding_dim, padding_idx, "Padding_idx", _weight, not _freeze, device, dtype)

    def forward(self, input):
        return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq,
                           self.sparse)

    def extra_repr(self):
        return self._described(True, *["sparse=True"] * (self.sparse is not False))

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                        sparse=False):
        """An embedding with a given table."""
        rows, columns = cls._check_pretrained(embeddings)
        return cls(num_embeddings=rows, embedding_dim=columns, _weight=embeddings, _freeze=freeze, padding_idx=padding_idx,
                   max_norm=max_norm, norm_type=norm_type, scale_grad_by_freq=scale_grad_by_freq, sparse=sparse)


class EmbeddingBag(_Table):
    """Sums, means or maxima of rows, a bag of numbers at a time.

        >>> nn.EmbeddingBag(5, 3)(torch.randint(5, (2, 4))).shape
        torch.Size([2, 3])
    """

    def __init__(self, num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode="mean",
                 sparse=False, _weight=None, include_last_offset=False, padding_idx=None, device=None, dtype=None):
        super().__init__()
        self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse = max_norm, norm_type, scale_grad_by_freq, sparse
        self.mode, self.include_last_offset = mode, include_last_offset
        self._make_table(num_embeddings, embedding_dim, padding_idx, "padding_idx", _weight, True, device, dtype)

    def forward(self, input, offsets=None, per_sample_weights=None):
        return F.embedding_bag(input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.mode,
                               self.sparse, per_sample_weights, self.include_last_offset, self.padding_idx)

    def extra_repr(self):
        return self._described(False, f"mode={self.mode!r}")

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode="mean",
                        sparse=False, include_last_offset=False, padding_idx=None):
        """Bags of a given table."""
        rows, columns = cls._check_pretrained(embeddings)
        bag = cls(num_embeddings=rows, embedding_dim=columns, _weight=embeddings, max_norm=max_norm, norm_type=norm_type,
                  scale_grad_by_freq=scale_grad_by_freq, mode=mode, sparse=sparse, include_last_offset=include_last_offset,
                  padding_idx=padding_idx)
        bag.weight.requires_grad = not freeze
        return bag

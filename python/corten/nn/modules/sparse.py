# SPDX-License-Identifier: BSD-3-Clause
"""Embedding and EmbeddingBag: look up rows of a learnable table by index."""
from ... import empty, no_grad
from .. import functional as F
from .. import init
from ..parameter import Parameter
from .module import Module

__all__ = ["Embedding", "EmbeddingBag"]


class _Table(Module):
    """Base of both: the table, its checks and its printed form."""

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
        """Draw a new table from the standard normal distribution; the row of `padding_idx` becomes zero."""
        init.normal_(self.weight)
        self._fill_padding_idx_with_zero()

    def _fill_padding_idx_with_zero(self):
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def _described(self, padding_first, *more):
        """Return the arguments as they are printed: the sizes, and options that differ from their defaults."""
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
    """Look up rows of a learnable table by their indices, for example vectors of words.

        out[...] = weight[input[...]]

    It computes what a one-hot encoding times a matrix would, without either. An index outside of
    the table raises IndexError.

    Args:
        num_embeddings: number of rows, one for each index (the size of the vocabulary).
        embedding_dim: size of a row.
        padding_idx: index of the row for padding: it starts at zero and gets no
            gradient. Negative counts from the end. Default: None.
        max_norm: rows that are looked up and have a larger norm are scaled to this norm, in the
            table itself, before use. Default: None, never.
        norm_type: exponent of that norm. Default: 2.
        scale_grad_by_freq: divide a row's gradient by how often the batch uses it. Default: False.
        sparse: make the gradient of the table a sparse tensor with the used rows only; SGD,
            SparseAdam and Adagrad take it. Default: False.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input: integers (int32 or int64) of any shape.
        - Output: (*, embedding_dim), where * is the input's shape.

    Attributes:
        weight: (num_embeddings, embedding_dim), at first standard normal.

    Example:
        >>> table = torch.tensor([[0., 0.], [1., 10.], [2., 20.]])
        >>> embedding = nn.Embedding.from_pretrained(table)
        >>> embedding(torch.tensor([2, 1, 2]))
        tensor([[ 2., 20.],
                [ 1., 10.],
                [ 2., 20.]])
        >>> nn.Embedding(1000, 64, padding_idx=0)(torch.zeros(8, 5, dtype=torch.long)).shape
        torch.Size([8, 5, 64])
    """

    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                 sparse=False, _weight=None, _freeze=False, device=None, dtype=None):
        super().__init__()
        self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse = max_norm, norm_type, scale_grad_by_freq, sparse
        self._make_table(num_embeddings, embedding_dim, padding_idx, "Padding_idx", _weight, not _freeze, device, dtype)

    def forward(self, input):
        """Return the rows with the indices `input`."""
        return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq,
                           self.sparse)

    def extra_repr(self):
        """The arguments as printed."""
        return self._described(True, *["sparse=True"] * (self.sparse is not False))

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                        sparse=False):
        """Create an Embedding whose table is a given matrix.

        Args:
            embeddings: (num_embeddings, embedding_dim), used directly, not copied.
            freeze: whether the table is fixed (requires_grad=False). Default: True.
            padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse: as for Embedding; the row
                of `padding_idx` is not set to zero.

        Example:
            >>> nn.Embedding.from_pretrained(torch.eye(3))(torch.tensor([2]))
            tensor([[0., 0., 1.]])
        """
        rows, columns = cls._check_pretrained(embeddings)
        return cls(num_embeddings=rows, embedding_dim=columns, _weight=embeddings, _freeze=freeze, padding_idx=padding_idx,
                   max_norm=max_norm, norm_type=norm_type, scale_grad_by_freq=scale_grad_by_freq, sparse=sparse)


class EmbeddingBag(_Table):
    """Look up rows of a learnable table and reduce them, bag by bag, to their sum, mean or maximum.

        out[b] = sum (or mean, or max) over i in bag b of weight[i]

    It is faster and smaller than an Embedding followed by a reduction, since the single rows are
    never stored. An empty bag gives zeros.

    Args:
        num_embeddings: number of rows, one for each index (the size of the vocabulary).
        embedding_dim: size of a row.
        max_norm: rows that are looked up and have a larger norm are scaled to this norm, in the
            table itself, before use. Default: None, never.
        norm_type: exponent of that norm. Default: 2.
        scale_grad_by_freq: divide a row's gradient by how often the batch uses it. Default: False.
        mode: "sum", "mean" or "max". Default: "mean".
        sparse: make the gradient of the table a sparse tensor with the used rows only; SGD,
            SparseAdam and Adagrad take it. Not with mode="max". Default: False.
        include_last_offset: whether `offsets` ends with the number of indices, as in CSR format.
            Default: False.
        padding_idx: index of a row that stands for "nothing": it starts at zero and gets no
            gradient. It does not count in its bag, not even in the mean. Negative counts from the
            end. Default: None.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input: (B, N), B bags of N indices each; or (N,), all indices, with `offsets`.
        - Offsets: (B,), where each bag starts in a 1-D input; None for a 2-D one.
        - Per_sample_weights: the input's shape, factors for the rows; only with mode="sum".
        - Output: (B, embedding_dim).

    Attributes:
        weight: (num_embeddings, embedding_dim), at first standard normal.

    Example:
        >>> table = torch.tensor([[1., 10.], [2., 20.], [3., 30.]])
        >>> bags = nn.EmbeddingBag.from_pretrained(table, mode="sum")
        >>> bags(torch.tensor([0, 2, 1]), offsets=torch.tensor([0, 2]))  # bags [0, 2] and [1]
        tensor([[ 4., 40.],
                [ 2., 20.]])
        >>> bags(torch.tensor([[0, 1], [2, 2]]))
        tensor([[ 3., 30.],
                [ 6., 60.]])
    """

    def __init__(self, num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode="mean",
                 sparse=False, _weight=None, include_last_offset=False, padding_idx=None, device=None, dtype=None):
        super().__init__()
        self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse = max_norm, norm_type, scale_grad_by_freq, sparse
        self.mode, self.include_last_offset = mode, include_last_offset
        self._make_table(num_embeddings, embedding_dim, padding_idx, "padding_idx", _weight, True, device, dtype)

    def forward(self, input, offsets=None, per_sample_weights=None):
        """Reduce bags of rows.

        Args:
            input: indices, 1-D with `offsets` or 2-D.
            offsets: where each bag starts in a 1-D input. Default: None.
            per_sample_weights: a factor for each index; only with mode="sum". Default: None, all 1.
        """
        return F.embedding_bag(input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.mode,
                               self.sparse, per_sample_weights, self.include_last_offset, self.padding_idx)

    def extra_repr(self):
        """The arguments as printed."""
        return self._described(False, f"mode={self.mode!r}")

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode="mean",
                        sparse=False, include_last_offset=False, padding_idx=None):
        """Create an EmbeddingBag whose table is a given matrix.

        Args:
            embeddings: (num_embeddings, embedding_dim), used as it is, not copied.
            freeze: whether the table is fixed (requires_grad=False). Default: True.
            max_norm, norm_type, scale_grad_by_freq, mode, sparse, include_last_offset, padding_idx:
                as for EmbeddingBag; the row of `padding_idx` is not set to zero.

        Example:
            >>> nn.EmbeddingBag.from_pretrained(torch.eye(3))(torch.tensor([[0, 2]]))
            tensor([[0.5000, 0.0000, 0.5000]])
        """
        rows, columns = cls._check_pretrained(embeddings)
        bag = cls(num_embeddings=rows, embedding_dim=columns, _weight=embeddings, max_norm=max_norm, norm_type=norm_type,
                  scale_grad_by_freq=scale_grad_by_freq, mode=mode, sparse=sparse, include_last_offset=include_last_offset,
                  padding_idx=padding_idx)
        bag.weight.requires_grad = not freeze
        return bag

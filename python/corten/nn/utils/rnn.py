# SPDX-License-Identifier: BSD-3-Clause
"""Sequences of different lengths in one tensor: padded to the longest, or packed step by step."""
from collections import namedtuple

from ... import _pack_padded_sequence, _pad_packed_sequence, arange, as_tensor, empty_like, int64, sort, Tensor

__all__ = ["PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence", "pad_sequence",
           "unpack_sequence", "unpad_sequence"]

_Fields = namedtuple("PackedSequence_", "data batch_sizes sorted_indices unsorted_indices", defaults=[None, None, None])


class PackedSequence(_Fields):
    """Sequences of different lengths in one tensor without padding, for RNN, GRU and LSTM.

    `data` holds the elements of all first steps, then those of all second steps, and so on; the
    sequences are ordered by length, the longest first. Make one with `pack_sequence` or
    `pack_padded_sequence`, not by hand.

    Attributes:
        data: (sum of lengths, *), the elements.
        batch_sizes: int64 on the CPU, how many sequences each step has.
        sorted_indices: the original index of each sequence, in the stored order; None if they were
            already sorted.
        unsorted_indices: the inverse permutation of sorted_indices, or None.

    Example:
        >>> packed = nn.utils.rnn.pack_sequence([torch.tensor([1, 2, 3]), torch.tensor([4, 5])])
        >>> packed.data, packed.batch_sizes
        (tensor([1, 4, 2, 5, 3]), tensor([2, 2, 1]))
    """

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            if not isinstance(data, (list, tuple)) or len(data) != 2:
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        elif batch_sizes.device.type != "cpu":
            raise ValueError("batch_sizes should always be on CPU. Instances of PackedSequence should never be created manually. "
                             "They should be instantiated by functions like pack_sequence and pack_padded_sequences in nn.utils.rnn. "
                             "https://pytorch.org/docs/stable/nn.html#torch.nn.utils.rnn.pack_sequence")
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def __getnewargs__(self):
        return tuple(self)

    def to(self, *args, **kwargs):
        """Return the sequence with its data on another device or with another dtype; itself if nothing changes.

        Args:
            args, kwargs: as for Tensor.to.
        """
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        order = (None if t is None else t.to(data.device) for t in (self.sorted_indices, self.unsorted_indices))
        return type(self)(data, self.batch_sizes, *order)

    def cpu(self, *args, **kwargs):
        """Return the sequence on the CPU."""
        return self.to("cpu", *args, **kwargs)

    def cuda(self, *args, **kwargs):
        """Return the sequence on a GPU."""
        return self.to("cuda", *args, **kwargs)

    def pin_memory(self):
        """Return the sequence in page-locked memory, from which copies to a GPU are faster."""
        order = (None if t is None else t.pin_memory() for t in (self.sorted_indices, self.unsorted_indices))
        return type(self)(self.data.pin_memory(), self.batch_sizes, *order)

    def is_pinned(self):
        """Return whether the data is in page-locked memory."""
        return self.data.is_pinned()

    @property
    def is_cuda(self):
        """Whether the data is on a GPU."""
        return self.data.is_cuda


def _cast(name):
    """Return a method that converts the data to the dtype with this name."""
    def method(self):
        from ... import _C
        return self.to(dtype=getattr(_C, name))
    method.__doc__ = f"Return the sequence with its data in {name}."
    return method


for _name, _type in dict(double="float64", float="float32", half="float16", long="int64", int="int32", short="int16", char="int8",
                         byte="uint8").items():
    setattr(PackedSequence, _name, _cast(_type))


def invert_permutation(permutation):
    """Return the inverse of a permutation; None for None.

    Args:
        permutation: an index tensor that holds 0 to n - 1 in some order, or None.

    Example:
        >>> nn.utils.rnn.invert_permutation(torch.tensor([2, 0, 1]))
        tensor([1, 2, 0])
    """
    if permutation is None:
        return None
    return empty_like(permutation).scatter_(0, permutation, arange(0, permutation.numel(), device=permutation.device))


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """Pack a padded tensor, that is, remove the padding.

    Gradients flow back to the padded tensor.

    Args:
        input: (L, N, *) or (N, L, *), L at least the greatest length.
        lengths: the length of each sequence, at least 1; a list, or a tensor on the CPU.
        batch_first: whether the padded tensor is (N, L, *) instead of (L, N, *). Default: False.
        enforce_sorted: whether the sequences must be sorted by decreasing length, otherwise
            RuntimeError; False sorts them. Default: True.

    Example:
        >>> x = torch.tensor([[1, 2, 3], [4, 5, 0]])
        >>> nn.utils.rnn.pack_padded_sequence(x, [3, 2], batch_first=True).data
        tensor([1, 4, 2, 5, 3])
    """
    lengths = lengths.to(dtype=int64) if isinstance(lengths, Tensor) else as_tensor(lengths, dtype=int64, device="cpu")
    order = None
    if not enforce_sorted:
        lengths, order = sort(lengths, descending=True)
        order = order.to(input.device)
        input = input.index_select(0 if batch_first else 1, order)
    data, batch_sizes = _pack_padded_sequence(input, lengths, batch_first)
    return PackedSequence(data, batch_sizes, order, None)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """Unpack a PackedSequence into a padded tensor: the inverse of `pack_padded_sequence`.

    Returns the padded tensor, in the original order of the sequences, and their lengths.

    Args:
        sequence: the PackedSequence.
        batch_first: whether the padded tensor is (N, L, *) instead of (L, N, *). Default: False.
        padding_value: the value after the end of shorter sequences. Default: 0.
        total_length: L of the result; ValueError if it is less than the longest. Default: None, the
            longest.

    Example:
        >>> packed = nn.utils.rnn.pack_sequence([torch.tensor([1, 2, 3]), torch.tensor([4, 5])])
        >>> nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)
        (tensor([[1, 2, 3],
                [4, 5, 0]]), tensor([3, 2]))
    """
    longest = sequence.batch_sizes.size(0)
    if total_length is None:
        total_length = longest
    elif total_length < longest:
        raise ValueError("Expected total_length to be at least the length of the longest sequence in input, but got "
                         f"total_length={total_length} and max sequence length being {longest}")
    padded, lengths = _pad_packed_sequence(sequence.data, sequence.batch_sizes, batch_first, padding_value, total_length)
    back = sequence.unsorted_indices
    if back is not None:
        return padded.index_select(0 if batch_first else 1, back), lengths[back.cpu()]
    return padded, lengths


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Stack sequences of different lengths in one tensor, padded to the longest.

    Args:
        sequences: tensors (L_i, *), alike but for the length. None at all raises RuntimeError.
        batch_first: whether the padded tensor is (N, L, *) instead of (L, N, *). Default: False.
        padding_value: fills up shorter sequences. Default: 0.
        padding_side: "right", after the elements, or "left". Default: "right".

    Example:
        >>> nn.utils.rnn.pad_sequence([torch.tensor([1, 2, 3]), torch.tensor([4])], batch_first=True)
        tensor([[1, 2, 3],
                [4, 0, 0]])
    """
    try:
        sequences = tuple(sequences)
    except TypeError:
        raise RuntimeError(f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}") from None
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    if not sequences:
        raise RuntimeError("received an empty list of sequences")
    first, longest = sequences[0], max(s.size(0) for s in sequences)
    shape = (len(sequences), longest) if batch_first else (longest, len(sequences))
    padded = first.new_full((*shape, *first.shape[1:]), padding_value)
    for i, sequence in enumerate(sequences):
        n = sequence.size(0)
        where = slice(longest - n, longest) if padding_side == "left" else slice(0, n)
        padded[(i, where) if batch_first else (where, i)] = sequence
    return padded


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """Split a padded tensor into a list of sequences: the inverse of `pad_sequence`.

    Args:
        padded_sequences: (L, N, *) or (N, L, *), padded on the right.
        lengths: (N,), a tensor.
        batch_first: whether the padded tensor is (N, L, *) instead of (L, N, *). Default: False.

    Example:
        >>> nn.utils.rnn.unpad_sequence(torch.tensor([[1, 2, 3], [4, 0, 0]]), torch.tensor([3, 1]), batch_first=True)
        [tensor([1, 2, 3]), tensor([4])]
    """
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    places = arange(padded_sequences.shape[1], device=lengths.device)
    return [sequence[places < length] for sequence, length in zip(padded_sequences, lengths, strict=True)]


def pack_sequence(sequences, enforce_sorted=True):
    """Pack a list of sequences of different lengths.

    Args:
        sequences: tensors (L_i, *).
        enforce_sorted: whether the sequences must be sorted by decreasing length, otherwise RuntimeError; False
            sorts them. Default: True.

    Example:
        >>> nn.utils.rnn.pack_sequence([torch.tensor([1]), torch.tensor([2, 3])], enforce_sorted=False).data
        tensor([2, 1, 3])
    """
    lengths = as_tensor([s.size(0) for s in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    """Split a PackedSequence into a list of its sequences, in their original order.

    Args:
        packed_sequences: the PackedSequence.

    Example:
        >>> packed = nn.utils.rnn.pack_sequence([torch.tensor([1, 2]), torch.tensor([3])])
        >>> nn.utils.rnn.unpack_sequence(packed)
        [tensor([1, 2]), tensor([3])]
    """
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)

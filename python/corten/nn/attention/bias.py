# SPDX-License-Identifier: BSD-3-Clause
"""Causal masks for scores that are not square; attention recognises them by their class."""
import enum

from ... import Tensor, bool as truth, ones, tril

__all__ = ["CausalBias", "CausalVariant", "causal_lower_right", "causal_upper_left"]


class CausalVariant(enum.IntEnum):
    """The corner of the scores at which the diagonal of a causal mask starts: UPPER_LEFT or LOWER_RIGHT."""
    UPPER_LEFT = 1
    LOWER_RIGHT = 2


def _mask(variant, seq_len_q, seq_len_kv):
    shift = seq_len_kv - seq_len_q if variant == CausalVariant.LOWER_RIGHT else 0
    return tril(ones(seq_len_q, seq_len_kv, dtype=truth), diagonal=shift)


class CausalBias(Tensor):
    """A bool mask (True allows attention) that stores its kind and size.

    Make one with `causal_upper_left` or `causal_lower_right`.

    Args:
        variant: a CausalVariant.
        seq_len_q, seq_len_kv: numbers of queries and keys.
    """

    @staticmethod
    def __new__(cls, variant, seq_len_q, seq_len_kv):
        if not isinstance(variant, CausalVariant):
            raise AssertionError(f"variant must be CausalVariant, got {type(variant)}")
        made = _mask(variant, seq_len_q, seq_len_kv).as_subclass(cls)
        made.variant, made.seq_len_q, made.seq_len_kv = variant, seq_len_q, seq_len_kv
        return made

    def __init__(self, variant, seq_len_q, seq_len_kv):
        pass


def causal_upper_left(*size):
    """Return the causal mask in which query i sees keys 0 to i.

    Args:
        size: numbers of queries and keys.

    Example:
        >>> from corten.nn.attention.bias import causal_upper_left
        >>> q, k, v = torch.ones(1, 2, 4), torch.ones(1, 3, 4), torch.tensor([[[1.], [2.], [6.]]])
        >>> nn.functional.scaled_dot_product_attention(q, k, v, causal_upper_left(2, 3)).flatten().tolist()
        [1.0, 1.5]
    """
    if len(size) != 2:
        raise AssertionError(f"causal_upper_left only supports 2D tensors, got {len(size)}D")
    return CausalBias(CausalVariant.UPPER_LEFT, *size)


def causal_lower_right(*size):
    """Return the causal mask in which the last query sees all keys, the one before it all but the last, and so on.

    Decoding with a cache of earlier keys needs this mask.

    Args:
        size: numbers of queries and keys.

    Example:
        >>> from corten.nn.attention.bias import causal_lower_right
        >>> q, k, v = torch.ones(1, 2, 4), torch.ones(1, 3, 4), torch.tensor([[[1.], [2.], [6.]]])
        >>> nn.functional.scaled_dot_product_attention(q, k, v, causal_lower_right(2, 3)).flatten().tolist()
        [1.5, 3.0]
    """
    if len(size) != 2:
        raise AssertionError(f"causal_lower_right only supports 2D tensors, got {len(size)}D")
    return CausalBias(CausalVariant.LOWER_RIGHT, *size)

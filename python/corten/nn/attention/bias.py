# SPDX-License-Identifier: BSD-3-Clause
"""Causal masks that attention knows by their kind, for scores that are not square."""
import enum

from ... import Tensor, bool as truth, ones, tril

__all__ = ["CausalBias", "CausalVariant", "causal_lower_right", "causal_upper_left"]


class CausalVariant(enum.IntEnum):
    """In which corner of the scores the diagonal begins."""
    UPPER_LEFT = 1
    LOWER_RIGHT = 2


def _mask(variant, seq_len_q, seq_len_kv):
    shift = seq_len_kv - seq_len_q if variant == CausalVariant.LOWER_RIGHT else 0
    return tril(ones(seq_len_q, seq_len_kv, dtype=truth), diagonal=shift)


class CausalBias(Tensor):
    """A mask of truth values that remembers how it was made."""

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
    """Query i sees keys 0 to i."""
    if len(size) != 2:
        raise AssertionError(f"causal_upper_left only supports 2D tensors, got {len(size)}D")
    return CausalBias(CausalVariant.UPPER_LEFT, *size)


def causal_lower_right(*size):
    """The last query sees all keys."""
    if len(size) != 2:
        raise AssertionError(f"causal_lower_right only supports 2D tensors, got {len(size)}D")
    return CausalBias(CausalVariant.LOWER_RIGHT, *size)

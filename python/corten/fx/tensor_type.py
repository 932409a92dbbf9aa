# SPDX-License-Identifier: BSD-3-Clause
"""torch.fx.tensor_type: shapes as types, with sizes that may be unknown: TensorType((2, Dyn))."""

__all__ = ["Dyn", "TensorType", "is_consistent", "is_more_precise"]


class TensorType:
    """A shape; each size is an int or Dyn."""

    def __init__(self, dim):
        self.__origin__, self.__args__ = TensorType, dim

    dims = property(lambda self: self.__args__, doc="The sizes, of which some may be unknown.")

    def __repr__(self):
        return f"TensorType[{self.dims}]"

    def __eq__(self, other):
        return isinstance(other, type(self)) and list(self.dims) == list(other.dims)

    def __class_getitem__(cls, dims):
        return TensorType(dims if isinstance(dims, tuple) else (dims,))


class _DynType:
    """The type of Dyn, an unknown size."""

    __name__ = "_DynType"

    def __eq__(self, other):
        return isinstance(other, _DynType)

    def __repr__(self):
        return "Dyn"


Dyn = _DynType()


def _shapes(t1, t2, related):
    return (isinstance(t1, TensorType) and isinstance(t2, TensorType) and len(t1.dims) == len(t2.dims)
            and all(map(related, t1.dims, t2.dims)))


def is_consistent(t1, t2):
    """Returns whether two types are compatible; Dyn is compatible with everything."""
    return t1 == t2 or isinstance(t1, _DynType) or isinstance(t2, _DynType) or _shapes(t1, t2, is_consistent)


def is_more_precise(t1, t2):
    """Returns whether t1 is at least as precise as t2: (1, 2) is more precise than (1, Dyn)."""
    return t1 == t2 or isinstance(t2, _DynType) or _shapes(t1, t2, is_more_precise)

# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.weak: weak references to tensors, and dictionaries with tensors as weak keys.

`==` on tensors compares elements, so weakref.WeakKeyDictionary cannot look them up. These dictionaries compare keys by
identity:

    notes = torch.utils.weak.WeakIdKeyDictionary()
    notes[tensor] = "loss"      # the entry is removed when the tensor dies
"""
import weakref
from collections.abc import Mapping, MutableMapping

from .. import _C

__all__ = ["TensorWeakRef", "WeakIdKeyDictionary", "WeakIdRef", "WeakTensorKeyDictionary"]


class WeakIdRef(weakref.ref):
    """A hashable weak reference, equal to references to the same object."""

    __slots__ = ("_id",)

    def __new__(cls, key, callback=None):
        return super().__new__(cls, key, callback)

    def __init__(self, key, callback=None):
        self._id = self._number(key)
        super().__init__(key, callback)

    _number = staticmethod(id)

    def __hash__(self):
        return self._id

    def __eq__(self, other):
        # Ids are reused: once an object is dead, another may have its id.
        mine, theirs = self(), other()
        return self is other if mine is None or theirs is None else self._same(mine, theirs)

    @staticmethod
    def _same(a, b):
        return a is b


class _WeakHashRef(WeakIdRef):
    """A weak reference that compares by the hash of the object."""

    __slots__ = ()
    _number = staticmethod(hash)

    @staticmethod
    def _same(a, b):
        return hash(a) == hash(b)


class WeakIdKeyDictionary(MutableMapping):
    """A dictionary with weak keys compared by identity; an entry disappears when its key dies."""

    def __init__(self, dict=None, ref_type=WeakIdRef):
        self.data, self.ref_type = {}, ref_type
        data = self.data
        self._remove = lambda ref: data.pop(ref, None)
        if dict is not None:
            self.update(dict)

    def _ref(self, key):
        return self.ref_type(key)

    def __getitem__(self, key):
        return self.data[self._ref(key)]

    def __setitem__(self, key, value):
        self.data[self.ref_type(key, self._remove)] = value

    def __delitem__(self, key):
        del self.data[self._ref(key)]

    def __contains__(self, key):
        try:
            return self._ref(key) in self.data
        except TypeError:  # the object does not support weak references
            return False

    def _live(self):
        """Returns (key, value) of entries with live keys; the list keeps the keys alive during iteration."""
        return [(key, value) for ref, value in list(self.data.items()) if (key := ref()) is not None]

    def __iter__(self):
        for key, _ in self._live():
            yield key

    keys = __iter__

    def items(self):
        """Iterates over (key, value)."""
        yield from self._live()

    def values(self):
        """Iterates over the values."""
        for _, value in self._live():
            yield value

    def __len__(self):
        return len(self.data)

    def keyrefs(self):
        """Returns the weak references to the keys; calling one returns the key, or None."""
        return list(self.data)

    def popitem(self):
        """Removes and returns an entry as (key, value)."""
        while True:
            ref, value = self.data.popitem()
            if (key := ref()) is not None:
                return key, value

    def pop(self, key, *default):
        """Removes an entry and returns its value, or the default."""
        return self.data.pop(self._ref(key), *default)

    def setdefault(self, key, default=None):
        """Returns the value of a key, after setting it if missing."""
        return self.data.setdefault(self.ref_type(key, self._remove), default)

    def update(self, other=None, **more):
        """Adds the entries of another mapping, or pairs."""
        for key, value in (other.items() if hasattr(other, "items") else other or ()):
            self[key] = value
        for key, value in more.items():
            self[key] = value

    def copy(self):
        """Returns a shallow copy."""
        new = WeakIdKeyDictionary(ref_type=self.ref_type)
        new.update(self)
        return new

    __copy__ = copy

    def __deepcopy__(self, memo):
        from copy import deepcopy
        new = type(self)(ref_type=self.ref_type)
        for key, value in self._live():
            new[key] = deepcopy(value, memo)
        return new

    def __or__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        new = self.copy()
        new.update(other)
        return new

    def __ror__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        new = type(self)(other, self.ref_type)
        new.update(self)
        return new

    def __ior__(self, other):
        self.update(other)
        return self

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return {id(k): v for k, v in self.items()} == {id(k): v for k, v in other.items()}

    def __repr__(self):
        return f"<{type(self).__name__} at {id(self):#x}>"


WeakTensorKeyDictionary = WeakIdKeyDictionary


class TensorWeakRef:
    """A weak reference to a tensor; calling it returns the tensor, or None if it is dead."""

    def __init__(self, tensor):
        if not isinstance(tensor, _C.Tensor):
            raise AssertionError(f"expected torch.Tensor, got {type(tensor)}.")
        self.ref = weakref.ref(tensor)

    def __call__(self):
        return self.ref()

# SPDX-License-Identifier: BSD-3-Clause
"""A set that keeps insertion order."""
from collections.abc import MutableSet, Reversible

__all__ = ["OrderedSet"]


class OrderedSet(MutableSet, Reversible):
    """A set that keeps insertion order; binary operators keep the order of the left operand."""

    __slots__ = ("_dict",)

    def __init__(self, iterable=None):
        self._dict = dict.fromkeys(iterable or ())

    def __contains__(self, elem):
        return elem in self._dict

    def __iter__(self):
        return iter(self._dict)

    def __reversed__(self):
        return reversed(self._dict)

    def __len__(self):
        return len(self._dict)

    def add(self, elem):
        """Adds an element; a new one goes to the end."""
        self._dict[elem] = None

    def discard(self, elem):
        """Removes an element if present."""
        self._dict.pop(elem, None)

    def clear(self):
        """Removes all elements."""
        self._dict.clear()

    def pop(self):
        """Removes and returns the last element."""
        if not self._dict:
            raise KeyError("pop from an empty set")
        return self._dict.popitem()[0]

    def copy(self):
        """Returns a shallow copy."""
        return OrderedSet(self)

    __copy__ = copy

    def update(self, *others):
        """Adds the elements of other iterables."""
        for other in others:
            self._dict.update(dict.fromkeys(other))

    def union(self, *others):
        """Returns a set with the elements of this set and of the others."""
        new = self.copy()
        new.update(*others)
        return new

    def intersection(self, *others):
        """Returns a set with the elements common to all sets."""
        kept = [set(other) for other in others]
        return OrderedSet(e for e in self if all(e in other for other in kept))

    def difference(self, *others):
        """Returns a set with the elements that are in no other set."""
        gone = set().union(*others)
        return OrderedSet(e for e in self if e not in gone)

    def difference_update(self, *others):
        """Removes the elements of other iterables."""
        for other in others:
            for e in list(other):
                self.discard(e)

    def symmetric_difference(self, other):
        """Returns a set with the elements that are in exactly one of the two sets."""
        other = OrderedSet(other)
        return self.difference(other) | other.difference(self)

    def issubset(self, other):
        """Returns whether every element is in `other`."""
        return self <= OrderedSet(other)

    def issuperset(self, other):
        """Returns whether every element of `other` is in this set."""
        return self >= OrderedSet(other)

    def __repr__(self):
        return f"OrderedSet({list(self._dict)})"

    def __getstate__(self):
        return list(self._dict)

    def __setstate__(self, elements):
        self._dict = dict.fromkeys(elements)

# SPDX-License-Identifier: BSD-3-Clause
"""A set that keeps the order in which its elements came."""
from collections.abc import MutableSet, Reversible

__all__ = ["OrderedSet"]


class OrderedSet(MutableSet, Reversible):
    """A set whose elements are in the order in which they came; operators keep the order of the left side."""

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
        """Adds an element, at the end if it is new."""
        self._dict[elem] = None

    def discard(self, elem):
        """Removes an element if it is there."""
        self._dict.pop(elem, None)

    def clear(self):
        """Removes all elements."""
        self._dict.clear()

    def pop(self):
        """Removes the last element: it."""
        if not self._dict:
            raise KeyError("pop from an empty set")
        return self._dict.popitem()[0]

    def copy(self):
        """A set with the same elements."""
        return OrderedSet(self)

    __copy__ = copy

    def update(self, *others):
        """Adds the elements of other sets."""
        for other in others:
            self._dict.update(dict.fromkeys(other))

    def union(self, *others):
        """With the elements of other sets."""
        new = self.copy()
        new.update(*others)
        return new

    def intersection(self, *others):
        """The elements that all other sets have, too."""
        kept = [set(other) for other in others]
        return OrderedSet(e for e in self if all(e in other for other in kept))

    def difference(self, *others):
        """The elements that no other set has."""
        gone = set().union(*others)
        return OrderedSet(e for e in self if e not in gone)

    def difference_update(self, *others):
        """Removes the elements of other sets."""
        for other in others:
            for e in list(other):
                self.discard(e)

    def symmetric_difference(self, other):
        """The elements that only one of two sets has."""
        other = OrderedSet(other)
        return self.difference(other) | other.difference(self)

    def issubset(self, other):
        """Whether another set has all elements."""
        return self <= OrderedSet(other)

    def issuperset(self, other):
        """Whether all elements of another set are there."""
        return self >= OrderedSet(other)

    def __repr__(self):
        return f"OrderedSet({list(self._dict)})"

    def __getstate__(self):
        return list(self._dict)

    def __setstate__(self, elements):
        self._dict = dict.fromkeys(elements)

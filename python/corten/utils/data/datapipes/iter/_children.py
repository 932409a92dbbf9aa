# SPDX-License-Identifier: BSD-3-Clause
"""Data pipes that are divided: among several readers of one pipe, or among processes."""
import collections
import copy as _copy
import enum

from .. import IterDataPipe, functional_datapipe

__all__ = ["DemultiplexerIterDataPipe", "ForkerIterDataPipe", "SHARDING_PRIORITIES", "ShardingFilterIterDataPipe"]


class _Source:
    """Walks a pipe once for several readers: what a reader has not taken yet waits for it."""

    def __init__(self, datapipe, count, buffer_size):
        self.main_datapipe, self.count, self.buffer_size = datapipe, count, buffer_size
        self.rounds = [0] * count  # how often each reader has begun
        self._restart()

    def _restart(self):
        self.walk, self.queues, self.ended = None, [collections.deque() for _ in range(self.count)], False

    def begin(self, reader):
        """A reader begins: the first of a round begins the walk; one that begins again before the others have begins a new one."""
        if self.walk is not None and self.rounds[reader] == max(self.rounds):
            top = max(self.rounds)
            self.rounds = [top] * self.count
            self._restart()
        self.rounds[reader] += 1

    def __getstate__(self):
        return {**self.__dict__, "walk": None, "queues": None}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._restart()

    def items(self, reader, places):
        """The items for one reader; places(item) yields (reader, item) for all that get it."""
        self.begin(reader)
        mine = self.rounds[reader]
        while self.rounds[reader] == mine:
            queue = self.queues[reader]
            if queue:
                yield queue.popleft()
                continue
            if self.ended:
                return
            if self.walk is None:
                self.walk = iter(self.main_datapipe)
            try:
                item = next(self.walk)
            except StopIteration:
                self.ended = True
                return
            for place, copied in places(item):
                self.queues[place].append(copied)
                if self.buffer_size >= 0 and len(self.queues[place]) > self.buffer_size:
                    raise BufferError(f"{type(self).__name__[1:]} buffer overflow, buffer size {self.buffer_size} is insufficient.")
        raise RuntimeError("This iterator has been invalidated because another iterator has been created from the same data pipe.")


class _Child(IterDataPipe):
    """One reader."""

    def __init__(self, source, number, places):
        self.main_datapipe, self._source, self._number, self._places = source.main_datapipe, source, number, places

    def __iter__(self):
        yield from self._source.items(self._number, self._places)


class _WholeChild(_Child):
    def __len__(self):
        return len(self.main_datapipe)


class _Everywhere:
    """Gives an item to all readers, as it is, as a copy, or as a deep copy."""

    def __init__(self, count, copy):
        self.count, self.copied = count, {None: None, "shallow": _copy.copy, "deep": _copy.deepcopy}[copy]

    def __call__(self, item):
        return [(i, self.copied(item) if self.copied else item) for i in range(self.count)]


class _Sorted:
    """Gives an item to the reader that a function names."""

    def __init__(self, count, classifier_fn, drop_none):
        self.count, self.classifier_fn, self.drop_none = count, classifier_fn, drop_none

    def __call__(self, item):
        place = self.classifier_fn(item)
        if place is None and self.drop_none:
            return []
        if place is None or not 0 <= place < self.count:
            raise ValueError(f"Output of the classification fn should be between 0 and {self.count - 1}. {place} is returned.")
        return [(place, item)]


def _warn_unlimited(buffer_size, name):
    if buffer_size < 0:
        import warnings
        warnings.warn(f"Unlimited buffer size is set for `{name}`, please be aware of OOM at your own risk", UserWarning, stacklevel=3)


@functional_datapipe("fork")
class ForkerIterDataPipe(IterDataPipe):
    """num_instances pipes with the items of one. buffer_size: how many items one reader may be ahead of another, -1 any number.
    copy: "shallow" or "deep" gives each its own copy."""

    def __new__(cls, datapipe, num_instances, buffer_size=1000, copy=None):
        if num_instances < 1:
            raise ValueError(f"Expected `num_instances` larger than 0, but {num_instances} is found")
        if buffer_size == 0:
            raise ValueError("Expected `buffer_size` larger than 0, or -1 for unlimited")
        if copy not in (None, "shallow", "deep"):
            raise ValueError(f"Unknown copy method `{copy}` requested, choose one of None, `shallow` or `deep`.")
        if num_instances == 1:
            return datapipe
        _warn_unlimited(buffer_size, "fork")
        source, places = _Source(datapipe, num_instances, buffer_size), _Everywhere(num_instances, copy)
        return [_WholeChild(source, i, places) for i in range(num_instances)]


@functional_datapipe("demux")
class DemultiplexerIterDataPipe(IterDataPipe):
    """num_instances pipes among which the items of one are divided: classifier_fn(item) is the number of an item's pipe; None is an error,
    or with drop_none leaves the item out. buffer_size: how many items may wait for a reader, -1 any number."""

    def __new__(cls, datapipe, num_instances, classifier_fn, drop_none=False, buffer_size=1000):
        if num_instances < 1:
            raise ValueError(f"Expected `num_instances` larger than 0, but {num_instances} is found")
        if buffer_size == 0:
            raise ValueError("Expected `buffer_size` larger than 0, or -1 for unlimited")
        _warn_unlimited(buffer_size, "demux")
        source, places = _Source(datapipe, num_instances, buffer_size), _Sorted(num_instances, classifier_fn, drop_none)
        return [_Child(source, i, places) for i in range(num_instances)]


# ---- among processes ----

class SHARDING_PRIORITIES(enum.IntEnum):
    """Among whom items are divided first."""

    DEFAULT, DISTRIBUTED, MULTIPROCESSING = 1, 2, 3


@functional_datapipe("sharding_filter")
class ShardingFilterIterDataPipe(IterDataPipe):
    """The part of the items that is this process's: every n-th one. Loaders tell it how many workers there are (apply_sharding).

    sharding_group_filter: only this group of processes counts.
    """

    def __init__(self, source_datapipe, sharding_group_filter=None):
        self.source_datapipe, self.sharding_group_filter, self.groups = source_datapipe, sharding_group_filter, {}
        self.num_of_instances, self.instance_id = 1, 0

    def apply_sharding(self, num_of_instances, instance_id, sharding_group=SHARDING_PRIORITIES.DEFAULT):
        """This process is number `instance_id` of `num_of_instances` in a group."""
        if instance_id >= num_of_instances:
            raise ValueError(f"instance_id({instance_id}) should be smaller than num_of_instances({num_of_instances})")
        default = SHARDING_PRIORITIES.DEFAULT
        if any((sharding_group == default) != (known == default) for known in self.groups):
            raise RuntimeError("ShardingFilter cannot mix DEFAULT and non DEFAULT groups")
        self.groups[sharding_group] = num_of_instances, instance_id
        self.num_of_instances, self.instance_id = 1, 0
        for group in sorted(self.groups, reverse=True):
            if self.sharding_group_filter in (None, group):
                count, number = self.groups[group]
                self.instance_id += self.num_of_instances * number
                self.num_of_instances *= count

    def __iter__(self):
        for i, item in enumerate(self.source_datapipe):
            if i % self.num_of_instances == self.instance_id:
                yield item

    def __len__(self):
        if not hasattr(self.source_datapipe, "__len__"):
            raise TypeError(f"{type(self).__name__} instance doesn't have valid length")
        whole, rest = divmod(len(self.source_datapipe), self.num_of_instances)
        return whole + (self.instance_id < rest)

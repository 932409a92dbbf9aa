# SPDX-License-Identifier: BSD-3-Clause
"""Data pipes that are split: among several readers of one pipe, or among processes."""
import collections
import copy as _copy
import enum

from .. import IterDataPipe, functional_datapipe

__all__ = ["DemultiplexerIterDataPipe", "ForkerIterDataPipe", "SHARDING_PRIORITIES", "ShardingFilterIterDataPipe"]


class _Source:
    """Iterates over a pipe once for several readers; items that a reader has not taken yet wait in the reader's queue."""

    def __init__(self, datapipe, count, buffer_size):
        self.main_datapipe, self.count, self.buffer_size = datapipe, count, buffer_size
        self.rounds = [0] * count  # the number of iterations of each reader
        self._restart()

    def _restart(self):
        self.walk, self.queues, self.ended = None, [collections.deque() for _ in range(self.count)], False

    def begin(self, reader):
        """Begin an iteration. The first reader of a round starts the source; one that begins again restarts it."""
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
        """Yield the items for a reader; places(item) yields (reader, item) for all that get it."""
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
    """Passes each item to all readers: the item, a copy or a deep copy."""

    def __init__(self, count, copy):
        self.count, self.copied = count, {None: None, "shallow": _copy.copy, "deep": _copy.deepcopy}[copy]

    def __call__(self, item):
        return [(i, self.copied(item) if self.copied else item) for i in range(self.count)]


class _Sorted:
    """Passes each item to the reader that a function chooses."""

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
    """Return several pipes that each yield all items of one: pipe.fork(n).

    Args:
        datapipe: the source.
        num_instances: the number of pipes.
        buffer_size: how many items one reader may be ahead of another; -1 for any number. Default: 1000
        copy: "shallow" or "deep" gives each reader a copy. Default: None
    """

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
    """Return several pipes that share the items of one: pipe.demux(n, classifier_fn).

    Args:
        datapipe: the source.
        num_instances: the number of pipes.
        classifier_fn: a function from an item to the index of its pipe.
        drop_none: whether items for which it returns None are left out; otherwise they are an error. Default: False
        buffer_size: how many items may wait for a reader; -1 for any number. Default: 1000
    """

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
    """The groups of processes among which items are split; higher values split first."""

    DEFAULT, DISTRIBUTED, MULTIPROCESSING = 1, 2, 3


@functional_datapipe("sharding_filter")
class ShardingFilterIterDataPipe(IterDataPipe):
    """Yield this process's share of the items, every n-th one: pipe.sharding_filter().

    DataLoader sets the number of processes by apply_sharding; before that, the share is all.

    Args:
        source_datapipe: the source.
        sharding_group_filter: the only group of processes to split among. Default: None, for all groups
    """

    def __init__(self, source_datapipe, sharding_group_filter=None):
        self.source_datapipe, self.sharding_group_filter, self.groups = source_datapipe, sharding_group_filter, {}
        self.num_of_instances, self.instance_id = 1, 0

    def apply_sharding(self, num_of_instances, instance_id, sharding_group=SHARDING_PRIORITIES.DEFAULT):
        """Set the share of this process.

        Args:
            num_of_instances: the number of processes.
            instance_id: the number of this process.
            sharding_group: the group of these processes. Default: SHARDING_PRIORITIES.DEFAULT
        """
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

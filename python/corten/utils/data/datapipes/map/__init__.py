# SPDX-License-Identifier: BSD-3-Clause
"""Data pipes that are indexed."""
import copy
import random

import corten

from .. import DataChunk, IterDataPipe, MapDataPipe, functional_datapipe

__all__ = ["Batcher", "Concater", "Mapper", "SequenceWrapper", "Shuffler", "Zipper"]


class SequenceWrapperMapDataPipe(MapDataPipe):
    """The items of a list or dictionary.

    Args:
        sequence: the list or dictionary.
        deepcopy: whether to keep a copy. Default: True
    """

    def __init__(self, sequence, deepcopy=True):
        self.sequence = copy.deepcopy(sequence) if deepcopy else sequence

    def __getitem__(self, index):
        return self.sequence[index]

    def __len__(self):
        return len(self.sequence)


@functional_datapipe("map")
class MapperMapDataPipe(MapDataPipe):
    """Apply a function to each item: pipe.map(fn).

    Args:
        datapipe: the source.
        fn: the function. Default: the identity
    """

    def __init__(self, datapipe, fn=lambda x: x):
        self.datapipe, self.fn = datapipe, fn

    def __getitem__(self, index):
        return self.fn(self.datapipe[index])

    def __len__(self):
        return len(self.datapipe)


def _checked(datapipes):
    if not datapipes:
        raise ValueError("Expected at least one DataPipe, but got nothing")
    if not all(isinstance(pipe, MapDataPipe) for pipe in datapipes):
        raise TypeError("Expected all inputs to be `MapDataPipe`")
    return datapipes


@functional_datapipe("concat")
class ConcaterMapDataPipe(MapDataPipe):
    """Several pipes one after the other, with indices from 0: pipe.concat(others).

    Args:
        datapipes: the sources.
    """

    def __init__(self, *datapipes):
        self.datapipes = _checked(datapipes)

    def __getitem__(self, index):
        place = index
        for pipe in self.datapipes:
            if place < len(pipe):
                return pipe[place]
            place -= len(pipe)
        raise IndexError(f"Index {index} is out of range.")

    def __len__(self):
        return sum(map(len, self.datapipes))


@functional_datapipe("zip")
class ZipperMapDataPipe(MapDataPipe):
    """Tuples of the items of several pipes at one index: pipe.zip(others).

    Args:
        datapipes: the sources.
    """

    def __init__(self, *datapipes):
        self.datapipes = _checked(datapipes)

    def __getitem__(self, index):
        items = []
        for pipe in self.datapipes:
            try:
                items.append(pipe[index])
            except IndexError as error:
                raise IndexError(f"Index {index} is out of range for one of the input MapDataPipes {pipe}.") from error
        return tuple(items)

    def __len__(self):
        return min(map(len, self.datapipes))


@functional_datapipe("batch")
class BatcherMapDataPipe(MapDataPipe):
    """Collect items in lists: pipe.batch(batch_size).

    Args:
        datapipe: the source.
        batch_size: the number of items in a list.
        drop_last: whether to leave out a shorter list at the end. Default: False
        wrapper_class: the class of the lists. Default: DataChunk
    """

    def __init__(self, datapipe, batch_size, drop_last=False, wrapper_class=DataChunk):
        if batch_size <= 0:
            raise AssertionError("Batch size is required to be larger than 0!")
        self.datapipe, self.batch_size, self.drop_last, self.wrapper_class = datapipe, batch_size, drop_last, wrapper_class

    def __getitem__(self, index):
        begin = index * self.batch_size
        places = range(begin, min(begin + self.batch_size, len(self.datapipe)))
        if not places or (self.drop_last and len(places) < self.batch_size):
            raise IndexError(f"Index {index} is out of bound.")
        return self.wrapper_class([self.datapipe[i] for i in places])

    def __len__(self):
        items = len(self.datapipe)
        return items // self.batch_size if self.drop_last else -(-items // self.batch_size)


class ShufflerIterDataPipe(IterDataPipe):
    """Iterate over an indexed pipe in random order: pipe.shuffle().

    Args:
        datapipe: the source.
        indices: its indices. Default: None, for 0, 1, 2, ...
    """

    def __init__(self, datapipe, *, indices=None):
        self.datapipe, self.indices = datapipe, list(range(len(datapipe))) if indices is None else indices
        self._enabled, self._seed = True, None

    def set_shuffle(self, shuffle=True):
        """Switch shuffling on or off; return the pipe.

        Args:
            shuffle: the setting. Default: True
        """
        self._enabled = shuffle
        return self

    def set_seed(self, seed):
        """Set the seed of the next iteration; return the pipe.

        Args:
            seed: an int.
        """
        self._seed = seed
        return self

    def __iter__(self):
        order = list(self.indices)
        if self._enabled:
            if self._seed is None:
                self._seed = int(corten.empty((), dtype=corten.int64).random_().item())
            order = random.Random(self._seed).sample(order, len(order))
            self._seed = None
        for index in order:
            yield self.datapipe[index]

    def __len__(self):
        return len(self.datapipe)


MapDataPipe.register_datapipe_as_function("shuffle", ShufflerIterDataPipe)
Batcher, Concater, Mapper, SequenceWrapper, Shuffler, Zipper = (
    BatcherMapDataPipe, ConcaterMapDataPipe, MapperMapDataPipe, SequenceWrapperMapDataPipe, ShufflerIterDataPipe, ZipperMapDataPipe)

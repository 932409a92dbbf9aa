# SPDX-License-Identifier: BSD-3-Clause
"""Datasets: objects with __getitem__ and __len__, or with __iter__, and combinations of them."""
import bisect
import itertools
import math
import warnings
from typing import Generic, TypeVar

from ... import _C

__all__ = ["ChainDataset", "ConcatDataset", "Dataset", "IterableDataset", "StackDataset", "Subset", "TensorDataset",
           "random_split"]
_T_co = TypeVar("_T_co", covariant=True)


class Dataset(Generic[_T_co]):
    """Base class of datasets with an item for each index or key.

    Subclasses define __getitem__ and, for most samplers, __len__. An optional __getitems__(indices) fetches the items of a whole
    batch at once, as a list. dataset + dataset concatenates.

        >>> class Squares(torch.utils.data.Dataset):
        ...     def __len__(self):
        ...         return 4
        ...     def __getitem__(self, index):
        ...         return index ** 2
        >>> [batch.tolist() for batch in torch.utils.data.DataLoader(Squares(), batch_size=2)]
        [[0, 1], [4, 9]]
    """

    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset[_T_co]):
    """Base class of datasets that are iterated, such as streams. Subclasses define __iter__.

    With several workers each iterates over its own copy; split the items, or they come several times. dataset + dataset chains.

        >>> class Count(torch.utils.data.IterableDataset):
        ...     def __iter__(self):
        ...         info = torch.utils.data.get_worker_info()
        ...         first, step = (0, 1) if info is None else (info.id, info.num_workers)
        ...         return iter(range(first, 5, step))
        >>> [batch.tolist() for batch in torch.utils.data.DataLoader(Count(), batch_size=2)]
        [[0, 1], [2, 3], [4]]
    """

    def __add__(self, other):
        return ChainDataset([self, other])


class TensorDataset(Dataset):
    """A dataset of rows: item i is the tuple of row i of each tensor. DataLoader gathers its batches in one call.

    Args:
        tensors: tensors with equal sizes of dim 0.

        >>> rows = torch.utils.data.TensorDataset(torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([0, 1]))
        >>> len(rows), rows[1]
        (2, (tensor([3., 4.]), tensor(1)))
    """

    def __init__(self, *tensors):
        if any(tensors[0].size(0) != tensor.size(0) for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return self.tensors[0].size(0)


class StackDataset(Dataset):
    """Several datasets side by side: item i combines item i of each.

    Args:
        args: datasets of equal length; items are tuples.
        kwargs: named datasets instead; items are dicts.

        >>> pairs = torch.utils.data.StackDataset(image=["a.png", "b.png"], label=[0, 1])
        >>> pairs[1]
        {'image': 'b.png', 'label': 1}
    """

    def __init__(self, *args, **kwargs):
        if args and kwargs:
            raise ValueError("Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like input/output, but "
                             "both types are given.")
        if not args and not kwargs:
            raise ValueError("At least one dataset should be passed")
        sets = list(kwargs.values()) if kwargs else args
        self._length = len(sets[0])
        if any(self._length != len(dataset) for dataset in sets):
            raise ValueError("Size mismatch between datasets")
        self.datasets = kwargs or args

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {key: dataset[index] for key, dataset in self.datasets.items()}
        return tuple(dataset[index] for dataset in self.datasets)

    def __getitems__(self, indices):
        def column(dataset):
            if not callable(getattr(dataset, "__getitems__", None)):
                return [dataset[i] for i in indices]
            items = dataset.__getitems__(indices)
            if len(items) != len(indices):
                raise ValueError(f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(items)}")
            return items
        if isinstance(self.datasets, dict):
            columns = {key: column(dataset) for key, dataset in self.datasets.items()}
            return [{key: items[i] for key, items in columns.items()} for i in range(len(indices))]
        return list(zip(*(column(dataset) for dataset in self.datasets)))

    def __len__(self):
        return self._length


class ConcatDataset(Dataset[_T_co]):
    """Several datasets one after the other, as one dataset.

    Args:
        datasets: an iterable of datasets with __getitem__ and __len__.

        >>> both = torch.utils.data.ConcatDataset([[10, 11], [20]])
        >>> len(both), both[2]
        (3, 20)
    """

    @staticmethod
    def cumsum(sequence):
        """Return the index at which each dataset ends."""
        return list(itertools.accumulate(len(e) for e in sequence))

    def __init__(self, datasets):
        self.datasets = list(datasets)
        if len(self.datasets) == 0:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(d, IterableDataset) for d in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx):
        if idx < 0:
            if -idx > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            idx = len(self) + idx
        which = bisect.bisect_right(self.cumulative_sizes, idx)
        return self.datasets[which][idx - (self.cumulative_sizes[which - 1] if which else 0)]

    @property
    def cummulative_sizes(self):
        """The deprecated spelling of cumulative_sizes."""
        warnings.warn("cummulative_sizes attribute is renamed to cumulative_sizes", DeprecationWarning, stacklevel=2)
        return self.cumulative_sizes


class ChainDataset(IterableDataset):
    """Several iterable datasets, one after the other.

    Args:
        datasets: an iterable of IterableDatasets.
    """

    def __init__(self, datasets):
        self.datasets = datasets

    def _checked(self):
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield dataset

    def __iter__(self):
        for dataset in self._checked():
            yield from dataset

    def __len__(self):
        return sum(len(dataset) for dataset in self._checked())


class Subset(Dataset[_T_co]):
    """The items of a dataset at given indices.

    Args:
        dataset: the dataset.
        indices: a sequence of indices into it.

        >>> part = torch.utils.data.Subset(["a", "b", "c"], [2, 0])
        >>> [part[i] for i in range(len(part))]
        ['c', 'a']
    """

    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, idx):
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices):
        if type(self).__getitem__ is not Subset.__getitem__ and type(self).__getitems__ is Subset.__getitems__:
            raise NotImplementedError(
                f"{type(self).__name__} overrides __getitem__ but not __getitems__. When subclassing Subset and overriding "
                "__getitem__, you must also override __getitems__ to ensure DataLoader works correctly with your custom logic. "
                "A simple implementation:\n\ndef __getitems__(self, indices):\n    return [self.__getitem__(idx) for idx in "
                "indices]")
        chosen = [self.indices[i] for i in indices]
        if callable(getattr(self.dataset, "__getitems__", None)):
            return self.dataset.__getitems__(chosen)
        return [self.dataset[i] for i in chosen]

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=None):
    """Split a dataset at random into subsets without overlap.

    Args:
        dataset: the dataset.
        lengths: the lengths of the subsets, or fractions that sum to 1. Fractions are rounded down, and the items left over
            go to the first subsets, one each.
        generator: the random number generator, to make a split reproducible. Default: None, for the default one

    Returns a list of Subset.

        >>> train, test = torch.utils.data.random_split(range(10), [0.75, 0.25])
        >>> len(train), len(test)
        (8, 2)
    """
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        parts = []
        for i, fraction in enumerate(lengths):
            if fraction < 0 or fraction > 1:
                raise ValueError(f"Fraction at index {i} is not between 0 and 1")
            parts.append(math.floor(len(dataset) * fraction))
        for i in range(len(dataset) - sum(parts)):
            parts[i % len(parts)] += 1
        lengths = parts
        for i, length in enumerate(lengths):
            if length == 0:
                warnings.warn(f"Length of split at index {i} is 0. This might result in an empty dataset.", stacklevel=2)
    if sum(lengths) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    indices = _C.randperm(sum(lengths), generator=generator).tolist()
    return [Subset(dataset, indices[end - length:end]) for end, length in zip(itertools.accumulate(lengths), lengths)]

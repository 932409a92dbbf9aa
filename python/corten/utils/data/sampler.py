# SPDX-License-Identifier: BSD-3-Clause
"""Samplers: the order in which a loader takes the items of a dataset."""
import itertools
from typing import Generic, TypeVar

from ... import _C

__all__ = ["BatchSampler", "RandomSampler", "Sampler", "SequentialSampler", "SubsetRandomSampler", "WeightedRandomSampler"]
_T_co = TypeVar("_T_co", covariant=True)


class Sampler(Generic[_T_co]):
    """Base class of samplers: iterables of indices, or of lists of indices. Subclasses define __iter__ and, for len(), __len__.

        >>> class Reversed(torch.utils.data.Sampler):
        ...     def __init__(self, data):
        ...         self.data = data
        ...     def __iter__(self):
        ...         return reversed(range(len(self.data)))
        >>> [x.item() for x in torch.utils.data.DataLoader(range(3), sampler=Reversed(range(3)))]
        [2, 1, 0]
    """

    def __iter__(self):
        raise NotImplementedError


class SequentialSampler(Sampler[int]):
    """The indices 0, 1, 2, ... in order.

    Args:
        data_source: the dataset; only its length counts.
    """

    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """Random indices: a permutation at each epoch, or draws with replacement.

    Args:
        data_source: the dataset; only its length counts.
        replacement: True draws each index independently, so that some repeat. Default: False
        num_samples: the number of indices in an epoch; without replacement more than the length takes further
            permutations. Default: None, for the length
        generator: the random number generator. Default: None, for one seeded from the default one

        >>> sorted(torch.utils.data.RandomSampler(range(4)))
        [0, 1, 2, 3]
    """

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source, self.replacement, self._num_samples, self.generator = data_source, replacement, num_samples, generator
        if not isinstance(self.replacement, bool):
            raise TypeError(f"replacement should be a boolean value, but got replacement={self.replacement}")
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={self.num_samples}")

    @property
    def num_samples(self):
        """The number of indices in an epoch."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def _pieces(self):
        """Yield the indices as tensors."""
        n, count = len(self.data_source), self.num_samples
        generator = self.generator
        if generator is None:
            generator = _C.Generator()
            generator.manual_seed(int(_C.empty((), dtype=_C.int64).random_().item()))
        if self.replacement:
            for _ in range(count // 32):
                yield _C.randint(high=n, size=(32,), dtype=_C.int64, generator=generator)
            yield _C.randint(high=n, size=(count % 32,), dtype=_C.int64, generator=generator)
        else:
            for _ in range(count // n):
                yield _C.randperm(n, generator=generator)
            yield _C.randperm(n, generator=generator)[:count % n]

    def __iter__(self):
        for piece in self._pieces():
            yield from piece.tolist()

    def __len__(self):
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """A random permutation of given indices, drawn anew at each epoch.

    Args:
        indices: a sequence of indices.
        generator: the random number generator. Default: None, for the default one
    """

    def __init__(self, indices, generator=None):
        self.indices, self.generator = indices, generator

    def __iter__(self):
        for i in _C.randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Random indices drawn with given weights, for example to balance classes.

    Args:
        weights: a weight for each index, not negative; they need not sum to 1.
        num_samples: the number of indices in an epoch.
        replacement: False draws each index at most once; num_samples may then not exceed the number of positive weights.
            Default: True
        generator: the random number generator. Default: None, for the default one

        >>> list(torch.utils.data.WeightedRandomSampler([0., 1., 0.], 4))
        [1, 1, 1, 1]
    """

    def __init__(self, weights, num_samples, replacement=True, generator=None):
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={num_samples}")
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement should be a boolean value, but got replacement={replacement}")
        weights = _C.as_tensor(weights, dtype=_C.float64)
        if len(weights.shape) != 1:
            raise ValueError(f"weights should be a 1d sequence but given weights have shape {tuple(weights.shape)}")
        self.weights, self.num_samples, self.replacement, self.generator = weights, num_samples, replacement, generator

    def __iter__(self):
        yield from _C.multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator).tolist()

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler[list]):
    """Lists of batch_size indices from another sampler.

    Args:
        sampler: an iterable of indices.
        batch_size: the number of indices in a list.
        drop_last: whether to leave out a last list that is shorter.

        >>> list(torch.utils.data.BatchSampler(range(5), batch_size=2, drop_last=False))
        [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler, batch_size, drop_last):
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self):
        indices = iter(self.sampler)
        while batch := [*itertools.islice(indices, self.batch_size)]:
            if self.drop_last and len(batch) < self.batch_size:
                return
            yield batch

    def __len__(self):
        whole, rest = divmod(len(self.sampler), self.batch_size)
        return whole if self.drop_last or not rest else whole + 1

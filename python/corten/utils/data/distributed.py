# SPDX-License-Identifier: BSD-3-Clause
"""A sampler that gives each process its share of a dataset."""
import math

from ... import _C
from .sampler import Sampler

__all__ = ["DistributedSampler"]


class DistributedSampler(Sampler):
    """Sample a share of the indices for each process of a distributed job.

    All processes shuffle alike, from seed + epoch; process `rank` takes every num_replicas-th index. Call set_epoch() before
    each epoch, or every epoch has the same order.

    Args:
        dataset: the dataset.
        num_replicas: the number of processes. Default: None, for the size of the process group
        rank: the number of this process. Default: None, for the rank in the process group
        shuffle: whether to shuffle. Default: True
        seed: the seed of the order; the same in all processes. Default: 0
        drop_last: how to give all processes equally many indices: True leaves out the last ones, False repeats the first
            ones. Default: False

        >>> for rank in range(2):
        ...     print(list(torch.utils.data.DistributedSampler(range(5), num_replicas=2, rank=rank, shuffle=False)))
        [0, 2, 4]
        [1, 3, 0]
    """

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        if num_replicas is None or rank is None:
            num_replicas, rank = self._ask(num_replicas, rank)
        if rank >= num_replicas or rank < 0:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset, self.num_replicas, self.rank, self.epoch, self.drop_last = dataset, num_replicas, rank, 0, drop_last
        if drop_last and len(dataset) % num_replicas != 0:
            self.num_samples = math.ceil((len(dataset) - num_replicas) / num_replicas)
        else:
            self.num_samples = math.ceil(len(dataset) / num_replicas)
        self.total_size = self.num_samples * num_replicas
        self.shuffle, self.seed = shuffle, seed

    @staticmethod
    def _ask(num_replicas, rank):
        try:
            from ... import distributed
        except ImportError:
            distributed = None
        if distributed is None or not distributed.is_available():
            raise RuntimeError("Requires distributed package to be available")
        return (distributed.get_world_size() if num_replicas is None else num_replicas,
                distributed.get_rank() if rank is None else rank)

    def __iter__(self):
        n = len(self.dataset)
        if self.shuffle:
            generator = _C.Generator()
            generator.manual_seed(self.seed + self.epoch)
            indices = _C.randperm(n, generator=generator).tolist()
        else:
            indices = list(range(n))
        if not self.drop_last:  # repeat the first indices until all processes have as many
            missing = self.total_size - n
            indices += (indices * math.ceil(missing / n))[:missing]
        return iter(indices[self.rank:self.total_size:self.num_replicas])

    def __len__(self):
        return self.num_samples

    def set_epoch(self, epoch):
        """Set the number of the epoch, which changes the order.

        Args:
            epoch: the number.
        """
        self.epoch = epoch

# SPDX-License-Identifier: BSD-3-Clause
"""The worker process of a loader: receives lists of indices and sends batches back."""
import os
import random
import sys
from dataclasses import dataclass
from multiprocessing import parent_process
from multiprocessing.connection import wait

from .... import _C
from ...._utils import ExceptionWrapper
from .channel import Channel, close_inherited

CHECK_INTERVAL = 2.0  # seconds after which an idle worker checks that the loader's process is alive
_worker_info = None


class WorkerInfo:
    """The attributes id, num_workers, seed and dataset of a worker process; see get_worker_info."""

    def __init__(self, **values):
        self.__dict__.update(values, _WorkerInfo__keys=tuple(values))

    def __setattr__(self, key, value):
        raise RuntimeError(f"Cannot assign attributes to {type(self).__name__} objects")

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{key}={getattr(self, key)}' for key in self._WorkerInfo__keys)})"


def get_worker_info():
    """Return information on the current worker process, or None in the main process.

    In a worker the result has the attributes id (from 0), num_workers, seed (of this worker, set at its start) and dataset (its
    copy). See IterableDataset for an example.
    """
    return _worker_info


@dataclass(frozen=True)
class _IterableDatasetStopIteration:
    worker_id: int


@dataclass(frozen=True)
class _ResumeIteration:
    seed: int = None


class ManagerWatchdog:
    """Checks whether the process that started this worker is alive."""

    def __init__(self):
        self.manager_pid, self.manager_dead = os.getppid(), False

    def is_alive(self):
        """Return whether it is alive; once False, always False."""
        self.manager_dead = self.manager_dead or os.getppid() != self.manager_pid
        return not self.manager_dead


def _generate_state(base_seed, worker_id):
    """Return four 32-bit words to seed NumPy's generator, mixed as in PyTorch (the hash of NumPy's SeedSequence)."""
    mask = 0xFFFFFFFF
    entropy = (worker_id, base_seed & mask, base_seed >> 32, 0)
    pool, const = [0] * 4, 0x43B0D7E5

    def hash_word(value):
        nonlocal const
        value = (value ^ const) & mask
        const = const * 0x931E8875 & mask
        value = value * const & mask
        return (value ^ value >> 16) & mask

    def mix(x, y):
        result = (0xCA01F9DD * x & mask) - (0x4973F715 * y & mask) & mask
        return (result ^ result >> 16) & mask
    for i in range(4):
        pool[i] = hash_word(entropy[i])
    for source in range(4):
        for target in range(4):
            if source != target:
                pool[target] = mix(pool[target], hash_word(pool[source]))
    const, state = 0x8B51F9DD, []
    for word in pool:
        value = (word ^ const) & mask
        const = const * 0x58F38DED & mask
        value = value * const & mask
        state.append((value ^ value >> 16) & mask)
    return state


def _seed(base_seed, worker_id):
    seed = base_seed + worker_id
    random.seed(seed)
    _C.manual_seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(_generate_state(base_seed, worker_id))
    return seed


def _put(channel, number, data, where):
    """Send a batch; if it cannot be sent, send the error."""
    try:
        return channel.put(number, data)
    except Exception:
        if not isinstance(data, ExceptionWrapper):
            data = ExceptionWrapper(where=where)
        try:
            return channel.put(number, data)
        except Exception:  # the loader's process cannot import the error's class: send its message
            data.exc_type = RuntimeError
            return channel.put(number, data)


def begin_pipe(pipe, seed, num_workers, worker_id):
    """Prepare a data pipe for an epoch: all processes shuffle alike (`seed`), and each takes its share."""
    from ..graph_settings import apply_random_seed, apply_sharding
    from .... import distributed
    ranks, rank = 1, 0
    if distributed.is_available() and distributed.is_initialized():
        ranks, rank = distributed.get_world_size(), distributed.get_rank()
    if seed is not None:
        apply_random_seed(pipe, _C.Generator().manual_seed(seed))
    apply_sharding(pipe, num_workers * ranks, worker_id * ranks + rank)


class _Parent:
    """The process that started this one. getppid() is not enough: with a fork server it is the server's id."""

    def __init__(self):
        self.parent, self.pid = parent_process(), os.getppid()

    def is_alive(self):
        return os.getppid() == self.pid and (self.parent is None or self.parent.is_alive())


class _Work:
    """The state and the job handlers of a worker."""

    def __init__(self, worker_id, kind, init_fn, make):
        self.where = f"in DataLoader worker process {worker_id}"
        self.worker_id, self.kind, self.make = worker_id, kind, make
        self.init_fn, self.fetcher, self.failed, self.ended = init_fn, None, None, False

    def begin_epoch(self):
        """Prepare the dataset and, in the first epoch, the worker. A failure here fails every job of the epoch."""
        self.ended, self.failed = False, None
        try:
            if self.init_fn is not None:
                self.init_fn(self.worker_id)
                self.init_fn = None
            self.fetcher = self.make()
        except Exception:
            self.failed = ExceptionWrapper(where=self.where)

    def batch(self, index):
        """Return the batch for a list of indices, an error, or a marker that the dataset has ended."""
        if self.failed is not None or isinstance(index, ExceptionWrapper):
            return self.failed or index
        try:
            return self.fetcher.fetch(index)
        except Exception as error:
            from ..dataloader import _DatasetKind
            self.ended = isinstance(error, StopIteration) and self.kind == _DatasetKind.Iterable
            return _IterableDatasetStopIteration(self.worker_id) if self.ended else ExceptionWrapper(where=self.where)


def _worker_loop(kind, dataset, connection, auto_collation, collate_fn, drop_last, base_seed, init_fn, worker_id, num_workers,
                 shared_seed=None):
    """Serve jobs until the loader sends the end or is gone."""
    from ..dataloader import _DatasetKind
    from ..datapipes import IterDataPipe, MapDataPipe
    global _worker_info
    close_inherited()
    parent, channel = _Parent(), Channel(connection)
    try:
        _C.set_num_threads(1)
        seed = _seed(base_seed, worker_id)
        _worker_info = WorkerInfo(id=worker_id, num_workers=num_workers, seed=seed, dataset=dataset)
        work = _Work(worker_id, kind, init_fn, lambda: _DatasetKind.create_fetcher(
            kind, dataset, auto_collation, collate_fn, drop_last))
        is_pipe = isinstance(dataset, (IterDataPipe, MapDataPipe))
        if is_pipe:
            begin_pipe(dataset, shared_seed, num_workers, worker_id)
        work.begin_epoch()
        while not channel.hung_up() and parent.is_alive():
            if not wait([channel], CHECK_INTERVAL):
                continue
            try:
                number, job = channel.get()
            except (EOFError, ConnectionError):
                break
            if number < 0 and job is None:
                break
            if number < 0:
                if is_pipe:
                    begin_pipe(dataset, job.seed, num_workers, worker_id)
                work.begin_epoch()
            elif not work.ended:
                _put(channel, number, work.batch(job), work.where)
            del job
        channel.finish()
    except KeyboardInterrupt:
        pass  # the main process raises it
    finally:
        _worker_info = None

# SPDX-License-Identifier: BSD-3-Clause
"""DataLoader: batches of a dataset, in this process or by worker processes.

A loader over rows of tensors does not fetch items one by one: the rows of a batch are gathered in one call (`_TensorIter`).
Workers send batches through shared memory; a worker that raises or dies is reported, with its traceback or its signal.
"""
import itertools
import os
import signal
import time
import warnings
from collections.abc import Callable
from multiprocessing import connection
from pickle import PicklingError
from typing import Any, Generic, TypeVar

from ... import _C
from ..._utils import ExceptionWrapper
from ._utils import collate, fetch
from ._utils.channel import Channel
from ._utils.pin_memory import pin_memory
from ._utils.worker import _IterableDatasetStopIteration, _ResumeIteration, _worker_loop, begin_pipe
from .datapipes import IterDataPipe, MapDataPipe
from .dataset import Dataset, IterableDataset, Subset, TensorDataset  # noqa: F401
from .sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler

__all__ = ["DataLoader", "default_collate", "default_convert", "get_worker_info"]
default_collate, default_convert = collate.default_collate, collate.default_convert
from ._utils.worker import get_worker_info  # noqa: E402

T = TypeVar("T", covariant=True)
_collate_fn_t = Callable[[list[T]], Any]
_worker_init_fn_t = Callable[[int], None]
DYING_SECONDS = 2  # the longest wait for a worker to exit after its connection broke


class _DatasetKind:
    """The two kinds of datasets: with an index, and iterable."""

    Map, Iterable = 0, 1

    @staticmethod
    def create_fetcher(kind, dataset, auto_collation, collate_fn, drop_last):
        """Return the object that fetches items from a dataset of this kind."""
        made = fetch._MapDatasetFetcher if kind == _DatasetKind.Map else fetch._IterableDatasetFetcher
        return made(dataset, auto_collation, collate_fn, drop_last)


class _InfiniteConstantSampler(Sampler):
    """An endless sampler of None, for datasets that have no indices."""

    def __iter__(self):
        return itertools.repeat(None)


class DataLoader(Generic[T]):
    """Iterate over a dataset in batches.

    For each batch the sampler chooses indices, the dataset returns the items, and collate_fn combines them: by default tensors
    are stacked and numbers become tensors. With num_workers > 0, processes do this ahead of time.

    Args:
        dataset: an object with __getitem__ and __len__, or an IterableDataset.
        batch_size: the number of items in a batch; None yields single items. Default: 1
        shuffle: True draws a new random order at each epoch. Default: None, for False
        sampler: an iterable of indices, instead of shuffle. Default: None
        batch_sampler: an iterable of lists of indices, instead of batch_size, shuffle, sampler and drop_last. Default: None
        num_workers: the number of processes that fetch batches; 0 fetches in this process. Default: 0
        collate_fn: a function from a list of items to a batch. Default: None, for default_collate (default_convert without
            batches)
        pin_memory: True puts tensors in page-locked memory, from where copies to a GPU are faster. Default: False
        drop_last: True leaves out a last batch that is shorter. Default: False
        timeout: the seconds to wait for a batch from a worker before RuntimeError; 0 waits forever. Default: 0
        worker_init_fn: a function called in each worker with its number, before the first item. Default: None
        multiprocessing_context: how workers are started: "fork", "spawn", "forkserver" or a context. Default: None, for the
            default of multiprocessing
        generator: the random number generator of the order and of the workers' seeds. Default: None, for the default one
        prefetch_factor: the number of batches each worker fetches ahead. Default: None, for 2 with workers
        persistent_workers: True keeps the workers for the next epoch. Default: False
        pin_memory_device: deprecated, without effect. Default: ""
        in_order: False yields batches as they arrive, so that a slow one does not hold up the others. Default: True

    Each worker has its own copy of the dataset, and its own seed. An error in a worker is raised here, with the worker's
    traceback. With an IterableDataset every worker iterates over a full copy; split the items with get_worker_info().

        >>> from corten.utils.data import DataLoader, TensorDataset
        >>> rows = TensorDataset(corten.arange(5), corten.arange(5) * 10)
        >>> for x, y in DataLoader(rows, batch_size=2):
        ...     print(x, y)
        tensor([0, 1]) tensor([ 0, 10])
        tensor([2, 3]) tensor([20, 30])
        tensor([4]) tensor([40])
    """
    _DataLoader__initialized = False
    _multiprocessing_context = None

    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,
                 pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None,
                 generator=None, *, prefetch_factor=None, persistent_workers=False, pin_memory_device="", in_order=True):
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError("prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable "
                             "multiprocessing, otherwise set prefetch_factor to None.")
        if num_workers > 0 and prefetch_factor is None:
            prefetch_factor = 2
        if prefetch_factor is not None and prefetch_factor < 0:
            raise ValueError("prefetch_factor option should be non-negative")
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        if isinstance(dataset, IterDataPipe) and shuffle is not None:
            from .graph_settings import apply_shuffle_settings
            dataset, shuffle = apply_shuffle_settings(dataset, shuffle), None
        self.dataset, self.num_workers, self.prefetch_factor, self.pin_memory = dataset, num_workers, prefetch_factor, pin_memory
        self.pin_memory_device, self.timeout, self.worker_init_fn, self.in_order = (pin_memory_device, timeout, worker_init_fn,
                                                                                   in_order)
        self.multiprocessing_context = multiprocessing_context
        self._dataset_kind = self._check_kind(dataset, shuffle, sampler, batch_sampler)
        shuffle = bool(shuffle)
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError("batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last")
            batch_size, drop_last = None, False
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        if sampler is None:
            if self._dataset_kind == _DatasetKind.Iterable:
                sampler = _InfiniteConstantSampler()
            else:
                sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size, self.drop_last, self.sampler, self.batch_sampler = batch_size, drop_last, sampler, batch_sampler
        self.generator, self.persistent_workers = generator, persistent_workers
        if collate_fn is None:
            collate_fn = default_collate if self._auto_collation else default_convert
        self.collate_fn = collate_fn
        self._DataLoader__initialized = True
        self._IterableDataset_len_called = self._iterator = None
        self.check_worker_number_rationality()

    @staticmethod
    def _check_kind(dataset, shuffle, sampler, batch_sampler):
        if not isinstance(dataset, IterableDataset):
            return _DatasetKind.Map
        if shuffle not in (False, None):
            raise ValueError(f"DataLoader with IterableDataset: expected unspecified shuffle option, but got shuffle={shuffle}")
        if sampler is not None:
            raise ValueError(f"DataLoader with IterableDataset: expected unspecified sampler option, but got sampler={sampler}")
        if batch_sampler is not None:
            raise ValueError("DataLoader with IterableDataset: expected unspecified batch_sampler option, but got "
                             f"batch_sampler={batch_sampler}")
        return _DatasetKind.Iterable

    @property
    def multiprocessing_context(self):
        """How workers are started: a context of multiprocessing, or None for the default."""
        return self._multiprocessing_context

    @multiprocessing_context.setter
    def multiprocessing_context(self, context):
        if context is not None:
            import multiprocessing as python_multiprocessing
            if self.num_workers == 0:
                raise ValueError("multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got "
                                 f"num_workers={self.num_workers}")
            if isinstance(context, str):
                methods = python_multiprocessing.get_all_start_methods()
                if context not in methods:
                    raise ValueError(f"multiprocessing_context option should specify a valid start method in {methods!r}, but "
                                     f"got multiprocessing_context={context!r}")
                context = python_multiprocessing.get_context(context)
            if not isinstance(context, python_multiprocessing.context.BaseContext):
                raise TypeError("multiprocessing_context option should be a valid context object or a string specifying the "
                                f"start method, but got multiprocessing_context={context}")
        self._multiprocessing_context = context

    def __setattr__(self, name, value):
        if self._DataLoader__initialized and name in ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset",
                                                      "persistent_workers"):
            raise ValueError(f"{name} attribute should not be set after {type(self).__name__} is initialized")
        super().__setattr__(name, value)

    def _get_iterator(self):
        if self.num_workers:
            return _MultiProcessingDataLoaderIter(self)
        return _TensorIter(self) if _has_rows(self) else _SingleProcessDataLoaderIter(self)

    def __iter__(self):
        if not (self.persistent_workers and self.num_workers > 0):
            return self._get_iterator()
        if self._iterator is None:
            self._iterator = self._get_iterator()
        else:
            self._iterator._reset(self)
        return self._iterator

    @property
    def _auto_collation(self):
        return self.batch_sampler is not None

    @property
    def _index_sampler(self):
        return self.batch_sampler if self._auto_collation else self.sampler

    def __len__(self):
        if self._dataset_kind == _DatasetKind.Map:
            return len(self._index_sampler)
        length = self._IterableDataset_len_called = len(self.dataset)
        if self.batch_size is None:
            return length
        return length // self.batch_size if self.drop_last else -(-length // self.batch_size)

    def check_worker_number_rationality(self):
        """Warn if there are more workers than processors."""
        most = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        if self.num_workers and most is not None and self.num_workers > most:
            warnings.warn(
                f"This DataLoader will create {self.num_workers} worker processes in total. Our suggested max number of worker "
                f"in current system is {most}, which is smaller than what this DataLoader is going to create. Please be aware "
                "that excessive worker creation might get DataLoader running slow or even freeze, lower the worker number to "
                "avoid potential slowness/freeze if necessary.", stacklevel=3)


class _BaseDataLoaderIter:
    """One epoch. Draws the order and the seed of the workers as PyTorch does."""

    def __init__(self, loader):
        self._dataset, self._dataset_kind = loader.dataset, loader._dataset_kind
        self._auto_collation, self._drop_last = loader._auto_collation, loader.drop_last
        self._index_sampler, self._num_workers = loader._index_sampler, loader.num_workers
        self._timeout, self._collate_fn = loader.timeout, loader.collate_fn
        if self._num_workers == 0 and self._timeout != 0:
            raise AssertionError("_SingleProcessDataLoaderIter requires timeout == 0")
        self._IterableDataset_len_called = loader._IterableDataset_len_called
        if loader.pin_memory and loader.pin_memory_device:
            warnings.warn("pin_memory_device is deprecated, the current accelerator will be used as the device,"
                          f"ignore pin_memory_device='{loader.pin_memory_device}'.", stacklevel=4)
        self._pin_memory = bool(loader.pin_memory) and self._has_accelerator()
        self._shared_seed = _shared_seed(loader)
        self._sampler_iter = iter(self._index_sampler)
        self._base_seed = _draw_seed(loader.generator)
        self._persistent_workers, self._num_yielded = loader.persistent_workers, 0

    @staticmethod
    def _has_accelerator():
        from ... import accelerator
        if accelerator.is_available():
            return True
        warnings.warn("'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be used.",
                      stacklevel=5)
        return False

    def __iter__(self):
        return self

    def _reset(self, loader):
        self._shared_seed = _shared_seed(loader)
        self._sampler_iter, self._num_yielded = iter(self._index_sampler), 0
        self._IterableDataset_len_called = loader._IterableDataset_len_called

    def _next_index(self):
        return next(self._sampler_iter)

    def __next__(self):
        data = self._next_data()
        self._num_yielded += 1
        most = self._IterableDataset_len_called
        if self._dataset_kind == _DatasetKind.Iterable and most is not None and self._num_yielded > most:
            text = f"Length of IterableDataset {self._dataset} was reported to be {most}(when accessing len(dataloader)), but " \
                   f"{self._num_yielded} samples have been fetched. "
            if self._num_workers > 0:
                text += ("For multiprocessing data-loading, this could be caused by not properly configuring the IterableDataset "
                         "replica at each worker. Please see https://pytorch.org/docs/stable/data.html"
                         "#torch.utils.data.IterableDataset for examples.")
            warnings.warn(text, stacklevel=2)
        return pin_memory(data) if self._pin_memory else data

    def __len__(self):
        return len(self._index_sampler)

    def __getstate__(self):
        raise NotImplementedError("{} cannot be pickled", type(self).__name__)


def _draw_seed(generator):
    return _C.empty((), dtype=_C.int64).random_(generator=generator).item()


def _shared_seed(loader):
    """Return the seed with which all workers seed the random pipes of a data pipe, so that they split one order; else None."""
    if not isinstance(loader.dataset, IterDataPipe):
        return None
    from ... import distributed
    seed = _C.empty((), dtype=_C.int64).random_(generator=loader.generator)
    if distributed.is_available() and distributed.is_initialized():
        distributed.broadcast(seed, src=0)
    return seed.item()


def _sharding_worker_init_fn(worker_init_fn, world_size, rank_id, worker_id):
    """Make a worker take its part of a data pipe's items, among all workers of all ranks."""
    info = get_worker_info()
    from .graph_settings import apply_sharding
    apply_sharding(info.dataset, info.num_workers * world_size, worker_id * world_size + rank_id)
    if worker_init_fn is not None:
        worker_init_fn(worker_id)


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """Fetches items in this process, one by one."""

    def __init__(self, loader):
        super().__init__(loader)
        if isinstance(self._dataset, (IterDataPipe, MapDataPipe)):
            begin_pipe(self._dataset, self._shared_seed, 1, 0)
        self._fetcher = _DatasetKind.create_fetcher(self._dataset_kind, self._dataset, self._auto_collation, self._collate_fn,
                                                    self._drop_last)

    def _next_data(self):
        return self._fetcher.fetch(self._next_index())


# ---- rows of tensors ----

def _has_rows(loader):
    """Return whether batches can be gathered: rows of tensors, standard samplers, standard collation."""
    dataset = loader.dataset.dataset if type(loader.dataset) is Subset else loader.dataset
    return (type(dataset) is TensorDataset and loader.collate_fn is default_collate
            and type(loader.batch_sampler) is BatchSampler
            and type(loader.batch_sampler.sampler) in (RandomSampler, SequentialSampler)
            and all(type(t) is _C.Tensor for t in dataset.tensors)
            and collate.default_collate_fn_map[_C.Tensor] is collate.collate_tensor_fn)


class _TensorIter(_BaseDataLoaderIter):
    """Batches of rows: the order is a tensor, and each part of it gathers a batch."""

    def __init__(self, loader):
        super().__init__(loader)
        self._batches = self._walk(loader)

    def _walk(self, loader):
        batches = loader.batch_sampler  # loader.sampler may differ from the one inside
        sampler, size = batches.sampler, batches.batch_size
        subset = type(self._dataset) is Subset
        tensors = (self._dataset.dataset if subset else self._dataset).tensors
        ordered = type(sampler) is SequentialSampler
        order = None if ordered else _C.cat(list(sampler._pieces()))
        if subset:
            chosen = _C.as_tensor(self._dataset.indices, dtype=_C.int64)
            order = chosen if ordered else chosen[order]
        count = len(sampler)
        if batches.drop_last:
            count -= count % size
        for at in range(0, count, size):
            end = min(at + size, count)
            if order is None:
                yield [t[at:end].clone() for t in tensors]
            else:
                index = order[at:end]
                yield [t.index_select(0, index) for t in tensors]

    def _next_data(self):
        return next(self._batches)


# ---- workers ----

class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """Worker processes fetch batches ahead.

    Each worker has a channel that carries jobs (number, indices) there and batches back. Workers do not share a queue: one
    that is killed while it writes would hold the queue's lock forever. Jobs go round robin, as in PyTorch, and batches are
    yielded by number; `_known` holds those that came early, and the worker of each job.

    If a job raises, a worker dies or a timeout expires, one call of next() raises an error; later calls return the remaining batches.
    """

    def __init__(self, loader):
        super().__init__(loader)
        from ... import multiprocessing
        if loader.prefetch_factor <= 0:
            raise AssertionError("prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter")
        self._context = loader.multiprocessing_context or multiprocessing
        self._prefetch, self._in_order, self._init_fn = loader.prefetch_factor, loader.in_order, loader.worker_init_fn
        self._channels, self._workers = [None] * self._num_workers, [None] * self._num_workers
        self._sent = self._given = 0  # the numbers of the next job and of the next batch to yield
        self._closed, self._owner, self._patience = False, os.getpid(), 0.2
        try:
            for i in range(self._num_workers):
                self._start(i)
        except BaseException:
            self._shutdown_workers()
            raise
        self._begin()
        self._patience = 5.  # seconds that workers get to exit by themselves

    def _start(self, i):
        ours, theirs = self._context.Pipe()
        channel = Channel(ours)
        worker = self._context.Process(target=_worker_loop, daemon=True, args=(
            self._dataset_kind, self._dataset, theirs, self._auto_collation, self._collate_fn, self._drop_last, self._base_seed,
            self._init_fn, i, self._num_workers, self._shared_seed))
        try:
            worker.start()
        except (TypeError, AttributeError, PicklingError):
            warnings.warn(
                "Got pickle error when attempting to start a worker Process. This might be because the worker Process arguments "
                "are not picklable. Python 3.14+ changed the multiprocessing start method in non-Mac POSIX platforms to "
                "'forkserver', which requires the worker Process arguments to be picklable. You can also try "
                "multiprocessing.set_start_method('fork').", stacklevel=5)
            raise
        theirs.close()  # the worker's end must be the only one, so that its death ends our reads
        self._channels[i], self._workers[i] = channel, worker

    def _begin(self):
        """Send the first jobs of an epoch. Numbers continue, so that late results are not mistaken for new ones."""
        self._given, self._waiting, self._known = self._sent, 0, {}
        self._lost = {}  # {worker that died: its error}, raised when its first missing batch is due
        self._active = [True] * self._num_workers
        self._turns = itertools.cycle(range(self._num_workers))
        for _ in range(self._prefetch * self._num_workers):
            self._send()

    def _reset(self, loader):
        super()._reset(loader)
        for i, worker in enumerate(self._workers):
            if worker.is_alive():
                self._channels[i].put(-1, _ResumeIteration(self._shared_seed))
            else:  # it died in the last epoch
                self._start(i)
        self._begin()

    def _send(self):
        """Send a job to the next active worker."""
        if self._waiting >= self._prefetch * self._num_workers or not any(self._active):
            return
        try:
            index = self._next_index()
        except StopIteration:
            return
        worker = next(self._turns)
        while not self._active[worker]:
            worker = next(self._turns)
        self._channels[worker].put(self._sent, index)
        self._known[self._sent] = (worker,)
        self._waiting += 1
        self._sent += 1

    def __next__(self):
        try:
            return super().__next__()
        except KeyboardInterrupt:
            self._patience = 0.2  # after Ctrl-C do not wait long for workers
            raise

    def _receive(self):
        """Return the next (number, batch) from any worker; number is None if a worker has died."""
        channels = {self._channels[i]: i for i, active in enumerate(self._active) if active}
        ends = {self._workers[i].sentinel: i for i in channels.values()}
        ready = connection.wait([*channels, *ends], self._timeout or None)
        if not ready:
            raise RuntimeError(f"DataLoader timed out after {self._timeout} seconds")
        source = next((source for source in ready if source in channels), None)
        try:
            if source is not None:
                return source.get()
        except (EOFError, OSError):
            pass
        which = ends[ready[0]] if source is None else channels[source]
        self._active[which] = False
        self._lost[which] = self._why(self._workers[which])
        return None, None

    @staticmethod
    def _why(worker):
        """Return the error for a worker that ended although it has work."""
        worker.join(DYING_SECONDS)  # its files close before it exits
        code = worker.exitcode
        if code is None or code >= 0:
            return RuntimeError(f"DataLoader worker (pid(s) {worker.pid}) exited unexpectedly")
        text = f"DataLoader worker (pid {worker.pid}) is killed by signal: {signal.strsignal(-code)}. "
        if -code == signal.SIGBUS:
            text += "It is possible that dataloader's workers are out of shared memory. Please try to raise your shared " \
                    "memory limit."
        return RuntimeError(text)

    def _retire(self, worker):
        """Note that a worker has reached the end of its iterable dataset."""
        self._active[worker] = False
        if not self._persistent_workers:
            self._channels[worker].put(-1, None)

    def _skip(self):
        """Skip the jobs of workers that have ended; return whether a batch is left. Raises if one of the jobs is lost."""
        while self._given < self._sent:
            job = self._known.get(self._given)
            if job is not None and (len(job) == 2 or self._active[job[0]]):
                return True
            self._given += 1
            if job is not None:
                self._waiting -= 1
                del self._known[self._given - 1]
                self._send()
                if job[0] in self._lost:
                    raise self._lost.pop(job[0])
        return False

    def _next_data(self):
        while self._skip():
            job = self._known[self._given]
            if len(job) == 2:
                del self._known[self._given]
                self._given += 1
                return self._process(job[1])
            number, data = self._receive()
            if number not in self._known:
                continue
            self._waiting -= 1
            if isinstance(data, _IterableDatasetStopIteration):
                self._retire(data.worker_id)
                del self._known[number]
                self._send()
            elif number == self._given or not self._in_order:
                del self._known[number]
                self._given += number == self._given
                return self._process(data)
            else:
                self._known[number] = (self._known[number][0], data)
        if not self._persistent_workers:
            self._shutdown_workers()
        raise StopIteration

    def _process(self, data):
        self._send()
        if isinstance(data, ExceptionWrapper):
            data.reraise()
        return data

    def _shutdown_workers(self):
        """Ask all workers to end, and terminate those that do not."""
        if self._closed:
            return
        self._closed = True
        started = [i for i, worker in enumerate(self._workers) if worker is not None]
        try:
            for i in started:
                self._channels[i].close()  # which also releases the memory of unread batches
            end = time.monotonic() + self._patience
            for i in started:
                self._workers[i].join(max(0., end - time.monotonic()))
            for i in started:
                if self._workers[i].is_alive():
                    self._workers[i].terminate()
                    self._workers[i].join()
        except (ImportError, AttributeError, TypeError):
            pass  # the interpreter is shutting down; workers are daemons

    def __del__(self):
        if not getattr(self, "_closed", True) and self._owner == os.getpid():  # skip copies in forked processes
            self._shutdown_workers()

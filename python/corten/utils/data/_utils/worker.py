# SPDX-License-Identifier: BSD-3-Clause
"""What a worker process of a loader does: takes lists of indices from a queue, puts batches into another."""
import os
import queue
import random
import sys
from dataclasses import dataclass

from .... import _C
from ...._utils import ExceptionWrapper

CHECK_INTERVAL = 2.0  # seconds after which a worker looks whether anybody is still there
_worker_info = None


class WorkerInfo:
    """id, num_workers, seed and dataset of the worker process that asks."""

    def __init__(self, **values):
        self.__dict__.update(values, _WorkerInfo__keys=tuple(values))

    def __setattr__(self, key, value):
        raise RuntimeError(f"Cannot assign attributes to {type(self).__name__} objects")

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{key}={getattr(self, key)}' for key in self._WorkerInfo__keys)})"


def get_worker_info():
    """In a worker process its number, their count, its seed and data set; None elsewhere."""
    return _worker_info


@dataclass(frozen=True)
class _IterableDatasetStopIteration:
    worker_id: int


@dataclass(frozen=True)
class _ResumeIteration:
    seed: int = None


def _numpy_seed(base_seed, worker_id):
    """Four words for NumPy's generator, as PyTorch mixes them (the hash of NumPy's SeedSequence)."""
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
        numpy.random.seed(_numpy_seed(base_seed, worker_id))
    return seed


def _packed(data, where):
    """A batch as bytes, with its tensors in shared memory; what cannot be sent is an error like any other."""
    from multiprocessing.reduction import ForkingPickler
    try:
        return bytes(ForkingPickler.dumps(data))
    except Exception:
        return bytes(ForkingPickler.dumps(ExceptionWrapper(where=where)))


def _worker_loop(kind, dataset, index_queue, data_queue, done, auto_collation, collate_fn, drop_last, base_seed, init_fn,
                 worker_id, num_workers, parent):
    """Runs in the worker until the loader says that it is over, or is gone."""
    from ..dataloader import _DatasetKind
    global _worker_info
    where = f"in DataLoader worker process {worker_id}"
    try:
        _C.set_num_threads(1)
        seed = _seed(base_seed, worker_id)
        _worker_info = WorkerInfo(id=worker_id, num_workers=num_workers, seed=seed, dataset=dataset)
        failed, fetcher, ended = None, None, False
        try:
            if init_fn is not None:
                init_fn(worker_id)
            fetcher = _DatasetKind.create_fetcher(kind, dataset, auto_collation, collate_fn, drop_last)
        except Exception:
            failed = ExceptionWrapper(where=where)
        while os.getppid() == parent:
            try:
                job = index_queue.get(timeout=CHECK_INTERVAL)
            except queue.Empty:
                continue
            if job is None:
                break
            if isinstance(job, _ResumeIteration):
                data_queue.put((job, None))
                ended = False
                fetcher = _DatasetKind.create_fetcher(kind, dataset, auto_collation, collate_fn, drop_last)
                continue
            if done.is_set() or ended:
                continue
            number, index = job
            if failed is not None:
                data, failed = failed, None
            else:
                try:
                    data = fetcher.fetch(index)
                except StopIteration if kind == _DatasetKind.Iterable else ():
                    data, ended = _IterableDatasetStopIteration(worker_id), True
                except Exception:
                    data = ExceptionWrapper(where=where)
            data_queue.put((number, _packed(data, where)))
            del data, number, index, job
    except KeyboardInterrupt:
        pass  # the main process raises it
    finally:
        _worker_info = None
    if done.is_set():
        data_queue.cancel_join_thread()
        data_queue.close()

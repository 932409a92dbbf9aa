# SPDX-License-Identifier: BSD-3-Clause
"""Compares the order of items of torch.utils.data with PyTorch 2.15's (cases/data_order_cases.py), and tests loader workers."""
import collections
import os
import pathlib
import pickle
import random
import signal
import subprocess
import sys
import time
import typing

import pytest
import recorded

import corten
from corten.utils.data import (BatchSampler, ChainDataset, ConcatDataset, DataLoader, Dataset, DistributedSampler,
                               IterableDataset, RandomSampler, SequentialSampler, StackDataset, Subset, SubsetRandomSampler,
                               TensorDataset, WeightedRandomSampler, default_collate, default_convert, get_worker_info,
                               random_split)

ORDERS = recorded.read('python/data_order')
OPTIONS = {'plain': dict(batch_size=3), 'drop': dict(batch_size=3, drop_last=True), 'shuffle': dict(batch_size=3, shuffle=True),
           'none': dict(batch_size=None, shuffle=True)}


class Numbers(Dataset):
    def __init__(self, n=10):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return i


def generator():
    return corten.Generator().manual_seed(5)


# ---- order ----

@pytest.mark.parametrize('name', OPTIONS)
@pytest.mark.parametrize('kind', ['items', 'rows', 'part', 'workers'])
def test_order(name, kind):
    options = dict(OPTIONS[name])
    if kind in ('rows', 'part') and name == 'none':
        pytest.skip('no batches')
    dataset = Numbers() if kind in ('items', 'workers') else TensorDataset(corten.arange(10))
    if kind == 'part':
        dataset = Subset(TensorDataset(corten.arange(20) // 2), range(0, 20, 2))
    corten.manual_seed(3)
    loader = DataLoader(dataset, num_workers=2 if kind == 'workers' else 0, **options)

    def epoch():
        return [x.tolist() if isinstance(x, corten.Tensor) else x for x in
                ((batch[0] for batch in loader) if kind in ('rows', 'part') else loader)]
    assert [epoch() for _ in range(2)] == ORDERS[name]
    assert corten.rand(1).item() == ORDERS[name + ' next']  # the loaders drew as many random numbers as PyTorch's


def test_samplers():
    assert [x.tolist() for x in DataLoader(Numbers(), batch_size=4, shuffle=True, generator=generator())] == ORDERS['generator']
    assert list(RandomSampler(range(10), replacement=True, num_samples=40, generator=generator())) == ORDERS['replacement']
    assert list(RandomSampler(range(4), num_samples=10, generator=generator())) == ORDERS['more']
    assert list(WeightedRandomSampler([1, 2, 3, 0], 12, generator=generator())) == ORDERS['weighted']
    assert [list(p.indices) for p in random_split(range(10), [0.3, 0.3, 0.4], generator=generator())] == ORDERS['split']
    assert [list(DistributedSampler(range(10), 3, rank, seed=1)) for rank in range(3)] == ORDERS['distributed']
    assert sorted(SubsetRandomSampler([3, 5, 7])) == [3, 5, 7] and list(SequentialSampler('abc')) == [0, 1, 2]
    assert list(BatchSampler(range(5), 2, False)) == [[0, 1], [2, 3], [4]] and len(BatchSampler(range(5), 2, True)) == 2


def test_seed_of_numpy():
    from corten.utils.data._utils.worker import _generate_state
    assert _generate_state(0x123456789ABCDEF, 3) == ORDERS['numpy seed']


# ---- data sets ----

def test_sets():
    rows = TensorDataset(corten.arange(4), corten.arange(4) * 2)
    assert rows[1] == (1, 2) and len(rows) == 4
    with pytest.raises(AssertionError, match='Size mismatch between tensors'):
        TensorDataset(corten.ones(2), corten.ones(3))
    both = ConcatDataset([Numbers(2), Numbers(3)])
    assert [both[i] for i in range(5)] == [0, 1, 0, 1, 2] and both[-1] == 2 and len(Numbers(2) + Numbers(3)) == 5
    assert StackDataset(a=Numbers(2), b='xy')[1] == {'a': 1, 'b': 'y'}
    assert StackDataset(Numbers(2), 'xy').__getitems__([1, 0]) == [(1, 'y'), (0, 'x')]
    assert list(ChainDataset([Count(2), Count(1)])) == [0, 1, 0]
    with pytest.raises(ValueError, match='Sum of input lengths'):
        random_split(range(3), [1, 1])


class Count(IterableDataset):
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        info = get_worker_info()
        return iter(range(self.n) if info is None else range(info.id, self.n, info.num_workers))


Point = collections.namedtuple('Point', 'x y')


def test_collate():
    import numpy
    assert default_collate([1, 2]).tolist() == [1, 2]
    assert default_collate([1.5, 2]).dtype == corten.float64
    assert default_collate(['a', 'b']) == ['a', 'b']
    assert default_collate([{'a': 1}, {'a': 2}])['a'].tolist() == [1, 2]
    assert default_collate([Point(1, 2), Point(3, 4)]).y.tolist() == [2, 4]
    assert [t.tolist() for t in default_collate([(1, 2), (3, 4)])] == [[1, 3], [2, 4]]
    assert default_collate([numpy.ones(2), numpy.zeros(2)]).tolist() == [[1, 1], [0, 0]]
    assert default_collate([numpy.float32(1), numpy.float32(2)]).dtype == corten.float32
    with pytest.raises(TypeError, match='default_collate: batch must contain tensors'):
        default_collate([object()])
    with pytest.raises(RuntimeError, match='each element in list of batch should be of equal size'):
        default_collate([[1], [1, 2]])
    assert default_convert(numpy.ones(1)).tolist() == [1] and default_convert('a') == 'a'


def test_rows_are_new_memory():
    x = corten.zeros(4, 2)
    for batch, in DataLoader(TensorDataset(x), batch_size=2):
        batch += 1
    assert x.sum() == 0
    kept = list(DataLoader(TensorDataset(corten.arange(6).view(3, 2), corten.arange(3)), batch_size=2))
    assert kept[1][0].tolist() == [[4, 5]] and type(kept[0]) is list


def test_arguments():
    for error, options in (('num_workers option should be non-negative', dict(num_workers=-1)),
                           ('prefetch_factor option', dict(prefetch_factor=2)), ('persistent_workers', dict(persistent_workers=True)),
                           ('sampler option is mutually exclusive', dict(sampler=[0], shuffle=True)),
                           ('batch_sampler option', dict(batch_sampler=[[0]], batch_size=2)),
                           ('batch_size=None', dict(batch_size=None, drop_last=True)),
                           ('timeout option', dict(timeout=-1))):
        with pytest.raises(ValueError, match=error):
            DataLoader(Numbers(), **options)
    loader = DataLoader(Numbers())
    with pytest.raises(ValueError, match='attribute should not be set after DataLoader is initialized'):
        loader.batch_size = 3
    with pytest.raises(ValueError, match='expected unspecified shuffle'):
        DataLoader(Count(3), shuffle=True)
    assert [len(DataLoader(Numbers(), batch_size=3, drop_last=d)) for d in (False, True)] == [4, 3]


# ---- workers ----

class Tensors(Numbers):
    def __getitem__(self, i):
        return {'x': corten.full((3,), i), 'name': str(i)}


def test_workers_send_tensors():
    got = list(DataLoader(Tensors(), batch_size=4, num_workers=2))
    assert [b['x'][:, 0].tolist() for b in got] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]] and got[2]['name'] == ['8', '9']
    assert got[0]['x'].is_shared()
    del got
    assert not [n for n in os.listdir('/dev/shm') if n.startswith(f'corten-{os.getpid()}')]


def test_workers_and_iterables():
    assert [b.tolist() for b in DataLoader(Count(7), batch_size=2, num_workers=2)] == [[0, 2], [1, 3], [4, 6], [5]]
    assert sorted(x for b in DataLoader(Count(7), batch_size=3, num_workers=3, in_order=False) for x in b.tolist()) == list(range(7))


def test_persistent_workers():
    loader = DataLoader(Seeds(), batch_size=None, num_workers=2, persistent_workers=True)
    pids = [{item[1] for item in loader} for _ in range(3)]
    assert pids[0] == pids[1] == pids[2] and len(pids[0]) == 2


class Seeds(Numbers):
    def __getitem__(self, i):
        info = get_worker_info()
        return info.seed - info.id, os.getpid(), info.num_workers, random.random()


def test_seeds_of_workers():
    corten.manual_seed(1)
    first = [item[0] for item in DataLoader(Seeds(), batch_size=None, num_workers=2)]
    corten.manual_seed(1)
    assert set(first) == {corten.empty((), dtype=corten.int64).random_().item()}


class Bad(Numbers):
    def __getitem__(self, i):
        if i == 4:
            raise KeyError('no item 4')
        return i


def test_worker_raises():
    with pytest.raises(KeyError) as info:
        list(DataLoader(Bad(), num_workers=2))
    text = str(info.value)
    assert 'Caught KeyError in DataLoader worker process 0.' in text and "KeyError: 'no item 4'" in text and '__getitem__' in text


def fail_first(worker):
    raise RuntimeError(f'worker {worker} cannot start')


def test_worker_cannot_start():
    with pytest.raises(RuntimeError, match='worker 0 cannot start'):
        list(DataLoader(Numbers(), num_workers=1, worker_init_fn=fail_first))


class Unsendable(Numbers):
    def __getitem__(self, i):
        return (lambda: i) if i == 3 else i


def test_batch_that_cannot_be_sent():
    with pytest.raises(Exception, match="Can't (pickle|get) local object"):
        list(DataLoader(Unsendable(), batch_size=None, num_workers=1))


class Deadly(Numbers):
    def __getitem__(self, i):
        if i == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return i


def test_worker_dies():
    with pytest.raises(RuntimeError, match=r'DataLoader worker \(pid \d+\) is killed by signal: Killed'):
        list(DataLoader(Deadly(), num_workers=2))


def test_worker_dies_while_a_batch_is_on_its_way():
    batches = iter(DataLoader(Numbers(), num_workers=1))

    def broken():
        os.kill(batches._workers[0].pid, signal.SIGKILL)
        raise ConnectionResetError
    batches._channels[0].get = broken
    with pytest.raises(RuntimeError, match=r'DataLoader worker \(pid \d+\) is killed by signal: Killed'):
        next(batches)


class Slow(Numbers):
    def __getitem__(self, i):
        time.sleep(30)


def test_timeout():
    start = time.monotonic()
    with pytest.raises(RuntimeError, match='DataLoader timed out after 1 seconds'):
        list(DataLoader(Slow(), num_workers=1, timeout=1))
    assert time.monotonic() - start < 15


# ---- workers after a failure ----

START_METHODS = ['fork', 'spawn', 'forkserver']


def outcomes(batches, most=30):
    """Calls next() until StopIteration and returns each item, or the name of the exception."""
    found = []
    for _ in range(most):
        try:
            batch = next(batches)
            found.append(batch.tolist() if isinstance(batch, corten.Tensor) else batch)
        except Exception as error:
            found.append(type(error).__name__)
            if found[-1] == 'StopIteration':
                break
    return found


@pytest.mark.parametrize('method', START_METHODS)
def test_rest_of_the_data_after_an_error(method):
    loader = DataLoader(Bad(7), num_workers=2, multiprocessing_context=method)
    assert outcomes(iter(loader)) == [[0], [1], [2], [3], 'KeyError', [5], [6], 'StopIteration']


def test_persistent_workers_after_errors():
    loader = DataLoader(Bad(6), num_workers=2, persistent_workers=True)
    for _ in range(3):
        assert outcomes(iter(loader)) == [[0], [1], [2], [3], 'KeyError', [5], 'StopIteration']


@pytest.mark.parametrize('end', [lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: os._exit(3), lambda: os._exit(0),
                                 lambda: exec('raise KeyboardInterrupt'), lambda: exec('raise SystemExit(4)')])
def test_the_other_worker_goes_on_when_one_dies(end):
    class Ends(Numbers):
        def __getitem__(self, i):
            return end() if i == 2 else i
    batches = iter(DataLoader(Ends(9), num_workers=2, multiprocessing_context='fork'))
    assert outcomes(batches) == [[0], [1], 'RuntimeError', [3], [5], [6], [7], [8], 'StopIteration']
    with pytest.raises(StopIteration):
        next(batches)


@pytest.mark.skipif(not hasattr(os, 'fork'), reason='no fork here')
def test_forked_copy_of_an_iterator_ends_no_workers():
    batches = iter(DataLoader(Numbers(20), num_workers=1))
    pid = os.fork()
    if pid == 0:
        batches.__del__()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    assert outcomes(batches) == [[i] for i in range(20)] + ['StopIteration']


def test_no_worker_is_left():
    batches = iter(DataLoader(Deadly(8), num_workers=1))
    assert outcomes(batches) == [[0], [1], [2], 'RuntimeError', 'StopIteration']


def test_persistent_worker_that_died_is_replaced():
    loader = DataLoader(Deadly(4), num_workers=2, persistent_workers=True)
    for _ in range(3):
        assert outcomes(iter(loader)) == [[0], [1], [2], 'RuntimeError', 'StopIteration']


class SlowOnce(Numbers):
    def __getitem__(self, i):
        if i == 1 and get_worker_info().id == 1:
            time.sleep(1.5)
        return i


@pytest.mark.parametrize('persistent', [False, True])
def test_next_waits_again_after_a_timeout(persistent):
    loader = DataLoader(SlowOnce(4), num_workers=2, timeout=1, persistent_workers=persistent)
    assert outcomes(iter(loader)) == [[0], 'RuntimeError', [1], [2], [3], 'StopIteration']


class SlowMarked(Numbers):
    marks = None

    def __getitem__(self, i):
        if i == 1 and not self.marks[0]:
            self.marks[0] = 1
            time.sleep(1.5)
            return -1
        return i


def test_late_batches_of_the_last_epoch_are_left_out():
    data = SlowMarked(4)
    data.marks = corten.zeros(1).share_memory_()
    loader = DataLoader(data, num_workers=2, persistent_workers=True, timeout=1)
    batches = iter(loader)
    assert next(batches).tolist() == [0]
    with pytest.raises(RuntimeError, match='timed out'):
        next(batches)
    assert [b.tolist() for b in loader] == [[0], [1], [2], [3]]


class Odd(Exception):
    def __init__(self, one, two):
        super().__init__(one, two)


class WithMessage(Exception):
    message = 'a default'

    def __init__(self, *, message):
        super().__init__(message)


class Raises(Numbers):
    def __init__(self, error):
        super().__init__(3)
        self.error = error

    def __getitem__(self, i):
        if i == 1:
            raise self.error
        return i


class Local:  # holds a class that cannot be pickled
    class_ = type('Nowhere', (Exception,), {'__module__': 'nowhere'})


@pytest.mark.parametrize('error,name', [(Odd(1, 2), 'RuntimeError'), (WithMessage(message='m'), 'WithMessage'),
                                        (Local.class_('lost class'), 'RuntimeError'), (StopIteration('s'), 'StopIteration'),
                                        (UnicodeDecodeError('utf-8', b'x', 0, 1, 'why'), 'RuntimeError'),
                                        (OSError(2, 'no file'), 'FileNotFoundError')])
def test_errors_of_odd_classes(error, name):
    batches = iter(DataLoader(Raises(error), num_workers=1, multiprocessing_context='fork'))
    assert next(batches).tolist() == [0]
    with pytest.raises(Exception) as info:
        next(batches)
    assert type(info.value).__name__ == name and 'in DataLoader worker process 0' in str(info.value)
    if type(error) is Local.class_:
        assert 'lost class' in str(info.value)
    assert next(batches).tolist() == [2]


class BadUnpickle:
    def __reduce__(self):
        return int, ('not a number',)


class Unreadable(Numbers):
    def __getitem__(self, i):
        return BadUnpickle() if i == 1 else i


def test_batch_that_cannot_be_read():
    batches = iter(DataLoader(Unreadable(3), batch_size=None, num_workers=1))
    assert outcomes(batches) == [0, 'ValueError', 2, 'StopIteration']


def test_init_function_that_fails_fails_every_batch():
    for persistent in (False, True):
        loader = DataLoader(Numbers(2), num_workers=2, worker_init_fn=fail_first, persistent_workers=persistent)
        for _ in range(2):
            assert outcomes(iter(loader)) == ['RuntimeError', 'RuntimeError', 'StopIteration']


class FailingIterable(IterableDataset):
    def __iter__(self):
        if self.marks[0] == 1:
            raise ValueError('this epoch cannot begin')
        return iter(range(2))


def test_iterable_that_fails_in_one_epoch():
    data = FailingIterable()
    data.marks = corten.zeros(1).share_memory_()
    loader = DataLoader(data, batch_size=None, num_workers=1, persistent_workers=True)
    assert outcomes(iter(loader)) == [0, 1, 'StopIteration']
    data.marks.fill_(1)
    assert outcomes(iter(loader), 3) == ['ValueError'] * 3
    data.marks.fill_(2)
    assert outcomes(iter(loader)) == [0, 1, 'StopIteration']


def test_workers_end_with_their_parent(tmp_path):
    """Workers exit when the loader's process dies, also if a fork server is their parent process."""
    program = tmp_path / 'program.py'
    program.write_text("""
import os, sys, time
from corten.utils.data import DataLoader, Dataset
class Rows(Dataset):
    def __len__(self): return 4
    def __getitem__(self, i): return os.getpid()
if __name__ == '__main__':
    batches = iter(DataLoader(Rows(), num_workers=2, batch_size=None, multiprocessing_context=sys.argv[1]))
    print(next(batches), next(batches), flush=True)
    os.kill(os.getpid(), 9)
""")
    for method in START_METHODS:
        done = subprocess.run([sys.executable, program, method], stdout=subprocess.PIPE, timeout=60)
        pids = [int(word) for word in done.stdout.split()]
        assert len(pids) == 2
        end = time.monotonic() + 20
        while any(os.path.exists(f'/proc/{pid}') and 'Z' not in state(pid) for pid in pids) and time.monotonic() < end:
            time.sleep(.1)
        assert time.monotonic() < end, method


def state(pid):
    try:
        return pathlib.Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[0]
    except OSError:
        return 'Z'


def test_loader_is_generic():
    def train(loader: DataLoader[int]) -> None:
        pass
    assert typing.get_args(train.__annotations__['loader']) == (int,)


def test_keywords_that_cannot_be_met():
    with pytest.raises(AssertionError, match='requires timeout == 0'):
        iter(DataLoader(Numbers(), timeout=3))
    with pytest.raises(AssertionError, match='prefetch_factor must be greater than 0'):
        iter(DataLoader(Numbers(), num_workers=1, prefetch_factor=0))
    with pytest.warns(UserWarning, match="pin_memory_device is deprecated, .*ignore pin_memory_device='cuda:1'"):
        list(DataLoader(Numbers(2), pin_memory=True, pin_memory_device='cuda:1'))
    with pytest.warns(UserWarning, match='Got pickle error'), pytest.raises((AttributeError, pickle.PicklingError)):
        iter(DataLoader([lambda: 3], num_workers=1, multiprocessing_context='spawn'))


class Pinnable:
    def pin_memory(self):
        return 'pinned'


def test_pinning_keeps_containers():
    from corten.utils.data._utils.pin_memory import pin_memory
    Pair = collections.namedtuple('Pair', 'a b')
    named = collections.OrderedDict(x=Pinnable())
    assert pin_memory((Pinnable(), 'text')) == ('pinned', 'text')
    assert pin_memory(Pair(Pinnable(), 1)) == Pair('pinned', 1)
    assert pin_memory([Pinnable(), {'k': (Pinnable(),)}]) == ['pinned', {'k': ('pinned',)}]
    assert type(pin_memory(named)) is collections.OrderedDict and pin_memory(named) == {'x': 'pinned'}
    assert named['x'] != 'pinned' and pin_memory(range(2)) == [0, 1]


def test_left_early():
    for batch in DataLoader(Tensors(100), batch_size=2, num_workers=2, prefetch_factor=4):
        break
    assert batch['x'].shape == (2, 3)


# ---- multiprocessing ----

def child(queue, back):
    x = queue.get()
    x += 1
    back.put(corten.arange(3))
    queue.get()  # keeps the memory alive until the parent has checked it


def test_tensors_in_queues():
    mp = corten.multiprocessing
    context = mp.get_context('fork')
    queue, back = context.Queue(), context.Queue()
    x = corten.zeros(3)
    process = context.Process(target=child, args=(queue, back))
    process.start()
    queue.put(x)
    y = back.get(timeout=30)
    assert x.tolist() == [1, 1, 1] and x.is_shared() and y.tolist() == [0, 1, 2]
    queue.put(0)
    process.join()


def test_non_leaf_is_refused():
    from multiprocessing.reduction import ForkingPickler
    corten.multiprocessing.get_sharing_strategy()
    with pytest.raises(RuntimeError, match='Cowardly refusing to serialize non-leaf tensor'):
        ForkingPickler.dumps(corten.ones(1, requires_grad=True) * 2)


def spawned(i, text):
    if i == 1:
        raise ValueError(text)


def test_spawn():
    mp = corten.multiprocessing
    with pytest.raises(mp.ProcessRaisedException, match='-- Process 1 terminated with the following error'):
        mp.start_processes(spawned, args=('boom',), nprocs=2, start_method='fork')
    mp.start_processes(spawned, args=('',), nprocs=1, start_method='fork')


def test_rows_by_a_custom_batch_sampler():
    """The batch sampler's sampler, batch size and drop_last apply; the loader's keep their defaults."""
    from corten.utils.data import BatchSampler, RandomSampler, SequentialSampler
    rows = TensorDataset(corten.arange(7))
    order = list(RandomSampler(rows, generator=corten.Generator().manual_seed(3)))
    sampler = BatchSampler(RandomSampler(rows, generator=corten.Generator().manual_seed(3)), 3, True)
    assert [b[0].tolist() for b in DataLoader(rows, batch_sampler=sampler)] == [order[:3], order[3:6]]
    sampler = BatchSampler(SequentialSampler(range(4)), 3, False)
    assert [b[0].tolist() for b in DataLoader(rows, batch_sampler=sampler)] == [[0, 1, 2], [3]]

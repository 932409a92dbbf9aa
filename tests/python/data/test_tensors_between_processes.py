# SPDX-License-Identifier: BSD-3-Clause
"""Tensors of every kind sent to other processes: queues, pipes and DataLoader workers, with every start method."""
import os
import pickle
import subprocess
import sys

import pytest

import corten
import corten.multiprocessing as mp
from corten import nn
from corten.utils.data import DataLoader, Dataset

METHODS = ["fork", "spawn", "forkserver"]


class Named(corten.Tensor):
    """A subclass with an attribute."""


def named():
    x = corten.tensor([1., 2.]).as_subclass(Named)
    x.tag = "a tag"
    return x


KINDS = {
    "float64": lambda: corten.tensor([1.5, -2.], dtype=corten.float64),
    "bfloat16": lambda: corten.tensor([1.5, -2.], dtype=corten.bfloat16),
    "complex": lambda: corten.tensor([1 + 2j, 3 - 1j]),
    "conjugate": lambda: corten.tensor([1 + 2j, 3 - 1j]).conj(),
    "negative": lambda: corten.tensor([1 + 2j]).conj().imag,
    "bool": lambda: corten.tensor([True, False]),
    "view": lambda: corten.arange(12).view(3, 4)[1:, ::2].t(),
    "expanded": lambda: corten.ones(1).expand(3),
    "0-d": lambda: corten.tensor(7),
    "empty": lambda: corten.empty(0, 3),
    "leaf": lambda: corten.ones(2, requires_grad=True),
    "parameter": lambda: nn.Parameter(corten.ones(2)),
    "constant parameter": lambda: nn.Parameter(corten.ones(2), requires_grad=False),
    "subclass": named,
    "COO": lambda: corten.eye(3).to_sparse(),
    "uncoalesced": lambda: corten.sparse_coo_tensor([[0, 0]], [1., 2.], (2,)),
    "hybrid": lambda: corten.sparse_coo_tensor([[0, 1]], corten.ones(2, 3), (2, 3)),
    "no elements": lambda: corten.zeros(2, 2).to_sparse(),
    "CSR": lambda: corten.eye(3).to_sparse_csr(),
    "CSC": lambda: corten.tensor([[0., 2.], [1., 0.]]).to_sparse_csc(),
    "meta": lambda: corten.ones(2, 3, device="meta").t(),
    "meta parameter": lambda: nn.Parameter(corten.ones(2, device="meta")),
}


def facts(x):
    """Returns the properties that must survive the transfer."""
    found = [type(x).__name__, x.dtype, tuple(x.shape), x.layout, x.device, x.requires_grad, x.is_leaf, getattr(x, "tag", None)]
    if x.layout is corten.strided:
        found.append(tuple(x.stride()))
    elif x.layout is corten.sparse_coo:
        found += [x.is_coalesced(), x._indices().tolist(), x._values().tolist()]
    if x.device.type != "meta":
        found.append((x.detach().to_dense() if x.layout is not corten.strided else x.detach()).tolist())
    return [str(part) for part in found]


def answer(here, there):
    while (x := here.get()) is not None:
        there.put((facts(x), x))


@pytest.mark.parametrize("method", METHODS)
def test_kinds_through_queues(method):
    context = mp.get_context(method)
    here, there = context.Queue(), context.Queue()
    process = context.Process(target=answer, args=(here, there))
    process.start()
    try:
        for name, make in KINDS.items():
            x = make()
            here.put(x)
            found, back = there.get(timeout=60)
            assert found == facts(x) == facts(back), name
    finally:
        here.put(None)
        process.join(20)
        process.kill()


class Rows(Dataset):
    def __len__(self):
        return len(KINDS)

    def __getitem__(self, i):
        x = list(KINDS.values())[i]()
        return {"facts": facts(x), "x": [x]}


@pytest.mark.parametrize("method", METHODS)
def test_kinds_from_workers(method):
    rows = list(DataLoader(Rows(), batch_size=None, collate_fn=list_of, num_workers=2, multiprocessing_context=method))
    assert len(rows) == len(KINDS) and all(row["facts"] == facts(row["x"][0]) for row in rows)


def list_of(row):
    return row


class Sparse(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return corten.sparse_coo_tensor([[i]], [float(i)], (4,))


def test_sparse_batches_from_workers():
    for batch in DataLoader(Sparse(), batch_size=2, num_workers=1):
        assert batch.layout is corten.sparse_coo and batch.shape == (2, 4) and batch.to_dense().sum(0).tolist().count(0) >= 2


def write(connection):
    x = connection.recv()
    values = x.values() if x.layout is not corten.strided else x.detach()
    values += 1
    connection.send(None)


@pytest.mark.parametrize("name", ["float64", "COO", "CSR", "parameter", "subclass", "view"])
def test_memory_is_shared(name):
    x = KINDS[name]()
    before = x.detach().to_dense().clone() if x.layout is not corten.strided else x.detach().clone()
    ours, theirs = mp.Pipe()
    process = mp.get_context("fork").Process(target=write, args=(theirs,))
    process.start()
    ours.send(x)
    assert ours.poll(30) and ours.recv() is None
    process.join()
    now = x.detach().to_dense() if x.layout is not corten.strided else x.detach()
    assert now.tolist() == (before + (before != 0 if x.layout is not corten.strided else 1)).tolist()


def test_arguments_of_processes():
    for method in METHODS:
        context = mp.get_context(method)
        ours, theirs = context.Pipe()
        x = corten.zeros(3).share_memory_()
        process = context.Process(target=fill, args=(x, corten.eye(2).to_sparse(), theirs))
        process.start()
        assert ours.poll(30) and ours.recv() == [[1, 0], [0, 1]] and x.tolist() == [5, 5, 5]
        process.join()


def fill(x, sparse, connection):
    x.fill_(5)
    connection.send(sparse.to_dense().tolist())


def test_non_leaves_are_refused():
    from multiprocessing.reduction import ForkingPickler
    for x in (corten.ones(2, requires_grad=True) * 2, corten.eye(2).requires_grad_().to_sparse()):
        with pytest.raises(RuntimeError, match="Cowardly refusing to serialize non-leaf tensor"):
            ForkingPickler.dumps(x)


def test_storages():
    from multiprocessing.reduction import ForkingPickler
    for device in ("cpu", "meta"):
        storage = pickle.loads(bytes(ForkingPickler.dumps(corten.ones(3, device=device).untyped_storage())))
        assert storage.nbytes() == 12 and storage.device.type == device


def test_descriptors_are_closed():
    """A batch may have more tensors than one message can carry file descriptors; all descriptors are closed afterwards."""
    class Many(Dataset):
        def __len__(self):
            return 3

        def __getitem__(self, i):
            return [corten.full((1,), j) for j in range(450)]
    before = len(os.listdir("/proc/self/fd"))
    for batch in DataLoader(Many(), batch_size=None, num_workers=1, multiprocessing_context="fork"):
        assert [x.item() for x in batch] == list(range(450))
    del batch
    assert len(os.listdir("/proc/self/fd")) <= before + 2


CUDA = """
import sys
import corten
import corten.multiprocessing as mp
from corten import nn
from corten.utils.data import DataLoader, Dataset

def answer(here, there):
    while (x := here.get()) is not None:
        there.put((str(x.device), type(x).__name__, x.requires_grad, x.is_sparse, x.tolist() if not x.is_sparse else x.to_dense().tolist()))

class Rows(Dataset):
    def __len__(self):
        return 2
    def __getitem__(self, i):
        return corten.full((2,), i, device="cuda:1")

if __name__ == "__main__":
    context = mp.get_context(sys.argv[1])
    here, there = context.Queue(), context.Queue()
    process = context.Process(target=answer, args=(here, there))
    process.start()
    made = (corten.ones(2, device="cuda:1"), nn.Parameter(corten.ones(1, device="cuda")), corten.eye(2, device="cuda").to_sparse(),
            corten.arange(6, device="cuda")[1:5:2])
    for x in made:
        here.put(x)
        print(*there.get(timeout=50))
    here.put(None)
    process.join()
    print([(str(b.device), b.tolist()) for b in DataLoader(Rows(), num_workers=1, multiprocessing_context=sys.argv[1])])
    moved = corten.ones(2, device="cuda")
    assert moved.share_memory_() is moved
"""


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_tensors_of_a_gpu(tmp_path, method):
    """CUDA tensors arrive on the device that they were sent from."""
    path = tmp_path / "program.py"
    path.write_text(CUDA)
    done = subprocess.run([sys.executable, path, method], env={**os.environ, "CORTEN_FAKE_CUDA": "2"}, capture_output=True, text=True,
                          timeout=100)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines() == [
        "cuda:1 Tensor False False [1.0, 1.0]", "cuda:0 Parameter True False [1.0]", "cuda:0 Tensor False True [[1.0, 0.0], [0.0, 1.0]]",
        "cuda:0 Tensor False False [1, 3]", "[('cuda:1', [[0, 0]]), ('cuda:1', [[1, 1]])]"]

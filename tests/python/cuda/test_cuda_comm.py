# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.comm, scatter and gather between several GPUs of one process, tested on the fake device."""
import os
import subprocess
import sys


def run(code, **env):
    done = subprocess.run([sys.executable, "-c", "import corten; corten.install_as_torch(); import torch\n" + code],
                          capture_output=True, text=True, env={**os.environ, **env}, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


# ---- several GPUs in one process ----

def test_comm():
    lines = run("""
from torch.cuda import comm
x = torch.arange(10.0).view(5, 2).requires_grad_()
a, b = comm.scatter(x, (0, 1))
print(a.device, b.device, a.shape, b.shape)
y = comm.gather([a * 2, b * 3], destination="cpu")
y.sum().backward()
print(y.device, x.grad.tolist())
print([t.tolist() for t in comm.scatter(x.detach(), ("cuda:1", 0), chunk_sizes=(1, 4))[:1]])
c, d = comm.broadcast(torch.ones(3), (0, "cuda:1"))
print(c.device, d.device, comm.reduce_add([c, d * 4], 1))
first, second = comm.broadcast_coalesced([torch.ones(2), torch.zeros(3, dtype=torch.int64), torch.full((2, 2), 2.0)], (0, 1), 8)
print([t.device.index for t in second], [t.shape for t in second], second[2].tolist())
print([t.tolist() for t in comm.reduce_add_coalesced([first, second], 0)])
out = [torch.zeros(2, 2, device=0), torch.zeros(3, 2, device=1)]
print(comm.scatter(x.detach(), out=out)[1] is out[1], out[1].sum().item())
print(comm.gather(out, out=torch.zeros(5, 2)).tolist() == x.tolist())
for call in (lambda: comm.broadcast(c), lambda: comm.reduce_add([torch.ones(1)]), lambda: comm.gather([torch.ones(1)]),
             lambda: comm.scatter(x, (0, 1), chunk_sizes=(5,)), lambda: comm.scatter(x, ("cpu",))):
    try:
        call()
    except Exception as error:
        print(type(error).__name__, error)
""", CORTEN_FAKE_CUDA="2")
    assert lines == [
        "cuda:0 cuda:1 torch.Size([3, 2]) torch.Size([2, 2])",
        "cpu [[2.0, 2.0], [2.0, 2.0], [2.0, 2.0], [3.0, 3.0], [3.0, 3.0]]", "[[[0.0, 1.0]]]",
        "cuda:0 cuda:1 tensor([5., 5., 5.], device='cuda:1')",
        "[1, 1, 1] [torch.Size([2]), torch.Size([3]), torch.Size([2, 2])] [[2.0, 2.0], [2.0, 2.0]]",
        "[[2.0, 2.0], [0, 0, 0], [[4.0, 4.0], [4.0, 4.0]]]", "True 39.0", "True",
        "RuntimeError Exactly one of 'devices' and 'out' must be specified, but got devices=None and out=None",
        "AssertionError reduce_add expects all inputs to be on GPUs, but input 0 is on CPU",
        "RuntimeError Expected all input tensors to be CUDA tensors, but tensor at index 0 has device 'cpu'",
        "RuntimeError Expected devices and chunk_sizes to be of same length, but got len(devices) = 2 and len(chunk_sizes) = 1",
        "ValueError Expected a non cpu device, but got: cpu"]


def test_scatter_and_gather_of_nests():
    lines = run("""
import collections
from torch.nn.parallel.scatter_gather import gather, scatter, scatter_kwargs
Pair = collections.namedtuple("Pair", "a b")
x = torch.arange(4.0)
print(type(scatter(x, [0, 1])), [t.tolist() for t in scatter(x, [0, 1])])
parts = scatter({"x": x, "pair": Pair(x, "word"), "all": [x, (x, None)]}, [0, 1])
print(parts[1]["x"].device, parts[1]["x"].tolist(), parts[1]["pair"].b, parts[1]["all"][1][0].tolist())
args, words = scatter_kwargs((x,), {"flag": True}, [0, 1])
print(len(args), words)
joined = gather(parts, "cpu")["all"][0] if not isinstance(parts[0]["pair"].b, str) else gather([p["all"][0] for p in parts], "cpu")
print(joined.tolist(), gather([torch.tensor(1.0, device=i) for i in (0, 1)], "cpu").tolist())
print(scatter(torch.ones(2, dtype=torch.complex64), [0, 1])[1])
""", CORTEN_FAKE_CUDA="2")
    assert lines[:4] == ["<class 'tuple'> [[0.0, 1.0], [2.0, 3.0]]", "cuda:1 [2.0, 3.0] word [2.0, 3.0]",
                         "2 ({'flag': True}, {'flag': True})", "[0.0, 1.0, 2.0, 3.0] [1.0, 1.0]"]
    assert lines[4] == "tensor([1.+0.j], device='cuda:1')"

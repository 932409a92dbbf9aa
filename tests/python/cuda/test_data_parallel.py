# SPDX-License-Identifier: BSD-3-Clause
"""nn.DataParallel and its parts, on two fake GPUs."""
import os
import subprocess
import sys

PROGRAM = '''
import warnings
import corten as torch
from corten import nn
from corten.nn.parallel import DataParallel, data_parallel, gather, parallel_apply, replicate, scatter


def raises(kind, text, call):
    try:
        call()
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError(text)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.norm = nn.Linear(2, 3), nn.BatchNorm1d(3)
        self.tied = self.one
        self.register_buffer("calls", torch.zeros(1))
        self.seen = []

    def forward(self, x, scale=1, fail=False):
        self.calls += 1
        self.seen.append((str(x.device), x.shape[0], torch.cuda.current_device(), torch.is_grad_enabled(), scale,
                          str(self.tied.weight.device), len(list(self.parameters()))))
        if fail and x.get_device() == 1:
            raise KeyError("on the second")
        return {"y": self.norm(self.tied(x)) * scale, "n": x.sum()}


torch.manual_seed(0)
net, x = Net().cuda(), torch.randn(5, 2, device="cuda")
alone = Net().cuda()
alone.load_state_dict(net.state_dict())
both = DataParallel(net, device_ids=[0, torch.device("cuda:1")])
assert (both.device_ids, both.output_device) == ([0, 1], 0)
with warnings.catch_warnings(record=True):
    warnings.simplefilter("always")
    out = both(x, scale=2)
assert sorted(net.seen) == [("cuda:0", 3, 0, True, 2, "cuda:0", 0), ("cuda:1", 2, 1, True, 2, "cuda:1", 0)], net.seen
assert out["y"].shape == (5, 3) and out["y"].device == torch.device("cuda:0") and out["n"].shape == (2,)
out["y"].square().sum().backward()
parts = torch.cat([alone.norm(alone.one(part)) * 2 for part in x.split(3)])
parts.square().sum().backward()
assert torch.allclose(out["y"], parts, atol=1e-6)
for p, q in zip(net.parameters(), alone.parameters()):
    assert torch.allclose(p.grad, q.grad, atol=1e-4), (p.grad, q.grad)
assert net.calls.item() == 1  # the replica on the first GPU shares the module's buffers

net.seen.clear()
with torch.no_grad():
    both.eval()(x[:1])  # fewer rows than GPUs
assert [seen[:4] for seen in net.seen] == [("cuda:0", 1, 0, False)], net.seen
both.train()
raises(KeyError, "in replica 1 on device 1", lambda: both(x, fail=True))
raises(RuntimeError, "module must have its parameters and buffers on device cuda:0", lambda: DataParallel(nn.Linear(2, 2))(x))

linear = nn.Linear(2, 2).cuda()
y = data_parallel(linear, x, [0, 1], "cpu")
assert y.device.type == "cpu" and torch.allclose(y, linear(x).cpu(), atol=1e-6)
copies = replicate(linear, [0, 1])
assert [c.weight.device.index for c in copies] == [0, 1] and all(c.weight.grad_fn is not None for c in copies)
assert not any(c.weight.requires_grad for c in replicate(linear, [0, 1], detach=True)) and replicate(linear, []) == []
outputs = parallel_apply(copies, scatter(x, [0, 1]))
assert torch.allclose(gather(outputs, 0), linear(x), atol=1e-6)
raises(AssertionError, "The number of modules 2 is not equal to the number of inputs 1", lambda: parallel_apply(copies, [x]))
assert DataParallel(nn.Linear(2, 2), device_ids=[1]).module.weight.device.index == 1
'''


def test_data_parallel():
    done = subprocess.run([sys.executable, "-c", PROGRAM], env={**os.environ, "CORTEN_FAKE_CUDA": "2"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_without_a_gpu():
    import corten
    from corten import nn
    net = nn.DataParallel(nn.Linear(2, 2))
    if corten.cuda.is_available():
        return
    assert net.device_ids == [] and net(corten.ones(1, 2)).shape == (1, 2)

# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda on the fake device, whose memory the host cannot read, and compilation of kernels without a GPU.

Each test is a program in a separate process, because a process chooses its devices once. tests/ops/test_cuda.py tests
the operations.
"""
import ctypes.util
import glob
import os
import re
import subprocess
import sys

import pytest

NVRTC = ctypes.util.find_library("nvrtc") or glob.glob("/usr/local/cuda/lib64/libnvrtc.so*")


def run(program, **env):
    env = {**os.environ, "CORTEN_FAKE_CUDA": "2", **env}
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", "import corten as torch\n" + program], env=env,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_devices():
    run("""
assert torch.cuda.is_available() and torch.cuda.device_count() == 2 and not torch.cuda.is_initialized()
x = torch.arange(6.).reshape(2, 3)
y = x.cuda()
assert y.device == torch.device('cuda:0') and y.is_cuda and y.get_device() == 0 and torch.cuda.is_initialized()
assert (y + 1).tolist() == [[1, 2, 3], [4, 5, 6]] and y.cpu().equal(x) and x.to('cuda:1').device.index == 1
with torch.cuda.device(1):
    assert torch.zeros(2, device='cuda').device.index == 1 and torch.cuda.current_device() == 1
    assert y.to('cuda').device.index == 1 and y.cuda().device.index == 1
assert torch.cuda.current_device() == 0
assert y.t().to('cuda:1').stride() == (1, 3) and y.half().double().cpu().dtype == torch.float64
assert repr(y[0]) == "tensor([0., 1., 2.], device='cuda:0')" and y[1, 2].item() == 5
assert torch.cuda.FloatTensor([1, 2]).device.type == 'cuda' and y.type() == 'torch.cuda.FloatTensor'
assert torch.cuda.get_device_name().startswith('Fake')
""")


def test_operands_on_several_devices():
    run("""
a, b = torch.ones(2, device='cuda:0'), torch.ones(2, device='cuda:1')
for f in (lambda: a + b, lambda: a @ b, lambda: torch.cat([a, b]), lambda: a + torch.ones(2)):
    try:
        f()
    except RuntimeError as e:
        assert 'device' in str(e), e
    else:
        raise AssertionError('not refused')
assert (a + torch.tensor(2.)).tolist() == [3, 3] and (torch.tensor(2.) * a).device.type == 'cuda'
b.copy_(a * 5)
assert b.tolist() == [5, 5]
try:
    torch.ones(1, device='cuda:2')
except RuntimeError as e:
    assert 'invalid device ordinal' in str(e)
""")


def test_numbers_and_indices_of_the_cpu():
    run("""
x = torch.arange(5., device='cuda')
assert torch.searchsorted(x, 2).item() == 2 and torch.bucketize(1.5, x).item() == 2
assert torch.searchsorted(x, torch.tensor(3.)).device == x.device
assert torch.isin(x, 2).tolist() == torch.isin(x.cpu(), 2).tolist() and torch.isin(3, x).item()
i, mask = torch.tensor([3, 1]), torch.tensor([True, False, False, True, False])
assert x[i].tolist() == x[[3, 1]].tolist() == [3, 1] and x[mask].tolist() == [0, 3] and x[i].device == x.device
p, labels, n = torch.randn(6, 2, 4).log_softmax(-1), torch.ones(2, 3, dtype=torch.long), torch.tensor([6, 5])
losses = [torch.nn.functional.ctc_loss(p.to(d), labels.to(d), n, n - 3).cpu() for d in ('cpu', 'cuda')]
assert torch.allclose(*losses)  # lengths are read by the host, whatever their device
x[mask] = torch.tensor(7.)
x[i] = torch.tensor(8.)
x.index_put_((torch.tensor([4]),), torch.tensor(9.))
assert x.tolist() == [7, 8, 2, 8, 9]
w = x.clone().requires_grad_()
w[i].sum().backward()
assert w.grad.tolist() == [0, 1, 0, 1, 0] and w.grad.device == x.device
for f in (lambda: x.gather(0, i), lambda: x.take(i), lambda: x.index_select(0, i), lambda: x.index_fill(0, i, 2.),
          lambda: x.scatter(0, i, 1.), lambda: x.index_add(0, i, x[:2]), lambda: x.index_put((i,), torch.ones(2)),
          lambda: torch.segment_reduce(x, 'sum', lengths=torch.tensor([2, 3]))):
    try:
        f()
    except RuntimeError as e:
        assert 'same device' in str(e), e
    else:
        raise AssertionError('not refused')
""")


def test_gradients_cross_devices():
    run("""
p = torch.ones(3, requires_grad=True)
(p.cuda() * torch.arange(3., device='cuda')).sum().backward()
assert p.grad.tolist() == [0, 1, 2] and p.grad.device.type == 'cpu'
w = torch.ones(2, 2, device='cuda:1', requires_grad=True)
(w.to('cuda:0') @ w.cpu().cuda(0)).sum().backward()
assert w.grad.device.index == 1 and w.grad.tolist() == [[4, 4], [4, 4]]
""")


def test_memory():
    run("""
x = torch.ones(1000, device='cuda')
before, reserved = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
assert before >= 4000
for _ in range(100):
    y = x + 1
assert torch.cuda.memory_reserved() == reserved
del y
assert torch.cuda.memory_allocated() == before and torch.cuda.max_memory_allocated() > before
try:
    torch.empty(1 << 33, device='cuda')
except RuntimeError as e:
    assert 'CUDA out of memory. Tried to allocate 32.00 GiB' in str(e), e
assert (x + 1).sum().item() == 2000
big = torch.empty(1 << 28, device='cuda')
del big
torch.cuda.empty_cache()
assert torch.cuda.memory_reserved() < 1 << 28
s = x.untyped_storage()
s.resize_(8000)
assert s.nbytes() == 8000 and x.sum().item() == 1000
""")


def test_blocks_are_aligned():
    run("""
all = [torch.empty(n, dtype=torch.uint8, device='cuda') for n in [*range(1, 5000, 61), *range(4999, 600000, 9973)]]
assert all[0].data_ptr() and not any(x.data_ptr() % 512 for x in all)
""")


def test_what_the_allocator_tells():
    run("""
x = torch.ones(1000, 1000, device='cuda')
y = torch.ones(5, device='cuda')
del y
stats = torch.cuda.memory_stats()
assert torch.cuda.memory_allocated() == stats['allocated_bytes.all.current'] == 4000256
assert stats['requested_bytes.all.current'] == 4000000 and stats['requested_bytes.small_pool.freed'] == 20
assert [stats[f'allocation.{p}.allocated'] for p in ('all', 'large_pool', 'small_pool')] == [2, 1, 1]
lines = torch.cuda.memory_summary().splitlines()
assert {len(line) for line in lines} == {77} and len(lines) == 47
assert lines[7] == '| Allocated memory      |   3906 KiB |   3907 KiB |   3907 KiB |    512 B   |', lines[7]
assert len(torch.cuda.memory_summary(abbreviated=True).splitlines()) == 29
large, small = sorted(torch.cuda.memory_snapshot(), key=lambda s: s['segment_type'])
assert large['allocated_size'] == large['total_size'] >= 4000000 and large['requested_size'] == 4000000
assert [b['state'] for b in small['blocks']] == ['inactive', 'inactive'] and small['address'] == small['blocks'][0]['address']
assert sum(b['size'] for b in small['blocks']) == small['total_size']
torch.cuda.reset_peak_memory_stats()
torch.cuda.reset_accumulated_memory_stats()
assert torch.cuda.memory_stats()['allocation.all.allocated'] == 0 and torch.cuda.max_memory_allocated() == 4000256
torch.cuda.set_per_process_memory_fraction(0.002)
try:
    torch.empty(1 << 22, device='cuda')
    assert False
except torch.cuda.OutOfMemoryError as e:
    assert isinstance(e, RuntimeError) and 'Tried to allocate 16.00 MiB. GPU 0 has a total capacity of 4.00 GiB' in str(e)
    assert e.__notes__ == ['most of it: 1 of 4.00 MiB']
torch.cuda.set_per_process_memory_fraction(1.0)
torch.empty(1 << 22, device='cuda')
assert torch.cuda.memory_stats()['num_ooms'] == 1
torch.cuda.set_sync_debug_mode('error')
try:
    x.sum().item()
    assert False
except RuntimeError as e:
    assert str(e) == 'called a synchronizing CUDA operation'
torch.cuda.set_sync_debug_mode(0)
assert x.sum().item() == 1e6
""")


def test_memory_of_other_libraries():
    run("""
class Array:
    def __init__(self, t, **more):
        self.t, self.more = t, more

    @property
    def __cuda_array_interface__(self):
        return {**self.t.__cuda_array_interface__, **self.more}

x = torch.arange(6., device='cuda').reshape(2, 3)
facts = x.t().__cuda_array_interface__
assert facts == {'typestr': '<f4', 'shape': (3, 2), 'strides': (4, 12), 'data': (x.data_ptr(), False), 'version': 2}
assert x.__cuda_array_interface__['strides'] is None and not hasattr(x.cpu(), '__cuda_array_interface__')
y = torch.as_tensor(Array(x.t(), stream=1, version=3), device='cuda')
y[1, 0] = 7
assert x[0, 1].item() == 7 and y.stride() == (1, 3)
assert torch.as_tensor(Array(x)).device.type == 'cpu' and torch.tensor(Array(x)).tolist() == x.tolist()
for kind in (torch.bool, torch.uint8, torch.int64, torch.float16, torch.float64, torch.complex64):
    z = torch.ones(3, device='cuda').to(kind)
    assert torch.as_tensor(Array(z), device='cuda').dtype == kind
for more in ({'typestr': '>f4'}, {'typestr': '<f'}, {'shape': 3}, {'strides': (1, 2)}, {'strides': (4,)}, {'data': 5}):
    try:
        torch.as_tensor(Array(x, **more), device='cuda')
        assert False, more
    except (TypeError, ValueError):
        pass
try:
    x.clone().requires_grad_().__cuda_array_interface__
    assert False
except RuntimeError as e:
    assert 'requires grad' in str(e)
s = torch.cuda.Stream()
waits = torch.cuda._waits()
for stream in (None, 1, -1, s.cuda_stream):
    x.__dlpack__(stream=stream)
for stream in (0, 2):
    try:
        x.__dlpack__(stream=stream)
        assert False
    except BufferError:
        pass
with torch.cuda.stream(s):
    shared = torch.from_dlpack(x)
assert torch.cuda._waits() == waits and shared.data_ptr() == x.data_ptr()
x.record_stream(s)
""")


def test_warm_cache(tmp_path):
    command = [sys.executable, "-m", "corten", "warm-cache", "--jobs", "1", "--types", "float32"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "CORTEN_FAKE_CUDA": "1"})
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert re.fullmatch(r"\d\d kinds of calls are ready on Fake device 0\n", done.stdout)


def test_switches():
    run("""
b = torch.backends
assert not b.cuda.matmul.allow_tf32 and b.cudnn.allow_tf32 and b.cudnn.conv.fp32_precision == 'tf32'
torch.set_float32_matmul_precision('high')
assert b.cuda.matmul.allow_tf32 and torch._C._cuda_switch('matmul_tf32') == 1
b.cuda.matmul.allow_tf32 = False
assert torch.get_float32_matmul_precision() == 'highest' and torch._C._cuda_switch('matmul_tf32') == 0
b.cudnn.allow_tf32 = False
assert torch._C._cuda_switch('cudnn_conv_tf32') == torch._C._cuda_switch('cudnn_rnn_tf32') == 0
b.fp32_precision = 'tf32'
assert b.cudnn.conv.fp32_precision == 'tf32' and torch._C._cuda_switch('cudnn_conv_tf32') == 1
with b.cudnn.flags(enabled=False, benchmark=True):
    assert torch._C._cuda_switch('cudnn_enabled') == 0 and b.cudnn.benchmark
assert b.cudnn.enabled and not b.cudnn.benchmark
b.cuda.cufft_plan_cache.max_size = 5
assert b.cuda.cufft_plan_cache.max_size == b.cuda.cufft_plan_cache[0].max_size == 5
assert b.cuda.cufft_plan_cache[1].max_size == 4096 and b.cuda.cufft_plan_cache.size == 0
""")


def test_streams_and_pinned_memory():
    run("""
s, e = torch.cuda.Stream(), torch.cuda.Event()
with torch.cuda.stream(s):
    assert torch.cuda.current_stream() == s
    y = torch.ones(3, device='cuda') * 2
    e.record()
assert torch.cuda.current_stream() == torch.cuda.default_stream() and e.query() and s.query()
torch.cuda.current_stream().wait_stream(s)
assert y.sum().item() == 6
p = torch.arange(3.).pin_memory()
assert p.is_pinned() and not torch.ones(1).is_pinned() and p.cuda(non_blocking=True).tolist() == [0, 1, 2]
torch.cuda.synchronize()
""")


def test_generators():
    run("""
torch.manual_seed(5)
a = torch.rand(4, device='cuda')
torch.manual_seed(5)
assert torch.rand(4, device='cuda').equal(a)
state = torch.cuda.get_rng_state()
b = torch.randn(3, device='cuda')
torch.cuda.set_rng_state(state)
assert torch.randn(3, device='cuda').equal(b) and state.numel() == 16
g = torch.Generator('cuda').manual_seed(1)
assert g.device.type == 'cuda' and torch.rand(2, generator=g, device='cuda').device.type == 'cuda'
for wrong in (dict(device='cuda', generator=torch.Generator()), dict(generator=g)):
    try:
        torch.rand(2, **wrong)
    except RuntimeError as e:
        assert 'device type for generator' in str(e)
    else:
        raise AssertionError
""")


def test_copies_and_pickles():
    run("""
import copy, pickle
x = torch.arange(4., device='cuda')
assert pickle.loads(pickle.dumps(x)).device.type == 'cuda' and copy.deepcopy(x).tolist() == x.tolist()
assert x.untyped_storage().nbytes() == 16 and '[torch.storage' in repr(x.untyped_storage())
x.untyped_storage().fill_(0)
assert x.sum().item() == 0 and x.data_ptr() != 0
""")


def test_networks():
    run("""
for device in ('cpu', 'cuda'):
    net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2)).to(device)
    with torch.no_grad():
        for k, p in enumerate(net.parameters()):
            p.copy_(torch.arange(p.numel()).reshape(p.shape) / (20 + k))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = (net(torch.ones(5, 4, device=device)) ** 2).mean()
        loss.backward()
        optimizer.step()
    if device == 'cpu':
        wanted = loss.item()
assert abs(loss.item() - wanted) < 1e-6 * abs(wanted)
""")


def test_packed_sequences():
    """batch_sizes of a packed sequence stays on the CPU when the data is on a GPU."""
    run("""
from corten.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
x, net = torch.randn(5, 3, 4), torch.nn.LSTM(4, 6, bidirectional=True)
packed = pack_padded_sequence(x, [2, 5, 3], enforce_sorted=False)
here = pad_packed_sequence(net(packed)[0])[0]
there = pack_padded_sequence(x.cuda(), [2, 5, 3], enforce_sorted=False)
assert there.batch_sizes.device.type == 'cpu' and there.data.is_cuda
out = pad_packed_sequence(net.cuda()(there)[0])[0]
out.sum().backward()
assert torch.equal(out.cpu(), here) and net.weight_hh_l0.grad.is_cuda
""")


def test_a_fork_is_told():
    run("""
import os
torch.ones(1, device='cuda')
child = os.fork()
if child == 0:
    try:
        torch.ones(1, device='cuda')
    except RuntimeError as e:
        os._exit(0 if 'forked subprocess' in str(e) else 1)
    os._exit(2)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
""")


@pytest.mark.long
@pytest.mark.skipif(not NVRTC, reason="no NVRTC here")
def test_kernels_compile(tmp_path):
    """Launches a kernel of every kind; with CORTEN_FAKE_CUDA_COMPILE the fake device compiles each of them."""
    run("""
x, i = torch.rand(6, 5, device='cuda') + 0.5, torch.tensor([1, 2], device='cuda')
(x.t() + x.half().t()[:, :1]).where(x.t() > 1, 2).sin()
for dtype in (torch.float16, torch.complex64, torch.int64, torch.bool):
    y = x.to(dtype)
    y.sum(), y.any(1), y.conj().clone()
x.cumsum(0), x.cummax(1), x.nonzero(), x[x > 1], x.sort(), x.view(-1).topk(3), torch.zeros(5000, device='cuda').sort()
x.median(), torch.randperm(9, device='cuda'), torch.bernoulli(x - 0.5), torch.poisson(x), x.clone().cauchy_()
x.max(1), x.std(0), x.norm(), x.argmin(), x.prod(), torch.igamma(x, x), torch.special.bessel_j0(x)
x.softmax(1), x.logsumexp(0), x[i], x.index_add(0, i, x[:2]), x.scatter_reduce(0, i[:, None], x, 'amax')
torch.randn(3, device='cuda', dtype=torch.float64), torch.randint(9, (3,), device='cuda')
w = x.clone().requires_grad_()
w.log_softmax(1).sum().backward()
F = torch.nn.functional
for dtype in (torch.float32, torch.float64, torch.bfloat16):
    def R(*shape):
        return torch.rand(*shape, device='cuda').to(dtype).requires_grad_()
    y, w = R(2, 4, 5, 6), R(4)
    F.embedding(i, R(5, 6)).sum().backward()
    if dtype != torch.bfloat16:
        F.ctc_loss(R(6, 2, 4), i.repeat(2, 1), (6, 5), (2, 1)).backward()
    for z in (F.batch_norm(y, None, None, w, w, True), F.batch_norm(y.detach().contiguous(memory_format=torch.channels_last),
              w.detach(), w.detach(), w, w), F.group_norm(y, 2, w, w), F.layer_norm(y, (6,), R(6), R(6)), F.layer_norm(R(3, 5000), (5000,)),
              F.scaled_dot_product_attention(y, R(2, 4, 7, 6), R(2, 4, 7, 6), is_causal=True), F.conv2d(y, R(4, 1, 3, 3), w, groups=4),
              torch.nn.GRU(6, 5, device='cuda', dtype=dtype)(y[0])[0], torch.nn.LSTM(6, 5, proj_size=2, device='cuda', dtype=dtype)(y[0])[0]):
        z.sum().backward()
torch.optim.Adam([w]).step()
""", CORTEN_FAKE_CUDA_COMPILE="1", CORTEN_CACHE_DIR=str(tmp_path))
    assert len(list(tmp_path.glob("*.cubin"))) > 25

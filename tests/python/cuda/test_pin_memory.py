# SPDX-License-Identifier: BSD-3-Clause
"""pin_memory=: page-locked memory from every function that makes tensors, on the fake device; an error without a GPU."""
import os
import subprocess
import sys

import pytest

import corten


def run(program):
    env = {**os.environ, 'CORTEN_FAKE_CUDA': '1'}
    done = subprocess.run([sys.executable, '-X', 'faulthandler', '-c', 'import corten as torch\n' + program], env=env,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_maker_pins():
    run("""
one = torch.ones(2)
makers = [
    lambda **k: torch.empty(2, **k), lambda **k: torch.zeros(2, **k), lambda **k: torch.ones(2, **k),
    lambda **k: torch.full((2,), 1.5, **k), lambda **k: torch.tensor([1., 2.], **k),
    lambda **k: torch.empty_strided((2, 3), (1, 2), **k), lambda **k: torch.empty_permuted((2, 3), (1, 0), **k),
    lambda **k: torch.rand(2, **k), lambda **k: torch.randn(2, **k), lambda **k: torch.randint(3, (2,), **k),
    lambda **k: torch.randint(1, 3, (2,), **k), lambda **k: torch.randperm(4, **k), lambda **k: torch.arange(3, **k),
    lambda **k: torch.arange(1, 3, 0.5, **k), lambda **k: torch.linspace(0, 1, 3, **k), lambda **k: torch.logspace(0, 1, 3, **k),
    lambda **k: torch.eye(3, **k), lambda **k: torch.scalar_tensor(3., **k),
    lambda **k: torch.empty_like(one, **k), lambda **k: torch.zeros_like(one, **k), lambda **k: torch.ones_like(one, **k),
    lambda **k: torch.full_like(one, 2., **k), lambda **k: torch.rand_like(one, **k), lambda **k: torch.randn_like(one, **k),
    lambda **k: torch.randint_like(one, 4, **k), lambda **k: one.new_empty(3, **k), lambda **k: one.new_zeros(3, **k),
    lambda **k: one.new_ones(3, **k), lambda **k: one.new_full((3,), 2., **k), lambda **k: one.new_empty_strided((2,), (1,), **k),
    lambda **k: torch.tril_indices(2, 2, **k), lambda **k: torch.triu_indices(2, 2, **k), lambda **k: torch.hann_window(4, **k),
    lambda **k: torch.hamming_window(4, **k), lambda **k: torch.bartlett_window(4, **k), lambda **k: torch.blackman_window(4, **k),
    lambda **k: torch.kaiser_window(4, **k), lambda **k: torch.fft.fftfreq(4, **k), lambda **k: torch.fft.rfftfreq(4, **k),
    lambda **k: torch.normal(0., 1., (2,), **k),
]
wrong = []
for i, make in enumerate(makers):
    torch.manual_seed(0)
    plain = make()
    torch.manual_seed(0)
    pinned, unpinned = make(pin_memory=True), make(pin_memory=False)
    same = pinned.shape == plain.shape and pinned.stride() == plain.stride() and pinned.dtype == plain.dtype
    if not (pinned.is_pinned() and same) or unpinned.is_pinned() or plain.is_pinned():
        wrong.append(i)
assert not wrong, wrong
torch.manual_seed(0)
a = torch.rand(3)
torch.manual_seed(0)
assert torch.rand(3, pin_memory=True).equal(a) and torch.tensor([[1, 2], [3, 4]], pin_memory=True).tolist() == [[1, 2], [3, 4]]
""")


def test_layout_gradient_and_empty():
    run("""
x = torch.empty(2, 3, 4, 5, memory_format=torch.channels_last, pin_memory=True, requires_grad=True)
assert x.is_pinned() and x.stride() == (60, 1, 15, 3) and x.requires_grad and x.is_leaf and x._base is None
assert x.untyped_storage().nbytes() == 480
assert torch.empty(0, pin_memory=True).shape == (0,) and torch.zeros((), pin_memory=True).item() == 0
assert torch.empty(2, 0, 3, pin_memory=True).stride() == torch.empty(2, 0, 3).stride()
w = torch.ones(2, pin_memory=True, requires_grad=True)
(w * 3).sum().backward()
assert w.grad.tolist() == [3, 3]
assert torch.ones(2, pin_memory=True).cuda(non_blocking=True).tolist() == [1, 1]
try:
    torch.empty(2, device='cuda', pin_memory=True)
except RuntimeError as e:
    assert 'only dense CPU tensors can be pinned' in str(e)
else:
    raise AssertionError('not refused')
""")


@pytest.mark.parametrize('make', [lambda **k: corten.empty(2, **k), lambda **k: corten.tensor([1], **k),
                                  lambda **k: corten.rand(2, **k), lambda **k: corten.ones(2).new_zeros(2, **k)])
def test_without_a_gpu(make):
    if corten.cuda.is_available():
        pytest.skip('there is a GPU')
    with pytest.raises(RuntimeError, match='no NVIDIA driver'):
        make(pin_memory=True)
    assert not make(pin_memory=False).is_pinned()


def test_meta_and_out_ignore_it():
    assert corten.empty(2, device='meta', pin_memory=True).shape == (2,)
    out = corten.empty(2)
    assert corten.empty(2, out=out, pin_memory=True) is out

# SPDX-License-Identifier: BSD-3-Clause
"""Forks, low memory limits, and lock inversions. Each runs in a separate process, which must not crash or hang."""
import os
import subprocess
import sys

import pytest

import corten


def run(program, *args, timeout=100):
    done = subprocess.run([sys.executable, "-c", program, *map(str, args)], capture_output=True, text=True, timeout=timeout)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split("\n")[:-1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_child_draws_while_threads_of_the_parent_did():
    assert run("""
import corten, os, signal, threading
stop = []
own = corten.Generator()
x = corten.ones(3, requires_grad=True)
def draw():
    while not stop:
        corten.randn(100000), corten.rand(50000, generator=own)
def learn():
    while not stop:
        (x * 2).sum().backward()
        x.register_hook(lambda g: None).remove()
threads = [threading.Thread(target=f, daemon=True) for f in (draw, draw, learn)]
for t in threads:
    t.start()
for _ in range(40):
    pid = os.fork()
    if pid == 0:
        signal.alarm(20)
        corten.rand(100), corten.rand(3, generator=own), corten.randperm(9)
        (x * 2).sum().backward()
        corten.fft.fft(corten.rand(30))
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
stop.append(1)
print("well")
""") == ["well"]


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer ends the process when memory ends")
@pytest.mark.parametrize("megabytes", [20, 70, 130])
def test_linear_algebra_with_little_memory(megabytes):
    resource = pytest.importorskip("resource")
    del resource
    assert run("""
import corten, resource, sys
x = corten.rand(300, 300)
now = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
for limit in (now + (int(sys.argv[1]) << 20), resource.RLIM_INFINITY):
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
    try:
        w = corten.linalg.eigh(x + x.mT)[0]
    except RuntimeError:
        w = None
print(w is not None and w.shape == (300,))
b = corten.rand(64, 80, 80)
corten.linalg.inv(b)
now = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (now + (30 << 20), resource.RLIM_INFINITY))
print(corten.linalg.inv(b).shape == b.shape)  # one matrix after the other if memory does not suffice for several
""", megabytes) == ["True", "True"]


def test_endless_work_is_refused():
    nan = float("nan")
    assert corten.binomial(corten.tensor([nan, 3., 0.]), corten.tensor([.5, nan, .5])).isnan().tolist() == [True, True, False]
    for f in (lambda: corten.mvlgamma(corten.tensor([5e18], dtype=corten.float64), 2 ** 61),
              lambda: corten.special.legendre_polynomial_p(corten.tensor([.5]), 2 ** 40),
              lambda: corten.special.legendre_polynomial_p(corten.tensor([.5, .1]), corten.tensor([nan, 1e15])),
              lambda: corten.special.laguerre_polynomial_l(corten.tensor([.5]), 1e12)):
        with pytest.raises(RuntimeError, match="take too long"):
            f()
    assert corten.special.legendre_polynomial_p(corten.tensor([.5]), 3) == corten.tensor([-.4375])


def test_threads_draw_while_a_long_call_asks_python():
    """The long call holds the generator's lock and polls for signals, which needs the GIL; the other thread holds the GIL and
    waits for the generator."""
    assert run("""
import corten, threading
go = True
def draw():
    while go:
        corten.randn(3)
thread = threading.Thread(target=draw)
thread.start()
for _ in range(3):
    corten.randn(8_000_000)
go = False
thread.join()
print("well")
""") == ["well"]

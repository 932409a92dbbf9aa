# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C in the middle of one long call, in a process of its own: it ends soon, with what Python's handler raises, and everything
works afterwards."""
import signal
import subprocess
import sys
import time

import pytest

# Each takes many seconds when nobody interrupts it.
CALLS = {
    "matmul": ("x = t.ones(16000, 16000)", "x @ x"),
    "bmm": ("x = t.ones(1, 200, 200).expand(60000, 200, 200)", "x @ x"),
    "sort": ("x = t.rand(60_000_000)", "[x.sort() for i in range(20)]"),
    "sort_lines": ("x = t.rand(300_000, 200)", "[x.sort() for i in range(20)]"),
    "special": ("x = t.full((4_000_000,), 3.5, dtype=t.float64)", "t.special.polygamma(3, x.expand(50, -1))"),
    "pointwise": ("x = t.ones(50_000_000)", "[x.exp_().log_() for i in range(300)]"),
    "sum": ("x = t.ones(1).expand(40_000_000_000)", "x.sum()"),
    "cdist": ("x = t.rand(15000, 400)", "t.cdist(x, x, p=1.5)"),
    "fft": ("x = t.rand(2 ** 24, dtype=t.complex64)", "[t.fft.fft(x) for i in range(60)]"),
    "conv": ("x, w = t.rand(64, 64, 96, 96), t.rand(256, 64, 5, 5)", "[t.conv2d(x, w) for i in range(40)]"),
    "random": ("x = t.empty(100_000_000)", "[x.normal_() for i in range(40)]"),
    "lstm": ("m, x = t.nn.LSTM(256, 256), t.rand(20000, 4, 256)", "m(x)"),
    "attention": ("q = t.rand(4, 8, 8192, 64)", "t.nn.functional.scaled_dot_product_attention(q, q, q)"),
    "backward": ("x = t.ones(3000, 3000, requires_grad=True); y = x\nfor i in range(30): y = (y @ x) * 1e-4\ny = y.sum()",
                 "y.backward(); [(x @ x).sum().backward() for i in range(100)]"),
    "cholesky": ("x = t.eye(9000) * 9000 + 1", "[t.linalg.cholesky(x) for i in range(20)]"),
    "masks": ("x = t.rand(60_000_000)", "[x[x > 0.5] for i in range(100)]"),
    "unique": ("x = t.randint(0, 10 ** 9, (40_000_000,))", "[x.unique() for i in range(20)]"),
}

PROGRAM = """
import sys, time
import corten as t
t.set_num_threads({threads})
{before}
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
z = t.rand(300, 300)
assert bool((z @ t.eye(300) == z).all()) and bool((z.sort().values.diff() >= 0).all()) and float(t.ones(10 ** 6).sum()) == 1e6
print("fine", flush=True)
"""


def heed_interrupts():
    """A shell starts its background jobs with SIGINT ignored, and their children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run(name, threads, wait=0.25):
    before, call = CALLS[name]
    program = PROGRAM.format(before=before, call=call, threads=threads)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          preexec_fn=heed_interrupts) as p:
        try:
            assert p.stdout.readline() == "ready\n", p.stderr.read()
            time.sleep(wait)
            sent = time.perf_counter()
            p.send_signal(signal.SIGINT)
            line = p.stdout.readline()
            took = time.perf_counter() - sent
            assert line == "interrupted\n", p.stderr.read()
            assert p.stdout.readline() == "fine\n", p.stderr.read()
            return took
        finally:
            p.kill()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["matmul", "sort", "cdist", "lstm"])
def test_ends_soon(name, threads):
    assert any(run(name, threads) < 0.3 for _ in range(4))  # a busy machine may delay one


def ignore_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.mark.parametrize("before", [heed_interrupts, ignore_interrupts])
def test_other_handlers(before):
    """An alarm whose handler raises ends the call as well; one that does not lets it go on."""
    program = """
import signal, time
import corten as t
seen = []
signal.signal(signal.SIGALRM, lambda *a: seen.append(float(t.ones(3).sum())))
x = t.ones(1).expand(400_000_000_000)
signal.setitimer(signal.ITIMER_REAL, 0.1)
assert float((t.ones(2500, 2500) @ t.ones(2500, 2500))[0, 0]) == 2500.0
time.sleep(0.2)
assert seen == [3.0], seen

class Late(Exception):
    pass

def late(*a):
    raise Late
signal.signal(signal.SIGALRM, late)
signal.setitimer(signal.ITIMER_REAL, 0.1)
try:
    x.sum()
    raise SystemExit("not ended")
except Late:
    pass
assert signal.getsignal(signal.SIGINT) in (signal.default_int_handler, signal.SIG_IGN)
print("fine")
"""
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60,
                          preexec_fn=before).stdout == "fine\n"


def test_a_handler_that_calls_the_one_before_it():
    """Who comes after Corten's handler and calls it is not called by it again."""
    program = """
import faulthandler, os, signal, time
import corten as t
seen, x = [], t.ones(3000, 3000)
signal.signal(signal.SIGALRM, lambda *a: seen.append(1))
x @ x
faulthandler.register(signal.SIGALRM, file=open(os.devnull, "w"), chain=True)
x @ x
signal.setitimer(signal.ITIMER_REAL, 0.02)
for i in range(5):
    x @ x
time.sleep(0.1)
print(seen)
"""
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60,
                          preexec_fn=heed_interrupts).stdout == "[1]\n"


if __name__ == "__main__":  # all of them, with times
    for name in sys.argv[1:] or CALLS:
        for threads in (1, 2):
            try:
                print(f"{name:12} {threads} {run(name, threads):.3f}")
            except AssertionError as e:
                print(f"{name:12} {threads} {str(e)[-300:]}")

# SPDX-License-Identifier: BSD-3-Clause
"""Tests kernels and their launch code without a GPU, on the emulator of tests/emulator: a CUDA driver whose threads are
fibers, and an NVRTC that calls the host's C++ compiler. The emulator and all compiled kernels are kept in
build/emulator for the next run."""
import functools
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SOURCES, BUILD = HERE.parent / "emulator", HERE.parent.parent / "build"
CXX = shutil.which("g++")
FLAGS = ["-O1", "-mf16c", "-std=c++17", "-w", "-fpermissive", "-fPIC", "-ffp-contract=off"]  # compiler flags for kernels


needs_compiler = pytest.mark.skipif(not CXX or platform.machine() != "x86_64", reason="needs g++ for x86-64")


@functools.cache
def version():
    """Returns a key of everything that compiled kernels depend on besides their source."""
    compiler = subprocess.run([CXX, "--version"], capture_output=True, check=True).stdout
    texts = [p.read_bytes() for p in (Path(__file__), *sorted(SOURCES.iterdir()))]  # this file contains the flags
    return hashlib.sha256(compiler + b"".join(texts)).hexdigest()[:16]


def make(folder, name, command):
    """Makes a file with a command whose last argument is the output path. Safe when several processes do so at once."""
    if (folder / name).exists():
        return
    own = folder / f"{os.getpid()}-{name}"
    subprocess.run([*command, own], check=True)
    os.replace(own, folder / name)


def library(folder, name, source, *flags):
    make(folder, name, [CXX, "-O1", "-std=c++17", "-fPIC", "-shared", *flags, SOURCES / source, "-ldl", "-o"])


@pytest.fixture(scope="session")
def emulator(tmp_path_factory):
    """Builds the emulator's libraries and returns their folder."""
    if BUILD.is_dir():
        folder = BUILD / "emulator" / version()
        folder.mkdir(parents=True, exist_ok=True)
        for other in folder.parent.iterdir():  # removes the results of older sources
            if other != folder:
                shutil.rmtree(other, ignore_errors=True)
    else:
        folder = tmp_path_factory.mktemp("emulator")
    make(folder, "shim.hpp", ["cp", SOURCES / "shim.hpp"])
    # Precompiled, because parsing the headers takes half of a kernel's compile time.
    make(folder, "shim.hpp.gch", [CXX, *FLAGS, "-x", "c++-header", SOURCES / "shim.hpp", "-o"])
    compile_kernel = " ".join(["g++", *FLAGS, "-shared", "-nostartfiles", "-nodefaultlibs"])
    library(folder, "libcuda.so.1", "device.cpp")
    library(folder, "libnvrtc.so.13", "compiler.cpp", f'-DEMU_COMPILE="{compile_kernel}"')
    return folder


# Uses few multiprocessors, and runs threads in descending order, unless the environment says otherwise.
CARDS = {"": {}, "one multiprocessor": {"EMU_SM": "1", "EMU_ORDER": "2"}, "before Hopper": {"EMU_MAJOR": "8"}}
PARTS = ["(scans or order) and float32", "(masks or reductions or indices) and float32", "places", "random",
         "recurrent or losses", "convolutions", "norms or pools"]


@pytest.mark.long
@needs_compiler
@pytest.mark.parametrize("tests,card", [*((part, "") for part in PARTS), *(("products", card) for card in CARDS)])
def test_kernels(emulator, tests, card):
    env = {**os.environ, "LD_LIBRARY_PATH": str(emulator), "CORTEN_TEST_CUDA": "emulated", "CORTEN_CACHE_DIR": "",
           "EMU_SM": "8", "EMU_ORDER": "1", **CARDS[card]}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-k", tests,
                           HERE / "test_cuda_kernels.py"], env=env, capture_output=True, text=True, cwd=HERE)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


@pytest.fixture(scope="session")
def libraries(emulator):
    """Returns the emulator's folder and a folder with the emulated cuDNN and cuBLASLt, which only these tests use."""
    folder = emulator / "libraries"
    folder.mkdir(exist_ok=True)
    library(folder, "libcudnn.so.9", "cudnn.cpp")
    library(folder, "libcublasLt.so.13", "cublaslt.cpp")
    return f"{folder}:{emulator}"


def run(folders, program, **env):
    env = {**os.environ, "LD_LIBRARY_PATH": folders, "CORTEN_CACHE_DIR": "", **env}
    program = f"""
import ctypes
import corten as torch
F, f64 = torch.nn.functional, torch.float64
def count(library, what):
    return getattr(ctypes.CDLL(library), 'emu_' + library[3:].split('.')[0].lower() + '_count')(what)
def dnn(what):
    return count('libcudnn.so.9', what)
def lt(what):
    return count('libcublasLt.so.13', what)
torch.manual_seed(1)
{program}"""
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


@needs_compiler
def test_convolutions_by_cudnn(libraries):
    """Compares all kinds of convolution with the CPU, also with transposed weights; a type that cuDNN refuses uses our kernels."""
    run(libraries, """
for shape, weight, options in (((2, 4, 7, 8), (6, 4, 3, 2), dict(padding=1)), ((2, 4, 9, 6), (6, 2, 3, 3), dict(groups=2, stride=2)),
                               ((1, 3, 9), (5, 3, 3), dict(dilation=2, padding=2)), ((1, 2, 4, 5, 6), (3, 2, 2, 3, 3), dict(stride=(1, 2, 1)))):
    results = []
    conv = (F.conv1d, F.conv2d, F.conv3d)[len(shape) - 3]
    x, w, b = torch.randn(shape, dtype=f64), torch.randn(weight, dtype=f64), torch.randn(weight[0], dtype=f64)
    for device in ('cpu', 'cuda'):
        args = [t.detach().to(device).requires_grad_() for t in (x, w.transpose(0, 1).contiguous().transpose(0, 1), b)]
        y = conv(*args, **options)
        (y * y).sum().backward()
        results.append([y, *(t.grad for t in args)])
    for here, there in zip(*results):
        assert torch.allclose(here, there.cpu()), (shape, (here - there.cpu()).abs().max())
assert dnn(31) == 12 and dnn(5) == 12
x, w = torch.randn(1, 2, 5, 5), torch.randn(3, 2, 3, 3)
y = F.conv2d(x.cuda().half(), w.cuda().half())
assert torch.allclose(y.cpu().float(), F.conv2d(x, w), atol=0.05) and dnn(31) == 12
""")


@needs_compiler
def test_plans_of_convolutions_stay(libraries):
    """Different geometries have separate plans, and the number of plans is bounded: the least recently used are dropped and
    made again when needed."""
    run(libraries, """
w = torch.ones(1, 1, 1, 1, dtype=f64, device='cuda')
images = [torch.ones(1, 1, 1 + i % 50, 1 + i // 50, dtype=f64, device='cuda') for i in range(1500)]
def convolve(some):
    for x in some:
        assert F.conv2d(x, w).shape == x.shape
for _ in range(3):
    convolve(images[:600])
assert dnn(5) == 600 and dnn(31) == 1800
convolve(images)
full = dnn(0)
convolve(images[1400:])
assert dnn(5) == 1500, 'the latest plans are kept'
convolve(images)
assert dnn(5) > 2000 and dnn(0) == full, 'dropped plans are destroyed'
""")


@needs_compiler
def test_engines_that_switches_forbid(libraries):
    run(libraries, """
x, w = torch.randn(1, 2, 5, 5, dtype=f64).cuda(), torch.randn(3, 2, 3, 3, dtype=f64).cuda()
y = F.conv2d(x, w)
torch.backends.cudnn.deterministic = True
assert torch.equal(F.conv2d(x, w), y) and dnn(5) == 2
torch.backends.cudnn.enabled = False
assert torch.allclose(F.conv2d(x, w), y) and dnn(31) == 2
""")


@needs_compiler
@pytest.mark.parametrize("refuses", [{}, {"EMU_REFUSE": "1"}])
def test_products_by_cublaslt(libraries, refuses):
    run(libraries, """
def product(m, n, k, batch=(), bias=False):
    a, b, c = (torch.randn(*batch, *s, dtype=f64) for s in ((m, k), (n, k), (n,) if bias else (m, n)))
    there = [t.cuda() for t in (a, b, c)]
    here = torch.addmm(c, a, b.T) if bias else a @ b.mT
    assert torch.allclose(here, (torch.addmm(there[2], there[0], there[1].T) if bias else there[0] @ there[1].mT).cpu())
for shape in ((9, 10, 11), (17, 33, 40), (64, 64, 64)):
    product(*shape)
    product(*shape, batch=(3,))
    product(*shape, bias=True)
assert lt(1) == 9
a = torch.ones(60, 60, dtype=f64, device='cuda')
def multiply(some):
    for i in some:
        m, n = 10 + i % 50, 10 + i // 50
        assert (a[:m, :20] @ a[:20, :n]).shape == (m, n)
multiply(range(800))
made, live = lt(1), lt(0)
for _ in range(3):
    multiply(range(800))
assert lt(1) == made and lt(0) == live
multiply(range(2500))
assert lt(0) < 4 * 2048 + 10, 'dropped plans are destroyed'
""", **refuses)

# SPDX-License-Identifier: BSD-3-Clause
"""Kernels and the code that launches them without a card, on the emulator of tests/emulator, which the host's C++
compiler makes of two files: a driver whose threads are fibers, and NVRTC's place taken by that compiler."""
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
CXX = shutil.which("c++")


@pytest.fixture(scope="module")
def emulator(tmp_path_factory):
    folder = tmp_path_factory.mktemp("emulator")
    shutil.copy(HERE.parent / "emulator/shim.hpp", folder)
    for source, library in (("device.cpp", "libcuda.so.1"), ("compiler.cpp", "libnvrtc.so.13")):
        subprocess.run([CXX, "-O1", "-std=c++17", "-fPIC", "-shared", "-o", folder / library,
                        HERE.parent / "emulator" / source, "-ldl"], check=True)
    return folder


@pytest.mark.skipif(not CXX or platform.machine() != "x86_64", reason="needs a C++ compiler for x86-64")
@pytest.mark.parametrize("tests,card", [("(scans or order) and float32", {}), ("(masks or reductions or indices) and float32", {}),
                                        ("places or random", {}), ("products or recurrent or convolutions or norms or pools or losses", {}),
                                        ("products", {"EMU_SM": "1", "EMU_ORDER": "2"}), ("products", {"EMU_MAJOR": "8"})])
def test_kernels(emulator, tests, card):
    env = {**os.environ, "LD_LIBRARY_PATH": str(emulator), "CORTEN_TEST_CUDA": "emulated", "CORTEN_CACHE_DIR": "",
           "EMU_SM": "8", "EMU_ORDER": "1", **card}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-k", tests,
                           HERE / "test_cuda_kernels.py"], env=env, capture_output=True, text=True, cwd=HERE)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]

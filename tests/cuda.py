#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs all tests for a GPU and prints one line for each: `make test-cuda`.

    cuda.py [--jobs N] [--every N] [--seconds N]

Compares rows with facts recorded from PyTorch (ops/test_cuda.py, a few thousand cases per process), and kernels with the
CPU's engines (ops/test_cuda_kernels.py). Needs no network: if Corten is not installed, the system's meson and ninja
build it into build-cuda/stage.
"""
import argparse
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE / "recorded"))
import recorded  # noqa: E402

SHARD = 12_000  # compressed bytes of recorded facts per process


def build():
    """Returns the folder of Corten's package, after building it if needed; None if it is installed."""
    if subprocess.run([sys.executable, "-c", "import corten"], capture_output=True).returncode == 0:
        return None
    stage = ROOT / "build-cuda/stage"
    if not (ROOT / "build-cuda/build.ninja").exists():
        subprocess.run(["meson", "setup", "build-cuda", f"-Dpython.platlibdir={stage}", f"-Dpython.purelibdir={stage}",
                        "-Dtests=false"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", "build-cuda", "--quiet"], cwd=ROOT, check=True)
    subprocess.run(["meson", "install", "-C", "build-cuda", "--no-rebuild", "--quiet"], cwd=ROOT, check=True)
    return stage


def works(every):
    """Returns [(name, command)] of all runs, the longest first."""
    found = []
    for table, name in recorded.tables().items():
        size = recorded.path(name).stat().st_size
        shards = -(-size // SHARD)
        for k in range(shards):
            found.append((size, table, [HERE / "ops/test_cuda.py", table, every * shards, every * k]))
    found.sort(key=lambda f: f[0], reverse=True)
    pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    kernels = [("kernels", [*pytest, HERE / "ops/test_cuda_kernels.py", "-k", part])
               for part in ("scans", "order", "not scans and not order")]
    return kernels + [(name, command) for _, name, command in found]


def run(name, command, env):
    """Returns (name, cases, number of differences, seconds, output)."""
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-X", "faulthandler", *map(str, command)], cwd=HERE / "ops", env=env,
                          capture_output=True, text=True)
    took, out = time.monotonic() - start, done.stdout
    if rows := re.search(r"^(\d+) of (\d+) differ on the device", out, re.M):
        return name, int(rows[2]), int(rows[1]), took, out[rows.start():]
    passed, failed = (sum(map(int, re.findall(rf"(\d+) {what}", out.splitlines()[-1] if out else "")))
                      for what in ("passed", "failed"))
    text = "\n".join((out + done.stderr).splitlines()[-12:])
    return name, passed + failed, failed or int(done.returncode != 0), took, text


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--jobs", type=int, default=min(16, os.cpu_count() or 1))
    p.add_argument("--every", type=int, default=1, help="one recorded case of so many")
    p.add_argument("--seconds", type=float, default=float("inf"), help="nothing begins later; what is left is said")
    args = p.parse_args()
    env = {**os.environ, "CORTEN_TEST_CUDA": "1", "OMP_NUM_THREADS": "1"}
    if stage := build():
        env["PYTHONPATH"] = f"{stage}:{env.get('PYTHONPATH', '')}"
    card = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                          capture_output=True, text=True).stdout.strip()
    start, totals, left = time.monotonic(), {}, []

    def in_time(work):
        return run(*work, env) if time.monotonic() - start < args.seconds else left.append(work[0])
    with ThreadPoolExecutor(args.jobs) as pool:
        for name, n, wrong, took, text in filter(None, pool.map(in_time, works(args.every))):
            if wrong:
                print(f"{name}: {wrong} of {n} wrong\n{text}", flush=True)
            before = totals.get(name, (0, 0, 0))
            totals[name] = before[0] + n, before[1] + wrong, max(before[2], took)
    print(f"{card}, {time.strftime('%d %B %Y')}, {args.jobs} processes, {time.monotonic() - start:.0f} s")
    for name, (n, wrong, took) in totals.items():
        print(f"{name}: {n - wrong} of {n}, {took:.0f} s")
    wrong = sum(t[1] for t in totals.values())
    if left:
        print("not run:", *sorted(set(left)))
    print(f"all: {sum(t[0] for t in totals.values())}, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())

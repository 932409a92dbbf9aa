# SPDX-License-Identifier: BSD-3-Clause
"""Times a checkpoint of 1 GB and an epoch of a data loader in Corten and in PyTorch, in alternating processes.

    python bench/files.py [--mb 1024] [--rounds 3] [--folder DIR]

CORTEN_TORCH_PYTHON names a Python that has PyTorch. Prints wall and CPU time, the best of all rounds; the file is in the page
cache. Each library reads the file that it wrote; both files have the same bytes. Corten's `save` waits for the disk (fsync), PyTorch's
does not, so use a folder in memory (/dev/shm) to compare the formats alone.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

ROWS, BATCH = 60_000, 64


def clock(function):
    wall, cpu = time.perf_counter(), time.process_time()
    result = function()
    return result, (time.perf_counter() - wall, time.process_time() - cpu)


def work(library, path, mb):
    torch = __import__(library)
    data = __import__(f"{library}.utils.data", fromlist=["data"])
    torch.set_num_threads(1)
    state = {f"layer{i}.weight": torch.full((mb << 20 >> 8,), float(i)) for i in range(64)}
    torch.save({"x": torch.ones(1)}, path)  # warm up: the first call imports modules
    torch.load(path)
    out = {"save": clock(lambda: torch.save(state, path))[1]}
    del state
    loaded, out["load mmap"] = clock(lambda: torch.load(path, mmap=True))
    assert loaded["layer63.weight"][-1] == 63
    del loaded
    loaded, out["load"] = clock(lambda: torch.load(path))
    assert loaded["layer63.weight"][-1] == 63
    del loaded
    rows = data.TensorDataset(torch.arange(float(ROWS * 8)).view(ROWS, 8), torch.arange(ROWS))
    loader = data.DataLoader(rows, batch_size=BATCH, shuffle=True)
    next(iter(loader))
    count, out["epoch"] = clock(lambda: sum(len(y) for _, y in loader))
    assert count == ROWS
    print(json.dumps(out))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mb", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", default="/dev/shm" if os.path.isdir("/dev/shm") else None)
    parser.add_argument("--work", nargs=2)
    args = parser.parse_args()
    if args.work:
        return work(*args.work, args.mb)
    pythons = {"corten": sys.executable, "torch": os.environ.get("CORTEN_TORCH_PYTHON", sys.executable)}
    best = {library: {} for library in pythons}
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        for _ in range(args.rounds):
            for library, python in pythons.items():
                env = dict(os.environ, OMP_NUM_THREADS="1")
                run = subprocess.run([python, os.path.abspath(__file__), "--mb", str(args.mb), "--work", library, f"{folder}/{library}.pt"],
                                     capture_output=True, text=True, check=True, env=env)
                for what, times in json.loads(run.stdout.splitlines()[-1]).items():
                    best[library][what] = [min(p) for p in zip(times, best[library].get(what, times))]
                os.unlink(f"{folder}/{library}.pt")
    print(f"{'':12}{'Corten ms':>12}{'PyTorch ms':>12}{'ratio':>8}    {'processor':>10}{'PyTorch':>10}{'ratio':>8}")
    for what, (wall, cpu) in best["corten"].items():
        wall2, cpu2 = best["torch"][what]
        print(f"{what:12}{wall * 1e3:12.2f}{wall2 * 1e3:12.2f}{wall / wall2:8.3f}    {cpu * 1e3:10.2f}{cpu2 * 1e3:10.2f}"
              f"{cpu / max(cpu2, 1e-9):8.3f}")


if __name__ == "__main__":
    main()

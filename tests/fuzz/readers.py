# SPDX-License-Identifier: BSD-3-Clause
"""Reads malicious files with the Python package: mutations of the files in corpus/ and of files made below.

    python tests/fuzz/readers.py --seconds 600 [--reader load] [--seed 1]

Each file must give a result or one of the exceptions below, within an address space of MEMORY bytes. If the process dies or raises
another exception, the file is kept in the folder that is printed. readers.c does the same with the C library's readers, guided by
code coverage."""
import argparse
import io
import os
import pickle
import random
import struct
import subprocess
import sys
import tarfile
import tempfile
import time
import warnings
import zlib
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
MEMORY = 256 << 20
MOST = 4096  # bytes of a file
FAIR = (RuntimeError, ValueError, TypeError, LookupError, EOFError, OSError, AttributeError, AssertionError, pickle.UnpicklingError,
        zlib.error, OverflowError)  # RecursionError is a RuntimeError; SystemError, MemoryError and others are failures


def seeds(*folders):
    """Returns the files of a folder, and those with which readers.c reached new code."""
    files = [path.read_bytes() for folder in folders for path in sorted((CORPUS / folder).iterdir())]
    with tarfile.open(CORPUS / "found.tar.xz") as found:
        files += [found.extractfile(m).read() for m in found.getmembers() if m.isfile() and m.name.split("/")[-2] in folders]
    return files


def readers():
    """Returns {name: (seed files, function that reads the bytes)}."""
    import corten
    from corten import safetensors
    from corten.vision import io as pictures
    from corten.vision.datasets import cifar, mnist
    here = tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)

    def by_path(function, ending):
        path = os.path.join(here, "file" + ending)

        def read(data):
            with open(path, "wb") as f:
                f.write(data)
            return function(path)
        return read

    idx = [b"\0\0\x08\x03" + struct.pack(">3I", 2, 2, 2) + bytes(range(8)), b"\0\0\x0d\x01" + struct.pack(">I", 2) + bytes(8)]
    batch = [b"\x80\x02}q\x01(U\x04datacnumpy.core.multiarray\n_reconstruct\nq\x02cnumpy\nndarray\nK\x00\x85U\x01b\x87R(K\x01K\x02K\x02\x86"
             b"cnumpy\ndtype\nU\x02u1K\x00K\x01\x87R(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89U\x04abcdtbU\x06labels](K\x01K\x02eu."]
    batch += [pickle.dumps({"data": b"abc", "labels": [1, 2], "names": ["x"]}, protocol=p) for p in (2, 4)]
    table = {
        "load": (seeds("pt", "pickle"), lambda data: corten.load(io.BytesIO(data))),
        "load_mmap": (seeds("pt"), by_path(lambda path: corten.load(path, mmap=True), ".pt")),
        "npy": (seeds("npy", "npz"), by_path(corten.load, ".npy")),
        "npz": (seeds("npz", "npy"), by_path(corten.load, ".npz")),
        "safetensors": (seeds("safetensors"), by_path(safetensors.load_file, ".safetensors")),
        "safetensors_bytes": (seeds("safetensors"), safetensors.load),
        "picture": (seeds("jpeg", "ppm"), lambda data: pictures.decode_image(corten.frombuffer(bytearray(data), dtype=corten.uint8))),
        "idx": (idx, by_path(mnist.read_sn3_pascalvincent_tensor, "-ubyte")),
        "cifar": (batch, cifar.read_batch),
    }
    return table


def mutate(rng, data, others):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at, n = rng.randrange(len(data) + 1), rng.choice((1, 2, 4, 8, 32))
        kind = rng.randrange(8)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at:at + 1] = bytes([rng.randrange(256)])
        elif kind == 2:
            data[at:at + n] = b""
        elif kind == 3:
            data[at:at] = bytes(rng.randrange(256) for _ in range(n))
        elif kind == 4:
            data[at:at + n] = rng.choice((b"\xff", b"\0", b"\x7f", b"9")) * n
        elif kind == 5:
            data[at:at] = data[max(0, at - n):at]
        elif kind == 6:
            other = rng.choice(others)
            cut = rng.randrange(len(other) + 1)
            data[at:at + n] = other[cut:cut + rng.choice((n, 64, 512))]
        elif rng.random() < 0.2:
            data[at:] = b""
    return bytes(data[:MOST])


def work(name, seed, seconds, place):
    import resource
    warnings.simplefilter("ignore")
    table = readers()
    files, read = table[name]
    for data in files:
        try:
            read(data)
        except FAIR:
            pass
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):
        with open("/proc/self/statm") as f:
            now = int(f.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))
    rng, end, done = random.Random(seed), time.time() + seconds, 0
    pool = list(files)
    with open(place, "r+b", buffering=0) as last:
        while time.time() < end:
            data = mutate(rng, rng.choice(pool), files)
            last.truncate(0)
            os.pwrite(last.fileno(), data, 0)
            try:
                read(data)
                if len(pool) < 500:  # files that are still valid are good starting points
                    pool.append(data)
            except FAIR as error:
                if "llocate" in str(error):
                    raise
            done += 1
    print(done)


def fuzz(name, seed, seconds):
    """Returns (number of files read, report or None)."""
    with tempfile.NamedTemporaryFile(dir="/dev/shm" if os.path.isdir("/dev/shm") else None, delete=False) as place:
        pass
    run = subprocess.run([sys.executable, "-X", "faulthandler", __file__, "--work", name, str(seed), str(seconds), place.name],
                         capture_output=True, text=True, timeout=seconds + 300)
    if run.returncode == 0:
        os.unlink(place.name)
        return int(run.stdout), None
    return 0, f"{name}, seed {seed}: exit {run.returncode}, the file is {place.name}\n{run.stderr[-3000:]}"


NAMES = ("load", "load_mmap", "npy", "npz", "safetensors", "safetensors_bytes", "picture", "idx", "cifar")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2 ** 32))
    parser.add_argument("--reader", choices=NAMES)
    parser.add_argument("--work", nargs=4)
    args = parser.parse_args()
    if args.work:
        name, seed, seconds, place = args.work
        return work(name, int(seed), float(seconds), place)
    bad = 0
    for name in [args.reader] if args.reader else NAMES:
        done, report = fuzz(name, args.seed, args.seconds)
        bad += report is not None
        print(report or f"{name}: {done} files", flush=True)
    return bad


if __name__ == "__main__":
    sys.exit(main())

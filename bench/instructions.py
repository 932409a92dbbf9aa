# SPDX-License-Identifier: BSD-3-Clause
"""Counts the instructions of calls on one-element tensors with callgrind. Each program runs twice, with
few and with many calls, and the difference is divided by the number of calls. Unlike a time, the count
hardly depends on the machine, and not at all on its load.

    .venv/bin/python bench/instructions.py [--library numpy] ['x + y' ...]

Needs valgrind, and for the C program a compiler and pkg-config. The cost of the Python loop is measured
with `pass` and subtracted.
"""
import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
FEW, MANY = 1_000, 11_000
PROGRAM = """
import sys, {library} as torch
x, y = torch.ones(1), torch.ones(1)
w = torch.ones(1, requires_grad=True) if hasattr(torch, "Tensor") else x
def run(n):
    for _ in range(n):
        {statement}
run(int(sys.argv[1]))
"""
STATEMENTS = ["x + y", "x + 1.0", "torch.add(x, y)", "x.add_(y)", "x[0]", "x.sum()", "w + y", "-x"]


def count(command, n):
    """Returns the instructions of one whole run on the calling thread."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", *command, str(n)],
                              capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not found:
        sys.exit(done.stderr[-2000:])
    return int(found[1])


def per_call(command):
    return (count(command, MANY) - count(command, FEW)) / (MANY - FEW)


def build_c(folder):
    """Compiles the C program and links it with the library of this Python's package."""
    lib = Path(find_spec("corten").origin).parent / "lib"
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "corten"], capture_output=True, text=True, check=True,
                           env={"PATH": "/usr/bin:/bin", "PKG_CONFIG_PATH": str(lib / "pkgconfig")}).stdout
    program = f"{folder}/one_add"
    subprocess.run(["cc", "-O2", HERE / "one_add.c", "-o", program, *shlex.split(flags), f"-Wl,-rpath,{lib}"], check=True)
    return program


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("--library", default="corten", help="what the Python programs import")
    p.add_argument("statements", nargs="*", default=STATEMENTS)
    args = p.parse_args()
    print("| call | instructions |\n| --- | --: |")
    with tempfile.TemporaryDirectory() as folder:
        if args.library == "corten":
            print(f"| C: `ct_add(x, y)` and its scope | {per_call([build_c(folder)]):.0f} |", flush=True)
        script = Path(folder) / "program.py"

        def python(statement):
            script.write_text(PROGRAM.format(library=args.library, statement=statement))
            return per_call([sys.executable, str(script)])

        empty = python("pass")
        for statement in args.statements:
            print(f"| Python: `{statement}` | {python(statement) - empty:.0f} |", flush=True)


if __name__ == "__main__":
    main()

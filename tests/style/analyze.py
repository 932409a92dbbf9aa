# SPDX-License-Identifier: BSD-3-Clause
"""Runs a compiler's static analyzer on every C file of a build: gcc's -fanalyzer, or clang's with --clang.

    python tests/style/analyze.py build [--clang] [--jobs 2] [part of a path ...]

Prints each report once, and counts by kind; the exit code is nonzero if there were any. EXPLAINED lists false positives: the
warning, the file, a word of the report, and the reason."""
import collections
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

DIMS = "as many elements were set as the tensor has dims; the count comes from another file, or was read twice"
WALK = "a walk sets as many operands as it has; one that goes as a line has two dims or more"
DRAWN = "kinds of random numbers that need a tensor of parameters come with one"
GIVEN = "the caller has checked that it is there"
EXPLAINED = [
    ("core.uninitialized", "core/tensor.c", "garbage", DIMS), ("core.uninitialized", "ops/index/tensors.c", "subscript", DIMS),
    ("core.uninitialized", "ops/pointwise/pointwise.c", "", DIMS), ("core.uninitialized", "ops/reduce/reduce.c", "", DIMS),
    ("core.uninitialized", "ops/shape/views/shape.c", "", DIMS), ("UndefinedBinaryOperatorResult", "ops/sparse/sparse.c", "", DIMS),
    ("core.CallAndMessage", "ops/window/resample.c", "4th", DIMS), ("core.uninitialized", "autograd/custom.c", "Branch", DIMS),
    ("core.NullDereference", "ops/reduce/reduce.c", "'v'", "a list without an address has no elements"),
    ("core.NullDereference", "ops/sample/sample.c", "'v'", GIVEN), ("core.NullDereference", "ops/order/histogram.c", "numel", GIVEN),
    ("core.NullDereference", "autograd/engine/run.c", "leads", "of_duals is asked when all roots are there"),
    ("core.NullDereference", "ops/reduce/extremes.c", "indices", "indices are always asked for, values not"),
    ("core.NullDereference", "ops/linalg/factor/qr.c", "tau", "Q is there only where tau is: results come in as zeros"),
    ("core.NullDereference", "ops/linalg/matrix_exp.c", "ways", "there is a result only where `both` is, and so are ways"),
    ("core.NullDereference", "io/unpickle.c", "stack", "a count above 0 has a stack"),
    ("core.NullDereference", "python/src/parse/parse.c", "first", "who has a positional argument has an argument"),
    ("core.CallAndMessage", "python/src/tensor/operators.c", "pointer", "one of the two functions is given"),
    ("core.NonNullParamChecker", "python/src/parse/parse_error.c", "", "room for n + 1 > 0 bytes was made"),
    ("UndefinedBinaryOperatorResult", "core/random.c", "shift", "a number that was rounded has more digits than the type"),
    ("UndefinedBinaryOperatorResult", "ops/pointwise/pointwise.c", "'-'", "a step that is a power has two operands"),
    ("UndefinedBinaryOperatorResult", "ops/front.h", "array", "lists that are not counted end with a NaN"),
    ("unix.Malloc", "core/block.c", "freed", "a block is in one chain alone, and its link is read before it goes"),
    ("core.uninitialized", "core/tensor.h", "returned", "a tensor's dtype is one of the table's"),
    ("core.DivideZero", "cpu/fft/plan.c", "", "who splits has asked split_rows before"),
    ("core.CallAndMessage", "cpu/index/index.c", "1st", "lines are of one tensor, whose address cti_line_at sets"),
    ("UndefinedBinaryOperatorResult", "cpu/order/keys.c", "shift", "a key has 8 bits or more"),
    ("core.uninitialized", "cpu/pointwise/block.c", "", WALK), ("core.CallAndMessage", "cpu/pointwise/block.c", "", WALK),
    ("UndefinedBinaryOperatorResult", "cpu/pointwise/block.c", "", WALK), ("core.CallAndMessage", "cpu/pointwise/copy.c", "", WALK),
    ("UndefinedBinaryOperatorResult", "cpu/pointwise/pointwise.c", "shift", "the first operand is the result, for which it returns before"),
    ("core.NullDereference", "cpu/random/engine.c", "'p'", DRAWN), ("core.NullDereference", "cuda/random/discrete.c", "'p'", DRAWN),
    ("core.DivideZero", "cuda/attend/attend.c", "", "is_for_host has seen that there is a tile"),
]


def command(entry, clang):
    """Returns the compiler's command changed to run the analyzer instead of writing an object file."""
    words, skip = [], False
    for word in shlex.split(entry["command"]):
        if skip or word in ("-MQ", "-MF", "-o"):
            skip = not skip
        elif not word.startswith(("-M", "-W", "-fdiagnostics", "-O", "--param")) and "ccache" not in word:
            words.append(word)
    if not entry["file"].endswith(("core/error.c", "python/src/errors.c")):  # these define the functions that analyzed.h declares
        words += ["-include", os.path.join(os.path.dirname(os.path.abspath(__file__)), "analyzed.h")]
    if clang:
        words = ["clang", "--analyze", "--analyzer-output", "text"] + [w for w in words[1:] if w not in (
            "-fno-thread-jumps", "-fno-semantic-interposition", "-fopenmp-simd", "-c") and not w.startswith("-fvect")]
        return words + ["-o", "/dev/null", "-Wno-everything"]
    return words + ["-o", "/dev/null", "-O1", "-w", "-fanalyzer", "-fdiagnostics-path-format=none", "-fdiagnostics-plain-output"]


def reports(entry, clang):
    try:
        ran = subprocess.run(command(entry, clang), cwd=entry["directory"], capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return [f"{entry['file']}: took too long"]
    pattern = r"^(\S+?:\d+):\d+: warning: (.*\[.*\])$" if clang else r"^(\S+?:\d+):\d+: warning: (.*\[-Wanalyzer.*\])$"
    found = [f"{os.path.normpath(m[1])}: {m[2]}" for m in re.finditer(pattern, ran.stderr, re.M)]
    return found or ([f"{entry['file']}: {ran.stderr[:300]}"] if ran.returncode else [])


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    jobs = int(sys.argv[sys.argv.index("--jobs") + 1]) if "--jobs" in sys.argv else 2
    words = [w for w in words if not w.isdigit()]
    build, parts = words[0], words[1:]
    with open(os.path.join(build, "compile_commands.json")) as f:
        entries = [e for e in json.load(f) if e["file"].endswith(".c") and "tests/c" not in e["file"] and "examples/" not in e["file"]]
    chosen = {}
    for e in entries:  # one instruction set is enough
        if not parts or any(p in e["file"] for p in parts):
            chosen.setdefault(e["file"], e)
    found = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for some in pool.map(lambda e: reports(e, "--clang" in sys.argv), chosen.values()):
            found.update(set(some))
    left = sorted(r for r in found if not any(kind in r and file in r and word in r for kind, file, word, why in EXPLAINED))
    print("\n".join(left))
    kinds = collections.Counter(m[1] for r in left if (m := re.search(r"\[([^\[\]]+)\]$", r)))
    print(f"{len(chosen)} files, {len(left)} reports{': ' if kinds else ''}{', '.join(f'{n} {k}' for k, n in kinds.most_common())}")
    return bool(left)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the figures at the top of README.md in one run on one machine.

    CORTEN_TORCH_PYTHON=... .venv/bin/python bench/readme.py          measures, writes readme.json
                                                                      and the table in README.md
    .venv/bin/python bench/readme.py --show                           prints the recorded table

CORTEN_TORCH_PYTHON is a Python that has PyTorch and NumPy. Each library runs in
its own process. The processes alternate five times and the best time counts, so that load on the machine
affects all libraries alike.

What the rows mean: `import` is the time and the resident memory that importing adds to a bare
Python. `installed` counts the files of the package and of all packages that it requires. The others
are the time of one call: of two tensors with one number each; of ten pointwise operations on 16
numbers and the backward pass through them; of two tensors with ten million numbers.
"""
import json
import os
import pathlib
import platform
import re
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
RECORD = ROOT / 'bench/readme.json'
TURNS = 5
LIBRARIES = {'corten': 'Corten', 'torch': 'PyTorch', 'numpy': 'NumPy'}
ROWS = {
    'import': '`import`',
    'installed': 'installed, with dependencies',
    'one': '`x + y`, one number each',
    'backward': 'ten small operations, forward and backward',
    'large': '`x + y` of ten million numbers',
}


# ---- in the process of one library ----

def best_time(call, seconds=0.3):
    """Returns the shortest time of a call, from runs of several calls that take `seconds` in total."""
    start = time.perf_counter()
    call()
    loops = max(1, int(0.005 / max(time.perf_counter() - start, 1e-8)))
    best, end = float('inf'), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(loops):
            call()
        best = min(best, (time.perf_counter() - start) / loops)
    return best


def resident():
    """Returns the resident memory of this process in bytes."""
    pages = int(pathlib.Path('/proc/self/statm').read_text().split()[1])
    return pages * resource.getpagesize()


def chain(x):
    y = x
    for _ in range(5):
        y = (y * 0.5).tanh()
    y.sum().backward()


def measure(name):
    """Returns all figures of one library as a dict, which main prints for the parent."""
    before, start = resident(), time.perf_counter()
    lib = __import__(name)
    found = {'import': [time.perf_counter() - start, resident() - before]}
    if name == 'numpy':
        one, large, other = lib.ones(1, 'f4'), lib.ones(10_000_000, 'f4'), lib.ones(10_000_000, 'f4')
    else:
        one, large, other = lib.ones(1), lib.ones(10_000_000), lib.ones(10_000_000)
        small = lib.full((16,), 0.5, requires_grad=True)
        found['backward'] = best_time(lambda: chain(small))
    found['one'] = best_time(lambda: one + one)
    found['large'] = best_time(lambda: large + other)
    return found


def folder_bytes(folder):
    files = (f for f in folder.rglob('*') if f.suffix != '.pyc' and not f.is_symlink())
    return sum(f.stat().st_size for f in files if f.is_file())


def installed_bytes(name):
    """Returns the bytes of a library's files and of its installed dependencies, without .pyc files."""
    import sysconfig
    from importlib import metadata
    site = pathlib.Path(sysconfig.get_path('platlib'))
    if name == 'corten':  # `make build` installs it without package metadata
        return folder_bytes(site / 'corten') + folder_bytes(site / 'scipy_openblas32')
    todo, known, total = [name], set(), 0
    while todo:
        dist = todo.pop().lower()
        if dist in known:
            continue
        known.add(dist)
        try:
            files, needs = metadata.files(dist), metadata.requires(dist)
        except metadata.PackageNotFoundError:
            continue  # a dependency for another system or an extra
        paths = [f.locate() for f in files or () if f.suffix != '.pyc']
        total += sum(os.path.getsize(path) for path in paths if os.path.exists(path))
        todo += [re.match(r'[\w.-]+', need)[0] for need in needs or () if 'extra ==' not in need]
    return total


# ---- all libraries ----

def ask(python, code):
    out = subprocess.run([python, __file__, *code], capture_output=True, text=True, check=True).stdout
    return json.loads(out.splitlines()[-1])


def least(a, b):
    return [min(x, y) for x, y in zip(a, b)] if isinstance(a, list) else min(a, b)


def record():
    torch = os.environ.get('CORTEN_TORCH_PYTHON')
    if not torch:
        sys.exit('CORTEN_TORCH_PYTHON must name a Python that has PyTorch and NumPy')
    pythons = {'corten': sys.executable, 'torch': torch, 'numpy': torch}
    found = {name: {} for name in LIBRARIES}
    for _ in range(TURNS):
        for name, python in pythons.items():
            turn = ask(python, ['--measure', name])
            found[name] = {k: least(v, found[name].get(k, v)) for k, v in turn.items()}
    for name, python in pythons.items():
        found[name]['installed'] = ask(python, ['--installed', name])
    cpu = re.search(r'model name\s*: (.*)', pathlib.Path('/proc/cpuinfo').read_text())
    found['machine'] = f"{os.cpu_count()} cores of {cpu[1] if cpu else platform.machine()}"
    RECORD.write_text(json.dumps(found, indent=1) + '\n')


def human_time(s):
    for unit, scale in (('s', 1), ('ms', 1e-3), ('us', 1e-6)):
        if s >= scale:
            break
    return f'{s / scale:.2g} {unit}' if s / scale < 10 else f'{s / scale:.0f} {unit}'


def human_bytes(n):
    return f'{n / 1e9:.1f} GB' if n >= 1e9 else f'{n / 1e6:.0f} MB'


def cell(row, value):
    if value is None:
        return ''
    if row == 'import':
        return f'{human_time(value[0])}, {human_bytes(value[1])}'
    return human_bytes(value) if row == 'installed' else human_time(value)


def table():
    """Returns the table of the recorded figures for README.md."""
    found = json.loads(RECORD.read_text())
    lines = ['| | ' + ' | '.join(LIBRARIES.values()) + ' |', '| --- | --: | --: | --: |']
    for row, words in ROWS.items():
        lines.append(f'| {words} | ' + ' | '.join(cell(row, found[n].get(row)) for n in LIBRARIES) + ' |')
    lines = [line.replace('|  |', '| |') for line in lines]
    return '\n'.join(lines) + f'\n\nOne run of `bench/readme.py` on {found["machine"]}'


def main(args):
    if args[:1] == ['--measure']:
        print(json.dumps(measure(args[1])))
    elif args[:1] == ['--installed']:
        print(json.dumps(installed_bytes(args[1])))
    elif args == ['--show']:
        print(table())
    else:
        record()
        page = ROOT / 'README.md'
        old = r'\| \| Corten \|.*?\n\n.*?(?=;)'
        page.write_text(re.sub(old, lambda _: table(), page.read_text(), count=1, flags=re.S))
        print(table())


if __name__ == '__main__':
    main(sys.argv[1:])

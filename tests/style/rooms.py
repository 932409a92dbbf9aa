# SPDX-License-Identifier: BSD-3-Clause
"""The rooms (top-level parts) of the source tree, and which others each may include.

Used by test_style.py. `public` is include/, `gen` is generated files in the build folder (any
header that is not in the tree).
"""
import fnmatch
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]

# A room may always include itself. core/backend.h declares the table of backends, so rooms reach engines without including them.
MAY_INCLUDE = {
    'public': set(),
    'core': {'public'},
    'explain': {'public', 'core'},
    'math': set(),
    'ops': {'public', 'core', 'autograd', 'gen'},
    'autograd': {'public', 'core', 'gen'},
    'io': {'public', 'core', 'gen'},
    'dist': {'public', 'core', 'gen'},
    'cpu': {'public', 'core', 'math', 'gen'},
    'accelerator': {'public', 'core'},
    'cuda': {'public', 'core', 'math', 'accelerator', 'gen'},
    'nn': {'public', 'core', 'autograd', 'ops', 'gen'},
    'optim': {'public', 'core', 'autograd', 'ops', 'gen'},
    'python': {'public', 'gen'},
    'examples': {'public', 'gen'},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<(corten[/.][^>]+)>)', re.M)


def tracked(*patterns):
    """Returns files that git tracks or would add, relative to the root; in a source archive, all files that are not built."""
    if not (ROOT / '.git').exists():
        found = (p.relative_to(ROOT) for pattern in patterns for p in ROOT.rglob(pattern.split('/')[-1]) if p.is_file())
        return sorted({p for p in found if not p.parts[0].startswith(('.venv', 'build', 'dist')) and '__pycache__' not in p.parts
                       and any(fnmatch.fnmatch(str(p), pattern) for pattern in patterns)})
    names = subprocess.run(
        ['git', 'ls-files', '--cached', '--others', '--exclude-standard', '--', *patterns],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split('\n')
    return [pathlib.Path(n) for n in names if n and (ROOT / n).is_file()]


def room_of(path):
    """Returns the room of a file given relative to the root, or None if no rule applies (tests)."""
    parts = path.parts
    if parts[0] == 'include':
        return 'public'
    if parts[0] == 'src' and len(parts) > 2:
        return parts[1]
    return parts[0] if parts[0] in MAY_INCLUDE else None


def target_room(path, name):
    """Returns the room of the header that `path` includes as `name`."""
    for base in ((ROOT / path).parent, ROOT / 'src', ROOT / 'include'):
        found = (base / name).resolve()
        if found.is_file() and found.is_relative_to(ROOT):
            return room_of(found.relative_to(ROOT))
    return 'gen'


def wrong_includes(path):
    room = room_of(path)
    if room is None:
        return []
    found = []
    for match in INCLUDE.finditer((ROOT / path).read_text()):
        name = match.group(1) or match.group(2)
        target = target_room(path, name)
        if target != room and target not in MAY_INCLUDE.get(room, set()):
            found.append(f'{path}: {room} may not include {name} (of {target})')
    return found

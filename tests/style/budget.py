# SPDX-License-Identifier: BSD-3-Clause
"""Prints the sizes of Corten's files and their limits; exits with 1 if a limit is exceeded.

    budget.py BUILD_FOLDER

`make test` runs it. It also shows the time of the last full build, without a limit, since that depends
on the machine and the compiler cache.
"""
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

LIBRARY_MB = 12.0
INSTALLED_MB = 60
CLEAN_BUILD_S = 120


def megabytes(*paths):
    files = [f for p in paths for f in ([p] if p.is_file() else p.rglob('*'))]
    return sum(f.stat().st_size for f in files if f.is_file() and not f.is_symlink()) / 1e6


def stripped(library):
    with tempfile.NamedTemporaryFile() as copy:
        subprocess.run(['strip', '-o', copy.name, library], check=True)
        return megabytes(pathlib.Path(copy.name))


def main():
    build = pathlib.Path(sys.argv[1])
    site = pathlib.Path(sysconfig.get_path('platlib'))
    library = stripped(build / 'src' / 'libcorten.so.0')
    installed = megabytes(site / 'corten', site / 'scipy_openblas32')
    note = build / 'clean-build-seconds'
    seconds = note.read_text().strip() if note.exists() else '?'
    print(f'libcorten.so, stripped     {library:6.1f} MB  (at most {LIBRARY_MB})')
    print(f'installed core with BLAS   {installed:6.1f} MB  (at most {INSTALLED_MB})')
    print(f'last build from scratch    {seconds:>6} s   (aim {CLEAN_BUILD_S} on two cores)')
    return library > LIBRARY_MB or installed > INSTALLED_MB


if __name__ == '__main__':
    sys.exit(main())

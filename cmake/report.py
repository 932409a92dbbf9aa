# SPDX-License-Identifier: BSD-3-Clause
"""What `make install` says at its end: what was installed, and which LAPACK library it will find."""
import ctypes
import os
import sys

folder = sys.argv[1]
library = ctypes.CDLL(os.path.join(folder, "libcorten.so.0"))
for name in ("ct_library_version", "ct_isa", "ct_lapack_name", "ct_error"):
    getattr(library, name).restype = ctypes.c_char_p
lapack = library.ct_lapack_name() or library.ct_error()
print(f"Corten {library.ct_library_version().decode()} is in {folder} (instructions: {library.ct_isa().decode()}).")
print(f"LAPACK: {lapack.decode()}")
if b"reference" in lapack:
    print("That is the slow one. OpenBLAS (package libopenblas0) is found by itself; CORTEN_BLAS names another.")
print(f"A program: cc demo.c $(PKG_CONFIG_PATH={folder}/pkgconfig pkg-config --cflags --libs corten)")
print(f"Where {folder} is no place that the loader looks in: $(pkg-config --variable=rpath corten) as well.")

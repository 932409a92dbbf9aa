# SPDX-License-Identifier: BSD-3-Clause
"""Submodules of `torch._C` that libraries import; torch._C._functorch is _functorch.py here.

`_C` is a single extension file, so Python finds no modules below it; the import hook (_run.py) looks in this package.
"""

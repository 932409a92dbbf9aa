# SPDX-License-Identifier: BSD-3-Clause
"""Submodules of `torch._C` that libraries import, by their names there: torch._C._functorch is _functorch.py here.

The extension `_C` is one file, so that Python finds no modules below it; the import hook (_run.py) looks here.
"""

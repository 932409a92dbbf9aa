# SPDX-License-Identifier: BSD-3-Clause
"""Rows of the table whose public functions read their arguments in Python; see functional.py."""
from . import _C
from ._C import _submodules

globals().update({name: value for name, value in vars(_submodules["_VF"]).items() if name[0] != "_"})


def __getattr__(name):
    """Other functions are those of the package."""
    return getattr(_C, name)

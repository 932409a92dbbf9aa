# SPDX-License-Identifier: BSD-3-Clause
"""torch._VF: C functions whose public versions in functional.py preprocess their arguments in Python."""
from . import _C
from ._C import _submodules

globals().update({name: value for name, value in vars(_submodules["_VF"]).items() if name[0] != "_"})


def __getattr__(name):
    """Returns other functions from the extension."""
    return getattr(_C, name)

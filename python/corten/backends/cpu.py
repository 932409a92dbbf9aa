# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.cpu: the instruction sets of the CPU."""
from .. import _C

__all__ = ["get_cpu_capability"]


def get_cpu_capability():
    """Returns the instruction set in use: "DEFAULT", "AVX2" or "AVX512"."""
    return {"baseline": "DEFAULT"}.get(_C._isa(), _C._isa().upper())

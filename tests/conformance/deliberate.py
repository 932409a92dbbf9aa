# SPDX-License-Identifier: BSD-3-Clause
"""Where Corten means to differ from PyTorch, and why. Everything else that differs is a mistake."""
import re

# (reason, what the case looks like, what PyTorch says, what Corten says); patterns are searched.
DELIBERATE = [
    ("arithmetic on uint16, uint32 and uint64, which PyTorch lacks",
     "", r"not implemented for 'UInt(16|32|64)'", r"^[^!]"),
    ("promotion of uint16, uint32 and uint64, which PyTorch refuses",
     "", r"Promotion for uint16, uint32, uint64 types is not supported", r""),
    ("half and complex numbers give complex64: Corten has no complex of halves", "", r"complex32|'BComplex32'|ComplexHalf", r"complex64|^!"),
]


def reason(case, mine, theirs):
    """Why this difference is meant, or None."""
    for why, looks, says, answer in DELIBERATE:
        if re.search(looks, case.text) and re.search(says, theirs) and re.search(answer, mine):
            return why
    return None

# SPDX-License-Identifier: BSD-3-Clause
"""Where Corten means to differ from PyTorch, and why. Everything else that differs is a mistake."""
import re
from collections import namedtuple

# Patterns are searched: in `row text dtype form` of the case, in PyTorch's fact and in Corten's.
Rule = namedtuple("Rule", "why case theirs mine")
DELIBERATE = [
    Rule("uint16, uint32 and uint64 compute and promote here; PyTorch has only some of their loops",
         "", r"not implemented for '(\w+_)?UInt(16|32|64)'|Promotion for uint16, uint32, uint64 types is not supported", ""),
    Rule("there is no complex of halves: such results are complex64",
         "", r"complex32|BComplex32|ComplexHalf", ""),
    Rule("out= of another type is written with a cast, as other operations do it",
         " out ", r"Found dtype \w+ but expected|Expected out type to be", ""),
    Rule("a type is called by one name in all errors, here not by C++'s",
         "^clamp", r"can't be cast to the desired output type [a-z]", "can't be cast"),
    Rule("a number enters in the type of the computation: 2 ** 40 is not infinite beside halves",
         r"\(?2 \*\* 40\)? (\*\*|%|//) .*float16", "^float16", "^float16"),
    Rule("erf of small numbers is exact to the last places, PyTorch's float32 one is not",
         "^erf .*q7", "e-07", "e-07"),
    Rule("abs of complex numbers keeps the layout when `out` is resized, as other operations do",
         "^abs .*complex.* out ", "^float", "^float"),
    Rule("infinite complex numbers: PyTorch multiplies sums by a complex one, and inf * 0 is NaN",
         r"^(add|sub|mul|div|pow|lerp|addcmul|addcdiv|prod|cumprod|square|sgn|log1p|expm1|reciprocal|rsqrt) .*(\b[nq]\d|'nan'|'inf').* complex", r"^complex.*(nan|inf)", r"^complex"),
]


def reason(case, mine, theirs):
    """Why this difference is meant, or None."""
    place = f"{case.row} {case.text} {case.dtype} {case.form} "
    for rule in DELIBERATE:
        if re.search(rule.case, place) and re.search(rule.theirs, theirs) and re.search(rule.mine, mine):
            return rule.why
    return None

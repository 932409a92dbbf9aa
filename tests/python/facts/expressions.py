# SPDX-License-Identifier: BSD-3-Clause
"""Expressions and the answers of a library to them, as the *.txt of this folder have them.

An entry is `>>> expression`, then `-> class repr` or `!! class : text`, which may go over several lines.
`torch` in an expression is the library that is asked. Imports none: test_facts.py asks Corten,
tests/conformance/record.py asks PyTorch.
"""
import pathlib
import re

import numpy

FACTS = sorted(pathlib.Path(__file__).parent.rglob("*.txt"), key=lambda path: path.stem)


class I:  # noqa: E742
    """Has __index__; given an exception, it raises it there."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


def names(torch):
    sub = type("Sub", (torch.Tensor,), {"__module__": "__main__"})

    def steps(*lines):
        """Statements, and the expression that is asked for."""
        known = names(torch)
        for line in lines[:-1]:
            exec(line, known)
        return eval(lines[-1], known)

    return {"torch": torch, "np": numpy, "I": I, "Sub": sub, "x": torch.ones(2, 3), "y": torch.tensor([1, 2]),
            "steps": steps}


def ask(torch, expression):
    try:
        value = eval(expression, names(torch))
    except Exception as error:
        return f"!! {type(error).__name__} : {error}".rstrip("\n")
    return f"-> {type(value).__name__} {value!r}"


def forget(torch):
    """What an expression has set for the whole program ends with it."""
    torch.set_default_dtype(torch.float32)
    torch.set_default_device(None)
    torch.set_warn_always(False)


def entries(path):
    """[(expression, answer)] of a file; what stands before the first is a comment."""
    blocks = re.split(r"^>>> ", path.read_text(), flags=re.M)[1:]
    return [(expression, answer.rstrip("\n")) for expression, _, answer in (b.partition("\n") for b in blocks)]

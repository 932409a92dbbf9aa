# SPDX-License-Identifier: BSD-3-Clause
"""Reads and evaluates the recorded expressions in the *.txt files of this folder.

An entry is `>>> expression`, followed by the result `-> class repr` or the exception `!! class : text`, possibly on
several lines. In an expression, `torch` is the library under test, which the caller passes: test_facts.py passes
Corten, tests/conformance/record.py passes PyTorch.
"""
import pathlib
import re

import numpy

FACTS = sorted(pathlib.Path(__file__).parent.rglob("*.txt"), key=lambda path: path.stem)


class I:  # noqa: E742
    """An object with __index__, which returns the value, or raises it if it is an exception."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


def names(torch):
    sub = type("Sub", (torch.Tensor,), {"__module__": "__main__"})

    def steps(*lines):
        """Executes all lines but the last and returns the value of the last."""
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
    """Resets global settings that an expression may have changed."""
    torch.set_default_dtype(torch.float32)
    torch.set_default_device(None)
    torch.set_warn_always(False)


def entries(path):
    """Returns [(expression, answer)] of a file. Text before the first entry is a comment."""
    blocks = re.split(r"^>>> ", path.read_text(), flags=re.M)[1:]
    return [(expression, answer.rstrip("\n")) for expression, _, answer in (b.partition("\n") for b in blocks)]

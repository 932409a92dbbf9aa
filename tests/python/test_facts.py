# SPDX-License-Identifier: BSD-3-Clause
"""Expressions whose value or error PyTorch 2.15 was asked for once; facts/*.txt holds its answers.

An entry is `>>> expression`, then `-> class repr` or `!! class : text`, which may go over several lines.
"""
import pathlib
import re
import warnings

import corten
import numpy
import pytest

FACTS = pathlib.Path(__file__).with_name("facts")


class I:
    """Has __index__; given an exception, it raises it there."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


class Sub(corten.Tensor):
    pass


Sub.__module__ = "__main__"


def steps(*lines):
    """Statements, and the expression that is asked for."""
    known = names()
    for line in lines[:-1]:
        exec(line, known)
    return eval(lines[-1], known)


def names():
    return {"torch": corten, "np": numpy, "I": I, "Sub": Sub, "x": corten.ones(2, 3), "y": corten.tensor([1, 2]),
            "steps": steps}


def entries():
    for path in sorted(FACTS.glob("*.txt")):
        for block in re.split(r"^>>> ", path.read_text(), flags=re.M)[1:]:
            expression, _, answer = block.partition("\n")
            yield pytest.param(expression, answer.rstrip("\n"), id=f"{path.stem}:{expression[:60]}")


def ask(expression):
    try:
        value = eval(expression, names())
    except Exception as error:
        return f"!! {type(error).__name__} : {error}".rstrip("\n")
    return f"-> {type(value).__name__} {value!r}"


@pytest.fixture
def defaults():
    """What an expression has set for the whole program ends with it."""
    yield
    corten.set_default_dtype(corten.float32)
    corten.set_default_device(None)


@pytest.mark.parametrize("expression, answer", list(entries()))
def test_fact(expression, answer, defaults):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert ask(expression) == answer

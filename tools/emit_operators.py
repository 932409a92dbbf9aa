# SPDX-License-Identifier: BSD-3-Clause
"""Writes Python's operators, the slots of the Tensor type, from the overloads of rows."""
from rows import FACTS, block, function
from sequence import default_text

HEAD = """/* Generated from src/ops: Python's operators. */
#include "tensor/operators.h"

#include <corten/own.h>

"""
UNARY, words = FACTS["operators"]["unary"], FACTS["operators"]["binary"].split()
BINARY = dict(zip(words[::2], words[1::2]))
COMPARE = {"__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__"}


def operator(slot, kinds, call, run, *more):
    """Returns a slot of the type: the computation, and the function that Python calls."""
    names = "ab"[:len(kinds)]
    objects = [f"PyObject *{n}" for n in names] + ["PyObject *mod"] * slot.endswith("power")
    refuse = ["if (mod != Py_None)", "    Py_RETURN_NOTIMPLEMENTED;"] * (len(objects) > 2)
    if slot == "invert":
        refuse = ["if (!py_can_invert(a))", "    return NULL;"]
    given, kinds = ", ".join([*names, f"do_{slot}", *more]), map(str.__add__, kinds, names)
    return [*block(f"static ct_tensor *do_{slot}({', '.join(kinds)})", [f"return {call};"]),
            *block(f"static PyObject *nb_{slot}({', '.join(objects)})",
                   [*refuse, f"return {run}({given});"])]


def binary_operator(row, name, tail):
    first, second = row.c_args[:2]
    call = f"ct_own_{row.cname}(a, b{tail})"
    if first.kind == "Tensor" and second.kind == "Tensor":
        return operator(BINARY[name], ["ct_tensor *"] * 2, call, "py_binary_tensors", f'"{name}"')
    if row.reflected:  # a number on the left
        reflected = f"ct_own_{row.reflected}(b.as.tensor, a)"
        call = f"a.kind != CT_VALUE_TENSOR ? {reflected} : {call}"
    return operator(BINARY[name], ["ct_value "] * 2, call, "py_binary", f'"{name}"')


def operator_of(row, name):
    """Returns (slot, its C functions) of an operator of a row."""
    plain = "__" + name[3:]  # __iadd__ and the like
    tail = "".join(", " + default_text(a) for a in row.c_args[1 if name in UNARY else 2:])
    if name in UNARY:
        call = f"ct_own_{row.cname}(a{tail})"
        return UNARY[name], operator(UNARY[name], ["ct_tensor *"], call, "py_unary", f'"{name}"')
    if name in BINARY:
        return BINARY[name], binary_operator(row, name, tail)
    if name.startswith("__i") and plain in BINARY and "inplace" in row.forms:
        slot, second = "inplace_" + BINARY[plain], row.c_args[1].facts.own
        run = "py_inplace_tensor" if second == "ct_tensor *" else "py_inplace"
        call = f"ct_own_{row.cname}_(a, b{tail})"
        return slot, operator(slot, ["ct_tensor *", second], call, run, f'"{name}"')
    return None, []  # __radd__ uses the same slot


def emit(rows):
    lines, fill = [HEAD], []
    for row, name in ((r, n) for r in rows for n in r.operators):
        if name in COMPARE:
            lines += block(f"static ct_tensor *compare_{row.cname}(ct_value a, ct_value b)",
                           [f"return ct_own_{row.cname}(a, b);"])
            fill.append(f"py_comparisons[Py_{name[2:4].upper()}] = compare_{row.cname};")
            continue
        slot, functions = operator_of(row, name)
        lines += functions
        if slot:
            fill.append(f"py_tensor_as_number.nb_{slot} = nb_{slot};")
    return "\n".join([*lines, "", *function("void py_fill_operators(void)", fill)])

# SPDX-License-Identifier: BSD-3-Clause
"""Python's operators: the slots of the Tensor type, from the rows' `operator`."""
from sequence import default_text

HEAD = """/* Generated from src/ops: Python's operators. */
#include "operators.h"

#include <corten/own.h>

"""
UNARY = {"__neg__": "negative", "__abs__": "absolute", "__invert__": "invert", "__pos__": "positive"}
BINARY = {"__add__": "add", "__sub__": "subtract", "__mul__": "multiply", "__truediv__": "true_divide",
          "__floordiv__": "floor_divide", "__mod__": "remainder", "__pow__": "power", "__and__": "and",
          "__or__": "or", "__xor__": "xor", "__lshift__": "lshift", "__rshift__": "rshift",
          "__matmul__": "matrix_multiply"}
COMPARE = {"__lt__": "LT", "__le__": "LE", "__eq__": "EQ", "__ne__": "NE", "__gt__": "GT", "__ge__": "GE"}


def operator(slot, name, kind, call, run):
    """A slot of two operands: the work on values or tensors, and the function Python calls."""
    third = ", PyObject *mod" if slot.endswith("power") else ""
    left = "ct_tensor *" if "inplace" in slot else kind
    refuse = ["    if (mod != Py_None)", "        Py_RETURN_NOTIMPLEMENTED;"] if third else []
    return [f"static ct_tensor *do_{slot}({left}a, {kind}b)", "{", f"    return {call};", "}",
            f"static PyObject *nb_{slot}(PyObject *a, PyObject *b{third})", "{", *refuse,
            f"    return {run}(a, b, do_{slot}{name});", "}"]


def binary_operator(row, name):
    first, second = row.c_args[:2]
    tail = "".join(", " + default_text(a) for a in row.c_args[2:])
    if first.kind == "Tensor" and second.kind == "Tensor":
        return operator(BINARY[name], f', "{name}"', "ct_tensor *", f"ct_own_{row.cname}(a, b{tail})",
                        "py_binary_tensors")
    call = f"ct_own_{row.cname}({'a' if first.kind != 'Tensor' else 'a.as.tensor'}, b{tail})"
    if first.kind == "Tensor":
        call = (f'a.kind == CT_VALUE_TENSOR ? {call} : '
                f'ct_fail(CT_ERR_TYPE, "{row.python_name}(): the first operand must be a Tensor")')
    if "reflected" in row.keys:  # a number on the left
        call = f"a.kind != CT_VALUE_TENSOR ? ct_own_{row.keys['reflected']}(b.as.tensor, a) : {call}"
    return operator(BINARY[name], f', "{name}"', "ct_value ", call, "py_binary")


def inplace_operator(row, name):
    tail = "".join(", " + default_text(a) for a in row.c_args[2:])
    kind, run = (("ct_tensor *", "py_inplace_tensor") if row.c_args[1].kind == "Tensor" else
                 ("ct_value ", "py_inplace"))
    return operator("inplace_" + BINARY["__" + name[3:]], "", kind, f"ct_own_{row.cname}_(a, b{tail})", run)


def unary_operator(row, name):
    slot, tail = UNARY[name], "".join(", " + default_text(a) for a in row.c_args[1:])
    check = ["    if (!py_can_invert(a))", "        return NULL;"] if name == "__invert__" else []
    return [f"static ct_tensor *do_{slot}(ct_tensor *a)", "{", f"    return ct_own_{row.cname}(a{tail});", "}",
            f"static PyObject *nb_{slot}(PyObject *a)", "{", *check,
            f'    return py_unary(a, do_{slot}, "{name}");', "}"]


def emit(rows):
    lines, fill = [HEAD], []
    for row, name in ((r, n) for r in rows for n in r.keys.get("operator", "").split()):
        slot = UNARY.get(name) or BINARY.get(name)
        if name in COMPARE:
            lines += [f"static ct_tensor *compare_{row.cname}(ct_value a, ct_value b)", "{",
                      f"    return ct_own_{row.cname}(a, b);", "}"]
            fill.append(f"    py_comparisons[Py_{COMPARE[name]}] = compare_{row.cname};")
            continue
        if name in UNARY:
            lines += unary_operator(row, name)
        elif name in BINARY:
            lines += binary_operator(row, name)
        elif name.startswith("__i") and "__" + name[3:] in BINARY and "inplace" in row.forms:
            slot = "inplace_" + BINARY["__" + name[3:]]
            lines += inplace_operator(row, name)
        if slot:
            fill.append(f"    py_tensor_as_number.nb_{slot} = nb_{slot};")
    return "\n".join([*lines, "", "void py_fill_operators(void)", "{", *fill, "}", ""])

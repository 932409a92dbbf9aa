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


def binary_operator(row, name):
    """(C lines, assignment) of a binary slot."""
    first, second, rest = row.c_args[0], row.c_args[1], row.c_args[2:]
    tail = "".join(", " + default_text(a) for a in rest)
    slot = BINARY[name]
    if first.kind == "Tensor" and second.kind == "Tensor":
        kind, run = "ct_tensor *", "py_binary_tensors"
        body = f"return ct_own_{row.cname}(a, b{tail});"
    else:
        kind, run = "ct_value ", "py_binary"
        a = "a" if first.kind != "Tensor" else "a.as.tensor"
        body = f"return ct_own_{row.cname}({a}, b{tail});"
        if first.kind == "Tensor":
            body = (f'return a.kind == CT_VALUE_TENSOR ? ct_own_{row.cname}(a.as.tensor, b{tail}) : '
                    f'ct_fail(CT_ERR_TYPE, "{row.python_name}(): the first operand must be a Tensor");')
    if "reflected" in row.keys:  # a number on the left
        body = f"return a.kind != CT_VALUE_TENSOR ? ct_own_{row.keys['reflected']}(b.as.tensor, a) : " + body[7:]
    lines = [f"static ct_tensor *do_{slot}({kind}a, {kind}b)", "{", f"    {body}", "}"]
    power = slot == "power"
    lines += [f"static PyObject *nb_{slot}(PyObject *a, PyObject *b{', PyObject *mod' if power else ''})", "{"]
    if power:
        lines += ["    if (mod != Py_None)", "        Py_RETURN_NOTIMPLEMENTED;"]
    return [*lines, f'    return {run}(a, b, do_{slot}, "{name}");', "}"]


def inplace_operator(row, name):
    second, rest = row.c_args[1], row.c_args[2:]
    tail = "".join(", " + default_text(a) for a in rest)
    slot = BINARY["__" + name[3:]]
    kind, run = ("ct_tensor *", "py_inplace_tensor") if second.kind == "Tensor" else ("ct_value ", "py_inplace")
    power = slot == "power"
    return [f"static ct_tensor *do_inplace_{slot}(ct_tensor *a, {kind}b)", "{",
            f"    return ct_own_{row.cname}_(a, b{tail});", "}",
            f"static PyObject *nb_inplace_{slot}(PyObject *a, PyObject *b{', PyObject *mod' if power else ''})", "{",
            *(["    (void)mod;"] if power else []), f"    return {run}(a, b, do_inplace_{slot});", "}"]


def emit(rows):
    lines, fill = [HEAD], []
    for row in rows:
        for name in row.keys.get("operator", "").split():
            if name in COMPARE:
                lines += [f"static ct_tensor *compare_{row.cname}(ct_value a, ct_value b)", "{",
                          f"    return ct_own_{row.cname}(a, b);", "}"]
                fill.append(f"    py_comparisons[Py_{COMPARE[name]}] = compare_{row.cname};")
            elif name in UNARY:
                tail = "".join(", " + default_text(a) for a in row.c_args[1:])
                lines += [f"static ct_tensor *do_{UNARY[name]}(ct_tensor *a)", "{",
                          f"    return ct_own_{row.cname}(a{tail});", "}",
                          f"static PyObject *nb_{UNARY[name]}(PyObject *a)", "{",
                          *(["    if (!py_can_invert(a))", "        return NULL;"] if name == "__invert__" else []),
                          f'    return py_unary(a, do_{UNARY[name]}, "{name}");', "}"]
                fill.append(f"    py_tensor_as_number.nb_{UNARY[name]} = nb_{UNARY[name]};")
            elif name in BINARY:
                lines += binary_operator(row, name)
                fill.append(f"    py_tensor_as_number.nb_{BINARY[name]} = nb_{BINARY[name]};")
            elif name.startswith("__i") and "__" + name[3:] in BINARY and "inplace" in row.forms:
                slot = BINARY["__" + name[3:]]
                lines += inplace_operator(row, name)
                fill.append(f"    py_tensor_as_number.nb_inplace_{slot} = nb_inplace_{slot};")
    return "\n".join([*lines, "", "void py_fill_operators(void)", "{", *fill, "}", ""])

# SPDX-License-Identifier: BSD-3-Clause
"""Parses the formulas of the table: plain arithmetic, comparison, `a if c else b`, calls.

A formula is a tree of Num, Name and Call. An operator is a call of its row ("a + b" is Call("add",
[a, b])), so that a tree can become a C expression, a fused program or a sequence of calls.
"""
import ast
from dataclasses import field, make_dataclass
from functools import reduce

Num = make_dataclass("Num", ["value"], frozen=True)
Name = make_dataclass("Name", ["id"], frozen=True)
Text = make_dataclass("Text", ["value"], frozen=True)
Call = make_dataclass("Call", ["fn", "args",
                               ("keywords", tuple, field(default=()))],  # (name, node) pairs
                      frozen=True)
OPERATORS = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow",
    ast.Mod: "remainder", ast.FloorDiv: "floor_divide", ast.MatMult: "matmul",
    ast.BitAnd: "bitwise_and", ast.BitOr: "bitwise_or", ast.BitXor: "bitwise_xor",
    ast.USub: "neg", ast.Invert: "bitwise_not", ast.Not: "logical_not",
    ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne",
    ast.And: "logical_and", ast.Or: "logical_or", ast.LShift: "bitwise_left_shift",
    ast.RShift: "bitwise_right_shift",
}


class FormulaError(Exception):
    pass


def parse(text, where=""):
    try:
        return convert(ast.parse(text, mode="eval").body)
    except (SyntaxError, FormulaError) as e:
        raise FormulaError(f"{where}: in the formula `{text}`: {e}") from None


def convert(node):
    match node:
        case ast.Constant(value=str()):
            return Text(node.value)
        case ast.Constant(value=bool() | int() | float() | complex()):
            return Num(node.value)
        case ast.Name():
            return Name(node.id)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return Num(-node.operand.value)
        case ast.UnaryOp():
            return Call(OPERATORS[type(node.op)], (convert(node.operand),))
        case ast.BinOp():
            return Call(OPERATORS[type(node.op)], (convert(node.left), convert(node.right)))
        case ast.Compare(ops=[op], comparators=[other]):
            return Call(OPERATORS[type(op)], (convert(node.left), convert(other)))
        case ast.BoolOp():
            return reduce(lambda a, b: Call(OPERATORS[type(node.op)], (a, b)),
                          map(convert, node.values))
        case ast.IfExp():
            return Call("where", (convert(node.test), convert(node.body), convert(node.orelse)))
        case ast.Call(func=ast.Name()):
            return Call(node.func.id, tuple(map(convert, node.args)),
                        tuple((k.arg, convert(k.value)) for k in node.keywords))
    raise FormulaError(f"{ast.unparse(node)!r} is not part of the language")


def names(node):
    """Returns the names in a formula, in order and without duplicates."""
    if isinstance(node, Name):
        return [node.id]
    inner = (*node.args, *(a for _, a in node.keywords)) if isinstance(node, Call) else ()
    return list(dict.fromkeys(name for a in inner for name in names(a)))

# SPDX-License-Identifier: BSD-3-Clause
"""Writes rows as CUDA source for NVRTC: one function per row and type, which computes one element.

A row's `each` becomes `ctr_NAME_TYPE(operands)`; a `fold` becomes a group `ctf_NAME_TYPE` of short
functions with fixed names, which src/cuda/reduce/reduce.cu calls. src/cuda/texts.py splits the text
into pieces, so that each kernel includes only what it uses.
"""
import re

import emit_fold
import formula
from emit_loops import Expression, KNOWN, block_type, engine_rows, result_suffix, variants
from rows import SUFFIX

CALLED = "static __device__ __forceinline__"


def plain(text):
    """Rewrites C compound literals as C++ initialisers."""
    return re.sub(r"\((ct_c64|ct_c128)\)\s*\{", r"\1{", text)


def function(name, row, operands, node, t):
    out = result_suffix(row, t)
    kinds = {a.name: "b8" if a.kind == "Mask" else t for a in operands}
    arguments = ", ".join(f"const {SUFFIX[kinds[a.name]][0]} {a.name}" for a in operands)
    if isinstance(node, formula.Call) and node.fn in KNOWN["blocks"]:
        wide = block_type(node, t)
        c, names = SUFFIX[wide][0], ", ".join(f"{{({SUFFIX[wide][0]}){a.name}}}" for a in operands)
        body = [f"const {c} in_[{len(operands)}][1] = {{{names}}};", f"{c} out_[1];",
                f"ctm_{node.fn}_block_{wide}(out_, in_, 1);", f"return ({SUFFIX[out][0]})out_[0];"]
    else:
        each = Expression(t, kinds, row.where)
        short = each.emit(node, out)
        body = [f"return {short};"]
        if each.tests:
            wide = Expression(t, kinds, row.where, wide=True).emit(node, out)
            body = [f"if ({' | '.join(each.tests)})", f"    return {wide};", *body]
    head = f"{CALLED} {SUFFIX[out][0]} ctr_{name}_{t}({arguments})"
    return plain("\n".join([head, "{", *(f"    {line}" for line in body), "}", ""]))


def fold(row, t):
    loops, types, functions, _ = emit_fold.parts(row, t)
    functions = functions[:2] if loops == "pick" else functions
    text = re.sub(r"FOLD\((\w+)\)", r"fold_\1", "".join(functions)).replace("static inline", CALLED)
    text = text.replace("__builtin_sqrt", "sqrt")
    names = "".join(f"typedef {c} fold_{k};\n" for k, c in types.items())
    return plain(f"//piece ctf_{row.cname}_{t}\n#define FOLD_{loops.upper()}\n{names}{text}//end\n")


def emit(rows):
    each = [function(name, row, operands, get(t), t) for row in rows if row.maker == "each"
            for name, operands, get in variants(row) for t in row.types]
    folds = [fold(row, t) for row in rows if row.maker == "fold" for t in row.types]
    return "\n".join(["/* Generated from src/ops: rows for NVRTC. */", *each, *folds])


def emit_names(rows):
    names = engine_rows(rows)
    return "\n".join(["/* Generated: what texts for NVRTC call the rows. */", '#include "rows.h"',
                      "extern const char *const cti_cuda_row_names[];",
                      "const char *const cti_cuda_row_names[CTI_ROW_COUNT] = {",
                      *(f'    [CTI_ROW_{n.upper()}] = "{n}",' for n in names), "};", ""])

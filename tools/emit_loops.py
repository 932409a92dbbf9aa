# SPDX-License-Identifier: BSD-3-Clause
"""Writes CPU loops from `each`: one function for each row, compute type and instruction set.

Note [Loops]: the operands of a loop are contiguous, or single numbers (stride 0) if their bit of
`scalars` is set; the driver packs other operands. NUMBERS lists which tensors of a row may be
numbers (either of two, the last ones of three); for others the driver first fills a block with the
number. at[0] is the result. It may be the same memory as an operand, but not overlap it partially,
which CT_ALONG tells the compiler. float16 and bfloat16 have loops if a row is plain arithmetic
(cpu/pointwise/loop_halves.h); their numbers are float32.
"""

import formula
from rows import FACTS, SUFFIX, indent

HEAD = """/* Generated from src/ops/{source}.toml. */
#include "cpu/pointwise/loop.h"
#include "cpu/pointwise/loop_block.h"
#include "cpu/simd/half.h"
#include "cpu/simd/math_avx512.h"
#include "math/math.h"

"""
KNOWN = FACTS["functions"]
COMPARE, ARITHMETIC, LOGIC = KNOWN["compare"], KNOWN["arithmetic"], KNOWN["logic"]
REAL_OF = {"c64": "f32", "c128": "f64"}
WIDE = ("f32", "f64", "i64")
SECTIONS = (("f", "CT_HAS_FLOATS"), ("h", "CT_HAS_HALVES"), ("biu", "CT_HAS_WHOLES"),
            ("c", "CT_HAS_COMPLEX"))
NUMBERS = {2: ((1,), (0,)), 3: ((2, 1), (2,), (1,))}  # last first, to keep the others


class Expression:
    """Translates a formula to a C expression of one compute type."""

    def __init__(self, suffix, names, where, wide=False):
        self.t, self.names, self.where = suffix, names, where
        self.wide = wide  # use the form of each function that is valid for all arguments
        self.tests = {}  # {test for the shorter form: names in it}

    def emit(self, node, want=None):
        text, have = self.typed(node)
        if want is None or have == want:
            return text
        if have == "b8" or want == "b8" or self.t[0] != "c":
            if want[0] == "c":
                return f"ctm_{want}_from_b8({text})"
            if have[0] == "c":
                return f"ctm_b8_from_{have}({text})"
            return f"(uint8_t)({text} != 0)" if want == "b8" else f"({SUFFIX[want][0]}){text}"
        return f"ctm_{want}_from_{have}({text})"

    def typed(self, node):
        t = self.t
        if isinstance(node, formula.Name):
            if node.id not in self.names:
                raise formula.FormulaError(f"{self.where}: unknown name {node.id}")
            return node.id, self.names[node.id]
        if isinstance(node, formula.Num):
            return self.literal(node.value), t
        fn, args = node.fn, node.args
        if fn == "where":
            a, b, want = self.common(args[1:])
            return f"({self.emit(args[0], 'b8')} ? {a} : {b})", want
        if fn in COMPARE:
            a, b, want = self.common(args)
            if want[0] == "c":
                return f"ctm_{fn}_{want}({a}, {b})", "b8"
            return f"(uint8_t)({a} {COMPARE[fn]} {b})", "b8"
        if fn in LOGIC:
            return self.infix(LOGIC[fn], args, "b8"), "b8"
        if fn in KNOWN["bits"] or (t == "b8" and fn in KNOWN["of_bool"]):
            return self.infix({**KNOWN["bits"], **KNOWN["of_bool"]}[fn], args, t), t
        if t[0] == "f" and fn in ARITHMETIC:
            return f"({self.emit(args[0], t)} {ARITHMETIC[fn]} {self.emit(args[1], t)})", t
        if fn == "neg" and t[0] == "f":
            return f"(-{self.emit(args[0], t)})", t
        if fn == "logical_not" or (fn == "bitwise_not" and t == "b8"):
            return f"(uint8_t)!{self.emit(args[0], 'b8')}", "b8"
        if fn == "bitwise_not":
            return f"({SUFFIX[t][0]})~{self.emit(args[0], t)}", t
        if t in REAL_OF and args and all(self.is_real(a) for a in args):
            t = REAL_OF[t]
        plain = Expression(t, self.names, self.where)
        values = ", ".join((plain if isinstance(a, formula.Num) else self).emit(a, t) for a in args)
        real = REAL_OF.get(t, t) if fn in KNOWN["to_real"] else t
        result = "b8" if fn in KNOWN["truth"] else real
        narrow = KNOWN["narrow_complex"] if t in REAL_OF else KNOWN["narrow"] if t in WIDE else ()
        if fn in narrow:
            names = {name for a in args for name in formula.names(a)}
            self.tests[f"!ctm_{narrow[fn]}_{t}({values})"] = names
            fn += "_wide" if self.wide else ""
        return f"ctm_{fn}_{t}({values})", result

    def infix(self, sign, args, t):
        a, b = (self.emit(x, t) for x in args)
        return f"({SUFFIX[t][0]})({a} {sign} {b})"

    def common(self, args):
        """Returns two operands converted to their common type, and the type."""
        kinds = [self.typed(a)[1] for a in args]
        want = self.t if self.t in kinds else kinds[0]
        return *(self.emit(a, want) for a in args), want

    def is_real(self, node):
        """Whether a node of a complex formula is a real number."""
        return isinstance(node, formula.Num) or self.typed(node)[1] == REAL_OF[self.t]

    def literal(self, value):
        t = self.t
        if t[0] == "c":
            real = SUFFIX[REAL_OF[t]][0]
            value = complex(value)
            return f"((ct_{t}){{ ({real}){value.real!r}, ({real}){value.imag!r} }})"
        if isinstance(value, float):
            return f"({SUFFIX[t][0]}){value!r}"
        return f"({SUFFIX[t][0]}){int(value)}"


def result_suffix(row, t):
    return {"same": t, "bool": "b8", "real": REAL_OF.get(t, t)}[row.result]


def variants(row):
    """Yields the formulas of a row: the short one for default numbers, if any, and the full one."""
    if "defaults" in row.each:
        tensors = [a for a in row.operands if a.is_tensor]
        yield row.cname, tensors, lambda t: formula.parse(row.each["defaults"], row.where)
        yield row.cname + "_full", row.operands, row.formula_for
    else:
        yield row.cname, row.operands, row.formula_for


def engine_rows(rows):
    """Returns the names of all loops and folds."""
    names = [name for row in rows if row.maker == "each" for name, _, _ in variants(row)]
    return names + [row.cname for row in rows if row.maker == "fold"]


def plain_loop(begin, end, body):
    return ["CT_ALONG", f"for (int64_t i = {begin}; i < {end}; i++) {{", *indent(body), "}"]


def narrow_loop(loads, tests, narrow, wide):
    """Loops over blocks and uses the short form where it is exact for the whole block."""
    asked = [load for name, load in loads.items() if any(name in names for names in tests.values())]
    find = plain_loop("k", "end", [*asked, f"huge |= {' | '.join(tests)};"])
    short, full = (plain_loop("k", "end", [*loads.values(), work]) for work in (narrow, wide))
    return ["for (int64_t k = 0; k < length; k += 512) {", *indent([
        "const int64_t end = length - k < 512 ? length : k + 512;", "unsigned huge = 0;", *find,
        "if (!huge) {", *indent(short), "} else {", *indent(full), "}"]), "}"]


def block_type(node, t):
    group = KNOWN["blocks"][node.fn]
    return t if group == "own" else group


def block_loop(name, row, operands, node, t):
    """Returns the loop of a block function, which cpu/pointwise/loop_block.h runs."""
    names, wide = [a.name for a in operands], block_type(node, t)
    if [getattr(a, "id", None) for a in node.args] != names:
        raise formula.FormulaError(f"{row.where}: {node.fn} takes {', '.join(names)} as they are")
    fixed = sum(1 << i for i, a in enumerate(operands) if not a.is_tensor)
    return [f"void CT_LOOP({name}_{t})(char *const p[], unsigned scalars, int64_t n)", "{",
            f"    cti_block_{t}_{wide}(p, scalars | {fixed}u, n, {len(names)},"
            f" ctm_{node.fn}_block_{wide});", "}"]


def loop(name, row, operands, node, t, suffix="", number="*{}"):
    """Returns the loop of type t, named by `suffix`; `number` reads an operand that is a number."""
    if isinstance(node, formula.Call) and node.fn in KNOWN["blocks"]:
        return block_loop(name, row, operands, node, t)
    out = result_suffix(row, t)
    kinds = {a.name: "b8" if a.kind == "Mask" else t for a in operands}
    each = Expression(t, kinds, row.where)
    text = f"out[i] = {each.emit(node, out)};"
    wide_text = f"out[i] = {Expression(t, kinds, row.where, wide=True).emit(node, out)};"
    tensors = [a.name for a in operands if a.is_tensor]

    def constant(a, value):
        return f"const {SUFFIX[kinds[a]][0]} {a} = {value};"

    lines = [f"void CT_LOOP({name}_{suffix or t})"
             "(char *const at[], unsigned scalars, int64_t length)", "{",
             f"    {SUFFIX[out][0]} *out = ({SUFFIX[out][0]} *)at[0];"]
    for i, a in enumerate(operands):
        c = SUFFIX[kinds[a.name]][0]
        lines.append(f"    const {c} *p_{a.name} = (const {c} *)at[{i + 1}];")
        if a.name not in tensors:
            lines.append("    " + constant(a.name, number.format(f"p_{a.name}")))
    if t == "f32" and isinstance(node, formula.Call) and node.fn in KNOWN["vectors"]:
        if [getattr(a, "id", None) for a in node.args] == tensors:
            lines.append(f"    CTI_SIMD_WORD({node.fn}, out, p_{tensors[0]}, length);")
    for numbers in (*NUMBERS.get(len(tensors), ()), ()):
        fixed = [constant(tensors[i], number.format(f"p_{tensors[i]}")) for i in numbers]
        loads = {a: constant(a, f"p_{a}[i]") for i, a in enumerate(tensors) if i not in numbers}
        if each.tests:
            work = narrow_loop(loads, each.tests, text, wide_text)
        else:
            work = plain_loop("0", "length", [*loads.values(), text])
        if fixed:
            only = sum(1 << i for i in numbers)
            work = [f"if (scalars == {only}) {{", *indent([*fixed, *work, "return;"]), "}"]
        lines += indent(work)
    return [*lines, "    (void)scalars;", "}"]


def is_plain(node, functions):
    if not isinstance(node, formula.Call):
        return True
    return node.fn in functions and all(is_plain(a, functions) for a in node.args)


def half_loops(row):
    """Yields (type, name, lines) of float16 and bfloat16 loops, for rows of arithmetic or bits."""
    if "half" in row.each:
        node = formula.parse(row.each["half"], row.where)
        for t in HALF:
            number = f"ctm_{t}_from_f32(*(const float *)(const void *){{}})"
            yield t, row.cname, loop(row.cname, row, row.operands, node, "u16", t, number)
        return
    masked = any(a.kind == "Mask" for a in row.operands)
    plain = "f32" in row.types and row.result == "same" and not masked
    for name, operands, get in variants(row) if plain else ():
        each = Expression("f32", {a.name: "f32" for a in operands}, row.where)
        tensors = [a.name for a in operands if a.is_tensor]
        numbers = " ".join(f"const float {a.name} = *(const float *)p[{i}];"
                           for i, a in enumerate(operands, 1) if not a.is_tensor)
        plain = {*ARITHMETIC, *KNOWN["plain"], *((*COMPARE, "where") if len(tensors) == 1 else ())}
        for t in HALF if is_plain(get("f32"), plain) else ():
            yield t, name, [
                f"#define CT_NAME CT_LOOP({name}_{t})", f"#define CT_HALF {t}",
                f"#define CT_TENSORS {len(tensors)}", f"#define CT_NUMBERS {numbers}",
                f"#define CT_EACH({', '.join([*tensors, 'y_', 'z_'][:3])}) {each.emit(get('f32'))}",
                '#include "cpu/pointwise/loop_halves.h"']


def is_slow(row):
    """Whether a row gets loops only for the instruction sets of complex loops."""
    return getattr(row.formula_for(row.types[0]), "fn", "") in KNOWN["slow"]


def sections(parts):
    """Puts each type's lines under its #if, a condition of cpu/pointwise/loop.h."""
    lines = []
    for kinds, guard in SECTIONS:
        chosen = [line for t, line in parts if t[0] in kinds]
        lines += [f"#if {guard}", *chosen, "#endif"] if chosen else []
    return lines


def emit_loops(rows, source):
    """Returns the file of loops for the rows of one table file."""
    parts = [("c" if is_slow(row) else t, line) for row in rows
             for name, operands, get in variants(row) for t in row.types
             for line in [*loop(name, row, operands, get(t), t), ""]]
    parts += [("h", line) for row in rows for *_, lines in half_loops(row) for line in [*lines, ""]]
    return "\n".join([HEAD.format(source=source), *sections(parts), ""])


HALF = {"f16": ("uint16_t", "CT_FLOAT16"), "bf16": ("uint16_t", "CT_BFLOAT16")}
CASTED = {**SUFFIX, **HALF}


def cast_text(dst, src):
    value, via = ("x", src) if src not in HALF else (f"ctm_f32_from_{src}(x)", "f32")
    target = "f32" if dst in HALF else dst
    if target != via:
        value = f"ctm_{target}_from_{via}({value})"
    return f"ctm_{dst}_from_f32({value})" if dst in HALF else value


def cast(dst, src):
    """Returns one cast; its loop is in cpu/pointwise/cast_loop.h."""
    how = f"CAST(x) {cast_text(dst, src)}"
    last = "f16_from_f32" if dst == "f16" and src != "bf16" else ""
    if {src, dst} == {"f16", "f32"}:
        how, last = f"CAST_ALL cti_simd_{dst}_from_{src}", ""
    elif last:
        how = f"CAST(x) {cast_text('f32', src)}"
    return [f"#define NAME {dst}_from_{src}", f"#define D {CASTED[dst][0]}",
            f"#define S {CASTED[src][0]}", f"#define {how}",
            *([f"#define CAST_LAST cti_simd_{last}"] if last else []),
            '#include "cpu/pointwise/cast_loop.h"']


def emit_casts():
    pairs = [(dst, src) for dst in CASTED for src in CASTED if src != dst]
    return "\n".join([
        "/* Generated: casts between all data types, over contiguous memory. */",
        '#include "corten/base.h"', '#include "cpu/pointwise/loop.h"', '#include "cpu/simd/half.h"',
        '#include "math/math.h"', *(line for pair in pairs for line in cast(*pair)),
        "cti_cast_loop *const CT_LOOP(casts)[CT_DTYPE_COUNT][CT_DTYPE_COUNT] = {",
        *(f"    [{CASTED[d][1]}][{CASTED[s][1]}] = {d}_from_{s}," for d, s in pairs), "};", ""])


def table(what, heads, declare, name, mark, found):
    """Returns the table of all loops or folds, from [(section, type, row, function)]."""
    return "\n".join([
        f"/* Generated: every {what} of one instruction set. */", "#define CT_TABLE",
        *(f'#include "{h}"' for h in heads), "",
        *sections([(s, declare.format(c)) for s, _, _, c in found]), "",
        f"{name}[CTI_ROW_COUNT][CT_DTYPE_COUNT] = {{",
        *sections([(s, f"    [{row}][{CASTED[t][1]}] = {mark}{c},") for s, t, row, c in found]),
        "};", ""])


def emit_table(rows):
    names = [("c" if is_slow(row) else t, t, name) for row in rows
             for name, _, _ in variants(row) for t in row.types]
    names += [("h", t, name) for row in rows for t, name, _ in half_loops(row)]
    headers = ["cpu/pointwise/loops.h"]
    return table("loop", headers, "cti_loop {};", "cti_loop *const CT_LOOP(table)", "", [
        (s, t, f"CTI_ROW_{name.upper()}", f"CT_LOOP({name}_{t})") for s, t, name in names])

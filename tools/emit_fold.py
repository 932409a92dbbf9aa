# SPDX-License-Identifier: BSD-3-Clause
"""Writes the inner loops of reductions on the CPU; see Note [Folds] in cpu/reduce/fold.h.

A row's `fold` is a table ([inner.fold] in facts.toml). It has the formulas `element`, `combine`,
`start` and `finish`; or `pick` (maximum or minimum with index); or `spread` (mean and sum of
squared deviations, for var and std). The formulas become short functions; the loops around them
are in fold_monoid.h, fold_pick.h and fold_spread.h in src/cpu/reduce.
"""
import formula
from emit_loops import Expression, REAL_OF, sections, table
from rows import SUFFIX

HEAD = """/* Generated from src/ops: folds of {name}. */
#include "cpu/reduce/fold.h"
#include "math/math.h"

"""
WIDER = {**dict.fromkeys(SUFFIX, "i64"), "f32": "f64", "f64": "f64", "c64": "c128", "c128": "c128"}


def function(kind, name, parameters, value):
    return f"static inline {kind} FOLD({name})({parameters})\n{{\n    return {value};\n}}\n"


def entry(name, t, out, acc, picks, join="merge"):
    return f"""
const struct cti_fold CT_LOOP(fold_{name}) = {{
    .acc_size = sizeof({acc}), .picks = {str(picks).lower()},
    .in = {SUFFIX[t][1]}, .out = {SUFFIX[out][1]}, .block = FOLD(block), .columns = FOLD(columns),
    .begin = FOLD(begin), .join = FOLD({join}), .finish = FOLD(finish),
}};
"""


def wrap(name, defines, functions, body, tail):
    """Writes one row for one type: definitions, the #include of the loops, and the table entry."""
    lines = [f"#define FOLD(name) name##_{name}", *(f"#define {k} {v}" for k, v in defines.items())]
    ends = [f"#undef {k}" for k in ("FOLD", *defines)]
    return "\n".join([*lines, *functions, f'#include "cpu/reduce/{body}.h"', tail, *ends, "", ""])


def literal(text, t):
    """Returns the start value in C: a number, or the minimum or maximum of a type."""
    if text in ("least", "most"):
        return f"CTI_{text.upper()}_{t}"
    return Expression(t, {}, "").literal(int(text))


def monoid_parts(row, t):
    """Returns ({name: C type}, [functions], suffix of the result)."""
    f = row.keys["fold"]
    sums = f.get("wide", True)
    r = f.get("part_type", {"f": t, "c": t}.get(t[0], WIDER[t]) if sums else t)
    r = REAL_OF.get(r, r) if f.get("real") else r
    a = WIDER[r] if sums else r
    out = {"bool": "b8", "real": REAL_OF.get(t, t)}.get(row.result,
                                                        t if not sums or t[0] in "fc" else "i64")
    real, wide_real = REAL_OF.get(t, t), REAL_OF.get(a, a)
    param = real if real[0] == "f" else "f64"

    def parsed(key, default=None):
        return formula.parse(f.get(key, default), row.where)

    def combined(kind):
        return Expression(kind, {"a": kind, "b": kind}, row.where).emit(parsed("combine"), kind)

    def cast(text, have, want):
        return text if have == want else f"ctm_{want}_from_{have}({text})"
    kinds = {"T": t, "R": r, "A": a, "AR": wide_real, "P": param, "O": out}
    c = {k: SUFFIX[v][0] for k, v in kinds.items()}
    element = Expression(t, {"input": t, "param": param}, row.where).typed(parsed("element"))
    finish = finish_text(parsed("finish", "acc"), a, wide_real, row)
    functions = [
        function(c["R"], "element", f"{c['T']} input, {c['P']} param",
                 f"(void)param, {cast(*element, r)}"),
        function(c["R"], "combine", f"{c['R']} a, {c['R']} b", combined(r)),
        function(c["A"], "combine_wide", f"{c['A']} a, {c['A']} b", combined(a)),
        function(c["A"], "widen", f"{c['R']} x", cast("x", r, a)),
        function(c["R"], "start", "void", literal(f["start"], r)),
        function(c["A"], "start_wide", "void", literal(f["start"], a)),
        function(c["O"], "result", f"{c['A']} acc, {c['AR']} count, {c['AR']} param",
                 f"(void)count, (void)param, {cast(*finish, out)}")]
    return c, functions, out


def finish_text(node, a, real, row):
    """Returns (C text, type) of the result: `acc`, or an expression of acc, count and param."""
    if isinstance(node, formula.Name):
        return "acc", a
    if a[0] == "c":  # a mean, the only `finish` of complex rows
        return f"(ct_{a}){{ acc.re / count, acc.im / count }}", a
    return Expression(a, {"acc": a, "count": real, "param": real}, row.where).typed(node)


def pick_parts(row, t):
    """Compares so that NaN wins over every number, and the first NaN over later ones."""
    greater = row.keys["fold"]["pick"] == "greater"
    c, sign = SUFFIX[t][0], ">" if greater else "<"
    better, same = f"input {sign} best", "input == best"
    if t[0] == "f":
        better = f"(({better}) | (input != input)) & (best == best)"
        same = f"({same}) | ((best != best) & (input != input))"
    both = f"{c} input, {c} best"
    best = f"ctm_{'maximum' if greater else 'minimum'}_{t}(a, b)"
    return [function("bool", "better", both, better), function("bool", "same", both, same),
            function(c, "best_of", f"{c} a, {c} b", best)]


def parts(row, t):
    """Returns (header with the loops, {name: C type}, [functions], suffix of the result)."""
    f, types = row.keys["fold"], {"T": SUFFIX[t][0]}
    if f.get("spread"):
        root = "__builtin_sqrt(acc)" if f.get("root") else "acc"
        return "spread", types, [function("double", "result", "double acc", root)], t
    if "pick" in f:
        return "pick", types, pick_parts(row, t), t
    return "monoid", *monoid_parts(row, t)


def emit_row(row):
    lines = []
    for t in row.types:
        (loops, types, functions, out), name = parts(row, t), f"{row.cname}_{t}"
        how = ("A", False, "join") if loops == "monoid" else ("struct FOLD(acc)", loops == "pick")
        text = wrap(name, types, functions, f"fold_{loops}", entry(name, t, out, *how))
        lines.append((t, text))
    return "\n".join([HEAD.format(name=row.name), *sections(lines), ""])


def emit_table(rows):
    return table("fold", ["cpu/reduce/fold.h", "rows.h"], "extern const struct cti_fold {};",
                 "const struct cti_fold *const CT_LOOP(folds)", "&", [
                     (t, t, r.id, f"CT_LOOP(fold_{r.cname}_{t})") for r in rows for t in r.types])


def outputs(rows):
    folds = [r for r in rows if r.maker == "fold"]
    files = {f"loops_fold_{r.cname}.c": lambda r=r: emit_row(r) for r in folds}
    return {**files, "loops_fold_table.c": lambda: emit_table(folds)}

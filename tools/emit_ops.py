# SPDX-License-Identifier: BSD-3-Clause
"""Writes corten/ops.h, the operations for C programs, whose bodies call own.h and use the scope."""
import textwrap

from emit_front import PUBLIC, c_forms, named_struct
from rows import KINDS, VALUES, function
from sequence import default_text

WORDS = """ by `make generate`; committed, so that a change of the interface shows.
 * The operations for C programs. Arguments that PyTorch requires are positional; those with a
 * default are keywords, in any order: ct_sum(x, .dim = CT_DIMS(0), .keepdim = true). Results belong
 * to the innermost scope; NULL, or false, means that the call failed and set the error."""
INCLUDES = '#include "corten/autograd.h"\n#include "corten/macros.h"'
AS_VALUE = (*VALUES, "Number", "Number?")
# Argument patterns of handwritten macros in nn.h, optim.h and others.
BY_HAND = {("A" * n, keywords, not keywords) for n in range(1, 6) for keywords in (True, False)}
BY_HAND |= {(pattern, True, False) for pattern in ("L", "AL", "AAI", "AAAAI")}
LISTS = {"ct_ints ": "I", "ct_list ": "L"}


class Form:
    """A function for C programs: its name, positional arguments and keywords."""

    def __init__(self, row, form, name, first, args, result):
        self.row, self.name, self.own = row, f"ct_{name}", f"ct_own_{name}"
        self.result = "bool " if result == "int " else result  # -1 is only for bindings
        self.first, self.args = first, args  # leading tensors; arguments from the table
        self.new = form == "function"  # the result joins the scope
        if self.new and row.named:  # own.h returns a list
            self.result = f"struct {self.name}_result "
        self.positional = [a for a in args if a.default is None]
        self.keywords = [a for a in args if a.default is not None]
        self.either = None  # the argument that may be a number, and the function called then
        if row.for_number:
            self.either = [a.name for a in self.positional if a.kind == "Tensor"][-1]
            number = row.for_number.replace(".", "_")
            self.own_number = f"ct_own_{number}{name[len(row.cname):]}"

    @property
    def pattern(self):
        return "T" * len(self.first) + "".join(
            "V" if a.kind in AS_VALUE or a.name == self.either else
            "T" if a.kind.rstrip("?") in ("Tensor", "Mask") else LISTS.get(a.facts.own, "A")
            for a in self.positional)

    @property
    def plain(self):
        return not self.keywords and "V" not in self.pattern

    @property
    def open_end(self):
        """Whether the macro takes more than the function: keywords, or a mistaken list (2, 3)."""
        return bool(self.keywords) or self.pattern[-1:] in ("I", "L")

    def parameters(self):
        texts = [f"ct_tensor *{f}" for f in self.first]
        texts += [("ct_value " if a.name == self.either else a.facts.own) + a.name
                  for a in self.positional]
        if self.keywords:
            texts.append(f"const struct {self.name}_args *args")
        return ", ".join(texts) or "void"


def forms(row):
    return [Form(row, *facts) for facts in c_forms(row)] if row.public else []


def emit_header(rows):
    all_forms = [f for r in rows for f in forms(r)]
    lines = ["#ifndef __cplusplus"]
    lines += call_macros(BY_HAND | {(f.pattern, bool(f.keywords), f.plain) for f in all_forms})
    lines.append("#endif")
    for row in filter(lambda r: r.public, rows):
        lines += ["", f"/* {row.doc} */"]
        names, name = row.results or [name for name, _ in row.named], f"ct_{row.cname}_result"
        lines += [*named_struct(row, names), f"typedef struct {name} {name};"] if names else []
        for f in forms(row):
            lines += declaration(f)
    return PUBLIC.format(name="OPS", words=WORDS, includes=INCLUDES, text="\n".join(lines))


def wrapped(text, mark=""):
    """Wraps a line at 100 columns, with a mark at the end of each line but the last."""
    parts = textwrap.wrap(text, 100 - len(mark), subsequent_indent="    ", break_long_words=False,
                          break_on_hyphens=False)
    return [*(p + mark for p in parts[:-1]), parts[-1]]


def declaration(f):
    lines = []
    if f.keywords:
        fields = [f"    {a.facts.keyword or a.facts.own}{a.name};" for a in f.keywords]
        lines += [f"struct {f.name}_args {{", "    size_t struct_size;", *fields, "};"]
        defaults = [f".{a.name} = {default_text(a, True)}" for a in f.keywords]
        defaults = ", ".join([f".struct_size = sizeof(struct {f.name}_args)", *defaults])
        lines += wrapped(f"#define {f.name}_defaults {{ {defaults} }}", " \\")
    lines += wrapped(f"CT_API {f.result}{f.name}{'' if f.plain else '_ex'}({f.parameters()});")
    kind = "_P" if f.plain else "_K" if f.keywords else ""
    if f.pattern:
        names = ", ".join([*f.first, *(a.name for a in f.positional)])
        more = (", ...", " __VA_OPT__(, ) __VA_ARGS__") if f.open_end else ("", "")
        call = f"CT_CALL_{f.pattern}{kind}(CT_ID(ct_k), {f.name}, {names}{more[1]})"
        macro = wrapped(f"#define {f.name}({names}{more[0]}) {call}", " \\")
        lines += ["#ifndef __cplusplus", *macro, "#endif"]
    return lines


def call_macros(patterns):
    """Returns one macro per argument pattern; its letters are those of CT_ARG_ in macros.h."""
    lines = []
    for pattern, struct, plain in sorted(patterns):
        if not pattern:
            continue
        names = ", ".join(f"p{i}" for i in range(len(pattern)))
        body = [f"CT_ARG_{c}(CT_CAT(k, _{i}), p{i})" for i, c in enumerate(pattern)]
        gives = ", ".join(f"CT_CAT(k, _{i})" for i in range(len(pattern)))
        if struct:
            body += ["struct fn##_args k = fn##_defaults;",
                     "CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__)"]
            gives += ", &k"
        elif pattern[-1] in "IL":
            body.append("__VA_OPT__(_Static_assert(0, CT_HINT_TOO_MANY);)")
        body.append(f"CT_LOCATED(CT_CAT(k, _r), #fn, {'(fn)' if plain else 'fn##_ex'}({gives}))")
        kind = "_P" if plain else "_K" if struct else ""
        more = ", ..." if struct or pattern[-1] in "IL" else ""
        lines += [f"#define CT_CALL_{pattern}{kind}(k, fn, {names}{more}) \\",
                  "    (__extension__({ \\", *(f"        {text} \\" for text in body), "    }))"]
    return lines


def emit_bodies(rows):
    small = ["#ifndef __clang__", '#pragma GCC optimize("Os") /* 1,400 functions that call one */',
             "#endif"]
    return "\n".join(["/* Generated from src/ops: the operations for C programs. */", *small,
                      '#include "corten.h"', '#include "corten/own.h"',
                      '#include "core/profile.h"', '#include "core/check_args.h"',
                      '#include "ops/front.h"', "",
                      *(line for row in rows for f in forms(row) for line in body(f))])


def border(f):
    """Returns the checks of all arguments, with the value to return if one fails."""
    tests = [("cti_check_tensor({}", name, name) for name in f.first]
    for a in f.args:
        kind = "Value" if a.name == f.either else a.kind
        if test := KINDS[kind].border if a.default is None or kind not in AS_VALUE else "":
            tests.append((test, a.name if a.default is None else f"all.{a.name}", a.name))
    texts = [f'{test.format(value)}, "{f.name}", "{name}")' for test, value, name in tests]
    fail = {"bool ": "false", "ct_tensor *": "NULL"}.get(f.result, f"({f.result.strip()}){{ 0 }}")
    return [f"if (!({' && '.join(texts)}))", f"    return {fail};"] if texts else []


def take_named(f, name, flag):
    """Returns C for the next tensor of a list, which may have failed; NULL if not requested."""
    asked = f"list.v && all.{flag}" if flag else "list.v"
    return f"named.{name} = {asked} ? list.v[n++] : NULL;"


def body(f):
    name = f"({f.name})" if f.plain else f"{f.name}_ex"
    lines = []
    if f.keywords:
        lines += [f"struct {f.name}_args all = {f.name}_defaults;",
                  "cti_keywords_copy(&all, sizeof all, args);"]
    tests = border(f)
    lines += tests
    given = [*f.first]
    for a in f.args:
        number = a.kind in ("Number", "Number?")
        given.append(a.name if a.default is None else f"cti_keyword_number(all.{a.name})" if number
                     else f"all.{a.name}")
    call = f"{f.own}({', '.join(given)})"
    if f.either:
        plain = ", ".join(f"{g}.as.tensor" if g == f.either else g for g in given)
        number = f"{f.own_number}({', '.join(given)})"
        call = f"cti_value_is_number({f.either}) ? {number} : {f.own}({plain})"
    said = f.row.python_name + "_" * (f.first == ["self"] and not f.row.in_place_only)
    made = {"Tensor": "r", "struct": f"r.{(f.row.results or [0])[0]}"}.get(f.row.returns)
    seen = "".join(tests)
    bare = not any(f"cti_check_{what}(" in seen for what in ("tensor", "value", "list"))
    lines += [f'CTI_CALL_BEGIN{"_BARE" * bare}("{said}");', f"__auto_type r = {call};",
              f'CTI_CALL_END("{said}", {made if f.new and made else "NULL"});']
    if f.new and f.row.results:
        lines += [f"r.{r} = ct_scoped(r.{r});" for r in f.row.results]
    scoped = {"Tensor": "ct_scoped(r)", "Tensors": "ct_scoped_list(r)", "bool": "r == 1"}
    scoped = scoped.get(f.row.returns, "r") if f.new else "r"
    if f.new and f.row.named:
        lines += [f"ct_list list = {scoped};", "int64_t n = 0;", f"{f.result}named = {{ 0 }};",
                  *(take_named(f, *named) for named in f.row.named)]
        scoped = "named"
    return function(f"{f.result}{name}({f.parameters()})", [*lines, f"return {scoped};"])

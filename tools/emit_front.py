# SPDX-License-Identifier: BSD-3-Clause
"""Writes own.h (functions with owned results), the fronts of rows, and rows.h (row ids, facts)."""
import formula
from emit_loops import engine_rows, variants
from front_parts import (apart, call_of, checks, constants, float8_refused, names_of,
                         otherwise_lines, pointwise_lines, results_of, sparse_lines, unless,
                         wants_grad)
from rows import FACTS, SUFFIX, TENSORS, VALUES, function, indent
from sequence import Sequence

PUBLIC = """/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated from src/ops{words} */
#ifndef CORTEN_{name}_H
#define CORTEN_{name}_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

{includes}

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {{
#endif

{text}

#ifdef __cplusplus
}}
#endif

#include "corten/restore_letters.h"

#endif
"""
OWN_WORDS = """: every operation with all its arguments. The caller owns the result,
 * which joins no scope. For bindings and Corten's own code. NULL in, NULL out. An in-place form
 * returns its first argument, and an `_out` form its `out`, without a new reference."""
FRONT_HEAD = """/* Generated from src/ops/{source}.toml: {what}. */
#include "autograd/autograd.h"
#include "core/recur.h"
#include "fronts.h"
#include "grads.h"
#include "ops/front.h"
#include "ops/pointwise/pointwise.h"
#include "ops/shape/padding.h"
#include "ops/sparse/sparse.h"
#include "rows.h"

"""


def guarded(name, what, *lines):
    """Returns the text of a generated header with an include guard."""
    return "\n".join([f"/* Generated from src/ops: {what}. */", f"#ifndef CORTEN_{name}_H",
                      f"#define CORTEN_{name}_H", "", *lines, "", "#endif", ""])


def parameters(args, first=()):
    return ", ".join([*first, *(a.facts.own + a.name for a in args)]) or "void"


def return_type(row):
    return {"Tensor": "ct_tensor *", "struct": f"struct ct_{row.cname}_result ",
            "Tensors": "ct_list ", "bool": "int ", "none": "bool "}[row.returns]


def failure(row):
    return {"Tensor": "NULL", "struct": f"(struct ct_{row.cname}_result){{ 0 }}",
            "Tensors": "(ct_list){ NULL, 0 }", "bool": "-1", "none": "false"}[row.returns]


def c_forms(row):
    """Yields (form, name, leading tensors, arguments, result type) of a row's C functions."""
    if not row.in_place_only:
        yield "function", row.cname, [], row.c_args, return_type(row)
    if "inplace" in row.forms:
        yield "inplace", row.inplace_name, ["self"], row.c_args[1:], "ct_tensor *"
    if "out" in row.forms:
        outs = [f"out_{r}" for r in row.results] or ["out"]
        yield "out", row.cname + "_out", outs, row.c_args, "bool " if row.results else "ct_tensor *"


def prototypes(row):
    """Yields (form, prototype) for each form of a row in own.h."""
    for form, name, first, args, result in c_forms(row):
        given = parameters(args, [f"ct_tensor *{f}" for f in first])
        yield form, f"{result}ct_own_{name}({given})"


def named_struct(row, names):
    """Defines the struct of results in own.h and ops.h; the guard lets either be included first."""
    if not names:
        return []
    guard = f"CT_{row.cname.upper()}_RESULT"
    return [f"#ifndef {guard}", f"#define {guard}", f"struct ct_{row.cname}_result {{",
            f"    ct_tensor *{', *'.join(names)};", "};", "#endif"]


def declarations(rows, mark=""):
    return [line for row in rows for line in (
        *named_struct(row, row.results), f"/* {row.doc} */",
        *(f"{mark}{p};" for _, p in prototypes(row)))]


def emit_own_header(rows):
    lines = declarations((r for r in rows if not r.inner), "CT_API ")
    return PUBLIC.format(name="OWN", words=OWN_WORDS, includes='#include "corten/base.h"',
                         text="\n".join(lines))


def emit_inner_header(rows):
    return guarded("INNER", "rows that only other rows and derivatives call; they check little",
                   '#include "corten/own.h"', "", *declarations(r for r in rows if r.inner))


def node_lines(row, fail, self_name=None):
    """Makes the node before the computation, which may overwrite the inputs that it saves."""
    if not row.grad:
        return []
    names = [a.name for a in row.c_args]
    if self_name:
        names[0] = f"ct_value_tensor({self_name})" if row.c_args[0].kind in VALUES else self_name
    return ["struct cti_node *node = NULL;",
            f"if (cti_grad_on() && ({wants_grad(row, self_name)})) {{",
            *([f"    if (cti_inplace_refused({self_name}))", "        return NULL;"]
              if self_name == "self" else []),
            f"    node = cti_node_{row.cname}({', '.join(names)});", "    if (!node)",
            f"        return {fail};", "}"]


def work_lines(row):
    """Computes the variable `result` of the function form."""
    if row.maker == "each":
        return pointwise_lines(row, "NULL")
    if row.maker == "fold":
        name = "cti_reduce_" + row.keys["fold"]["front"]
        return [f"ct_tensor *result = {name}({names_of(row.c_args, row.id)});"]
    if row.maker == "inplace":
        call = names_of(row.c_args[1:], "result")
        return [f"ct_tensor *result = cti_clone({row.c_args[0].name});",
                f"if (result && !{call_of(row.keys['inplace'], call)}) {{",
                "    ct_release(result);", "    result = NULL;", "}"]
    name = row.keys.get("view") or row.keys["impl"]
    if row.returns == "struct":
        call = call_of(name, names_of(row.c_args, *results_of(row, name)[1]))
        return [f"struct ct_{row.cname}_result result = {{ 0 }};", f"bool good = {call};"]
    call = call_of(name, names_of(row.c_args))
    if "copied" in row.keys:
        call = f"cti_copy{'_list' * (row.returns == 'Tensors')}_take({call})"
    return [f"{return_type(row)}result = {call};"]


def autocast_lines(row):
    """Within autocast, calls the row again with its arguments cast."""
    classes = row.keys.get("autocast", {})
    if isinstance(classes, str):
        classes = dict.fromkeys(FACTS["inner"]["autocast"], classes)
    classes = {kind: to for kind, to in classes.items() if to != "none"}
    if not classes:
        return []
    cast = {"Tensors": "_list", **dict.fromkeys(TENSORS, ""), **dict.fromkeys(VALUES, "_value")}
    args = [(a.name, cast[a.kind]) for a in row.c_args if a.kind in cast]
    to = ", ".join(f"[CTI_AUTOCAST_{kind.upper()}] = CTI_AUTOCAST_{to.upper()}"
                   for kind, to in classes.items())
    casts = [f"{name} = cti_autocast{how or '_tensor'}(&cast, {name});" for name, how in args]
    if "result" in classes.values():
        first = args[0][0] + ".as.tensor" * (args[0][1] == "_value")
        casts.append(f"dtype = cti_autocast_dtype(&cast, {first}, dtype);")
    return ["if (cti_autocast_on()) {", *indent([
        f"struct cti_autocast cast = {{ .to = {{ {to} }} }};",
        *(f"cti_autocast_see{how}(&cast, {name});" for name, how in args),
        "if (cti_autocast_begin(&cast)) {", *indent([
            *casts, f"__auto_type result = ct_own_{row.cname}({names_of(row.c_args)});",
            "cti_autocast_end(&cast);", "return result;"]), "}"]), "}"]


def autocast_pause(row, form):
    """See Note [Autocast pauses] in src/autograd/autocast/autocast.h."""
    own = {"impl", "inplace"} & row.keys.keys() if form == "function" else row.maker != "each"
    return ["CTI_AUTOCAST_PAUSE;"] * bool(own)


def function_form(row, rows):
    fail, body = failure(row), checks(row.c_args, failure(row))
    body += sparse_lines(row) + float8_refused(row, fail) + autocast_lines(row)
    if row.maker == "body":
        return body + composite_lines(row, rows)
    work = work_lines(row)
    if row.grad and row.maker != "each":
        work = [*autocast_pause(row, "function"), "bool outer = cti_grad_pause();", *work,
                "cti_grad_restore(outer);"]
    body += [*(apart(row, fail) if row.maker != "each" else ()), *otherwise_lines(row, "NULL")]
    return [*body, *node_lines(row, fail), *work, *finish_lines(row)]


def finish_lines(row):
    node = "node" if row.grad else "NULL"
    if row.returns == "struct":
        results = ", ".join(f"result.{r}" for r in row.results)
        return [f"ct_tensor *results[] = {{ {results} }};",
                f"cti_finish_several({node}, results, {len(row.results)}, good);",
                *(f"result.{r} = results[{i}];" for i, r in enumerate(row.results)),
                "return result;"]
    if not row.grad and row.maker != "view":
        return ["return result;"]
    finish = "cti_finish_list" if row.returns == "Tensors" else "cti_attach"
    return [f"return {finish}({node}, result);"]


def composite_lines(row, rows):
    env = {a.name: (a.kind, a.name) for a in row.c_args}
    seq = Sequence(rows, env, row.where)
    result = seq.tensor(formula.parse(row.keys["body"], row.where))
    return [*seq.temporaries(), *seq.lines, *seq.releases(result), f"return {seq.owned(result)};"]


def inplace_form(row, rows):
    rest = row.c_args[1:]
    body, call = checks(rest, "NULL", ["self"]), names_of(rest, "self")
    body += sparse_lines(row, "self")
    body += float8_refused(row, "NULL", "self") if {"inplace", "impl"} & row.keys.keys() else []
    body += apart(row, "NULL", "self") if {"inplace", "impl"} & row.keys.keys() else []
    if row.in_place_only and "impl" in row.keys:  # this C function checks and records
        return [*body, f"return {call_of(row.keys['impl'], call)};"]
    body += otherwise_lines(row, "self", "ct_value_tensor(self)")
    if row.keys.get("records") == "itself":
        return [*body, f"return {call_of(row.keys['inplace'], call)} ? self : NULL;"]
    body += [*(node_lines(row, "NULL", "self") or ["struct cti_node *node = NULL;"]),
             *unless(["!cti_inplace_begin(self, &node)"], "NULL")]
    if row.maker == "each":
        body += [*pointwise_lines(row, "self", "self"), "bool good = result != NULL;"]
    elif "inplace" in row.keys:
        body.append(f"bool good = {call_of(row.keys['inplace'], call)};")
    else:
        body += ["bool outer = cti_grad_pause();",
                 f"bool good = cti_write_result(self, ct_own_{row.cname}({call}));",
                 "cti_grad_restore(outer);"]
    return [*body, "return cti_finish_inplace(node, self, good);"]


def out_form(row, rows):
    """Pointwise rows and rows with an `out` function write directly into `out`; others copy their
    result. See Note [Results in `out`] in src/ops/out.c."""
    outs = [f"out_{r}" for r in row.results] or ["out"]
    fail = "false" if row.results else "NULL"
    body = [*checks(row.c_args, fail, outs), *unrecorded(row, outs), *out_type(row)]
    if row.maker == "each":
        return [*body, *otherwise_lines(row, "out"), *pointwise_lines(row, "out"),
                "return result && cti_version_bump(out) ? result : NULL;"]
    if row.results:
        given = ", ".join(f"result.{r}" for r in row.results)
        call = f"ct_own_{row.cname}({names_of(row.c_args)})"
        return [*body, f"struct ct_{row.cname}_result result = {call};",
                f"ct_tensor *out[] = {{ {', '.join(outs)} }}, *results[] = {{ {given} }};",
                f"return cti_out_write(out, results, {len(outs)});"]
    copy = "cti_out_copy"
    if row.keys.get("out") == "elements":
        copy = "cti_out_copy_elements"
    elif row.keys.get("out", "typed") != "typed":
        body += apart(row, "NULL", out="cti_out_apart(out, {})")
        done = call_of(row.keys["out"], names_of(row.c_args, "out"))
        return [*body, f"return {done} ? out : NULL;"]
    done = f"{copy}(out, ct_own_{row.cname}({names_of(row.c_args)})) && cti_version_bump(out)"
    for a in (a for a in row.c_args if a.special == "requires_grad"):
        done += f" && (!{a.name} || ct_set_requires_grad(out, true))"
    return [*body, f"return {done} ? out : NULL;"]


def unrecorded(row, outs):
    """Refuses the call if autograd would have to record it."""
    asked = [f"cti_wants_grad({o})" for o in outs]
    inputs = wants_grad(row, every=True)
    asked += [inputs] if inputs else []
    refused = f'cti_out_refused("{row.python_name}")' + " != NULL" * bool(row.results)
    return unless([f"cti_grad_program_enabled() && ({' || '.join(asked)})"], refused)


def out_type(row):
    """Takes the data type from `out`, for new tensors and for rows with out = "typed"."""
    dtype = next((a.name for a in row.c_args if a.kind == "dtype?"), None)
    if row.keys.get("out") == "typed":
        return [f"if ({dtype} == CT_NO_DTYPE)", f"    {dtype} = ct_dtype(out);"]
    if row.new_by:
        return unless([f"!cti_out_dtype(out, &{dtype})"], "NULL")
    return []


FORMS = {"function": function_form, "inplace": inplace_form, "out": out_form}


def emit_fronts(rows, all_rows, source):
    return "\n".join([FRONT_HEAD.format(source=source, what="the front of every row"), *(
        line for row in rows for form, text in prototypes(row)
        for line in function(text, front(row, form, all_rows)))])


def front(row, form, rows):
    pause = autocast_pause(row, form) if form != "function" else []
    return [*pause, *FORMS[form](row, rows)]


def handwritten(row):
    """Returns {key: prototype of the handwritten C function that the key names}."""
    made = parameters(row.c_args, results_of(row, row.keys.get("impl", ""))[0])
    kind = "bool " if row.returns == "struct" else return_type(row)
    into, rest = parameters(row.c_args, ["ct_tensor *out"]), row.c_args[1:]
    return {"view": f"{kind}{{}}({made})", "impl": f"{kind}{{}}({made})",
            "out": f"bool {{}}({into})", "otherwise": f"ct_tensor *{{}}({into})",
            "inplace": f"bool {{}}({parameters(rest, ['ct_tensor *self'])})",
            "sparse": f"{kind}{{}}({made})",
            "instead": "uint16_t {}(ct_value *operand, int *n)",
            "check": "bool {}(ct_value *operand)", "late": "bool {}(const ct_value *operand)",
            "front": f"ct_tensor *cti_reduce_{{}}({parameters(row.c_args, ['uint16_t row'])})"}


def emit_fronts_header(rows):
    """Declares the handwritten functions of src/ops, so that a mismatch does not compile."""
    lines = []
    for row in rows:
        named = row.keys | row.hooks | row.keys.get("fold", {})
        for key, text in handwritten(row).items():
            if key in named and named[key] not in ("values", "linear", "elements", "typed"):
                name, made = constants(named[key])
                given = text.format(name).removesuffix(")")
                lines.append(", ".join([given, *(parameter for parameter, _ in made)]) + ");")
    return guarded("FRONTS", "what the rows expect of the files beside them",
                   '#include "inner.h"', '#include "rows.h"', "", *dict.fromkeys(lines))


def type_mask(row):
    bits = [SUFFIX[t][1] for t in row.types]
    if "f32" in row.types and row.types_name != "plain floating":
        bits += ["CT_FLOAT16", "CT_BFLOAT16"]
    if "c64" in row.types:
        bits += ["CT_COMPLEX32"]
    return " | ".join(f"1u << {b}" for b in bits)


def emit_rows_header(rows):
    names = engine_rows(rows)
    return guarded("ROWS", "a number for every row that an engine runs",
                   "enum cti_row {", *(f"    CTI_ROW_{n.upper()}," for n in names),
                   "    CTI_ROW_COUNT", "};")


def row_facts(row, name, operands):
    keys = row.keys
    promoting = sum(1 << i for i, a in enumerate(operands) if a.is_tensor and a.kind != "Mask")
    promote = keys.get("promote", "float" if "floating" in row.types_name else "common")
    facts = {
        "name": f'"{row.python_name}"', "kernel": f'"{keys.get("kernel", row.python_name)}"',
        "nin": len(operands), "promoting": promoting, "types": type_mask(row),
        "masks": sum(1 << i for i, a in enumerate(operands) if a.kind == "Mask"),
        "result": "CTI_RESULT_" + row.result.upper(),
        "to_" + promote: "true"}
    layout = keys.get("layout", "no_numbers")
    facts |= {"layout": "CTI_LAYOUT_" + layout.upper()} if layout != "no_numbers" else {}
    facts |= {"float8": "CTI_FLOAT8_" + keys["float8"].upper()} if "float8" in keys else {}
    facts |= {"beside_numbers": "true"} if "layout" in keys and layout == "no_numbers" else {}
    facts |= {f"refuse_{kind}": f'"{text}"' for kind, text in keys.get("refuse", {}).items()}
    if "late" in row.hooks and ("defaults" not in row.each or name.endswith("_full")):
        facts["late"] = row.hooks["late"]
    inner = ", ".join(f".{k} = {v}" for k, v in facts.items())
    return f"    [CTI_ROW_{name.upper()}] = {{ {inner} }},"


def emit_row_facts(rows):
    lines = [row_facts(row, name, operands) for row in rows if row.maker == "each"
             for name, operands, _ in variants(row)]
    return "\n".join(["/* Generated from src/ops: what the pointwise front knows of each row. */",
                      '#include "fronts.h"', '#include "ops/pointwise/pointwise.h"', "",
                      "const struct cti_row_facts cti_row_facts[CTI_ROW_COUNT] = {",
                      *lines, "};", ""])

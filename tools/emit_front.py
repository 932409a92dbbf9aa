# SPDX-License-Identifier: BSD-3-Clause
"""The front of every row: own.h (owned results), its bodies, and rows.h (ids and facts of rows)."""
import formula
from emit_loops import variants
from rows import KINDS, SUFFIX
from sequence import Sequence

OWN_HEAD = """/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated from src/ops: every operation with all its arguments and an owned result; no scope knows
 * of it. For bindings and for Corten's own rooms. NULL in, NULL out. An in-place form returns its
 * first argument and `_out` its result, without a new reference. */
#ifndef CORTEN_OWN_H
#define CORTEN_OWN_H

#include "corten/base.h"

#ifdef __cplusplus
extern "C" {
#endif

"""
TAIL = """
#ifdef __cplusplus
}
#endif

#endif
"""
FRONT_HEAD = """/* Generated from src/ops: the front of every row. */
#include "autograd/autograd.h"
#include "corten/own.h"
#include "fronts.h"
#include "grads.h"
#include "ops/front.h"
#include "ops/pointwise.h"
#include "rows.h"

"""


def parameters(args, first=()):
    return ", ".join([*first, *(KINDS[a.kind].own + a.name for a in args)]) or "void"


def return_type(row):
    return {"Tensor": "ct_tensor *", "struct": f"struct ct_{row.cname}_result ", "Tensors": "ct_list ",
            "bool": "int ", "none": "bool "}[row.returns]


def failure(row):
    return {"Tensor": "NULL", "struct": f"(struct ct_{row.cname}_result){{ 0 }}",
            "Tensors": "(ct_list){ NULL, 0 }", "bool": "-1", "none": "false"}[row.returns]


def prototypes(row):
    """(form, prototype) for each form of a row in own.h."""
    result = return_type(row)
    if not row.in_place_only:
        yield "function", f"{result}ct_own_{row.cname}({parameters(row.c_args)})"
    if "inplace" in row.forms:
        yield "inplace", f"ct_tensor *ct_own_{row.inplace_name}({parameters(row.c_args[1:], ['ct_tensor *self'])})"
    if "out" in row.forms:
        outs = [f"ct_tensor *out_{r}" for r in row.results] or ["ct_tensor *out"]
        kind = "bool " if row.results else "ct_tensor *"
        yield "out", f"{kind}ct_own_{row.cname}_out({parameters(row.c_args, outs)})"


def emit_own_header(rows):
    lines = [OWN_HEAD]
    for row in rows:
        if row.returns == "struct":
            guard = f"CT_{row.cname.upper()}_RESULT"  # corten/ops.h has it too
            lines.append(f"#ifndef {guard}\n#define {guard}\nstruct ct_{row.cname}_result {{\n"
                         f"    ct_tensor *{', *'.join(row.results)};\n}};\n#endif")
        lines.append(f"/* {row.doc} */")
        lines += [f"CT_API {text};" for _, text in prototypes(row)]
    return "\n".join(lines) + "\n" + TAIL


def null_test(args):
    tests = []
    for a in args:
        if a.kind in ("Tensor", "Tensor?", "Mask"):
            tests.append(f"!{a.name}")
        elif a.kind in ("Operand", "Value", "Value?", "Number", "Number?"):
            tests.append(f"{a.name}.kind == CT_VALUE_NULL")
        elif a.kind in ("Tensors", "Tensors?"):
            tests.append(f"!cti_list_is_whole(&{a.name})")
        elif a.kind == "device?":
            tests.append(f"{a.name}.type == CT_BAD_DEVICE")
    return tests


def normalise(args):
    return [f"{a.name} = cti_ints_counted({a.name});" for a in args if a.kind in ("ints", "ints?")]


def wants_grad(row, first=None):
    """The C test whether an argument with a derivative asks for a gradient."""
    tests = []
    for a in row.c_args:
        if a.name not in row.grad:
            continue
        name = first if first and a is row.c_args[0] else a.name
        if a.kind in ("Tensor", "Tensor?", "Mask") or name == first:
            tests.append(f"cti_wants_grad({name})")
        elif a.kind == "Tensors":
            tests.append(f"cti_wants_grad_list({name})")
        else:
            tests.append(f"cti_wants_grad_value({name})")
    return " || ".join(tests)


def node_lines(row, fail, self_name=None, extra=""):
    """Builds the node before the work, so that what it saves is saved as it was."""
    if not row.grad:
        return []
    names = [f"ct_value_tensor({self_name})" if self_name and i == 0 and a.kind in ("Operand", "Value")
             else self_name if self_name and i == 0 else a.name for i, a in enumerate(row.c_args)]
    return ["struct cti_node *node = NULL;",
            f"if (cti_grad_on() && ({wants_grad(row, self_name)})) {{",
            f"    node = cti_node_{row.cname}({', '.join(names)});", "    if (!node)",
            f"        {extra}return {fail};", "}"]


def value_of(arg, self_name=None):
    name = self_name or arg.name
    if arg.kind in ("Tensor", "Mask") or self_name:
        return f"ct_value_tensor({name})"
    if arg.kind in ("int", "float", "bool"):
        return f"ct_value_{arg.kind}({name})"
    return name


def pointwise_lines(row, out, self_name=None):
    """The call of the pointwise front: ct_tensor *result = ..."""
    ops = row.operands
    values = ", ".join(value_of(a, self_name if a is row.c_args[0] else None) for a in ops)
    lines = [f"ct_value operand[] = {{ {values} }};"]
    tensors = sum(a.is_tensor for a in ops)
    if "plain" in row.keys:
        at = " && ".join(f"{a.name}.kind == CT_VALUE_INT && {a.name}.as.i == {a.default}"
                         for a in ops if not a.is_tensor)
        lines.append(f"bool plain = {at};")
        pick = f"plain ? {row.id} : {row.id}_FULL, {out}, operand, plain ? {tensors} : {len(ops)}"
    elif "instead" in row.keys:
        lines += [f"int n = {len(ops)};", f"uint16_t row = {row.keys['instead']}(operand, &n);"]
        pick = f"row, {out}, operand, n"
    else:
        pick = f"{row.id}, {out}, operand, {len(ops)}"
    test = f"!{row.keys['check']}(operand) ? NULL : " if "check" in row.keys else ""
    return [*lines, f"ct_tensor *result = {test}cti_pointwise({pick});"]


def otherwise_lines(row, out, first=None):
    """A text argument that is given makes it another operation, written by hand."""
    if "otherwise" not in row.keys:
        return []
    test = next(a.name for a in row.c_args if a.kind == "str?")
    names = [first or row.c_args[0].name, *(a.name for a in row.c_args[1:])]
    return [f"if ({test})", f"    return {row.keys['otherwise']}({out}, {', '.join(names)});"]


def names_of(args):
    return ", ".join(a.name for a in args)


def work_lines(row):
    """The function form's work, up to a variable `result`."""
    maker, call = row.maker, names_of(row.c_args)
    if maker == "each":
        return pointwise_lines(row, "NULL")
    if maker == "fold":
        return [f"ct_tensor *result = cti_reduce_{row.keys['family']}({', '.join(filter(None, [row.id, call]))});"]
    if maker == "inplace":
        rest = names_of(row.c_args[1:])
        return [f"ct_tensor *result = cti_clone({row.c_args[0].name});",
                f"if (result && !{row.keys['inplace']}({', '.join(filter(None, ['result', rest]))})) {{",
                "    ct_release(result);", "    result = NULL;", "}"]
    name = row.keys.get("view") or row.keys["impl"]
    if row.returns == "struct":
        return [f"struct ct_{row.cname}_result result = {{ 0 }};",
                f"bool good = {name}({', '.join(filter(None, ['&result', call]))});"]
    return [f"{return_type(row)}result = {name}({call});"]


def function_form(row, text, rows):
    lines, fail = [text, "{"], failure(row)
    body = normalise(row.c_args)
    tests = null_test(row.c_args)
    if tests:
        body += [f"if ({' || '.join(tests)})", f"    return {fail};"]
    if row.maker == "body":
        return [*lines, *indent(body + composite_lines(row, rows)), "}"]
    body += otherwise_lines(row, "NULL")
    body += node_lines(row, fail)
    quiet = row.grad and row.maker != "each"
    if quiet:
        body.append("bool mode = cti_grad_pause();")
    body += work_lines(row)
    if quiet:
        body.append("cti_grad_restore(mode);")
    body += finish_lines(row)
    return [*lines, *indent(body), "}"]


def finish_lines(row):
    if row.returns == "struct":
        results = ", ".join(f"result.{r}" for r in row.results)
        node = "node" if row.grad else "NULL"
        return [f"ct_tensor *results[] = {{ {results} }};",
                f"cti_finish_several({node}, results, {len(row.results)}, good);",
                *(f"result.{r} = results[{i}];" for i, r in enumerate(row.results)), "return result;"]
    node = "node" if row.grad else "NULL"
    if node == "NULL" and row.maker != "view":
        return ["return result;"]
    if row.returns == "Tensors":
        return [f"return cti_finish_list({node}, result);"]
    return [f"return cti_attach({node}, result);"]


def composite_lines(row, rows):
    env = {a.name: (a.kind, a.name) for a in row.c_args}
    seq = Sequence(rows, env, row.where)
    result = seq.tensor(formula.parse(row.keys["body"], row.where))
    owned = result.startswith("t") and result[1:].isdigit()
    return [*seq.temporaries(), *seq.lines, *seq.releases(result),
            f"return {result if owned else f'ct_retain({result})'};"]


def inplace_form(row, text):
    rest = row.c_args[1:]
    body = normalise(rest)
    tests = ["!self", *null_test(rest)]
    body += [f"if ({' || '.join(tests)})", "    return NULL;"]
    call = ", ".join(filter(None, ["self", names_of(rest)]))
    if row.in_place_only and "impl" in row.keys:  # checks and records by itself
        return [text, "{", *indent([*body, f"return {row.keys['impl']}({call});"]), "}"]
    body += otherwise_lines(row, "self", "ct_value_tensor(self)")
    if row.keys.get("records") == "itself":
        return [text, "{", *indent([*body, f"return {row.keys['inplace']}({call}) ? self : NULL;"]), "}"]
    body += node_lines(row, "NULL", "self")
    if not row.grad:
        body.append("struct cti_node *node = NULL;")
    body += ["if (!cti_inplace_begin(self, &node))", "    return NULL;"]
    if row.maker == "each":
        body += [*pointwise_lines(row, "self", "self"), "bool good = result != NULL;"]
    elif "inplace" in row.keys:
        body.append(f"bool good = {row.keys['inplace']}({call});")
    else:
        body += ["bool mode = cti_grad_pause();",
                 f"bool good = cti_write_result(self, ct_own_{row.cname}({call}));", "cti_grad_restore(mode);"]
    body.append("return cti_finish_inplace(node, self, good);")
    return [text, "{", *indent(body), "}"]


def out_form(row, text):
    """Pointwise rows write into `out`; the others compute, fit out's size and copy."""
    outs = [f"out_{r}" for r in row.results] or ["out"]
    fail = "false" if row.results else "NULL"
    body = [f"if ({' || '.join([*(f'!{o}' for o in outs), *null_test(row.c_args)])})", f"    return {fail};"]
    if wants_grad(row) or row.grad:
        tests = [f"cti_wants_grad({o})" for o in outs] + ([wants_grad(row)] if row.grad else [])
        body += [f"if (cti_grad_on() && ({' || '.join(tests)}))",
                 f'    return cti_out_refused("{row.python_name}") != NULL;' if row.results else
                 f'    return cti_out_refused("{row.python_name}");']
    if {"dtype", "layout"} <= {a.name for a in row.args}:  # a new tensor: of out's type
        body += ["if (!cti_out_dtype(out, &dtype))", "    return NULL;"]
    if row.maker == "each":
        body += otherwise_lines(row, "out")
        return [text, "{", *indent(body + pointwise_lines(row, "out") +
                ["if (result && !cti_version_bump(out))", "    return NULL;", "return result;"]), "}"]
    if "out" in row.keys:
        call = f"{row.keys['out']}(out, {names_of(row.c_args)})"
        body += [f"return {call} && cti_version_bump(out) ? out : NULL;"]
        return [text, "{", *indent(normalise(row.c_args) + body), "}"]
    call, write = f"ct_own_{row.cname}({names_of(row.c_args)})", row.keys.get("out_write", "cti_out_write")
    if row.results:
        body += [f"struct ct_{row.cname}_result result = {call};",
                 f"bool good = result.{row.results[0]} != NULL;"]
        body += [f"good = {write}(out_{r}, result.{r}) && good;" for r in row.results]
        return [text, "{", *indent(body + ["return good;"]), "}"]
    return [text, "{", *indent(body + [f"return {write}(out, {call}) ? out : NULL;"]), "}"]


def indent(lines):
    return ["    " + line if line else line for line in lines]


def emit_fronts(rows, all_rows):
    lines = [FRONT_HEAD]
    for row in rows:
        for form, text in prototypes(row):
            make = {"function": lambda r, t: function_form(r, t, all_rows), "inplace": inplace_form,
                    "out": out_form}[form]
            lines += [*make(row, text), ""]
    return "\n".join(lines)


def emit_fronts_header(rows):
    """Prototypes of what src/ops writes by hand, so that a mismatch does not compile."""
    lines = ["/* Generated from src/ops: what the rows expect of the files beside them. */",
             "#ifndef CORTEN_FRONTS_H", "#define CORTEN_FRONTS_H", "", '#include "corten/own.h"', '#include "rows.h"', ""]
    for row in rows:
        if "impl" in row.keys or "view" in row.keys:
            name = row.keys.get("view") or row.keys["impl"]
            first = [f"struct ct_{row.cname}_result *result"] if row.returns == "struct" else []
            kind = "bool " if row.returns == "struct" else return_type(row)
            lines.append(f"{kind}{name}({parameters(row.c_args, first)});")
        if "out" in row.keys:
            lines.append(f"bool {row.keys['out']}({parameters(row.c_args, ['ct_tensor *out'])});")
        if "inplace" in row.keys:
            lines.append(f"bool {row.keys['inplace']}({parameters(row.c_args[1:], ['ct_tensor *self'])});")
        if "otherwise" in row.keys:
            lines.append(f"ct_tensor *{row.keys['otherwise']}({parameters(row.c_args, ['ct_tensor *out'])});")
        if "instead" in row.keys:
            lines.append(f"uint16_t {row.keys['instead']}(ct_value *operand, int *n);")
        if "check" in row.keys:
            lines.append(f"bool {row.keys['check']}(ct_value *operand);")
        if "late" in row.keys:
            lines.append(f"bool {row.keys['late']}(const ct_value *operand);")
        if row.maker == "fold":
            first = ["uint16_t row"]
            lines.append(f"ct_tensor *cti_reduce_{row.keys['family']}({parameters(row.c_args, first)});")
    seen = dict.fromkeys(lines)
    return "\n".join([*seen, "", "#endif", ""])


def type_mask(row):
    bits = [SUFFIX[t][1] for t in row.types]
    if "f32" in row.types:
        bits += ["CT_FLOAT16", "CT_BFLOAT16"]
    return " | ".join(f"1u << {b}" for b in bits)


def emit_rows_header(rows):
    names = [n for r in rows if r.maker == "each" for n, _, _ in variants(r)]
    names += [r.cname for r in rows if r.maker in ("fold",)]
    ids = ",\n    ".join(f"CTI_ROW_{n.upper()}" for n in names)
    return f"""/* Generated from src/ops: a number for every row that an engine runs. */
#ifndef CORTEN_ROWS_H
#define CORTEN_ROWS_H

enum cti_row {{
    {ids},
    CTI_ROW_COUNT
}};

#endif
"""


def emit_row_facts(rows):
    """What the pointwise front knows of each row."""
    lines = ["/* Generated from src/ops: what the pointwise front knows of each row. */",
             '#include "fronts.h"', '#include "ops/pointwise.h"', "",
             "const struct cti_row_facts cti_row_facts[CTI_ROW_COUNT] = {"]
    for row in rows:
        if row.maker != "each":
            continue
        for name, operands, _ in variants(row):
            promoting = sum(1 << i for i, a in enumerate(operands) if a.is_tensor and a.kind != "Mask")
            masks = sum(1 << i for i, a in enumerate(operands) if a.kind == "Mask")
            refuse = row.keys.get("refuse", {})
            refused = "".join(f', .refuse_{k} = "{v}"' for k, v in refuse.items())
            if "late" in row.keys and ("plain" not in row.keys or name.endswith("_full")):
                refused += f", .late = {row.keys['late']}"
            result = row.keys.get("result", "same").upper()
            promote = row.keys.get("promote", "float" if "floating" in row.keys["types"] else "common")
            lines.append(
                f'    [CTI_ROW_{name.upper()}] = {{ .name = "{row.python_name}", .kernel = "'
                f'{row.keys.get("kernel", row.python_name)}", .nin = {len(operands)}, .masks = {masks}, '
                f'.promoting = {promoting}, .types = {type_mask(row)}, .result = CTI_RESULT_{result}, '
                f'.to_float = {"true" if promote == "float" else "false"}{refused} }},')
    return "\n".join([*lines, "};", ""])

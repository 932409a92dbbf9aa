# SPDX-License-Identifier: BSD-3-Clause
"""The `out=` form of a row's front."""
import formula
from front_parts import (apart, checks, names_of, otherwise_lines, pointwise_lines, unless,
                         wants_grad)
from sequence import Sequence


def unrecorded(row, outs):
    """Refuses a call that would have to be recorded, in the name of the row that does the work."""
    recorded = row.grad or row.keys.get("records") == "itself"
    own = row.python_name if recorded or "body" in row.keys else f"aten::{row.python_name}"
    name = row.keys.get("out_grad", own)
    inputs = wants_grad(row, every="out_grad" in row.keys and "::" not in name)
    tests = [*(f"cti_wants_grad({o})" for o in outs)]
    refused = f'cti_out_refused("{name}")' + " != NULL" * bool(row.results)
    if name in ("none", "copy"):
        return []
    if not inputs or row.results or "::" not in name:
        tests += [inputs] * bool(inputs)
        return unless([f"cti_grad_on() && ({' || '.join(tests)})"], refused)
    copied = f"cti_out_write_recorded(out, ct_own_{row.cname}({names_of(row.c_args)})) ? out : NULL"
    return [*unless([f"cti_grad_on() && ({' || '.join(tests)})"], refused),
            *unless([f"cti_grad_on() && ({inputs})"], copied)]


def out_form(row, rows):
    """Pointwise rows write into `out`; the others compute, fit out's size and copy."""
    outs = [f"out_{r}" for r in row.results] or ["out"]
    body = checks(row.c_args, "false" if row.results else "NULL", outs)
    inner = handed_on(row, rows)
    if inner:
        return [*body, f"return {inner};"]
    body += unrecorded(row, outs)
    if row.keys.get("typed") == "out":
        body += ["if (dtype == CT_NO_DTYPE)", "    dtype = ct_dtype(out);"]
    if {"dtype", "layout"} <= {a.name for a in row.args}:  # a new tensor: of out's type
        body += unless(["!cti_out_dtype(out, &dtype)"], "NULL")
    if "out_type" in row.keys and row.maker != "each":
        said = f'!cti_out_is(out, {row.c_args[0].name}, "{row.keys["out_type"]}")'
        body += unless([said], "NULL")
    if row.maker == "each":
        return [*body, *otherwise_lines(row, "out"), *pointwise_lines(row, "out"),
                "return result && cti_version_bump(out) ? result : NULL;"]
    if "out" in row.keys:
        body += apart(row, "NULL", out="cti_out_apart(out, {})")
        call = f"{row.keys['out']}({names_of(row.c_args, 'out')})"
        if row.keys.get("records") != "itself":
            call += " && cti_version_bump(out)"
        return [*body, f"return {call} ? out : NULL;"]
    call = f"ct_own_{row.cname}({names_of(row.c_args)})"
    if row.keys.get("promises"):
        body.append("cti_promise_nothing();")
        call = f"cti_promised(out, {call})"
    usual = "cti_out_write" + "_recorded" * (row.keys.get("out_grad") == "copy")
    write, asked = row.keys.get("out_write", usual), out_tests(row)
    overlap = [f"cti_out_overlaps(out, {a.name})" for a in row.c_args if a.is_tensor]
    if not row.results:
        if row.keys.get("overlap") == "before":
            body += unless(overlap, "NULL")
        elif "overlap" in row.keys:
            asked["fit"] = f"cti_out_fit({{}}, {{}}) && !({' || '.join(overlap)})"
        if asked:
            body += [f"ct_tensor *result = {call};"]
            test = " && ".join(t.format("out", "result") for t in asked.values())
            call = f"cti_if(result && {test}, result)"
        asks = any(a.name == "requires_grad" for a in row.c_args)
        then = " && cti_out_requires(out, requires_grad)" * asks
        return [*body, f"return {write}(out, {call}){then} ? out : NULL;"]
    body += [f"struct ct_{row.cname}_result result = {call};",
             f"bool good = result.{row.results[0]} != NULL;"]
    fitted = []  # those with PyTorch's usual words have their size before the next is asked
    for r, test in asked.items():
        fit = f" || !({' && '.join(fitted)})" if fitted else ""
        body.append(f"good = good && ({test.format(f'out_{r}', f'result.{r}')}{fit});")
        fitted += [f"cti_out_fit(out_{r}, result.{r})"] * test.startswith("cti_out_exact(")
    return [*body, *(f"good = {write}(out_{r}, cti_if(good, result.{r}));" for r in row.results),
            "return good;"]


def handed_on(row, rows):
    """The call of another row's `out` form, where a body is one call of the row's arguments."""
    if row.maker != "body" or any(key.startswith("out_") for key in row.keys):
        return None
    node = formula.parse(row.keys["body"], row.where)
    inner = next((r for r in rows if r.cname == getattr(node, "fn", None)), None)
    seq = Sequence(rows, {a.name: (a.kind, a.name) for a in row.c_args}, row.where)
    if inner is None or "out" not in inner.forms:
        return None
    made = seq.call(node)
    return f"ct_own_{inner.cname}_out(out, " + seq.lines[-1].split("(", 1)[1][:-2] + ")" \
        if made == "t0" else None


def out_tests(row):
    """What the results ask of their `out`, in that order: a text is said of another type."""
    said = row.keys.get("out_test", {})
    said = said if isinstance(said, dict) else dict.fromkeys(row.results or ["result"], said)
    asked = {}
    for result, text in said.items():
        call = text if text.startswith("cti_") else f'cti_out_is("{text}")'
        name, _, more = call.partition("(")
        more = ", " + more.replace('"{}"', f'"{result}"') if more else ")"
        asked[result] = f"{name}({{}}, {{}}" + more.replace("{", "{{").replace("}", "}}")
    return asked

# SPDX-License-Identifier: BSD-3-Clause
"""The `out=` form of a row's front: see Note [Results in `out`] in src/ops/out.c."""
from front_parts import (apart, checks, names_of, otherwise_lines, pointwise_lines, unless,
                         wants_grad)


def out_form(row, rows):
    """Pointwise rows, and those with a function for it, compute in `out`; others copy a result."""
    outs = [f"out_{r}" for r in row.results] or ["out"]
    fail = "false" if row.results else "NULL"
    body = [*checks(row.c_args, fail, outs), *unrecorded(row, outs), *types(row)]
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
        return [*body, f"return {row.keys['out']}({names_of(row.c_args, 'out')}) ? out : NULL;"]
    done = f"{copy}(out, ct_own_{row.cname}({names_of(row.c_args)})) && cti_version_bump(out)"
    for a in (a for a in row.c_args if a.special == "requires_grad"):
        done += f" && (!{a.name} || ct_set_requires_grad(out, true))"
    return [*body, f"return {done} ? out : NULL;"]


def unrecorded(row, outs):
    """Refuses a call that would have to be recorded."""
    asked = [f"cti_wants_grad({o})" for o in outs]
    inputs = wants_grad(row, every=True)
    asked += [inputs] if inputs else []
    refused = f'cti_out_refused("{row.python_name}")' + " != NULL" * bool(row.results)
    return unless([f"cti_grad_asked() && ({' || '.join(asked)})"], refused)


def types(row):
    """Where `out` decides the type: of a computation that says so, and of new tensors."""
    dtype = next((a.name for a in row.c_args if a.kind == "dtype?"), None)
    if row.keys.get("out") == "typed":
        return [f"if ({dtype} == CT_NO_DTYPE)", f"    {dtype} = ct_dtype(out);"]
    if row.new_by:
        return unless([f"!cti_out_dtype(out, &{dtype})"], "NULL")
    return []

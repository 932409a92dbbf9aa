# SPDX-License-Identifier: BSD-3-Clause
"""Makes lines of C that several forms of a front share."""
from rows import KINDS, TENSORS, VALUES, split_commas


def constants(named):
    """Returns (name, [(parameter, value)]) of a C function that a row names: "cti_op_x", or, with
    constants to pass after the row's arguments, "cti_op_x(ndim=2, name='x')"."""
    name, _, listed = named.removesuffix(")").partition("(")
    made = []
    for key, _, value in (text.strip().partition("=") for text in split_commas(listed) if text):
        text, flag = value.startswith("'"), value in ("true", "false")
        kind = "const char *" if text else "bool " if flag else "int "
        made.append((kind + key, f'"{value[1:-1]}"' if text else value))
    return name, made


def call_of(named, args):
    """Returns the call of a C function that a row names, with the arguments `args`, a text."""
    name, made = constants(named)
    return f"{name}({', '.join([*filter(None, [args]), *(value for _, value in made)])})"


def results_of(row, named):
    """Returns (parameters, arguments) for the results of a row with several: its struct, or each if
    `named` is a function of several rows, whose structs differ."""
    if row.returns != "struct":
        return [], []
    if "(" in named:
        return [f"ct_tensor **{r}" for r in row.results], [f"&result.{r}" for r in row.results]
    return [f"struct ct_{row.cname}_result *result"], ["&result"]


def unless(tests, fail):
    """Makes C that returns `fail` if one of the tests is true."""
    return [f"if ({' || '.join(tests)})", f"    return {fail};"] if tests else []


def checks(args, fail, first=()):
    """Fails if an argument is NULL, and counts lists of ints that end with a mark."""
    tests = [f"!{t}" for t in first]
    tests += [a.facts.null.format(a.name) for a in args if a.facts.null]
    ints = [a.name for a in args if a.kind in ("ints", "ints?")]
    return [*(f"{name} = cti_ints_counted({name});" for name in ints), *unless(tests, fail)]


def apart(row, fail, first=None, out=""):
    """Refuses tensors on different devices, unless the row allows them."""
    words, args = row.keys.get("devices"), [a for a in row.c_args if a.is_tensor]
    at = next((a for a in args if a.kind == "Tensor"), None)
    name, said = first or (at.name if at else "NULL"), f'"{words}"' if words else "NULL"
    differ = {True: "cti_devices_differ_index", False: "cti_devices_differ"}
    tests = [f"{differ[a.facts.index]}({name}, {a.name}, {said})" for a in args
             if a is not at and (at or a.kind == "Tensors")] + [out.format(name)] * bool(out and at)
    return unless(tests, fail) if words != "any" else []


def float8_refused(row, fail, first=None):
    """Note [Float8]: rows that compute refuse these types; pointwise fronts check elsewhere."""
    if "float8" in row.keys or row.maker in ("each", "view", "body") or row.inner:
        return []
    args = [a.name for a in row.c_args if a.is_tensor or a.kind.startswith("dtype")]
    args[:1] = [first] if first else args[:1]
    kernel = row.keys.get("kernel", row.python_name)
    return unless([f'cti_float8_refused({a}, "{kernel}")' for a in args], fail)


def wants_grad(row, first=None, every=False):
    """Returns C that tests if an argument with a derivative (or any tensor) requires a gradient."""
    tests = []
    for a in row.c_args:
        if a.name not in row.grad and not (a.is_tensor and (every or "records" in row.keys)):
            continue
        name = first if first and a is row.c_args[0] else a.name
        kind = "list" if a.kind == "Tensors" else "value"
        kind = "" if a.kind in TENSORS or name == first else "_" + kind
        tests.append(f"cti_wants_grad{kind}({name})")
    return " || ".join(tests)


def pointwise_lines(row, out, self_name=None):
    """Makes the call of the pointwise front: ct_tensor *result = ..."""
    ops = row.operands
    values = ", ".join(KINDS["Tensor"].value.format(self_name) if self_name and a is row.c_args[0]
                       else a.facts.value.format(a.name) for a in ops)
    lines = [f"ct_value operand[] = {{ {values} }};"]
    tensors = sum(a.is_tensor for a in ops)
    if "defaults" in row.each:
        at = " && ".join(f"{a.name}.kind == CT_VALUE_INT && {a.name}.as.i == {a.default}"
                         for a in ops if not a.is_tensor)
        lines.append(f"bool plain = {at};")
        pick = f"plain ? {row.id} : {row.id}_FULL, {out}, operand, plain ? {tensors} : {len(ops)}"
    elif "instead" in row.hooks:
        lines += [f"int n = {len(ops)};", f"uint16_t row = {row.hooks['instead']}(operand, &n);"]
        pick = f"row, {out}, operand, n"
    else:
        pick = f"{row.id}, {out}, operand, {len(ops)}"
    check = row.hooks.get("check")
    test = f"!{call_of(check, 'operand')} ? NULL : " if check else ""
    return [*lines, f"ct_tensor *result = {test}cti_pointwise({pick});"]


def otherwise_lines(row, out, first=None):
    """Calls a handwritten function instead if the text argument is given."""
    if "otherwise" not in row.hooks:
        return []
    test = next(a.name for a in row.c_args if a.kind == "str?")
    names = [first or row.c_args[0].name, *(a.name for a in row.c_args[1:])]
    return [f"if ({test})", f"    return {row.hooks['otherwise']}({out}, {', '.join(names)});"]


def sparse_lines(row, first=None):
    """Handles sparse tensors with the row's C function, or by applying the row to the values."""
    how = row.keys.get("sparse")
    if not how:
        return []
    args, rest, at = row.c_args, row.c_args[1:], row.c_args[0]
    wrap = KINDS["Tensor"].value if at.kind in VALUES else "{}"
    if how in ("values", "linear"):
        sparse = f"cti_sparse_any({first or at.name})"
        given = first or (f"{at.name}.as.tensor" if at.kind in VALUES else at.name)
        linear, call = str(how == "linear").lower(), names_of(rest, wrap.format("coo.values"))
        work = ["struct cti_coo coo;", f"cti_sparse_open(&coo, {given}, {linear});",
                f"ct_tensor *values = ct_own_{row.cname}({call});",
                "ct_tensor *made = cti_sparse_close(&coo, values);"]
    else:
        tensors = [a.name for a in args if a.is_tensor]
        names = [first, *tensors[1:]] if first else tensors
        sparse = " || ".join(f"cti_sparse_any({n})" for n in names)
        call = names_of(rest, wrap.format(first)) if first else names_of(args)
        work = [f"__auto_type made = {how}({call});"]
    work.append(f'return cti_sparse_write(self, made, "{row.cname}");' if first else "return made;")
    return [f"if ({sparse}) {{", *(f"    {line}" for line in work), "}"]


def names_of(args, *first):
    return ", ".join([*first, *(a.name for a in args)])

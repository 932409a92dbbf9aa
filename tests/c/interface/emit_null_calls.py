# SPDX-License-Identifier: BSD-3-Clause
"""Writes null_calls.h, which calls every function of the public headers once for each invalid value of each
argument: NULL, an unreadable list, a negative number, an unknown enum value. The other arguments are
valid. test_null.c runs the calls.

    emit_null_calls.py OUTPUT HEADER...
"""
import re
import sys
from pathlib import Path

# Valid arguments by type. Handles are fields of `struct inputs`, which is made for each call.
SOUND = {
    "ct_tensor *": "in->x", "const ct_tensor *": "in->x", "ct_storage *": "ct_storage_of(in->x)",
    "const ct_storage *": "ct_storage_of(in->x)", "ct_generator *": "ct_generator_new()",
    "const ct_generator *": "ct_generator_new()", "ct_node *": "in->node",
    "const ct_node *": "in->node", "ct_hook_handle *": "a_handle(in)", "ct_params *": "in->params",
    "const ct_params *": "in->params", "ct_optim *": "an_optimizer(in)",
    "const ct_optim *": "an_optimizer(in)", "ct_store *": "ct_store_hash()",
    "const ct_store *": "ct_store_hash()", "ct_group *": "a_group()", "const ct_group *": "a_group()",
    "ct_work *": "a_work(in)", "ct_profile *": "a_profile()", "const ct_profile *": "a_profile()",
    "ct_archive *": "an_archive()", "const ct_archive *": "an_archive()",
    "const struct ct_record *": "ct_archive_record(an_archive(), 0)",
    "ct_sink *": "a_sink()", "struct ct_sink *": "a_sink()",
    "ct_archive_writer *": "ct_archive_writer_new(a_sink(), 1, true)",
    "ct_pickle *": "ct_pickle_new()", "const ct_pickle *": "ct_pickle_new()",
    "struct ct_object *": "ct_object_int(ct_pickle_new(), 1)", "ct_saver *": "ct_saver_new()",
    "struct ct_dl_managed *": "ct_to_dlpack(in->x)",
    "struct ct_dl_versioned *": "ct_to_dlpack_versioned(in->x)",
    "const char *": '"name"', "ct_list": "ct_list_of(in->list, 2)", "ct_ints": "CT_SHAPE(2, 3)",
    "ct_floats": "CT_FLOATS(1, 2)", "ct_value": "ct_value_float(1)",
    "const ct_value *": "in->index", "ct_dict": "CT_DICT({\"a\", in->x})", "ct_tensor **": "in->out",
    "FILE *": "in->file", "int64_t": "1", "int": "1", "double": "1", "bool": "false", "size_t": "8",
    "uint64_t": "1", "uint32_t": "1", "struct ct_device": "CT_NO_DEVICE", "void *": "in->memory",
    "const void *": "in->memory", "uint8_t *": "in->memory", "const uint8_t *": "in->memory",
    "int64_t *": "&in->number", "bool *": "&in->flag", "ct_scope *": "&in->scope",
    "const int *": "(int *)in->memory", "const char *const *": "in->texts",
    "const ct_index *": "in->items", "ct_derivative": "(ct_derivative){.name = \"D\"}",
    "ct_hook": "(ct_hook){.call = a_hook}", "ct_packer": "(ct_packer){.context = NULL}",
    **{f"struct ct_{layer}_layer": f"a_{layer}_layer(in)" for layer in (
        "linear", "embedding", "conv", "layer_norm", "batch_norm", "dropout", "lstm", "attention")},
    "void (*work)(void *arg)": "a_work_function",
    "ct_scope": "in->scope", "enum ct_dtype": "CT_FLOAT32", "ct_walk": "(struct ct_walk){0}",
}
# Not called: the first is not for programs, the second takes ownership, the others would iterate
# 2^63 times.
SKIPPED = {"ct_test_fail_alloc", "ct_list_release", "ct_svd_lowrank_ex", "ct_pca_lowrank_ex"}
# Functions for which NULL has a meaning, or gives NULL, -1 or false without an error: functions that
# release or pass on objects, queries of bindings, functions with optional arguments.
QUIET = re.compile(
    r"ct_(keep|free|retain|release|scoped|scoped_list|hand_over|take_over|replace|scope_end)|"
    r"ct_\w+_(retain|release|free|remove|destroy|close|abort|restore|handle)|"
    r"ct_(error_at|scope_begin_at|handle|storage_pin|device_str|fprint_any|set_print_options|drop_hooks|"
    r"reference_count|list_get|storage_name|dtype_of_storage_name|own_host)|"
    r"ct_(optim_(state|number)_name|object_(new|text|call|add)|(node_)?visit_held|archive_finish)|"
    r"ct_(push_packer|set_\w+_hooks|set_allocator|engine_will_run|sole_grad_fn|base_of|is_leaf)|"
    r"ct_(is_(inference|dual|only_dual|sparse|pinned)|layout_of|own_dual_tangent|own_grad_fn)|"
    r"ct_node_(tie|name|edges|next|results|variable|note|sequence|references|set_undefined)|"
    r"ct_profile_(begin|end|begin_call|end_call)|ct_cuda_\w+")
OPTIONAL = re.compile(
    r"context|handle|note|arg|marks|metadata|identity_prefix|class_name|hooks|generator|file|stream|"
    r"norm|driver|rounding_mode|sort_by|delimiter|comment|desired|expected|value|data|results|v")
NUMBERS = {"int64_t", "int"}
HANDLES = {"ct_generator", "ct_storage", "ct_node", "ct_params", "ct_optim", "ct_store", "ct_group"}


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", " ", text)
    text = re.sub(r"\\\n", " ", text)
    return re.sub(r"^[ \t]*#[^\n]*", "", text, flags=re.M)


def split(text):
    """Splits a list at commas outside brackets."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and not depth:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return [*parts, part.strip()] if part.strip() else parts


def parameter(text):
    """Returns the type and the name of one parameter."""
    if "(*" in text:
        return text, re.search(r"\(\*\s*(\w*)", text)[1]
    found = re.fullmatch(r"(.*?[\s*])(\w+)", text, re.S)
    kind, name = found.groups()
    return re.sub(r"\s+", " ", kind).replace("* ", "*").strip().replace("*", " *").replace(
        "  ", " ").replace("* *", "**"), name


def functions(text):
    for declaration in re.findall(r"CT_API\s+([^;{]*);", text):
        declaration = re.sub(r"\s+", " ", re.sub(r"__attribute__\(.*", "", declaration))
        found = re.fullmatch(r"(.*?[ *])\(?(ct_\w+)\)?\s*\((.*)\)\s*", declaration)
        if declaration.startswith("extern") or not found:
            continue
        result, name, params = found.groups()
        params = params.replace("CT_CUDA_DEVICE", "int device")
        params = [] if params.strip() == "void" else split(params)
        if "..." in params:
            continue
        yield result.strip(), name, [parameter(p) for p in params]


def structs(text):
    """Returns the fields of the structs of keywords and layers."""
    found = {}
    for name, body in re.findall(r"struct (ct_\w+) \{([^{}]*)\};", text):
        fields = []
        for line in filter(None, (f.strip() for f in body.split(";"))):
            first, *others = split(line)
            if "(*" in line or "[" in line or "(" in first:
                continue
            kind, field = parameter(first)
            base = kind.rstrip(" *")
            fields.append((kind, field))
            fields += [(base + " " + "*" * o.count("*") if "*" in o else base, o.strip("* "))
                       for o in others]
        found[name] = [(re.sub(r"\s+$", "", k), f) for k, f in fields]
    return found


def wrong(kind, any_number):
    """Returns [(description, C expression)] of invalid values of a type."""
    if kind == "ct_list":
        return [("NULL, 3", "ct_list_of(NULL, 3)"), ("NULL, 1", "ct_list_of(NULL, 1)"), ("count -5", "ct_list_of(in->list, -5)"),
                ("a NULL in it", "ct_list_of(in->nulls, 2)")]
    if kind == "ct_ints":
        return [("NULL, 3", "ct_ints_of(NULL, 3)"), ("NULL, 1", "ct_ints_of(NULL, 1)"), ("count -5", "ct_ints_of(in->sizes, -5)")]
    if kind == "ct_floats":
        return [("NULL, 3", "ct_floats_of(NULL, 3)"), ("count -5", "ct_floats_of(in->doubles, -5)")]
    if kind == "ct_dict":
        return [("NULL, 3", "((ct_dict){NULL, 3})"), ("count -5", "((ct_dict){in->named, -5})"),
                ("a NULL name", "((ct_dict){in->unnamed, 1})"),
                ("a NULL tensor", "((ct_dict){in->empty, 1})")]
    if kind == "ct_value":
        return [("NULL", "ct_value_tensor(NULL)"), ("a NULL text", "ct_value_str(NULL)")]
    if kind == "struct ct_device":
        return [("77", "(struct ct_device){.type = (enum ct_device_type)77}")]
    if kind.startswith("enum "):
        return [("77", f"({kind})77"), ("-7", f"({kind})-7")]
    if kind.endswith("*") or "(*" in kind:
        return [("NULL", "NULL")]
    if kind in NUMBERS:
        most = [("the greatest", f"{kind.removesuffix('_t').upper()}_MAX")] if any_number else []
        return [("-5", "-5"), ("the least", f"{kind.removesuffix('_t').upper()}_MIN"), *most]
    if kind.startswith("struct ") or kind in ("ct_derivative", "ct_hook", "ct_packer"):
        return [("zeros", f"(({kind}){{0}})")]
    return []


def sound(kind, known):
    if kind in SOUND:
        return SOUND[kind]
    if "(*" in kind:
        return "NULL"
    if kind.startswith("enum "):
        return f"({kind})0"
    plain = re.sub(r"^const ", "", kind)
    if plain.startswith("struct ") and plain.endswith("_args *"):
        return "NULL"
    if plain.endswith("*"):
        return f"({kind})in->memory"
    return f"(({kind}){{0}})"


class Writer:
    def __init__(self, known):
        self.known, self.lines, self.table = known, [], []

    def function(self, result, name, params, is_operation):
        cases = []
        for i, (kind, param) in enumerate(params):
            given = [sound(k, self.known) for k, _ in params]
            plain = re.sub(r"^const | \*$", "", kind)
            if plain.startswith("struct ") and plain.endswith("_args") and kind.endswith("*"):
                struct = plain.removeprefix("struct ")
                for field_kind, field in self.known.get(struct, []):
                    for word, value in wrong(field_kind, is_operation):
                        given[i] = "&keywords"
                        before = (f"struct {struct} keywords = {struct.removesuffix('_args')}_defaults; "
                                  f"keywords.{field} = {value}; ")
                        cases.append((f"{field}: {word}", before, ", ".join(given), field_kind))
                continue
            for word, value in wrong(kind, is_operation):
                given[i] = value
                cases.append((f"{param}: {word}", "", ", ".join(given), kind))
        if not cases:
            return
        self.lines += [f"static void call_{name}(struct inputs *in, int which)", "{",
                       "    (void)in;", "    switch (which) {"]
        for n, (word, before, given, kind) in enumerate(cases):
            self.lines.append(f"    case {n}: {{ {before}(void)({name})({given}); return; }}")
        self.lines += ["    }", "}"]
        words = ", ".join(f'"{int(must(name, word, kind))}{word}"' for word, _, _, kind in cases)
        self.table.append(f'    {{"{name}", call_{name}, {len(cases)}, (const char *const[]){{{words}}}}},')


def must(name, word, kind):
    """Returns whether the call must set an error. Numbers and zeroed structs may be valid, so they
    need not."""
    param, what = word.split(": ", 1)
    return (kind not in NUMBERS and "(*" not in kind and what != "zeros" and
            not QUIET.fullmatch(name) and
            not (param == "stride" and what.startswith("NULL")) and not (what == "NULL" and OPTIONAL.fullmatch(param)))


def main():
    output, *headers = sys.argv[1:]
    texts = {Path(h).name: without_comments(Path(h).read_text()) for h in headers}
    writer = Writer(structs("\n".join(texts.values())))
    for header, text in texts.items():
        for result, name, params in functions(text):
            if name not in SKIPPED:
                writer.function(result, name, params, header == "ops.h")
    Path(output).write_text("\n".join(["/* Written by emit_null_calls.py. */", *writer.lines,
                                       "static const struct call calls[] = {", *writer.table, "};", ""]))


main()

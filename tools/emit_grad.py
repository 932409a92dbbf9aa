# SPDX-License-Identifier: BSD-3-Clause
"""Writes derivatives: for each row with `grad` the struct of its node (saved values), the function
that makes the node before the call, and the function that computes gradients from it.

Note [Two forms]: a formula becomes a sequence of recorded calls, used with create_graph, and, if
it consists of pointwise rows only, one fused program, used otherwise. Both are made from the same
tree, after conj() has been moved inwards to names, so that they agree bit for bit. `shape(x)` saves
the sizes of an argument but not its data. A formula "c:cti_grad_x(grad, ...)" calls a C function of
src/autograd with these arguments, texts (name='x') last. A formula for several arguments
("a b" = "c:...") also passes which gradients are wanted, and an array for them.
"""

import formula
from emit_front import FRONT_HEAD, guarded, parameters
from formula import Call, Name, Num
from grad_forms import Program, Recorded, move_conj, uses, without_factor
from rows import KINDS, TENSORS, VALUES, by_source, function, indent

TESTS = {  # functions in conditions that choose between forms of a formula
    "tensor": "{}.kind == CT_VALUE_TENSOR", "zero": "cti_number_is({}, 0)",
    "complex": "cti_grad_is_complex({})",
}


def either(test, lines, others):
    return [f"if ({test}) {{", *indent(lines), "} else {", *indent(others), "}"]


class Node:
    """Generates the derivative of one row."""

    def __init__(self, row, rows):
        self.row, self.rows = row, rows
        self.by_name = {r.cname: r for r in rows}
        self.args = {a.name: a for a in row.c_args}
        self.cast = f"struct node_{row.cname} *s = (struct node_{row.cname} *)n;"
        self.results = row.results or (["result"] if row.returns == "Tensor" else [])
        self.formulas = {}
        for name, text in row.grad.items():
            if name not in self.args:
                raise formula.FormulaError(f"{row.where}: grad of {name}, which is no argument")
            tree, is_c = formula.parse(text.removeprefix("c:"), row.where), text.startswith("c:")
            self.formulas[name] = (is_c, tree if is_c else move_conj(tree))
        differentiable = [a.name for a in row.c_args if a.name in self.formulas]
        self.edges = {name: i for i, name in enumerate(differentiable)}
        for first, names in row.joint.items():
            at = self.edges[first]
            if differentiable[at:at + len(names)] != names or not self.formulas[first][0]:
                raise formula.FormulaError(f"{row.where}: grad of {' '.join(names)} must be a C "
                                           "function, and they must stand in this order")
        self.joined = {name for names in row.joint.values() for name in names[1:]}
        self.wanted_by = {}  # {(name, what is needed of it): arguments whose formulas need it}
        for name, (_, tree) in self.formulas.items():
            for used, whats in uses(tree).items():
                if used.startswith(("grad", "CT_")) and used not in self.args:
                    continue
                if used not in self.args and used not in self.results:
                    raise formula.FormulaError(f"{row.where}: grad names {used}: what is it?")
                for what in sorted(whats):
                    self.wanted_by.setdefault((used, what), []).append(name)
        self.saved = [u for u, w in self.wanted_by if w == "value"
                      and (u in self.results or self.kind(u) in (*TENSORS, *VALUES))]

    def is_several(self, name):
        """Whether one C function computes the gradients of several arguments or of a list."""
        return self.kind(name) == "Tensors" or name in self.row.joint

    def kind(self, name):
        return self.args[name].kind if name in self.args else "Tensor"

    def field(self, name, what):
        """Returns C for a saved value: its declaration, and how to save, free and read it."""
        kind, at = self.kind(name), f"s->{name}"
        if what == "shape":
            value = f"{name}.as.tensor" if kind in VALUES else name
            return (f"struct cti_meta {name}_meta;", f"cti_meta_set(&{at}_meta, {value})",
                    f"cti_meta_clear(&{at}_meta);", f"cti_meta_ints(&{at}_meta)")
        if what == "geometry":
            return (f"struct cti_view_geometry *{name}_geometry;",
                    f"({at}_geometry = cti_view_geometry_of({name}))",
                    f"cti_view_geometry_free({at}_geometry);", f"{at}_geometry")
        if name in self.saved:
            save = "cti_save_value" if kind in VALUES else "cti_save"
            if name in self.results:
                keep = f"(n->keeps |= {1 << self.results.index(name)})"
            else:
                keep = f"{save}(&{at}, {name})"
            return (f"struct cti_saved {name};", keep, None,
                    name if kind in VALUES else f"cti_grad_tensor({name})")
        if kind in ("ints", "ints?"):
            return (f"struct cti_saved_ints {name};", f"cti_save_ints(&{at}, {name})",
                    f"cti_saved_ints_clear(&{at});", f"cti_saved_ints_get(&{at})")
        if kind == "Tensors":
            return (f"struct cti_saved_list {name};", f"cti_save_list(&{at}, {name})",
                    f"cti_saved_list_clear(&{at});", f"&{at}")
        return f"{KINDS[kind].own}{name};", f"({at} = {name}, true)", None, at

    def names(self):
        """Returns [(test, node name, argument)]; the last entry has no test. In the key
        "SumBackward0 dim:SumBackward1" the second name applies if `dim` is given; for an operand,
        if it is a tensor ("!x": if it is not); "+dim": if there is not exactly one dim.
        "TBackward0/1" is TBackward1 for an in-place view."""
        camel = "".join(p.title() for p in self.row.python_name.split("_"))
        plain, *others = self.row.keys.get("node", f"{camel}Backward0").split()
        tests = []
        for other in others:
            arg, name = other.split(":")
            bare = arg.lstrip("!+")
            kind = self.kind(bare)
            given = {"ints?": f"{arg}.v", "int?": f"{arg} != CT_NO_DIM", "bool?": f"{arg} >= 0"}
            test = f"{arg}.kind == CT_VALUE_TENSOR" if kind in VALUES else given[kind]
            odd = {"!": f"{bare}.kind != CT_VALUE_TENSOR", "+": f"{bare}.v && {bare}.n != 1"}
            tests.append((odd.get(arg[0], test), name, bare))
        return [*tests, (None, plain, None)]

    def struct(self):
        fields = [self.field(*key)[0] for key in self.wanted_by]
        fields = indent(["struct cti_node node;", *fields])
        return [f"struct node_{self.row.cname} {{", *fields, "};", ""]

    def env(self):
        env = {name: (self.kind(name), self.field(name, what)[3])
               for name, what in self.wanted_by if what == "value"}
        env |= {f"grad_{r}": ("Tensor", f"grads[{i}]") for i, r in enumerate(self.results)}
        return {**env, "grad": ("Tensor", "grads[0]"), "grads": ("Tensors", "grads")}

    def call_c(self, tree, name):
        """Returns (call, prototype) of a C function of src/autograd for a formula."""
        env, texts, kinds = self.env(), [], []
        for a in tree.args:
            if isinstance(a, Call):  # shape(x), geometry(x)
                texts.append(self.field(a.args[0].id, a.fn)[3])
                kind = "ct_ints " if a.fn == "shape" else "const struct cti_view_geometry *"
                kinds.append(kind + a.args[0].id)
            elif a == Name("grads"):
                texts += ["&s->node", "grads"]
                kinds += ["const struct cti_node *node", "ct_tensor *const *grads"]
            else:
                kind, text = env[a.id]
                texts.append(text)
                listed = "const struct cti_saved_list *"
                kinds.append((listed if kind == "Tensors" else KINDS[kind].own) + a.id)
        texts += [f'"{text.value}"' for _, text in tree.keywords]
        kinds += [f"const char *{key}" for key, _ in tree.keywords]
        result = "ct_tensor *"
        if self.is_several(name):
            texts += ["wanted", "out"]
            kinds += ["const bool *wanted", "ct_tensor **out"]
            result = "bool "
        return f"{tree.fn}({', '.join(texts)})", f"{result}{tree.fn}({', '.join(kinds)});"

    def evaluate(self, tree, numbers=()):
        """Returns C that sets `out` (owned) from saved values; `numbers` are plain numbers."""
        env = {**self.env(), **{n: ("Number", n) for n in numbers}}
        if tree == Name("grad"):
            return ["out = ct_retain(grads[0]);"]
        if tree == Num(0):
            return ["out = cti_grad_zeros_like(grads[0]);"]
        kept = {u: f"s->{u}_meta" for u, w in self.wanted_by if w == "shape"}
        seq = Recorded(self.rows, env, self.row.where, kept)
        last = seq.tensor(tree)
        recorded = [*seq.temporaries(), *seq.lines, f"out = {seq.owned(last)};",
                    *seq.releases(last)]
        program = Program(self.by_name, env)
        if not program.build(tree):
            return recorded
        return either("!cti_grad_on()", program.lines(), recorded)

    def derivative(self, name, is_c, tree):
        """Returns the C function that computes the gradient of one argument."""
        row = self.row
        mine = [u for u in self.saved if name in self.wanted_by[u, "value"]]
        listed = self.is_several(name)
        body = ["(void)s;", *(f"ct_value {u} = cti_unpack_value(&s->node, &s->{u});" for u in mine)]
        kind, answer, more = "ct_tensor *", "out", ""
        if listed:
            kind, answer, more = "bool ", "good", ", const bool *wanted, ct_tensor **out"
        work = [f"{answer} = {self.call_c(tree, name)[0]};"] if is_c else self.choose(tree)
        if mine:
            test = " && ".join(f"{u}.kind != CT_VALUE_NULL" for u in mine)
            work = [f"if ({test}) {{", *indent(work), "}"]
        body += [f"{kind}{answer} = {'false' if listed else 'NULL'};", *work,
                 *(f"cti_grad_release_value({u});" for u in mine), f"return {answer};"]
        file, line = row.where.split(":")
        return [f'#line {line} "src/ops/{file}"', *function(
            f"static {kind}grad_{row.cname}_{name}(struct node_{row.cname} *s, "
            f"ct_tensor *const *grads{more})", body)]

    def choose(self, tree, numbers=()):
        """Decides `a if tensor(x) else b` at the top of a formula once instead of for each element.
        Also makes a shorter formula for calls in which a factor has its default 1."""
        if getattr(tree, "fn", "") == "where" and getattr(tree.args[0], "fn", "") in TESTS:
            test, name = tree.args[0].fn, tree.args[0].args[0].id
            value = name if name in self.saved else self.env()[name][1]
            others = (*numbers, name) if test == "tensor" else numbers
            return either(TESTS[test].format(value), self.choose(tree.args[1], numbers),
                          self.choose(tree.args[2], others))
        for a in self.row.c_args:
            if a.kind == "Number" and a.default == "1" and a.name in formula.names(tree):
                short = without_factor(tree, a.name)
                if a.name not in formula.names(short):
                    return either(f"cti_number_is(s->{a.name}, 1)",
                                  self.evaluate(short, numbers), self.evaluate(tree, numbers))
        return self.evaluate(tree, numbers)

    def backward(self):
        c, lines = self.row.cname, [self.cast]
        if self.row.returns == "struct":
            every = any("grads" in formula.names(tree) for _, tree in self.formulas.values())
            none = " && ".join(f"!grads[{i}]" for i in range(len(self.results) if every else 1))
            lines += [f"if ({none})", "    return true;"]
        for name, i in self.edges.items():
            if name in self.joined:
                continue
            test, made = f"wanted[{i}] && ", f"(out[{i}] = grad_{c}_{name}(s, grads))"
            if self.is_several(name):
                together = self.row.joint.get(name, [])
                test = " || ".join(f"wanted[{self.edges[n]}]" for n in together)
                test = f"({test}) && " if test else ""
                made = f"grad_{c}_{name}(s, grads, wanted + {i}, out + {i})"
            lines += [f"if ({test}!{made})", "    return false;"]
        return function(f"static bool back_{c}(struct cti_node *n, ct_tensor *const *grads, "
                        "const bool *wanted, ct_tensor **out)", [*lines, "return true;"])

    def clear(self):
        lines = [drop for drop in (self.field(*key)[2] for key in self.wanted_by) if drop]
        head = f"static void clear_{self.row.cname}(struct cti_node *n)"
        return function(head, [self.cast, *lines]) if lines else []

    def classes(self):
        c = self.row.cname
        at = ", ".join(f"offsetof(struct node_{c}, {u})" for u in self.saved)
        names = ", ".join(f'"{u}"' for u in self.saved)
        first = self.row.c_args[0].name
        facts = [f".size = sizeof(struct node_{c})", f".nsaved = {len(self.saved)}",
                 f".backward = back_{c}"]
        if self.saved:
            facts.append(f".saved_at = {{ {at} }}, .saved_name = {{ {names} }}")
        if first in self.saved:
            facts.append(f".self_slot = {self.saved.index(first) + 1}")
        slots = [str(self.saved.index(r) + 1 if r in self.saved else 0) for r in self.results]
        if any(s != "0" for s in slots):
            facts.append(f".result_slot = {{ {', '.join(slots[:3])} }}")
        if self.clear():
            facts.append(f".clear = clear_{c}")
        items = []
        for name, _, other in (name.partition("/") for _, name, _ in self.names()):
            also = f', .moved_name = "{name[:-1]}{other}"' if other else ""
            items.append(f'    {{ .name = "{name}"{also}, {", ".join(facts)} }},')
        return [f"static const struct cti_node_class class_{c}[] = {{", *items, "};", ""]

    def prototype(self):
        return f"struct cti_node *cti_node_{self.row.cname}({parameters(self.row.c_args)})"

    def make(self):
        c, listed = self.row.cname, [name for name in self.edges if self.kind(name) == "Tensors"]
        count = f"{listed[0]}.n" if listed else str(len(self.edges))
        last = [*self.edges][-1]
        if any(test == f"{last}.kind == CT_VALUE_TENSOR" for test, *_ in self.names()):
            count = f"{len(self.edges) - 1} + ({last}.kind == CT_VALUE_TENSOR)"  # overloads
        pick = "0"
        for k, (test, *_) in reversed(list(enumerate(self.names()))):
            pick = str(k) if test is None else f"{test} ? {k} : {pick}"
        used = {u for u, _ in self.wanted_by} | set(self.edges) | {arg for *_, arg in self.names()}
        lines = [f"(void){a.name};" for a in self.row.c_args if a.name not in used]
        lines += [f"struct cti_node *n = cti_node_new(&class_{c}[{pick}], {count});", self.cast,
                  "(void)s;", "if (!n)", "    return NULL;", "bool good = true;"]
        for name, i in self.edges.items():
            kind = self.kind(name)
            fn = "edge_list" if kind == "Tensors" else "edge_value" if kind in VALUES else "edge"
            lines.append(f"good = good && cti_node_{fn}(n, {i}, {name});")
        for key, by in self.wanted_by.items():
            keep = self.field(*key)[1]
            only = by if len(by) < len(self.edges) else []
            test = " || ".join(f"cti_node_needs(n, {self.edges[b]})" for b in only)
            lines.append(f"good = good && {f'(!({test}) || {keep})' if test else keep};")
        return function(self.prototype(), [*lines, "if (good)", "    return n;",
                                           "cti_node_release(n);", "return NULL;"])

    def text(self):
        lines = self.struct()
        for name, (is_c, tree) in self.formulas.items():
            if name not in self.joined:
                lines += self.derivative(name, is_c, tree)
        return "\n".join([*lines, *self.backward(), *self.clear(), *self.classes(), *self.make()])


def emit_header(nodes):
    lines = [n.prototype() + ";" for n in nodes]
    lines += [n.call_c(tree, name)[1] for n in nodes
              for name, (is_c, tree) in n.formulas.items() if is_c and name not in n.joined]
    return guarded("GRADS", "a node for every row with a derivative",
                   '#include "autograd/autograd.h"', "", *dict.fromkeys(lines))


def outputs(rows):
    nodes = {r.name: Node(r, rows) for r in rows if r.grad}
    files = {"grads.h": lambda: emit_header(nodes.values())}
    for source, some in by_source(r for r in rows if r.grad).items():
        files[f"grads_{source}.c"] = lambda source=source, some=some: FRONT_HEAD.format(
            source=source, what="nodes of the graph and their derivatives") + "\n".join(
            nodes[r.name].text() for r in some)
    return files

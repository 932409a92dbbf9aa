# SPDX-License-Identifier: BSD-3-Clause
"""docs/reference.md: every row that Python or C can call, family by family."""
HEAD = """# Operations
<!-- Generated from src/ops by `make generate`. -->

{count} rows. Signatures, results and errors are PyTorch 2.15's; `Operand` and `Value` stand for a
tensor or a number. What a form is called: `add(x, y)` function, `x.add(y)` method, `x.add_(y)`
inplace, `add(x, y, out=r)` out. In C each is `ct_NAME`; see [c-face.md](c-face.md).
"""


def entry(row):
    keys = row.keys
    facts = [", ".join(f for f in ("function", "method", "inplace", "out") if f in row.forms)]
    if "operator" in keys:
        facts.append(", ".join(f"`{s}`" for s in keys["operator"].split()))
    if "aliases" in keys:
        facts.append("also " + ", ".join(keys["aliases"].split()))
    if "types" in keys:
        facts.append(f"types {keys['types']}")
    if row.maker in ("each", "body"):
        facts.append(f"`{keys[row.maker]}`")
    if row.grad or row.maker == "body":
        facts.append("differentiable")
    facts = "; ".join(filter(None, facts))
    return (f"- **{row.name}**`{keys['call']}` -> {keys.get('returns', 'Tensor')}  \n"
            f"  {row.doc} *{facts}*")


def emit(rows):
    shown = [r for r in rows if r.public and r.forms - {"c"}]
    families = {r.where.split(".")[0]: [] for r in shown}
    for row in shown:
        families[row.where.split(".")[0]].append(entry(row))
    return HEAD.format(count=len(shown)) + "".join(
        f"\n## {name}\n\n" + "\n".join(some) + "\n" for name, some in families.items())

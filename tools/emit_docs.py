# SPDX-License-Identifier: BSD-3-Clause
"""docs/reference.md: every row that Python or C can call, family by family."""
HEAD = """# Operations
<!-- Generated from src/ops by `make generate`. -->

{count} rows. Signatures, results and errors are PyTorch 2.15's; `Operand` and `Value` stand for a tensor or a number. What a form
is called: `add(x, y)` function, `x.add(y)` method, `x.add_(y)` inplace, `add(x, y, out=r)` out. In C each is `ct_NAME`; see [c-face.md](c-face.md).
"""


def entry(row):
    signs = ", ".join(f"`{s}`" for s in row.keys.get("operator", "").split())
    facts = [", ".join(f for f in ("function", "method", "inplace", "out") if f in row.forms), signs]
    facts += [f"also {row.keys['aliases'].replace(' ', ', ')}" if "aliases" in row.keys else "", f"types {row.keys['types']}" if "types" in row.keys else ""]
    facts += [f"`{row.keys[row.maker]}`" if row.maker in ("each", "body") else "", "differentiable" if row.grad or row.maker == "body" else ""]
    return f"- **{row.name}**`{row.keys['call']}` -> {row.keys.get('returns', 'Tensor')}  \n  {row.doc} *{'; '.join(filter(None, facts))}*"


def emit(rows):
    shown = [r for r in rows if r.forms - {"c"}]
    families = {r.where.split(".")[0]: [] for r in shown}
    for row in shown:
        families[row.where.split(".")[0]].append(entry(row))
    return HEAD.format(count=len(shown)) + "".join(f"\n## {n}\n\n" + "\n".join(some) + "\n" for n, some in families.items())

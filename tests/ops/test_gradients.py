# SPDX-License-Identifier: BSD-3-Clause
"""Checks the first and second derivatives of every row by finite differences in float64 and complex128. The fused
and the recorded form of each formula must agree bit for bit, and so must in-place and out-of-place forms.

The samples are those of the facts, with values that avoid kinks, ties and poles.
"""
import random
import re
import sys
import warnings
import zlib
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import cases  # noqa: E402
import facts  # noqa: E402

import corten as torch  # noqa: E402
from corten.autograd import forward_ad  # noqa: E402

ROWS = [r for r in cases.all_rows() if cases.public(r) and r.maker != "none"]
ITERATIONS = {r.name: r.results for r in ROWS if cases.iterates(r)}
MOST = 8  # samples per row and data type
STEP = {"float64": 1e-6, "complex128": 1e-6}
# Rows whose backward is an engine, which sums in another order than the recorded operations.
ENGINES = {"scaled_dot_product_attention", "lstm", "lstm.data", "gru", "gru.data", "rnn_tanh", "rnn_tanh.data", "rnn_relu",
           "rnn_relu.data", "lstm_cell", "gru_cell", "rnn_tanh_cell", "rnn_relu_cell", "cross_entropy", "batch_norm", "layer_norm", "group_norm",
           "native_batch_norm", "native_layer_norm", "native_group_norm",
           "instance_norm"}
# Casts to lower precision defeat finite differences. The statistics that two norms return have no derivative, as in PyTorch;
# tests/python/nn/test_native_norms.py tests those rows.
SKIPPED = {"half", "bfloat16", "float", "cfloat", "chalf", "to", "native_batch_norm", "native_layer_norm"}
# Errors that PyTorch raises too.
REFUSED = re.compile("returned an invalid gradient at index|derivative for .* is not implemented|"
                     "Double backward is unsupported|QR decomposition is not differentiable|linalg.qr depends on Q|"
                     "must match the size of tensor b|is not differentiable with respect to argument|multiplication by e\\^{i phi}")
# Cases that finite differences cannot check: the arbitrary extra vectors of a full SVD; logarithms of negative numbers;
# Hermitian matrices, of which one triangle is read but both get a gradient; pseudoinverses with a tolerance; the singular
# values that lstsq returns, which have no derivative.
NOT_SMOOTH = re.compile(r"nan|inf|dtype|2 \*\* 40|(remainder|fmod)\(.*\b0\)|linalg.svd\(m\d*(23|43)\)|svd\((m43, )?False"
                        r"|torch.logdet\(m2|m2.*\.logdet|(eigh|eigvalsh|sqrth|symeig)\(m\d*[,)]|symeig\(\)|m\d*\.symeig|pinv\w*\(m\d*,.*(hermitian=T|True\))|pinv.*(tol|0\.4|\[)|driver='gels[ds]|gumbel_softmax\(.*True")


class Smooth(facts.Inputs):
    """Inputs whose floating-point elements are distinct and between 0.2 and 0.9."""

    def __missing__(self, name):
        match = facts.NAME.match(name)
        if not match:
            raise KeyError(name)
        letter, shape, own = match.groups()
        dtype = own or facts.FIXED.get(letter, self.case.dtype)
        if dtype not in STEP:
            return super().__missing__(name)
        shape = [int(c) for c in shape]
        layout = self.case.layout[0] if letter == "x" else self.case.layout[-1]
        strides, offset, length = facts.lay(shape, layout)
        rng = random.Random(zlib.crc32(name.encode()))
        values = [complex(rng.uniform(0.2, 0.9), rng.uniform(0.2, 0.9)) for _ in range(length)]
        flat = torch.tensor(values if dtype == "complex128" else [v.real for v in values], dtype=getattr(torch, dtype))
        self[name] = made = flat.as_strided(shape, strides, offset).requires_grad_()
        self.before[name] = ""
        return made

    def leaves(self):
        return [t for t in self.values() if isinstance(t, torch.Tensor) and t.requires_grad]


# as_strided depends on strides, which tangents do not share; sparse tensors have no tangents.
NOT_FORWARDS = {"as_strided", *(row.name for row in ROWS if cases.family(row) == "sparse")}


class Duals(Smooth):
    """The same inputs as dual numbers."""

    def __missing__(self, name):
        made = super().__missing__(name)
        if isinstance(made, torch.Tensor) and made.requires_grad:
            self[name] = made = forward_ad.make_dual(made.detach(), direction(made.detach()))
        return made


def direction(leaf):
    made = weights(leaf, 3)
    return made if leaf.is_complex() else made.real.contiguous()


def forwards(case, leaves, fused, where):
    """Checks that forward mode gives the same directional derivative as the gradients."""
    if case.row in NOT_FORWARDS or any(not leaf.numel() for leaf in leaves):  # empty inputs: NaN, or no gradient
        return
    with forward_ad.dual_level():
        tangent = forward_ad.unpack_dual(weigh(evaluate(case.text, Duals(torch, case)))).tangent
    wanted = sum((g.conj() * direction(leaf.detach())).sum().real.item() for g, leaf in zip(fused, leaves))
    found = 0 if tangent is None else tangent.item()
    assert found == wanted or abs(found - wanted) <= 1e-8 * max(1, abs(wanted)) or wanted != wanted, f"forwards {where}: {found}, not {wanted}"


def outputs(result, names):
    if isinstance(result, torch.Tensor):
        result = [result]
    if not isinstance(result, (tuple, list)):
        return []
    if "eigenvectors" in names:  # signs and phases of eigenvectors are arbitrary, so use the magnitudes
        result = [t.abs() if name == "eigenvectors" else t for name, t in zip(names, result)]
    return [t for t in result if isinstance(t, torch.Tensor) and (t.is_floating_point() or t.is_complex())]


def weights(t, seed):
    rng = random.Random(seed)
    values = [complex(rng.uniform(0.5, 1.5), rng.uniform(0.5, 1.5) if t.is_complex() else 0) for _ in range(t.numel())]
    return torch.tensor(values, dtype=torch.complex128).reshape(t.shape)


def weigh(tensors):
    """Returns a weighted sum of all elements as a real number, with a different weight for each."""
    total = torch.zeros((), dtype=torch.float64)
    for i, t in enumerate(tensors):
        part = (t.to(torch.complex128) * weights(t, i)).sum()
        total = total + torch.view_as_real(part)[0]
    return total


def evaluate(text, inputs):
    torch.manual_seed(7)  # rows that start from random vectors always get the same ones
    return outputs(eval(text, {"torch": torch}, inputs), ITERATIONS.get(inputs.case.row, ()))


def gradients(value, leaves, create_graph=False):
    found = torch.autograd.grad(value, leaves, create_graph=create_graph, allow_unused=True)
    return [torch.zeros_like(x) if g is None else g for g, x in zip(found, leaves)]


def differences(function, leaves):
    """Returns the gradient of a real function by central differences, as lists."""
    found = []
    for leaf in leaves:
        flat = []
        for position in positions(leaf.shape):
            parts = []
            for direction in (1, 1j)[:1 + leaf.is_complex()]:
                h = STEP[str(leaf.dtype).split(".")[1]] * direction
                sides = []
                for sign in (1, -1):
                    with torch.no_grad():
                        old = leaf[position].clone()
                        leaf[position] = old + sign * h
                    sides.append(function())
                    with torch.no_grad():
                        leaf[position] = old
                parts.append((sides[0] - sides[1]) / (2 * abs(h)))
            flat.append(parts[0] if len(parts) == 1 else complex(*parts))
        found.append(flat)
    return found


def positions(shape):
    found = [()]
    for n in shape:
        found = [(*p, i) for p in found for i in range(n)]
    return found


def compare(mine, theirs, what):
    for m, t in zip(mine, theirs):
        for a, b in zip(facts.flatten(m.tolist()), t):
            if a != a and b != b:
                continue
            assert abs(a - b) <= 2e-5 * max(1, abs(b)), f"{what}: {a} by the formula, {b} by differences"


def first_order(text, inputs):
    with torch.no_grad():
        return weigh(evaluate(text, inputs)).item()


def second_order(text, inputs, leaves):
    grads = gradients(weigh(evaluate(text, inputs)), leaves, create_graph=True)
    return weigh(grads)


def check(case, row):
    """Checks a case. Returns None if the call raises, else whether it has a derivative."""
    inputs = Smooth(torch, case)
    try:
        results = evaluate(case.text, inputs)
    except Exception:
        return None  # test_rows.py compares errors
    leaves = inputs.leaves()
    if not any(t.requires_grad for t in results) or sum(x.numel() for x in leaves) > 80:
        return False
    try:
        check_derivatives(case, row, inputs, leaves, results)
    except RuntimeError as e:
        if not REFUSED.search(str(e)):
            raise
    return True


def check_derivatives(case, row, inputs, leaves, results):
    where = f"{case.text} in {case.dtype}, layout {case.layout}"
    fused = gradients(weigh(results), leaves)
    recorded = gradients(weigh(evaluate(case.text, inputs)), leaves, create_graph=True)
    for f, r in zip(fused, recorded):
        same = torch.allclose(f, r, 1e-10, 1e-12) if row.name in ENGINES else str(f.tolist()) == str(r.tolist())
        assert same and f.dtype == r.dtype, f"{where}: the two forms differ"
    compare(fused, differences(lambda: first_order(case.text, inputs), leaves), where)
    forwards(case, leaves, fused, where)
    again = second_order(case.text, inputs, leaves)
    if again.requires_grad:
        compare(gradients(again, leaves),
                differences(lambda: second_order(case.text, inputs, leaves).item(), leaves), f"twice {where}")
    if "inplace" in row.forms and case.form == "method":
        check_in_place(case, row, fused)


def check_in_place(case, row, fused):
    if row.name == "as_strided" and case.layout != "c":
        return  # x * 1 has other strides
    receiver, call = case.text.split(".", 1)
    text = f"({receiver} * 1).{call.replace('(', '_(', 1)}"
    inputs = Smooth(torch, case)
    try:
        results = evaluate(text, inputs)
    except Exception:
        return
    for a, b in zip(gradients(weigh(results), inputs.leaves()), fused):
        assert str(a.tolist()) == str(b.tolist()), f"{text}: in-place and out-of-place results differ"


def out_of_place(case):
    """Rewrites a case of an in-place row to work on a copy."""
    receiver, call = case.text.split(".", 1)
    return case._replace(text=f"({receiver} * 1).{call}")


def chosen(row):
    forms = row.forms & {"function", "method"} or {"inplace"}
    found = [c for c in cases.cases_of(row) if c.form in forms and c.dtype in STEP and set(c.layout) <= set("cts")]
    found = [c for c in found if not any(f"_{d}" in c.text for d in facts.DTYPES if d not in STEP)]
    found = [c for c in found if not NOT_SMOOTH.search(c.text)]
    if forms == {"inplace"}:
        found = [out_of_place(c) for c in found]
    return [c for d in STEP for form in sorted(forms)
            for c in cases.choice({c: "" for c in found if c.dtype == d and c.form == form}, MOST)]


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.name)
def test_row(row):
    if row.name in SKIPPED or cases.family(row) in ("random", "create"):
        pytest.skip("nothing to differentiate")
    if not cases.samples_of(row):
        pytest.skip("no samples yet")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checked = [check(c, row) for c in chosen(row)]
    if row.grad and False in checked and True not in checked:
        pytest.fail("no sample of this row has a derivative that was checked")


def call_by_hand(result, case):
    """Calls grad_fn directly; it must return tensors, or None if there is no gradient."""
    for gradient in (None, torch.ones(result.shape, dtype=result.dtype)):
        for count in range(1, 5):  # one argument for each result of the operation
            try:
                made = result.grad_fn(*[gradient] * count)
            except (TypeError, RuntimeError, NotImplementedError):
                continue
            for t in made if isinstance(made, tuple) else (made,):
                assert t is None or isinstance(t, torch.Tensor) and repr(t), f"{case.text}: {result.grad_fn.name()}"


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.name)
def test_nodes_by_hand(row):
    if row.name in SKIPPED or cases.family(row) in ("random", "create") or not cases.samples_of(row):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for case in chosen(row)[:3]:
            try:
                results = evaluate(case.text, Smooth(torch, case))
            except Exception:
                continue
            for result in results:
                if result.requires_grad:
                    call_by_hand(result, case)

# SPDX-License-Identifier: BSD-3-Clause
"""The contract of `out=`, the same for every row: Note [Results in `out`] in src/ops/out.c."""
import re
import warnings

import corten
import pytest
from cases import all_rows, call_text, public, samples_of
from facts import Case, Inputs, flatten

ROWS = {row.name: row for row in all_rows() if public(row) and "out" in row.forms}
RECORDED = "functions with out=... arguments don't support automatic differentiation"


def run(case, outs=None, **given):
    """Calls a case with `outs` and returns its results as a list."""
    inputs = Inputs(corten, case)
    inputs.update(given)
    corten.manual_seed(7)
    text = case.text
    if outs:
        inputs["out"] = tuple(outs) if len(outs) > 1 else outs[0]
        text = case.text[:-1] + ("" if case.text.endswith("()") else ", ") + "out=out)"
    result = eval(text, {"torch": corten}, inputs)
    return [result] if isinstance(result, corten.Tensor) else list(result)


def working(name, most=3):
    """Returns the first few calls of a row that succeed, with their results."""
    found = []
    for text, dtypes, layouts in samples_of(ROWS[name]):
        for dtype in ("float32", "int64", "bool", "complex64"):
            case = Case(name, dtype, "c", "function", call_text(ROWS[name], "function", text))
            if dtype in dtypes and "out=" not in text and len(found) < most:
                try:
                    plain = run(case)
                    run(case, fresh(plain))  # some signatures of a row have no `out`
                    found.append((case, plain))
                    break
                except Exception:
                    pass
    assert found, "no call of it works"
    return found


def same(a, b):
    """Returns whether the results have the same bits, except in uninitialized memory."""
    return a.shape == b.shape and str(flatten(a.tolist())) == str(flatten(b.tolist()))


def fresh(results, dtype=None):
    return [corten.full(list(r.shape), 1).to(dtype or r.dtype) for r in results]


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("name", ROWS)
def test_is_written(name):
    for case, plain in working(name):
        outs = fresh(plain)
        results = run(case, outs)
        assert all(a is b for a, b in zip(results, outs)), case
        assert "empty" in name or all(map(same, outs, plain)), case
        assert all(o._version == 1 for o in outs), case
        outs = [corten.ones([*p.shape, 2], dtype=p.dtype).select(-1, 1) for p in plain]  # with gaps between elements
        drawn_so = "normal" in name or name == "randn"  # tested in tests/python/tensor/test_out_arguments.py
        assert "empty" in name or drawn_so or all(map(same, run(case, outs), plain)), case


@pytest.mark.parametrize("name", ROWS)
def test_is_refused_while_recording(name):
    for case, plain in working(name):
        outs = fresh(plain)
        if not outs[0].is_floating_point() or case.dtype != "float32" or "empty" in name:
            continue
        outs[0].requires_grad_()
        with pytest.raises(RuntimeError, match=re.escape(f"(): {RECORDED}")):
            run(case, outs)
        assert same(outs[0], fresh(plain)[0])
        with corten.no_grad():
            assert same(run(case, outs)[0], plain[0]), case
        inputs = Inputs(corten, case)
        letters = [n for n in re.findall(r"\b[a-z]\d+\b", case.text) if inputs[n].is_floating_point()]
        for n in letters[:1]:
            with pytest.raises(RuntimeError, match=re.escape(RECORDED)):
                run(case, fresh(plain), **{n: inputs[n].requires_grad_()})


@pytest.mark.parametrize("name", ROWS)
def test_types(name):
    row = ROWS[name]
    if row.keys.get("out") == "typed" or {"dtype", "layout"} <= {a.name for a in row.args}:
        return  # `out` determines the type
    for case, plain in working(name):
        outs = run(case, fresh(plain, corten.complex128))
        assert "empty" in name or all(same(o, p.to(corten.complex128)) for o, p in zip(outs, plain)), case
        if plain[0].is_floating_point():
            outs = fresh(plain, corten.int64)
            with pytest.raises(RuntimeError, match=r"^result type \w+ can't be cast to the desired output type Long"):
                run(case, outs)
            assert all(map(same, outs, fresh(plain, corten.int64))), case


@pytest.mark.parametrize("name", ROWS)
def test_shapes(name):
    for case, plain in working(name):
        outs = [corten.ones([7, *r.shape]).to(r.dtype) for r in plain]
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            run(case, outs)
        told = [str(w.message) for w in heard if "An output with one or more elements was resized" in str(w.message)]
        assert bool(told) == any(p.numel() for p in plain), case
        assert "empty" in name or all(map(same, outs, plain)), case
        assert [o.stride() for o in outs] == [p.clone().stride() for p in plain], case


@pytest.mark.parametrize("name", ROWS)
def test_memory(name):
    for case, plain in working(name):
        p = plain[0]
        if p.numel() < 2 or len(plain) > 1 or name == "empty":
            continue
        expanded = corten.ones(1, dtype=p.dtype).expand(p.shape)
        with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
            run(case, [expanded])
        names = re.findall(r"\b[a-z]\d+\b", case.text)
        x = Inputs(corten, case)[names[0]] if names else None
        if x is None or x.dtype != p.dtype or x.shape != p.shape or not x.is_contiguous():
            continue
        whole = corten.zeros(x.numel() + 1, dtype=x.dtype)
        near, out = (whole.as_strided(x.shape, x.stride(), i) for i in (0, 1))
        near.copy_(x)
        run(case, [out], **{names[0]: near})
        assert "empty" in name or same(out, p), case

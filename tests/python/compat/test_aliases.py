# SPDX-License-Identifier: BSD-3-Clause
"""Aliases of operations and older signatures: in-place functions, torch.special, deprecated argument orders, and NumPy's
argument names."""
import subprocess
import sys

import corten
import pytest


def test_functions_in_place():
    x = corten.tensor([0.25, 4.0])
    assert corten.sqrt_(x) is x
    assert x.tolist() == [0.5, 2.0]
    assert corten.clamp_(x, max=1) is x
    assert x.tolist() == [0.5, 1.0]
    assert corten.fill_(x, 3) is x
    assert x.tolist() == [3.0, 3.0]
    with pytest.raises(TypeError, match=r'sqrt_\(\) missing 1 required positional arguments: "input"'):
        corten.sqrt_()
    assert not hasattr(corten, "add_")
    leaf = corten.tensor([1.0], requires_grad=True)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        corten.exp_(leaf)


def test_special():
    x, r = corten.tensor([0.0, 1.0]), corten.empty(2)
    assert corten.special.expit(x).tolist() == corten.sigmoid(x).tolist()
    assert corten.special.erf(x, out=r) is r
    assert r.tolist() == corten.erf(x).tolist()
    assert corten.special.expit.__name__ == "special_expit"
    with pytest.raises(TypeError, match=r"special_expit\(\) missing 1 required"):
        corten.special.expit()
    text = repr(corten.special.expit(x.requires_grad_()).grad_fn)
    assert "SigmoidBackward0" in text


def test_special_is_a_module():
    code = "import torch.special\nfrom torch.special import erf\nprint(torch.special.erf is erf)"
    done = subprocess.run([sys.executable, "-m", "corten", "-c", code], capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr


def test_classes_are_asked():
    class Asked(corten.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return func

    x = corten.tensor([1.0]).as_subclass(Asked)
    assert corten.special.expit(x) is corten.special.expit
    assert corten.exp_(x) is corten.exp_


@pytest.fixture
def warn_always():
    corten.set_warn_always(True)
    yield
    corten.set_warn_always(False)


def test_old_orders_of_arguments(warn_always):
    m, v = corten.ones(2, 2), corten.ones(2)
    with pytest.warns(UserWarning, match=r"This overload of add is deprecated:\n\tadd\(Tensor input, Number alpha, "):
        assert corten.add(m, 2, m).tolist() == [[3.0, 3.0]] * 2
    with pytest.warns(UserWarning, match=r"\taddcmul_\(Tensor tensor1, Tensor tensor2, \*, Number value = 1\)"):
        assert m.clone().addcmul_(2, m, m).tolist() == [[3.0, 3.0]] * 2
    with pytest.warns(UserWarning, match=r"\taddmm\(Number beta, Tensor mat1, Tensor mat2\)\n"):
        assert m.addmm(2, m, m).tolist() == [[4.0, 4.0]] * 2
    with pytest.warns(UserWarning):
        assert corten.addmv(2, v, 3, m, v).tolist() == [8.0, 8.0]
    out = corten.empty(2, 2)
    with pytest.warns(UserWarning, match=r"This overload of sub is deprecated:"):
        assert corten.sub(m, 2, m, out=out) is out and out.tolist() == [[-1.0, -1.0]] * 2
    with pytest.raises(TypeError, match="subtract"):
        corten.subtract(m, 2, m)


def test_other_names_of_arguments():
    x = corten.arange(6.0).reshape(2, 3)
    assert corten.sum(x, axis=0, keepdims=True).shape == (1, 3)
    assert corten.add(x1=x, x2=x).tolist() == (x + x).tolist()
    assert corten.exp(a=x).tolist() == corten.exp(x).tolist()
    parts = corten.split(tensor=x, split_size_or_sections=[1, 2], dim=1)
    assert [tuple(p.shape) for p in parts] == [(2, 1), (2, 2)]
    assert len(x.split(split_size=1)) == 2
    with pytest.raises(TypeError):
        corten.sum(x, axes=0)

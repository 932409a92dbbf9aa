# SPDX-License-Identifier: BSD-3-Clause
"""no_grad and its kin, the module itself: what it imports, what it costs, generators, print options."""
import subprocess
import sys
import threading

import corten as ct
import pytest


def test_context_managers():
    assert ct.is_grad_enabled()
    with ct.no_grad():
        assert not ct.is_grad_enabled()
        with ct.enable_grad():
            assert ct.is_grad_enabled()
        assert not ct.is_grad_enabled()
        with ct.set_grad_enabled(True):
            assert ct.is_grad_enabled()
    assert ct.is_grad_enabled()
    with ct.inference_mode():
        assert ct.is_inference_mode_enabled() and not ct.is_grad_enabled()
        with ct.inference_mode(False):
            assert not ct.is_inference_mode_enabled()
    assert ct.is_grad_enabled() and not ct.is_inference_mode_enabled()


def test_left_by_an_exception():
    with pytest.raises(KeyError):
        with ct.no_grad():
            raise KeyError
    assert ct.is_grad_enabled()


def test_set_grad_enabled_acts_at_once():
    try:
        ct.set_grad_enabled(False)
        assert not ct.is_grad_enabled()
    finally:
        ct.set_grad_enabled(True)


@pytest.mark.parametrize("make", [lambda: ct.no_grad(), lambda: ct.no_grad, lambda: ct.set_grad_enabled(False),
                                  lambda: ct.inference_mode(), lambda: ct.inference_mode])
def test_decorators(make):
    @make()
    def f(a, b=2):
        "What it says."
        return ct.is_grad_enabled(), a + b

    assert f(1, b=3) == (False, 4)
    assert f.__doc__ == "What it says." and f.__name__ == "f"
    assert ct.is_grad_enabled()


def test_decorated_generator():
    @ct.no_grad()
    def g():
        sent = yield ct.is_grad_enabled()
        yield sent, ct.is_grad_enabled()
        return "end"

    run = g()
    assert next(run) is False and ct.is_grad_enabled()
    assert run.send("hi") == ("hi", False)
    with pytest.raises(StopIteration) as stop:
        next(run)
    assert stop.value.value == "end"


def test_mode_belongs_to_the_thread():
    seen = []
    with ct.no_grad():
        thread = threading.Thread(target=lambda: seen.append(ct.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_threads_share_tensors():
    x = ct.ones(200, 200)
    results = []

    def work():
        for _ in range(50):
            results.append((x + x)[0, 0].item())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert results == [2.0] * 200


# ---- the module ----


def run(code):
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def test_import_brings_no_other_package():
    added = run("import sys; old = set(sys.modules); import corten; print(*sorted(set(sys.modules) - old))").split()
    assert set(added) == {"corten", "corten._C"}


def test_lazy_names():
    assert "set_printoptions" in dir(ct) and "autograd" in dir(ct)
    assert ct.autograd.grad.__name__ == "grad"
    with pytest.raises(AttributeError, match="module 'corten' has no attribute 'nothing'"):
        ct.nothing


def test_constants():
    assert ct.inf == float("inf") and ct.nan != ct.nan and ct.newaxis is None
    assert abs(ct.pi - 3.14159265) < 1e-8 and abs(ct.e - 2.71828182) < 1e-8
    assert ct.__version__.count(".") == 2


def test_printoptions():
    x = ct.tensor([1.23456, 100000.0])
    plain = repr(x)
    try:
        ct.set_printoptions(precision=2, sci_mode=False)
        assert repr(x) == "tensor([     1.23, 100000.00])"
        ct.set_printoptions(profile="short")
        assert repr(ct.tensor([1.23456])) == "tensor([1.23])"
    finally:
        ct.set_printoptions(profile="default")
    assert repr(x) == plain
    with pytest.raises(TypeError):
        ct.set_printoptions(colour=1)


# ---- generators ----


def test_generators():
    g = ct.Generator()
    assert g.initial_seed() == 67280421310721 and g.device == ct.device("cpu")
    state = g.manual_seed(7).get_state()
    assert state.dtype is ct.uint8 and state.shape == (5056,)
    other = ct.Generator()
    other.set_state(state)
    assert (other.get_state() == state).all()
    assert (g.clone_state().get_state() == state).all()
    assert g.seed() == g.initial_seed()
    with pytest.raises(TypeError, match="RNG state must be a torch.ByteTensor"):
        g.set_state(ct.zeros(5056))


def test_default_generator():
    assert ct.manual_seed(5) is ct.default_generator
    assert ct.initial_seed() == 5
    state = ct.get_rng_state()
    ct.manual_seed(6)
    ct.set_rng_state(state)
    assert ct.initial_seed() == 5
    assert ct.manual_seed(-1) is ct.default_generator


def test_seeds_that_do_not_fit():
    with pytest.raises(ValueError, match="Overflow when unpacking"):
        ct.manual_seed(2**70)

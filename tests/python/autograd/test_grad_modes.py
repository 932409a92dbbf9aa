# SPDX-License-Identifier: BSD-3-Clause
"""no_grad, enable_grad, set_grad_enabled and inference_mode: as context managers and decorators, around generators, and in threads."""
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

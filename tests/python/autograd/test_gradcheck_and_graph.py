# SPDX-License-Identifier: BSD-3-Clause
"""Compares gradcheck, anomaly mode and torch.autograd.graph with PyTorch's recorded results (cases/graph_cases.py)."""
import gc
import threading
import warnings
import weakref

import graph_cases
import pytest
import recorded
from autograd_cases import run

import corten

FACTS = recorded.read('python/graph')


@pytest.mark.parametrize('case', graph_cases.CASES, ids=lambda c: c.__name__)
def test_case(case):
    assert run(corten, case) == FACTS[case.__name__]


def test_packed_tensors_are_let_go():
    x = corten.ones(3, requires_grad=True)
    kept = []

    class Box:
        def __init__(self, tensor):
            self.tensor = tensor.detach().clone()
            kept.append(weakref.ref(self))

    with corten.autograd.graph.saved_tensors_hooks(Box, lambda box: box.tensor):
        y = (x * x).exp()
    assert len(kept) == 3 and all(box() for box in kept)
    y.sum().backward()
    assert not any(box() for box in kept)
    assert (x.grad - 2 * 2.71828).abs().max() < 1e-4
    with corten.autograd.graph.saved_tensors_hooks(Box, lambda box: box.tensor):
        y = (x * x).exp()
    del y
    assert not any(box() for box in kept)


def test_packers_are_of_one_thread():
    x, seen = corten.ones(3, requires_grad=True), []

    def work():
        (x * x).sum().backward()

    with corten.autograd.graph.saved_tensors_hooks(lambda t: seen.append(t), lambda t: t):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert not seen
    assert x.grad.tolist() == [2, 2, 2]


def test_second_derivative_of_packed_tensors():
    x = corten.tensor([1., 2.], requires_grad=True)
    with corten.autograd.graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        y = (x * 1) ** 3 * x
        g, = corten.autograd.grad(y.sum(), x, create_graph=True)
    g.sum().backward()
    assert x.grad.tolist() == [12, 48]


def test_edges_keep_no_tensors():
    x = corten.ones(3, requires_grad=True)
    y = x.exp() * 2
    gone, edge = weakref.ref(y), corten.autograd.graph.get_gradient_edge(y)
    del y
    assert gone() is None
    grad, = corten.autograd.grad(edge, x, corten.ones(3))
    assert (grad - 5.43656).abs().max() < 1e-4


def test_metadata_lives_with_the_node():
    x = corten.ones(3, requires_grad=True)
    y = x * 2
    y.grad_fn.metadata['mine'] = 5
    gc.collect()
    assert y.grad_fn.metadata == {'mine': 5}


def test_anomaly_tells_of_calls_inside_backward():
    x = corten.tensor([2.], requires_grad=True)
    with warnings.catch_warnings(record=True) as said, corten.autograd.set_detect_anomaly(True):
        warnings.simplefilter('always')
        w = x.exp()
        g, = corten.autograd.grad(w.exp().sum(), x, create_graph=True)
        w.add_(1)
        with pytest.raises(RuntimeError, match='Good luck!'):
            g.sum().backward()
    assert [str(s.message).strip().split('\n')[0] for s in said] == [
        'Error detected in MulBackward0. Traceback of forward call that caused the error:',
        'Previous calculation was induced by ExpBackward0. Traceback of forward call that induced the previous calculation:']
    assert 'w = x.exp()' in str(said[1].message)


def test_anomaly_as_an_error():
    x = corten.zeros(1, requires_grad=True)
    with warnings.catch_warnings(), corten.autograd.set_detect_anomaly(True):
        warnings.simplefilter('error')
        with pytest.raises(UserWarning, match='Error detected in SqrtBackward0'):
            (x - 1).sqrt().backward()


def test_modes_around_functions():
    seen = []

    @corten.autograd.set_multithreading_enabled(False)
    def look():
        seen.append(corten.autograd.is_multithreading_enabled())
    look()
    assert seen == [False] and corten.autograd.is_multithreading_enabled()


def test_gradcheck_forwards():
    assert corten.autograd.gradcheck(corten.sin, corten.ones(1, dtype=corten.float64, requires_grad=True), check_forward_ad=True)


@pytest.mark.parametrize('norm', [
    lambda x: corten.linalg.vector_norm(x, 0), lambda x: corten.linalg.vector_norm(x, 0, dim=1), lambda x: corten.norm(x, 0)])
def test_node_without_a_gradient_called_by_hand(norm):
    x = corten.rand(3, 4, requires_grad=True)
    y = norm(x)
    for _ in range(3000):  # each call once dropped a reference too many
        out = y.grad_fn(corten.ones(y.shape))
        assert out is None or out.shape == x.shape and out.abs().sum() == 0
    y.sum().backward()
    assert x.grad is None or x.grad.abs().sum() == 0


def test_in_place_on_a_view_by_a_function_without_a_gradient():
    class Nothing(corten.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.zero_()

        @staticmethod
        def backward(ctx, g):
            return None

    x = corten.ones(4, requires_grad=True)
    base = x * 2
    Nothing.apply(base[:2])
    base.sum().backward()
    assert x.grad.tolist() == [0, 0, 2, 2]

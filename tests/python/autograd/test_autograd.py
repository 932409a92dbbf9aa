# SPDX-License-Identifier: BSD-3-Clause
"""Compares autograd with PyTorch's recorded results (cases/autograd_cases.py); also tests long
chains of operations, threads and memory."""
import cmath
import gc
import threading

import autograd_cases
import pytest
import recorded

import corten

FACTS = recorded.read('python/autograd')


@pytest.mark.parametrize('case', autograd_cases.CASES, ids=lambda c: c.__name__)
def test_case(case):
    assert autograd_cases.run(corten, case) == FACTS[case.__name__]


def test_chain_of_many_nodes():
    x = corten.ones(1, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y * 1
    y.backward(retain_graph=True)
    assert x.grad.item() == 1
    del y
    gc.collect()


def test_chain_forgotten_without_backward():
    x = corten.ones(1, requires_grad=True)
    for _ in range(100_000):
        x = x.exp().log()
    del x


def test_threads_record_and_run_at_once():
    x = corten.ones(3, requires_grad=True)
    shared = (x * 2).sum()
    wrong = []

    def work():
        for _ in range(100):
            (x.exp() * 0 + x).sum().backward()
            shared.backward(retain_graph=True)
            with corten.no_grad():
                if (x * 2).requires_grad:
                    wrong.append('grad mode of another thread')

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong
    assert x.grad.tolist() == [1200, 1200, 1200]


@pytest.mark.filterwarnings("error")
def test_the_real_part_of_a_gradient_is_no_lossy_cast():
    x = corten.ones(2, requires_grad=True)
    (x * corten.tensor([3 + 4j, 5 + 12j])).abs().sum().backward()
    assert x.grad.clone().tolist() == [5, 13]


def test_a_step_of_descent_in_a_hook():
    x = corten.zeros(3, requires_grad=True)
    x.register_post_accumulate_grad_hook(lambda p: p.sub_(p.grad))
    x.backward(corten.tensor([1., 2., 3.]))
    assert x.tolist() == [-1, -2, -3]
    x.register_post_accumulate_grad_hook(lambda p: p.grad)
    with pytest.raises(RuntimeError, match="Tensor post accumulate grad hooks should return None."):
        x.sum().backward()


@pytest.mark.parametrize("name", ["acos", "asin", "acosh", "asinh"])
@pytest.mark.parametrize("recorded", [False, True])
def test_derivatives_on_both_sides_of_a_cut(name, recorded):
    """On a branch cut, the sign of a zero selects the side, for values and derivatives; acosh is cut along the whole line left of 1."""
    function = getattr(cmath, name)
    for x in (5, -5):
        for side in (1, -1):
            z, inward, along = complex(x, 0.0 * side), 1e-7j * side, 1e-6
            if name == "asinh":
                z, inward, along = complex(0.0 * side, x), 1e-7 * side, 1e-6j
            for at in (z, z + 0.3 * side * (1j if name != "asinh" else 1)):
                want = (function(at + inward + along) - function(at + inward - along)) / (2 * along)
                t = corten.tensor(at, dtype=corten.complex128, requires_grad=True)
                grad, = corten.autograd.grad(getattr(t, name)().real, t, create_graph=recorded)
                assert abs(grad.conj().item() - want) < 1e-5


def test_a_conjugate_in_place_of_a_real_tensor_is_a_write():
    x = corten.ones(3)
    assert x.conj_physical_() is x and x._version == 1


@pytest.mark.parametrize("name", ["tril_", "triu_"])
def test_a_triangle_in_place_is_one_write(name):
    for x in (corten.ones(2, 2), corten.ones(3, 2, 2, dtype=corten.complex128), corten.ones(2, 4)[:, ::2], corten.ones(0, 2)):
        getattr(x, name)()
        assert x._version == 1
    leaf = corten.ones(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        leaf.conj_physical_()
    (leaf.clone().conj_physical_() * 2).sum().backward()
    assert leaf.grad.tolist() == [2, 2, 2]


@pytest.mark.parametrize("a, b", [((2, 3), (3, 2)), ((2, 3), (2,)), ((), (2,)), ((2, 0), (1, 1))])
@pytest.mark.parametrize("transposed", (False, True))
def test_a_product_of_kronecker_is_no_view(a, b, transposed):
    x, y = corten.ones(a, dtype=corten.float64, requires_grad=True), corten.rand(b, dtype=corten.float64)
    if transposed:
        x, y = x.mT if x.dim() > 1 else x, y.mT if y.dim() > 1 else y
    k = corten.kron(x, y)
    assert not k._is_view() and type(k.grad_fn).__name__ == "UnsafeViewBackward0"
    k.sum().backward()


def test_the_error_of_an_overwritten_mask():
    """PyTorch's early versions had no tensor class for bool, so the message says CPUBoolType rather than torch.BoolTensor."""
    x, mask = corten.ones(2, requires_grad=True), corten.tensor([True, False])
    y = corten.where(mask, x, 0)
    mask.logical_not_()
    with pytest.raises(RuntimeError, match=r"inplace operation: \[CPUBoolType \[2\]\] is at version 1; expected version 0"):
        y.sum().backward()


def test_what_goes_to_meta_is_recorded():
    x = corten.ones(3, requires_grad=True)
    for start in (x, x * 2):
        for there in (start.to("meta"), start.to("meta", corten.float64)):
            assert there.requires_grad and not there.is_leaf and there.grad_fn.name() == "ToCopyBackward0"
            with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor; no data!"):
                there.sum().backward()
    with corten.no_grad():
        assert not x.to("meta").requires_grad
    weight = corten.nn.Linear(2, 2).to("meta").weight
    assert weight.is_leaf and weight.requires_grad and weight.is_meta
    # strides follow the same rule as for any other copy
    assert corten.ones(4, 6)[:, ::2].to("meta").stride() == corten.ones(4, 1).expand(4, 3).to("meta").stride() == (3, 1)
    assert corten.ones(4, 6).t().to("meta").stride() == (1, 6)
    assert corten.ones(4, 6).t().to("meta", memory_format=corten.contiguous_format).stride() == (4, 1)

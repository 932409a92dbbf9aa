# SPDX-License-Identifier: BSD-3-Clause
"""torch._foreach_*: one operation on each tensor of a list, in one call."""
import os
import subprocess
import sys

import corten as torch
import pytest
from corten.overrides import TorchFunctionMode

KINDS = [torch.float32, torch.float16, torch.bfloat16, torch.float64]
UNARY = ("abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal round rsqrt sigmoid "
         "sign sin sinh sqrt tan tanh trunc").split()


def lists(dtype, n=3):
    """Returns three lists of tensors of different shapes, one of them not contiguous."""
    torch.manual_seed(0)
    return [[torch.rand(4, dtype=dtype) * .8 + .1, (torch.rand(3, 2, dtype=dtype) * .8 + .1).t(), torch.rand((), dtype=dtype)]
            for _ in range(n)]


def same(got, want):
    assert type(got) is tuple and len(got) == len(want)
    for a, b in zip(got, want):
        torch.testing.assert_close(a, b, rtol=0, atol=0, equal_nan=True)
        assert a.dtype is b.dtype and a.stride() == b.stride()


def in_place(name, x, *args, **more):
    mine = [t.clone() for t in x]
    assert getattr(torch, name)(mine, *args, **more) is mine
    return tuple(mine)


@pytest.mark.parametrize("dtype", KINDS)
def test_of_one_list(dtype):
    x, = lists(dtype, 1)
    for name in UNARY:
        same(getattr(torch, "_foreach_" + name)(x), [getattr(t, name)() for t in x])
        same(in_place(f"_foreach_{name}_", x), [getattr(t.clone(), name + "_")() for t in x])
    for order in (2, 1, float("inf"), 3.5):
        same(torch._foreach_norm(x, order), [torch.linalg.vector_norm(t, order) for t in x])
    same(torch._foreach_norm(x, 2, torch.float64), [torch.linalg.vector_norm(t, 2, dtype=torch.float64) for t in x])
    same(torch._foreach_max(x), [t.max() for t in x])
    same(torch._foreach_clone(x), [t.clone() for t in x])
    same(in_place("_foreach_zero_", x), [torch.zeros_like(t) for t in x])


@pytest.mark.parametrize("dtype", KINDS)
def test_of_two_lists_and_numbers(dtype):
    x, y = lists(dtype, 2)
    for name in ("add", "sub", "mul", "div", "clamp_max", "clamp_min", "pow"):
        for beside, each in ((y, y), (2, [2] * 3), (.5, [.5] * 3), ([1, 2., .5], [1, 2., .5])):
            want = [getattr(t, name)(v) for t, v in zip(x, each)]
            same(getattr(torch, "_foreach_" + name)(x, beside), want)
            same(in_place(f"_foreach_{name}_", x, beside), want)
    for name in ("maximum", "minimum"):
        same(getattr(torch, "_foreach_" + name)(x, y), [getattr(torch, name)(a, b) for a, b in zip(x, y)])
    for name in ("add", "sub"):
        want = [getattr(torch, name)(a, b, alpha=3) for a, b in zip(x, y)]
        same(getattr(torch, "_foreach_" + name)(x, y, alpha=3), want)
    same(torch._foreach_add(x, torch.tensor(2.), alpha=3), [t + torch.tensor(6.) for t in x])  # promotes like torch.add
    same(torch._foreach_mul(x, torch.tensor(2.)), [t * torch.tensor(2.) for t in x])
    same(torch._foreach_pow(2, x), [2 ** t for t in x])
    same(in_place("_foreach_copy_", x, y), [a.clone().copy_(b) for a, b in zip(x, y)])


@pytest.mark.parametrize("dtype", KINDS)
def test_of_three_lists(dtype):
    x, y, z = lists(dtype)
    scales = [1, .5, 2]
    for name in ("addcmul", "addcdiv"):
        function, method = getattr(torch, "_foreach_" + name), getattr(torch, name)
        same(function(x, y, z), [method(*t) for t in zip(x, y, z)])
        same(function(x, y, z, value=.5), [method(*t, value=.5) for t in zip(x, y, z)])
        want = [method(*t, value=v) for *t, v in zip(x, y, z, scales)]
        same(function(x, y, z, scales), want)
        same(function(x, y, z, torch.tensor(scales)), want)
        same(in_place(f"_foreach_{name}_", x, y, z, scalars=scales), want)
    want = [torch.lerp(*t) for t in zip(x, y, z)]
    same(torch._foreach_lerp(x, y, z), want)
    same(in_place("_foreach_lerp_", x, y, z), want)
    same(torch._foreach_lerp(x, y, .3), [torch.lerp(a, b, .3) for a, b in zip(x, y)])
    same(torch._foreach_lerp(x, y, [.3, .4, .5]), [torch.lerp(a, b, v) for a, b, v in zip(x, y, (.3, .4, .5))])
    m = [torch.rand(2, 3), torch.rand(3, 3)]
    same(torch._foreach_mm(m, [t.t() for t in m]), [t @ t.t() for t in m])


def test_integers_stay_integers():
    x = [torch.tensor([1, 2])] * 30  # more tensors than fit into the call's stack buffer
    got = torch._foreach_add(x, list(range(30)))
    assert got[29].tolist() == [30, 31] and got[0].dtype is torch.int64
    assert torch._foreach_add(x, [True] * 30)[0].tolist() == [2, 3]
    assert torch._foreach_maximum(x[:1], 1.5)[0].tolist() == [1.5, 2]
    assert torch._foreach_addcmul(x, x, x, [2] * 30)[29].tolist() == [3, 10]
    assert torch._foreach_mul([torch.tensor([1.])], [2j])[0].tolist() == [2j]
    assert torch._foreach_maximum([torch.ones(2)], [torch.tensor([float("nan"), 3.])])[0].isnan().tolist() == [True, False]


@pytest.mark.parametrize("error, text, call", [
    (RuntimeError, "Tensor list must have at least one tensor.", lambda x, y: torch._foreach_abs([])),
    (RuntimeError, "Tensor list must have at least one tensor.", lambda x, y: torch._foreach_add([], 1)),
    (RuntimeError, "Tensor list must have at least one tensor.", lambda x, y: torch._foreach_pow(2, [])),
    (RuntimeError, "Tensor list must have at least one tensor.", lambda x, y: torch._foreach_copy_([x], [])),
    (RuntimeError, "Tensor lists must have the same number of tensors, got 2 and 1", lambda x, y: torch._foreach_add([x, y], [x])),
    (RuntimeError, "Tensor lists must have the same number of tensors, got 0 and 1", lambda x, y: torch._foreach_add([], [x])),
    (RuntimeError, "Tensor lists must have the same number of tensors, got 1 and 2", lambda x, y: torch._foreach_lerp([x], [x], [x, x])),
    (RuntimeError, "Tensor list must have same number of elements as scalar list.", lambda x, y: torch._foreach_mul([x, y], [1.])),
    (RuntimeError, "Expected length of scalars to match input of length 1 but got 2 instead.",
     lambda x, y: torch._foreach_addcdiv([x], [x], [x], torch.ones(2))),
    (RuntimeError, "Expected packed scalar Tensor to be of dimension 1. Got 0 instead.",
     lambda x, y: torch._foreach_addcmul([x], [x], [x], torch.ones((), requires_grad=True))),
    (RuntimeError, "scalar tensor expected to be 0 dim but it has 1 dimensions and 2 elements.",
     lambda x, y: torch._foreach_add([x], torch.ones(2))),
    (RuntimeError, "_foreach_max cannot compute the maximum of an empty tensor; max over zero elements is undefined.",
     lambda x, y: torch._foreach_max([torch.ones(0)])),
    (RuntimeError, "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0",
     lambda x, y: torch._foreach_add([x, y], [x, x])),
    (RuntimeError, "a leaf Variable that requires grad is being used in an in-place operation.",
     lambda x, y: torch._foreach_mul_([x.clone().requires_grad_()], 2)),
    (TypeError, "expected Tensor as element 1 in argument 0, but got int", lambda x, y: torch._foreach_neg([x, 3])),
    (TypeError, "_foreach_abs(): argument 'self' (position 1) must be tuple of Tensors, not Tensor", lambda x, y: torch._foreach_abs(x)),
    (TypeError, " * (tuple of Tensors self, tuple of Tensors other, *, Number alpha = 1)", lambda x, y: torch._foreach_add([x], 1, 2)),
])
def test_errors(error, text, call):
    with pytest.raises(error) as caught:
        call(torch.ones(2), torch.ones(3))
    assert text in str(caught.value)


def test_gradients_pass():
    r = torch.tensor([3.], requires_grad=True)
    a, b = torch._foreach_mul([r, r * 2], [r, r])
    (a + b).sum().backward()
    assert r.grad.tolist() == [18]


def test_who_is_asked():
    seen = []

    class Asked(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            seen.append((func.__name__, types, len(args), kwargs))
            return 7

    class Kept(torch.Tensor):
        pass

    class Mode(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            seen.append(func)
            return func(*args, **kwargs or {})
    x = torch.ones(2)
    assert torch._foreach_add([x], [x.as_subclass(Asked)], alpha=2) == 7
    assert seen.pop() == ("_foreach_add", (Asked,), 2, {"alpha": 2})
    assert [type(t) for t in torch._foreach_abs([x.as_subclass(Kept), x])] == [Kept, Kept]
    zeros = [torch.zeros(1)]
    with Mode():
        torch._foreach_exp_(zeros)
    assert zeros[0].item() == 1
    assert seen == [torch._foreach_exp_]


def test_on_a_gpu():
    program = """
import corten as torch
x = [torch.ones(2, device="cuda"), torch.full((3,), 2.0, device="cuda")]
print([t.tolist() for t in torch._foreach_add(x, x, alpha=2)], torch._foreach_norm(x)[0].device)
torch._foreach_mul_(x, [2, 3])
print([t.tolist() for t in x])
"""
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "CORTEN_FAKE_CUDA": "1"}, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["[[3.0, 3.0], [6.0, 6.0, 6.0]] cuda:0", "[[2.0, 2.0], [6.0, 6.0, 6.0]]"], done.stderr

# SPDX-License-Identifier: BSD-3-Clause
"""native_layer_norm, native_batch_norm and their relatives, which also return their statistics, and batch norm in several
steps. Expected values are PyTorch 2.15's for the same tensors."""
import math

import pytest

import corten as torch


def made(*shape):
    n = math.prod(shape)
    return (torch.arange(n) * 7 % 11 - 5).reshape(shape).float() / 4


def close(a, b, **more):
    torch.testing.assert_close(a, b, **{"rtol": 1e-4, "atol": 2e-5, **more})


def starts_of(tensors):
    return [v for t in tensors for v in t.flatten()[:3].tolist()]


# ---- normalisation with its statistics ----

@pytest.mark.parametrize("call, results, history, gradients", [
    (lambda x, w, b: torch.native_layer_norm(x, (3,), w[:3], b[:3], 1e-3),
     [1.2016838, 2.1387408, 0.5580674, -0.4166667, 0.25, 0.0, 1.3936163, 1.2238274, 1.2238274], [True, False, False],
     [0.397086, 0.294854, -0.69194, 12.975496, 10.219852, 12.975496, 2.25, 0.0, -2.25]),
    (lambda x, w, b: torch.native_batch_norm(x, w, b, None, None, True, 0.1, 1e-3),
     [1.8944041, -0.7941025, 0.7421869, 0.1458333, 0.125, -0.125, 1.2290316, 1.2910393, 1.2910393], [True, False, False],
     [0.003239, -0.000822, 0.001499, 9.749037, 9.279346, 9.279346, 1.75, 1.5, -1.5]),
    (lambda x, w, b: torch.native_group_norm(x, w, b, 4, 4, 3, 2, 1e-3),
     [1.4900751, -1.1200376, 0.3714554, -0.0833333, -0.125, 0.2916667, 1.1931944, 1.2097536, 1.3729402], [True, True, True],
     [0.420856, -0.914445, -0.151416, 9.488966, 9.208714, 9.208714, 1.75, 1.5, -1.5]),
])
def test_native_norms_return_statistics(call, results, history, gradients):
    x, w, b = made(4, 4, 3).requires_grad_(), made(4).requires_grad_(), (made(4) + 1).requires_grad_()
    found = call(x, w, b)
    assert type(found) is tuple and [t.requires_grad for t in found] == history
    close(torch.tensor(starts_of(found)), torch.tensor(results))
    grads = torch.autograd.grad(sum((t * made(*t.shape)).sum() for t in found), (x, w, b))
    close(torch.tensor(starts_of(grads)), torch.tensor(gradients))


def test_types_and_running_statistics_of_native_norms():
    half, weight = made(2, 3, 2).bfloat16(), torch.ones(2)
    kinds = [[t.dtype for t in torch.native_layer_norm(half, (2,), w, None, 1e-5)] for w in (weight, None)]
    assert kinds == [[torch.bfloat16, torch.float32, torch.float32], [torch.bfloat16] * 3]
    mean, var = torch.zeros(3), torch.ones(3)
    out = torch.native_batch_norm(made(2, 3, 2), None, None, mean, var, False, 0.1, 1e-5)
    assert [t.numel() for t in out] == [12, 0, 0] and mean.tolist() == [0, 0, 0]
    x = torch.arange(12.).reshape(2, 3, 2)
    found = torch.batch_norm_update_stats(x, mean, var, 0.1)
    close(found[0], torch.tensor([3.5, 5.5, 7.5]))
    close(found[1], torch.tensor([9.25] * 3))
    close(mean, torch.tensor([0.35, 0.55, 0.75]))
    close(var, torch.tensor([2.133333] * 3))


def test_native_group_norm_takes_any_shape_of_the_right_size():
    rows = torch.arange(12.).reshape(4, 3)
    out, mean, rstd = torch.native_group_norm(rows, None, None, 2, 3, 2, 3, 1e-5)
    close(out, torch.tensor([[-1., 1., -1.], [1., -1., 1.]] * 2))
    assert mean.tolist() == [[0.5, 2.5, 4.5], [6.5, 8.5, 10.5]] and rstd.shape == (2, 3)
    with pytest.raises(RuntimeError, match=r"Expected X.numel\(\) == N \* C \* HxW to be true"):
        torch.native_group_norm(rows, None, None, 2, 3, 3, 3, 1e-5)
    with pytest.raises(RuntimeError, match="divisible by num_groups, but got input of shape \\[4, 3\\] and num_groups=2"):
        torch.native_group_norm(rows, None, None, 2, 3, 2, 2, 1e-5)
    with pytest.raises(RuntimeError, match="weight to be a vector of size equal to the number of channels"):
        torch.native_group_norm(rows, torch.ones(4), None, 2, 3, 2, 3, 1e-5)


@pytest.mark.filterwarnings("ignore:at..nuclear_norm")
def test_nuclear_norm_and_channel_shuffle():
    x = torch.arange(12.).reshape(2, 3, 2)
    close(torch.nuclear_norm(x), torch.tensor([8.0497, 21.4662]))
    close(torch.nuclear_norm(x, (0, 1), True), torch.tensor([[[16.6969, 18.5685]]]))
    out = torch.empty(0)
    assert torch.nuclear_norm(x[0], out=out) is out
    close(out, torch.tensor(8.0497))
    with pytest.raises(RuntimeError, match="dims must be different"):
        torch.nuclear_norm(x, 1)
    assert torch.native_channel_shuffle(x.view(1, 6, 2), 3).flatten()[:6].tolist() == [0, 1, 4, 5, 8, 9]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_batch_norm_in_steps_is_batch_norm_of_the_whole(dtype):
    x, w, b = (made(*shape).to(dtype) + i for i, shape in enumerate(((5, 3, 2), (3,), (3,))))
    grad, kept, wanted = made(5, 3, 2).to(dtype) + x, [torch.zeros(3), torch.ones(3)], [torch.zeros(3), torch.ones(3)]
    leaves = [t.clone().requires_grad_() for t in (x, w, b)]
    whole, mean, rstd = torch.native_batch_norm(*leaves, *wanted, True, 0.1, 1e-3)
    parts, counts = (x[:2], x[2:]), torch.tensor([4., 6.])
    found = [torch.stack(t) for t in zip(*(torch.batch_norm_stats(p, 1e-3) for p in parts))]
    joined = torch.batch_norm_gather_stats_with_counts(x, *found, *kept, 0.1, 1e-3, counts)
    close(joined, (mean, rstd))
    close(kept, wanted)
    close(torch.cat([torch.batch_norm_elemt(p, w, b, *joined, 1e-3) for p in parts]), whole.detach())
    sums = [torch.batch_norm_backward_reduce(g, p, *joined, w, True, True, True) for g, p in zip((grad[:2], grad[2:]), parts)]
    dy, dy_xmu, dw, db = (one + two for one, two in zip(*sums))
    dx = torch.cat([torch.batch_norm_backward_elemt(g, p, *joined, w, dy, dy_xmu, counts)
                    for g, p in zip((grad[:2], grad[2:]), parts)])
    close((dx, dw, db), torch.autograd.grad(whole, leaves, grad))
    assert torch.batch_norm_backward_reduce(grad, x, *joined, w, False, False, True)[:3] == (None, None, None)
    same = torch.batch_norm_gather_stats(x, *(t[:1].repeat(2, 1) for t in found), None, None, 0.1, 1e-3, 4)
    close(same, tuple(t[0] for t in found))

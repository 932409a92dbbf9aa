# SPDX-License-Identifier: BSD-3-Clause
"""Edge cases of network functions: infinite and NaN elements, negative views, norms with p < 1, complex powers, empty
results, arguments that PyTorch refuses."""
import math
import subprocess
import sys

import pytest

import corten as torch
from corten.nn import functional as F
from corten.utils.checkpoint import checkpoint

nan, inf = float("nan"), float("inf")


# ---- normalisation ----

@pytest.mark.parametrize("bad", [inf, -inf, nan])
@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 4), (2, 3, 2, 2)])
def test_evaluation_gradient_of_batch_norm_does_not_see_the_input(bad, shape):
    x = torch.randn(shape)
    x.view(-1)[1] = bad
    for layout in [torch.contiguous_format] + [torch.channels_last] * (x.ndim == 4):
        x = x.detach().contiguous(memory_format=layout).requires_grad_()
        weight, var = torch.tensor([1., 2., -1.], requires_grad=True), torch.tensor([1., 0.5, 2.])
        y = F.batch_norm(x, torch.zeros(3), var, weight, None, training=False, eps=0.25)
        grad, = torch.autograd.grad((y * 2).sum(), x, retain_graph=True)
        want = (2 * weight / (var + 0.25).sqrt()).reshape(3, *[1] * (len(shape) - 2)).expand(shape)
        assert torch.allclose(grad, want)
        again, = torch.autograd.grad((y * 2).sum(), x, create_graph=True)
        assert torch.allclose(again, want)


def test_evaluation_gradient_of_instance_norm_does_not_see_the_input():
    x = torch.tensor([[[1., inf], [nan, 3.]]], requires_grad=True)
    y = F.instance_norm(x, torch.zeros(2), torch.ones(2), use_input_stats=False, eps=0.)
    assert torch.autograd.grad(y.sum(), x)[0].tolist() == [[[1, 1], [1, 1]]]


@pytest.mark.parametrize("which", ["x", "weight", "upstream"])
@pytest.mark.parametrize("shape", [(2, 1, 3), (2, 2, 3)])
def test_norm_gradients_with_negated_views(which, shape):
    channels = shape[1]
    plain = {"x": torch.randn(shape), "weight": torch.randn(channels), "upstream": torch.randn(shape)}
    cases = [lambda x, w: F.batch_norm(x, torch.zeros(channels), torch.ones(channels), w, None, False),
             lambda x, w: F.batch_norm(x, None, None, w, None, True),
             lambda x, w: F.group_norm(x, 1, w),
             lambda x, w: F.layer_norm(x, shape[1:], w[:, None].expand(shape[1:])),
             lambda x, w: F.instance_norm(x, None, None, w)]
    for case in cases:
        found = []
        for negated in (False, True):
            t = dict(plain)
            if negated:
                t[which] = torch._neg_view(-t[which])
                assert t[which].is_neg() and t[which].is_contiguous()
            x, w = t["x"].requires_grad_(), t["weight"].requires_grad_()
            found.append(torch.autograd.grad(case(x, w), [x, w], t["upstream"]))
            plain = {k: v.detach() for k, v in plain.items()}
        for got, want in zip(found[1], found[0]):
            assert torch.allclose(got, want)


# ---- distances and powers ----

@pytest.mark.parametrize("p", [0.3, 0.5, 0.9, 1.0, 1.5, 2.0, 3.0, inf])
def test_pdist_gradient(p):
    x = torch.tensor([[0., 1.], [2., -1.5], [0.5, 3.], [1., 1.]], dtype=torch.float64, requires_grad=True)
    got, = torch.autograd.grad(F.pdist(x, p).sum(), x)
    i, j = torch.triu_indices(4, 4, 1)
    apart = (x[i] - x[j]).abs()
    size = apart.amax(1) if p == inf else apart.clamp(min=1e-300).pow(p).sum(1).pow(1 / p)
    assert torch.allclose(got, torch.autograd.grad(size.sum(), x)[0])
    assert F.pdist(torch.ones(3, 2, requires_grad=True), p).sum().backward() is None


@pytest.mark.parametrize("p", [0.5, 1.5])
def test_distances_of_equal_rows_have_gradient_zero(p):
    x = torch.tensor([[1., 2.], [1., 2.], [1., 3.]], dtype=torch.float64, requires_grad=True)
    for distances in (F.pdist(x, p), torch.cdist(x, x, p)):
        first, = torch.autograd.grad(distances.sum(), x, create_graph=True)
        assert first.isfinite().all()
        assert torch.autograd.grad(first.sum(), x)[0].isfinite().all()


def test_complex_powers_of_negative_bases():
    base = torch.tensor([-2., -1.5, 3.], dtype=torch.float64, requires_grad=True)
    exponent = torch.tensor([1 + 2j, .5 - 1j, 2 + 1j], dtype=torch.complex128, requires_grad=True)
    for f, inputs in ((torch.pow, (base, exponent)), (lambda e: torch.pow(-2., e), (exponent,)),
                      (lambda b: torch.pow(b, 0.5 + 1j), (base,)), (lambda b: b ** exponent.detach(), (base,)),
                      (lambda e: (-1.5 + 0.5j) ** e, (exponent,)), (torch.pow, (exponent, base))):
        assert torch.autograd.gradcheck(f, inputs)
        assert torch.autograd.gradgradcheck(f, inputs)


def test_complex_powers_of_zero():
    exponent = torch.tensor([2 + 0j, 0j, 1 + 1j], dtype=torch.complex128, requires_grad=True)
    for zero in (torch.zeros(3, dtype=torch.complex128), 0):
        got, = torch.autograd.grad(torch.pow(zero, exponent).real.sum(), exponent)
        assert got[:2].tolist() == [0, 0] and math.isnan(got[2].real)


# ---- pooling, padding, repeating, empty results ----

def test_lp_pool_of_infinite_order():
    x = torch.tensor([[[1., -5., 3., 2., 7.]]], requires_grad=True)
    assert F.lp_pool1d(x, inf, 2).tolist() == [[[5, 3]]] and F.lp_pool1d(x, -inf, 2).tolist() == [[[1, 2]]]
    assert F.lp_pool1d(x, inf, 2, 1, True).tolist() == [[[5, 5, 3, 7]]]
    assert torch.autograd.grad(F.lp_pool1d(x, inf, 2).sum(), x)[0].tolist() == [[[0, -1, 1, 0, 0]]]
    plane = torch.arange(16.).reshape(1, 1, 4, 4)
    assert F.lp_pool2d(-plane, inf, 2).tolist() == [[[[5, 7], [13, 15]]]]
    assert F.lp_pool2d(plane, -inf, 2).tolist() == [[[[0, 2], [8, 10]]]]
    assert F.lp_pool3d(plane[None], inf, (1, 2, 4)).tolist() == [[[[[7], [15]]]]]
    assert torch.nn.LPPool2d(inf, 2)(plane).tolist() == [[[[5, 7], [13, 15]]]]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_lp_pool_refuses_the_order_zero(n):
    with pytest.raises(ValueError, match="norm_type must be a non-zero value, but got 0"):
        getattr(F, f"lp_pool{n}d")(torch.ones(1, 1, *[4] * n), 0, 2)


@pytest.mark.parametrize("widths", [(2, -1), (-1, 2), (3, -2), (-2, 3), (2, 1), (-1, -1), (1, -1), (3, 3)])
def test_circular_padding_repeats_what_is_left(widths):
    x = torch.randn(2, 2, 3, dtype=torch.float64, requires_grad=True)
    low, high = widths
    left = x[..., max(0, -low):3 - max(0, -high)]
    index = torch.arange(-max(low, 0), left.shape[-1] + max(high, 0)) % left.shape[-1]
    junk = torch.full((2, 2, 9), 77.)
    del junk
    got = F.pad(x, widths, mode="circular")
    assert torch.equal(got, left[..., index])
    weight = torch.randn(got.shape, dtype=torch.float64)
    want, = torch.autograd.grad((left[..., index] * weight).sum(), x)
    assert torch.allclose(torch.autograd.grad((got * weight).sum(), x)[0], want)


@pytest.mark.parametrize("widths", [(2, -2), (-2, 2), (1, -2), (-2, 1)])
def test_circular_padding_of_nothing_is_refused(widths):
    with pytest.raises(RuntimeError, match="wrapping around more than once"):
        F.pad(torch.ones(2, 4, 2), widths, mode="circular")


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64])
def test_repeat_interleave_with_counts_of_every_type(dtype):
    x = torch.tensor([[1, 2], [3, 4]])
    assert torch.repeat_interleave(x, torch.tensor([1, 2], dtype=dtype), dim=0).tolist() == [[1, 2], [3, 4], [3, 4]]
    assert x.repeat_interleave(torch.tensor(2, dtype=dtype)).tolist() == [1, 1, 2, 2, 3, 3, 4, 4]
    assert torch.repeat_interleave(torch.tensor([1, 2], dtype=dtype)).dtype == dtype
    long = torch.arange(300)  # more rows than int8 and uint8 can count
    assert torch.equal(long.repeat_interleave(torch.ones(300, dtype=dtype)), long)


@pytest.mark.parametrize("dtype", [torch.uint16, torch.uint32, torch.uint64, torch.bool, torch.float32])
def test_repeat_interleave_refuses_other_counts(dtype):
    counts = torch.tensor([1, 1]).to(dtype)
    for call in (lambda: torch.repeat_interleave(counts), lambda: torch.ones(2).repeat_interleave(counts)):
        with pytest.raises(NotImplementedError, match='"repeat_interleave_cpu" not implemented for'):
            call()


def test_transposed_convolutions_with_empty_results():
    x, w, b = (torch.ones(s, requires_grad=True) for s in ((2, 1, 2), (1, 3, 1), (3,)))
    y = F.conv_transpose1d(x, w, b, padding=1)
    assert y.shape == (2, 3, 0)
    grads = torch.autograd.grad(y.sum(), [x, w, b], create_graph=True)
    assert [g.shape for g in grads] == [x.shape, w.shape, b.shape] and not any(g.any() for g in grads)
    assert torch.nn.ConvTranspose2d(1, 1, 1, padding=(0, 1))(torch.ones(2, 1, 3, 2)).shape == (2, 1, 3, 0)
    assert torch.nn.ConvTranspose3d(1, 1, 1, padding=(0, 1, 0))(torch.ones(1, 3, 2, 2)).shape == (1, 3, 0, 2)
    with pytest.raises(RuntimeError, match=r"got input shape: \[2, 1, 1, 0\]"):
        F.conv_transpose1d(torch.ones(2, 1, 0), torch.ones(1, 1, 1))
    with pytest.raises(RuntimeError, match="Output size is too small"):
        F.conv_transpose1d(torch.ones(2, 1, 2), torch.ones(1, 1, 1), padding=2)


# ---- arguments that PyTorch refuses ----

Z = torch.zeros(1, 1, 1, 1, 1, dtype=torch.long)
REFUSED = {
    "F.batch_norm(one(2, 3), one(3), one(3), eps=-1.)": (ValueError, "batch_norm eps must be non-negative, but got -1.0"),
    "F.batch_norm(one(2, 3), one(3), one(3), training=True, eps=0.)": (
        ValueError, "batch_norm eps must be positive during training, but got 0.0"),
    "torch.nn.BatchNorm1d(3, eps=-1.)(one(2, 3))": (ValueError, "must be positive during training"),
    "F.group_norm(one(1, 2, 0), 1)": (RuntimeError, "Expected HxW to be greater than 0, got 0"),
    "F.group_norm(one(2, 0, 3), 1)": (RuntimeError, "Expected number of channels to be greater than 0, got 0"),
    "F.group_norm(one(2, 2), 0)": (ZeroDivisionError, "by zero"),
    "F.max_unpool3d(one(1, 1, 1, 1, 1), Z, 2, stride=0)": (
        RuntimeError, "strides should be greater than zero, but got stride: [0, 0, 0]"),
    "F.max_unpool3d(one(1, 1, 1, 1, 1), Z, 2, stride=(1, -1, 1))": (
        RuntimeError, "strides should be greater than zero, but got stride: [1, -1, 1]"),
    "F.max_unpool3d(one(1, 1, 1, 1, 1), Z, 0)": (RuntimeError, "strides should be greater than zero"),
    "F.max_unpool2d(one(1, 1, 1, 1), Z[0], 2, stride=(1,))": (IndexError, "tuple index out of range"),
    "F.max_unpool2d(one(1, 1, 1, 1), Z[0], 2, output_size=(5, 5))": (
        ValueError, 'invalid output_size "(5, 5)" (dim 0 must be between 0 and 4)'),
    "F.max_unpool2d(one(1, 1, 0, 1), Z[0][:, :, :0], 2)": (RuntimeError, "input has sizes [1, 1, 0, 1] with dimension 2 being empty"),
    "F.adaptive_avg_pool2d(one(2, 2, 2, 2), (1,))": (RuntimeError, "adaptive_avg_pool2d: output_size must be 2"),
    "F.adaptive_max_pool2d(one(2, 2, 2, 2), (1, 1, 1))": (RuntimeError, "internal error: output_size.size() must be 2"),
    "F.adaptive_avg_pool2d(one(2), 1)": (IndexError, "expected to be in range of [-1, 0], but got -2"),
    "F.adaptive_avg_pool3d(one(2, 2), 2)": (RuntimeError, "adaptive_avg_pool3d(): Expected 4D or 5D tensor, but got [2, 2]"),
    "F.adaptive_max_pool1d(one(2, 2, 2), -1)": (RuntimeError, "negative dimension -1: [2, 2, 1, -1]"),
    "F.avg_pool2d(one(2, 2), 2)": (IndexError, "expected to be in range of [-2, 1], but got -3"),
    "F.avg_pool3d(one(2, 2, 2, 2), 3, ceil_mode=True)": (RuntimeError, "input image (T: 2 H: 2 W: 2) smaller than kernel size"),
    "F.lp_pool3d(one(2, 2, 2, 2), 2, 3, ceil_mode=True)": (RuntimeError, "input image (T: 2 H: 2 W: 2) smaller than kernel size"),
    "F.fractional_max_pool2d(one(2, 2, 2, 2), 0, output_size=1)": (
        RuntimeError, "fractional_max_pool2d(): kernel size should be greater than zero, but got 0x0"),
    "F.fractional_max_pool3d(one(2, 2, 2, 2), 2, output_size=-1)": (RuntimeError, "negative dimension -1: [2, -1, -1, -1]"),
}


@pytest.mark.parametrize("call", REFUSED)
def test_refused_arguments(call):
    kind, text = REFUSED[call]
    with pytest.raises(kind) as error:
        eval(call, {"F": F, "torch": torch, "one": torch.ones, "Z": Z})
    assert text in str(error.value)


def test_one_adaptive_window_is_a_mean():
    """With output size 1, PyTorch takes the mean over the last dims of an input of any rank, even if they are empty."""
    assert F.adaptive_avg_pool2d(torch.arange(4.).reshape(2, 2), 1).tolist() == [[1.5]]
    assert F.adaptive_avg_pool2d(torch.ones(2, 2, 2, 2, 2), 1).shape == (2, 2, 2, 1, 1)
    assert F.adaptive_avg_pool2d(torch.ones(2, 2, 0, 0), 1).isnan().all()
    assert F.adaptive_avg_pool1d(torch.ones(2, 2, 0), 1).isnan().all()
    with pytest.raises(NotImplementedError, match="could not infer output dtype"):
        F.adaptive_avg_pool1d(torch.ones(1, 1, 2, dtype=torch.long), 1)


def test_empty_results_of_unpooling():
    assert F.max_unpool2d(torch.ones(1, 1, 1, 1), Z[0], 2, padding=1).shape == (1, 1, 0, 0)
    assert F.max_unpool3d(torch.ones(1, 1, 1, 1, 1), Z, 2, padding=1).shape == (1, 1, 0, 0, 0)


def test_negative_strides_are_refused_in_place_of_torch():
    program = """if True:
        import corten
        assert corten.ones(4).as_strided((2,), (-1,), 3).stride() == (-1,)
        corten.install_as_torch()
        import torch
        calls = [lambda x: x.as_strided((2,), (-1,), 3), lambda x: x.as_strided_((2,), (-1,), 3),
                 lambda x: torch.as_strided_copy(x, (2,), (-1,), 3), lambda x: x.set_(x.untyped_storage(), 3, (2,), (-1,)),
                 lambda x: torch.as_strided_scatter(x, torch.ones(2), (2,), (-1,), 3)]
        for call in calls:
            try:
                call(torch.ones(4))
            except RuntimeError as error:
                assert "strides" in str(error)
            else:
                raise SystemExit("taken")
        assert torch.ones(4).flip(0).as_strided((2,), (1,), 1).tolist() == [1, 1]
    """
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


# ---- memory formats ----

def test_ctc_loss_gradient_where_a_target_is_the_blank():
    """PyTorch's gradient differs here; Corten's is the derivative of the loss."""
    x = torch.linspace(-1, 1, 18, dtype=torch.float64).sin().mul(3).cos().view(3, 2, 3).requires_grad_()
    targets = torch.tensor([[0, 2], [1, 0]])
    for lengths in ((1, 0), (1, 2), (2, 1)):
        assert torch.autograd.gradcheck(lambda x: F.ctc_loss(x.log_softmax(-1), targets, (3, 2), lengths, reduction="sum"), x)


def test_antialiased_images_of_width_one_keep_their_rows():
    x = torch.arange(10.).reshape(1, 1, 5, 2)
    for mode in ("bilinear", "bicubic"):
        y = F.interpolate(x, size=(5, 1), mode=mode, antialias=True)
        assert torch.allclose(y.flatten(), x.mean(-1).flatten())


# ---- special elements ----

@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_exponential_units_at_special_elements(dtype):
    x = torch.tensor([0., inf, -inf, nan, 1e30, -1e-30], dtype=dtype, requires_grad=True)
    scale = 1.0507009873554805
    below = {F.elu: (1, 1), F.selu: (scale, scale * 1.6732632423543772), F.celu: (1, 1), lambda x: F.elu(x, 0.5): (1, 0.5)}
    for f, (above, under) in below.items():
        for recorded in (False, True):
            g, = torch.autograd.grad(f(x).sum(), x, create_graph=recorded)
            assert torch.allclose(g, torch.tensor([under, above, 0, above, above, under], dtype=dtype))
        h, = torch.autograd.grad(g.sum(), x)
        assert torch.allclose(h, torch.tensor([0, 0, 0, 0, 0, under], dtype=dtype))
    assert F.elu(torch.zeros(1), -1.).signbit().tolist() == [False]


def test_sinc_of_elements_whose_square_vanishes():
    """sinc(x) is 1 - (pi x)^2 / 6 near 0, so its slope is -pi^2 x / 3; PyTorch rounds it to 0."""
    x = torch.tensor([0., 1e-30, -1e-30], requires_grad=True)
    slope = torch.autograd.grad(torch.sinc(x).sum(), x)[0]
    assert torch.allclose(slope, -math.pi ** 2 / 3 * x, rtol=1e-6, atol=0)


def test_running_statistics_that_channels_share():
    """If the running statistics are an expanded tensor, the channels update the same element one after the other."""
    x = torch.tensor([[1., 10., 100.], [3., 30., 300.]])
    mean, var = torch.zeros(1).expand(3), torch.ones(3)
    y = F.batch_norm(x, mean, var, training=True, momentum=0.5)
    assert mean.tolist() == [((2 * 0.5) + 20) * 0.5 * 0.5 + 200 * 0.5] * 3
    assert var.tolist() == [0.5 + 1, 0.5 + 100, 0.5 + 10000]
    assert torch.allclose(y, F.batch_norm(x, None, None, training=True))


def test_triplet_loss_of_a_distance_keeps_the_type_under_autocast():
    x, y, z = (torch.ones(5, 1, dtype=torch.bfloat16) * k for k in (1, 2, 3))
    with torch.autocast("cpu"):
        assert F.triplet_margin_with_distance_loss(x, y, z).dtype is torch.bfloat16
    assert F.triplet_margin_with_distance_loss(x, y, z, margin=3., reduction="sum").item() == 10


def test_running_statistics_among_the_arguments_of_a_checkpoint():
    """Recomputation updates them again; as in PyTorch, this does not count as a change of a saved tensor."""
    x, weight = torch.randn(4, 2, 3, requires_grad=True), torch.ones(2, requires_grad=True)
    for mean, var in ((torch.zeros(2), torch.ones(2)), (torch.zeros(2, dtype=torch.float64), torch.ones(2, dtype=torch.float64))):
        y = checkpoint(lambda x, m, v: F.batch_norm(x, m, v, weight, training=True), x, mean, var, use_reentrant=False)
        assert mean._version == var._version == 0
        y.square().sum().backward()

# SPDX-License-Identifier: BSD-3-Clause
"""Memory formats of results: layers keep the layout of their input, or take that of their weight, as in PyTorch."""
import pytest

import corten as torch
from corten.nn import functional as F


def lines(*shape):
    """Returns a batch of 1-d signals with adjacent channels, which is channels last when seen as images of height 1."""
    n, c, size = shape
    x = torch.randn(n, size, c).transpose(1, 2)
    assert x.stride() == (c * size, 1, c)
    return x


LINES = {
    "avg_pool1d": lambda x: F.avg_pool1d(x, 2), "lp_pool1d": lambda x: F.lp_pool1d(x, 2, 2),
    "max_pool1d": lambda x: F.max_pool1d(x, 2), "max_pool1d_with_indices": lambda x: F.max_pool1d(x, 2, return_indices=True)[0],
    "indices": lambda x: F.max_pool1d(x, 2, return_indices=True)[1], "padded": lambda x: F.max_pool1d(x, 3, 2, 1, 1, True),
    "adaptive_avg_pool1d": lambda x: F.adaptive_avg_pool1d(x, 2), "adaptive_max_pool1d": lambda x: F.adaptive_max_pool1d(x, 2)}


@pytest.mark.parametrize("name", LINES)
def test_pooled_lines_keep_their_layout(name):
    x, f = lines(2, 4, 6).requires_grad_(), LINES[name]
    y = f(x)
    n, c, size = y.shape
    assert y.stride() == (c * size, 1, c)
    plain = x.detach().contiguous().requires_grad_()
    want = f(plain)
    assert torch.equal(y, want) and want.is_contiguous()
    if y.is_floating_point():
        weight = torch.randn(y.shape)
        assert torch.allclose(torch.autograd.grad((y * weight).sum(), x)[0], torch.autograd.grad((want * weight).sum(), plain)[0])


def test_convolved_lines_have_the_layout_of_the_weight():
    x, w = torch.randn(2, 4, 5, requires_grad=True), lines(3, 4, 2).requires_grad_()
    b = torch.randn(3, requires_grad=True)
    y = F.conv1d(x, w, b, stride=2, padding=1, dilation=2)
    assert y.stride() == (9, 1, 3) and y.shape == (2, 3, 3)
    plain = w.detach().contiguous().requires_grad_()
    want = F.conv1d(x, plain, b, stride=2, padding=1, dilation=2)
    assert want.is_contiguous() and torch.allclose(y, want, atol=1e-6)
    for got, wanted in zip(torch.autograd.grad(y.square().sum(), [x, w, b]), torch.autograd.grad(want.square().sum(), [x, plain, b])):
        assert torch.allclose(got, wanted, atol=1e-4)
    assert F.conv1d(lines(2, 4, 5), plain).is_contiguous()  # as in PyTorch, which makes the input contiguous
    w = lines(4, 3, 2)
    y = F.conv_transpose1d(x, w, stride=2, output_padding=1)
    assert y.stride() == (33, 1, 3) and torch.allclose(y, F.conv_transpose1d(x, w.contiguous(), stride=2, output_padding=1), atol=1e-5)


IMAGES = {"whole": lambda: torch.randn(2, 4, 6, 6).to(memory_format=torch.channels_last),
          "columns": lambda: torch.randn(2, 4, 6, 8).to(memory_format=torch.channels_last)[..., :6],
          "channels": lambda: torch.randn(2, 8, 6, 6).to(memory_format=torch.channels_last)[:, 2:6]}
KEPT = {"group_norm": lambda x: F.group_norm(x, 2, torch.ones(4), torch.ones(4)), "rms_norm": lambda x: F.rms_norm(x, (6,)),
        "max_unpool2d": lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2),
        "cat": lambda x: torch.cat([x[:, :, :3], x[:, :, 1:]], -2), "cat of channels": lambda x: torch.cat([x[:, :1], x[:, 1:]], 1),
        "pixel_shuffle": lambda x: F.pixel_shuffle(x, 2), "pixel_unshuffle": lambda x: F.pixel_unshuffle(x, 2),
        "channel_shuffle": lambda x: F.channel_shuffle(x, 2)}


@pytest.mark.parametrize("image", IMAGES)
@pytest.mark.parametrize("name", KEPT)
def test_channels_last_is_kept(image, name):
    x = IMAGES[image]().requires_grad_() if image == "whole" else IMAGES[image]()
    y = KEPT[name](x)
    assert y.is_contiguous(memory_format=torch.channels_last)
    plain = x.detach().contiguous()
    assert torch.allclose(y, KEPT[name](plain), atol=1e-6) and KEPT[name](plain).is_contiguous()


def test_stacked_images_have_the_strides_of_joined_ones():
    x = IMAGES["whole"]()
    assert torch.stack([x, x], 1).stride() == (288, 4, 1, 48, 8)
    assert torch.equal(torch.stack([x, -x], 1)[:, 1], -x)
    assert torch.stack([x, x], 4).shape == (2, 4, 6, 6, 2)


def test_formats_that_pytorch_does_not_keep():
    single = torch.randn(2, 1, 6, 6).to(memory_format=torch.channels_last)
    assert F.batch_norm(single, None, None, training=True).stride() == (36, 36, 6, 1)
    x = torch.randn(6, 2, 4, 6).permute(1, 2, 0, 3)
    assert F.rms_norm(x, (6,)).is_contiguous() and F.rms_norm(lines(2, 4, 5), (4, 5)).is_contiguous()
    volume = torch.randn(2, 4, 3, 3, 3).to(memory_format=torch.channels_last_3d)
    assert F.adaptive_max_pool3d(volume, 2).is_contiguous()
    assert F.group_norm(volume, 2).is_contiguous(memory_format=torch.channels_last_3d)

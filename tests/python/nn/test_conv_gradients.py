# SPDX-License-Identifier: BSD-3-Clause
"""torch.nn.grad: derivatives of convolutions as functions."""
import pytest

import corten
from corten import nn


@pytest.mark.parametrize("n, groups, stride, padding, dilation", [(1, 1, 1, 0, 1), (1, 2, 2, 1, 2), (2, 1, (2, 1), (1, 0), 1), (2, 2, 1, 1, (1, 2)),
                                                                  (3, 1, 2, 1, 1)])
def test_derivatives_of_convolutions(n, groups, stride, padding, dilation):
    corten.manual_seed(0)
    conv = getattr(nn.functional, f"conv{n}d")
    x = corten.randn(2, 4, *[7] * n, dtype=corten.float64, requires_grad=True)
    w = corten.randn(6, 4 // groups, *[3] * n, dtype=corten.float64, requires_grad=True)
    y = conv(x, w, None, stride, padding, dilation, groups)
    g = corten.randn_like(y)
    want = corten.autograd.grad(y, (x, w), g)
    settings = (stride, padding, dilation, groups)
    got = getattr(nn.grad, f"conv{n}d_input")(x.shape, w, g, *settings)
    assert corten.allclose(got, want[0], atol=1e-12) and got.requires_grad
    got = getattr(nn.grad, f"conv{n}d_weight")(x, w.shape, g, *settings)
    assert corten.allclose(got, want[1], atol=1e-12) and got.requires_grad
    with corten.no_grad():
        assert not getattr(nn.grad, f"conv{n}d_weight")(x, w.shape, g, *settings).requires_grad

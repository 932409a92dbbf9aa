# SPDX-License-Identifier: BSD-3-Clause
"""F.normalize over several dims at once, and the dims that it refuses."""
import pytest

import corten


@pytest.mark.parametrize("dim", [(0, 1), [0, -1], None, ()], ids=str)
def test_normalize_over_several_dims(dim):
    """The norm of [[3, 0], [0, 4]] is 5; the gradient of the sum of x / |x| is 1 / |x| - x sum(x) / |x|^3."""
    x = corten.tensor([[3., 0.], [0., 4.]], dtype=corten.float64, requires_grad=True)
    y = corten.nn.functional.normalize(x, dim=dim)
    assert corten.allclose(y, x / 5)
    grad, = corten.autograd.grad(y.sum(), x)
    assert corten.allclose(grad, 1 / 5 - x.detach() * 7 / 125)
    out = corten.empty(2, 2, dtype=corten.float64)
    assert corten.nn.functional.normalize(x.detach(), dim=dim, out=out) is out and corten.equal(out, y.detach())


def test_normalize_checks_dims():
    x = corten.ones(2, 2)
    with pytest.raises(RuntimeError, match="dim 0 appears multiple times in the list of dims"):
        corten.nn.functional.normalize(x, dim=(0, 0))
    with pytest.raises(IndexError, match=r"Dimension out of range \(expected to be in range of \[-2, 1\], but got 2\)"):
        corten.nn.functional.normalize(x, dim=(0, 2))

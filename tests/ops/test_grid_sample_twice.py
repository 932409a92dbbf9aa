# SPDX-License-Identifier: BSD-3-Clause
"""Checks second derivatives of grid_sample by finite differences; third derivatives are refused."""
import itertools

import pytest

import corten as torch
from corten.nn.functional import grid_sample


def inputs(ndim, seed=0):
    torch.manual_seed(seed)
    x = torch.randn(2, 2, *(4, 3, 3)[:ndim], dtype=torch.float64, requires_grad=True)
    grid = torch.empty(2, *(2, 3, 2)[:ndim], ndim, dtype=torch.float64).uniform_(-1.4, 1.4)
    return x, grid.requires_grad_()


@pytest.mark.parametrize("ndim,mode", [(2, "bilinear"), (2, "nearest"), (2, "bicubic"), (3, "bilinear"), (3, "nearest")])
def test_second_derivatives(ndim, mode):
    for padding, corners in itertools.product(("zeros", "border", "reflection"), (False, True)):
        torch.autograd.gradgradcheck(lambda x, g: grid_sample(x, g, mode, padding, corners), inputs(ndim))


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
def test_derivatives_of_second_derivatives(mode):
    x, grid = inputs(2)
    v = torch.randn_like(grid)

    def moved(x):  # the result is linear in x: second derivative by the grid, then by x
        g, = torch.autograd.grad(grid_sample(x, grid, mode, align_corners=False).square().sum(), grid, create_graph=True)
        return torch.autograd.grad((g * v).sum(), x, create_graph=True)[0]

    torch.autograd.gradcheck(moved, (x,))


def test_third_derivative_of_the_grid_is_refused():
    x, grid = inputs(2)
    out = grid_sample(x, grid, "bicubic", align_corners=False).square().sum()
    g, = torch.autograd.grad(out, grid, create_graph=True)
    h, = torch.autograd.grad(g.sum(), grid, create_graph=True)
    with pytest.raises(RuntimeError, match="derivative for aten::grid_sampler_backward_backward is not implemented"):
        torch.autograd.grad(h.sum(), grid)

# SPDX-License-Identifier: BSD-3-Clause
"""Compares distributions with PyTorch 2.15's recorded results (cases/distribution_cases.py)."""
import json
import math
import warnings

import distribution_cases
import pytest
import recorded

import corten

FACTS = recorded.read("python/distribution")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    MINE = json.loads(json.dumps(distribution_cases.facts(corten)))


def differences(mine, theirs, close):
    if theirs is None or mine is None or (theirs and isinstance(theirs[0], list)):
        return mine != theirs
    return len(mine) != len(theirs) or any(
        not (x == y or (math.isnan(x) and math.isnan(y)) or abs(x - y) <= close * max(1, abs(y))) for x, y in zip(mine, theirs))


@pytest.mark.parametrize("name", FACTS)
def test_facts(name):
    theirs, mine = FACTS[name], MINE[name]
    if isinstance(theirs, list):
        theirs, mine = {"value": theirs}, {"value": mine}
    assert set(mine) == set(theirs)
    wrong = {question: (mine[question], theirs[question]) for question in theirs
             if differences(mine[question], theirs[question], 1e-6 if question == "sample" else 1e-5)}
    assert not wrong


def test_gradients_of_samples():
    """The gradient of the sample mean approximates the gradient of the mean."""
    torch, D = corten, corten.distributions
    torch.manual_seed(0)
    for shape in (0.4, 2.0, 30.0):
        alpha = torch.tensor(shape, requires_grad=True)
        grad, = torch.autograd.grad(D.Gamma(alpha, 2.0).rsample((20000,)).mean(), alpha)
        assert abs(grad.item() - 0.5) < 0.03
        grad, = torch.autograd.grad(D.Beta(alpha, torch.tensor(3.0)).rsample((20000,)).mean(), alpha)
        assert abs(grad.item() - 3 / (shape + 3) ** 2) < 0.05 * 3 / (shape + 3) ** 2 + 1e-3


def test_kinds():
    torch, D = corten, corten.distributions
    assert isinstance(D.Gamma(1.0, 1.0), D.ExponentialFamily) and isinstance(D.Chi2(torch.tensor([2.0])), D.Gamma)
    made = D.Gamma(torch.tensor([0.7, 2.5]), torch.tensor([1.5, 0.4]))
    assert torch.allclose(D.ExponentialFamily.entropy(made), made.entropy(), atol=1e-5)
    with pytest.raises(ValueError, match="to satisfy the constraint GreaterThan"):
        D.Gamma(torch.tensor([-1.0]), torch.tensor([1.0]))
    with pytest.raises(ValueError, match="at least one-dimensional"):
        D.Dirichlet(torch.tensor(1.0))
    with pytest.raises(NotImplementedError, match="Cannot transform"):
        D.biject_to(D.constraints.boolean)
    assert D.constraints.corr_cholesky.check(D.LKJCholesky(4, 1.5).sample((5,))).all()
    assert D.constraints.cat([D.constraints.positive, D.constraints.real], 0, [1, 1]).check(torch.tensor([1.0, -1.0])).all()
    assert not D.constraints.positive_semidefinite.check(-torch.eye(2))

# SPDX-License-Identifier: BSD-3-Clause
"""Distributions: the same samples as PyTorch, densities that integrate to 1, means of many samples, divergences."""
import math

import pytest

import corten as torch
from corten import distributions as D

L, S, P = torch.tensor([0.5, -1.0]), torch.tensor([0.7, 2.0]), torch.tensor([0.3, 0.8])
C = torch.tensor([[0.2, 0.5, 0.3], [0.6, 0.3, 0.1]])

# Samples of shape (3, 2) that PyTorch 2.15 draws after manual_seed(1).
DRAWN = {
    "Normal": [0.96295, -0.46615, 0.54317, 0.24263, 0.18367, -1.3323], "Uniform": [1.0303, -0.44138, 0.78215, 0.46937, 0.5205, 0.59972],
    "Exponential": [0.089995, 0.12716, 0.38129, 0.09746, 1.1601, 0.057955],
}
MADE = {
    "Normal": lambda: D.Normal(L, S), "Uniform": lambda: D.Uniform(L, L + S), "Exponential": lambda: D.Exponential(S),
    "Laplace": lambda: D.Laplace(L, S), "LogNormal": lambda: D.LogNormal(L, S / 2), "HalfNormal": lambda: D.HalfNormal(S),
    "Gumbel": lambda: D.Gumbel(L, S), "Weibull": lambda: D.Weibull(S, S + 1), "Pareto": lambda: D.Pareto(S, S + 6), "Cauchy": lambda: D.Cauchy(L, S),
    "Tanh": lambda: D.TransformedDistribution(D.Normal(L, S / 4), D.TanhTransform()),
    "Mixture": lambda: D.MixtureSameFamily(D.Categorical(C), D.Normal(torch.arange(6.0).view(2, 3), torch.ones(2, 3))),
}
COUNTS = {"Bernoulli": lambda: D.Bernoulli(P), "Binomial": lambda: D.Binomial(5, P), "Categorical": lambda: D.Categorical(C)}


@pytest.mark.parametrize("name", DRAWN)
def test_stream(name):
    torch.manual_seed(1)
    assert torch.allclose(MADE[name]().sample((3,)).flatten(), torch.tensor(DRAWN[name]), 1e-4)


@pytest.mark.parametrize("name", MADE)
def test_densities(name):
    """The derivative of cdf is the density, icdf inverts cdf, and samples have the stated mean and standard deviation."""
    made = MADE[name]()
    torch.manual_seed(0)
    x = made.sample((5,)).double().requires_grad_()
    if name != "Mixture":
        p = made.cdf(x)
        (slope,) = torch.autograd.grad(p.sum(), x)
        assert torch.allclose(slope.log(), made.log_prob(x).double(), 1e-3, 1e-3)
        assert torch.allclose(made.icdf(p), x, 1e-2, 1e-3)
    if name not in ("Cauchy", "Tanh"):
        many = made.sample((40000,))
        assert torch.allclose(many.mean(0), made.mean, 0.05, 0.05) and torch.allclose(many.std(0), made.stddev, 0.1, 0.05)


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name):
    made = COUNTS[name]()
    log_prob = made.log_prob(made.enumerate_support())
    assert torch.allclose(log_prob.exp().sum(0), torch.ones(2))
    assert torch.allclose(made.entropy(), -(log_prob.exp() * log_prob).sum(0), 1e-5, 1e-6)


def test_vectors():
    a = torch.tensor([[2.0, 0.5], [0.5, 1.0]])
    made = D.MultivariateNormal(L, a)
    x = made.sample((3,))
    d = x - L
    want = -0.5 * ((d @ a.inverse()) * d).sum(-1) - math.log(2 * math.pi) - 0.5 * a.det().log()
    assert torch.allclose(made.log_prob(x), want, 1e-5, 1e-5)
    assert torch.allclose(D.MultivariateNormal(L, precision_matrix=a.inverse()).covariance_matrix, a, 1e-4, 1e-5)
    assert D.Multinomial(4, C).sample((7,)).sum(-1).unique().tolist() == [4]
    assert D.OneHotCategorical(C).sample((7,)).sum(-1).unique().tolist() == [1]


@pytest.mark.parametrize("make", [lambda a, b: D.Normal(a, b), lambda a, b: D.Exponential(b), lambda a, b: D.Laplace(a, b),
                                  lambda a, b: D.Gumbel(a, b), lambda a, b: D.LogNormal(a, b), lambda a, b: D.Poisson(b)])
def test_divergences(make):
    p, q = make(L, S), make(L + 0.3, S * 1.2)
    torch.manual_seed(0)
    x = p.sample((100000,))
    assert torch.allclose(D.kl_divergence(p, q), (p.log_prob(x) - q.log_prob(x)).mean(0), 0.1, 0.01)
    assert D.kl_divergence(p, p).abs().max() < 1e-6


def test_shapes_and_mistakes():
    made = D.Independent(D.Normal(torch.zeros(4, 3), 1.0), 1)
    assert made.batch_shape == (4,) and made.event_shape == (3,) and made.log_prob(torch.zeros(4, 3)).shape == (4,)
    assert made.expand((2, 4)).sample().shape == (2, 4, 3)
    assert str(D.Normal(L, S)) == "Normal(loc: torch.Size([2]), scale: torch.Size([2]))"
    with pytest.raises(ValueError, match=r"Expected parameter scale \(Tensor of shape \(1,\)\) of distribution Normal\(loc: tensor\(\[1.\]\)"):
        D.Normal(torch.tensor([1.0]), torch.tensor([-1.0]))
    with pytest.raises(ValueError, match="to be within the support"):
        D.Categorical(P / P.sum()).log_prob(torch.tensor(3))
    with pytest.raises(NotImplementedError):
        D.kl_divergence(D.Normal(0.0, 1.0), D.Poisson(1.0))


def test_modules_that_programs_import_from():
    import importlib
    for name, member in (("normal", "Normal"), ("studentT", "StudentT"), ("relaxed_categorical", "ExpRelaxedCategorical"),
                         ("lowrank_multivariate_normal", "LowRankMultivariateNormal"), ("constraint_registry", "biject_to"),
                         ("gamma", "Gamma"), ("utils", "lazy_property"), ("one_hot_categorical", "OneHotCategorical")):
        assert getattr(importlib.import_module(f"corten.distributions.{name}"), member)


def test_classes_of_constraints_can_be_derived():
    from corten.distributions import constraints, transform_to

    class SoftplusPositive(type(constraints.positive)):
        def __init__(self):
            super().__init__(lower_bound=0.0)
    assert SoftplusPositive().check(torch.tensor([1., -1.])).tolist() == [True, False]
    assert repr(constraints.positive) == "GreaterThan(lower_bound=0.0)" and repr(constraints.simplex) == "Simplex()"
    with pytest.raises(NotImplementedError, match="Cannot transform SoftplusPositive constraints"):
        transform_to(SoftplusPositive())


def test_triangles_as_vectors():
    from corten.distributions.utils import tril_matrix_to_vec, vec_to_tril_matrix
    for diag in -1, 0, 1, 2:
        x = torch.rand(2, 4, 4).tril(diag)
        assert vec_to_tril_matrix(tril_matrix_to_vec(x, diag), diag).equal(x)
    with pytest.raises(ValueError, match="which cannot be expressed as the lower triangular part of a square D x D matrix"):
        vec_to_tril_matrix(torch.ones(5))


def test_a_transform_may_be_a_module():
    class Scale(torch.distributions.Transform, torch.nn.Module):
        def __init__(self):
            super().__init__(cache_size=1)
            self.by = torch.nn.Parameter(torch.tensor(2.))

        def _call(self, x):
            return x * self.by
    scale = Scale()
    assert len(list(scale.parameters())) == 1 and scale(torch.tensor(3.)).item() == 6


@pytest.mark.parametrize("name,args", [
    ("MultivariateNormal", (torch.zeros(2), torch.eye(2))), ("Multinomial", (3, torch.ones(2))), ("Gumbel", (0., 1.)), ("Pareto", (1., 2.)),
    ("Weibull", (1., 2.)), ("Kumaraswamy", (1., 2.)), ("ContinuousBernoulli", (.3,)), ("NegativeBinomial", (3., .2)), ("Normal", (0., 1.)),
    ("LowRankMultivariateNormal", (torch.zeros(2), torch.ones(2, 1), torch.ones(2))), ("Wishart", (3., torch.eye(2))), ("Beta", (1., 2.)),
])
def test_expand_keeps_the_class(name, args):
    class Mine(getattr(D, name)):
        def __init__(self):
            super().__init__(*args)
    expanded = Mine().expand((3,))
    assert type(expanded) is Mine and expanded.batch_shape == (3,) and expanded.sample().shape == (3,) + expanded.event_shape
    other = Mine.__new__(Mine)
    assert Mine().expand((2,), _instance=other) is other

# SPDX-License-Identifier: BSD-3-Clause
"""Distributions at special points: gradients at a logit of 0, large logits, plain numbers as arguments, shapes of transformed
distributions, divergences between families (compared with integrals over a grid), cached transforms. Constants are PyTorch
2.15's values."""
import copy
import math
import pickle

import pytest

import corten as torch
from corten import distributions as D
from corten.distributions import constraints

INF = math.inf


def t(*values):
    return torch.tensor(values[0] if len(values) == 1 else values, dtype=torch.float64)


# ---- logits ----

@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("make,value,want", [
    (lambda x: D.Bernoulli(logits=x), 0., -.5), (lambda x: D.Bernoulli(logits=x), 1., .5), (lambda x: D.Bernoulli(logits=x), None, 0.),
    (lambda x: D.Binomial(2, logits=x), 0., -1.), (lambda x: D.Binomial(2, logits=x), 1., 0.), (lambda x: D.Binomial(2, logits=x), 2., 1.),
    (lambda x: D.Geometric(logits=x), 1., 0.), (lambda x: D.Geometric(logits=x), None, -.69314718),
    (lambda x: D.NegativeBinomial(2., logits=x), 1., -.5), (lambda x: D.ContinuousBernoulli(logits=x), 1., .5),
    (lambda x: D.Independent(D.Bernoulli(logits=x), 1), 0., -.5),
])
def test_gradients_at_a_logit_of_zero(make, value, want, dtype):
    logits = torch.zeros(1, dtype=dtype, requires_grad=True)
    made = make(logits)
    result = made.entropy() if value is None else made.log_prob(torch.tensor([value], dtype=dtype))
    assert torch.autograd.grad(result.sum(), logits)[0].item() == pytest.approx(want, abs=2e-3 if "Continuous" in repr(made) else 1e-6)


def test_gradients_near_a_logit_of_zero_agree():
    """The gradient is continuous: at 0 it is the mean of the gradients on both sides."""
    for make in (lambda x: D.Bernoulli(logits=x), lambda x: D.Binomial(3, logits=x), lambda x: D.Geometric(logits=x)):
        x = torch.tensor([-1e-6, 0., 1e-6], dtype=torch.float64, requires_grad=True)
        slope, = torch.autograd.grad(make(x).log_prob(t(1., 1., 1.)).sum(), x)
        assert torch.allclose(slope[1], (slope[0] + slope[2]) / 2, atol=1e-9)


def test_continuous_bernoulli_of_large_logits():
    made = D.ContinuousBernoulli(logits=torch.tensor([100., 30., -100.]))
    assert torch.allclose(made.log_prob(torch.tensor([.5, .2, .5])), torch.tensor([-47.2310, -21.2310, -47.2310]), atol=1e-3)
    assert made.log_prob(torch.ones(3)).isfinite().all() and made.mean.isfinite().all() and made.entropy().isfinite().all()
    assert D.ContinuousBernoulli(logits=torch.tensor([-1e38])).log_prob(torch.tensor([1.])).isfinite().all()
    expanded = made.expand((2, 3))  # expand keeps the parameter that was given, here logits
    assert torch.equal(expanded.logits, made.logits.expand(2, 3)) and expanded.mean.shape == (2, 3)


# ---- numbers, supports ----

def test_densities_of_numbers():
    assert D.Gamma(1., 1.).log_prob(2.).item() == pytest.approx(-2)
    assert D.Chi2(1.).log_prob(2.).item() == pytest.approx(-2.2655, abs=1e-4)
    assert D.Gamma(1., 1.).log_prob(2).dtype == torch.float32
    with pytest.raises(ValueError, match="must be a Tensor"):
        D.Normal(0., 1.).log_prob(2.)
    with pytest.raises(ValueError, match="must be a Tensor"):
        D.HalfCauchy(1.).log_prob(2.)
    assert D.HalfCauchy(1., validate_args=False).log_prob(2.).item() == pytest.approx(math.log(2 / math.pi / 5))
    assert D.Normal(0., 1., validate_args=False).log_prob(0.).item() == pytest.approx(-.5 * math.log(2 * math.pi))
    with pytest.raises(TypeError, match=r"erfinv\(\): argument 'input'"):
        D.Normal(0., 1.).icdf(.5)


def test_samples_of_gamma_from_a_generator():
    torch.manual_seed(3)
    first = D.Gamma(torch.ones(3), 1.).sample((2,))
    for made in (D.Gamma(torch.ones(3), 1.).sample((2,), generator=torch.Generator().manual_seed(3)),
                 D.Gamma(torch.ones(3), 1.).rsample((2,), torch.Generator().manual_seed(3)),
                 D.Chi2(torch.ones(3) * 2).sample((2,), generator=torch.Generator().manual_seed(3)) / 2):
        assert torch.equal(first, made)


def test_supports_that_can_be_enumerated():
    made = D.OneHotCategorical(torch.tensor([[.2, .8], [.5, .5], [.1, .9]]))
    assert torch.equal(D.OneHotCategorical(torch.tensor([.2, .8])).enumerate_support(), torch.eye(2))
    assert made.enumerate_support().shape == (2, 3, 2) and made.enumerate_support(expand=False).shape == (2, 1, 2)
    assert torch.allclose(made.log_prob(made.enumerate_support()).exp().sum(0), torch.ones(3))
    assert torch.equal(D.Independent(D.Bernoulli(torch.ones(2) / 3), 0).enumerate_support(), torch.tensor([[0., 0.], [1., 1.]]))
    with pytest.raises(NotImplementedError, match="cartesian product"):
        D.Independent(D.Bernoulli(torch.ones(2) / 3), 1).enumerate_support()


def test_mixtures_whose_support_has_parameters():
    made = D.MixtureSameFamily(D.Categorical(torch.tensor([.5, .5])), D.Binomial(torch.tensor([3., 4.]), torch.tensor([.2, .6])))
    assert torch.allclose(made.log_prob(torch.tensor([0., 1., 2.])), torch.tensor([-1.3138, -1.3138, -1.5105]), atol=1e-3)
    assert made.support.is_discrete
    boxes = D.MixtureSameFamily(D.Categorical(torch.ones(2)), D.Uniform(torch.tensor([0., 0.]), torch.tensor([1., 2.])))
    assert boxes.log_prob(torch.tensor([.5, .7])).exp().tolist() == pytest.approx([.75, .75])
    with pytest.raises(ValueError, match="within the support"):
        boxes.log_prob(torch.tensor([1.5]))  # as in PyTorch, the value must be in the support of every component
    with pytest.raises(ValueError, match=r"\(2\) does not equal `component_distribution.batch_shape\[-1\]` \(3\)"):
        D.MixtureSameFamily(D.Categorical(torch.ones(2)), D.Normal(torch.zeros(3), 1.))
    with pytest.raises(ValueError, match="is not compatible"):
        D.MixtureSameFamily(D.Categorical(torch.ones(4, 3)), D.Normal(torch.zeros(2, 3), 1.))


def test_kinds_of_dependent_sets():
    with pytest.raises(NotImplementedError, match="event_dim cannot be determined statically"):
        D.TransformedDistribution.support.event_dim
    assert D.TransformedDistribution.support.is_discrete is False and D.Uniform.support.event_dim == 0
    assert repr(constraints.real_vector) == "IndependentConstraint(Real(), 1)"
    both = constraints.cat([constraints.positive, constraints.real], 0, [1, 2])
    assert both.check(torch.tensor([1., -1., -1.])).tolist() == [True, True, True]
    with pytest.raises(AssertionError, match="dim 0 out of range"):
        both.check(torch.tensor(1.))


def test_expanding_keeps_the_given_parameters():
    cov = torch.tensor([[2., .5], [.5, 1.]])
    made = D.MultivariateNormal(torch.zeros(2), cov).expand((3,))
    assert repr(made) == "MultivariateNormal(loc: torch.Size([3, 2]), covariance_matrix: torch.Size([3, 2, 2]))"
    assert torch.allclose(made.log_prob(torch.ones(2)), D.MultivariateNormal(torch.zeros(2), cov).log_prob(torch.ones(2)).expand(3))
    made = D.Wishart(torch.tensor([3., 4.]), cov).expand((2, 2))
    assert made.covariance_matrix.shape == (2, 2, 2, 2) and made.sample((3,)).shape == (3, 2, 2, 2, 2)


def test_gradient_where_a_variance_is_infinite():
    df = t(1.5, 2., 2.5).requires_grad_()
    variance = D.StudentT(df).variance
    assert variance.tolist() == [INF, INF, 5.]
    assert torch.autograd.grad(variance[2], df)[0].tolist() == [0., 0., -8.]


# ---- divergences ----

def family(name):
    """Returns a distribution and a grid that covers its mass, over which the divergence is integrated."""
    n = 200001
    unit = torch.linspace(1e-9, 1 - 1e-9, n, dtype=torch.float64)
    line = torch.linspace(-40, 40, n, dtype=torch.float64)
    return {
        "Beta": lambda: (D.Beta(t(1.5), t(2.5)), unit), "ContinuousBernoulli": lambda: (D.ContinuousBernoulli(t(.3)), unit),
        "Exponential": lambda: (D.Exponential(t(1.5)), unit * 30), "Gamma": lambda: (D.Gamma(t(2.), t(1.5)), unit * 40),
        "Gumbel": lambda: (D.Gumbel(t(.3), t(.6)), line), "Laplace": lambda: (D.Laplace(t(.3), t(.6)), line),
        "Normal": lambda: (D.Normal(t(.3), t(.6)), line), "Uniform": lambda: (D.Uniform(t(.2), t(.7)), .2 + unit * .5),
        "Pareto": lambda: (D.Pareto(t(.15), t(6.)), .15 * torch.linspace(0, 6, n, dtype=torch.float64).exp()),
    }[name]()


FAMILIES = ["Beta", "ContinuousBernoulli", "Exponential", "Gamma", "Gumbel", "Laplace", "Normal", "Pareto", "Uniform"]
WITHOUT = {("Beta", "Gumbel"), ("Beta", "Laplace"), ("ContinuousBernoulli", "Beta"), ("ContinuousBernoulli", "Gamma"),
           ("ContinuousBernoulli", "Gumbel"), ("ContinuousBernoulli", "Laplace"), ("Exponential", "Laplace"), ("Gamma", "Laplace"),
           ("Gumbel", "Laplace"), ("Laplace", "Gumbel"), ("Pareto", "Gumbel"), ("Pareto", "Laplace"), ("Uniform", "Laplace")}


@pytest.mark.parametrize("p_name", FAMILIES)
@pytest.mark.parametrize("q_name", FAMILIES)
def test_divergences_between_families(p_name, q_name):
    (p, x), (q, _) = family(p_name), family(q_name)
    if p_name == q_name:
        return
    if (p_name, q_name) in WITHOUT:
        with pytest.raises(NotImplementedError):
            D.kl_divergence(p, q)
        return
    got = D.kl_divergence(p, q)
    weight, inside = p.log_prob(x).exp(), q.support.check(x) & (x != 1 if q_name == "Beta" else True)
    if bool((weight[~inside] > 1e-6).any()):
        assert got.item() == INF
    else:
        x, weight = x[inside], weight[inside]
        terms = torch.where(weight > 1e-30, weight * (weight.log() - q.log_prob(x)), 0.)
        assert got.item() == pytest.approx(torch.trapezoid(terms, x).item(), rel=2e-3, abs=2e-3)


def test_divergences_of_counts():
    p = t(.3, .6)
    want = [a * math.log(a) + (1 - a) * math.log(1 - a) - a * math.log(r) + r for a, r in ((.3, 1.5), (.6, 2.5))]
    assert D.kl_divergence(D.Bernoulli(p), D.Poisson(t(1.5, 2.5))).tolist() == pytest.approx(want)
    for q in (D.Bernoulli(p), D.Binomial(4, p)):
        assert D.kl_divergence(D.Poisson(t(1., 2.)), q).tolist() == [INF, INF]
    assert D.kl_divergence(D.Pareto(t(1., 1., 1.), t(.9, 1.5, 3.)), D.Normal(t(0.), t(1.))).isinf().tolist() == [True, True, False]
    # Uniform over exactly the other's support: finite, and 0 here because the other distribution is uniform too.
    assert D.kl_divergence(D.Uniform(t(0.), t(1.)), D.ContinuousBernoulli(t(.5))).item() == pytest.approx(0, abs=1e-9)
    assert D.kl_divergence(D.Uniform(t(0.), t(1.)), D.Beta(t(1.), t(1.))).item() == pytest.approx(0, abs=1e-9)


def test_gradients_of_divergences_are_finite_beside_infinite_ones():
    scale = t(1., 1.).requires_grad_()
    found = D.kl_divergence(D.Pareto(scale, t(.5, 3.)), D.Normal(t(0.), t(1.)))
    assert found[0].item() == INF and torch.autograd.grad(found[1], scale)[0].isfinite().all()


def test_divergence_of_a_custom_family():
    """The generic divergence, from the derivative of the log normalizer, agrees with the formula for Exponential."""
    class Mine(D.ExponentialFamily):
        arg_constraints = {}

        def __init__(self, rate):
            self.rate = rate
            super().__init__(rate.shape)

        _natural_params = property(lambda self: (-self.rate,))

        def _log_normalizer(self, x):
            return -(-x).log()
    a, b = t(.7, 2.), t(1.5, .4)
    assert torch.allclose(D.kl_divergence(Mine(a), Mine(b)), D.kl_divergence(D.Exponential(a), D.Exponential(b)))
    with pytest.raises(NotImplementedError, match="different exponential families"):
        D.kl_divergence(Mine(a), D.Normal(a, b))
    with pytest.raises(NotImplementedError):
        Mine(a).entropy()  # the class does not define _mean_carrier_measure


@pytest.mark.parametrize("made", [D.Normal(t(.3), t(.6)), D.Exponential(t(1.5)), D.Bernoulli(t(.3)), D.Gamma(t(2.), t(1.5)),
                                  D.ContinuousBernoulli(t(.3)), D.Wishart(t(4.), torch.eye(2, dtype=torch.float64))])
def test_entropies_by_the_normaliser(made):
    assert isinstance(made, D.ExponentialFamily)
    p = type(made)
    if p not in (D.Wishart, D.Normal):  # Wishart's natural parameters have different shapes; Normal's _mean_carrier_measure does not match its density
        assert D.ExponentialFamily.entropy(made).item() == pytest.approx(made.entropy().item(), abs=2e-6)
    assert D.kl._exponential_family(made, made).item() == pytest.approx(0, abs=1e-9)


# ---- transforms ----

TRANSFORMS = [
    lambda c: D.AffineTransform(1., 2., cache_size=c), lambda c: D.PowerTransform(torch.tensor(2.), cache_size=c),
    lambda c: D.ExpTransform(cache_size=c), lambda c: D.ComposeTransform([D.AffineTransform(1., 2.), D.ExpTransform()], cache_size=c),
    lambda c: D.ReshapeTransform((3,), (3, 1), cache_size=c), lambda c: D.IndependentTransform(D.ExpTransform(), 1, cache_size=c),
    lambda c: D.CatTransform([D.ExpTransform(), D.TanhTransform()], 0, [1, 2], cache_size=c),
    lambda c: D.StackTransform([D.ExpTransform()] * 3, 0, cache_size=c),
    lambda c: D.CumulativeDistributionTransform(D.Normal(0., 1.), cache_size=c), lambda c: D.StickBreakingTransform(cache_size=c),
    lambda c: D.CorrCholeskyTransform(cache_size=c),
]


@pytest.mark.parametrize("make", TRANSFORMS)
def test_transforms_with_a_cache(make):
    plain, x = make(0), torch.tensor([.2, .5, .7])
    cached = plain.with_cache(1)
    assert type(cached) is type(plain) and cached._cache_size == 1 and plain.with_cache(0) is plain and cached.with_cache(1) is cached
    y = cached(x)
    assert torch.allclose(y, plain(x)) and torch.allclose(cached.inv(y), x, atol=1e-5)
    if not isinstance(plain, (D.CatTransform, D.StackTransform)):
        assert cached.inv(y) is x
    assert cached.inv.inv is cached and plain.inv.with_cache(1)._cache_size == 1
    assert type(pickle.loads(pickle.dumps(cached)).inv) is type(copy.deepcopy(plain).inv)


def test_an_inverse_is_one_object():
    for plain in [make(0) for make in TRANSFORMS]:
        assert plain.inv is plain.inv and plain.inv.inv is plain
    assert repr(D.ExpTransform().inv) == "_InverseTransform(ExpTransform())"

    class Mine(D.Transform):
        def __init__(self, a):
            super().__init__()
    with pytest.raises(NotImplementedError, match="Mine'>.with_cache is not implemented"):
        Mine(1).with_cache(1)


def test_dims_of_composed_transforms():
    first = D.ComposeTransform([D.AffineTransform(0., 1.), D.StickBreakingTransform()])
    last = D.ComposeTransform([D.StickBreakingTransform(), D.AffineTransform(0., 1.)])
    assert first.domain.event_dim == first.codomain.event_dim == last.domain.event_dim == last.codomain.event_dim == 1
    x = torch.tensor([[.3, -1.2], [2., .4]])
    assert first.log_abs_det_jacobian(x, first(x)).shape == (2,)
    assert last.log_abs_det_jacobian(x, last(x)).shape == (2,)
    for both in D.CorrCholeskyTransform(), D.ReshapeTransform((2,), (1, 2)):
        with pytest.raises(ValueError, match=".domain.event_dim or .codomain.event_dim"):
            both.event_dim
    for without in D.StickBreakingTransform(), D.AbsTransform(), D.ReshapeTransform((2,), (1, 2)):
        with pytest.raises(NotImplementedError):
            without.sign
    with pytest.raises(ValueError, match="Too few dimensions"):
        D.IndependentTransform(D.ExpTransform(), 1)(torch.tensor(1.))


def test_slope_of_an_affine_transform_of_vectors():
    """A scale with one element contributes once for each element of the vector."""
    x = torch.randn(4, 3)
    for scale in (2., torch.tensor(2.), torch.tensor([2.]), torch.full((3,), 2.)):
        f = D.AffineTransform(torch.zeros(3), scale, event_dim=1)
        assert torch.allclose(f.log_abs_det_jacobian(x, f(x)), torch.full((4,), 3 * math.log(2)))


def test_transformed_distributions_broadcast_their_base():
    torch.manual_seed(0)
    made = D.TransformedDistribution(D.Normal(torch.zeros(2, 1), 1.), [D.AffineTransform(torch.zeros(3), 1.)])
    assert made.batch_shape == (2, 3) and made.sample().unique().numel() == 6
    made = D.TransformedDistribution(D.Normal(0., 1.), [D.AffineTransform(torch.zeros(3), 1.)])
    assert made.rsample((2,)).shape == (2, 3) and made.expand((4, 3)).sample().unique().numel() == 12
    made = D.TransformedDistribution(D.Normal(torch.zeros(1), 1.), [D.AffineTransform(torch.zeros(3), 1., event_dim=1)])
    assert made.event_shape == (3,) and made.batch_shape == () and made.log_prob(made.sample()).shape == ()
    made = D.TransformedDistribution(D.Normal(torch.zeros(2, 1), 1.), [D.PowerTransform(torch.ones(3))])
    assert made.batch_shape == (2, 3)
    with pytest.raises(ValueError, match=r"size at least 1, but got torch.Size\(\[\]\)"):
        D.TransformedDistribution(D.Normal(0., 1.), D.StickBreakingTransform())
    with pytest.raises(ValueError, match="transforms must be a Transform or list, but was 3"):
        D.TransformedDistribution(D.Normal(0., 1.), 3)


def test_registered_transforms():
    assert D.biject_to(constraints.less_than(2.))(torch.tensor(0.)).item() == 1
    assert D.transform_to(constraints.positive_definite)(torch.zeros(2, 2)).equal(torch.eye(2))
    with pytest.raises(NotImplementedError, match="Cannot transform _LowerCholesky constraints"):
        D.biject_to(constraints.lower_cholesky)
    import corten.distributions.transforms as T
    assert {"CatTransform", "StickBreakingTransform", "ReshapeTransform"} <= set(T.__all__) and "CorrCholeskyTransform" in D.__all__


# ---- invalid parameters: which check comes first ----

@pytest.mark.parametrize("make,kind,message", [
    (lambda: D.StudentT(t(0., 1.)), ValueError, r"Expected parameter df \(Tensor of shape \(2,\)\) of distribution Chi2\(\)"),
    (lambda: D.FisherSnedecor(t(-1., 1.), t(2., 2.)), ValueError, r"Expected parameter concentration .* of distribution Gamma\("),
    (lambda: D.LowRankMultivariateNormal(t(0., 0.), torch.zeros(2, 1).double(), t(-1., 1.)), ValueError, "Expected parameter cov_diag"),
    (lambda: D.LowRankMultivariateNormal(t(0., 0.), torch.eye(2).double(), t(-.5, 1.)), torch.linalg.LinAlgError, "not positive-definite"),
    (lambda: D.Wishart(t(5.), -torch.eye(2).double()), ValueError, r"Expected parameter covariance_matrix .* of distribution Wishart\("),
    (lambda: D.Wishart(t(math.nan), torch.eye(2).double()), ValueError, r"Expected parameter df .* of distribution Wishart\("),
    (lambda: D.ContinuousBernoulli(t(2.), validate_args=True), ValueError, "^The parameter probs has invalid values$"),
    (lambda: D.ContinuousBernoulli(t(2.), validate_args=False), ValueError, "^The parameter probs has invalid values$"),
])
def test_what_is_said_of_bad_parameters(make, kind, message):
    with pytest.raises(kind, match=message):
        make()


def test_continuous_bernoulli_clamps_what_it_is_not_told_to_check():
    assert D.ContinuousBernoulli(t(2., -1.)).probs.tolist() == pytest.approx([1., 0.])
    assert D.ContinuousBernoulli(2.).batch_shape == ()

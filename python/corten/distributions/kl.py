# SPDX-License-Identifier: BSD-3-Clause
"""The Kullback-Leibler divergence, by the pair of classes of two distributions; kl_pairs.py has pairs of different families."""

from .. import arange, inf, linalg, mvlgamma
from ..autograd import grad
from .continuous import Cauchy, Exponential, Laplace, Normal, Uniform
from .derived import Gumbel, HalfNormal, Independent, LogNormal, Pareto, TransformedDistribution, sum_rightmost
from .derived import euler_gamma
from .discrete import Bernoulli, Binomial, Categorical, Geometric, OneHotCategorical, Poisson
from .bounded import ContinuousBernoulli
from .distribution import ExponentialFamily
from .gamma import Beta, Dirichlet, Gamma
from .matrices import LowRankMultivariateNormal, Wishart
from .multivariate import MultivariateNormal

__all__ = ["kl_divergence", "register_kl"]

_found, _by_pair = {}, {}
_KL_REGISTRY = _by_pair  # libraries read it by this name


def register_kl(type_p, type_q):
    """Decorate a function(p, q) as the KL divergence for a pair of distribution classes, and their subclasses.

    Args:
        type_p: the class of p.
        type_q: the class of q.
    """
    def decorator(function):
        _by_pair[type_p, type_q] = function
        _found.clear()
        return function
    return decorator


def _look_up(p, q):
    pairs = [(a, b) for a, b in _by_pair if issubclass(p, a) and issubclass(q, b)]
    if not pairs:
        return None
    return _by_pair[min(pairs, key=lambda pair: (p.__mro__.index(pair[0]), q.__mro__.index(pair[1])))]


def kl_divergence(p, q):
    """Return the Kullback-Leibler divergence KL(p || q) = E_p[log p(x) - log q(x)], of shape batch_shape.

    It is 0 if p = q, otherwise positive, and inf if p has values outside the support of q. It is not symmetric.

    Args:
        p, q: two distributions. A pair of classes without a formula raises NotImplementedError; see register_kl.

        >>> from corten.distributions import Normal, kl_divergence
        >>> kl_divergence(Normal(torch.tensor(0.), 1.), Normal(torch.tensor([0., 2.]), 1.))  # (mean difference)^2 / 2
        tensor([0., 2.])
    """
    key = type(p), type(q)
    if key not in _found:
        _found[key] = _look_up(*key)
    if _found[key] is None:
        raise NotImplementedError(f"No KL(p || q) is implemented for p type {p.__class__.__name__} and q type {q.__class__.__name__}")
    return _found[key](p, q)


@register_kl(Normal, Normal)
def _normal(p, q):
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p, q):
    first = p.probs * (p.probs / q.probs).log()
    first[q.probs == 0] = inf
    first[p.probs == 0] = 0
    second = (1 - p.probs) * ((1 - p.probs) / (1 - q.probs)).log()
    second[q.probs == 1] = inf
    second[p.probs == 1] = 0
    return first + second


@register_kl(Binomial, Binomial)
def _binomial(p, q):
    if bool((p.total_count < q.total_count).any()):
        raise NotImplementedError("KL between Binomials where q.total_count > p.total_count is not implemented")
    found = p.total_count * (p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p())
    found[p.total_count > q.total_count] = inf
    return found


@register_kl(Categorical, Categorical)
def _categorical(p, q):
    t = p.probs * (p.logits - q.logits)
    t[(q.probs == 0).expand_as(t)] = inf
    t[(p.probs == 0).expand_as(t)] = 0
    return t.sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot(p, q):
    return _categorical(p._categorical, q._categorical)


@register_kl(Exponential, Exponential)
def _exponential(p, q):
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Geometric, Geometric)
def _geometric(p, q):
    return -p.entropy() - (-q.probs).log1p() / p.probs - q.logits


@register_kl(Gumbel, Gumbel)
def _gumbel(p, q):
    a, b, c = p.scale / q.scale, q.loc / q.scale, p.loc / q.scale
    return q.scale.log() - p.scale.log() - b + c + a * euler_gamma + (b + (1 + a).lgamma() - c).exp() - (1 + euler_gamma)


@register_kl(HalfNormal, HalfNormal)
def _half_normal(p, q):
    return _normal(p.base_dist, q.base_dist)


@register_kl(Laplace, Laplace)
def _laplace(p, q):
    ratio, apart = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + apart / q.scale + ratio * (-apart / p.scale).exp() - 1


@register_kl(Cauchy, Cauchy)
def _cauchy(p, q):
    return (((p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)) / (4 * p.scale * q.scale)).log()


@register_kl(Pareto, Pareto)
def _pareto(p, q):
    ratio, power = p.scale / q.scale, q.alpha / p.alpha
    found = q.alpha * ratio.log() - power.log() + power - 1
    found[p.support.lower_bound < q.support.lower_bound] = inf
    return found


@register_kl(Poisson, Poisson)
def _poisson(p, q):
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Uniform, Uniform)
def _uniform(p, q):
    found = ((q.high - q.low) / (p.high - p.low)).log()
    found[(q.low > p.low) | (q.high < p.high)] = inf
    return found


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate(p, q):
    if p.event_shape != q.event_shape:
        raise ValueError("KL-divergence between two Multivariate Normals with different event shapes cannot be computed")
    trace = linalg.solve_triangular(q.scale_tril, p.scale_tril, upper=False).pow(2).sum((-2, -1))
    distance = linalg.solve_triangular(q.scale_tril, (q.loc - p.loc).unsqueeze(-1), upper=False).squeeze(-1).pow(2).sum(-1)
    return q._half_log_det() - p._half_log_det() + 0.5 * (trace + distance - p.event_shape[0])


@register_kl(LogNormal, LogNormal)
def _log_normal(p, q):
    return _normal(p.base_dist, q.base_dist)


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p, q):
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(ExponentialFamily, ExponentialFamily)
def _exponential_family(p, q):
    """Compute the KL divergence as the Bregman divergence of log-normalizers, for classes without a formula."""
    if type(p) is not type(q):
        raise NotImplementedError("The cross KL-divergence between different exponential families cannot" + " " * 29 +  # as in PyTorch
                                  "be computed using Bregman divergences")
    natural = [x.detach().requires_grad_() for x in p._natural_params]
    normalizer = p._log_normalizer(*natural)
    found = q._log_normalizer(*q._natural_params) - normalizer
    for x, y, slope in zip(natural, q._natural_params, grad(normalizer.sum(), natural, create_graph=True)):
        found = found - sum_rightmost((y - x) * slope, len(q.event_shape))
    return found


@register_kl(Independent, Independent)
def _independent(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


# ---- of gamma's family ----

@register_kl(Gamma, Gamma)
def _gamma(p, q):
    return (q.concentration * (p.rate / q.rate).log() + q.concentration.lgamma() - p.concentration.lgamma()
            + (p.concentration - q.concentration) * p.concentration.digamma() + (q.rate - p.rate) * (p.concentration / p.rate))


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p, q):
    total = p.concentration.sum(-1)
    first = total.lgamma() - q.concentration.sum(-1).lgamma()
    second = (p.concentration.lgamma() - q.concentration.lgamma()).sum(-1)
    slopes = p.concentration.digamma() - total.digamma().unsqueeze(-1)
    return first - second + ((p.concentration - q.concentration) * slopes).sum(-1)


@register_kl(Beta, Beta)
def _beta(p, q):
    return _dirichlet(p._dirichlet, q._dirichlet)


@register_kl(Exponential, Gamma)
def _exponential_gamma(p, q):
    ratio = q.rate / p.rate
    return -q.concentration * ratio.log() + ratio + q.concentration.lgamma() + q.concentration * euler_gamma - (1 + euler_gamma)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p, q):
    first = p.mean * (p.logits - q.logits)
    second = p._log_norm() + (-p.probs).log1p()
    return first + second - q._log_norm() - (-q.probs).log1p()


# ---- of normal vectors with few factors ----

def _normal_vectors(p, q):
    """Compute with full matrices if one of the two has a low-rank covariance."""
    if p.event_shape != q.event_shape:
        raise ValueError("KL-divergence between two Multivariate Normals with different event shapes cannot be computed")
    return _multivariate(MultivariateNormal(p.loc, scale_tril=p.scale_tril), MultivariateNormal(q.loc, scale_tril=q.scale_tril))


for _p, _q in ((LowRankMultivariateNormal, LowRankMultivariateNormal), (LowRankMultivariateNormal, MultivariateNormal),
               (MultivariateNormal, LowRankMultivariateNormal)):
    register_kl(_p, _q)(_normal_vectors)


@register_kl(Wishart, Wishart)
def _wishart(p, q):
    n = p._event_shape[-1]
    places = (p.df.unsqueeze(-1) - arange(n, dtype=p.df.dtype, device=p.df.device)) / 2
    trace = linalg.solve_triangular(q.scale_tril, p.scale_tril, upper=False).pow(2).sum((-2, -1))
    log_ratio = (p.scale_tril.diagonal(dim1=-2, dim2=-1).log() - q.scale_tril.diagonal(dim1=-2, dim2=-1).log()).sum(-1)
    return (mvlgamma(q.df / 2, n) - mvlgamma(p.df / 2, n) + (p.df - q.df) / 2 * places.digamma().sum(-1) - q.df * log_ratio
            + p.df / 2 * (trace - n))

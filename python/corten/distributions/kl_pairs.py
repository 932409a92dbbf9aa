# SPDX-License-Identifier: BSD-3-Clause
"""Divergences between two different families: kl(p, q) = -entropy(p) - E_p[log q(x)].

E_p[log q(x)] follows from a few means under p: those of x, x^2, log x, log(1 - x) and exp(-x / scale). This file
therefore has the means of each p in closed form, and for each q its cross entropy in terms of them. If p has values
outside the support of q, the divergence is infinite.
"""
import math

from .. import erf, full_like, inf, special, where
from .bounded import ContinuousBernoulli
from .continuous import Exponential, Laplace, Normal, Uniform
from .derived import Gumbel, Pareto
from .discrete import Bernoulli, Binomial, Poisson
from .gamma import Beta, Gamma
from .kl import register_kl

__all__ = []


# ---- means under p ----

def _mean_log(p):
    """Return E[log x]."""
    if isinstance(p, Beta):
        return p.concentration1.digamma() - (p.concentration1 + p.concentration0).digamma()
    if isinstance(p, Pareto):
        return p.scale.log() + p.alpha.reciprocal()
    return (special.xlogy(p.high, p.high) - special.xlogy(p.low, p.low)) / (p.high - p.low) - 1  # Uniform


def _mean_log_rest(p):
    """Return E[log(1 - x)] of a Uniform."""
    above, below = 1 - p.high, 1 - p.low
    return (special.xlogy(below, below) - special.xlogy(above, above)) / (p.high - p.low) - 1


def _mean_exp(p, scale):
    """Return E[exp(-x / scale)], the moment generating function at -1 / scale."""
    if isinstance(p, Exponential):
        return p.rate * scale / (p.rate * scale + 1)
    if isinstance(p, Gamma):
        return (p.rate * scale / (p.rate * scale + 1)).pow(p.concentration)
    if isinstance(p, Normal):
        return (0.5 * (p.scale / scale).pow(2) - p.loc / scale).exp()
    return scale * ((-p.low / scale).exp() - (-p.high / scale).exp()) / (p.high - p.low)  # Uniform


# ---- cross entropies -E_p[log q(x)] ----

def _cross_normal(p, q):
    spread = q.scale.pow(2)
    return 0.5 * (2 * math.pi * spread).log() + 0.5 * (p.variance + (p.mean - q.loc).pow(2)) / spread


def _cross_exponential(p, q):
    return q.rate * p.mean - q.rate.log()


def _cross_gamma(p, q):
    return (q.concentration.lgamma() - q.concentration * q.rate.log() - (q.concentration - 1) * _mean_log(p)
            + q.rate * p.mean)


def _cross_gumbel(p, q):
    return q.scale.log() + (p.mean - q.loc) / q.scale + (q.loc / q.scale).exp() * _mean_exp(p, q.scale)


def _cross_laplace(p, q):
    """Return the cross entropy with a normal p; `mean` below is E_p|x - loc|."""
    apart, root = p.loc - q.loc, math.sqrt(2) * p.scale
    mean = root / math.sqrt(math.pi) * (-(apart / root).pow(2)).exp() + apart * erf(apart / root)
    return (2 * q.scale).log() + mean / q.scale


def _cross_beta(p, q):
    a, b = q.concentration1, q.concentration0
    return a.lgamma() + b.lgamma() - (a + b).lgamma() - (a - 1) * _mean_log(p) - (b - 1) * _mean_log_rest(p)


def _cross_continuous_bernoulli(p, q):
    return -p.mean * q.logits - (-q.probs).log1p() - q._log_norm()


def _cross_pareto(p, q):
    return (q.alpha + 1) * _mean_log(p) - q.alpha.log() - q.alpha * q.scale.log()


def _cross_uniform(p, q):
    return (q.high - q.low).log() + 0 * p.mean


def _cross_poisson(p, q):
    """Return the cross entropy with a Bernoulli p, whose values 0 and 1 have the factorial 1."""
    return q.rate - p.probs * q.rate.log()


# ---- where p has values outside the support of q ----

def _outside(p, q):
    if isinstance(p, Pareto):  # its mean is infinite for alpha <= 1, its variance for alpha <= 2
        return p.alpha <= (2 if isinstance(q, Normal) else 1)
    if isinstance(q, Uniform):
        return (q.low > 0) | (q.high < 1)  # p has values between 0 and 1
    if isinstance(p, Uniform):
        if isinstance(q, (Beta, ContinuousBernoulli)):
            return (p.low < 0) | (p.high > 1)
        if isinstance(q, Pareto):
            return p.low < q.scale
        if isinstance(q, (Exponential, Gamma)):
            return p.low < 0
    return None


def _by(cross):
    def divergence(p, q):
        outside = _outside(p, q)
        if isinstance(p, Pareto) and outside is not None:  # avoid infinite moments, which would make gradients NaN
            p = Pareto(p.scale, where(outside, 3, p.alpha), validate_args=False)
        found = cross(p, q) - p.entropy()
        return found if outside is None else where(outside, inf, found)
    return divergence


def _infinite(p, q):
    """Return inf in the shape of p's parameters, because p always has values outside the support of q."""
    params = [getattr(p, name) for name in p.arg_constraints if name in vars(p)]
    return full_like(params[0] if params else p.mean, inf)


_FINITE = {
    Normal: (_cross_normal, (Beta, ContinuousBernoulli, Exponential, Gamma, Gumbel, Laplace, Pareto, Uniform)),
    Exponential: (_cross_exponential, (Beta, ContinuousBernoulli, Gamma, Pareto, Uniform)),
    Gamma: (_cross_gamma, (Beta, Pareto, Uniform)),
    Gumbel: (_cross_gumbel, (Exponential, Gamma, Normal, Uniform)),
    Laplace: (_cross_laplace, (Normal,)),
    Beta: (_cross_beta, (Uniform,)),
    ContinuousBernoulli: (_cross_continuous_bernoulli, (Beta, Uniform)),
    Pareto: (_cross_pareto, (Uniform,)),
    Uniform: (_cross_uniform, (Beta, ContinuousBernoulli)),
    Poisson: (_cross_poisson, (Bernoulli,)),
}
_INFINITE = {
    Beta: (Exponential, Gamma, Gumbel, Laplace, Normal, Pareto),
    ContinuousBernoulli: (Exponential, Gamma, Gumbel, Laplace, Normal, Pareto),
    Exponential: (Gumbel, Laplace, Normal),
    Gamma: (Gumbel, Laplace, Normal),
    Pareto: (Beta, ContinuousBernoulli, Exponential, Gamma, Gumbel, Laplace, Normal),
    Uniform: (Exponential, Gamma, Gumbel, Laplace, Normal, Pareto),
    Bernoulli: (Poisson,), Binomial: (Poisson,),
}
for _q, (_cross, _ps) in _FINITE.items():
    for _p in _ps:
        register_kl(_p, _q)(_by(_cross))
for _q, _ps in _INFINITE.items():
    for _p in _ps:
        register_kl(_p, _q)(_infinite)

# SPDX-License-Identifier: BSD-3-Clause
"""Distributions: samples in PyTorch's stream of random numbers, probabilities, entropies, divergences."""
from . import bijections, constraints, transforms
from .bijections import *  # noqa: F401,F403
from .bijections import biject_to, transform_to
from .bounded import (ContinuousBernoulli, GeneralizedPareto, Kumaraswamy, LogisticNormal, RelaxedBernoulli,
                      RelaxedOneHotCategorical, VonMises)
from .continuous import Cauchy, Exponential, Laplace, Normal, Uniform
from .derived import (Gumbel, HalfCauchy, HalfNormal, Independent, LogNormal, MixtureSameFamily, Pareto, TransformedDistribution,
                      Weibull)
from .discrete import Bernoulli, Binomial, Categorical, Geometric, OneHotCategorical, OneHotCategoricalStraightThrough, Poisson
from .distribution import Distribution, ExponentialFamily
from .gamma import Beta, Chi2, Dirichlet, FisherSnedecor, Gamma, InverseGamma, NegativeBinomial, StudentT
from .kl import kl_divergence, register_kl
from .matrices import LKJCholesky, LowRankMultivariateNormal, Wishart
from .multivariate import Multinomial, MultivariateNormal
from .transforms import *  # noqa: F401,F403

__all__ = ["Beta", "Chi2", "ContinuousBernoulli", "Dirichlet", "ExponentialFamily", "FisherSnedecor", "Gamma", "GeneralizedPareto",
           "InverseGamma", "Kumaraswamy", "LKJCholesky", "LogisticNormal", "LowRankMultivariateNormal", "NegativeBinomial",
           "RelaxedBernoulli", "RelaxedOneHotCategorical", "StudentT", "VonMises", "Wishart", "biject_to", "transform_to",
           "Bernoulli", "Binomial", "Categorical", "Cauchy", "Distribution", "Exponential", "Geometric", "Gumbel", "HalfCauchy",
           "HalfNormal", "Independent", "Laplace", "LogNormal", "MixtureSameFamily", "Multinomial", "MultivariateNormal", "Normal",
           "OneHotCategorical", "OneHotCategoricalStraightThrough", "Pareto", "Poisson", "TransformedDistribution", "Uniform",
           "Weibull", "constraints", "kl_divergence", "register_kl", "transforms", *transforms.__all__]

for _name in bijections.__all__:  # noqa: F405  where PyTorch has them
    setattr(transforms, _name, globals()[_name])

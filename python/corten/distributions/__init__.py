# SPDX-License-Identifier: BSD-3-Clause
"""Distributions: samples in PyTorch's stream of random numbers, probabilities, entropies, divergences."""
from . import constraints, transforms
from .continuous import Cauchy, Exponential, Laplace, Normal, Uniform
from .derived import (Gumbel, HalfCauchy, HalfNormal, Independent, LogNormal, MixtureSameFamily, Pareto, TransformedDistribution,
                      Weibull)
from .discrete import Bernoulli, Binomial, Categorical, Geometric, OneHotCategorical, OneHotCategoricalStraightThrough, Poisson
from .distribution import Distribution
from .kl import kl_divergence, register_kl
from .multivariate import Multinomial, MultivariateNormal
from .transforms import *  # noqa: F401,F403

__all__ = ["Bernoulli", "Binomial", "Categorical", "Cauchy", "Distribution", "Exponential", "Geometric", "Gumbel", "HalfCauchy",
           "HalfNormal", "Independent", "Laplace", "LogNormal", "MixtureSameFamily", "Multinomial", "MultivariateNormal", "Normal",
           "OneHotCategorical", "OneHotCategoricalStraightThrough", "Pareto", "Poisson", "TransformedDistribution", "Uniform",
           "Weibull", "constraints", "kl_divergence", "register_kl", "transforms", *transforms.__all__]

# SPDX-License-Identifier: BSD-3-Clause
"""Probability distributions: samples, log-densities, entropies, KL divergences, and transforms between sets of values.

Samples use PyTorch's stream of random numbers, so they are equal for equal seeds.
"""
import re as _re
import sys as _sys
import types as _types

from . import bijections, constraints, transforms
from .bijections import *  # noqa: F401,F403
from .bijections import biject_to, transform_to
from .bounded import (ContinuousBernoulli, ExpRelaxedCategorical, GeneralizedPareto, Kumaraswamy, LogisticNormal,
                      LogitRelaxedBernoulli, RelaxedBernoulli, RelaxedOneHotCategorical, VonMises)
from .continuous import Cauchy, Exponential, Laplace, Normal, Uniform
from .derived import (Gumbel, HalfCauchy, HalfNormal, Independent, LogNormal, MixtureSameFamily, Pareto, TransformedDistribution,
                      Weibull)
from .discrete import Bernoulli, Binomial, Categorical, Geometric, OneHotCategorical, OneHotCategoricalStraightThrough, Poisson
from .distribution import Distribution, ExponentialFamily
from .gamma import Beta, Chi2, Dirichlet, FisherSnedecor, Gamma, InverseGamma, NegativeBinomial, StudentT
from .kl import kl_divergence, register_kl
from . import kl_pairs as _kl_pairs  # noqa: F401  registers divergences
from .matrices import LKJCholesky, LowRankMultivariateNormal, Wishart
from .multivariate import Multinomial, MultivariateNormal
from .transforms import *  # noqa: F401,F403

for _name in bijections.__all__:  # noqa: F405  PyTorch has them in transforms
    setattr(transforms, _name, globals()[_name])
    if _name not in ("biject_to", "transform_to"):
        transforms.__all__.append(_name)

__all__ = ["Beta", "Chi2", "ContinuousBernoulli", "Dirichlet", "ExponentialFamily", "FisherSnedecor", "Gamma", "GeneralizedPareto",
           "InverseGamma", "Kumaraswamy", "LKJCholesky", "LogisticNormal", "LowRankMultivariateNormal", "NegativeBinomial",
           "RelaxedBernoulli", "RelaxedOneHotCategorical", "StudentT", "VonMises", "Wishart", "biject_to", "transform_to",
           "Bernoulli", "Binomial", "Categorical", "Cauchy", "Distribution", "Exponential", "Geometric", "Gumbel", "HalfCauchy",
           "HalfNormal", "Independent", "Laplace", "LogNormal", "MixtureSameFamily", "Multinomial", "MultivariateNormal", "Normal",
           "OneHotCategorical", "OneHotCategoricalStraightThrough", "Pareto", "Poisson", "TransformedDistribution", "Uniform",
           "Weibull", "kl_divergence", "register_kl", *transforms.__all__]


# PyTorch has a module for each distribution, and programs import from them: {module: its members}.
_FILES = {"constraint_registry": (bijections.ConstraintRegistry, biject_to, transform_to)}
_ODD = {"FisherSnedecor": "fishersnedecor", "LowRankMultivariateNormal": "lowrank_multivariate_normal", "StudentT": "studentT",
        "LKJCholesky": "lkj_cholesky", "ExponentialFamily": "exp_family", "RelaxedOneHotCategorical": "relaxed_categorical",
        "OneHotCategoricalStraightThrough": "one_hot_categorical"}
for _class in [globals()[_n] for _n in __all__ if isinstance(globals()[_n], type) and issubclass(globals()[_n], Distribution)]:
    _file = _ODD.get(_class.__name__) or _re.sub(r"(?<!^)(?=[A-Z])", "_", _class.__name__).lower()
    _FILES[_file] = (*_FILES.get(_file, ()), _class)
_FILES["relaxed_categorical"] += (ExpRelaxedCategorical,)
_FILES["relaxed_bernoulli"] += (LogitRelaxedBernoulli,)
for _file, _members in _FILES.items():
    _path = f"{__name__}.{_file}"
    if _path not in _sys.modules:
        _sys.modules[_path] = _module = _types.ModuleType(_path, "The module of PyTorch; see corten.distributions.")
        globals()[_file] = _module
        _module.Distribution, _module.__all__ = Distribution, []  # PyTorch's files all import it
        for _member in _members:
            _name = _member.__name__ if isinstance(_member, type) else "biject_to" if _member is biject_to else "transform_to"
            setattr(_module, _name, _member)
            _module.__all__.append(_name)
for _name in ("_batch_mahalanobis", "_batch_mv", "_precision_to_scale_tril"):  # libraries import them from that module
    if hasattr(multivariate, _name):
        setattr(_sys.modules[f"{__name__}.multivariate_normal"], _name, getattr(multivariate, _name))


from .._parts import parts_of  # noqa: E402

__getattr__ = parts_of(__name__)

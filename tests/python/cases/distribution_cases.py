# SPDX-License-Identifier: BSD-3-Clause
"""Cases of torch.distributions: samples for a fixed seed, densities, moments, entropies, gradients of samples, divergences
of pairs, transforms. test_distribution_facts.py compares Corten's results with PyTorch's, which `make record` writes to
tests/recorded/python/distribution.json.gz."""


def cases(torch):
    D, t = torch.distributions, torch.tensor
    a, b, k = t([0.7, 2.5]), t([1.5, 0.4]), t([[1.2, 0.6, 3.0], [0.3, 5.0, 9.0]])
    cov = t([[1.5, 0.3, 0.1], [0.3, 0.8, -0.2], [0.1, -0.2, 2.0]])
    p = t([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
    loc3 = t([0.1, -0.4, 1.0])
    return {
        "Gamma": lambda: D.Gamma(a, b), "Beta": lambda: D.Beta(a, b), "Beta large": lambda: D.Beta(t([12.0, 7.5]), t([9.0, 20.0])),
        "Dirichlet": lambda: D.Dirichlet(k), "Chi2": lambda: D.Chi2(a * 3), "StudentT": lambda: D.StudentT(a * 4, b, a),
        "FisherSnedecor": lambda: D.FisherSnedecor(a * 5, b * 12), "InverseGamma": lambda: D.InverseGamma(a + 2, b),
        "NegativeBinomial": lambda: D.NegativeBinomial(t([3.0, 7.0]), t([0.3, 0.6])), "Gamma large": lambda: D.Gamma(a * 20, b),
        "Kumaraswamy": lambda: D.Kumaraswamy(a + 1, b), "ContinuousBernoulli": lambda: D.ContinuousBernoulli(t([0.2, 0.5003])),
        "GeneralizedPareto": lambda: D.GeneralizedPareto(t([0.5, -1.0]), a, t([0.2, 0.0])), "VonMises": lambda: D.VonMises(t([0.4, -2.0]), a),
        "RelaxedBernoulli": lambda: D.RelaxedBernoulli(t([0.7]), t([0.3, 0.8])),
        "RelaxedOneHotCategorical": lambda: D.RelaxedOneHotCategorical(t([0.7]), p), "LogisticNormal": lambda: D.LogisticNormal(loc3, b[0] + 0 * loc3),
        "LKJCholesky": lambda: D.LKJCholesky(3, t([0.8, 2.0])), "Wishart": lambda: D.Wishart(t([4.5]), covariance_matrix=cov),
        "LowRankMultivariateNormal": lambda: D.LowRankMultivariateNormal(loc3, t([[1.0, 0.2], [0.4, -1.0], [0.0, 0.7]]), t([0.5, 1.5, 0.3])),
        "MultivariateNormal": lambda: D.MultivariateNormal(loc3, cov), "Normal": lambda: D.Normal(a, b), "Laplace": lambda: D.Laplace(a, b),
        "Gumbel": lambda: D.Gumbel(a, b), "Weibull": lambda: D.Weibull(a, b + 1), "Pareto": lambda: D.Pareto(a, b + 3), "Poisson": lambda: D.Poisson(a * 5),
        "HalfNormal": lambda: D.HalfNormal(b), "HalfCauchy": lambda: D.HalfCauchy(b), "LogNormal": lambda: D.LogNormal(a, b / 2),
        "Binomial": lambda: D.Binomial(7, t([0.3, 0.6])), "Geometric": lambda: D.Geometric(t([0.3, 0.6])), "Multinomial": lambda: D.Multinomial(5, p),
        "Independent": lambda: D.Independent(D.Gamma(a, b), 1),
        "Mixture": lambda: D.MixtureSameFamily(D.Categorical(t([0.3, 0.7])), D.Gamma(a, b)),
    }


def pairs(torch):
    D, t = torch.distributions, torch.tensor
    a, b = t([0.7, 2.5]), t([1.5, 0.4])
    cov, loc = t([[1.5, 0.3], [0.3, 0.8]]), t([0.1, -0.4])
    low = D.LowRankMultivariateNormal(loc, t([[1.0], [0.4]]), t([0.5, 1.5]))
    return {
        "Gamma": (D.Gamma(a, b), D.Gamma(b, a)), "Beta": (D.Beta(a, b), D.Beta(b, a)), "Dirichlet": (D.Dirichlet(a), D.Dirichlet(b)),
        "Chi2": (D.Chi2(a), D.Chi2(b)), "ContinuousBernoulli": (D.ContinuousBernoulli(t([0.2])), D.ContinuousBernoulli(t([0.9]))),
        "Exponential Gamma": (D.Exponential(a), D.Gamma(a, b)), "Gamma Exponential": (D.Gamma(a, b), D.Exponential(b)),
        "Gamma Normal": (D.Gamma(a, b), D.Normal(a, b)), "low low": (low, D.LowRankMultivariateNormal(loc + 1, t([[0.3], [0.9]]), t([1.5, 0.7]))),
        "low full": (low, D.MultivariateNormal(loc, cov)), "full low": (D.MultivariateNormal(loc, cov), low),
        "Wishart": (D.Wishart(t(3.0), cov), D.Wishart(t(4.0), cov + 1)), "InverseGamma": (D.InverseGamma(a, b), D.InverseGamma(b, a)),
    }


def transforms(torch):
    D = torch.distributions
    x, m = torch.tensor([0.3, -1.2, 2.0]), torch.tensor([[0.5, 1.0], [-0.7, 0.2]])
    return {
        "StickBreaking": (D.StickBreakingTransform(), x), "CorrCholesky": (D.CorrCholeskyTransform(), x), "Softmax": (D.SoftmaxTransform(), x),
        "LowerCholesky": (D.LowerCholeskyTransform(), m), "PositiveDefinite": (D.PositiveDefiniteTransform(), m),
        "Reshape": (D.ReshapeTransform((3,), (1, 3)), x), "Cumulative": (D.CumulativeDistributionTransform(D.Normal(0.5, 2.0)), x),
        "Cat": (D.CatTransform([D.ExpTransform(), D.AffineTransform(1.0, 2.0)], 0, [1, 2]), x),
        "Stack": (D.StackTransform([D.ExpTransform(), D.TanhTransform()], 0), m),
        **{f"biject {n}": (D.biject_to(c), x) for n, c in (("positive", D.constraints.positive), ("interval", D.constraints.interval(-1.0, 3.0)),
                                                            ("simplex", D.constraints.simplex), ("less", D.constraints.less_than(2.0)))},
        "transform simplex": (D.transform_to(D.constraints.simplex), x),
    }


def plain(value):
    return value.detach().double().flatten().tolist()


def ask(function):
    """Returns the result as a list, or None if the distribution does not implement the method."""
    try:
        return plain(function())
    except NotImplementedError:
        return None


def facts(torch):
    found, D = {}, torch.distributions
    for name, make in cases(torch).items():
        made = make()
        torch.manual_seed(3)
        x = made.sample((3,))
        given = x.double().float() if not made.support.is_discrete else x
        found[name] = {"sample": plain(x), "shape": [list(made.batch_shape), list(made.event_shape)],
                       **{n: ask(lambda n=n: getattr(made, n)) for n in ("mean", "variance", "mode") if name != "Mixture" or n != "mode"},
                       "log_prob": plain(made.log_prob(given)), "entropy": ask(made.entropy), "cdf": ask(lambda: made.cdf(given)),
                       "expanded": list(made.expand((4,) + tuple(made.batch_shape)).sample((2,)).shape)}
    for name in ("Gamma", "Beta", "Beta large", "Dirichlet", "StudentT", "Gamma large", "RelaxedBernoulli"):
        made = cases(torch)[name]()
        base = made._dirichlet if hasattr(made, "_dirichlet") else made
        leaf = base.concentration if hasattr(base, "concentration") else base.df if hasattr(base, "df") else base.base_dist.probs
        leaf.requires_grad_()
        if name == "StudentT":
            made = D.StudentT(leaf, made.loc, made.scale)
        torch.manual_seed(4)
        y = made.rsample((50,))
        weight = torch.linspace(0.5, 1.5, y.numel()).view(y.shape)
        found[name]["rsample grad"] = plain(torch.autograd.grad((y * weight).sum(), leaf)[0])
    for name, (p, q) in pairs(torch).items():
        found[f"kl {name}"] = plain(D.kl_divergence(p, q))
    for name, (f, x) in transforms(torch).items():
        y = f(x)
        found[f"transform {name}"] = {"y": plain(y), "x": ask(lambda: f.inv(y)), "slope": ask(lambda: f.log_abs_det_jacobian(x, y))}
    return found

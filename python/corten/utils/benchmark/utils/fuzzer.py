# SPDX-License-Identifier: BSD-3-Clause
"""Random arguments for benchmarks."""
import functools
import itertools as it
import operator

import corten

__all__ = ["FuzzedParameter", "FuzzedTensor", "Fuzzer", "ParameterAlias", "dtype_size", "prod"]


def dtype_size(dtype):
    """Returns the size of an element in bytes."""
    return corten.empty((), dtype=dtype).element_size()


def prod(values, base=1):
    """Returns the product of `base` and all values."""
    return functools.reduce(operator.mul, values, base)


class ParameterAlias:
    """A value in a distribution that stands for the value of the parameter `alias_to`."""

    def __init__(self, alias_to):
        self.alias_to = alias_to

    def __repr__(self):
        return f"ParameterAlias[alias_to: {self.alias_to}]"


class FuzzedParameter:
    """A parameter that is drawn anew for each set of arguments.

    distribution: "uniform" or "loguniform" between minval and maxval, or {value: probability}. strict: whether the parameters
    that aliases name must come before this one in the Fuzzer.
    """

    def __init__(self, name, minval=None, maxval=None, distribution=None, strict=False):
        self._name, self._low, self._high, self.strict = name, minval, maxval, strict
        if isinstance(distribution, dict):
            if abs(sum(distribution.values()) - 1) > 1e-3:
                raise ValueError("Discrete distribution probabilities must sum to 1")
            self._distribution = dict(distribution)
        elif distribution in ("uniform", "loguniform"):
            if minval is None or maxval is None or (distribution == "loguniform" and minval <= 0):
                raise ValueError(f"FuzzedParameter({name!r}): {distribution} needs minval and maxval")
            self._distribution = distribution
        else:
            raise AssertionError(f"Unknown distribution: {distribution}")

    name = property(lambda self: self._name, doc="The name of the parameter.")

    def sample(self, state):
        """Draws a value with a numpy.random.RandomState."""
        if isinstance(self._distribution, dict):
            names = tuple(self._distribution)
            return names[state.choice(len(names), p=tuple(self._distribution.values()))]
        whole = isinstance(self._low, int) and isinstance(self._high, int)
        if self._distribution == "uniform":
            return int(state.randint(low=self._low, high=self._high + 1)) if whole else state.uniform(low=self._low, high=self._high)
        import math
        value = 2 ** state.uniform(low=math.log2(self._low), high=math.log2(self._high))
        return int(value) if whole else value


class FuzzedTensor:
    """A tensor whose size, steps and dtype are numbers or names of parameters.

    probability_contiguous: probability that the dimensions are not permuted. dim_parameter: name of the parameter that gives the
    number of dimensions. Sizes are redrawn until the tensor has min_elements to max_elements elements.
    """

    def __init__(self, name, size, steps=None, probability_contiguous=0.5, min_elements=None, max_elements=None,
                 max_allocation_bytes=None, dim_parameter=None, roll_parameter=None, dtype=corten.float32, cuda=False,
                 tensor_constructor=None):
        self._name, self._size, self._steps, self._contiguous = name, size, steps, probability_contiguous
        self._least, self._most, self._bytes = min_elements, max_elements, max_allocation_bytes
        self._dims, self._roll, self._dtype, self._cuda, self._make = dim_parameter, roll_parameter, dtype, cuda, tensor_constructor

    name = property(lambda self: self._name, doc="The name of the tensor.")

    def _numbers(self, values, params):
        dims = len(values) if self._dims is None else params[self._dims]
        return tuple(params.get(v, v) if isinstance(v, str) else v for v in values)[:dims]

    def _shape(self, params):
        size = self._numbers(self._size, params)
        steps = self._numbers(self._steps or (), params) or (1,) * len(size)
        steps = (steps + (1,) * len(size))[:len(size)]
        allocated = tuple(n * step for n, step in zip(size, steps))
        return size, steps, allocated

    def satisfies_constraints(self, params):
        """Returns whether a tensor of these parameters has an allowed number of elements."""
        size, _, allocated = self._shape(params)
        n, taken = prod(size), prod(allocated, dtype_size(self._dtype))
        return not ((self._most and n > self._most) or (self._least and n < self._least) or (self._bytes and taken > self._bytes))

    def _make_tensor(self, params, state):
        """Returns (tensor, dict of its properties)."""
        size, steps, allocated = self._shape(params)
        place = "cuda" if self._cuda else "cpu"
        if self._make is not None:
            raw = self._make(size=allocated, dtype=self._dtype, **params)
        elif self._dtype.is_floating_point or self._dtype.is_complex:
            raw = corten.rand(size=allocated, dtype=self._dtype, device=place)
        else:
            raw = corten.randint(1, 127, size=allocated, dtype=self._dtype, device=place)
        dims = len(size)
        order = tuple(range(dims))
        if state.rand() > self._contiguous:
            order = tuple(int(i) for i in state.permutation(dims))
            raw = raw.permute([order.index(i) for i in range(dims)]).contiguous().permute(order)
        if self._roll is not None:
            raw = raw.roll(params[self._roll], 0)
        tensor = raw[tuple(slice(0, n * step, step) for n, step in zip(size, steps))]
        facts = {"numel": int(tensor.numel()), "order": order, "steps": steps, "is_contiguous": tensor.is_contiguous(),
                 "dtype": str(self._dtype)}
        return tensor, facts


class Fuzzer:
    """Draws sets of arguments: `for tensors, tensor_facts, parameters in Fuzzer(parameters, tensors, seed=1).take(10)`.

    parameters, tensors: FuzzedParameter and FuzzedTensor objects, or lists of them. constraints: functions called with all
    parameters by name; a set is redrawn if one returns False.
    """

    def __init__(self, parameters, tensors, constraints=None, seed=None):
        import numpy
        self._parameters, self._tensors = (list(it.chain.from_iterable(p if isinstance(p, (list, tuple)) else (p,) for p in group))
                                           for group in (parameters, tensors))
        self._constraints = constraints or ()
        names = [p.name for p in (*self._parameters, *self._tensors)]
        again = sorted({n for n in names if names.count(n) > 1})
        if again:
            raise ValueError(f"Duplicate names: {', '.join(again)}")
        self._seed = int(numpy.random.RandomState().randint(0, 2**32 - 1, dtype=numpy.int64)) if seed is None else seed
        self._rejected = self._drawn = 0

    rejection_rate = property(lambda self: self._rejected / self._drawn if self._drawn else 0.0,
                              doc="The part of the sets that were drawn anew.")

    def take(self, n):
        """Yields `n` sets of (tensors by name, properties by name, parameters by name)."""
        import numpy
        state = numpy.random.RandomState(self._seed)
        corten.manual_seed(int(state.randint(0, 2**63, dtype=numpy.int64)))
        for _ in range(n):
            params = self._draw(state)
            made = {t.name: t._make_tensor(params, state) for t in self._tensors}
            yield {k: v[0] for k, v in made.items()}, {k: v[1] for k, v in made.items()}, params

    def _draw(self, state):
        for _ in range(1000):
            self._drawn += 1
            params = {}
            for parameter in self._parameters:
                params[parameter.name] = parameter.sample(state)
            for name, value in params.items():
                while isinstance(value, ParameterAlias):
                    value = params[value.alias_to]
                params[name] = value
            if all(c(params) for c in self._constraints) and all(t.satisfies_constraints(params) for t in self._tensors):
                return params
            self._rejected += 1
        raise ValueError("Failed to generate a set of valid parameters.")

# SPDX-License-Identifier: BSD-3-Clause
"""torch.nn.functional: layers, activations and losses as functions without state.

The library implements most of them directly (src/ops). The modules named `_activation`, `_loss`, `_norm` and so on add
arguments that need Python. This module collects both under PyTorch's names.
"""
from . import (
    _activation,
    _attention,
    _ctc,
    _dropout,
    _embedding,
    _grouped,
    _linear_cross_entropy,
    _loss,
    _norm,
    _pool,
    _resample,
)
from .._C import Tensor, _functional, _submodules, bilinear, sigmoid, tanh  # noqa: F401

_PARTS = (_activation, _attention, _ctc, _dropout, _embedding, _grouped, _linear_cross_entropy, _loss, _norm, _pool, _resample)
# These are built-in functions in PyTorch, too. The others are Python functions there, and libraries set attributes on them.
_BUILT_IN = {"adaptive_avg_pool1d", "avg_pool1d", "avg_pool2d", "avg_pool3d", "bilinear", "celu_", "channel_shuffle", "conv1d", "conv2d",
             "conv3d", "conv_tbc", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cosine_similarity", "elu_", "gelu",
             "hardshrink", "hardtanh_", "leaky_relu_", "linear", "logsigmoid", "one_hot", "pairwise_distance", "pdist", "pixel_shuffle",
             "pixel_unshuffle", "prelu", "relu_", "rrelu_", "scaled_dot_product_attention", "selu_", "softplus", "softshrink",
             "threshold_"}


def _with_attributes(name, function):
    """Return a built-in operation as a function that accepts attributes, as in `F.relu.mark = 1`."""
    return _functional(function, {"__name__": name, "__qualname__": name, "__module__": __name__, "__doc__": function.__doc__,
                                  "__wrapped__": function})


_rows = vars(_submodules["nn.functional"])
_rows.update({key: _with_attributes(key.removeprefix("nn_functional_"), row) for key, row in _rows.items()
              if key[0] != "_" and key.removeprefix("nn_functional_") not in _BUILT_IN})
sigmoid, tanh = _with_attributes("sigmoid", sigmoid), _with_attributes("tanh", tanh)
globals().update({name.removeprefix("nn_functional_"): value for name, value in _rows.items() if name[0] != "_"})
globals().update({name: getattr(part, name) for part in _PARTS for name in part.__all__})
__all__ = [name.removeprefix("nn_functional_") for name in vars(_submodules["nn.functional"]) if name[0] != "_"]
__all__ += [name for part in _PARTS for name in part.__all__ if name not in __all__]
__all__ += ["bilinear", "log_softmax", "sigmoid", "softmax", "softmin", "tanh"]


def _some_dim(name, ndim, stacklevel):
    """Return the default dimension of a softmax, with PyTorch's warning."""
    import warnings
    warnings.warn(f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an "
                  "argument.", stacklevel=stacklevel)
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    """Turn scores into probabilities: positive numbers that sum to 1 along a dimension.

        out[i] = exp(x[i]) / sum over j of exp(x[j])

    The largest element is subtracted first, so that large scores do not overflow. A score of -inf
    gets probability 0; if all scores are -inf the result is NaN. For a loss prefer `cross_entropy`
    on the scores.

    Args:
        input: a floating-point tensor of any shape.
        dim: the dimension along which the probabilities sum to 1. None guesses (0 for 0, 1 or 3
            dimensions, else 1) and warns that this is deprecated. Default: None.
        dtype: convert the input to this type first, for example float32 for half-precision scores.
            Default: None, no conversion.

    Example:
        >>> nn.functional.softmax(torch.tensor([[1., 2., 3.], [5., 5., -torch.inf]]), dim=1)
        tensor([[0.0900, 0.2447, 0.6652],
                [0.5000, 0.5000, 0.0000]])
    """
    if dim is None:
        dim = _some_dim("softmax", input.dim(), _stacklevel)
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """Take the logarithm of softmax, without underflow.

        out[i] = x[i] - log(sum over j of exp(x[j]))

    The result stays finite where probabilities would round to 0. Use it with `nll_loss`, or
    `cross_entropy` instead of both.

    Args:
        input: a floating-point tensor of any shape.
        dim: the dimension along which the probabilities sum to 1. None guesses (0 for 0, 1 or 3
            dimensions, else 1) and warns that this is deprecated. Default: None.
        dtype: convert the input to this type first, for example float32 for half-precision scores.
            Default: None, no conversion.

    Example:
        >>> nn.functional.log_softmax(torch.tensor([[1., 2., 3.], [0., 0., 1000.]]), dim=1)
        tensor([[-2.4076e+00, -1.4076e+00, -4.0761e-01],
                [-1.0000e+03, -1.0000e+03,  0.0000e+00]])
    """
    if dim is None:
        dim = _some_dim("log_softmax", input.dim(), _stacklevel)
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """Turn scores into probabilities that are largest for the smallest score: softmax of -x.

        out[i] = exp(-x[i]) / sum over j of exp(-x[j])

    Args:
        input: a floating-point tensor of any shape.
        dim: the dimension along which the probabilities sum to 1. None guesses (0 for 0, 1 or 3
            dimensions, else 1) and warns that this is deprecated. Default: None.
        dtype: convert the input to this type first, for example float32 for half-precision scores.
            Default: None, no conversion.

    Example:
        >>> nn.functional.softmin(torch.tensor([[1., 2., 3.]]), dim=1)
        tensor([[0.6652, 0.2447, 0.0900]])
    """
    if dim is None:
        dim = _some_dim("softmin", input.dim(), _stacklevel)
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)

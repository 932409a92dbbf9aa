# SPDX-License-Identifier: BSD-3-Clause
"""Functions of neural networks: the rows of the table that live here, and tensor functions that
PyTorch offers under both names."""
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
from .._C import Tensor, _functional, _submodules, bilinear, sigmoid, tanh

_PARTS = (_activation, _attention, _ctc, _dropout, _embedding, _grouped, _linear_cross_entropy, _loss, _norm, _pool, _resample)
# Built-in in PyTorch as well; the other rows are Python functions there, on which libraries put attributes.
_BUILT_IN = {"adaptive_avg_pool1d", "avg_pool1d", "avg_pool2d", "avg_pool3d", "bilinear", "celu_", "channel_shuffle", "conv1d", "conv2d",
             "conv3d", "conv_tbc", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cosine_similarity", "elu_", "gelu",
             "hardshrink", "hardtanh_", "leaky_relu_", "linear", "logsigmoid", "one_hot", "pairwise_distance", "pdist", "pixel_shuffle",
             "pixel_unshuffle", "prelu", "relu_", "rrelu_", "scaled_dot_product_attention", "selu_", "softplus", "softshrink",
             "threshold_"}


def _with_attributes(name, function):
    """A row as a function that takes attributes; `F.relu.mark = 1`."""
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
    """The dim that was meant before it had to be said."""
    import warnings
    warnings.warn(f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an "
                  "argument.", stacklevel=stacklevel)
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    """Exponentials along `dim`, divided by their sum.

        >>> nn.functional.softmax(torch.tensor([-1., 0., 2.]))
        tensor([0.0420, 0.1142, 0.8438])
    """
    if dim is None:
        dim = _some_dim("softmax", input.dim(), _stacklevel)
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """The logarithm of `softmax`.

        >>> nn.functional.log_softmax(torch.tensor([-1., 0., 2.]))
        tensor([-3.1698, -2.1698, -0.1698])
    """
    if dim is None:
        dim = _some_dim("log_softmax", input.dim(), _stacklevel)
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """`softmax` of the negative.

        >>> nn.functional.softmin(torch.tensor([-1., 0., 2.]))
        tensor([0.7054, 0.2595, 0.0351])
    """
    if dim is None:
        dim = _some_dim("softmin", input.dim(), _stacklevel)
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)

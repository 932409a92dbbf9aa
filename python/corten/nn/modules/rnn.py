# SPDX-License-Identifier: BSD-3-Clause
"""Recurrent networks over whole sequences, and their cells."""
import math
import numbers
import warnings

from ... import _C, empty, zeros
from ...amp.autocast_mode import _any_enabled
from .. import init
from ..parameter import Parameter
from ..utils.rnn import PackedSequence
from .module import Module

__all__ = ["GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNBase", "RNNCell", "RNNCellBase"]

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


def apply_permutation(tensor, permutation, dim=1):
    return tensor.index_select(dim, permutation)


def _check_sizes(bias, batch_first, input_size, hidden_size, num_layers, proj_size):
    for name, value in (("bias", bias), ("batch_first", batch_first)):
        if not isinstance(value, bool):
            raise TypeError(f"{name} should be of type bool, got: {type(value).__name__}")
    for name, value in (("input_size", input_size), ("hidden_size", hidden_size)):
        if not isinstance(value, int):
            raise TypeError(f"{name} should be of type int, got: {type(value).__name__}")
        if value <= 0:
            raise ValueError(f"{name} must be greater than zero")
    if num_layers <= 0:
        raise ValueError("num_layers must be greater than zero")
    if proj_size < 0:
        raise ValueError("proj_size should be a positive integer or zero to disable projections")
    if proj_size >= hidden_size:
        raise ValueError("proj_size has to be smaller than hidden_size")


def _check_dropout(dropout, num_layers):
    if not isinstance(dropout, numbers.Number) or not 0 <= dropout <= 1 or isinstance(dropout, bool):
        raise ValueError("dropout should be a number in range [0, 1] representing the probability of an element being zeroed")
    if dropout > 0 and num_layers == 1:
        warnings.warn("dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers "
                      f"greater than 1, but got dropout={dropout} and num_layers={num_layers}", stacklevel=4)


class RNNBase(Module):
    """What the three kinds of recurrent networks share: weights of all layers and directions, and the way of a call."""

    __constants__ = ["mode", "input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout", "bidirectional", "proj_size"]
    __jit_unused_properties__ = ["all_weights"]

    def __init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False,
                 proj_size=0, device=None, dtype=None):
        super().__init__()
        self.mode, self.input_size, self.hidden_size, self.num_layers = mode, input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout, self.bidirectional = bias, batch_first, float(dropout), bidirectional
        self.proj_size = proj_size
        _check_dropout(dropout, num_layers)
        _check_sizes(bias, batch_first, input_size, hidden_size, num_layers, proj_size)
        if mode not in _GATES:
            raise ValueError("Unrecognized RNN mode: " + mode)
        rows, width, directions = _GATES[mode] * hidden_size, proj_size or hidden_size, 2 if bidirectional else 1
        self._flat_weights_names, self._all_weights = [], []
        for layer in range(num_layers):
            features = input_size if layer == 0 else width * directions
            shapes = {"weight_ih": (rows, features), "weight_hh": (rows, width)}
            if bias:
                shapes |= {"bias_ih": rows, "bias_hh": rows}
            if proj_size:
                shapes["weight_hr"] = (proj_size, hidden_size)
            for suffix in ("", "_reverse")[:directions]:
                names = [f"{name}_l{layer}{suffix}" for name in shapes]
                for name, shape in zip(names, shapes.values()):
                    setattr(self, name, Parameter(empty(shape, device=device, dtype=dtype)))
                self._flat_weights_names += names
                self._all_weights.append(names)
        self.reset_parameters()

    @property
    def _flat_weights(self):
        return [getattr(self, name) for name in self._flat_weights_names]

    @property
    def all_weights(self):
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self):
        """Weights lie where they lie; they are packed at each call."""

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self):
        parts = [f"{self.input_size}, {self.hidden_size}"]
        usual = {"proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False, "dropout": 0, "bidirectional": False}
        parts += [f"{name}={getattr(self, name)}" for name, value in usual.items() if getattr(self, name) != value]
        return ", ".join(parts)

    # ---- checks ----

    def check_input(self, input, batch_sizes):
        weight = self._flat_weights[0]
        if input.dtype != weight.dtype and not _any_enabled():
            raise ValueError(f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). "
                             f"Convert input: input.to({weight.dtype}), or convert model: model.to({input.dtype})")
        dims = 3 if batch_sizes is None else 2
        if input.dim() != dims:
            raise RuntimeError(f"input must have {dims} dimensions, got {input.dim()}")
        if self.input_size != input.size(-1):
            raise RuntimeError(f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}")

    def _states(self):
        return self.num_layers * (2 if self.bidirectional else 1)

    def _batch(self, input, batch_sizes):
        return int(batch_sizes[0]) if batch_sizes is not None else input.size(0 if self.batch_first else 1)

    def get_expected_hidden_size(self, input, batch_sizes):
        return self._states(), self._batch(input, batch_sizes), self.proj_size or self.hidden_size

    def get_expected_cell_size(self, input, batch_sizes):
        return self._states(), self._batch(input, batch_sizes), self.hidden_size

    def check_hidden_size(self, hx, expected_hidden_size, msg="Expected hidden size {}, got {}"):
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(self, input, hidden, batch_sizes):
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx, permutation):
        return hx if permutation is None else apply_permutation(hx, permutation)

    # ---- the call ----

    def _no_state(self, input, batch):
        return zeros(self._states(), batch, self.proj_size or self.hidden_size, dtype=input.dtype, device=input.device)

    def _add_batch(self, hx, batched):
        """A state as it comes, checked against the input's dims; with a batch of one where it has none."""
        if batched and hx.dim() != 3:
            raise RuntimeError(f"For batched 3-D input, hx should also be 3-D but got {hx.dim()}-D tensor")
        if not batched and hx.dim() != 2:
            raise RuntimeError(f"For unbatched 2-D input, hx should also be 2-D but got {hx.dim()}-D tensor")
        return hx if batched else hx.unsqueeze(1)

    def _drop_batch(self, hx):
        return hx.squeeze(1)

    def _word_of_dims(self, input):
        return f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.dim()}D instead"

    def forward(self, input, hx=None):
        packed, batch_sizes, order, back = isinstance(input, PackedSequence), None, None, None
        batched, batch_dim = True, 0 if self.batch_first else 1
        if packed:
            kind, (input, batch_sizes, order, back) = type(input), input
        else:
            if input.dim() not in (2, 3):
                raise ValueError(self._word_of_dims(input))
            batched = input.dim() == 3
            if not batched:
                input = input.unsqueeze(batch_dim)
            if hx is not None:
                hx = self._add_batch(hx, batched)
        hx = self._no_state(input, self._batch(input, batch_sizes)) if hx is None else self.permute_hidden(hx, order)
        self.check_forward_args(input, hx, batch_sizes)
        run = getattr(_C, self.mode.lower())
        shared = (self._flat_weights, self.bias, self.num_layers, self.dropout, self.training, self.bidirectional)
        if packed:
            output, *hidden = run(input, batch_sizes, hx, *shared)
            output = kind(output, batch_sizes, order, back)
        else:
            output, *hidden = run(input, hx, *shared, self.batch_first)
            if not batched:
                output = output.squeeze(batch_dim)
        hidden = self.permute_hidden(hidden[0] if len(hidden) == 1 else tuple(hidden), back)
        return output, hidden if batched else self._drop_batch(hidden)

    def __setstate__(self, state):
        super().__setstate__(state)
        self.__dict__.setdefault("proj_size", 0)
        self.__dict__.pop("_flat_weights", None)
        if not isinstance(self._all_weights[0][0], str):  # of old files: the tensors themselves
            directions = 2 if self.bidirectional else 1
            self._all_weights = [[name for name in self._parameters if name.endswith(f"_l{i // directions}" + ("_reverse" if i % directions else ""))]
                                 for i in range(self.num_layers * directions)]
        self._flat_weights_names = [name for names in self._all_weights for name in names]


class RNN(RNNBase):
    """Elman's network: h' = tanh or relu of (W x + b + W' h + b').

        >>> out = nn.RNN(3, 4)(torch.randn(5, 2, 3))
        >>> out[0].shape
        torch.Size([5, 2, 4])
    """

    def __init__(self, *args, **kwargs):
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        if len(args) > 3:
            self.nonlinearity, args = args[3], args[:3] + args[4:]
        else:
            self.nonlinearity = kwargs.pop("nonlinearity", "tanh")
        modes = {"tanh": "RNN_TANH", "relu": "RNN_RELU"}
        if self.nonlinearity not in modes:
            raise ValueError(f"Unknown nonlinearity '{self.nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(modes[self.nonlinearity], *args, **kwargs)

    def _word_of_dims(self, input):
        return f"RNN: Expected input to be 2D or 3D, got {input.dim()}D tensor instead"


class GRU(RNNBase):
    """Gated recurrent units.

        >>> out = nn.GRU(3, 4)(torch.randn(5, 2, 3))
        >>> out[0].shape
        torch.Size([5, 2, 4])
    """

    def __init__(self, *args, **kwargs):
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)


class LSTM(RNNBase):
    """Long short-term memory; a state is a pair of hidden states and cells.

        >>> out = nn.LSTM(3, 4)(torch.randn(5, 2, 3))
        >>> out[0].shape
        torch.Size([5, 2, 4])
    """

    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)

    def check_forward_args(self, input, hidden, batch_sizes):
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden[0], self.get_expected_hidden_size(input, batch_sizes), "Expected hidden[0] size {}, got {}")
        self.check_hidden_size(hidden[1], self.get_expected_cell_size(input, batch_sizes), "Expected hidden[1] size {}, got {}")

    def permute_hidden(self, hx, permutation):
        return hx if permutation is None else tuple(apply_permutation(t, permutation) for t in hx)

    def _no_state(self, input, batch):
        return (super()._no_state(input, batch),
                zeros(self._states(), batch, self.hidden_size, dtype=input.dtype, device=input.device))

    def _add_batch(self, hx, batched):
        dims = 3 if batched else 2
        if hx[0].dim() != dims or hx[1].dim() != dims:
            raise RuntimeError(f"For {'batched' if batched else 'unbatched'} {dims}-D input, hx and cx should also be {dims}-D but got "
                               f"({hx[0].dim()}-D, {hx[1].dim()}-D) tensors")
        return tuple(hx) if batched else (hx[0].unsqueeze(1), hx[1].unsqueeze(1))

    def _drop_batch(self, hx):
        return hx[0].squeeze(1), hx[1].squeeze(1)


# ---- cells ----

class RNNCellBase(Module):
    """The weights of one step."""

    __constants__ = ["input_size", "hidden_size", "bias"]

    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = num_chunks * hidden_size
        self.weight_ih = Parameter(empty((rows, input_size), device=device, dtype=dtype))
        self.weight_hh = Parameter(empty((rows, hidden_size), device=device, dtype=dtype))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, Parameter(empty(rows, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        return text + (f", nonlinearity={self.nonlinearity}" if self.__dict__.get("nonlinearity", "tanh") != "tanh" else "")

    def _prepare(self, input, hx):
        """Input and state of one row where they have one dim; zeros for no state."""
        name = type(self).__name__
        if input.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if hx is not None and hx.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected hidden to be 1D or 2D, got {hx.dim()}D instead")
        batched = input.dim() == 2
        input = input if batched else input.unsqueeze(0)
        if hx is None:
            hx = zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)
        elif not batched:
            hx = hx.unsqueeze(0)
        return input, hx, batched

    def _step(self, function, input, hx):
        input, hx, batched = self._prepare(input, hx)
        out = function(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return out if batched else out.squeeze(0)


class RNNCell(RNNCellBase):
    """One step of Elman's network.

        >>> nn.RNNCell(3, 4)(torch.randn(2, 3)).shape
        torch.Size([2, 4])
    """

    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._step(_C.rnn_tanh_cell if self.nonlinearity == "tanh" else _C.rnn_relu_cell, input, hx)


class GRUCell(RNNCellBase):
    """One step of gated recurrent units.

        >>> nn.GRUCell(3, 4)(torch.randn(2, 3), torch.randn(2, 4)).shape
        torch.Size([2, 4])
    """

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input, hx=None):
        return self._step(_C.gru_cell, input, hx)


class LSTMCell(RNNCellBase):
    """One step of long short-term memory.

        >>> out = nn.LSTMCell(3, 4, bias=False)(torch.randn(2, 3))
        >>> out[0].shape
        torch.Size([2, 4])
    """

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input, hx=None):
        for i, state in enumerate(hx or ()):
            if state.dim() not in (1, 2):
                raise ValueError(f"LSTMCell: Expected hx[{i}] to be 1D or 2D, got {state.dim()}D instead")
        input, h, batched = self._prepare(input, None if hx is None else hx[0])
        c = h if hx is None else hx[1] if batched else hx[1].unsqueeze(0)
        h, c = _C.lstm_cell(input, (h, c), self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return (h, c) if batched else (h.squeeze(0), c.squeeze(0))

# SPDX-License-Identifier: BSD-3-Clause
"""Recurrent networks (RNN, GRU, LSTM) over whole sequences, and the cells that compute one step.

The steps themselves are C; weights keep PyTorch's names and shapes, such as weight_ih_l0_reverse.
"""
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
    """Reorder a dimension, by default the batch of a hidden state.

    Args:
        tensor: the tensor.
        permutation: the new order, an index tensor.
        dim: the dimension to reorder. Default: 1.
    """
    return tensor.index_select(dim, permutation)


def _check_sizes(bias, batch_first, input_size, hidden_size, num_layers, proj_size):
    """Raise PyTorch's TypeError or ValueError for invalid arguments."""
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
    """Check the dropout probability; warn if there is no later layer for it to act on."""
    if not isinstance(dropout, numbers.Number) or not 0 <= dropout <= 1 or isinstance(dropout, bool):
        raise ValueError("dropout should be a number in range [0, 1] representing the probability of an element being zeroed")
    if dropout > 0 and num_layers == 1:
        warnings.warn("dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers "
                      f"greater than 1, but got dropout={dropout} and num_layers={num_layers}", stacklevel=4)


class RNNBase(Module):
    """Base of RNN, GRU and LSTM: weights for all layers and directions, checks, and the call.

    Use one of its subclasses. `mode` is "RNN_TANH", "RNN_RELU", "GRU" or "LSTM"; the other
    arguments are those of the subclasses.
    """

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
        """Return the weights as a list per layer and direction: input, hidden, then biases and the projection if present."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self):
        """Do nothing: weights are packed at each call, so there is no flat buffer to rebuild."""

    def reset_parameters(self):
        """Draw new weights, uniform between -b and b with b = 1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self):
        """The arguments as printed; those with default values are left out."""
        parts = [f"{self.input_size}, {self.hidden_size}"]
        usual = {"proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False, "dropout": 0, "bidirectional": False}
        parts += [f"{name}={getattr(self, name)}" for name, value in usual.items() if getattr(self, name) != value]
        return ", ".join(parts)

    # ---- checks ----

    def check_input(self, input, batch_sizes):
        """Raise an error unless type, dimensions and features of the input fit the weights."""
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
        """Return the expected size of a hidden state: (layers * directions, batch, proj_size or hidden_size)."""
        return self._states(), self._batch(input, batch_sizes), self.proj_size or self.hidden_size

    def get_expected_cell_size(self, input, batch_sizes):
        """Return the expected size of a cell state: (layers * directions, batch, hidden_size)."""
        return self._states(), self._batch(input, batch_sizes), self.hidden_size

    def check_hidden_size(self, hx, expected_hidden_size, msg="Expected hidden size {}, got {}"):
        """Raise RuntimeError unless the hidden state `hx` has the expected size; `msg` is the message, with two {}."""
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(self, input, hidden, batch_sizes):
        """Check the input and hidden state of a call."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx, permutation):
        """Return the hidden state with its batch reordered; if permutation is None, return it unchanged."""
        return hx if permutation is None else apply_permutation(hx, permutation)

    # ---- the call ----

    def _no_state(self, input, batch):
        """Return zeros as the initial hidden state."""
        return zeros(self._states(), batch, self.proj_size or self.hidden_size, dtype=input.dtype, device=input.device)

    def _add_batch(self, hx, batched):
        """Return the state with a batch dimension of 1 if the input has none; raise if the dimensions of state and input disagree."""
        if batched and hx.dim() != 3:
            raise RuntimeError(f"For batched 3-D input, hx should also be 3-D but got {hx.dim()}-D tensor")
        if not batched and hx.dim() != 2:
            raise RuntimeError(f"For unbatched 2-D input, hx should also be 2-D but got {hx.dim()}-D tensor")
        return hx if batched else hx.unsqueeze(1)

    def _drop_batch(self, hx):
        """Remove the batch dimension that `_add_batch` added."""
        return hx.squeeze(1)

    def _word_of_dims(self, input):
        return f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.dim()}D instead"

    def forward(self, input, hx=None):
        """Run the network over a batch of sequences.

        Args:
            input: (L, N, input_size), (N, L, input_size) with batch_first, (L, input_size) for one
                sequence, or a PackedSequence.
            hx: the first hidden state, for LSTM a pair (h, c). Default: None, zeros.

        Returns the pair (output, last hidden state); a PackedSequence gives a packed output.
        """
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
        if not isinstance(self._all_weights[0][0], str):  # old files contain the tensors instead of their names
            directions = 2 if self.bidirectional else 1
            self._all_weights = [[name for name in self._parameters if name.endswith(f"_l{i // directions}" + ("_reverse" if i % directions else ""))]
                                 for i in range(self.num_layers * directions)]
        self._flat_weights_names = [name for names in self._all_weights for name in names]


class RNN(RNNBase):
    """Run an Elman network over sequences (Elman, 1990).

        h[t] = tanh(W_ih x[t] + b_ih + W_hh h[t-1] + b_hh)

    for t = 1, ..., L, in every layer; nonlinearity="relu" uses ReLU instead. Gradients vanish or
    explode over many steps; prefer LSTM or GRU for long dependencies.

    Args:
        input_size: number of features of each input element.
        hidden_size: number of features of the hidden state.
        num_layers: how many layers to stack; each takes the outputs of the one below. Default: 1.
        nonlinearity: "tanh" or "relu". Default: "tanh".
        bias: whether to use the two biases. Default: True.
        batch_first: whether inputs and outputs are (N, L, ...) instead of (L, N, ...); hidden
            states are not affected. Default: False.
        dropout: probability of dropping outputs between layers while training; needs num_layers >
            1, otherwise it warns. Default: 0.
        bidirectional: whether to run over the sequence backwards, too, with other weights, and to
            concatenate both outputs. Default: False.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input: (L, N, input_size), (N, L, input_size) if batch_first, or (L, input_size) for one
          sequence; or a PackedSequence (nn.utils.rnn) for sequences of different lengths.
        - State, optional: h_0, (D * num_layers, N, hidden_size), without N for one sequence.
          Default: zeros.
        - Output: (L, N, D * hidden_size), the last layer's h of every step, and h_n, the state of
          all layers after the last step, in the shape of h_0.

    D is 2 if bidirectional, else 1.

    Attributes:
        weight_ih_l[k]: (hidden_size, input_size) for layer 0, (hidden_size, D * hidden_size) for
            others.
        weight_hh_l[k]: (hidden_size, hidden_size).
        bias_ih_l[k], bias_hh_l[k]: (hidden_size,).
        The backward direction has the same names with the suffix _reverse.

    All weights start uniform between -b and b with b = 1 / sqrt(hidden_size).

    Example:
        >>> rnn = nn.RNN(input_size=10, hidden_size=20, num_layers=2)
        >>> output, h = rnn(torch.zeros(5, 3, 10))  # 5 steps, batch of 3
        >>> output.shape, h.shape
        (torch.Size([5, 3, 20]), torch.Size([2, 3, 20]))
        >>> bool((output[-1] == h[-1]).all())  # the last output is the state of the last layer
        True
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
    """Run gated recurrent units over sequences (Cho et al., 2014).

        r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)          reset gate
        z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)          update gate
        n = tanh(W_in x + b_in + r * (W_hn h + b_hn))       candidate
        h' = (1 - z) * n + z * h

    where x is the input of the step, h the state before and h' after it. In contrast to the paper,
    and like PyTorch and cuDNN, r multiplies the product W_hn h, not h.

    Args:
        input_size: number of features of each input element.
        hidden_size: number of features of the hidden state.
        num_layers: how many layers to stack; each takes the outputs of the one below. Default: 1.
        bias: whether to use the two biases. Default: True.
        batch_first: whether inputs and outputs are (N, L, ...) instead of (L, N, ...); hidden
            states are not affected. Default: False.
        dropout: probability of dropping outputs between layers while training; needs num_layers >
            1, otherwise it warns. Default: 0.
        bidirectional: whether to run over the sequence backwards, too, with other weights, and to
            concatenate both outputs. Default: False.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input: (L, N, input_size), (N, L, input_size) if batch_first, or (L, input_size) for one
          sequence; or a PackedSequence (nn.utils.rnn) for sequences of different lengths.
        - State, optional: h_0, (D * num_layers, N, hidden_size), without N for one sequence.
          Default: zeros.
        - Output: (L, N, D * hidden_size), the last layer's h of every step, and h_n, the state of
          all layers after the last step, in the shape of h_0.

    D is 2 if bidirectional, else 1.

    Attributes:
        weight_ih_l[k]: (3 * hidden_size, input_size) for layer 0, (3 * hidden_size, D *
            hidden_size) for others; rows of r, z, n in this order.
        weight_hh_l[k]: (3 * hidden_size, hidden_size).
        bias_ih_l[k], bias_hh_l[k]: (3 * hidden_size,).
        The backward direction has the same names with the suffix _reverse.

    All weights start uniform between -b and b with b = 1 / sqrt(hidden_size).

    Example:
        >>> gru = nn.GRU(10, 20, bidirectional=True, batch_first=True)
        >>> output, h = gru(torch.zeros(3, 5, 10))  # batch of 3, 5 steps
        >>> output.shape, h.shape
        (torch.Size([3, 5, 40]), torch.Size([2, 3, 20]))
    """

    def __init__(self, *args, **kwargs):
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)


class LSTM(RNNBase):
    """Run long short-term memory over sequences (Hochreiter and Schmidhuber, 1997).

        i = sigmoid(W_ii x + b_ii + W_hi h + b_hi)          input gate
        f = sigmoid(W_if x + b_if + W_hf h + b_hf)          forget gate
        g = tanh(W_ig x + b_ig + W_hg h + b_hg)             candidate
        o = sigmoid(W_io x + b_io + W_ho h + b_ho)          output gate
        c' = f * c + i * g
        h' = o * tanh(c')

    where x is the input of the step, (h, c) the state before and (h', c') after it. The cell c is
    only scaled and added to, so gradients survive many steps. With proj_size, h' is multiplied by
    W_hr as well.

    Args:
        input_size: number of features of each input element.
        hidden_size: number of features of the hidden state.
        num_layers: how many layers to stack; each takes the outputs of the one below. Default: 1.
        bias: whether to use the two biases. Default: True.
        batch_first: whether inputs and outputs are (N, L, ...) instead of (L, N, ...); hidden
            states are not affected. Default: False.
        dropout: probability of dropping outputs between layers while training; needs num_layers >
            1, otherwise it warns. Default: 0.
        bidirectional: whether to run over the sequence backwards, too, with other weights, and to
            concatenate both outputs. Default: False.
        proj_size: if not 0, project the hidden state to this size, less than hidden_size (Sak et
            al., 2014). Default: 0.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input: (L, N, input_size), (N, L, input_size) if batch_first, or (L, input_size) for one
          sequence; or a PackedSequence (nn.utils.rnn) for sequences of different lengths.
        - States, optional: a pair (h_0, c_0) of (D * num_layers, N, H_out) and (D * num_layers, N,
          hidden_size), without N for one sequence. Default: zeros.
        - Output: (L, N, D * H_out), the last layer's h of every step, and the pair (h_n, c_n) of
          all layers after the last step.

    D is 2 if bidirectional, else 1; H_out is proj_size if that is not 0, else hidden_size.

    Attributes:
        weight_ih_l[k]: (4 * hidden_size, input_size) for layer 0, (4 * hidden_size, D * H_out) for
            others; rows of i, f, g, o in this order.
        weight_hh_l[k]: (4 * hidden_size, H_out).
        bias_ih_l[k], bias_hh_l[k]: (4 * hidden_size,).
        The backward direction has the same names with the suffix _reverse.
        weight_hr_l[k]: (proj_size, hidden_size), only with proj_size.

    All weights start uniform between -b and b with b = 1 / sqrt(hidden_size).

    Example:
        >>> lstm = nn.LSTM(10, 20, num_layers=2)
        >>> output, (h, c) = lstm(torch.zeros(5, 3, 10))  # 5 steps, batch of 3
        >>> output.shape, h.shape, c.shape
        (torch.Size([5, 3, 20]), torch.Size([2, 3, 20]), torch.Size([2, 3, 20]))
        >>> output, state = lstm(torch.zeros(1, 3, 10), (h, c))  # go on where it stopped
    """

    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)

    def check_forward_args(self, input, hidden, batch_sizes):
        """Check the input and both hidden states of a call."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden[0], self.get_expected_hidden_size(input, batch_sizes), "Expected hidden[0] size {}, got {}")
        self.check_hidden_size(hidden[1], self.get_expected_cell_size(input, batch_sizes), "Expected hidden[1] size {}, got {}")

    def permute_hidden(self, hx, permutation):
        """Return both hidden states with their batches reordered; if permutation is None, return them unchanged."""
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
    """Base of the cells: the weights of one layer. `num_chunks` is the number of gates, 1 for RNNCell."""

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
        """Draw new weights, uniform between -b and b with b = 1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self):
        """The arguments as printed."""
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        return text + (f", nonlinearity={self.nonlinearity}" if self.__dict__.get("nonlinearity", "tanh") != "tanh" else "")

    def _prepare(self, input, hx):
        """Return input and state (by default zeros) with a batch dimension, and whether the input had one."""
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
    """Compute one step of an Elman network.

        h' = tanh(W_ih x + b_ih + W_hh h + b_hh)

    Use it to write the loop over time yourself; RNN runs whole sequences faster.

    Args:
        input_size: number of features of the input.
        hidden_size: number of features of the hidden state.
        bias: whether to use the two biases. Default: True.
        nonlinearity: "tanh" or "relu". Default: "tanh".
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input: (N, input_size) or (input_size,).
        - State, optional: (N, hidden_size) or (hidden_size,). Default: zeros.
        - Output: the next state, in the same shape.

    Attributes:
        weight_ih: (hidden_size, input_size).
        weight_hh: (hidden_size, hidden_size).
        bias_ih, bias_hh: (hidden_size,), or None.

    All weights start uniform between -b and b with b = 1 / sqrt(hidden_size).

    Example:
        >>> cell, h = nn.RNNCell(10, 20), torch.zeros(3, 20)
        >>> for x in torch.zeros(6, 3, 10):  # 6 steps, batch of 3
        ...     h = cell(x, h)
        >>> h.shape
        torch.Size([3, 20])
    """

    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        """Return the next state.

        Args:
            input: (N, input_size) or (input_size,).
            hx: the state. Default: None, zeros.
        """
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._step(_C.rnn_tanh_cell if self.nonlinearity == "tanh" else _C.rnn_relu_cell, input, hx)


class GRUCell(RNNCellBase):
    """Compute one step of a gated recurrent unit.

        r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)
        z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)
        n = tanh(W_in x + b_in + r * (W_hn h + b_hn))
        h' = (1 - z) * n + z * h

    Use it to write the loop over time yourself; GRU runs whole sequences faster.

    Args:
        input_size: number of features of the input.
        hidden_size: number of features of the hidden state.
        bias: whether to use the two biases. Default: True.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input: (N, input_size) or (input_size,).
        - State, optional: (N, hidden_size) or (hidden_size,). Default: zeros.
        - Output: the next state, in the same shape.

    Attributes:
        weight_ih: (3 * hidden_size, input_size).
        weight_hh: (3 * hidden_size, hidden_size).
        bias_ih, bias_hh: (3 * hidden_size,), or None.

    All weights start uniform between -b and b with b = 1 / sqrt(hidden_size).

    Example:
        >>> cell, h = nn.GRUCell(10, 20), torch.zeros(3, 20)
        >>> for x in torch.zeros(6, 3, 10):  # 6 steps, batch of 3
        ...     h = cell(x, h)
        >>> h.shape
        torch.Size([3, 20])
    """

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input, hx=None):
        """The next state.

        Args:
            input: (N, input_size) or (input_size,).
            hx: the state. Default: None, zeros.
        """
        return self._step(_C.gru_cell, input, hx)


class LSTMCell(RNNCellBase):
    """Compute one step of long short-term memory.

        i, f, o = sigmoid(W x + b + W' h + b'), each with separate weights
        g = tanh(W_ig x + b_ig + W_hg h + b_hg)
        c' = f * c + i * g
        h' = o * tanh(c')

    Use it to write the loop over time yourself; LSTM runs whole sequences faster.

    Args:
        input_size: number of features of the input.
        hidden_size: number of features of the hidden state.
        bias: whether to use the two biases. Default: True.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input: (N, input_size) or (input_size,).
        - State, optional: a pair (h, c), each (N, hidden_size) or (hidden_size,). Default: zeros.
        - Output: the next pair (h', c'), in the same shapes.

    Attributes:
        weight_ih: (4 * hidden_size, input_size).
        weight_hh: (4 * hidden_size, hidden_size).
        bias_ih, bias_hh: (4 * hidden_size,), or None.

    All weights start uniform between -b and b with b = 1 / sqrt(hidden_size).

    Example:
        >>> cell, state = nn.LSTMCell(10, 20), None
        >>> for x in torch.zeros(6, 3, 10):  # 6 steps, batch of 3
        ...     state = cell(x, state)
        >>> h, c = state
        >>> h.shape, c.shape
        (torch.Size([3, 20]), torch.Size([3, 20]))
    """

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input, hx=None):
        """Return the next pair (h, c).

        Args:
            input: (N, input_size) or (input_size,).
            hx: the state, a pair (h, c). Default: None, zeros.
        """
        for i, state in enumerate(hx or ()):
            if state.dim() not in (1, 2):
                raise ValueError(f"LSTMCell: Expected hx[{i}] to be 1D or 2D, got {state.dim()}D instead")
        input, h, batched = self._prepare(input, None if hx is None else hx[0])
        c = h if hx is None else hx[1] if batched else hx[1].unsqueeze(0)
        h, c = _C.lstm_cell(input, (h, c), self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return (h, c) if batched else (h.squeeze(0), c.squeeze(0))

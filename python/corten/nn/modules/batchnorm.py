# SPDX-License-Identifier: BSD-3-Clause
"""Batch normalisation for inputs with several dimensions, synchronized across processes, and in lazy forms."""
from ... import bfloat16, cat, empty, float16, long, no_grad, ones, tensor, zeros
from .. import functional as F
from .. import init
from ..parameter import Parameter, UninitializedBuffer, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module

__all__ = ["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d", "SyncBatchNorm"]


class _NormBase(Module):
    """Base of batch and instance normalisation: scale and shift per channel, and running statistics."""

    _version = 2

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *,
                 bias=True):
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        kind = {"device": device, "dtype": dtype}
        self.register_parameter("weight", Parameter(empty(num_features, **kind)) if affine else None)
        self.register_parameter("bias", Parameter(empty(num_features, **kind)) if affine and bias else None)
        tracked = track_running_stats
        self.register_buffer("running_mean", zeros(num_features, **kind) if tracked else None)
        self.register_buffer("running_var", ones(num_features, **kind) if tracked else None)
        self.register_buffer("num_batches_tracked", tensor(0, dtype=long, device=device) if tracked else None)
        self.reset_parameters()

    def reset_running_stats(self):
        """Set the running mean to 0, the running variance to 1 and the count of batches to 0."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        """Reset the running statistics, the scale to 1 and the shift to 0."""
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)

    _dims = None  # the numbers of input dimensions that the class accepts

    def _check_input_dim(self, input):
        """Raise ValueError if the class does not accept the input's number of dimensions."""
        if self._dims is None:
            raise NotImplementedError
        if input.dim() not in self._dims:
            raise ValueError(f"expected {' or '.join(f'{n}D' for n in self._dims)} input (got {input.dim()}D input)")

    def extra_repr(self):
        """The arguments as printed."""
        return (f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
                f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}")

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        key = prefix + "num_batches_tracked"  # missing from state dicts of version 1
        if (local_metadata.get("version") or 0) < 2 and self.track_running_stats and key not in state_dict:
            count = self.num_batches_tracked
            state_dict[key] = tensor(0, dtype=long) if count is None or count.is_meta else count
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)


class _BatchNorm(_NormBase):
    """Batch normalisation for any number of dimensions; subclasses set the accepted ones (`_dims`)."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *,
                 bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input):
        """Normalise the input; in training mode also update the running statistics."""
        self._check_input_dim(input)
        factor = 0.0 if self.momentum is None else self.momentum
        training, mean, var = self.training, self.running_mean, self.running_var
        if training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:  # the plain average of all batches so far
                factor = 1.0 / float(self.num_batches_tracked)
        if training and not self.track_running_stats:
            mean = var = None
        return F.batch_norm(input, mean, var, self.weight, self.bias, training or (mean is None and var is None), factor, self.eps)


class BatchNorm1d(_BatchNorm):
    """Normalise each feature over the batch, or each channel over batch and length.

        y = (x - mean) / sqrt(var + eps) * weight + bias

    In training mode mean and variance are those of the channel in this batch (the variance divides
    by the number of elements), and running averages of them are updated:

        running = (1 - momentum) * running + momentum * batch

    where the running variance takes the unbiased one, divided by n - 1. In evaluation mode the
    running averages are used instead, so results no longer depend on the rest of the batch. (Ioffe
    and Szegedy, 2015.)

    A channel with a single value raises ValueError in training: its variance would be 0.

    Args:
        num_features: number of features or channels, C.
        eps: added to the variance, so that constant channels do not divide by zero. Default: 1e-5.
        momentum: weight of a new batch in the running averages; None takes the plain average of all
            batches. Default: 0.1.
        affine: whether to learn a scale and a shift for each channel. Default: True.
        track_running_stats: whether to keep running averages; without them evaluation uses the
            statistics of the batch, too. Default: True.
        device, dtype: the device and dtype of parameters and buffers. Default: the
            current defaults.
        bias: with affine=True, whether there is a shift. Default: True.

    Shape:
        - Input: (N, C) or (N, C, L); channels are normalised over N and L.
        - Output: the same shape.

    Attributes:
        weight, bias: (num_features,), scale and shift, at first 1 and 0; None if not learned.
        running_mean, running_var: (num_features,), at first 0 and 1; None if not tracked.
        num_batches_tracked: how many batches the averages have seen.

    Example:
        >>> bn = nn.BatchNorm1d(2)
        >>> x = torch.tensor([[1., 10.], [3., 30.]])
        >>> bn(x).detach().round(decimals=3)
        tensor([[-1., -1.],
                [ 1.,  1.]])
        >>> nn.BatchNorm1d(2).eval()(x).detach().round(decimals=2)  # running mean 0, variance 1
        tensor([[ 1., 10.],
                [ 3., 30.]])
    """

    _dims = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalise each channel of a batch of images over the batch and all pixels.

        y = (x - mean) / sqrt(var + eps) * weight + bias

    In training mode mean and variance are those of the channel in this batch (the variance divides
    by the number of elements), and running averages of them are updated:

        running = (1 - momentum) * running + momentum * batch

    where the running variance takes the unbiased one, divided by n - 1. In evaluation mode the
    running averages are used instead, so results no longer depend on the rest of the batch. (Ioffe
    and Szegedy, 2015.)

    A channel with a single value raises ValueError in training: its variance would be 0.

    Args:
        num_features: number of channels, C.
        eps: added to the variance, so that constant channels do not divide by zero. Default: 1e-5.
        momentum: weight of a new batch in the running averages; None takes the plain average of all
            batches. Default: 0.1.
        affine: whether to learn a scale and a shift for each channel. Default: True.
        track_running_stats: whether to keep running averages; without them evaluation uses the
            statistics of the batch, too. Default: True.
        device, dtype: the device and dtype of parameters and buffers. Default: the
            current defaults.
        bias: with affine=True, whether there is a shift. Default: True.

    Shape:
        - Input: (N, C, H, W).
        - Output: the same shape.

    Attributes:
        weight, bias: (num_features,), scale and shift, at first 1 and 0; None if not learned.
        running_mean, running_var: (num_features,), at first 0 and 1; None if not tracked.
        num_batches_tracked: how many batches the averages have seen.

    A convolution before it needs no bias, which the mean would cancel.

    Example:
        >>> bn = nn.BatchNorm2d(3)
        >>> y = bn(torch.arange(24.).view(2, 3, 2, 2))
        >>> y.shape, bool(y.mean((0, 2, 3)).abs().max() < 1e-6)
        (torch.Size([2, 3, 2, 2]), True)
        >>> bn.running_mean  # a tenth of the channels' means
        tensor([0.7500, 1.1500, 1.5500])
    """

    _dims = (4,)


class BatchNorm3d(_BatchNorm):
    """Normalise each channel of a batch of volumes over the batch and all voxels.

        y = (x - mean) / sqrt(var + eps) * weight + bias

    In training mode mean and variance are those of the channel in this batch (the variance divides
    by the number of elements), and running averages of them are updated:

        running = (1 - momentum) * running + momentum * batch

    where the running variance takes the unbiased one, divided by n - 1. In evaluation mode the
    running averages are used instead, so results no longer depend on the rest of the batch. (Ioffe
    and Szegedy, 2015.)

    A channel with a single value raises ValueError in training: its variance would be 0.

    Args:
        num_features: number of channels, C.
        eps: added to the variance, so that constant channels do not divide by zero. Default: 1e-5.
        momentum: weight of a new batch in the running averages; None takes the plain average of all
            batches. Default: 0.1.
        affine: whether to learn a scale and a shift for each channel. Default: True.
        track_running_stats: whether to keep running averages; without them evaluation uses the
            statistics of the batch, too. Default: True.
        device, dtype: the device and dtype of parameters and buffers. Default: the
            current defaults.
        bias: with affine=True, whether there is a shift. Default: True.

    Shape:
        - Input: (N, C, D, H, W).
        - Output: the same shape.

    Attributes:
        weight, bias: (num_features,), scale and shift, at first 1 and 0; None if not learned.
        running_mean, running_var: (num_features,), at first 0 and 1; None if not tracked.
        num_batches_tracked: how many batches the averages have seen.

    Example:
        >>> bn = nn.BatchNorm3d(2)
        >>> bn(torch.arange(32.).view(2, 2, 2, 2, 2)).shape
        torch.Size([2, 2, 2, 2, 2])
        >>> bn.num_batches_tracked
        tensor(1)
    """

    _dims = (5,)


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation with statistics over the batches of all processes.

    With small batches per process the statistics of one process are noisy; here the processes of a
    group exchange counts, means and variances (one all-reduce per call) and normalise with those of
    the joint batch. In evaluation mode, without torch.distributed, or with one process it is an
    ordinary batch normalisation.

    Unlike PyTorch's it also runs on CPU tensors.

    Args:
        num_features: number of channels, C.
        eps: added to the variance, so that constant channels do not divide by zero. Default: 1e-5.
        momentum: weight of a new batch in the running averages; None takes the plain average of all
            batches. Default: 0.1.
        affine: whether to learn a scale and a shift for each channel. Default: True.
        track_running_stats: whether to keep running averages; without them evaluation uses the
            statistics of the batch, too. Default: True.
        process_group: the group that shares statistics. Default: None, all processes.
        device, dtype: the device and dtype of parameters and buffers. Default: the
            current defaults.
        bias: with affine=True, whether there is a shift. Default: True.

    Shape:
        - Input: (N, C, ...), at least 2 dimensions.
        - Output: the same shape.

    Attributes:
        weight, bias: (num_features,), scale and shift, at first 1 and 0; None if not learned.
        running_mean, running_var: (num_features,), at first 0 and 1; None if not tracked.
        num_batches_tracked: how many batches the averages have seen.

    Example:
        >>> net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8))
        >>> nn.SyncBatchNorm.convert_sync_batchnorm(net)[1]
        SyncBatchNorm(8, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
    """

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, process_group=None,
                 device=None, dtype=None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def _check_input_dim(self, input):
        if input.dim() < 2:
            raise ValueError(f"expected at least 2D input (got {input.dim()}D input)")
        if input.size(1) == 0:
            raise ValueError("SyncBatchNorm number of input channels should be non-zero")

    def forward(self, input):
        """Normalise the input with the statistics of all processes in training, otherwise as BatchNorm does."""
        from ... import distributed
        if not (self.training and distributed.is_initialized()) or distributed.get_world_size(self.process_group) == 1:
            return super().forward(input)
        self._check_input_dim(input)
        factor = self.momentum
        if self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            factor = 1.0 / float(self.num_batches_tracked) if factor is None else factor
        return self._normalise(input, 0.0 if factor is None else factor)

    def _normalise(self, input, factor):
        """Normalise with the statistics of all processes, exchanged in one all-reduce.

        Each process writes a row [count, mean, sum of squares around that mean] to a table of zeros; an all-reduce
        adds the tables, so that every process has all rows. The sum of squares around the joint mean is then, as in Chan,
        Golub and LeVeque (1979), the sum over processes of their sum of squares plus count times the squared distance of
        their mean. Summing plain squares instead would lose precision if the variance is small compared with the mean.
        """
        from ... import distributed
        from ...distributed.nn.functional import all_reduce
        dims, shape, dtype = [0, *range(2, input.dim())], [1, -1] + [1] * (input.dim() - 2), input.dtype
        if dtype in (float16, bfloat16):  # their sums would be inaccurate, or overflow
            input = input.float()
        n, world = input.numel() // input.size(1), distributed.get_world_size(self.process_group)
        own = input.sum(dims) / max(n, 1)
        row = cat([own.new_full((1,), float(n)), own, (input - own.view(shape)).square().sum(dims)])
        before = distributed.get_rank(self.process_group)
        table = all_reduce(F.pad(row.unsqueeze(0), (0, 0, before, world - before - 1)), group=self.process_group)
        counts, means, squares = table.split([1, input.size(1), input.size(1)], 1)
        count = counts.detach().sum()
        mean = (counts * means).sum(0) / count
        var = (squares + counts * (means - mean).square()).sum(0) / count
        centred = input - mean.view(shape)
        if self.running_mean is not None:
            with no_grad():
                self.running_mean.lerp_(mean.to(self.running_mean.dtype), factor)
                self.running_var.lerp_((var * (count / (count - 1))).to(self.running_var.dtype), factor)
        result = centred * (var + self.eps).rsqrt().view(shape)
        if self.weight is not None:
            result = result * self.weight.view(shape)
        return (result if self.bias is None else result + self.bias.view(shape)).to(dtype)

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        """Replace every batch normalisation inside `module` by a SyncBatchNorm.

        Parameters and buffers are shared with the old layers. Children are replaced in place; the
        result matters if `module` itself is a batch normalisation.

        Args:
            module: the module to convert.
            process_group: the group that shares statistics. Default: None, all processes.
        """
        result = module
        if isinstance(module, _BatchNorm):
            result = SyncBatchNorm(module.num_features, module.eps, module.momentum, module.affine, module.track_running_stats,
                                   process_group, bias=module.bias is not None)
            if module.affine:
                with no_grad():
                    result.weight, result.bias = module.weight, module.bias
            result.running_mean, result.running_var = module.running_mean, module.running_var
            result.num_batches_tracked = module.num_batches_tracked
            result.training = module.training
        for name, child in module.named_children():
            result.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return result


# ---- lazy forms ----

class _LazyNormBase(LazyModuleMixin, _NormBase):
    """Mixin of lazy normalisation layers, which read `num_features` from the first input."""

    def __init__(self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True):
        kind = {"device": device, "dtype": dtype}
        super().__init__(0, eps, momentum, False, False, **kind, bias=False)
        self.affine, self.track_running_stats = affine, track_running_stats
        if affine:
            self.weight = UninitializedParameter(**kind)
            if bias:
                self.bias = UninitializedParameter(**kind)
        if track_running_stats:
            self.running_mean, self.running_var = UninitializedBuffer(**kind), UninitializedBuffer(**kind)
            self.num_batches_tracked = tensor(0, dtype=long, device=device)

    def reset_parameters(self):
        """Reset to the initial values, unless the first call has not created them yet."""
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        """Create parameters and buffers for the channels (dim 1) of the first input."""
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        for part in (self.weight, self.bias, self.running_mean, self.running_var):
            if part is not None:
                part.materialize((self.num_features,))
        self.reset_parameters()


class LazyBatchNorm1d(_LazyNormBase, _BatchNorm):
    """A BatchNorm1d that takes `num_features` from its first input (dim 1).

    The first call creates the parameters and buffers that the options ask for, and the module
    becomes a plain BatchNorm1d. Run one dummy batch before you make an optimizer.

    Args:
        eps, momentum, affine, track_running_stats, device, dtype, bias: those of BatchNorm1d, with
            the same defaults.

    Shape:
        As BatchNorm1d.

    Example:
        >>> layer = nn.LazyBatchNorm1d()
        >>> layer(torch.ones(2, 3, 4)).shape
        torch.Size([2, 3, 4])
        >>> layer
        BatchNorm1d(3, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
    """

    cls_to_become, _dims = BatchNorm1d, BatchNorm1d._dims


class LazyBatchNorm2d(_LazyNormBase, _BatchNorm):
    """A BatchNorm2d that takes `num_features` from its first input (dim 1).

    The first call creates the parameters and buffers that the options ask for, and the module
    becomes a plain BatchNorm2d. Run one dummy batch before you make an optimizer.

    Args:
        eps, momentum, affine, track_running_stats, device, dtype, bias: those of BatchNorm2d, with
            the same defaults.

    Shape:
        As BatchNorm2d.

    Example:
        >>> layer = nn.LazyBatchNorm2d()
        >>> layer(torch.ones(2, 3, 4, 4)).shape
        torch.Size([2, 3, 4, 4])
        >>> layer
        BatchNorm2d(3, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
    """

    cls_to_become, _dims = BatchNorm2d, BatchNorm2d._dims


class LazyBatchNorm3d(_LazyNormBase, _BatchNorm):
    """A BatchNorm3d that takes `num_features` from its first input (dim 1).

    The first call creates the parameters and buffers that the options ask for, and the module
    becomes a plain BatchNorm3d. Run one dummy batch before you make an optimizer.

    Args:
        eps, momentum, affine, track_running_stats, device, dtype, bias: those of BatchNorm3d, with
            the same defaults.

    Shape:
        As BatchNorm3d.

    Example:
        >>> layer = nn.LazyBatchNorm3d()
        >>> layer(torch.ones(1, 2, 3, 2, 2)).shape
        torch.Size([1, 2, 3, 2, 2])
        >>> layer
        BatchNorm3d(2, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
    """

    cls_to_become, _dims = BatchNorm3d, BatchNorm3d._dims

# SPDX-License-Identifier: BSD-3-Clause
"""Batch normalisation."""
from ... import bfloat16, cat, empty, float16, long, no_grad, ones, tensor, zeros
from .. import functional as F
from .. import init
from ..parameter import Parameter, UninitializedBuffer, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module

__all__ = ["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d", "SyncBatchNorm"]


class _NormBase(Module):
    """Scale and shift of each channel, and running statistics."""

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
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)

    _dims = None  # of inputs that the class takes

    def _check_input_dim(self, input):
        if self._dims is None:
            raise NotImplementedError
        if input.dim() not in self._dims:
            raise ValueError(f"expected {' or '.join(f'{n}D' for n in self._dims)} input (got {input.dim()}D input)")

    def extra_repr(self):
        return (f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
                f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}")

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        key = prefix + "num_batches_tracked"  # state dicts of version 1 do not have it
        if (local_metadata.get("version") or 0) < 2 and self.track_running_stats and key not in state_dict:
            count = self.num_batches_tracked
            state_dict[key] = tensor(0, dtype=long) if count is None or count.is_meta else count
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)


class _BatchNorm(_NormBase):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *,
                 bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input):
        self._check_input_dim(input)
        factor = 0.0 if self.momentum is None else self.momentum
        training, mean, var = self.training, self.running_mean, self.running_var
        if training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:  # the plain average of all batches
                factor = 1.0 / float(self.num_batches_tracked)
        if training and not self.track_running_stats:
            mean = var = None
        return F.batch_norm(input, mean, var, self.weight, self.bias, training or (mean is None and var is None), factor, self.eps)


class BatchNorm1d(_BatchNorm):
    """Normalises each channel of (N, C) or (N, C, L) over the batch.

        >>> nn.BatchNorm1d(4)(torch.randn(5, 4)).shape
        torch.Size([5, 4])
    """

    _dims = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalises each channel of (N, C, H, W) over the batch.

        >>> nn.BatchNorm2d(3)(torch.randn(2, 3, 4, 4)).shape
        torch.Size([2, 3, 4, 4])
    """

    _dims = (4,)


class BatchNorm3d(_BatchNorm):
    """Normalises each channel of (N, C, D, H, W) over the batch.

        >>> nn.BatchNorm3d(2)(torch.randn(2, 2, 3, 2, 2)).shape
        torch.Size([2, 2, 3, 2, 2])
    """

    _dims = (5,)


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation over all processes; with one process it is BatchNorm of any number of dims.

        >>> nn.SyncBatchNorm(3)(torch.randn(2, 3, 4)).shape
        torch.Size([2, 3, 4])
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
        """One exchange: each process adds a row of [count, mean, squares around that mean] to a table of zeros.

        Squares around the mean of all follow from the rows as in Chan, Golub and LeVeque (1979): those of a process, and the
        distance of its mean. Sums of plain squares would lose the digits of a variance that is small beside the mean.
        """
        from ... import distributed
        from ...distributed.nn.functional import all_reduce
        dims, shape, dtype = [0, *range(2, input.dim())], [1, -1] + [1] * (input.dim() - 2), input.dtype
        if dtype in (float16, bfloat16):  # whose sums have too few digits, or are infinite
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
        """The module with its BatchNorm layers replaced, which keep their parameters and buffers."""
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


# ---- lazy ones ----

class _LazyNormBase(LazyModuleMixin, _NormBase):
    """Learns num_features from its first input."""

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
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        for part in (self.weight, self.bias, self.running_mean, self.running_var):
            if part is not None:
                part.materialize((self.num_features,))
        self.reset_parameters()


class LazyBatchNorm1d(_LazyNormBase, _BatchNorm):
    """A BatchNorm1d that learns num_features.

        >>> nn.LazyBatchNorm1d()(torch.randn(5, 4)).shape
        torch.Size([5, 4])
    """

    cls_to_become, _dims = BatchNorm1d, BatchNorm1d._dims


class LazyBatchNorm2d(_LazyNormBase, _BatchNorm):
    """A BatchNorm2d that learns num_features.

        >>> nn.LazyBatchNorm2d()(torch.randn(2, 3, 4, 4)).shape
        torch.Size([2, 3, 4, 4])
    """

    cls_to_become, _dims = BatchNorm2d, BatchNorm2d._dims


class LazyBatchNorm3d(_LazyNormBase, _BatchNorm):
    """A BatchNorm3d that learns num_features.

        >>> nn.LazyBatchNorm3d()(torch.randn(2, 2, 3, 2, 2)).shape
        torch.Size([2, 2, 3, 2, 2])
    """

    cls_to_become, _dims = BatchNorm3d, BatchNorm3d._dims

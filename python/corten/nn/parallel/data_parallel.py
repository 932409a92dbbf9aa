# SPDX-License-Identifier: BSD-3-Clause
"""DataParallel: one process divides each batch among several GPUs, calls a copy of the module on each, and joins the results.

DistributedDataParallel, with one process per GPU, is faster, since nothing is copied for each
batch.
"""
import warnings
from itertools import chain

from ... import _C, cuda
from ..._utils import _get_device_index
from ..modules.module import Module
from .parallel_apply import parallel_apply
from .replicate import replicate
from .scatter_gather import gather, scatter_kwargs

__all__ = ["DataParallel", "data_parallel"]


def _warn_if_unequal(device_ids):
    """Warn if one GPU has less than 75 % of the memory or cores of another."""
    properties = [cuda.get_device_properties(device) for device in device_ids]
    for name in ("total_memory", "multi_processor_count"):
        values = [getattr(each, name) for each in properties]
        if min(values) / max(values) < 0.75:
            least, most = device_ids[values.index(min(values))], device_ids[values.index(max(values))]
            warnings.warn(f"\n    There is an imbalance between your GPUs. You may want to exclude GPU {least} which\n    has less than 75% of "
                          f"the memory or cores of GPU {most}. You can do so by setting\n    the device_ids argument to DataParallel, or "
                          "by setting the CUDA_VISIBLE_DEVICES\n    environment variable.", stacklevel=4)
            return


def _check_place(module, device):
    """Raise RuntimeError unless all parameters and buffers of the module are on this device."""
    for t in chain(module.parameters(), module.buffers()):
        if t.device != device:
            raise RuntimeError(f"module must have its parameters and buffers on device {device} (device_ids[0]) but found one of them on "
                               f"device: {t.device}")


class DataParallel(Module):
    """Divide every batch among several GPUs of one process.

    A call splits its tensor arguments along `dim`, copies the module to each GPU, runs the copies
    in parallel threads, and concatenates the results. Gradients add up in the original module. What
    copies assign to their attributes during forward is lost, except for buffers changed in place on the
    first GPU. Without a GPU the module is called directly. Prefer DistributedDataParallel.

    Args:
        module: the module, on device_ids[0].
        device_ids: the GPUs. Default: None, all.
        output_device: the GPU for the results. Default: None, device_ids[0].
        dim: dimension of the batch. Default: 0.

    Attributes:
        module: the wrapped module.

    Example:
        >>> net = torch.nn.DataParallel(torch.nn.Linear(2, 2).cuda(), device_ids=[0, 1])  # doctest: +SKIP
        >>> net(torch.ones(4, 2))  # two rows on each GPU  # doctest: +SKIP
    """

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        if not cuda.is_available():
            self.device_ids = []
            return
        ids = list(range(cuda.device_count())) if device_ids is None else device_ids
        self.dim, self.device_ids = dim, [_get_device_index(device, True) for device in ids]
        self.output_device = _get_device_index(ids[0] if output_device is None else output_device, True)
        self.src_device_obj = _C.device("cuda", self.device_ids[0])
        _warn_if_unequal(self.device_ids)
        if len(self.device_ids) == 1:
            self.module.to(self.src_device_obj)

    def forward(self, *inputs, **kwargs):
        """Run the module on all GPUs with its part of the arguments."""
        from ...autograd.profiler import record_function
        with record_function("DataParallel.forward"):
            if not self.device_ids:
                return self.module(*inputs, **kwargs)
            _check_place(self.module, self.src_device_obj)
            inputs, kwargs = self.scatter(inputs, kwargs, self.device_ids)
            if not inputs and not kwargs:
                inputs, kwargs = ((),), ({},)
            if len(self.device_ids) == 1:
                return self.module(*inputs[0], **kwargs[0])
            replicas = self.replicate(self.module, self.device_ids[:len(inputs)])
            return self.gather(self.parallel_apply(replicas, inputs, kwargs), self.output_device)

    def replicate(self, module, device_ids):
        """Copy the module to each GPU, for one call.

        Args:
            module: the module.
            device_ids: the GPUs.
        """
        return replicate(module, device_ids, not _C.is_grad_enabled())

    def scatter(self, inputs, kwargs, device_ids):
        """Divide the arguments among the GPUs.

        Args:
            inputs: positional arguments.
            kwargs: keyword arguments.
            device_ids: the GPUs.
        """
        return scatter_kwargs(inputs, kwargs, device_ids, dim=self.dim)

    def parallel_apply(self, replicas, inputs, kwargs):
        """Call the copies in parallel.

        Args:
            replicas: the copies.
            inputs, kwargs: the arguments of each.
        """
        return parallel_apply(replicas, inputs, kwargs, self.device_ids[:len(replicas)])

    def gather(self, outputs, output_device):
        """Join the results of the copies.

        Args:
            outputs: one result per GPU.
            output_device: where to join them.
        """
        return gather(outputs, output_device, dim=self.dim)


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    """Call a module once as DataParallel does, without wrapping it.

    Without a GPU it raises RuntimeError.

    Args:
        module: the module, on device_ids[0].
        inputs: its argument, or a tuple of them.
        device_ids: the GPUs. Default: None, all.
        output_device: the GPU for the results, or "cpu". Default: None, device_ids[0].
        dim: dimension of the batch. Default: 0.
        module_kwargs: keyword arguments. Default: None.
    """
    inputs = inputs if isinstance(inputs, tuple) else () if inputs is None else (inputs,)
    if not cuda.is_available():
        raise RuntimeError("device type could not be determined")
    device_ids = list(range(cuda.device_count())) if device_ids is None else device_ids
    output_device = _get_device_index(device_ids[0] if output_device is None else output_device, True, True)
    device_ids = [_get_device_index(device, True) for device in device_ids]
    _check_place(module, _C.device("cuda", device_ids[0]))
    inputs, module_kwargs = scatter_kwargs(inputs, module_kwargs, device_ids, dim)
    if not inputs and not module_kwargs:
        inputs, module_kwargs = ((),), ({},)
    if len(device_ids) == 1:
        return module(*inputs[0], **module_kwargs[0])
    device_ids = device_ids[:len(inputs)]
    return gather(parallel_apply(replicate(module, device_ids), inputs, module_kwargs, device_ids), output_device, dim)

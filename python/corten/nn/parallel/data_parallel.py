# SPDX-License-Identifier: BSD-3-Clause
"""DataParallel: one process divides each batch among several GPUs, calls a copy of the module on each, and joins the results.

DistributedDataParallel, with a process for each GPU, is faster: nothing is copied for each batch.
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
    for t in chain(module.parameters(), module.buffers()):
        if t.device != device:
            raise RuntimeError(f"module must have its parameters and buffers on device {device} (device_ids[0]) but found one of them on "
                               f"device: {t.device}")


class DataParallel(Module):
    """Divides the arguments of each call along `dim` among the GPUs `device_ids` (all, by default), and joins the results on
    `output_device` (the first of them). The module has to be on device_ids[0]. Without a GPU it is called as it is.

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
        """The copies of the module for one call."""
        return replicate(module, device_ids, not _C.is_grad_enabled())

    def scatter(self, inputs, kwargs, device_ids):
        """The arguments for each GPU."""
        return scatter_kwargs(inputs, kwargs, device_ids, dim=self.dim)

    def parallel_apply(self, replicas, inputs, kwargs):
        """Calls the copies."""
        return parallel_apply(replicas, inputs, kwargs, self.device_ids[:len(replicas)])

    def gather(self, outputs, output_device):
        """Joins the results."""
        return gather(outputs, output_device, dim=self.dim)


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    """Calls a module once as DataParallel does; its arguments have the same meanings. `output_device` may be "cpu"."""
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

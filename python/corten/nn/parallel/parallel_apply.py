# SPDX-License-Identifier: BSD-3-Clause
"""torch.nn.parallel.parallel_apply: runs several modules at once, each in a thread and on a GPU."""
import threading

from ... import _C, cuda
from ..._settings import get_autocast_dtype, is_autocast_enabled
from ..._utils import ExceptionWrapper, _get_device_index

__all__ = ["get_a_var", "parallel_apply"]


def get_a_var(obj):
    """Return the first tensor in nested lists, tuples and dicts, or None.

    Args:
        obj: the nested value.
    """
    if isinstance(obj, _C.Tensor):
        return obj
    parts = obj.items() if isinstance(obj, dict) else obj if isinstance(obj, (list, tuple)) else ()
    return next((found for found in map(get_a_var, parts) if found is not None), None)


class _Call:
    """One module with its arguments. It runs with the modes (gradients, autocast, stream) of the thread that creates this object."""

    def __init__(self, number, module, given, kwargs, device):
        self.number, self.module, self.kwargs, self.result = number, module, kwargs, None
        self.given = given if isinstance(given, (list, tuple)) else (given,)
        tensor = get_a_var(given)
        self.device = device if device is not None else None if tensor is None else tensor.get_device()
        self.stream = None if self.device is None else cuda.current_stream(self.device)
        self.grad = _C.is_grad_enabled()
        from ...amp import autocast
        self.cast = autocast("cuda", enabled=is_autocast_enabled("cuda"), dtype=get_autocast_dtype("cuda"))

    def run(self):
        """Call the module; keep the result, or the exception."""
        try:
            if self.device is None:
                raise RuntimeError("no device was provided and no tensor input was found; device cannot be resolved")
            with _C.set_grad_enabled(self.grad), cuda.device(self.device), cuda.stream(self.stream), self.cast:
                self.result = self.module(*self.given, **self.kwargs)
        except Exception:
            self.result = ExceptionWrapper(where=f"in replica {self.number} on device {self.device}")


def parallel_apply(modules, inputs, kwargs_tup=None, devices=None):
    """Call modules[i](*inputs[i], **kwargs_tup[i]) for all i at the same time, each in a thread.

    Returns the results in the same order. If calls fail, the first of their exceptions is raised again.

    Args:
        modules: the modules.
        inputs: for each its argument, or a tuple of them.
        kwargs_tup: for each its keyword arguments. Default: None, no keyword arguments.
        devices: for each its GPU. Default: None, the GPU of its first tensor.
    """
    if len(modules) != len(inputs):
        raise AssertionError(f"The number of modules {len(modules)} is not equal to the number of inputs {len(inputs)}")
    kwargs_tup = [{}] * len(modules) if kwargs_tup is None else kwargs_tup
    if len(modules) != len(kwargs_tup):
        raise AssertionError(f"The number of modules {len(modules)} is not equal to the number of kwargs_tup {len(kwargs_tup)}")
    devices = [None] * len(modules) if devices is None else [_get_device_index(device, True) for device in devices]
    if len(modules) != len(devices):
        raise AssertionError(f"The number of modules {len(modules)} is not equal to the number of devices {len(devices)}")
    calls = [_Call(i, *each) for i, each in enumerate(zip(modules, inputs, kwargs_tup, devices, strict=True))]
    threads = [threading.Thread(target=call.run) for call in calls[1:]]
    for thread in threads:
        thread.start()
    if calls:
        calls[0].run()
    for thread in threads:
        thread.join()
    for call in calls:
        if isinstance(call.result, ExceptionWrapper):
            call.result.reraise()
    return [call.result for call in calls]

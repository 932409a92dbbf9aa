# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.nccl: one process combines tensors of several GPUs.

Each tensor is on a different GPU. The functions consist of copies between GPUs and sums on them. Processes that have one
GPU each use torch.distributed instead, where NVIDIA's library NCCL does the work.
"""
import collections.abc
import ctypes
import warnings

from .. import _C
from .._missing import MissingFeature

__all__ = ["all_gather", "all_reduce", "broadcast", "reduce", "reduce_scatter"]

SUM, PROD, MAX, MIN, AVG = range(5)  # the values of NCCL's ncclRedOp_t
_STEP = {SUM: _C.add, PROD: _C.mul, MAX: _C.maximum, MIN: _C.minimum, AVG: _C.add}


def _library():
    from ._library import library
    found = library("libnccl.so.2", "libnccl.so")
    if found is None:
        raise RuntimeError("NCCL is not installed: pip install nvidia-nccl-cu13 (or -cu12) installs libnccl.so.2")
    return found


def version():
    """Return the version of the installed NCCL library, such as (2, 27, 3)."""
    number = ctypes.c_int()
    _library().ncclGetVersion(ctypes.byref(number))
    major, rest = divmod(number.value, 10000) if number.value >= 10000 else divmod(number.value, 1000)
    return (major, *divmod(rest, 100))


def is_available(tensors):
    """Return whether tensors can be combined: dense, contiguous, and each on a different GPU.

    Args:
        tensors: the tensors.
    """
    gpus = [t.device for t in tensors]
    return (all(t.is_cuda and not t.is_sparse and t.is_contiguous() for t in tensors)
            and len(set(gpus)) == len(gpus))


def _tensors(inputs, streams=None, comms=None):
    if not isinstance(inputs, collections.abc.Container) or isinstance(inputs, _C.Tensor):
        raise TypeError("Inputs should be a collection of tensors")
    if comms is not None:
        raise MissingFeature("torch.cuda.nccl's argument comms", "use torch.distributed with the backend nccl")
    for stream in streams or ():
        if stream is not None:  # its work must finish before the copies
            stream.synchronize()
    inputs = list(inputs)
    if not is_available(inputs):
        raise RuntimeError("NCCL needs dense, contiguous tensors, each on a different GPU, but got tensors on "
                           + ", ".join(str(t.device) for t in inputs))
    return inputs


def _combined(inputs, device, op):
    if op not in _STEP:
        raise RuntimeError(f"NCCL: invalid operation {op!r}; use SUM, PROD, MAX, MIN or AVG (0 to 4)")
    result = inputs[0].to(device)
    for t in inputs[1:]:
        result = _STEP[op](result, t.to(device))
    return result / len(inputs) if op == AVG else result


def all_reduce(inputs, outputs=None, op=SUM, streams=None, comms=None):
    """Combine tensors element by element, and give all of them the result.

    Args:
        inputs: tensors of one shape, each on a different GPU.
        outputs: tensors to write to. Default: None, for inputs
        op: SUM, PROD, MAX, MIN or AVG of this module. Default: SUM
        streams: streams to wait for first, or None. Default: None
        comms: must be None. Default: None
    """
    inputs = _tensors(inputs, streams, comms)
    outputs = inputs if outputs is None else _tensors(outputs)
    result = _combined(inputs, inputs[0].device, op)
    for t in outputs:
        t.copy_(result)


def reduce(inputs, output=None, root=0, op=SUM, streams=None, comms=None, *, outputs=None):
    """Combine tensors element by element, and give one of them the result.

    Args:
        inputs: tensors of one shape, each on a different GPU.
        output: the tensor to write to. Default: None, for inputs[root]
        root: the index of the default output. Default: 0
        op, streams, comms: as for all_reduce.
        outputs: deprecated; outputs[root] is the output.
    """
    if outputs is not None and output is not None:
        raise ValueError("'output' and 'outputs' can not be both specified. 'outputs' is deprecated in favor of 'output', taking in a "
                         "single output tensor. The signature of reduce is: reduce(inputs, output=None, root=0, op=SUM, streams=None, "
                         "comms=None).")
    if outputs is None and isinstance(output, collections.abc.Sequence):
        outputs, output = output, None
    if outputs is not None:
        warnings.warn("nccl.reduce with an output tensor list is deprecated. Please specify a single output tensor.", FutureWarning,
                      stacklevel=2)
        output = outputs[root]
    inputs = _tensors(inputs, streams, comms)
    output = inputs[root] if output is None else output
    output.copy_(_combined(inputs, output.device, op))


def broadcast(inputs, root=0, streams=None, comms=None):
    """Copy one tensor to the others.

    Args:
        inputs: tensors of one shape, each on a different GPU.
        root: the index of the tensor to copy. Default: 0
        streams, comms: as for all_reduce.
    """
    inputs = _tensors(inputs, streams, comms)
    for i, t in enumerate(inputs):
        if i != root:
            t.copy_(inputs[root])


def all_gather(inputs, outputs, streams=None, comms=None):
    """Concatenate tensors, and write the result to tensors on all GPUs.

    Args:
        inputs: tensors of one shape, each on a different GPU.
        outputs: tensors with len(inputs) times as many elements, each on a different GPU.
        streams, comms: as for all_reduce.
    """
    inputs, outputs = _tensors(inputs, streams, comms), _tensors(outputs)
    for t in outputs:
        t.view(-1).copy_(_C.cat([i.to(t.device).view(-1) for i in inputs]))


def reduce_scatter(inputs, outputs, op=SUM, streams=None, comms=None):
    """Combine tensors element by element, and give each output one part of the result.

    Args:
        inputs: tensors of one shape, each on a different GPU.
        outputs: tensors with 1 / len(outputs) of the elements, each on a different GPU.
        op, streams, comms: as for all_reduce.
    """
    inputs, outputs = _tensors(inputs, streams, comms), _tensors(outputs)
    parts = _combined(inputs, inputs[0].device, op).view(len(outputs), -1)
    for t, part in zip(outputs, parts):
        t.view(-1).copy_(part)

# SPDX-License-Identifier: BSD-3-Clause
"""Hooks that average a bucket, uncompressed or in a 16-bit type. Each takes a state (a process group or None) and a bucket."""
from .... import _C
from ... import distributed_c10d as c10d
from ..._collectives import all_reduce

__all__ = ["allreduce_hook", "bf16_compress_hook", "bf16_compress_wrapper", "fp16_compress_hook", "fp16_compress_wrapper"]


def _average(group, tensor):
    """Returns a future of `tensor` averaged over the group."""
    group = c10d._group_or_world(group)
    return all_reduce(tensor.div_(group.size()), group=group, async_op=True).get_future().then(lambda done: done.value()[0])


def allreduce_hook(process_group, bucket):
    """Averages the gradients in their own type, as DistributedDataParallel does without a hook."""
    return _average(process_group, bucket.buffer())


def _compressed(process_group, bucket, dtype):
    buffer = bucket.buffer()
    return _average(process_group, buffer.to(dtype)).then(lambda done: buffer.copy_(done.value()))


def fp16_compress_hook(process_group, bucket):
    """Averages the gradients in float16 and casts the result back."""
    return _compressed(process_group, bucket, _C.float16)


def bf16_compress_hook(process_group, bucket):
    """Averages the gradients in bfloat16 and casts the result back."""
    return _compressed(process_group, bucket, _C.bfloat16)


def _wrapper(dtype):
    def wrap(hook):
        """Wraps a communication hook so that it sends the gradients in a smaller type."""
        def wrapped(state, bucket):
            whole = bucket.buffer()
            bucket.set_buffer(whole.to(dtype))
            return hook(state, bucket).then(lambda done: whole.copy_(done.value()))
        return wrapped
    return wrap


fp16_compress_wrapper, bf16_compress_wrapper = _wrapper(_C.float16), _wrapper(_C.bfloat16)

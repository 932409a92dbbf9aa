# SPDX-License-Identifier: BSD-3-Clause
"""GradBucket: the bucket of gradients that DistributedDataParallel passes to a communication hook."""

import enum

__all__ = ["BuiltinCommHookType", "GradBucket"]


class BuiltinCommHookType(enum.Enum):
    """Built-in hooks for DistributedDataParallel._register_builtin_comm_hook: plain average, or average in float16."""
    ALLREDUCE, FP16_COMPRESS = 0, 1


class GradBucket:
    """Several gradients in one flat tensor, which a communication hook reduces. Created by DistributedDataParallel."""

    def __init__(self, bucket, index, last):
        self._bucket, self._index, self._last, self._buffer = bucket, index, last, bucket.flat

    def index(self):
        """Returns the position of this bucket in the order in which buckets are reduced."""
        return self._index

    def is_last(self):
        """Returns whether this is the last bucket of the backward pass."""
        return self._last

    def buffer(self):
        """Returns the flat tensor of all gradients. A sparse gradient has a bucket to itself."""
        return self._buffer

    def set_buffer(self, tensor):
        """Replaces the tensor that buffer() returns."""
        self._buffer = tensor

    def gradients(self):
        """Returns the gradients as views of the flat tensor, one for each parameter."""
        if self._bucket.sparse:
            return [self._buffer]
        if self._buffer is self._bucket.flat:
            return list(self._bucket.views)
        parts = self._buffer.split([p.numel() for p in self._bucket.parameters])
        return [part.view(p.shape) for part, p in zip(parts, self._bucket.parameters, strict=True)]

    def parameters(self):
        """Returns the parameters of the gradients, in the same order."""
        return list(self._bucket.parameters)

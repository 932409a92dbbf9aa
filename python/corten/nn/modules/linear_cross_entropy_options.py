# SPDX-License-Identifier: BSD-3-Clause
"""LinearCrossEntropyOptions: how linear_cross_entropy splits a batch into chunks."""
import dataclasses
import math

from ... import _C

__all__ = ["LinearCrossEntropyOptions"]


def _next_power_of_2(n):
    return 1 << max(n - 1, 0).bit_length()


@dataclasses.dataclass(slots=True, frozen=True)
class LinearCrossEntropyOptions:
    """How linear_cross_entropy splits a batch into chunks of rows, and the dtype in which it sums.

    The object is immutable; one can serve many calls and losses.

    Args:
        allow_retain_graph: whether backward can run twice, which costs a copy of the gradients. By
            default backward uses up the gradients that forward has computed, and a second one
            raises. Default: False.
        batch_chunk_size: number of rows of a chunk. Only together with `chunking_method` "auto" or
            None. Default: None.
        chunking_method: "aspect_ratio" makes chunks whose scores take about as much memory as the
            input, "aspect_ratio:4" a quarter of that. "auto" is "aspect_ratio" unless
            `batch_chunk_size` is given, with smaller chunks where classes are so few that a chunk
            would need more memory than no chunks. None takes `batch_chunk_size`, or all rows at
            once. Default: "auto".
        acc_policy: "accurate" computes the scores of float16 and bfloat16 inputs in `acc_dtype`;
            "compact" only adds up losses and gradients in it. "auto" is "accurate" for these types
            on a CPU, else "compact". Default: "auto".
        acc_dtype: the type in which losses and gradients are added up. Default: None, which is
            float32 for half-precision inputs under "auto", else the input's type.

    Example:
        >>> options = nn.LinearCrossEntropyOptions(batch_chunk_size=64)
        >>> options.batch_chunk_size, options.acc_policy
        (64, 'auto')
    """
    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: str = "auto"
    acc_dtype: _C.dtype | None = None

    def __post_init__(self):
        if self.acc_policy not in ("auto", "accurate", "compact"):
            raise ValueError(f"invalid acc_policy: {self.acc_policy!r}; expected one of 'auto', 'accurate', 'compact'")
        if self.chunking_method not in (None, "auto", "aspect_ratio"):
            name, _, factor = self.chunking_method.partition(":")
            if name != "aspect_ratio" or not factor.isdigit() or int(factor) == 0:
                raise ValueError(f"invalid chunking_method: {self.chunking_method!r}")
        size = self.batch_chunk_size
        if size is not None and not (isinstance(size, int) and size > 0):
            raise ValueError(f"batch_chunk_size must be positive int or None, got {size!r}")
        if self.acc_dtype not in (None, _C.float16, _C.bfloat16, _C.float32, _C.float64):
            raise ValueError("acc_dtype must be one of {None, torch.float16, torch.bfloat16, torch.float32, torch.float64}, got "
                             f"{self.acc_dtype!r}. Pass acc_dtype=None to let the op pick automatically.")

    def _adjust(self, num_batches, in_features, num_classes, dtype, device=None, prob_target=False):
        """Return a copy for one call, in which every "auto" or None is replaced by the actual choice."""
        half = device is not None and dtype in (_C.float16, _C.bfloat16)
        policy, method, size = self.acc_policy, self.chunking_method, self.batch_chunk_size
        if policy == "auto":
            policy = "accurate" if half and device.type == "cpu" else "compact"
        if method == "auto":
            method = None if size is not None else "aspect_ratio"
        rows = num_batches if size is None else min(size, num_batches)
        if method is not None:
            factor = int(method.partition(":")[2] or 1)
            alike = math.ceil(num_batches / max(math.ceil(num_classes / max(in_features, 1)), 1))
            rows = min(_next_power_of_2(alike) // factor, num_batches)
            if self.chunking_method == "auto" and policy == "compact":
                # A single chunk would need more memory than the unchunked loss, since forward computes gradients too.
                most = num_batches // 2 if prob_target else num_batches * num_classes // max(4 * in_features, 1)
                rows = min(rows, 1 << max(most.bit_length() - 1, 0))
            if size is not None and size != rows:
                raise ValueError(f"batch_chunk_size (={size}) and chunking_method ('{method}') give different chunk sizes "
                                 f"({size} vs {rows}); pass only one.")
        kind = self.acc_dtype or (_C.float32 if half and self.acc_policy == "auto" else dtype)
        return dataclasses.replace(self, acc_policy=policy, chunking_method=method, batch_chunk_size=max(1, rows), acc_dtype=kind)

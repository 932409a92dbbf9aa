# SPDX-License-Identifier: BSD-3-Clause
"""The loss of connectionist temporal classification."""
from .. import _C
from . import _reduction

__all__ = ["ctc_loss"]


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """How unlikely it is that frames spell their targets, with repetitions and blanks between labels.

        >>> frames = torch.full((4, 1, 3), 1 / 3).log()
        >>> torch.nn.functional.ctc_loss(frames, torch.tensor([[1, 2]]), [4], [2])
        tensor(0.8432)
    """
    return _C.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, _reduction.get_enum(reduction), zero_infinity)

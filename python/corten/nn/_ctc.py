# SPDX-License-Identifier: BSD-3-Clause
"""nn.functional.ctc_loss, the loss of connectionist temporal classification."""
from .. import _C
from . import _reduction

__all__ = ["ctc_loss"]


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """Connectionist temporal classification loss: label sequences against frames without an alignment.

        loss = -log(sum over all alignments of the product of their frames' probabilities)

    An alignment gives every frame a label or the blank; repeated labels are merged, then blanks
    dropped, and the target has to remain (Graves et al., 2006). A target that does not fit into its
    frames has loss infinity. The layer is nn.CTCLoss.

    Args:
        log_probs: (T, N, C) or (T, C), log-probabilities of T frames for C labels with the blank.
        targets: (N, S) padded to the longest, or all targets in one 1-D tensor, one after the
            other.
        input_lengths, target_lengths: (N,) or (), tensors or sequences of ints: how many frames and
            labels of each element count.
        blank: index of the blank label. Default: 0.
        reduction: "none", "sum", or "mean", which divides each loss by its target length (at least
            1) before it averages. Default: "mean".
        zero_infinity: replace infinite losses, and their gradients, by zero. Default: False.

    Example:
        >>> frames = torch.full((3, 1, 3), 1 / 3).log()  # 3 frames, 3 labels equally likely
        >>> loss = nn.functional.ctc_loss(frames, torch.tensor([[1, 2]]), (3,), (2,), reduction="sum")
        >>> round((-loss).exp().item() * 27)  # of 27 alignments these fit: 112, 122, 012, 102, 120
        5
    """
    return _C.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, _reduction.get_enum(reduction), zero_infinity)

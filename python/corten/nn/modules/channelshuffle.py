# SPDX-License-Identifier: BSD-3-Clause
"""ChannelShuffle: interleaves the channels of several groups."""
from .. import functional as F
from ._stateless import Stateless

__all__ = ["ChannelShuffle"]


class ChannelShuffle(Stateless):
    """Interleave the channels of several groups (Zhang et al., 2017, ShuffleNet).

    The channels are taken as `groups` blocks; the output has the first channel of each block, then
    the second of each, and so on. Between grouped convolutions it lets the groups exchange
    information.

    Args:
        groups: number of groups; it must divide the number of channels.

    Shape:
        - Input: (N, C, ...).
        - Output: the same shape.

    Example:
        >>> x = torch.arange(4.).view(1, 4, 1, 1)
        >>> nn.ChannelShuffle(2)(x).flatten()
        tensor([0., 2., 1., 3.])
    """

    _shown = ("groups",)

    def __init__(self, groups):
        super().__init__(groups=groups)

    def forward(self, input):
        """Reorder the channels of the input."""
        return F.channel_shuffle(input, self.groups)

# SPDX-License-Identifier: BSD-3-Clause
"""Channels in another order."""
from .. import functional as F
from ._stateless import Stateless

__all__ = ["ChannelShuffle"]


class ChannelShuffle(Stateless):
    """Takes channels of all groups in turn.

        >>> nn.ChannelShuffle(2)(torch.randn(1, 4, 2, 2)).shape
        torch.Size([1, 4, 2, 2])
    """

    _shown = ("groups",)

    def __init__(self, groups):
        super().__init__(groups=groups)

    def forward(self, input):
        return F.channel_shuffle(input, self.groups)

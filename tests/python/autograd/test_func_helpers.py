# SPDX-License-Identifier: BSD-3-Clause
"""Helpers of torch.func: rearrange, which moves dims by name, and batch norm without running statistics."""
import pytest

import corten as torch


def test_rearrange():
    x = torch.arange(24.0).reshape(2, 3, 4)
    f = torch.func.rearrange
    assert torch.equal(f(x, "b h w -> b (h w)"), x.reshape(2, 12))
    assert torch.equal(f(x, "b h (w c) -> b c h w", c=2), x.reshape(2, 3, 2, 2).permute(0, 3, 1, 2))
    assert torch.equal(f(x, "... w -> w ..."), x.permute(2, 0, 1)) and f(x, "b h w -> 1 b h w").shape == (1, 2, 3, 4)
    assert torch.equal(f([x, x], "k b h w -> (k b) h w"), torch.cat([x, x]))
    for pattern in ("b h -> h b", "b h w -> b h", "b h (w c) -> b h w c", "b (h w -> b"):
        with pytest.raises(ValueError):
            f(x, pattern)


def test_batch_norm_without_statistics():
    net = torch.nn.Sequential(torch.nn.BatchNorm1d(3))
    assert torch.func.replace_all_batch_norm_modules_(net) is net
    assert list(net.state_dict()) == ["0.weight", "0.bias"] and not net[0].track_running_stats

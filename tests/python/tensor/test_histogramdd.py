# SPDX-License-Identifier: BSD-3-Clause
"""histogramdd, whose result is a tensor and a tuple of tensors."""
import corten as torch
import pytest

POINTS = (torch.arange(24) % 7).reshape(8, 3).to(torch.float32) / 2


def test_counts_and_edges():
    hist, edges = torch.histogramdd(POINTS, [2, 3, 2])
    assert hist.shape == (2, 3, 2) and hist.sum() == 8
    assert [tuple(e.shape) for e in edges] == [(3,), (4,), (3,)]
    assert torch.equal(edges[0], torch.tensor([0.0, 1.5, 3.0]))
    flat, _ = torch.histogram(POINTS[:, 0].contiguous(), 2)
    assert torch.equal(hist.sum((1, 2)), flat)


def test_edges_given():
    result = torch.histogramdd(POINTS, [torch.tensor([0.0, 1.0, 2.0])] * 3)
    inside = (POINTS <= 2).all(1).sum()
    assert result.hist.sum() == inside and len(result.bin_edges) == 3


def test_density_and_weight():
    hist, edges = torch.histogramdd(POINTS, 2, range=[0.0, 3.0] * 3, density=True)
    assert abs((hist * 1.5 ** 3).sum() - 1) < 1e-6
    weighed, _ = torch.histogramdd(POINTS, 2, weight=POINTS[:, 0])
    assert weighed.sum() == POINTS[:, 0].sum()


@pytest.mark.parametrize("bins, text", [([2, 2], "The size of bins must be equal to the innermost dimension"),
                                        (0, "bins must be > 0, but got 0 for dimension 0")])
def test_refused(bins, text):
    with pytest.raises(RuntimeError, match=text):
        torch.histogramdd(POINTS, bins)

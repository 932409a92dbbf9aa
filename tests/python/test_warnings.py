# SPDX-License-Identifier: BSD-3-Clause
"""Warnings of the library reach Python, once, and may be turned into errors."""
import warnings

import corten as torch
import pytest


@pytest.mark.parametrize("call, part", [
    (lambda: torch.add(torch.ones(2), 1, out=torch.ones(3)), "An output with one or more elements was resized"),
    (lambda: torch.ones(1).std(), "degrees of freedom is <= 0"),
])
def test_warns(call, part):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        call()
        torch.ones(2).sum()
    assert [w.category for w in seen] == [UserWarning] and part in str(seen[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match=part.split("<")[0]):
            call()

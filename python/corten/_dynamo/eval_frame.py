# SPDX-License-Identifier: BSD-3-Clause
"""The class of compiled modules, of which there are none."""
from ..nn import Module


class OptimizedModule(Module):
    """No module is one: torch.compile gives its argument back."""

    def __init__(self, *args, **kwargs):
        raise RuntimeError("torch._dynamo: modules are not compiled")


def is_dynamo_supported():
    """False."""
    return False

# SPDX-License-Identifier: BSD-3-Clause
"""Helpers around tensors; each module is imported when first asked for."""


def __getattr__(name):
    import importlib
    import importlib.util
    if not name.startswith("__") and importlib.util.find_spec(f"{__package__}.{name}"):
        return importlib.import_module(f"{__package__}.{name}")
    raise AttributeError(f"module 'torch.utils' has no attribute '{name}'")

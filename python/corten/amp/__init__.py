# SPDX-License-Identifier: BSD-3-Clause
"""Automatic mixed precision: autocast, and GradScaler, which keeps float16 gradients from vanishing."""
from .autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available
from .grad_scaler import GradScaler

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]


from .._parts import parts_of  # noqa: E402

__getattr__ = parts_of(__name__)

# SPDX-License-Identifier: BSD-3-Clause
"""torch.fft: Fourier transforms, implemented in C."""
from ._C import Tensor, _submodules  # noqa: F401

__all__ = [name for name in vars(_submodules["fft"]) if name[0] != "_"]
globals().update({name: getattr(_submodules["fft"], name) for name in __all__})
__all__.append("Tensor")

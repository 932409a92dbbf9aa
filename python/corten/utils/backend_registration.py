# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.backend_registration: registration of device types that C++ extensions add to PyTorch."""
from .._missing import missing_function

__all__ = ["generate_methods_for_privateuse1_backend", "rename_privateuse1_backend"]

_INSTEAD = "devices are the CPU and NVIDIA GPUs; other kinds would need C++ extensions, which are written against PyTorch's headers"
generate_methods_for_privateuse1_backend = missing_function("torch.utils.generate_methods_for_privateuse1_backend", _INSTEAD)
rename_privateuse1_backend = missing_function("torch.utils.rename_privateuse1_backend", _INSTEAD)

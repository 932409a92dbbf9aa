# SPDX-License-Identifier: BSD-3-Clause
"""torch.quantization, the old name of torch.ao.quantization."""
from .ao import _files, quantization as _home

globals().update({name: value for name, value in vars(_home).items() if name[0] != "_" and not hasattr(value, "__spec__")})
__all__ = list(_home.__all__)
_files.make(__name__, _home._INSTEAD)

# SPDX-License-Identifier: BSD-3-Clause
"""torch.types: type aliases for annotations."""
import os
from builtins import bool as _bool, bytes as _bytes, complex as _complex, float as _float, int as _int, str as _str
from typing import Any, List, Sequence, Tuple, Union

from . import _C
from ._C import Size, Tensor, device as _device_class, dtype as _dtype_class

__all__ = ["Number", "Device", "FileLike", "Storage"]

_TensorOrTensors = Union[Tensor, Sequence[Tensor]]
_TensorOrTensorsOrGradEdge = Union[Tensor, Sequence[Tensor], Any, Sequence[Any]]
_dtype, _device = _dtype_class, _device_class
_layout = type(_C.strided)
_size = Union[Size, List[_int], Tuple[_int, ...]]
_symsize = _size
_dispatchkey = Union[_str, Any]
Number = Union[_int, _float, _bool]
_Number = (_int, _float, _bool)
Device = Union[_device_class, _str, _int, None]
FileLike = Union[_str, os.PathLike, Any]
_int, _float, _bool, _str, _bytes, _complex = _int, _float, _bool, _str, _bytes, _complex
Storage = _C.StorageBase

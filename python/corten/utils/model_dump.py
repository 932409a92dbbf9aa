# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.model_dump: HTML reports about models saved by torch.jit.save."""
from .._missing import missing_function

__all__ = ["get_inline_skeleton", "get_model_info", "main"]

_INSTEAD = "it shows TorchScript programs, which Corten does not read; python -m zipfile -l FILE lists what a saved file contains"
get_inline_skeleton = missing_function("torch.utils.model_dump.get_inline_skeleton", _INSTEAD)
get_model_info = missing_function("torch.utils.model_dump.get_model_info", _INSTEAD)
main = missing_function("torch.utils.model_dump.main", _INSTEAD)

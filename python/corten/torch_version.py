# SPDX-License-Identifier: BSD-3-Clause
"""torch.torch_version: TorchVersion, the str type of `torch.__version__`, which compares as a version."""
from .version import TorchVersion, __version__

__all__ = ["TorchVersion"]

TorchVersion.__module__ = "torch.torch_version"
__version__ = TorchVersion(__version__)

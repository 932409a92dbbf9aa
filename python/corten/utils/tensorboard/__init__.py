# SPDX-License-Identifier: BSD-3-Clause
"""Event files for TensorBoard, written without it."""
from .writer import FileWriter, SummaryWriter

__all__ = ["FileWriter", "SummaryWriter"]

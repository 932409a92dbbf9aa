# SPDX-License-Identifier: BSD-3-Clause
"""Writes event files for TensorBoard; does not need TensorBoard itself."""
from .writer import FileWriter, SummaryWriter

__all__ = ["FileWriter", "SummaryWriter"]

# SPDX-License-Identifier: BSD-3-Clause
"""Checkpoints that several processes write together: not there."""
from .._absent import absent

__all__ = ["FileSystemReader", "FileSystemWriter", "load", "save"]

FileSystemReader, FileSystemWriter, load, save = absent("checkpoint", *__all__)

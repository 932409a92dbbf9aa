# SPDX-License-Identifier: BSD-3-Clause
"""torch.onnx.errors: what an export may raise."""

__all__ = ["OnnxExporterError", "OnnxExporterWarning", "SymbolicValueError", "UnsupportedOperatorError"]


class OnnxExporterWarning(UserWarning):
    """A warning of an export."""


class OnnxExporterError(RuntimeError):
    """An export failed."""


class UnsupportedOperatorError(OnnxExporterError):
    """An operation that ONNX does not have."""


class SymbolicValueError(OnnxExporterError):
    """A value that an export cannot describe."""

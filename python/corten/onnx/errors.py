# SPDX-License-Identifier: BSD-3-Clause
"""torch.onnx.errors: exceptions of PyTorch's exporter."""

__all__ = ["OnnxExporterError", "OnnxExporterWarning", "SymbolicValueError", "UnsupportedOperatorError"]


class OnnxExporterWarning(UserWarning):
    """A warning of the exporter."""


class OnnxExporterError(RuntimeError):
    """An export failed."""


class UnsupportedOperatorError(OnnxExporterError):
    """ONNX does not have an operation of the model."""


class SymbolicValueError(OnnxExporterError):
    """A value cannot be represented in ONNX."""

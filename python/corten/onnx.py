# SPDX-License-Identifier: BSD-3-Clause
"""Names of PyTorch's ONNX exporter; an export is refused."""

import enum

__all__ = ["ExportOptions", "ONNXProgram", "OperatorExportTypes", "TrainingMode", "export", "is_in_onnx_export"]

TrainingMode = enum.IntEnum("TrainingMode", ("EVAL", "PRESERVE", "TRAINING"), start=0)
OperatorExportTypes = enum.IntEnum("OperatorExportTypes", ("ONNX", "ONNX_ATEN", "ONNX_ATEN_FALLBACK", "ONNX_FALLTHROUGH"), start=0)


def is_in_onnx_export():
    """False."""
    return False


def export(*args, **kwargs):
    """An error: models are not exported."""
    raise RuntimeError("torch.onnx.export: models cannot be exported to ONNX; save the state_dict() of the module instead")


dynamo_export = export


class ONNXProgram:
    """A model that was exported: there are none."""

    def __init__(self, *args, **kwargs):
        export()


class ExportOptions(ONNXProgram):
    """How one would be exported."""

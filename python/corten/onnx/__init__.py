# SPDX-License-Identifier: BSD-3-Clause
"""torch.onnx: ONNX export, which Corten does not have; the names exist so that programs can import them."""
import enum

from .._missing import missing_class, missing_function
from .._parts import parts_of
from . import _absent
from .errors import OnnxExporterError

__all__ = ["ExportOptions", "ExportableModule", "InputObserver", "JitScalarType", "ONNXProgram", "OnnxExporterError",
           "OperatorExportTypes", "TensorProtoDataType", "TrainingMode", "export", "is_in_onnx_export", "register_custom_op_symbolic",
           "select_model_mode_for_export", "unregister_custom_op_symbolic"]

TrainingMode = enum.IntEnum("TrainingMode", ("EVAL", "PRESERVE", "TRAINING"), start=0)
OperatorExportTypes = enum.IntEnum("OperatorExportTypes", ("ONNX", "ONNX_ATEN", "ONNX_ATEN_FALLBACK", "ONNX_FALLTHROUGH"), start=0)
TensorProtoDataType = enum.IntEnum("TensorProtoDataType", (
    "UNDEFINED", "FLOAT", "UINT8", "INT8", "UINT16", "INT16", "INT32", "INT64", "STRING", "BOOL", "FLOAT16", "DOUBLE", "UINT32", "UINT64",
    "COMPLEX64", "COMPLEX128", "BFLOAT16", "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ"), start=0)
TrainingMode.__doc__ = "Whether an exported model is for training."
OperatorExportTypes.__doc__ = "How operators are exported that ONNX does not have."
TensorProtoDataType.__doc__ = "The data types of ONNX files."
ExportOptions, ExportableModule, InputObserver, JitScalarType, ONNXProgram = (
    missing_class(f"torch.onnx.{name}", _absent.INSTEAD)
    for name in ("ExportOptions", "ExportableModule", "InputObserver", "JitScalarType", "ONNXProgram"))
dynamo_export, export, register_custom_op_symbolic, select_model_mode_for_export, unregister_custom_op_symbolic = (
    missing_function(f"torch.onnx.{name}", _absent.INSTEAD)
    for name in ("dynamo_export", "export", "register_custom_op_symbolic", "select_model_mode_for_export", "unregister_custom_op_symbolic"))
__getattr__ = parts_of(__name__)


def is_in_onnx_export():
    """Returns False: there is no export."""
    return False

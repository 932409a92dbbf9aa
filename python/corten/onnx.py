# SPDX-License-Identifier: BSD-3-Clause
"""Names of PyTorch's ONNX exporter; an export is refused."""

__all__ = ["export", "is_in_onnx_export"]


def is_in_onnx_export():
    """False."""
    return False


def export(*args, **kwargs):
    """An error: models are not exported."""
    raise RuntimeError("torch.onnx.export: models cannot be exported to ONNX; save the state_dict() of the module instead")


dynamo_export = export

# SPDX-License-Identifier: BSD-3-Clause
"""Replaces torchvision._meta_registrations, _autograd_registrations and ops._register_onnx_ops.

Those register output shapes, derivatives, autocast rules and ONNX export for torchvision's compiled operators. The operators
in `_registered.py` are compositions of differentiable operations and need no registration.
"""


def _register_custom_op():
    """Called by torchvision.ops; does nothing, because there is no export to ONNX."""

# SPDX-License-Identifier: BSD-3-Clause
"""Stands in for torchvision._meta_registrations, _autograd_registrations and ops._register_onnx_ops.

They register shapes, derivatives, casts under autocast and an ONNX form for torchvision's compiled operators. Those in
`_registered.py` are made of differentiable operations and need none of it.
"""


def _register_custom_op():
    """Called by torchvision.ops; does nothing, because models cannot be exported to ONNX."""

# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.algorithms.ddp_comm_hooks.quantization_hooks: gradients quantised to 8 bits.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_function

__all__ = ["quantization_perchannel_hook", "quantization_pertensor_hook"]

_INSTEAD = "default_hooks.bf16_compress_hook halves what is sent"
(quantization_perchannel_hook, quantization_pertensor_hook) = (
    missing_function(f"torch.distributed.algorithms.ddp_comm_hooks.quantization_hooks.{name}", _INSTEAD) for name in (
        "quantization_perchannel_hook", "quantization_pertensor_hook"))

# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.quantized: quantized engines; Corten has none."""
engine, supported_engines = "none", ["none"]

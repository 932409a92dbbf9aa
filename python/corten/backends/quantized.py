# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.quantized: there are no quantised types."""
engine, supported_engines = "none", ["none"]

# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.jit.log_extract: benchmarks of TorchScript graphs extracted from logs."""
from ..._missing import missing_function

__all__ = ["extract_ir", "load_graph_and_inputs", "run_baseline_no_fusion", "run_nnc", "run_nvfuser", "run_test"]

_INSTEAD = "there is no script compiler; time Python functions with torch.utils.benchmark.Timer"
extract_ir, load_graph_and_inputs, run_baseline_no_fusion, run_nnc, run_nvfuser, run_test = (
    missing_function(f"torch.utils.jit.log_extract.{name}", _INSTEAD) for name in __all__)

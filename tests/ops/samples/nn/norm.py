# SPDX-License-Identifier: BSD-3-Clause
"""Samples of norm.toml, and how exact its results must be."""
from facts import finite_within
from samples import ONE, PLAIN, one

HALVES = ["bfloat16", "float32", "float64"]
REST = "True, 0.1, 1e-5, False"
ULPS = {"norm": 64}
DELIBERATE = [
    ("The mean that `native_layer_norm` returns for a row with an infinity is infinite; PyTorch updates a running mean, which becomes NaN.", r"^native_layer_norm ", "nan", "inf"),
    ("Wrong arguments: Corten checks them against one signature and says which one is wrong; in PyTorch these functions are Python code or several overloads, and the error comes from whatever runs first.", "^normalize ", "AttributeError|unsupported", "TypeError"),
    ("`instance_norm` of rows whose exact result is 0: the libraries sum in different orders, so that one result is 0 and the other a rounding error.", "^instance_norm .*None, None, None, None", "^float", "^float", finite_within(2e-7)),
    ("`group_norm` with zero groups: Corten's error names `num_groups`; PyTorch's check divides by it and fails.", "^group_norm ", "", "num groups"),
    ("`rms_norm` reports a wrong shape in the words of `layer_norm`; PyTorch formats the same message differently.", "^rms_norm ", r"expected input with shape \[\*", "expected input"),
    ("float16 and bfloat16 are computed in float32 and rounded once, at the result; PyTorch also rounds intermediate results.", "^(batch|instance)_norm .* bfloat16", "^bfloat16", "^bfloat16", finite_within(2 ** -6)),
    ("Average pooling of half types over three dims (also inside `local_response_norm`) works on the CPU in Corten; PyTorch has no kernel for it.", "^local_response_norm ", "avg_pool3d_out_frame", "^b?float16"),
    ("`group_norm` of a tensor with too few dims: Corten's error gives the number of dims; in PyTorch an inner function fails with an IndexError.", "^group_norm ", "IndexError", "Expected at least 2 dim"),
]
SAMPLES = {
    "batch_norm": [(f"x423, None, None, None, None, {REST}", HALVES, PLAIN), (f"x42, p2, y2, None, None, {REST}", HALVES, PLAIN),
                   (f"x2322, p3, y3, None, None, {REST}", HALVES, ["c", "l"]), ("x2322, d3, y3, torch.full((3,), 0.25, dtype=x2322.dtype), torch.full((3,), 1.5, dtype=x2322.dtype), False, 0.1, 1e-5, False", HALVES, ["c", "l"]),
                   (f"x423, d2, y2, z2, p2, {REST}", ONE, PLAIN),
                   *one(f"x3, None, None, None, None, {REST}", f"x42, p3, None, None, None, {REST}", "x42, None, None, None, None, False, 0.1, 1e-5, False")],
    "native_layer_norm": [("x234, (4,), None, None, 1e-5", HALVES, ["c", "t"]), ("x234, (4,), p4, y4, 1e-5", HALVES, PLAIN), *one("x234, (3,), None, None, 1e-5", "x234, (4,)")],
    "native_batch_norm": [("x234, p3, y3, None, None, True, 0.1, 1e-5", ["float32", "float64"], ["c", "t"]), ("x234, None, None, torch.full((3,), 0.25, dtype=x234.dtype), torch.full((3,), 1.5, dtype=x234.dtype), False, 0.1, 1e-5", HALVES, PLAIN)],
    "native_group_norm": [("x2422, p4, y4, 2, 4, 4, 1, 1e-5", HALVES, PLAIN), ("x2422, None, None, 2, 4, 4, 1, 1e-5", HALVES, PLAIN), *one("x2422, None, None, 2, 4, 4, 3, 1e-5")],
    "layer_norm": [("x234, (4,)", HALVES, ["c", "t"]), ("x234, (3, 4), p34, y34", HALVES, PLAIN), ("x234, (4,), p4", HALVES, PLAIN), ("x234, (4,), None, y4", HALVES, PLAIN),
                   *one("x234, (3,)", "x234, (4,), p3", "x234, ()", "x234, (4,), p4, y3")],
    "group_norm": [("x243, 2", HALVES, PLAIN), ("x2422, 2, p4, y4", HALVES, PLAIN), ("x24, 2, p4, y4", HALVES, PLAIN), *one("x243, 3", "x243, 0", "x243, 2, p3", "x4, 2")],
    "instance_norm": [(f"x243, None, None, None, None, {REST}", HALVES, PLAIN), (f"x2422, p4, y4, None, None, {REST}", HALVES, PLAIN),
                      ("x243, d4, y4, torch.full((4,), 0.25, dtype=x243.dtype), torch.full((4,), 1.5, dtype=x243.dtype), False, 0.1, 1e-5, False", HALVES, PLAIN)],
    "rms_norm": [("x234, (4,)", HALVES, PLAIN), ("x234, (3, 4), p34", HALVES, PLAIN), ("x234, (4,), p4, 1e-3", HALVES, PLAIN), *one("x234, (3,)")],
    "local_response_norm": [("x254, 3", HALVES, PLAIN), ("x2532, 2, 0.1, 0.5, 2.0", HALVES, PLAIN), *one("x25, 3")],
    "normalize": [("p34", ["float32", "float64"], PLAIN), ("p34, 3.0, 0", ["float32", "float64"], PLAIN), ("p34, 1.0, 1, 100.0", ONE, PLAIN)],
}

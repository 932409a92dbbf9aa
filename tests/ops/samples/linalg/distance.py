# SPDX-License-Identifier: BSD-3-Clause
"""Samples of distances, covariances, differences and integrals."""
from facts import nearly
from samples import FLOATING, ONE, PLAIN, SOME, one

REALS = ["float16", "bfloat16", "float32", "float64"]
DOUBLE = ["float32", "float64"]
CENTRED = "x34 * 4"
SAMPLES = {
    "cdist": [*((f"x43, y53{p}", DOUBLE, ["c", "tt", "ss"]) for p in ("", ", 1.0", ", 3.0", ", 0.0", ", 0.5", ", float('inf')")), ("x43, y53", None, PLAIN), ("x243, y53", DOUBLE, PLAIN),
              ("x2143, y353", DOUBLE, ["c", "tt"]), ("x03, y53", SOME, PLAIN), ("x40, y50", DOUBLE, PLAIN), ("x43, x43", DOUBLE, PLAIN), ("n33, q33", DOUBLE, PLAIN), ("n33, q33, float('inf')", DOUBLE, PLAIN),
              ("x43, y53, 2.0, 'use_mm_for_euclid_dist'", ONE, PLAIN), ("x43, y53, compute_mode='donot_use_mm_for_euclid_dist'", DOUBLE, PLAIN),
              *one("x43, y52", "x3, y53", "x43, y3", "x43, y53, -1.0", "x43, y53_float64", "x243, y353", "x43, y53, compute_mode='a'", "x43", "x43, 'a'")],
    "pdist": [*((f"x43{p}", DOUBLE, ["c", "t"]) for p in ("", ", 1", ", 3.0", ", 0", ", float('inf')")), ("x43", None, PLAIN), ("x13", SOME, PLAIN), ("x03", SOME, PLAIN), ("x30", DOUBLE, PLAIN), *one("x3", "x234", "x43, -1")],
    "cosine_similarity": [("x34, y34", None, ["c", "tt"]), ("x34, y34, 0", REALS, PLAIN), ("x34, y34, dim=-1, eps=0.5", REALS, PLAIN), ("x34, y4", REALS, PLAIN), ("x34, y34_float64", SOME, PLAIN), ("x34 * 0, y34", REALS, PLAIN), ("x03, y03", DOUBLE, PLAIN),
                          *one("x34, y53", "x34, y34, 2", "x34", "x34, 'a'", "x3, y3")],
    "pairwise_distance": [("x34, y34", None, ["c", "tt"]), ("x34, y34, 1.0", REALS, PLAIN), ("x34, y34, float('inf'), 0.5", REALS, PLAIN), ("x34, y34, 3.0, keepdim=True", DOUBLE, PLAIN), ("x34, y4", DOUBLE, PLAIN), ("x4, y4", DOUBLE, PLAIN),
                          ("x03, y03", DOUBLE, PLAIN), *one("x34, y53", "x34", "x34, 2")],
    "renorm": [("x34, 2, 0, 1", None, ["c", "t", "s"]), ("x34, 1, 1, 0.5", FLOATING, PLAIN), ("x234, 2, -1, 1.5", FLOATING, ["c", "t"]), ("x34, float('inf'), 0, 1", FLOATING, PLAIN), ("x34, 3, 0, 0", DOUBLE, PLAIN), ("x34, 2, 0, 100", FLOATING, PLAIN), ("x03, 2, 0, 1", DOUBLE, PLAIN),
               *one("x3, 2, 0, 1", "x34, 0, 0, 1", "x34, 2, 0, -1", "x34, 2, 3, 1", "x34, 1j, 0, 1", "x34, 2, 0, 1j", "x34, 2, 0", "x34, 'a', 0, 1")],
    "cov": [(CENTRED, None, PLAIN), ("x34", FLOATING, ["c", "t"]), ("x4", None, PLAIN), ("x", SOME, PLAIN), ("x34, correction=0", FLOATING, PLAIN), ("x34, correction=4", DOUBLE, PLAIN), ("x30", DOUBLE, PLAIN),
            ("x34, fweights=p4_int64", FLOATING, PLAIN), ("x34, aweights=p4_float32", FLOATING, PLAIN), ("x34, fweights=p4_int64, aweights=p4_float64", FLOATING, PLAIN), ("x34, aweights=p4_float32, correction=0", FLOATING, PLAIN),
            *one("x234", "x34, fweights=p3_int64", "x34, fweights=p4", "x34, fweights=x4_int64", "x34, aweights=p4_int64", "x34, aweights=x4", "x34, aweights=p14", "x34, fweights=p14_int64", "x34, fweights=p4_int64 * 0", "x34, correction=2.5", "x34, 1")],
    "corrcoef": [("x34", FLOATING, ["c", "t"]), (CENTRED, None, PLAIN), ("x4", DOUBLE, PLAIN), ("x", DOUBLE, PLAIN), *one("x234")],
    "diff": [*(f"x34{w}" for w in ("", ", 2", ", dim=0", ", n=0")), ("x34, 9", SOME, PLAIN), ("x7", None, ["c", "s"]), ("x34, prepend=y32", SOME, PLAIN), ("x34, append=y32, n=2", SOME, PLAIN), ("x34, 1, 0, y14, z24", SOME, ["c", "t"]), ("x30", SOME, PLAIN), ("x03", SOME, PLAIN), ("n9", None, PLAIN),
             *one("x", "x34, -1", "x34, prepend=y4", "x34, prepend=y22", "x34, dim=2", "x34, 'a'", "x34, prepend=y32_float64")],
    **{f"gradient{w}": [] for w in ("", ".array", ".scalararray", ".scalarrayint", ".scalarrayarray", ".tensorarrayint", ".tensorarray")},
    "gradient": [("x34", None, ["c", "t"]), ("x34, spacing=2", SOME, PLAIN), ("x34, dim=0", SOME, PLAIN), ("x34, spacing=0.5, dim=-1, edge_order=2", SOME, PLAIN), ("x34, edge_order=2", SOME, ["c", "t"]), ("x5", None, PLAIN), ("x", ONE, PLAIN),
                 *one("x34, edge_order=3", "x14", "x34, dim=2", "x34, 2", "x34, spacing=1j")],
    "gradient.array": [("x34, dim=(0, 1)", SOME, PLAIN), ("x34, dim=(1,)", SOME, PLAIN), *one("x34, dim=(0, 0)", "x34, dim=(0, 2)", "x34, dim=()")],
    "gradient.scalararray": [("x34, spacing=2, dim=(1, 0)", SOME, PLAIN), ("x34, spacing=0.5, dim=(1,), edge_order=2", SOME, PLAIN)],
    "gradient.scalarrayint": [("x34, spacing=[2, 0.5]", SOME, PLAIN), ("x34, spacing=(2.0,), dim=0", SOME, PLAIN), *one("x34, spacing=[1.0]", "x34, spacing=[1., 2.], dim=0")],
    "gradient.scalarrayarray": [("x34, spacing=[2, 0.5], dim=(1, 0)", SOME, PLAIN), *one("x34, spacing=[2.0], dim=(1, 0)")],
    "gradient.tensorarrayint": [("x34, spacing=[p3.cumsum(0), p4.cumsum(0)]", ["float32", "float64", "complex64"], PLAIN), ("x34, spacing=[p4.cumsum(0)], dim=1, edge_order=2", ["float32", "float64"], PLAIN), *one("x34, spacing=[p34, p4]", "x34, spacing=[p4]")],
    "gradient.tensorarray": [("x34, spacing=[p4.cumsum(0), p3.cumsum(0)], dim=(1, 0)", ["float32", "float64"], PLAIN), ("x34, spacing=[p4.cumsum(0)], dim=(1,), edge_order=2", ["float32", "float64"], PLAIN)],
    "trapezoid.x": [("x34, y4", None, ["c", "tt"]), ("x34, y34", SOME, PLAIN), ("x34, y3, dim=0", SOME, PLAIN), ("x234, y34", SOME, PLAIN), ("x30, y0", SOME, PLAIN), ("x34, y14", SOME, PLAIN), *one("x34, y3", "x, y3", "x34, y4, dim=2", "x34, 1", "x34, y4, 0")],
    "trapezoid": [("x34", None, ["c", "t"]), ("x34, dx=2", None, PLAIN), ("x34, dx=0.5, dim=0", SOME, PLAIN), ("x30", SOME, PLAIN), *one("x", "x34, dim=2", "x34, dx=y4", "x34, dx=1j")],
    "trapz.x": [("x34, y4", None, ["c"]), ("x34, y3, dim=0", SOME, PLAIN), *one("x34, y3", "x34, 1")],
    "trapz": [("x34", None, ["c", "t"]), ("x34, dx=2", SOME, PLAIN), ("x34, dx=0.5, dim=0", SOME, PLAIN), *one("x", "x34, dim=2", "x34, dx=1j")],
    "cumulative_trapezoid.x": [("x34, y4", None, ["c", "tt"]), ("x34, y34", SOME, PLAIN), ("x34, y3, dim=0", SOME, PLAIN), ("x234, y34", SOME, PLAIN), ("x30, y0", SOME, PLAIN), *one("x34, y3", "x, y3", "x34, y4, dim=2", "x34, 1")],
    "cumulative_trapezoid": [("x34", None, ["c", "t"]), ("x34, dx=2", None, PLAIN), ("x34, dx=0.5, dim=0", SOME, PLAIN), ("x30", SOME, PLAIN), *one("x", "x34, dim=2", "x34, dx=y4")],
    "logcumsumexp": ["x234, 0", "x234, 1", "x234, -1", "x, 0", ("x03, 0", None, PLAIN), ("x03, 1", None, PLAIN), ("n9, 0", None, PLAIN), ("q9, 0", None, PLAIN), ("x999, 1", REALS, PLAIN), *one("x234, 3", "x, 1", "x234", "x234, 'a'")],
}
ULPS = {"distance": 8, "difference": 4, "logcumsumexp": 16}
DELIBERATE = [
    ("`renorm` refuses uint16, uint32 and uint64 with the text for other integers; PyTorch fails at an internal assertion.", "^renorm .* uint", "INTERNAL ASSERT", "Expected a floating point"),
    ("`logcumsumexp` of infinite complex numbers: subtracting the infinite maximum leaves NaN, at different positions in the two libraries.", "^logcumsumexp .*q9.* complex", "nan", "nan"),
    ("Infinite complex numbers: PyTorch multiplies by a complex scalar whose imaginary part is 0, and infinity times 0 is NaN; Corten multiplies by the real number.", "^diff .*n9.* complex", r"^complex.*(nan|inf)", "^complex"),
    ("float16 and bfloat16 are computed in float32 and rounded once, at the result; PyTorch also rounds intermediate results.", "^(logcumsumexp|cov|corrcoef|cosine_similarity|renorm|pairwise_distance) .*float16", "^b?float16", "^b?float16", nearly),
]

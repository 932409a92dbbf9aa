# SPDX-License-Identifier: BSD-3-Clause
"""Samples of searching, counting and set operations."""
from samples import FLOATING, ONE, PLAIN, REAL, SOME, one

LINE = "p7.sort().values"
SEARCH = [*((f"{LINE}, y23{w}", None, PLAIN) for w in ("", ", right=True", ", out_int32=True", ", side='right'", ", side='left'")),
          (f"{LINE}, y23", SOME, ["t", "s"]), ("x23.sort().values, y24", None, ["c", "t"]), (f"{LINE}, 2", None, PLAIN), (f"{LINE}, 1.5", SOME, PLAIN),
          (f"{LINE}, y", SOME, PLAIN), (f"{LINE}, y0", SOME, PLAIN), ("p0, y3", SOME, PLAIN), (f"{LINE}, n9", None, PLAIN), ("x7, y23, sorter=x7.argsort()", REAL, PLAIN),
          (f"{LINE}, y3_int64", SOME, PLAIN), (f"{LINE}, y3_float64", SOME, PLAIN),
          *one(f"{LINE}, y23, side='a'", f"{LINE}, y23, side='left', right=True", f"{LINE}, y23, sorter=j3", f"{LINE}, y23, sorter=x7", f"{LINE}, y23, sorter=j7 + 6",
               "x23, y33", "x, y23", "x23, 2.0", "x23, y3", "x23", f"{LINE}, 'a'", f"{LINE}, y23, True")]
AMONG = [("x23, y3", None, ["c", "t"]), ("x23, y23", None, PLAIN), ("a33, y2", None, PLAIN), ("x, y3", SOME, PLAIN), ("x03, y3", SOME, PLAIN), ("x23, y0", SOME, PLAIN), ("n9, q9", REAL, PLAIN),
         ("x23, y3, invert=True", SOME, PLAIN), ("x23, y3, assume_unique=True", SOME, PLAIN), ("x23, y3_int64", SOME, PLAIN), ("x23, y3_float64", SOME, PLAIN), ("x23, y0, invert=True", ONE, PLAIN)]
DOUBLE = ["float32", "float64"]
WHOLE = ["uint8", "int8", "int16", "int32", "int64"]
UNIQUE = [*(f"a7{w}" for w in ("", ", return_inverse=True", ", return_counts=True")), ("a33, return_inverse=True, return_counts=True", None, ["c", "t", "s"]),
          ("x, return_inverse=True", SOME, PLAIN), ("x03, return_inverse=True, return_counts=True", SOME, PLAIN), ("n9", REAL, PLAIN),
          *((f"a33, dim={d}, return_inverse=True, return_counts=True", None, ["c", "t"]) for d in (0, 1)), ("a242, dim=1", SOME, ["c", "t"]), ("a242, dim=-1, return_counts=True", SOME, PLAIN),
          ("x03, dim=0, return_inverse=True, return_counts=True", SOME, PLAIN), ("x, dim=0", ONE, PLAIN), *one("x03, dim=1", "x23, dim=2", "x23, dim='a'")]
SAMPLES = {
    "searchsorted": SEARCH,
    "bucketize": [*((f"y23, {LINE}{w}", None, PLAIN) for w in ("", ", right=True", ", out_int32=True")), (f"y23, {LINE}", SOME, ["t", "s"]), (f"2, {LINE}", SOME, PLAIN), (f"y, {LINE}", SOME, PLAIN),
                  ("n9, p0", SOME, PLAIN), *one("x23, y23", "x23", f"'a', {LINE}", f"x23, {LINE}, True")],
    "isin": [*AMONG, *one("x23", "2, 3", "x23, 'a'")], "isin.Scalar_Tensor": [("2, x23", None, PLAIN), ("0.375, x23", SOME, PLAIN), ("2, x0", ONE, PLAIN), ("2, x23, invert=True", SOME, PLAIN)],
    "isin.Tensor_Scalar": [("x23, 2", None, ["c", "t"]), ("x23, 0.375", SOME, PLAIN), ("x23, 2, invert=True", SOME, PLAIN), ("x03, 2", ONE, PLAIN)],
    "bincount": [("p7", None, ["c", "s"]), ("p7, minlength=9", WHOLE, PLAIN), ("p7, y7_float32", WHOLE, PLAIN), ("p7, y7_float64", WHOLE, PLAIN), ("p7, y7_int64", WHOLE, PLAIN),
                 ("p7, y7_bfloat16", WHOLE, PLAIN), ("p7, y7_bool", WHOLE, PLAIN), ("x0", None, PLAIN), ("x0, minlength=3", WHOLE, PLAIN), ("p7, y7_float32, 20", WHOLE, PLAIN),
                 *((t, ["int64"], PLAIN) for t in ("p23", "x7", "p7, y3", "p7, minlength=-1", "p", "p7, 2", "p7, None, 3")), *one("x7")],
    "histc": [*((f"x234{w}", FLOATING, ["c", "t"]) for w in (", 4", ", 4, -1, 1", ", bins=3, min=0", ", 3, 0.5, 0.5")), ("x234, 7", None, PLAIN), ("x234", ["float32", "float64"], PLAIN), ("x, 3", FLOATING, PLAIN), ("x0, 3", FLOATING, PLAIN),
              ("n9, 4, -1, 3", FLOATING, PLAIN), *one("x23, 0", "x23, 3, 2, 1", "x23, 3, 0, float('inf')", "x23, -1", "x23, 'a'")],
    "histogram.bins_tensor": [("x234, p4.sort().values", None, ["c", "t"]), ("x234, y3.sort().values, weight=y234", DOUBLE, PLAIN), ("x234, y4.sort().values, density=True", DOUBLE, PLAIN), ("n9, y3.sort().values", DOUBLE, PLAIN),
                              ("x0, y3.sort().values", DOUBLE, PLAIN), *one("x23, y3_float64", "x23, y23", "x23, y0", "x23, y1", "x23, y3, weight=y4", "x23, y3, weight=y23_float64", "x23, y3, range=(0., 1.)")],
    "histogram": [("x234, 4", None, ["c", "t"]), ("x234, 4, range=(-1., 1.)", DOUBLE, PLAIN), ("x234, bins=3, range=(0, 2), weight=y234", DOUBLE, PLAIN), ("x234, 4, density=True", DOUBLE, PLAIN), ("x234, 7", DOUBLE, PLAIN), ("x, 3", DOUBLE, PLAIN), ("x0, 3", DOUBLE, PLAIN), ("a23 * 0, 3", DOUBLE, PLAIN),
                  *one("x23, 0", "x23, 3, range=(1.,)", "x23, 3, range=(1., 0.)", "x23, 3, range=(0., float('inf'))", "x23, 3, range='a'", "x23, 'a'")],

    "_histogramdd_from_bins": one("x43, [y3, y3, y3]"), "_histogramdd_from_counts": one("x43, [2, 2, 2]"),
    "nonzero_static": [("a23, size=2", None, ["c", "t"]), ("a23, size=9", SOME, PLAIN), ("a23, size=9, fill_value=5", SOME, PLAIN), ("a, size=2", SOME, PLAIN), ("x03, size=2", ONE, PLAIN), ("a23, size=0", ONE, PLAIN),
                       *one("a23, size=-1", "a23", "a23, 2")],
    "unravel_index": [("p23, (3, 4)", None, ["c", "t"]), ("p7, (20,)", WHOLE, PLAIN), ("p7, 20", WHOLE, PLAIN), ("p, (2, 3, 4)", WHOLE, PLAIN), ("x7, (2, 3)", WHOLE, PLAIN), ("x0, (2, 0)", WHOLE, PLAIN),
                      *((t, ["int64"], PLAIN) for t in ("p7, (2, -1)", "p7, (2, 0)", "p7, ()"))],
    "unravel_index.int": [("p7, 20", WHOLE, PLAIN), ("p, 9", WHOLE, PLAIN)],
    "is_nonzero": [("x", None, PLAIN), ("x11", None, PLAIN), ("a1", SOME, PLAIN), ("n1", FLOATING, PLAIN), *one("x23", "x0")],
    "unique": [*UNIQUE, ("a7, False", SOME, PLAIN), ("a7, True, True, True", SOME, PLAIN), ("a7, sorted=False, return_inverse=True", ONE, PLAIN)], "unique_consecutive": [*UNIQUE, ("a7, True, True", SOME, PLAIN)],
}
ULPS = {"histogram": 8}  # the bin edges
DELIBERATE = [
    ("`unique` refuses tensors where it expects a bool; PyTorch takes their truth value.", "^unique\\S* .*x23, x23, x23", "", "TypeError"),
    ("Wrong arguments: Corten checks them against one signature and says which one is wrong; in PyTorch these functions are Python code or several overloads, and the error comes from whatever runs first.", "^(_histogramdd\\S*|unique|unique_consecutive|unravel_index\\S*|isin\\S*|searchsorted|bucketize) ", "TypeError: (?!expected)|AttributeError", "TypeError: (?!expected)"),
]

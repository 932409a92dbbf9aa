# SPDX-License-Identifier: BSD-3-Clause
"""Samples of elementary.toml and trig.toml, and how exact their results must be."""
from facts import DTYPES
from samples import CASTS, FLOATING, PLAIN, SOME, one

UNARY = ["x23", "x", ("x03", None, PLAIN), ("n14", None, PLAIN), ("q9", None, PLAIN), ("x2224", SOME, ["l", "t", "s"]),
         ("x23", SOME, ["e", "j"])]
POWERS = ([(f"x23, {v}_{d}", None, PLAIN) for d in DTYPES for v in ("y23", "y")]
          + [(f"x23, {v}", None, PLAIN) for v in ("2", "0", "-1", "2.5", "True", "1j")] + [("x23, 0.5", ["float32", "int64"], PLAIN)]
          + [(f"{v}, x23", SOME, PLAIN) for v in ("2", "0.5", "1j")]
          + [("x23, y3", SOME, ["c", "tc", "ct", "s"]), ("n9, q9", FLOATING, PLAIN), ("x, 2", SOME, PLAIN), ("x03, 2", SOME, PLAIN)]
          + one("x23, y4", "2, 3", "x23, 'a'", "x23"))

# The terms of logaddexp cancel near 0, and PyTorch adds them in the type itself.
ULPS = {
    "trig": 4, "elementary": 0, "hypot": 1, "ldexp": 1, "logaddexp": 64, "logaddexp2": 64, "xlogy": 4, "float_power": 4,
    "polar": 4, "square": 1, "frexp": 0, "deg2rad": 1, "rad2deg": 1,
}

SAMPLES = {
    "chalf": CASTS,
    "round.decimals": [(f"x23, decimals={n}", None, PLAIN) for n in (1, 0, -1, 3)] +
                      [("x2224, decimals=2", FLOATING, ["l", "t", "s"]), ("n9, decimals=1", FLOATING, PLAIN), ("x, decimals=2", FLOATING, PLAIN),
                       ("x03, decimals=2", FLOATING, PLAIN), *one("x23, decimals='a'", "x23, decimals=1.5", "x23, 1")],
    "float_power": POWERS,
    "nan_to_num": [*UNARY, ("n14, 1.5", None, PLAIN), ("n14, nan=-1.0, posinf=2.0, neginf=-2.0", None, PLAIN),
                   ("n14, 0.0, 3", SOME, PLAIN), ("n14, neginf=float('nan')", FLOATING, PLAIN), ("n14, posinf=1e300", FLOATING, PLAIN),
                   *one("x23, 'a'", "x23, 1, 2, 3, 4", "n14, None, None, None")],
    "acosh": [("(p23 + 1)", FLOATING, PLAIN)],
    "positive": UNARY,
    "conj_physical": UNARY,
    "square": UNARY,
    "frexp": [*UNARY, *one("torch.tensor([1e-45, -3e-39, 1e38, 8., -0.75])")],
    "complex": [("x23, y3", ["float32", "float64"], ["c", "tc", "ct", "ss"]), *one("x23, y23_float64", "x23, y23_int64", "x23, y4", "x23, 2")],
    "polar": [("p23, y3", ["float32", "float64"], ["c", "tc", "ct", "ss"]), *one("x23, y23_float64", "torch.tensor([1., 2.]), torch.tensor([1e6, -3e8])")],
    "isreal": [("x23 * 1.0", ["complex64"], PLAIN)],
    "nextafter": one("torch.tensor([1e-45, 0., 0., 3.4028235e38]), torch.tensor([0., 1., -1., float('inf')])"),
    "gcd": [("x23, y23", ["int8", "int16", "int32", "int64", "uint8"], PLAIN)],
}

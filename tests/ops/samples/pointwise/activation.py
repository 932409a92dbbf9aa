# SPDX-License-Identifier: BSD-3-Clause
"""Samples of activation.toml, and how exact its results must be."""
from samples import FLOATING, PLAIN, SOME, one

UNARY = ["x23", "x", ("x03", None, PLAIN), ("n9", None, PLAIN), ("q9", None, PLAIN), ("x2224", SOME, ["l", "t", "s"]), ("x23", SOME, ["e", "j"])]
BOTH = [*UNARY, ("x23, inplace=True", SOME, ["c", "t"]), ("x23, inplace=True", FLOATING, PLAIN), *one("x23, 'a'")]

ULPS = {"activation": 4, "hardshrink": 0, "threshold": 0, "leaky_relu": 1, "hardtanh": 0, "relu6": 0, "rrelu": 2, "prelu": 1, "tanhshrink": 16}

SAMPLES = {
    "celu": [*UNARY, ("x23, 2.5", FLOATING, PLAIN), ("x23, alpha=-1", FLOATING, PLAIN), *one("x23, 0", "x23, 'a'", "x23, 0.0")],
    "selu": UNARY,
    "hardshrink": [("x23, 1", None, PLAIN), ("x23, lambd=0.3", FLOATING, PLAIN), ("x23, -1", FLOATING, PLAIN), *one("x23, 'a'")],
    "threshold": [("x23, 0, 7", None, ["c", "t", "s"]), ("x23, 0.5, 2.7", None, PLAIN), ("x, 1, 2", None, PLAIN), ("n9, 1, 2", None, PLAIN),
                  ("x23, threshold=1, value=-1", SOME, PLAIN), ("x03, 1, 2", SOME, PLAIN), *one("x23, 1", "x23, 'a', 1")],
    "prelu": [("x23, y3", None, ["c", "tc", "ss"]), ("x23, y1", None, PLAIN), ("x23, y", None, PLAIN), ("x, y1", SOME, PLAIN), ("x, y", SOME, PLAIN),
              ("x234, y3", SOME, ["c", "t"]), ("x2224, y2", SOME, ["c", "l"]), ("x3, y1", SOME, PLAIN), ("x03, y3", SOME, PLAIN), ("n9, y1", FLOATING, PLAIN),
              *one("x23, y2", "x23, y13", "x23, y3_float64", "x, y2", "x23, y23", "x3, y3", "x23, 2")],
    "rrelu": [*UNARY, ("x23, 0.1, 0.3", FLOATING, PLAIN), ("x23, training=True", None, PLAIN), ("x23, training=True", ["float32", "float64"], ["t", "s"]), ("x2224, 0.2, 0.4, True", FLOATING, PLAIN),
              ("x23, 0.25, 0.25, True", FLOATING, PLAIN), *one("x23, 0.5, 0.2", "x23, 'a'")],
    "elu": [*BOTH, ("x23, 2.5", FLOATING, PLAIN)],
    "leaky_relu": [*BOTH, ("x23, 0.3", FLOATING, PLAIN)],
    "hardtanh": [*BOTH, ("x23, -0.5, 2", None, PLAIN), ("x23, 0, 2.5", None, PLAIN), *one("x23, 2, 1")],
    **dict.fromkeys(("relu6", "hardsigmoid", "hardswish", "silu", "mish"), BOTH),
    "softplus": [("x23, 2", FLOATING, PLAIN), ("x23, 0.5, 1", FLOATING, PLAIN)],
    "softshrink": [("x23, 1", FLOATING, PLAIN), ("x23, 0.0", FLOATING, PLAIN), *one("x23, -1", "x23, -0.5")],
    "softsign": UNARY, "tanhshrink": UNARY,
}

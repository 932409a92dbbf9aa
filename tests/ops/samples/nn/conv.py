# SPDX-License-Identifier: BSD-3-Clause
"""Samples of convolutions."""
from samples import COMPLEX, FLOATING, ONE, PLAIN, one

SINGLE = ["float32", "bfloat16"]
LAID = ["l", "lc", "cl"]  # channels last for the first tensor or for the others
HALVES = ["float16", "bfloat16", "float32"]

ULPS = {"conv": 64}

CONV1 = [("x235, y432", FLOATING, ["c", "t", "s"]), ("x235, y432", ["int64", "uint8", "int32"], PLAIN), ("x235, y432, z4, 2, 1", FLOATING, PLAIN),
         ("x35, y432", HALVES, PLAIN), ("x245, y423, None, 1, 2, 2, 2", FLOATING, PLAIN), ("x235, y432, stride=[2], padding=(1,)", ONE, PLAIN),
         ("x035, y432", ONE, PLAIN), ("x235, y432", COMPLEX, ["j", "jj"]),
         *one("x25, y432", "x2235, y432", "x225, y432", "x235, y432, z3", "x235, y432, z14", "x235, y432, stride=0", "x235, y432, padding=-1",
              "x235, y432, dilation=0", "x235, y432, groups=0", "x235, y432, groups=3", "x231, y432", "x235, y432, padding=(1, 1)", "x235, y432_float64",
              "x235_float64, y432", "x235, y432, z4_float64", "x235_bool, y432_bool", "x235, y4", "x235", "x235, y432, stride='a'")]
CONV2 = [("x2344, y4332", FLOATING, ["c", "t", "s"]), ("x2344, y4332", [*SINGLE, "float64", "complex64"], LAID), ("x2344, y4332", ["int64", "int16"], PLAIN),
         ("x2354, y4333, z4, (2, 1), 1", FLOATING, PLAIN), ("x2456, y6222, z6, 1, (0, 2), (2, 1), 2", FLOATING, ["c", "l"]), ("x354, y4333, None, 1, 1", HALVES, PLAIN),
         ("x2344, y4311, z4", FLOATING, ["c", "l"]), ("x2344, y3133, None, 1, 1, 1, 3", FLOATING, ["c", "l"]), ("x2344, y6133, z6, 2, 1, 1, 3", FLOATING, ["c", "l"]),
         ("x0344, y4332", ONE, PLAIN), ("x2144, y1133, None, 3, 2", FLOATING, ["c", "l"]), ("x2344, y4332", COMPLEX, ["j", "jj", "cj"]),
         *one("x34, y4332", "x23445, y4332", "x2244, y4332", "x2344, y4332, z3", "x2344, y4332, stride=-1", "x2344, y4332, stride=(1, 2, 3)",
              "x2344, y4332, dilation=3", "x2344, y4332, groups=5", "x2344, y4332, groups=3", "x2344, y0332", "x2304, y4332, padding=2", "x2344, y432",
              "x2344, y4332_float16", "x2344_bfloat16, y4332", "x2344_complex64, y4332", "x2344_complex64, y4332_complex64, z4", "x2344, y4332, z4_int64")]
CONV3 = [("x22344, y32223", FLOATING, ["c", "t"]), ("x22344, y32223, z3, 2, (1, 0, 1)", FLOATING, PLAIN), ("x24333, y42222, None, 1, 1, (1, 2, 1), 2", FLOATING, PLAIN),
         ("x2344, y32223", SINGLE, PLAIN), ("x22344, y32111", FLOATING, PLAIN), ("x22344, y32223", ["int64"], PLAIN),
         *one("x2, y32223", "x22344, y32223, stride=(1, 1)", "x22344, y32223, dilation=5", "x22344_bool, y32223_bool")]


def named(x, y, wrong):
    return [(f"{x}, {y}, padding='same'", FLOATING, PLAIN), (f"{x}, {y}, None, 1, 'valid', 2", FLOATING, PLAIN), (f"{x}, {y}, padding='same', dilation=2", ONE, PLAIN),
            *one(f"{x}, {y}, padding='same', stride=2", f"{x}, {y}, padding='some'", f"{wrong}, {y}, padding='same'")]


def transposed(x, y, z, more):
    """y: a weight whose first size is the second of x; z: a bias; more: x and y for two groups."""
    few = [*FLOATING, "int64"]
    return [(f"{x}, {y}", few, ["c", "t"]), (f"{x}, {y}, {z}, 2", FLOATING, PLAIN), (f"{x}, {y}, {z}, 3, 1, 1", FLOATING, PLAIN),
            (f"{x}, {y}, None, 2, 0, 1, 1, 2", FLOATING, PLAIN), (f"{more}, None, 2, 1, 0, 2", FLOATING, PLAIN), (f"{x}, {y}, stride=5", ["float32", "float64"], PLAIN),
            *one(f"{x}, {y}, output_padding=1", f"{x}, {y}, stride=0", f"{x}, {y}, {z}1", f"{x}_int32, {y}_int32", f"{x}_bool, {y}_bool", f"{x}, {y}_float64",
                 f"{x}, {y}, padding='same'", f"x3, {y}", f"{x}, {y}, output_padding=-1", f"{x}_float64, {y}_float64, padding=9")]


SAMPLES = {
    "conv1d": CONV1, "conv2d": CONV2, "conv3d": CONV3,
    "conv1d.padding": named("x235", "y433", "x3") + [("x235, y432, padding='same'", ["float32", "float64"], PLAIN)],
    "conv2d.padding": named("x2344", "y4333", "x34") + [("x2344, y4332, z4, padding='same'", ["float32", "float64"], ["c", "l"])],
    "conv3d.padding": named("x22344", "y32131", "x34"),
    "conv_transpose1d": [*transposed("x235", "y343", "z4", "x245, y433"), ("x35, y343", HALVES, PLAIN)],
    "conv_transpose2d": [*transposed("x2334", "y3423", "z4", "x2434, y4333"), ("x2334, y3423", [*SINGLE, "float64"], LAID), ("x334, y3423", HALVES, PLAIN),
                         ("x2334, y3133, None, 2, 1, 1, 3", [d for d in FLOATING if d != "bfloat16"], ["c", "l"])],
    "conv_transpose3d": transposed("x22233", "y23223", "z3", "x24233, y43222"),
    "convolution": [("x2344, y4332, z4, [1, 1], [0, 0], [1, 1], False, [0, 0], 1", SINGLE, ["c", "l"]), ("x2344, y4332, None, [2], [1], [1], False, [0], 1", ["float32", "float64"], PLAIN),
                    ("x2334, y3423, z4, [2, 1], [0, 1], [1, 1], True, [1, 0], 1", ["float32", "float64"], ["c", "l"]), ("x235, y432, None, [1], [0], [1], False, [0], 1", ["float32", "float64"], PLAIN),
                    *one("x344, y4332, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1", "x2344, y43, None, [], [], [], False, [], 1")],
    "conv_tbc": [("x524, y346, z6, 1", ["float32", "float64"], PLAIN), ("x524, y346, z6", ["float32", "float64"], PLAIN),
                 *one("x524, y336, z6", "x524, y346, z5", "x24, y346, z6", "x524, y34, z6", "x524, y346, z61")],
}

DELIBERATE = [("Convolutions of bfloat16 with infinities or NaN give more NaN in PyTorch: its kernel multiplies uninitialised padding by 0.", "^conv.* bfloat16", "nan", "nan|inf")]

# SPDX-License-Identifier: BSD-3-Clause
"""Samples of rows whose arguments do not follow from the signature, and error bounds of floating-point results.

An entry is an argument list, or (argument list, data types, layouts). Invalid arguments are included, since
errors are compared like results.
"""
from facts import DTYPES

FLOATING = [d for d in DTYPES if "float" in d or "complex" in d]
REAL = [d for d in DTYPES if "complex" not in d]
COMPLEX = ["complex64", "complex128"]
ONE = ["float32"]
SOME = ["bool", "uint8", "int64", "bfloat16", "float32", "complex64"]
PLAIN = ["c"]

# Error bounds in units in the last place, by row or by family; 0: the same bits.
ULPS = {
    "math": 4, "reduce": 4, "scan": 4, "matmul": 4, "random": 16,
    "pow": 4, "lerp": 2, "addcmul": 2, "addcdiv": 2, "atan2": 4, "div": 1, "logspace": 4, "linspace": 2,
    "neg": 0, "abs": 1, "sgn": 1, "sign": 0, "sqrt": 1, "square": 1, "reciprocal": 1,
    "floor": 0, "ceil": 0, "trunc": 0, "round": 0, "isnan": 0, "relu": 0,
}

DIMS = ["x234", "x234, 0", "x234, 1, True", "x234, -1", "x234, dim=(0, 2)", "x234, (0, 2), True", "x234, dim=()",
        "x234, dim=[1]", "x234, dim=None", "x", "x, 0", "x, -1, True", ("x03", None, PLAIN), ("x03, 0", None, PLAIN),
        ("x03, 1", None, PLAIN), ("x03, 1, True", None, PLAIN), ("n9", None, PLAIN), ("q33, 0", None, PLAIN),
        ("x234, 3", ONE, PLAIN), ("x234, -4", ONE, PLAIN), ("x234, (0, 0)", ONE, PLAIN), ("x, 1", ONE, PLAIN),
        ("x234, (0, 3)", ONE, PLAIN), ("x234, 1.5", ONE, PLAIN), ("x234, 'a'", ONE, PLAIN),
        ("x2224, (2, 3)", SOME, ["l", "t"]), ("x7", None, ["c", "s"]), ("x3, 0", None, PLAIN)]
ONE_DIM = ["x234", "x234, 0", "x234, 1, True", "x234, -1", "x", "x, 0", "x, -1, True", ("a234, 1", None, PLAIN),
           ("x03", None, PLAIN), ("x03, 0", None, PLAIN), ("x03, 1", None, PLAIN), ("x03, 1, True", None, PLAIN),
           ("n9", None, PLAIN), ("q33, 0", None, PLAIN), ("n9, 0", None, PLAIN), ("x234, 3", ONE, PLAIN),
           ("x234, -4", ONE, PLAIN), ("x, 1", ONE, PLAIN), ("x234, dim=0, keepdim=True", SOME, PLAIN),
           ("x234, None", ONE, PLAIN), ("x234, (0, 1)", ONE, PLAIN), ("x2224, 2", SOME, ["l", "t"])]
WITH_DTYPE = [(f"x23, 1, dtype=torch.{d}", SOME, PLAIN) for d in SOME] + [("x23, dtype=torch.float64", None, PLAIN)]
SPREAD = [("x234, 0, correction=0", None, PLAIN), ("x234, correction=2", FLOATING, PLAIN),
          ("x234, (0, 2), correction=1, keepdim=True", FLOATING, PLAIN), ("x1", FLOATING, PLAIN), ("x1, 0", FLOATING, PLAIN)]
CASTS = ["x23", "x", "x03", ("n14", None, PLAIN), ("q9", None, PLAIN), ("x2224", SOME, ["l", "t", "s"]),
         ("x23, memory_format=torch.contiguous_format", SOME, "t"), ("x23, memory_format=torch.preserve_format", SOME, "t"),
         ("x2224, memory_format=torch.channels_last", SOME, PLAIN), ("x23, memory_format=torch.channels_last", ONE, PLAIN)]
FACTORY = ["2, 3", "(2, 3)", "[2, 3]", "()", "0", "2, 0", "size=(2, 3)", "torch.Size([2, 3])", "(2, -1)", "-1", "2.5", "'a'",
           "(2, 'a')", "2, 3, dtype=torch.float64", "(2,), dtype=torch.bool", "2, device='cpu'", "2, dtype=float",
           "3, dtype=int", "2, requires_grad=True", "2, dtype=torch.int64, requires_grad=True", "2, layout=torch.strided",
           "2, pin_memory=False", "(2 ** 40, 2 ** 40)", "2 ** 62, 4", "True", "(3,), dtype=None", "2, device='nowhere'"]
LIKE = [("x23", None, ["c", "t", "s", "e"]), "x", "x03", ("x2224", ONE, ["l", "t", "s", "e"]),
        ("x23, dtype=torch.float64", SOME, ["c", "t"]), ("x23, memory_format=torch.contiguous_format", ONE, ["t", "s"]),
        ("x2224, memory_format=torch.channels_last", ONE, PLAIN), ("x23, requires_grad=True", SOME, PLAIN),
        ("x23, device='cpu'", ONE, PLAIN), ("x23, 2", ONE, PLAIN)]


def one(*texts):
    """Restricts samples to one data type and one layout."""
    return [(text, ONE, PLAIN) for text in texts]


def few(*texts):
    return [(text, SOME, ["c", "t"]) for text in texts]


SAMPLES = {
    # arithmetic
    "add": [("x23, y23, alpha=2", None, PLAIN), ("x23, y23, alpha=2.5", None, PLAIN), ("x23, 3, alpha=2", None, PLAIN),
            ("x23, y23, alpha=True", SOME, PLAIN), ("x23, y23, alpha=1j", SOME, PLAIN), *one("x23, 'a'", "x23, None", "x23, [1]")],
    "sub": [("x23, y23, alpha=2", None, PLAIN), ("x23, y23, alpha=2.5", None, PLAIN), ("x23, 3, alpha=2", None, PLAIN)],
    "div": [(f"x23, {v}, rounding_mode={m}", None, PLAIN) for v in ("d23", "2", "2.5", "y23_float32") for m in ("None", "'floor'", "'trunc'")]
    + [("n9, q9, rounding_mode='floor'", None, PLAIN), ("n9, q9, rounding_mode='trunc'", None, PLAIN)]
    + one("x23, y23, rounding_mode='up'"),
    "remainder": [("x23, 0", None, PLAIN)], "fmod": [("x23, 0", None, PLAIN)], "floor_divide": [("x23, 0", None, PLAIN)],
    "clamp": ["x23, -1, 1", "x23, 0", "x23, max=1", "x23, None, 0", ("x23", SOME, PLAIN), ("x23, 0.5, 1.5", None, PLAIN),
              ("x23, 2, -2", None, PLAIN), ("n14, -1, 1", None, PLAIN), ("x23, float('nan')", SOME, PLAIN), ("x, 0, 1", None, PLAIN),
              ("x03, 0, 1", SOME, PLAIN), ("x23, True, 2", SOME, PLAIN), *one("x23, 'a'", "x23, 0, y23")],
    "clamp.Tensor": ["x23, y23, z23", ("x23, y23", None, PLAIN), ("x23, max=z3", None, PLAIN), ("x23, y, z", SOME, PLAIN),
                     ("x23, y23_float64, z23", SOME, PLAIN), ("n9, q9", None, PLAIN), *one("x23, y4")],
    "addcmul": [("x23, y23, z23, value=2", None, PLAIN), ("x23, y23, z23, value=0.5", None, PLAIN)],
    "addcdiv": [("x23, y23, d23, value=2", None, PLAIN), ("x23, y23, d23, value=0.5", None, PLAIN)],
    # copies and casts
    "detach": ["x23", "x", "x03"],
    "clone": CASTS, "contiguous": [("x23", None, ["c", "t", "s", "e"]), "x", "x03",
                                   ("x2224", ONE, ["c", "l", "t"]), ("x2224, memory_format=torch.channels_last", ONE, ["c", "l"])],
    "copy": [(f"x23, {v}_{d}", None, PLAIN) for d in DTYPES for v in ("y23", "y")]
    + [("x23, n3", None, PLAIN), ("x23, y3", SOME, ["tc", "ct", "st", "es"]), ("x23, y23", SOME, ["tc", "ct", "st", "ts"])]
    + one("x23, y24", "x3, y23", "x23, 3", "x03, y3", "x23, y23, True"),
    "fill_": [(f"x23, {v}", None, ["c", "s"]) for v in ("True", "2", "2.5", "1j", "-3", "300", "float('nan')", "y", "y_float64")],
    "fill": [(f"x23, {v}", None, ["c", "s"]) for v in ("True", "2", "2.5", "1j", "-3", "300", "float('nan')", "y", "y_float64")]
    + [("x23, y3", ONE, PLAIN), ("x03, 1", ONE, PLAIN), ("x23, 'a'", ONE, PLAIN), ("x23, 1", ONE, ["t", "e"])],
    "zero": ["x23", "x", "x03", ("x23", ONE, ["e"])],
    **dict.fromkeys("bool byte char short int long half bfloat16 float double cfloat cdouble".split(), CASTS),
    # creation
    **{name: one(*FACTORY) for name in ("empty", "zeros", "ones")},
    "empty_strided": one("(2, 3), (1, 2)", "(2, 3), (3, 1), dtype=torch.int8", "(2,), (0,)", "(2, 3), (1,)", "(2,), (-1,)", "(0, 2), (5, 7)", "(), ()"),
    "full": one("(2, 3), 7", "(2,), 2.5", "(2,), True", "(2,), 1j", "(), 3", "2, 3", "(2,), 300, dtype=torch.uint8", "(2,), -1, dtype=torch.uint8",
                "(2,), 2.7, dtype=torch.int64", "(2,), 1, dtype=torch.bool", "(0,), 1", "(2, 3)", "(2,), 'a'", "(2,), y", "(2,), y3",
                "(2,), 1j, dtype=torch.float32", "size=(2,), fill_value=3", "(2,), float('nan'), dtype=torch.int64", "(-1,), 3",
                "(2,), 2 ** 70", "(2,), 2 ** 70, dtype=torch.float64"),
    "empty_like": LIKE, "zeros_like": LIKE, "ones_like": LIKE,
    "full_like": [("x23, 3", None, ["c", "t", "s", "e"]), ("x23, 2.5", None, PLAIN), ("x23, True", SOME, PLAIN), ("x23, -1", None, PLAIN),
                  ("x23, 2.5, dtype=torch.int64", ONE, PLAIN), ("x23, 1j", SOME, PLAIN), ("x, 3", ONE, PLAIN), ("x23", ONE, PLAIN), ("x23, y", ONE, PLAIN),
                  ("x2224, 3, memory_format=torch.channels_last", ONE, PLAIN), ("x23, 300", SOME, PLAIN)],
    **{name: [("x23, 2", None, ["c", "t"]), ("x23, (2, 2)", SOME, PLAIN), ("x23, 2, 2", SOME, PLAIN), ("x23, ()", ONE, PLAIN), ("x23", ONE, PLAIN),
              ("x23, (2,), dtype=torch.float64", SOME, PLAIN), ("x23, -1", ONE, PLAIN), ("x23, 2, requires_grad=True", SOME, PLAIN)]
       for name in ("new_empty", "new_zeros", "new_ones")},
    "new_full": [("x23, (2, 2), 3", None, PLAIN), ("x23, (2,), 2.5", None, PLAIN), ("x23, (2,), True", SOME, PLAIN), ("x23, (2,), 1j", SOME, PLAIN),
                 ("x23, (2,), 3, dtype=torch.bool", ONE, PLAIN), ("x23, 2, 3", ONE, PLAIN), ("x23, (2,)", ONE, PLAIN)],
    "arange": one("5", "5.0", "2, 7", "2, 7, 2", "7, 2, -2", "0, 1, 0.25", "5, dtype=torch.float32", "0", "3, 3", "2, 1", "1, 2, 0", "1, 5, -1", "-3",
                  "float('nan')", "float('inf')", "end=4", "start=1, end=4", "0, 10, step=3", "1, 2, 0.1", "5, dtype=torch.int8", "300, 303, dtype=torch.uint8",
                  "True", "1j", "'a'", "0, 5, 2, dtype=torch.float16", "5, requires_grad=True", "5., requires_grad=True", "y", "0.5, 3", "2 ** 53, 2 ** 53 + 3",
                  "5, dtype=torch.bool", "2, dtype=torch.bool", "5, dtype=torch.complex64", "1, 2, 0.1, dtype=torch.int64", "0, -1, -0.25, dtype=torch.float64",
                  "", "2 ** 70", "0, 2, dtype=torch.bfloat16"),
    "linspace": one("0, 1, 5", "0, 1, steps=3", "-2, 2, 4", "0, 10, 1", "0, 1, 0", "0, 1, -1", "3, 3, 4", "0, 1, 5, dtype=torch.float64", "0, 9, 4, dtype=torch.int64",
                    "0, 1", "0, 1, 2.5", "0, 1j, 3", "0, 1, 5, dtype=torch.complex64", "1, 2, 7, dtype=torch.float16", "0, 1, 3, requires_grad=True",
                    "5, -5, 11", "0, 255, 6, dtype=torch.uint8", "start=0, end=1, steps=4", "0, float('inf'), 3", "0, 1, 1000"),
    "logspace": one("0, 2, 3", "0, 1, 5", "0, 3, 4, 2", "0, 3, 4, base=2.0", "0, 1, 0", "0, 1, -1", "-1, 1, 3, dtype=torch.float64", "0, 3, 4, dtype=torch.int64", "1, 1, 1"),
    "eye": one("3", "2, 3", "3, 2", "0", "-1", "2, -1", "2, dtype=torch.bool", "2, dtype=torch.complex64", "2.5", "n=2, m=4", "2, 0", "3, requires_grad=True"),
    "scalar_tensor": one("2", "2.5", "True", "1j", "2, dtype=torch.float64", "2.5, dtype=torch.int64", "300, dtype=torch.uint8", "'a'", "float('nan')"),
    # index
    "gather": [("x23, 1, i23", None, ["c", "ct", "tc", "ss"]), ("x23, 0, i13", SOME, PLAIN), ("x23, -1, i22", SOME, PLAIN), ("x, 0, i", SOME, PLAIN), ("x23, 1, i03", SOME, PLAIN),
               *one("x23, 2, i23", "x23, 1, i3", "x23, 1, y23", "x23, 0, i33", "x23, 1, torch.tensor([[3]])", "x23, 1, torch.tensor([[-1]])", "x23, 1, i23_int32", "x23, 1, i24", "x23, 0, i24")],
    "scatter": [("x23, 1, i22, y23", None, ["c", "ct", "tc", "ss"]), ("x23, 0, i13, y23", SOME, PLAIN), ("x, 0, i, y", SOME, PLAIN),
                *one("x23, 2, i23, y23", "x23, 1, i3, y23", "x23, 1, i23, y22", "x23, 1, i23, y23_int64", "x23, 1, torch.tensor([[3]]), y23", "x23, 1, i23_int32, y23", "x23, 1, i03, y23")],
    "scatter.value": [("x23, 1, i22, 7", None, ["c", "t"]), ("x23, 1, i22, 2.5", None, PLAIN), ("x23, 1, i22, 1j", SOME, PLAIN), *one("x23, 1, i24, 3", "x23, 1, i22, 'a'", "x23, 1, torch.tensor([[5]]), 3")],
    "scatter.src_reduce": [("x23, 1, i22, y23, reduce='add'", None, PLAIN), ("x23, 1, i22, y23, reduce='multiply'", None, PLAIN), *one("x23, 1, i22, y23, reduce='mean'")],
    "scatter.value_reduce": [("x23, 1, i22, 2, reduce='add'", None, PLAIN), ("x23, 1, i22, 2.5, reduce='multiply'", None, PLAIN), *one("x23, 1, i22, 2, reduce='x'")],
    "scatter_add": [("x23, 1, i22, y23", None, ["c", "ct", "tc", "ss"]), ("x23, 0, i23, y23", SOME, PLAIN), ("x, 0, i, y", SOME, PLAIN),
                    *one("x23, 1, i23, y23_float64", "x23, 1, i3, y23", "x23, 1, i24, y23", "x23, 1, torch.tensor([[3]]), y23")],
    "scatter_reduce": [(f"x23, 1, {i}, y23, '{r}', include_self={s}", None, PLAIN) for i in ("i22", "i23") for r in ("sum", "prod", "mean", "amax", "amin") for s in (True, False)] + one("x23, 1, i22, y23, 'x'"),
    "index_select": [("x23, 1, j2", None, ["c", "t", "s"]), ("x23, 0, i3", SOME, PLAIN), ("x23, -1, i0", SOME, PLAIN), ("x, 0, i1", SOME, PLAIN), ("x23, 1, i2_int32", SOME, PLAIN), ("x23, 1, i", SOME, PLAIN),
                     *one("x23, 2, i2", "x23, 1, i22", "x23, 1, y2", "x23, 1, torch.tensor([3])", "x23, 1, torch.tensor([-1])", "x, 0, torch.tensor([1])")],
    "index_add": [("x23, 1, i2, y22", None, ["c", "ct", "tc"]), ("x23, 1, i2, y22, alpha=2", None, PLAIN), ("x23, 0, i2, y23", SOME, PLAIN), ("x23, 1, i2_int32, y22", SOME, PLAIN), ("x, 0, i1, y1", SOME, PLAIN),
                  *one("x23, 1, i2, y23", "x23, 1, i2, y22_float64", "x23, 2, i2, y22", "x23, 1, torch.tensor([3]), y21", "x23, 1, i2, y22, alpha=1j")],
    "index_fill": [("x23, 1, i2, 7", None, ["c", "t"]), ("x23, 1, i2, 2.5", None, PLAIN), ("x23, 0, i1, y", SOME, PLAIN), ("x, 0, i1, 3", SOME, PLAIN),
                   *one("x23, 1, i2, y2", "x23, 2, i2, 7", "x23, 1, torch.tensor([3]), 7", "x23, 1, i2_int32, 7", "x23, 1, i2, 1j", "x23, 1, torch.tensor([-1]), 7")],
    "index_copy": [("x23, 1, torch.tensor([2, 0]), y22", None, ["c", "ct", "tc"]), ("x23, 0, torch.tensor([1]), y13", SOME, PLAIN), ("x, 0, torch.tensor([0]), y1", SOME, PLAIN),
                   *one("x23, 1, i2, y23", "x23, 1, i2, y22_float64", "x23, 2, i2, y22", "x23, 1, torch.tensor([3]), y21")],
    "take": [("x23, j2", None, ["c", "t", "s"]), ("x23, i22", SOME, PLAIN), ("x23, torch.tensor([-1, 5])", SOME, PLAIN), ("x23, i0", SOME, PLAIN), *one("x23, torch.tensor([6])", "x23, y2", "x23, i2_int32", "x03, i2")],
    "take_along_dim": [("x23, j3", None, PLAIN), ("x23, i23, 1", None, ["c", "t"]), ("x23, i13, 0", SOME, PLAIN), ("x23, i21, dim=1", SOME, PLAIN), *one("x23, i3, 1", "x23, y23, 1", "x23, i23, 2", "x23, i23_int32, 1")],
    "masked_select": [("x23, b23", None, ["c", "tc", "ct", "ss"]), ("x23, b3", None, PLAIN), ("x, b", SOME, PLAIN), ("x3, b23", SOME, PLAIN), ("x23, b", SOME, PLAIN), ("x03, b3", SOME, PLAIN), *one("x23, y23", "x23, b4", "x23, i23_uint8")],
    "masked_fill": [("x23, b23, 7", None, ["c", "tc", "ct", "ss"]), ("x23, b3, 2.5", None, PLAIN), ("x23, b23, y", None, PLAIN), ("x3, b23, 7", SOME, PLAIN), ("x, b, 7", SOME, PLAIN), ("x23, b23, 1j", SOME, PLAIN), ("x23, b23, y_float64", SOME, PLAIN),
                    ("x23, b23, 300", SOME, PLAIN), *one("x23, y23, 7", "x23, b4, 7", "x23, b23, y3", "x23, i23_uint8, 7", "x23, b23, float('-inf')")],
    "masked_scatter": [("x23, b23, y23", None, ["c", "tc", "ct"]), ("x23, b3, y23", SOME, PLAIN), ("x3, b23, y23", SOME, PLAIN), *one("x23, b23, y1", "x23, b23, y23_int64", "x23, y23, y23", "x23, b4, y23")],
    "nonzero": [("a23", None, ["c", "t", "s"]), ("x", None, PLAIN), ("b23", ONE, ["c", "t", "s"]), ("x03", SOME, PLAIN), ("n9", None, PLAIN), ("a234", SOME, ["c", "t"]), *one("a23, as_tuple=True", "a, as_tuple=True", "a23, as_tuple=False")],
    "count_nonzero": [("a23", None, ["c", "t", "s"]), ("a234, 0", SOME, PLAIN), ("a234, dim=(0, 2)", SOME, PLAIN), ("x", SOME, PLAIN), ("x03, 0", SOME, PLAIN), *one("x23, 2", "x23, 'a'")],
    "median": [("x7", REAL, ["c", "s"]), ("a234", SOME, ["c", "t"]), ("n9", FLOATING, PLAIN), ("x", SOME, PLAIN)],
    "median.dim": [("x7, 0", SOME, PLAIN), ("x234, 1", ["float32", "float64"], ["c", "t"]), ("x234, -1, True", ["float32"], PLAIN), *one("x23, 2", "x03, 0")],
    "argwhere": [("a23", None, ["c", "t"]), ("x", None, PLAIN), ("b23", ONE, PLAIN), ("x03", SOME, PLAIN)],
    "index_put": [("x23, (i2, j2), y2", None, ["c", "t"]), ("x23, (i2, j2), y2, True", None, PLAIN), ("x23, (b23,), y", SOME, PLAIN), ("x23, (i2,), y3", SOME, PLAIN), ("x23, [i2], y23", SOME, PLAIN),
                  *one("x23, (i2, j3), y2", "x23, (i2, j2, j2), y2", "x23, (i2, j2), y2_float64", "x23, (i2, j2), 3", "x23, i2, y2")],
    "index_put_": [("x23, (i2, j2), y2", SOME, ["c", "t"]), ("x23, (i2, j2), y2, True", SOME, PLAIN)],
    # join
    "cat": [("[x23, y23]", None, ["c", "tt", "ct", "ss"]), ("(x23, y23), 1", None, PLAIN), ("[x23, y13], dim=0", SOME, PLAIN), ("[x23, y23, x23], -1", SOME, PLAIN), ("[x23]", SOME, ["c", "t"]),
            *[(f"[x23, y23_{d}]", None, PLAIN) for d in DTYPES], ("[x0, y23]", SOME, PLAIN), ("[x2224, y2224], 1", ONE, ["ll", "lc", "cl", "tt"]),
            *one("[]", "[x23, y24]", "[x23, y3]", "[x, y]", "[x23, y23], 2", "[x23, 3]", "x23", "[x03, y23]", "[x23, x], 0", "tensors=[x23, y23], dim=1", "3", "[x23, y23], 'a'")],
    "stack": [("[x23, y23]", None, ["c", "tt", "ct"]), ("(x23, y23), 1", None, PLAIN), ("[x23, y23], -1", SOME, PLAIN), ("[x, y]", SOME, PLAIN), ("[x3, y3], 1", SOME, PLAIN),
              *[(f"[x23, y23_{d}]", SOME, PLAIN) for d in SOME], *one("[]", "[x23, y24]", "[x23, y3]", "[x23, y23], 3", "[x23, y23], -4", "[x23, 3]", "[x03, y03]", "x23")],
    "chunk": [("x43, 2", None, ["c", "t"]), ("x43, 3", SOME, PLAIN), ("x43, 2, 1", SOME, PLAIN), ("x43, 9", SOME, PLAIN), *one("x43, 0", "x43, -1", "x, 2", "x43, 2, 2", "x03, 2", "x43, 2.5")],
    "split": [("x43, 2", None, ["c", "t"]), ("x43, 3", SOME, PLAIN), ("x43, 2, 1", SOME, PLAIN), ("x43, 9", SOME, PLAIN), ("x43, 2, dim=-1", SOME, PLAIN), *one("x43, 0", "x43, -1", "x, 2", "x43, 2, 2", "x03, 2", "x03, 0")],
    "split.sizes": [("x43, [1, 3]", SOME, ["c", "t"]), ("x43, (2, 1), 1", SOME, PLAIN), *one("x43, [1, 2]", "x43, [-1, 5]", "x43, [4, 0]", "x43, [2, 2], 2")],
    "split_with_sizes": [("x43, [1, 3]", SOME, ["c", "t"]), ("x43, (2, 1), 1", SOME, PLAIN), *one("x43, [1, 2]", "x43, [-1, 5]", "x43, []", "x, [1]")],
    "broadcast_tensors": [("[x23, y3]", None, ["c", "tc"]), ("(x31, y2)", SOME, PLAIN), ("[x, y23]", SOME, PLAIN), ("[x23]", SOME, PLAIN),
                          *one("[]", "[x23, y2]", "[x23, 2]", "x23", "[x13, y21, x]", "[x03, y1]", "[x23, y23_int64]")],
    "unbind": [("x23", None, ["c", "t"]), ("x23, 1", SOME, ["c", "t"]), *one("x", "x23, 2", "x03", "x23, -3", "x23, dim=-1")],
    # order
    "sort": [(f"{v}{a}", None, ["c", "t"]) for v in ("x23", "a7") for a in ("", ", 0", ", -1, True")] + [("n9", None, PLAIN), ("n9, descending=True", None, PLAIN), ("x", SOME, PLAIN), ("x03", SOME, PLAIN), ("x03, 0", SOME, PLAIN),
             ("a234, 1, stable=True", SOME, PLAIN), ("a234, stable=True, dim=0, descending=True", SOME, PLAIN), ("x234, 1", SOME, ["c", "t", "s"]), *one("x23, 2", "x, 0", "x, 1", "x23, descending=2", "x23, stable=True")],
    "argsort": [("x23", None, ["c", "t"]), ("x23, 0", SOME, PLAIN), ("x23, -1, True", SOME, PLAIN), ("a7, stable=True", None, PLAIN), ("n9", None, PLAIN), ("a7, 0, True, stable=True", SOME, PLAIN), ("a7, stable=True, dim=0, descending=True", SOME, PLAIN), *one("x23, 2", "x", "x03")],
    "msort": [("x23", None, ["c", "t"]), ("x", ONE, PLAIN), ("x03", ONE, PLAIN)],
    "topk": [("x7, 3", None, PLAIN), ("x234, 2", SOME, ["c", "t"]), ("x234, 1, 0", SOME, PLAIN), ("x234, 2, 1, False", SOME, PLAIN), ("n9, 4", FLOATING, PLAIN), ("x7, 0", SOME, PLAIN), *one("x7, 8", "x23, 4", "x23, 1, 2", "x, 1", "x7, -1", "x03, 0", "x03, 3", "x7, k=2, largest=False")],
    "kthvalue": [("x7, 3", None, PLAIN), ("x234, 2", SOME, ["c", "t"]), ("x234, 1, 0", SOME, PLAIN), ("x234, 2, 1, True", SOME, PLAIN), ("n9, 4", FLOATING, PLAIN), *one("x7, 8", "x7, 0", "x23, 1, 2", "x, 1", "x03, 1")],
    # reductions
    "sum": DIMS + WITH_DTYPE, "mean": DIMS + WITH_DTYPE, "prod": ONE_DIM + WITH_DTYPE, "amax": DIMS, "amin": DIMS,
    "argmax": ONE_DIM, "argmin": ONE_DIM,
    **{name: [s for s in DIMS if "1.5" not in s[0] and "'a'" not in s[0]] for name in ("any", "all")},
    **{name: ["x234", "x", ("x03", None, PLAIN), ("n9", None, PLAIN), ("q9", None, PLAIN), ("a234", SOME, PLAIN)] for name in ("max", "min")},
    **{name: [s for s in ONE_DIM if "," in (s if isinstance(s, str) else s[0])] for name in ("max.dim", "min.dim")},
    **{name: ["x23, y23", ("x23, y3", SOME, PLAIN), ("n9, q9", None, PLAIN), ("x23, y23_float64", None, PLAIN), ("x23, y4", ONE, PLAIN), ("x23, y", SOME, PLAIN)] for name in ("max.other", "min.other")},
    "var": DIMS + SPREAD, "std": DIMS + SPREAD,
    **{f"{name}.unbiased": [("x23, False", FLOATING, PLAIN), ("x23, unbiased=True", FLOATING, PLAIN), ("x1, True", ONE, PLAIN), ("x03, False", ONE, PLAIN)] for name in ("var", "std")},
    **{f"{name}.unbiased_dim": [("x23, 0, False", FLOATING, PLAIN), ("x23, 1, True, True", FLOATING, PLAIN), ("x23, (0, 1), unbiased=False", FLOATING, PLAIN)] for name in ("var", "std")},
    "norm": [("x234", None, ["c", "t"]), *[(f"x23, {p}{a}", FLOATING, PLAIN) for p in ("0", "1", "2", "3", "2.5", "float('inf')", "-float('inf')", "-1") for a in ("", ", 0", ", (0, 1), True")],
             ("x", FLOATING, PLAIN), ("x03", FLOATING, PLAIN), ("x03, float('inf')", ONE, PLAIN), ("x23, 2, 1, dtype=torch.float64", FLOATING, PLAIN), ("x23, dim=1", FLOATING, PLAIN), ("n9", FLOATING, PLAIN), *one("x23, 2, 3")],
    "norm.name": [(f"x23, 'fro'{a}", FLOATING, PLAIN) for a in ("", ", 0", ", (0, 1), True", ", dim=1, dtype=torch.float64")]
    + [(f"m33, 'nuc'{a}", FLOATING, ["c", "t"]) for a in ("", ", (0, 1)", ", (1, 0), True")] + [("m243, 'nuc', (0, -1)", SOME, PLAIN), *one("m243, 'nuc'", "m33, 'nuc', 0", "m33, 'x'", "x3, 'nuc'", "x234, 'fro', (0, 1, 2)", "m33_float64, 'nuc', dtype=torch.float32")],
    "dist": [("x23, y23", FLOATING, PLAIN), ("x23, y3, 1", FLOATING, PLAIN), ("x23, y23, p=float('inf')", FLOATING, PLAIN), *one("x23, y4", "x23, y23, 0", "x23, y23_int64")],
    "sum_to_size": [("x23, (1, 3)", SOME, ["c", "t"]), ("x23, 3", SOME, PLAIN), ("x23, 1", SOME, PLAIN), ("x23, (2, 3)", SOME, PLAIN), *one("x23, 2", "x23, (1, 1, 2, 3)", "x23, ()")],
    # scan
    **{name: ["x234, 0", "x234, 1", "x234, -1", ("x, 0", SOME, PLAIN), ("x03, 0", SOME, PLAIN), ("x03, 1", SOME, PLAIN), ("n9, 0", None, PLAIN), ("x23, 1, dtype=torch.float64", SOME, PLAIN),
              ("x23, 1, dtype=torch.int64", SOME, PLAIN), *one("x23, 2", "x23", "x23, 'a'")] for name in ("cumsum", "cumprod")},
    **{name: ["x234, 0", "x234, 1", "a234, -1", ("x, 0", SOME, PLAIN), ("x03, 0", SOME, PLAIN), ("x03, 1", SOME, PLAIN), ("n9, 0", None, PLAIN), *one("x23, 2", "x23")] for name in ("cummax", "cummin")},
    # views
    "view.dtype": [(f"x24, torch.{d}", None, PLAIN) for d in DTYPES] + [("x24, torch.int32", ONE, ["t", "s"]), ("x, torch.int32", ONE, PLAIN), ("x, torch.int8", ONE, PLAIN), ("x24, torch.float64", ONE, ["c", "t", "s"]), ("x23, torch.float64", ONE, PLAIN), ("x04, torch.float64", ONE, PLAIN)],
    "view": [("x23, 6", None, ["c", "t", "s"]), ("x23, 3, 2", SOME, PLAIN), ("x23, (-1,)", SOME, PLAIN), ("x23, -1, 2", SOME, PLAIN), ("x, 1", SOME, PLAIN), ("x, ()", SOME, PLAIN), ("x23, 2, 3, 1", SOME, ["c", "t", "s", "e"]),
             *one("x23, 5", "x23, -1, -1", "x23, -2, 3", "x23, -1, 4", "x03, -1", "x03, 0", "x03, -1, 0", "x23", "x23, 'a'", "x234, 2, 2, 3, 2", "x23, size=(6,)", "x23, 2.0", "x23, torch.Size([6])"), ("x234, 6, 4", ONE, ["c", "t", "s", "e"])],
    "reshape": [("x23, (6,)", None, ["c", "t", "s"]), ("x23, 3, 2", SOME, ["c", "t"]), ("x23, (-1,)", SOME, ["c", "t", "e"]), ("x, (1,)", SOME, PLAIN), *one("x23, (5,)", "x23, (-1, -1)", "x03, (-1,)", "x23, ()", "x1, ()", "x23, (2, 3)", "x23, 'a'", "x23, shape=(3, 2)")],
    "flatten": [("x234", None, ["c", "t", "s"]), ("x234, 1", SOME, ["c", "t"]), ("x234, 0, 1", SOME, ["c", "t"]), ("x", SOME, PLAIN), *one("x234, 2, 1", "x234, 3", "x234, -1", "x03", "x234, start_dim=1, end_dim=-1", "x234, 1, 1")],
    "unflatten": [("x64, 0, (2, 3)", SOME, ["c", "t"]), ("x64, 0, (-1, 3)", SOME, PLAIN), *one("x64, 0, (2, 2)", "x64, 2, (2, 3)", "x64, 0, ()", "x64, 0, (-1, -1)", "x64, 0, (-1, 4)")],
    "ravel": [("x23", None, ["c", "t", "s"]), ("x", ONE, PLAIN), ("x03", ONE, PLAIN)],
    "view_as": [("x23, y6", SOME, PLAIN), *one("x23, y5", "x23, 3")], "reshape_as": [("x23, y6", SOME, ["c", "t"]), *one("x23, y5")],
    "t": [("x23", None, ["c", "t"]), ("x3", ONE, PLAIN), ("x", ONE, PLAIN), ("x234", ONE, PLAIN), ("x03", ONE, PLAIN)],
    "swapaxes": [("x234, 0, 1", SOME, ["c", "t"]), *one("x23, 0, 2", "x23, 0", "x23, axis0=0, axis1=1", "x23, dim0=0, dim1=1")],
    "transpose": [("x234, 0, 1", None, ["c", "t"]), ("x234, -1, 0", SOME, PLAIN), ("x, 0, 0", ONE, PLAIN), ("x, 0, -1", ONE, PLAIN), *one("x23, 0, 2", "x23, -3, 1", "x23, 0", "x23, 'a', 0", "x23, dim0=0, dim1=1")],
    "permute": [("x234, 2, 0, 1", None, ["c", "t"]), ("x234, (2, 0, 1)", SOME, PLAIN), ("x234, -1, 0, 1", SOME, PLAIN), ("x, ()", ONE, PLAIN), *one("x23, (0,)", "x23, (0, 0)", "x23, (0, 2)", "x23, 0, 1, 2", "x23", "x23, dims=(1, 0)")],
    "movedim": [("x234, 0, 2", None, PLAIN), ("x234, (0, 1), (2, 0)", SOME, PLAIN), ("x234, -1, 0", SOME, PLAIN), *one("x23, 0, 2", "x23, (0, 0), (0, 1)", "x23, (0, 1), (0,)", "x23, (0, 1), (0, 0)", "x23, 0, (0, 1)", "x, 0, 0")],
    "expand": [("x13, 4, 3", None, ["c", "t", "s"]), ("x13, (2, 4, 3)", SOME, PLAIN), ("x13, -1, 3", SOME, PLAIN), ("x, 2, 2", SOME, PLAIN), ("x, ()", ONE, PLAIN), ("x13, 0, 3", ONE, PLAIN), *one("x23, 3, 3", "x23, 3", "x13, -1, 4, 3", "x3, -1, 3", "x13, (4, 3), implicit=True", "x23, -2, 3")],
    "expand_as": [("x13, y23", SOME, PLAIN), *one("x23, y33", "x, y23")],
    "unsqueeze": [("x23, 0", None, ["c", "t", "s"]), ("x23, -1", SOME, ["c", "t"]), ("x23, 1", SOME, ["c", "t"]), ("x, 0", ONE, PLAIN), ("x03, 1", ONE, PLAIN), *one("x23, 3", "x23, -4", "x23", "x23, dim=2")],
    "squeeze": [("x213", None, ["c", "t"]), ("x213, 1", SOME, ["c", "t"]), ("x213, 0", SOME, PLAIN), ("x1213, (0, 2)", SOME, PLAIN), ("x, 0", ONE, PLAIN), ("x11", ONE, PLAIN), *one("x23, 2", "x213, -3", "x1213, (0, 0)", "x0, 0", "x213, dim=1", "x213, ()")],
    "narrow.Tensor": [(f"x43, 0, torch.tensor({v}), 2", SOME, PLAIN) for v in ("1", "-2", "3", "1.", "[1]", "True")],
    "narrow": [("x43, 0, 1, 2", None, ["c", "t", "s"]), ("x43, 1, 0, 3", SOME, PLAIN), ("x43, 0, -2, 1", SOME, PLAIN), ("x43, -1, 1, 0", SOME, PLAIN), *one("x43, 0, 3, 2", "x43, 0, 5, 0", "x43, 2, 0, 1", "x, 0, 0, 1", "x43, 0, -5, 1", "x43, 0, 1, -1", "x43, 0, 4, 0", "x43, 0, torch.tensor(1), 2")],
    "select": [("x23, 0, 1", None, ["c", "t", "s"]), ("x23, 1, -1", SOME, PLAIN), *one("x23, 2, 0", "x23, 0, 2", "x23, 0, -3", "x, 0, 0", "x23, 0", "x03, 0, 0")],
    "as_strided": [("x23, (2, 2), (1, 2)", None, ["c", "t", "s"]), ("x23, (2,), (0,)", SOME, PLAIN), ("x23, (3,), (2,), 1", SOME, PLAIN), ("x23, (), ()", SOME, ["c", "s"]), *one("x23, (2,), (1, 1)", "x23, (2,), (-1,)", "x23, (9,), (1,)", "x23, (2,), (1,), -1", "x23, (-1,), (1,)", "x23, (2,), (1,), 9", "x03, (2,), (1,)", "x23, (0,), (1,), 9")],
    "diagonal": [("x33", None, ["c", "t"]), ("x34, 1", SOME, PLAIN), ("x34, -1", SOME, PLAIN), ("x234, 0, 1, 2", SOME, PLAIN), ("x234, 0, -1, 0", SOME, PLAIN), *one("x33, 3", "x33, 5", "x3", "x234, 0, 1, 1", "x33, 0, 0, 2", "x33, offset=-3")],
    "unfold": [("x7, 0, 3, 2", None, ["c", "s"]), ("x43, 0, 2, 1", SOME, ["c", "t"]), ("x43, -1, 3, 1", SOME, PLAIN), ("x, 0, 1, 1", ONE, PLAIN), *one("x7, 0, 8, 1", "x7, 0, 3, 0", "x7, 1, 2, 1", "x7, 0, -1, 1", "x7, 0, 0, 1", "x7, 0, 3, -1")],
    "view_as_real": [("x23", None, ["c", "t", "s", "j"]), ("x", None, PLAIN), ("x03", COMPLEX, PLAIN)],
    "view_as_complex": [("x32", None, ["c", "s", "t"]), ("x2", None, PLAIN), ("x23", ONE, PLAIN), ("x", ONE, PLAIN), ("x02", ONE, PLAIN)],
    "conj": [("x23", None, ["c", "t", "j"]), ("x", None, PLAIN)], "_neg_view": [("x23", None, ["c", "t"]), ("x", SOME, PLAIN)], "resolve_conj": [("x23", None, ["c", "t", "j"]), ("x", None, PLAIN)],
    "resolve_neg": [("x23", None, ["c", "t", "j"]), ("x23.conj().imag", COMPLEX, PLAIN)],
    "real": [("x23", None, ["c", "t", "j"]), ("x", None, PLAIN)], "imag": [("x23", None, ["c", "t", "j"]), ("x", None, PLAIN)],
    "adjoint": [("x23", None, ["c", "t", "j"]), ("x234", SOME, PLAIN), ("x3", ONE, PLAIN), ("x", ONE, PLAIN)],
    "gelu": ["x23", "x", "x03", ("n9", None, PLAIN), ("x23, approximate='tanh'", FLOATING, PLAIN), *one("x23, approximate='x'", "x23, 'tanh'")],
    "square": ["x23", "x", "x03", ("n9", None, PLAIN)],
    # comparison of whole tensors
    "where.condition": [("b23", ONE, ["c", "t"]), ("a23", SOME, PLAIN), ("x", SOME, PLAIN), ("x03", ONE, PLAIN)],
    **{name: [("x23, y23", None, PLAIN), ("x23, x23", SOME, PLAIN), ("n9, q9", None, PLAIN), ("n9, n9, equal_nan=True", None, PLAIN), ("x23, x23 + 1, 0.5, 0.5", FLOATING, PLAIN),
              *one("x23, y3", "x23, y4", "x23, y23_float64", "x23, y23, -1", "x03, y03", "x, y", "x23, 3")] for name in ("isclose", "allclose")},
    "equal": [("x23, y23", None, PLAIN), ("x23, x23", None, PLAIN), ("n9, n9", None, PLAIN), ("x23, x23.clone()", SOME, ["c", "t"]), *one("x23, x3", "x23, y23_float64", "x23, 3", "x03, y03")],
}

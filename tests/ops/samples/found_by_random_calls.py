# SPDX-License-Identifier: BSD-3-Clause
"""Samples found by comparing random calls with PyTorch. Each once crashed or gave a different result."""
from samples import ONE, PLAIN, SOME, one

ENDS = {"Tensor_Tensor": "y_{0}, x_{0}", "Scalar_Tensor": "2, x_{0}", "Tensor_Scalar": "x_{0}, 2.5"}
SAMPLES = {f"{name}.{form}": one(*(f"{ends.format(d)}, 4" for d in SOME), f"{ends.format('float32')}, 3, dtype=torch.float64",
                                 f"{ends.format('float32')}, 0", f"{ends.replace('x_', 'x2_').format('float32')}, 4",
                                 f"{ends.replace('x_', 'x2_').replace('y_', 'y3_').format('float32')}, 4")
           for name in ("linspace", "logspace") for form, ends in ENDS.items()}
MORE = {
    "norm": [(f"x23, 2, dtype=torch.{d}", SOME, PLAIN) for d in ("int32", "float16", "float64", "complex64", "complex128", "bool")]
    + one("x23, 3.5, 0, dtype=torch.int64", "x23, 2, 0, True, dtype=torch.float64"),
    "unflatten": one("x, 0, (1, 1)", "x, 0, (1, -1)", "x, -1, (1,)"),
    "arange": one("6", "0"), "linspace": one("0, 1, 0", "0.5, 5.5, 4, dtype=torch.int64"),
    "logspace": one("0.5, 2.5, 4, dtype=torch.int32"),
    "sum": one("x, (0, 0)"), "mean": one("x, (0, -1)"), "amax": one("x, (0, 0)"),
    "isclose": [(text, ["bool"], PLAIN) for text in ("x23, y23, atol=1.0", "x23, y23, 0.5, 0.25", "n, a9, rtol=1e30")]
    + one("x23, y23, float('nan')", "x23, y23, 1.0, float('nan')"),
    "sigmoid": [("x23.conj()", ["complex64"], ["e"])], "var": one("x23, 0, correction=1j"),
    "elu": one("x23, 1j"), "celu": one("x23, 1j"), "softshrink": one("x23, 1j"),
    "trapezoid": one("x3, dx=True", "x3, dx=2"), "eye": one("2, None", "2, m=None", "2, 3"),
    "copy": one("x33, x33.transpose(1, 0)", "x33, x33", "x33, x33.flip(0)"),
    "contiguous": [("x23, memory_format=torch.preserve_format", ONE, ["c", "t"]), *one("x23, memory_format=None")],
    "normal_": [("x03", SOME, PLAIN)], "exponential_": [("x03", SOME, PLAIN)], "bernoulli_.tensor": [("x03, y4", SOME, PLAIN)],
    "mul": [(text, SOME, ["t", "s"]) for text in ("x131, 2", "x21, 3", "x03, 2.5", "x13, y")],
    "maximum": [("x131, d7", SOME, ["tc", "ct"])],
    "diff": one("x34, 0, -1, y32", "x34, 0, append=y32", "x34, 0, 0, y14, y24", "x34, 0, prepend=y3"),
    "combinations": [("x2", SOME, PLAIN)], "sum_to_size": [("x, ()", SOME, PLAIN), ("x1, ()", SOME, PLAIN)],
}
DELIBERATE = [
    ("A complex `alpha` of `elu` or `beta` of `softplus` is refused by both libraries; Corten's text always says double, PyTorch's the type of the tensor.", "^(elu|softplus) .*1j", "type float without overflow", "type double without overflow"),
    ("`logspace` with complex exponents is computed in complex128; PyTorch computes in complex64.", r"^logspace\..*complex", "^complex64", "^complex64"),
]

# SPDX-License-Identifier: BSD-3-Clause
"""Samples of random numbers; every case starts from one seed."""
from samples import FLOATING, ONE, PLAIN, SOME, one

SAMPLES = {
    **{name: one("3", "2, 3", "(20,)", "()", "0", "5, dtype=torch.float64", "20, dtype=torch.float64", "5, dtype=torch.bfloat16", "20, dtype=torch.float16", "4, dtype=torch.complex64", "3, dtype=torch.int64",
                 "3, generator=torch.Generator().manual_seed(5)", "3, requires_grad=True", "-1", "size=(2, 2)", "'a'") for name in ("rand", "randn")},
    **{name: [("x23", FLOATING, ["c", "t"]), ("x54", FLOATING, ["c", "t"]), *one("x23, dtype=torch.float64", "x23_int64", "x03", "x")] for name in ("rand_like", "randn_like")},
    "randint": one("10, (3,)", "2, 10, (4,)", "-5, 5, (2, 3)", "0, 2 ** 40, (4,)", "10, (3,), dtype=torch.float32", "10, (3,), dtype=torch.uint8", "0, (3,)", "5, 2, (3,)", "300, (3,), dtype=torch.uint8", "10, size=(2,)", "high=4, size=(3,)",
                   "10, ()", "10, 3", "2, (5,), dtype=torch.bool", "10, (3,), generator=torch.Generator().manual_seed(5)"),
    "randint_like": one("x23, 2, 10", "x23, -3, 3, dtype=torch.int64", "x23, 5, 2", "x23, 2, 10, generator=torch.Generator().manual_seed(5)", "x03, 0, 2"),
    "randint_like.Tensor": one("x23, torch.tensor(5)", "x23, torch.tensor([5])", "x23, torch.tensor(5.7)", "x23, torch.tensor(-1)", "x23, torch.tensor(True)"),
    "randint_like.high": one("x23, 10", "x23_int64, 10", "x23, 0", "x23, 10, dtype=torch.int64", "x23, 10, generator=torch.Generator().manual_seed(5)"),
    "randperm": one("5", "40", "0", "5, dtype=torch.int32", "5, dtype=torch.float32", "-1", "300, dtype=torch.uint8", "2.5", "3, generator=torch.Generator().manual_seed(5)"),
    "bernoulli": [("u23", None, ["c", "t"]), ("u54", ["float32", "float64", "bfloat16"], PLAIN), *one("x23", "n9", "u23, generator=torch.Generator().manual_seed(5)")],
    "bernoulli.p": [("x23, 0.5", None, PLAIN), *one("x23, 1.5", "x23, -1.0", "x54, 0.3")],
    "normal.Tensor_Tensor": [("x23, p23", FLOATING, PLAIN), *one("x23, p3", "x23, x23", "x23, p4")],
    "normal.Tensor_float": [("x23, 2.0", FLOATING, PLAIN), *one("x23", "x23, -1.0", "x54, 0.5")],
    "normal.float_Tensor": [("1.0, p23", FLOATING, PLAIN), *one("1.0, x23", "0.0, p54")],
    "normal.float_float": one("0.0, 1.0, (3,)", "1.0, 2.0, (20,)", "0.0, -1.0, (3,)", "0.0, 1.0, size=(2, 3)", "0.0, 1.0, (3,), dtype=torch.float64"),
    "multinomial": [("p4, 2", FLOATING, PLAIN), ("p34, 2", FLOATING, PLAIN), ("p4, 6, True", FLOATING, PLAIN), *one("p4, 5", "x4, 2", "n4, 2", "p234, 2", "p4, 0", "p, 1", "x23_int64, 1")],
    "bernoulli_.tensor": [("x23, u23", None, ["c", "t"]), *one("x23, u3", "x23, p23")],
    "bernoulli_": [("x23", None, ["c", "t"]), ("x23, 0.3", None, PLAIN), *one("x23, 2.0", "x54, 0.7")],
    "normal_": [("x23", None, ["c", "t", "s"]), ("x54", FLOATING, ["c", "t"]), *one("x23, 1.0, 2.0", "x23, 0.0, -1.0", "x23, mean=3, std=0.5", "x03")],
    "uniform_": [("x23", None, ["c", "t", "s"]), ("x54", FLOATING, ["c", "t"]), *one("x23, -1.0, 2.0", "x23, 2.0, 1.0", "x03", "x23, 0.0, float('inf')")],
    "random_": [("x23", None, ["c", "t"]), ("x54", None, PLAIN)],
    "random_.from": [("x23, 2, 5", None, PLAIN), *one("x23, 5, 2", "x23, -3, 3", "x23, 0, 2 ** 40", "x23, 3, None"), ("x23, 0, 300", ["uint8", "int64"], PLAIN)],
    "random_.to": [("x23, 5", None, PLAIN), *one("x23, 0", "x23, -1")],
    "exponential_": [("x23", None, ["c", "t"]), ("x54", FLOATING, PLAIN), *one("x23, 2.0", "x23, 0.0", "x23, -1.0")],
    "geometric_": [("x23, 0.5", None, PLAIN), *one("x23, 0.0", "x23, 1.5", "x54, 0.2")],
    "cauchy_": [("x23", None, PLAIN), *one("x23, 1.0, 2.0", "x23, 0.0, -1.0", "x54")],
    "log_normal_": [("x23", None, PLAIN), *one("x23, 0.0, 1.0", "x23, 0.0, -1.0", "x54")],
    "poisson": [("p23", None, ["c", "t", "s"]), ("p54", FLOATING, PLAIN), ("x03", FLOATING, PLAIN), ("p54 * 30", FLOATING, PLAIN),
                *one("x23", "n9", "p23, torch.Generator().manual_seed(5)", "p23, generator=None", "torch.tensor([0., 5., 9.99, 10., 1e3, 1e6, 1e9])", "torch.arange(300.) * 0.2")],
    "binomial": [("p23, u23", None, ["c", "t", "s"]), ("p54 * 50, u54", FLOATING, PLAIN), ("p23, u3", FLOATING, PLAIN), ("p3, u23", FLOATING, PLAIN),
                 *one("x23, y23", "p23, u4", "p23, n3", "p23, u23_float64", "p23_int64, u23", "p23, u23_int64", "p23, u23, torch.Generator().manual_seed(5)",
                      "torch.full((40,), 1e3), torch.arange(40.) / 39", "torch.full((40,), 1e6), torch.arange(40.) / 39",
                      "torch.full((40,), 25., dtype=torch.float64), torch.arange(40., dtype=torch.float64) / 39")],
    **{name: [("x23, 0.5, True", None, ["c", "t"]), ("x54, 0.3, True", FLOATING, PLAIN), ("x234, 0.4, True", FLOATING, PLAIN), ("x23, 0.5, False", SOME, PLAIN), ("x23, 0.0, True", SOME, PLAIN),
              ("x23, 1.0, True", SOME, PLAIN), ("x03, 0.5, True", SOME, PLAIN), *one("x23, 1.5, True", "x23, -0.5, True", "x3, 0.5, True", "x, 0.5, True", "x23, 0.5", "x23, 'a', True", "x23, float('nan'), True")]
       for name in ("dropout", "dropout_", "feature_dropout", "feature_dropout_", "alpha_dropout", "alpha_dropout_", "feature_alpha_dropout", "feature_alpha_dropout_")},
    "native_dropout": [("x23, 0.5, True", None, ["c", "t"]), ("x54, 0.3, None", FLOATING, PLAIN), ("x23, 0.5, False", SOME, PLAIN), ("x23, 1.0, True", SOME, PLAIN), ("x03, 0.5, True", SOME, PLAIN), *one("x23, 1.5, True")],
}
ULPS = {name: 2 for name in ("dropout", "dropout_", "feature_dropout", "feature_dropout_", "alpha_dropout", "alpha_dropout_", "feature_alpha_dropout", "feature_alpha_dropout_", "native_dropout")}

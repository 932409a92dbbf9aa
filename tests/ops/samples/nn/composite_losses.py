# SPDX-License-Identifier: BSD-3-Clause
"""Samples of more.toml (losses that are composites), and how exact its results must be."""
from facts import where_finite
from samples import PLAIN, one

FLOATS = ["float32", "float64"]
ULPS = {"more": 64}
DELIBERATE = [("Wrong arguments: Corten checks them against one signature and says which one is wrong; in PyTorch these functions are Python code or several overloads, and the error comes from whatever runs first.", "_loss |^kl_div ", "AttributeError|Boolean value of Tensor|unsupported operand", "TypeError"),
              ("`multilabel_soft_margin_loss` refuses an invalid `reduction` in the words that the other losses use; PyTorch's text differs.", "^multilabel_soft_margin_loss .*'bad'", "bad is not valid", "bad is not a valid value"),
              ("Margin losses with a NaN score are NaN in Corten; PyTorch leaves that class out of the sum.", r"^multi(label)?_margin_loss .*[nw]\d", "^float", "^float.*nan", where_finite)]
WAYS = ", reduction='sum'", ", reduction='none'"


def ways(text, *more):
    return [(text, FLOATS, ["c", "t"]), *((text + way, FLOATS, PLAIN) for way in WAYS), *one(text + ", reduction='bad'"), *more]


SAMPLES = {
    "kl_div": ways("x23, u23", ("x23, x23, log_target=True", FLOATS, PLAIN), ("x23, u23, reduction='batchmean'", FLOATS, PLAIN)),
    "poisson_nll_loss": ways("x23, p23", ("p23, p23, False, True", FLOATS, PLAIN)),
    "gaussian_nll_loss": ways("x23, y23, p23", ("x23, y23, p2, True", FLOATS, PLAIN), ("x23, y23, p21", FLOATS, PLAIN), *one("x23, y23, p4", "x23, y23, x23")),
    "cosine_embedding_loss": ways("x23, y23, torch.tensor([1, -1])", ("x3, y3, torch.tensor(-1), 0.5", FLOATS, PLAIN), *one("x23, y23, y21", "x3, y23, y2")),
    "hinge_embedding_loss": ways("x23, torch.tensor([1, -1, 1])", ("x23, torch.tensor([1, -1, 1]), 2.0", FLOATS, PLAIN)),
    "margin_ranking_loss": ways("x3, y3, torch.tensor([1, -1, 1])", ("x3, y3, torch.tensor([1, -1, 1]), 0.5", FLOATS, PLAIN), *one("x23, y23, y3")),
    "multilabel_soft_margin_loss": ways("x23, u23", ("x23, u23, p3", FLOATS, PLAIN)),
    "multi_margin_loss": ways("x23, i2", ("x23, i2, 2, 0.5, p3", FLOATS, PLAIN), ("x3, i1", FLOATS, PLAIN), *one("x23, i3", "x23, i2, 3", "x23, torch.tensor([0, 5])")),
    "multilabel_margin_loss": ways("x23, torch.tensor([[1, -1, 0], [2, 0, -1]])", ("x3, torch.tensor([1, -1, 0])", FLOATS, PLAIN), *one("x23, i22", "x23, y23")),
    "triplet_margin_loss": ways("x23, y23, z23", ("x23, y23, z23, 2.0, 1, 1e-6, True", FLOATS, PLAIN), *one("x23, y23, z23, 0.0", "x23, y23, z3")),
}

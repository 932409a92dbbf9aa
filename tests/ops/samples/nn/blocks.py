# SPDX-License-Identifier: BSD-3-Clause
"""Samples of blocks.toml, and how exact its results must be."""
from samples import ONE, PLAIN, one

FLOATS = ["float32", "float64"]
ULPS = {"blocks": 32}
DELIBERATE = [("`unfold` and `max_unpool` report the shape that the program passed; PyTorch adds a dim before it checks, or fails at a missing one.", "^(nn_functional_unfold|max_unpool[12]d) ",
               "IndexError|the input tensor", "Expected|should be a 3d or 4d"),
              ("Wrong arguments: Corten checks them against one signature and says which one is wrong; in PyTorch these functions are Python code or several overloads, and the error comes from whatever runs first.", "^gumbel_softmax ", "empty_like.*must be Tensor", "gumbel_softmax.*must be Tensor")]
SAMPLES = {
    "nn_functional_unfold": [("x2345, 2", FLOATS, ["c", "t"]), ("x345, (2, 3), 1, 1, 2", FLOATS, PLAIN), ("x2365, 2, 2, 1", ONE, PLAIN), *one("x45, 2", "x2345, 9", "x2345, (1, 2, 3)", "x2345, 0")],
    "fold": [("x146, (3, 4), 2", FLOATS, ["c", "t"]), ("x86, (3, 4), 2", ONE, PLAIN), *one("x8, (3, 4), 2", "x285, (3, 4), 2", "x276, (3, 4), 2")],
    "one_hot": [*one("i4", "i23", "j4, 5", "j4, 2", "y3", "torch.tensor([-1])", "i, 3", "i0, 3", "i0", "j4, -2")],
    "max_unpool1d": [("x232, torch.tensor([[[0, 2]] * 3] * 2), 2", FLOATS, PLAIN), ("x12, torch.tensor([[0, 3]]), 2, output_size=(5,)", FLOATS, PLAIN), *one("x12, torch.tensor([[0, 9]]), 2", "x12, torch.tensor([[0]]), 2", "x12, i12_int32, 2")],
    "max_unpool2d": [("x1122, torch.tensor([[[[0, 3], [9, 15]]]]), 2", FLOATS, PLAIN), ("x122, torch.tensor([[[0, 2], [7, 8]]]), 2, 1", FLOATS, PLAIN), *one("x1122, torch.tensor([[[[0, 3], [9, 17]]]]), 2", "x2, i2, 2")],
    "max_unpool3d": [("x11112, torch.tensor([[[[[0, 9]]]]]), 2", FLOATS, PLAIN)],
    "lp_pool1d": [("p236, 2, 2", FLOATS, PLAIN), ("p236, 3.0, 2, 1", FLOATS, PLAIN)],
    "lp_pool2d": [("p2345, 2, 2", FLOATS, PLAIN), ("p2345, 3.0, (2, 1), 1", FLOATS, PLAIN)],
    "lp_pool3d": [("p12344, 2, 2", FLOATS, PLAIN)],
    "glu": [("x46", FLOATS, ["c", "t"]), ("x46, 0", FLOATS, PLAIN), *one("x45", "x", "x46, 5")],
    "gumbel_softmax": [("x46", FLOATS, PLAIN), ("x46, 0.5, True", FLOATS, PLAIN)],
}

# SPDX-License-Identifier: BSD-3-Clause
"""Samples of embeddings. The additional results of embedding_bag differ from PyTorch's in some modes."""
from samples import FLOATING, ONE, PLAIN, SOME, one

FLAT, SQUARE = "torch.tensor([1, 4, 1, 0])", "torch.tensor([[1, 4], [0, 0]])"
DOUBLE = ["float32", "float64"]
SAMPLES = {
    "embedding": [(f"x53, {SQUARE}", None, ["c", "t", "s"]), (f"x53, {FLAT}", FLOATING, PLAIN), (f"x53, {FLAT}, 1", ONE, PLAIN), (f"x53, {FLAT}, scale_grad_by_freq=True", ONE, PLAIN),
                  (f"x53, {SQUARE}, 4, True", ONE, PLAIN), ("x53, torch.tensor(2)", SOME, PLAIN), ("x53, torch.zeros(0, 2, dtype=torch.int32)", SOME, PLAIN), (f"x53, {FLAT}.int()", SOME, PLAIN), (f"x50, {FLAT}", DOUBLE, PLAIN),
                  *one(f"x3, {FLAT}", f"x53, {FLAT}.float()", "x53, torch.tensor([5])", "x53, torch.tensor([-1])", "x53", f"x53, {FLAT}, 'a'", f"3, {FLAT}")],
    "embedding_bag": [("x53, torch.tensor([1, 0, 3]), torch.tensor([0, 2]), False, 1", DOUBLE, PLAIN), ("x53, torch.tensor([1, 0, 3]), torch.tensor([0, 2, 3]), False, 2", FLOATING, PLAIN),
                      *one("x3, torch.tensor([1]), torch.tensor([0])", "x53, torch.tensor([1.]), torch.tensor([0])", "x53, torch.tensor([1]), torch.tensor([0]), False, 3", "x53, torch.tensor([5]), torch.tensor([0])",
                           "x53, torch.tensor([1]), torch.tensor([0]), False, 2, False, torch.ones(1)", "x53, torch.tensor([1]), torch.tensor([0]), False, 0, False, None, False, 5",
                           "x53, torch.tensor([1]), torch.tensor([1])", "x53, torch.tensor([1]), torch.tensor([0, 2])", "x53.long(), torch.tensor([1]), torch.tensor([0])")],
    "embedding_renorm": [(f"x53, {FLAT}, 1., 2.", FLOATING, ["c", "t"]), (f"x53, {SQUARE}.int(), .5, 3.", SOME, PLAIN), ("x53, torch.tensor(2), 0., inf", SOME, PLAIN),
                          *one(f"x3, {FLAT}, 1., 2.", f"x53, {FLAT}.float(), 1., 2.", f"x53, {FLAT}, 1.")],
}

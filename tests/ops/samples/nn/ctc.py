# SPDX-License-Identifier: BSD-3-Clause
"""Samples of ctc_loss: 5 frames of 2 sequences with 4 classes."""
from samples import PLAIN, one

TYPES = ["float32", "float64"]
PROBS, LINES, JOINED = "x524.log_softmax(2)", "torch.tensor([[1, 2, 2], [3, 1, 0]])", "torch.tensor([1, 2, 2, 3, 1])"
CALLS = [
    (f"{PROBS}, {LINES}, (5, 4), (3, 2)", TYPES, ["c", "t"]), (f"{PROBS}, {JOINED}, (5, 4), (3, 2), 0, 1", TYPES, PLAIN),
    (f"{PROBS}, {LINES}, [5, 4], [3, 2], blank=3, reduction=2", TYPES, PLAIN), (f"{PROBS}, {LINES}, (2, 4), (3, 2)", TYPES, PLAIN),
    (f"{PROBS}, {LINES}, (2, 4), (3, 2), 0, 1, True", TYPES, PLAIN), (f"{PROBS}, {LINES}, (5, 4), (0, 2)", TYPES, PLAIN),
    (f"{PROBS}, {LINES}, (0, 4), (0, 2)", TYPES, PLAIN), ("x54.log_softmax(1), torch.tensor([1, 2]), (5,), (2,), 0, 1", TYPES, PLAIN),
    (f"{PROBS}, {LINES}.int(), (5, 5), (3, 3), zero_infinity=True", TYPES, PLAIN),
    *one(f"{PROBS}, {LINES}, (6, 4), (3, 2)", f"{PROBS}, {LINES}, (5, 4), (4, 2)", f"{PROBS}, {LINES}, (5, 4), (3, 2), 7",
         f"{PROBS}, {LINES}, (5,), (3, 2)", f"{PROBS}, {LINES}, (5, 4), (3,)", f"{PROBS}, {LINES}, (-1, 4), (3, 2)",
         f"{PROBS}, {LINES}, (5, 4), (3, -2)", f"{PROBS}, torch.tensor([1, 2, 2]), (5, 4), (3, 2)", f"{PROBS}.half(), {LINES}, (5, 4), (3, 2)",
         f"x4, {LINES}, (5, 4), (3, 2)"),
]
SAMPLES = {
    "ctc_loss": CALLS,
    "ctc_loss.Tensor": [(f"{PROBS}, {LINES}, torch.tensor([5, 4]), torch.tensor([3, 2])", TYPES, PLAIN),
                        (f"{PROBS}, {LINES}, torch.tensor([5, 4]).int(), torch.tensor([3, 2]), 0, 1", TYPES, PLAIN),
                        *one(f"{PROBS}, {LINES}, torch.tensor([5., 4.]), torch.tensor([3, 2])", f"{PROBS}, {LINES}, torch.tensor([5, 4]), torch.tensor([3., 2.])")],
}
ULPS = {"ctc": 64}
DELIBERATE = [("The error of `ctc_loss` shows the default `reduction = 0`; PyTorch's shows the name of an internal C++ constant.", "^ctc_loss", "at::Reduction::Mean", "int reduction = 0")]

# SPDX-License-Identifier: BSD-3-Clause
"""Samples of loss.toml, and how exact its results must be."""
from samples import ONE, PLAIN, SOME, one

HALVES = ["float16", "bfloat16", "float32", "float64"]
WAYS = ["x23, y23, reduction='sum'", ("x23, y23, reduction='none'", None, PLAIN)]
OLD = one("x23, y23, reduction='middle'", "x23, y23, size_average=False", "x23, y23, reduce=False", "x23, y23, reduction='elementwise_mean'")
TWO = [("x23, y23", None, ["c", "ct", "tc", "ss"]), *WAYS, ("x, y", SOME, PLAIN), ("x03, y03", SOME, PLAIN),
       ("x23, y23_float64", SOME, PLAIN), *OLD, *one("x23, y24")]
BROADCAST = [*TWO, ("x23, y3", SOME, PLAIN), ("x3, y23", SOME, PLAIN)]
WEIGHED = [*BROADCAST, ("x23, y23, weight=p23", HALVES, PLAIN), ("x23, y23, reduction='sum', weight=p23", HALVES, PLAIN),
           ("x23, y23, reduction='none', weight=p23", HALVES, PLAIN), *one("x23, y23, weight=p3", "x23, y23, reduction='bad', weight=p23")]
CLASSES = [("x23, i2", HALVES, ["c", "t"]), ("x23, i2, reduction='sum'", HALVES, PLAIN), ("x23, i2, reduction='none'", HALVES, PLAIN),
           ("x23, i2, p3", HALVES, PLAIN), ("x23, i2, p3, reduction='sum'", HALVES, PLAIN), ("x23, i2, p3, reduction='none'", HALVES, PLAIN),
           ("x23, i2, ignore_index=0", HALVES, PLAIN), ("x23, i2, p3, ignore_index=1", HALVES, PLAIN),
           ("x23, torch.tensor([-100, 1])", HALVES, PLAIN), ("x23, torch.tensor([-100, -100])", ONE, PLAIN),
           ("x234, i24", HALVES, ["c", "t"]), ("x234, i24, p3, reduction='none'", HALVES, PLAIN), ("x2322, i222", HALVES, ["c", "l"]),
           ("x2322, i222, p3, ignore_index=1", HALVES, PLAIN), ("x3, i", HALVES, PLAIN), ("x3, i, reduction='none'", ONE, PLAIN), ("x3, i1", ONE, PLAIN),
           ("x23, i2_uint8", ONE, PLAIN), ("x23, i2", ["int64", "complex64"], PLAIN),
           *one("x23, i3", "x23, i23", "x, i", "x23, torch.tensor([3, 0])", "x23, torch.tensor([-1, 0])", "x23, i2, p2", "x234, i23", "x2322, i22", "x2322, i223",
                "x3, i2", "x23, i2_int32", "x23, i2, p3_float64", "x23, i2, reduction='bad'", "x23, i2, size_average=False", "x23, i2, reduce=False")]

ULPS = {"loss": 8, "binary_cross_entropy": 32, "binary_cross_entropy_with_logits": 32, "soft_margin_loss": 16, "cross_entropy": 64, "nll_loss": 4}

DELIBERATE = [
    ("`binary_cross_entropy` accepts integer targets and promotes them; PyTorch refuses them.", "^binary_cross_entropy .*i23", "Found dtype", "^float32"),
    ("`cross_entropy` of scores with infinities: Corten computes one logsumexp per row instead of a logarithm for each class, so that fewer results are NaN.", "^cross_entropy .*n2", "nan", "inf|nan"),
    ("`cross_entropy` of a 0-d tensor: Corten reports the missing dim of classes, PyTorch the type of the target.", "^cross_entropy .*\\(x, i", "Expected floating", "Expected 1 or more"),
]

SAMPLES = {
    "mse_loss": WEIGHED, "l1_loss": WEIGHED,
    "smooth_l1_loss": [*BROADCAST, ("x23, y23, beta=0.5", HALVES, PLAIN), *one("x23, y23, beta=0.0", "x23, y23, beta=-1.0")],
    "huber_loss": [("x23, y23", None, ["c", "ct", "ss"]), *WAYS, ("x23, y3", SOME, PLAIN), ("x23, y23, delta=0.5", HALVES, PLAIN),
                   ("x23, y23, weight=p23", HALVES, PLAIN), ("x23, y23, 'sum', weight=p23", HALVES, PLAIN),
                   *one("x23, y23, delta=0.0", "x23, y23, delta=-1.0", "x23, y23, 'bad'", "x23, y23, weight=p3", "x23, y23, 'bad', weight=p23")],
    "soft_margin_loss": [("x23, d23", HALVES, ["c", "tc"]), ("x23, d23, reduction='none'", HALVES, PLAIN), ("x23, d23, reduction='sum'", HALVES, PLAIN),
                         ("x, y", ONE, PLAIN), *OLD, *one("x23, y24")],
    "binary_cross_entropy": [("u23, u23", HALVES, ["c", "tt"]), ("u23, u23, reduction='none'", HALVES, PLAIN), ("u23, u23, reduction='sum'", HALVES, PLAIN),
                             ("u23, u23, p3", HALVES, PLAIN), ("u03, u03", HALVES, PLAIN), *one("x23, u23", "u23, u3", "u23, i23", "u23, u23, reduction='bad'")],
    "binary_cross_entropy_with_logits": [("x23, u23", HALVES, ["c", "tc"]), ("x23, u23, reduction='none'", HALVES, PLAIN), ("x23, u23, p3", HALVES, PLAIN),
                                         ("x23, u23, pos_weight=p3", HALVES, PLAIN), ("x23, u23, p3, reduction='sum', pos_weight=p", HALVES, PLAIN),
                                         ("x03, u03", HALVES, PLAIN), *one("x23, u3", "x23, u23, reduction='bad'")],
    "nll_loss": CLASSES,
    "cross_entropy": [*CLASSES, ("x23, i2, label_smoothing=0.25", HALVES, PLAIN), ("x23, i2, p3, label_smoothing=0.25, ignore_index=1", HALVES, PLAIN),
                      ("x23, i2, p3, label_smoothing=0.25, reduction='none'", HALVES, PLAIN), ("x23, u23", HALVES, ["c", "tc"]),
                      ("x23, u23, p3, label_smoothing=0.25", HALVES, PLAIN), ("x234, u234, reduction='none'", HALVES, PLAIN), ("x3, u3", HALVES, PLAIN),
                      *one("x23, i2, label_smoothing=1.5", "x23, u23, ignore_index=1", "x23, i23", "x23, u23, p2")],
}

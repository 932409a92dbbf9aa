# SPDX-License-Identifier: BSD-3-Clause
"""Samples of softmax, log_softmax, logsumexp."""
from facts import nearly
from samples import FLOATING, ONE, PLAIN, SOME, one

LINES = ["x234, 0", "x234, 1", "x234, -1", "x, 0", "x, -1", "x3, 0", ("x03, 0", None, PLAIN), ("x03, 1", None, PLAIN),
         ("x20, 1", None, PLAIN), ("n9, 0", None, PLAIN), ("q33, 0", None, PLAIN), ("q33, 1", None, PLAIN),
         ("x2224, 1", SOME, ["l", "t"]), ("x999, 1", FLOATING, PLAIN), ("x999, 2", FLOATING, PLAIN),
         *one("x234, 3", "x234, -4", "x, 1", "x234, None", "x234, 1.5", "x234, (0, 1)", "x234"),
         *((f"x23, 1, dtype=torch.{d}", SOME, PLAIN) for d in SOME), ("x23, 0, torch.float64", None, PLAIN)]
SAMPLES = {
    "softmax": LINES, "log_softmax": LINES, "special_softmax": LINES, "special_log_softmax": LINES,
    "logsumexp": ["x234, 0", "x234, 1, True", "x234, -1", "x234, (0, 2)", "x234, (0, 2), True", "x, 0", "x, -1, True",
                  ("x03, 0", None, PLAIN), ("x03, 1", None, PLAIN), ("x20, (1,), True", None, PLAIN), ("n9, 0", None, PLAIN),
                  ("q33, 0", None, PLAIN), ("q33, 1", None, PLAIN), ("x2224, (1, 3)", SOME, ["l", "t"]),
                  ("x999, 1", FLOATING, PLAIN), ("x, ()", ONE, PLAIN), ("x03, ()", ONE, PLAIN),
                  *one("x234, 3", "x234, (0, 0)", "x234, ()", "x234, (), True", "x234, None", "x234, 'a'", "x234", "x234, 1.5")],
}
ULPS = {"softmax": 4, "log_softmax": 32, "special_softmax": 4, "special_log_softmax": 32, "logsumexp": 16}  # differences of large numbers lose precision
DELIBERATE = [
    ("float16 and bfloat16 are computed in float32 and rounded once, at the result; PyTorch also rounds intermediate results.", "^(logsumexp|log_softmax|special_log_softmax) .*float16", "^b?float16", "^b?float16", nearly),
]

# SPDX-License-Identifier: BSD-3-Clause
"""Samples of reductions over segments."""
from samples import ONE, PLAIN, one

L, DOUBLE = "lengths=torch.tensor([2, 0, 3])", ["float32", "float64"]
SAMPLES = {
    "segment_reduce": [*((f"x53, '{how}', {L}", DOUBLE, PLAIN) for how in ("sum", "prod")),
                       *((f"x53, '{how}', lengths=torch.tensor([2, 3])", DOUBLE, PLAIN) for how in ("mean", "max", "min")),
                       *((f"x53, '{how}', {L}", ONE, PLAIN) for how in ("mean", "max", "min")),  # empty segments give infinities, so no finite differences
                       *((f"x5, '{how}', {L}, initial=2", DOUBLE, PLAIN) for how in ("sum", "mean", "max", "min", "prod")),
                       ("x523, 'sum', offsets=torch.tensor([0, 2, 2, 5])", DOUBLE, PLAIN),
                       ("x25, 'max', lengths=torch.tensor([[2, 3], [4, 1]]), axis=1", DOUBLE, PLAIN), (f"x53, 'sum', {L}, unsafe=True", ONE, PLAIN),
                       *one("x53, 'sum'", f"x53, 'least', {L}", "x53, 'sum', lengths=torch.tensor([1, 2])", "x53, 'sum', lengths=torch.tensor([-1, 6])",
                            f"x53, 'sum', {L}, axis=1", f"x53, 'sum', {L}, axis=2", f"x53, 'sum', {L}, indices=torch.tensor([1])")],
}
ULPS = {"segment_reduce": 4}

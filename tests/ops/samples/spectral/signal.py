# SPDX-License-Identifier: BSD-3-Clause
"""Samples of signal.windows."""
from samples import one

PLAIN_WINDOWS = ("bartlett", "blackman", "cosine", "hamming", "hann", "nuttall")
COMMON = ("5", "0", "1", "2", "6, sym=False", "1, sym=False", "-1", "4, dtype=torch.float64", "4, dtype=torch.int64",
          "4, dtype=torch.float16", "4, requires_grad=True", "M=3", "101", "4, device='cpu'")
SAMPLES = {f"signal_windows_{name}": one(*COMMON) for name in PLAIN_WINDOWS} | {
    "signal_windows_exponential": one(*COMMON, "7, tau=0.5", "7, tau=0.", "7, center=2., sym=False", "7, center=2."),
    "signal_windows_gaussian": one(*COMMON, "7, std=0.5", "7, std=-1.5", "0, std=0."),
    "signal_windows_general_cosine": one(*(f"{c}, a=[0.46, 0.23, 0.31]" for c in COMMON), "5, a=()", "1, a=[]", "5, a=[1.0]"),
    "signal_windows_general_hamming": one(*COMMON, "7, alpha=0.3"),
    "signal_windows_kaiser": one(*COMMON, "7, beta=0.", "7, beta=3.5", "7, beta=-1.5", "7, beta=3.5, sym=False, dtype=torch.float64"),
}
ULPS = {"signal": 16}


def nearly(mine, theirs):
    """Returns whether values agree up to an absolute error of a few ULP of 1."""
    head, _, a = mine.partition(": ")
    other, _, b = theirs.partition(": ")
    close = 1e-6 if head.startswith("float32") else 1e-14
    return head == other and all(abs(float(x) - float(y)) <= close for x, y in zip(a.split(), b.split(), strict=True))


DELIBERATE = [
    ("Window functions are sums of cosines that cancel at the ends; what is left is the rounding error of 1, which differs.", "^signal_windows_", "^float", "^float", nearly),
    ("Wrong arguments: Corten checks them against one signature and says which one is wrong; in PyTorch these functions are Python code or several overloads, and the error comes from whatever runs first.", "^signal_windows_", "TypeError", "TypeError"),
]

# SPDX-License-Identifier: BSD-3-Clause
"""Samples of Fourier transforms."""
import re

from samples import COMPLEX, ONE, PLAIN, SOME, one

DOUBLE = ["float32", "float64"]
BOTH = [*DOUBLE, *COMPLEX]
# All types and layouts; truncated, padded and prime lengths; every norm; invalid sizes.
ALONG = [("x38", None, ["c", "t", "s", "e", "j"]), ("x38, 5", SOME, ["c", "t", "s"]), ("x35, 8", SOME, ["c", "t", "s"]), ("x7", BOTH, ["c", "s"]), ("x234, dim=0", BOTH, ["c", "t", "s"]), ("x234, None, 1", BOTH, ["c", "t", "s"]), ("x234, 6, -2, 'ortho'", BOTH, ["c", "t"]),
         ("x9, norm='forward'", BOTH, PLAIN), ("x9, norm='backward'", BOTH, PLAIN), ("x8, norm='ortho'", BOTH, PLAIN), ("x05", BOTH, PLAIN), ("x305, 4, 2", BOTH, PLAIN), ("x51", BOTH, PLAIN), ("x52", BOTH, PLAIN), ("x25, 1", BOTH, PLAIN), ("x25, 2", BOTH, PLAIN), ("x2, 64", BOTH, PLAIN),
         *((f"x99.flatten()[:{n}]", BOTH, PLAIN) for n in (11, 12, 13, 16, 17, 30, 37, 60, 64, 81)),
         *one("x", "x50", "x50, 3", "x35, 0", "x35, -1", "x35, dim=2", "x35, dim=-3", "x35, norm='a'", "x35, norm=1", "x35, 2.5", "x35, (2, 3)", "x35, dim=None", "x35, 3, 1, 'ortho', 1", "'a'", "x05, dim=0", "")]
OVER = [("x354", None, ["c", "t", "s", "e", "j"]), ("x354, (4, 6)", BOTH, ["c", "t"]), ("x354, (-1, 3)", BOTH, PLAIN), ("x234, dim=(0, 2)", BOTH, ["c", "t", "s"]), ("x234, dim=(2, 0)", BOTH, ["c", "t", "s"]), ("x234, (3, 3), (1, 0), 'ortho'", BOTH, ["c", "t"]), ("x234, dim=1", BOTH, PLAIN), ("x24, 3, 1", BOTH, PLAIN),
        ("x2234, dim=(0, 1, 3), norm='forward'", BOTH, ["c", "l"]), ("x35, norm='backward'", BOTH, PLAIN), ("x034, dim=(1, 2)", BOTH, PLAIN), ("x34, dim=()", BOTH, PLAIN), ("x34, ()", ONE, PLAIN),
        *one("x", "x4", "x05", "x35, (0, 3)", "x35, (2, -2)", "x35, (2, 3), (0,)", "x35, (1, 2, 3)", "x35, dim=(0, 0)", "x35, dim=(0, 2)", "x35, dim=(-3, 0)", "x35, norm='a'", "x35, norm=1", "x35, 2.5", "x35, (2.5, 3)", "x35, dim='a'", "x, (), ()")]
FREQ = one("5", "4", "0", "1", "-1", "-3", "5, 0", "8, 0.1", "5, d=2.5, dtype=torch.float64", "5, dtype=torch.int64", "5, dtype=torch.complex64", "5, dtype=torch.float16", "5, dtype=torch.bool", "5, requires_grad=True", "2.5", "'a'", "7, device='cpu'", "")
SHIFT = [("x345", None, ["c", "t", "s"]), ("x345, 1", SOME, ["c", "t"]), ("x345, (0, 2)", SOME, ["c", "t"]), ("x345, dim=(-1,)", SOME, PLAIN), ("x04", SOME, PLAIN), *one("x", "x35, ()", "x35, 2", "x35, (0, 0)", "x35, 2.5", "x35, 'a'", "x35, (-1, 5)")]
STFT = [("x29, 4, window=p4, return_complex=True", None, ["c", "t", "s"]), ("x29, 4, return_complex=True", BOTH, PLAIN), ("x99.flatten(), 16, return_complex=True, window=torch.hann_window(16)", BOTH, PLAIN), ("x9, 5, 2, 3, p3, return_complex=True", BOTH, PLAIN), ("x9, 4, 1, window=p4, center=False, return_complex=True", BOTH, PLAIN),
        *((f"x9, 4, window=p4, {w}, return_complex=True", BOTH, PLAIN) for w in ("normalized=True", "onesided=False", "onesided=True", "pad_mode='constant'", "pad_mode='replicate'", "pad_mode='circular'", "center=False, align_to_window=False")),
        ("x9, 6, 2, 3, p3, False, align_to_window=True, return_complex=True", BOTH, PLAIN), ("x9, 6, 2, 2, p2, False, align_to_window=True, return_complex=True", BOTH, PLAIN), ("x9, 4, window=p4_complex64, return_complex=True", BOTH, PLAIN), ("x9, 4, window=p4, return_complex=False", BOTH, PLAIN), ("x9, 4, window=p4", SOME, PLAIN),
        ("x9, 4, window=p4_float64, return_complex=True", BOTH, PLAIN), ("x9, 4, window=p4_int64, return_complex=True", BOTH, PLAIN),
        *one("x9, 0, return_complex=True", "x9, -2, return_complex=True", "x9, 40, return_complex=True", "x9, 12, center=False, return_complex=True", "x9, 4, 0, return_complex=True", "x9, 4, -1, return_complex=True", "x9, 4, win_length=5, return_complex=True", "x9, 4, win_length=0, return_complex=True", "x9, 4, window=p3, return_complex=True",
             "x9, 4, window=p41, return_complex=True", "x9, 4, window=p4, align_to_window=True, return_complex=True", "x, 4, return_complex=True", "x, 4, center=False, return_complex=True", "x129, 4, center=False, return_complex=True", "x0, 4, return_complex=True", "x9, 4, pad_mode='a', return_complex=True", "x9, 4, onesided=True, window=p4_complex64")]
BACK = [("x35, 4, window=p4", COMPLEX, ["c", "t", "s", "j"]), ("x235, 4, window=p4", COMPLEX, ["c", "t"]), ("x35, 5, 1, 3, p3", COMPLEX, PLAIN), ("x45, 4, window=p4, return_complex=True", COMPLEX, PLAIN), ("x45, 4, window=p4", COMPLEX, PLAIN), ("x35, 4", COMPLEX, PLAIN),
        *((f"x35, 4, window=p4, {w}", COMPLEX, PLAIN) for w in ("normalized=True", "center=False", "length=3", "length=40", "onesided=True", "onesided=False", "return_complex=True", "length=0", "length=-2")), ("x35, 4, window=p4_float64", COMPLEX, PLAIN), ("x35, 4, window=p4_complex64", COMPLEX, PLAIN), ("x45, 4, window=p4_complex64, return_complex=True", COMPLEX, PLAIN), ("x35, 4", SOME, PLAIN),
        *((w, ["complex64"], PLAIN) for w in ("x35, 8", "x35, 4, 0", "x35, 4, 5", "x35, 4, win_length=5", "x35, 4, win_length=2, window=p4", "x05, 4", "x1135, 4", "x3, 4", "x35, 4, window=p4 * 0", "x35, 0", "x35, -4", "x35, 4, 'a'", "x35, 4, 4, window=torch.hann_window(4)", "x"))]
SAMPLES = {
    "stft": STFT, "istft": BACK,
    **{f"fft_{name}": ALONG for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")},
    **{f"fft_{name}{n}": OVER for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft") for n in ("2", "n")},
    "fft_fftfreq": FREQ, "fft_rfftfreq": FREQ, "fft_fftshift": SHIFT, "fft_ifftshift": SHIFT,
}
ULPS = {"spectral": 16, "fft_fftfreq": 2, "fft_rfftfreq": 2}


def as_exact_as_the_largest(mine, theirs, small=None):
    """Returns whether geometry and warnings agree, and numbers up to an error relative to the largest."""
    (head, _, a), (other, _, b) = (fact.partition(": ") for fact in (mine, theirs))
    (a, _, words), (b, _, more) = (numbers.partition(" ? ") for numbers in (a, b))
    if (head, words) != (other, more) or not a:
        return False
    pairs = list(zip(re.split("[ &]", a), re.split("[ &]", b), strict=True))
    small = small or (4e-15 if re.match("(complex128|float64)", head) else 2e-6)
    most = max(abs(float(y)) for _, y in pairs)
    return all(abs(float(x) - float(y)) <= small * most for x, y in pairs)


def as_exact_as_float32(mine, theirs):
    return as_exact_as_the_largest(mine, theirs, 2e-6)


def but_warnings(mine, theirs):
    return mine.split(" ? ")[0] == theirs.split(" ? ")[0]


DELIBERATE = [
    ("Fourier transforms whose terms cancel: the error of the result is measured by the largest term, so that numbers near 0 may differ.", "^fft_|^i?stft ", "^(float|complex)", "^(float|complex)", as_exact_as_the_largest),
    ("`stft` with `align_to_window=True` accepts a window of odd length; PyTorch computes a frame beyond the end of the signal and fails.", "^stft .*align_to_window=True", "setStorage", "^complex"),
    ("Wrong arguments: Corten checks them against one signature and says which one is wrong; in PyTorch these functions are Python code or several overloads, and the error comes from whatever runs first.", "^i?stft ", "TypeError|ambiguous", "TypeError"),
]

# SPDX-License-Identifier: BSD-3-Clause
"""The extension `fft` of the array API standard: `corten.array_api.fft`."""
from ._C import _submodules

_fft = _submodules["fft"]
__all__ = ["fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft", "irfftn", "rfft",
           "rfftfreq", "rfftn"]


def fft(x, /, *, n=None, axis=-1, norm="backward"):
    """Discrete Fourier transform along an axis."""
    return _fft.fft(x, n, axis, norm)


def ifft(x, /, *, n=None, axis=-1, norm="backward"):
    """Inverse of fft."""
    return _fft.ifft(x, n, axis, norm).resolve_conj()


def fftn(x, /, *, s=None, axes=None, norm="backward"):
    """Discrete Fourier transform over several axes."""
    return _fft.fftn(x, s, axes, norm)


def ifftn(x, /, *, s=None, axes=None, norm="backward"):
    """Inverse of fftn."""
    return _fft.ifftn(x, s, axes, norm)


def rfft(x, /, *, n=None, axis=-1, norm="backward"):
    """Fourier transform of real data; returns only the n // 2 + 1 nonnegative frequencies."""
    return _fft.rfft(x, n, axis, norm)


def irfft(x, /, *, n=None, axis=-1, norm="backward"):
    """Inverse of rfft."""
    return _fft.irfft(x, n, axis, norm)


def rfftn(x, /, *, s=None, axes=None, norm="backward"):
    """Fourier transform of real data over several axes; the last axis has only nonnegative frequencies."""
    return _fft.rfftn(x, s, axes, norm)


def irfftn(x, /, *, s=None, axes=None, norm="backward"):
    """Inverse of rfftn."""
    return _fft.irfftn(x, s, axes, norm)


def hfft(x, /, *, n=None, axis=-1, norm="backward"):
    """Fourier transform of a Hermitian-symmetric signal; the result is real."""
    return _fft.hfft(x, n, axis, norm)


def ihfft(x, /, *, n=None, axis=-1, norm="backward"):
    """Inverse of hfft."""
    return _fft.ihfft(x, n, axis, norm).resolve_conj()


def fftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """Sample frequencies of fft for n samples with spacing d."""
    return _fft.fftfreq(n, d, dtype=dtype, device=device)


def rfftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """Sample frequencies of rfft for n samples with spacing d."""
    return _fft.rfftfreq(n, d, dtype=dtype, device=device)


def fftshift(x, /, *, axes=None):
    """Shifts frequency zero to the center."""
    return _fft.fftshift(x, axes)


def ifftshift(x, /, *, axes=None):
    """Inverse of fftshift."""
    return _fft.ifftshift(x, axes)

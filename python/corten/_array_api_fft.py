# SPDX-License-Identifier: BSD-3-Clause
"""The extension `fft` of the array API standard: `corten.array_api.fft`."""
from ._C import _submodules

_fft = _submodules["fft"]
__all__ = ["fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft", "irfftn", "rfft",
           "rfftfreq", "rfftn"]


def fft(x, /, *, n=None, axis=-1, norm="backward"):
    """The Fourier transform along an axis."""
    return _fft.fft(x, n, axis, norm)


def ifft(x, /, *, n=None, axis=-1, norm="backward"):
    """The inverse of fft."""
    return _fft.ifft(x, n, axis, norm).resolve_conj()


def fftn(x, /, *, s=None, axes=None, norm="backward"):
    """The Fourier transform over several axes."""
    return _fft.fftn(x, s, axes, norm)


def ifftn(x, /, *, s=None, axes=None, norm="backward"):
    """The inverse of fftn."""
    return _fft.ifftn(x, s, axes, norm)


def rfft(x, /, *, n=None, axis=-1, norm="backward"):
    """The first half of the Fourier transform of real numbers."""
    return _fft.rfft(x, n, axis, norm)


def irfft(x, /, *, n=None, axis=-1, norm="backward"):
    """The inverse of rfft."""
    return _fft.irfft(x, n, axis, norm)


def rfftn(x, /, *, s=None, axes=None, norm="backward"):
    """The first half of the Fourier transform of real numbers over several axes."""
    return _fft.rfftn(x, s, axes, norm)


def irfftn(x, /, *, s=None, axes=None, norm="backward"):
    """The inverse of rfftn."""
    return _fft.irfftn(x, s, axes, norm)


def hfft(x, /, *, n=None, axis=-1, norm="backward"):
    """The Fourier transform of a signal whose second half mirrors the first."""
    return _fft.hfft(x, n, axis, norm)


def ihfft(x, /, *, n=None, axis=-1, norm="backward"):
    """The inverse of hfft."""
    return _fft.ihfft(x, n, axis, norm).resolve_conj()


def fftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies of the elements of a transform."""
    return _fft.fftfreq(n, d, dtype=dtype, device=device)


def rfftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies of the elements of the first half of a transform."""
    return _fft.rfftfreq(n, d, dtype=dtype, device=device)


def fftshift(x, /, *, axes=None):
    """Frequency zero in the middle."""
    return _fft.fftshift(x, axes)


def ifftshift(x, /, *, axes=None):
    """The inverse of fftshift."""
    return _fft.ifftshift(x, axes)

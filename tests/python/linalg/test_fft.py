# SPDX-License-Identifier: BSD-3-Clause
"""Fourier transforms: accuracy compared with NumPy's, inverses, and results that are the same bit for bit with any number
of threads and any batch size."""
import math
import os
import subprocess
import sys
import threading

import corten
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

LENGTHS = [*range(1, 65), 97, 100, 101, 121, 127, 169, 200, 243, 256, 257, 264, 272, 288, 289, 360, 400, 500, 509, 512,
           528, 544, 576, 625, 720, 768, 961, 1000, 1001,
           1024, 1155, 1536, 2000, 2048, 2187, 3000, 4096, 4097, 5000, 8192, 10007, 16384, 32768, 65536, 100000, 131072]
TYPES = {"float32": ("complex64", 2.0 ** -24), "float64": ("complex128", 2.0 ** -53)}


def noise(shape, dtype, seed=0):
    maker = numpy.random.default_rng(seed)
    parts = maker.standard_normal((2, *shape))
    if dtype.startswith("complex"):
        return (parts[0] + 1j * parts[1]).astype(dtype)
    return parts[0].astype(dtype)


def check(mine, exact, n, eps):
    """Bounds the error in the Euclidean norm, relative to the norm of the result."""
    error = numpy.linalg.norm(mine.numpy() - exact) / numpy.linalg.norm(exact)
    assert error <= 1.5 * eps * max(math.log2(n), 1), (n, error / eps)


@pytest.mark.parametrize("real", TYPES)
@pytest.mark.parametrize("n", LENGTHS)
def test_values(n, real):
    kind, eps = TYPES[real]
    for count in (1, 3, 19) if n < 3000 else (2,):
        x, r = noise((count, n), kind, n), noise((count, n), real, n)
        wide, wider = x.astype("complex128"), r.astype("float64")
        t, s = corten.from_numpy(x), corten.from_numpy(r)
        check(corten.fft.fft(t), numpy.fft.fft(wide), n, eps)
        check(corten.fft.ifft(t, norm="ortho"), numpy.fft.ifft(wide, norm="ortho"), n, eps)
        check(corten.fft.fft(s), numpy.fft.fft(wider), n, eps)
        half = numpy.fft.rfft(wider)
        check(corten.fft.rfft(s), half, n, eps)
        half = half.astype(kind)
        check(corten.fft.irfft(corten.from_numpy(half), n), numpy.fft.irfft(half.astype("complex128"), n), n, 2 * eps)
        check(corten.fft.fft(t.T.contiguous(), dim=0), numpy.fft.fft(wide.T, axis=0), n, eps)
        check(corten.fft.ifft(t.T.contiguous(), dim=0, norm="forward"), numpy.fft.ifft(wide.T, axis=0, norm="forward"), n, eps)
        check(corten.fft.rfft(s.T.contiguous(), dim=0), numpy.fft.rfft(wider.T, axis=0), n, eps)
        check(corten.fft.fft(t.flip(-1).repeat(1, 2)[:, ::2]),
              numpy.fft.fft(numpy.tile(wide[:, ::-1], 2)[:, ::2]), n, eps)


@pytest.mark.parametrize("shape", [(2048, 32), (48, 1024), (256, 480), (512, 250)])
def test_two_dims(shape):
    """Transforms larger than the inner caches, with whole vectors of columns and a tail, in both directions."""
    x = noise((4, *shape), "complex64")
    t, wide, n = corten.from_numpy(x), x.astype("complex128"), math.prod(shape)
    check(corten.fft.fft2(t), numpy.fft.fft2(wide), n, 2.0 ** -24)
    check(corten.fft.ifft2(t), numpy.fft.ifft2(wide), n, 2.0 ** -24)
    check(corten.fft.rfft2(t.real.contiguous()), numpy.fft.rfft2(wide.real), n, 2.0 ** -24)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=3), st.data())
def test_round_trips(shape, data):
    dims = data.draw(st.permutations(range(len(shape))))[:data.draw(st.integers(1, len(shape)))]
    norm = data.draw(st.sampled_from([None, "forward", "backward", "ortho"]))
    x, r = corten.from_numpy(noise(shape, "complex128")), corten.from_numpy(noise(shape, "float64"))
    assert corten.allclose(corten.fft.ifftn(corten.fft.fftn(x, dim=dims, norm=norm), dim=dims, norm=norm), x)
    sizes = [shape[d] for d in dims]
    assert corten.allclose(corten.fft.irfftn(corten.fft.rfftn(r, dim=dims, norm=norm), sizes, dims, norm), r)
    assert corten.allclose(corten.fft.hfftn(corten.fft.ihfftn(r, dim=dims, norm=norm), sizes, dims, norm), r)
    assert corten.equal(corten.fft.ifftshift(corten.fft.fftshift(r, dims), dims), r)


def bits(n, count, kind):
    x = corten.from_numpy(noise((count, n), kind, 3))
    return [corten.fft.fft(x).numpy().tobytes() for _ in range(2)]


@pytest.mark.parametrize("n, count", [(60, 100), (1024, 40), (2048, 300), (4096, 3), (1 << 17, 1), (1009, 30), (100003, 1)])
def test_threads_change_nothing(n, count):
    before = corten.get_num_threads()
    try:
        found = []
        for threads in (1, 2, 3, 7):
            corten.set_num_threads(threads)
            found += bits(n, count, "complex64")
        assert len(set(found)) == 1
    finally:
        corten.set_num_threads(before)


def test_lines_beside_a_line_change_nothing():
    x = corten.from_numpy(noise((37, 60), "complex64"))
    assert corten.equal(corten.fft.fft(x)[21:23], corten.fft.fft(x[21:23]))
    r = corten.from_numpy(noise((37, 60), "float32"))
    assert corten.equal(corten.fft.rfft(r)[21:23], corten.fft.rfft(r[21:23]))


@pytest.mark.parametrize("isa", ["baseline", "avx2", "avx512"])
def test_instruction_sets(isa):
    code = ("import corten, numpy\ncorten.manual_seed(0)\n"
            "for n in (1, 7, 48, 60, 210, 544, 576, 1000, 1009, 1536, 4096, 70000):\n"
            "    x = corten.randn(19, n, dtype=corten.complex128)\n"
            "    assert numpy.allclose(corten.fft.fft(x).numpy(), numpy.fft.fft(x.numpy()))\n"
            "    x = x.to(corten.complex64)\n"
            "    exact = numpy.fft.rfft(x.real.numpy())\n"
            "    assert numpy.allclose(corten.fft.rfft(x.real).numpy(), exact, atol=1e-6 * abs(exact).max())\n")
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "CORTEN_ISA": isa}, check=True)


def test_many_lengths_on_many_threads():
    """More lengths than the cache of plans holds, from several threads at once."""
    wrong = []

    def work(seed):
        for n in range(2 + seed, 300, 3):
            x = noise((n,), "complex128", seed)
            if not numpy.allclose(corten.fft.fft(corten.from_numpy(x)).numpy(), numpy.fft.fft(x)):
                wrong.append(n)
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("n_fft, hop, length", [(16, 4, 100), (25, 5, 90), (64, 16, 400), (400, 160, 4000)])
def test_frames_and_back(n_fft, hop, length):
    window = corten.hann_window(n_fft)
    x = corten.from_numpy(noise((2, length), "float32"))
    frames = corten.stft(x, n_fft, hop, window=window, return_complex=True)
    assert frames.shape == (2, n_fft // 2 + 1, 1 + (length - n_fft % 2) // hop)
    padded = numpy.pad(x.numpy(), ((0, 0), (n_fft // 2, n_fft // 2)), mode="reflect")
    exact = numpy.fft.rfft(padded[:, 2 * hop:2 * hop + n_fft].astype("float64") * window.numpy())
    assert numpy.allclose(frames[:, :, 2].numpy(), exact, atol=1e-5)
    back = corten.istft(frames, n_fft, hop, window=window, length=length - hop)
    assert corten.allclose(back, x[:, :length - hop], atol=1e-5)


def test_a_module():
    import corten.fft as module
    assert module.fft is corten.fft.fft and module.fft.__name__ == "fft_fft"
    assert {"fft", "ifft", "hfft2", "fftfreq", "Tensor"} <= set(module.__all__)


def test_array_api_extension():
    x = corten.from_numpy(noise((4, 6), "complex128"))
    xp = x.__array_namespace__()
    for name in ("fft", "ifft", "hfft", "irfft"):
        mine = getattr(xp.fft, name)(x, axis=0, norm="ortho").numpy()
        assert numpy.allclose(mine, getattr(numpy.fft, name)(x.numpy(), axis=0, norm="ortho"))
    for name in ("fftn", "ifftn", "irfftn"):
        assert numpy.allclose(getattr(xp.fft, name)(x, axes=(1, 0)).numpy(), getattr(numpy.fft, name)(x.numpy(), axes=(1, 0)))
    for name in ("rfft", "ihfft", "rfftn", "fftshift", "ifftshift"):
        assert numpy.allclose(getattr(xp.fft, name)(x.real).numpy(), getattr(numpy.fft, name)(x.real.numpy()))
    for name in ("fftfreq", "rfftfreq"):
        mine = getattr(xp.fft, name)(7, d=0.25, dtype=xp.float64).numpy()
        assert numpy.allclose(mine, getattr(numpy.fft, name)(7, d=0.25))
    assert set(xp.fft.__all__) < set(dir(xp.fft)) and "fft" in dir(xp)

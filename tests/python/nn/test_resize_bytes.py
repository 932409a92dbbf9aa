# SPDX-License-Identifier: BSD-3-Clause
"""interpolate of 8-bit images: fixed-point arithmetic along rows, then columns, rounded to bytes in between. Expected values are
PyTorch 2.15's."""
import corten
import pytest
from corten.nn.functional import interpolate

X = (corten.arange(2 * 5 * 6) * 37 % 256).to(corten.uint8).view(1, 2, 5, 6)
FACTS = [
    ('bilinear', True, (3, 4), [68, 51, 104, 156, 181, 96, 57, 103, 149, 188, 108, 50]),
    ('bilinear', True, (7, 8), [0, 23, 51, 79, 106, 134, 162, 185, 127, 58, 32, 60, 87, 115, 143, 166, 212, 121, 53, 35, 62, 90, 118, 141,
                                188, 211, 143, 11, 38, 66, 94, 117, 164, 187, 187, 147, 37, 42, 70, 93, 139, 162, 190, 200, 117, 59, 45,
                                68, 120, 143, 171, 199, 226, 94, 26, 49]),
    ('bilinear', False, (3, 4), [62, 54, 109, 165, 197, 61, 52, 108, 140, 196, 123, 51]),
    ('bicubic', True, (3, 4), [66, 39, 110, 162, 194, 93, 44, 106, 147, 204, 103, 42]),
    ('bicubic', True, (7, 8), [0, 17, 54, 81, 108, 136, 166, 189, 134, 45, 12, 63, 89, 117, 147, 170, 240, 123, 31, 25, 61, 91, 120, 143,
                               186, 227, 150, 0, 37, 66, 96, 119, 161, 194, 208, 159, 12, 26, 73, 95, 135, 157, 201, 220, 119, 47, 37,
                               68, 116, 139, 168, 199, 251, 91, 7, 49]),
    ('bicubic', False, (3, 4), [57, 48, 113, 169, 204, 53, 54, 110, 135, 213, 123, 45]),
    ('bicubic', False, (7, 8), [0, 15, 56, 83, 108, 136, 168, 191, 144, 37, 6, 65, 89, 117, 149, 172, 252, 129, 30, 21, 58, 89, 120, 143,
                                185, 236, 148, 0, 34, 65, 97, 120, 161, 201, 215, 151, 6, 18, 77, 97, 133, 153, 209, 227, 119, 40, 33,
                                68, 114, 137, 168, 203, 255, 95, 0, 49]),
]


@pytest.mark.parametrize('mode, antialias, size, want', FACTS)
def test_as_pytorch(mode, antialias, size, want):
    got = interpolate(X, size=size, mode=mode, antialias=antialias)
    assert got.dtype == corten.uint8 and got[0, 0].flatten().tolist() == want


def test_layouts_and_sizes():
    last = X.contiguous(memory_format=corten.channels_last)
    assert interpolate(last, size=(3, 4), mode='bilinear').stride() == (24, 1, 8, 2)
    assert corten.equal(interpolate(last, size=(3, 9), mode='bicubic'), interpolate(X, size=(3, 9), mode='bicubic'))
    for size in ((5, 6), (5, 3), (2, 6)):  # the size of one dim or both stays
        assert interpolate(X, size=size, mode='bilinear', antialias=True).shape[2:] == size
    white = corten.full((1, 1, 200, 300), 255, dtype=corten.uint8)
    assert interpolate(white, size=(2, 1), mode='bicubic', antialias=True).eq(255).all()


@pytest.mark.parametrize('mode, dims', [('linear', 1), ('trilinear', 3)])
def test_images_alone(mode, dims):
    with pytest.raises(NotImplementedError, match='"compute_indices_weights_linear" not implemented for \'Byte\''):
        interpolate(corten.zeros(1, 1, *[4] * dims, dtype=corten.uint8), size=3, mode=mode)

# SPDX-License-Identifier: BSD-3-Clause
"""make_tensor: random tensors of any dtype for tests."""
import math

import corten

_RANGES = {"bool": (0, 2), "uint8": (0, 10), "whole": (-9, 10), "floating": (-9, 9)}


def _kind(dtype):
    if dtype == corten.bool:
        return "bool"
    if dtype in (corten.uint8, corten.uint16, corten.uint32, corten.uint64):
        return "uint8"
    return "floating" if dtype.is_floating_point or dtype.is_complex else "whole"


def _bounds(dtype, low, high):
    """Returns the bounds clipped to the range of the dtype."""
    kind = _kind(dtype)
    least, most = (0, 2) if kind == "bool" else (corten.finfo(dtype).min, corten.finfo(dtype).max) if kind == "floating" else \
        (corten.iinfo(dtype).min, corten.iinfo(dtype).max + 1)
    low, high = (default if given is None else given for given, default in zip((low, high), _RANGES[kind]))
    if any(isinstance(v, float) and math.isnan(v) for v in (low, high)):
        raise ValueError(f"`low` and `high` cannot be NaN, but got {low=} and {high=}")
    if low >= high:
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    if high < least or low >= most:
        raise ValueError(f"The value interval specified by `low` and `high` is [{low}, {high}), but {dtype} only supports "
                         f"[{least}, {most})")
    low, high = min(max(low, least), most), min(max(high, least), most)
    if kind != "floating":
        low, high = math.ceil(low), math.ceil(high)
    return low, high


def _draw(shape, dtype, device, low, high):
    if dtype.is_complex:
        part = corten.float64 if dtype == corten.complex128 else corten.float32
        pairs = corten.empty((*shape, 2), dtype=part, device=device).uniform_(low, high)
        return corten.view_as_complex(pairs)
    if dtype.is_floating_point:
        return corten.empty(shape, dtype=dtype, device=device).uniform_(low, high)
    return corten.randint(low, high, shape, dtype=dtype, device=device)


def make_tensor(*shape, dtype, device, low=None, high=None, requires_grad=False, noncontiguous=False, exclude_zero=False,
                memory_format=None):
    """Returns a tensor of random numbers from [low, high); by default small ones of both signs.

    noncontiguous: stride 2 in the last dim. exclude_zero: replaces zeros by the smallest positive number of the dtype.
    """
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = shape[0]
    shape = tuple(shape)
    if noncontiguous and memory_format is not None:
        raise ValueError(f"The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got {noncontiguous=} "
                         f"and {memory_format=}")
    if requires_grad and not (dtype.is_floating_point or dtype.is_complex):
        raise ValueError(f"`requires_grad=True` is only supported for floating point and complex dtypes, but got {dtype=}")
    numel = math.prod(shape)
    spread = noncontiguous and numel > 1
    with corten.no_grad():
        result = _draw((*shape[:-1], 2 * shape[-1]) if spread else shape, dtype, device, *_bounds(dtype, low, high))
        if spread:
            result = result[..., ::2]
        elif memory_format is not None:
            result = result.clone(memory_format=memory_format)
        if exclude_zero and dtype != corten.bool:
            tiny = corten.finfo(dtype).tiny if _kind(dtype) == "floating" else 1
            result[result == 0] = tiny
    return result.requires_grad_(requires_grad) if requires_grad else result

# SPDX-License-Identifier: BSD-3-Clause
"""The float8 types: encoding, rounding, and which operations accept or refuse them, as in PyTorch."""
import copy
import io
import pickle

import pytest

import corten as torch
from corten import safetensors

TYPES = [torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz, torch.float8_e8m0fnu]
SMALL = TYPES[:4]
DIGITS = dict(zip(SMALL, ((3, 7), (2, 15), (3, 8), (2, 16))))
OTHERS = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16, torch.uint32, torch.uint64,
          torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128, torch.complex32]
CODES = torch.arange(256, dtype=torch.uint8)
NAN = float("nan")


def value_of(code, dtype):
    """Decodes an 8-bit code by the definition of the formats."""
    if dtype is torch.float8_e8m0fnu:
        return NAN if code == 255 else 2.0 ** (code - 127)
    digits, bias = DIGITS[dtype]
    if dtype in SMALL[2:] and code == 128:
        return NAN
    sign, exponent, mantissa = -1.0 if code & 128 else 1.0, (code & 127) >> digits, code & ((1 << digits) - 1)
    if dtype is torch.float8_e4m3fn and code & 127 == 127:
        return NAN
    if dtype is torch.float8_e5m2 and exponent == 31:
        return NAN if mantissa else sign * float("inf")
    if exponent == 0:
        return sign * mantissa * 2.0 ** (1 - bias - digits)
    return sign * (1 + mantissa / (1 << digits)) * 2.0 ** (exponent - bias)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_codes(dtype):
    """Converts all 256 codes to numbers and to every other type, and back."""
    x = CODES.view(dtype)
    want = torch.tensor([value_of(i, dtype) for i in range(256)], dtype=torch.float64)
    assert torch.equal(x.double().nan_to_num(7), want.nan_to_num(7)) and torch.equal(x.isnan(), want.isnan())
    for other in OTHERS[9:]:
        if other is not torch.complex32:
            assert torch.equal(x.to(other).nan_to_num(7), want.to(torch.float32).to(other).nan_to_num(7)), other
    finite = want.isfinite()
    for other in OTHERS[:9]:
        assert torch.equal(x[finite].to(other), want[finite].float().to(other)), other
    back = x.float().to(dtype).view(torch.uint8)
    assert torch.equal(back[~want.isnan()], CODES[~want.isnan()])
    assert x.to(dtype) is x and [v for v in x.tolist() if v == v] == [v for v in want.tolist() if v == v]


@pytest.mark.parametrize("dtype", SMALL, ids=str)
def test_rounding(dtype):
    """Rounds to nearest, ties to even; values beyond the largest number follow the rule of the format."""
    positive = sorted((value_of(i, dtype), i) for i in range(128) if value_of(i, dtype) < float("inf"))
    for (a, i), (b, j) in zip(positive, positive[1:]):
        middle = (a + b) / 2
        xs = torch.tensor([middle * (1 - 1e-6), middle, middle * (1 + 1e-6)])
        even = i if i % 2 == 0 else j
        assert xs.to(dtype).view(torch.uint8).tolist() == [i, even, j]
        low = 128 if not (i == 0 and dtype in SMALL[2:]) else 0
        assert (-xs).to(dtype).view(torch.uint8).tolist()[2] == j + 128 and (-xs).to(dtype).view(torch.uint8).tolist()[0] == i + low


def test_beyond():
    big = torch.tensor([449.0, 464.0, 465.0, 1e9, float("inf"), -float("inf"), NAN])
    assert big.to(torch.float8_e4m3fn).view(torch.uint8).tolist() == [126] * 5 + [254, 127]
    big = torch.tensor([57344.0, 61439.0, 61440.0, 1e9, -float("inf"), NAN])
    assert big.to(torch.float8_e5m2).view(torch.uint8).tolist() == [123, 123, 124, 124, 252, 127]
    assert big.to(torch.float8_e5m2fnuz).view(torch.uint8).tolist() == [127, 127, 128, 128, 128, 128]
    big = torch.tensor([240.0, 247.9, 248.0, float("inf"), NAN, -0.0])
    assert big.to(torch.float8_e4m3fnuz).view(torch.uint8).tolist() == [127, 127, 128, 128, 128, 0]
    x = torch.tensor([0.0, 1.0, -1.0, 1.49, 1.5, 3.0, 3e38, float("inf"), 2.0 ** -127, 2.0 ** -126 * 1.5])
    assert x.to(torch.float8_e8m0fnu).view(torch.uint8).tolist() == [0, 127, 127, 127, 128, 129, 255, 255, 0, 2]


@pytest.mark.filterwarnings("ignore:Casting complex values to real")
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_from_other_types(dtype):
    """Casts from every type go through float32."""
    for other in OTHERS:
        x = (torch.arange(-90, 90) / (1 if other in OTHERS[:9] else 16)).to(torch.float32 if other in OTHERS[9:] else torch.int64).to(other)
        real = x.real.float() if other.is_complex else x.float()
        assert torch.equal(x.to(dtype).view(torch.uint8), real.to(dtype).view(torch.uint8)), other
    for other in set(TYPES) - {dtype}:
        assert torch.equal(CODES.view(other).to(dtype).view(torch.uint8), CODES.view(other).float().to(dtype).view(torch.uint8))
    assert torch.equal(torch.arange(60.0).view(6, 10).t()[::2].to(dtype).float(), torch.arange(60.0).to(dtype).float().view(6, 10).t()[::2])


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_making(dtype):
    assert torch.empty(2, 3, dtype=dtype).dtype is dtype and dtype.itemsize == 1 and dtype.is_floating_point and not dtype.is_complex
    assert dtype.is_signed == (dtype is not torch.float8_e8m0fnu) and dtype.to_real() is dtype
    assert torch.ones(2, dtype=dtype).tolist() == [1, 1] and torch.full((2,), 4.0, dtype=dtype).tolist() == [4, 4]
    x = torch.tensor([[1.0, 2], [4, 8]], dtype=dtype)
    assert x.tolist() == [[1, 2], [4, 8]] and x[1, 0].item() == 4 and float(x[0, 1]) == 2 and x.type() == f"torch.F{str(dtype)[7:]}Tensor"
    assert torch.ones_like(x).tolist() == [[1, 1], [1, 1]] and x.new_ones(1).dtype is dtype
    assert repr(x) == f"tensor([[1., 2.],\n        [4., 8.]], dtype={dtype})"
    assert pickle.loads(pickle.dumps(dtype)) is dtype and torch.finfo(dtype).bits == 8


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_moving(dtype):
    """Operations that only move elements accept float8: copies, views, indexing, joining."""
    f = torch.tensor([[1.0, 2, 4], [8, 16, 32]])
    x = f.to(dtype)
    same = lambda a, b: a.dtype is dtype and torch.equal(a.float(), b)  # noqa: E731
    moves = [
        lambda t: t.clone(), lambda t: t.t().contiguous(), lambda t: t[1], lambda t: t[:, ::2], lambda t: t[torch.tensor([1, 0])],
        lambda t: t[torch.tensor([[True, False, True]] * 2)], lambda t: t.index_select(1, torch.tensor([2, 0])), lambda t: torch.cat([t, t]),
        lambda t: torch.stack([t, t], 1), lambda t: t.flip(0), lambda t: t.roll(1), lambda t: t.repeat(2, 2), lambda t: t.expand(2, 2, 3),
        lambda t: t.repeat_interleave(2), lambda t: t.reshape(3, 2), lambda t: t.diagonal(), lambda t: t.unfold(1, 2, 1),
        lambda t: torch.where(torch.tensor([True, False, True]), t, t.flip(1)), lambda t: torch.nn.functional.embedding(torch.tensor([1]), t),
        lambda t: t.masked_select(torch.tensor([True, False, True])), lambda t: t.split(1)[1], lambda t: copy.deepcopy(t),
        lambda t: torch.zeros_like(t).copy_(t) if dtype is not torch.float8_e8m0fnu else t, lambda t: t.clone().fill_(2), lambda t: t.tile(2)]
    for k, move in enumerate(moves):
        assert same(move(x), move(f)), k
    y = x.clone()
    y[0] = 2
    y[1, 1:] = torch.tensor([4.0, 8.0])
    assert y.tolist() == [[2, 2, 2], [8, 4, 8]]
    assert (x == x).all() and (x == 4).tolist() == [[False, False, True], [False] * 3] and torch.equal(x, y) is False and x.any()
    assert x.view(torch.uint8).view(dtype).tolist() == x.tolist() and x.view(torch.int8).shape == x.shape


def test_products():
    x = torch.arange(1.0, 7).view(2, 3).to(torch.float8_e4m3fn)
    assert (x @ x.T).tolist() == [[14, 32], [32, 80]] and (x * x).dtype is torch.float8_e4m3fn
    assert torch.nn.functional.linear(x, x).dtype is torch.float8_e4m3fn


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_refusals(dtype):
    """Operations that compute raise, with the name of PyTorch's kernel."""
    x, name = torch.ones(2, 2, dtype=dtype), f"F{str(dtype)[7:]}"
    for call, kernel in [
            (lambda: x + x, "add_stub"), (lambda: x * 2, "mul_cpu_reduced_float"), (lambda: x.sum(), "sum_cpu"), (lambda: x.mean(), "sum_cpu"),
            (lambda: x.exp(), "exp_vml_cpu"), (lambda: x < x, "lt_cpu"), (lambda: x.sort(), "sorting_kernel_method_name"), (lambda: -x, "neg_cpu"),
            (lambda: x.cumsum(0), "cumsum_out_cpu"), (lambda: x.max(), "max_all"), (lambda: x.amax(), "max_values_cpu"), (lambda: x.tril(), "tril"),
            (lambda: x.softmax(0), "softmax_kernel_impl"), (lambda: x.gather(0, torch.zeros(1, 1, dtype=torch.int64)), "scatter_gather_tensor_cpu"),
            (lambda: x.clone().add_(1), "add_stub"), (lambda: torch.arange(3, dtype=dtype), "arange_cpu"), (lambda: x.clamp(0, 1), "clamp_scalar_cpu"),
            (lambda: torch.rand(2, dtype=dtype), "check_uniform_bounds"), (lambda: x.nonzero(), "nonzero_count_cpu"), (lambda: x.unique(), "unique"),
            (lambda: torch.ones(2).cumsum(0, dtype=dtype), "cumsum_out_cpu"), (lambda: torch.ones(2).sum(dtype=dtype), "sum_cpu")]:
        with pytest.raises(NotImplementedError, match=f"\"{kernel}\" not implemented for '{name}'"):
            call()
    for call in (lambda: x + torch.ones(2), lambda: torch.cat([x, torch.ones(2, 2)]), lambda: torch.result_type(x, torch.ones(1)),
                 lambda: torch.promote_types(dtype, torch.float32), lambda: torch.where(x == 1, x, torch.ones(2, 2))):
        with pytest.raises(RuntimeError, match=f"Promotion for Float8 Types is not supported, attempted to promote {name} and Float"):
            call()
    assert torch.result_type(x, 1.0) is dtype and torch.can_cast(dtype, torch.float32) and torch.can_cast(torch.int64, dtype)
    with pytest.raises(TypeError, match=f"Got unsupported ScalarType {name}"):
        x.numpy()
    with pytest.raises(TypeError, match=f"couldn't find storage object {name}Storage"):
        torch.set_default_dtype(dtype)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_files(dtype, tmp_path):
    x = {"a": torch.arange(6).view(torch.uint8).view(-1)[:12].view(dtype).view(3, 4), "b": torch.ones(2)}
    file = io.BytesIO()
    torch.save(x, file)
    file.seek(0)
    again = torch.load(file)
    assert again["a"].dtype is dtype and torch.equal(again["a"].view(torch.uint8), x["a"].view(torch.uint8))
    safetensors.save_file(x, tmp_path / "x.safetensors")
    again = safetensors.load_file(tmp_path / "x.safetensors")
    assert again["a"].dtype is dtype and torch.equal(again["a"].view(torch.uint8), x["a"].view(torch.uint8))
    with safetensors.safe_open(tmp_path / "x.safetensors") as f:
        assert f.get_slice("a").get_dtype() == {"e4m3fn": "F8_E4M3", "e8m0fnu": "F8_E8M0"}.get(str(dtype)[13:], "F8_" + str(dtype)[13:].upper())
    assert torch.from_dlpack(x["a"]).dtype is dtype and pickle.loads(pickle.dumps(x["a"])).dtype is dtype


def test_gradients():
    """Casts are differentiable; the gradient of a float8 tensor is float8."""
    w = torch.ones(2, requires_grad=True)
    (w.to(torch.float8_e4m3fn).float() * torch.tensor([3.0, 5.0])).sum().backward()
    assert w.grad.tolist() == [3, 5]
    x = torch.ones(2, dtype=torch.float8_e5m2, requires_grad=True)
    (x.float() * 3).sum().backward()
    assert x.grad.dtype is torch.float8_e5m2 and x.grad.tolist() == [3, 3]


def test_types_without_tensors():
    """Types that Corten does not support raise an error that names them."""
    for name in ("uint4", "int3", "bits8", "float4_e2m1fn_x2", "qint8"):
        dtype = getattr(torch, name)
        for call in (lambda: torch.empty(2, dtype=dtype), lambda: torch.ones(2).to(dtype), lambda: torch.ones(2, dtype=torch.uint8).view(dtype)):
            with pytest.raises(NotImplementedError, match=f"dtype=torch.{name} is not available in Corten: keep"):
                call()
    assert torch.uint4.itemsize == 1 and torch.bits16.itemsize == 2 and repr(torch.int3) == "torch.int3"

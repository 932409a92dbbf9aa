# SPDX-License-Identifier: BSD-3-Clause
"""grouped_mm, scaled_mm and scaled_grouped_mm: several products in one call, and products of scaled float8 matrices. Expected
values are PyTorch 2.15's for the same tensors."""
import math

import pytest

import corten as torch

F, nn = torch.nn.functional, torch.nn
Scaling = F.ScalingType


def made(*shape):
    n = math.prod(shape)
    return (torch.arange(n) * 7 % 11 - 5).reshape(shape).float() / 4


def close(a, b, **more):
    torch.testing.assert_close(a, b, **{"rtol": 1e-4, "atol": 2e-5, **more})


# ---- products of groups ----

def ends(*values):
    return torch.tensor(values, dtype=torch.int32)


def test_grouped_mm_has_a_product_for_each_group():
    a, b, flat = made(8, 16), made(2, 16, 8), made(16, 8) + 1
    close(F.grouped_mm(a, b, offs=ends(3, 8)), torch.cat([a[:3] @ b[0], a[3:] @ b[1]]))
    close(F.grouped_mm(a, flat, offs=ends(4, 16)), torch.stack([a[:, :4] @ flat[:4], a[:, 4:] @ flat[4:]]))
    close(F.grouped_mm(made(2, 4, 16), flat, offs=ends(4, 8)),
          torch.cat([made(2, 4, 16)[0] @ flat[:, :4], made(2, 4, 16)[1] @ flat[:, 4:]], 1))
    close(F.grouped_mm(made(2, 4, 16), b), made(2, 4, 16) @ b)
    assert F.grouped_mm(a, b, offs=ends(3, 6))[6:].tolist() == [[0.] * 8] * 2
    assert F.grouped_mm(made(4, 16).bfloat16(), made(2, 7, 16).bfloat16().mT, offs=ends(2, 4)).stride() == (8, 1)


def test_grouped_mm_has_gradients():
    a, b = made(8, 16).requires_grad_(), made(2, 16, 8).requires_grad_()
    got = torch.autograd.grad((F.grouped_mm(a, b, offs=ends(3, 8)) * made(8, 8)).sum(), (a, b))
    want = torch.autograd.grad((torch.cat([a[:3] @ b[0], a[3:] @ b[1]]) * made(8, 8)).sum(), (a, b))
    close(got, want)


@pytest.mark.parametrize("a, b, more, text", [
    (made(8, 16).double(), made(2, 16, 8), {"offs": ends(3, 8)}, "Expected mat_a to be Float32, BFloat16 or Float16 matrix, got Double"),
    (made(8, 16).bfloat16(), made(2, 16, 8), {"offs": ends(3, 8)}, "to have the same dtype, got BFloat16 and Float"),
    (made(8, 16), made(2, 16, 8), {}, "Have to provide offsets if there is a 2d matrix"),
    (made(8, 16), made(2, 16, 8), {"offs": ends(3, 8).long()}, "Offsets have to be int32"),
    (made(8, 16), made(2, 16, 8), {"offs": ends(3, 4, 8)}, "matrix batch sizes have to match"),
    (made(8, 16), made(2, 12, 8), {"offs": ends(3, 8)}, "contraction dimension of mat_a and mat_b must match"),
    (made(16), made(2, 16, 8), {"offs": ends(3, 8)}, "mat_a has to be 2 or 3d"),
    (made(8, 15), made(2, 15, 8), {"offs": ends(3, 8)}, "strides should be multiple of 16 bytes"),
    (made(3, 4, 16), made(2, 16, 8), {}, "batched dimension has to match"),
    (made(8, 16), made(2, 16, 8), {"offs": ends(3, 8), "bias": made(8)}, "Bias not supported yet"),
    (made(8, 16), made(2, 16, 8), {"offs": ends(3, 8), "out_dtype": torch.bfloat16}, "output dtype must match `mat_a` dtype"),
])
def test_grouped_mm_says_what_is_wrong(a, b, more, text):
    with pytest.raises(RuntimeError, match=text):
        F.grouped_mm(a, b, **more)


def test_scaled_mm():
    kind = torch.float8_e4m3fn
    a, b, two = made(32, 16).to(kind), made(48, 16).to(kind).t(), torch.tensor(2.)
    plain = a.float() @ b.float()
    close(F.scaled_mm(a, b, two, Scaling.TensorWise, two, Scaling.TensorWise), (plain * 4).bfloat16())
    rows, columns = made(32, 1).abs() + 1, made(1, 48).abs() + 1
    close(F.scaled_mm(a, b, rows, Scaling.RowWise, columns, Scaling.RowWise, output_dtype=torch.float32), plain * rows * columns)
    close(F.scaled_mm(a, b, two, Scaling.TensorWise, two, Scaling.TensorWise, bias=made(48), output_dtype=torch.float32),
          plain * 4 + made(48))
    loud = F.scaled_mm(a, b, two * 300, Scaling.TensorWise, two, Scaling.TensorWise, output_dtype=None)
    assert loud.dtype == kind and loud.float().abs().max() == 448
    close(F.scaled_addmm(torch.ones(32, 48), a, b, two, Scaling.TensorWise, two, Scaling.TensorWise, beta=3, alpha=0.5),
          3 + plain * 2)
    kept = torch.ones(32, 48)
    assert F.scaled_addmm_(kept, a, b, two, Scaling.TensorWise, two, Scaling.TensorWise) is kept
    close(kept, 1 + plain * 4)


def test_older_names_of_products():
    kind, two = torch.float8_e4m3fn, torch.tensor(2.)
    a, b = torch.ones(16, 32).to(kind), torch.ones(48, 32).to(kind).t()
    assert [(t.dtype, t[0, 0].item()) for t in (
        torch._scaled_mm(a, b, two, two), torch._scaled_mm(a, b, two, two, out_dtype=torch.bfloat16, use_fast_accum=True),
        torch._scaled_mm(a, b, torch.ones(16, 1), torch.ones(1, 48), out_dtype=torch.float32, bias=torch.ones(48)),
        torch._scaled_mm(a, b, two, two, scale_result=two), torch._scaled_mm(a, b, two, two, out=torch.empty(16, 48, dtype=kind)),
        torch._grouped_mm(torch.ones(8, 16), torch.ones(2, 16, 8), ends(3, 8)))] == [
            (kind, 128), (torch.bfloat16, 128), (torch.float32, 33), (kind, 64), (kind, 128), (torch.float32, 16)]
    with pytest.raises(ValueError, match="Invalid scaling configuration."):
        torch._scaled_mm(a, b, torch.ones(16, 1), two)
    with pytest.raises(RuntimeError, match="Bias must be size 48 but got 3"):
        torch._scaled_mm(a, b, two, two, bias=torch.ones(3))


def test_scaled_mm_says_what_is_wrong():
    kind, one, per = torch.float8_e4m3fn, torch.tensor(1.), Scaling.TensorWise
    a, b = made(32, 16).to(kind), made(48, 16).to(kind).t()
    with pytest.raises(ValueError, match="Expected both inputs to be fp8 or fp4 types but got mat_a.dtype=Float and mat_b.dtype=Float"):
        F.scaled_mm(a.float(), b.float(), one, per, one, per)
    with pytest.raises(ValueError, match="scale_a must have 1 Float element"):
        F.scaled_mm(a, b, one.double(), per, one, per)
    with pytest.raises(ValueError, match="unsupported recipe"):
        F.scaled_mm(a, b, one, Scaling.RowWise, one, per)
    with pytest.raises(ValueError, match="only supports contraction_dim"):
        F.scaled_mm(a, b, one, per, one, per, contraction_dim=[0, 1])
    with pytest.raises(ValueError, match=r"shapes cannot be multiplied \(32x16 and 8x48\)"):
        F.scaled_mm(a, b[:8], one, per, one, per)
    with pytest.raises(NotImplementedError, match="use ScalingType.TensorWise or ScalingType.RowWise"):
        F.scaled_mm(a, b, one, Scaling.BlockWise1x32, one, Scaling.BlockWise1x32)
    with pytest.raises(NotImplementedError, match="swizzled scales"):
        F.scaled_mm(a, b, made(32, 1), Scaling.RowWise, made(1, 48), Scaling.RowWise, F.SwizzleType.SWIZZLE_32_4_4)


def test_scaled_grouped_mm():
    kind, per = torch.float8_e4m3fn, Scaling.RowWise
    a, b, sa, sb = made(8, 16).to(kind), made(2, 16, 48).to(kind), made(8).abs() + 1, made(2, 48).abs() + 1
    dense_a, dense_b = a.float() * sa[:, None], b.float() * sb[:, None]
    want = torch.cat([dense_a[:3] @ dense_b[0], dense_a[3:] @ dense_b[1]])
    close(F.scaled_grouped_mm(a, b, sa, per, sb, per, offs=ends(3, 8)), want.bfloat16(), rtol=1e-2, atol=1e-2)
    flat, s = made(16, 48).to(kind), (made(16).abs() + 1, made(96).abs() + 1)
    want = torch.stack([(a.float()[:, i:j] * s[0][8 * g:8 * g + 8, None]) @ (flat.float()[i:j] * s[1][48 * g:48 * g + 48])
                        for g, (i, j) in enumerate([(0, 4), (4, 16)])])
    close(F.scaled_grouped_mm(a, flat, s[0], per, s[1], per, offs=ends(4, 16)), want.bfloat16(), rtol=1e-2, atol=1e-2)
    with pytest.raises(ValueError, match="Have to provide offsets if there is a 2d matrix"):
        F.scaled_grouped_mm(a, b, sa, per, sb, per)

# SPDX-License-Identifier: BSD-3-Clause
"""Grouped matrix products, whose groups share one tensor, and products of scaled float8 matrices.

A mixture of experts sorts its tokens by expert: the rows of one matrix are then groups of different
lengths, and each group is multiplied by the weights of its expert.
"""
import enum

from .. import _C
from .._missing import MissingFeature

_rows = _C._submodules["nn.functional"]
__all__ = ["ScalingType", "SwizzleType", "grouped_mm", "scaled_addmm", "scaled_addmm_", "scaled_grouped_mm", "scaled_mm"]
_TYPES = {_C.float32: "Float", _C.bfloat16: "BFloat16", _C.float16: "Half"}


class ScalingType(enum.IntEnum):
    """The number of elements of a float8 matrix that share a scale: all (TensorWise), a row (RowWise), or a
    block of a row or of the matrix.

    Corten computes TensorWise and RowWise; the others raise MissingFeature.
    """
    TensorWise = 0
    RowWise = 1
    BlockWise1x16 = 2
    BlockWise1x32 = 3
    BlockWise1x128 = 4
    BlockWise128x128 = 5

    def __repr__(self):
        return f"<_ScalingType.{self.name}: {self.value}>"

    def __str__(self):
        return f"_ScalingType.{self.name}"


class SwizzleType(enum.IntEnum):
    """The memory layout of block scales for tensor cores. Corten supports only NO_SWIZZLE."""
    NO_SWIZZLE = 0
    SWIZZLE_32_4_4 = 1
    SWIZZLE_32_8 = 2

    def __repr__(self):
        return f"<_SwizzleType.{self.name}: {self.value}>"

    def __str__(self):
        return f"_SwizzleType.{self.name}"


def _scalar_name(mat):
    """Return the name of a dtype in PyTorch's messages, such as "Double" or "Float8_e4m3fn"."""
    from ..storage import _TYPES as named
    return next((name for name, kind in named.items() if kind == mat.dtype), str(mat.dtype).partition(".")[2].capitalize())


# ---- groups ----

def _check_strides(mat):
    """Raise PyTorch's error unless the layout suits its kernels, which read 16 bytes at a time: one of
    the last two dimensions has stride 1, and the stride of the other is a multiple of 16 bytes.
    """
    size, stride, unit = mat.shape[-2:], mat.stride()[-2:], 16 // mat.itemsize
    for close, far in ((0, 1), (1, 0)):
        if stride[close] == 1 and stride[far] >= max(1, size[close]):
            if stride[far] % unit:
                raise RuntimeError("strides should be multiple of 16 bytes")
            return
    raise RuntimeError(f"Invalid strides/sizes, got {list(mat.stride())} for strides and {list(mat.shape)} for sizes")


def _check_shapes(mat_a, mat_b, offs):
    for name, mat in (("mat_a", mat_a), ("mat_b", mat_b)):
        if mat.dim() not in (2, 3):
            raise RuntimeError(f"{name} has to be 2 or 3d")
    flat = mat_a.dim() == 2 or mat_b.dim() == 2
    if mat_a.shape[-1] != mat_b.shape[-2]:
        raise RuntimeError("contraction dimension of mat_a and mat_b must match")
    if flat != (offs is not None):
        raise RuntimeError("Have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d")
    if offs is None:
        if mat_a.shape[0] != mat_b.shape[0]:
            raise RuntimeError("batched dimension has to match")
        return
    if offs.dim() != 1:
        raise RuntimeError("offs has to be 1D")
    if offs.dtype != _C.int32:
        raise RuntimeError("Offsets have to be int32")
    if any(mat.dim() == 3 and mat.shape[0] != offs.shape[0] for mat in (mat_a, mat_b)):
        raise RuntimeError("matrix batch sizes have to match")


def _filled(parts, dim, size):
    """Concatenate the results of the groups, and add zeros for rows or columns after the last group."""
    rest = size - sum(part.shape[dim] for part in parts)
    shape = list(parts[0].shape)
    shape[dim] = rest
    return _C.cat([*parts, parts[0].new_zeros(shape)] if rest > 0 else parts, dim)


def _products(mat_a, mat_b, offs):
    if offs is None:
        return _C.bmm(mat_a, mat_b)
    ends = offs.tolist()
    total = mat_b.shape[-1] if mat_a.dim() == 3 else mat_a.shape[-1 if mat_b.dim() == 2 else 0]
    groups = [slice(begin, max(begin, min(end, total))) for begin, end in zip([0, *ends], ends)]
    if mat_a.dim() == 2 and mat_b.dim() == 2:
        return _C.stack([_C.mm(mat_a[:, at], mat_b[at]) for at in groups])
    if mat_a.dim() == 2:
        return _filled([_C.mm(mat_a[at], mat_b[i]) for i, at in enumerate(groups)], 0, total)
    return _filled([_C.mm(mat_a[i], mat_b[:, at]) for i, at in enumerate(groups)], 1, total)


def _aligned(product):
    """Return a copy of the product whose rows start at multiples of 16 bytes, as PyTorch's kernels write it."""
    columns = product.shape[-1]
    short = -columns % (16 // product.itemsize)
    return _rows.pad(product, (0, short))[..., :columns] if short else product


def grouped_mm(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None):
    """Multiply groups of matrices, where groups of different sizes share one tensor.

        out[rows of group g] = mat_a[rows of group g] @ mat_b[g]

    for a 2-D `mat_a` and 3-D `mat_b`; the other combinations follow from which dimension the groups
    share. Two 3-D tensors are an ordinary batched product.

    Args:
        mat_a: (T, K), whose rows are divided into groups, or (G, M, K).
        mat_b: (G, K, N), or (K, N), whose columns are divided into groups. If both are 2-D, K is
            divided and the result is (G, T, N).
        offs: (G,), int32, where each group ends; required if one of them is 2-D, else None. Rows or
            columns after the last end give zeros. Default: None.
        bias: None; PyTorch does not take one either.
        out_dtype: None or the type of `mat_a`.

    Both matrices must be float32, bfloat16 or float16, with rows or columns at multiples of 16
    bytes.

    Example:
        >>> tokens, weights = torch.ones(4, 4), torch.stack([torch.eye(4), 2 * torch.eye(4)])
        >>> nn.functional.grouped_mm(tokens, weights, offs=torch.tensor([1, 4], dtype=torch.int32))
        tensor([[1., 1., 1., 1.],
                [2., 2., 2., 2.],
                [2., 2., 2., 2.],
                [2., 2., 2., 2.]])
    """
    for name, mat in (("mat_a", mat_a), ("mat_b", mat_b)):
        if mat.dtype not in _TYPES:
            raise RuntimeError(f"Expected {name} to be Float32, BFloat16 or Float16 matrix, got {_scalar_name(mat)}")
    if mat_a.dtype != mat_b.dtype:
        raise RuntimeError(f"Expected mat_a and mat_b to have the same dtype, got {_TYPES[mat_a.dtype]} and {_TYPES[mat_b.dtype]}")
    _check_shapes(mat_a, mat_b, offs)
    _check_strides(mat_a)
    _check_strides(mat_b)
    if bias is not None:
        raise RuntimeError("Bias not supported yet")
    if out_dtype not in (None, mat_a.dtype):
        raise RuntimeError("Grouped gemm output dtype must match `mat_a` dtype")
    return _aligned(_products(mat_a, mat_b, offs))


# ---- scales ----

def _listed(value):
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]


def _recipe(name, mat_a, mat_b, recipe_a, recipe_b):
    """Check the scaling of both matrices and return it: TensorWise or RowWise, the same for both."""
    kinds = [_listed(recipe_a), _listed(recipe_b)]
    numbers = [[kind.value for kind in side] for side in kinds]
    if any(number not in (0, 1) for side in numbers for number in side):
        raise MissingFeature(f"{name} with a scale for each block",
                             "use ScalingType.TensorWise or ScalingType.RowWise, or multiply the blocks by their scales yourself")
    if numbers not in ([[0], [0]], [[1], [1]]):
        shown = ", ".join(f"{side}.dtype={_scalar_name(mat)}" for side, mat in (("mat_a", mat_a), ("mat_b", mat_b)))
        raise ValueError(f"Invalid scaling configuration for _scaled_mm_v2: unsupported recipe(s). Got {shown}, "
                         f"recipe_a.size()={len(kinds[0])}, recipe_b.size()={len(kinds[1])}")
    return ScalingType(numbers[0][0])


def _one_scale(name, scale, count):
    scale = _listed(scale)
    if len(scale) != 1:
        raise ValueError(f"{name} must have 1 value, got {len(scale)}")
    if scale[0].dtype != _C.float32 or scale[0].numel() != count:
        more = "s" if count != 1 else ""
        found = f", got {scale[0].numel()}" if count != 1 else ""
        raise ValueError(f"{name} must have {count} Float element{more}{found}")
    return scale[0]


def _check_swizzle(name, *swizzles):
    if any(swizzle.value for side in swizzles for swizzle in _listed(side)):
        raise MissingFeature(f"{name} with swizzled scales", "pass the scales of rows or tensors, which have no blocks to reorder")


def _check_float8(mat_a, mat_b):
    for name, mat in (("mat_a", mat_a), ("mat_b", mat_b)):
        if not str(mat.dtype).startswith("torch.float8_e"):
            raise ValueError(f"Expected both inputs to be fp8 or fp4 types but got mat_a.dtype={_scalar_name(mat_a)} and "
                             f"mat_b.dtype={_scalar_name(mat_b)}")


def _check_contraction(name, dims):
    if len(dims) and [d % 2 for d in dims] != [1, 0]:
        raise ValueError(f"torch.{name} only supports contraction_dim=(1, 0)")


def _scaled_product(name, mat_a, mat_b, scale_a, recipe_a, scale_b, recipe_b, swizzle_a, swizzle_b, contraction_dim):
    """Compute the scaled product in float32.

    The scales multiply the sums rather than the elements, as in PyTorch; sums of unscaled float8
    elements cannot overflow float32.
    """
    for side, mat in (("mat_a", mat_a), ("mat_b", mat_b)):
        if mat.dim() != 2:
            raise ValueError(f"{side} must be a matrix")
    _check_contraction(name, contraction_dim)
    if mat_a.shape[1] != mat_b.shape[0]:
        raise ValueError(f"mat_a and mat_b shapes cannot be multiplied ({mat_a.shape[0]}x{mat_a.shape[1]} and "
                         f"{mat_b.shape[0]}x{mat_b.shape[1]})")
    _check_float8(mat_a, mat_b)
    public = name.strip("_").removesuffix("_v2")
    by_row = _recipe(public, mat_a, mat_b, recipe_a, recipe_b) == ScalingType.RowWise
    if by_row:
        _check_swizzle(public, swizzle_a, swizzle_b)
    a = _one_scale("scale_a", scale_a, mat_a.shape[0] if by_row else 1)
    b = _one_scale("scale_b", scale_b, mat_b.shape[1] if by_row else 1)
    if by_row:  # size(1) of a vector raises the same error as in PyTorch
        a, b = a.expand(a.shape[0], a.shape[1] if a.dim() > 1 else a.size(1)), b.expand(b.shape[0], b.size(1))
        if tuple(a.shape) != (mat_a.shape[0], 1) or tuple(b.shape) != (1, mat_b.shape[1]):
            raise ValueError(f"For RowWise scaling, scale_a should be ({mat_a.shape[0]}, 1) and scale_b should be "
                             f"(1, {mat_b.shape[1]}), but got {list(a.shape)} and {list(b.shape)}")
    else:
        a, b = a.reshape(()), b.reshape(())
    return _C.mm(mat_a.float(), mat_b.float()) * a * b


def _in_type(result, kind):
    if str(kind).startswith("torch.float8"):  # PyTorch saturates instead of overflowing
        most = _C.finfo(kind).max
        result = result.clamp(-most, most)
    return result.to(kind)


def scaled_mm(mat_a, mat_b, scale_a, scale_recipe_a, scale_b, scale_recipe_b, swizzle_a=None, swizzle_b=None, bias=None,
              output_dtype=_C.bfloat16, contraction_dim=(), use_fast_accum=False):
    """Multiply two float8 matrices and apply their scales.

        out = (mat_a @ mat_b) * scale_a * scale_b + bias

    Sums are in float32. A float8 result saturates instead of overflowing.

    Args:
        mat_a: (M, K), float8.
        mat_b: (K, N), float8.
        scale_a, scale_b: float32; one number each for TensorWise, (M, 1) and (1, N) for RowWise.
        scale_recipe_a, scale_recipe_b: the ScalingType, the same for both.
        swizzle_a, swizzle_b: None or SwizzleType.NO_SWIZZLE. Default: None.
        bias: (N,), added before the result is converted. Default: None.
        output_dtype: type of the result; None is that of `mat_a`. Default: bfloat16.
        contraction_dim: () or (1, 0). Default: ().
        use_fast_accum: lets a tensor core add less precisely; no effect here. Default: False.

    Example:
        >>> a, kind = torch.eye(16).to(torch.float8_e4m3fn), nn.functional.ScalingType.TensorWise
        >>> nn.functional.scaled_mm(a, a.t(), torch.tensor(2.), kind, torch.tensor(0.25), kind)[0, :2]
        tensor([0.5000, 0.0000], dtype=torch.bfloat16)
    """
    result = _scaled_product("_scaled_mm_v2", mat_a, mat_b, scale_a, scale_recipe_a, scale_b, scale_recipe_b, swizzle_a, swizzle_b,
                             contraction_dim)
    if bias is not None:
        if bias.numel() != mat_b.shape[1]:
            raise ValueError(f"Bias must be size {mat_b.shape[1]} but got {bias.numel()}")
        result = result + bias.float()
    return _in_type(result, output_dtype or mat_a.dtype)


def scaled_addmm(input, mat1, mat2, scale_a, scale_recipe_a, scale_b, scale_recipe_b, swizzle_a=None, swizzle_b=None,
                 contraction_dim=(), use_fast_accum=False, *, beta=1.0, alpha=1.0):
    """Multiply two float8 matrices with scales and add the product to a matrix.

        out = beta * input + alpha * (mat1 @ mat2) * scale_a * scale_b

    Computed in float32, returned in the type of `input`.

    Args:
        input: (M, N), float16, bfloat16 or float32.
        mat1: (M, K), float8.
        mat2: (K, N), float8.
        scale_a, scale_b: float32; one number each for TensorWise, (M, 1) and (1, N) for RowWise.
        scale_recipe_a, scale_recipe_b: the ScalingType, the same for both.
        swizzle_a, swizzle_b: None or SwizzleType.NO_SWIZZLE. Default: None.
        contraction_dim, use_fast_accum: as for `scaled_mm`.
        beta: factor of `input`; 0 ignores it, even NaN. Default: 1.
        alpha: factor of the product. Default: 1.
    """
    product = _scaled_product("_scaled_addmm", mat1, mat2, scale_a, scale_recipe_a, scale_b, scale_recipe_b, swizzle_a, swizzle_b,
                              contraction_dim)
    if tuple(input.shape) != tuple(product.shape) or input.dtype not in _TYPES:
        raise ValueError(f"input must be a matrix of {tuple(product.shape)} in float16, bfloat16 or float32, got "
                         f"{tuple(input.shape)} in {input.dtype}")
    return (product * alpha if beta == 0 else input.float() * beta + product * alpha).to(input.dtype)


def scaled_addmm_(input, mat1, mat2, scale_a, scale_recipe_a, scale_b, scale_recipe_b, swizzle_a=None, swizzle_b=None,
                  contraction_dim=(), use_fast_accum=False, *, beta=1.0, alpha=1.0):
    """In-place scaled_addmm: the result overwrites `input` and is returned.

    The arguments are those of `scaled_addmm`.
    """
    return input.copy_(scaled_addmm(input, mat1, mat2, scale_a, scale_recipe_a, scale_b, scale_recipe_b, swizzle_a, swizzle_b,
                                    contraction_dim, use_fast_accum, beta=beta, alpha=alpha))


def _scaled_mm(self, mat2, scale_a, scale_b, bias=None, scale_result=None, out_dtype=None, use_fast_accum=False, *, out=None):
    """The older form of scaled_mm, in which the shapes of the scales choose the recipe. By default the
    result has the type of `self`.

    `scale_result` divides a float8 result if each matrix has one scale; otherwise it is ignored, as
    in PyTorch.
    """
    if self.dim() == mat2.dim() == 2 and self.shape[1] != mat2.shape[0]:
        raise RuntimeError(f"mat_a and mat_b shapes cannot be multiplied ({self.shape[0]}x{self.shape[1]} and "
                           f"{mat2.shape[0]}x{mat2.shape[1]})")
    whole = scale_a.numel() == scale_b.numel() == 1
    by_row = self.dim() == mat2.dim() == 2 and tuple(scale_a.shape) == (self.shape[0], 1) and tuple(scale_b.shape) == (1, mat2.shape[1])
    float8 = all(str(mat.dtype).startswith("torch.float8_e") for mat in (self, mat2))
    if not (float8 and (whole or by_row) and scale_a.dtype == scale_b.dtype == _C.float32):
        raise ValueError(
            "Invalid scaling configuration.\n- For TensorWise scaling, a and b should be float8, scales should be float and singletons.\n"
            "- For RowWise scaling, a and b should be float8, scales should be float, scale_a should be "
            f"({self.shape[0]}, 1) and scale_b should be (1, {mat2.shape[-1]}), and both should be contiguous.\n"
            f"Got mat_a.dtype()={_scalar_name(self)}, scale_a.dtype()={_scalar_name(scale_a)}, scale_a.size()={list(scale_a.shape)}, "
            f"scale_a.stride()={list(scale_a.stride())}, mat_b.dtype()={_scalar_name(mat2)}, scale_b.dtype()={_scalar_name(scale_b)}, "
            f"scale_b.size()={list(scale_b.shape)} and scale_b.stride()={list(scale_b.stride())}")
    if bias is not None and bias.numel() != mat2.shape[1]:
        raise RuntimeError(f"Bias must be size {mat2.shape[1]} but got {bias.numel()}")
    kind = out_dtype or (self.dtype if out is None else out.dtype)
    recipe = ScalingType.TensorWise if whole else ScalingType.RowWise
    result = scaled_mm(self, mat2, scale_a, recipe, scale_b, recipe, bias=bias, output_dtype=_C.float32)
    if scale_result is not None and whole and str(kind).startswith("torch.float8"):
        result = result / scale_result
    result = _in_type(result, kind)
    return result if out is None else out.resize_(result.shape).copy_(result)


def _grouped_mm(self, mat2, offs=None, bias=None, out_dtype=None):
    """Call grouped_mm with positional arguments."""
    return grouped_mm(self, mat2, offs=offs, bias=bias, out_dtype=out_dtype)


def _dequantized(mat, scale, dim, groups):
    """Convert a matrix to float32 and multiply it by the scales of its rows (dim=-1) or columns (dim=-2). A 2-D
    matrix gives a list with one matrix per group.
    """
    if mat.dim() == 3:
        return mat.float() * scale.reshape(mat.shape[0], -1).unsqueeze(dim)
    return [mat.float() * one.unsqueeze(dim) for one in scale.reshape(groups, -1)]


def scaled_grouped_mm(mat_a, mat_b, scale_a, scale_recipe_a, scale_b, scale_recipe_b, swizzle_a=None, swizzle_b=None, bias=None,
                      offs=None, output_dtype=_C.bfloat16, contraction_dim=(), use_fast_accum=False):
    """Multiply groups of float8 matrices, with a scale for each row of `mat_a` and each column of `mat_b`.

    Only ScalingType.RowWise is available.

    Args:
        mat_a, mat_b: float8, with the shapes of `grouped_mm`.
        scale_a: float32, (M,) for a 2-D `mat_a`, (G, M) for a 3-D one; (G * M,), group after group,
            if both matrices are 2-D.
        scale_recipe_a, scale_recipe_b: ScalingType.RowWise.
        scale_b: as `scale_a`, for the columns of `mat_b`.
        swizzle_a, swizzle_b: None or SwizzleType.NO_SWIZZLE. Default: None.
        bias: None.
        offs: (G,), int32, where each group ends. Default: None.
        output_dtype: type of the result. Default: bfloat16.
        contraction_dim: () or the last dimension of `mat_a` and the one before it of `mat_b`.
            Default: ().
        use_fast_accum: no effect here. Default: False.
    """
    if offs is None and (mat_a.dim() == 2 or mat_b.dim() == 2):
        raise ValueError("Have to provide offsets if there is a 2d matrix")
    _check_float8(mat_a, mat_b)
    if bias is not None:
        raise ValueError("Bias not supported yet")
    _check_contraction("_scaled_grouped_mm_v2", [d % mat.dim() - mat.dim() + 2 for d, mat in zip(contraction_dim, (mat_a, mat_b))])
    if _recipe("scaled_grouped_mm", mat_a, mat_b, scale_recipe_a, scale_recipe_b) != ScalingType.RowWise:
        raise MissingFeature("scaled_grouped_mm with ScalingType.TensorWise", "use ScalingType.RowWise")
    _check_swizzle("scaled_grouped_mm", swizzle_a, swizzle_b)
    _check_shapes(mat_a, mat_b, offs)
    both = mat_a.dim() == mat_b.dim() == 2
    groups = offs.shape[0] if both else 1
    count_a = mat_a.numel() // mat_a.shape[-1] * groups
    count_b = mat_b.numel() // mat_b.shape[-2] * groups
    a = _dequantized(mat_a, _one_scale("scale_a", scale_a, count_a), -1, groups)
    b = _dequantized(mat_b, _one_scale("scale_b", scale_b, count_b), -2, groups)
    if both:
        ends = offs.tolist()
        product = _C.stack([_C.mm(left[:, i:j], right[i:j]) for left, right, i, j in zip(a, b, [0, *ends], ends)])
    else:
        product = _products(*(mat[0] if isinstance(mat, list) else mat for mat in (a, b)), offs)
    return _aligned(product.to(output_dtype or _C.bfloat16))

# SPDX-License-Identifier: BSD-3-Clause
"""torch.nested: batches of tensors of different sizes, without padding.

    >>> x = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)], layout=torch.jagged)
    >>> (x * 2).to_padded_tensor(0.).shape
    torch.Size([2, 4, 3])
"""
from .. import _C
from ._internal.nested_tensor import NestedTensor, _Nested, _Strided

__all__ = ["as_nested_tensor", "masked_select", "narrow", "nested_tensor", "nested_tensor_from_jagged", "to_padded_tensor"]


def _check_dims(parts):
    for i, p in enumerate(parts):
        if p.dim() != parts[0].dim():
            raise RuntimeError("All Tensors given to nested_tensor must have the same dimension. Found dimension "
                               f"{p.dim()} for Tensor at index {i} and dimension {parts[0].dim()} for Tensor at index 0.")


def _made(parts, layout):
    if layout in (None, _C.strided):
        _check_dims(parts)
        return _Strided(parts)
    if layout != _C.jagged:
        raise RuntimeError(f"Specified layout is unsupported for nested tensors: {layout}")
    if not parts:
        raise RuntimeError("Cannot construct a nested tensor from an empty tensor list")
    _check_dims(parts)
    if parts[0].dim() == 0 or any(p.shape[1:] != parts[0].shape[1:] for p in parts):
        raise RuntimeError("The components of a nested tensor in the jagged layout may differ in their first dim alone")
    sizes = _C.tensor([0] + [p.shape[0] for p in parts], device=parts[0].device)
    return NestedTensor(_C.cat(parts), sizes.cumsum(0))


def nested_tensor(tensor_list, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """Creates a nested tensor from copies of the components; a leaf. Nested lists of numbers are converted to components."""
    if isinstance(tensor_list, _C.Tensor) or not isinstance(tensor_list, (list, tuple)):
        raise TypeError("Only lists (List[Tensor] and List[List...[Scalar]]) are accepted in nested_tensor")
    copies = [t.detach().to(device=device, dtype=dtype, copy=True) if isinstance(t, _C.Tensor)
              else _C.tensor(t, dtype=dtype, device=device) for t in tensor_list]
    result = _made([t.pin_memory() for t in copies] if pin_memory else copies, layout)
    return result.requires_grad_() if requires_grad else result


def as_nested_tensor(ts, dtype=None, device=None, layout=None):
    """Creates a nested tensor that keeps the autograd history of the components; in the strided layout without a copy."""
    if isinstance(ts, _Nested):
        ts = ts.unbind()
    if isinstance(ts, _C.Tensor):
        ts = ts.unbind()
    if not isinstance(ts, (list, tuple)):
        raise TypeError("as_nested_tensor(): Expected first argument to be a tensor or a list / tuple of tensors")
    parts = [t if isinstance(t, _C.Tensor) else _C.tensor(t) for t in ts]
    return _made([t.to(device=device, dtype=dtype) for t in parts], layout)


def to_padded_tensor(input, padding, output_size=None, out=None):
    """Pads the components with `padding` at their ends and stacks them in one dense tensor."""
    result = input.to_padded_tensor(padding, output_size)
    return result if out is None else out.copy_(result)


def nested_tensor_from_jagged(values, offsets=None, lengths=None, jagged_dim=None, min_seqlen=None, max_seqlen=None):
    """Creates a nested tensor in the jagged layout from views of `values`, sharing memory and autograd history."""
    from .._missing import MissingFeature
    if jagged_dim not in (None, 1):
        raise MissingFeature("nested_tensor_from_jagged(jagged_dim=...) other than 1", "transpose the values")
    if offsets is None:
        if lengths is None:
            raise RuntimeError("nested_tensor_from_jagged(): At least one of offsets or lengths is required.")
        offsets, lengths = _C.cat([lengths.new_zeros(1), lengths.cumsum(0)]), None
    result = NestedTensor(values, offsets, lengths=lengths)
    for name, given, have in (("min_seqlen", min_seqlen, result._min_seqlen), ("max_seqlen", max_seqlen, result._max_seqlen)):
        if given is not None and given != have:
            raise RuntimeError(f"nested_tensor_from_jagged(): {name}={given}, but the components say {have}")
    return result


def narrow(tensor, dim, start, length, layout=None):
    """Views parts of the rows of a dense tensor as components: row i from start[i], of length length[i]."""
    if dim != 1:
        raise RuntimeError(f"narrow on nested tensors is only defined for dim=1, got {dim}")
    if layout in (None, _C.strided):
        if isinstance(start, _C.Tensor) or isinstance(length, _C.Tensor):
            raise RuntimeError("start and length must be integers for the strided layout NT impl")
        return as_nested_tensor(tensor.narrow(1, start, length))
    if layout != _C.jagged:
        raise RuntimeError(f"Specified layout is unsupported for nested narrow: {layout}")
    rows, width = tensor.shape[:2]

    def of_each(x):
        return _C.as_tensor(x, dtype=_C.int64, device=tensor.device).expand(rows)
    start, length = of_each(start), of_each(length)
    begins = _C.arange(rows, device=tensor.device) * width + start
    ends = (begins[-1:] + length[-1:]) if rows else begins.new_zeros(1)
    return NestedTensor(tensor.flatten(0, 1), _C.cat([begins, ends]), lengths=length)


def masked_select(tensor, mask):
    """Selects the marked elements of each row as components in the jagged layout."""
    if tensor.layout != _C.strided:
        raise RuntimeError(f"torch.nested.masked_select requires a strided tensor, given {tensor.layout}")
    if mask.layout != _C.strided:
        raise RuntimeError(f"torch.nested.masked_select requires a strided mask, given: {mask.layout}")
    mask = mask.reshape(*mask.shape, *[1] * (tensor.dim() - mask.dim())).expand(tensor.shape)
    lengths = mask.sum(tuple(range(1, mask.dim())))
    return NestedTensor(tensor[mask], _C.cat([lengths.new_zeros(1), lengths.cumsum(0)]))

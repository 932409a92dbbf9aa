# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.swap_tensors and set_module: operations on the identity of objects."""
import copyreg
import weakref

from .. import _C

__all__ = ["set_module", "swap_tensors"]
_IS_HELD = "Expected use_count of {} to be 1 or 2 with an AccumulateGrad node but got {} make sure you are not holding references to " \
           "the tensor in other places."


def set_module(obj, mod):
    """Sets the `__module__` of an object to `mod`, a str; it is the module that repr and pickle report.

        >>> def f(): pass
        >>> torch.utils.set_module(f, "torch.example")
        >>> f.__module__
        'torch.example'
    """
    if not isinstance(mod, str):
        raise TypeError("The mod argument should be a string")
    obj.__module__ = mod


def swap_tensors(t1, t2):
    """Swaps two tensor objects: storage, type, gradient, class and attributes. Every reference to `t1` then sees what was `t2`.

    Raises if anything other than Python variables refers to the tensors, such as an autograd graph or a weak reference.

        >>> a, b = torch.zeros(2), torch.ones(3)
        >>> torch.utils.swap_tensors(a, b)
        >>> a
        tensor([1., 1., 1.])
    """
    for t, name in ((t1, "t1"), (t2, "t2")):
        if weakref.getweakrefs(t):
            raise RuntimeError(f"Cannot swap {name} because it has weakref associated with it")
    slots = set(copyreg._slotnames(type(t1)))
    if slots != set(copyreg._slotnames(type(t2))):
        raise RuntimeError("Cannot swap t1 and t2 if they have different slots")
    for t, name in ((t1, "t1"), (t2, "t2")):
        if t._use_count() > 1:  # PyTorch lets a later backward pass fail; here the swap itself does
            raise RuntimeError(_IS_HELD.format(name, t._use_count()))
    t1.__class__, t2.__class__ = t2.__class__, t1.__class__
    t1.__dict__, t2.__dict__ = t2.__dict__, t1.__dict__
    missing = object()
    for slot in slots:
        ours, theirs = getattr(t1, slot, missing), getattr(t2, slot, missing)
        for t, value in ((t1, theirs), (t2, ours)):
            if value is not missing:
                setattr(t, slot, value)
            elif hasattr(t, slot):
                delattr(t, slot)
    _C._swap_tensor_impl(t1, t2)


for _function in (set_module, swap_tensors):
    _function.__module__ = "torch.utils"

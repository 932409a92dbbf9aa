# SPDX-License-Identifier: BSD-3-Clause
"""The step behind `torch.optim.adam.adam(...)` and its kin: functions of lists of tensors, which keep no state themselves.

Programs that write an optimizer of their own call these functions with the parameters, their gradients and their states. Each
makes a parameter group of its arguments and steps it as the class does, in one call of the library.
"""
from .. import _C, Tensor
from . import optimizer as base


def _skips(fused, grad_scale, found_inf, grads):
    """What GradScaler asks of a fused step: to divide the gradients by its factor, and to do nothing if one is not finite."""
    if not fused:
        if grad_scale is not None or found_inf is not None:
            raise AssertionError("Expected grad_scale and found_inf to be None")
        return False
    if grad_scale is not None:
        for grad in grads:
            grad.div_(grad_scale.to(grad.device))
    return found_inf is not None and found_inf.item() != 0


def step(optimizer, params, grads, states, steps, options, *, capturable=False, differentiable=False, fused=None, grad_scale=None,
         found_inf=None):
    """One step of a class's formula.

    Args:
        optimizer: the class.
        states: {name in state dicts: list of a tensor for each parameter}, for what this call uses.
        steps: the list of counters, or None if the formula has none.
        options: the group's, by their names in the class.
    """
    if steps is not None and not all(isinstance(t, Tensor) for t in steps):
        raise RuntimeError("API has changed, `state_steps` argument must contain a list of singleton tensors")
    if capturable:
        what, supported = optimizer._capturable
        if any(p.device.type not in supported for p in params):
            raise AssertionError(f"If capturable=True, {what} must be on supported devices: {supported}.")
    if _skips(fused, grad_scale, found_inf, grads):
        return
    names = {**states, "step": steps} if steps is not None else states
    if any(grad.is_sparse for grad in grads):
        params = [p.detach() for p in params]  # sparse steps read .grad, which is the caller's
        for p, grad in zip(params, grads):
            p.grad = grad
    tensors = [*params, *grads, *(x for v in options.values() for x in (v if isinstance(v, tuple) else (v,)) if isinstance(x, Tensor))]
    recorded = _C.is_grad_enabled() and (differentiable or any(t.requires_grad for t in tensors))
    kept = {p: {name: values[i] for name, values in names.items()} for i, p in enumerate(params)}
    group = {"params": params, "grads": list(grads), "differentiable": recorded, "fused": fused, **options}
    if _C._optim_step(optimizer._kind, kept, group, None):
        stepper = optimizer.__new__(optimizer)
        stepper.state = kept
        with base.no_grad():
            stepper._step_sparse({k: v for k, v in group.items() if k != "grads"})
    for i, p in enumerate(params):
        for name, values in states.items():
            if values[i] is not kept[p].get(name):  # SGD's momentum, at first
                values[i] = kept[p][name]

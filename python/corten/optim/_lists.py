# SPDX-License-Identifier: BSD-3-Clause
"""The implementation of `torch.optim.adam.adam(...)` and its siblings: steps as functions of lists of tensors.

Programs with their own optimizer class call these functions with parameters, gradients and states. Each builds a parameter
group from its arguments and steps it in one call of the library, as the class does.
"""
from .. import _C, Tensor
from . import optimizer as base


def _skips(fused, grad_scale, found_inf, grads):
    """Do what GradScaler expects of a fused step; return True if the step must be skipped.

    Divides the gradients by grad_scale in place. The step is skipped if found_inf is not 0.
    """
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
    """Apply one step of an optimizer's formula to lists of tensors.

    Args:
        optimizer: the class.
        params, grads: the tensors to update and their gradients.
        states: {name in state dicts: a list with one tensor per parameter}, for the states this call uses.
        steps: a list of counters, or None if the formula does not count steps.
        options: the options of the group, under the names the class uses.
        capturable, differentiable, fused: as for the class.
        grad_scale, found_inf: tensors from GradScaler, only with fused; see _skips.
    """
    if steps is not None and not all(isinstance(t, Tensor) for t in steps):
        raise RuntimeError("API has changed, `state_steps` argument must contain a list of singleton tensors")
    if capturable and not fused:
        what, supported = optimizer._capturable
        if any(p.device.type not in supported for p in params):
            raise AssertionError(f"If capturable=True, {what} must be on supported devices: {supported}.")
    if _skips(fused, grad_scale, found_inf, grads):
        return
    names = {**states, "step": steps} if steps is not None else states
    if any(grad.is_sparse for grad in grads):
        params = [p.detach() for p in params]  # a sparse step reads .grad; detach() leaves the caller's alone
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
            if values[i] is not kept[p].get(name):  # SGD created a momentum buffer
                values[i] = kept[p][name]

# SPDX-License-Identifier: BSD-3-Clause
"""Temporarily run an optimizer on other parameters and states."""
import contextlib
from collections import defaultdict

from .. import Tensor

__all__ = ["swap_in_optimizer_params_and_state"]

_NEEDS = "swap_in_optimizer_params_and_state requires "


def _need(good, text):
    if not good:
        raise RuntimeError(text)


def _checked_state(state):
    _need(isinstance(state, dict), _NEEDS + "swapin_optim_state['state'] to be a dict mapping packed parameter ids to per-param state "
          f"dicts, got {type(state).__name__}.")
    _need(not any(isinstance(k, Tensor) for k in state), _NEEDS + "optimizer.state_dict()-style state keyed by packed parameter ids.")
    _need(all(isinstance(v, dict) for k, v in state.items() if isinstance(k, int)),
          _NEEDS + "per-parameter optimizer state entries to be dictionaries.")
    return state


def _check_group(i, live, given):
    _need(isinstance(given, dict), _NEEDS + "each optimizer param group to be a dictionary.")
    ids = given.get("params")
    _need(isinstance(ids, list) and all(isinstance(k, int) for k in ids),
          _NEEDS + "optimizer.state_dict()-style param_groups[*]['params'] entries keyed by packed parameter ids.")
    _need(len(live["params"]) == len(ids),
          f"swapin_optim_state param group {i} has a different number of params than the live optimizer param group.")
    only_given, only_live = [k for k in given if k not in live], [k for k in live if k not in given]
    _need(not only_given and not only_live, _NEEDS + "optimizer.state_dict()-style param group keys to exactly match the live optimizer "
          f"group keys for group {i}. Keys only in swap-in: {only_given}. Keys only in live: {only_live}.")


@contextlib.contextmanager
def swap_in_optimizer_params_and_state(optimizer, swapin_parameters, swapin_optim_state):
    """A context in which an optimizer has other parameters, states and options; afterwards its own are restored.

    Args:
        optimizer: an optimizer that has made a step, so that its states exist.
        swapin_parameters: {name: tensor}, in the order of the optimizer's parameters.
        swapin_optim_state: a result of optimizer.state_dict(). A step changes its tensors in place; entries that a step
            adds or replaces are lost at the end.

        >>> w, other = nn.Parameter(torch.ones(1)), torch.full((1,), 5.)
        >>> optimizer = torch.optim.SGD([w], lr=1., momentum=.9)
        >>> w.grad, other.grad = torch.ones(1), torch.ones(1)
        >>> optimizer.step()
        >>> with torch.optim.swap_in_optimizer_params_and_state(optimizer, {"w": other}, optimizer.state_dict()):
        ...     optimizer.step()  # the buffer becomes 0.9 * 1 + 1
        >>> other, w.detach()
        (tensor([3.1000]), tensor([0.]))
    """
    _need(bool(optimizer.state), _NEEDS + "initialized optimizer state.")
    _need(isinstance(swapin_optim_state, dict), _NEEDS + "a DCP-style optimizer state_dict.")
    state, groups = _checked_state(swapin_optim_state.get("state")), swapin_optim_state.get("param_groups")
    _need(isinstance(groups, list), _NEEDS + f"swapin_optim_state['param_groups'] to be a list of param-group dicts, got "
          f"{type(groups).__name__}.")
    _need(len(groups) == len(optimizer.param_groups),
          "swapin_optim_state has a different number of parameter groups than the live optimizer.")
    for i, (live, given) in enumerate(zip(optimizer.param_groups, groups)):
        _check_group(i, live, given)
    ids, tensors = [k for given in groups for k in given["params"]], list(swapin_parameters.values())
    _need(len(ids) <= len(tensors), _NEEDS + "the explicit parameter state to match optimizer.param_groups ordering.")
    extra = [k for k in state if k not in ids]
    _need(not extra, _NEEDS + "swapin_optim_state['state'] to be keyed only by packed parameter ids from param_groups[*]['params']; got "
          f"extra keys {extra!r}.")
    own_state, own_groups, rest = optimizer.state, [dict(group) for group in optimizer.param_groups], iter(tensors)
    try:
        for live, given in zip(optimizer.param_groups, groups):
            live.update(given)
            live["params"] = [next(rest) for _ in given["params"]]
        optimizer.state = defaultdict(dict, {p: dict(state.get(k, {})) for k, p in zip(ids, tensors)})
        yield
    finally:
        for live, own in zip(optimizer.param_groups, own_groups):
            live.clear()
            live.update(own)
        optimizer.state = own_state

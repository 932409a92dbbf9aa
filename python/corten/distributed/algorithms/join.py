# SPDX-License-Identifier: BSD-3-Clause
"""Join: training with uneven inputs, where ranks have different numbers of batches.

A rank that has run out of batches "shadows" the collectives of the others until all are done.

    with Join([model, optimizer]):          # or: with model.join():
        for batch in batches:
            loss = model(batch).sum()
            loss.backward()

A rank that leaves the loop calls the main hook of each object once for every batch of the remaining ranks, and the post
hook when all have left. Before each batch, the remaining ranks announce it with an all_reduce (`Join.notify_join_context`).
"""
import warnings
from abc import ABC, abstractmethod
from typing import NamedTuple

from ... import _C
from .. import distributed_c10d as c10d
from .._collectives import all_reduce

__all__ = ["Join", "JoinHook", "Joinable"]

_MANY = 1000  # warn after shadowing this many batches


class JoinHook:
    """What a rank does for one object after it has run out of batches. The base methods do nothing."""

    def main_hook(self):
        """Called once for each batch of the remaining ranks; must issue the collectives that they issue for it."""

    def post_hook(self, is_last_joiner):
        """Called once when all ranks are done. `is_last_joiner`: this rank was among the last."""


class Joinable(ABC):
    """Base class of objects that Join accepts. Subclasses must call its constructor and implement its methods."""

    @abstractmethod
    def __init__(self):
        super().__init__()
        self._join_config = _JoinConfig.construct_disabled_join_config()

    @abstractmethod
    def join_hook(self, **kwargs):
        """Returns a JoinHook; `kwargs` are the extra keywords of Join."""

    @property
    @abstractmethod
    def join_device(self):
        """The device for the collectives that announce batches."""

    @property
    @abstractmethod
    def join_process_group(self):
        """The process group of this object."""


class _JoinConfig(NamedTuple):
    """What an object knows about the Join context that it is in."""
    enable: bool
    throw_on_early_termination: bool
    is_first_joinable: bool

    @staticmethod
    def construct_disabled_join_config():
        """Returns the configuration of an object outside of any Join."""
        return _JoinConfig(False, False, False)


class Join:
    """Context manager for training with uneven inputs; see the module docstring.

    joinables: Joinable objects, which must share one process group. enable: False makes it a no-op.
    throw_on_early_termination: all ranks raise RuntimeError as soon as one runs out of batches, instead of shadowing.
    kwargs: passed to the join_hook method of every object.
    """

    def __init__(self, joinables, enable=True, throw_on_early_termination=False, **kwargs):
        if len(joinables) == 0:
            raise ValueError("The join context manager requires at least one joinable")
        self._joinables, self._enable, self._throw = joinables, enable, throw_on_early_termination
        self._join_hooks = [joinable.join_hook(**kwargs) for joinable in joinables]
        for i, joinable in enumerate(joinables):
            joinable._join_config = _JoinConfig(enable, throw_on_early_termination, i == 0)
        self._process_group, self._device = joinables[0].join_process_group, joinables[0].join_device
        if any(joinable.join_process_group != self._process_group for joinable in joinables):
            raise ValueError("Using join context manager with multiple process groups")
        self._rank = c10d.get_rank(self._process_group)

    def __enter__(self):
        return None

    def __exit__(self, kind, error, trace):
        if not self._enable or kind:
            return
        last, short = True, 0
        while self._sum(0) > 0:  # some ranks still have batches
            if self._throw:
                self._sum(1)
                raise RuntimeError(f"Rank {self._rank} exhausted all inputs.")
            if short > _MANY:
                warnings.warn(f"Detected uneven input skew of greater than {_MANY}. This means that rank {self._rank} has at least "
                              f"{_MANY} fewer inputs than other currently-active ranks. This level of skew could lead to performance "
                              "degradation during training.", stacklevel=2)
                short = float("-inf")
            for hook in self._join_hooks:
                hook.main_hook()
            last = False
            short += 1
        for hook in self._join_hooks:
            hook.post_hook(last)

    def _sum(self, mine):
        total = _C.full((1,), float(mine), device=self._device)
        all_reduce(total, group=self._process_group)
        return total.item()

    @staticmethod
    def notify_join_context(joinable):
        """Announces a batch of this rank; call it before the collectives of the batch. Returns the Work, or None outside of Join."""
        if not hasattr(joinable, "_join_config"):
            raise AssertionError(f"Check that the {type(joinable)} constructor calls the ``Joinable`` constructor")
        config = joinable._join_config
        if not config.is_first_joinable or not config.enable:
            return None
        group, device = joinable.join_process_group, joinable.join_device
        work = all_reduce(_C.ones(1, device=device), group=group, async_op=True)
        if config.throw_on_early_termination:
            done = _C.zeros(1, device=device)
            all_reduce(done, group=group)
            if done.item():
                raise RuntimeError("Detected at least one rank that exhausted inputs. Throwing across all ranks.")
        return work

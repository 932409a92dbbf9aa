# SPDX-License-Identifier: BSD-3-Clause
"""Learning-rate schedulers: formulas of the epoch, and combinations of other schedulers.

Most of them multiply the current `lr` of each group by a factor, so several can act on one optimizer. The closed forms
are used if a program passes an epoch to step(). Cyclic schedules are in _lr_cycles.py.
"""
import math
import types
import warnings
from bisect import bisect_right
from collections import Counter

from .._C import Tensor  # noqa: F401
from ._lr_base import EPOCH_DEPRECATION_WARNING, LRScheduler, set_value, values_of
from ._lr_cycles import CosineAnnealingWarmRestarts, CyclicLR, OneCycleLR
from .optimizer import Optimizer

__all__ = ['ChainedScheduler', 'ConstantLR', 'CosineAnnealingLR', 'CosineAnnealingWarmRestarts',
           'CyclicLR', 'ExponentialLR', 'LRScheduler', 'LambdaLR', 'LinearLR', 'MultiStepLR',
           'MultiplicativeLR', 'OneCycleLR', 'PolynomialLR', 'ReduceLROnPlateau', 'SequentialLR',
           'StepLR']


def _state_of(function):
    """Return what a state dict stores for a function: the attributes of a callable object, None for a plain function."""
    return None if isinstance(function, types.FunctionType) else function.__dict__.copy()


_LRScheduler = LRScheduler


class _Functions(LRScheduler):
    """Base of schedulers that call a function of the epoch, or one per group."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.optimizer = optimizer
        groups = len(optimizer.param_groups)
        several = isinstance(lr_lambda, (list, tuple))
        if several and len(lr_lambda) != groups:
            raise ValueError(f'Expected {groups} lr_lambdas, but got {len(lr_lambda)}')
        self.lr_lambdas = list(lr_lambda) if several else [lr_lambda] * groups
        self._check_functions()
        super().__init__(optimizer, last_epoch)

    def _check_functions(self):
        pass

    def state_dict(self):
        """Return the state as a dictionary, to be saved in a checkpoint.

        Plain functions and lambdas are left out; of a callable object the attributes are kept.
        """
        state = {k: v for k, v in self.__dict__.items() if k not in ('optimizer', 'lr_lambdas')}
        state['lr_lambdas'] = [_state_of(f) for f in self.lr_lambdas]
        return state

    def load_state_dict(self, state_dict):
        """Restore the state from a result of state_dict().

        Args:
            state_dict: the dictionary. Functions stay those given to the constructor; attributes of callable objects are
                restored.
        """
        self.__dict__.update({k: v for k, v in state_dict.items() if k != 'lr_lambdas'})
        for function, kept in zip(self.lr_lambdas, state_dict['lr_lambdas']):
            if kept is not None:
                function.__dict__.update(kept)


class LambdaLR(_Functions):
    """Set the rate to its base value times a function of the epoch.

    With epoch t = 0, 1, 2, ... and the initial rate base: lr(t) = base * lr_lambda(t).

    Args:
        optimizer: the optimizer whose rates change.
        lr_lambda: a function from the epoch to a factor, or a list with one function per group.
        last_epoch: -1 to start, or the epoch to resume after; see LRScheduler. Default: -1

    With base 1 and lr_lambda(t) = 1 / (1 + t)::

        epoch  0      1      2      3      4
        lr     1      0.5    0.333  0.25   0.2

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda t: 1 / (1 + t))
        >>> rates = []
        >>> for _ in range(5):
        ...     rates.append(round(schedule.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     schedule.step()
        >>> rates
        [1.0, 0.5, 0.333, 0.25, 0.2]
    """

    def get_lr(self):
        """Return the rates of the current epoch, one per group; step() calls it."""
        self._warn_outside_step()
        return [base * f(self.last_epoch)
                for f, base in zip(self.lr_lambdas, self.base_lrs, strict=True)]


class MultiplicativeLR(_Functions):
    """Multiply the rate by a function of the epoch.

    With epoch t = 1, 2, ... and the initial rate base: lr(t) = lr(t - 1) * lr_lambda(t), and lr(0) = base. The function
    returns the ratio of two consecutive rates; for LambdaLR it returns the ratio to the base rate.

    Args:
        optimizer: the optimizer whose rates change.
        lr_lambda: a function from the epoch to a factor, or a list with one function per group.
        last_epoch: -1 to start, or the epoch to resume after; see LRScheduler. Default: -1

    With base 1, halved at every even epoch::

        epoch  0     1     2     3     4
        lr     1     1     0.5   0.5   0.25

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.MultiplicativeLR(optimizer, lambda t: 0.5 if t % 2 == 0 else 1.)
        >>> rates = []
        >>> for _ in range(5):
        ...     rates.append(round(schedule.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     schedule.step()
        >>> rates
        [1.0, 1.0, 0.5, 0.5, 0.25]
    """

    def _check_functions(self):
        for f in self.lr_lambdas:
            if not callable(f):
                raise TypeError(f'lr_lambda should be a function, but got {type(f).__name__}')

    def get_lr(self):
        """Return the rates of the current epoch, one per group; step() calls it."""
        if self._is_initial:
            return self._scaled(None)
        self._warn_outside_step()
        return [group['lr'] * f(self.last_epoch)
                for f, group in zip(self.lr_lambdas, self.optimizer.param_groups, strict=True)]


class StepLR(LRScheduler):
    """Multiply the rate by gamma every step_size epochs.

    With epoch t = 0, 1, 2, ... and the initial rate base: lr(t) = base * gamma^floor(t / step_size).

    Args:
        optimizer: the optimizer whose rates change.
        step_size: the number of epochs between two changes.
        gamma: the factor. Default: 0.1
        last_epoch: -1 to start, or the epoch to resume after; see LRScheduler. Default: -1

    With base 1 and step_size 2::

        epoch  0     1     2     3     4     5
        lr     1     1     0.1   0.1   0.01  0.01

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2)
        >>> rates = []
        >>> for _ in range(6):
        ...     rates.append(round(schedule.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     schedule.step()
        >>> rates
        [1.0, 1.0, 0.1, 0.1, 0.01, 0.01]
    """

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """Return the rates of the current epoch, one per group; step() calls it."""
        keeps = self.last_epoch == 0 or self.last_epoch % self.step_size != 0
        return self._scaled(None if keeps else self.gamma)

    def _get_closed_form_lr(self):
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Multiply the rate by gamma at each of the given epochs.

    With epoch t = 0, 1, 2, ... and the initial rate base: lr(t) = base * gamma^(number of milestones that are at most t).

    Args:
        optimizer: the optimizer whose rates change.
        milestones: the epochs at which the rate changes; one that is listed twice counts twice.
        gamma: the factor. Default: 0.1
        last_epoch: -1 to start, or the epoch to resume after; see LRScheduler. Default: -1

    With base 1 and milestones [2, 5]::

        epoch  0     1     2     3     4     5
        lr     1     1     0.1   0.1   0.1   0.01

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[2, 5])
        >>> rates = []
        >>> for _ in range(6):
        ...     rates.append(round(schedule.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     schedule.step()
        >>> rates
        [1.0, 1.0, 0.1, 0.1, 0.1, 0.01]
    """

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """Return the rates of the current epoch, one per group; step() calls it."""
        times = self.milestones.get(self.last_epoch)
        return self._scaled(None if times is None else self.gamma ** times)

    def _get_closed_form_lr(self):
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma ** passed for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """Hold the rate at a fraction of its base value for the first epochs.

    With epoch t = 0, 1, 2, ... and the initial rate base: lr(t) = base * factor if t < total_iters, otherwise base.

    Args:
        optimizer: the optimizer whose rates change.
        factor: the fraction, from 0 to 1. Default: 1/3
        total_iters: the number of epochs with the reduced rate. Default: 5
        last_epoch: -1 to start, or the epoch to resume after; see LRScheduler. Default: -1

    With base 1, factor 0.5 and total_iters 3::

        epoch  0    1    2    3    4
        lr     0.5  0.5  0.5  1    1

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.ConstantLR(optimizer, factor=0.5, total_iters=3)
        >>> rates = []
        >>> for _ in range(5):
        ...     rates.append(round(schedule.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     schedule.step()
        >>> rates
        [0.5, 0.5, 0.5, 1.0, 1.0]
    """

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if factor > 1.0 or factor < 0:
            raise ValueError('Constant multiplicative factor expected to be between 0 and 1.')
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """Return the rates of the current epoch, one per group; step() calls it."""
        if self.last_epoch == 0:
            return self._scaled(self.factor)
        return self._scaled(1.0 / self.factor if self.last_epoch == self.total_iters else None)

    def _get_closed_form_lr(self):
        factor = self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor)
        return [base * factor for base in self.base_lrs]


class LinearLR(LRScheduler):
    """Change the rate linearly from one fraction of its base value to another, for example as a warmup.

    With the initial rate base, epoch t = 0, 1, 2, ... and s = min(t / total_iters, 1):
    lr(t) = base * (start_factor + (end_factor - start_factor) * s).

    Args:
        optimizer: the optimizer whose rates change.
        start_factor: the fraction at epoch 0, greater than 0 and at most 1. Default: 1/3
        end_factor: the fraction from epoch total_iters on, from 0 to 1. Default: 1.0
        total_iters: the number of epochs between the two. Default: 5
        last_epoch: -1 to start, or the epoch to resume after; see LRScheduler. Default: -1

    With base 1, start_factor 0.2 and total_iters 4::

        epoch  0    1    2    3    4    5
        lr     0.2  0.4  0.6  0.8  1    1

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.2, total_iters=4)
        >>> rates = []
        >>> for _ in range(6):
        ...     rates.append(round(schedule.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     schedule.step()
        >>> rates
        [0.2, 0.4, 0.6, 0.8, 1.0, 1.0]
    """

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5,
                 last_epoch=-1):
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError('Starting multiplicative factor expected to be greater than 0 and '
                             'less or equal to 1.')
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError('Ending multiplicative factor expected to be between 0 and 1.')
        self.start_factor, self.end_factor = start_factor, end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """Return the rates of the current epoch, one per group; step() calls it."""
        if self.last_epoch == 0:
            return self._scaled(self.start_factor)
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._scaled(None)
        rise = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (self.last_epoch - 1) * rise
        return self._scaled(1.0 + rise / before)

    def _get_closed_form_lr(self):
        rise = self.end_factor - self.start_factor
        epoch = min(self.total_iters, self.last_epoch)
        return [base * (self.start_factor + rise * epoch / self.total_iters)
                for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Multiply the rate by gamma every epoch.

    With epoch t = 0, 1, 2, ... and the initial rate base: lr(t) = base * gamma^t.

    Args:
        optimizer: the optimizer whose rates change.
        gamma: the factor.
        last_epoch: -1 to start, or the epoch to resume after; see LRScheduler. Default: -1

    With base 1 and gamma 0.5::

        epoch  0      1      2      3      4
        lr     1      0.5    0.25   0.125  0.062

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
        >>> rates = []
        >>> for _ in range(5):
        ...     rates.append(round(schedule.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     schedule.step()
        >>> rates
        [1.0, 0.5, 0.25, 0.125, 0.062]
    """

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """Return the rates of the current epoch, one per group; step() calls it."""
        return self._scaled(None if self._is_initial else self.gamma)

    def _get_closed_form_lr(self):
        return [base * self.gamma ** self.last_epoch for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """Decay the rate to zero in total_iters epochs, as a power of the remaining share.

    With epoch t = 0, 1, 2, ... and the initial rate base: lr(t) = base * (1 - min(t / total_iters, 1))^power.

    Args:
        optimizer: the optimizer whose rates change.
        total_iters: the number of epochs until the rate is zero, where it stays. Default: 5
        power: the exponent; 1 decays linearly. Default: 1.0
        last_epoch: -1 to start, or the epoch to resume after; see LRScheduler. Default: -1

    With base 1, total_iters 4 and power 2::

        epoch  0      1      2      3      4      5
        lr     1      0.562  0.25   0.062  0      0

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=4, power=2.)
        >>> rates = []
        >>> for _ in range(6):
        ...     rates.append(round(schedule.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     schedule.step()
        >>> rates
        [1.0, 0.562, 0.25, 0.062, 0.0, 0.0]
    """

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """Return the rates of the current epoch, one per group; step() calls it."""
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._scaled(None)
        left = 1.0 - self.last_epoch / self.total_iters
        before = 1.0 - (self.last_epoch - 1) / self.total_iters
        return self._scaled((left / before) ** self.power)

    def _get_closed_form_lr(self):
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * left ** self.power for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """Anneal the rate along half a cosine (Loshchilov and Hutter, 2016, without restarts).

    With epoch t = 0, 1, 2, ... and the initial rate base: lr(t) = eta_min + (base - eta_min) * (1 + cos(pi * t / T_max)) / 2.

    After T_max epochs the cosine rises again, so stop there, or use CosineAnnealingWarmRestarts for repeated cycles. Each step
    computes the rate from the current one, so other schedulers can act on the same optimizer.

    Args:
        optimizer: the optimizer whose rates change.
        T_max: the number of epochs from the base rate to eta_min.
        eta_min: the lowest rate. Default: 0.0
        last_epoch: -1 to start, or the epoch to resume after; see LRScheduler. Default: -1

    With base 1 and T_max 4::

        epoch  0      1      2      3      4      5
        lr     1      0.854  0.5    0.146  0      0.146

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4)
        >>> rates = []
        >>> for _ in range(6):
        ...     rates.append(round(schedule.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     schedule.step()
        >>> rates
        [1.0, 0.854, 0.5, 0.146, 0.0, 0.146]
    """

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """Return the rates of the current epoch, one per group; step() calls it."""
        if self._is_initial:
            return self._scaled(None)
        self._warn_outside_step()
        if self._step_count == 1 and self.last_epoch > 0:
            return self._get_closed_form_lr()
        groups = self.optimizer.param_groups
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:  # leaves the minimum
            rise = 1 - math.cos(math.pi / self.T_max)
            return [group['lr'] + (base - self.eta_min) * rise / 2
                    for base, group in zip(self.base_lrs, groups, strict=True)]
        factor = ((1 + math.cos(math.pi * self.last_epoch / self.T_max))
                  / (1 + math.cos(math.pi * (self.last_epoch - 1) / self.T_max)))
        return [factor * (group['lr'] - self.eta_min) + self.eta_min for group in groups]

    def _get_closed_form_lr(self):
        height = 1 + math.cos(math.pi * self.last_epoch / self.T_max)
        return [self.eta_min + (base - self.eta_min) * height / 2 for base in self.base_lrs]


class _Several(LRScheduler):
    """Base of schedulers that combine other schedulers of one optimizer."""

    def _check(self, schedulers, optimizer):
        name = type(self).__name__
        for i, scheduler in enumerate(schedulers):
            if not hasattr(scheduler, 'optimizer'):
                raise TypeError(f'{name} at index {i} should have `optimizer` as its attribute.')
            if isinstance(scheduler, ReduceLROnPlateau):
                raise ValueError(
                    f'{name} does not support `ReduceLROnPlateau` scheduler as it requires '
                    'additional kwargs to be specified when calling `step`, but got one at index '
                    f'{i} in the given schedulers sequence.')
            if optimizer != scheduler.optimizer:
                raise ValueError(
                    f'{name} expects all schedulers to belong to the same optimizer, but got '
                    f'scheduler {type(scheduler).__name__} at index {i} has '
                    f'{scheduler.optimizer}, which is different from {type(optimizer).__name__}.')

    def state_dict(self):
        """Return the state as a dictionary, including the states of the inner schedulers."""
        state = {k: v for k, v in self.__dict__.items() if k not in ('optimizer', '_schedulers')}
        state['_schedulers'] = [s.state_dict() for s in self._schedulers]
        return state

    def load_state_dict(self, state_dict):
        """Restore the state, including those of the inner schedulers, from a result of state_dict().

        Args:
            state_dict: the dictionary.
        """
        self.__dict__.update({k: v for k, v in state_dict.items() if k != '_schedulers'})
        for scheduler, state in zip(self._schedulers, state_dict['_schedulers']):
            scheduler.load_state_dict(state)


class SequentialLR(_Several):
    """Run one scheduler after the other; each starts its own epoch 0 when its turn comes.

    Args:
        optimizer: the optimizer that all the schedulers act on.
        schedulers: the list of schedulers, in order; ReduceLROnPlateau cannot be one of them.
        milestones: the epochs at which the next scheduler takes over, one fewer than schedulers.
        last_epoch: -1 to start. Default: -1

    A warmup of 3 epochs, then exponential decay, with base 1::

        epoch  0     1     2     3     4     5
        lr     0.25  0.5   0.75  1     0.5   0.25

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> first = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.25, total_iters=3)
        >>> second = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
        >>> schedule = torch.optim.lr_scheduler.SequentialLR(optimizer, [first, second], milestones=[3])
        >>> rates = []
        >>> for _ in range(6):
        ...     rates.append(round(schedule.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     schedule.step()
        >>> rates
        [0.25, 0.5, 0.75, 1.0, 0.5, 0.25]
    """

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        if len(schedulers) < 1:
            raise ValueError(f'{type(self).__name__} expects at least one scheduler, but got no '
                             'scheduler.')
        self._check(schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                'Sequential Schedulers expects number of schedulers provided to be one more than '
                f'the number of milestone points, but got number of schedulers {len(schedulers)} '
                f'and the number of milestones to be equal to {len(milestones)}')
        self._schedulers, self._milestones = schedulers, milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        for group in optimizer.param_groups:  # undo the first step that each scheduler made
            set_value(group, 'lr', group['initial_lr'])
        self.recursive_undo()
        first = schedulers[bisect_right(milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def recursive_undo(self, sched=None):
        """Move the epoch of the schedulers back by one, inner ones included.

        Args:
            sched: the scheduler to move back. Default: this one
        """
        sched = self if sched is None else sched
        if hasattr(sched, '_schedulers'):
            for inner in sched._schedulers:
                self.recursive_undo(inner)
        elif hasattr(sched, 'last_epoch'):
            sched.last_epoch -= 1

    def step(self):
        """Advance by one epoch: step the scheduler whose turn it is."""
        self.last_epoch += 1
        i = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[i]
        if i > 0 and self._milestones[i - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(_Several):
    """Step several schedulers at once, each acting on the result of the one before.

    The schedulers multiply the current rate, so their factors multiply: lr(t) = base * f1(t) * f2(t) * ...

    Args:
        schedulers: the list of schedulers, all for one optimizer; ReduceLROnPlateau cannot be one of them.
        optimizer: that optimizer. Default: None, for the first scheduler's

    A reduced rate for 2 epochs times exponential decay, with base 1::

        epoch  0      1      2      3      4
        lr     0.1    0.05   0.25   0.125  0.062

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> low_start = torch.optim.lr_scheduler.ConstantLR(optimizer, factor=0.1, total_iters=2)
        >>> decay = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
        >>> schedule = torch.optim.lr_scheduler.ChainedScheduler([low_start, decay])
        >>> rates = []
        >>> for _ in range(5):
        ...     rates.append(round(schedule.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     schedule.step()
        >>> rates
        [0.1, 0.05, 0.25, 0.125, 0.062]
    """

    def __init__(self, schedulers, optimizer=None):
        if len(schedulers) < 1:
            raise ValueError(f'{type(self).__name__} expects at least one scheduler to be '
                             'chained, but got no scheduler.')
        optimizer = optimizer or schedulers[0].optimizer
        self._check(schedulers, optimizer)
        self._schedulers, self.optimizer = schedulers, optimizer
        self._last_lr = values_of(optimizer, 'lr')

    def step(self):
        """Advance all schedulers by one epoch, in order."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = values_of(self.optimizer, 'lr')


class ReduceLROnPlateau(LRScheduler):
    """Multiply the rate by a factor when a metric stops improving.

    After each epoch, call step(metric). An epoch is bad if its metric is not better than the best so far by the threshold. After
    more than `patience` bad epochs in a row: lr = max(lr * factor, min_lr).

    Args:
        optimizer: the optimizer whose rates change.
        mode: 'min' if lower is better, such as a loss; 'max' if higher is better, such as accuracy. Default: 'min'
        factor: the factor, below 1. Default: 0.1
        patience: the number of bad epochs in a row to tolerate. Default: 10
        threshold: the smallest improvement that counts. Default: 1e-4
        threshold_mode: 'rel' if the threshold is a fraction of the best metric, 'abs' if it is in the metric's units.
            Default: 'rel'
        cooldown: the number of epochs after a change in which no bad epochs are counted. Default: 0
        min_lr: the lowest rate, one number or a list with one per group. Default: 0
        eps: a change of the rate smaller than this is not made. Default: 1e-8

    NaN counts as bad: it is never better. With patience 1, lr drops at the second bad epoch in a row::

        metric  3  2  2  2    1    1    1
        lr      1  1  1  0.1  0.1  0.1  0.01

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
        >>> rates = []
        >>> for metric in [3., 2., 2., 2., 1., 1., 1.]:
        ...     schedule.step(metric)
        ...     rates.append(round(schedule.get_last_lr()[0], 3))
        >>> rates
        [1.0, 1.0, 1.0, 0.1, 0.1, 0.1, 0.01]
    """

    def __init__(self, optimizer, mode='min', factor=0.1, patience=10, threshold=1e-4,
                 threshold_mode='rel', cooldown=0, min_lr=0, eps=1e-8):
        if factor >= 1.0:
            raise ValueError('Factor should be < 1.0.')
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f'{type(optimizer).__name__} is not an Optimizer')
        self.factor, self.optimizer = factor, optimizer
        groups, several = len(optimizer.param_groups), isinstance(min_lr, (list, tuple))
        if several and len(min_lr) != groups:
            raise ValueError(f'expected {groups} min_lrs, got {len(min_lr)}')
        self.default_min_lr = None if several else min_lr
        self.min_lrs = list(min_lr) if several else [min_lr] * groups
        self.patience, self.cooldown, self.eps = patience, cooldown, eps
        self.last_epoch = 0
        self._last_lr = values_of(optimizer, 'lr')
        self._init_is_better(mode, threshold, threshold_mode)
        self._reset()

    def _reset(self):
        self.best = self.mode_worse
        self.cooldown_counter = self.num_bad_epochs = 0

    def step(self, metrics, epoch=None):
        """Take note of an epoch's metric, and reduce the rate if it has stopped improving.

        Args:
            metrics: the metric of this epoch, a number or a one-element tensor.
            epoch: deprecated: the number of this epoch.
        """
        current = float(metrics)
        if epoch is None:
            epoch = self.last_epoch + 1
        else:
            warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning, stacklevel=2)
        self.last_epoch = epoch
        if self._is_better(current, self.best):
            self.best, self.num_bad_epochs = current, 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce_lr(epoch)
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = values_of(self.optimizer, 'lr')

    def _reduce_lr(self, epoch):
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError(
                    f'The number of param groups in the `optimizer` ({len(groups)}) differs from '
                    f'when `ReduceLROnPlateau` was initialized ({len(self.min_lrs)}), usually due '
                    'to a new param group being added to the optimizer. Please modify the '
                    '`min_lrs` field to match the length of the `optimizer` param groups.')
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, least in zip(groups, self.min_lrs):
            old = float(group['lr'])
            new = max(old * self.factor, least)
            if old - new > self.eps:
                set_value(group, 'lr', new)

    @property
    def in_cooldown(self):
        """Whether bad epochs are currently not counted, because the rate was just reduced."""
        return self.cooldown_counter > 0

    def _is_better(self, a, best):
        relative = self.threshold_mode == 'rel'
        if self.mode == 'min':
            return a < (best * (1.0 - self.threshold) if relative else best - self.threshold)
        return a > (best * (self.threshold + 1.0) if relative else best + self.threshold)

    def _init_is_better(self, mode, threshold, threshold_mode):
        if mode not in {'min', 'max'}:
            raise ValueError('mode ' + mode + ' is unknown!')
        if threshold_mode not in {'rel', 'abs'}:
            raise ValueError('threshold mode ' + threshold_mode + ' is unknown!')
        self.mode_worse = math.inf if mode == 'min' else -math.inf
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode

    def load_state_dict(self, state_dict):
        """Restore the state from a result of state_dict().

        Args:
            state_dict: the dictionary.
        """
        self.__dict__.update(state_dict)
        self._init_is_better(self.mode, self.threshold, self.threshold_mode)

# SPDX-License-Identifier: BSD-3-Clause
"""Learning rates that change with time.

A scheduler changes the `lr` of each group in place, mostly by a factor of the current one, so that
several can act on one optimizer; the closed forms serve when an epoch is given. Cycles are in
_lr_cycles.py.
"""
import math
import types
import warnings
from bisect import bisect_right
from collections import Counter

from .._C import Tensor
from ._lr_base import EPOCH_DEPRECATION_WARNING, LRScheduler, set_value, values_of
from ._lr_cycles import CosineAnnealingWarmRestarts, CyclicLR, OneCycleLR
from .optimizer import Optimizer

__all__ = ['ChainedScheduler', 'ConstantLR', 'CosineAnnealingLR', 'CosineAnnealingWarmRestarts',
           'CyclicLR', 'ExponentialLR', 'LRScheduler', 'LambdaLR', 'LinearLR', 'MultiStepLR',
           'MultiplicativeLR', 'OneCycleLR', 'PolynomialLR', 'ReduceLROnPlateau', 'SequentialLR',
           'StepLR']

def _state_of(function):
    """What a state dict keeps of a function: the attributes of a callable object."""
    return None if isinstance(function, types.FunctionType) else function.__dict__.copy()


_LRScheduler = LRScheduler


class _Functions(LRScheduler):
    """Schedulers of a function of the epoch for each group."""

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
        """Functions are kept by their attributes, and only if they are callable objects."""
        state = {k: v for k, v in self.__dict__.items() if k not in ('optimizer', 'lr_lambdas')}
        state['lr_lambdas'] = [_state_of(f) for f in self.lr_lambdas]
        return state

    def load_state_dict(self, state_dict):
        """Takes a state dict over."""
        self.__dict__.update({k: v for k, v in state_dict.items() if k != 'lr_lambdas'})
        for function, kept in zip(self.lr_lambdas, state_dict['lr_lambdas']):
            if kept is not None:
                function.__dict__.update(kept)


class LambdaLR(_Functions):
    """The initial learning rate times a function of the epoch.

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.5 ** epoch)
        >>> for _ in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        >>> schedule.get_last_lr()
        [0.25]
    """

    def get_lr(self):
        self._warn_outside_step()
        return [base * f(self.last_epoch)
                for f, base in zip(self.lr_lambdas, self.base_lrs, strict=True)]


class MultiplicativeLR(_Functions):
    """The current learning rate times a function of the epoch.

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.MultiplicativeLR(optimizer, lambda epoch: 0.5)
        >>> for _ in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        >>> schedule.get_last_lr()
        [0.25]
    """

    def _check_functions(self):
        for f in self.lr_lambdas:
            if not callable(f):
                raise TypeError(f'lr_lambda should be a function, but got {type(f).__name__}')

    def get_lr(self):
        if self._is_initial:
            return self._scaled(None)
        self._warn_outside_step()
        return [group['lr'] * f(self.last_epoch)
                for f, group in zip(self.lr_lambdas, self.optimizer.param_groups, strict=True)]


class StepLR(LRScheduler):
    """A factor `gamma` every `step_size` epochs.

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)
        >>> for _ in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        >>> schedule.get_last_lr()
        [0.010000000000000002]
    """

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        keeps = self.last_epoch == 0 or self.last_epoch % self.step_size != 0
        return self._scaled(None if keeps else self.gamma)

    def _get_closed_form_lr(self):
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """A factor `gamma` at each of the milestones.

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1, 2])
        >>> for _ in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        >>> schedule.get_last_lr()
        [0.010000000000000002]
    """

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        times = self.milestones.get(self.last_epoch)
        return self._scaled(None if times is None else self.gamma ** times)

    def _get_closed_form_lr(self):
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma ** passed for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """A factor for the first `total_iters` epochs.

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.ConstantLR(optimizer, factor=0.5, total_iters=2)
        >>> for _ in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        >>> schedule.get_last_lr()
        [1.0]
    """

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if factor > 1.0 or factor < 0:
            raise ValueError('Constant multiplicative factor expected to be between 0 and 1.')
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0:
            return self._scaled(self.factor)
        return self._scaled(1.0 / self.factor if self.last_epoch == self.total_iters else None)

    def _get_closed_form_lr(self):
        factor = self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor)
        return [base * factor for base in self.base_lrs]


class LinearLR(LRScheduler):
    """A factor that moves linearly from one value to another.

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.LinearLR(optimizer)
        >>> for _ in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        >>> schedule.get_last_lr()
        [0.6000000000000001]
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
    """A factor `gamma` every epoch.

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
        >>> for _ in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        >>> schedule.get_last_lr()
        [0.25]
    """

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._scaled(None if self._is_initial else self.gamma)

    def _get_closed_form_lr(self):
        return [base * self.gamma ** self.last_epoch for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """Down to zero in `total_iters` epochs, as a power of the epochs that are left.

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=4)
        >>> for _ in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        >>> schedule.get_last_lr()
        [0.5]
    """

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._scaled(None)
        left = 1.0 - self.last_epoch / self.total_iters
        before = 1.0 - (self.last_epoch - 1) / self.total_iters
        return self._scaled((left / before) ** self.power)

    def _get_closed_form_lr(self):
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * left ** self.power for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """Half a cosine from the initial learning rate down to `eta_min`, and back.

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4)
        >>> for _ in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        >>> schedule.get_last_lr()
        [0.5]
    """

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
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
    """Schedulers made of others, all of one optimizer."""

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
        """With the state dicts of the schedulers."""
        state = {k: v for k, v in self.__dict__.items() if k not in ('optimizer', '_schedulers')}
        state['_schedulers'] = [s.state_dict() for s in self._schedulers]
        return state

    def load_state_dict(self, state_dict):
        """Takes a state dict over."""
        self.__dict__.update({k: v for k, v in state_dict.items() if k != '_schedulers'})
        for scheduler, state in zip(self._schedulers, state_dict['_schedulers']):
            scheduler.load_state_dict(state)


class SequentialLR(_Several):
    """One scheduler after the other, changing at the milestones."""

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
        for group in optimizer.param_groups:  # each scheduler has made its first step: undone
            set_value(group, 'lr', group['initial_lr'])
        self.recursive_undo()
        first = schedulers[bisect_right(milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def recursive_undo(self, sched=None):
        """Takes a step of the schedulers back."""
        sched = self if sched is None else sched
        if hasattr(sched, '_schedulers'):
            for inner in sched._schedulers:
                self.recursive_undo(inner)
        elif hasattr(sched, 'last_epoch'):
            sched.last_epoch -= 1

    def step(self):
        """Steps the scheduler whose turn it is."""
        self.last_epoch += 1
        i = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[i]
        if i > 0 and self._milestones[i - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(_Several):
    """Several schedulers at once."""

    def __init__(self, schedulers, optimizer=None):
        if len(schedulers) < 1:
            raise ValueError(f'{type(self).__name__} expects at least one scheduler to be '
                             'chained, but got no scheduler.')
        optimizer = optimizer or schedulers[0].optimizer
        self._check(schedulers, optimizer)
        self._schedulers, self.optimizer = schedulers, optimizer
        self._last_lr = values_of(optimizer, 'lr')

    def step(self):
        """Steps all of them."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = values_of(self.optimizer, 'lr')


class ReduceLROnPlateau(LRScheduler):
    """A factor whenever a measure has not become better for `patience` epochs."""

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
        """Looks at the measure of an epoch."""
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
        """Takes a state dict over."""
        self.__dict__.update(state_dict)
        self._init_is_better(self.mode, self.threshold, self.threshold_mode)

# SPDX-License-Identifier: BSD-3-Clause
"""Schedulers whose learning rate goes up and down: cycles, one cycle, restarts. Momentum, or the
first of `betas`, may move against the learning rate."""
import math
import types

from ._lr_base import LRScheduler, copied, set_value, values_of
from .optimizer import Optimizer


def for_groups(name, optimizer, value):
    """A value for each group."""
    groups = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        value = [value] * groups
    elif len(value) != groups:
        raise ValueError(f'{name} must have the same length as optimizer.param_groups. {name} has '
                         f'{len(value)} values, param_groups has {groups}.')
    return [copied(v) for v in value]


class _Cycle(LRScheduler):
    """What cycles of momentum share."""

    def _begin(self, optimizer):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f'{type(optimizer).__name__} is not an Optimizer')
        self.optimizer = optimizer

    def _begin_momentum(self, base_momentum, max_momentum, last_epoch):
        """The bounds of each group's momentum, which starts at the upper one."""
        optimizer = self.optimizer
        if not {'momentum', 'betas'} & set(optimizer.defaults):
            raise ValueError('optimizer must support momentum or beta1 with `cycle_momentum` '
                             'option enabled')
        self.use_beta1 = 'betas' in optimizer.defaults
        lower = for_groups('base_momentum', optimizer, base_momentum)
        upper = for_groups('max_momentum', optimizer, max_momentum)
        if last_epoch == -1:
            for low, high, group in zip(lower, upper, optimizer.param_groups, strict=True):
                self._set_momentum(group, high)
                group['max_momentum'], group['base_momentum'] = high, low
        return lower, upper

    def _set_momentum(self, group, value):
        if self.use_beta1:
            group['betas'] = (value, *group['betas'][1:])
        else:
            group['momentum'] = value


class CyclicLR(_Cycle):
    """Up from `base_lr` to `max_lr` and down again, over and over.

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.CyclicLR(optimizer, base_lr=0.1, max_lr=1., step_size_up=2)
        >>> for _ in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        >>> schedule.get_last_lr()
        [1.0]
    """

    def __init__(self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None,
                 mode='triangular', gamma=1.0, scale_fn=None, scale_mode='cycle',
                 cycle_momentum=True, base_momentum=0.8, max_momentum=0.9, last_epoch=-1):
        self._begin(optimizer)
        base_lrs = for_groups('base_lr', optimizer, base_lr)
        if last_epoch == -1:
            for lr, group in zip(base_lrs, optimizer.param_groups, strict=True):
                set_value(group, 'lr', lr)
        self.max_lrs = for_groups('max_lr', optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        if mode not in ('triangular', 'triangular2', 'exp_range') and scale_fn is None:
            raise ValueError('mode is invalid and scale_fn is None')
        self.mode, self.gamma = mode, gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode
        if scale_fn is None:
            self.scale_mode = 'iterations' if mode == 'exp_range' else 'cycle'
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.base_momentums, self.max_momentums = self._begin_momentum(
                base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def scale_fn(self, x):
        """How high the cycle (or iteration) x goes."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == 'triangular':
            return 1.0
        return 1 / (2.0 ** (x - 1)) if self.mode == 'triangular2' else self.gamma ** x

    def get_lr(self):
        self._warn_outside_step()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        along = (x / self.step_ratio if x <= self.step_ratio
                 else (x - 1) / (self.step_ratio - 1))
        scale = self.scale_fn(cycle if self.scale_mode == 'cycle' else self.last_epoch)
        if self.cycle_momentum:
            for low, high, group in zip(self.base_momentums, self.max_momentums,
                                        self.optimizer.param_groups, strict=True):
                self._set_momentum(group, high - (high - low) * along * scale)
        return [low + (high - low) * along * scale
                for low, high in zip(self.base_lrs, self.max_lrs, strict=True)]

    def state_dict(self):
        """A scale function of the user's is kept by its attributes, if it is an object."""
        state = super().state_dict()
        fn = state.pop('_scale_fn_custom')
        state['_scale_fn_custom'] = (None if fn is None or isinstance(fn, types.FunctionType)
                                     else fn.__dict__.copy())
        return state

    def load_state_dict(self, state_dict):
        """Takes a state dict over."""
        super().load_state_dict({k: v for k, v in state_dict.items() if k != '_scale_fn_custom'})
        if state_dict['_scale_fn_custom'] is not None:
            self._scale_fn_custom.__dict__.update(state_dict['_scale_fn_custom'])


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a cosine down to `eta_min`, restarted after T_0, T_0 * T_mult, ... epochs.

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=2)
        >>> for _ in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        >>> schedule.get_last_lr()
        [1.0]
    """

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f'Expected positive integer T_0, but got {T_0}')
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f'Expected integer T_mult >= 1, but got {T_mult}')
        if not isinstance(eta_min, (float, int)):
            raise ValueError(f'Expected float or int eta_min, but got {eta_min} of type '
                             f'{type(eta_min)}')
        self.T_0 = self.T_i = T_0
        self.T_mult, self.eta_min, self.T_cur = T_mult, eta_min, last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        self._warn_outside_step()
        height = 1 + math.cos(math.pi * self.T_cur / self.T_i)
        return [self.eta_min + (base - self.eta_min) * height / 2 for base in self.base_lrs]

    def step(self, epoch=None):
        """Moves on by one epoch, or to a (fractional) epoch."""
        if epoch is None and self.last_epoch >= 0:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        else:
            epoch = 0 if epoch is None else epoch
            self._move_to(epoch)
        self.last_epoch = math.floor(epoch)
        with self._asking():
            values = self.get_lr()
        self._set_lr(values)

    def _move_to(self, epoch):
        if epoch < 0:
            raise ValueError(f'Expected non-negative epoch, but got {epoch}')
        if epoch < self.T_0:
            self.T_i, self.T_cur = self.T_0, epoch
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            n = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult ** n - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult ** n


class OneCycleLR(_Cycle):
    """Once up to `max_lr`, then down far below where it began.

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1., total_steps=5)
        >>> for _ in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        >>> schedule.get_last_lr()
        [0.6112620219362893]
    """

    def __init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None,
                 pct_start=0.3, anneal_strategy='cos', cycle_momentum=True, base_momentum=0.85,
                 max_momentum=0.95, div_factor=25.0, final_div_factor=1e4, three_phase=False,
                 last_epoch=-1):
        self._begin(optimizer)
        self.total_steps = _total_steps(total_steps, epochs, steps_per_epoch)
        self._schedule_phases = self._phases(pct_start, three_phase)
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f'Expected float between 0 and 1 pct_start, but got {pct_start}')
        if anneal_strategy not in ('cos', 'linear'):
            raise ValueError("anneal_strategy must be one of 'cos' or 'linear', instead got "
                             f'{anneal_strategy}')
        self._anneal_func_type = anneal_strategy
        if last_epoch == -1:
            for high, group in zip(for_groups('max_lr', optimizer, max_lr),
                                   optimizer.param_groups):
                group['initial_lr'] = high / div_factor
                group['max_lr'] = high
                group['min_lr'] = group['initial_lr'] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._begin_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def _phases(self, pct_start, three_phase):
        """Where each phase ends, and between which values of a group it moves."""
        first, last = float(pct_start * self.total_steps) - 1, self.total_steps - 1
        names = ('end_step', 'start_lr', 'end_lr', 'start_momentum', 'end_momentum')
        up = (first, 'initial_lr', 'max_lr', 'max_momentum', 'base_momentum')
        if three_phase:
            phases = [up,
                      (float(2 * pct_start * self.total_steps) - 2, 'max_lr', 'initial_lr',
                       'base_momentum', 'max_momentum'),
                      (last, 'initial_lr', 'min_lr', 'max_momentum', 'max_momentum')]
        else:
            phases = [up, (last, 'max_lr', 'min_lr', 'base_momentum', 'max_momentum')]
        return [dict(zip(names, phase)) for phase in phases]

    def _anneal_func(self, start, end, pct):
        if self._anneal_func_type == 'linear':
            return (end - start) * pct + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * pct) + 1)

    def get_lr(self):
        self._warn_outside_step()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f'Tried to step {step} times. The specified number of total steps is '
                             f'{self.total_steps}')
        start = 0.0
        for phase in self._schedule_phases:
            if step <= phase['end_step'] or phase is self._schedule_phases[-1]:
                break
            start = phase['end_step']
        pct = (step - start) / (phase['end_step'] - start)
        lrs = []
        for group in self.optimizer.param_groups:
            lrs.append(self._anneal_func(group[phase['start_lr']], group[phase['end_lr']], pct))
            if self.cycle_momentum:
                self._set_momentum(group, self._anneal_func(
                    group[phase['start_momentum']], group[phase['end_momentum']], pct))
        return lrs


def _total_steps(total_steps, epochs, steps_per_epoch):
    if total_steps is not None:
        counts = {'total_steps': total_steps}
    elif epochs is not None and steps_per_epoch is not None:
        counts = {'epochs': epochs, 'steps_per_epoch': steps_per_epoch}
    else:
        raise ValueError('You must define either total_steps OR (epochs AND steps_per_epoch)')
    for name, count in counts.items():
        if count <= 0 or not isinstance(count, int):
            raise ValueError(f'Expected positive integer {name}, but got {count}')
    return math.prod(counts.values())

# SPDX-License-Identifier: BSD-3-Clause
"""Schedulers whose rate goes up and down: cycles, one cycle, warm restarts.

Momentum, or the first of `betas`, can move in the opposite direction.
"""
import math
import types

from ._lr_base import LRScheduler, copied, set_value
from .optimizer import Optimizer


def for_groups(name, optimizer, value):
    """Return a list with one value per group; tensors are copied."""
    groups = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        value = [value] * groups
    elif len(value) != groups:
        raise ValueError(f'{name} must have the same length as optimizer.param_groups. {name} has '
                         f'{len(value)} values, param_groups has {groups}.')
    return [copied(v) for v in value]


class _Cycle(LRScheduler):
    """The base of schedulers that also cycle the momentum."""

    def _begin(self, optimizer):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f'{type(optimizer).__name__} is not an Optimizer')
        self.optimizer = optimizer

    def _begin_momentum(self, base_momentum, max_momentum, last_epoch):
        """Return the lower and upper bounds of each group's momentum, and start it at the upper one."""
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
    """Move the rate up and down between two bounds, over and over (Smith, 2015, cyclical learning rates).

    Call step() after every batch. In cycle c = 1, 2, ... the height h rises linearly from 0 to 1 in step_size_up steps and
    falls back in step_size_down::

        lr = base_lr + (max_lr - base_lr) * h * scale
        momentum = max_momentum - (max_momentum - base_momentum) * h * scale

        mode           scale
        'triangular'   1
        'triangular2'  1 / 2^(c - 1)
        'exp_range'    gamma^(number of steps so far)

    Args:
        optimizer: the optimizer whose rates change.
        base_lr: the lower bound, one number or a list with one per group. It replaces the optimizer's lr.
        max_lr: the upper bound, one number or a list with one per group.
        step_size_up: the number of steps from the lower to the upper bound. Default: 2000
        step_size_down: the number of steps back. Default: None, for step_size_up
        mode: the shape of the bounds over time; see above. Default: 'triangular'
        gamma: the factor per step of 'exp_range'. Default: 1.0
        scale_fn: a function that returns scale, instead of mode. Default: None
        scale_mode: whether scale_fn gets the number of the 'cycle' or of 'iterations'. Default: 'cycle'
        cycle_momentum: whether to move momentum (or beta1) too; the optimizer must have one. Default: True
        base_momentum, max_momentum: the bounds of momentum, one number or a list. Default: 0.8 and 0.9
        last_epoch: -1 to start, or the step to resume after; see LRScheduler. Default: -1

    From 0.2 to 1 and back in 2 + 2 steps::

        epoch  0    1    2    3    4    5
        lr     0.2  0.6  1    0.6  0.2  0.6

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1., momentum=0.9)
        >>> schedule = torch.optim.lr_scheduler.CyclicLR(optimizer, base_lr=0.2, max_lr=1., step_size_up=2)
        >>> rates = []
        >>> for _ in range(6):
        ...     rates.append(round(schedule.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     schedule.step()
        >>> rates
        [0.2, 0.6, 1.0, 0.6, 0.2, 0.6]
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
        """Return the scale of the bounds.

        Args:
            x: the number of the cycle, from 1, or of the iteration; see scale_mode.
        """
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == 'triangular':
            return 1.0
        return 1 / (2.0 ** (x - 1)) if self.mode == 'triangular2' else self.gamma ** x

    def get_lr(self):
        """Return the rates of the current step, one per group, and set the momentum; step() calls it."""
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
        """Return the state as a dictionary; of a scale_fn that is a callable object the attributes are kept."""
        state = super().state_dict()
        fn = state.pop('_scale_fn_custom')
        state['_scale_fn_custom'] = (None if fn is None or isinstance(fn, types.FunctionType)
                                     else fn.__dict__.copy())
        return state

    def load_state_dict(self, state_dict):
        """Restore the state from a result of state_dict().

        Args:
            state_dict: the dictionary. The scale function stays the one given to the constructor.
        """
        super().load_state_dict({k: v for k, v in state_dict.items() if k != '_scale_fn_custom'})
        if state_dict['_scale_fn_custom'] is not None:
            self._scale_fn_custom.__dict__.update(state_dict['_scale_fn_custom'])


class CosineAnnealingWarmRestarts(LRScheduler):
    """Anneal the rate along half a cosine, again and again (SGDR, Loshchilov and Hutter, 2016).

    The first cycle lasts T_0 epochs, each later one T_mult times as long as the one before. At t epochs into a
    cycle of T, with the initial rate base: lr = eta_min + (base - eta_min) * (1 + cos(pi * t / T)) / 2.

    Args:
        optimizer: the optimizer whose rates change.
        T_0: the length of the first cycle in epochs, a positive int.
        T_mult: the growth of the cycles, an int of at least 1. Default: 1
        eta_min: the lowest rate. Default: 0.0
        last_epoch: -1 to start, or the epoch to resume after; see LRScheduler. Default: -1

    With base 1, T_0 2 and T_mult 2::

        epoch  0      1      2      3      4      5      6
        lr     1      0.5    1      0.854  0.5    0.146  1

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=2, T_mult=2)
        >>> rates = []
        >>> for _ in range(7):
        ...     rates.append(round(schedule.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     schedule.step()
        >>> rates
        [1.0, 0.5, 1.0, 0.854, 0.5, 0.146, 1.0]
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
        """Return the rates of the current epoch, one per group; step() calls it."""
        self._warn_outside_step()
        height = 1 + math.cos(math.pi * self.T_cur / self.T_i)
        return [self.eta_min + (base - self.eta_min) * height / 2 for base in self.base_lrs]

    def step(self, epoch=None):
        """Advance by one epoch, or jump to one.

        Args:
            epoch: the epoch to jump to; it may have a fraction, such as epoch + batch / batches. Default: None, for the next
        """
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
    """The 1cycle policy: raise the rate to max_lr, then anneal it far below where it began (Smith and Topin, 2018).

    Call step() after every batch; there are total_steps in all. The rate moves in phases, each along half a cosine (or a line)
    from its first to its last value; momentum moves against it::

        phase    steps                            lr                             momentum
        warmup   first pct_start * total_steps    max_lr / div_factor to max_lr   max_momentum to base_momentum
        anneal   the rest                         max_lr to the final rate        base_momentum to max_momentum

    The final rate is max_lr / div_factor / final_div_factor. With three_phase the second phase mirrors the first, and a third
    goes on to the final rate.

    Args:
        optimizer: the optimizer whose rates change.
        max_lr: the highest rate, one number or a list with one per group.
        total_steps: the number of steps of the schedule. Default: None, for epochs * steps_per_epoch
        epochs, steps_per_epoch: the number of epochs, and of batches in each; needed without total_steps. Default: None
        pct_start: the fraction of steps spent in the warmup, a float from 0 to 1. Default: 0.3
        anneal_strategy: 'cos' or 'linear'. Default: 'cos'
        cycle_momentum: whether to move momentum (or beta1) too; the optimizer must have one. Default: True
        base_momentum, max_momentum: the bounds of momentum, one number or a list. Default: 0.85 and 0.95
        div_factor: max_lr divided by the initial rate. Default: 25.0
        final_div_factor: the initial rate divided by the final one. Default: 1e4
        three_phase: whether the anneal has two phases. Default: False
        last_epoch: -1 to start, or the step to resume after; see LRScheduler. Default: -1

    A step beyond total_steps raises ValueError.

    With max_lr 1 and 10 steps::

        epoch  0      1      2      3      4      5      6      7      8      9
        lr     0.04   0.52   1      0.95   0.812  0.611  0.389  0.188  0.05   0

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1., momentum=0.9)
        >>> schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1., total_steps=10)
        >>> rates = []
        >>> for _ in range(10):
        ...     rates.append(round(schedule.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     schedule.step()
        >>> rates
        [0.04, 0.52, 1.0, 0.95, 0.812, 0.611, 0.389, 0.188, 0.05, 0.0]
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
        """Return, for each phase, the step where it ends and the group entries it moves between."""
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
        """Return the rates of the current step, one per group, and set the momentum; step() calls it."""
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

# SPDX-License-Identifier: BSD-3-Clause
"""The base class of learning-rate schedulers, and helpers to read and set values of parameter groups."""
import warnings
from contextlib import contextmanager
from functools import wraps
from weakref import ref

from .. import Tensor
from .optimizer import Optimizer

EPOCH_DEPRECATION_WARNING = (
    'The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where '
    'possible. Please use `scheduler.step()` to step the scheduler. During the deprecation, if '
    'epoch is different from None, the closed form is used instead of the new chainable form, '
    'where available. Please open an issue if you are unable to replicate your use case: '
    'https://github.com/pytorch/pytorch/issues/new/choose.')
_HOW_TO = ('https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate')


def copied(value):
    """Return a copy of a tensor; other values are returned as they are."""
    return value.clone() if isinstance(value, Tensor) else value


def values_of(optimizer, key):
    """Return the values of an option, one per group; tensors are copied."""
    return [copied(group[key]) for group in optimizer.param_groups]


def set_value(group, key, value):
    """Set an option of a group; a tensor is overwritten in place, so that other references to it see the change."""
    if isinstance(group[key], Tensor):
        group[key].fill_(float(value))
    else:
        group[key] = value


def count_steps(optimizer):
    """Wrap optimizer.step() so that the scheduler can warn if it is never called."""
    if hasattr(optimizer.step, '_wrapped_by_lr_sched'):
        return
    func, to = optimizer.step.__func__, ref(optimizer)

    @wraps(func)
    def step(*args, **kwargs):
        target = to()
        target._opt_called = True
        return func.__get__(target, type(target))(*args, **kwargs)

    step._wrapped_by_lr_sched = True
    optimizer.step = step


class LRScheduler:
    """Base class of learning-rate schedulers.

    A scheduler writes the option 'lr' of each group of an optimizer. Creating it sets the rate of epoch 0; call step() after
    each epoch (some schedules: after each batch), and after optimizer.step(). The word epoch in this module means one
    call of step().

    Args:
        optimizer: the optimizer whose rates change.
        last_epoch: -1 starts a schedule: the current rate of each group becomes its base rate and is stored as
            'initial_lr'. A larger number resumes after that epoch and needs 'initial_lr' in every group; loading a
            state dict is the easier way. Default: -1

    Subclasses define get_lr().

        >>> class HalfEveryEpoch(torch.optim.lr_scheduler.LRScheduler):
        ...     def get_lr(self):
        ...         return [base / 2 ** self.last_epoch for base in self.base_lrs]
        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = HalfEveryEpoch(optimizer)
        >>> for epoch in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        >>> optimizer.param_groups[0]["lr"]
        0.25
    """

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer, last_epoch=-1):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f'{type(optimizer).__name__} is not an Optimizer')
        self.optimizer = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault('initial_lr', copied(group['lr']))
            elif 'initial_lr' not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{i}] when resuming "
                    'scheduler with last_epoch >= 0.\nThis typically happens when:\n1. You\'re '
                    "trying to resume training from a checkpoint but haven't properly loaded the "
                    "optimizer state\n2. You're using last_epoch >= 0 for a fresh training run "
                    '(not recommended)')
        self.base_lrs = values_of(optimizer, 'initial_lr')
        self.last_epoch = last_epoch
        count_steps(optimizer)
        self._initial_step()

    def _initial_step(self):
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self):
        """Return all attributes except the optimizer as a dictionary, to be saved in a checkpoint."""
        return {key: value for key, value in self.__dict__.items() if key != 'optimizer'}

    def load_state_dict(self, state_dict):
        """Restore the attributes from a result of state_dict().

        Args:
            state_dict: the dictionary. The rates themselves are restored by the optimizer's load_state_dict().
        """
        self.__dict__.update(state_dict)

    def get_last_lr(self):
        """Return the rates that the last step set, a list with one number (or tensor) per group."""
        return self._last_lr

    def get_lr(self):
        """Return the rates of epoch self.last_epoch, one per group. step() calls it; call get_last_lr() instead."""
        raise NotImplementedError

    def step(self, epoch=None):
        """Advance by one epoch and set the new rates.

        Args:
            epoch: deprecated. An epoch to jump to; the rates then come from the closed form, where there is one.
        """
        if self._step_count == 1:
            self._check_order()
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning, stacklevel=2)
        self._update_lr(epoch)

    def _check_order(self):
        if not hasattr(self.optimizer.step, '_wrapped_by_lr_sched'):
            warnings.warn('Seems like `optimizer.step()` has been overridden after learning rate '
                          'scheduler initialization. Please, make sure to call `optimizer.step()` '
                          f'before `lr_scheduler.step()`. See more details at {_HOW_TO}',
                          UserWarning, stacklevel=3)
        elif not getattr(self.optimizer, '_opt_called', False):
            warnings.warn('Detected call of `lr_scheduler.step()` before `optimizer.step()`. In '
                          'PyTorch 1.1.0 and later, you should call them in the opposite order: '
                          '`optimizer.step()` before `lr_scheduler.step()`.  Failure to do this '
                          'will result in PyTorch skipping the first value of the learning rate '
                          f'schedule. See more details at {_HOW_TO}', UserWarning, stacklevel=3)

    @contextmanager
    def _asking(self):
        self._get_lr_called_within_step = True
        try:
            yield
        finally:
            self._get_lr_called_within_step = False

    def _update_lr(self, epoch=None):
        with self._asking():
            if epoch is None:
                self.last_epoch += 1
                values = self.get_lr()
            else:
                self.last_epoch = epoch
                closed = getattr(self, '_get_closed_form_lr', self.get_lr)
                values = closed()
        self._set_lr(values)

    def _set_lr(self, values):
        for group, lr in zip(self.optimizer.param_groups, values, strict=True):
            set_value(group, 'lr', lr)
        self._last_lr = values_of(self.optimizer, 'lr')

    # ---- for subclasses ----

    def _warn_outside_step(self):
        if not self._get_lr_called_within_step:
            warnings.warn('To get the last learning rate computed by the scheduler, please use '
                          '`get_last_lr()`.', UserWarning, stacklevel=3)

    def _scaled(self, factor):
        """Return every current rate times a factor; with None, unchanged."""
        self._warn_outside_step()
        if factor is None:
            return values_of(self.optimizer, 'lr')
        return [group['lr'] * factor for group in self.optimizer.param_groups]

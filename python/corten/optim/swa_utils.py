# SPDX-License-Identifier: BSD-3-Clause
"""Averages of a model's parameters over time: stochastic weight averaging and exponential moving averages."""
import math
from copy import deepcopy
from itertools import chain

from .. import long, no_grad, tensor
from ..nn import Module
from ..nn.modules.batchnorm import _BatchNorm
from ._lr_base import LRScheduler
from ._lr_cycles import for_groups

__all__ = ['AveragedModel', 'SWALR', 'get_ema_avg_fn', 'get_ema_multi_avg_fn', 'get_swa_avg_fn',
           'get_swa_multi_avg_fn', 'update_bn']


def _check_decay(decay):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f'Invalid decay value {decay} provided. Please provide a value in [0,1] '
                         'range.')


def _is_inexact(x):
    return x.is_floating_point() or x.is_complex()


def get_ema_multi_avg_fn(decay=0.999):
    """Return a function for AveragedModel's multi_avg_fn that keeps exponential moving averages.

    The function updates lists of tensors in place: average = decay * average + (1 - decay) * value.

    Args:
        decay: the share of the old average, from 0 to 1. Default: 0.999
    """
    _check_decay(decay)

    @no_grad()
    def update(averages, values, _):
        for average, value in zip(averages, values, strict=True):
            if _is_inexact(average):
                average.lerp_(value, 1 - decay)
            else:
                average.copy_(average * decay + value * (1 - decay))

    return update


def get_swa_multi_avg_fn():
    """Return a function for AveragedModel's multi_avg_fn that keeps means with equal weights.

    The function updates lists of tensors in place: average = average + (value - average) / (n + 1), where n models are in the
    average so far.
    """

    @no_grad()
    def update(averages, values, num_averaged):
        for average, value in zip(averages, values, strict=True):
            if _is_inexact(average):
                average.lerp_(value, float(1 / (num_averaged + 1)))
            else:
                average.add_((value - average) / (num_averaged + 1))

    return update


def get_ema_avg_fn(decay=0.999):
    """Return a function for AveragedModel's avg_fn that computes the exponential moving average of one parameter.

    The function returns decay * average + (1 - decay) * value.

    Args:
        decay: the share of the old average, from 0 to 1. Default: 0.999
    """
    _check_decay(decay)

    @no_grad()
    def update(average, value, num_averaged):
        return decay * average + (1 - decay) * value

    return update


def get_swa_avg_fn():
    """Return a function for AveragedModel's avg_fn that computes the mean of one parameter with equal weights.

    The function returns average + (value - average) / (n + 1), where n models are in the average so far.
    """

    @no_grad()
    def update(average, value, num_averaged):
        return average + (value - average) / (num_averaged + 1)

    return update


class AveragedModel(Module):
    """A copy of a model whose parameters are averages over the course of training (Izmailov et al., 2018).

    Train the original; call update_parameters(model) now and then, for example after every epoch. Evaluate the average, after
    update_bn() if the model has batch normalization.

    Args:
        model: the model to copy, available as the attribute module.
        device: where to keep the copy. Default: None, for the model's device
        avg_fn: a function of (average, value, n) that returns the new average of one parameter, where n models are in the
            average so far. Default: None, for the mean with equal weights
        multi_avg_fn: the same for lists of parameters of one device and dtype, in place; at most one of the two may be
            given. get_ema_multi_avg_fn() makes one. Default: None
        use_buffers: True averages buffers too; otherwise each update copies them. Default: False

        >>> model = nn.Linear(1, 1, bias=False)
        >>> average = torch.optim.swa_utils.AveragedModel(model)
        >>> for value in (1., 2., 6.):
        ...     with torch.no_grad():
        ...         w = model.weight.fill_(value)  # stands for an epoch of training
        ...     average.update_parameters(model)
        >>> average.module.weight.item(), average.n_averaged.item()
        (3.0, 3)
    """

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError('Only one of avg_fn and multi_avg_fn should be provided')
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer('n_averaged', tensor(0, dtype=long, device=device))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args, **kwargs):
        """Run the averaged model; takes the arguments of the model."""
        return self.module(*args, **kwargs)

    def _tensors(self, model):
        if self.use_buffers:
            return [t.detach() for t in chain(model.parameters(), model.buffers())]
        return [t.detach() for t in model.parameters()]

    def update_parameters(self, model):
        """Take the current parameters of a model into the averages.

        Args:
            model: a model with the same structure. The first call copies its parameters.
        """
        averages = self._tensors(self.module)
        values = [v.to(a.device) for a, v in zip(averages, self._tensors(model))]
        if self.n_averaged == 0:
            for average, value in zip(averages, values):
                average.copy_(value)
        elif self.multi_avg_fn is not None:
            self._update_by_kind(averages, values)
        else:
            function = self.avg_fn or get_swa_avg_fn()
            for average, value in zip(averages, values):
                average.copy_(function(average, value, self.n_averaged.to(average.device)))
        if not self.use_buffers:
            for mine, its in zip(self.module.buffers(), model.buffers(), strict=True):
                mine.detach().copy_(its.detach().to(mine.device))
        self.n_averaged += 1

    def _update_by_kind(self, averages, values):
        """Call multi_avg_fn with lists of one device and dtype each."""
        kinds = {}
        for average, value in zip(averages, values):
            lists = kinds.setdefault((average.device, average.dtype), ([], []))
            lists[0].append(average)
            lists[1].append(value)
        for (device, _), lists in kinds.items():
            self.multi_avg_fn(*lists, self.n_averaged.to(device))


@no_grad()
def update_bn(loader, model, device=None):
    """Recompute the running statistics of all batch normalization layers.

    An average of weights has never seen data, so its running means and variances are those of other weights. This resets them
    and runs the model over a loader, in training mode and without gradients; each statistic becomes the mean over all batches.

    Args:
        loader: an iterable of batches; of a list or tuple the first item is the input.
        model: the model to update, in place. Its training mode and momenta are restored at the end.
        device: where to move each batch first. Default: None, for no move
    """
    momenta = {}
    for module in model.modules():
        if isinstance(module, _BatchNorm):
            module.reset_running_stats()
            momenta[module] = module.momentum
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.momentum = None  # an average of all batches
    for batch in loader:
        batch = batch[0] if isinstance(batch, (list, tuple)) else batch
        model(batch if device is None else batch.to(device))
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Move the rate to swa_lr within anneal_epochs epochs and keep it there.

    With the initial rate base, epoch t = 0, 1, 2, ... and s = min(t / anneal_epochs, 1):
    lr(t) = base + (swa_lr - base) * w, where w is s for 'linear' and (1 - cos(pi * s)) / 2 for 'cos'.

    Args:
        optimizer: the optimizer whose rates change.
        swa_lr: the rate to move to, one number or a list with one per group.
        anneal_epochs: the number of epochs to get there; 0 sets the rate at once. Default: 10
        anneal_strategy: 'cos' or 'linear'. Default: 'cos'
        last_epoch: -1 to start, or the epoch to resume after; see LRScheduler. Default: -1

    With base 1, swa_lr 0.2 and 4 epochs, linearly::

        epoch  0    1    2    3    4    5
        lr     1    0.8  0.6  0.4  0.2  0.2

        >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
        >>> schedule = torch.optim.swa_utils.SWALR(optimizer, swa_lr=0.2, anneal_epochs=4, anneal_strategy="linear")
        >>> rates = []
        >>> for _ in range(6):
        ...     rates.append(round(schedule.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     schedule.step()
        >>> rates
        [1.0, 0.8, 0.6, 0.4, 0.2, 0.2]
    """

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy='cos', last_epoch=-1):
        for lr, group in zip(for_groups('swa_lr', optimizer, swa_lr), optimizer.param_groups):
            group['swa_lr'] = lr
        if anneal_strategy not in ('cos', 'linear'):
            raise ValueError("anneal_strategy must be one of 'cos' or 'linear', instead got "
                             f'{anneal_strategy}')
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f'anneal_epochs must be equal or greater than 0, got {anneal_epochs}')
        self._anneal_strategy, self.anneal_epochs = anneal_strategy, anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _part(self, step):
        """Return the fraction of the way that is done after a step."""
        t = max(0, min(1, step / max(1, self.anneal_epochs)))
        return (1 - math.cos(math.pi * t)) / 2 if self._anneal_strategy == 'cos' else t

    def get_lr(self):
        """Return the rates of the current epoch, one per group; step() calls it."""
        self._warn_outside_step()
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._part(step - 1), self._part(step)
        lrs = []
        for group in self.optimizer.param_groups:
            goal = group['swa_lr']
            start = goal if before == 1 else (group['lr'] - before * goal) / (1 - before)
            lrs.append(goal * now + start * (1 - now))
        return lrs

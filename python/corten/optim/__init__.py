# SPDX-License-Identifier: BSD-3-Clause
"""Optimizers and learning-rate schedulers, with the names and results of torch.optim."""
from . import lr_scheduler
from ._adafactor import Adafactor
from ._muon import Muon
from ._stateless import swap_in_optimizer_params_and_state
from .adadelta import Adadelta
from .adagrad import Adagrad
from .adam import Adam
from .adamax import Adamax
from .adamw import AdamW
from .asgd import ASGD
from .lbfgs import LBFGS
from .nadam import NAdam
from .optimizer import Optimizer
from .radam import RAdam
from .rmsprop import RMSprop
from .rprop import Rprop
from .sgd import SGD
from .sparse_adam import SparseAdam

__all__ = ['ASGD', 'Adadelta', 'Adafactor', 'Adagrad', 'Adam', 'AdamW', 'Adamax', 'LBFGS', 'Muon',
           'NAdam', 'Optimizer', 'RAdam', 'RMSprop', 'Rprop', 'SGD', 'SparseAdam',
           'lr_scheduler', 'swa_utils', 'swap_in_optimizer_params_and_state']


from .._parts import parts_of  # noqa: E402

__getattr__ = parts_of(__name__)  # swa_utils imports corten.nn, so it loads on first use

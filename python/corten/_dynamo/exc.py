# SPDX-License-Identifier: BSD-3-Clause
"""Errors of PyTorch's compiler. torch.compile raises InvalidBackend; nothing raises the others."""


class TorchDynamoException(RuntimeError):
    """The base of all."""


class Unsupported(TorchDynamoException):
    """Something that would not be compiled."""


class InternalTorchDynamoError(TorchDynamoException):
    """A mistake of the compiler."""


class InvalidBackend(TorchDynamoException):
    """torch.compile was given a backend that does not exist."""


class BackendCompilerFailed(TorchDynamoException):
    """A failure of what is behind it."""


class UserError(Unsupported):
    """A mistake of the program."""


class TensorifyScalarRestartAnalysis(TorchDynamoException):
    """A second try."""

# SPDX-License-Identifier: BSD-3-Clause
"""torch._dynamo.exc: errors of PyTorch's compiler. Only InvalidBackend is raised here, by torch.compile."""


class TorchDynamoException(RuntimeError):
    """Base class of compiler errors."""


class Unsupported(TorchDynamoException):
    """Raised in PyTorch for code that cannot be compiled."""


class InternalTorchDynamoError(TorchDynamoException):
    """Raised in PyTorch for bugs of the compiler."""


class InvalidBackend(TorchDynamoException):
    """torch.compile was called with an unknown backend."""


class BackendCompilerFailed(TorchDynamoException):
    """Raised in PyTorch if a backend fails."""


class UserError(Unsupported):
    """Raised in PyTorch for errors in the user's program."""


class TensorifyScalarRestartAnalysis(TorchDynamoException):
    """Used in PyTorch to restart the compiler's analysis."""

# SPDX-License-Identifier: BSD-3-Clause
"""Parametrizations of weights: orthogonal matrices, weight normalisation and spectral normalisation."""
from enum import Enum, auto

from ... import allclose, cat, contiguous_format, eye, finfo, geqrf, matrix_exp, mv, no_grad, norm_except_dim, randn, vdot, zeros_like
from ..._C import Tensor
from .. import functional as F
from ..modules.module import Module
from .parametrize import register_parametrization
from .spectral_norm import _usual_dim
from .weight_norm import _weight_norm

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


def _is_orthogonal(Q):
    """Return whether the columns of Q are orthonormal, up to rounding."""
    n, k = Q.size(-2), Q.size(-1)
    return allclose(Q.mH @ Q, eye(k, dtype=Q.dtype, device=Q.device), atol=10.0 * n * finfo(Q.dtype).eps)


def _make_orthogonal(A):
    """Return Q of the QR decomposition of A, made unique by signs that give R a positive diagonal."""
    from ...linalg import householder_product
    X, tau = geqrf(A)
    Q = householder_product(X, tau)
    Q *= X.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)
    return Q


class _OrthMaps(Enum):
    matrix_exp = auto()
    cayley = auto()
    householder = auto()


class _Orthogonal(Module):
    """The parametrization behind `orthogonal`: maps any matrix to a matrix with orthonormal rows or columns."""

    def __init__(self, weight, orthogonal_map, *, use_trivialization=True):
        super().__init__()
        if weight.is_complex() and orthogonal_map == _OrthMaps.householder:
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape, self.orthogonal_map = weight.shape, orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X):
        """Return the orthogonal matrix for the parameter X."""
        wide = X.size(-2) < X.size(-1)
        X = X.mT if wide else X
        Q = self._reflections(X) if self.orthogonal_map == _OrthMaps.householder else self._from_skew(X)
        if hasattr(self, "base"):
            Q = self.base @ Q
        return Q.mT if wide else Q

    def _from_skew(self, X):
        """Return the matrix exponential or Cayley map of the skew-symmetric matrix whose lower triangle is X."""
        from ...linalg import solve
        n, k = X.size(-2), X.size(-1)
        X = X.tril()
        if n != k:
            X = cat([X, X.new_zeros(n, n - k).expand(*X.shape[:-2], -1, -1)], dim=-1)
        A = X - X.mH
        if self.orthogonal_map == _OrthMaps.matrix_exp:
            Q = matrix_exp(A)
        else:
            one = eye(n, dtype=A.dtype, device=A.device)
            Q = solve(one.add(A, alpha=-0.5), one.add(A, alpha=0.5))
        return Q if n == k else Q[..., :k]

    @staticmethod
    def _reflections(X):
        """Return the product of the Householder reflections given by the columns of X."""
        from ...linalg import householder_product
        A = X.tril(diagonal=-1)
        Q = householder_product(A, 2.0 / (1.0 + (A * A).sum(dim=-2)))
        return Q * X.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)

    def right_inverse(self, Q):
        """Return a parameter for Q, or for an orthogonal matrix close to it, from its QR decomposition."""
        if Q.shape != self.shape:
            raise ValueError(f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {Q.shape}.")
        with no_grad():
            return self._inverse(Q)

    def _inverse(self, given):
        wide = given.size(-2) < given.size(-1)
        Q = given.mT if wide else given
        n, k = Q.size(-2), Q.size(-1)
        if not hasattr(self, "base"):
            if self.orthogonal_map != _OrthMaps.householder:
                raise NotImplementedError("It is not possible to assign to the matrix exponential or the Cayley parametrizations "
                                          "when use_trivialization=False.")
            A, tau = geqrf(Q)
            A.diagonal(dim1=-2, dim2=-1).sign_()
            A.diagonal(dim1=-2, dim2=-1)[tau == 0.0] *= -1
            return A.mT if wide else A
        if n != k:  # complete it to a square matrix with random columns
            more = randn(*Q.size()[:-2], n, n - k, dtype=Q.dtype, device=Q.device)
            Q = _make_orthogonal(cat([Q, more], dim=-1))
        else:
            Q = Q.clone() if _is_orthogonal(Q) else _make_orthogonal(Q)
        self.base = Q
        # Each map sends X = -I to the identity, so the initial value is the base.
        start = zeros_like(given)
        start.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return start


def _tensor_named(module, name):
    """Return the parameter or buffer with this name; raise ValueError if there is none."""
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return weight


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    """Keep a weight orthogonal while it is trained.

        Q^T Q = I if the matrix has at least as many rows as columns, else Q Q^T = I

    The weight becomes a function of an unconstrained parameter (Lezcano-Casado and Martinez-Rubio,
    2019). Orthogonal matrices preserve lengths, which stabilises deep and recurrent networks.
    Batches of matrices, in the last two dimensions, work, too.

    Args:
        module: the module, which is changed and returned.
        name: name of its parameter. Default: "weight".
        orthogonal_map: "matrix_exp", "cayley" or "householder", which is not for complex matrices.
            Default: None, "matrix_exp" for square or complex matrices, else "householder".
        use_trivialization: store the current value and learn the difference to it, which helps
            convergence, costs memory, and allows to assign the weight; keyword only. Default: True.

    Example:
        >>> layer = nn.utils.parametrizations.orthogonal(nn.Linear(3, 2))
        >>> torch.allclose(layer.weight @ layer.weight.T, torch.eye(2), atol=1e-6)
        True
    """
    weight = _tensor_named(module, name)
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1)
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    kind = getattr(_OrthMaps, orthogonal_map, None)
    if kind is None:
        raise ValueError(f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}')
    made = _Orthogonal(weight, kind, use_trivialization=use_trivialization)
    return register_parametrization(module, name, made, unsafe=True)


class _WeightNorm(Module):
    """The parametrization behind `weight_norm`: splits a weight into length and direction."""

    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        """Return the weight with the direction of `weight_v` and the lengths `weight_g`."""
        return _weight_norm(weight_v, weight_g, self.dim)

    def right_inverse(self, weight):
        """Return the lengths and direction of a weight."""
        return norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module, name="weight", dim=0):
    """Separate the length of a weight from its direction (Salimans and Kingma, 2016).

        weight = g * v / norm(v)

    g and v become the parameters `parametrizations.weight.original0` and `original1`; they are
    trained separately, which can speed up training. State dicts of the older nn.utils.weight_norm
    load, too.

    Args:
        module: the module, which is changed and returned.
        name: name of its parameter. Default: "weight".
        dim: the dimension whose indices have separate lengths, by default that of the outputs; None uses
            one length for the whole weight. Default: 0.

    Example:
        >>> layer = nn.utils.parametrizations.weight_norm(nn.Linear(3, 2))
        >>> [(name, tuple(p.shape)) for name, p in layer.named_parameters()]
        [('bias', (2,)), ('parametrizations.weight.original0', (2, 1)), ('parametrizations.weight.original1', (2, 3))]
    """
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def take_old_keys(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        if f"{prefix}{name}_g" in state_dict and f"{prefix}{name}_v" in state_dict:
            for i, part in enumerate("gv"):
                state_dict[f"{prefix}parametrizations.{name}.original{i}"] = state_dict.pop(f"{prefix}{name}_{part}")

    module._register_load_state_dict_pre_hook(take_old_keys)
    return module


class _SpectralNorm(Module):
    """The parametrization behind `spectral_norm`; `_u` and `_v` approximate the leading singular vectors."""

    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        n = weight.ndim
        if not -n <= dim < n:
            raise IndexError(f"Dimension out of range (expected to be in range of [-{n}, {n - 1}] but got {dim})")
        if n_power_iterations <= 0:
            raise ValueError(f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}")
        self.dim, self.eps = dim % n, eps
        if n > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._reshape_weight_to_matrix(weight)
            u, v = (matrix.new_empty(size).normal_(0, 1) for size in matrix.size())
            self.register_buffer("_u", F.normalize(u, dim=0, eps=eps))
            self.register_buffer("_v", F.normalize(v, dim=0, eps=eps))
            self._power_method(matrix, 15)

    def _reshape_weight_to_matrix(self, weight):
        """Return the weight as a matrix with one row per index of `dim`."""
        if self.dim != 0:
            weight = weight.permute(self.dim, *(d for d in range(weight.dim()) if d != self.dim))
        return weight.flatten(1)

    def _power_method(self, weight_mat, n_power_iterations):
        """Improve the singular vectors by steps of the power method."""
        with no_grad():
            for _ in range(n_power_iterations):
                self._u = F.normalize(mv(weight_mat, self._v), dim=0, eps=self.eps, out=self._u)
                self._v = F.normalize(mv(weight_mat.H, self._u), dim=0, eps=self.eps, out=self._v)

    def forward(self, weight):
        """Return the weight divided by its largest singular value; in training, improve the singular vectors first."""
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._reshape_weight_to_matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        # backward needs these values, but the next call changes the buffers
        u, v = self._u.clone(memory_format=contiguous_format), self._v.clone(memory_format=contiguous_format)
        return weight / vdot(u, mv(matrix, v))

    def right_inverse(self, value):
        """Return the value unchanged; the next call scales it."""
        return value  # the next call scales it


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Divide a weight by its largest singular value (Miyato et al., 2018).

        weight = W / sigma(W), where sigma is estimated by the power method

    The layer then changes distances by a factor of at most 1, which stabilises the discriminator of
    a GAN. In training each call makes `n_power_iterations` steps of the power method; in evaluation
    takes none. A vector is divided by its length.

    Args:
        module: the module, which is changed and returned.
        name: name of its parameter. Default: "weight".
        n_power_iterations: steps in each call while training. Default: 1.
        eps: keeps the singular vectors from being divided by zero. Default: 1e-12.
        dim: dimension of the outputs. Default: None, 0, or 1 for transposed convolutions.

    Example:
        >>> layer = nn.utils.parametrizations.spectral_norm(nn.Linear(4, 3), n_power_iterations=20)
        >>> torch.linalg.matrix_norm(layer.weight, 2).item() < 1.01
        True
    """
    weight = _tensor_named(module, name)
    dim = _usual_dim(module) if dim is None else dim
    return register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))

# SPDX-License-Identifier: BSD-3-Clause
"""torch.version: the PyTorch version whose interface Corten has, and the features of this build."""
from . import _C
from ._run import TORCH_VERSION

__version__ = f"{TORCH_VERSION}+corten{_C.__version__}"
debug = False
cuda = hip = rocm = xpu = None
git_version = "corten-" + _C.__version__


class TorchVersion(str):
    """A version str that compares by its numbers, with other strs or tuples."""

    @staticmethod
    def _parts(other):
        import re
        if isinstance(other, str):
            text = other.partition("+")[0]
        else:
            text = ".".join(map(str, other))
        return tuple(int(n) for n in re.findall(r"\d+", text))

    def _compare(self, other):
        if not isinstance(other, (str, tuple, list)):
            return None
        a, b = self._parts(str(self)), self._parts(other)
        n = max(len(a), len(b))
        a, b = a + (0,) * (n - len(a)), b + (0,) * (n - len(b))
        return (a > b) - (a < b)

    def __lt__(self, other):
        c = self._compare(other)
        return NotImplemented if c is None else c < 0

    def __le__(self, other):
        c = self._compare(other)
        return NotImplemented if c is None else c <= 0

    def __gt__(self, other):
        c = self._compare(other)
        return NotImplemented if c is None else c > 0

    def __ge__(self, other):
        c = self._compare(other)
        return NotImplemented if c is None else c >= 0

    def __eq__(self, other):
        return str.__eq__(self, other) if isinstance(other, str) else self._compare(other) == 0

    def __ne__(self, other):
        return not self == other

    __hash__ = str.__hash__

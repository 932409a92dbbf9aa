# SPDX-License-Identifier: BSD-3-Clause
# The types that the stubs share. This module exists for type checkers alone; it cannot be imported.
import builtins as builtins
import os
import types
from collections.abc import Callable as Callable
from collections.abc import Hashable as Hashable
from collections.abc import Iterable as Iterable
from collections.abc import Iterator as Iterator
from collections.abc import Mapping as Mapping
from collections.abc import MutableMapping as MutableMapping
from collections.abc import Sequence as Sequence
from contextlib import AbstractContextManager as AbstractContextManager
from contextlib import _GeneratorContextManager
from typing import IO as IO
from typing import Any as Any
from typing import Literal as Literal
from typing import NamedTuple as NamedTuple
from typing import NoReturn as NoReturn
from typing import Self as Self
from typing import TypeVar as TypeVar
from typing import overload as overload

from . import Generator as Generator
from . import Size as Size
from . import Tensor as Tensor
from . import device as device
from . import dtype as dtype
from . import layout as layout
from . import memory_format as memory_format
from .distributed.distributed_c10d import ProcessGroup as ProcessGroup
from .distributions.distribution import Distribution as Distribution
from .nn.modules.module import Module as Module
from .nn.parameter import Parameter as Parameter
from .optim.lr_scheduler import LRScheduler as LRScheduler
from .optim.optimizer import Optimizer as Optimizer
from .utils.hooks import RemovableHandle as RemovableHandle

ModuleType = types.ModuleType
Context = _GeneratorContextManager

Number = bool | int | float | complex
Device = device | str | int
Path = str | os.PathLike[str]
File = Path | IO[bytes]
MapLocation = Callable[[Any, str], Any] | device | str | dict[str, str]
Params = Iterable[Tensor] | Iterable[tuple[str, Tensor]] | Iterable[dict[str, Any]]

ModuleT = TypeVar("ModuleT", bound=Module)
FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

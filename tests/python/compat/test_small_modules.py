# SPDX-License-Identifier: BSD-3-Clause
"""torch.jit, torch.fx, torch.onnx, torch.compiler, torch.return_types and the pytree functions, as far as they work
without a compiler."""
import pytest

import corten as torch
from corten import nn
from corten.utils import _pytree as tree


def test_nests():
    nest = {"a": [1, (2, 3)], "b": None}
    leaves, shape = tree.tree_flatten(nest)
    assert leaves == [1, 2, 3, None] and tree.tree_unflatten(leaves, shape) == nest and shape.num_leaves == 4
    assert tree.tree_map(lambda x, y: x + y, [1, (2,)], [10, (20,)]) == [11, (22,)]
    assert tree.tree_map_only(int, lambda x: -x, [1, "a", (2.0, 3)]) == [-1, "a", (2.0, -3)]


def test_names_in_passing():
    net = nn.Linear(2, 2)
    assert torch.jit.script(net) is net and torch.compile(net)._orig_mod is net and torch.compile()(len) is len
    assert torch.jit.ignore(net.forward) == net.forward and not torch.jit.is_scripting()
    assert torch.distributed.is_available() and not torch.distributed.is_initialized()
    assert torch.fx.wrap("len") == "len" and not torch.compiler.is_compiling()
    with pytest.raises(RuntimeError, match="state_dict"):
        torch.onnx.export(net, None, "x")
    with nn.attention.sdpa_kernel(nn.attention.SDPBackend.MATH):
        pass


def test_names_of_modules():
    assert torch.jit.script(len) is len and not torch.jit.is_tracing() and issubclass(torch.jit.TracerWarning, Warning)

    @torch.jit.ignore
    def f():
        return 1
    assert f() == 1 and torch.jit.annotate(int, 2) == 2
    assert torch.return_types.max is type(torch.ones(2).max(0)) and torch.return_types.linalg_qr.__name__
    assert isinstance(torch.ones(1), torch.types.Tensor) and torch.types.Number


def test_return_types():
    types = torch.return_types
    assert len(types.all_return_types) == len(types.__all__) - 2
    for name in types.__all__[2:]:
        assert issubclass(getattr(types, name), tuple) and getattr(types, name).__name__ == name
    values, indices = torch.zeros(()), torch.zeros((), dtype=torch.int64)
    assert type(torch.max(torch.ones(2), 0, out=(values, indices))) is types.max_out and types.max((1, 2)).indices == 2

    class Pair(tuple):
        pass
    types.pytree_register_structseq(Pair)
    assert type(torch.utils._pytree.tree_map(lambda x: x + 1, Pair([1, 2]))) is Pair


def test_names_of_types():
    assert isinstance(torch.float8_e4m3fn, torch.dtype) and repr(torch.float8_e4m3fn) == "torch.float8_e4m3fn"
    assert torch.chalf is torch.complex32 and torch.complex32.to_real() is torch.float16 and torch.complex32.itemsize == 4
    assert torch.float8_e5m2.is_floating_point and not torch.qint8.is_floating_point and torch.uint4.itemsize == 1
    assert isinstance(torch.sparse_coo, torch.layout) and torch.zeros(2).layout is not torch.sparse_coo
    assert torch.zeros(2, layout=torch.sparse_coo).layout is torch.sparse_coo
    for call in (lambda: torch.zeros(2, dtype=torch.uint4), lambda: torch.zeros(2).to(torch.qint8)):
        with pytest.raises(NotImplementedError):
            call()
    assert torch.float8_e5m2 not in {torch.float16: 1} and {torch.qint8: 1}[torch.qint8] == 1


def test_symbols():
    assert torch.sym_int(2.7) == 2 and torch.sym_float(2) == 2.0 and not isinstance(3, torch.SymInt)

    class Kind:
        @torch.classproperty
        def name(cls):
            return cls.__name__
    assert Kind.name == "Kind"

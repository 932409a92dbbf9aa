# SPDX-License-Identifier: BSD-3-Clause
"""Corten never calls __torch_dispatch__, so it refuses to create tensors of classes that define it; other subclasses work."""
import copy
import pickle

import pytest

import corten as torch
from corten._missing import MissingFeature
from corten.utils._python_dispatch import TorchDispatchMode


class Logged(torch.Tensor):
    @staticmethod
    def __new__(cls, x):
        return torch.Tensor._make_subclass(cls, x)

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        raise AssertionError


class Derived(Logged):
    __torch_function__ = torch._C._disabled_torch_function_impl


class Mixed(torch.nn.Parameter):
    __torch_dispatch__ = Logged.__torch_dispatch__


@pytest.mark.parametrize("make", (
    Logged, Derived, Mixed, lambda x: x.as_subclass(Logged), lambda x: torch.Tensor._make_subclass(Derived, x),
    lambda x: torch.Tensor._make_subclass(Logged, x, True), lambda x: torch.Tensor.__new__(Logged),
    lambda x: torch._tensor._rebuild_from_type_v2(lambda: x, Logged, (), {})))
def test_tensors_of_such_a_class_are_refused(make):
    with pytest.raises(MissingFeature, match="__torch_dispatch__ .class .*define __torch_function__"):
        make(torch.ones(2))


def test_wrappers_and_modes_are_refused():
    with pytest.raises(MissingFeature, match="_make_wrapper_subclass is not available"):
        torch.Tensor._make_wrapper_subclass(Logged, (2,), dtype=torch.float32)
    for mode in (TorchDispatchMode(), type("Mode", (TorchDispatchMode,), {})()):
        with pytest.raises(MissingFeature, match="TorchFunctionMode"):
            with mode:
                torch.ones(2)


def test_other_classes_work():
    class Off(torch.Tensor):
        __torch_dispatch__ = torch._C._disabled_torch_dispatch_impl

    assert torch.Tensor.__torch_dispatch__ is torch._C._disabled_torch_dispatch_impl
    x = torch.ones(2).as_subclass(Off)
    assert type(x + 1) is Off and type(copy.deepcopy(x)) is Off and type(torch.nn.Parameter(torch.ones(1)) * 2) is torch.Tensor
    assert pickle.loads(pickle.dumps(torch.nn.Parameter(torch.ones(1)))).item() == 1

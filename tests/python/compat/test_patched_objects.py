# SPDX-License-Identifier: BSD-3-Clause
"""Objects that libraries mark, copy, inspect or patch: functions, operations, modules, parameters, subclasses."""
import copy
import inspect
import io
import pickle
import typing
from unittest import mock

import pytest

import corten as torch
from corten import nn
from corten.nn import functional as F

FUNCTIONS = ("relu", "relu6", "leaky_relu", "sigmoid", "tanh", "mse_loss", "cross_entropy", "pad", "elu", "silu", "mish", "grid_sample")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_take_attributes(name):
    function = getattr(F, name)
    function.mark = 1
    assert function.mark == 1 and function.__name__ == name and function.__doc__
    assert pickle.loads(pickle.dumps(function)) is function and copy.deepcopy(function) is function
    del function.mark
    assert not hasattr(function, "mark")
    inspect.signature(function)


def test_functions_are_overridden_and_watched_as_before():
    asked = []

    class Asked(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            asked.append(func)
            return super().__torch_function__(func, types, args, kwargs or {})

    x = torch.ones(2).as_subclass(Asked)
    F.relu6(x)
    F.mse_loss(x, x)
    assert asked[0] is F.relu6 and F.mse_loss in asked
    with pytest.raises(RuntimeError, match="first NaN"), torch.detect_nan():
        F.pad(torch.tensor([-1.]).sqrt(), (1, 1))


def test_layers_have_types():
    assert typing.get_type_hints(nn.CrossEntropyLoss()) == {"ignore_index": int, "label_smoothing": float}
    assert typing.get_type_hints(nn.LayerNorm)["normalized_shape"] == tuple[int, ...]
    assert typing.get_type_hints(nn.ReLU(inplace=True)) == {"inplace": bool}


def test_signature_of_a_module_is_that_of_its_call():
    class Net(nn.Module):
        def forward(self, x, y=2):
            return x

    class Called(nn.Module):
        def __call__(self, x):
            return x

    for module in (nn.Linear(2, 3), Net(), nn.Sequential(nn.ReLU())):
        assert str(inspect.signature(module)) == "(*args, **kwargs)"
    assert str(inspect.signature(Called())) == "(x)"
    assert list(inspect.signature(nn.Linear).parameters)[:3] == ["in_features", "out_features", "bias"]
    assert list(inspect.signature(Net.forward).parameters) == ["self", "x", "y"]


@pytest.mark.parametrize("name", ("__new__", "__deepcopy__", "__reduce_ex__", "__repr__"))
def test_parameter_after_a_patch(name):
    Parameter = nn.Parameter
    with mock.patch.object(Parameter, name, mock.MagicMock(wraps=getattr(Parameter, name))):
        pass
    assert nn.Linear(2, 2).weight.shape == (2, 2)
    p = Parameter(torch.ones(2))
    assert repr(p).startswith("Parameter containing") and copy.deepcopy(p).requires_grad
    assert isinstance(pickle.loads(pickle.dumps(p)), Parameter)


def test_parameter_made_through_a_patch():
    made = []
    Parameter, before = nn.Parameter, nn.Parameter.__new__

    def new(cls, *args, **kwargs):
        made.append(cls)
        return before(cls, *args, **kwargs)

    class Own(Parameter):
        pass

    with mock.patch.object(Parameter, "__new__", new):
        nn.Linear(2, 2)
        assert type(Own(torch.ones(1))) is Own
    assert made == [Parameter, Parameter, Own]
    assert type(Own(torch.ones(1))) is Own and len(made) == 3
    with pytest.raises(TypeError):
        Parameter.__new__(torch.Tensor)


class Named(torch.Tensor):
    def __getstate__(self):
        return {"mine": 1}

    def __setstate__(self, state):
        self.__dict__["got"] = state


class Slots(torch.Tensor):
    __slots__ = ("place",)


class OwnParameter(nn.Parameter):
    def __getstate__(self):
        return {"mine": 2}


def test_state_of_subclasses():
    x = torch.ones(2).as_subclass(Named)
    x.label = "x"
    file = io.BytesIO()
    torch.save(x, file)
    file.seek(0)
    for other in (copy.copy(x), pickle.loads(pickle.dumps(x)), torch.load(file, weights_only=False)):
        assert type(other) is Named and other.got == {"mine": 1} and other.tolist() == [1, 1]
    assert copy.deepcopy(x).label == "x"
    p = OwnParameter(torch.ones(2))
    assert pickle.loads(pickle.dumps(p)).mine == 2


def test_slots_of_subclasses():
    x = torch.ones(2).as_subclass(Slots)
    x.place, x.more = [3], 4
    file = io.BytesIO()
    torch.save(x, file)
    file.seek(0)
    for other in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x)), torch.load(file, weights_only=False)):
        assert type(other) is Slots and other.place == [3] and other.more == 4
    assert copy.deepcopy(x).place is not x.place


def test_operations_are_copied_as_they_are():
    for op in (torch.ops.aten.add, torch.ops.aten.mm.default):
        assert copy.deepcopy(op) is op and copy.copy(op) is op and pickle.loads(pickle.dumps(op)) is op
    assert copy.deepcopy({torch.ops.aten.mm.default: 1}) == {torch.ops.aten.mm.default: 1}

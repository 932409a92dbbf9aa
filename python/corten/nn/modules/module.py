# SPDX-License-Identifier: BSD-3-Clause
"""nn.Module. Calls and attribute access are implemented in C (python/src/nn/modules.c), hooks in _hooked.py, state dicts in _state.py.

The state of a module is stored in its `__dict__`: `_parameters`, `_buffers`, `_modules` and the dicts of hooks.
"""
import warnings
from collections import OrderedDict

from ... import _C, empty_like, no_grad, typename
from ... import __future__ as conversion
from ..._C import Tensor
from ...utils._identity import swap_tensors
from ..parameter import Buffer, Parameter
from . import _hooked
from ._hooked import *  # noqa: F401,F403  the functions that register hooks of all modules
from ._hooked import (Hooked, _global_buffer_registration_hooks, _global_module_registration_hooks,
                      _global_parameter_registration_hooks, _has_any_global_hook, _WrappedHook)  # noqa: F401
from ._state import _EXTRA_STATE_KEY_SUFFIX, Stateful, _IncompatibleKeys  # noqa: F401

__all__ = [*(name for name in vars(_hooked) if name.startswith("register_module_")), "Module"]


def _addindent(text, spaces):
    """Indent all lines but the first."""
    first, *lines = text.split("\n")
    return "\n".join([first, *(" " * spaces + line if line.strip() else "" for line in lines)])


def _ask_hooks(hooks, module, name, value):
    """Return a new member after the registration hooks, each of which may replace it."""
    for hook in hooks.values():
        answer = hook(module, name, value)
        value = value if answer is None else answer
    return value


def _check_name(kind, name, got=""):
    """Raise PyTorch's error unless `name` is a non-empty string without dots."""
    if not isinstance(name, str):
        raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
    if "." in name:
        raise KeyError(f'{kind} name can\'t contain "."{got}')
    if name == "":
        raise KeyError(f'{kind} name can\'t be empty string ""')


def _forward_unimplemented(self, *input):
    """Compute the output of the module; every subclass defines it.

    Call the module itself, `module(x)`, rather than this method: the call also runs the hooks.
    """
    raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')


class _CallSignature:
    """The signature of a module is that of its call, which passes all arguments to forward(); a class has its constructor's."""

    def __get__(self, module, cls):
        if module is None or cls.__call__ is not Module.__call__:
            raise AttributeError("__signature__")
        import inspect
        return inspect.Signature([inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL),
                                  inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD)])


_HOOK_DICTS = ("_backward_pre_hooks", "_backward_hooks", "_forward_hooks", "_forward_hooks_with_kwargs",
               "_forward_hooks_always_called", "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "_state_dict_hooks",
               "_state_dict_pre_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks")


class Module(Hooked, Stateful, _C._ModuleBase):
    """Base of all layers and networks: parameters, buffers, submodules, and the call.

    Derive from it, make layers in `__init__` (after `super().__init__()`), and compute the output
    in `forward`. Assigning a Parameter, a Module or a Buffer to an attribute registers it as a
    member, so that `parameters()`, `to()`, `state_dict()` and the like find it, however deep it is
    nested. Calling the module runs `forward` and the hooks around it.

    Attributes:
        training: whether the module is in training mode, which layers such as Dropout and BatchNorm
            depend on; set by `train()` and `eval()`.

    Example:
        >>> class Net(nn.Module):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.hidden = nn.Linear(4, 8)
        ...         self.out = nn.Linear(8, 2)
        ...     def forward(self, x):
        ...         return self.out(torch.relu(self.hidden(x)))
        >>> net = Net()
        >>> net(torch.zeros(3, 4)).shape
        torch.Size([3, 2])
        >>> [(name, tuple(p.shape)) for name, p in net.named_parameters()]
        [('hidden.weight', (8, 4)), ('hidden.bias', (8,)), ('out.weight', (2, 8)), ('out.bias', (2,))]
        >>> net
        Net(
          (hidden): Linear(in_features=4, out_features=8, bias=True)
          (out): Linear(in_features=8, out_features=2, bias=True)
        )
    """

    dump_patches = False
    _version = 1
    call_super_init = False
    _compiled_call_impl = None
    __signature__ = _CallSignature()

    def __init__(self, *args, **kwargs):
        if not self.call_super_init:
            if kwargs:
                raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'")
            if args:
                raise TypeError(f"{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} were given")
        state = self.__dict__
        state["training"] = True
        state["_parameters"], state["_buffers"] = {}, {}
        state["_non_persistent_buffers_set"] = set()
        state["_is_full_backward_hook"] = None
        for name in _HOOK_DICTS:
            state[name] = OrderedDict()
        state["_modules"] = {}
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    forward = _forward_unimplemented

    def __setstate__(self, state):
        own = self.__dict__
        own.update(state)
        for name in _HOOK_DICTS:
            if name not in own:
                own[name] = OrderedDict()
        own.setdefault("_non_persistent_buffers_set", set())
        own.setdefault("_is_full_backward_hook", None)

    def __getstate__(self):
        state = self.__dict__.copy()
        state.pop("_compiled_call_impl", None)
        return state

    # ---- members ----

    def register_buffer(self, name, tensor, persistent=True):
        """Add a buffer: a tensor that is part of the state but not a parameter, such as a running mean.

        It moves with the module and is available as an attribute, but optimizers do not see it.

        Args:
            name: its name, without dots.
            tensor: the tensor, or None for an absent buffer (which is not saved).
            persistent: whether it is part of the state dict. Default: True.

        Example:
            >>> module = nn.Module()
            >>> module.register_buffer("count", torch.tensor(0))
            >>> module.count, list(module.state_dict()), list(module.parameters())
            (tensor(0), ['count'], [])
        """
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        _check_name("buffer", name)
        if hasattr(self, name) and name not in self._buffers:
            raise KeyError(f"attribute '{name}' already exists")
        if tensor is not None and not isinstance(tensor, Tensor) and not hasattr(tensor, "__torch_function__"):
            raise TypeError(f"cannot assign '{typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)")
        self._buffers[name] = _ask_hooks(_global_buffer_registration_hooks, self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name, param):
        """Add a parameter under a name; same as assigning it to an attribute.

        Args:
            name: its name, without dots.
            param: a Parameter, or None for an absent one, such as the bias of a layer without bias. A
                tensor computed from others raises ValueError.
        """
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        _check_name("parameter", name)
        if hasattr(self, name) and name not in self._parameters:
            raise KeyError(f"attribute '{name}' already exists")
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(f"cannot assign '{typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None "
                                "required)")
            if param.grad_fn:
                raise ValueError(f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created "
                                 f"explicitly. To express '{name}' as a function of another Tensor, compute the value in "
                                 "the forward() method.")
            param = _ask_hooks(_global_parameter_registration_hooks, self, name, param)
        self._parameters[name] = param

    def add_module(self, name, module):
        """Add a submodule under a name; same as assigning it to an attribute.

        Args:
            name: its name, without dots; it must not be that of another attribute.
            module: the module, or None.
        """
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{typename(module)} is not a Module subclass")
        if isinstance(name, str) and hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        _check_name("module", name, f", got: {name}")
        self._modules[name] = _ask_hooks(_global_module_registration_hooks, self, name, module)

    def register_module(self, name, module):
        """Same as `add_module`."""
        self.add_module(name, module)

    def _assign(self, name, value):
        """Handle `self.name = value` if the value is a tensor or module, or the name belongs to a member."""
        own = self.__dict__
        params, modules, buffers = own.get("_parameters"), own.get("_modules"), own.get("_buffers")
        if isinstance(value, Parameter):
            if params is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._make_way(name, own, buffers, modules)
            self.register_parameter(name, value)
        elif params is not None and name in params:
            if value is not None:
                raise TypeError(f"cannot assign '{typename(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)")
            self.register_parameter(name, value)
        elif isinstance(value, Module) or (modules is not None and name in modules):
            if modules is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            if not isinstance(value, Module) and value is not None:
                raise TypeError(f"cannot assign '{typename(value)}' as child module '{name}' (torch.nn.Module or None expected)")
            if value is not None:
                self._make_way(name, own, params, buffers)
            modules[name] = _ask_hooks(_global_module_registration_hooks, self, name, value)
        elif isinstance(value, Buffer) or (buffers is not None and name in buffers):
            self._assign_buffer(name, value)
        else:
            self._store(name, value)

    def _make_way(self, name, *dicts):
        for members in dicts:
            members.pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def _assign_buffer(self, name, value):
        if value is not None and not isinstance(value, Tensor) and not hasattr(value, "__torch_function__"):
            raise TypeError(f"cannot assign '{typename(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None "
                            "expected)")
        persistent = value.persistent if isinstance(value, Buffer) else name not in self._non_persistent_buffers_set
        if type(self).register_buffer is not Module.register_buffer:
            import inspect
            if "persistent" not in inspect.signature(self.register_buffer).parameters:
                if not persistent:
                    raise RuntimeError("Registering a non-persistent buffer on a Module subclass that implements "
                                       "register_buffer() without the persistent argument is not allowed.")
                self.register_buffer(name, value)
                return
        self.register_buffer(name, value, persistent)

    def __dir__(self):
        names = [*dir(type(self)), *self.__dict__, *self._parameters, *self._modules, *self._buffers]
        return sorted(name for name in names if not name[0].isdigit())

    # ---- members by their paths ----

    def get_submodule(self, target):
        """Return the submodule with this path, for example "encoder.layers.0".

        Much faster than a search in `named_modules()`.

        Args:
            target: names joined by dots; "" is the module itself. AttributeError if there is none.

        Example:
            >>> net = nn.Sequential(nn.Sequential(nn.ReLU(), nn.Linear(2, 3)))
            >>> net.get_submodule("0.1")
            Linear(in_features=2, out_features=3, bias=True)
        """
        module = self
        for name in target.split(".") if target else ():
            if not hasattr(module, name):
                raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def set_submodule(self, target, module, strict=False):
        """Put a module at a path, for example to replace a layer.

        Args:
            target: names joined by dots; all but the last must exist.
            module: the new module.
            strict: whether there must already be a module at this path. Default: False.

        Example:
            >>> net = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
            >>> net.set_submodule("1", nn.Tanh())
            >>> net[1]
            Tanh()
        """
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if hasattr(parent, name):
            if not isinstance(getattr(parent, name), Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        elif strict:
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        setattr(parent, name, module)

    def _find(self, target):
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        return module, name, getattr(module, name)

    def get_parameter(self, target):
        """Return the parameter with this path, for example "encoder.weight"; raise AttributeError if there is none.

        Args:
            target: names joined by dots.
        """
        _, name, found = self._find(target)
        if not isinstance(found, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return found

    def get_buffer(self, target):
        """Return the buffer with this path, for example "norm.running_mean"; raise AttributeError if there is none.

        Args:
            target: names joined by dots.
        """
        module, name, found = self._find(target)
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return found

    # ---- iterating ----

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        """Iterate over this module and all below it, as pairs (path, module), parents first.

        Args:
            memo: a set of modules to leave out, which is extended. Default: None, an empty one.
            prefix: path of this module. Default: "".
            remove_duplicate: whether to yield a shared module only once. Default: True.

        Example:
            >>> net = nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.ReLU()))
            >>> [name for name, _ in net.named_modules()]
            ['', '0', '1', '1.0']
        """
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def modules(self, remove_duplicate=True):
        """Iterate over this module and all below it, parents first.

        Args:
            remove_duplicate: whether a shared module comes once only. Default: True.
        """
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_children(self):
        """Iterate over the direct submodules as pairs (name, module); shared ones appear once."""
        memo = set()
        for name, module in self._modules.items():
            if module is not None and module not in memo:
                memo.add(module)
                yield name, module

    def children(self):
        """Iterate over the direct submodules; shared ones appear once."""
        for _, module in self.named_children():
            yield module

    def _named_members(self, get_members_fn, prefix="", recurse=True, remove_duplicate=True):
        memo = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, member in get_members_fn(module):
                if member is None or member in memo:
                    continue
                if remove_duplicate:
                    memo.add(member)
                yield f"{path}.{name}" if path else name, member

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        """Iterate over the parameters as pairs (path, parameter).

        Args:
            prefix: put before all paths. Default: "".
            recurse: whether to include those of submodules. Default: True.
            remove_duplicate: whether to yield a shared parameter only once. Default: True.

        Example:
            >>> [name for name, _ in nn.Sequential(nn.Linear(2, 3), nn.ReLU()).named_parameters()]
            ['0.weight', '0.bias']
        """
        yield from self._named_members(lambda module: module._parameters.items(), prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        """Iterate over the parameters, for example to pass them to an optimizer; shared ones appear once.

        Args:
            recurse: whether to include those of submodules. Default: True.

        Example:
            >>> sum(p.numel() for p in nn.Linear(10, 5).parameters())  # 10 * 5 + 5
            55
        """
        for _, param in self.named_parameters(recurse=recurse):
            yield param

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """Iterate over the buffers as pairs (path, buffer).

        Args:
            prefix: put before all paths. Default: "".
            recurse: whether to include those of submodules. Default: True.
            remove_duplicate: whether to yield a shared buffer only once. Default: True.
        """
        yield from self._named_members(lambda module: module._buffers.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True):
        """Iterate over the buffers; shared ones appear once.

        Args:
            recurse: whether to include those of submodules. Default: True.
        """
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    # ---- conversion ----

    def _apply(self, fn, recurse=True):
        """Replace the contents of parameters, their gradients and buffers with the result of `fn`."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        for name, param in self._parameters.items():
            if param is None:
                continue
            if conversion.get_swap_module_params_on_conversion():
                self._swap_in(name, param, fn)
                continue
            grad = param.grad
            with no_grad():
                value = fn(param)
                grad_value = None if grad is None else fn(grad)
            in_place = not conversion.get_overwrite_module_params_on_conversion()
            if in_place and param.is_meta == value.is_meta:
                param.data = value
            else:
                self._parameters[name] = param = Parameter(value, param.requires_grad)
            if grad is None:
                continue
            if in_place and param.grad is grad and grad.is_meta == grad_value.is_meta:
                grad.data = grad_value
            else:
                param.grad = grad_value.requires_grad_(grad.requires_grad)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def _swap_in(self, name, param, fn):
        """Replace the contents of a parameter and its gradient by swapping tensors (torch.__future__'s swap mode)."""
        with no_grad():
            value = fn(param)
        grad, param.grad = param.grad, None  # swap_tensors refuses a parameter that its gradient still refers to
        try:
            swap_tensors(param, Parameter(value, param.requires_grad))
        except Exception as error:
            param.grad = grad
            raise RuntimeError(f"_apply(): Couldn't swap {self._get_name()}.{name}") from error
        if grad is None:
            return
        with no_grad():
            new = fn(grad).requires_grad_(grad.requires_grad)
        try:
            swap_tensors(grad, new)
        except Exception as error:
            raise RuntimeError(f"_apply(): Couldn't swap {self._get_name()}.{name}.grad") from error
        param.grad = grad

    def apply(self, fn):
        """Call `fn` with every module, children first, and return this module.

        Typical use: initialise parameters.

        Args:
            fn: a function of a module.

        Example:
            >>> def ones(module):
            ...     if isinstance(module, nn.Linear):
            ...         _ = nn.init.ones_(module.weight)
            >>> nn.Sequential(nn.Linear(1, 2)).apply(ones)[0].weight
            Parameter containing:
            tensor([[1.],
                    [1.]], requires_grad=True)
        """
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def to(self, *args, **kwargs):
        """Move and convert parameters and buffers, in place, and return the module.

        Forms: to(device), to(dtype), to(device, dtype), to(tensor) for the device and type of a
        tensor, and memory_format=. Integer tensors only move; they keep their type. An optimizer
        created earlier stays valid.

        Args:
            device: where to.
            dtype: a floating or complex type; others raise TypeError.
            non_blocking: let copies from pinned memory to a GPU overlap with computation. Default:
                False.
            memory_format: for 4-D and 5-D parameters and buffers; keyword only.

        Example:
            >>> net = nn.Linear(2, 3).to(torch.float64)
            >>> net.weight.dtype
            torch.float64
            >>> net.to("meta").weight.device
            device(type='meta')
        """
        device, dtype, non_blocking, layout = _C._parse_to(*args, **kwargs)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}")
        if dtype is not None and dtype.is_complex:
            warnings.warn("Complex modules are a new feature under active development whose design may change, and some "
                          "modules might not work as expected when using complex tensors as parameters or buffers. Please "
                          "file an issue at https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml if a "
                          "complex module does not work as expected.", stacklevel=2)

        def convert(t):
            kind = dtype if t.is_floating_point() or t.is_complex() else None
            more = {"memory_format": layout} if layout is not None and t.dim() in (4, 5) else {}
            try:
                return t.to(device, kind, non_blocking, **more)
            except NotImplementedError as error:
                start, rest = "Cannot copy out of meta tensor; no data!", str(error)
                if not rest.startswith(start):
                    raise
                raise NotImplementedError(
                    f"{start} Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() when moving module from "
                    f"meta to a different device.{rest[len(start):]}") from None

        return self._apply(convert)

    def to_empty(self, *, device, recurse=True):
        """Move parameters and buffers to a device without copying the values: the contents are undefined.

        Args:
            device: the device, for example "cpu" for a module on "meta".
            recurse: whether to include submodules. Default: True.
        """
        return self._apply(lambda t: empty_like(t, device=device), recurse=recurse)

    def _cast(self, method):
        """Convert floating-point parameters and buffers with a method of Tensor."""
        return self._apply(lambda t: method(t) if t.is_floating_point() else t)

    def float(self):
        """Convert floating-point parameters and buffers to float32, in place, and return the module."""
        return self._cast(Tensor.float)

    def double(self):
        """Convert floating-point parameters and buffers to float64, in place, and return the module."""
        return self._cast(Tensor.double)

    def half(self):
        """Convert floating-point parameters and buffers to float16, in place, and return the module."""
        return self._cast(Tensor.half)

    def bfloat16(self):
        """Convert floating-point parameters and buffers to bfloat16, in place, and return the module."""
        return self._cast(Tensor.bfloat16)

    def type(self, dst_type):
        """Convert all parameters and buffers, integer ones too, to a type, and return the module.

        Args:
            dst_type: a dtype, or the name of one.
        """
        return self._apply(lambda t: t.type(dst_type))

    def cuda(self, device=None):
        """Move parameters and buffers to a GPU and return the module.

        Args:
            device: the index of the GPU. Default: None, the current one.
        """
        return self._apply(lambda t: t.cuda(device))

    def xpu(self, device=None):
        """Move parameters and buffers to an XPU device, which Corten does not have: raises AttributeError if there are any."""
        return self._apply(lambda t: t.xpu(device))

    def ipu(self, device=None):
        """Move parameters and buffers to an IPU device, which Corten does not have: raises AttributeError if there are any."""
        return self._apply(lambda t: t.ipu(device))

    def mtia(self, device=None):
        """Move parameters and buffers to an MTIA device, which Corten does not have: raises AttributeError if there are any."""
        return self._apply(lambda t: t.mtia(device))

    def cpu(self):
        """Move parameters and buffers to the CPU and return the module."""
        return self._apply(lambda t: t.cpu())

    def share_memory(self):
        """Move parameters and buffers to memory that other processes can share, and return the module."""
        return self._apply(lambda t: t.share_memory_())

    # ---- training ----

    def train(self, mode=True):
        """Switch this module and all below to training mode, and return it.

        Dropout and batch normalisation, among others, behave differently in training; nothing else
        changes.

        Args:
            mode: True for training, False for evaluation; other types raise ValueError. Default:
                True.
        """
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        """Switch this module and all below to evaluation mode, and return it: `train(False)`.

        It does not disable gradients; use `torch.no_grad()` for that.
        """
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        """Set whether the parameters require gradients, and return the module; False freezes it.

        Args:
            requires_grad: the new setting. Default: True.
        """
        for param in self.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        """Reset the gradients of all parameters.

        Args:
            set_to_none: drop them, which saves memory, instead of filling them with zeros. Default:
                True.
        """
        if getattr(self, "_is_replica", False):
            warnings.warn("Calling .zero_grad() from a module created with nn.DataParallel() has no effect. The parameters "
                          "are copied (in a differentiable manner) from the original module. This means they are not leaf "
                          "nodes in autograd and so don't accumulate gradients. If you need gradients in your forward method, "
                          "consider using autograd.grad instead.", stacklevel=2)
        for param in self.parameters():
            grad = param.grad
            if grad is None:
                continue
            if set_to_none:
                param.grad = None
                continue
            if grad.grad_fn is not None:
                grad.detach_()
            else:
                grad.requires_grad_(False)
            grad.zero_()

    def compile(self, *args, **kwargs):
        """Compile calls of this module with `torch.compile`; arguments are passed on to it."""
        from ... import compile
        self._compiled_call_impl = compile(self._call_impl, *args, **kwargs)

    def _replicate_for_data_parallel(self):
        replica = type(self).__new__(type(self))
        replica.__dict__ = self.__dict__.copy()
        replica._parameters = {}
        replica._buffers = self._buffers.copy()
        replica._modules = self._modules.copy()
        replica._is_replica = True
        return replica

    # ---- printing ----

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        """Return the string that is printed between the parentheses; subclasses override it."""
        return ""

    def __repr__(self):
        extra = self.extra_repr()
        extra = extra.split("\n") if extra else []
        below = [f"({name}): {_addindent(repr(module), 2)}" for name, module in self._modules.items()]
        if not below and len(extra) <= 1:
            return f"{self._get_name()}({''.join(extra)})"
        return f"{self._get_name()}(\n  " + "\n  ".join(extra + below) + "\n)"

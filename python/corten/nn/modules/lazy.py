# SPDX-License-Identifier: BSD-3-Clause
"""LazyModuleMixin: modules that infer the shapes of their parameters from their first input."""
from itertools import chain

from ... import no_grad
from ..parameter import is_lazy

__all__ = ["LazyModuleMixin"]


class LazyModuleMixin:
    """Mixin for modules whose parameters get their shapes during the first call.

    A subclass registers members of type UninitializedParameter or UninitializedBuffer and defines
    `initialize_parameters`, which is called with the arguments of the first call and must
    materialise all of them. Then the class of the object becomes `cls_to_become`, if that is set.
    Loading a state dict fixes the shapes, too. nn.LazyLinear is an example.
    """

    cls_to_become = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        saved = (item for item in self._buffers.items() if item[0] not in self._non_persistent_buffers_set)
        for name, value in chain(self._parameters.items(), saved):
            if value is not None:
                destination[prefix + name] = value if keep_vars or is_lazy(value) else value.detach()

    def _lazy_load_hook(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        """Give members without a shape the shapes from the state dict, before it is loaded."""
        for name, param in chain(self._parameters.items(), self._buffers.items()):
            value = state_dict.get(prefix + name)
            if param is not None and value is not None and is_lazy(param) and not is_lazy(value):
                with no_grad():
                    param.materialize(value.shape)

    def initialize_parameters(self, *args, **kwargs):
        """Create the parameters from the arguments of the first call; subclasses define it."""
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self):
        """Return whether any parameter or buffer has no shape yet."""
        return any(is_lazy(value) for value in chain(self._parameters.values(), self._buffers.values()))

    def _infer_parameters(self, module, args, kwargs=None):
        """Pre-hook of the first call: create the parameters, then end the lazy state."""
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook, module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _replicate_for_data_parallel(self):
        raise RuntimeError("Modules with uninitialized parameters can't be used with `DataParallel`. Run a dummy forward pass "
                           "to correctly initialize the modules")

# SPDX-License-Identifier: BSD-3-Clause
"""ModuleTracker: the modules whose forward or backward is currently running."""
import weakref

from .. import _C
from ..autograd import Variable
from ..autograd.graph import register_multi_grad_hook
from ..nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from ._pytree import tree_leaves

__all__ = ["ModuleTracker"]


class ModuleTracker:
    """Context manager; `parents` is the set of names of modules that are currently running, plus "Global".

    The outermost module is named after its class; its children are named below it, as in a state_dict. In backward, a module
    runs from the gradient of its outputs to the gradients of its inputs; a module whose inputs need no gradient stays in
    `parents` until backward ends. `is_bw` tells whether backward is running.

        >>> seen = []
        >>> net = nn.Sequential(nn.Linear(2, 2))
        >>> handle = net[0].register_forward_pre_hook(lambda *_: seen.append(sorted(tracker.parents)))
        >>> with torch.utils.module_tracker.ModuleTracker() as tracker:
        ...     y = net(torch.ones(1, 2))
        >>> seen
        [['Global', 'Sequential', 'Sequential.0']]
    """

    def __init__(self):
        self.parents = {"Global"}
        self._names, self._named = weakref.WeakKeyDictionary(), weakref.WeakSet()
        self._awaits_end, self._hooks = False, []

    @property
    def is_bw(self):
        """Whether backward is running on this thread."""
        return _C._current_graph_task_id() != -1

    def _name(self, module):
        name = self._names.setdefault(module, type(module).__name__)
        if module not in self._named:
            for child_name, child in module.named_children():
                self._names[child] = f"{name}.{child_name}"
                self._name(child)
            self._named.add(module)
        return name

    def _end_of_backward(self):
        self.parents, self._awaits_end = {"Global"}, False

    def _enter_backward(self, name):
        def enter(*grads):
            if not self._awaits_end:
                self._awaits_end = True
                Variable._execution_engine.queue_callback(self._end_of_backward)
            self.parents.add(name)
        return enter

    def _watch(self, nest, hook):
        tensors = [x for x in tree_leaves(nest) if isinstance(x, _C.Tensor) and x.requires_grad]
        if tensors:
            self._hooks.append(register_multi_grad_hook(tensors, hook))

    def _before_forward(self, module, inputs):
        name = self._name(module)
        self.parents.add(name)
        self._watch(inputs, lambda grads: self.parents.discard(name))

    def _after_forward(self, module, inputs, output):
        name = self._name(module)
        self.parents.discard(name)
        self._watch(output, self._enter_backward(name))

    def __enter__(self):
        self._handles = [register_module_forward_pre_hook(self._before_forward), register_module_forward_hook(self._after_forward)]
        return self

    def __exit__(self, *error):
        for handle in [*self._handles, *self._hooks]:
            handle.remove()
        self._hooks.clear()

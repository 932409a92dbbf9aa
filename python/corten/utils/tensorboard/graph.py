# SPDX-License-Identifier: BSD-3-Clause
"""The graph of a network for TensorBoard: the calls of one run, grouped by module."""
from ... import _C
from ...overrides import TorchFunctionMode
from .plugins import message
from .records import field


def _shapes(tensors):
    """Encodes attr 5: "_output_shapes", AttrValue: list 1 (shape 7: TensorShapeProto)."""
    shapes = b"".join(message(7, b"".join(message(2, field(1, n)) for n in t.shape)) for t in tensors)
    return message(5, field(1, "_output_shapes") + message(2, message(1, shapes)))


def _tensors(value):
    if isinstance(value, _C.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))


class _Recorder(TorchFunctionMode):
    """Records each call as a node (name, kind, names of its inputs, results)."""

    def __init__(self, model):
        super().__init__()
        self.nodes, self._made, self._alive, self._counts, self._path = [], {}, [], {}, []
        root = type(model).__name__
        self._titles = {m: f"{type(m).__name__}[{name.rpartition('.')[2]}]" if name else root
                        for name, m in model.named_modules()}
        for name, parameter in (*model.named_parameters(), *model.named_buffers()):
            self.add(f"{root}/{name.replace('.', '/')}", "Parameter", (), [parameter])

    def add(self, name, kind, inputs, results):
        """Adds a node; a number makes its name unique."""
        count = self._counts[name] = self._counts.get(name, -1) + 1
        name = f"{name}_{count}" if count else name
        self.nodes.append((name, kind, [self._made[id(t)] for t in inputs if id(t) in self._made], results))
        for t in results:
            self._made.setdefault(id(t), name)
            self._alive.append(t)  # keep the tensor alive, so that its id is not reused

    def enter(self, module, args):
        self._path.append(self._titles.get(module, type(module).__name__))

    def leave(self, module, args, result):
        self._path.pop()

    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        results = list(_tensors(result))
        if results and getattr(func, "__name__", "") not in ("__get__", "__set__"):
            name = getattr(func, "__name__", "call").strip("_")
            self.add("/".join([*self._path, name]), f"aten::{name}", list(_tensors([args, kwargs or {}])), results)
        return result


def graph(model, inputs):
    """Encodes GraphDef: node 1 (name 1, op 2, input 3, attr 5), versions 4 (producer 1); also returns a text form."""
    from ...nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
    inputs = inputs if isinstance(inputs, (list, tuple)) else (inputs,)
    recorder = _Recorder(model)
    for i, x in enumerate(_tensors(list(inputs))):
        recorder.add(f"input/{i}", "IO Node", (), [x])
    hooks = [register_module_forward_pre_hook(recorder.enter),
             register_module_forward_hook(recorder.leave, always_call=True)]
    training = model.training
    model.eval()
    try:
        with _C.no_grad(), recorder:
            outputs = model(*inputs)
    finally:
        model.train(training)
        for hook in hooks:
            hook.remove()
    for i, x in enumerate(_tensors(outputs)):
        recorder.add(f"output/{i}", "IO Node", [x], [x])
    data = b"".join(message(1, field(1, name) + field(2, kind) + b"".join(field(3, i) for i in ins) + _shapes(results))
                    for name, kind, ins, results in recorder.nodes)
    text = "\n".join(f"{name} = {kind}({', '.join(ins)})" for name, kind, ins, _ in recorder.nodes)
    return data + message(4, field(1, 22)), text

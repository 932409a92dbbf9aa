# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.graphs: work that is captured once and launched again as a whole."""
import contextlib
import itertools

from .. import _C
from .._missing import MissingFeature, missing_function
from . import current_device, synchronize
from .streams import Stream, StreamContext, is_current_stream_capturing

__all__ = ["CUDAGraph", "export_dot", "export_graph_data", "graph", "graph_pool_handle", "is_current_stream_capturing", "make_graphed_callables"]


_ERROR_MODES = ("global", "thread_local", "relaxed")
_SEE = "profile the replays with Nsight Systems, which shows the nodes of graphs"
export_dot = missing_function("torch.cuda.export_dot", _SEE)
export_graph_data = missing_function("torch.cuda.export_graph_data", _SEE)


class CUDAGraph:
    """A sequence of GPU work, captured once and launched as a whole, which saves the launch time of each kernel.

    A replay runs the same kernels on the same addresses: copy new inputs into the tensors used in the capture, and read the
    results from its output tensors. Shapes and control flow are fixed. Usually torch.cuda.graph captures::

        x, graph = torch.zeros(8, device="cuda"), torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            y = model(x)
        x.copy_(batch)
        graph.replay()  # y now has the result for batch

    Args:
        keep_graph: must be False. Default: False
    """

    def __init__(self, keep_graph=False):
        self._graph, self._device = 0, None
        if keep_graph:
            raise MissingFeature("torch.cuda.CUDAGraph(keep_graph=True)", "leave it out; the graph can be replayed after capture_end()")

    def capture_begin(self, pool=None, capture_error_mode="global"):
        """Begin to capture the work of the current stream.

        Args:
            pool: accepted for compatibility: each capture uses the memory of its stream. Default: None
            capture_error_mode: "global", "thread_local" or "relaxed": in PyTorch which driver calls make a capture fail. Here
                none does, so that memory can be allocated during a capture. Default: "global"
        """
        if capture_error_mode not in _ERROR_MODES:
            raise RuntimeError("Unknown capture error mode. Expected `global`, `thread_local`, or `relaxed`, got "
                               f"{capture_error_mode}")
        self._device = current_device()
        _C._cuda_capture_begin(self._device)

    def capture_end(self):
        """End the capture, and make the graph ready for replay()."""
        self._graph = _C._cuda_capture_end(self._device)

    def replay(self):
        """Launch the captured work on the current stream."""
        _C._cuda_graph_launch(self._device, self._graph)

    def reset(self):
        """Delete the captured work."""
        if self._graph and _C is not None:
            _C._cuda_graph_destroy(self._device, self._graph)
        self._graph = 0

    def pool(self):
        """Return the id of the memory that the graph uses: (0, 0)."""
        return (0, 0)

    __del__ = reset


_capture_streams = {}


@contextlib.contextmanager
def graph(cuda_graph, pool=None, stream=None, capture_error_mode="global"):
    """A context that captures the work of its block in a CUDAGraph.

    Memory allocated in the block belongs to the graph: the stream is used for captures only. Run the work a few times
    before, so that libraries are initialized.

    Args:
        cuda_graph: the CUDAGraph.
        pool: accepted for compatibility, without effect. Default: None
        stream: the stream to capture. Default: None, for one that all captures of this device share
        capture_error_mode: as for CUDAGraph.capture_begin. Default: "global"
    """
    index = current_device()
    if stream is None:
        stream = _capture_streams.setdefault(index, None) or Stream(index)
        _capture_streams[index] = stream
    synchronize()
    with StreamContext(stream):
        cuda_graph.capture_begin(pool, capture_error_mode)
        try:
            yield
        finally:
            cuda_graph.capture_end()


def graph_pool_handle():
    """Return an id for memory that several graphs share; here each capture uses the memory of its stream."""
    return (0, next(_handles))


_handles = itertools.count(1)


def make_graphed_callables(callables, sample_args, num_warmup_iters=3, allow_unused_input=False, pool=None):
    """Return functions or modules that run forward and backward as CUDA graphs.

    Args:
        callables: a function or module, or a tuple of them.
        sample_args: a tuple of arguments for it, or a tuple of tuples. Later arguments need the same shapes, dtypes and
            requires_grad.
        num_warmup_iters: how often to run each before the capture. Default: 3
        allow_unused_input: whether inputs may be unused. Default: False
        pool: accepted for compatibility, without effect. Default: None

    A module is changed in place and returned: its forward uses the graph while it is in the same mode (training or
    evaluation) as at the capture.
    """
    if not isinstance(callables, tuple):
        return _graphed(callables, sample_args, num_warmup_iters, allow_unused_input)
    return tuple(_graphed(one, args, num_warmup_iters, allow_unused_input) for one, args in zip(callables, sample_args))


def _graphed(function, args, warmups, allow_unused):
    from .. import _C, autograd, empty_like, nn
    module = function if isinstance(function, nn.Module) else None
    parameters = tuple(module.parameters()) if module else ()
    run = module.forward if module else function
    wanted = tuple(x for x in (*args, *parameters) if x.requires_grad)

    def forward():
        out = run(*args)
        return (out,) if isinstance(out, _C.Tensor) else tuple(out)

    def backward(outputs, grads):
        return autograd.grad([o for o in outputs if o.requires_grad], wanted, grads, allow_unused=allow_unused)

    side = Stream()  # a separate stream, so that no other graph uses this memory
    synchronize()
    with StreamContext(side):
        for _ in range(warmups):
            outputs = forward()
            grads = tuple(empty_like(o) for o in outputs if o.requires_grad)
            if wanted and grads:
                backward(outputs, grads)
    synchronize()
    ahead, back = CUDAGraph(), CUDAGraph()
    with graph(ahead, stream=side):
        outputs = forward()
    grads = tuple(empty_like(o) for o in outputs if o.requires_grad)
    with graph(back, stream=side):
        found = iter(backward(outputs, grads) if wanted and grads else ())
    results = tuple(next(found, None) if x.requires_grad else None for x in (*args, *parameters))
    outputs = tuple(o.detach() for o in outputs)
    single = len(outputs) == 1

    class Graphed(autograd.Function):
        @staticmethod
        def forward(ctx, *inputs):
            for mine, given in zip(args, inputs):
                if mine.data_ptr() != given.data_ptr():
                    mine.detach().copy_(given)
            ahead.replay()
            return tuple(o.detach() for o in outputs)

        @staticmethod
        def backward(ctx, *given):
            for mine, grad in zip(grads, [g for g in given if g is not None]):
                if mine.data_ptr() != grad.data_ptr():
                    mine.copy_(grad)
            back.replay()
            return tuple(None if g is None else g.detach() for g in results)

    def call(*inputs):
        out = Graphed.apply(*inputs, *parameters)
        return out[0] if single else out

    if module is None:
        return call
    plain = module.forward
    training = module.training
    module.forward = lambda *inputs: call(*inputs) if module.training == training else plain(*inputs)
    return module

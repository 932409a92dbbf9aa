# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.graphs: work that is written down once and sent again as a whole."""
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
    """Work that was written down once, sent again as a whole."""

    def __init__(self, keep_graph=False):
        self._graph, self._device = 0, None
        if keep_graph:
            raise MissingFeature("torch.cuda.CUDAGraph(keep_graph=True)", "leave it out; the graph can be replayed after capture_end()")

    def capture_begin(self, pool=None, capture_error_mode="global"):
        """From now on the current stream's work is written down.

        capture_error_mode: "global", "thread_local" or "relaxed". It only says which calls of the driver end a capture with an
        error; here none does, so that memory can be allocated during a capture.
        """
        if capture_error_mode not in _ERROR_MODES:
            raise RuntimeError("Unknown capture error mode. Expected `global`, `thread_local`, or `relaxed`, got "
                               f"{capture_error_mode}")
        self._device = current_device()
        _C._cuda_capture_begin(self._device)

    def capture_end(self):
        """Until here."""
        self._graph = _C._cuda_capture_end(self._device)

    def replay(self):
        """Sends it to the current stream."""
        _C._cuda_graph_launch(self._device, self._graph)

    def reset(self):
        """Forgets it."""
        if self._graph and _C is not None:
            _C._cuda_graph_destroy(self._device, self._graph)
        self._graph = 0

    def pool(self):
        """The memory that it uses, for another graph to share."""
        return (0, 0)

    __del__ = reset


_capture_streams = {}


@contextlib.contextmanager
def graph(cuda_graph, pool=None, stream=None, capture_error_mode="global"):
    """A block of code whose work becomes a graph. Its memory belongs to the graph: the stream is no one else's."""
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
    """A name for memory that several graphs share; each capture has its own stream's."""
    return (0, next(_handles))


_handles = itertools.count(1)


def make_graphed_callables(callables, sample_args, num_warmup_iters=3, allow_unused_input=False, pool=None):
    """Functions or modules whose forward and backward work are graphs, made with arguments like those to come."""
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

    side = Stream()  # of this callable alone: its memory is not another graph's
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

# SPDX-License-Identifier: BSD-3-Clause
"""DistributedDataParallel: one module in several processes, whose gradients are averaged while backward runs.

Gradients travel in buckets, in the order in which backward makes them: a bucket is sent when the last of its gradients is
there, and backward goes on meanwhile. The gradient that comes last waits for all buckets.
"""
import contextlib

from ... import _C, autograd, distributed
from ...utils import _pytree
from ..modules.module import Module

__all__ = ["DistributedDataParallel"]

_FIRST_BUCKET = 1 << 20  # bytes: a small one, so that the exchange begins early
_UNFINISHED = (
    "Expected to have finished reduction in the prior iteration before starting a new one. This error indicates that your module "
    "has parameters that were not used in producing loss. You can enable unused parameter detection by passing the keyword "
    "argument `find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`, and by \nmaking sure all `forward` "
    "function outputs participate in calculating loss. \nIf you already have done the above, then the distributed data parallel "
    "module wasn't able to locate the output tensors in the return value of your module's `forward` function. Please include the "
    "loss function and the structure of the return value of `forward` of your module when reporting this issue (e.g. list, dict, "
    "iterable).")
_TWICE = (
    "Expected to mark a variable ready only once. This error is caused by one of the following reasons: 1) Use of a module parameter "
    "outside the `forward` function. Please make sure model parameters are not shared across multiple concurrent forward-backward "
    "passes. 2) Reused parameters in multiple reentrant backward passes. For example, if you use multiple `checkpoint` functions to "
    "wrap the same part of your model, it would result in the same set of parameters been used by different reentrant backward passes "
    "multiple times, and hence marking a variable ready multiple times.")


class _Bucket:
    """Some parameters, and one tensor with their gradients one after the other."""

    def __init__(self, parameters):
        first = parameters[0]
        self.parameters = parameters
        self.flat = _C.zeros(sum(p.numel() for p in parameters), dtype=first.dtype, device=first.device)
        parts = self.flat.split([p.numel() for p in parameters])
        self.views = [part.view(p.shape) for part, p in zip(parts, parameters, strict=True)]
        self.missing, self.work, self.future = 0, None, None


class GradBucket:
    """A bucket as a hook of register_comm_hook sees it."""

    def __init__(self, bucket, index, last):
        self._bucket, self._index, self._last, self._buffer = bucket, index, last, bucket.flat

    def index(self):
        return self._index

    def is_last(self):
        return self._last

    def buffer(self):
        """Its gradients in one tensor."""
        return self._buffer

    def set_buffer(self, buffer):
        self._buffer = buffer

    def gradients(self):
        """Views of it, one for each parameter."""
        return list(self._bucket.views)

    def parameters(self):
        return list(self._bucket.parameters)


def _buckets(parameters, capacity):
    """The parameters from the last to the first, in buckets of one type each."""
    done, open_ = [], {}
    limit = {}
    for p in reversed(parameters):
        key = (p.dtype, p.device)
        bucket = open_.setdefault(key, [])
        bucket.append(p)
        if sum(q.numel() * q.element_size() for q in bucket) >= limit.get(key, min(_FIRST_BUCKET, capacity)):
            done.append(_Bucket(open_.pop(key)))
            limit[key] = capacity
    return done + [_Bucket(bucket) for bucket in open_.values()]


class _Reducer:
    """Averages gradients as they come."""

    def __init__(self, parameters, group, capacity, find_unused, as_views):
        self.group, self.find_unused, self.as_views = group, find_unused, as_views
        self.parameters, self.buckets = parameters, _buckets(parameters, capacity)
        self.factor = 1.0 / group.size()
        self.place = {id(p): (bucket, view) for bucket in self.buckets for p, view in zip(bucket.parameters, bucket.views, strict=True)}
        self.active, self.hook = False, None  # hook: (state, function) of register_comm_hook
        self.waiting, self.launched, self.used = set(), 0, None
        self.begun, self.unused = False, ()  # whether this backward has made a gradient; parameters that it will not reach
        self.handles = [p.register_post_accumulate_grad_hook(self.ready) for p in parameters]

    def prepare(self, outputs):
        """Before a backward: which parameters it will reach is asked here, if that differs. A forward without one is forgotten."""
        if self.active and self.begun:
            raise RuntimeError(_UNFINISHED)
        self.active, self.begun, self.launched = True, False, 0
        self.waiting = {id(p) for p in self.parameters}
        for bucket in self.buckets:
            bucket.missing, bucket.work = len(bucket.parameters), None
        self.used, self.unused = set(), ()
        if self.find_unused:
            reached = _leaves(outputs)
            self.unused = [p for p in self.parameters if id(p) not in reached]

    def ready(self, p):
        """The hook: a gradient is whole."""
        if not self.active:
            return
        with _C.no_grad():
            if not self.begun:
                self.begun = True
                for other in self.unused:
                    self._mark(other, False)
            if id(p) not in self.waiting:
                raise RuntimeError(_TWICE)
            self._mark(p, p.grad is not None)

    def _mark(self, p, used):
        bucket, view = self.place[id(p)]
        self.waiting.discard(id(p))
        if used:
            self.used.add(id(p))
        if p.grad is not None:
            _C.mul(p.grad, 1.0 if self.hook else self.factor, out=view)
        else:
            view.zero_()
        bucket.missing -= 1
        while self.launched < len(self.buckets) and self.buckets[self.launched].missing == 0:
            bucket = self.buckets[self.launched]
            self._launch(bucket)
            self.launched += 1
        if not self.waiting:
            self._finish()

    def _launch(self, bucket):
        if self.hook is None:
            bucket.work = distributed.all_reduce(bucket.flat, group=self.group, async_op=True)
        else:
            state, hook = self.hook
            bucket.future = hook(state, GradBucket(bucket, self.launched, self.launched == len(self.buckets) - 1))

    @staticmethod
    def _wait(bucket):
        if bucket.work is not None:
            bucket.work.wait()
            return
        result = bucket.future.wait()
        result = result[0] if isinstance(result, (list, tuple)) else result
        if result is not bucket.flat:
            bucket.flat.copy_(result)

    def _used_somewhere(self):
        """For each parameter, whether any process has a gradient for it."""
        if not self.find_unused:
            return dict.fromkeys(map(id, self.parameters), True)
        marks = _C.tensor([int(id(p) in self.used) for p in self.parameters], dtype=_C.int32, device=self.parameters[0].device)
        distributed.all_reduce(marks, group=self.group)
        return {id(p): mark > 0 for p, mark in zip(self.parameters, marks.tolist(), strict=True)}

    def _finish(self):
        self.active = False
        for bucket in self.buckets:
            self._wait(bucket)
        wanted = self._used_somewhere()
        for bucket in self.buckets:
            for p, view in zip(bucket.parameters, bucket.views, strict=True):
                if not wanted[id(p)]:
                    continue
                if self.as_views:
                    p.grad = view
                elif p.grad is None:
                    p.grad = view.clone()
                else:
                    p.grad.copy_(view)


def _tensors(value):
    """All tensors in what a forward returns."""
    if isinstance(value, _C.Tensor):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _tensors(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _tensors(part)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from _tensors(getattr(value, name))


def _leaves(outputs):
    """The ids of the leaves that backward reaches from outputs."""
    found, seen = set(), set()
    stack = []
    for tensor in _tensors(outputs):
        if tensor.grad_fn is not None:
            stack.append(tensor.grad_fn)
        elif tensor.requires_grad:
            found.add(id(tensor))
    keep = []  # objects of nodes are made when asked for; ids must stay theirs
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        keep.append(node)
        leaf = getattr(node, "variable", None)
        if leaf is not None:
            found.add(id(leaf))
        stack.extend(parent for parent, _ in node.next_functions if parent is not None)
    return found


class _DDPSink(autograd.Function):
    """Where all outputs of a forward meet: backward comes to each of them, with no gradient to those that the loss leaves out."""

    @staticmethod
    def forward(ctx, *outputs):
        ctx.set_materialize_grads(False)
        return tuple(output.clone() for output in outputs)

    @staticmethod
    def backward(ctx, *grads):
        return grads


def _through_sink(outputs):
    parts, tree = _pytree.tree_flatten(outputs)
    at = [i for i, part in enumerate(parts) if isinstance(part, _C.Tensor) and part.grad_fn is not None]
    if len(at) < 2:  # one alone is part of the loss, or there is no backward
        return outputs
    for i, part in zip(at, _DDPSink.apply(*(parts[i] for i in at)), strict=True):
        parts[i] = part
    return _pytree.tree_unflatten(parts, tree)


class DistributedDataParallel(Module):
    """A module whose parameters are the same in all processes of a group, because their gradients are averaged.

    What comes of a step is as if one process had seen all batches. `module` is the module itself.
    """

    def __init__(self, module, device_ids=None, output_device=None, dim=0, broadcast_buffers=None, init_sync=True,
                 process_group=None, bucket_cap_mb=None, find_unused_parameters=False, check_reduction=False,
                 gradient_as_bucket_view=False, static_graph=False, delay_all_reduce_named_params=None,
                 param_to_hook_all_reduce=None, mixed_precision=None, device_mesh=None, skip_all_reduce_unused_params=False,
                 bucket_cap_mb_list=None, batched_grad_copy=False, forward_sync_buffers=None, lazy_bucket_allocation=False):
        super().__init__()
        self.process_group = distributed.distributed_c10d._group_or_world(process_group)
        ignored = set(getattr(module, "_ddp_params_and_buffers_to_ignore", ()))
        self._module_parameters = [p for name, p in module.named_parameters() if p.requires_grad and name not in ignored]
        if not any(p.requires_grad for p in module.parameters()):
            raise RuntimeError("DistributedDataParallel is not needed when a module doesn't have any parameters that require a gradient.")
        if device_ids is not None and len(device_ids) > 1:
            raise ValueError("device_ids can only be None or contain a single element.")
        devices = {p.device for p in self._module_parameters}
        self.module, self.dim = module, dim
        self.device = next(iter(devices))
        self.device_ids = [device.index if isinstance(device, _C.device) else device for device in device_ids] if device_ids else None
        self.output_device = self.device_ids[0] if output_device is None and self.device_ids else output_device
        at_start = broadcast_buffers is None or broadcast_buffers or forward_sync_buffers is not None
        self.forward_sync_buffers = at_start if forward_sync_buffers is None else forward_sync_buffers
        self.find_unused_parameters = find_unused_parameters
        self.gradient_as_bucket_view, self.static_graph = gradient_as_bucket_view, static_graph
        self.require_backward_grad_sync = self.require_forward_param_sync = True
        self._ignored = ignored
        if init_sync:
            self._verify()
            tensors = [*module.named_parameters(), *(module.named_buffers() if at_start else ())]
            self._share([t for name, t in tensors if name not in ignored])
        megabytes = 25 if bucket_cap_mb is None else bucket_cap_mb
        self.bucket_bytes_cap = int(megabytes * 1024 * 1024)
        self.reducer = _Reducer(self._module_parameters, self.process_group, self.bucket_bytes_cap,
                                find_unused_parameters or static_graph, gradient_as_bucket_view)

    def _verify(self):
        """All processes have as many parameters, of the same sizes."""
        mine = [tuple(p.shape) for p in self._module_parameters]
        all_ = [None] * self.process_group.size()
        distributed.all_gather_object(all_, mine, self.process_group)
        for rank, other in enumerate(all_):
            if len(other) != len(mine):
                raise RuntimeError(f"DDP expects same model across all ranks, but Rank {self.process_group.rank()} has {len(mine)} "
                                   f"params, while rank {rank} has inconsistent {len(other)} params.")
            for i, (a, b) in enumerate(zip(mine, other, strict=True)):
                if a != b:
                    raise RuntimeError(f"[{self.process_group.rank()}]: params[{i}] in this process with sizes {list(a)} appears not "
                                       f"to match sizes of the same param in process {rank}.")

    def _share(self, tensors):
        """The tensors of rank 0 for all."""
        works = [distributed.broadcast(t.detach(), group=self.process_group, async_op=True, group_src=0) for t in tensors]
        for work in works:
            work.wait()

    def forward(self, *inputs, **kwargs):
        if self.require_forward_param_sync and self.forward_sync_buffers:
            self._share([b for name, b in self.module.named_buffers() if name not in self._ignored])
        if self.device_ids:
            from . import _moved
            inputs, kwargs = _moved((inputs, kwargs), self.device)
        output = self.module(*inputs, **kwargs)
        if _C.is_grad_enabled() and self.require_backward_grad_sync:
            self.require_forward_param_sync = True
            self.reducer.prepare(output)
            if self.reducer.find_unused:
                output = _through_sink(output)
        else:
            self.require_forward_param_sync = False
        return output

    @property
    def broadcast_buffers(self):
        return self.forward_sync_buffers

    @broadcast_buffers.setter
    def broadcast_buffers(self, value):
        self.forward_sync_buffers = value

    @contextlib.contextmanager
    def no_sync(self):
        """Inside, gradients stay and add up in this process; the next backward outside averages them."""
        before, self.require_backward_grad_sync = self.require_backward_grad_sync, False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    def _get_ddp_logging_data(self):
        """Facts of this module in the group."""
        group = self.process_group
        return {"world_size": group.size(), "rank": group.rank(), "backend_name": group.name(), "module_name": type(self.module).__name__,
                "bucket_cap_bytes": self.bucket_bytes_cap, "broadcast_buffers": self.forward_sync_buffers, "can_set_static_graph": False,
                "find_unused_parameters": self.find_unused_parameters, "gradient_as_bucket_view": self.gradient_as_bucket_view}

    def _set_static_graph(self):
        """Each backward reaches the same parameters: which ones is found out as for find_unused_parameters."""
        self.static_graph = self.reducer.find_unused = True

    def register_comm_hook(self, state, hook):
        """hook(state, bucket) is called in the place of averaging a bucket; it returns a future of the tensor that takes its place."""
        if not callable(hook):
            raise TypeError("Communication hook must be callable.")
        if self.reducer.hook is not None:
            raise RuntimeError("register_comm_hook or register_builtin_comm_hook can only be called once.")
        self.reducer.hook = (state, hook)

    def __getstate__(self):
        state = dict(self.__dict__)
        for name in ("process_group", "reducer"):
            state.pop(name)
        return state

    def __setstate__(self, state):
        super().__setstate__(state)
        self.process_group = distributed.distributed_c10d._get_default_group()
        self.reducer = _Reducer(self._module_parameters, self.process_group, self.bucket_bytes_cap,
                                self.find_unused_parameters or self.static_graph, self.gradient_as_bucket_view)

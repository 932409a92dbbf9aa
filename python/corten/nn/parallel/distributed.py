# SPDX-License-Identifier: BSD-3-Clause
"""DistributedDataParallel: one module in several processes, which average its gradients while backward runs (_reducer.py)."""
import contextlib
import inspect
import warnings
from dataclasses import dataclass
from typing import Any

from ... import _C, autograd, distributed
from ..._missing import no_effect
from ...distributed.algorithms.join import Join, Joinable, JoinHook
from ...distributed._grad_bucket import GradBucket
from ...utils import _pytree
from ..modules.module import Module
from ..modules.sparse import Embedding, EmbeddingBag
from ..parameter import UninitializedParameter
from ._reducer import FIRST_BUCKET, Reducer, make_buckets

__all__ = ["DistributedDataParallel"]


@dataclass
class _MixedPrecision:
    """The dtypes for DistributedDataParallel(mixed_precision=...).

    Parameters, their gradients and the state dict keep their dtype.

    Args:
        param_dtype: type of parameters and inputs during forward and backward. Default: None,
            unchanged.
        reduce_dtype: type in which processes exchange gradients. Default: None, `param_dtype`.
        buffer_dtype: type to which the constructor casts buffers. Default: None, unchanged.
    """
    param_dtype: Any = None
    reduce_dtype: Any = None
    buffer_dtype: Any = None


def _cast(value, dtype):
    """Cast the floating-point tensors in the arguments to another dtype."""
    def cast(part):
        return part.to(dtype) if isinstance(part, _C.Tensor) and part.is_floating_point() else part
    return value if dtype is None else _pytree.tree_map(cast, value)


def _tensors(value):
    """Iterate over all tensors in the result of a forward."""
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
    """Return the ids of the leaves that a backward from these outputs reaches."""
    found, seen = set(), set()
    stack = []
    for tensor in _tensors(outputs):
        if tensor.grad_fn is not None:
            stack.append(tensor.grad_fn)
        elif tensor.requires_grad:
            found.add(id(tensor))
    keep = []  # node objects are created on request; keep them alive, so that no id is reused
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
    """Join all outputs of a forward, so that backward reaches each of them; outputs unused by the loss get no gradient."""

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
    if len(at) < 2:  # with a single output, backward always reaches it
        return outputs
    for i, part in zip(at, _DDPSink.apply(*(parts[i] for i in at)), strict=True):
        parts[i] = part
    return _pytree.tree_unflatten(parts, tree)


def _check_hook(hook):
    if not callable(hook):
        raise TypeError("Communication hook must be callable.")
    signature = inspect.signature(hook)
    bucket = signature.parameters.get("bucket")
    if bucket is not None and bucket.annotation not in (inspect.Parameter.empty, GradBucket):
        raise ValueError("Communication hook: bucket annotation should be dist.GradBucket.")
    from ...futures import Future
    if signature.return_annotation not in (inspect.Signature.empty, Future[_C.Tensor]):
        raise ValueError("Communication hook: return annotation should be torch.futures.Future[torch.Tensor].")


class _DDPJoinHook(JoinHook):
    """What a process without further batches does to support the others; see algorithms/join.py."""

    def __init__(self, ddp, divide_by_initial_world_size):
        self.ddp = ddp
        ddp._divide_by_initial_world_size = divide_by_initial_world_size

    def main_hook(self):
        """Take part in the exchange of buffers and gradients for one batch of the other processes."""
        ddp = self.ddp
        if ddp._shares_buffers():
            ddp._share_buffers(ddp._common_rank(False))
        ddp.require_forward_param_sync = ddp._sync_asked_for(False)
        if ddp.require_forward_param_sync:
            ddp.reducer.shadow()

    def post_hook(self, is_last_joiner):
        """Copy the module to all processes from one that was among the last to finish."""
        ddp = self.ddp
        tensors = [*ddp.module.named_parameters(), *(ddp.module.named_buffers() if ddp.forward_sync_buffers else ())]
        ddp._share([t for name, t in tensors if name not in ddp.parameters_to_ignore], ddp._common_rank(is_last_joiner))


class DistributedDataParallel(Module, Joinable):
    """Train one module in several processes, each with a part of the data, by averaging gradients.

    Every process creates the same module and wraps it. During backward the processes sum their gradients, bucket by
    bucket, while the rest is still being computed, and divide by the number of processes. Every optimizer therefore makes
    the same step, as if one process had seen all batches (if the loss is a mean and the batches have equal sizes).

    Call the wrapper, not the module, in training. `torch.distributed.init_process_group` must have
    been called. Save `model.module.state_dict()` in one process.

    Args:
        module: the module; at least one parameter must require a gradient.
        device_ids: [the GPU of the module], to which inputs are moved; only for a module on one
            GPU. Default: None.
        output_device: accepted for compatibility. Default: None.
        dim: accepted for compatibility. Default: 0.
        broadcast_buffers: deprecated name of `forward_sync_buffers`; if False, the constructor does not
            broadcast buffers either. Default: None.
        init_sync: the constructor compares the shapes in all processes and broadcasts the
            parameters of rank 0. Default: True.
        process_group: the processes. Default: None, all.
        bucket_cap_mb: size in MiB of a bucket of gradients, which are sent together. Default: None,
            25 (and 1 for the first).
        find_unused_parameters: allow parameters that a forward does not use; costs a walk over the
            graph in each step. Default: False.
        check_reduction: deprecated, warns. Default: False.
        gradient_as_bucket_view: make gradients views of the buckets, which saves memory and copies.
            Default: False.
        static_graph: promise that every step uses the same parameters; the first step detects
            them. Default: False.
        delay_all_reduce_named_params: pairs (name, parameter), whose gradients wait for that of
            `param_to_hook_all_reduce` and are then averaged together. Default: None.
        param_to_hook_all_reduce: see `delay_all_reduce_named_params`; give both or neither. Default: None.
        mixed_precision: types for forward and for the exchange (`_MixedPrecision`). Default: None.
        device_mesh: a 1-D mesh instead of `process_group`. Default: None.
        skip_all_reduce_unused_params: do not send buckets without any gradient; they must be the
            same in all processes. Default: False.
        bucket_cap_mb_list: sizes of the first, second, ... bucket; the last one applies to all further buckets.
            Default: None.
        batched_grad_copy: no effect; the first use warns. Default: False.
        forward_sync_buffers: each forward first broadcasts the buffers of rank 0. Default:
            None, True.
        lazy_bucket_allocation: hold memory for buckets only while gradients are exchanged. Default:
            False.

    Attributes:
        module: the wrapped module.

    Example:
        >>> torch.distributed.init_process_group("gloo")  # doctest: +SKIP
        >>> model = nn.parallel.DistributedDataParallel(nn.Linear(10, 10))  # doctest: +SKIP
        >>> model(torch.ones(20, 10)).sum().backward()  # gradients are averages now  # doctest: +SKIP
    """

    def __init__(self, module, device_ids=None, output_device=None, dim=0, broadcast_buffers=None, init_sync=True,
                 process_group=None, bucket_cap_mb=None, find_unused_parameters=False, check_reduction=False,
                 gradient_as_bucket_view=False, static_graph=False, delay_all_reduce_named_params=None,
                 param_to_hook_all_reduce=None, mixed_precision=None, device_mesh=None, skip_all_reduce_unused_params=False,
                 bucket_cap_mb_list=None, batched_grad_copy=False, forward_sync_buffers=None, lazy_bucket_allocation=False):
        super().__init__()
        Joinable.__init__(self)
        if (delay_all_reduce_named_params is None) != (param_to_hook_all_reduce is None):
            raise ValueError("delay_all_reduce_named_params and param_to_hook_all_reduce need to be set at the same time.")
        self.process_group = self._group_of(process_group, device_mesh)
        delayed = dict(delay_all_reduce_named_params or ())
        self.parameters_to_ignore = {*getattr(module, "_ddp_params_and_buffers_to_ignore", ()), *delayed}
        self._module_parameters = [p for name, p in module.named_parameters() if name not in self.parameters_to_ignore]
        trained = [p for p in self._module_parameters if p.requires_grad]
        if not trained and not delayed:
            raise RuntimeError("DistributedDataParallel is not needed when a module doesn't have any parameter that requires a gradient.")
        if any(isinstance(p, UninitializedParameter) for p in self._module_parameters):
            raise RuntimeError("Modules with uninitialized parameters can't be used with `DistributedDataParallel`. Run a dummy forward "
                               "pass to correctly initialize the modules")
        self._take_devices(device_ids, output_device, self._module_parameters or list(delayed.values()))
        self.module, self.dim = module, dim
        init_buffers = self._take_buffer_options(broadcast_buffers, forward_sync_buffers)
        if check_reduction:
            warnings.warn("The `check_reduction` argument in `DistributedDataParallel` module is deprecated. Please avoid using it.",
                          FutureWarning, stacklevel=2)
        if batched_grad_copy:
            no_effect("DistributedDataParallel(batched_grad_copy=True)", "each gradient is copied by a separate call")
        self.find_unused_parameters, self.static_graph = find_unused_parameters, static_graph
        self.gradient_as_bucket_view, self.mixed_precision = gradient_as_bucket_view, mixed_precision
        self.skip_all_reduce_unused_params = skip_all_reduce_unused_params
        self.lazy_bucket_allocation, self.batched_grad_copy = lazy_bucket_allocation, batched_grad_copy
        self.require_backward_grad_sync = self.require_forward_param_sync = True
        self._divide_by_initial_world_size = True
        self._capacities = self._bytes_of(bucket_cap_mb, bucket_cap_mb_list)
        self.bucket_bytes_cap = max(self._capacities)
        if init_sync:
            self._verify(trained)
            tensors = [*module.named_parameters(), *(module.named_buffers() if init_buffers else ())]
            self._share([t for name, t in tensors if name not in self.parameters_to_ignore or name in delayed])
        if delayed:
            self._delayed = list(delayed.values())
            param_to_hook_all_reduce.register_hook(self._reduce_delayed)
        if mixed_precision is not None and mixed_precision.buffer_dtype is not None:
            for name, buffer in module.named_buffers():
                if name not in self.parameters_to_ignore and buffer.is_floating_point():
                    buffer.data = buffer.to(mixed_precision.buffer_dtype)
        self._make_reducer()

    # ---- what the arguments mean ----

    @staticmethod
    def _group_of(process_group, device_mesh):
        if device_mesh is None:
            return distributed.distributed_c10d._group_or_world(process_group)
        if process_group:
            raise RuntimeError("Cannot specify both process_group and device_mesh arguments.")
        if device_mesh.ndim != 1:
            raise RuntimeError(f"Only 1D device mesh is supported, but got {device_mesh}.")
        return device_mesh.get_group(mesh_dim=0)

    def _take_devices(self, device_ids, output_device, parameters):
        if device_ids is not None and len(device_ids) > 1:
            raise ValueError("device_ids can only be None or contain a single element.")
        devices = {p.device for p in parameters}
        kinds = {device.type for device in devices}
        if len(kinds) != 1:
            raise ValueError("DistributedDataParallel's input module must be on the same type of devices, but input module parameters "
                             f"locate in {kinds}.")
        self.is_multi_device_module, self.device_type, self.device = len(devices) > 1, kinds.pop(), parameters[0].device
        self.device_ids = self.output_device = None
        if not device_ids or self.device_type == "cpu" or self.is_multi_device_module:
            if device_ids or output_device:
                raise ValueError("DistributedDataParallel device_ids and output_device arguments only work with "
                                 "single-device/multiple-device GPU modules or CPU modules, but got "
                                 f"device_ids {device_ids}, output_device {output_device}, and module parameters {devices}.")
            return
        index = [device if isinstance(device, int) else _C.device(device).index for device in (*device_ids, output_device or device_ids[0])]
        self.device_ids, self.output_device = index[:1], index[1]

    def _take_buffer_options(self, broadcast_buffers, forward_sync_buffers):
        """Store `forward_sync_buffers`; return whether the constructor broadcasts buffers."""
        if forward_sync_buffers is not None:
            if broadcast_buffers is not None:
                warnings.warn("Both `broadcast_buffers` and `forward_sync_buffers` were specified. `broadcast_buffers` is deprecated and "
                              "its value is ignored when `forward_sync_buffers` is provided.", FutureWarning, stacklevel=3)
            self.forward_sync_buffers = forward_sync_buffers
            return True
        if broadcast_buffers is not None:
            warnings.warn("`broadcast_buffers` is deprecated. Use `forward_sync_buffers` instead. IMPORTANT: unlike "
                          "`broadcast_buffers=False`, `forward_sync_buffers=False` still syncs buffers at init. If you rely on buffers "
                          "NOT being synced at init (e.g. rank-local buffers), keep using `broadcast_buffers=False` until "
                          "`init_sync_buffers` is available.", FutureWarning, stacklevel=3)
        self.forward_sync_buffers = broadcast_buffers is None or broadcast_buffers
        return self.forward_sync_buffers

    @staticmethod
    def _bytes_of(bucket_cap_mb, bucket_cap_mb_list):
        """Return the sizes in bytes of the first, second, ... bucket."""
        if bucket_cap_mb_list:
            return [int(megabytes * 1024 * 1024) for megabytes in bucket_cap_mb_list]
        if bucket_cap_mb is not None:
            return [int(bucket_cap_mb * 1024 * 1024)]
        return [FIRST_BUCKET, 25 * 1024 * 1024]

    def _make_reducer(self):
        trained = [p for p in self._module_parameters if p.requires_grad]
        sparse = {id(m.weight) for m in self.module.modules() if isinstance(m, (Embedding, EmbeddingBag)) and m.sparse}
        mixed = self.mixed_precision
        buckets = make_buckets(trained, self._capacities, mixed and (mixed.reduce_dtype or mixed.param_dtype), sparse)
        self.reducer = Reducer(trained, self.process_group, buckets, self.find_unused_parameters or self.static_graph,
                               self.gradient_as_bucket_view, self.static_graph, self.skip_all_reduce_unused_params,
                               self.lazy_bucket_allocation)

    # ---- keeping processes equal ----

    def _verify(self, parameters):
        """Raise RuntimeError unless all processes have the same number of parameters with the same shapes."""
        mine = [tuple(p.shape) for p in parameters]
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

    def _share(self, tensors, root=0):
        """Broadcast tensors from one process to all."""
        works = [distributed.broadcast(t.detach(), group=self.process_group, async_op=True, group_src=root) for t in tensors]
        for work in works:
            work.wait()

    def _shares_buffers(self):
        return self.require_forward_param_sync and self.forward_sync_buffers

    def _share_buffers(self, root):
        self._share([b for name, b in self.module.named_buffers() if name not in self.parameters_to_ignore], root)

    def _reduce_delayed(self, grad):
        """Hook of `param_to_hook_all_reduce`: average the gradients of the delayed parameters."""
        with _C.no_grad():
            parts = [p.new_zeros(p.shape) if p.grad is None else p.grad for p in self._delayed]
            flat = _C.cat([part.flatten() for part in parts]) / self.process_group.size()
            distributed.all_reduce(flat, group=self.process_group)
            for p, part in zip(self._delayed, flat.split([p.numel() for p in self._delayed]), strict=True):
                if p.grad is None:
                    p.grad = part.view(p.shape).clone()
                else:
                    p.grad.copy_(part.view(p.shape))
        return grad

    # ---- processes with unequal numbers of batches ----

    def join(self, divide_by_initial_world_size=True, enable=True, throw_on_early_termination=False):
        """Let processes train on unequal numbers of batches: finished processes take part in the exchanges of the others.

        Without it the others would wait forever. At the end, all processes receive the module of one that finished
        last.

            with model.join():
                for batch in batches:
                    model(batch).sum().backward()

        Args:
            divide_by_initial_world_size: divide gradients by the number of processes; False by the
                number of those that still have batches. Default: True.
            enable: False does nothing, which is faster if numbers are known to be equal. Default:
                True.
            throw_on_early_termination: raise RuntimeError in all processes as soon as one has no
                more batches. Default: False.
        """
        return Join([self], enable, throw_on_early_termination, divide_by_initial_world_size=divide_by_initial_world_size)

    def join_hook(self, **kwargs):
        """The hook that algorithms.join.Join calls when this process has no more batches.

        Args:
            kwargs: `divide_by_initial_world_size`, as for `join`.
        """
        return _DDPJoinHook(self, kwargs.get("divide_by_initial_world_size", True))

    @property
    def join_device(self):
        """The device on which Join exchanges its messages: the device of the module."""
        return self.device

    @property
    def join_process_group(self):
        """The process group that Join waits for: the group of the module."""
        return self.process_group

    def _common_rank(self, candidate):
        """Return the greatest rank among the candidate processes."""
        rank = _C.tensor([self.process_group.rank() if candidate else -1], device=self.device)
        distributed.all_reduce(rank, distributed.ReduceOp.MAX, self.process_group)
        return rank.item()

    def _sync_asked_for(self, mine):
        """Return whether any process averages the gradients of this batch."""
        asked = _C.full((1,), float(mine), device=self.device)
        distributed.all_reduce(asked, group=self.process_group)
        return asked.item() != 0

    def _notify_joined(self):
        """Inside join(), tell the others at the start of a forward that this process has another batch."""
        work = Join.notify_join_context(self)
        if work is not None and not self._divide_by_initial_world_size:
            work.wait()
            self.reducer.factor = 1.0 / work.result()[0].item()

    # ---- forward ----

    def forward(self, *inputs, **kwargs):
        """Call the module, and prepare for the exchange of gradients in the next backward."""
        joins = self._join_config.enable
        self.reducer.factor = 1.0 / self.process_group.size()
        if joins:
            self._notify_joined()
        if self._shares_buffers():
            self._share_buffers(self._common_rank(True) if joins else 0)
        if joins:
            self._sync_asked_for(self.require_backward_grad_sync)
        if self.device_ids:
            from . import _moved
            inputs, kwargs = _moved((inputs, kwargs), self.device)
        output = self._call(inputs, kwargs)
        if _C.is_grad_enabled() and self.require_backward_grad_sync:
            self.require_forward_param_sync = True
            if self.reducer.parameters:
                self.reducer.prepare(lambda: _leaves(output))
            if self.reducer.find_unused:
                output = _through_sink(output)
        else:
            self.require_forward_param_sync = False
        return output

    def _call(self, inputs, kwargs):
        dtype = self.mixed_precision and self.mixed_precision.param_dtype
        if dtype is None:
            return self.module(*inputs, **kwargs)
        from ..utils.stateless import _functional_call
        inputs, kwargs = _cast((inputs, kwargs), dtype)
        casts = {name: p.to(dtype) for name, p in self.module.named_parameters()
                 if name not in self.parameters_to_ignore and p.is_floating_point()}
        return _functional_call(self.module, casts, inputs, kwargs)

    @property
    def broadcast_buffers(self):
        """The older name of `forward_sync_buffers`."""
        return self.forward_sync_buffers

    @broadcast_buffers.setter
    def broadcast_buffers(self, value):
        self.forward_sync_buffers = value

    @contextlib.contextmanager
    def no_sync(self):
        """A context in which gradients accumulate without being exchanged; the next backward after it averages them.

        Saves communication when several small batches make one step. The forward must be inside,
        too.

            with model.no_sync():
                model(a).sum().backward()
            model(b).sum().backward()
        """
        before, self.require_backward_grad_sync = self.require_backward_grad_sync, False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    def _get_ddp_logging_data(self):
        """Return a dict of facts about this module and its group."""
        group = self.process_group
        return {"world_size": group.size(), "rank": group.rank(), "backend_name": group.name(), "module_name": type(self.module).__name__,
                "bucket_cap_bytes": self.bucket_bytes_cap, "broadcast_buffers": self.forward_sync_buffers,
                "can_set_static_graph": False, "static_graph": self.static_graph,
                "find_unused_parameters": self.find_unused_parameters, "gradient_as_bucket_view": self.gradient_as_bucket_view}

    @staticmethod
    def _set_params_and_buffers_to_ignore_for_model(module, params_and_buffers_to_ignore):
        """Make DistributedDataParallel ignore some parameters and buffers of a module, given by their
        names in named_parameters().
        """
        module._ddp_params_and_buffers_to_ignore = params_and_buffers_to_ignore
        for name, tensor in [*module.named_parameters(), *module.named_buffers()]:
            if name in params_and_buffers_to_ignore:
                tensor._ddp_ignored = True

    def _set_static_graph(self):
        """Promise that each backward reaches the same parameters; the first one detects them."""
        if self.static_graph:
            warnings.warn("You've set static_graph to be True, no need to set it again.", stacklevel=2)
            return
        self.static_graph = self.reducer.static = self.reducer.find_unused = True

    def register_comm_hook(self, state, hook):
        """Replace the averaging of gradients, for example to compress them.

        The hook gets each bucket when its gradients are complete and returns a future of the tensor
        that replaces it; dividing by the number of processes is up to the hook. Only one can be
        registered.

        Args:
            state: the first argument of the hook.
            hook: called as hook(state, bucket) with a torch.distributed.GradBucket; returns a
                Future of a tensor.
        """
        _check_hook(hook)
        if self.reducer.hook is not None:
            raise RuntimeError("register_comm_hook or register_builtin_comm_hook can only be called once.")
        self.reducer.hook = (state, hook)

    def _register_builtin_comm_hook(self, comm_hook_type):
        """Register the hook that a distributed.BuiltinCommHookType names."""
        from ...distributed.algorithms.ddp_comm_hooks import default_hooks
        if comm_hook_type is distributed.BuiltinCommHookType.ALLREDUCE:
            self.register_comm_hook(self.process_group, default_hooks.allreduce_hook)
        else:
            self.register_comm_hook(self.process_group, default_hooks.fp16_compress_hook)

    def __getstate__(self):
        state = dict(self.__dict__)
        for name in ("process_group", "reducer"):
            state.pop(name)
        return state

    def __setstate__(self, state):
        super().__setstate__(state)
        self.process_group = distributed.distributed_c10d._get_default_group()
        self._make_reducer()

# SPDX-License-Identifier: BSD-3-Clause
"""ZeroRedundancyOptimizer: shards optimizer state across processes (ZeRO stage 1, Rajbhandari et al., 2020).

A step updates this rank's shard of the parameters and broadcasts it. With n processes, Adam's state (twice the size of the
parameters) takes only 2/n of that size in each.
"""
import io

from ... import _C
from ..._missing import MissingFeature
from ...optim import Optimizer
from .. import distributed_c10d as c10d
from .._collectives import broadcast
from .._objects import gather_object
from ..algorithms.join import Join, Joinable, JoinHook

__all__ = ["ZeroRedundancyOptimizer"]


class _ZeROJoinHook(JoinHook):
    def __init__(self, zero):
        if not isinstance(zero, ZeroRedundancyOptimizer):
            raise AssertionError("ZeRO join hook requires passing in a ZeroRedundancyOptimizer instance as the state")
        self.zero = zero

    def main_hook(self):
        """Steps this rank's shard, for which the remaining ranks wait."""
        self.zero.step()


def _options(group):
    return {key: value for key, value in group.items() if key != "params"}


def _on_cpu(state):
    """Copies a state_dict to the CPU, to send it to another process."""
    from ...serialization import load, save
    file = io.BytesIO()
    save(state, file)
    file.seek(0)
    return load(file, map_location="cpu", weights_only=False)


class ZeroRedundancyOptimizer(Optimizer, Joinable):
    """An optimizer whose state is sharded across the processes of a group.

    ZeroRedundancyOptimizer(params, Adam, lr=0.1) computes the same updates as Adam(params, lr=0.1).

    params: tensors or parameter groups. optimizer_class: the class of the wrapped optimizer; `defaults` are its keywords.
    process_group: None for all processes. parameters_as_bucket_view: make the parameters of each rank views of one flat tensor,
    which is broadcast in one call.

        >>> optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam, lr=0.01)  # doctest: +SKIP
        >>> optimizer.step()  # doctest: +SKIP
    """

    def __init__(self, params, optimizer_class, process_group=None, parameters_as_bucket_view=False, overlap_with_ddp=False, **defaults):
        if overlap_with_ddp:
            raise MissingFeature("ZeroRedundancyOptimizer(overlap_with_ddp=True)", "call step() after backward")
        self.process_group = c10d._group_or_world(process_group)
        self.rank, self.world_size = self.process_group.rank(), self.process_group.size()
        self.global_rank = c10d.get_global_rank(self.process_group, self.rank)
        self.initialized, self.parameters_as_bucket_view, self._buckets = False, parameters_as_bucket_view, []
        self._optim_constructor, self._optim_defaults, self._all_state_dicts = optimizer_class, defaults, []
        Optimizer.__init__(self, self._checked(params), defaults)
        Joinable.__init__(self)
        self._sizes = [0] * self.world_size
        self._parts = [[] for _ in range(self.world_size)]  # for each rank: its shard of each group, a list of parameters
        for group in self.param_groups:
            self._divide(group)
        self.optim = optimizer_class([{**_options(group), "params": part}
                                      for group, part in zip(self.param_groups, self._parts[self.rank], strict=True)], **defaults)
        self._share_options(self.optim.param_groups, self.param_groups)
        self.state = self.optim.state
        self._make_buckets()
        self.initialized = True

    @staticmethod
    def _checked(params):
        if isinstance(params, _C.Tensor):
            raise TypeError(f"`params` argument should be an iterable of Tensors, but got {type(params).__name__}")
        try:
            params = list(params)
        except TypeError:
            raise TypeError(f"`params` argument should be an iterable of Tensors or dicts, but got {type(params)}") from None
        if len(params) == 0:
            raise ValueError("ZeroRedundancyOptimizer got an empty parameter list")
        everything = [p for part in params for p in (part["params"] if isinstance(part, dict) else [part])]
        if any(not isinstance(p, _C.Tensor) for p in everything):
            raise TypeError("params argument should be an iterable of Tensors or dicts")
        if any(p.is_sparse for p in everything):
            raise ValueError("ZeroRedundancyOptimizer only supports using the same dense type for all parameters")
        if len({p.dtype for p in everything}) > 1:
            raise ValueError("ZeroRedundancyOptimizer only supports using the same dense type for all parameters")
        return params

    def _divide(self, group):
        """Greedy partition: assigns the largest remaining parameter to the rank with the fewest elements."""
        for parts in self._parts:
            parts.append([])
        for p in sorted(group["params"], key=lambda p: -p.numel()):
            rank = self._sizes.index(min(self._sizes))
            self._parts[rank][-1].append(p)
            self._sizes[rank] += p.numel()

    def _make_buckets(self):
        """With parameters_as_bucket_view, creates one flat tensor per rank and device."""
        self._buckets = []
        if not self.parameters_as_bucket_view:
            return
        for rank, parts in enumerate(self._parts):
            by_device = {}
            for p in (p for part in parts for p in part):
                by_device.setdefault(p.device, []).append(p)
            for params in by_device.values():
                flat = _C.cat([p.detach().flatten() for p in params])
                for p, part in zip(params, flat.split([p.numel() for p in params]), strict=True):
                    p.data = part.view(p.shape)
                self._buckets.append((rank, flat))

    def _share_options(self, source, target):
        """Copies options such as lr, which schedulers change, from one list of groups to another."""
        for a, b in zip(source, target, strict=True):
            b.update(_options(a))

    def add_param_group(self, param_group):
        """Adds a parameter group and shards it like the others."""
        super().add_param_group(param_group)
        if not self.initialized:
            return
        group = self.param_groups[-1]
        self._divide(group)
        self.optim.add_param_group({**_options(group), "params": self._parts[self.rank][-1]})
        self._make_buckets()

    def step(self, closure=None, **kwargs):
        """Updates this rank's shard, then broadcasts all shards. Returns the result of `closure`."""
        Join.notify_join_context(self)
        self._share_options(self.param_groups, self.optim.param_groups)
        loss = self.optim.step(**kwargs) if closure is None else self.optim.step(closure=closure, **kwargs)
        works = [broadcast(tensor, group=self.process_group, async_op=True, group_src=rank) for rank, tensor in self._sent()]
        for work in works:
            work.wait()
        self._share_options(self.optim.param_groups, self.param_groups)
        return loss

    def _sent(self):
        if self.parameters_as_bucket_view:
            return self._buckets
        return [(rank, p.detach()) for rank, parts in enumerate(self._parts) for part in parts for p in part]

    # ---- all parts of the state ----

    def _numbers(self):
        """Returns {id of a parameter: its index over all groups}."""
        return {id(p): i for i, p in enumerate(p for group in self.param_groups for p in group["params"])}

    def consolidate_state_dict(self, to=0):
        """Gathers the full optimizer state on rank `to`, whose state_dict() then returns it. All ranks must call it."""
        self._share_options(self.param_groups, self.optim.param_groups)
        found = [None] * self.world_size if self.rank == to else None
        gather_object(_on_cpu(self.optim.state_dict()), found, group=self.process_group, group_dst=to)
        self._all_state_dicts = found or []

    def state_dict(self):
        """Returns the state of all parameters, as a single-process optimizer would. Requires consolidate_state_dict."""
        if not self._all_state_dicts:
            raise RuntimeError("Optimizer state has not been consolidated on this rank. Please call `consolidate_state_dict("
                               f"to={self.rank})` on all ranks beforehand if you meant to save the global state.")
        numbers = self._numbers()
        result = super().state_dict()
        result["state"] = {}
        for parts, own in zip(self._parts, self._all_state_dicts, strict=True):
            local = [p for part in parts for p in part]
            for i, state in own["state"].items():
                result["state"][numbers[id(local[i])]] = state
        result["state"] = dict(sorted(result["state"].items()))
        return result

    def load_state_dict(self, state_dict):
        """Restores a full state on every rank; each keeps its shard."""
        numbers = self._numbers()
        local = [p for part in self._parts[self.rank] for p in part]
        own = self.optim.state_dict()
        if [len(group["params"]) for group in state_dict["param_groups"]] != [len(group["params"]) for group in self.param_groups]:
            raise ValueError("loaded state dict contains a parameter group that doesn't match the size of optimizer's group")
        state = {i: state_dict["state"][numbers[id(p)]] for i, p in enumerate(local) if numbers[id(p)] in state_dict["state"]}
        groups = [{**_options(given), "params": mine["params"]}
                  for given, mine in zip(state_dict["param_groups"], own["param_groups"], strict=True)]
        self.optim.load_state_dict({"state": state, "param_groups": groups})
        self.state = self.optim.state
        self._share_options(self.optim.param_groups, self.param_groups)

    # ---- uneven inputs ----

    def join_hook(self, **kwargs):
        """Returns the hook for algorithms.join.Join: steps with this rank's gradients while other ranks have batches."""
        return _ZeROJoinHook(self)

    @property
    def join_device(self):
        """The device of the parameters, for Join."""
        return self.param_groups[0]["params"][0].device

    @property
    def join_process_group(self):
        """The process group, for Join."""
        return self.process_group

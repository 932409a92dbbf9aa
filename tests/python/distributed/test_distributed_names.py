# SPDX-License-Identifier: BSD-3-Clause
"""Names of torch.distributed besides the collectives: absent features that raise, wrapping policies, and the launcher's
interface for libraries."""
import importlib
import logging

import pytest

import corten
import corten.distributed as dist
from corten import nn
from test_distributed import raises


def test_names_that_refuse():
    for module, names in {"checkpoint": "save load async_save FileSystemWriter", "checkpoint.state_dict": "get_state_dict StateDictOptions",
                          "device_mesh": "init_device_mesh DeviceMesh", "tensor": "DTensor distribute_tensor zeros",
                          "tensor.parallel": "ColwiseParallel parallelize_module", "fsdp": "FullyShardedDataParallel fully_shard",
                          "pipelining": "pipeline PipelineStage ScheduleGPipe", "rpc": "init_rpc rpc_sync RRef", "autograd": "backward",
                          "optim": "DistributedOptimizer", "elastic.timer": "expires", "elastic.agent.server": "WorkerSpec",
                          "elastic.rendezvous": "RendezvousHandler", "nn.api.remote_module": "RemoteModule"}.items():
        part = importlib.import_module(f"corten.distributed.{module}")
        for name in names.split():
            with pytest.raises(corten._missing.MissingFeature, match=rf"torch.distributed.{module}.{name} is not available in Corten: \w+"):
                getattr(part, name)(nn.Linear(1, 1))
    assert not dist.rpc.is_available() and not isinstance(corten.ones(1), dist.tensor.DTensor)
    assert dist.fsdp.StateDictType.FULL_STATE_DICT.value == 1 and dist.fsdp.MixedPrecision(param_dtype=corten.float16).reduce_dtype is None
    from corten.distributed.checkpoint.stateful import Stateful
    assert isinstance(nn.Linear(1, 1), Stateful) and not isinstance(3, Stateful)
    from corten.distributed.tensor import Partial, Replicate, Shard
    assert f"{Shard(1)!r} {Replicate()!r} {Partial()!r} {Shard(1)} {Partial('avg')}" == "Shard(dim=1) Replicate() Partial(sum) S(1) P(avg)"
    assert Shard(1) == Shard(1) != Shard(0) and Shard(1).is_shard(1) and not Shard(1).is_shard(0) and Partial().is_partial("sum")


def test_policies_of_wrapping():
    from corten.distributed.fsdp import wrap as policies
    net = nn.Sequential(nn.Linear(2, 3), nn.ModuleList([nn.Linear(30, 40)]))
    assert policies.transformer_auto_wrap_policy(net, True, 0, {nn.Linear})
    assert [policies.transformer_auto_wrap_policy(m, False, 0, {nn.Linear}) for m in net] == [True, False]
    assert [policies.size_based_auto_wrap_policy(m, False, 1000, min_num_params=1000) for m in net] == [True, False]
    assert policies.lambda_auto_wrap_policy(net[0], False, 0, lambda m: m.out_features == 3)
    assert policies.CustomPolicy(lambda m: {"a": 1} if m is net[0] else False)._run_policy(net, set(), {"b": 2}) == {net[0]: {"a": 1, "b": 2}}
    assert list(policies.ModuleWrapPolicy({nn.ModuleList})._run_policy(net, set(), {})) == [net[1]]
    assert policies.wrap(net) is net
    with policies.enable_wrap(wrapper_cls=lambda m, **kwargs: (m, kwargs), x=1):
        assert policies.wrap(net, y=2) == (net, {"x": 1, "y": 2})


def test_what_the_launcher_offers(capsys, monkeypatch):
    from corten.distributed.elastic import events, metrics
    from corten.distributed.elastic.rendezvous.api import RendezvousParameters
    from corten.distributed.elastic.utils import get_env_variable_or_raise, macros
    from corten.distributed.elastic.utils.distributed import get_free_port
    from corten.distributed.elastic.utils.logging import get_logger
    monkeypatch.setenv("CORTEN_TEST", "x")
    assert get_env_variable_or_raise("CORTEN_TEST") == "x" and 0 < get_free_port() < 65536
    raises(ValueError, "NO_SUCH_NAME expected, but not set", lambda: get_env_variable_or_raise("NO_SUCH_NAME"))
    assert macros.substitute(["--n=${local_rank}", 3], "1") == ["--n=1", 3] and get_logger().name == __name__
    metrics.configure(metrics.ConsoleMetricHandler(), "g")

    @metrics.prof(group="g")
    def work():
        return 3
    assert work() == 3
    assert "[g]: <locals>.work.success=1" in capsys.readouterr().out
    event = events.Event("e", events.EventSource.WORKER, metadata={"a": 1})
    assert events.Event.deserialize(str(event)) == event
    kept = []
    handler = logging.Handler()
    handler.emit = lambda line: kept.append(line.getMessage())
    monkeypatch.setitem(events.handlers._log_handlers, "kept", handler)
    events.record(event, "kept")
    assert kept == [event.serialize()]
    given = RendezvousParameters("c10d", "h:1", "7", 1, 2, timeout="5", is_host="yes")
    assert given.get_as_int("timeout") == 5 and given.get_as_bool("is_host") is True and given.get("x") is None
    raises(ValueError, "must be greater than zero", lambda: RendezvousParameters("c10d", "h:1", "7", 0, 2))

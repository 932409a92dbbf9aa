# SPDX-License-Identifier: BSD-3-Clause
"""Metrics: put_metric sends a value to the handler that `configure` set for its group."""
import abc
import functools
import time
from typing import NamedTuple, Optional

__all__ = ["ConsoleMetricHandler", "MetricData", "MetricHandler", "MetricStream", "MetricsConfig", "NullMetricHandler", "configure",
           "getStream", "prof", "put_metric"]


class MetricData(NamedTuple):
    """A metric value with its time stamp, group and name."""
    timestamp: float
    group_name: str
    name: str
    value: float


class MetricsConfig:
    """Parameters of metric handlers."""

    def __init__(self, params=None):
        self.params = {} if params is None else params


class MetricHandler(abc.ABC):
    """Base class of handlers, which receive every MetricData of their group."""

    @abc.abstractmethod
    def emit(self, metric_data):
        """Called for every metric value."""


class ConsoleMetricHandler(MetricHandler):
    """A handler that prints metrics."""

    def emit(self, metric_data):
        """Prints time, group, name and value."""
        print(f"[{metric_data.timestamp}][{metric_data.group_name}]: {metric_data.name}={metric_data.value}")


class NullMetricHandler(MetricHandler):
    """A handler that drops metrics."""

    def emit(self, metric_data):
        """Drops the value."""


class MetricStream:
    """A metric group with its handler."""

    def __init__(self, group_name, handler):
        self.group_name, self.handler = group_name, handler

    def add_value(self, metric_name, metric_value):
        """Sends a value to the handler."""
        self.handler.emit(MetricData(time.time(), self.group_name, metric_name, metric_value))


_handlers = {None: NullMetricHandler()}  # the group None: that of groups without one


def configure(handler, group: Optional[str] = None):
    """Sets the handler of a group; None sets the handler of all groups without one."""
    _handlers[group] = handler


def getStream(group):
    """Returns the MetricStream of a group."""
    return MetricStream(group, _handlers.get(group, _handlers[None]))


def put_metric(metric_name, metric_value, metric_group="torchelastic"):
    """Reports a metric value."""
    getStream(metric_group).add_value(metric_name, metric_value)


def prof(fn=None, group="torchelastic"):
    """Decorator that counts calls as NAME.success or NAME.failure and reports the time of each as NAME.duration.ms."""
    def decorate(function):
        name = ".".join(function.__qualname__.split(".")[-2:])

        @functools.wraps(function)
        def timed(*args, **kwargs):
            start = time.perf_counter()
            try:
                result = function(*args, **kwargs)
                put_metric(f"{name}.success", 1, group)
            except Exception:
                put_metric(f"{name}.failure", 1, group)
                raise
            finally:
                put_metric(f"{name}.duration.ms", int((time.perf_counter() - start) * 1000), group)
            return result
        return timed
    return decorate if fn is None else decorate(fn)

# SPDX-License-Identifier: BSD-3-Clause
"""torch.monitor: events, their handlers, and summaries over intervals."""
import datetime
import time

import pytest

from corten import monitor as m

LONG = datetime.timedelta(days=30000)  # longer than any test


@pytest.fixture
def events():
    seen = []
    handle = m.register_event_handler(seen.append)
    yield seen
    m.unregister_event_handler(handle)
    m.unregister_event_handler(handle)  # the second call does nothing
    before = len(seen)
    m.log_event(m.Event("late", datetime.datetime.now(), {}))
    assert len(seen) == before


def test_events(events):
    event = m.Event("n", datetime.datetime(2020, 1, 1), {"x": 1, "y": 2.5, "z": "t", "b": True})
    m.log_event(event)
    assert events == [event] and event.data["z"] == "t" and event.timestamp.year == 2020
    event.name, event.data = "k", {"q": 1}
    assert event.name == "k" and event.data == {"q": 1}
    for wrong in (lambda: m.Event("n", 3, {}), lambda: m.Event(1, datetime.datetime.now(), {}), m.data_value_t,
                  lambda: m.Event("n", datetime.datetime.now(), {"a": [1]}), lambda: setattr(event, "timestamp", 3),
                  lambda: m.log_event(3), lambda: m.register_event_handler(3), lambda: m.unregister_event_handler(3)):
        with pytest.raises(TypeError):
            wrong()


def test_aggregations():
    assert repr(m.Aggregation.MEAN) == "<Aggregation.MEAN: 2>" and m.SUM is m.Aggregation.SUM and int(m.MIN) == 6
    assert [a.name for a in m.Aggregation] == ["VALUE", "MEAN", "COUNT", "SUM", "MAX", "MIN"]


def test_a_summary_at_the_end_of_an_interval(events):
    stat = m.Stat("a", list(m.Aggregation), datetime.timedelta(milliseconds=1))
    assert set(stat.get().values()) == {0.0} and stat.count == 0 and stat.name == "a"
    while not stat.count == 3:  # three values within one millisecond
        for value in (1, 5, -2):
            stat.add(value)
    assert stat.count == 3
    events.clear()
    time.sleep(0.02)
    stat.add(7)
    assert len(events) == 1 and events[0].name == m.STAT_EVENT == "torch.monitor.Stat"
    assert events[0].data == {"a.value": -2.0, "a.mean": 4 / 3, "a.count": 3.0, "a.sum": 4.0, "a.max": 5.0, "a.min": -2.0}
    assert stat.get()[m.SUM] == 4.0 and stat.get()[m.MAX] == 5.0


def test_a_full_interval_ends_early_and_drops_the_rest(events):
    stat = m.Stat("b", (m.SUM,), LONG, 2)
    for value in (1, 2, 3):
        stat.add(value)
    assert stat.get() == {m.SUM: 3.0} and stat.count == 0 and [e.data for e in events] == [{"b.sum": 3.0}]


def test_a_deleted_stat_logs_the_rest(events):
    stat = m.Stat("c", (m.COUNT,), LONG)
    stat.add(1)
    assert not events
    del stat
    assert [e.data for e in events] == [{"c.count": 1.0}]
    del events[:]
    m.Stat("d", (m.COUNT,), LONG)
    assert not events


@pytest.mark.parametrize("args", [("x", [1], LONG), ("x", [m.SUM], 1), (3, [m.SUM], LONG)])
def test_wrong_stats(args):
    with pytest.raises(TypeError):
        m.Stat(*args)


def test_tensorboard_gets_scalars():
    class Writer:
        calls = []

        def add_scalar(self, name, value, walltime):
            self.calls.append((name, value, walltime))
    handler, when = m.TensorboardEventHandler(Writer()), datetime.datetime(2020, 1, 1)
    handler(m.Event(m.STAT_EVENT, when, {"a.sum": 1.0}))
    handler(m.Event("another", when, {"b": 1.0}))
    assert Writer.calls == [("a.sum", 1.0, when.timestamp())]

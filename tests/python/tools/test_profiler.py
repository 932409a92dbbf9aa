# SPDX-License-Identifier: BSD-3-Clause
"""The profiler: nested events, traces, schedules, tables, flops, and errors."""
import gzip
import json

import pytest

import corten
from corten.profiler import ProfilerAction, ProfilerActivity, profile, record_function, schedule


# ---- profiler ----

def test_events():
    x = corten.ones(3, 4)
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True, profile_memory=True, with_stack=True) as prof:
        with record_function('block'):
            y = x @ x.t()
            corten.exp(y)
        z = y + 1
    names = [e.name for e in prof.events()]
    assert names == ['block', 'aten::t', 'aten::matmul', 'aten::exp', 'aten::add']
    block, _, product, *_ = prof.events()
    assert product.input_shapes == [[3, 4], [4, 3]] and product.cpu_memory_usage >= 36 and z.sum() == 45
    assert block.cpu_time_total >= product.cpu_time_total and block.self_cpu_time_total < block.cpu_time_total
    assert any('test_profiler.py' in line for line in product.stack)
    table = prof.key_averages().table(sort_by='cpu_time_total', row_limit=2)
    assert 'block' in table and 'Self CPU time total' in table and len(table.splitlines()) == 7


def test_off_is_off():
    """Profiling does not replace any function: they are the same objects before and after."""
    before = dict(vars(corten)), dict(vars(corten.Tensor)), corten.Tensor.__add__
    with profile():
        with pytest.raises(RuntimeError, match='already enabled'):
            profile().start()
    assert dict(vars(corten.Tensor)) == before[1] and corten.Tensor.__add__ == before[2]
    assert all(vars(corten)[name] is value for name, value in before[0].items() if name in ('add', 'exp', 'ones', 'matmul'))
    assert not corten._C._profile_is_on()


def test_events_nest():
    """Nested calls, in-place functions, `out=`, optimizers."""
    w = corten.ones(3, requires_grad=True)
    sgd = corten.optim.SGD([w], lr=0.1)
    with profile(record_shapes=True) as prof:
        corten.nn.functional.mse_loss(w, corten.zeros(3)).backward()
        corten.ones(2).add_(1)
        corten.exp(corten.ones(2), out=corten.empty(2))
        corten.cat([corten.ones(1), corten.ones(2)])
        sgd.step()
    events = {e.name: e for e in prof.events()}
    assert {'aten::mse_loss', 'aten::add_', 'aten::exp', 'aten::cat', 'autograd::engine', 'Optimizer.step#SGD.step'} <= set(events)
    assert events['aten::add_'].input_shapes == [[2], []] and events['aten::mse_loss'].input_shapes[:2] == [[3], [3]]
    assert events['aten::cat'].input_shapes == [[1], [2]]
    for e in prof.events():
        assert e.start <= e.end and 0 <= e.self_cpu_time_total <= e.cpu_time_total


def test_threads():
    """Events of concurrent threads nest within events of the same thread."""
    import threading

    def work():
        for _ in range(200):
            with record_function('mine'):
                corten.ones(4).exp()
    with profile() as prof:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    assert [sum(e.name == n for e in prof.events()) for n in ('mine', 'aten::ones', 'aten::exp')] == [800] * 3
    assert len({e.thread for e in prof.events()}) == 4
    for e in prof.events():
        assert e.self_cpu_time_total >= 0


def test_block_across_profiles():
    """A block that begins in one profile and ends in the next belongs to neither."""
    block = record_function('block')
    with profile():
        block.__enter__()
    with profile() as prof:
        block.__exit__()
        corten.ones(1)
    assert [e.name for e in prof.events()] == ['aten::ones']


def test_trace(tmp_path):
    with corten.autograd.profiler.profile() as prof:
        corten.ones(2).exp()
    prof.export_chrome_trace(tmp_path / 'trace.json')
    events = json.loads((tmp_path / 'trace.json').read_text())['traceEvents']
    assert [e['name'] for e in events] == ['aten::ones', 'aten::exp'] and all(e['ph'] == 'X' and e['dur'] > 0 for e in events)
    assert [a.count for a in prof.key_averages()] == [1, 1]


def test_schedule(tmp_path):
    plan = schedule(wait=1, warmup=1, active=2, repeat=1, skip_first=1)
    assert [plan(i).name for i in range(7)] == ['NONE', 'NONE', 'WARMUP', 'RECORD', 'RECORD_AND_SAVE', 'NONE', 'NONE']
    assert plan(4) is ProfilerAction.RECORD_AND_SAVE
    seen = []

    def ready(prof):
        seen.append([e.name for e in prof.events()])
        prof.export_chrome_trace(str(tmp_path / 'x.json.gz'))
    with profile(schedule=schedule(wait=1, warmup=0, active=1, repeat=1), on_trace_ready=ready) as prof:
        for _ in range(3):
            corten.ones(1)
            prof.step()
    assert seen == [['ProfilerStep#1', 'aten::ones']]
    assert json.loads(gzip.decompress((tmp_path / 'x.json.gz').read_bytes()))['traceEvents']


def products(**options):
    with profile(activities=[ProfilerActivity.CPU], **options) as prof:
        with record_function('outer'):
            a, b = corten.ones(3, 64, 32), corten.ones(3, 32, 16)
            corten.bmm(a, b)
            a[0] @ b[0]
            corten.nn.functional.linear(a, corten.ones(8, 32))
            corten.nn.functional.conv2d(corten.ones(2, 3, 8, 8), corten.ones(4, 3, 3, 3), stride=2, padding=1)
            a * 2
    return prof


def test_flops():
    """Flops are 2 m n k for products, 2 * outputs * filter elements for convolutions, as in PyTorch."""
    found = {e.name.removeprefix('aten::'): e.flops for e in products(with_flops=True).events()}
    assert found['bmm'] == 2 * 3 * 64 * 32 * 16 and found['matmul'] == 2 * 64 * 32 * 16 and found['linear'] == 2 * 3 * 64 * 32 * 8
    assert found['conv2d'] == 2 * (2 * 4 * 4 * 4) * 27 and found['mul'] == 3 * 64 * 32 and not found['ones']
    prof = products(with_flops=True)
    assert all(e.input_shapes == [] for e in prof.events())  # record_shapes was not set
    table = prof.key_averages().table(sort_by='flops')
    assert 'Total KFLOPs' in table and '196.608' in table and table.index('aten::bmm') < table.index('aten::matmul')
    assert products().events()[1].flops is None and 'FLOPs' not in products().key_averages().table()


def test_sorting_and_devices():
    averages = products().key_averages()
    with pytest.raises(AttributeError, match='nonsense'):
        averages.table(sort_by='nonsense')
    for name in ('cuda_time_total', 'self_cuda_time_total', 'device_time_total', 'self_cpu_memory_usage', 'count'):
        assert len(averages.table(sort_by=name).splitlines()) == len(averages) + 5
    assert all(e.device_time_total == e.self_device_time_total == e.device_time == 0 for e in averages)
    assert averages.table(row_limit=-1) == averages.table() != averages.table(row_limit=1)
    times = [float(line.split()[4][:-2]) for line in averages.table(sort_by='cpu_time_total', time_unit='ms').splitlines()[3:-2]]
    assert times == sorted(times, reverse=True)


def test_table_options():
    prof = products(record_shapes=True)
    text = prof.events().table(top_level_events_only=True, time_unit='s', header='mine')
    assert 'outer' in text and 'aten::' not in text and 'ms' not in text and text.splitlines()[1] == 'mine'
    assert 'only display top-level ops' in text
    text = prof.key_averages(group_by_input_shape=True).table(max_name_column_width=8, max_shapes_column_width=10)
    assert 'aten:...' in text and '[[3, 64...' in text and 'CPU Mem' not in text
    assert 'Self CPU Mem' in products(profile_memory=True).key_averages().table()
    stacks = products(with_stack=True).key_averages(group_by_stack_n=2)
    assert 'Source Location' in stacks.table() and 'test_profiler.py' in stacks.table()
    assert all(len(e.stack) <= 2 for e in stacks)


def test_tree_of_events():
    prof = products(profile_memory=True)
    outer, *inside = prof.events()
    assert all(e.cpu_parent is outer for e in inside) and outer.cpu_children == inside and outer.cpu_parent is None
    assert outer.self_cpu_memory_usage == outer.cpu_memory_usage - sum(e.cpu_memory_usage for e in inside)
    total = prof.key_averages().total_average()
    assert total.key == 'Total' and total.count == len(inside) + 1


def test_metadata(tmp_path):
    with profile(custom_trace_id_callback=lambda: 'mine', record_shapes=True, with_flops=True) as prof:
        corten.ones(2).exp()
        prof.add_metadata('note', 'text "quoted"')
        prof.add_metadata_json('facts', '{"a": [1, 2]}')
    assert prof.get_trace_id() == 'mine'
    prof.export_chrome_trace(str(tmp_path / 'x.json'))
    trace = json.loads((tmp_path / 'x.json').read_text())
    assert trace['note'] == 'text "quoted"' and trace['facts'] == {'a': [1, 2]} and trace['trace_id'] == 'mine'
    assert trace['with_flops'] == trace['record_shapes'] == 1 and 'with_stack' not in trace
    later = profile()
    later.preset_metadata_json('set', '7')
    with later:
        pass
    later.export_chrome_trace(str(tmp_path / 'y.json'))
    assert json.loads((tmp_path / 'y.json').read_text())['set'] == 7


def test_accumulated_events():
    for keep, count in ((False, 1), (True, 3)):
        with profile(schedule=schedule(wait=1, warmup=0, active=1), acc_events=keep) as prof:
            for _ in range(6):
                corten.ones(1)
                prof.step()
        assert sum(e.name == 'aten::ones' for e in prof.events()) == count


def test_pause():
    with profile() as prof:
        corten.ones(1)
        prof.toggle_collection_dynamic(False, [ProfilerActivity.CPU])
        corten.zeros(1)
        prof.toggle_collection_dynamic(True, [ProfilerActivity.CPU])
        corten.ones(1).exp()
    assert [e.name for e in prof.events()] == ['aten::ones', 'aten::ones', 'aten::exp']
    assert [e.id for e in prof.events()] == [0, 1, 2]


def test_what_the_profiler_refuses(tmp_path):
    with pytest.raises(AssertionError, match='No valid profiler activities'):
        profile(activities=[])
    with pytest.raises(AssertionError, match='must be initialized before'):
        profile().events()
    with pytest.raises(TypeError, match='unexpected keyword'):
        corten.autograd.profiler.profile(nonsense=1)
    with pytest.raises(NotImplementedError, match='not available in Corten'):
        profile(execution_trace_observer=object())
    with pytest.raises(ValueError, match='metric should be one of'):
        products(with_stack=True).export_stacks(tmp_path / 'x', 'nonsense')
    with pytest.raises(AssertionError, match='with_stack=True'):
        products().export_stacks(tmp_path / 'x')
    with pytest.raises(RuntimeError, match='not reentrant'):
        with profile().__enter__().profiler as inner:
            inner.__enter__()
    corten._C._profile_is_on() and corten._C._profile_stop()


@pytest.mark.parametrize('options', [{'activities': [ProfilerActivity.CPU, ProfilerActivity.CUDA]}, {'with_modules': True},
                                     {'experimental_config': object()}, {'post_processing_timeout_s': 1.0}])
def test_what_the_profiler_warns_of(options, monkeypatch):
    from corten import _missing
    monkeypatch.setattr(_missing, '_WARNED', set())
    with pytest.warns(UserWarning, match='has no effect in Corten'):
        profile(**options)


def test_stacks(tmp_path):
    prof = products(with_stack=True)
    prof.export_stacks(tmp_path / 'stacks.txt')
    lines = (tmp_path / 'stacks.txt').read_text().splitlines()
    assert lines and all(line.rpartition(' ')[2].isdigit() and ';' in line for line in lines)


def test_step_tracker():
    tracker = corten.autograd.profiler.KinetoStepTracker
    start = tracker.current_step()
    tracker.init_step_count('a')
    tracker.init_step_count('b')
    assert [tracker.increment_step('a'), tracker.increment_step('b'), tracker.increment_step('b')] == [start + 1, start + 1, start + 2]
    assert tracker.erase_step_count('a') and tracker.erase_step_count('b') and not tracker.erase_step_count('b')


def test_load_nvprof(tmp_path):
    """Writes the two tables that load_nvprof reads."""
    import sqlite3
    file = sqlite3.connect(tmp_path / 'x.nvvp')
    file.execute('CREATE TABLE StringTable (_id_ INTEGER, value TEXT)')
    file.execute('CREATE TABLE CUPTI_ACTIVITY_KIND_MARKER (id INTEGER, name INTEGER, timestamp INTEGER)')
    file.executemany('INSERT INTO StringTable VALUES (?, ?)', [(1, 'exp'), (2, 'sum')])
    file.executemany('INSERT INTO CUPTI_ACTIVITY_KIND_MARKER VALUES (?, ?, ?)', [(7, 2, 50), (7, 0, 3050), (4, 1, 10), (4, 0, 40)])
    file.commit()
    file.close()
    events = corten.autograd.profiler.load_nvprof(tmp_path / 'x.nvvp')
    assert [(e.name, e.cpu_time_total) for e in events] == [('exp', 0.03), ('sum', 3.0)]


# ---- events inside backward ----

def test_events_inside_backward():
    x = corten.ones(3, requires_grad=True)
    with corten.profiler.profile() as prof:
        (x.exp() * 2).sum().backward()
    names = [event.name for event in prof.events()]
    assert names[-5:] == ['autograd::engine', 'SumBackward0', 'MulBackward0', 'ExpBackward0', 'AccumulateGrad']
    whole = prof.events()[-5]
    inside = prof.events()[-4:]
    assert all(whole.start <= e.start <= e.end <= whole.end for e in inside)
    assert whole.self_cpu_time_total < whole.cpu_time_total
    with corten.profiler.profile() as prof:
        x.sum()
    (x * 2).sum().backward()  # not profiled any more
    assert [event.name for event in prof.events()] == ['aten::sum']

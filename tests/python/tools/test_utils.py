# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils: weak references, throughput, instruction counts, random arguments, read-only tensors, and absent features."""
import copy
import gc
import json

import numpy as np
import pytest

import corten
from corten.utils import benchmark, dlpack, throughput_benchmark, weak


# ---- weak ----

def test_weak_dictionaries_find_tensors_by_identity():
    d, a, b = weak.WeakIdKeyDictionary(), corten.ones(2), corten.ones(2)
    d[a], d[b] = 1, 2
    assert d[a] == 1 and d[b] == 2 and len(d) == 2 and corten.ones(2) not in d and 3 not in d and weak.WeakTensorKeyDictionary is type(d)
    assert [k is x for k, x in zip(d, (a, b))] == [True, True] and list(d.values()) == [1, 2] and {id(k) for k in d.keys()} == {id(a), id(b)}
    other = d.copy()
    assert other == d and copy.deepcopy(d)[a] == 1 and (d | {a: 5})[a] == 5 and ({a: 5} | d)[a] == 1
    assert d.setdefault(a, 7) == 1 and d.pop(a) == 1 and d.pop(a, None) is None and d.get(a, 9) == 9 and len(other) == 2
    d |= {a: 4}
    assert d.pop(a) == 4 and [r() is b for r in d.keyrefs()] == [True]
    del b
    gc.collect()
    assert len(d) == 0 and len(other) == 1
    key, value = other.popitem()
    assert key is a and value == 1
    with pytest.raises(KeyError):
        del d[a]


def test_weak_references():
    a = corten.ones(2)
    r, s, t = weak.TensorWeakRef(a), weak.WeakIdRef(a), weak._WeakHashRef(a)
    assert r() is a and s == weak.WeakIdRef(a) and hash(s) == id(a) and t() is a
    del a
    gc.collect()
    assert r() is None and s() is None and s != weak.WeakIdRef(corten.ones(2))
    with pytest.raises(AssertionError, match="expected torch.Tensor, got <class 'int'>"):
        weak.TensorWeakRef(3)


# ---- read-only tensors ----

def test_read_only_tensors_are_for_other_libraries():
    x = corten.ones(2)
    r = dlpack.ReadOnlyTensorWrapper(x)
    array = np.from_dlpack(r)
    assert not array.flags.writeable and array.tolist() == [1, 1] and r.__dlpack_device__() == (1, 0)
    x[0] = 5
    assert array[0] == 5
    with pytest.raises(BufferError, match="read_only export requires the versioned DLPack protocol"):
        x.__dlpack__(read_only=True)
    with pytest.raises(RuntimeError, match="ReadOnlyTensorWrapper only supports DLPack export; 'add' is not allowed. Unwrap the tensor"):
        r + 1


# ---- throughput ----

def test_throughput_counts_the_calls_of_all_threads(tmp_path):
    calls = []

    def module(x, scale=1):
        assert not corten.is_grad_enabled()
        calls.append(scale)
        return x * scale
    bench = throughput_benchmark.ThroughputBenchmark(module)
    with pytest.raises(RuntimeError, match="add_input"):
        bench.benchmark()
    bench.add_input(corten.ones(2), scale=3)
    assert bench.run_once(corten.ones(2), scale=3).tolist() == [3, 3]
    del calls[:]
    stats = bench.benchmark(num_calling_threads=3, num_warmup_iters=2, num_iters=20, profiler_output_path=str(tmp_path / "trace.json"))
    assert len(calls) == 3 * 2 + 20 + 1 and stats.num_iters == 20 and stats.latency_avg_ms > 0
    assert abs(stats.iters_per_second * stats.total_time_seconds - 20) < 1e-6 and "Total number of iterations: 20" in str(stats)
    assert json.loads((tmp_path / "trace.json").read_text())
    bench.add_input("not a tensor", None)
    with pytest.raises(TypeError):
        bench.benchmark(num_iters=1000)


def test_times_as_texts():
    f = throughput_benchmark.format_time
    assert (f(5), f(time_ms=1.5), f(time_s=2), f(time_us=2e6)) == ("5.000us", "1.500ms", "2.000s", "2.000s")
    with pytest.raises(AssertionError):
        f(1, 2)


# ---- benchmark ----

def test_counts_of_instructions():
    counts = benchmark.FunctionCounts((benchmark.FunctionCount(10, "/a/x.c:f"), benchmark.FunctionCount(4, "dictobject.c:lookdict_unicode")),
                                      inclusive=False)
    assert len(counts) == 2 and counts.sum() == 14 and counts.denoise().sum() == 10 and counts[0].function == "/a/x.c:f"
    assert [c for c, _ in counts + counts] == [20, 8] and len(counts - counts) == 0 and (counts * 0.5).sum() == 7
    assert list(counts.transform(lambda name: "one")) == [(14, "one")] and len(counts[:1]) == 1
    lines = repr(counts).split("\n")
    assert lines[1:] == ["  10  /a/x.c:f", "   4  dictobject.c:lookdict_unicode", "", "Total: 14"]
    many = benchmark.FunctionCounts(tuple(benchmark.FunctionCount(i, f"f{i}") for i in range(40)), inclusive=True)
    assert len(repr(many).split("\n")) == 1 + 19
    with pytest.raises(AssertionError, match="Cannot merge"):
        counts + many
    stats = benchmark.CallgrindStats(benchmark.TaskSpec("x", "pass"), 100, True, counts, counts, counts, counts, None)
    assert stats.counts() == 14 and stats.counts(denoise=True) == 10 and len(stats.delta(stats)) == 0
    assert stats.as_standardized().stats()[0].function == "x.c:f" and "Instructions:           14" in repr(stats)
    with pytest.raises(NotImplementedError, match="valgrind"):
        benchmark.Timer("1").collect_callgrind()


def test_random_arguments():
    sizes = [benchmark.FuzzedParameter("k0", 4, 64, "loguniform"), benchmark.FuzzedParameter("dim", distribution={1: 0.5, 2: 0.5}),
             benchmark.FuzzedParameter("k1", distribution={benchmark.ParameterAlias("k0"): 0.5, 3: 0.5}),
             benchmark.FuzzedParameter("step", 1, 2, "uniform")]
    tensors = [benchmark.FuzzedTensor("x", ("k0", "k1"), ("step", "step"), dim_parameter="dim", min_elements=5, max_elements=500,
                                      probability_contiguous=0.5), benchmark.FuzzedTensor("n", ("k0",), dtype=corten.int64)]
    fuzzer = benchmark.Fuzzer([sizes], tensors, constraints=[lambda params: params["k0"] != 7], seed=3)
    taken = list(fuzzer.take(30))
    shapes = [tuple(t["x"].shape) for t, _, _ in taken]
    assert len(set(shapes)) > 5 and {len(s) for s in shapes} == {1, 2} and 0 <= fuzzer.rejection_rate < 1
    for made, facts, params in taken:
        assert made["x"].shape == (params["k0"], params["k1"])[:params["dim"]] and 5 <= made["x"].numel() <= 500 and params["k0"] != 7
        assert facts["x"]["is_contiguous"] == made["x"].is_contiguous() and made["n"].dtype == corten.int64
    again = list(benchmark.Fuzzer([sizes], tensors, constraints=[lambda params: params["k0"] != 7], seed=3).take(30))
    assert [tuple(t["x"].shape) for t, _, _ in again] == shapes and all(a["x"].equal(b["x"]) for (a, _, _), (b, _, _) in zip(taken, again))
    with pytest.raises(ValueError, match="Failed to generate"):
        next(benchmark.Fuzzer(sizes, tensors, constraints=[lambda params: False], seed=1).take(1))


def test_parts_of_benchmark_by_pytorchs_files():
    from corten.utils.benchmark.examples.op_benchmark import assert_dicts_equal
    from corten.utils.benchmark.examples.spectral_ops_fuzz_test import run_benchmark
    assert benchmark.utils.common.select_unit is benchmark.select_unit and benchmark.utils.timer.Timer is benchmark.Timer
    assert benchmark.utils.fuzzer.prod([2, 3], 4) == 24 and benchmark.utils.fuzzer.dtype_size(corten.float64) == 8
    assert_dicts_equal({"a": np.ones(2), "dtype": 1}, {"a": np.ones(2), "dtype": 2})
    with pytest.raises(AssertionError):
        assert_dicts_equal({"a": np.ones(2)}, {"a": np.zeros(2)})
    results = run_benchmark("rfftn", corten.fft.rfftn, corten.float32, 5, "cpu", 2, 0.5)
    assert len(results) == 2 and results[0].median > 0 and results[0].task_spec.label == "rfftn"


# ---- absent features ----

@pytest.mark.parametrize("name", [
    "utils.model_dump.get_model_info", "utils.jit.log_extract.run_nnc", "utils.backend_registration.rename_privateuse1_backend",
    "utils.cpp_extension.load_inline", "utils.cpp_extension.SyclExtension", "utils.cpp_extension.BuildExtension",
    "package.PackageExporter", "package.PackageImporter", "package.Directory"])
def test_what_is_not_there_says_what_to_do(name):
    thing = corten
    for part in name.split("."):
        thing = getattr(thing, part)
    with pytest.raises(NotImplementedError, match="is not available in Corten: "):
        thing("x")


def test_names_of_packages():
    assert not corten.package.is_from_package(corten.nn.Linear(1, 1)) and issubclass(corten.package.PackagingError, Exception)
    assert corten.package.analyze.is_from_package.is_from_package(corten) is False
    assert corten.package.sys_importer.get_name(json.loads) == ("json", "loads")
    with pytest.raises(corten.package.ObjNotFoundError):
        corten.package.sys_importer.get_name(lambda: 0, "nothing")


def test_compilers():
    from corten.utils import cpp_extension
    good, version = cpp_extension.get_compiler_abi_compatibility_and_version("cc" if not cpp_extension.check_compiler_ok_for_platform("g++")
                                                                            else "g++")
    assert good and version >= (5, 0) and cpp_extension.get_compiler_abi_compatibility_and_version("ls") == (False, "0.0.0")
    assert cpp_extension.get_default_build_root().endswith("torch_extensions")

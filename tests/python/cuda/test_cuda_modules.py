# SPDX-License-Identifier: BSD-3-Clause
"""The smaller GPU modules: NVTX ranges, NCCL within one process, device monitoring, memory statistics, backend switches and
torch.accelerator. Each program runs in a separate process, without a GPU or with the fake device."""
import os
import subprocess
import sys
import textwrap

import pytest

import corten


def run(program, devices="2", **env):
    env = {**os.environ, "CORTEN_FAKE_CUDA": devices, **env}
    done = subprocess.run([sys.executable, "-c", "import corten as torch\n" + textwrap.dedent(program)], env=env, capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# ---- nvtx, profiler ----

def test_nvtx_without_a_profiler_says_that_nobody_listens():
    run("""
        nvtx = torch.cuda.nvtx
        assert nvtx.range_push("a") == -2 and nvtx.range_pop() == -2
        nvtx.range_end(nvtx.range_start("b"))
        assert nvtx.mark("now") is None
        @nvtx.range("step {}", 3)
        def step():
            return 7
        assert step() == 7
        with nvtx.range("{0}{1}", 1, 2):
            pass
        try:
            nvtx.mark(3)
        except TypeError:
            pass
        else:
            raise AssertionError
        with torch.autograd.profiler.emit_nvtx():
            assert (torch.ones(2) + 1).tolist() == [2, 2]
    """, devices="0")


def test_nvtx_reaches_a_profiler(tmp_path):
    """Profilers provide a library that receives NVTX calls. Here a substitute for the NVTX library prints each call."""
    (tmp_path / "nvtx.c").write_text("""
        #include <stdio.h>
        static int depth;
        int nvtxRangePushA(const char *text) { printf("push %s\\n", text); fflush(stdout); return depth++; }
        int nvtxRangePop(void) { puts("pop"); fflush(stdout); return --depth; }
        unsigned long nvtxRangeStartA(const char *text) { printf("start %s\\n", text); fflush(stdout); return 1ul << 40; }
        void nvtxRangeEnd(unsigned long id) { printf("end %lu\\n", id >> 40); fflush(stdout); }
        void nvtxMarkA(const char *text) { printf("mark %s\\n", text); fflush(stdout); }
    """)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "libnvtx3interop.so.1", tmp_path / "nvtx.c"], check=True)
    out = run("""
        nvtx = torch.cuda.nvtx
        with nvtx.range("outer"):
            assert nvtx.range_push("inner") == 1 and nvtx.range_pop() == 1
        nvtx.range_end(nvtx.range_start("long"))
        nvtx.mark("here")
    """, devices="0", LD_LIBRARY_PATH=str(tmp_path))
    assert out.splitlines() == ["push outer", "push inner", "pop", "pop", "start long", "end 1", "mark here"]


def test_profiler_of_the_driver_is_started(tmp_path):
    (tmp_path / "driver.c").write_text("""
        #include <stdio.h>
        int cuProfilerStart(void) { puts("start"); fflush(stdout); return 0; }
        int cuProfilerStop(void) { puts("stop"); fflush(stdout); return 3; }
    """)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "libcuda.so.1", tmp_path / "driver.c"], check=True)
    out = run("""
        try:
            with torch.cuda.profiler.profile():
                print("work", flush=True)
        except torch.cuda.CudaError as error:
            assert "(3)" in str(error)
        else:
            raise AssertionError
    """, LD_LIBRARY_PATH=str(tmp_path))
    assert out.split() == ["start", "work", "stop"]


# ---- nccl ----

def test_nccl_within_one_process():
    run("""
        nccl = torch.cuda.nccl
        def make(*shape):
            return [torch.arange(4.).add(i).reshape(shape).cuda(i) for i in range(2)]
        a, b = make(4)
        assert nccl.is_available([a, b]) and not nccl.is_available([a, a]) and not nccl.is_available([torch.ones(1)])
        nccl.all_reduce([a, b])
        assert a.tolist() == b.tolist() == [1, 3, 5, 7]
        a, b = make(2, 2)
        nccl.reduce([a, b], op=nccl.MAX, root=1)
        assert a.tolist() == [[0, 1], [2, 3]] and b.tolist() == [[1, 2], [3, 4]]
        nccl.broadcast([a, b])
        assert b.tolist() == [[0, 1], [2, 3]]
        a, b = make(4)
        wide = [torch.zeros(2, 4).cuda(i) for i in range(2)]
        nccl.all_gather([a, b], wide)
        assert wide[0].tolist() == wide[1].tolist() == [[0, 1, 2, 3], [1, 2, 3, 4]]
        halves = [torch.zeros(2).cuda(i) for i in range(2)]
        nccl.reduce_scatter([a, b], halves, op=nccl.AVG)
        assert [h.tolist() for h in halves] == [[.5, 1.5], [2.5, 3.5]]
        for wrong, kind in ((lambda: nccl.all_reduce(a), TypeError), (lambda: nccl.all_reduce([a, a]), RuntimeError),
                            (lambda: nccl.all_reduce([a, b], comms=[1]), NotImplementedError)):
            try:
                wrong()
            except kind:
                continue
            raise AssertionError
    """)


# ---- memory ----

def test_memory_that_other_libraries_take():
    run("""
        before = torch.cuda.memory_allocated()
        at = torch.cuda.caching_allocator_alloc(4096, 1)
        assert at and torch.cuda.memory_allocated(1) == 4096
        other = torch.cuda.caching_allocator_alloc(512, 1, torch.cuda.Stream(1))
        torch.cuda.caching_allocator_delete(at)
        torch.cuda.caching_allocator_delete(other)
        torch.cuda.caching_allocator_delete(0)
        assert torch.cuda.memory_allocated(1) == 0
        for wrong, kind in ((lambda: torch.cuda.caching_allocator_delete(at), RuntimeError),
                            (lambda: torch.cuda.caching_allocator_alloc(8, 0, "stream"), TypeError)):
            try:
                wrong()
            except kind:
                continue
            raise AssertionError
    """)


def test_counters_of_pinned_memory():
    run("""
        import gc
        stats = torch.cuda.host_memory_stats
        assert stats() == {} and torch.cuda.memory.memory_stats_as_nested_dict() == {}
        x = torch.ones(1000).cuda()
        a, b = torch.ones(1000).pin_memory(), torch.ones(24).pin_memory()
        del b
        now = stats()
        assert now["allocations.current"] == 1 and now["allocations.peak"] == 2 and now["num_host_alloc"] == 2
        assert now["allocated_bytes.current"] == 4000 and now["active_bytes.peak"] == 4096 and now["num_host_free"] == 1
        assert now["host_alloc_time.count"] == 2 and now["host_alloc_time.min"] <= now["host_alloc_time.max"]
        assert list(now) == sorted(now)
        torch.cuda.reset_peak_host_memory_stats()
        torch.cuda.reset_accumulated_host_memory_stats()
        now = torch.cuda.host_memory_stats_as_nested_dict()
        assert now["allocations"] == {"current": 1, "peak": 1, "allocated": 0, "freed": 0} and now["host_alloc_time"]["count"] == 0
        nested = torch.cuda.memory.memory_stats_as_nested_dict()
        assert nested["allocated_bytes"]["all"]["current"] == torch.cuda.memory_allocated() == 4096
        assert len(torch.cuda.memory_snapshot((0, 0))) == len(torch.cuda.memory_snapshot()) and not torch.cuda.memory_snapshot((0, 5))
    """)


@pytest.mark.parametrize("call, says", [
    ("torch.cuda.MemPool()", "torch.cuda.Stream"), ("torch.cuda.use_mem_pool(None)", "torch.cuda.stream"),
    ("torch.cuda.memory.CUDAPluggableAllocator('a', 'b', 'c')", "memory_stats"), ("torch.cuda.Event(interprocess=True)", "synchronize"),
    ("torch.cuda.Event(external=True)", "outside"), ("torch.cuda.CUDAGraph(keep_graph=True)", "capture_end"),
    ("torch.cuda.export_dot('x')", "Nsight"), ("torch.cuda.memory._record_memory_history()", "memory_snapshot")])
def test_what_is_not_there_says_so(call, says):
    run(f"""
        try:
            {call}
        except NotImplementedError as error:
            assert "not available in Corten" in str(error) and {says!r} in str(error), error
        else:
            raise AssertionError
    """)


def test_a_memory_cache_that_stays_on_warns():
    out = run("""
        import warnings
        torch.ones(2).cuda()
        with warnings.catch_warnings(record=True) as seen, torch.cuda.caching_allocator_disabled():
            torch.cuda.caching_allocator_enable(True)
        print(len(seen), "empty_cache" in str(seen[0].message))
    """)
    assert out == "1 True\n"


# ---- device monitoring (NVML) ----

NAMES = "clock_rate", "device_memory_used", "memory_usage", "power_draw", "temperature", "utilization"


def test_meters_ask_the_management_library(tmp_path):
    (tmp_path / "pynvml.py").write_text(textwrap.dedent("""
        from types import SimpleNamespace as N
        class NVMLError_DriverNotLoaded(Exception): pass
        def nvmlInit(): pass
        def nvmlDeviceGetHandleByUUID(uuid): return uuid
        def nvmlDeviceGetMemoryInfo(card): return N(used=11)
        def nvmlDeviceGetUtilizationRates(card): return N(gpu=22, memory=33)
        def nvmlDeviceGetTemperature(card, sensor): return 44 + sensor
        def nvmlDeviceGetPowerUsage(card): return 55
        def nvmlDeviceGetClockInfo(card, which): return 65 + which
    """))
    out = run(f"print(*[getattr(torch.cuda, name)(1) for name in {NAMES}])", PYTHONPATH=str(tmp_path))
    assert out.split() == ["66", "11", "33", "55", "44", "22"]


def test_meters_without_the_management_library():
    run(f"""
        import sys
        sys.modules["pynvml"] = None
        for name in {NAMES}:
            try:
                getattr(torch.cuda, name)()
            except ModuleNotFoundError as error:
                assert "nvidia-ml-py" in str(error)
            else:
                raise AssertionError
    """)


# ---- backends ----

def test_preferred_libraries_are_remembered_and_warn():
    cuda = corten.backends.cuda
    assert str(cuda.preferred_blas_library()) == "_BlasBackend.Cublas" and repr(cuda.preferred_blas_library()) == "<_BlasBackend.Cublas: 1>"
    assert str(cuda.preferred_linalg_library("cusolver")) == "_LinalgBackend.Cusolver"
    with pytest.warns(UserWarning, match="has no effect in Corten"):
        assert str(cuda.preferred_blas_library("hipblaslt")) == "_BlasBackend.Cublaslt"
    assert cuda.blas_workspace_size() == cuda.cublaslt_workspace_size() == 1 << 20
    cuda.preferred_blas_library("cublas")
    for function, text in ((cuda.preferred_blas_library, "default, cublas, hipblas, cublaslt, hipblaslt, ck"),
                           (cuda.preferred_linalg_library, "default, cusolver, magma"),
                           (cuda.preferred_rocm_fa_library, "default, aotriton, ck")):
        with pytest.raises(RuntimeError, match=f"Unknown input value. Choose from: {text}."):
            function("mine")
    with pytest.raises(RuntimeError, match="Unknown input value type."):
        cuda.preferred_linalg_library(3)
    with pytest.raises(RuntimeError, match="CK backend does not use a workspace."):
        cuda.blas_workspace_size(backend="ck")


def test_questions_about_attention():
    cuda, q = corten.backends.cuda, corten.ones(1, 1, 2, 2)
    params = cuda.SDPAParams(q, q, q, None, 0.5, True, False)
    assert params.query is q and params.attn_mask is None and params.dropout == 0.5 and params.is_causal and not params.enable_gqa
    assert not cuda.can_use_flash_attention(params) and not cuda.is_ck_sdpa_available()
    with pytest.warns(UserWarning, match="cudnn"):
        assert not cuda.can_use_cudnn_attention(params, True)
    with pytest.raises(TypeError, match="expected SDPAParams"):
        cuda.can_use_efficient_attention(q)


def test_switches_of_products():
    run("""
        import warnings
        m = torch.backends.cuda.matmul
        assert m.allow_fp16_reduced_precision_reduction_split_k and not m.prefer_cublaslt_grouped_gemm
        m.allow_fp16_reduced_precision_reduction = (False,)
        assert m.allow_fp16_reduced_precision_reduction_split_k and not m.allow_fp16_reduced_precision_reduction
        with warnings.catch_warnings(record=True) as seen:
            m.allow_fp16_reduced_precision_reduction = (False, False)
            m.prefer_cublaslt_grouped_gemm = True
        assert len(seen) == 2 and not m.allow_fp16_reduced_precision_reduction_split_k and m.prefer_cublaslt_grouped_gemm
    """)


def test_switches_of_libraries_that_are_not_used(recwarn):
    backends = corten.backends
    assert backends.mha.get_fastpath_enabled()
    backends.mha.set_fastpath_enabled(False)
    assert not backends.mha.get_fastpath_enabled()
    backends.mha.set_fastpath_enabled(True)
    with backends.opt_einsum.flags(enabled=False), backends.nnpack.flags(), backends.mkl.verbose(0), backends.mkldnn.flags(False):
        assert not backends.mkldnn.enabled
    assert backends.mkldnn.enabled and not recwarn
    with pytest.raises(ValueError, match="opt_einsum is not available"):
        backends.opt_einsum.set_flags(True)
    with pytest.raises(ValueError, match="opt_einsum is not available"):
        with backends.opt_einsum.flags(strategy="optimal"):
            pass
    for function, value in ((backends.nnpack.set_flags, True), (backends.mkl.verbose, 1), (backends.mkldnn.verbose, 1)):
        with pytest.warns(UserWarning, match="has no effect in Corten"):
            function(value)
    with backends.mkldnn.flags(fp32_precision="bf16"):
        assert backends.mkldnn.fp32_precision == "bf16"


# ---- accelerator ----

def test_accelerator_without_a_gpu():
    run("""
        a = torch.accelerator
        assert a.memory.memory_allocated() == a.max_memory_reserved() == 0 and a.memory_stats() == {} and a.random.get_rng_state_all() == []
        a.memory.reset_peak_memory_stats(), a.empty_host_cache(), a.memory.empty_cache()
        for wrong in (a.random.initial_seed, a.get_memory_info):
            try:
                wrong()
            except RuntimeError as error:
                assert "no NVIDIA driver" in str(error)
            else:
                raise AssertionError
    """, devices="0")


def test_accelerator_with_gpus():
    run("""
        a = torch.accelerator
        x = torch.ones(1000, device="cuda:1")
        assert a.memory.memory_allocated("cuda:1") == a.memory_allocated(1) == a.max_memory_allocated(torch.device("cuda", 1)) == 4096
        assert a.memory_allocated() == 0 and a.get_memory_info(1)[1] > 0 and len(a.random.get_rng_state_all()) == 2
        torch.cuda.manual_seed_all(5)
        assert a.random.initial_seed("cuda:1") == 5 and a.random.get_rng_state(1).dtype == torch.uint8
        try:
            a.memory_allocated("cpu")
        except ValueError as error:
            assert "cpu doesn't match the current accelerator cuda" in str(error)
        else:
            raise AssertionError
    """)


# ---- reports ----

def test_reports_of_faults():
    from corten.utils import collect_env
    calls = {"gcc --version": (0, "gcc (Debian) 12.2.0", ""), "nvidia-smi": (0, "| Driver Version: 590.1   CUDA |", "")}

    def answer(command):
        return calls.get(command, (1, "", "no such program"))
    assert collect_env.get_gcc_version(answer) == "(Debian) 12.2.0" and collect_env.get_clang_version(answer) is None
    assert collect_env.get_nvidia_driver_version(answer) == "590.1" and collect_env.run_and_read_all(answer, "ls") is None
    assert collect_env.run("echo one; echo two >&2; exit 3") == (3, "one", "two") and collect_env.run(["no-such-program"])[0] == 127
    assert collect_env.run_and_return_first_line(collect_env.run, "echo one; echo two") == "one"
    info = collect_env.get_env_info()
    assert info.torch_version.startswith("2.15") and info.is_cuda_available in ("True", "False")
    text = collect_env.pretty_str(info._replace(conda_packages="", pip_packages="numpy==1\ncorten==2", gcc_version=None))
    assert "[pip3] numpy==1\n[pip3] corten==2\n[conda] No relevant packages" in text and "GCC version: Could not collect" in text
    assert text.startswith("PyTorch version: 2.15") and "\nCPU:\n" in text


def test_the_precision_of_products_follows_the_switch():
    before = corten.get_float32_matmul_precision()
    try:
        corten.set_float32_matmul_precision("highest")
        assert corten.backends.cuda.matmul.fp32_precision == "ieee"
        corten.set_float32_matmul_precision("high")
        assert corten.backends.cuda.matmul.fp32_precision == "tf32"
    finally:
        corten.set_float32_matmul_precision(before)

# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.collect_env: information about the system for bug reports.

    python -m corten -m torch.utils.collect_env
"""
import collections
import locale
import os
import platform
import re
import subprocess
import sys

__all__ = ["SystemEnv", "check_release_file", "get_env_info", "get_pretty_env_info", "is_xnnpack_available", "main", "pretty_str", "run",
           "run_and_parse_first_match", "run_and_read_all", "run_and_return_first_line"]

SystemEnv = collections.namedtuple("SystemEnv", (
    "torch_version", "is_debug_build", "cuda_compiled_version", "gcc_version", "clang_version", "cmake_version", "os", "libc_version",
    "python_version", "python_platform", "is_cuda_available", "cuda_runtime_version", "cuda_module_loading", "nvidia_driver_version",
    "nvidia_gpu_models", "cudnn_version", "is_xpu_available", "pip_version", "pip_packages", "conda_packages", "hip_compiled_version",
    "hip_runtime_version", "miopen_runtime_version", "caching_allocator_config", "is_xnnpack_available", "cpu_info",
    "rocm_compiled_version"))

_PACKAGES = ("corten", "torch", "numpy", "triton", "optree", "mypy", "flake8", "onnx", "nvidia-")
_CONDA = ("torch", "numpy", "cudatoolkit", "mkl", "magma", "triton", "optree", "soumith")


# ---- running commands ----

def run(command):
    """Runs a command (a list, or a shell command line) and returns (exit status, stdout, stderr)."""
    try:
        done = subprocess.run(command, shell=isinstance(command, str), capture_output=True)
    except FileNotFoundError as error:
        return 127, "", str(error)
    out, err = (text.decode(locale.getpreferredencoding(), "replace").strip() for text in (done.stdout, done.stderr))
    return done.returncode, out, err


def run_and_read_all(run_lambda, command):
    """Returns the output of a command, or None if it fails. `run_lambda` runs it, as `run` does."""
    status, out, _ = run_lambda(command)
    return out if status == 0 else None


def run_and_parse_first_match(run_lambda, command, regex):
    """Returns the first group of a regular expression in the output of a command, or None."""
    status, out, _ = run_lambda(command)
    found = re.search(regex, out) if status == 0 else None
    return found.group(1) if found else None


def run_and_return_first_line(run_lambda, command):
    """Returns the first line of a command's output, or None if it fails."""
    status, out, _ = run_lambda(command)
    return out.split("\n")[0] if status == 0 else None


# ---- properties of the system ----

def get_platform():
    """Returns "linux", "darwin" or "win32"."""
    return "linux" if sys.platform.startswith("linux") else sys.platform


def get_gcc_version(run_lambda):
    """Returns the version of gcc, or None."""
    return run_and_parse_first_match(run_lambda, "gcc --version", r"gcc (.*)")


def get_clang_version(run_lambda):
    """Returns the version of clang, or None."""
    return run_and_parse_first_match(run_lambda, "clang --version", r"clang version (.*)")


def get_cmake_version(run_lambda):
    """Returns the version of CMake, or None."""
    return run_and_parse_first_match(run_lambda, "cmake --version", r"cmake (.*)")


def get_nvidia_smi():
    """Returns the command that queries NVIDIA's driver."""
    return "nvidia-smi"


def get_nvidia_driver_version(run_lambda):
    """Returns the version of NVIDIA's driver, or None."""
    return run_and_parse_first_match(run_lambda, get_nvidia_smi(), r"Driver Version: (.*?) ")


def get_gpu_info(run_lambda):
    """Returns the names of the GPUs, from Corten or else from the driver's command."""
    from .. import cuda
    if cuda.is_available():
        return "\n".join(f"GPU {i}: {cuda.get_device_name(i)}" for i in range(cuda.device_count()))
    listed = run_and_read_all(run_lambda, f"{get_nvidia_smi()} -L")
    return re.sub(r" \(UUID: .+?\)", "", listed) if listed is not None else None


def get_running_cuda_version(run_lambda):
    """Returns the version of the CUDA toolkit of `nvcc`, or None."""
    return run_and_parse_first_match(run_lambda, "nvcc --version", r"release .+ V(.*)")


def get_cudnn_version(run_lambda):
    """Returns the path of cuDNN, or None."""
    status, out, _ = run_lambda('ldconfig -p | grep libcudnn | rev | cut -d" " -f1 | rev')
    files = sorted({os.path.realpath(line) for line in out.split("\n") if os.path.exists(line)}) if status == 0 else []
    return files[0] if len(files) == 1 else "Probably one of the following:\n" + "\n".join(files) if files else None


def get_cpu_info(run_lambda):
    """Returns the description of the CPU that the system's command prints."""
    command = {"linux": "lscpu", "darwin": "sysctl -n machdep.cpu.brand_string"}.get(get_platform(), "wmic cpu list full")
    status, out, err = run_lambda(command)
    return out if status == 0 else err


def check_release_file(run_lambda):
    """Returns the name of the Linux distribution from /etc/*-release, or None."""
    return run_and_parse_first_match(run_lambda, "cat /etc/*-release", r'PRETTY_NAME="(.*)"')


def get_os(run_lambda):
    """Returns the name and version of the operating system."""
    name = {"linux": check_release_file, "darwin": lambda run: f"macOS {platform.mac_ver()[0]}"}.get(get_platform())
    return f"{name(run_lambda) if name else platform.platform()} ({platform.machine()})"


def get_python_platform():
    """Returns platform.platform()."""
    return platform.platform()


def get_libc_version():
    """Returns the C library and its version."""
    return "-".join(platform.libc_ver()) if get_platform() == "linux" else "N/A"


def get_pip_packages(run_lambda, patterns=None):
    """Returns ("pip3", lines of installed packages whose names contain one of the patterns)."""
    wanted = _PACKAGES if patterns is None else patterns
    out = run_and_read_all(run_lambda, [sys.executable, "-mpip", "list", "--format=freeze", "--disable-pip-version-check"])
    if out is None:
        return "pip3", out
    return "pip3", "\n".join(line for line in out.splitlines() if any(name in line for name in wanted))


def get_conda_packages(run_lambda, patterns=None):
    """Returns the installed conda packages whose names contain one of the patterns, or None without conda."""
    wanted = _CONDA if patterns is None else patterns
    out = run_and_read_all(run_lambda, [os.environ.get("CONDA_EXE", "conda"), "list"])
    if out is None:
        return None
    return "\n".join(line for line in out.splitlines() if line[:1] != "#" and any(name in line for name in wanted))


def get_cachingallocator_config():
    """Returns the environment variables that configure PyTorch's allocators, with their values."""
    names = ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF")
    return {name: os.environ[name] for name in names if name in os.environ}


def get_cuda_module_loading_config():
    """Returns CUDA_MODULE_LOADING, the driver's mode of loading kernels."""
    from .. import cuda
    return os.environ.get("CUDA_MODULE_LOADING", "") if cuda.is_available() else "N/A"


def is_xnnpack_available():
    """Returns whether XNNPACK is part of this build, as text."""
    return "False"


def get_env_info():
    """Collects everything in a SystemEnv; unavailable items are None."""
    from .. import cuda, version
    pip_version, pip_packages = get_pip_packages(run)
    bits = sys.maxsize.bit_length() + 1
    return SystemEnv(
        torch_version=str(version.__version__), is_debug_build=str(version.debug), cuda_compiled_version=str(version.cuda),
        is_cuda_available=str(cuda.is_available()), is_xpu_available="False", is_xnnpack_available=is_xnnpack_available(),
        hip_compiled_version="N/A", hip_runtime_version="N/A", miopen_runtime_version="N/A", rocm_compiled_version="N/A",
        gcc_version=get_gcc_version(run), clang_version=get_clang_version(run), cmake_version=get_cmake_version(run),
        os=get_os(run), libc_version=get_libc_version(), python_platform=get_python_platform(),
        python_version=f"{sys.version} ({bits}-bit runtime)".replace("\n", " "),
        cuda_runtime_version=get_running_cuda_version(run), cuda_module_loading=get_cuda_module_loading_config(),
        nvidia_driver_version=get_nvidia_driver_version(run), nvidia_gpu_models=get_gpu_info(run), cudnn_version=get_cudnn_version(run),
        caching_allocator_config=get_cachingallocator_config(), cpu_info=get_cpu_info(run),
        pip_version=pip_version, pip_packages=pip_packages, conda_packages=get_conda_packages(run))


# ---- report ----

_TEXT = """
PyTorch version: {torch_version}
Is debug build: {is_debug_build}
CUDA used to build PyTorch: {cuda_compiled_version}
ROCm SDK used to build PyTorch: {rocm_compiled_version}
HIP used to build PyTorch: {hip_compiled_version}

OS: {os}
GCC version: {gcc_version}
Clang version: {clang_version}
CMake version: {cmake_version}
Libc version: {libc_version}

Python version: {python_version}
Python platform: {python_platform}
Is CUDA available: {is_cuda_available}
CUDA runtime version: {cuda_runtime_version}
CUDA_MODULE_LOADING set to: {cuda_module_loading}
GPU models and configuration: {nvidia_gpu_models}
Nvidia driver version: {nvidia_driver_version}
cuDNN version: {cudnn_version}
Is XPU available: {is_xpu_available}
HIP runtime version: {hip_runtime_version}
MIOpen runtime version: {miopen_runtime_version}
Is XNNPACK available: {is_xnnpack_available}
Caching allocator config: {caching_allocator_config}

CPU:
{cpu_info}

Versions of relevant libraries:
{pip_packages}
{conda_packages}
""".strip()


def _marked(text, mark):
    return "\n".join(f"[{mark}] {line}" for line in text.split("\n"))


def pretty_str(envinfo):
    """Formats a SystemEnv as text."""
    shown = envinfo._asdict()
    asked = ("cuda_runtime_version", "nvidia_gpu_models", "nvidia_driver_version")
    if all(shown[name] is None for name in asked):
        shown.update(dict.fromkeys((*asked, "cudnn_version"), "No CUDA"))
    if shown["nvidia_gpu_models"] and "\n" in shown["nvidia_gpu_models"]:
        shown["nvidia_gpu_models"] = f"\n{shown['nvidia_gpu_models']}\n"
    kept = {name: shown[name] for name in ("cpu_info", "caching_allocator_config")}
    for name, value in shown.items():
        shown[name] = "Could not collect" if value is None else {True: "Yes", False: "No"}[value] if value in (True, False) else value
    for name, mark in (("pip_packages", envinfo.pip_version), ("conda_packages", "conda")):
        shown[name] = _marked(shown[name] or "No relevant packages", mark)
    shown.update(kept, caching_allocator_config=kept["caching_allocator_config"] or "N/A")
    return _TEXT.format(**shown)


def get_pretty_env_info():
    """Returns the report as text."""
    return pretty_str(get_env_info())


def main():
    """Prints the report."""
    print("Collecting environment information...")
    print(get_pretty_env_info())


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: BSD-3-Clause
"""`python -m corten` and install_as_torch() run a script written for PyTorch just as `python` would."""
import os
import signal
import subprocess
import sys
import textwrap

import pytest


def call(*args, cwd=None, **options):
    return subprocess.run([sys.executable, *args], capture_output=True, text=True, cwd=cwd, **options)


def corten(*args, **options):
    return call("-m", "corten", *args, **options)


@pytest.fixture
def script(tmp_path):
    def write(text, name="script.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path
    return write


def test_main_is_the_script(script, tmp_path):
    path = script("""
        import sys, torch, __main__
        print(__name__, __file__, __spec__, __package__, __builtins__ is sys.modules['builtins'])
        print(sys.argv, sys.path[0])
        print(__main__.torch is torch, torch.__name__, sys.modules['torch'] is sys.modules['corten'])
        class Mine: pass
        print(Mine.__module__, sorted(n for n in globals() if n[0] != '_'))
        def f(): return 5
        from __main__ import f as again
        print(again is f, __loader__.get_filename())
        """, "folder/script.py")
    got = corten(os.path.join("folder", "script.py"), "one", "--two", "-c", cwd=tmp_path)
    assert got.stderr == "" and got.returncode == 0
    assert got.stdout.split("\n") == [
        f"__main__ {path} None None True",
        f"['folder/script.py', 'one', '--two', '-c'] {path.parent}",
        "True torch True",
        "__main__ ['Mine', 'sys', 'torch']",
        f"True {path}", ""]


def test_the_path_is_absolute(script, tmp_path):
    path = script("""
        import os, torch
        os.chdir(os.sep)
        print(__file__)
        def fail(): raise ValueError
        print(fail.__code__.co_filename)
        fail()
        """, "sub/script.py")
    ran = corten(os.path.join("sub", "script.py"), cwd=tmp_path)
    assert ran.stdout.split() == [str(path)] * 2 and f'File "{path}", line 7' in ran.stderr and ran.returncode == 1


def test_what_python_itself_says(script, tmp_path):
    """A script that does not use PyTorch prints the same under `python` and under `python -m corten`."""
    path = script("""
        import sys
        print(__name__, __file__, sys.argv, sys.path[0], __spec__, __cached__, sorted(vars()))
        """)
    assert corten(str(path), "a", cwd=tmp_path).stdout == call(str(path), "a", cwd=tmp_path).stdout
    code = "import sys; print(__name__, sys.argv, repr(sys.path[0]), __spec__, '__file__' in vars())"
    assert corten("-c", code, "b", "-m", cwd=tmp_path).stdout == call("-c", code, "b", "-m", cwd=tmp_path).stdout
    script("import sys\nprint(__name__, sys.argv, sys.path[0], __spec__.name, __package__, __file__)\n", "pack/mod.py")
    script("print('package')\n", "pack/__init__.py")
    script("print('main of the package', __package__)\n", "pack/__main__.py")
    for name in ("pack.mod", "pack"):
        got, want = corten("-m", name, "c", cwd=tmp_path), call("-m", name, "c", cwd=tmp_path)
        assert (got.stdout, got.returncode) == (want.stdout, want.returncode)


@pytest.mark.parametrize("end, code, err", [
    ("pass", 0, ""), ("sys.exit()", 0, ""), ("sys.exit(3)", 3, ""), ("sys.exit('bye')", 1, "bye\n"),
    ("raise SystemExit(4)", 4, ""), ("import os; os._exit(5)", 5, "")])
def test_exit_codes(script, end, code, err):
    got = corten(str(script(f"import sys\nimport atexit\n{end}\n")))
    assert (got.returncode, got.stderr) == (code, err)


def test_tracebacks_show_the_script_alone(script):
    path = script("""
        import torch
        def f():
            raise ValueError("of my own")
        f()
        """)
    got = corten(str(path))
    assert got.returncode == 1
    assert [l.strip() for l in got.stderr.split("\n")] == [
        "Traceback (most recent call last):", f'File "{path}", line 5, in <module>', "f()",
        f'File "{path}", line 4, in f', 'raise ValueError("of my own")', "ValueError: of my own", ""]
    path = script("x = (\n")
    assert corten(str(path)).stderr == call(str(path)).stderr
    got = corten("-c", "1/0")
    assert got.stderr == call("-c", "1/0").stderr and got.returncode == 1
    path = script("import sys\nsys.excepthook = lambda *a: print('hook', a[0].__name__)\n1/0\n")
    assert corten(str(path)).stdout == "hook ZeroDivisionError\n"


def test_interrupt(script):
    # A shell's background jobs ignore SIGINT, and child processes inherit that.
    got = corten(str(script("import os, signal\nprint('on', flush=True)\nos.kill(os.getpid(), signal.SIGINT)\n"
                            "import time; time.sleep(9)\n")),
                 preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    assert got.returncode == -signal.SIGINT and got.stderr.endswith("KeyboardInterrupt\n") and got.stdout == "on\n"


def test_no_such_file(tmp_path):
    got, want = corten("none.py", cwd=tmp_path), call("none.py", cwd=tmp_path)
    assert (got.returncode, got.stderr) == (want.returncode, want.stderr)


def test_usage():
    assert corten().returncode == 2 and corten().stderr.startswith("usage: python -m corten FILE")
    assert corten("--help").returncode == 0 and corten("--help").stdout.startswith("usage:")
    assert corten("-c").returncode == 2


def test_imports(script):
    got = corten(str(script("""
        import torch, torch.utils.dlpack, sys
        from torch import Tensor, float32
        from torch.utils.dlpack import to_dlpack
        import torch.storage as storage
        assert sys.modules['torch.storage'] is sys.modules['corten.storage'] is torch.storage is storage
        assert torch.utils.dlpack is sys.modules['torch.utils.dlpack']
        assert torch.__version__.startswith('2.15.0')
        for name in ('torch.nothing', 'torch.utils.nothing', 'torchvision.nothing', 'torch_xla.core'):
            try:
                __import__(name)
            except ModuleNotFoundError as e:
                print(e, e.name)
        try:
            torch.nothing
        except AttributeError as e:
            print(e)
        import json  # others are found as always
        print(torch.Tensor, type(torch.ones(1)))
        """)))
    assert got.stderr == ""
    assert got.stdout.split("\n") == [
        "No module named 'torch.nothing' torch.nothing", "No module named 'torch.utils.nothing' torch.utils.nothing",
        "No module named 'torchvision.nothing' torchvision.nothing", "No module named 'torch_xla' torch_xla",
        "module 'torch' has no attribute 'nothing'", "<class 'torch.Tensor'> <class 'torch.Tensor'>", ""]


def test_parts_of_autograd(script):
    got = corten(str(script("""
        import torch, torch.autograd.graph
        from torch.autograd import Function, gradcheck
        from torch.autograd.function import once_differentiable
        from torch.autograd.gradcheck import GradcheckError
        from torch.autograd.variable import Variable
        print(callable(torch.autograd.gradcheck), torch.autograd.gradcheck is gradcheck, GradcheckError.__module__)
        print(Variable is torch.autograd.Variable, torch.autograd.function.Function is Function)
        """)))
    assert got.stderr == ""
    assert got.stdout == "True True torch.autograd.gradcheck\nTrue True\n"


def test_hook_by_hand():
    got = call("-c", "import corten; corten.install_as_torch(); corten.install_as_torch()\n"
                     "import torch; print(torch is corten, corten.ones(1))")
    assert (got.stdout, got.stderr) == ("True tensor([1.])\n", "")
    got = call("-c", "import sys, types; sys.modules['torch'] = types.ModuleType('torch')\n"
                     "import corten; corten.install_as_torch()")
    assert "RuntimeError: PyTorch is imported already" in got.stderr


def test_pytorchs_refusals():
    """A script that imports torch gets PyTorch's restrictions, such as no negative steps; one that imports corten does not."""
    code = "\ntry:\n    print(torch.arange(3)[::-1])\nexcept ValueError as e:\n    print(e)"
    assert corten("-c", "import torch" + code).stdout == "step must be greater than zero\n"
    assert call("-c", "import corten as torch" + code).stdout == "tensor([2, 1, 0])\n"


def test_import_is_light():
    """`import corten` loads only the package and its extension module, not large modules such as NumPy or asyncio."""
    got = call("-c", "import sys; before = set(sys.modules); import corten; print(*sorted(set(sys.modules) - before))")
    assert set(got.stdout.split()) <= {"corten", "corten._C"}


CHILDREN = """
import multiprocessing
import torch
import torch.multiprocessing as mp

def work(tensor):
    tensor.add_(torch.arange(3.))

if __name__ == '__main__':
    for method in ('spawn', 'forkserver'):
        shared = torch.zeros(3).share_memory_()
        children = [mp.get_context(method).Process(target=work, args=(shared,)) for _ in range(2)]
        for child in children:
            child.start()
            child.join()
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(method, [c.exitcode for c in children], shared.tolist(), pool.apply(torch.ones, (2,)).tolist())
"""


@pytest.mark.parametrize('first', ['', 'import multiprocessing.spawn\n'])
def test_children_know_torch(script, first):
    done = corten(script(first + CHILDREN), timeout=120)
    assert done.stdout == 'spawn [0, 0] [0.0, 2.0, 4.0] [1.0, 1.0]\nforkserver [0, 0] [0.0, 2.0, 4.0] [1.0, 1.0]\n', done.stderr

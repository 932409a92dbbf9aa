# SPDX-License-Identifier: BSD-3-Clause
"""The import hook that makes `import torch` import Corten, and the command `python -m corten SCRIPT`.

`install_as_torch()` maps `import torch`, `torchvision` and `torch_xla` to Corten's modules; `importlib.metadata` then reports
the PyTorch version whose interface Corten has. `main()` implements `python -m corten FILE|-m MODULE|-c CODE [ARGUMENT ...]`,
which runs the program as `__main__`, like Python itself.
"""
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys

TORCH_VERSION = "2.15.0"  # the PyTorch version whose names, results and error texts Corten has
_HOMES = {"torch": "corten", "torchvision": "corten.vision", "torch_xla": "corten.xla", "functorch": "corten._functorch.api"}
_USAGE = "usage: python -m corten FILE [ARGUMENT ...]\n       python -m corten -m MODULE [ARGUMENT ...]\n" \
         "       python -m corten -c CODE [ARGUMENT ...]\n       python -m corten info | demo | bench | explain FILE | warm-cache\n"


# ---- the import hook ----

class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Import hook for the names torch, torchvision and torch_xla; a real PyTorch is never imported in their place."""

    def find_spec(self, name, path=None, target=None):
        first, dot, rest = name.partition(".")
        if name == "multiprocessing.spawn":
            return _with_children(importlib.machinery.PathFinder.find_spec(name, path))
        if first not in _HOMES:
            return None
        if first == "torchvision":
            from .vision import _elsewhere, _installed
            if _installed.answers(name):
                return _installed.find_spec(self, name, path)
            if name.startswith(tuple(f"{module}." for module in _elsewhere.MODULES)):
                raise ModuleNotFoundError(f"No module named '{name}': {_elsewhere.INSTEAD}", name=name)
        home = (_HOMES[first] + dot + rest).replace("corten._C._", "corten._c_parts._")
        try:
            real = importlib.util.find_spec(home)
        except ModuleNotFoundError:
            real = None
        if real is None and dot:
            return None  # no other finder has Corten's submodules; Python raises the error
        if real is None:
            if importlib.machinery.PathFinder.find_spec(name) is None:
                return None  # availability checks such as find_spec("torch_xla") get None
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)
        spec = importlib.machinery.ModuleSpec(name, self, origin=real.origin,
                                              is_package=real.submodule_search_locations is not None)
        spec.loader_state = home
        return spec

    def find_distributions(self, context=None):
        """Returns metadata of the borrowed packages; libraries query versions before they import."""
        from ._metadata import distributions
        return distributions(getattr(context, "name", None))

    def get_code(self, name):
        """Returns the code of a module for `-m torch.distributed.run`."""
        first, dot, rest = name.partition(".")
        home = _HOMES[first] + dot + rest
        return importlib.util.find_spec(home).loader.get_code(home)

    def exec_module(self, module):
        # Use Corten's own module object, not a second copy. The same goes for its loaded submodules: importing one again would replace
        # a function of the same name in its package (autograd.gradcheck).
        name, home = module.__spec__.name, module.__spec__.loader_state
        sys.modules[name] = importlib.import_module(home)
        for part in [known for known in sys.modules if known.startswith(home + ".")]:
            sys.modules.setdefault(name + part[len(home):], sys.modules[part])


# ---- child processes ----

class _Installed:
    """Is unpickled first in a child process, and installs Corten's import hook there."""

    def __reduce__(self):
        return install_as_torch, ()


def _tell_children(spawn):
    """Installs the hook in children that multiprocessing starts with `spawn` or `forkserver`, which begin with a new interpreter."""
    prepare = spawn.get_preparation_data

    def get_preparation_data(name):
        data = prepare(name)
        if name == "ignore":  # the fork server itself gets no pickles and need not import the script
            data.pop("init_main_from_path", None)
        return {"torch": _Installed(), **data}
    spawn.get_preparation_data = get_preparation_data


def _with_children(spec):
    """Wraps the spec of multiprocessing.spawn, so that loading it patches the start of children."""
    run = spec.loader.exec_module

    def exec_module(module):
        run(module)
        _tell_children(module)
    spec.loader.exec_module = exec_module
    return spec


def install_as_torch():
    """Makes `import torch` import Corten, and enables PyTorch's error texts."""
    import corten
    known = sys.modules.get("torch")
    if known is corten:
        return
    if known is not None:
        raise RuntimeError("PyTorch is imported already: call corten.install_as_torch() before `import torch`")
    sys.meta_path.insert(0, _Finder())
    sys.modules["torch"] = corten
    if "multiprocessing.spawn" in sys.modules:
        _tell_children(sys.modules["multiprocessing.spawn"])
    corten._C._set_strict(True)
    corten.__name__ = "torch"  # scripts print it
    from .version import TorchVersion, __version__
    corten.__version__ = TorchVersion(__version__)


# ---- python -m corten ----

def _new_main(path=None, loader=None):
    """Replaces `__main__`, which is this package's, with an empty module."""
    module = type(sys)("__main__")
    module.__dict__.update(__builtins__=sys.modules["builtins"], __loader__=loader)
    if "__annotations__" in vars(sys.modules["__main__"]):  # depends on the Python version
        module.__annotations__ = {}
    if path is not None:
        module.__dict__.update(__file__=path, __cached__=None)
    sys.modules["__main__"] = module
    return module


def _run_file(path, argv):
    sys.argv[:] = [path, *argv]
    path = os.path.abspath(path)  # like Python: __file__ stays valid if the script changes the working directory
    if os.path.isdir(path) or path.endswith((".zip", ".pyz")):
        import runpy
        _set_first_path(path)
        return runpy.run_path(path, run_name="__main__")
    _set_first_path(os.path.dirname(os.path.realpath(path)))
    loader = importlib.machinery.SourceFileLoader("__main__", path)
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        sys.stderr.write(f"{sys.executable}: can't open file {path!r}: "
                         f"[Errno {error.errno}] {error.strerror}\n")
        raise SystemExit(2) from None
    code = compile(source, path, "exec", dont_inherit=True)
    exec(code, _new_main(path, loader).__dict__)


def _run_module(name, argv):
    import runpy
    sys.argv[:] = ["-m", *argv]
    _new_main()
    runpy._run_module_as_main(name)


def _run_code(text, argv):
    sys.argv[:] = ["-c", *argv]
    _set_first_path("")
    exec(compile(text + "\n", "<string>", "exec", dont_inherit=True), _new_main().__dict__)


def _set_first_path(path):
    """Replaces the working directory, which Python put in sys.path for `-m corten`, with the script's directory."""
    if not sys.flags.safe_path:
        sys.path[0:1] = [path]


def _without_us(trace):
    """Drops the leading frames of a traceback that belong to this file or to runpy."""
    while trace is not None and trace.tb_frame.f_code.co_filename in (__file__, "<frozen runpy>"):
        trace = trace.tb_next
    return trace


def _report(error):
    trace = _without_us(error.__traceback__)
    sys.excepthook(type(error), error.with_traceback(trace), trace)


def main():
    """Runs the command line; exits the process on failure."""
    runners = {"-m": _run_module, "-c": _run_code}
    args = sys.argv[1:]
    if args and args[0] in ("info", "demo", "bench", "explain", "warm-cache"):  # run a script of such a name as ./demo
        from ._cli import COMMANDS
        return COMMANDS[args[0]](args[1:])
    install_as_torch()
    if not args or args[0] in ("-h", "--help") or (args[0] in runners and len(args) < 2):
        (sys.stdout if args[:1] in (["-h"], ["--help"]) else sys.stderr).write(_USAGE)
        raise SystemExit(0 if args[:1] in (["-h"], ["--help"]) else 2)
    try:
        if args[0] in runners:
            runners[args[0]](args[1], args[2:])
        else:
            _run_file(args[0], args[1:])
    except SystemExit:
        raise
    except KeyboardInterrupt as error:
        import signal
        _report(error)
        sys.stdout.flush()
        sys.stderr.flush()
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # so that the parent process sees the signal as the cause
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException as error:
        _report(error)
        raise SystemExit(1) from None

# SPDX-License-Identifier: BSD-3-Clause
"""Corten in PyTorch's place: the import hook, and running scripts that were written for it.

`install_as_torch()` makes `import torch`, `torchvision` and `torch_xla` find Corten's modules, and
`importlib.metadata.version("torch")` the version whose names they are. `main()` is
`python -m corten FILE|-m MODULE|-c CODE [ARGUMENT ...]`: what runs there is `__main__`, as if Python had been called on it.
"""
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys

TORCH_VERSION = "2.15.0"  # whose names, results and texts these are
_HOMES = {"torch": "corten", "torchvision": "corten.vision", "torch_xla": "corten.xla", "functorch": "corten._functorch.api"}
_USAGE = "usage: python -m corten FILE [ARGUMENT ...]\n       python -m corten -m MODULE [ARGUMENT ...]\n" \
         "       python -m corten -c CODE [ARGUMENT ...]\n       python -m corten info | demo | bench | explain FILE | warm-cache\n"


# ---- the import hook ----

class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Answers for the borrowed names alone, and never lets a real PyTorch slip in between."""

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
            return None  # nobody else knows a part of Corten; Python itself says so
        if real is None:
            if importlib.machinery.PathFinder.find_spec(name) is None:
                return None  # a library that asks whether there is one is told no
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)
        spec = importlib.machinery.ModuleSpec(name, self, origin=real.origin,
                                              is_package=real.submodule_search_locations is not None)
        spec.loader_state = home
        return spec

    def find_distributions(self, context=None):
        """What `importlib.metadata` knows of the borrowed names: libraries ask it for versions before they import."""
        from ._metadata import distributions
        return distributions(getattr(context, "name", None))

    def get_code(self, name):
        """The code of a module that is run by its borrowed name: `-m torch.distributed.run`."""
        first, dot, rest = name.partition(".")
        home = _HOMES[first] + dot + rest
        return importlib.util.find_spec(home).loader.get_code(home)

    def exec_module(self, module):
        # The module under the borrowed name is Corten's own, not a second copy of it. So are the parts that it has loaded:
        # loading one again would put it in the place of a function of the same name (autograd.gradcheck).
        name, home = module.__spec__.name, module.__spec__.loader_state
        sys.modules[name] = importlib.import_module(home)
        for part in [known for known in sys.modules if known.startswith(home + ".")]:
            sys.modules.setdefault(name + part[len(home):], sys.modules[part])


# ---- children ----

class _Installed:
    """Unpickled before anything else of a child process, it installs Corten there too."""

    def __reduce__(self):
        return install_as_torch, ()


def _tell_children(spawn):
    """Children that multiprocessing starts with `spawn` or from a server begin with a Python that knows no torch."""
    prepare = spawn.get_preparation_data

    def get_preparation_data(name):
        data = prepare(name)
        if name == "ignore":  # of the server itself, which gets no pickles: it need not import the script beforehand
            data.pop("init_main_from_path", None)
        return {"torch": _Installed(), **data}
    spawn.get_preparation_data = get_preparation_data


def _with_children(spec):
    """The spec of multiprocessing.spawn, whose module tells children when it is loaded."""
    run = spec.loader.exec_module

    def exec_module(module):
        run(module)
        _tell_children(module)
    spec.loader.exec_module = exec_module
    return spec


def install_as_torch():
    """From now on `import torch` means Corten, and what PyTorch refuses is refused with its errors."""
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
    """An empty `__main__` in place of this package's."""
    module = type(sys)("__main__")
    module.__dict__.update(__builtins__=sys.modules["builtins"], __loader__=loader)
    if "__annotations__" in vars(sys.modules["__main__"]):  # depends on the version of Python
        module.__annotations__ = {}
    if path is not None:
        module.__dict__.update(__file__=path, __cached__=None)
    sys.modules["__main__"] = module
    return module


def _run_file(path, argv):
    sys.argv[:] = [path, *argv]
    path = os.path.abspath(path)  # as Python does, so that __file__ stays right when the script changes the folder
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
    """Python put the working folder there for `-m corten`; a script's own folder belongs there."""
    if not sys.flags.safe_path:
        sys.path[0:1] = [path]


def _without_us(trace):
    """The traceback from the first frame that is not of this file, or of what `-m` itself is made of."""
    while trace is not None and trace.tb_frame.f_code.co_filename in (__file__, "<frozen runpy>"):
        trace = trace.tb_next
    return trace


def _report(error):
    trace = _without_us(error.__traceback__)
    sys.excepthook(type(error), error.with_traceback(trace), trace)


def main():
    """Runs what the command line names; does not return on failure."""
    runners = {"-m": _run_module, "-c": _run_code}
    args = sys.argv[1:]
    if args and args[0] in ("info", "demo", "bench", "explain", "warm-cache"):  # a script of such a name is ./demo
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
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # so that the parent sees what ended us
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException as error:
        _report(error)
        raise SystemExit(1) from None

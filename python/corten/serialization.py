# SPDX-License-Identifier: BSD-3-Clause
"""torch.save and torch.load, in PyTorch's file formats.

A file is a zip archive with a pickle and, next to it, the bytes of each storage. Before PyTorch 1.6 it was a sequence of pickles
followed by the bytes. The C library reads and writes both; Python's own pickle is used only with weights_only=False.
"""
import contextlib
import enum
import functools
import io
import mmap as _mmap
import os
import pickle
import re
import sys
import threading
import typing
import warnings

from . import _C, _safe_pickle
from ._safe_pickle import StorageType

__all__ = [
    "SourceChangeWarning", "LoadEndianness", "add_safe_globals", "check_module_version_greater_or_equal", "clear_safe_globals",
    "default_restore_location", "get_crc32_options", "get_default_load_endianness", "get_default_mmap_options",
    "get_safe_globals", "get_unsafe_globals_in_checkpoint", "load", "location_tag", "mkdtemp", "normalize_storage_type",
    "register_package", "safe_globals", "save", "set_crc32_options", "set_default_load_endianness", "set_default_mmap_options",
    "skip_data", "storage_to_tensor_type", "validate_cuda_device",
]
MAP_LOCATION = typing.Union[typing.Callable[[_C.StorageBase, str], _C.StorageBase], _C.device, str, typing.Dict[str, str], None]
FILE_LIKE = typing.Union[str, os.PathLike, typing.IO[bytes]]
DEFAULT_PROTOCOL = 2
MAGIC_NUMBER = 0x1950A86A20F9469CFC6C
PROTOCOL_VERSION = 1001
_UNSAFE = (
    "In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to `True`. "
    "Re-running `torch.load` with `weights_only` set to `False` will likely succeed, but it can result in arbitrary code "
    "execution. Do it only if you got the file from a trusted source.")
_DOCS = ("\n\nCheck the documentation of torch.load to learn more about types accepted by default with weights_only "
         "https://pytorch.org/docs/stable/generated/torch.load.html.")


class SourceChangeWarning(Warning):
    """Warns that the source code of a class has changed since it was saved."""


class LoadEndianness(enum.Enum):
    """The byte order assumed for files that do not state theirs."""
    NATIVE = 1
    LITTLE = 2
    BIG = 3


class _Local(threading.local):
    skip_data = False
    materialize_fake_tensors = False


_local = _Local()
_options = {"endianness": None, "crc32": True, "mmap": _mmap.MAP_PRIVATE}


# ---- settings ----

def get_default_load_endianness():
    """Return the byte order assumed for files that do not state theirs: a LoadEndianness, or None for little-endian."""
    return _options["endianness"]


def set_default_load_endianness(endianness):
    """Set the byte order assumed for files that do not state theirs; torch.save has recorded it since PyTorch 2.1.

    Args:
        endianness: a LoadEndianness, or None for little-endian.
    """
    if not isinstance(endianness, LoadEndianness) and endianness is not None:
        raise TypeError("Invalid argument type in function set_default_load_endianness")
    _options["endianness"] = endianness


def get_crc32_options():
    """Return whether save() computes checksums."""
    return _options["crc32"]


def set_crc32_options(compute_crc32):
    """Set whether save() computes CRC32 checksums of the data. Without them saving is faster, but zip tools may report errors.

    Args:
        compute_crc32: True or False. Initially True.
    """
    _options["crc32"] = bool(compute_crc32)


def get_default_mmap_options():
    """Return how load(mmap=True) maps files: mmap.MAP_PRIVATE or mmap.MAP_SHARED."""
    return _options["mmap"]


class set_default_mmap_options:
    """Set how load(mmap=True) maps files; as a context manager, until the end of the block.

    Args:
        flags: mmap.MAP_PRIVATE, the initial setting, or mmap.MAP_SHARED. With the latter, writing to a loaded tensor
            writes to the file.
    """

    def __init__(self, flags):
        if flags not in (_mmap.MAP_PRIVATE, _mmap.MAP_SHARED):
            raise ValueError("Invalid argument in function set_default_mmap_options, expected mmap.MAP_PRIVATE or "
                             f"mmap.MAP_SHARED, but got {flags}")
        self.prev, _options["mmap"] = _options["mmap"], flags

    def __enter__(self):
        return None

    def __exit__(self, *error):
        _options["mmap"] = self.prev


class skip_data:
    """A context in which save() and load() handle everything except the bytes of tensors.

    save() reserves space for them in the file, and load() returns tensors that are not filled. The bytes can be copied
    separately.

    Args:
        materialize_fake_tensors: stored, without effect. Default: False
    """

    def __init__(self, materialize_fake_tensors=False):
        self.materialize_fake_tensors = materialize_fake_tensors

    def __enter__(self):
        self._old = _local.skip_data, _local.materialize_fake_tensors
        _local.skip_data, _local.materialize_fake_tensors = True, self.materialize_fake_tensors

    def __exit__(self, *error):
        _local.skip_data, _local.materialize_fake_tensors = self._old


@contextlib.contextmanager
def mkdtemp():
    """A context that creates a temporary folder, yields its path and deletes it at the end."""
    import tempfile
    with tempfile.TemporaryDirectory() as path:
        yield path


def check_module_version_greater_or_equal(module, req_version_tuple, error_if_malformed=True):
    """Return whether a module's __version__ is at least the required one.

    Args:
        module: the module.
        req_version_tuple: the required version, such as (1, 2, 3).
        error_if_malformed: True raises RuntimeError if the version cannot be compared; False warns and returns True.
            Default: True
    """
    try:
        found = tuple(type(want)(part) for want, part in zip(req_version_tuple, module.__version__.split(".")))
        return found >= tuple(req_version_tuple)
    except Exception as error:
        text = f"'{module.__name__}' module version string is malformed '{module.__version__}' and cannot be compared with " \
               f"tuple {req_version_tuple}"
        if error_if_malformed:
            raise RuntimeError(text) from error
        warnings.warn(text + ", but continuing assuming that requirement is met", stacklevel=2)
        return True


# ---- safe globals ----

def add_safe_globals(safe_globals):
    """Allow classes and functions in files loaded with weights_only=True.

    Allow only what is harmless to call: a file can call it with any arguments.

    Args:
        safe_globals: a list of classes or functions, or of (object, "module.name") pairs for other names in the file.
    """
    _safe_pickle.user_globals |= set(safe_globals)


def get_safe_globals():
    """Return the list of classes and functions that add_safe_globals() has allowed."""
    return list(_safe_pickle.user_globals)


def clear_safe_globals():
    """Forget all classes and functions that add_safe_globals() has allowed."""
    _safe_pickle.user_globals.clear()


class safe_globals:
    """A context in which classes and functions are allowed in files loaded with weights_only=True; see add_safe_globals.

    Args:
        safe_globals: the list of classes and functions.
    """

    def __init__(self, safe_globals):
        self.safe_globals = safe_globals

    def __enter__(self):
        add_safe_globals(self.safe_globals)

    def __exit__(self, *error):
        _safe_pickle.user_globals -= set(self.safe_globals)


def get_unsafe_globals_in_checkpoint(f):
    """Return the names in a file that load(weights_only=True) would refuse, without executing anything.

    Args:
        f: a path, or a file open for reading.
    """
    data, path = _open(f)
    if data[:4] != b"PK\3\4":
        raise ValueError("Expected input to be a checkpoint returned by torch.save")
    archive = _C._Archive(path or data)
    if archive.has("constants.pkl"):
        raise ValueError("Expected input to be a checkpoint returned by torch.save but got a torchscript checkpoint")
    known = {*_safe_pickle.allowed(), *_safe_pickle.user_allowed(), "torch.nn.parameter.Parameter"}
    found = {".".join(_safe_pickle.modern(*name.split("\n", 1))) for name in _C._pickle_globals(archive.read("data.pkl"))}
    return list(found - known)


# ---- where storages go ----

_package_registry = []


def register_package(priority, tagger, deserializer):
    """Register how storages on some kind of device are tagged in files, and restored.

    Args:
        priority: the order in which registered functions are tried; low numbers first.
        tagger: a function from a storage to a tag such as "cuda:0", or None if it is not responsible.
        deserializer: a function (storage on the CPU, tag) that returns the storage on the device, or None.
    """
    _package_registry.append((priority, tagger, deserializer))
    _package_registry.sort(key=lambda entry: entry[0])


def location_tag(storage):
    """Return the tag that a file records for the device of a storage, such as "cpu" or "cuda:0".

    Args:
        storage: the storage.
    """
    for _, tagger, _ in _package_registry:
        location = tagger(storage)
        if location:
            return location
    from ._text import typename
    raise RuntimeError("don't know how to determine data location of " + typename(storage))


def default_restore_location(storage, location):
    """Return a storage moved to the device that a tag names.

    Args:
        storage: a storage on the CPU.
        location: the tag, such as "cuda:0".
    """
    for _, _, restore in _package_registry:
        result = restore(storage, location)
        if result is not None:
            return result
    from ._text import typename
    raise RuntimeError(f"don't know how to restore data location of {typename(storage)} (tagged with {location})")


def _validate_device(location, kind):
    import corten
    module, device = getattr(corten, kind), _C.device(location)
    index = device.index or 0
    if not module.is_available():
        raise RuntimeError(
            f"Attempting to deserialize object on a {kind.upper()} device but torch.{kind}.is_available() is False. If you are "
            "running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your storages "
            "to the CPU.")
    count = module.device_count()
    if index >= count:
        raise RuntimeError(
            f"Attempting to deserialize object on {kind.upper()} device {index} but torch.{kind}.device_count() is {count}. "
            "Please use torch.load with map_location to map your storages to an existing device.")
    return _C.device(kind, index)


def validate_cuda_device(location):
    """Return the index of the GPU that a tag names; raise RuntimeError if it is not present.

    Args:
        location: the tag, such as "cuda:0".
    """
    return _validate_device(location, "cuda").index


def _restore_cuda(storage, location):
    if re.match(r"cuda(:|$|[0-9])", location):
        return storage.to(device=_validate_device(location, "cuda"))


def _restore_meta(storage, location):
    if location == "meta":
        from .storage import UntypedStorage
        return UntypedStorage(storage.nbytes(), device="meta")


register_package(10, lambda s: "cpu" if s.device.type == "cpu" else None,
                 lambda s, location: s if location.startswith("cpu") else None)
register_package(20, lambda s: f"cuda:{s.device.index or 0}" if s.device.type == "cuda" else None, _restore_cuda)
register_package(22, lambda s: "meta" if s.device.type == "meta" else None, _restore_meta)


def normalize_storage_type(storage_type):
    """Return the public class of a storage type, such as torch.FloatStorage.

    Args:
        storage_type: the class.
    """
    import corten
    return getattr(corten, storage_type.__name__)


def storage_to_tensor_type(storage):
    """Return the tensor type of a storage, such as torch.FloatTensor for a FloatStorage.

    Args:
        storage: the storage.
    """
    import corten
    return getattr(corten, storage.pickle_storage_type().replace("Storage", "Tensor"))


def _get_layout(name):
    return {str(value): value for value in vars(_C).values() if isinstance(value, _C.layout)}[name]


def _restorer(map_location):
    if map_location is None:
        return default_restore_location
    if isinstance(map_location, dict):
        return lambda storage, location: default_restore_location(storage, map_location.get(location, location))
    if isinstance(map_location, (str, bytes, _C.device)):
        target = map_location.decode() if isinstance(map_location, bytes) else str(map_location)
        return lambda storage, location: default_restore_location(storage, target)

    def restore(storage, location):
        result = map_location(storage, location)
        return default_restore_location(storage, location) if result is None else result
    return restore


# ---- saving ----

def _global_name(obj, given):
    r"""Return the name "module\nname" that a file stores for a class or function, after checking that it can be imported."""
    name = given or getattr(obj, "__qualname__", None) or obj.__name__
    module = getattr(obj, "__module__", None)
    if module is None:
        module = next((key for key, m in list(sys.modules.items()) if key != "__main__" and getattr(m, name, None) is obj),
                      "__main__")
    if "<locals>" in name:
        raise AttributeError(f"Can't pickle local object '{name}'" if sys.version_info < (3, 12)
                             else f"Can't get local object '{name}'")
    here = _home(module)
    try:
        __import__(here)
        found = sys.modules[here]
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, KeyError, AttributeError):
        raise pickle.PicklingError(f"Can't pickle {obj!r}: attribute lookup {name} on {module} failed") from None
    if found is not obj:
        raise pickle.PicklingError(f"Can't pickle {obj!r}: it's not the same object as {module}.{name}")
    if here == "corten" or here.startswith("corten."):
        module = "torchvision" + here[13:] if here.startswith("corten.vision") else "torch" + here[6:]
    import _compat_pickle
    if (module, name) in _compat_pickle.REVERSE_NAME_MAPPING:
        module, name = _compat_pickle.REVERSE_NAME_MAPPING[module, name]
    else:
        module = _compat_pickle.REVERSE_IMPORT_MAPPING.get(module, module)
    return f"{module}\n{name}"


def _home(module):
    """Return the name in this package of one of PyTorch's modules; an installed torchvision keeps its own."""
    first = module.partition(".")[0]
    if first == "torchvision" and getattr(sys.modules.get(first), "__name__", None) == first:
        return module
    for theirs, ours in (("torchvision", "corten.vision"), ("torch", "corten")):
        if module == theirs or module.startswith(theirs + "."):
            return ours + module[len(theirs):]
    return module


def _parameter_class():
    """Return nn.Parameter, or None if nn.parameter was never imported: then no object can be one."""
    module = sys.modules.get("corten.nn.parameter")
    return getattr(module, "Parameter", None)


def _is_path(f):
    return isinstance(f, (str, os.PathLike))


def save(obj, f, pickle_module=pickle, pickle_protocol=DEFAULT_PROTOCOL, _use_new_zipfile_serialization=True,
         _disable_byteorder_record=False):
    """Save an object, with the tensors in it, to a file that load() and PyTorch can read.

    For a model save model.state_dict(), not the model: names and tensors survive changes of the code. A file at a path is
    replaced atomically: it appears complete or not at all. Tensors that share memory share it again after loading, so
    saving a small view saves the whole storage; clone() the view to avoid that.

    Args:
        obj: the object: tensors in dicts, lists and other picklable objects.
        f: a path, or an object with a method write. The folder must exist.
        pickle_module: the module whose Pickler writes everything but tensors. With dill or cloudpickle, objects may
            contain lambdas and local classes. Default: pickle
        pickle_protocol: the pickle protocol. Default: 2
        _use_new_zipfile_serialization: False writes the format from before PyTorch 1.6. Default: True

        >>> import io
        >>> buffer = io.BytesIO()
        >>> corten.save({"weight": corten.ones(2)}, buffer)
        >>> corten.load(io.BytesIO(buffer.getvalue()))
        {'weight': tensor([1., 1.])}
    """
    if not _is_path(f) and not hasattr(f, "write"):
        raise AttributeError("expected 'f' to be string, path, or a file-like object with a 'write' attribute")
    if not _use_new_zipfile_serialization and _local.skip_data:
        raise RuntimeError("Cannot use skip_data=True with _use_new_zipfile_serialization=False")
    from .utils.serialization import config
    prefix, target = "archive", f
    if _is_path(f):
        target = os.fspath(f)
        if not os.path.isdir(os.path.dirname(target) or "."):
            if _use_new_zipfile_serialization:
                raise RuntimeError(f"Parent directory {os.path.dirname(target)} does not exist.")
            open(target, "wb")  # raises
        prefix = os.path.basename(target).rpartition(".")[0] or os.path.basename(target)
    else:
        target = f.write
    options = (prefix, pickle_protocol, not _use_new_zipfile_serialization, config.save.compute_crc32 and _options["crc32"],
               config.save.storage_alignment)
    if pickle_module is pickle:
        _C._save(obj, target, _global_name, _parameter_class(), *options)
    else:
        from ._pickle_module import pickled
        data, storages = pickled(pickle_module, obj, pickle_protocol, not _use_new_zipfile_serialization)
        _C._save_pickled(data, storages, target, *options)
    if hasattr(f, "flush"):
        f.flush()


# ---- loading ----

def _open(f):
    """Return the contents of a file; for an archive that can be mapped, its first bytes and its path."""
    if _is_path(f):
        path = os.fspath(f)
        with open(path, "rb") as file:
            head = file.read(4)
            if head == b"PK\3\4":
                return head, path
            return head + file.read(), None
    for method in ("read", "seek", "tell"):
        if not hasattr(f, method):
            raise AttributeError(
                f"'{type(f).__name__}' object has no attribute '{method}'. You can only torch.load from a file that is seekable. "
                "Please pre-load the data into a buffer like io.BytesIO and try to load from it instead.")
    try:
        f.seek(f.tell())
    except (io.UnsupportedOperation, AttributeError) as error:
        raise type(error)(f"{error}. You can only torch.load from a file that is seekable. Please pre-load the data into a "
                          "buffer like io.BytesIO and try to load from it instead.") from None
    data = f.read()
    if isinstance(data, str):
        raise TypeError("a bytes-like object is required, not 'str'")
    return data, None


def _explain(message):
    """Return PyTorch's full message for an object that weights_only=True has refused."""
    if re.search(r"was not an allowed global by default", message):
        return ("Weights only load failed. This file can still be loaded, to do so you have two options, "
                "\033[1mdo those steps only if you trust the source of the checkpoint\033[0m. "
                f"\n\t(1) {_UNSAFE}\n\t(2) Alternatively, to load with `weights_only=True` please check the recommended steps "
                f"in the following error message.\n\tWeightsUnpickler error: {message}{_DOCS}")
    text = f"Weights only load failed. {_UNSAFE}\n"
    if not re.search(r"whose module (\S+) is blocked", message):
        text += ("Please file an issue with the following so that we can make `weights_only=True` compatible with your use "
                 "case: WeightsUnpickler error: ")
    return f"{text}\n\n{message}{_DOCS}"


def _weights_only(value, pickle_module):
    """Return whether names in the file are restricted, from the argument and the environment."""
    truths = ("1", "y", "yes", "true")
    force = os.getenv("TORCH_FORCE_WEIGHTS_ONLY_LOAD", "0").lower() in truths
    never = os.getenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "0").lower() in truths
    if force and never:
        raise RuntimeError("Only one of `TORCH_FORCE_WEIGHTS_ONLY_LOAD` or `TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD` should be set, "
                           "but both were set.")
    if force:
        return True
    if value is None and never:
        warnings.warn("Environment variable TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD detected, since the`weights_only` argument was not "
                      "explicitly passed to `torch.load`, forcing weights_only=False.", UserWarning, stacklevel=3)
        return False
    return pickle_module is None if value is None else bool(value)


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **pickle_load_args):
    """Load an object that save(), or PyTorch, has saved.

    Files whose path ends in .safetensors, and NumPy's .npy and .npz, are recognized too.

    Args:
        f: a path, or a seekable file open for binary reading.
        map_location: where to put tensors: a device or its name for all of them; a dict from device names in the file to
            names to use; or a function (storage, name) that returns the storage to use, or None for the default. Default:
            None, for the devices that they were saved from
        pickle_module: the module whose Unpickler reads the file; only with weights_only=False. Default: None
        weights_only: True builds only tensors, Python's containers and classes allowed by add_safe_globals(), so no code
            from the file can run. False runs whatever the file says: use it only for files you trust. Default: None, for
            True unless pickle_module or the environment variable TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD says otherwise
        mmap: True maps the file, so tensors are read from disk when they are used; f must be a path. Default: None, for
            utils.serialization.config.load.mmap, which is False
        pickle_load_args: passed to the Unpickler, such as encoding="latin1" for files from Python 2.

    Raises pickle.UnpicklingError for objects that weights_only=True does not allow.

        >>> import io
        >>> buffer = io.BytesIO()
        >>> corten.save([corten.arange(3), {"epoch": 5}], buffer)
        >>> buffer.seek(0)
        0
        >>> corten.load(buffer, map_location="cpu")
        [tensor([0, 1, 2]), {'epoch': 5}]
    """
    weights_only = _weights_only(weights_only, pickle_module)
    if weights_only and pickle_module is not None:
        raise RuntimeError("Can not safely load weights when explicit pickle_module is specified")
    if pickle_load_args and weights_only:
        warnings.warn("pickle_load_args only works if `weights_only=False`.", stacklevel=2)
        for name in pickle_load_args:
            if name != "encoding":
                raise TypeError(f"Unpickler.__init__() got an unexpected keyword argument '{name}'")
    from .utils.serialization import config
    mmap = config.load.mmap if mmap is None else mmap
    pickle_load_args.setdefault("encoding", "utf-8")
    if _is_path(f) and os.fspath(f).endswith(".safetensors"):
        from . import safetensors
        if isinstance(map_location, dict) or (callable(map_location) and not isinstance(map_location, _C.device)):
            kind = "dict" if isinstance(map_location, dict) else "callable"
            raise RuntimeError(f"Loading safetensors file with {kind} map_location is not supported. Use a device string or "
                               "torch.device instead.")
        return safetensors.load_file(f, device="cpu" if map_location is None else map_location)
    data, path = _open(f)
    reader = _Reader(data, map_location, None if weights_only else pickle_module or pickle, pickle_load_args)
    try:
        if data[:4] == b"PK\3\4":
            if mmap and path is None:
                raise ValueError("f must be a file path in order to use the mmap argument")
            shared = bool(mmap) and _options["mmap"] == _mmap.MAP_SHARED
            return reader.archive(_C._Archive(path or data, shared), bool(mmap))
        if data[:6] == b"\x93NUMPY":
            return _C._read_npy(data)
        if mmap:
            name = f"{f}, " if isinstance(f, str) else ""
            raise RuntimeError(
                f"mmap can only be used with files saved with `torch.save({name}_use_new_zipfile_serialization=True), please "
                "torch.save your checkpoint with this option in order to use mmap.")
        result = reader.legacy()
        if path is None and not _is_path(f):
            f.seek(f.tell() - len(data) + reader.used)  # another object may follow in the file
        return result
    except pickle.UnpicklingError as error:
        if not weights_only:
            raise
        raise pickle.UnpicklingError(_explain(str(error))) from None


@functools.lru_cache(maxsize=1)
def _untyped_storage():
    from .storage import UntypedStorage
    return UntypedStorage


def _text(x):
    """Return a str; with encoding="bytes", files of Python 2 have bytes where the format has names."""
    return x.decode("ascii") if isinstance(x, bytes) else x


class _Reader:
    """One file being read."""

    def __init__(self, data, map_location, pickle_module, args):
        self.data, self.pickle_module, self.args = data, pickle_module, args
        self.restore, self.map_location = _restorer(map_location), map_location
        self.storages, self.used = {}, 0

    # -- pickles --

    def unpickle(self, data, load):
        """Return the object of the pickle at the start of data, and the pickle's length."""
        if self.pickle_module is None:
            obj, used, protocol = _C._unpickle(data, _safe_pickle.find, load, _safe_pickle.build, self.args["encoding"])
            if protocol != 2:
                warnings.warn(
                    f"Detected pickle protocol {protocol} in the checkpoint, which was not the default pickle protocol used by "
                    "`torch.load` (2). The weights_only Unpickler might not support all instructions implemented by this "
                    "protocol, please file an issue for adding support if you encounter this.", stacklevel=4)
            return obj, used

        class Unpickler(self.pickle_module.Unpickler):
            def find_class(self, module, name):
                if isinstance(name, str) and name.endswith("Storage") and module == "torch":
                    try:
                        return StorageType(name)
                    except KeyError:
                        pass
                return super().find_class(_home(module), name)

            def persistent_load(self, saved_id):
                return load(saved_id)
        file = io.BytesIO(data)
        return Unpickler(file, **self.args).load(), file.tell()

    # -- storages --

    def to_location(self, storage, location):
        """Return a storage on the device where it belongs."""
        if self.map_location is None and location == "cpu":
            return storage
        return self.restore(storage, location)

    @staticmethod
    def parts(saved_id):
        """Return (dtype, key, location, size in bytes) from the id of a storage."""
        if not isinstance(saved_id, tuple) or len(saved_id) < 5:
            raise pickle.UnpicklingError(f"persistent_load id must be tuple or int, but got {type(saved_id)}")
        word, kind, key, location, numel = saved_id[:5]
        word, key, location = map(_text, (word, key, location))
        if word != "storage":
            raise pickle.UnpicklingError(f"Only persistent_load of storage is allowed, but got {type(word)}")
        dtype = kind.dtype if type(kind) is StorageType else _C.uint8 if kind is _untyped_storage() else getattr(kind, "dtype", None)
        if not isinstance(dtype, _C.dtype) or not isinstance(numel, int) or numel < 0 or not isinstance(location, str):
            raise pickle.UnpicklingError("invalid storage id")
        return dtype, str(key), location, numel * dtype.itemsize

    # -- archives --

    def archive(self, archive, mmap):
        """Read a zip archive."""
        if archive.has("constants.pkl"):
            raise RuntimeError("Cannot use ``weights_only=True`` with TorchScript archives passed to ``torch.load``. " + _UNSAFE)
        if not archive.has("data.pkl") and archive.names() and archive.names()[0].endswith(".npy"):
            return {name.removesuffix(".npy"): _C._read_npy(_C._Archive.read(archive, name)) for name in archive.names()}
        order = archive.read("byteorder") if archive.has("byteorder") else b"little"
        if order not in (b"little", b"big"):
            raise ValueError("Unknown endianness type: " + order.decode("ascii", "replace"))
        if not archive.has("byteorder") and _options["endianness"] is LoadEndianness.BIG:
            order = b"big"
        from .storage import TypedStorage, UntypedStorage, typed
        meta, swapped = str(self.map_location) == "meta", order != sys.byteorder.encode()

        def load(saved_id):
            dtype, key, location, nbytes = self.parts(saved_id)
            known = self.storages.get(key)
            if known is not None and known.nbytes() == nbytes:
                return known if known.dtype == dtype else TypedStorage(wrap_storage=known._untyped_storage, dtype=dtype,
                                                                       _internal=True)
            if meta:
                storage = UntypedStorage(nbytes, device="meta")
            elif _local.skip_data:
                storage = UntypedStorage(nbytes)
            else:
                storage = archive.storage(f"data/{key}", nbytes, mmap)
                if swapped:
                    storage.byteswap(dtype)
                storage = self.to_location(storage, location)
            if isinstance(storage, TypedStorage):
                storage = storage._untyped_storage
            self.storages[key] = made = typed(storage, dtype)
            return made
        return self.unpickle(archive.read("data.pkl"), load)[0]

    # -- the old format --

    def legacy(self):
        """Read the old format: pickles followed by the bytes of storages."""
        from .storage import TypedStorage, UntypedStorage
        if not self.data:
            raise EOFError("Ran out of input")
        parts, at = [], 0
        view = memoryview(self.data)

        def load(saved_id):
            dtype, key, location, nbytes = self.parts(saved_id)
            if key not in self.storages:
                if nbytes > len(view):
                    raise pickle.UnpicklingError("a storage extends beyond the end of the file")
                storage = self.to_location(UntypedStorage(nbytes), location)
                if isinstance(storage, TypedStorage):
                    storage = storage._untyped_storage
                self.storages[key] = TypedStorage(wrap_storage=storage, dtype=dtype, _internal=True)
            whole = self.storages[key]
            if len(saved_id) > 5 and saved_id[5] is not None:  # a view of a storage, in files of 2017
                _, offset, size = saved_id[5]
                start, step = offset * dtype.itemsize, size * dtype.itemsize
                return TypedStorage(wrap_storage=whole._untyped_storage[start:start + step], dtype=dtype, _internal=True)
            return whole
        for i in range(5):
            obj, used = self.unpickle(view[at:], load)
            at += used
            parts.append(obj)
            if i == 0 and obj != MAGIC_NUMBER:
                raise RuntimeError("Invalid magic number; corrupt file?")
            if i == 1 and obj != PROTOCOL_VERSION:
                raise RuntimeError(f"Invalid protocol version: {obj}")
        for key in map(_text, parts[4]):
            if key not in self.storages:
                raise RuntimeError(f"storage {key} of the file is not used")
            at = self.fill(self.storages[key], view, at)
        self.used = at
        return parts[3]

    def fill(self, storage, view, at):
        """Copy the bytes of a storage from the file; return the offset behind them."""
        head = view[at:at + 8]
        nbytes = storage.nbytes()
        if len(head) < 8 or int.from_bytes(head, "little") * storage.dtype.itemsize != nbytes or at + 8 + nbytes > len(view):
            raise RuntimeError("unexpected EOF. The file might be corrupted.")
        data = _C.frombuffer(bytearray(view[at + 8:at + 8 + nbytes]), dtype=_C.uint8) if nbytes else _C.empty(0, dtype=_C.uint8)
        storage._untyped_storage.copy_(data.untyped_storage())
        return at + 8 + nbytes

# SPDX-License-Identifier: BSD-3-Clause
"""Storages: the memory that tensors are views of.

`UntypedStorage` is raw bytes. `TypedStorage`, deprecated in PyTorch, reads them as elements of one dtype; `FloatStorage`,
`LongStorage` and so on are its legacy names. `_C.StorageBase` owns the memory; this module adds convenience methods.
"""
import warnings

from . import _C

__all__ = ["TypedStorage", "UntypedStorage"]
_TYPES = {
    "Double": _C.float64, "Float": _C.float32, "Half": _C.float16, "BFloat16": _C.bfloat16, "Long": _C.int64,
    "Int": _C.int32, "Short": _C.int16, "Char": _C.int8, "Byte": _C.uint8, "Bool": _C.bool,
    "ComplexDouble": _C.complex128, "ComplexFloat": _C.complex64,
}
# Conversions of all elements: storage.float() and so on.
_CASTS = {
    "double": _C.float64, "float": _C.float32, "half": _C.float16, "bfloat16": _C.bfloat16, "long": _C.int64,
    "int": _C.int32, "short": _C.int16, "char": _C.int8, "byte": _C.uint8, "bool": _C.bool,
    "complex_double": _C.complex128, "complex_float": _C.complex64,
}
_warned = False


def _warn(stacklevel):
    from ._settings import is_warn_always_enabled
    global _warned
    if _warned and not is_warn_always_enabled():
        return
    _warned = True
    warnings.warn(
        "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage "
        "class. This should only matter to you if you are using storages directly.  To access UntypedStorage "
        "directly, use tensor.untyped_storage() instead of tensor.storage()", UserWarning, stacklevel=stacklevel + 1)


def _of_tensor(tensor):
    """Implements tensor.storage()."""
    _warn(2)
    return _typed(tensor.untyped_storage(), tensor.dtype)


def _typed(untyped, dtype):
    storage = object.__new__(TypedStorage)
    storage._untyped_storage, storage.dtype = untyped, dtype
    return storage


class _Common:
    """Methods that untyped and typed storages share; subclasses define the elements."""

    def tolist(self):
        """Returns the elements as a list."""
        return self._all().tolist()

    def __iter__(self):
        return iter(self.tolist())

    def __contains__(self, value):
        return value in self.tolist()

    def clone(self):
        """Returns a copy."""
        return type(self)(len(self), **self._how()).copy_(self)

    def __copy__(self):
        return self.clone()

    def cpu(self):
        """Returns the storage in CPU memory; itself if it is there already."""
        return self.to(device="cpu")

    def cuda(self, device=None, non_blocking=False):
        """Returns the storage on a GPU, by default the current one."""
        return self.to(device="cuda" if device is None else device, non_blocking=non_blocking)

    def to(self, *, device, non_blocking=False):
        """Returns the storage on a device."""
        if _C.device(device) == self.device:
            return self
        moved = self._all().to(device, non_blocking=non_blocking).untyped_storage()
        return moved if isinstance(self, UntypedStorage) else _typed(moved, self.dtype)

    def get_device(self):
        """Returns the index of the GPU, None on the CPU."""
        return self.device.index

    def is_shared(self):
        """Returns whether the memory is shared with forked processes."""
        return self._all().is_shared()

    def share_memory_(self):
        """Moves the contents to shared memory, which processes forked later share."""
        self._all().share_memory_()
        return self

    def is_pinned(self, device="cuda"):
        """Returns whether the memory is pinned, so that GPUs can access it directly."""
        return self._all().is_pinned()

    is_cuda = property(lambda self: self.device.type == "cuda")
    is_sparse = is_hpu = False
    filename = None


def _cast(name, dtype):
    def cast(self):
        return _typed(self._all().to(dtype, copy=True).untyped_storage(), dtype)
    cast.__name__ = name
    cast.__doc__ = f"The elements as {name}."
    return cast


for _name, _dtype in _CASTS.items():
    setattr(_Common, _name, _cast(_name, _dtype))


class UntypedStorage(_C.StorageBase, _Common):
    """The raw bytes that tensors are views of."""

    def _all(self):
        return self._elements(_C.uint8)

    def _how(self):
        return {"device": self.device}

    def untyped(self):
        """Returns itself."""
        return self

    def new(self):
        """Returns an empty storage on the same device."""
        return UntypedStorage(device=self.device)

    def type(self, dtype=None, non_blocking=False):
        """Returns the name of the class. With a class or its name, checks that it is this class and returns the storage."""
        if dtype is None or dtype in (UntypedStorage, "torch.storage.UntypedStorage", "torch.UntypedStorage"):
            return "torch.storage.UntypedStorage" if dtype is None else self
        raise RuntimeError(f"UntypedStorage has no elements to convert to {dtype}: use TypedStorage")

    def byteswap(self, dtype):
        """Reverses the byte order of every element of type `dtype`, in place."""
        size = dtype.itemsize // (2 if dtype.is_complex else 1)
        data = bytes(self)
        for i in range(size):
            memoryview(self)[i::size] = data[size - 1 - i::size]

    @staticmethod
    def from_buffer(buffer, byte_order="native", count=-1, offset=0, *, dtype=_C.uint8):
        """Returns a copy of the bytes of a buffer."""
        size = dtype.itemsize
        data = bytes(memoryview(buffer).cast("B")[offset:])
        storage = UntypedStorage(len(data) // size * size if count < 0 else count * size)
        memoryview(storage)[:] = data[:len(storage)]
        if byte_order == "big":
            storage.byteswap(dtype)
        return storage

    @staticmethod
    def from_file(filename, shared=False, nbytes=0):
        """Maps a file into memory. shared: writes go to the file. nbytes: 0 maps the whole file."""
        if nbytes <= 0:
            import os
            nbytes = os.path.getsize(filename)
        return _C.from_file(filename, shared, nbytes, dtype=_C.uint8).untyped_storage()

    __hash__ = object.__hash__

    def __eq__(self, other):
        if isinstance(other, UntypedStorage):
            return self is other
        return NotImplemented


_FORMS = """ received an invalid combination of arguments. Expected one of:
 * (*, torch.device device, torch.dtype dtype)
 * (int size, *, torch.device device, torch.dtype dtype)
 * (Sequence data, *, torch.device device, torch.dtype dtype)
 * (*, UntypedStorage wrap_storage, torch.dtype dtype)
"""
_OLD_FORMS = """ received an invalid combination of arguments. Expected one of:
 * no arguments
 * (int size)
 * (Sequence data)
 * (*, UntypedStorage wrap_storage)
"""


def _make(owner, forms, args, wrap_storage, dtype, device):
    """Allocates or adopts the memory for a typed storage."""
    if wrap_storage is not None:
        if len(args) != 0:
            raise RuntimeError(owner + forms + "No positional arguments should be given when using 'wrap_storage'")
        if not isinstance(wrap_storage, UntypedStorage):
            raise TypeError(owner + forms + "Argument 'wrap_storage' must be UntypedStorage, but got "
                            + str(type(wrap_storage)))
        return wrap_storage
    if len(args) > 1:
        raise RuntimeError(owner + forms + "Too many positional arguments")
    if not args:
        return UntypedStorage(device=device)
    if isinstance(args[0], int) and not isinstance(args[0], bool):
        return UntypedStorage(args[0] * dtype.itemsize, device=device)
    if not hasattr(args[0], "__len__") or isinstance(args[0], (TypedStorage, UntypedStorage)):
        raise TypeError(owner + forms + f"Argument type not recognized: {type(args[0])}")
    return _C.tensor(args[0], dtype=dtype, device=device).untyped_storage()


def typed(storage, dtype):
    """Returns a TypedStorage over an untyped one, without a deprecation warning."""
    made = TypedStorage.__new__(TypedStorage)
    made.dtype, made._untyped_storage = dtype, storage
    return made


class TypedStorage(_Common):
    """A storage read as elements of one dtype."""

    def __init__(self, *args, wrap_storage=None, dtype=None, device=None, _internal=False):
        owner = "TypedStorage.__init__"
        if dtype is None:
            if wrap_storage is not None:
                raise RuntimeError(owner + _FORMS + "Argument 'dtype' must be specified")
            dtype = _C.get_default_dtype()
        self.dtype = dtype
        self._untyped_storage = _make(owner, _FORMS, args, wrap_storage, dtype, device)
        if not _internal:
            _warn(2)

    def _all(self):
        return self._untyped_storage._elements(self.dtype)

    def _how(self):
        return {"dtype": self.dtype, "device": self.device, "_internal": True}

    def __len__(self):
        return self._untyped_storage.nbytes() // self.dtype.itemsize

    def _place(self, index):
        if not isinstance(index, int):
            raise RuntimeError(f"can't index a {type(self)} with {type(index)}")
        n = len(self)
        if not -n <= index < n:
            raise IndexError(f"index {index} out of range for storage of size {n}")
        return index % n

    def __getitem__(self, index):
        if isinstance(index, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        return self._all()[self._place(index)].item()

    def __setitem__(self, index, value):
        if not isinstance(index, (int, slice)):
            raise RuntimeError(f"can't index a {type(self)} with {type(index)}")
        self._all()[index] = value

    def __repr__(self):
        return self._untyped_storage._text(self.dtype)

    __str__ = __repr__

    def fill_(self, value):
        """Sets all elements to a value."""
        self[:] = value
        return self

    def copy_(self, source, non_blocking=None):
        """Copies the bytes of a storage of the same length."""
        self._untyped_storage.copy_(source.untyped(), bool(non_blocking))
        return self

    def resize_(self, size):
        """Changes the number of elements."""
        if not isinstance(size, int):
            raise RuntimeError(f"resize_ expects an int, but got {type(size).__name__}")
        self._untyped_storage.resize_(size * self.dtype.itemsize)

    def untyped(self):
        """Returns the untyped storage."""
        return self._untyped_storage

    def size(self):
        """Returns the number of elements."""
        return len(self)

    def nbytes(self):
        """Returns the size in bytes."""
        return self._untyped_storage.nbytes()

    def element_size(self):
        """Returns the size of an element in bytes."""
        return self.dtype.itemsize

    def data_ptr(self):
        """Returns the address of the first element."""
        return self._untyped_storage.data_ptr()

    def resizable(self):
        """Returns whether resize_ may reallocate the memory."""
        return self._untyped_storage.resizable()

    def pickle_storage_type(self):
        """Returns the legacy name of this storage type."""
        return next(name for name, dtype in _TYPES.items() if dtype == self.dtype) + "Storage"

    _pickle_storage_type = pickle_storage_type

    def type(self, dtype=None, non_blocking=False):
        """Returns the legacy name of this storage type, or with `dtype` the elements converted to another one."""
        if dtype is None:
            return f"torch.{self.pickle_storage_type()}"
        name = dtype.rpartition(".")[2] if isinstance(dtype, str) else dtype.__name__
        return _cast(name, _TYPES[name.removesuffix("Storage")])(self)

    @classmethod
    def from_buffer(cls, buffer, byte_order="native", count=-1, offset=0, *, dtype=None):
        """Returns a copy of the elements in a buffer."""
        dtype = dtype or cls.dtype
        return _typed(UntypedStorage.from_buffer(buffer, byte_order, count, offset, dtype=dtype), dtype)

    @classmethod
    def from_file(cls, filename, shared=False, size=0):
        """Maps a file into memory as `size` elements (0: all of it). shared: writes go to the file.

            >>> torch.FloatStorage.from_file("weights.bin", shared=True, size=100)  # doctest: +SKIP
        """
        if cls is TypedStorage:
            raise RuntimeError("from_file can only be called on derived classes")
        return _typed(UntypedStorage.from_file(filename, shared, size * cls.dtype.itemsize), cls.dtype)

    device = property(lambda self: self._untyped_storage.device, doc="The device whose memory holds the elements.")
    _cdata = property(lambda self: self._untyped_storage._cdata)

    def __deepcopy__(self, memo):
        import copy
        return _typed(copy.deepcopy(self._untyped_storage, memo), self.dtype)

    def __reduce__(self):
        return _typed, (self._untyped_storage, self.dtype)


class _LegacyStorageMeta(type):
    """Metaclass: isinstance(s, FloatStorage) holds for typed float32 storages; torch.cuda.FloatStorage for those on a GPU."""

    def __instancecheck__(cls, instance):
        return (type(instance) is TypedStorage and instance.dtype == cls.dtype
                and (instance.device.type == "cuda") == (cls._device == "cuda"))


class _LegacyStorage(TypedStorage, metaclass=_LegacyStorageMeta):
    def __new__(cls, *args, wrap_storage=None, **kwargs):
        owner = f"{cls}.__new__"
        if kwargs:
            raise RuntimeError(owner + _OLD_FORMS + f"Keyword argument '{next(iter(kwargs))}' cannot be specified")
        made = _make(owner, _OLD_FORMS, args, wrap_storage, cls.dtype, None)
        return _typed(made if cls._device == "cpu" else made.cuda(), cls.dtype)


LEGACY = {f"{name}Storage": dtype for name, dtype in _TYPES.items()}


def legacy(name, device="cpu"):
    """Creates a legacy storage type for a device."""
    module = "torch" if device == "cpu" else f"torch.{device}"
    return _LegacyStorageMeta(name, (_LegacyStorage,), {"__module__": module, "__qualname__": name,
                                                        "dtype": LEGACY[name], "_device": device,
                                                        "__doc__": f"Deprecated: a storage of {LEGACY[name]} elements. Use torch.UntypedStorage."})


globals().update({name: legacy(name) for name in LEGACY})
Storage = globals()["FloatStorage"]
TypedStorage.__module__ = UntypedStorage.__module__ = "torch.storage"

# SPDX-License-Identifier: BSD-3-Clause
"""Safetensors files: named tensors, memory-mapped. The interface is that of `safetensors.torch`."""
import json
import os
import struct

from . import _C
from ._missing import MissingFeature

__all__ = ["load", "load_file", "load_model", "safe_open", "save", "save_file", "save_model"]


def load_file(filename, device="cpu"):
    """Loads the tensors of a file as a dict; on the CPU they are views of the mapped file."""
    tensors = _C._load_dict(os.fspath(filename), "safetensors")
    return tensors if str(device) == "cpu" else {name: t.to(device) for name, t in tensors.items()}


def save_file(tensors, filename, metadata=None):
    """Saves a dict of tensors; metadata is a dict of str."""
    _C._save_dict(_checked(tensors), os.fspath(filename), "safetensors", _text(metadata), False)


def load(data):
    """Loads a dict of tensors from the bytes of a file."""
    import tempfile
    with tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
        file.write(data)
        file.flush()
        return {name: tensor.clone() for name, tensor in load_file(file.name).items()}


def save(tensors, metadata=None):
    """Returns the bytes of a file with a dict of tensors."""
    parts = []
    _C._save_dict(_checked(tensors), lambda part: parts.append(bytes(part)), "safetensors", _text(metadata), False)
    return b"".join(parts)


def _text(metadata):
    return None if metadata is None else json.dumps(metadata, separators=(",", ":"))


def _checked(tensors):
    if not isinstance(tensors, dict):
        raise ValueError(f"Expected a dict of [str, torch.Tensor] but received {type(tensors)}")
    seen = {}
    for name, tensor in tensors.items():
        if not isinstance(tensor, _C.Tensor):
            raise ValueError(f"Key `{name}` is invalid, expected torch.Tensor but received {type(tensor)}")
        if tensor.numel():
            seen.setdefault(tensor.untyped_storage().data_ptr(), []).append(name)
    shared = [names for names in seen.values() if len(names) > 1]
    if shared:
        raise RuntimeError(
            f"Some tensors share memory, this will lead to duplicate memory on disk and potential differences when loading "
            f"them again: {[set(names) for names in shared]}.\nA potential way to correctly save your model is to use "
            "`save_model`.")
    return tensors


def save_model(model, filename, metadata=None, force_contiguous=True):
    """Saves the state_dict of a module; of tensors that share memory, only one is written."""
    kept, seen, notes = {}, {}, dict(metadata or {})
    for name, tensor in sorted(model.state_dict().items()):
        key = (tensor.untyped_storage().data_ptr(), tensor.storage_offset(), tuple(tensor.shape))
        if tensor.numel() and key in seen:
            notes[name] = seen[key]
            continue
        seen[key] = name
        kept[name] = tensor.contiguous() if force_contiguous else tensor
    save_file(kept, filename, notes or {"format": "pt"})


def load_model(model, filename, strict=True, device="cpu"):
    """Loads a state_dict into a module; tensors that save_model left out are restored through their aliases."""
    with safe_open(filename, "pt", device) as file:
        state = {name: file.get_tensor(name) for name in file.keys()}
        for name, other in (file.metadata() or {}).items():
            if other in state:
                state[name] = state[other]
    return model.load_state_dict(state, strict=strict)


class _Slice:
    def __init__(self, tensor):
        self._tensor = tensor

    def __getitem__(self, index):
        return self._tensor[index]

    def get_shape(self):
        """Returns the shape as a list."""
        return list(self._tensor.shape)

    def get_dtype(self):
        """Returns the name of the dtype in the file."""
        names = {"float32": "F32", "float64": "F64", "float16": "F16", "bfloat16": "BF16", "int64": "I64", "int32": "I32",
                 "int16": "I16", "int8": "I8", "uint8": "U8", "uint16": "U16", "uint32": "U32", "uint64": "U64", "bool": "BOOL",
                 "complex64": "C64", "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2", "float8_e4m3fnuz": "F8_E4M3FNUZ",
                 "float8_e5m2fnuz": "F8_E5M2FNUZ", "float8_e8m0fnu": "F8_E8M0"}
        return names[str(self._tensor.dtype).removeprefix("torch.")]


_FRAMEWORKS = {"pt": False, "torch": False, "pytorch": False, "np": True, "numpy": True}  # framework -> whether to return NumPy arrays


class safe_open:
    """Opens a file to read single tensors: `with safe_open(path) as f: f.get_tensor(name)`.

    framework: "pt" for tensors, "np" for NumPy arrays.
    """

    def __init__(self, filename, framework="pt", device="cpu"):
        if framework not in _FRAMEWORKS:
            raise MissingFeature(f"safetensors.safe_open(framework={framework!r})", 'use framework="pt" or "np"')
        self._as_numpy = _FRAMEWORKS[framework]
        self._tensors = load_file(filename)
        self._device = device
        with open(filename, "rb") as file:
            size, = struct.unpack("<Q", file.read(8))
            self._metadata = json.loads(file.read(size)).get("__metadata__")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._tensors = {}

    def keys(self):
        """Returns all names."""
        return list(self._tensors)

    def offset_keys(self):
        """Returns all names in the order of the file."""
        return list(self._tensors)

    def metadata(self):
        """Returns the metadata of the file, or None."""
        return self._metadata

    def get_tensor(self, name):
        """Returns a tensor."""
        if name not in self._tensors:
            raise KeyError(f"File does not contain tensor {name}")
        tensor = self._tensors[name]
        tensor = tensor if str(self._device) == "cpu" else tensor.to(self._device)
        return tensor.numpy() if self._as_numpy else tensor

    def get_slice(self, name):
        """Returns an object whose indexing reads part of a tensor."""
        return _Slice(self.get_tensor(name))

# SPDX-License-Identifier: BSD-3-Clause
"""Malicious files: handwritten ones, and mutated ones for CORTEN_FUZZ_SECONDS in total."""
import io
import os
import pickle
import random
import struct
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import pytest

import corten

sys.path.insert(0, str(Path(__file__).parent))
import readers  # noqa: E402

BIG = b"\x8a\x06" + (10 ** 13).to_bytes(6, "little")


@pytest.mark.parametrize("name", readers.NAMES)
def test_mutated(name):
    seconds = float(os.environ.get("CORTEN_FUZZ_SECONDS", 9)) / len(readers.NAMES)
    done, report = readers.fuzz(name, random.SystemRandom().randrange(2 ** 32), seconds)
    assert report is None, report
    assert done


def archive(data):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr("archive/data.pkl", data)
    return io.BytesIO(out.getvalue())


@pytest.mark.parametrize("what", ["ctorch\nTensor\n", "ctorch.storage\nUntypedStorage\n", "ctorch.storage\nTypedStorage\n",
                                  "cbuiltins\nbytearray\n"])
@pytest.mark.parametrize("code", [b"R", b"\x81"])
def test_no_memory_for_a_number(what, code):
    with pytest.raises(pickle.UnpicklingError):
        corten.load(archive(b"\x80\x02" + what.encode() + BIG + b"\x85" + code + b"."))


@pytest.mark.parametrize("data", [b"]" * 200000 + b"a" * 199999, b"N" + b"\x85" * 200000], ids=["lists", "tuples"])
def test_too_deep(data):
    with pytest.raises(RecursionError):
        corten.load(archive(b"\x80\x02" + data + b"."))


def test_a_list_in_itself():
    loaded = corten.load(archive(b"\x80\x02]q\0(h\0h\0e."))
    assert loaded[0] is loaded and loaded[1] is loaded


# C programs walk the object tree themselves, so it must be finite for every file.
PROGRAM = """
import ctypes, sys
from pathlib import Path
import corten
lib = ctypes.CDLL(str(next(Path(corten.__file__).parent.glob("libcorten.so*"))))
lib.ct_error.restype = ctypes.c_char_p
class Dict(ctypes.Structure):
    _fields_ = [("v", ctypes.c_void_p), ("n", ctypes.c_int64)]
lib.ct_load_dict.restype = Dict
got = lib.ct_load_dict(sys.argv[1].encode())
print(got.n, (lib.ct_error() or b"").decode())
"""


@pytest.mark.parametrize("data", [
    b"]q\0(h\0h\0e.",
    b"}q\0(K\1h\0K\2h\0u.",
    b"N" + b"2\x86" * 100 + b".",
    b"ctorch._utils\n_rebuild_parameter\nq\0N" + b"\x89\x86h\0" * 3000 + b".",
], ids=["list", "dict", "pairs", "parameters"])
def test_trees_from_c(tmp_path, data):
    path = tmp_path / "tree.pt"
    path.write_bytes(archive(b"\x80\x02" + data).getvalue())
    run = subprocess.run([sys.executable, "-c", PROGRAM, path], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr


def test_records_that_share_bytes(tmp_path):
    """A small archive with many overlapping records must not unpack to a huge one (zip bomb)."""
    body = bytes(1000)
    local = struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, 0, 0, 0, 0, 0, len(body), len(body), 1, 0) + b"a" + body
    central = b"".join(struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 20, 20, 0, 0, 0, 0, 0, len(body), len(body), 1, 0, 0, 0, 0, 0, 0)
                       + bytes([97 + i]) for i in range(20))
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 20, 20, len(central), len(local), 0)
    path = tmp_path / "many.npz"
    path.write_bytes(local + central + end)
    with pytest.raises(RuntimeError, match="corrupted"):
        corten.load(path)


def test_tensors_that_share_bytes(tmp_path):
    head = ",".join(f'"{i}":{{"dtype":"U8","shape":[64],"data_offsets":[0,64]}}' for i in range(3))
    head = ("{" + head + "}").encode()
    path = tmp_path / "many.safetensors"
    path.write_bytes(struct.pack("<Q", len(head)) + head + bytes(64))
    with pytest.raises(ValueError, match="overlap"):
        corten.safetensors.load_file(path)


def test_pictures_of_no_size():
    from corten.vision.io import decode_image

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    def decode(data):
        return decode_image(corten.frombuffer(bytearray(data), dtype=corten.uint8))

    head = struct.pack(">IIBBBBB", 2 ** 31 - 1, 2 ** 31 - 1, 16, 6, 0, 0, 0)
    huge = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(100))) + chunk(b"IEND", b"")
    for data in (huge, b"\x89PNG" + bytes(20), b"P6 2147483647 2147483647 255\n" + bytes(100)):
        with pytest.raises(RuntimeError):
            decode(data)

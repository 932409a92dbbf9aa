# SPDX-License-Identifier: BSD-3-Clause
"""torch.PyTorchFileReader: access to the records of a file written by torch.save."""
import zipfile

from . import _C


class PyTorchFileReader:
    """Reads an open file or a path. Record names do not include the archive's top-level directory."""

    def __init__(self, file):
        try:
            self._zip = zipfile.ZipFile(file)
        except zipfile.BadZipFile as error:
            raise RuntimeError("PytorchStreamReader failed reading zip archive: failed finding central directory") from error
        self._records = {name.partition("/")[2]: name for name in self._zip.namelist()}

    def has_record(self, name):
        """Returns whether the archive has a record with this name."""
        return name in self._records

    def get_all_records(self):
        """Returns the names of all records."""
        return list(self._records)

    def get_record(self, name):
        """Returns the bytes of a record."""
        if name not in self._records:
            raise RuntimeError(f"PytorchStreamReader failed locating file {name}: file not found")
        return self._zip.read(self._records[name])

    def get_storage_from_record(self, name, numel, dtype):
        """Returns a tensor with the contents of a record."""
        data = bytearray(self.get_record(name))
        return _C.frombuffer(data, dtype=dtype, count=numel) if numel else _C.empty(0, dtype=dtype)

    def get_record_offset(self, name):
        """Returns the offset of a record's bytes in the file."""
        info = self._zip.getinfo(self._records[name])
        with self._zip.open(info):  # opening it reads the local header
            self._zip.fp.seek(info.header_offset + 26)
            lengths = self._zip.fp.read(4)
        return info.header_offset + 30 + int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little")

    def serialization_id(self):
        """Returns the serialization id stored in the archive, or ""."""
        name = ".data/serialization_id"
        return self.get_record(name).decode() if self.has_record(name) else ""

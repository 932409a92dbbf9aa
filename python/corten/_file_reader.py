# SPDX-License-Identifier: BSD-3-Clause
"""torch.PyTorchFileReader: the records of a file that torch.save wrote, one at a time."""
import zipfile

from . import _C


class PyTorchFileReader:
    """A file, or the path of one. Records are named without the folder that all of them lie in."""

    def __init__(self, file):
        try:
            self._zip = zipfile.ZipFile(file)
        except zipfile.BadZipFile as error:
            raise RuntimeError("PytorchStreamReader failed reading zip archive: failed finding central directory") from error
        self._records = {name.partition("/")[2]: name for name in self._zip.namelist()}

    def has_record(self, name):
        """Return whether the archive has a record of this name."""
        return name in self._records

    def get_all_records(self):
        """Return the names of all records."""
        return list(self._records)

    def get_record(self, name):
        """The bytes of one."""
        if name not in self._records:
            raise RuntimeError(f"PytorchStreamReader failed locating file {name}: file not found")
        return self._zip.read(self._records[name])

    def get_storage_from_record(self, name, numel, dtype):
        """A tensor on the elements of one."""
        data = bytearray(self.get_record(name))
        return _C.frombuffer(data, dtype=dtype, count=numel) if numel else _C.empty(0, dtype=dtype)

    def get_record_offset(self, name):
        """Where its bytes begin."""
        info = self._zip.getinfo(self._records[name])
        with self._zip.open(info):  # reads the header
            self._zip.fp.seek(info.header_offset + 26)
            lengths = self._zip.fp.read(4)
        return info.header_offset + 30 + int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little")

    def serialization_id(self):
        """Return the identifier that was written with the archive, or an empty text."""
        name = ".data/serialization_id"
        return self.get_record(name).decode() if self.has_record(name) else ""

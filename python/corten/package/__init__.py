# SPDX-License-Identifier: BSD-3-Clause
"""torch.package: models with their Python code in one file. Corten has only the names and errors."""
from .._missing import missing_class
from . import analyze  # noqa: F401
from .analyze.is_from_package import is_from_package

__all__ = ["Directory", "EmptyMatchError", "GlobGroup", "Importer", "ObjMismatchError", "ObjNotFoundError", "OrderedImporter",
           "PackageExporter", "PackageImporter", "PackagingError", "is_from_package", "sys_importer"]

_INSTEAD = "install the model's code as a Python package, and save its state_dict() with torch.save"
Directory, GlobGroup, OrderedImporter, PackageExporter, PackageImporter = (
    missing_class(f"torch.package.{name}", _INSTEAD)
    for name in ("Directory", "GlobGroup", "OrderedImporter", "PackageExporter", "PackageImporter"))


class PackagingError(Exception):
    """A package could not be written."""


class EmptyMatchError(Exception):
    """A pattern for modules matched none."""


class ObjNotFoundError(Exception):
    """An object was not found in the module that it names."""


class ObjMismatchError(Exception):
    """Two modules have different objects with the same name."""


class Importer:
    """Base class of importers, which import the modules that pickled objects name."""

    def import_module(self, module_name):
        """Imports a module by name."""
        raise NotImplementedError

    def get_name(self, obj, name=None):
        """Returns (module name, qualified name) of an object."""
        name = name or getattr(obj, "__qualname__", obj.__name__)
        module = self.whichmodule(obj, name)
        try:
            found = self.import_module(module)
            for part in name.split("."):
                found = getattr(found, part)
        except (ImportError, KeyError, AttributeError):
            raise ObjNotFoundError(f"{obj} was not found as {module}.{name}") from None
        if found is not obj:
            raise ObjMismatchError(f"{obj} is not the object that is found as {module}.{name}")
        return module, name

    def whichmodule(self, obj, name):
        """Returns the module name of an object whose qualified name is `name`."""
        import pickle
        return pickle.whichmodule(obj, name)


class _SysImporter(Importer):
    def import_module(self, module_name):
        import importlib
        return importlib.import_module(module_name)


sys_importer = _SysImporter()

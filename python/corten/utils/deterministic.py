# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.deterministic: whether new memory is filled when deterministic algorithms are enabled."""
import sys
import types


class _Module(types.ModuleType):
    @property
    def fill_uninitialized_memory(self):
        """Whether empty(), empty_like() and resize_() fill new memory with NaN or the maximum integer."""
        return self.__dict__["_fill"]

    @fill_uninitialized_memory.setter
    def fill_uninitialized_memory(self, mode):
        if not isinstance(mode, bool):
            raise TypeError("_set_deterministic_fill_uninitialized_memory(): argument 'mode' (position 1) must be bool, "
                            f"not {type(mode).__name__}")
        self.__dict__["_fill"] = mode
        from .. import _settings
        _settings.update_fill()


_fill = True
sys.modules[__name__].__class__ = _Module

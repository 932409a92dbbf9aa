# SPDX-License-Identifier: BSD-3-Clause
"""Anomaly mode: backward looks for NaN and tells which call of the program made what failed."""
import warnings

from .. import _C

__all__ = ["detect_anomaly", "set_detect_anomaly"]


def _made(node, outer):
    """A node was made: note where, and which node's derivative it belongs to."""
    notes = node.metadata
    import traceback
    notes["traceback_"] = traceback.format_stack()[:-1]
    if outer is not None:
        notes["parent_"] = outer


_listener = None  # gets the node that failed instead of a warning


def _failed(node):
    if _listener is not None:
        _listener(node)
        return
    warnings.warn(_told(node, "Error detected in {}. Traceback of forward call that caused the error:\n{}"), stacklevel=2)
    node = node.metadata.get("parent_")
    while node is not None:
        warnings.warn(_told(node, "\n\nPrevious calculation was induced by {}. Traceback of forward call that induced the "
                                  "previous calculation:\n{}"), stacklevel=2)
        node = node.metadata.get("parent_")


def _told(node, text):
    lines = node.metadata.get("traceback_")
    if lines is None:
        return (f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly during "
                "forward pass for more information.")
    return text.format(node.name(), "".join(lines))


_C._anomaly_tools(_made, _failed)


class detect_anomaly:
    """with detect_anomaly(): a backward that fails, or makes NaN, tells which call in forward it belongs to."""

    def __init__(self, check_nan=True):
        self.prev, self.prev_check_nan = _C.is_anomaly_enabled(), _C.is_anomaly_check_nan_enabled()
        self.check_nan = check_nan
        warnings.warn("Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled "
                      "for debugging.", stacklevel=2)

    def __enter__(self):
        _C.set_anomaly_enabled(True, self.check_nan)

    def __exit__(self, *args):
        _C.set_anomaly_enabled(self.prev, self.prev_check_nan)


class set_detect_anomaly:
    """Switches anomaly mode on or off; as a context manager, until its end."""

    def __init__(self, mode, check_nan=True):
        self.prev, self.prev_check_nan = _C.is_anomaly_enabled(), _C.is_anomaly_check_nan_enabled()
        _C.set_anomaly_enabled(mode, check_nan)

    def __enter__(self):
        pass

    def __exit__(self, *args):
        _C.set_anomaly_enabled(self.prev, self.prev_check_nan)


for _class in (detect_anomaly, set_detect_anomaly):
    _class.__module__ = "torch.autograd.anomaly_mode"

# SPDX-License-Identifier: BSD-3-Clause
"""Anomaly mode: backward checks for NaN, and reports the forward call that created the failing operation."""
import warnings

from .. import _C

__all__ = ["detect_anomaly", "set_detect_anomaly"]


def _made(node, outer):
    """Store the current traceback in a newly created node, and the node whose backward created it."""
    notes = node.metadata
    import traceback
    notes["traceback_"] = traceback.format_stack()[:-1]
    if outer is not None:
        notes["parent_"] = outer


_listener = None  # if set, called with the failed node instead of warning


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
    """Complete the text of a warning with the name and the stored traceback of a node."""
    lines = node.metadata.get("traceback_")
    if lines is None:
        return (f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly during "
                "forward pass for more information.")
    return text.format(node.name(), "".join(lines))


_C._anomaly_tools(_made, _failed)


class detect_anomaly:
    """A context that helps to find the cause of a failing backward or of NaN gradients.

    Inside the block, forward records a traceback for every operation, and backward checks every gradient for NaN. If a backward
    function fails or returns NaN, a warning shows the traceback of its forward call. This is slow; use it for debugging only.

    Args:
        check_nan: whether NaN in a gradient is an error. Default: True

        >>> x = torch.tensor(0., requires_grad=True)
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     with torch.autograd.detect_anomaly():
        ...         y = (x * 0).sqrt()  # the slope of sqrt at 0 is inf, and inf * 0 is NaN
        ...         y.backward()
        Traceback (most recent call last):
        ...
        RuntimeError: Function 'MulBackward0' returned nan values in its 0th output.
    """

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
    """Switch anomaly mode on or off; as a context manager, until the end of the block. See detect_anomaly.

    Args:
        mode: True for on.
        check_nan: whether NaN in a gradient is an error. Default: True
    """

    def __init__(self, mode, check_nan=True):
        self.prev, self.prev_check_nan = _C.is_anomaly_enabled(), _C.is_anomaly_check_nan_enabled()
        _C.set_anomaly_enabled(mode, check_nan)

    def __enter__(self):
        pass

    def __exit__(self, *args):
        _C.set_anomaly_enabled(self.prev, self.prev_check_nan)


for _class in (detect_anomaly, set_detect_anomaly):
    _class.__module__ = "torch.autograd.anomaly_mode"

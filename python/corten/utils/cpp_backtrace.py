# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.get_cpp_backtrace: the C stack of the current thread, for crash reports."""
import ctypes

__all__ = ["get_cpp_backtrace"]


def get_cpp_backtrace(frames_to_skip=0, maximum_number_of_frames=64):
    """Returns the C functions on the stack, one per line, as reported by the C library's backtrace().

    `frames_to_skip` omits the innermost frames. A function without an exported name is shown as file and address.

        >>> print(torch.utils.get_cpp_backtrace().split(":")[0])
        frame #0
    """
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "backtrace_symbols"):
        raise RuntimeError("get_cpp_backtrace: the C library of this system has no backtrace()")
    count = frames_to_skip + maximum_number_of_frames
    places = (ctypes.c_void_p * count)()
    libc.backtrace_symbols.restype = ctypes.POINTER(ctypes.c_char_p)
    found = libc.backtrace(places, count)
    texts = libc.backtrace_symbols(places, found)
    lines = [texts[i].decode(errors="replace") for i in range(frames_to_skip, found)]
    libc.free(texts)
    return "".join(f"frame #{i}: {line}\n" for i, line in enumerate(lines))

# SPDX-License-Identifier: BSD-3-Clause
"""Helpers for programs that time operations on random arguments."""
__all__ = ["assert_dicts_equal"]


def assert_dicts_equal(dict_0, dict_1):
    """Raises AssertionError unless two dicts have equal keys and values (arrays included), apart from the key "dtype"."""
    if set(dict_0) != set(dict_1):
        raise AssertionError("dicts must have the same keys")
    for key, value in dict_0.items():
        same = value == dict_1[key]
        if key != "dtype" and not (same.all() if hasattr(same, "all") else same):
            raise AssertionError("dict values differ for keys other than 'dtype'")

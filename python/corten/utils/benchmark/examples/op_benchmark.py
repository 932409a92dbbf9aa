# SPDX-License-Identifier: BSD-3-Clause
"""Helps programs that time operations with random arguments."""
__all__ = ["assert_dicts_equal"]


def assert_dicts_equal(dict_0, dict_1):
    """An AssertionError unless two dictionaries have the same keys and values, arrays among them, whatever their "dtype"s."""
    if set(dict_0) != set(dict_1):
        raise AssertionError("dicts must have the same keys")
    for key, value in dict_0.items():
        same = value == dict_1[key]
        if key != "dtype" and not (same.all() if hasattr(same, "all") else same):
            raise AssertionError("dict values differ for keys other than 'dtype'")

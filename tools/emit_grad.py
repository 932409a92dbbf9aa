# SPDX-License-Identifier: BSD-3-Clause
"""Derivatives: nodes and their backward functions."""


def outputs(rows):
    return {"grads.h": lambda: "/* Generated. */\n" + "".join(
        f"#define cti_node_{r.cname}(...) NULL\n" for r in rows if r.grad)}

# SPDX-License-Identifier: BSD-3-Clause
"""corten/own.json, from which other bindings are generated: the library exports every listed function with the listed arguments."""
import ctypes
import json
from pathlib import Path

import corten


def test_signatures_for_bindings():
    rows = json.loads((Path(corten.get_include()) / "corten/own.json").read_text())
    library = ctypes.CDLL(str(next(Path(corten.__file__).parent.glob("libcorten.so*"))))
    assert len(rows) > 200
    for row in rows:
        names = {a["name"] for a in row["args"]}
        for function in row["functions"]:
            assert hasattr(library, function["name"]), function["name"]
            assert {a for a in function["args"] if a != "self" and not a.startswith("out")} <= names
    add = next(r for r in rows if r["name"] == "add")
    assert add["functions"][0] == {"form": "function", "name": "ct_own_add", "returns": "ct_tensor *",
                                   "args": ["input", "other", "alpha"]}
    assert add["args"][2] == {"name": "alpha", "kind": "Number", "type": "ct_value", "default": "1",
                              "keyword_only": True}

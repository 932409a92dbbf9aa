# SPDX-License-Identifier: BSD-3-Clause
"""Writes the recorded files of this folder; run it with a Python that has PyTorch. test_serialization.py reads and reproduces them."""
import collections
import pathlib

import torch

HERE = pathlib.Path(__file__).parent
TYPES = ("bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128").split()


def nested():
    x = torch.arange(6.).view(2, 3)
    return {
        "a": x, "b": x.t(), "n": [1, 300, 70000, -1, 2**40, -2**40, 2**100, -2**63, 1.5, True, None, "s", "\u00e4\ud800", b"by",
                                  (), (1,), (1, 2, 3, 4), {}, []],
        "o": collections.OrderedDict(a=1, b=x), "d": torch.float32, "dev": torch.device("cpu"), "sz": torch.Size([2, 3]),
        "s": {1}, "c": 1j, "part": x[1:, 1:], "long": list(range(1001)), "wide": {i: i for i in range(1001)},
        "many": collections.OrderedDict((str(i), i) for i in range(1001)), "grad": torch.ones(1, requires_grad=True),
    }


def files():
    torch.save(nested(), HERE / "nested.pt")
    torch.save([torch.arange(4).to(getattr(torch, t)) for t in TYPES], HERE / "types.pt")
    x = torch.arange(6.).view(2, 3)
    torch.save({"x": x, "y": x.t()}, HERE / "legacy.pt", _use_new_zipfile_serialization=False)
    torch.save([torch.tensor([1 + 2j]).conj(), torch.empty(2, device="meta"),
                x.untyped_storage(), torch.nn.Parameter(torch.ones(2)), torch.empty(0)], HERE / "marks.pt")
    torch.save(torch._neg_view(torch.ones(2)), HERE / "neg.pt")
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2))
    torch.save(net.state_dict(), HERE / "state.pt")


if __name__ == "__main__":
    files()

# SPDX-License-Identifier: BSD-3-Clause
"""Writes the files of this folder, with PyTorch 2.15: make.py. The tests read them and write the same bytes again."""
import collections
import json
import pathlib

import torch
from torch.utils.data import DataLoader, Dataset, DistributedSampler, RandomSampler, TensorDataset, WeightedRandomSampler, random_split

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


class Numbers(Dataset):
    def __len__(self):
        return 10

    def __getitem__(self, i):
        return i


def orders():
    """In which order items come for a seed."""
    facts = {}
    rows = TensorDataset(torch.arange(10))
    for name, options in {
        "plain": dict(batch_size=3), "drop": dict(batch_size=3, drop_last=True), "shuffle": dict(batch_size=3, shuffle=True),
        "none": dict(batch_size=None, shuffle=True),
    }.items():
        torch.manual_seed(3)
        loader = DataLoader(Numbers(), **options)
        facts[name] = [[x.tolist() if torch.is_tensor(x) else x for x in loader] for _ in range(2)]
        if name != "none":
            torch.manual_seed(3)
            assert facts[name] == [[x.tolist() for x, in DataLoader(rows, **options)] for _ in range(2)]
        facts[name + " next"] = torch.rand(1).item()
    g = torch.Generator().manual_seed(5)
    facts["generator"] = [x.tolist() for x in DataLoader(Numbers(), batch_size=4, shuffle=True, generator=g)]
    g = torch.Generator().manual_seed(5)
    facts["replacement"] = list(RandomSampler(range(10), replacement=True, num_samples=40, generator=g))
    g = torch.Generator().manual_seed(5)
    facts["more"] = list(RandomSampler(range(4), num_samples=10, generator=g))
    g = torch.Generator().manual_seed(5)
    facts["weighted"] = list(WeightedRandomSampler([1, 2, 3, 0], 12, generator=g))
    g = torch.Generator().manual_seed(5)
    facts["split"] = [list(part.indices) for part in random_split(range(10), [0.3, 0.3, 0.4], generator=g)]
    facts["distributed"] = [list(DistributedSampler(range(10), 3, rank, seed=1)) for rank in range(3)]
    from torch.utils.data._utils.worker import _generate_state
    facts["numpy seed"] = _generate_state(0x123456789ABCDEF, 3)
    return facts


if __name__ == "__main__":
    files()
    (HERE / "orders.json").write_text(json.dumps(orders(), indent=0) + "\n")

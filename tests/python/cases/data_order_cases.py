# SPDX-License-Identifier: BSD-3-Clause
"""The order in which loaders and samplers of torch.utils.data return their items for a given seed. test_data.py compares
Corten's order with PyTorch's, which `make record` writes to tests/recorded/python/data_order.json.gz."""


class Numbers:
    def __len__(self):
        return 10

    def __getitem__(self, i):
        return i


def facts(torch):
    """Returns the order of the items for each loader and sampler."""
    data, found = torch.utils.data, {}
    rows = data.TensorDataset(torch.arange(10))
    for name, options in {
        "plain": dict(batch_size=3), "drop": dict(batch_size=3, drop_last=True), "shuffle": dict(batch_size=3, shuffle=True),
        "none": dict(batch_size=None, shuffle=True),
    }.items():
        torch.manual_seed(3)
        loader = data.DataLoader(Numbers(), **options)
        found[name] = [[x.tolist() if torch.is_tensor(x) else x for x in loader] for _ in range(2)]
        if name != "none":
            torch.manual_seed(3)
            assert found[name] == [[x.tolist() for x, in data.DataLoader(rows, **options)] for _ in range(2)]
        found[name + " next"] = torch.rand(1).item()
    g = torch.Generator().manual_seed(5)
    found["generator"] = [x.tolist() for x in data.DataLoader(Numbers(), batch_size=4, shuffle=True, generator=g)]
    g = torch.Generator().manual_seed(5)
    found["replacement"] = list(data.RandomSampler(range(10), replacement=True, num_samples=40, generator=g))
    g = torch.Generator().manual_seed(5)
    found["more"] = list(data.RandomSampler(range(4), num_samples=10, generator=g))
    g = torch.Generator().manual_seed(5)
    found["weighted"] = list(data.WeightedRandomSampler([1, 2, 3, 0], 12, generator=g))
    g = torch.Generator().manual_seed(5)
    found["split"] = [list(part.indices) for part in data.random_split(range(10), [0.3, 0.3, 0.4], generator=g)]
    found["distributed"] = [list(data.DistributedSampler(range(10), 3, rank, seed=1)) for rank in range(3)]
    from torch.utils.data._utils.worker import _generate_state
    found["numpy seed"] = _generate_state(0x123456789ABCDEF, 3)
    return found

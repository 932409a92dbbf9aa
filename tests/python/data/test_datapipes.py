# SPDX-License-Identifier: BSD-3-Clause
"""Data pipes: the items that each kind returns, and how loaders split and shuffle them."""
import os

import pytest

import corten
from corten.utils.data import DataLoader, datapipes
from corten.utils.data.datapipes import map as maps
from corten.utils.data.datapipes.iter import (Batcher, Concater, Demultiplexer, FileLister, Forker, Grouper, IterableWrapper, Mapper,
                                              Sampler, ShardingFilter, Zipper)


def wrap(*items):
    return IterableWrapper(items)


def test_names():
    assert sorted(datapipes.iter.__all__) == [
        "Batcher", "Collator", "Concater", "Demultiplexer", "FileLister", "FileOpener", "Filter", "Forker", "Grouper", "IterableWrapper",
        "Mapper", "Multiplexer", "RoutedDecoder", "Sampler", "ShardingFilter", "Shuffler", "StreamReader", "UnBatcher", "Zipper"]
    assert sorted(maps.__all__) == ["Batcher", "Concater", "Mapper", "SequenceWrapper", "Shuffler", "Zipper"]
    from corten.utils.data.datapipes.iter.combinatorics import ShufflerIterDataPipe
    assert ShufflerIterDataPipe is datapipes.iter.Shuffler


def double(x):
    return 2 * x


def is_even(x):
    return x % 2 == 0


def test_single_items():
    pipe = wrap(1, 2, 3)
    assert list(pipe.map(double)) == [2, 4, 6] and len(pipe.map(double)) == 3 and list(pipe.filter(is_even)) == [2]
    rows = wrap((1, 2, 3), (4, 5, 6))
    assert list(rows.map(double, 1)) == [(1, 4, 3), (4, 10, 6)] and list(rows.map(double, 0, -1)) == [(1, 2, 3, 2), (4, 5, 6, 8)]
    assert list(rows.map(max, [0, 2])) == [(3, 2), (6, 5)] and list(rows.map(max, [0, 2], [1])) == [(1, 3, 3), (4, 6, 6)]
    assert list(wrap({"a": 1}).map(double, "a", "b")) == [{"a": 1, "b": 2}] and list(rows.filter(is_even, 1)) == [(1, 2, 3)]
    with pytest.raises(ValueError, match="`output_col` must be None when `input_col` is None."):
        Mapper(pipe, double, output_col=1)
    with pytest.raises(ValueError, match="Boolean output is required"):
        list(pipe.filter(double))
    with pytest.raises(TypeError, match="FilterIterDataPipe"):
        len(pipe.filter(is_even))


def test_wrappers_copy():
    rows = [[1], [2]]
    next(iter(IterableWrapper(rows))).append(9)
    assert rows == [[1], [2]]
    next(iter(IterableWrapper(rows, deepcopy=False))).append(9)
    assert rows == [[1, 9], [2]]


def test_batches():
    pipe = wrap(*range(5))
    assert list(pipe.batch(2)) == [[0, 1], [2, 3], [4]] and list(pipe.batch(2, drop_last=True)) == [[0, 1], [2, 3]]
    assert len(pipe.batch(2)) == 3 and len(pipe.batch(2, True)) == 2 and isinstance(next(iter(pipe.batch(2))), datapipes.DataChunk)
    assert list(pipe.batch(2).unbatch()) == [0, 1, 2, 3, 4] and list(pipe.batch(2).batch(2).unbatch(-1)) == [0, 1, 2, 3, 4]
    assert [b.tolist() for b in pipe.batch(2).collate()] == [[0, 1], [2, 3], [4]]
    assert list(pipe.batch(2).collate(collate_fn=sum)) == [1, 5, 4]
    with pytest.raises(IndexError, match="unbatch_level 1 exceeds the depth"):
        list(pipe.unbatch())
    with pytest.raises(AssertionError, match="larger than 0"):
        Batcher(pipe, 0)


def test_groups():
    files = wrap("a.png", "b.png", "a.json", "b.json", "a.jpg", "c.json")

    def key(name):
        return name.split(".")[0]
    assert list(files.groupby(key)) == [["a.png", "a.json", "a.jpg"], ["b.png", "b.json"], ["c.json"]]
    pairs = [["a.png", "a.json"], ["b.png", "b.json"], ["a.jpg"], ["c.json"]]
    assert list(files.groupby(key, group_size=2)) == pairs
    assert list(files.groupby(key, buffer_size=3, group_size=3, guaranteed_group_size=2)) == pairs
    assert list(files.groupby(key, keep_key=True))[2] == ("c", ["c.json"])
    with pytest.raises(RuntimeError, match="Failed to group items"):
        list(files.groupby(lambda name: name, buffer_size=2, group_size=2))
    assert list(Grouper(files, lambda name: name, buffer_size=2, group_size=2, drop_remaining=True))[-1] == ["c.json"]


def test_order():
    pipe = wrap(*range(100)).shuffle()
    first, second = list(pipe.set_seed(3)), list(pipe.set_seed(3))
    assert first == second != list(range(100)) and sorted(first) == list(range(100)) and list(pipe.set_shuffle(False)) == list(range(100))
    assert list(wrap(*range(5)).shuffle(buffer_size=1)) == list(range(5)) and len(pipe) == 100
    corten.manual_seed(0)
    once = list(pipe.set_shuffle(True))
    corten.manual_seed(0)
    assert list(pipe) == once
    assert list(Sampler(wrap(*"abc"), corten.utils.data.SequentialSampler)) == [0, 1, 2]


def test_several_pipes():
    a, b = wrap(1, 2, 3), wrap(4, 5)
    assert list(a.concat(b)) == [1, 2, 3, 4, 5] and len(a.concat(b)) == 5 and list(a.zip(b)) == [(1, 4), (2, 5)] and len(a.zip(b)) == 2
    assert list(a.mux(b)) == [1, 4, 2, 5] and len(a.mux(b)) == 4
    with pytest.raises(ValueError, match="at least one DataPipe"):
        Concater()
    with pytest.raises(TypeError):
        Zipper([1])


def test_readers_of_one_pipe():
    one, two = wrap(1, 2, 3).fork(2)
    assert list(one) == [1, 2, 3] and list(two) == [1, 2, 3] and list(one) == [1, 2, 3] and len(two) == 3
    walk = iter(two)
    assert next(walk) == 1 and list(one) == [1, 2, 3]
    rows = IterableWrapper([[1]], deepcopy=False)
    same, deep = rows.fork(2), rows.fork(2, copy="deep")
    assert next(iter(same[0])) is next(iter(same[1])) and next(iter(deep[0])) is not next(iter(deep[1]))
    even, odd = wrap(0, 1, 2, 3, None).demux(2, lambda x: None if x is None else x % 2, drop_none=True)
    assert list(odd) == [1, 3] and list(even) == [0, 2]
    with pytest.raises(BufferError, match="buffer size 1 is insufficient"):
        list(wrap(1, 2, 3).fork(2, buffer_size=1)[0])
    with pytest.raises(ValueError, match="between 0 and 1. 5 is returned"):
        list(wrap(5).demux(2, lambda x: x)[0])
    with pytest.raises(ValueError, match="Unknown copy method"):
        Forker(wrap(1), 2, copy="all")
    with pytest.warns(UserWarning, match="Unlimited buffer size"):
        Demultiplexer(wrap(1), 2, is_even, buffer_size=-1)


def test_files(tmp_path):
    (tmp_path / "b.txt").write_text("bee")
    (tmp_path / "a.txt").write_text("ay")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/c.json").write_text("[3]")
    paths = [os.path.relpath(p, tmp_path) for p in FileLister(str(tmp_path), recursive=True)]
    assert paths == ["a.txt", "b.txt", "inner/c.json"]
    listed = FileLister([str(tmp_path)], "*.txt")
    assert [text for _, text in listed.open_files().read_from_stream()] == ["ay", "bee"]
    assert [value for _, value in FileLister(str(tmp_path), recursive=True).open_files("b").routed_decode()] == ["ay", "bee", [3]]
    with pytest.raises(ValueError, match="Invalid mode w"):
        listed.open_files("w")


# ---- loaders ----

def test_parts_of_processes():
    pipe = wrap(*range(7)).sharding_filter()
    pipe.apply_sharding(3, 1)
    assert list(pipe) == [1, 4] and len(pipe) == 2
    with pytest.raises(ValueError, match=r"instance_id\(3\) should be smaller than num_of_instances\(3\)"):
        pipe.apply_sharding(3, 3)
    first = datapipes.iter.sharding.SHARDING_PRIORITIES
    with pytest.raises(RuntimeError, match="cannot mix DEFAULT and non DEFAULT"):
        pipe.apply_sharding(2, 0, first.DISTRIBUTED)
    both = ShardingFilter(wrap(*range(12)))
    both.apply_sharding(2, 1, first.DISTRIBUTED)
    both.apply_sharding(3, 2, first.MULTIPROCESSING)
    assert (both.num_of_instances, both.instance_id) == (6, 5) and list(both) == [5, 11]
    with pytest.raises(RuntimeError, match="Sharding twice"):
        corten.utils.data.graph_settings.apply_sharding(pipe.map(double).sharding_filter(), 2, 0)


@pytest.mark.parametrize("workers", [0, 2])
def test_loaders_divide_and_shuffle_pipes(workers):
    pipe = wrap(*range(10)).shuffle().sharding_filter().map(double)
    more = {"num_workers": workers, "persistent_workers": workers > 0, "batch_size": None}
    loader = DataLoader(pipe, shuffle=True, **more)
    corten.manual_seed(1)
    epochs = [list(loader) for _ in range(3)]
    assert all(sorted(epoch) == list(range(0, 20, 2)) for epoch in epochs) and epochs[0] != epochs[1]
    del loader
    assert sorted(DataLoader(pipe, shuffle=False, **more)) == list(range(0, 20, 2))
    if workers == 0:
        assert list(DataLoader(pipe, shuffle=False, **more)) == list(range(0, 20, 2))
        with pytest.warns(UserWarning, match="does not contain a `Shuffler`"):
            assert sorted(DataLoader(wrap(1, 2), shuffle=True, batch_size=None)) == [1, 2]


# ---- indexed pipes ----

def test_indexed_pipes():
    pipe = maps.SequenceWrapper(range(5))
    assert [pipe.map(double)[i] for i in range(5)] == [0, 2, 4, 6, 8] and len(pipe.map(double)) == 5
    assert pipe.concat(pipe)[7] == 2 and len(pipe.concat(pipe)) == 10 and pipe.zip(pipe)[3] == (3, 3) and pipe.batch(2)[2] == [4]
    assert len(pipe.batch(2)) == 3 and len(pipe.batch(2, drop_last=True)) == 2
    assert list(pipe.shuffle().set_seed(0)) == list(pipe.shuffle().set_seed(0)) and sorted(pipe.shuffle()) == [0, 1, 2, 3, 4]
    assert list(maps.Shuffler(maps.SequenceWrapper({"a": 1, "b": 2}), indices=["b"]).set_shuffle(False)) == [2]
    for wrong in (lambda: pipe.concat(pipe)[10], lambda: pipe.batch(2, True)[2], lambda: pipe.zip(maps.SequenceWrapper([1]))[1]):
        with pytest.raises(IndexError):
            wrong()


def test_registration():
    with pytest.raises(Exception, match="already taken"):
        datapipes.IterDataPipe.register_datapipe_as_function("map", Mapper)
    with pytest.raises(NotImplementedError, match="torcharrow"):
        datapipes.functional_datapipe("mine", enable_df_api_tracing=True)(type("Mine", (datapipes.IterDataPipe,), {}))
    with pytest.raises(AttributeError):
        wrap(1).nothing

# SPDX-License-Identifier: BSD-3-Clause
"""Data pipes that read files: streams, decoders, files that close themselves, and the graph of a pipe."""
import gc
import io
import pickle
import pytest

import corten


class Source(corten.utils.data.IterDataPipe):
    def __init__(self, *parts):
        self.parts = parts

    def __iter__(self):
        return iter(self.parts)


def test_pipes_read_open_files():
    files = [("a", io.StringIO("abcde")), ("b", io.StringIO(""))]
    pipe = corten.utils.data.datapipes.iter.StreamReader(Source(*files), chunk=2)
    assert list(pipe) == [("a", "ab"), ("a", "cd"), ("a", "e")] and files[0][1].closed
    assert list(Source(("c", io.StringIO("xyz"))).read_from_stream()) == [("c", "xyz")]


def test_what_pipes_are_made_of():
    from corten.utils.data.graph import traverse, traverse_dps
    inner = Source(1)
    outer = Source([inner], {"k": Source(2)})
    graph = traverse_dps(outer)
    assert list(graph) == [id(outer)] and graph[id(outer)][0] is outer and len(graph[id(outer)][1]) == 2
    assert graph[id(outer)][1][id(inner)] == (inner, {})

    class Holder:
        pass
    holder = Holder()
    holder.inner = inner
    assert len(list(traverse_dps(Source(holder)).values())[0][1]) == 0
    with pytest.warns(FutureWarning, match="Please use `traverse_dps` instead"):
        assert len(list(traverse(Source(holder)).values())[0][1]) == 1
    with pytest.raises(RuntimeError, match="Expected `IterDataPipe` or `MapDataPipe`, but <class 'int'> is found"):
        traverse_dps(3)


def test_columns_of_functions():
    from corten.utils.data.datapipes.utils.common import validate_input_col
    validate_input_col(lambda a, b=1, *, c=1: 0, 1)
    validate_input_col(lambda a, *rest: 0, [1, 2, 3])
    for function, columns, text in ((lambda a, b: 0, 1, "takes 2 positional parameters, but 1 are required"),
                                    (lambda a: 0, [1, 2], "takes 1 parameters, but 2 are required"),
                                    (lambda a, *, k: 0, 1, "takes 1 non-default keyword-only parameters, which is not allowed")):
        with pytest.raises(ValueError, match=text):
            validate_input_col(function, columns)


def test_files_that_close_themselves():
    from corten.utils.data.datapipes.utils.common import StreamWrapper
    archive, file = io.StringIO("x"), io.StringIO("one\ntwo")
    outer = StreamWrapper(archive)
    inner = StreamWrapper(file, outer, "inner")
    outer.autoclose()
    assert not archive.closed and inner.readline() == "one\n" and list(inner) == ["two"] and repr(inner).startswith("StreamWrapper<inner,")
    StreamWrapper.close_streams({"k": [inner]})
    assert file.closed and archive.closed and outer.closed
    lost = io.StringIO("x")
    StreamWrapper(lost)
    gc.collect()
    assert lost.closed
    with pytest.raises(RuntimeError, match="Parent stream should be StreamWrapper"):
        StreamWrapper(lost, 3)


def test_decoders_of_files():
    from corten.utils.data.datapipes.utils import decoder
    saved = io.BytesIO()
    corten.save(corten.arange(3), saved)
    assert decoder.basichandlers("txt", b"hello") == "hello" and decoder.basichandlers("cls", b"7") == 7
    assert decoder.basichandlers("json", b"[1]") == [1] and decoder.basichandlers("pickle", pickle.dumps("x")) == "x"
    assert decoder.basichandlers("pt", saved.getvalue()).tolist() == [0, 1, 2] and decoder.basichandlers("xyz", b"") is None
    handle = decoder.handle_extension("seg.png jpg", len)
    assert handle("a.jpg", b"123") == 3 and handle("b.seg.png", b"1") == 1 and handle("b.png", b"1") is None
    decode = decoder.Decoder(decoder.basichandlers)
    assert decode({"a.json": b"[2]", "__url__": b"u", "b.bin": b"raw"}) == {"a.json": [2], "__url__": "u", "b.bin": b"raw"}
    assert decode(("n.id", io.BytesIO(b"12"))) == ("n.id", 12)
    with pytest.raises(AssertionError, match="unknown image specification"):
        decoder.imagehandler("cmyk")


def test_pictures_of_files():
    image = pytest.importorskip("PIL.Image")
    from corten.utils.data.datapipes.utils.decoder import imagehandler
    file = io.BytesIO()
    image.new("RGB", (3, 2), (255, 0, 51)).save(file, "png")
    pixels = imagehandler("torchrgb")("png", file.getvalue())
    assert pixels.shape == (3, 2, 3) and corten.allclose(pixels[:, 0, 0], corten.tensor([1.0, 0.0, 0.2]))
    assert imagehandler("l8")("png", file.getvalue()).shape == (2, 3) and imagehandler("pil")("png", file.getvalue()).size == (3, 2)
    assert imagehandler("rgb")("txt", b"") is None

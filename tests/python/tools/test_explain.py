# SPDX-License-Identifier: BSD-3-Clause
"""Drawings of storages: every label is below the cell of its element."""
import re
import xml.etree.ElementTree

import corten
import pytest
from hypothesis import given, settings, strategies as st

TRANSPOSED = """\
shape (3, 2), stride (1, 3), offset 0: element [i,j] is in cell i + 3*j
storage: 6 cells of torch.float32, 24 bytes; held by 2

      0       1       2       3       4       5
  +-------+-------+-------+-------+-------+-------+
  |   1   |   2   |   3   |   4   |   5   |   6   |
  +-------+-------+-------+-------+-------+-------+
    [0,0]   [1,0]   [2,0]   [0,1]   [1,1]   [2,1]

not contiguous: view(-1) would need stride[0] == shape[1]*stride[1], but 1 is not 6;
    reshape(-1) and contiguous() copy"""


def test_a_drawing():
    x = corten.tensor([[1., 2, 3], [4, 5, 6]])
    assert repr(corten.explain(x.t())) == TRANSPOSED
    assert str(corten.explain(x)).endswith("view() can give it any other shape")


def cells(drawing):
    """Reads {cell: (value, label)} from the picture, where number, value and label of a cell have the same x."""
    words = {}
    root = xml.etree.ElementTree.fromstring(drawing._repr_svg_())
    for word in root.iter("{http://www.w3.org/2000/svg}text"):
        if word.get("text-anchor"):
            words.setdefault(int(word.get("x")), []).append(word.text or "")
    return {int(column[i]): tuple(column[i + 1:i + 3]) for column in words.values() for i in range(0, len(column), 3)}


@st.composite
def views(draw):
    x = corten.arange(draw(st.integers(1, 40))).add(100)
    shape = draw(st.lists(st.integers(1, 4), max_size=3))
    stride = [draw(st.integers(-3, 5)) for _ in shape]
    reach = [(n - 1) * s for n, s in zip(shape, stride)]
    low, high = -sum(min(r, 0) for r in reach), sum(max(r, 0) for r in reach)
    if low + high >= len(x):
        return x
    # as_strided takes no negative strides, so those dims are reversed with slices
    backwards = tuple(slice(None, None, -1 if s < 0 else 1) for s in stride)
    return x.as_strided(shape, [abs(s) for s in stride], draw(st.integers(0, len(x) - 1 - low - high)))[backwards]


@settings(max_examples=150, deadline=None)
@given(views())
def test_labels_are_true(x):
    drawn = cells(corten.explain(x))
    storage = x.as_strided((x.untyped_storage().nbytes() // 8,), (1,), 0)
    assert [drawn[i][0] for i in range(len(storage))] == [str(v) for v in storage.tolist()]
    labelled = {cell: label for cell, (_, label) in drawn.items() if label}
    for cell, label in labelled.items():
        index = re.match(r"\[(.*?)\]", label)[1].replace(":", "0")
        place = tuple(int(i) for i in index.split(",")) if index else ()
        assert x[place].storage_offset() == cell, label
    assert {storage[c].item() for c in labelled} == set(x.flatten().tolist())


def test_several_elements_in_a_cell():
    drawn = cells(corten.explain(corten.arange(4).as_strided((2, 3), (1, 1))))
    assert [drawn[i][1] for i in range(4)] == ["[0,0]", "[0,1]+1", "[0,2]+1", "[1,2]"]


@pytest.mark.parametrize("make, remark", [
    (lambda x: x[:1].expand(4, 3), "dim 0 is expanded: its 4 indices lead to the same cells"),
    (lambda x: x.flip(0)[::-1], "dim 0 runs backwards"),
    (lambda x: x.flatten()[::2], "evenly spaced: view(-1) works without a copy"),
    (lambda x: corten.view_as_complex(x.view(3, 2)).conj(), "elements are the conjugates"),
    (lambda x: x[2:], "storage: 6 cells"),
    (lambda x: x.to("meta"), "|       |       |"),
    (lambda x: x[0, 0], "element [] is in cell 0\n"),
    (lambda x: x.as_strided((2,) * 40, (0,) * 20 + (0, 1) + (0,) * 18), "offset 0: element [i0,i1,"),
])
def test_remarks(make, remark):
    assert remark in str(corten.explain(make(corten.arange(6.).reshape(2, 3))))


def test_long_storages_show_the_part_that_matters():
    x = corten.arange(10 ** 6)
    text = str(corten.explain(x[777_777:888_888:10]))
    assert "777775 cells before" in text and "[0]" in text and "[4]" in text and "[5]" not in text
    many = str(corten.explain(x.as_strided((2,) * 40, (1,) * 40)))  # 2**40 elements must not take forever
    assert "999952 cells more" in many


@pytest.mark.parametrize("shapes", [[(3, 4), (4,)], [(3, 4), (3,)], [(3, 4), (2, 4)], [(2, 3), (2, 3)], [(2, 1, 3, 1, 5), (4, 1)], [(), ()]])
def test_all_of_the_text_is_in_the_picture(shapes):
    """Long text is wrapped rather than cut off, and has a background."""
    drawing = corten.explain(*shapes)
    root = xml.etree.ElementTree.fromstring(drawing._repr_svg_())
    width, height = float(root.get("width")), float(root.get("height"))
    words = [w for w in root.iter("{http://www.w3.org/2000/svg}text") if not w.get("text-anchor")]
    for word in words:
        letter = 0.6 * float(word.get("font-size") or root.get("font-size"))
        assert float(word.get("x")) + letter * len(word.text) <= width and float(word.get("y")) <= height
    assert " ".join(w.text for w in words if w.get("font-size")) == drawing.why()
    assert root[0].get("fill") == "#fff" and root[0].get("width") == root[0].get("height") == "100%"


def test_explain():
    assert repr(corten.explain(corten.ones(4, 1), corten.ones(5))).startswith('a      4  1\nb      .  5\nresult 4  5\n')
    bad = corten.explain((3, 4), (3,))
    assert bad.shape is None and 'b[:, None]' in repr(bad) and bad._repr_svg_().startswith('<svg')
    assert corten.explain((2, 3), (2, 3)).shape == (2, 3)
    assert 'image/png' in corten.zeros(3, 16, 16, dtype=corten.uint8)._repr_mimebundle_()
    assert corten.ones(1)._repr_mimebundle_() == {'text/plain': 'tensor([1.])'}

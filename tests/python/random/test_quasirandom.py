# SPDX-License-Identifier: BSD-3-Clause
"""Sobol sequences, compared with values recorded from PyTorch 2.15."""
import corten
import pytest
from corten.quasirandom import SobolEngine


def test_first_points():
    engine = SobolEngine(5)
    assert engine.draw(4).tolist() == [[0, 0, 0, 0, 0], [.5, .5, .5, .5, .5], [.75, .25, .25, .25, .75], [.25, .75, .75, .75, .25]]
    assert engine.num_generated == 4 and engine.draw().dtype == corten.float32
    assert repr(engine) == "SobolEngine(dimension=5)"


def test_direction_numbers_of_all_dimensions():
    state = SobolEngine(SobolEngine.MAXDIM).sobolstate
    assert state.shape == (21201, 30)
    assert state.sum(0)[[0, 9, 17, 29]].tolist() == [11382200205312, 11479683170304, 11410746806272, 11373497268355]
    assert state[-1, -3:].tolist() == [906168668, 56201214, 254952011]
    assert SobolEngine(1200).sobolstate.equal(state[:1200])


def test_scrambled():
    engine = SobolEngine(3, scramble=True, seed=7)
    assert engine.draw(3).tolist() == [
        [0.19947312772274017, 0.17093220353126526, 0.7493569254875183],
        [0.6922082901000977, 0.7114949226379395, 0.48982980847358704],
        [0.8505491018295288, 0.2962706387042999, 0.7879806160926819]]
    assert repr(engine) == "SobolEngine(dimension=3, scramble=True, seed=7)"
    engine = SobolEngine(4, scramble=True, seed=3)
    assert engine.sobolstate.sum() == 64294559000 and engine.shift.tolist() == [73513868, 241083994, 750744354, 67200864]
    points = engine.draw(5000, dtype=corten.float64)
    assert points[-1].tolist() == [0.24841103423386812, 0.5063111819326878, 0.39547254517674446, 0.22016035206615925]
    assert points[0].tolist() == [0.06846512854099274, 0.22452697157859802, 0.6991851925849915, 0.06258568167686462]
    assert engine.quasi.tolist() == [266729317, 543647492, 424635412, 236395378]


@pytest.mark.parametrize("scramble", [False, True])
def test_parts_are_parts_of_the_whole(scramble):
    whole = SobolEngine(7, scramble, seed=1).draw(4200)
    engine = SobolEngine(7, scramble, seed=1)
    parts = [engine.draw(n) for n in (1, 2, 1021, 1, 3000, 175)]
    assert corten.cat(parts).equal(whole)
    assert engine.reset().fast_forward(1500).draw(3).equal(whole[1500:1503])
    assert engine.fast_forward(0).fast_forward(7).draw(1).equal(whole[1510:1511])
    out = corten.empty(0)
    assert engine.reset().draw_base2(3, out=out) is out and out.equal(whole[:8])
    assert all(sorted((column * 8).int().tolist()) == list(range(8)) for column in out.T)  # one point in each eighth of [0, 1)


def test_what_is_refused():
    for dimension in 0, 21202:
        with pytest.raises(ValueError, match=r"Supported range of dimensionality for SobolEngine is \[1, 21201\]"):
            SobolEngine(dimension)
    engine = SobolEngine(1)
    engine.draw(3)
    with pytest.raises(ValueError, match="require n to be a power of 2. 3 points have been previously generated"):
        engine.draw_base2(1)


def test_the_default_device_does_not_matter():
    with corten.device("meta"):
        assert SobolEngine(2).draw(2).tolist() == [[0, 0], [.5, .5]]

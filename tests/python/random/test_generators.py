# SPDX-License-Identifier: BSD-3-Clause
"""Generators and the default generator: seeds, states, and refused arguments."""
import corten as ct
import pytest


def test_generators():
    g = ct.Generator()
    assert g.initial_seed() == 67280421310721 and g.device == ct.device("cpu")
    state = g.manual_seed(7).get_state()
    assert state.dtype is ct.uint8 and state.shape == (5056,)
    other = ct.Generator()
    other.set_state(state)
    assert (other.get_state() == state).all()
    assert (g.clone_state().get_state() == state).all()
    assert g.seed() == g.initial_seed()
    with pytest.raises(TypeError, match="RNG state must be a torch.ByteTensor"):
        g.set_state(ct.zeros(5056))


def test_default_generator():
    assert ct.manual_seed(5) is ct.default_generator
    assert ct.initial_seed() == 5
    state = ct.get_rng_state()
    ct.manual_seed(6)
    ct.set_rng_state(state)
    assert ct.initial_seed() == 5
    assert ct.manual_seed(-1) is ct.default_generator


def test_seeds_that_do_not_fit():
    with pytest.raises(ValueError, match="Overflow when unpacking"):
        ct.manual_seed(2**70)

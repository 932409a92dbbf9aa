# SPDX-License-Identifier: BSD-3-Clause
"""vmap gives the same results as calling the function on each example separately."""
import pytest

import corten as torch
from corten.func import grad, jacfwd, jacrev, jvp, vjp, vmap
from corten.nn import functional as F

ROWS = torch.arange(6.).view(3, 2)
DRAWS = {
    "rand": lambda x: torch.rand(2), "randn_like": torch.randn_like, "normal_": lambda x: x.clone().normal_(),
    "dropout": lambda x: F.dropout(x, 0.5), "randperm": lambda x: torch.randperm(4), "bernoulli": lambda x: torch.bernoulli(x * 0 + 0.5),
    "multinomial": lambda x: torch.multinomial(x + 1, 1), "randint": lambda x: torch.randint(9, (2,)),
    "generator": lambda x: torch.rand(2, generator=GENERATOR), "poisson": lambda x: torch.poisson(x),
    "under grad": lambda x: grad(lambda y: (y * torch.rand(2)).sum())(x), "nested": lambda x: vmap(lambda y: y + torch.rand(()), randomness="same")(x),
}
GENERATOR = torch.Generator()


@pytest.mark.parametrize("name", DRAWS)
def test_drawing_is_an_error_unless_it_is_allowed(name):
    states = torch.get_rng_state(), GENERATOR.get_state()
    for transform in (vmap, jacfwd):
        with pytest.raises(RuntimeError, match="called random operation while in randomness error mode"):
            transform(lambda x: DRAWS[name](x) + x.sum())(ROWS if transform is vmap else ROWS[0])
    assert torch.equal(states[0], torch.get_rng_state()) and torch.equal(states[1], GENERATOR.get_state())
    vmap(DRAWS[name], randomness="different")(ROWS)


def test_same_numbers_for_all():
    for name in ("rand", "generator", "randperm"):
        one, two, three = vmap(DRAWS[name], randomness="same")(ROWS)
        assert torch.equal(one, two) and torch.equal(one, three)
        again = vmap(DRAWS[name], randomness="same")(ROWS)[0]
        assert not torch.equal(one, again) or name == "randperm"
    assert vmap(DRAWS["rand"], randomness="different")(ROWS).unique().numel() == 6
    assert vmap(lambda x: F.dropout(x, training=False))(ROWS).tolist() == ROWS.tolist()


WRITES = {
    "add_": lambda c, x: c.add_(x), "copy_": lambda c, x: c.copy_(x), "item": lambda c, x: c.__setitem__(0, x[0]),
    "out=": lambda c, x: torch.add(x, 1, out=c), "+=": lambda c, x: c.__iadd__(x), "view": lambda c, x: c[:1].mul_(x[0]),
    "fill_": lambda c, x: c.fill_(x[0]), "relu_": lambda c, x: F.relu(c, inplace=True), "zero_": lambda c, x: c.zero_(),
    "set_": lambda c, x: c.set_(x), "index_add_": lambda c, x: c.index_add_(0, torch.arange(2), x),
    "normalize": lambda c, x: F.batch_norm(x.view(1, 2, 1).expand(3, 2, 1), c, c.clone(), training=True),
}


@pytest.mark.parametrize("name", WRITES)
def test_writes_into_captured_tensors(name):
    def write(x):
        WRITES[name](captured, x)
        return x.sum()
    captured = torch.full((2,), 5.)
    for run in (lambda: vmap(write)(ROWS), lambda: grad(write)(ROWS[0]), lambda: vjp(write, ROWS[0]), lambda: jvp(write, (ROWS[0],), (ROWS[0],)),
                lambda: jacrev(write)(ROWS[0]), lambda: jacfwd(write)(ROWS[0]), lambda: vmap(grad(write))(ROWS),
                lambda: grad(lambda x: vmap(write)(x).sum())(ROWS)):
        with pytest.raises(RuntimeError):
            run()
        assert captured.tolist() == [5, 5] and not captured.requires_grad
    captured.add_(1)  # outside the transform it can still be written


def test_writes_that_are_allowed():
    rows = ROWS.clone()
    assert vmap(lambda x: x.add_(1))(rows).tolist() == rows.tolist() == (ROWS + 1).tolist()
    assert vmap(lambda x: torch.zeros(2).add_(x))(ROWS).tolist() == ROWS.tolist()
    assert grad(lambda x: x.clone().mul_(2).sum())(ROWS[0]).tolist() == [2, 2]
    assert jvp(lambda x: x.mul_(2), (torch.ones(2),), (torch.ones(2),))[1].tolist() == [2, 2]
    with pytest.raises(RuntimeError):
        vmap(lambda x, shared: shared.add_(x), in_dims=(0, None))(ROWS, torch.ones(2))


def test_no_examples():
    assert vmap(lambda x: x * 2)(torch.zeros(0, 3)).shape == (0, 3)
    one, two = vmap(lambda x, y: (x.sum() + y.sum(), x.long()), in_dims=(0, None), out_dims=(0, 1))(torch.zeros(0, 3), torch.ones(2))
    assert one.shape == (0,) and two.shape == (3, 0) and two.dtype == torch.int64
    assert jacfwd(lambda x: x * 2)(torch.zeros(0)).shape == (0, 0)


def test_arguments():
    assert vmap(lambda x, y=None: x + y)(ROWS, y=ROWS).shape == (3, 3, 2)  # keyword arguments are not batched
    assert vmap(lambda x: (x, 3), out_dims=(0, None))(ROWS)[1] == 3
    for options, text in (({"out_dims": None}, "can not return a BatchedTensor"), ({"out_dims": "a"}, "must be an int, None or a python"),
                          ({"out_dims": (0, 0)}, "not compatible with the structure of `outputs`"), ({"in_dims": [0]}, "expected `in_dims` to be"),
                          ({"in_dims": (None,)}, "Expected at least one Tensor"), ({"in_dims": (0, 0)}, "structure of `inputs`")):
        with pytest.raises(ValueError, match=text):
            vmap(lambda x: x, **options)(ROWS)


class Plain(torch.autograd.Function):
    forward = staticmethod(lambda x: x * 2)
    setup_context = staticmethod(lambda ctx, inputs, output: None)
    backward = staticmethod(lambda ctx, g: g * 2)


class Ruled(Plain):
    seen = []

    @staticmethod
    def vmap(info, in_dims, x):
        Ruled.seen.append((info.randomness, in_dims))
        return Plain.forward(x.movedim(in_dims[0], -1)), -1


class Generated(Plain):
    generate_vmap_rule = True


class Both(Ruled):
    generate_vmap_rule = True


class Old(torch.autograd.Function):
    generate_vmap_rule = True
    forward = staticmethod(lambda ctx, x: x * 2)


def test_functions():
    for f in (Ruled.apply, Generated.apply):
        assert vmap(f)(ROWS).tolist() == (ROWS * 2).tolist()
        assert vmap(vmap(f))(ROWS).tolist() == (ROWS * 2).tolist()
        assert vmap(grad(lambda x: f(x).sum()))(ROWS).tolist() == [[2, 2]] * 3
        assert grad(lambda x: vmap(f)(x).sum())(ROWS).tolist() == [[2, 2]] * 3
    assert Ruled.seen[0] == ("error", (0,))
    for f, text in ((Plain, "it does not have vmap support"), (Both, "both generate_vmap_rule=True and an overridden"), (Old, "must override the setup_context")):
        with pytest.raises(RuntimeError, match=text):
            vmap(f.apply)(ROWS)
        assert f.apply(ROWS[0]).tolist() == [0, 2]

    class Wrong(Plain):
        vmap = staticmethod(lambda info, in_dims, x: x)
    with pytest.raises(RuntimeError, match="Expected the vmap staticmethod to have two returns"):
        vmap(Wrong.apply)(ROWS)

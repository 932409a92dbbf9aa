# SPDX-License-Identifier: BSD-3-Clause
"""torch.autograd.functional returns results of the same class as its inputs."""
import corten


def test_gradients_of_subclasses():
    class Mine(corten.Tensor):
        pass

    x = corten.tensor([1., 2.]).as_subclass(Mine)
    functional = corten.autograd.functional
    assert type(functional.jacobian(lambda x: x * x, x)) is Mine
    assert repr(functional.hessian(lambda x: (x * x).sum(), x)) == "Mine([[2., 0.],\n      [0., 2.]])"
    for name in "vjp", "jvp", "hvp", "vhp":
        value, product = getattr(functional, name)(lambda x: (x * x).sum(), x, *(() if name == "vjp" else (x,)))
        assert type(value) is type(product) is Mine
    leaf = corten.ones(2).as_subclass(Mine).requires_grad_()
    found, = corten.autograd.grad((leaf * 3).sum(), leaf)
    assert type(found) is Mine and found.tolist() == [3, 3]

# SPDX-License-Identifier: BSD-3-Clause
"""In-place arithmetic with sparse tensors: data types, layouts, and values compared with dense tensors."""
import itertools

import corten
import pytest

TYPES = [corten.bool, corten.uint8, corten.int32, corten.int64, corten.float16, corten.bfloat16, corten.float32,
         corten.float64, corten.complex64]


def dense(dtype):
    return corten.tensor([[1, 0], [0, 2]], dtype=dtype)


def twice(dtype):
    """An uncoalesced tensor: two values for one element."""
    return corten.sparse_coo_tensor([[0, 0, 1], [0, 0, 1]], corten.tensor([1, 1, 1], dtype=dtype), (2, 2))


SPARSE = {"coo": lambda d: dense(d).to_sparse(), "twice": twice, "hybrid": lambda d: dense(d).to_sparse(1),
          "csr": lambda d: dense(d).to_sparse_csr(), "csc": lambda d: dense(d).to_sparse_csc(),
          "none": lambda d: corten.zeros(2, 2, dtype=d).to_sparse()}


def subtracts(one, two):
    return corten.bool not in (one, two)


@pytest.mark.parametrize("op", ["add_", "sub_", "mul_"])
@pytest.mark.parametrize("kind", SPARSE)
def test_types(op, kind):
    """The tensor keeps its type and layout, or the call raises as for dense tensors."""
    for one, two in itertools.product(TYPES, TYPES):
        if op == "sub_" and not subtracts(one, two):
            continue
        for make in (SPARSE[kind], dense):
            x, y = make(one), SPARSE[kind](two)
            layout, before = x.layout, x.to_dense()
            fits = corten.can_cast(corten.promote_types(one, two), one)
            wide = corten.promote_types(one, two)  # two bool values of one element sum to 2 after promotion
            want = getattr(before.to(wide), op)(y.to_dense() if op == "mul_" else y.to(wide).to_dense()) if fits else None
            if kind == "none" and op == "mul_":
                fits, want = True, corten.zeros(2, 2)
            if fits:
                got = getattr(x, op)(y)
                assert got is x and x.dtype == one and x.layout == layout, (one, two)
                if one != corten.bool:
                    assert corten.equal(x.to_dense().to(corten.complex128), want.to(one).to(corten.complex128)), (one, two)
            else:
                with pytest.raises(RuntimeError, match="an't"):
                    getattr(x, op)(y)
                assert x.dtype == one and corten.equal(x.to_dense(), before)


@pytest.mark.parametrize("kind", ["coo", "twice", "hybrid"])
def test_values_multiply_in_their_type(kind):
    """Multiplying COO values by a number or a dense tensor works in place, in the type of the values."""
    for factor in (corten.tensor(1.5, dtype=corten.float64), corten.full((2, 2), 1.5, dtype=corten.float64)):
        x = SPARSE[kind](corten.int64)
        with pytest.raises(RuntimeError, match=r"dtype of values \((Float|Double)\) must match dtype of sparse tensor \(Long\)"):
            x.mul_(factor)
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output type Long"):
        SPARSE[kind](corten.int64).div_(2)
    x = SPARSE[kind](corten.float32)
    assert x.mul_(corten.tensor(2.0, dtype=corten.float64)) is x and x.dtype == corten.float32
    assert x.div_(4).dtype == corten.float32
    with pytest.raises(RuntimeError, match="can't be cast"):
        SPARSE[kind](corten.int32).sqrt_()


def test_difference_of_unsigned():
    """Subtraction negates after promotion; negating in uint8 would turn 1 into 255."""
    for kind in SPARSE.values():
        for base in (dense(corten.int32), SPARSE["coo"](corten.int32)):
            if not base.is_sparse or kind in (SPARSE["coo"], SPARSE["twice"]):
                got = base - kind(corten.uint8)
                assert got.dtype == corten.int32
                assert corten.equal(got.to_dense(), base.to_dense() - kind(corten.uint8).to_dense())
    with pytest.raises(RuntimeError, match="Subtraction, the `-` operator, with two bool tensors"):
        SPARSE["coo"](corten.bool) - SPARSE["coo"](corten.bool)


def test_products_of_truths():
    for kind in SPARSE.values():
        assert (kind(corten.bool) * kind(corten.bool)).dtype == corten.bool


def test_dense_takes_the_product():
    x = corten.arange(4.0).reshape(2, 2)
    x.mul_(dense(corten.float32).to_sparse())
    assert x.tolist() == [[0, 0], [0, 6]]
    with pytest.raises(RuntimeError, match="cannot become in place"):
        dense(corten.float32).to_sparse_csr().add_(corten.ones(2, 2))


def test_gradients_of_mixed_types():
    w = corten.tensor([1.0, 2.0], dtype=corten.float64, requires_grad=True)
    other = corten.sparse_coo_tensor([[0, 1], [0, 1]], w, (2, 2))
    x = dense(corten.float32).to_sparse() * 1
    x.add_(other)
    assert x.dtype == corten.float32
    (x.to_dense() * corten.tensor([[3.0, 0], [0, 5]])).sum().backward()
    assert w.grad.dtype == corten.float64 and w.grad.tolist() == [3, 5]


def test_copies():
    x = SPARSE["coo"](corten.float32)
    with pytest.raises(RuntimeError, match=r"number of sparse dimensions \(from 2 to 1\)"):
        x.copy_(SPARSE["hybrid"](corten.float32))
    assert x.copy_(SPARSE["twice"](corten.int64)).dtype == corten.float32 and x.to_dense().tolist() == [[2, 0], [0, 1]]
    assert SPARSE["none"](corten.int32).copy_(SPARSE["hybrid"](corten.float64)).dense_dim() == 1


def test_one_number():
    """A zero-dimensional `values` is the value of a single entry."""
    x = corten.sparse_coo_tensor(corten.tensor([[0], [1]]), corten.tensor(2.0), (3, 3))
    assert x._nnz() == 1 and x.to_dense()[0, 1] == 2 and x.to_dense().sum() == 2
    assert corten.sparse_coo_tensor([[1]], 3, (2,)).to_dense().tolist() == [0, 3]
    with pytest.raises(RuntimeError, match="got nnz from indices: 2, nnz from values: 1"):
        corten.sparse_coo_tensor([[0, 1]], corten.tensor(2.0), (3,))


def test_no_dims_and_no_values():
    x = corten.sparse_coo_tensor(corten.zeros(0, 2, dtype=corten.int64), corten.tensor([1.0, 2.0]), ())
    assert x.to_dense() == 3 and x.add_(x.clone()).to_dense() == 6 and x.mul_(2).to_dense() == 12
    y = corten.zeros(0, 3, layout=corten.sparse_coo)
    assert y.add_(y).shape == (0, 3) and y.mul_(2)._nnz() == 0


def test_switch_of_checks():
    switch = corten.sparse.check_sparse_tensor_invariants

    @switch(enable=True)
    def on(x, *, y):
        """Its docstring."""
        return switch.is_enabled(), x, y

    @switch()
    def fails():
        raise KeyError
    assert on(1, y=2) == (True, 1, 2) and not switch.is_enabled()
    assert on.__doc__ == "Its docstring." and on.__name__ == "on"
    with pytest.raises(KeyError):
        fails()
    assert not switch.is_enabled()
    with switch(), switch(False):
        assert not switch.is_enabled()
    one = switch()
    with one, pytest.raises(RuntimeError, match="already activated"):
        with one:
            pass
    assert not switch.is_enabled()
    with switch(), pytest.raises(RuntimeError, match="sorted and distinct"):
        corten.sparse_csr_tensor([0, 2], [1, 0], [1.0, 2.0])

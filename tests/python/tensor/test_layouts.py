# SPDX-License-Identifier: BSD-3-Clause
"""Every function that creates tensors obeys or refuses layout=."""
import corten
import pytest

SPARSE = [corten.sparse_coo, corten.sparse_csr, corten.sparse_csc]
BLOCKS = [corten.sparse_bsr, corten.sparse_bsc]
X = corten.ones(2, 3)
MAKERS = {
    "empty": lambda n: corten.empty(2, 3, layout=n), "zeros": lambda n: corten.zeros(2, 3, layout=n),
    "zeros_like": lambda n: corten.zeros_like(X, layout=n), "new_empty": lambda n: X.new_empty((2, 3), layout=n),
    "new_zeros": lambda n: X.new_zeros((2, 3), layout=n),
    "aten": lambda n: corten.ops.aten.zeros([2, 3], layout=n),
    "empty_like": lambda n: corten.empty_like(X.to_sparse(), layout=n),
}
DENSE = {
    "ones": lambda n: corten.ones(2, 3, layout=n), "full": lambda n: corten.full((2, 3), 1.0, layout=n),
    "rand": lambda n: corten.rand(2, 3, layout=n), "randn": lambda n: corten.randn(2, 3, layout=n),
    "randint": lambda n: corten.randint(5, (2, 3), layout=n), "randperm": lambda n: corten.randperm(3, layout=n),
    "arange": lambda n: corten.arange(3, layout=n), "range": lambda n: corten.range(0, 3, layout=n),
    "linspace": lambda n: corten.linspace(0, 1, 3, layout=n), "logspace": lambda n: corten.logspace(0, 1, 3, layout=n),
    "eye": lambda n: corten.eye(3, layout=n), "empty_strided": lambda n: corten.empty_strided((2, 3), (3, 1), layout=n),
    "empty_permuted": lambda n: corten.empty_permuted((2, 3), (0, 1), layout=n),
    "empty_like": lambda n: corten.empty_like(X, layout=n), "ones_like": lambda n: corten.ones_like(X, layout=n),
    "full_like": lambda n: corten.full_like(X, 2, layout=n), "rand_like": lambda n: corten.rand_like(X, layout=n),
    "randn_like": lambda n: corten.randn_like(X, layout=n), "randint_like": lambda n: corten.randint_like(X, 5, layout=n),
    "new_ones": lambda n: X.new_ones((2, 3), layout=n), "new_full": lambda n: X.new_full((2, 3), 1.0, layout=n),
    "new_empty_strided": lambda n: X.new_empty_strided((2, 3), (3, 1), layout=n),
    "tril_indices": lambda n: corten.tril_indices(3, 3, layout=n), "triu_indices": lambda n: corten.triu_indices(3, 3, layout=n),
    "fftfreq": lambda n: corten.fft.fftfreq(4, layout=n), "rfftfreq": lambda n: corten.fft.rfftfreq(4, layout=n),
    "normal": lambda n: corten.normal(0.0, 1.0, (2, 3), layout=n), "scalar_tensor": lambda n: corten.scalar_tensor(1, layout=n),
    "to_copy": lambda n: corten.ops.aten._to_copy(X, layout=n),
}


@pytest.mark.parametrize("name", MAKERS)
def test_obeyed(name):
    for layout in SPARSE:
        x = MAKERS[name](layout)
        assert x.layout == layout and x.shape == (2, 3) and x._nnz() == 0 and x.dtype == corten.float32
        assert x.to_dense().tolist() == [[0, 0, 0]] * 2
    assert MAKERS[name](corten.strided).layout == corten.strided
    for layout in BLOCKS:
        with pytest.raises(RuntimeError, match="block"):
            MAKERS[name](layout)


@pytest.mark.parametrize("name", DENSE)
def test_refused(name):
    for layout in [*SPARSE, *BLOCKS]:
        with pytest.raises(RuntimeError) as error:
            DENSE[name](layout)
        assert "must be torch.layout" not in str(error.value)
    assert DENSE[name](corten.strided).layout == corten.strided
    assert DENSE[name](None).layout == corten.strided


def test_windows():
    for name in ("bartlett", "blackman", "hamming", "hann", "kaiser"):
        with pytest.raises(RuntimeError, match=f"{name}_window is not implemented for sparse types"):
            getattr(corten, f"{name}_window")(4, layout=corten.sparse_coo)
    for name in corten.signal.windows.__all__:
        more = {"general_cosine": ([0.5, 0.5],), "general_hamming": ()}.get(name, ())
        with pytest.raises(ValueError, match="is implemented for strided tensors only, got: torch.sparse_csr"):
            getattr(corten.signal.windows, name)(4, *more, layout=corten.sparse_csr) if name != "general_cosine" else \
                corten.signal.windows.general_cosine(4, a=[0.5, 0.5], layout=corten.sparse_csr)


def test_options():
    x = corten.zeros((2, 3), layout=corten.sparse_csr, dtype=corten.float64, requires_grad=True)
    assert x.dtype == corten.float64 and x.requires_grad and x.is_leaf
    assert corten.zeros(4, layout=corten.sparse_coo, dtype=corten.int8).dtype == corten.int8
    assert corten.zeros_like(X.double(), layout=corten.sparse_csc).dtype == corten.float64
    with pytest.raises(RuntimeError, match="Only batched sparse compressed"):
        corten.zeros(3, layout=corten.sparse_csr)
    with pytest.raises(RuntimeError):
        corten.zeros(-1, layout=corten.sparse_coo)
    assert corten.zeros((), layout=corten.sparse_coo).to_dense() == 0


def test_like_sparse():
    """new_* and *_like of a sparse tensor are sparse, unless layout= asks for a dense one."""
    s = X.to_sparse()
    assert s.new_zeros((4, 2)).layout == corten.sparse_coo and s.new_empty((4, 2)).shape == (4, 2)
    assert s.to_sparse_csr().new_zeros((4, 2)).layout == corten.sparse_csr
    assert s.new_zeros((4,), layout=corten.strided).tolist() == [0] * 4
    assert corten.zeros_like(s, layout=corten.strided).tolist() == [[0] * 3] * 2
    assert corten.ones_like(s, layout=corten.strided).tolist() == [[1] * 3] * 2
    assert corten.full_like(s, 7, layout=corten.strided, dtype=corten.int64).tolist() == [[7] * 3] * 2
    assert corten.rand_like(s, layout=corten.strided).shape == (2, 3)
    with pytest.raises(NotImplementedError):
        corten.ones_like(s)


def test_overrides_come_first():
    """An override of __torch_function__ receives layout=."""
    class Mine(corten.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            return kwargs.get("layout")
    assert corten.zeros_like(corten.ones(2).as_subclass(Mine), layout=corten.sparse_csr) == corten.sparse_csr

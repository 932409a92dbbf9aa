# SPDX-License-Identifier: BSD-3-Clause
"""`out=` arguments: which memory is written, and in which order random functions fill it."""
import pytest

import corten as torch


@pytest.mark.parametrize("call", [
    lambda out: torch.arange(4, out=out), lambda out: torch.arange(0, 4, out=out), lambda out: torch.arange(0, 4., 1, out=out),
    lambda out: torch.range(0, 3, out=out), lambda out: torch.linspace(0, 3, 4, out=out),
    lambda out: torch.linspace(torch.tensor(0), 3, 4, out=out), lambda out: torch.linspace(0, torch.tensor(3), 4, out=out),
    lambda out: torch.linspace(torch.tensor(0), torch.tensor(3), 4, out=out),
    lambda out: torch.logspace(0, 3, 4, out=out).log10_().round_(),
    lambda out: torch.logspace(torch.tensor(0), torch.tensor(3), 4, out=out).log10_().round_()])
@pytest.mark.filterwarnings("ignore:torch.range")
def test_numbers_in_order_go_into_a_view_with_as_many_elements(call):
    x = torch.full((2, 3), 7.)
    out = x.narrow(1, 1, 2)
    assert call(out) is out and out.shape == (2, 2) and out.stride() == (3, 1)
    assert x.tolist() == [[7, 0, 1], [7, 2, 3]]
    x = torch.full((2, 2), 7.)
    call(x.t())
    assert x.tolist() == [[0, 2], [1, 3]]


def test_numbers_in_order_resize_a_result_with_another_number_of_elements():
    x = torch.empty(0)
    assert torch.arange(3, out=x).tolist() == [0, 1, 2] and x.shape == (3,)
    assert torch.linspace(0, 3, 4, out=torch.empty(0)).tolist() == [0, 1, 2, 3]


# PyTorch 2.15 draws normal numbers sixteen at a time for contiguous memory, and in pairs for a view with gaps.
@pytest.mark.parametrize("call", [
    lambda out: torch.randn(6, 6, out=out), lambda out: torch.normal(0., 1., (6, 6), out=out),
    lambda out: torch.normal(torch.zeros(6, 6), 1., out=out), lambda out: torch.normal(0., torch.ones(6, 6), out=out),
    lambda out: torch.normal(torch.zeros(6, 6), torch.ones(6, 6), out=out)])
def test_normal_numbers_are_drawn_in_the_order_of_the_result(call):
    base = torch.zeros(6, 12)
    torch.manual_seed(3)
    call(base[:, ::2])
    torch.manual_seed(3)
    want = torch.zeros(6, 12)[:, ::2].normal_()
    assert base[:, ::2].tolist() == want.tolist() and not base[:, 1::2].any()
    torch.manual_seed(3)
    got = call(torch.zeros(6, 6))
    torch.manual_seed(3)
    assert got.tolist() == torch.zeros(6, 6).normal_().tolist() != want.tolist()


def test_normal_numbers_into_the_memory_of_their_means():
    torch.manual_seed(3)
    x = torch.full((4,), 100.)
    torch.normal(x, 1., out=x)
    torch.manual_seed(3)
    assert x.tolist() == torch.normal(torch.full((4,), 100.), 1.).tolist()


@pytest.fixture
def deterministic():
    torch.use_deterministic_algorithms(True)
    yield
    torch.use_deterministic_algorithms(False)
    torch.utils.deterministic.fill_uninitialized_memory = True


@pytest.mark.parametrize("dtype, most", [(torch.int64, 2**63 - 1), (torch.uint64, 2**64 - 1), (torch.uint8, 255), (torch.int8, 127),
                                         (torch.bool, True), (torch.float32, None), (torch.bfloat16, None), (torch.complex64, None)])
def test_new_memory_is_filled_for_deterministic_programs(deterministic, dtype, most):
    zero, like = torch.zeros(1, dtype=dtype), torch.zeros(2, 2, dtype=dtype)
    made = [torch.empty(4, dtype=dtype), torch.empty(4, out=zero.clone()), torch.empty(4, out=torch.zeros(4, dtype=dtype)),
            torch.empty_strided((2, 2), (1, 2), dtype=dtype), torch.empty_permuted((2, 2), (1, 0), dtype=dtype), torch.empty_like(like),
            zero.new_empty(4), zero.new_empty_strided((4,), (1,)), torch.empty(1, 2, 1, 2, dtype=dtype, memory_format=torch.channels_last),
            zero.clone().resize_(5)[1:], zero.clone().resize_as_(like).flatten()[1:], like.clone()[1].resize_(4)[2:]]
    for x in made:
        assert x.isnan().all() if most is None else x.flatten().tolist() == [most] * x.numel()


def test_only_new_memory_is_filled(deterministic):
    base = torch.zeros(8)
    torch.empty(4, out=base[2:3])
    assert base[2:6].isnan().all() and not base[:2].any() and not base[6:].any()
    assert base.zero_()[2:3].resize_(4).tolist() == [0] * 4
    gaps = torch.zeros(3, 3)
    torch.empty(3, 2, out=gaps[:, :2])
    assert gaps[:, :2].isnan().all() and gaps[:, 2].tolist() == [0] * 3
    torch.utils.deterministic.fill_uninitialized_memory = False
    assert torch.empty(4, out=torch.zeros(4)).tolist() == [0] * 4

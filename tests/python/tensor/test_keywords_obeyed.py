# SPDX-License-Identifier: BSD-3-Clause
"""Keywords and settings that change the behaviour of a call; none is silently ignored."""
import io

import pytest

import corten as torch


@pytest.mark.parametrize('keywords', [{'foo': 1}, {'fix_imports': True}, {'errors': 'strict'}])
def test_load_refuses_keywords_that_its_reader_does_not_know(keywords):
    file = io.BytesIO()
    torch.save(torch.ones(1), file)
    file.seek(0)
    with pytest.warns(UserWarning, match='pickle_load_args'), pytest.raises(TypeError, match=next(iter(keywords))):
        torch.load(file, **keywords)


@pytest.mark.parametrize('data', [[1], 1., torch.ones(1, device='cpu'), bytearray(4)])
def test_asarray_goes_to_the_default_device(data):
    torch.set_default_device('meta')
    try:
        made = torch.asarray(data, dtype=torch.int32)
        kept = torch.asarray(data, dtype=torch.int32, device='cpu')
    finally:
        torch.set_default_device(None)
    assert made.device.type == 'meta' and kept.device.type == 'cpu'
    assert torch.asarray(data, dtype=torch.int32).device.type == 'cpu'


@pytest.mark.parametrize('make', [torch.tril_indices, torch.triu_indices])
def test_indices_of_triangles_have_a_shape_on_meta(make):
    for row in range(4):
        for col in range(4):
            for offset in range(-5, 6):
                expected = make(row, col, offset)
                found = make(row, col, offset, device='meta')
                assert found.shape == expected.shape and found.dtype == expected.dtype, (row, col, offset)


@pytest.mark.parametrize('name', ['Adam', 'AdamW'])
def test_fused_steps_on_the_cpu_may_be_capturable(name):
    made = []
    for capturable in (False, True):
        p = torch.ones(2, requires_grad=True)
        p.grad = torch.ones(2)
        getattr(torch.optim, name)([p], fused=True, capturable=capturable).step()
        made.append(p.detach())
    assert torch.equal(*made) and made[0][0] != 1


def test_foreach_powsum():
    lists = [torch.tensor([1., -2.]), torch.tensor([[3.]])]
    assert [t.tolist() for t in torch._foreach_powsum(lists)] == [5., 9.]
    assert [t.tolist() for t in torch._foreach_powsum(lists, 3)] == [9., 27.]
    assert [t.tolist() for t in torch._foreach_powsum(lists, 0)] == [2., 1.]
    wide = torch._foreach_powsum(lists, ord=1, dtype=torch.float64)
    assert [t.dtype for t in wide] == [torch.float64] * 2 and [t.tolist() for t in wide] == [3., 3.]
    assert torch._foreach_powsum([torch.tensor([3 + 4j])])[0].tolist() == 25.
    assert torch._foreach_powsum([torch.empty(0)])[0].tolist() == 0.
    with pytest.raises(NotImplementedError, match='"powsum_cpu" not implemented for \'Long\''):
        torch._foreach_powsum([torch.ones(2, dtype=torch.int32)])
    with pytest.raises(RuntimeError, match='at least one tensor'):
        torch._foreach_powsum([])
    x = torch.tensor([1., -2.], requires_grad=True)
    torch._foreach_powsum([x], 3)[0].backward()
    assert x.grad.tolist() == [3., -12.]


@pytest.mark.parametrize('call', [lambda x: x.cumsum_(0), lambda x: x.cumprod_(0), lambda x: x.renorm_(2, 0, 1.),
                                  lambda x: x.addr_(torch.ones(3), torch.ones(3))])
def test_expanded_tensors_are_not_written(call):
    x = torch.full((1, 3), 2.)
    with pytest.raises(RuntimeError, match='single memory location'):
        call(x.expand(3, 3))
    assert x.tolist() == [[2., 2., 2.]]

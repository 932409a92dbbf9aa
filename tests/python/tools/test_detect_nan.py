# SPDX-License-Identifier: BSD-3-Clause
"""detect_nan names the operation that made the first NaN, forward and backward."""
import pytest

import corten


# ---- NaN ----

def test_detect_nan():
    with corten.detect_nan():
        x = corten.tensor([-1., 4.])
        with pytest.raises(RuntimeError, match=r'(?s)sqrt made the first NaN: 1 of 2 elements.*test_detect_nan.py.*x.sqrt\(\)'):
            x.sqrt()
        known = corten.tensor([float('nan')])  # a NaN in the input data is not reported
        assert (known + 1).isnan().all()
    assert x.sqrt().isnan().any()
    with corten.detect_nan(inf=True), pytest.raises(RuntimeError, match='log made the first NaN'):
        corten.zeros(1).log()


def test_detect_nan_in_a_folder_of_our_name(tmp_path):
    """The user's source lines are shown even if the project is in a folder called corten."""
    folder = tmp_path / 'corten' / 'work'
    folder.mkdir(parents=True)
    (folder / 'mine.py').write_text('import corten\n'
                                    'def backward(x):\n'
                                    '    y = x.sqrt().sum() * 0.  # in forward\n'
                                    '    y.backward()\n'
                                    'def forward(x):\n'
                                    '    return x.log()  # the call\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        import mine
    x = corten.zeros(3, requires_grad=True)
    with pytest.raises(RuntimeError, match='(?s)made the first NaN, in backward.*in forward$'), corten.detect_nan():
        mine.backward(x)
    with pytest.raises(RuntimeError, match='(?s)mine.py.*the call'), corten.detect_nan():
        mine.forward(-corten.ones(1))


# ---- networks: names and initial values as torchvision's ----

def test_nan_in_backward_is_named():
    x = corten.zeros(2, requires_grad=True)
    with pytest.raises(RuntimeError, match=r'SqrtBackward0 made the first NaN, in backward(.|\n)*test_detect_nan.py(.|\n)*root = ') as caught:
        with corten.detect_nan():
            root = x.sqrt() * 0
            root.sum().backward()
    assert 'returned nan values' in str(caught.value.__cause__)
    assert not corten.is_anomaly_enabled()
    with corten.detect_nan():
        y = corten.ones(2, requires_grad=True)
        y.sqrt().sum().backward()
    assert y.grad.tolist() == [0.5, 0.5]

# SPDX-License-Identifier: BSD-3-Clause
"""docs/conformance.md lists all names that raise, arguments without an effect, and constant functions."""
import subprocess
import sys

import corten
import not_there
import pytest
from corten import _missing


def test_the_page_lists_what_is_not_there():
    # In a separate process, because it imports all modules, which would affect other tests.
    shown = subprocess.run([sys.executable, not_there.__file__], capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    print(shown.stdout)
    assert shown.stdout.strip() in not_there.PAGE.read_text(), 'run tests/style/not_there.py --write'


def test_refusals_say_what_to_use_instead():
    refuse = _missing.missing_function('torch.nothing.at_all', 'use something')
    try:
        with pytest.raises(NotImplementedError, match='^torch.nothing.at_all is not available in Corten: use something$'):
            refuse(1, x=2)
        kind = _missing.missing_class('torch.nothing.Kind', 'use another')
        assert issubclass(type('Derived', (kind[int],), {}), kind) and not isinstance(corten.ones(1), kind)
        with pytest.raises(_missing.MissingFeature, match='^torch.nothing.Kind is not available in Corten: use another$'):
            kind()
    finally:
        for name in ('at_all', 'Kind'):
            _missing.MISSING.pop(f'torch.nothing.{name}', None)


def test_no_effect_warns_once():
    with pytest.warns(UserWarning, match='^f\\(x=1\\) has no effect in Corten: nothing happens$') as heard:
        for _ in range(3):
            _missing.no_effect('f(x=1)', 'nothing happens')
    assert len(heard) == 1


def test_quantization_says_that_it_is_not_there():
    import corten.quantization
    linear = corten.nn.Linear(2, 2)
    for call in (lambda: corten.quantize_per_tensor(corten.ones(2), 0.1, 0, corten.qint8),
                 lambda: corten.ao.quantization.quantize_dynamic(linear, {corten.nn.Linear}, dtype=corten.qint8),
                 lambda: corten.quantization.prepare(linear), lambda: corten.ao.quantization.MinMaxObserver()):
        with pytest.raises(_missing.MissingFeature, match='there are no quantized tensors'):
            call()
    assert corten.dequantize([corten.ones(2, dtype=corten.float16)])[0].dtype == corten.float32

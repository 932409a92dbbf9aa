# SPDX-License-Identifier: BSD-3-Clause
"""Networks with quantization stubs compute as usual; converting them raises, since Corten has no quantization."""
import corten
import pytest


class Net(corten.nn.Module):
    def __init__(self):
        super().__init__()
        self.quant, self.dequant = corten.ao.quantization.QuantStub(), corten.ao.quantization.DeQuantStub()
        self.linear, self.skip = corten.nn.Linear(3, 3), corten.nn.quantized.FloatFunctional()

    def forward(self, x):
        x = self.quant(x)
        return self.dequant(self.skip.add_relu(self.linear(x), x))


def test_a_network_with_stubs():
    net, x = Net(), corten.randn(2, 3)
    assert corten.equal(net(x), corten.relu(net.linear(x) + x))
    assert [name for name, _ in net.named_modules()] == ['', 'quant', 'dequant', 'linear', 'skip', 'skip.activation_post_process']
    assert list(net.state_dict()) == ['linear.weight', 'linear.bias']
    wrapped = corten.quantization.QuantWrapper(corten.nn.Linear(3, 1).eval())
    assert wrapped(x).shape == (2, 1) and not wrapped.training and list(wrapped._modules) == ['quant', 'dequant', 'module']
    assert corten.ao.quantization.QuantStub('config').qconfig == 'config'


def test_functions_as_modules():
    f, x, y = corten.ao.nn.quantized.FloatFunctional(), corten.randn(2, 2), corten.randn(2, 2)
    seen = []
    f.activation_post_process.register_forward_hook(lambda module, args, result: seen.append(result))
    results = [f.add(x, y), f.mul(x, y), f.cat([x, y], dim=1), f.matmul(x, y), f.add_relu(x, y)]
    wanted = [x + y, x * y, corten.cat([x, y], 1), x @ y, (x + y).relu()]
    assert all(corten.equal(a, b) and a is s for a, b, s in zip(results, wanted, seen))
    assert corten.equal(f.add_scalar(x, 2.), x + 2) and corten.equal(f.mul_scalar(x, 2.), x * 2) and len(seen) == 5
    with pytest.raises(RuntimeError, match='FloatFunctional is not intended to use the forward'):
        f(x)


def test_quantized_layers_refuse():
    with pytest.raises(NotImplementedError, match='torch.ao.nn.quantized.Linear is not available in Corten'):
        corten.nn.quantized.Linear(1, 1)

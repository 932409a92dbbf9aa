# SPDX-License-Identifier: BSD-3-Clause
"""torch.ao.quantization, torch.quantization and functions of quantized tensors, which Corten does not have.

PyTorch has moved quantization to the package torchao. The names exist so that programs can import them; using one raises
MissingFeature. Networks that only contain stubs run unchanged (_stubs.py).
"""
from .._missing import missing_class, missing_function
from ._stubs import DeQuantStub, QuantStub, QuantWrapper

_INSTEAD = "there are no quantized tensors; keep weights in bfloat16, or as int8 tensors with scales of your own"
_FUNCTIONS = """
add_quant_dequant convert convert_jit default_eval_fn disable_fake_quant disable_observer enable_fake_quant enable_observer
fuse_modules fuse_modules_qat get_default_qat_qconfig get_default_qat_qconfig_mapping get_default_qconfig
get_default_qconfig_mapping get_observer_state_dict load_observer_state_dict prepare prepare_jit prepare_qat propagate_qconfig_
qconfig_equals quantize quantize_dynamic quantize_dynamic_jit quantize_jit quantize_qat swap_module"""
_CLASSES = """
FakeQuantize FakeQuantizeBase FixedQParamsFakeQuantize FusedMovingAvgObsFakeQuantize HistogramObserver MinMaxObserver
MovingAverageMinMaxObserver MovingAveragePerChannelMinMaxObserver NoopObserver ObserverBase PerChannelMinMaxObserver
PlaceholderObserver QConfig QConfigMapping RecordingObserver"""
# Functions in the main namespace torch.
_OF_TORCH = """
empty_quantized fake_quantize_per_channel_affine fake_quantize_per_tensor_affine fused_moving_avg_obs_fake_quant
quantize_per_channel quantize_per_tensor quantize_per_tensor_dynamic quantized_batch_norm quantized_gru_cell
quantized_lstm_cell quantized_max_pool1d quantized_max_pool2d quantized_max_pool3d quantized_rnn_relu_cell
quantized_rnn_tanh_cell q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point"""

__all__ = ["DeQuantStub", "QuantStub", "QuantWrapper", *_FUNCTIONS.split(), *_CLASSES.split()]

for _name in _FUNCTIONS.split():
    globals()[_name] = missing_function(f"torch.ao.quantization.{_name}", _INSTEAD)
for _name in _CLASSES.split():
    globals()[_name] = missing_class(f"torch.ao.quantization.{_name}", _INSTEAD)
for _name in _OF_TORCH.split():
    globals()[_name] = missing_function(f"torch.{_name}", _INSTEAD)
del _name


def dequantize(tensor):
    """Converts a tensor, or each in a list, to float32; there are no quantized tensors."""
    from .. import _C
    if isinstance(tensor, _C.Tensor):
        return tensor.to(_C.float32)
    return [dequantize(t) for t in tensor]


from . import _files  # noqa: E402

_files.make(__name__, _INSTEAD)

# SPDX-License-Identifier: BSD-3-Clause
"""The submodules of torch.ao.quantization from which programs import, such as torch.ao.quantization.observer."""
import sys
from types import ModuleType

from .._missing import missing_class, missing_function

_FILES = {
    "fake_quantize": "FakeQuantize FakeQuantizeBase FixedQParamsFakeQuantize FusedMovingAvgObsFakeQuantize default_fake_quant "
                     "default_weight_fake_quant disable_fake_quant disable_observer enable_fake_quant enable_observer",
    "fuse_modules": "fuse_known_modules fuse_modules fuse_modules_qat",
    "observer": "HistogramObserver MinMaxObserver MovingAverageMinMaxObserver MovingAveragePerChannelMinMaxObserver NoopObserver "
                "ObserverBase PerChannelMinMaxObserver PlaceholderObserver RecordingObserver UniformQuantizationObserverBase "
                "default_histogram_observer default_observer default_per_channel_weight_observer default_weight_observer",
    "qconfig": "QConfig default_qconfig get_default_qat_qconfig get_default_qconfig qconfig_equals",
    "qconfig_mapping": "QConfigMapping get_default_qat_qconfig_mapping get_default_qconfig_mapping",
    "quantize": "convert prepare prepare_qat quantize quantize_dynamic quantize_qat",
    "quantize_fx": "convert_fx convert_to_reference_fx fuse_fx prepare_fx prepare_qat_fx",
    "stubs": "DeQuantStub QuantStub QuantWrapper",
}


def make(package, instead):
    """Creates the submodules below `package`. Names that the package lacks raise MissingFeature, there and in the package."""
    outer = sys.modules[package]
    outer.__path__ = []  # makes it a package
    for file, names in _FILES.items():
        path = f"{package}.{file}"
        module = sys.modules[path] = ModuleType(path, "Names of quantization by PyTorch's file.")
        module.__all__ = names.split()
        for name in module.__all__:
            if not hasattr(outer, name):
                refuse = missing_class if name[0].isupper() else missing_function
                setattr(outer, name, refuse(f"torch.ao.quantization.{name}", instead))
            setattr(module, name, getattr(outer, name))
        if file not in vars(outer):  # a function with the name of its file takes precedence over the submodule
            setattr(outer, file, module)

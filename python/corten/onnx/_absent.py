# SPDX-License-Identifier: BSD-3-Clause
"""The parts of torch.onnx that build models. There is no export, so using these names raises MissingFeature."""
from .._missing import missing_modules

INSTEAD = "models cannot be exported to ONNX; save the state_dict() of the module"
_OPS = "dropout masked_fill select softmax squeeze unsqueeze"
missing_modules(__package__, INSTEAD, {
    "ops": "aten_decompositions attention rotary_embedding symbolic symbolic_multi_out",
    "testing": "assert_onnx_program",
    "symbolic_helper": "args_have_same_dtype cast_pytorch_to_onnx check_training_mode dequantize_helper is_complex_value quantize_helper "
                       "requantize_bias_helper scalar_name_to_pytorch scalar_type_to_onnx scalar_type_to_pytorch_type",
    **{f"symbolic_opset{n}": _OPS for n in range(7, 21)},
    "utils": "export select_model_mode_for_export",
})

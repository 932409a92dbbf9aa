# SPDX-License-Identifier: BSD-3-Clause
"""Corten: tensors with automatic differentiation, with PyTorch's names and results.

The C extension `_C` does nearly all the work. Submodules and the functions written in Python are imported on first access,
so that `import corten` takes milliseconds.
"""
from . import _C
from ._C import __version__, _neg_view, _pack_padded_sequence, _pad_packed_sequence, _sample_dirichlet, _standard_gamma

from builtins import float as _float  # before `float` becomes a data type

inf, nan = _float("inf"), _float("nan")
pi, e = 3.141592653589793, 2.718281828459045
newaxis = None

globals().update({name: value for name, value in vars(_C).items() if name[0] != "_"})
del DisableTorchFunction, DisableTorchFunctionSubclass  # only names of _C, as in PyTorch
del meshgrid  # written in Python, in functional.py

_OLD_KINDS = ("Double", "Float", "Half", "BFloat16", "Long", "Int", "Short", "Char", "Byte", "Bool",
              "ComplexDouble", "ComplexFloat")
# Names written in Python, with the module that defines each; "" marks a module.
_LAZY = {
    **dict.fromkeys(("ao", "quantization"), ""),
    **dict.fromkeys((
        "dequantize", "empty_quantized", "fake_quantize_per_channel_affine", "fake_quantize_per_tensor_affine",
        "fused_moving_avg_obs_fake_quant", "q_per_channel_axis", "q_per_channel_scales", "q_per_channel_zero_points", "q_scale",
        "q_zero_point", "quantize_per_channel", "quantize_per_tensor", "quantize_per_tensor_dynamic",
        "quantized_batch_norm", "quantized_gru_cell", "quantized_lstm_cell", "quantized_max_pool1d", "quantized_max_pool2d",
        "quantized_max_pool3d", "quantized_rnn_relu_cell", "quantized_rnn_tanh_cell"), "ao.quantization"),
    **dict.fromkeys(("__config__", "_tensor_str", "accelerator", "amp", "array_api", "autograd", "backends", "compiler", "cpu", "distributed", "distributions", "fft", "func", "fx", "jit", "linalg", "mps",
                     "_dynamo", "_higher_order_ops", "_inductor", "_ops", "_subclasses", "export", "futures", "library", "masked", "monitor", "onnx", "package", "testing",
                     "random", "mtia", "version", "xpu", "_prims_common"), ""),
    **dict.fromkeys((
        "are_deterministic_algorithms_enabled", "autocast_decrement_nesting", "autocast_increment_nesting", "clear_autocast_cache", "compiled_with_cxx11_abi", "get_autocast_cpu_dtype", "get_autocast_dtype",
        "get_autocast_gpu_dtype", "get_autocast_xla_dtype", "is_autocast_xla_enabled", "set_autocast_xla_dtype", "set_autocast_xla_enabled",
        "get_deterministic_debug_mode", "get_device_module", "get_float32_matmul_precision",
        "is_autocast_cache_enabled", "is_autocast_cpu_enabled",
        "is_autocast_enabled", "is_deterministic_algorithms_warn_only_enabled", "is_storage", "is_vulkan_available",
        "is_warn_always_enabled", "set_autocast_cache_enabled", "set_autocast_cpu_dtype", "set_autocast_cpu_enabled",
        "set_autocast_dtype", "set_autocast_enabled", "set_autocast_gpu_dtype", "set_broadcast", "set_default_tensor_type", "set_deterministic_debug_mode",
        "set_float32_matmul_precision", "set_warn_always", "use_deterministic_algorithms"), "_settings"),
    "autocast": "amp",
    **dict.fromkeys(("classes", "ops"), "_ops"),
    **dict.fromkeys((
        "DeviceObjType", "ScriptObject", "_convert_indices_from_coo_to_csr", "_convert_indices_from_csr_to_coo", "_int_mm",
        "_reshape_from_tensor", "_segment_reduce", "_shape_as_tensor", "_softmax_backward_data", "legacy_contiguous_format",
        "per_channel_affine", "per_channel_affine_float_qparams", "per_channel_symmetric", "per_tensor_affine",
        "per_tensor_symmetric"), "_inner_names"),
    **dict.fromkeys(("Event", "Stream"), "cuda.streams"),
    **dict.fromkeys(("Future", "fork", "wait"), "futures"),
    "GradScaler": "amp",
    "PyTorchFileReader": "_file_reader",
    **dict.fromkeys(("cond", "while_loop"), "_higher_order_ops"),
    **dict.fromkeys(("ScriptFunction", "ScriptModule", "TensorType"), "jit"),
    **dict.fromkeys(("_assert", "_check", "_check_index", "_check_is_size", "_check_not_implemented", "_check_tensor_all", "_check_tensor_all_with", "_check_type",
                     "_check_value", "_check_with"), "_checks"),
    "compile": "compiler",
    "vmap": "func",
    "explain": "_text",
    "set_printoptions": "_text",
    "typename": "_text",
    "get_include": "_text",
    "cmake_prefix_path": "_text",
    "install_as_torch": "_run",
    **dict.fromkeys(("_assert_async", "bernoulli_", "broadcast_shapes", "broadcast_tensors", "chain_matmul", "einsum",
                     "histogramdd", "lu", "meshgrid", "normal_", "pca_lowrank", "svd_lowrank", "tensordot"), "functional"),
    **dict.fromkeys(("batch_norm_backward_elemt", "batch_norm_backward_reduce", "batch_norm_elemt", "batch_norm_gather_stats",
                     "batch_norm_gather_stats_with_counts", "batch_norm_stats", "batch_norm_update_stats",
                     "native_channel_shuffle", "nuclear_norm"), "_norms"),
    **dict.fromkeys(("_grouped_mm", "_scaled_mm"), "nn._grouped"),
    **dict.fromkeys(("binary_cross_entropy_with_logits", "cosine_embedding_loss", "hinge_embedding_loss", "kl_div",
                     "margin_ranking_loss", "poisson_nll_loss", "triplet_margin_loss"), "_losses"),
    **dict.fromkeys(("SymBool", "SymFloat", "SymInt", "Tag", "classproperty", "qscheme", "sym_constrain_range", "sym_constrain_range_for_size",
                     "sym_float", "sym_fresh_size", "sym_int", "sym_ite", "sym_max", "sym_min", "sym_not", "sym_sqrt", "sym_sum"), "_symbols"),
    **dict.fromkeys(("dsmm", "hsmm", "saddmm", "spmm"), "sparse"),
    **dict.fromkeys(("ccol_indices_copy", "col_indices_copy", "crow_indices_copy", "hspmm", "indices_copy", "resize_as_sparse_",
                     "row_indices_copy", "smm", "sspaddmm", "values_copy"), "_sparse_names"),
    "lobpcg": "_lobpcg",
    "detect_nan": "_trace",
    "load": "serialization",
    "load_ipython_extension": "_notebook",
    "save": "serialization",
    **dict.fromkeys(("_jit_internal", "_tensor", "_utils", "multiprocessing", "hub", "profiler", "quasirandom", "safetensors", "serialization", "vision"), ""),
    "_VF": "",
    "_lobpcg": "",
    "__future__": "",
    "torch_version": "",
    "cuda": "",
    "functional": "",
    "nn": "",
    "optim": "",
    "overrides": "",
    "return_types": "",
    "testing": "",
    "types": "",
    "nested": "",
    "signal": "",
    "sparse": "",
    "special": "",
    "storage": "",
    "utils": "",
    "Storage": "storage",
    "TypedStorage": "storage",
    "UntypedStorage": "storage",
    **dict.fromkeys((kind + "Storage" for kind in _OLD_KINDS), "storage"),
    **dict.fromkeys((kind + "Tensor" for kind in _OLD_KINDS if kind[:7] != "Complex"), "_compat"),
}


def _mimebundle(self, include=None, exclude=None):
    """Returns the representations of a tensor that notebooks display."""
    from ._notebook import mimebundle
    return mimebundle(self, include, exclude)


_C.Tensor._repr_mimebundle_ = _mimebundle


def _sparse_method(name):
    """Returns a Tensor method that calls a function of _sparse_names."""
    def method(self, *args, **kwargs):
        from . import _sparse_names
        return getattr(_sparse_names, name)(self, *args, **kwargs)
    method.__name__, method.__qualname__ = name, f"Tensor.{name}"
    method.__doc__ = f"See `corten._sparse_names.{name}`."
    return method


for _name in ("resize_as_sparse_", "smm", "sparse_resize_", "sparse_resize_and_clear_", "sspaddmm"):
    setattr(_C.Tensor, _name, _sparse_method(_name))
del _name


def _of_c(name):
    """Resolves attributes of torch._C that the extension does not define."""
    if name == "_functorch":
        from ._c_parts import _functorch
        return _functorch
    if name[:2] != "__":
        from . import _c_names
        value = vars(_c_names).get(name)
        if value is not None and name not in ("_C", "SimpleNamespace"):
            return value
    raise AttributeError(f"module 'torch._C' has no attribute '{name}'")


_C.__getattr__ = _of_c
_C.__path__ = []  # makes it a package, whose submodules the import hook finds in _c_parts


def __getattr__(name):
    of_lists = name[:9] == "_foreach_" or name[:5] == "_amp_"
    home = "_C" if of_lists and name in vars(_C) else _LAZY.get(name)
    if name == "torch":  # `torch.torch` is torch itself
        import sys
        return sys.modules[__package__]
    if home is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    import importlib
    module = importlib.import_module(f"{__package__}.{home or name}")
    value = getattr(module, name) if home else module
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *_LAZY})

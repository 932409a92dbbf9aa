# SPDX-License-Identifier: BSD-3-Clause
"""Types of the attributes of layers, for programs that call typing.get_type_hints() on them, as fastai does.

The table has one line per class, with the attributes that PyTorch annotates with simple types.
"""
import re

_TYPES = """
AdaptiveAvgPool1d: output_size: int | tuple[int]
AdaptiveAvgPool2d: output_size: int | None | tuple[int | None, int | None]
AdaptiveAvgPool3d: output_size: int | None | tuple[int | None, int | None, int | None]
AdaptiveLogSoftmaxWithLoss: in_features: int, n_classes: int, cutoffs: list[int], div_value: float, head_bias: bool
AdaptiveMaxPool1d: output_size: int | tuple[int]
AdaptiveMaxPool2d: output_size: int | None | tuple[int | None, int | None]
AdaptiveMaxPool3d: output_size: int | None | tuple[int | None, int | None, int | None]
AvgPool1d: kernel_size: int | tuple[int], stride: int | tuple[int], padding: int | tuple[int], ceil_mode: bool,
    count_include_pad: bool
AvgPool2d: kernel_size: int | tuple[int, int], stride: int | tuple[int, int], padding: int | tuple[int, int], ceil_mode: bool,
    count_include_pad: bool
AvgPool3d: kernel_size: int | tuple[int, int, int], stride: int | tuple[int, int, int], padding: int | tuple[int, int, int],
    ceil_mode: bool, count_include_pad: bool
Bilinear: in1_features: int, in2_features: int, out_features: int
CELU: alpha: float, inplace: bool
CTCLoss: blank: int, zero_infinity: bool
ChannelShuffle: groups: int
CircularPad1d: padding: tuple[int, int]
CircularPad2d: padding: tuple[int, int, int, int]
CircularPad3d: padding: tuple[int, int, int, int, int, int]
ConstantPad1d: padding: tuple[int, int]
ConstantPad2d: padding: tuple[int, int, int, int]
ConstantPad3d: padding: tuple[int, int, int, int, int, int]
CosineEmbeddingLoss: margin: float
CosineSimilarity: dim: int, eps: float
CrossEntropyLoss: ignore_index: int, label_smoothing: float
CrossMapLRN2d: size: int, alpha: float, beta: float, k: float
ELU: alpha: float, inplace: bool
Embedding: num_embeddings: int, embedding_dim: int, padding_idx: int | None, max_norm: float | None, norm_type: float,
    scale_grad_by_freq: bool, freeze: bool, sparse: bool
EmbeddingBag: num_embeddings: int, embedding_dim: int, max_norm: float | None, norm_type: float, scale_grad_by_freq: bool, mode:
    str, sparse: bool, include_last_offset: bool, padding_idx: int | None
Flatten: start_dim: int, end_dim: int
Fold: output_size: int | tuple[int, ...], kernel_size: int | tuple[int, ...], dilation: int | tuple[int, ...], padding: int |
    tuple[int, ...], stride: int | tuple[int, ...]
FractionalMaxPool2d: kernel_size: int | tuple[int, int], return_indices: bool, output_size: int | tuple[int, int], output_ratio:
    float | tuple[float, float]
FractionalMaxPool3d: kernel_size: int | tuple[int, int, int], return_indices: bool, output_size: int | tuple[int, int, int],
    output_ratio: float | tuple[float, float, float]
GELU: approximate: str
GLU: dim: int
GaussianNLLLoss: full: bool, eps: float
GroupNorm: num_groups: int, num_channels: int, eps: float, affine: bool
Hardshrink: lambd: float
Hardsigmoid: inplace: bool
Hardswish: inplace: bool
Hardtanh: min_val: float, max_val: float, inplace: bool
HingeEmbeddingLoss: margin: float
LPPool1d: kernel_size: int | tuple[int], stride: int | tuple[int]
LPPool2d: kernel_size: int | tuple[int, int], stride: int | tuple[int, int]
LPPool3d: kernel_size: int | tuple[int, int, int], stride: int | tuple[int, int, int]
LayerNorm: normalized_shape: tuple[int, ...], eps: float, elementwise_affine: bool
LeakyReLU: inplace: bool, negative_slope: float
Linear: in_features: int, out_features: int
LocalResponseNorm: size: int, alpha: float, beta: float, k: float
LogSoftmax: dim: int | None
MarginRankingLoss: margin: float
MaxPool1d: kernel_size: int | tuple[int], stride: int | tuple[int], padding: int | tuple[int], dilation: int | tuple[int]
MaxPool2d: kernel_size: int | tuple[int, int], stride: int | tuple[int, int], padding: int | tuple[int, int], dilation: int |
    tuple[int, int]
MaxPool3d: kernel_size: int | tuple[int, int, int], stride: int | tuple[int, int, int], padding: int | tuple[int, int, int],
    dilation: int | tuple[int, int, int]
MaxUnpool1d: kernel_size: int | tuple[int], stride: int | tuple[int], padding: int | tuple[int]
MaxUnpool2d: kernel_size: int | tuple[int, int], stride: int | tuple[int, int], padding: int | tuple[int, int]
MaxUnpool3d: kernel_size: int | tuple[int, int, int], stride: int | tuple[int, int, int], padding: int | tuple[int, int, int]
Mish: inplace: bool
MultiMarginLoss: margin: float, p: int
NLLLoss: ignore_index: int
PReLU: num_parameters: int
PairwiseDistance: norm: float, eps: float, keepdim: bool
PixelShuffle: upscale_factor: int
PixelUnshuffle: downscale_factor: int
PoissonNLLLoss: log_input: bool, full: bool, eps: float
RMSNorm: normalized_shape: tuple[int, ...], eps: float | None, elementwise_affine: bool
RNNBase: mode: str, input_size: int, hidden_size: int, num_layers: int, bias: bool, batch_first: bool, dropout: float,
    bidirectional: bool, proj_size: int
RNNCell: nonlinearity: str
RNNCellBase: input_size: int, hidden_size: int, bias: bool
RReLU: lower: float, upper: float, inplace: bool
ReLU: inplace: bool
ReflectionPad1d: padding: tuple[int, int]
ReflectionPad2d: padding: tuple[int, int, int, int]
ReflectionPad3d: padding: tuple[int, int, int, int, int, int]
ReplicationPad1d: padding: tuple[int, int]
ReplicationPad2d: padding: tuple[int, int, int, int]
ReplicationPad3d: padding: tuple[int, int, int, int, int, int]
SELU: inplace: bool
SiLU: inplace: bool
Softmax: dim: int | None
Softmin: dim: int | None
Softplus: beta: float, threshold: float
Softshrink: lambd: float
Threshold: threshold: float, value: float, inplace: bool
TripletMarginLoss: margin: float, p: float, eps: float, swap: bool
TripletMarginWithDistanceLoss: margin: float, swap: bool
Unflatten: dim: int
Unfold: kernel_size: int | tuple[int, ...], dilation: int | tuple[int, ...], padding: int | tuple[int, ...], stride: int |
    tuple[int, ...]
Upsample: name: str, size: int | tuple[int, ...] | None, scale_factor: float | tuple[float, ...] | None, mode: str,
    align_corners: bool | None, recompute_scale_factor: bool | None
ZeroPad1d: padding: tuple[int, int]
ZeroPad2d: padding: tuple[int, int, int, int]
ZeroPad3d: padding: tuple[int, int, int, int, int, int]
"""


def annotate(classes):
    """Set the `__annotations__` of the classes in the table, as strings.

    Args:
        classes: a mapping of names to classes.
    """
    for line in _TYPES.replace("\n    ", " ").strip().splitlines():
        name, _, attributes = line.partition(": ")
        parts = re.split(r"(?:^|, )(\w+): ", attributes)[1:]
        classes[name].__annotations__ = dict(zip(parts[::2], parts[1::2]))

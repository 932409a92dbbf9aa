# SPDX-License-Identifier: BSD-3-Clause
"""Every module of torch.nn with constructor and call arguments, and calls that must raise an error.

test_modules.py runs these cases with Corten and compares the results with PyTorch's, which `make record` and `make
conformance` write to tests/recorded/python/nn.json.gz.
"""
import hashlib
import re
import warnings

# constructor | call arguments. `r` draws normal numbers, `i(n, *shape)` integers below n, `p` probabilities.
CASES = """
Identity(3, a=4) | r(2, 3)
Linear(3, 4) | r(2, 3)
Linear(3, 4, bias=False) | r(5, 2, 3)
Linear(3, 1) | r(3)
LazyLinear(4) | r(2, 3)
LazyLinear(4, bias=False) | r(2, 3)
Bilinear(3, 2, 4) | r(5, 3), r(5, 2)
Bilinear(3, 2, 1, bias=False) | r(5, 3), r(5, 2)
Flatten() | r(2, 3, 4)
Flatten(0, 1) | r(2, 3, 4)
Unflatten(1, (2, 3)) | r(2, 6)
Threshold(0.1, 20.) | r(3, 4)
Threshold(0.1, 20., True) | r(3, 4) * 1
ReLU() | r(3, 4)
ReLU(inplace=True) | r(3, 4) * 1
ReLU6() | r(3, 4) * 5
RReLU() | r(3, 4)
RReLU(0.1, 0.2, inplace=True) | r(3, 4) * 1
Hardtanh(-0.5, 0.7) | r(3, 4)
Hardtanh(inplace=True) | r(3, 4) * 1
Sigmoid() | r(3, 4)
Hardsigmoid() | r(3, 4) * 3
Tanh() | r(3, 4)
SiLU() | r(3, 4)
SiLU(True) | r(3, 4) * 1
Mish() | r(3, 4)
Hardswish() | r(3, 4) * 3
ELU() | r(3, 4)
ELU(0.5, True) | r(3, 4) * 1
CELU(0.7) | r(3, 4)
SELU() | r(3, 4)
SELU(True) | r(3, 4) * 1
GLU() | r(3, 4)
GLU(0) | r(4, 3)
GELU() | r(3, 4)
GELU('tanh') | r(3, 4)
Hardshrink() | r(3, 4)
Hardshrink(0.3) | r(3, 4)
LeakyReLU() | r(3, 4)
LeakyReLU(0.3, True) | r(3, 4) * 1
LogSigmoid() | r(3, 4)
Softplus() | r(3, 4)
Softplus(2, 1.5) | r(3, 4)
Softshrink() | r(3, 4)
PReLU() | r(3, 4)
PReLU(4, 0.1) | r(3, 4)
Softsign() | r(3, 4)
Tanhshrink() | r(3, 4)
Softmin(1) | r(3, 4)
Softmax(-1) | r(3, 4)
Softmax2d() | r(2, 3, 2, 2)
LogSoftmax(0) | r(3, 4)
Dropout() | r(3, 4)
Dropout(0.2) | r(3, 4)
Dropout(0.7, True) | r(3, 4) * 1
Dropout1d(0.3) | r(3, 4, 2)
Dropout2d(0.4) | r(3, 4, 2, 2)
Dropout3d() | r(3, 4, 2, 2, 1)
AlphaDropout(0.3) | r(3, 4)
FeatureAlphaDropout(0.3) | r(3, 4, 2)
Conv1d(3, 4, 2) | r(2, 3, 5)
Conv1d(4, 4, 3, stride=2, padding=1, dilation=2, groups=2) | r(2, 4, 9)
Conv1d(2, 2, 3, padding='same', padding_mode='reflect') | r(2, 2, 5)
Conv2d(3, 4, 3) | r(2, 3, 5, 5)
Conv2d(3, 6, (3, 2), stride=(2, 1), padding=(1, 0), groups=3, bias=False) | r(2, 3, 5, 5)
Conv2d(2, 2, 3, padding=1, padding_mode='circular') | r(1, 2, 4, 4)
Conv2d(2, 2, 4, padding='same') | r(1, 2, 4, 4)
Conv2d(2, 2, 2, padding='valid', padding_mode='replicate') | r(2, 4, 4)
Conv2d(3, 2, 1) | r(2, 3, 3, 3)
Conv3d(2, 3, 2) | r(1, 2, 3, 3, 3)
Conv3d(2, 2, (1, 2, 3), stride=2, padding=1, padding_mode='replicate') | r(1, 2, 3, 4, 5)
ConvTranspose1d(3, 4, 2, stride=2) | r(2, 3, 4)
ConvTranspose1d(3, 4, 3, stride=2, padding=1, output_padding=1) | r(2, 3, 4)
ConvTranspose2d(3, 4, 3, stride=2) | r(1, 3, 3, 3)
ConvTranspose2d(4, 4, 3, stride=2, padding=1, groups=2, dilation=2, bias=False) | r(1, 4, 3, 3)
ConvTranspose2d(2, 2, 3, stride=2) | r(1, 2, 3, 3), [8, 8]
ConvTranspose3d(2, 3, 2) | r(1, 2, 2, 3, 2)
LazyConv1d(4, 2) | r(2, 3, 5)
LazyConv2d(4, 3, padding=1) | r(2, 3, 5, 5)
LazyConv3d(2, 2) | r(1, 2, 3, 3, 3)
LazyConvTranspose1d(4, 2) | r(2, 3, 4)
LazyConvTranspose2d(4, 3) | r(1, 3, 3, 3)
LazyConvTranspose3d(3, 2, bias=False) | r(1, 2, 2, 3, 2)
BatchNorm1d(4) | r(5, 4)
BatchNorm1d(4, momentum=None) | r(5, 4, 3)
BatchNorm1d(4, affine=False) | r(5, 4)
BatchNorm1d(4, track_running_stats=False) | r(5, 4)
BatchNorm2d(3) | r(2, 3, 4, 4)
BatchNorm2d(3, eps=1e-3, momentum=0.3, bias=False) | r(2, 3, 4, 4)
BatchNorm3d(2) | r(2, 2, 3, 2, 2)
LazyBatchNorm1d() | r(5, 4)
LazyBatchNorm2d() | r(2, 3, 4, 4)
LazyBatchNorm3d() | r(2, 2, 3, 2, 2)
SyncBatchNorm(3) | r(2, 3, 4)
InstanceNorm1d(3) | r(2, 3, 4)
InstanceNorm1d(3, affine=True) | r(3, 4)
InstanceNorm2d(3, affine=True, track_running_stats=True) | r(2, 3, 4, 4)
InstanceNorm3d(2) | r(1, 2, 3, 2, 2)
LazyInstanceNorm1d() | r(2, 3, 4)
LazyInstanceNorm2d() | r(2, 3, 4, 4)
LazyInstanceNorm3d() | r(1, 2, 3, 2, 2)
LayerNorm(4) | r(3, 4)
LayerNorm((3, 4), eps=1e-3) | r(2, 3, 4)
LayerNorm(4, bias=False) | r(3, 4)
LayerNorm(4, elementwise_affine=False) | r(3, 4)
GroupNorm(2, 4) | r(3, 4, 5)
GroupNorm(4, 4, affine=False) | r(3, 4, 2, 2)
RMSNorm(4) | r(3, 4)
RMSNorm([3, 4], eps=1e-3, elementwise_affine=False) | r(2, 3, 4)
LocalResponseNorm(2) | r(2, 5, 3, 3)
LocalResponseNorm(3, 0.1, 0.5, 2.) | r(2, 5, 3)
CrossMapLRN2d(3, alpha=0.1) | torch.randn(2, 5, 3, 3)
MaxPool1d(2) | r(2, 3, 7)
MaxPool1d(3, 2, 1, 2) | r(2, 3, 9)
MaxPool2d(2) | r(2, 3, 5, 5)
MaxPool2d((3, 2), stride=(2, 1), padding=(1, 0), ceil_mode=True) | r(2, 3, 6, 5)
MaxPool2d(2, return_indices=True) | r(2, 3, 4, 4)
MaxPool3d(2) | r(1, 2, 4, 4, 4)
MaxUnpool1d(2) | r(2, 3, 2), torch.tensor([0, 3]).expand(2, 3, 2)
MaxUnpool2d(2, stride=2) | r(1, 1, 2, 2), torch.tensor([[[[0, 3], [9, 14]]]])
MaxUnpool3d(2) | r(1, 1, 1, 1, 2), torch.tensor([[[[[1, 14]]]]])
AvgPool1d(2) | r(2, 3, 7)
AvgPool1d(3, 2, 1, count_include_pad=False) | r(2, 3, 8)
AvgPool2d(2) | r(2, 3, 5, 5)
AvgPool2d(3, 2, 1, ceil_mode=True, divisor_override=5) | r(2, 3, 6, 6)
AvgPool3d(2) | r(1, 2, 4, 4, 4)
FractionalMaxPool2d(2, output_size=3) | r(2, 2, 6, 6)
FractionalMaxPool2d(2, output_ratio=0.5) | r(2, 2, 6, 6)
FractionalMaxPool3d(2, output_size=(2, 3, 2)) | r(1, 2, 5, 6, 5)
LPPool1d(2, 3) | r(2, 3, 7)
LPPool2d(2, 3, stride=2) | r(2, 3, 7, 7)
LPPool3d(2, 2) | r(1, 2, 4, 4, 4)
AdaptiveMaxPool1d(3) | r(2, 3, 7)
AdaptiveMaxPool2d((3, None)) | r(2, 3, 7, 5)
AdaptiveMaxPool2d(2, return_indices=True) | r(2, 3, 5, 5)
AdaptiveMaxPool3d(2) | r(1, 2, 5, 4, 3)
AdaptiveAvgPool1d(3) | r(2, 3, 7)
AdaptiveAvgPool2d(1) | r(2, 3, 7, 5)
AdaptiveAvgPool2d((3, None)) | r(2, 3, 7, 5)
AdaptiveAvgPool3d((2, 3, 1)) | r(1, 2, 5, 4, 3)
ConstantPad1d(2, 3.5) | r(2, 3)
ConstantPad2d((1, 0, 2, 1), -1.) | r(1, 2, 3, 3)
ConstantPad3d(1, 0.5) | r(1, 1, 2, 2, 2)
ZeroPad1d((1, 2)) | r(2, 3)
ZeroPad2d(1) | r(1, 2, 3, 3)
ZeroPad3d(1) | r(1, 1, 2, 2, 2)
ReflectionPad1d(2) | r(2, 2, 4)
ReflectionPad2d((1, 2, 0, 1)) | r(1, 2, 3, 3)
ReflectionPad3d(1) | r(1, 1, 2, 3, 2)
ReplicationPad1d((1, 2)) | r(2, 2, 4)
ReplicationPad2d(1) | r(1, 2, 3, 3)
ReplicationPad3d(1) | r(1, 1, 2, 3, 2)
CircularPad1d(2) | r(2, 2, 4)
CircularPad2d((1, 2, 0, 1)) | r(1, 2, 3, 3)
CircularPad3d(1) | r(1, 1, 2, 3, 2)
Upsample(scale_factor=2) | r(1, 2, 3, 3)
Upsample(size=(4, 5), mode='bilinear') | r(1, 2, 3, 3)
Upsample(scale_factor=(1.5, 2.), mode='bicubic', align_corners=True) | r(1, 2, 4, 3)
Upsample(scale_factor=2, mode='linear') | r(1, 2, 3)
Upsample(scale_factor=2, mode='trilinear') | r(1, 1, 2, 2, 2)
UpsamplingNearest2d(scale_factor=2) | r(1, 2, 3, 3)
UpsamplingBilinear2d(size=(5, 4)) | r(1, 2, 3, 3)
PixelShuffle(2) | r(1, 8, 2, 3)
PixelUnshuffle(2) | r(1, 2, 4, 6)
ChannelShuffle(2) | r(1, 4, 2, 2)
Fold((4, 5), (2, 2)) | r(1, 8, 12)
Unfold((2, 3), dilation=1, padding=1, stride=2) | r(1, 2, 4, 5)
PairwiseDistance() | r(3, 4), r(3, 4)
PairwiseDistance(1., keepdim=True) | r(3, 4), r(3, 4)
CosineSimilarity() | r(3, 4), r(3, 4)
CosineSimilarity(0, 1e-6) | r(3, 4), r(3, 4)
Embedding(5, 3) | i(5, 2, 4)
Embedding(5, 3, padding_idx=-2) | i(5, 2, 4)
Embedding(5, 3, max_norm=1., norm_type=1.5, scale_grad_by_freq=True) | i(5, 2, 4)
Embedding.from_pretrained(torch.arange(6.).reshape(3, 2), freeze=False, padding_idx=1) | i(3, 4)
EmbeddingBag(5, 3) | i(5, 2, 4)
EmbeddingBag(5, 3, mode='sum') | i(5, 6), torch.tensor([0, 2, 2])
EmbeddingBag(5, 3, mode='sum', padding_idx=1) | i(5, 6), torch.tensor([0, 2]), r(6)
EmbeddingBag(5, 3, mode='max', include_last_offset=True) | i(5, 6), torch.tensor([0, 2, 6])
L1Loss() | r(3, 4), r(3, 4)
L1Loss(reduction='sum') | r(3, 4), r(3, 4)
MSELoss() | r(3, 4), r(3, 4)
MSELoss(reduction='none') | r(3, 4), r(3, 4)
NLLLoss() | r(3, 4), i(4, 3)
NLLLoss(torch.tensor([1., 2., 3., 4.]), ignore_index=2) | r(5, 4), i(4, 5)
CrossEntropyLoss() | r(3, 4), i(4, 3)
CrossEntropyLoss(torch.tensor([1., 2., 3., 4.]), ignore_index=1, label_smoothing=0.1) | r(5, 4, 2), i(4, 5, 2)
CrossEntropyLoss(reduction='sum') | r(3, 4), r(3, 4).softmax(1)
PoissonNLLLoss() | r(3, 4), p(3, 4) * 4
PoissonNLLLoss(log_input=False, full=True) | p(3, 4), p(3, 4) * 4
GaussianNLLLoss() | r(3, 4), r(3, 4), p(3, 4)
GaussianNLLLoss(full=True, reduction='sum') | r(3, 4), r(3, 4), p(3, 1)
KLDivLoss(reduction='batchmean') | r(3, 4), p(3, 4)
KLDivLoss(reduction='sum', log_target=True) | r(3, 4), r(3, 4)
BCELoss() | p(3, 4), p(3, 4)
BCELoss(torch.tensor([1., 2., 3., 4.]), reduction='sum') | p(3, 4), p(3, 4)
BCEWithLogitsLoss() | r(3, 4), p(3, 4)
BCEWithLogitsLoss(pos_weight=torch.tensor([1., 2., 3., 4.])) | r(3, 4), p(3, 4)
HingeEmbeddingLoss() | r(3, 4), i(2, 3, 4) * 2 - 1
MultiLabelMarginLoss() | r(2, 4), torch.tensor([[3, 0, -1, 1], [1, -1, 0, 0]])
SmoothL1Loss(beta=0.5) | r(3, 4), r(3, 4)
HuberLoss(delta=0.7) | r(3, 4), r(3, 4)
SoftMarginLoss() | r(3, 4), i(2, 3, 4) * 2 - 1
MultiLabelSoftMarginLoss() | r(3, 4), i(2, 3, 4)
CosineEmbeddingLoss(0.2) | r(3, 4), r(3, 4), i(2, 3) * 2 - 1
MarginRankingLoss(0.3) | r(3), r(3), i(2, 3) * 2 - 1
MultiMarginLoss() | r(3, 4), i(4, 3)
MultiMarginLoss(2, 0.5, torch.tensor([1., 2., 3., 4.])) | r(3, 4), i(4, 3)
TripletMarginLoss() | r(3, 4), r(3, 4), r(3, 4)
TripletMarginLoss(swap=True, p=1.) | r(3, 4), r(3, 4), r(3, 4)
TripletMarginWithDistanceLoss(margin=0.5) | r(3, 4), r(3, 4), r(3, 4)
CTCLoss() | r(5, 2, 4).log_softmax(2), torch.tensor([[1, 2], [3, 1]]), torch.tensor([5, 4]), torch.tensor([2, 1])
AdaptiveLogSoftmaxWithLoss(8, 10, [3, 6], div_value=2.) | r(5, 8), i(10, 5)
AdaptiveLogSoftmaxWithLoss(8, 10, [4], head_bias=True) | r(8), torch.tensor(7)
Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)) | r(2, 3)
Sequential(OrderedDict(a=nn.Linear(3, 4), b=nn.Sequential(nn.Tanh(), nn.Linear(4, 1)))) | r(2, 3)
ModuleList([nn.Linear(1, 2), nn.Linear(1, 2), nn.ReLU(), nn.ModuleList()])[1] | r(2, 1)
ModuleDict({'x': nn.Linear(2, 2), 'y': nn.ModuleDict({'z': nn.PReLU()})})['x'] | r(2, 2)
RNN(3, 4) | r(5, 2, 3)
RNN(3, 4, 2, nonlinearity='relu', batch_first=True, bidirectional=True) | r(2, 5, 3)
LSTM(3, 4) | r(5, 2, 3)
LSTM(3, 4, 2, bidirectional=True, bias=False) | r(5, 2, 3)
LSTM(3, 4, proj_size=2, batch_first=True) | r(2, 5, 3)
GRU(3, 4) | r(5, 2, 3)
GRU(3, 4, num_layers=2, bidirectional=True) | r(5, 3)
RNNCell(3, 4) | r(2, 3)
LSTMCell(3, 4, bias=False) | r(2, 3)
GRUCell(3, 4) | r(2, 3), r(2, 4)
MultiheadAttention(4, 2) | r(3, 2, 4), r(3, 2, 4), r(3, 2, 4)
MultiheadAttention(4, 2, bias=False, batch_first=True, kdim=3, vdim=5) | r(2, 3, 4), r(2, 3, 3), r(2, 3, 5)
TransformerEncoderLayer(4, 2, 8, dropout=0.) | r(3, 2, 4)
TransformerEncoderLayer(4, 2, 8, dropout=0., activation='gelu', batch_first=True, norm_first=True) | r(2, 3, 4)
TransformerDecoderLayer(4, 2, 8, dropout=0.) | r(3, 2, 4), r(5, 2, 4)
TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, dropout=0.), 2) | r(3, 2, 4)
TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8, dropout=0.), 2, nn.LayerNorm(4)) | r(3, 2, 4), r(5, 2, 4)
Transformer(4, 2, 1, 1, 8, dropout=0.) | r(5, 2, 4), r(3, 2, 4)
LSTM(4, 6, 2, batch_first=True, bidirectional=True) | r(3, 5, 4)
LSTM(4, 6, 2, proj_size=3, bias=False) | r(5, 3, 4)
LSTM(4, 6, 2, dropout=0.5) | r(5, 3, 4), (r(2, 3, 6), r(2, 3, 6))
LSTM(4, 6) | r(5, 4), (r(1, 6), r(1, 6))
LSTM(4, 6, bidirectional=True) | nn.utils.rnn.pack_padded_sequence(r(3, 5, 4), [2, 5, 1], True, False)
GRU(4, 6) | r(5, 3, 4), r(1, 3, 6)
GRU(4, 6, 2, bidirectional=True) | nn.utils.rnn.pack_sequence([r(5, 4), r(3, 4), r(3, 4), r(1, 4)])
RNN(4, 6, 1, 'relu') | r(5, 4)
RNN(4, 6, 2, bias=False, batch_first=True) | r(3, 5, 4)
LSTMCell(4, 6) | r(3, 4)
LSTMCell(4, 6) | r(4), (r(6), r(6))
GRUCell(4, 6, bias=False) | r(4), r(6)
RNNCell(4, 6, nonlinearity='relu') | r(3, 4), r(3, 6)
MultiheadAttention(8, 2, dropout=0.3) | r(5, 2, 8), r(7, 2, 8), r(7, 2, 8)
MultiheadAttention(8, 2, add_bias_kv=True, add_zero_attn=True) | r(5, 2, 8), r(7, 2, 8), r(7, 2, 8), p(2, 7) > 0.6
MultiheadAttention(8, 2, kdim=3, vdim=4, batch_first=True) | r(2, 5, 8), r(2, 6, 3), r(2, 6, 4)
MultiheadAttention(8, 4, bias=False) | r(5, 8), r(7, 8), r(7, 8), None, False, r(4, 5, 7)
TransformerEncoderLayer(8, 2, 16) | r(5, 2, 8)
TransformerDecoderLayer(8, 2, 16, norm_first=True, activation='gelu') | r(5, 2, 8), r(7, 2, 8)
TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2) | r(2, 5, 8), nn.Transformer.generate_square_subsequent_mask(5)
Transformer(8, 2, 1, 2, 16) | r(5, 2, 8), r(7, 2, 8)
""".strip().split("\n")

# Mistakes; each expression is recorded with its error.
MISTAKES = """
nn.Linear(3, 4)(torch.ones(2, 5))
nn.Linear(3)
nn.Linear(3, 4, foo=1)
nn.LazyLinear(3).weight.shape
nn.LazyLinear(3).weight.share_memory_()
nn.Module()(1)
nn.Module(1)
nn.Module(a=1)
nn.Bilinear(0, 1, 1)
nn.Unflatten(1, 3)
nn.Unflatten(1, (2, 3.))
nn.Hardtanh(1, 1)
nn.Softmax('a')
nn.LogSoftmax(True)
nn.Softmax2d()(torch.ones(2, 2))
nn.Dropout(1.5)
nn.Dropout2d(-1)
nn.Conv2d(3, 4, 3, groups=2)
nn.Conv2d(4, 3, 3, groups=2)
nn.Conv2d(4, 4, 3, groups=0)
nn.Conv2d(3, 4, 3, stride=2, padding='same')
nn.Conv2d(3, 4, 3)(torch.ones(2, 4, 5, 5))
nn.Conv2d(3, 4, 3)(torch.ones(2, 4))
nn.ConvTranspose2d(3, 4, 3, padding_mode='reflect')
nn.ConvTranspose2d(2, 2, 3, stride=2)(torch.ones(1, 2, 3, 3), [20, 8])
nn.ConvTranspose2d(2, 2, 3, stride=2)(torch.ones(1, 2, 3, 3), [20])
nn.LazyConv2d(4, 3)(torch.ones(3))
nn.LazyConv2d(4, 3, groups=2)(torch.ones(1, 3, 5, 5))
nn.BatchNorm1d(4)(torch.ones(2, 3, 4, 5))
nn.BatchNorm2d(4)(torch.ones(2, 4))
nn.BatchNorm1d(4)(torch.ones(2, 3))
nn.BatchNorm1d(4)(torch.ones(1, 4))
nn.SyncBatchNorm(4)(torch.ones(4))
nn.InstanceNorm2d(4, affine=True)(torch.ones(1, 3, 2, 2))
nn.InstanceNorm1d(4)(torch.ones(4))
nn.GroupNorm(3, 4)
nn.LayerNorm(4)(torch.ones(2, 3))
nn.CrossMapLRN2d(2)(torch.ones(3))
nn.FractionalMaxPool2d(2)
nn.FractionalMaxPool2d(2, 2, 0.5)
nn.FractionalMaxPool2d(2, output_ratio=1.5)
nn.FractionalMaxPool3d(0, output_size=2)
nn.LPPool2d(0, 2)
nn.CircularPad2d(1)(torch.ones(2, 2))
nn.Embedding(3, 2, padding_idx=3)
nn.Embedding(3, 2, padding_idx=-4)
nn.Embedding(3, 2, _weight=torch.ones(2, 2))
nn.Embedding.from_pretrained(torch.ones(2))
nn.EmbeddingBag(3, 2, padding_idx=7)
nn.HuberLoss(delta='a')
nn.MultiMarginLoss(p=3)
nn.MultiMarginLoss(weight=torch.ones(2, 2))
nn.TripletMarginLoss(margin=-1)
nn.TripletMarginWithDistanceLoss(margin=0)
nn.AdaptiveLogSoftmaxWithLoss(8, 10, [])
nn.AdaptiveLogSoftmaxWithLoss(8, 10, [3, 2])
nn.AdaptiveLogSoftmaxWithLoss(8, 10, [12])
nn.AdaptiveLogSoftmaxWithLoss(8, 10, [3])(torch.ones(2, 8), torch.tensor([1, 10]))
nn.AdaptiveLogSoftmaxWithLoss(8, 10, [3])(torch.ones(2, 8), torch.tensor([1]))
nn.AdaptiveLogSoftmaxWithLoss(8, 10, [3])(torch.ones(8), torch.tensor([1]))
nn.Sequential(3)
nn.Sequential(nn.ReLU())[1]
nn.Sequential(nn.ReLU()) + 3
nn.Sequential(nn.ReLU()) * 0
nn.Sequential(nn.ReLU()) * 'a'
nn.Sequential(nn.ReLU()).insert(3, nn.ReLU())
nn.ModuleList([nn.ReLU()])[1]
nn.ModuleList(3)
nn.ModuleList().extend(3)
nn.ModuleDict(3)
nn.ModuleDict([3])
nn.ModuleDict([(1, 2, 3)])
nn.ModuleDict({'a': 3})
nn.ModuleDict()['x']
nn.ParameterList(torch.ones(2))
nn.ParameterList([torch.ones(2)])[1]
nn.ParameterList()(3)
nn.ParameterDict(3)
nn.ParameterDict({'a': torch.ones(2)})(3)
nn.ParameterDict()[3]
nn.ParameterDict().popitem()
nn.Parameter([1.])
nn.Parameter(torch.tensor([1]))
nn.Parameter(torch.ones(2), foo=1)
nn.Parameter(torch.ones(2), True, 3)
nn.MultiheadAttention(4, 3)
nn.LSTM(3, 4, proj_size=4)
nn.LSTM(3, 4)(torch.ones(5, 2, 4))
nn.RNN(3, 4, nonlinearity='elu')
nn.GRU(3, 4, num_layers=0)
nn.LSTM(4, 6)(torch.ones(5, 3, 5))
nn.LSTM(4, 6)(torch.ones(5, 3, 4), (torch.ones(1, 3, 5), torch.ones(1, 3, 6)))
nn.LSTM(4, 6)(torch.ones(5, 3, 4), (torch.ones(3, 6), torch.ones(3, 6)))
nn.LSTM(4, 6)(torch.ones(5, 3, 4, dtype=torch.float64))
nn.GRU(4, 6)(torch.ones(5, 3, 4), torch.ones(3, 6))
nn.GRU(4, 6)(torch.ones(4))
nn.GRU(4, 6, proj_size=2)
nn.RNN(4, 6, nonlinearity='x')
nn.LSTM(4, 0)
nn.LSTM(4, 6, bias=1)
nn.LSTM(4, 6, proj_size=7)
nn.LSTM(4, 6, dropout=2)
nn.LSTMCell(4, 6)(torch.ones(1, 1, 4))
nn.MultiheadAttention(8, 3)
nn.MultiheadAttention(0, 3)
nn.MultiheadAttention(8, 2)(torch.ones(5, 2, 8), torch.ones(2, 8), torch.ones(2, 8))
nn.MultiheadAttention(8, 2)(torch.ones(5, 2, 8), torch.ones(7, 2, 8), torch.ones(6, 2, 8))
nn.MultiheadAttention(8, 2)(torch.ones(5, 2, 8), torch.ones(7, 2, 8), torch.ones(7, 2, 8), attn_mask=torch.ones(3, 7))
nn.MultiheadAttention(8, 2)(torch.ones(5, 2, 8), torch.ones(7, 2, 8), torch.ones(7, 2, 8), is_causal=True)
nn.Transformer(8, 2, 1, 1, 16)(torch.ones(5, 2, 8), torch.ones(5, 3, 8))
nn.TransformerEncoderLayer(8, 2, 16, activation='x')
""".strip().split("\n")


class _Draw:
    """The variables that the expressions above use."""

    def __init__(self, torch, dtype):
        self.torch, self.dtype = torch, dtype
        self.made = []

    def _note(self, tensor):
        self.made.append(tensor.requires_grad_())
        return tensor

    def names(self):
        from collections import OrderedDict
        torch = self.torch
        return {"torch": torch, "nn": torch.nn, "OrderedDict": OrderedDict,
                "r": lambda *shape: self._note(torch.randn(*shape)),
                "p": lambda *shape: self._note(torch.rand(*shape) * 0.9 + 0.05),
                "i": lambda most, *shape: torch.randint(most, shape)}


def _flat(value):
    """Returns all tensors in a nested result."""
    if value is None:
        return []
    if isinstance(value, (tuple, list)):
        return [t for part in value for t in _flat(part)]
    return [value]


def _numbers(tensor):
    return [list(tensor.shape), str(tensor.dtype).split(".")[-1], [float(f"{x:.9g}") for x in tensor.detach().double().flatten().tolist()]]


def _bits(tensor):
    """Returns the data type, the shape and a digest of the bytes."""
    data = tensor.detach().contiguous()
    data = data.numpy().tobytes() if str(data.dtype).split(".")[-1] != "bfloat16" else bytes(str(data.double().tolist()), "ascii")
    return [str(tensor.dtype).split(".")[-1], list(tensor.shape), hashlib.sha1(data).hexdigest()[:12]]


def _clean(text):
    """Removes addresses and library names from a text."""
    text = re.sub(r"0x[0-9a-f]+", "0x", text).replace("corten.", "torch.")
    return re.sub(r"\{'(zeros|same|valid|reflect|replicate|circular)'.*?\}", "{...}", text)


def said(torch, text):
    """Returns the repr of the result, or the exception as text."""
    names = _Draw(torch, torch.float32).names()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return _clean(repr(eval(text, names)))
        except Exception as error:
            return _clean(f"{type(error).__name__}: {error}")


def facts_of(torch, line, dtype):
    """Returns everything visible of one module: repr, initial values, outputs in training and eval mode, gradients, buffers."""
    maker, arguments = line.split(" | ")
    draw = _Draw(torch, dtype)
    names = draw.names()
    torch.set_default_dtype(getattr(torch, dtype))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.manual_seed(0)
            module = eval("nn." + maker, names)
            facts = {"made": _clean(repr(module))}
            if not maker.startswith("Lazy"):
                facts["first"] = {key: _bits(value) for key, value in module.state_dict().items()}
            torch.manual_seed(1)
            given = eval(f"({arguments},)", names)
            answers = _flat(module(*given))
            facts["called"] = _clean(repr(module))
            if maker.startswith("Lazy"):
                facts["first"] = {key: _bits(value) for key, value in module.state_dict().items() if "running" not in key}
            facts["answers"] = [_numbers(t) for t in answers]
            floating = [t for t in answers if t.requires_grad]
            if floating:
                weights = [torch.linspace(-1, 1.5, t.numel()).reshape(t.shape) for t in floating]
                torch.autograd.backward(floating, weights)
                facts["grads"] = [_numbers(t.grad) for t in draw.made if t.grad is not None]
                facts["of"] = {key: None if p.grad is None else _numbers(p.grad) for key, p in module.named_parameters()}
            facts["kept"] = {key: _numbers(value) for key, value in module.named_buffers()}
            module.eval()
            with torch.no_grad():
                facts["eval"] = [_numbers(t) for t in _flat(module(*given))]
            return facts
    finally:
        torch.set_default_dtype(torch.float32)


def facts(torch):
    found = {}
    for line in CASES:
        for dtype in ("float32", "float64"):
            try:
                found[f"{line} | {dtype}"] = facts_of(torch, line, dtype)
            except Exception as error:
                found[f"{line} | {dtype}"] = f"{type(error).__name__}: {error}"
    for text in MISTAKES:
        found[text] = said(torch, text)
    return found


def differences(mine, theirs, tolerance, path=""):
    """Returns the paths at which two facts differ. `tolerance` is relative to the largest number of the same list."""
    if isinstance(theirs, dict) and isinstance(mine, dict):
        if list(mine) != list(theirs):
            return [f"{path}: {list(mine)} instead of {list(theirs)}"]
        return [d for key in theirs for d in differences(mine[key], theirs[key], tolerance, f"{path}.{key}")]
    if isinstance(theirs, list) and isinstance(mine, list) and len(mine) == len(theirs):
        if theirs and all(isinstance(x, float) for x in theirs + mine):
            scale = max([abs(x) for x in theirs if abs(x) < float("inf")] + [1e-30])
            close = all(x == y or abs(x - y) <= tolerance * scale or (x != x and y != y) for x, y in zip(mine, theirs))
            return [] if close else [f"{path}: {mine} instead of {theirs}"]
        return [d for i, (x, y) in enumerate(zip(mine, theirs)) for d in differences(x, y, tolerance, f"{path}[{i}]")]
    return [] if mine == theirs else [f"{path}: {mine!r} instead of {theirs!r}"]


TOLERANCE = {"float32": 2e-5, "float64": 1e-7}  # PyTorch has some constants in float32 for both types

# SPDX-License-Identifier: BSD-3-Clause
"""Vision transformers (Dosovitskiy et al., 2021): image patches as a sequence of tokens."""
import math
from collections import OrderedDict
from functools import partial

from ... import _C, nn
from ._api import register_model


class MLPBlock(nn.Sequential):
    """Two linear layers with GELU between."""

    def __init__(self, in_dim, mlp_dim, dropout):
        super().__init__(nn.Linear(in_dim, mlp_dim), nn.GELU(), nn.Dropout(dropout), nn.Linear(mlp_dim, in_dim), nn.Dropout(dropout))
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.xavier_uniform_(m.weight)
                nn.init.normal_(m.bias, std=1e-6)


class EncoderBlock(nn.Module):
    """Self-attention and an MLP, each with layer normalization before and a residual connection."""

    def __init__(self, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer):
        super().__init__()
        self.num_heads = num_heads
        self.ln_1 = norm_layer(hidden_dim)
        self.self_attention = nn.MultiheadAttention(hidden_dim, num_heads, dropout=attention_dropout, batch_first=True)
        self.dropout, self.ln_2 = nn.Dropout(dropout), norm_layer(hidden_dim)
        self.mlp = MLPBlock(hidden_dim, mlp_dim, dropout)

    def forward(self, input):
        """Applies the block to a sequence (N, L, hidden_dim)."""
        x = self.ln_1(input)
        x, _ = self.self_attention(x, x, x, need_weights=False)
        x = self.dropout(x) + input
        return x + self.mlp(self.ln_2(x))


class Encoder(nn.Module):
    """Adds position embeddings and applies the blocks."""

    def __init__(self, seq_length, num_layers, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer):
        super().__init__()
        self.pos_embedding = nn.Parameter(_C.empty(1, seq_length, hidden_dim).normal_(std=0.02))
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.Sequential(OrderedDict(
            (f"encoder_layer_{i}", EncoderBlock(num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer))
            for i in range(num_layers)))
        self.ln = norm_layer(hidden_dim)

    def forward(self, input):
        """Encodes a sequence (N, L, hidden_dim)."""
        return self.ln(self.layers(self.dropout(input + self.pos_embedding)))


class VisionTransformer(nn.Module):
    """A transformer over image patches, with a class token."""

    def __init__(self, image_size, patch_size, num_layers, num_heads, hidden_dim, mlp_dim, dropout=0.0, attention_dropout=0.0,
                 num_classes=1000, representation_size=None, norm_layer=partial(nn.LayerNorm, eps=1e-6)):
        super().__init__()
        if image_size % patch_size:
            raise AssertionError("Input shape indivisible by patch size!")
        self.image_size, self.patch_size, self.hidden_dim = image_size, patch_size, hidden_dim
        self.conv_proj = nn.Conv2d(3, hidden_dim, kernel_size=patch_size, stride=patch_size)
        seq_length = (image_size // patch_size) ** 2 + 1
        self.class_token = nn.Parameter(_C.zeros(1, 1, hidden_dim))
        self.encoder = Encoder(seq_length, num_layers, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer)
        self.seq_length = seq_length
        heads = OrderedDict()
        if representation_size is None:
            heads["head"] = nn.Linear(hidden_dim, num_classes)
        else:
            heads["pre_logits"], heads["act"] = nn.Linear(hidden_dim, representation_size), nn.Tanh()
            heads["head"] = nn.Linear(representation_size, num_classes)
        self.heads = nn.Sequential(heads)
        fan_in = self.conv_proj.in_channels * patch_size * patch_size
        nn.init.trunc_normal_(self.conv_proj.weight, std=math.sqrt(1 / fan_in))
        nn.init.zeros_(self.conv_proj.bias)
        if representation_size is not None:
            nn.init.trunc_normal_(self.heads.pre_logits.weight, std=math.sqrt(1 / hidden_dim))
            nn.init.zeros_(self.heads.pre_logits.bias)
        nn.init.zeros_(self.heads.head.weight)
        nn.init.zeros_(self.heads.head.bias)

    def forward(self, x):
        """Returns class scores of shape (N, num_classes) for images (N, 3, image_size, image_size)."""
        n, _, h, w = x.shape
        if h != self.image_size or w != self.image_size:
            raise AssertionError(f"Wrong image height or width! Expected {self.image_size} but got {h} x {w}!")
        x = self.conv_proj(x).reshape(n, self.hidden_dim, -1).permute(0, 2, 1)
        x = _C.cat([self.class_token.expand(n, -1, -1), x], dim=1)
        return self.heads(self.encoder(x)[:, 0])


def _builder(name, patch, layers, heads, hidden, mlp):
    def build(image_size=224, **kwargs):
        return VisionTransformer(image_size, patch, layers, heads, hidden, mlp, **kwargs)
    build.__name__, build.__doc__ = name, f"A vision transformer of {layers} layers over patches of {patch} pixels."
    return register_model(build)


vit_b_16 = _builder("vit_b_16", 16, 12, 12, 768, 3072)
vit_b_32 = _builder("vit_b_32", 32, 12, 12, 768, 3072)
vit_l_16 = _builder("vit_l_16", 16, 24, 16, 1024, 4096)
vit_l_32 = _builder("vit_l_32", 32, 24, 16, 1024, 4096)
vit_h_14 = _builder("vit_h_14", 14, 32, 16, 1280, 5120)

# SPDX-License-Identifier: BSD-3-Clause
"""The transformer of "Attention Is All You Need": layers, stacks of them, and the whole."""
import copy
import warnings

from ... import full, triu
from .. import functional as F
from .._attention import canonical_mask
from ..init import xavier_uniform_
from .attention import MultiheadAttention
from .container import ModuleList
from .dropout import Dropout
from .linear import Linear
from .module import Module
from .normalization import LayerNorm

__all__ = ["Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer"]


def _get_clones(module, N):
    return ModuleList([copy.deepcopy(module) for _ in range(N)])


def _get_activation_fn(activation):
    if activation in ("relu", "gelu"):
        return getattr(F, activation)
    raise RuntimeError(f"activation should be relu/gelu, not {activation}")


def _generate_square_subsequent_mask(sz, device=None, dtype=None):
    return triu(full((sz, sz), float("-inf"), dtype=dtype, device=device), diagonal=1)


def _get_seq_len(src, batch_first):
    return None if src.is_nested else src.size()[0 if src.dim() == 2 else 1 if batch_first else 0]


def _detect_is_causal_mask(mask, is_causal=None, size=None):
    """Whether a mask is the causal one, where nobody says."""
    if is_causal is None and mask is not None:
        n = mask.size(-2) if size is None else size
        causal = _generate_square_subsequent_mask(n, mask.device, mask.dtype)
        return mask.size() == causal.size() and bool((mask == causal).all())
    return is_causal is True


class _Layer(Module):
    """What both kinds of layers share: the feed-forward block and its parts."""

    __constants__ = ["norm_first"]

    def _build(self, d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias, factory,
               attentions):
        for name in attentions:
            setattr(self, name, MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, bias=bias, **factory))
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **factory)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **factory)
        self.norm_first = norm_first
        count = len(attentions) + 1
        for i in range(1, count + 1):
            setattr(self, f"norm{i}", LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **factory))
        for i in range(1, count + 1):
            setattr(self, f"dropout{i}", Dropout(dropout))
        self.activation = _get_activation_fn(activation) if isinstance(activation, str) else activation

    def __setstate__(self, state):
        super().__setstate__(state)
        if not hasattr(self, "activation"):
            self.activation = F.relu

    def _feed_forward(self, x, dropout):
        return dropout(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def _attend(self, attention, dropout, x, memory, attn_mask, key_padding_mask, is_causal):
        return dropout(attention(x, memory, memory, attn_mask=attn_mask, key_padding_mask=key_padding_mask, is_causal=is_causal,
                                 need_weights=False)[0])

    def _through(self, x, blocks):
        """Each block added to what it is given, with a norm before it or behind."""
        for norm, block in blocks:
            x = x + block(norm(x)) if self.norm_first else norm(x + block(x))
        return x


class TransformerEncoderLayer(_Layer):
    """Attention of a sequence to itself, then a feed-forward block.

        >>> nn.TransformerEncoderLayer(4, 2, 8, dropout=0.)(torch.randn(3, 2, 4)).shape
        torch.Size([3, 2, 4])
    """

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5, batch_first=False,
                 norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        self._build(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias,
                    {"device": device, "dtype": dtype}, ["self_attn"])

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        src_key_padding_mask = canonical_mask(src_key_padding_mask, "src_key_padding_mask",
                                              None if src_mask is None else src_mask.dtype, "src_mask", src.dtype)
        src_mask = canonical_mask(src_mask, "src_mask", None, "", src.dtype, check_other=False)
        return self._through(src, [(self.norm1, lambda x: self._sa_block(x, src_mask, src_key_padding_mask, is_causal)),
                                   (self.norm2, self._ff_block)])

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        return self._attend(self.self_attn, self.dropout1, x, x, attn_mask, key_padding_mask, is_causal)

    def _ff_block(self, x):
        return self._feed_forward(x, self.dropout2)


class TransformerDecoderLayer(_Layer):
    """Attention of a sequence to itself, then to the encoder's memory, then a feed-forward block.

        >>> nn.TransformerDecoderLayer(4, 2, 8, dropout=0.)(torch.randn(3, 2, 4), torch.randn(5, 2, 4)).shape
        torch.Size([3, 2, 4])
    """

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5, batch_first=False,
                 norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        self._build(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias,
                    {"device": device, "dtype": dtype}, ["self_attn", "multihead_attn"])

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None,
                tgt_is_causal=False, memory_is_causal=False):
        return self._through(tgt, [
            (self.norm1, lambda x: self._sa_block(x, tgt_mask, tgt_key_padding_mask, tgt_is_causal)),
            (self.norm2, lambda x: self._mha_block(x, memory, memory_mask, memory_key_padding_mask, memory_is_causal)),
            (self.norm3, self._ff_block)])

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        return self._attend(self.self_attn, self.dropout1, x, x, attn_mask, key_padding_mask, is_causal)

    def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
        return self._attend(self.multihead_attn, self.dropout2, x, mem, attn_mask, key_padding_mask, is_causal)

    def _ff_block(self, x):
        return self._feed_forward(x, self.dropout3)


class TransformerEncoder(Module):
    """A stack of encoder layers.

        >>> nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, dropout=0.), 2)(torch.randn(3, 2, 4)).shape
        torch.Size([3, 2, 4])
    """

    __constants__ = ["norm"]

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers, self.num_layers, self.norm = _get_clones(encoder_layer, num_layers), num_layers, norm
        self.enable_nested_tensor, self.use_nested_tensor, self.mask_check = enable_nested_tensor, False, mask_check
        if enable_nested_tensor and isinstance(encoder_layer, TransformerEncoderLayer):
            _warn_of_nested(encoder_layer)

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        src_key_padding_mask = canonical_mask(src_key_padding_mask, "src_key_padding_mask", None if mask is None else mask.dtype, "mask",
                                              src.dtype)
        mask = canonical_mask(mask, "mask", None, "", src.dtype, check_other=False)
        first = self.layers[0].self_attn if len(self.layers) else None
        is_causal = _detect_is_causal_mask(mask, is_causal, _get_seq_len(src, first is not None and first.batch_first))
        for layer in self.layers:
            src = layer(src, src_mask=mask, is_causal=is_causal, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


def _warn_of_nested(layer):
    """PyTorch says why sequences of different lengths are not nested; here they never are."""
    attention, why = layer.self_attn, ""
    if layer.norm_first:
        why = "encoder_layer.norm_first was True"
    elif not attention.batch_first:
        why = "encoder_layer.self_attn.batch_first was not True(use batch_first for better inference performance)"
    elif not attention._qkv_same_embed_dim:
        why = "encoder_layer.self_attn._qkv_same_embed_dim was not True"
    elif attention.in_proj_bias is None:
        why = "encoder_layer.self_attn was passed bias=False"
    elif layer.activation not in (F.relu, F.gelu) and type(layer.activation).__name__ not in ("ReLU", "GELU"):
        why = "encoder_layer.activation_relu_or_gelu was not True"
    elif layer.norm1.eps != layer.norm2.eps:
        why = "encoder_layer.norm1.eps was not equal to encoder_layer.norm2.eps"
    elif attention.num_heads % 2 == 1:
        why = "encoder_layer.self_attn.num_heads is odd"
    if why:
        warnings.warn(f"enable_nested_tensor is True, but self.use_nested_tensor is False because {why}", stacklevel=3)


class TransformerDecoder(Module):
    """A stack of decoder layers."""

    __constants__ = ["norm"]

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers, self.num_layers, self.norm = _get_clones(decoder_layer, num_layers), num_layers, norm

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None,
                tgt_is_causal=None, memory_is_causal=False):
        first = self.layers[0].self_attn if len(self.layers) else None
        tgt_is_causal = _detect_is_causal_mask(tgt_mask, tgt_is_causal, _get_seq_len(tgt, first is not None and first.batch_first))
        for layer in self.layers:
            tgt = layer(tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
                        memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal, memory_is_causal=memory_is_causal)
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    """Encoder and decoder together.

        >>> nn.Transformer(4, 2, 1, 1, 8, dropout=0.)(torch.randn(5, 2, 4), torch.randn(3, 2, 4)).shape
        torch.Size([3, 2, 4])
    """

    def __init__(self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1,
                 activation=F.relu, custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-5, batch_first=False, norm_first=False,
                 bias=True, device=None, dtype=None):
        super().__init__()
        factory = {"device": device, "dtype": dtype}
        shared = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            layer = TransformerEncoderLayer(*shared, **factory)
            self.encoder = TransformerEncoder(layer, num_encoder_layers, LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **factory))
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            layer = TransformerDecoderLayer(*shared, **factory)
            self.decoder = TransformerDecoder(layer, num_decoder_layers, LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **factory))
        self._reset_parameters()
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def forward(self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None, tgt_key_padding_mask=None,
                memory_key_padding_mask=None, src_is_causal=None, tgt_is_causal=None, memory_is_causal=False):
        batched = src.dim() == 3
        if not self.batch_first and src.size(1) != tgt.size(1) and batched:
            raise RuntimeError("the batch number of src and tgt must be equal")
        if self.batch_first and src.size(0) != tgt.size(0) and batched:
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal)
        return self.decoder(tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
                            memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal,
                            memory_is_causal=memory_is_causal)

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        """What is added to scores so that no element sees a later one."""
        return _generate_square_subsequent_mask(sz, device, dtype)

    def _reset_parameters(self):
        for weight in self.parameters():
            if weight.dim() > 1:
                xavier_uniform_(weight)

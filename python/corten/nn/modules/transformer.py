# SPDX-License-Identifier: BSD-3-Clause
"""The transformer of "Attention Is All You Need": encoder and decoder layers, stacks of them, and the whole model."""
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
    """Return N independent copies of a module."""
    return ModuleList([copy.deepcopy(module) for _ in range(N)])


def _get_activation_fn(activation):
    """Return the activation function with this name; raise RuntimeError for unknown names."""
    if activation in ("relu", "gelu"):
        return getattr(F, activation)
    raise RuntimeError(f"activation should be relu/gelu, not {activation}")


def _generate_square_subsequent_mask(sz, device=None, dtype=None):
    """Return the causal mask: -inf above the diagonal, 0 elsewhere."""
    return triu(full((sz, sz), float("-inf"), dtype=dtype, device=device), diagonal=1)


def _get_seq_len(src, batch_first):
    """Return the length of the sequences; None for nested tensors, whose sequences have different lengths."""
    return None if src.is_nested else src.size()[0 if src.dim() == 2 else 1 if batch_first else 0]


def _detect_is_causal_mask(mask, is_causal=None, size=None):
    """Return whether a mask is causal; compares its values unless `is_causal` is given."""
    if is_causal is None and mask is not None:
        n = mask.size(-2) if size is None else size
        causal = _generate_square_subsequent_mask(n, mask.device, mask.dtype)
        return mask.size() == causal.size() and bool((mask == causal).all())
    return is_causal is True


class _Layer(Module):
    """Base of encoder and decoder layers: creates their parts and runs the feed-forward block."""

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
        """Apply the blocks, each with a residual connection, and a normalisation before (norm_first) or after it."""
        for norm, block in blocks:
            x = x + block(norm(x)) if self.norm_first else norm(x + block(x))
        return x


class TransformerEncoderLayer(_Layer):
    """One layer of a transformer encoder: self-attention, then a feed-forward block.

        x = norm1(x + dropout(attention(x)))
        x = norm2(x + dropout(linear2(dropout(activation(linear1(x))))))

    With norm_first=True each block is x + block(norm(x)) instead. (Vaswani et al., 2017.)

    Args:
        d_model: number of features of the input and output.
        nhead: number of attention heads; it must divide `d_model`.
        dim_feedforward: number of features inside the feed-forward block. Default: 2048.
        dropout: probability of dropping, in every block. Default: 0.1.
        activation: of the feed-forward block: "relu", "gelu" or a function. Default: relu.
        layer_norm_eps: eps of the normalisations. Default: 1e-5.
        batch_first: whether tensors are (N, L, E) instead of (L, N, E). Default: False.
        norm_first: normalise before each block, which trains more stably in deep models, instead of
            after it as in the paper. Default: False.
        bias: whether Linear and LayerNorm have biases. Default: True.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Src: (L, N, d_model), (N, L, d_model) with batch_first, or (L, d_model).
        - Output: the same shape.

    Example:
        >>> layer = nn.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=16, batch_first=True)
        >>> layer(torch.zeros(3, 5, 8)).shape  # batch of 3, 5 positions
        torch.Size([3, 5, 8])
    """

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5, batch_first=False,
                 norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        self._build(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias,
                    {"device": device, "dtype": dtype}, ["self_attn"])

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        """Encode a batch of sequences.

        A bool mask hides the positions that are True; a floating-point mask is added to the attention scores.

        Args:
            src: the sequences.
            src_mask: (L, L), which position may see which. Default: None.
            src_key_padding_mask: (N, L), positions that no position may attend to. Default: None.
            is_causal: whether `src_mask` is the causal mask, which is faster. Default: False.
        """
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
    """One layer of a transformer decoder: self-attention, attention to the encoder's output, then a feed-forward block.

        x = norm1(x + dropout(attention(x)))
        x = norm2(x + dropout(attention(x, memory)))
        x = norm3(x + dropout(linear2(dropout(activation(linear1(x))))))

    With norm_first=True each block is x + block(norm(x)) instead. (Vaswani et al., 2017.)

    Args:
        d_model: number of features of the input and output.
        nhead: number of attention heads; it must divide `d_model`.
        dim_feedforward: number of features inside the feed-forward block. Default: 2048.
        dropout: probability of dropping, in every block. Default: 0.1.
        activation: of the feed-forward block: "relu", "gelu" or a function. Default: relu.
        layer_norm_eps: eps of the normalisations. Default: 1e-5.
        batch_first: whether tensors are (N, L, E) instead of (L, N, E). Default: False.
        norm_first: normalise before each block, which trains more stably in deep models, instead of
            after it as in the paper. Default: False.
        bias: whether Linear and LayerNorm have biases. Default: True.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Tgt: (T, N, d_model), (N, T, d_model) with batch_first, or (T, d_model).
        - Memory: the same with the encoder's length S.
        - Output: the shape of tgt.

    Example:
        >>> layer = nn.TransformerDecoderLayer(d_model=8, nhead=2, dim_feedforward=16, batch_first=True)
        >>> layer(torch.zeros(3, 4, 8), torch.zeros(3, 5, 8)).shape
        torch.Size([3, 4, 8])
    """

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5, batch_first=False,
                 norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        self._build(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias,
                    {"device": device, "dtype": dtype}, ["self_attn", "multihead_attn"])

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None,
                tgt_is_causal=False, memory_is_causal=False):
        """Decode a batch of sequences.

        A bool mask hides the positions that are True; a floating-point mask is added to the attention scores.

        Args:
            tgt: the sequences to decode.
            memory: the encoder's output.
            tgt_mask: (T, T), which target position may see which. Default: None.
            memory_mask: (T, S), which target position may see which of `memory`. Default: None.
            tgt_key_padding_mask: (N, T), target positions that no position may attend to. Default:
                None.
            memory_key_padding_mask: (N, S), positions of `memory` that no position may attend to.
                Default: None.
            tgt_is_causal, memory_is_causal: whether the masks are causal, which is faster.
                Default: False.
        """
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

        for layer in layers: x = layer(x)

    The layers are deep copies of one, so they start with equal parameters; reinitialise them if
    that matters.

    Args:
        encoder_layer: a TransformerEncoderLayer, or a module with the same call.
        num_layers: number of copies.
        norm: a module for the result, such as a LayerNorm. Default: None.
        enable_nested_tensor: accepted for compatibility; padded batches are computed without nested tensors.
            As in PyTorch, layers that could not use them cause a warning. Default: True.
        mask_check: accepted for compatibility. Default: True.

    Shape:
        As TransformerEncoderLayer.

    Attributes:
        layers: ModuleList of the copies.

    Example:
        >>> layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        >>> encoder = nn.TransformerEncoder(layer, num_layers=2, norm=nn.LayerNorm(8))
        >>> encoder(torch.zeros(3, 5, 8)).shape
        torch.Size([3, 5, 8])
    """

    __constants__ = ["norm"]

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers, self.num_layers, self.norm = _get_clones(encoder_layer, num_layers), num_layers, norm
        self.enable_nested_tensor, self.use_nested_tensor, self.mask_check = enable_nested_tensor, False, mask_check
        if enable_nested_tensor and isinstance(encoder_layer, TransformerEncoderLayer):
            _warn_of_nested(encoder_layer)

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        """Encode a batch of sequences.

        A bool mask hides the positions that are True; a floating-point mask is added to the attention scores.

        Args:
            src: the sequences.
            mask: (L, L), which position may see which. Default: None.
            src_key_padding_mask: (N, L), positions that no position may attend to. Default: None.
            is_causal: whether `mask` is the causal mask. Default: None, detected from its values.
        """
        src_key_padding_mask = canonical_mask(src_key_padding_mask, "src_key_padding_mask", None if mask is None else mask.dtype, "mask",
                                              src.dtype)
        mask = canonical_mask(mask, "mask", None, "", src.dtype, check_other=False)
        first = self.layers[0].self_attn if len(self.layers) else None
        is_causal = _detect_is_causal_mask(mask, is_causal, _get_seq_len(src, first is not None and first.batch_first))
        for layer in self.layers:
            src = layer(src, src_mask=mask, is_causal=is_causal, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


def _warn_of_nested(layer):
    """Warn like PyTorch about layers that prevent the use of nested tensors; Corten never uses them here."""
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
    """A stack of decoder layers.

        for layer in layers: x = layer(x, memory)

    The layers are deep copies of one, so they start with equal parameters; initialise them anew if
    that matters.

    Args:
        decoder_layer: a TransformerDecoderLayer, or a module with the same call.
        num_layers: number of copies.
        norm: a module for the result, such as a LayerNorm. Default: None.

    Shape:
        As TransformerDecoderLayer.

    Attributes:
        layers: ModuleList of the copies.

    Example:
        >>> layer = nn.TransformerDecoderLayer(8, 2, 16, batch_first=True)
        >>> decoder = nn.TransformerDecoder(layer, num_layers=2)
        >>> decoder(torch.zeros(3, 4, 8), torch.zeros(3, 5, 8)).shape
        torch.Size([3, 4, 8])
    """

    __constants__ = ["norm"]

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers, self.num_layers, self.norm = _get_clones(decoder_layer, num_layers), num_layers, norm

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None,
                tgt_is_causal=None, memory_is_causal=False):
        """Decode a batch of sequences.

        A bool mask hides the positions that are True; a floating-point mask is added to the attention scores.

        Args:
            tgt: the sequences to decode.
            memory: the encoder's output.
            tgt_mask: (T, T), which target position may see which. Default: None.
            memory_mask: (T, S), which target position may see which of `memory`. Default: None.
            tgt_key_padding_mask: (N, T), target positions that no position may attend to. Default:
                None.
            memory_key_padding_mask: (N, S), positions of `memory` that no position may attend to.
                Default: None.
            tgt_is_causal: whether `tgt_mask` is the causal mask. Default: None, detected from its
                values.
            memory_is_causal: whether `memory_mask` is. Default: False.
        """
        first = self.layers[0].self_attn if len(self.layers) else None
        tgt_is_causal = _detect_is_causal_mask(tgt_mask, tgt_is_causal, _get_seq_len(tgt, first is not None and first.batch_first))
        for layer in self.layers:
            tgt = layer(tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
                        memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal, memory_is_causal=memory_is_causal)
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    """The encoder-decoder transformer, without embeddings and output layer (Vaswani et al., 2017).

        output = decoder(tgt, encoder(src))

    Pass it embedded tokens with positions added, and use a causal `tgt_mask` in training to hide later target
    positions.

    Args:
        d_model: number of features of all sequences. Default: 512.
        nhead: number of attention heads. Default: 8.
        num_encoder_layers, num_decoder_layers: numbers of layers. Default: 6.
        dim_feedforward: number of features inside the feed-forward blocks. Default: 2048.
        dropout: probability of dropping. Default: 0.1.
        activation: of the feed-forward blocks: "relu", "gelu" or a function. Default: relu.
        custom_encoder, custom_decoder: modules to use instead of the usual stacks. Default: None.
        layer_norm_eps: eps of the normalisations. Default: 1e-5.
        batch_first: whether tensors are (N, L, E) instead of (L, N, E). Default: False.
        norm_first: normalise before each block instead of after it. Default: False.
        bias: whether Linear and LayerNorm have biases. Default: True.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Src: (S, N, d_model), (N, S, d_model) with batch_first, or (S, d_model).
        - Tgt: the same with the target's length T.
        - Output: the shape of tgt.

    Attributes:
        encoder, decoder: the two stacks.

    All weight matrices start Xavier-uniform.

    Example:
        >>> model = nn.Transformer(8, 2, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=16, batch_first=True)
        >>> mask = nn.Transformer.generate_square_subsequent_mask(4)
        >>> model(torch.zeros(3, 5, 8), torch.zeros(3, 4, 8), tgt_mask=mask).shape
        torch.Size([3, 4, 8])
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
        """Encode `src` and decode `tgt`.

        A bool mask hides the positions that are True; a floating-point mask is added to the attention scores.

        Args:
            src, tgt: the sequences.
            src_mask: (S, S); tgt_mask: (T, T); memory_mask: (T, S): which position may see which.
                Default: None.
            src_key_padding_mask, memory_key_padding_mask: (N, S); tgt_key_padding_mask: (N, T):
                positions that no position may attend to. Default: None.
            src_is_causal, tgt_is_causal, memory_is_causal: whether the masks are causal. Default:
                None, detected from their values; False for the last.
        """
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
        """Return the causal mask of a sequence: 0 on and below the diagonal, -inf above, so that no position sees a later one.

        Args:
            sz: length of the sequence.
            device, dtype: of the mask. Default: the current defaults.

        Example:
            >>> nn.Transformer.generate_square_subsequent_mask(3)
            tensor([[0., -inf, -inf],
                    [0., 0., -inf],
                    [0., 0., 0.]])
        """
        return _generate_square_subsequent_mask(sz, device, dtype)

    def _reset_parameters(self):
        for weight in self.parameters():
            if weight.dim() > 1:
                xavier_uniform_(weight)

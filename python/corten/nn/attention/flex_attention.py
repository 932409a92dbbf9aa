# SPDX-License-Identifier: BSD-3-Clause
"""Attention whose scores and mask the program modifies with its own functions.

The functions are `score_mod(score, b, h, q_idx, kv_idx)` and `mask_mod(b, h, q_idx, kv_idx)`. PyTorch vectorizes such a function
over all elements. Corten calls it once, with index tensors of shapes [B, 1, 1, 1], [1, H, 1, 1], [1, 1, Q, 1] and [1, 1, 1, KV].
Their class keeps these four dimensions separate when they index a table (Note [Four dims]). A `BlockMask` lists which blocks of
the scores are empty or full; the mask itself always comes from `mask_mod`.
"""
import inspect
import itertools
import math
import warnings
from typing import NamedTuple, Optional, TypedDict

import corten
from corten import Tensor
from corten._missing import no_effect
from corten.overrides import TorchFunctionMode

__all__ = ["BlockMask", "flex_attention", "AuxOutput", "AuxRequest", "FlexKernelOptions", "create_block_mask", "create_mask",
           "or_masks", "and_masks", "noop_mask"]
_DEFAULT_SPARSE_BLOCK_SIZE, _LARGE_SPARSE_BLOCK_SIZE = 128, 1 << 30
_FLEX_ATTENTION_DISABLE_COMPILE_DEBUG = False


class FlexKernelOptions(TypedDict, total=False):
    """Tuning options of PyTorch's Triton kernels; Corten ignores them."""
    num_warps: int
    num_stages: int
    BLOCK_M: int
    BLOCK_N: int
    PRESCALE_QK: bool
    ROWS_GUARANTEED_SAFE: bool
    BLOCKS_ARE_CONTIGUOUS: bool
    WRITE_DQ: bool
    FORCE_USE_FLEX_ATTENTION: bool
    USE_TMA: bool
    BACKEND: str


class AuxRequest(NamedTuple):
    """What flex_attention should return in addition to its result.

    Args:
        lse: the log-sum-exp of the scores of each query. Default: False.
        max_scores: the greatest score of each query. Default: False.
    """
    lse: bool = False
    max_scores: bool = False


class AuxOutput(NamedTuple):
    """The values requested with an AuxRequest: `lse` and `max_scores`, (B, H, Q) each, or None."""
    lse: Optional[Tensor] = None
    max_scores: Optional[Tensor] = None


# ---- calling functions of one element for all elements ----

# Note [Four dims]: in a mod, `table[h][q_idx]` means table[h, q_idx] for each element. Here h is a tensor, so table[h] has the
# shape [1, H, 1, 1, ...]: four dims for (b, h, q_idx, kv_idx), then the rest of the table. The next index therefore belongs to
# the fifth dim, and must be paired with the first four element by element. Tensors of class _Mapped have these four dims in
# front. Operations pass the class on to their results; _Indexing does so where a plain table is indexed.
class _Mapped(Tensor):
    pass


def _along(d, n, device):
    return corten.arange(n, device=device).reshape([-1 if d == e else 1 for e in range(4)])


class _Indexing(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func is not Tensor.__getitem__:
            return func(*args, **(kwargs or {}))
        table, index = args
        index = index if isinstance(index, tuple) else (index,)
        if isinstance(table, _Mapped):
            index = (*(_along(d, n, table.device) for d, n in enumerate(table.shape[:4])), *index)
        elif not any(isinstance(i, _Mapped) for i in index):
            return table[index]
        plain = (i.as_subclass(Tensor) if isinstance(i, _Mapped) else i for i in index)
        return table.as_subclass(Tensor)[tuple(plain)].as_subclass(_Mapped)


def _indices(shape, device):
    return [_along(d, n, device).as_subclass(_Mapped) for d, n in enumerate(shape)]


def _mapped(function, shape, device, *scores):
    """Call a function of one element for all elements at once; return its values."""
    with _Indexing():
        found = function(*(s.as_subclass(_Mapped) for s in scores), *_indices(shape, device))
    return found.as_subclass(Tensor).expand(shape)


def _is_score_mod(function):
    parameters = inspect.signature(function).parameters.values()
    needed = sum(p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
    if needed not in (4, 5):
        raise AssertionError(f"Expected 4 or 5 positional args, got {needed}")
    return needed == 5


def noop_mask(batch, head, token_q, token_kv):
    """A mask_mod that masks nothing."""
    return batch.new_ones(size=(), dtype=corten.bool, device=batch.device)


def _combined(mask_mods, start, combine, name):
    if not all(callable(mod) for mod in mask_mods):
        raise RuntimeError(f"All inputs should be callable mask_mods: {mask_mods}")

    def mask(b, h, q_idx, kv_idx):
        result = b.new_full((), start, dtype=corten.bool)
        for mod in mask_mods:
            result = combine(result, mod(b, h, q_idx, kv_idx))
        return result

    mask.__name__ = mask.__qualname__ = name
    return mask


def or_masks(*mask_mods):
    """Combine mask_mods: a position is visible if at least one of them allows it.

    Args:
        mask_mods: functions of (b, h, q_idx, kv_idx).
    """
    return _combined(mask_mods, False, corten.bitwise_or, "or_mask")


def and_masks(*mask_mods):
    """Combine mask_mods: a position is visible if all of them allow it.

    Args:
        mask_mods: functions of (b, h, q_idx, kv_idx).
    """
    return _combined(mask_mods, True, corten.bitwise_and, "and_mask")


def _device(device):
    return device if device is not None else corten.accelerator.current_accelerator() or "cpu"


def create_mask(mod_fn, B, H, Q_LEN, KV_LEN, device=None):
    """Evaluate a mask_mod for all positions.

    Returns a bool tensor, (B, H, Q_LEN, KV_LEN), in which True marks visible positions. For a score_mod, positions
    whose score becomes -inf are masked.

    Args:
        mod_fn: a mask_mod or score_mod.
        B, H: numbers of batches and heads; None means 1, which broadcasts.
        Q_LEN, KV_LEN: numbers of queries and keys.
        device: of the mask. Default: None, the accelerator if there is one, else the CPU.
    """
    shape, device = (B or 1, H or 1, Q_LEN, KV_LEN), _device(device)
    if _is_score_mod(mod_fn):
        return ~corten.isneginf(_mapped(mod_fn, shape, device, corten.zeros(shape, device=device)))
    return _mapped(mod_fn, shape, device).contiguous()


# ---- block masks ----

def _to_dense(num_blocks, indices, columns):
    """Return the listed blocks as a matrix of zeros and ones."""
    listed = corten.arange(indices.shape[-1], device=indices.device) < num_blocks.unsqueeze(-1)
    places = corten.where(listed, indices, columns).to(corten.int64)  # unlisted entries go to an extra column, which is removed below
    dense = corten.zeros(*indices.shape[:-1], columns + 1, dtype=corten.int32, device=indices.device)
    return dense.scatter_(-1, places, 1)[..., :columns].contiguous()


def _to_lists(dense):
    """Return the number of blocks in each row and their column indices; indices of absent blocks come last."""
    dense = dense.to(corten.int32)
    indices = corten.argsort(dense, dim=-1, descending=True, stable=True)
    return dense.sum(-1).to(corten.int32), indices.to(corten.int32).contiguous()


def _cropped(num_blocks, indices, rows, columns):
    indices, num_blocks = indices[:, :, :rows, :columns], num_blocks[:, :, :rows]
    listed = corten.arange(indices.shape[-1], device=indices.device) < num_blocks[..., None]
    return (listed & (indices < columns)).sum(-1).to(corten.int32), indices


def _of_slice(batch, head, token_q, token_kv):
    raise RuntimeError("Cannot use mask_mod from a sliced BlockMask. When you slice a BlockMask using [], the mask_mod attribute "
                       "is reset. You must set it from the original BlockMask's mask_mod.")


class BlockMask:
    """Lists of the partial and full blocks of the scores, for each row of blocks (kv_*) and each column (q_*).

    `create_block_mask` makes one from a mask_mod. mask[batch, head, rows of blocks] returns a part of it.

    Args:
        seq_lengths: numbers of queries and keys.
        kv_num_blocks, kv_indices: number and columns of the partial blocks in each row.
        full_kv_num_blocks, full_kv_indices: the same for full blocks, or None.
        q_num_blocks, q_indices, full_q_num_blocks, full_q_indices: the same with rows and columns
            exchanged, or None.
        BLOCK_SIZE: a pair (queries, keys). Default: (128, 128).
        mask_mod: the mask inside partial blocks. Default: nothing is masked.
        dq_write_order, dq_write_order_full, dq_kv_order, dq_kv_order_spt: kept for PyTorch's
            programs. Default: None.
    """

    _TENSOR_ATTRS = ["kv_num_blocks", "kv_indices", "full_kv_num_blocks", "full_kv_indices", "q_num_blocks", "q_indices",
                     "full_q_num_blocks", "full_q_indices", "dq_write_order", "dq_write_order_full", "dq_kv_order"]

    def __init__(self, seq_lengths, kv_num_blocks, kv_indices, full_kv_num_blocks, full_kv_indices, q_num_blocks, q_indices,
                 full_q_num_blocks, full_q_indices, BLOCK_SIZE=(_DEFAULT_SPARSE_BLOCK_SIZE, _DEFAULT_SPARSE_BLOCK_SIZE),
                 mask_mod=noop_mask, *, dq_write_order=None, dq_write_order_full=None, dq_kv_order=None, dq_kv_order_spt=None):
        if kv_indices.dim() < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        for name, pair in (("kv", (full_kv_num_blocks, full_kv_indices)), ("q", (full_q_num_blocks, full_q_indices))):
            if (pair[0] is None) != (pair[1] is None):
                raise AssertionError(f"full_{name}_num_blocks and full_{name}_indices must be both provided or omitted")
        if dq_write_order_full is not None and dq_write_order is None:
            raise ValueError("dq_write_order_full requires dq_write_order")
        given = locals()
        for name in self._TENSOR_ATTRS:
            setattr(self, name, given[name])
        self.seq_lengths, self.BLOCK_SIZE, self.mask_mod = seq_lengths, BLOCK_SIZE, mask_mod
        self.dq_kv_order_spt = dq_kv_order_spt

    @classmethod
    def from_kv_blocks(cls, kv_num_blocks, kv_indices, full_kv_num_blocks=None, full_kv_indices=None,
                       BLOCK_SIZE=_DEFAULT_SPARSE_BLOCK_SIZE, mask_mod=None, seq_lengths=None, compute_q_blocks=True, *,
                       dq_write_order=None, dq_write_order_full=None, dq_kv_order=None):
        """Create a mask from lists of blocks for each row.

        Args:
            kv_num_blocks: (B, H, rows), the number of partial blocks in each row.
            kv_indices: (B, H, rows, columns), their columns.
            full_kv_num_blocks, full_kv_indices: the same for full blocks, which need no mask_mod.
                Default: None.
            BLOCK_SIZE: an int or a pair (queries, keys). Default: 128.
            mask_mod: the mask inside partial blocks. Default: None, everything.
            seq_lengths: numbers of queries and keys. Default: None, those of whole blocks.
            compute_q_blocks: also make the lists for each column. Default: True.
            dq_write_order, dq_write_order_full, dq_kv_order: accepted for compatibility. Default:
                None.
        """
        if kv_indices.dim() < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        if (full_kv_num_blocks is None) != (full_kv_indices is None):
            raise AssertionError("full_kv_num_blocks and full_kv_indices must be both provided or omitted")
        size = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
        if seq_lengths is None:
            seq_lengths = kv_indices.shape[-2] * size[0], kv_indices.shape[-1] * size[1]
        columns = -(-seq_lengths[1] // size[1])

        def turned(num_blocks, indices):
            if not compute_q_blocks or num_blocks is None:
                return None, None
            return _to_lists(_to_dense(num_blocks, indices, columns).mT)

        if dq_kv_order is not None and not isinstance(dq_kv_order, (bool, Tensor)):
            raise ValueError("dq_kv_order must be a bool, Tensor, or None")
        tensor = isinstance(dq_kv_order, Tensor)
        return cls(seq_lengths, kv_num_blocks, kv_indices, full_kv_num_blocks, full_kv_indices, *turned(kv_num_blocks, kv_indices),
                   *turned(full_kv_num_blocks, full_kv_indices), size, mask_mod or noop_mask, dq_write_order=dq_write_order,
                   dq_write_order_full=dq_write_order_full, dq_kv_order=dq_kv_order if tensor else None,
                   dq_kv_order_spt=None if tensor else dq_kv_order)

    def as_tuple(self, flatten=True):
        """Return all fields as a tuple; with flatten=False the lengths and block sizes stay pairs."""
        lengths, size = (self.seq_lengths, self.BLOCK_SIZE) if flatten else ((self.seq_lengths,), (self.BLOCK_SIZE,))
        return (*lengths, *(getattr(self, name) for name in self._TENSOR_ATTRS), self.dq_kv_order_spt, *size, self.mask_mod)

    @property
    def shape(self):
        """The shape of the full mask: (B, H, queries, keys)."""
        return tuple(self.kv_indices.shape[:-2]) + tuple(self.seq_lengths)

    def numel(self):
        """Return the number of elements of the full mask."""
        return math.prod(self.shape)

    def sparsity(self):
        """Return the percentage of empty blocks."""
        total = math.prod(self.kv_num_blocks.shape[:-1])
        for length, size in zip(self.seq_lengths, self.BLOCK_SIZE):
            total *= -(-length // size)
        computed = self.kv_num_blocks.sum().item()
        if self.full_kv_num_blocks is not None:
            computed += self.full_kv_num_blocks.sum().item()
        return 100 * (1 - computed / total)

    def to_dense(self):
        """Return a matrix with 1 for each block that is not empty."""
        dense = _to_dense(self.kv_num_blocks, self.kv_indices, self.kv_indices.shape[-1])
        if self.full_kv_num_blocks is None:
            return dense
        return dense | _to_dense(self.full_kv_num_blocks, self.full_kv_indices, self.full_kv_indices.shape[-1])

    def __getitem__(self, index):
        if self.dq_kv_order is not None:
            raise NotImplementedError("Slicing BlockMask with tensor dq_kv_order is not supported yet. Construct a new BlockMask with "
                                      "matching precomputed dq_write_order metadata.")
        index = index if isinstance(index, tuple) else (index,)
        if len(index) > 3:
            raise IndexError("BlockMask indexing supports batch, head, and Q-block dimensions")
        index = tuple(slice(i % n, i % n + 1) if isinstance(i, int) and -n <= i < n else slice(i, i + 1) if isinstance(i, int) else i
                      for i, n in zip((*index, *[slice(None)] * 3), self.kv_num_blocks.shape[:3]))
        parts = [None if t is None else t[index] for t in (self.kv_num_blocks, self.kv_indices, self.full_kv_num_blocks,
                                                           self.full_kv_indices)]
        part = BlockMask.from_kv_blocks(*parts, self.BLOCK_SIZE, _of_slice, (self._length(index[2], parts[1].shape[-2]),
                                                                             self.seq_lengths[1]), self.q_indices is not None)
        part.dq_kv_order_spt = self.dq_kv_order_spt
        return part

    def _length(self, rows, count):
        """Return the number of queries in some rows of blocks; the last block may be shorter."""
        size, blocks = self.BLOCK_SIZE[0], self.kv_num_blocks.shape[-1]
        if not isinstance(rows, slice):
            return count * size
        short = blocks * size - self.seq_lengths[0] if blocks - 1 in range(blocks)[rows] else 0
        return max(count * size - short, 0)

    def _adjust(self, new_q_len, new_kv_len):
        """Return the mask cropped to fewer queries and keys."""
        rows, columns = -(-new_q_len // self.BLOCK_SIZE[0]), -(-new_kv_len // self.BLOCK_SIZE[1])
        full = (None, None)
        if self.full_kv_num_blocks is not None:
            full = _cropped(self.full_kv_num_blocks, self.full_kv_indices, rows, columns)
        return self.from_kv_blocks(*_cropped(self.kv_num_blocks, self.kv_indices, rows, columns), *full, self.BLOCK_SIZE,
                                   self.mask_mod, (new_q_len, new_kv_len), self.q_indices is not None)

    def to(self, device):
        """Return the mask with its tensors on another device.

        Args:
            device: the device.
        """
        tensors = {name: getattr(self, name) for name in self._TENSOR_ATTRS}
        moved = {name: None if t is None else t.to(device) for name, t in tensors.items()}
        return BlockMask(self.seq_lengths, **moved, BLOCK_SIZE=self.BLOCK_SIZE, mask_mod=self.mask_mod,
                         dq_kv_order_spt=self.dq_kv_order_spt)

    def to_string(self, grid_size=(20, 20), limit=4):
        """Draw the blocks: full, partial (shaded) and empty ones.

        Args:
            grid_size: greatest number of rows and columns, an int or a pair; more blocks share a
                cell. Default: (20, 20).
            limit: how many of the B * H masks to draw. Default: 4.
        """
        dense = self.to_dense()
        *batch, rows, columns = dense.shape
        most = (grid_size, grid_size) if isinstance(grid_size, int) else grid_size
        high, wide = max(1, -(-rows // most[0])), max(1, -(-columns // most[1]))
        drawn = []
        for k, place in enumerate(itertools.product(*map(range, batch))):
            if k == limit:
                drawn += ["...", "To print out more, set BlockMask.to_string(limit=N)",
                          "You can also index (BlockMask[batch, head]) to choose a specific batch or head"]
                break
            lines = [f"{place}"]
            for r in range(0, rows, high):
                parts = [dense[place][r:r + high, c:c + wide].float().mean().item() for c in range(0, columns, wide)]
                lines.append("".join("██" if p == 1 else "  " if p == 0 else "░░" for p in parts))
            drawn.append("\n".join(lines) + "\n")
        return "\n".join(drawn)

    def __str__(self):
        return f"BlockMask(shape={self.shape}, sparsity={self.sparsity():.2f}%, \n{self.to_string().strip()}\n)"

    def __repr__(self):
        shapes = "".join(f"    {name}={None if (t := getattr(self, name)) is None else t.shape},\n" for name in self._TENSOR_ATTRS[:8])
        return (f"BlockMask(\n{shapes}    BLOCK_SIZE={self.BLOCK_SIZE},\n    shape={self.shape},\n"
                f"    sparsity={self.sparsity():.2f}%,\n    mask_mod={getattr(self.mask_mod, '__name__', self.mask_mod)}\n)")


def create_block_mask(mask_mod, B, H, Q_LEN, KV_LEN, device=None, BLOCK_SIZE=_DEFAULT_SPARSE_BLOCK_SIZE, _compile=False,
                      separate_full_blocks=True, compute_dq_write_order=False, dq_kv_order=True):
    """Create a BlockMask: evaluate a mask_mod and classify each block as empty, partial or full.

    Create it once and use it for many calls of flex_attention with the same lengths.

    Args:
        mask_mod: a function of (b, h, q_idx, kv_idx) that is True where a query may see a key.
        B, H: numbers of batches and heads; None stands for 1 and broadcasts.
        Q_LEN, KV_LEN: numbers of queries and keys.
        device: of the lists. Default: None, the accelerator if there is one, else the CPU.
        BLOCK_SIZE: an int or a pair (queries, keys). Default: 128.
        separate_full_blocks: list full blocks separately. Default: True.
        compute_dq_write_order: no effect; the first use warns. Default: False.
        dq_kv_order: accepted for compatibility; must be a bool. Default: True.

    Example:
        >>> from corten.nn.attention import flex_attention as flex
        >>> def causal(b, h, q_idx, kv_idx):
        ...     return q_idx >= kv_idx
        >>> mask = flex.create_block_mask(causal, None, None, 512, 512, device="cpu")
        >>> mask.shape, mask.sparsity()
        ((1, 1, 512, 512), 37.5)
    """
    if compute_dq_write_order:
        no_effect("create_block_mask(compute_dq_write_order=True)", "gradients of queries are summed in one order anyway")
    if _is_score_mod(mask_mod):
        raise AssertionError(f"create-block_mask requires a mask_mod function! Got {mask_mod}")
    if not isinstance(dq_kv_order, bool):
        raise ValueError("dq_kv_order must be a bool when using create_block_mask")
    size = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else tuple(BLOCK_SIZE)
    mask = create_mask(mask_mod, B, H, Q_LEN, KV_LEN, device)
    mask = corten.nn.functional.pad(mask, (0, -KV_LEN % size[1], 0, -Q_LEN % size[0]))
    rows, columns = mask.shape[-2] // size[0], mask.shape[-1] // size[1]
    count = mask.view(*mask.shape[:2], rows, size[0], columns, size[1]).sum((-3, -1))
    most = size[0] * size[1]
    full = _to_lists(count == most) if separate_full_blocks else (None, None)
    partial = (count > 0) & (count < most) if separate_full_blocks else count > 0
    return BlockMask.from_kv_blocks(*_to_lists(partial), *full, size, mask_mod, (Q_LEN, KV_LEN))


# ---- attention ----

_TOO_SMALL = "block_mask was created for a smaller length than you're using it for, you likely need to create a new block mask."
_TOO_LARGE = ("block_mask was created for a larger length than you're using it for, you can either 1. create a new block mask with "
              "the correct length, or 2. 'adjust' the existing block mask to the correct length by calling "
              "block_mask._adjust(q_len, kv_len). This essentially 'crops' the block mask to the upper left corner, which does not "
              "work for all mask_mods!")


def _check(query, key, value, block_mask, enable_gqa):
    if not query.dim() == key.dim() == value.dim() == 4:
        raise NotImplementedError("NYI: query, key, and value must be 4D tensors")
    if query.size(-1) != key.size(-1):
        raise ValueError("Expect query and key/value to have the same embedding dimension "
                         f"but got E={query.size(-1)} and E={key.size(-1)}.")
    heads, shared = query.size(1), key.size(1)
    if not enable_gqa and heads != shared:
        raise ValueError(f"Expect query and key/value to have the same number of heads but got Hq={heads} and Hkv={shared}. "
                         "Try setting enable_gqa=True for GQA.")
    if heads % shared:
        raise ValueError("Expect number of query heads to be a multiple of kv heads for GQA "
                         f"but got Hq={heads} and Hkv={shared}.")
    if query.size(0) != key.size(0):
        if block_mask is None:
            raise ValueError("Expect query and key/value to have the same batch size, or non-none block_mask, "
                             f"but got block_mask=None, Bq={query.size(0)}, and Bkv={key.size(0)}.")
        if block_mask.kv_num_blocks.size(0) != query.size(0):
            raise ValueError("Expect query and key/value to have the same batch size, or block_mask and query to have the same batch "
                             f"size, but got Bq={query.size(0)}, Bkv={key.size(0)}, B_block_mask={block_mask.kv_num_blocks.size(0)}.")
    if block_mask is None:
        return
    if block_mask.mask_mod is _of_slice:
        raise RuntimeError("Cannot use mask_mod from a sliced BlockMask")
    lengths, covered = (query.size(-2), key.size(-2)), block_mask.shape[-2:]
    if any(n > m for n, m in zip(lengths, covered)):
        raise RuntimeError(_TOO_SMALL)
    if lengths != covered:
        raise RuntimeError(_TOO_LARGE)
    if query.device != block_mask.kv_num_blocks.device:
        raise RuntimeError("Expect q/k/v and block_mask to be on the same device "
                           f"but got {query.device} and {block_mask.kv_num_blocks.device}.")


def flex_attention(query, key, value, score_mod=None, block_mask=None, scale=None, enable_gqa=False, return_lse=False,
                   kernel_options=None, *, return_aux=None):
    """Compute attention with scores and mask modified by your functions.

        out = softmax(score_mod(query @ key^T * scale)) @ value

    where the softmax runs over the keys that `block_mask` lets a query see. The result of a query that sees no key
    is 0. Scores are computed in float32 (float64 for float64 inputs) and stored in full, so memory use is proportional to
    queries times keys.

    Args:
        query: (B, Hq, L, E).
        key: (B, Hkv, S, E).
        value: (B, Hkv, S, Ev).
        score_mod: changes scores: score_mod(score, b, h, q_idx, kv_idx). Default: None.
        block_mask: a BlockMask for L queries and S keys. Default: None, no mask.
        scale: factor of the scores. Default: None, 1 / sqrt(E).
        enable_gqa: whether several query heads may share a key head. Default: False.
        return_lse: deprecated in favour of `return_aux`. Default: False.
        kernel_options: no effect; the first use warns. Default: None.
        return_aux: an AuxRequest, to return a pair (out, AuxOutput). Default: None.

    Example:
        >>> from corten.nn.attention import flex_attention as flex
        >>> q = torch.ones(1, 1, 2, 4)
        >>> v = torch.tensor([[[[0.], [8.]]]])
        >>> def nearer(score, b, h, q_idx, kv_idx):  # each step of distance costs a factor of 3
        ...     return score - (q_idx - kv_idx).abs() * 1.0986123
        >>> flex.flex_attention(q, q, v, score_mod=nearer).flatten().round(decimals=3)
        tensor([2., 6.])
    """
    if kernel_options:
        no_effect("flex_attention(kernel_options=...)", "they tune PyTorch's Triton kernels, which Corten does not use")
    _check(query, key, value, block_mask, enable_gqa)
    if return_lse and return_aux is not None:
        raise ValueError("Cannot specify both return_lse and return_aux. return_lse is deprecated, please use "
                         "return_aux=AuxRequest(lse=True) instead.")
    if return_lse:
        warnings.warn("return_lse is deprecated and will be removed in v2.10. Please use return_aux=AuxRequest(lse=True) instead.",
                      FutureWarning, stacklevel=2)
    groups = query.size(1) // key.size(1)
    key, value = (t.repeat_interleave(groups, 1).expand(query.size(0), -1, -1, -1) for t in (key, value))
    compute = corten.float64 if query.dtype == corten.float64 else corten.float32
    scores = (query.to(compute) @ key.to(compute).mT) * (1 / math.sqrt(query.size(-1)) if scale is None else scale)
    shape, device = scores.shape, scores.device
    mask = None if block_mask is None else _mapped(block_mask.mask_mod, shape, device)
    if score_mod is not None:
        scores = _mapped(score_mod, shape, device, scores)
    if mask is not None:
        scores = corten.where(mask, scores, -math.inf)
    blind = (scores == -math.inf).all(-1, keepdim=True)
    # The softmax of a row of -inf is NaN, and so is its gradient. Compute it for zeros instead, and zero the weights.
    weights = corten.softmax(scores.masked_fill(blind, 0), -1).masked_fill(blind, 0)
    result = weights.to(query.dtype) @ value
    if not return_lse and return_aux is None:
        return result
    lse = scores.logsumexp(-1) if return_lse or return_aux.lse else None
    if return_lse:
        return result, lse
    return result, AuxOutput(lse, scores.amax(-1) if return_aux.max_scores else None)

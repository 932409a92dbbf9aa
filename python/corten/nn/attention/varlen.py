# SPDX-License-Identifier: BSD-3-Clause
"""Attention for sequences of different lengths, packed into one tensor without padding."""
from typing import NamedTuple

from ... import _C
from ..functional import scaled_dot_product_attention

__all__ = ["AuxRequest", "varlen_attn", "varlen_attn_out"]


class AuxRequest(NamedTuple):
    """What varlen_attn should return in addition to its result.

    Args:
        lse: the log-sum-exp of the scores of each query. Default: False.
    """
    lse: bool = False


def _check_heads(query, key, enable_gqa, block_table):
    of_query, of_key = query.size(1), key.size(1 if block_table is None else 2)
    if not enable_gqa and of_query != of_key:
        raise ValueError(f"Expect query and key/value to have the same number of heads but got Hq={of_query} and Hkv={of_key}. "
                         "Try setting enable_gqa=True for GQA.")
    if enable_gqa and of_query % of_key:
        raise ValueError(f"Expect number of query heads to be a multiple of kv heads for GQA but got Hq={of_query} and Hkv={of_key}.")


def _check_inference(tensors, seqused_k, block_table):
    if not (_C.is_grad_enabled() and any(t.requires_grad for t in tensors)):
        return
    for name, given in (("seqused_k", seqused_k), ("block_table", block_table)):
        if given is not None:
            raise RuntimeError(f"{name} is an inference-only parameter.")


def _segments(cu_seq, longest, name):
    """Return the rows of each sequence as slices; raise ValueError if a sequence is longer than the stated maximum."""
    ends = cu_seq.tolist()
    found = max((j - i for i, j in zip(ends, ends[1:])), default=0)
    if found > longest:
        raise ValueError(f"{name} is {longest}, but the longest sequence has a length of {found}")
    return [slice(i, j) for i, j in zip(ends, ends[1:])]


def _key_rows(cu_seq_k, max_k, sequences, seqused_k, block_table, page_size):
    """Return, for each sequence, the rows of `key` to attend to: a slice, or indices into a paged cache."""
    used = None if seqused_k is None else seqused_k.tolist()
    if block_table is None:
        if cu_seq_k is None:
            raise ValueError("cu_seq_k can only be None where block_table says which pages belong to each sequence")
        rows = _segments(cu_seq_k, max_k, "max_k")
        return rows if used is None else [slice(at.start, min(at.start + n, at.stop)) for at, n in zip(rows, used)]
    if used is None:
        raise ValueError("block_table requires seqused_k")
    inside = _C.arange(page_size, device=block_table.device)
    rows = (block_table.long().unsqueeze(-1) * page_size + inside).flatten(1)
    return [rows[i, :used[i]] for i in range(sequences)]


def _mask(queries, keys, window, device):
    """Return which keys each query sees, or None for all; the last query is aligned with the last key."""
    left, right = window
    if left < 0 and right < 0:
        return None
    distance = _C.arange(keys, device=device) - _C.arange(queries, device=device).unsqueeze(1) - (keys - queries)
    seen = _C.ones((queries, keys), dtype=_C.bool, device=device)
    if left >= 0:
        seen = seen & (distance >= -left)
    return seen & (distance <= right) if right >= 0 else seen


def _log_sums(query, key, mask, scale):
    """Return the float32 log-sum-exp of each query's scores; infinity for a query that sees no key."""
    heads = key.repeat_interleave(query.shape[0] // key.shape[0], 0).float()
    scores = query.float() @ heads.mT * (query.shape[-1] ** -0.5 if scale is None else scale)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    sums = scores.logsumexp(-1)
    return sums.masked_fill(sums == float("-inf"), float("inf"))


def varlen_attn(query, key, value, cu_seq_q, cu_seq_k, max_q, max_k, *, return_aux=None, scale=None, window_size=(-1, -1),
                enable_gqa=False, seqused_k=None, block_table=None, num_splits=None):
    """Attention within each of several sequences that are packed into one tensor without padding.

        out[rows of sequence s] = attention(query[rows of s], key[rows of s], value[rows of s])

    Sequences do not see each other, and results do not depend on the other sequences in the batch. The
    result of a query that sees no key is 0.

    Args:
        query, key, value: (rows of all sequences, heads, head size).
        cu_seq_q, cu_seq_k: where each sequence begins, and where the last one ends: [0, 3, 7] for
            lengths 3 and 4.
        max_q, max_k: the length of the longest sequence, or more; ValueError if one is longer.
        return_aux: AuxRequest(lse=True) also returns the log-sum-exp of scores, (heads, rows).
            Default: None.
        scale: factor of the scores; positive. Default: None, 1 / sqrt(head size).
        window_size: the number of keys before and after its own position that a query sees; -1 means all, so (-1, 0) is
        causal. The last query is aligned with the last key. Default: (-1, -1).
        enable_gqa: whether several query heads may share a key head. Default: False.
        seqused_k: how many keys of each sequence count; only without gradients. Default: None, all.
        block_table: (sequences, pages), the pages of each sequence if key and value are (pages,
            page size, heads, head size). Needs `seqused_k`; only without gradients. Default: None.
        num_splits: accepted and ignored. Default: None.

    Example:
        >>> x, starts = torch.ones(5, 1, 4), torch.tensor([0, 2, 5])
        >>> from corten.nn.attention.varlen import varlen_attn
        >>> varlen_attn(x, x, x, starts, starts, 3, 3).shape
        torch.Size([5, 1, 4])
    """
    _check_heads(query, key, enable_gqa, block_table)
    if scale is not None and not scale > 0:
        raise ValueError(f"scale must be greater than 0, got {scale}")
    if len(window_size) != 2:
        raise ValueError(f"window_size must have length 2, got {len(window_size)}")
    _check_inference((query, key, value), seqused_k, block_table)
    of_query = _segments(cu_seq_q, max_q, "max_q")
    of_key = _key_rows(cu_seq_k, max_k, len(of_query), seqused_k, block_table, key.shape[1])
    if block_table is not None:
        key, value = key.flatten(0, 1), value.flatten(0, 1)
    if len(of_query) != len(of_key):
        raise ValueError(f"cu_seq_q has {len(of_query)} sequences, but the keys have {len(of_key)}")
    wants_sums = return_aux is not None and return_aux.lse
    results, sums = [], []
    for rows, columns in zip(of_query, of_key):
        q, k, v = query[rows].transpose(0, 1), key[columns].transpose(0, 1), value[columns].transpose(0, 1)
        mask = _mask(q.shape[1], k.shape[1], window_size, query.device)
        result = scaled_dot_product_attention(q, k, v, mask, scale=scale, enable_gqa=enable_gqa)
        results.append(result.transpose(0, 1))
        if wants_sums:
            sums.append(_log_sums(q.detach(), k.detach(), mask, scale))
    result = _C.cat(results) if results else query.new_zeros((0, query.shape[1], value.shape[-1]))
    if result.shape[0] < query.shape[0]:  # zeros for rows after the last sequence
        result = _C.cat([result, result.new_zeros((query.shape[0] - result.shape[0], *result.shape[1:]))])
    if not wants_sums:
        return result
    return result, _C.cat(sums, 1) if sums else query.new_zeros((query.shape[1], 0), dtype=_C.float32)


def varlen_attn_out(out, query, key, value, cu_seq_q, cu_seq_k, max_q, max_k, *, return_aux=None, scale=None, window_size=(-1, -1),
                    enable_gqa=False, seqused_k=None, block_table=None, num_splits=None):
    """varlen_attn with its result written to `out`.

    The other arguments are those of `varlen_attn`.
    """
    result = varlen_attn(query, key, value, cu_seq_q, cu_seq_k, max_q, max_k, return_aux=return_aux, scale=scale,
                         window_size=window_size, enable_gqa=enable_gqa, seqused_k=seqused_k, block_table=block_table,
                         num_splits=num_splits)
    if isinstance(result, tuple):
        return out.copy_(result[0]), result[1]
    return out.copy_(result)

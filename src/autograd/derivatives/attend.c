/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of attention, for src/ops/attend/attend.toml. A plain backward runs the attend
 * engine, which recomputes the probabilities tile by tile. A derivative that is to be
 * differentiated again is composed of differentiable products, with the whole matrix of
 * probabilities. */
#include "autograd/derivatives/derivatives.h"

#include "corten/macros.h"

static void release_all(ct_tensor *const *used, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ct_release(used[i]);
}

/* Reshapes [..., heads, n, d] to [..., key heads, group, n, d]. The caller owns the result. */
static ct_tensor *with_groups(ct_tensor *t, int64_t key_heads)
{
    int64_t shape[CTI_MAX_DIMS + 1];
    int at = t->ndim - 3;
    for (int d = 0; d < t->ndim; d++)
        shape[d + (d > at)] = t->shape[d];
    shape[at] = key_heads;
    shape[at + 1] = t->shape[at] / key_heads;
    return ct_own_reshape(t, ct_ints_of(shape, t->ndim + 1));
}

/* The gradient of a key or value head that several query heads use: the sum over these. Consumes
 * t. */
static ct_tensor *sum_groups_take(ct_tensor *t, ct_tensor *key)
{
    if (!t || t->ndim < 3 || t->shape[t->ndim - 3] == key->shape[key->ndim - 3])
        return t;
    ct_tensor *parts = with_groups(t, key->shape[key->ndim - 3]);
    ct_tensor *sum = ct_own_sum(parts, CT_INTS(-3), false, CT_NO_DTYPE);
    cti_release_all(t, parts);
    return sum;
}

/* Repeats each key or value head for all query heads that use it. The caller owns the result. */
static ct_tensor *repeat_heads(ct_tensor *t, ct_tensor *query)
{
    if (t->ndim < 3 || t->shape[t->ndim - 3] == query->shape[query->ndim - 3])
        return ct_retain(t);
    int64_t times = query->shape[query->ndim - 3] / t->shape[t->ndim - 3];
    return ct_own_repeat_interleave_self_int(t, times, -3, CT_NO_DIM);
}

static bool attend_recorded(ct_tensor *grad, ct_tensor *query, ct_tensor *key, ct_tensor *value,
                            ct_tensor *mask, bool causal, double scale, const bool *wanted,
                            ct_tensor **out)
{
    ct_tensor *k = repeat_heads(key, query), *v = repeat_heads(value, query);
    ct_tensor *p = k ? ct_own__attend_weights(query, k, mask, causal, scale) : NULL;
    ct_tensor *transposed = v ? ct_own_transpose(v, -2, -1) : NULL;
    ct_tensor *by_p = ct_own_matmul(grad, transposed), *pt = ct_own_transpose(p, -2, -1);
    ct_tensor *product = ct_own_mul(V(by_p), V(p));
    ct_tensor *sum = ct_own_sum(product, CT_INTS(-1), true, CT_NO_DTYPE);
    ct_tensor *part = ct_own_mul(V(p), V(sum));
    ct_tensor *centered = ct_own_sub(V(product), V(part), ct_value_int(1));
    ct_tensor *scores = ct_own_mul(V(centered), ct_value_float(scale));
    ct_tensor *st = ct_own_transpose(scores, -2, -1);
    if (wanted[0])
        out[0] = ct_own_matmul(scores, k);
    if (wanted[1])
        out[1] = sum_groups_take(ct_own_matmul(st, query), key);
    if (wanted[2])
        out[2] = sum_groups_take(ct_own_matmul(pt, grad), value);
    ct_tensor *const used[] = {k,       v,   p,    transposed, by_p,   pt,
                               product, sum, part, centered,   scores, st};
    release_all(used, sizeof used / sizeof *used);
    return (out[0] || !wanted[0]) && (out[1] || !wanted[1]) && (out[2] || !wanted[2]);
}

bool cti_grad_attend(ct_tensor *grad, ct_tensor *query, ct_tensor *key, ct_tensor *value,
                     ct_tensor *attn_mask, ct_tensor *output, ct_tensor *logsumexp, bool is_causal,
                     double scale, const bool *wanted, ct_tensor **out)
{
    if (!grad)
        return true;
    if (cti_grad_on())
        return attend_recorded(grad, query, key, value, attn_mask, is_causal, scale, wanted, out);
    struct ct__attend_backward_result r =
        ct_own__attend_backward(grad, query, key, value, attn_mask, output, logsumexp, is_causal,
                                scale, wanted[0], wanted[1], wanted[2]);
    ct_tensor *const made[] = {r.query, r.key, r.value};
    for (int i = 0; i < 3; i++) {
        if (wanted[i])
            out[i] = made[i];
        else
            ct_release(made[i]);
    }
    return r.query && r.key && r.value;
}

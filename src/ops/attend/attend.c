/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements attention: PyTorch's checks, the choice between the attend engine and the unfused path
 * of differentiable products (for dropout, a mask that requires grad, and sizes that only
 * broadcast), and the layout that the engine expects. The derivative is in
 * autograd/derivatives/attend.c. */
#include "core/attend.h"
#include "core/note.h"
#include "core/product.h"
#include "fronts.h"
#include "inner.h"
#include "ops/front.h"

#include <math.h>

static bool is_half(enum ct_dtype dtype)
{
    return dtype == CT_FLOAT16 || dtype == CT_BFLOAT16;
}

static bool is_real_floating(const ct_tensor *t)
{
    return t->dtype >= CT_FLOAT16 && t->dtype < CT_COMPLEX64;
}

/* ---- the engine's geometry ---- */

/* Operands as the engine reads them: four dims, unit stride in the last, in the computing dtype. */
struct prepared {
    ct_tensor *query, *key, *value, *mask; /* owned; no mask: NULL */
    enum ct_dtype dtype;
};

static void attend_clear(struct prepared *p)
{
    cti_release_all(p->query, p->key, p->value, p->mask);
}

/* Views t as [batch, heads, rows, columns]; copies only if strides require it. The caller owns the
 * result. */
static ct_tensor *as_four(ct_tensor *t)
{
    int64_t shape[4] = {1, 1, t->shape[t->ndim - 2], t->shape[t->ndim - 1]};
    if (t->ndim == 4)
        return ct_retain(t);
    if (t->ndim > 2)
        shape[1] = t->shape[t->ndim - 3];
    for (int d = 0; d < t->ndim - 3; d++)
        shape[0] *= t->shape[d];
    return ct_own_reshape(t, ct_ints_of(shape, 4));
}

static ct_tensor *as_side(ct_tensor *t, enum ct_dtype dtype)
{
    ct_tensor *cast = cti_cast(t, dtype), *four = cast ? as_four(cast) : NULL, *out = NULL;
    if (four)
        out = four->stride[3] == 1 || four->shape[3] <= 1 ? ct_retain(four) : cti_contiguous(four);
    cti_release_all(cast, four);
    return out;
}

static ct_tensor *as_mask(ct_tensor *mask, ct_tensor *query, int64_t keys, enum ct_dtype dtype)
{
    int64_t shape[CTI_MAX_DIMS];
    for (int d = 0; d < query->ndim; d++)
        shape[d] = query->shape[d];
    shape[query->ndim - 1] = keys;
    ct_tensor *cast = mask->dtype == CT_BOOL ? cti_resolve(mask) : cti_cast(mask, dtype);
    ct_tensor *whole = ct_own_expand(cast, ct_ints_of(shape, query->ndim), false);
    ct_tensor *out = whole ? as_four(whole) : NULL;
    cti_release_all(cast, whole);
    return out;
}

static bool attend_prepare(struct prepared *p, ct_tensor *query, ct_tensor *key, ct_tensor *value,
                           ct_tensor *mask)
{
    enum ct_dtype dtype = query->dtype;
    *p = (struct prepared){.dtype = is_half(dtype) ? CT_FLOAT32 : dtype};
    p->query = as_side(query, p->dtype);
    p->key = as_side(key, p->dtype);
    p->value = as_side(value, p->dtype);
    if (mask != CT_NO_TENSOR)
        p->mask = as_mask(mask, query, key->shape[key->ndim - 2], p->dtype);
    if (p->query && p->key && p->value && (mask == CT_NO_TENSOR || p->mask))
        return true;
    attend_clear(p);
    return false;
}

/* Returns the strides of t, and registers t as one of the work's tensors. */
static struct cti_attend_side side(ct_tensor **of, ct_tensor *t)
{
    *of = t;
    return (struct cti_attend_side){NULL, t->stride[0], t->stride[1], t->stride[2]};
}

/* Describes prepared operands for the engine: sizes and strides. */
static struct cti_attend attend_describe(const struct prepared *p, bool causal, double scale)
{
    struct cti_attend a = {.dtype = p->dtype,
                           .batch = p->query->shape[0],
                           .heads = p->query->shape[1],
                           .queries = p->query->shape[2],
                           .keys = p->key->shape[2],
                           .depth = p->query->shape[3],
                           .width = p->value->shape[3],
                           .causal = causal,
                           .scale = scale};
    a.group = a.heads / p->key->shape[1];
    a.query = side(&a.of.query, p->query);
    a.key = side(&a.of.key, p->key);
    a.value = side(&a.of.value, p->value);
    if (p->mask) {
        a.of.mask = p->mask;
        a.mask_is_bool = p->mask->dtype == CT_BOOL;
        a.mask_batch = p->mask->stride[0];
        a.mask_head = p->mask->stride[1];
        a.mask_row = p->mask->stride[2];
        a.mask_column = p->mask->stride[3];
    }
    return a;
}

static const char *kernel_name(const struct prepared *p, bool backward)
{
    if (p->query->storage->device.type == CT_CPU)
        return backward ? "_scaled_dot_product_flash_attention_for_cpu_backward"
                        : "_scaled_dot_product_flash_attention_for_cpu";
    if (ct_dtype_size(p->dtype) == 2)
        return backward ? "_scaled_dot_product_flash_attention_backward"
                        : "_scaled_dot_product_flash_attention";
    return backward ? "_scaled_dot_product_efficient_attention_backward"
                    : "_scaled_dot_product_efficient_attention";
}

/* As in PyTorch, an output with the query's width has the query's strides, so that the heads of a
 * split row can be joined again without a copy. The caller owns the result. */
static ct_tensor *new_output(ct_tensor *query, int64_t width, enum ct_dtype dtype)
{
    int64_t shape[CTI_MAX_DIMS];
    if (query->ndim == 4 && query->shape[3] == width && query->stride[3] == 1)
        return ct_own_empty_like(query, dtype, CT_NO_DEVICE, false, -1);
    for (int d = 0; d < query->ndim; d++)
        shape[d] = query->shape[d];
    shape[query->ndim - 1] = width;
    return cti_empty(query->ndim, shape, dtype, query->storage->device);
}

bool cti_op__attend(struct ct__attend_result *result, ct_tensor *query, ct_tensor *key,
                    ct_tensor *value, ct_tensor *attn_mask, bool is_causal, double scale)
{
    struct prepared p;
    if (!attend_prepare(&p, query, key, value, attn_mask))
        return false;
    ct_tensor *out = new_output(query, value->shape[value->ndim - 1], p.dtype);
    ct_tensor *four = out ? as_four(out) : NULL;
    ct_tensor *sums = cti_empty(3, p.query->shape, p.dtype, query->storage->device);
    if (four && sums) {
        struct cti_attend a = attend_describe(&p, is_causal, scale);
        a.out = side(&a.of.out, four);
        a.of.logsumexp = sums;
        if (cti_counts_products())
            cti_count_product(kernel_name(&p, false),
                              (const ct_tensor *[]){p.query, p.key, p.value, four}, 4, false);
        if (cti_run_on(&a.work, CTI_ENGINE_attend, out))
            result->output = cti_cast(out, query->dtype);
    }
    result->logsumexp = sums;
    cti_release_all(out, four);
    attend_clear(&p);
    return result->output != NULL;
}

/* Uninitialised memory for the gradient of t in the computing dtype; empty if not wanted. The
 * caller owns the result. */
static ct_tensor *room_for(ct_tensor *t, bool wanted, enum ct_dtype dtype)
{
    int64_t none = 0;
    if (!wanted)
        return cti_empty(1, &none, dtype, t->storage->device);
    return cti_empty(t->ndim, t->shape, dtype, t->storage->device);
}

bool cti_op__attend_backward(struct ct__attend_backward_result *result, ct_tensor *upstream,
                             ct_tensor *query, ct_tensor *key, ct_tensor *value,
                             ct_tensor *attn_mask, ct_tensor *output, ct_tensor *logsumexp,
                             bool is_causal, double scale, bool wants_query, bool wants_key,
                             bool wants_value)
{
    struct prepared p;
    if (!attend_prepare(&p, query, key, value, attn_mask))
        return false;
    ct_tensor *grad = as_side(upstream, p.dtype), *out = as_side(output, p.dtype);
    ct_tensor *grads[] = {room_for(p.query, wants_query, p.dtype),
                          room_for(p.key, wants_key, p.dtype),
                          room_for(p.value, wants_value, p.dtype)};
    struct cti_attend a = attend_describe(&p, is_causal, scale);
    bool good = grad && out && grads[0] && grads[1] && grads[2];
    if (good) {
        a.backward = true;
        a.grad = side(&a.of.grad, grad);
        a.out = side(&a.of.out, out);
        a.of.logsumexp = logsumexp;
        struct cti_attend_side *const to[] = {&a.grad_query, &a.grad_key, &a.grad_value};
        ct_tensor **const of[] = {&a.of.grad_query, &a.of.grad_key, &a.of.grad_value};
        for (int i = 0; i < 3; i++)
            if (grads[i]->ndim == 4)
                *to[i] = side(of[i], grads[i]);
        if (cti_counts_products())
            cti_count_product(kernel_name(&p, true),
                              (const ct_tensor *[]){grad, p.query, p.key, p.value, out}, 5, false);
        good = cti_run_on(&a.work, CTI_ENGINE_attend, out);
    }
    ct_tensor **const made[] = {&result->query, &result->key, &result->value};
    ct_tensor *const like[] = {query, key, value};
    for (int i = 0; i < 3; i++) {
        ct_tensor *cast = good ? cti_cast(grads[i], query->dtype) : NULL;
        if (cast)
            *made[i] =
                cast->ndim == 4 ? ct_own_reshape(cast, cti_shape_of(like[i])) : ct_retain(cast);
        cti_release_all(cast, grads[i]);
    }
    cti_release_all(grad, out);
    attend_clear(&p);
    return result->query && result->key && result->value;
}

/* ---- which path computes the call ---- */

static bool check_attention(ct_tensor *query, ct_tensor *key, ct_tensor *value, ct_tensor *mask)
{
    const char *q = cti_dtype_cpp_name(query->dtype);
    if (query->dtype != key->dtype || query->dtype != value->dtype)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Expected query, key, and value to have the same dtype, but got "
                          "query.dtype: %s key.dtype: %s and value.dtype: %s instead.",
                          q, cti_dtype_cpp_name(key->dtype), cti_dtype_cpp_name(value->dtype));
    if (query->ndim < 2 || key->ndim < 2 || value->ndim < 2)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "Expected query, key, and value to all be  at least 2 dimensional, but got "
            "query.dim: %d key.dim: %d and value.dim: %d instead.",
            query->ndim, key->ndim, value->ndim);
    if (mask == CT_NO_TENSOR || mask->dtype == CT_BOOL || mask->dtype == query->dtype ||
        mask->dtype == CT_FLOAT32)
        return true;
    return cti_refuse(
        CT_ERR_RUNTIME,
        "Expected attn_mask dtype to be bool or float or to match query dtype, but got "
        "attn_mask.dtype: %s and  query.dtype: %s instead.",
        cti_dtype_cpp_name(mask->dtype), q);
}

/* Equal batch dims; with grouped heads, a key head may serve several query heads. */
static bool same_batch(const ct_tensor *query, const ct_tensor *other, bool grouped)
{
    for (int d = 0; d < query->ndim - 2; d++) {
        bool heads = grouped && d == query->ndim - 3;
        if (heads ? query->shape[d] % other->shape[d] : query->shape[d] != other->shape[d])
            return false;
    }
    return true;
}

/* Whether a mask broadcasts to [..., queries, keys] of the query's batch. */
static bool attend_mask_fits(const ct_tensor *mask, const ct_tensor *query, int64_t keys)
{
    int skip = query->ndim - mask->ndim;
    if (mask->ndim < 2 || skip < 0)
        return false;
    for (int d = 0; d < mask->ndim; d++) {
        int64_t want = d == mask->ndim - 1 ? keys : query->shape[d + skip];
        if (mask->shape[d] != want && mask->shape[d] != 1)
            return false;
    }
    return true;
}

static bool is_for_engine(ct_tensor *query, ct_tensor *key, ct_tensor *value, ct_tensor *mask,
                          double dropout_p, bool grouped)
{
    int n = query->ndim;
    if (dropout_p != 0 || !is_real_floating(query) || key->ndim != n || value->ndim != n ||
        query->numel == 0 || key->numel == 0 || value->numel == 0)
        return false;
    if (mask != CT_NO_TENSOR && ((cti_grad_on() && cti_wants_grad(mask)) ||
                                 !attend_mask_fits(mask, query, key->shape[n - 2])))
        return false;
    return query->shape[n - 1] == key->shape[n - 1] && key->shape[n - 2] == value->shape[n - 2] &&
           (n < 3 || key->shape[n - 3] == value->shape[n - 3]) && same_batch(query, key, grouped) &&
           same_batch(query, value, grouped);
}

/* ---- the unfused path ---- */

/* Repeats each key or value head once per query head that it serves. */
static ct_tensor *repeat_heads(ct_tensor *t, int64_t heads)
{
    int64_t had = t->shape[t->ndim - 3];
    return ct_own_repeat_interleave_self_int(t, heads / had, -3, CT_NO_DIM);
}

/* Softmax that returns zeros without a gradient, not NaN, for a row whose scores are all -inf. */
static ct_tensor *safe_softmax(ct_tensor *scores)
{
    ct_tensor *low = ct_own_eq(V(scores), ct_value_float(-INFINITY));
    ct_tensor *none = ct_own_all(low, CT_INTS(-1), true);
    ct_tensor *some = ct_own_masked_fill(scores, none, ct_value_int(0));
    ct_tensor *p = ct_own_softmax(some, -1, CT_NO_DTYPE);
    ct_tensor *out = ct_own_masked_fill(p, none, ct_value_int(0));
    cti_release_all(low, none, some, p);
    return out;
}

static ct_tensor *attend_add_mask(ct_tensor *scores, ct_tensor *mask)
{
    if (mask->dtype != CT_BOOL)
        return ct_own_add(V(scores), V(mask), ct_value_int(1));
    ct_tensor *hidden = ct_own_logical_not(mask);
    return cti_replace_take(hidden, ct_own_masked_fill(scores, hidden, ct_value_float(-INFINITY)));
}

ct_tensor *cti_op__attend_weights(ct_tensor *query, ct_tensor *key, ct_tensor *mask, bool causal,
                                  double scale)
{
    ct_value root = ct_value_float(sqrt(scale < 0 ? -scale : scale));
    ct_tensor *q = ct_own_mul(V(query), root), *transposed = ct_own_transpose(key, -2, -1);
    ct_tensor *k = ct_own_mul(V(transposed), scale < 0 ? ct_value_float(-root.as.f) : root);
    ct_tensor *scores = ct_own_matmul(q, k), *ones_below = NULL;
    if (causal && scores) {
        int64_t shape[] = {query->shape[query->ndim - 2], key->shape[key->ndim - 2]};
        ct_tensor *ones = ct_own_ones(ct_ints_of(shape, 2), CT_BOOL, query->storage->device, false);
        mask = ones_below = ct_own_tril(ones, 0);
        ct_release(ones);
    }
    if (mask != CT_NO_TENSOR && scores) {
        scores = cti_replace_take(scores, mask ? attend_add_mask(scores, mask) : NULL);
        scores = cti_replace_take(scores, scores ? safe_softmax(scores) : NULL);
    } else {
        scores = cti_replace_take(scores, ct_own_softmax(scores, -1, CT_NO_DTYPE));
    }
    cti_release_all(q, transposed, k, ones_below);
    return scores;
}

static ct_tensor *unfused(ct_tensor *query, ct_tensor *key, ct_tensor *value, ct_tensor *mask,
                          double dropout_p, bool causal, double scale, bool grouped)
{
    ct_tensor *k = ct_retain(key), *v = ct_retain(value);
    if (grouped) {
        int64_t heads = query->shape[query->ndim - 3];
        k = cti_replace_take(k, repeat_heads(key, heads));
        v = cti_replace_take(v, repeat_heads(value, heads));
    }
    ct_tensor *p = k && v ? ct_own__attend_weights(query, k, mask, causal, scale) : NULL;
    if (dropout_p != 0)
        p = cti_replace_take(p, ct_own_dropout(p, dropout_p, true));
    ct_tensor *out = ct_own_matmul(p, v);
    cti_release_all(k, v, p);
    return out;
}

/* ---- which backend PyTorch would choose ---- */

static int allowed = CT_ATTENTION_MATH | CT_ATTENTION_FLASH | CT_ATTENTION_EFFICIENT |
                     CT_ATTENTION_CUDNN | CT_ATTENTION_OTHER; /* atomic */

int ct_attention_kernels(int kernels)
{
    return kernels < 0 ? __atomic_load_n(&allowed, __ATOMIC_RELAXED)
                       : __atomic_exchange_n(&allowed, kernels, __ATOMIC_RELAXED);
}

enum path { NO_PATH, UNFUSED, ENGINE };

/* Chooses a backend like PyTorch, with our engine instead of its fused kernels. */
static enum path choose(const ct_tensor *query, bool for_engine)
{
    int kernels = ct_attention_kernels(-1);
    bool gpu = query->storage->device.type == CT_CUDA, math = kernels & CT_ATTENTION_MATH;
    int halves = CT_ATTENTION_FLASH | (gpu ? CT_ATTENTION_CUDNN : 0);
    int fused = kernels & (halves | (gpu ? CT_ATTENTION_EFFICIENT : 0));
    if (!math && !fused) {
        ct_fail(CT_ERR_RUNTIME,
                "No viable backend for scaled_dot_product_attention was found. This is likely due "
                "to turning off both the math kernel and the fused kernels.");
        return NO_PATH;
    }
    if (gpu && query->dtype == CT_FLOAT32)
        fused &= CT_ATTENTION_EFFICIENT;
    if (gpu && query->dtype == CT_FLOAT64 && !math)
        fused = 0; /* PyTorch has only the math kernel for these; our engine may replace it */
    if (for_engine && fused && !(math && kernels & CT_ATTENTION_MATH_FIRST))
        return ENGINE;
    if (math)
        return UNFUSED;
    ct_fail(CT_ERR_RUNTIME, "No available kernel.  Aborting execution.");
    return NO_PATH;
}

ct_tensor *cti_op_scaled_dot_product_attention(ct_tensor *query, ct_tensor *key, ct_tensor *value,
                                               ct_tensor *attn_mask, double dropout_p,
                                               bool is_causal, double scale, bool enable_gqa)
{
    if (!check_attention(query, key, value, attn_mask))
        return NULL;
    if (is_causal && attn_mask != CT_NO_TENSOR)
        return ct_fail(CT_ERR_RUNTIME, "_scaled_dot_product_attention: Explicit attn_mask should "
                                       "not be set when is_causal=True");
    int smallest = query->ndim < key->ndim ? query->ndim : key->ndim, d;
    smallest = smallest < value->ndim ? smallest : value->ndim;
    if (enable_gqa && !cti_shape_wrap_dim(-3, smallest, &d))
        return NULL;
    if (enable_gqa) {
        int64_t heads = query->shape[query->ndim - 3], k = key->shape[key->ndim - 3];
        int64_t v = value->shape[value->ndim - 3];
        if (!k || !v || heads % k || heads % v)
            return ct_fail(CT_ERR_RUNTIME, "Number of heads in key and value must divide the "
                                           "number of heads in query");
    }
    if (ct_is_no_number(scale))
        scale = 1 / sqrt((double)query->shape[query->ndim - 1]);
    bool fits = is_for_engine(query, key, value, attn_mask, dropout_p, enable_gqa);
    enum path path = choose(query, fits);
    if (path == NO_PATH) {
        if (!fits && ct_attention_kernels(-1) & ~CT_ATTENTION_OTHER)
            cti_note("the fused kernels support no dropout, no mask that requires grad and no "
                     "broadcasting; SDPBackend.MATH supports all of them");
        return NULL;
    }
    if (path == UNFUSED)
        return unfused(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa);
    struct ct__attend_result r = ct_own__attend(query, key, value, attn_mask, is_causal, scale);
    ct_release(r.logsumexp);
    return r.output;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Multi-head attention for C programs, see corten/nn.h: nn.MultiheadAttention(batch_first=True),
 * which does not return the attention weights. Written with the public interface. */
#include "nn/layer.h"

#include <math.h>

struct ct_attention_layer ct_new_attention_ex(ct_params *p, const char *name, int64_t width,
                                              int64_t num_heads,
                                              const struct ct_new_attention_args *args)
{
    struct ct_new_attention_args a = ct_new_attention_defaults;
    cti_keywords_copy(&a, sizeof a, args);
    struct ct_attention_layer l = {.num_heads = num_heads, .dropout = a.dropout, .params = p};
    struct ct_attention_layer none = {NULL};
    ct_tensor *weight, *bias = NULL;
    enum ct_dtype dtype = cti_layer_dtype(a.dtype);
    if (!cti_layer_check(p, name, "ct_new_attention"))
        return none;
    if (num_heads <= 0 || width <= 0 || width % num_heads) {
        ct_fail(CT_ERR_VALUE, "embed_dim must be divisible by num_heads");
        return none;
    }
    /* torch.nn draws out_proj first and in_proj second, but lists in_proj first. */
    if (!cti_layer_draw_linear(width, width, dtype, &weight, a.bias ? &bias : NULL))
        return none;
    double bound = sqrt(3.0) * sqrt(2.0 / (double)(4 * width)); /* xavier_uniform_ */
    /* Cannot overflow: a matrix of width by width has been allocated. */
    const int64_t shape[] = {3 * width, width};
    ct_tensor *inner = cti_layer_uniform(2, shape, dtype, bound);
    bool good = inner && (!bias || ct_own_zero_(bias));
    l.in_proj_weight = cti_layer_add(p, name, "in_proj_weight", inner, true);
    l.in_proj_bias = l.out_proj.bias = CT_NO_TENSOR;
    if (l.in_proj_weight && a.bias)
        l.in_proj_bias =
            cti_layer_add(p, name, "in_proj_bias", cti_layer_full(1, shape, dtype, 0), true);
    good = good && l.in_proj_weight && l.in_proj_bias;
    if (!good) {
        ct_release(weight);
        ct_release(bias);
        return none;
    }
    l.out_proj.weight = cti_layer_add(p, name, "out_proj.weight", weight, true);
    if (a.bias)
        l.out_proj.bias = cti_layer_add(p, name, "out_proj.bias", bias, true);
    return l.out_proj.weight && l.out_proj.bias ? l : none;
}

/* Projects (batch, length, width) by one third of in_proj, giving (batch, heads, length, depth). */
static ct_tensor *project(const struct ct_attention_layer *l, ct_tensor *x, int64_t third)
{
    int64_t width = l->in_proj_weight->shape[1];
    ct_tensor *weight = ct_narrow(l->in_proj_weight, 0, third * width, width);
    ct_tensor *bias = l->in_proj_bias == CT_NO_TENSOR
                          ? CT_NO_TENSOR
                          : ct_narrow(l->in_proj_bias, 0, third * width, width);
    ct_tensor *y = ct_linear(x, weight, .bias = bias);
    return ct_transpose(ct_unflatten(y, -1, CT_SHAPE(l->num_heads, -1)), 1, 2);
}

ct_tensor *ct_attend_ex(struct ct_attention_layer l, ct_tensor *query, ct_tensor *key,
                        ct_tensor *value, const struct ct_attend_args *args)
{
    struct ct_attend_args a = ct_attend_defaults;
    cti_keywords_copy(&a, sizeof a, args);
    if (!cti_check_tensor(query, "ct_attend", "query") ||
        !cti_check_tensor(key, "ct_attend", "key") ||
        !cti_check_tensor(value, "ct_attend", "value") ||
        !cti_check_tensor(l.in_proj_weight, "ct_attend", "layer.in_proj_weight"))
        return NULL;
    if (query->ndim != 3)
        return ct_fail(CT_ERR_RUNTIME, "ct_attend(): query is (batch, length, width), not %s",
                       ct_shape_str(query));
    cti_call_forget();
    ct_scope scope = ct_scope_begin();
    ct_tensor *y = ct_scaled_dot_product_attention(
        project(&l, query, 0), project(&l, key, 1), project(&l, value, 2), .attn_mask = a.attn_mask,
        .is_causal = a.is_causal, .dropout_p = ct_params_is_training(l.params) ? l.dropout : 0);
    y = ct_forward_linear(l.out_proj, ct_flatten(ct_transpose(y, 1, 2), .start_dim = 2));
    y = ct_keep(y);
    ct_scope_end(scope);
    return y;
}

ct_tensor *ct_forward_attention(struct ct_attention_layer l, ct_tensor *x)
{
    return ct_attend_ex(l, x, x, x, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Networks in C: layers are plain structs of tensors, and one named list holds the parameters of
 * all of them, for the optimizer, for files and for whoever wants to know them.
 *
 *     ct_params *p = ct_params_new();
 *     struct ct_linear_layer fc = ct_new_linear(p, "fc", 784, 10);
 *     ct_optim *o = ct_adamw(ct_params_list(p), .lr = 3e-4);
 *     ct_tensor *loss = ct_cross_entropy(ct_forward(fc, x), labels);
 *     ct_save(ct_params_dict(p), "net.pt");
 *
 * Names and initial values are those of torch.nn: the same seed gives the same numbers. */
#ifndef CORTEN_NN_H
#define CORTEN_NN_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "corten/io.h"
#include "corten/macros.h"
#include "corten/ops.h"

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a named list of tensors ---- */

typedef struct ct_params ct_params;

CT_API ct_params *ct_params_new(void); /* in the innermost scope; it holds what is added */
/* Adds a tensor, which asks for a gradient from now on; returns it, borrowed from the list. A name
 * that is taken is an error. */
CT_API ct_tensor *ct_params_add(ct_params *p, const char *name, ct_tensor *t);
/* A tensor that is part of the network's state but is not trained. */
CT_API ct_tensor *ct_params_add_buffer(ct_params *p, const char *name, ct_tensor *t);
CT_API int64_t ct_params_count(const ct_params *p); /* with buffers */
CT_API const char *ct_params_name(const ct_params *p, int64_t i);
CT_API ct_tensor *ct_params_at(const ct_params *p, int64_t i);
CT_API ct_tensor *ct_params_get(const ct_params *p, const char *name); /* KeyError: no such one */
/* What is trained, for an optimizer; the list is good until something is added. */
CT_API ct_list ct_params_list(ct_params *p);
CT_API int64_t ct_params_numel(const ct_params *p); /* trained numbers */
/* All of them by name, for ct_save; good until something is added. */
CT_API ct_dict ct_params_dict(ct_params *p);
/* Copies values by name: from a file (ct_load_dict), which may hold no others, or from another
 * list. False, and nothing is changed, where a name is missing or a shape differs. */
CT_API bool ct_params_load(ct_params *p, ct_dict from);
CT_API bool ct_params_copy(ct_params *p, const ct_params *from);
/* Moves all of them; the tensors stay the same objects, so that layers and optimizers know them. */
CT_API bool ct_params_to(ct_params *p, struct ct_device device);
/* Whether its layers train (they do at first): dropout drops, batch norm follows the batches. */
CT_API void ct_params_train(ct_params *p, bool training);
CT_API bool ct_params_is_training(const ct_params *p);

/* ---- layers: structs of borrowed tensors, valid as long as the list ---- */

struct ct_linear_layer {
    ct_tensor *weight, *bias;
};
struct ct_embedding_layer {
    ct_tensor *weight;
};
struct ct_conv_layer { /* 1-d to 3-d */
    ct_tensor *weight, *bias;
    int64_t stride[3], padding[3], dilation[3], groups;
};
struct ct_layer_norm_layer {
    ct_tensor *weight, *bias; /* what is normalised has the shape of weight */
    double eps;
};
struct ct_batch_norm_layer { /* of any number of dims */
    ct_tensor *weight, *bias, *running_mean, *running_var, *num_batches_tracked;
    double momentum, eps;
    const ct_params *params;
};
struct ct_dropout_layer {
    double p;
    const ct_params *params;
};
struct ct_lstm_layer {
    const ct_params *params; /* the weights are those from `first` on, as nn.LSTM orders them */
    int64_t first, nweights, hidden_size, num_layers;
    double dropout;
    bool bias, bidirectional, batch_first;
};
struct ct_attention_layer { /* of several heads, over (batch, length, width) */
    ct_tensor *in_proj_weight, *in_proj_bias;
    struct ct_linear_layer out_proj;
    int64_t num_heads;
    double dropout;
    const ct_params *params;
};

struct ct_new_linear_args {
    size_t struct_size;
    bool bias;
    enum ct_dtype dtype;
};
#define ct_new_linear_defaults                                                                     \
    {                                                                                              \
        .struct_size = sizeof(struct ct_new_linear_args), .bias = true, .dtype = CT_NO_DTYPE       \
    }
struct ct_new_conv_args {
    size_t struct_size;
    ct_ints stride, padding, dilation; /* one number, or one for each dim */
    int64_t groups;
    bool bias;
    enum ct_dtype dtype;
};
#define ct_new_conv_defaults                                                                       \
    {                                                                                              \
        .struct_size = sizeof(struct ct_new_conv_args), .stride = CT_NO_DIMS,                      \
        .padding = CT_NO_DIMS, .dilation = CT_NO_DIMS, .groups = 1, .bias = true,                  \
        .dtype = CT_NO_DTYPE                                                                       \
    }
struct ct_new_norm_args {
    size_t struct_size;
    double eps, momentum; /* momentum: of batch norm */
    enum ct_dtype dtype;
};
#define ct_new_norm_defaults                                                                       \
    {                                                                                              \
        .struct_size = sizeof(struct ct_new_norm_args), .eps = 1e-5, .momentum = 0.1,              \
        .dtype = CT_NO_DTYPE                                                                       \
    }
struct ct_new_lstm_args {
    size_t struct_size;
    int64_t num_layers;
    double dropout; /* between layers, while training */
    bool bias, bidirectional, batch_first;
    enum ct_dtype dtype;
};
#define ct_new_lstm_defaults                                                                       \
    {                                                                                              \
        .struct_size = sizeof(struct ct_new_lstm_args), .num_layers = 1, .dropout = 0,             \
        .bias = true, .bidirectional = false, .batch_first = false, .dtype = CT_NO_DTYPE           \
    }
struct ct_new_attention_args {
    size_t struct_size;
    double dropout;
    bool bias;
    enum ct_dtype dtype;
};
#define ct_new_attention_defaults                                                                  \
    {                                                                                              \
        .struct_size = sizeof(struct ct_new_attention_args), .dropout = 0, .bias = true,           \
        .dtype = CT_NO_DTYPE                                                                       \
    }
/* Each adds NAME.weight and so on to the list; all members are NULL where it failed. */
CT_API struct ct_linear_layer ct_new_linear_ex(ct_params *p, const char *name, int64_t in,
                                               int64_t out, const struct ct_new_linear_args *args);
CT_API struct ct_embedding_layer ct_new_embedding(ct_params *p, const char *name, int64_t count,
                                                  int64_t width);
CT_API struct ct_conv_layer ct_new_conv1d_ex(ct_params *p, const char *name, int64_t in,
                                             int64_t out, ct_ints kernel_size,
                                             const struct ct_new_conv_args *args);
CT_API struct ct_conv_layer ct_new_conv2d_ex(ct_params *p, const char *name, int64_t in,
                                             int64_t out, ct_ints kernel_size,
                                             const struct ct_new_conv_args *args);
CT_API struct ct_conv_layer ct_new_conv3d_ex(ct_params *p, const char *name, int64_t in,
                                             int64_t out, ct_ints kernel_size,
                                             const struct ct_new_conv_args *args);
CT_API struct ct_layer_norm_layer ct_new_layer_norm_ex(ct_params *p, const char *name,
                                                       ct_ints normalized_shape,
                                                       const struct ct_new_norm_args *args);
CT_API struct ct_batch_norm_layer ct_new_batch_norm_ex(ct_params *p, const char *name,
                                                       int64_t num_features,
                                                       const struct ct_new_norm_args *args);
CT_API struct ct_dropout_layer ct_new_dropout(const ct_params *p, double probability);
CT_API struct ct_lstm_layer ct_new_lstm_ex(ct_params *p, const char *name, int64_t input_size,
                                           int64_t hidden_size,
                                           const struct ct_new_lstm_args *args);
CT_API struct ct_attention_layer ct_new_attention_ex(ct_params *p, const char *name, int64_t width,
                                                     int64_t num_heads,
                                                     const struct ct_new_attention_args *args);

CT_API ct_tensor *ct_forward_linear(struct ct_linear_layer layer, ct_tensor *x);
CT_API ct_tensor *ct_forward_embedding(struct ct_embedding_layer layer, ct_tensor *x);
CT_API ct_tensor *ct_forward_conv(struct ct_conv_layer layer, ct_tensor *x);
CT_API ct_tensor *ct_forward_layer_norm(struct ct_layer_norm_layer layer, ct_tensor *x);
CT_API ct_tensor *ct_forward_batch_norm(struct ct_batch_norm_layer layer, ct_tensor *x);
CT_API ct_tensor *ct_forward_dropout(struct ct_dropout_layer layer, ct_tensor *x);
CT_API ct_tensor *ct_forward_lstm(struct ct_lstm_layer layer, ct_tensor *x); /* the output alone */
CT_API ct_tensor *ct_forward_attention(struct ct_attention_layer layer, ct_tensor *x);

/* What an LSTM gives: the last layer's states at all steps, the last states and cells of all. */
struct ct_lstm_states {
    ct_tensor *output, *h, *c;
};
/* h and c to begin with, or CT_NO_TENSOR: zeros. */
CT_API struct ct_lstm_states ct_run_lstm(struct ct_lstm_layer layer, ct_tensor *x, ct_tensor *h,
                                         ct_tensor *c);
struct ct_attend_args {
    size_t struct_size;
    ct_tensor *attn_mask; /* as ct_scaled_dot_product_attention takes it */
    bool is_causal;       /* a place sees those before it */
};
#define ct_attend_defaults                                                                         \
    {                                                                                              \
        .struct_size = sizeof(struct ct_attend_args), .attn_mask = CT_NO_TENSOR,                   \
        .is_causal = false                                                                         \
    }
CT_API ct_tensor *ct_attend_ex(struct ct_attention_layer layer, ct_tensor *query, ct_tensor *key,
                               ct_tensor *value, const struct ct_attend_args *args);

#ifndef __cplusplus
#define ct_new_conv1d_args ct_new_conv_args
#define ct_new_conv2d_args ct_new_conv_args
#define ct_new_conv3d_args ct_new_conv_args
#define ct_new_conv1d_defaults ct_new_conv_defaults
#define ct_new_conv2d_defaults ct_new_conv_defaults
#define ct_new_conv3d_defaults ct_new_conv_defaults
#define ct_new_layer_norm_args ct_new_norm_args
#define ct_new_batch_norm_args ct_new_norm_args
#define ct_new_layer_norm_defaults ct_new_norm_defaults
#define ct_new_batch_norm_defaults ct_new_norm_defaults
#define ct_new_linear(...) CT_CALL_AAAA_K(CT_ID(ct_k), ct_new_linear, __VA_ARGS__)
#define ct_new_conv1d(...) CT_CALL_AAAAI_K(CT_ID(ct_k), ct_new_conv1d, __VA_ARGS__)
#define ct_new_conv2d(...) CT_CALL_AAAAI_K(CT_ID(ct_k), ct_new_conv2d, __VA_ARGS__)
#define ct_new_conv3d(...) CT_CALL_AAAAI_K(CT_ID(ct_k), ct_new_conv3d, __VA_ARGS__)
#define ct_new_layer_norm(...) CT_CALL_AAI_K(CT_ID(ct_k), ct_new_layer_norm, __VA_ARGS__)
#define ct_new_batch_norm(...) CT_CALL_AAA_K(CT_ID(ct_k), ct_new_batch_norm, __VA_ARGS__)
#define ct_new_lstm(...) CT_CALL_AAAA_K(CT_ID(ct_k), ct_new_lstm, __VA_ARGS__)
#define ct_new_attention(...) CT_CALL_AAAA_K(CT_ID(ct_k), ct_new_attention, __VA_ARGS__)
#define ct_attend(...) CT_CALL_AAAA_K(CT_ID(ct_k), ct_attend, __VA_ARGS__)
/* A layer of any kind applied to x. */
#define ct_forward(layer, x) CT_FORWARD(CT_ID(ct_k), layer, x)
#define CT_FORWARD(k, layer, x)                                                                    \
    (__extension__({CT_PLACED(k, "ct_forward", CT_FORWARD_OF(layer)(layer, x))}))
#define CT_FORWARD_OF(layer)                                                                       \
    _Generic((layer), struct ct_linear_layer                                                       \
             : ct_forward_linear, struct ct_embedding_layer                                        \
             : ct_forward_embedding, struct ct_conv_layer                                          \
             : ct_forward_conv, struct ct_layer_norm_layer                                         \
             : ct_forward_layer_norm, struct ct_batch_norm_layer                                   \
             : ct_forward_batch_norm, struct ct_dropout_layer                                      \
             : ct_forward_dropout, struct ct_lstm_layer                                            \
             : ct_forward_lstm, struct ct_attention_layer                                          \
             : ct_forward_attention)
#endif

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif

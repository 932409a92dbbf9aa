/* SPDX-License-Identifier: BSD-3-Clause */
/* Neural networks in C. Layers are plain structs of tensors. The parameters of all layers are in
 * one list with names, which the optimizer and the file functions use.
 *
 *     ct_params *p = ct_params_new();
 *     struct ct_linear_layer fc = ct_new_linear(p, "fc", 784, 10);
 *     ct_optim *o = ct_adamw(ct_params_list(p), .lr = 3e-4);
 *     ct_tensor *loss = ct_cross_entropy(ct_forward(fc, x), labels);
 *     ct_save(ct_params_dict(p), "net.pt");
 *
 * Names and initial values are those of torch.nn: the same seed gives the same parameters. */
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

/* ---- lists of parameters ---- */

typedef struct ct_params ct_params;

CT_API ct_params *ct_params_new(void); /* in the innermost scope; keeps what is added */
/* Adds a trained parameter: sets requires_grad and returns t, borrowed from the list. It is an
 * error if the name is already used. */
CT_API ct_tensor *ct_params_add(ct_params *p, const char *name, ct_tensor *t);
/* Adds a tensor that belongs to the network's state but is not trained. */
CT_API ct_tensor *ct_params_add_buffer(ct_params *p, const char *name, ct_tensor *t);
CT_API int64_t ct_params_count(const ct_params *p); /* including buffers */
CT_API const char *ct_params_name(const ct_params *p, int64_t i);
CT_API ct_tensor *ct_params_at(const ct_params *p, int64_t i);
CT_API ct_tensor *ct_params_get(const ct_params *p, const char *name); /* KeyError: unknown name */
/* The trained parameters, for an optimizer. Valid until the next addition. */
CT_API ct_list ct_params_list(ct_params *p);
CT_API int64_t ct_params_numel(const ct_params *p); /* elements of trained parameters */
/* Parameters and buffers by name, for ct_save. Valid until the next addition. */
CT_API ct_dict ct_params_dict(ct_params *p);
/* Copy values by name, from a dict (ct_load_dict) or another list. False, and nothing is changed,
 * if a name is missing or a shape differs, or the dict has other names. */
CT_API bool ct_params_load(ct_params *p, ct_dict from);
CT_API bool ct_params_copy(ct_params *p, const ct_params *from);
/* Moves all tensors to a device. They stay the same objects, so layers and optimizers remain valid.
 */
CT_API bool ct_params_to(ct_params *p, struct ct_device device);
/* Training mode, on at first: dropout is active, and batch norm updates its running statistics. */
CT_API void ct_params_train(ct_params *p, bool training);
CT_API bool ct_params_is_training(const ct_params *p);

/* ---- layers: structs of borrowed tensors, valid while the list lives ---- */

struct ct_linear_layer {
    ct_tensor *weight, *bias;
};
struct ct_embedding_layer {
    ct_tensor *weight;
};
struct ct_conv_layer { /* 1, 2 or 3 dims */
    ct_tensor *weight, *bias;
    int64_t stride[3], padding[3], dilation[3], groups;
};
struct ct_layer_norm_layer {
    ct_tensor *weight, *bias; /* the shape of weight is the normalized shape */
    double eps;
};
struct ct_batch_norm_layer { /* for any number of dims */
    ct_tensor *weight, *bias, *running_mean, *running_var, *num_batches_tracked;
    double momentum, eps;
    const ct_params *params;
};
struct ct_dropout_layer {
    double p;
    const ct_params *params;
};
struct ct_lstm_layer {
    const ct_params *params; /* weights: nweights entries from `first` on, in nn.LSTM's order */
    int64_t first, nweights, hidden_size, num_layers;
    double dropout;
    bool bias, bidirectional, batch_first;
};
struct ct_attention_layer { /* multi-head attention over (batch, length, width) */
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
    ct_ints stride, padding, dilation; /* one number for all dims, or one for each */
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
    double eps, momentum; /* momentum: only for batch norm */
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
    double dropout; /* between layers, in training mode */
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
/* Each makes a layer and adds its parameters to the list as NAME.weight and so on. If that fails,
 * the tensors of the struct are NULL. */
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
CT_API ct_tensor *ct_forward_lstm(struct ct_lstm_layer layer, ct_tensor *x); /* the output only */
CT_API ct_tensor *ct_forward_attention(struct ct_attention_layer layer, ct_tensor *x);

/* The results of an LSTM: h of the last layer at all steps; the last h and c of all layers. */
struct ct_lstm_states {
    ct_tensor *output, *h, *c;
};
/* Runs an LSTM from the initial states h and c; CT_NO_TENSOR: zeros. */
CT_API struct ct_lstm_states ct_run_lstm(struct ct_lstm_layer layer, ct_tensor *x, ct_tensor *h,
                                         ct_tensor *c);
struct ct_attend_args {
    size_t struct_size;
    ct_tensor *attn_mask; /* as ct_scaled_dot_product_attention takes it */
    bool is_causal;       /* a position attends only to itself and earlier ones */
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
/* Applies a layer of any kind to x. */
#define ct_forward(layer, x) CT_FORWARD(CT_ID(ct_k), layer, x)
#define CT_FORWARD(k, layer, x)                                                                    \
    (__extension__({CT_LOCATED(k, "ct_forward", CT_FORWARD_OF(layer)(layer, x))}))
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

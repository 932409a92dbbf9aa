/* SPDX-License-Identifier: BSD-3-Clause */
/* Networks in C: layers are plain structs of tensors, and one named list holds the parameters of
 * all of them, for the optimizer, for files and for whoever wants to know them.
 *
 *     ct_params *p = ct_params_new();
 *     struct ct_linear_layer fc = ct_new_linear(p, "fc", 784, 10);
 *     ct_optim *o = ct_adamw(ct_params_list(p), .lr = 3e-4);
 *     ct_tensor *loss = ct_cross_entropy(ct_forward(fc, x), labels);
 *
 * Names and initial values are those of torch.nn: the same seed gives the same numbers. */
#ifndef CORTEN_NN_H
#define CORTEN_NN_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "corten/macros.h"
#include "corten/ops.h"

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
/* Copies values by name from another list; false, and nothing is changed, where a name is missing
 * or a shape differs. */
CT_API bool ct_params_copy(ct_params *p, const ct_params *from);

/* ---- layers: structs of borrowed tensors, valid as long as the list ---- */

struct ct_linear_layer {
    ct_tensor *weight, *bias;
};
struct ct_conv2d_layer {
    ct_tensor *weight, *bias;
    int64_t stride[2], padding[2], dilation[2], groups;
};
struct ct_embedding_layer {
    ct_tensor *weight;
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
struct ct_new_conv2d_args {
    size_t struct_size;
    ct_ints stride, padding, dilation; /* one number or two */
    int64_t groups;
    bool bias;
    enum ct_dtype dtype;
};
#define ct_new_conv2d_defaults                                                                     \
    {                                                                                              \
        .struct_size = sizeof(struct ct_new_conv2d_args), .stride = CT_NO_DIMS,                    \
        .padding = CT_NO_DIMS, .dilation = CT_NO_DIMS, .groups = 1, .bias = true,                  \
        .dtype = CT_NO_DTYPE                                                                       \
    }
/* Each adds NAME.weight and so on to the list; all members are NULL where it failed. */
CT_API struct ct_linear_layer ct_new_linear_ex(ct_params *p, const char *name, int64_t in,
                                               int64_t out, const struct ct_new_linear_args *args);
CT_API struct ct_conv2d_layer ct_new_conv2d_ex(ct_params *p, const char *name, int64_t in,
                                               int64_t out, ct_ints kernel_size,
                                               const struct ct_new_conv2d_args *args);
CT_API struct ct_embedding_layer ct_new_embedding(ct_params *p, const char *name, int64_t count,
                                                  int64_t width);
CT_API ct_tensor *ct_forward_linear(struct ct_linear_layer layer, ct_tensor *x);
CT_API ct_tensor *ct_forward_conv2d(struct ct_conv2d_layer layer, ct_tensor *x);
CT_API ct_tensor *ct_forward_embedding(struct ct_embedding_layer layer, ct_tensor *x);
#ifndef __cplusplus
#define ct_new_linear(...) CT_CALL_AAAA_K(CT_ID(ct_k), ct_new_linear, __VA_ARGS__)
#define ct_new_conv2d(...) CT_CALL_AAAAA_K(CT_ID(ct_k), ct_new_conv2d, __VA_ARGS__)
/* A layer of any kind applied to x. */
#define ct_forward(layer, x)                                                                       \
    _Generic((layer), struct ct_linear_layer                                                       \
             : ct_forward_linear, struct ct_conv2d_layer                                           \
             : ct_forward_conv2d, struct ct_embedding_layer                                        \
             : ct_forward_embedding)(layer, x)
#endif

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers of the layers: creating tensors with torch.nn's initial values and adding them to the
 * parameter list. */
#ifndef CORTEN_NN_LAYER_H
#define CORTEN_NN_LAYER_H

#include "core/check_args.h"
#include "core/error.h"
#include "core/profile.h"
#include "corten/nn.h"
#include "corten/own.h"
#include "ops/front.h"

static inline enum ct_dtype cti_layer_dtype(enum ct_dtype given)
{
    return given == CT_NO_DTYPE ? ct_get_default_dtype() : given;
}

/* Checks the list and the name of a new layer. */
bool cti_layer_check(const ct_params *p, const char *name, const char *function);
/* Adds `made` (consumed) to the list as layer.member; returns it borrowed, NULL with an error, also
 * if `made` is NULL. */
ct_tensor *cti_layer_add(ct_params *p, const char *layer, const char *member, ct_tensor *made,
                         bool trained);
/* New tensors, owned: uniform in [-bound, bound), or filled with a number. */
ct_tensor *cti_layer_uniform(int ndim, const int64_t *shape, enum ct_dtype dtype, double bound);
ct_tensor *cti_layer_full(int ndim, const int64_t *shape, enum ct_dtype dtype, double number);
/* Draws weight and bias of a linear layer, in torch.nn's order. bias may be NULL. */
bool cti_layer_draw_linear(int64_t in, int64_t out, enum ct_dtype dtype, ct_tensor **weight,
                           ct_tensor **bias);

#endif

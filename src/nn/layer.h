/* SPDX-License-Identifier: BSD-3-Clause */
/* What layers share: their tensors enter the list under the layer's name, with torch.nn's values.
 */
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

/* The list and the name of a new layer. */
bool cti_layer_check(const ct_params *p, const char *name, const char *function);
/* `made` (taken over) joins the list as layer.member, unless it failed; borrowed. */
ct_tensor *cti_layer_add(ct_params *p, const char *layer, const char *member, ct_tensor *made,
                         bool trained);
/* Owned new tensors: uniform between -bound and bound, or all of one number. */
ct_tensor *cti_layer_uniform(int ndim, const int64_t *shape, enum ct_dtype dtype, double bound);
ct_tensor *cti_layer_full(int ndim, const int64_t *shape, enum ct_dtype dtype, double number);
/* Linear's two draws, as torch.nn orders them; bias NULL: none. */
bool cti_layer_draw_linear(int64_t in, int64_t out, enum ct_dtype dtype, ct_tensor **weight,
                           ct_tensor **bias);

#endif

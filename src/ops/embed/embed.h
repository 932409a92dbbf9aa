/* SPDX-License-Identifier: BSD-3-Clause */
/* What lookups and bags of rows share. */
#ifndef CORTEN_OPS_EMBED_H
#define CORTEN_OPS_EMBED_H

#include "core/tensor.h"

/* Whether t holds int64 or int32; else the error says so of the argument `name`, which is number
 * `place` of the function `of`. */
bool cti_embed_indices(const ct_tensor *t, int place, const char *name, const char *of);

#endif

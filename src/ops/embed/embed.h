/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by embed.c and bags.c. */
#ifndef CORTEN_OPS_EMBED_H
#define CORTEN_OPS_EMBED_H

#include "core/tensor.h"

/* Checks that t is int64 or int32. The error names the argument: `name`, number `position` of the
 * function `of`. */
bool cti_embed_indices(const ct_tensor *t, int position, const char *name, const char *of);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What a function under a transform (vmap, grad, ...) may not do: write into tensors that it
 * captured, and draw random numbers where the transform does not allow it.
 *
 * Note [Guards]: transforms nest, so each thread counts its levels, and a storage is stamped with
 * the level it was made at. A write into a storage of an earlier level is a write into a captured
 * tensor. The inputs that a transform hands to the function are admitted: stamped anew. The stamp
 * is six bits beside other flags of the storage, so plain programs pay for one load in a write. */
#ifndef CORTEN_CORE_GUARD_H
#define CORTEN_CORE_GUARD_H

#include "core/tensor.h"
#include "core/thread.h"

struct ct_generator;

/* Is the storage read-only for whoever runs on this thread? The reason is left to
 * cti_storage_check_writable. */
static inline bool cti_storage_closed(const ct_storage *s)
{
    return s->read_only || s->level < cti_thread.level;
}

bool cti_guard_refuse_write(void); /* false, with the error */

/* May numbers be drawn, from a generator (NULL: the default one)? Under a transform that repeats
 * draws its state is remembered first. */
bool cti_guard_draw(struct ct_generator *g);

#endif

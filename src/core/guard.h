/* SPDX-License-Identifier: BSD-3-Clause */
/* What a function under a transform (vmap, grad, ...) must not do: write to tensors that it
 * captured, and draw random numbers if the transform does not allow that.
 *
 * Note [Guards]: transforms nest, so each thread counts its levels, and a storage stores the level
 * at which it was made. A write to a storage of a lower level is a write to a captured tensor. The
 * inputs that a transform passes to the function are admitted, that is, they get the current level.
 * The level is stored in six bits next to other flags of the storage, so a program without
 * transforms pays only one load per write. */
#ifndef CORTEN_CORE_GUARD_H
#define CORTEN_CORE_GUARD_H

#include "core/tensor.h"
#include "core/thread.h"

struct ct_generator;

/* Whether this thread must not write to the storage. cti_storage_check_writable finds the
 * reason. */
static inline bool cti_storage_closed(const ct_storage *s)
{
    return s->read_only || s->level < cti_thread.level;
}

bool cti_guard_refuse_write(void); /* sets the error; returns false */

/* Whether numbers may be drawn from a generator (NULL: the default one); false: the error is set.
 * Under a transform that repeats draws, saves the state of the generator first. */
bool cti_guard_draw(struct ct_generator *g);

#endif

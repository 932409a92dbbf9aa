/* SPDX-License-Identifier: BSD-3-Clause */
/* Scopes that own strings and objects other than tensors. */
#ifndef CORTEN_CORE_SCOPE_H
#define CORTEN_CORE_SCOPE_H

#include "corten/base.h"

/* Adds an object to the innermost scope of this thread, which calls release(object) when it ends.
 * Out of memory: calls it now and returns NULL. NULL in, NULL out. */
void *cti_scope_add(void *object, void (*release)(void *object));
/* Removes and releases the innermost entry of an object before its scope ends (ct_optim_free). */
void cti_scope_remove(void *object);
/* The first copies a string; the second takes over a string allocated by malloc. The innermost
 * scope owns the result. */
const char *cti_scope_text(const char *text);
const char *cti_scope_text_take(char *text);

#endif

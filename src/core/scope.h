/* SPDX-License-Identifier: BSD-3-Clause */
/* Handing objects other than tensors to the innermost scope of the calling thread. */
#ifndef CORTEN_CORE_SCOPE_H
#define CORTEN_CORE_SCOPE_H

#include "corten/base.h"

/* release(object) is called when the scope ends; at once, and NULL is returned, when there is no
 * memory. NULL in, NULL out. */
void *cti_scope_add(void *object, void (*release)(void *object));
/* Removes the innermost entry of an object now (an optimizer that is freed early). */
void cti_scope_remove(void *object);
/* A copy of a text / the malloc'ed text itself, owned by the scope. */
const char *cti_scope_text(const char *text);
const char *cti_scope_text_take(char *text);

#endif

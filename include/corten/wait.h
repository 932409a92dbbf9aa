/* SPDX-License-Identifier: BSD-3-Clause */
/* For bindings of languages that have a lock of their own, as Python's. A long call holds the lock
 * of its generator while it asks the binding whether to go on (ct_set_poll), which may take the
 * language's; so whoever has that must not wait for a generator. Not in corten.h. */
#ifndef CORTEN_WAIT_H
#define CORTEN_WAIT_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "corten/base.h"

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called around the wait for a lock that is taken, on the thread that waits: begin gives up what
 * the language holds and returns what end, with our lock held, takes it back with. */
struct ct_wait_hooks {
    void *(*begin)(void);
    void (*end)(void *token);
};
CT_API void ct_set_wait_hooks(const struct ct_wait_hooks *hooks); /* static, or NULL: none */

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif

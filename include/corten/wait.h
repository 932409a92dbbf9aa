/* SPDX-License-Identifier: BSD-3-Clause */
/* For bindings of languages with a global lock, such as Python's GIL; not included by corten.h. A
 * long call holds the lock of its generator while it polls the binding (ct_set_poll), which may
 * take the global lock. A thread that waits for a generator while it holds the global lock would
 * then cause a deadlock, so the binding releases the global lock around such waits with these
 * hooks. */
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

/* Called on the thread that waits. begin: before the wait, releases the global lock and returns a
 * token. end: after it, when the library's lock is held, acquires the global lock again. */
struct ct_wait_hooks {
    void *(*begin)(void);
    void (*end)(void *token);
};
/* Sets the hooks, which are kept by reference. NULL: none. */
CT_API void ct_set_wait_hooks(const struct ct_wait_hooks *hooks);

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers where the user's program wrote to memory that a backward pass still needs, so that the
 * "modified by an inplace operation" error can name the line. Saving a tensor marks its version
 * counter as watched (cti_watch); each later write to it is recorded in a ring of the most recent
 * ones. The binding supplies the source locations, which are opaque here (ct_set_location_hooks);
 * without hooks nothing is recorded.
 *
 * An entry is found by the address of the version counter and its count. If an address is reused,
 * the new counter is watched again before anyone can ask for it, and the newest entry wins. */
#include "autograd/internal.h"

#include "core/note.h"

#include <stdlib.h>

enum { KEPT = 64 };

struct write {
    const struct cti_version *version;
    uint32_t count; /* the version after the write */
    struct ct_location location;
};

static struct ct_location_hooks hooks;
static struct write ring[KEPT];
static unsigned next_write;
/* never held during a hook, which takes the global lock of the binding's language */
static uint8_t lock;

static void site_keep(struct write fresh)
{
    cti_byte_lock(&lock);
    struct write *slot = &ring[next_write++ % KEPT], old = *slot;
    *slot = fresh;
    cti_byte_unlock(&lock);
    if (old.location.code)
        hooks.drop(old.location);
}

static void note_write(const struct cti_version *version, uint32_t count)
{
    struct write fresh = {version, count, {NULL, 0}};
    if (hooks.here(&fresh.location))
        site_keep(fresh);
}

void ct_set_location_hooks(const struct ct_location_hooks *given)
{
    hooks = given ? *given : (struct ct_location_hooks){NULL};
    cti_core_hooks.watched_write = given ? note_write : NULL;
}

void cti_watch(const ct_tensor *t)
{
    struct cti_version *v = t->version;
    if (v && !(__atomic_load_n(&v->count, __ATOMIC_RELAXED) & CTI_VERSION_WATCHED))
        __atomic_fetch_or(&v->count, CTI_VERSION_WATCHED, __ATOMIC_RELAXED);
}

void *cti_note_write(const ct_tensor *t, int64_t count)
{
    struct write found = {NULL, 0, {NULL, 0}};
    cti_byte_lock(&lock);
    for (unsigned i = 1; i <= KEPT && !found.location.code; i++) {
        struct write *w = &ring[(next_write - i) % KEPT];
        if (w->location.code && w->version == t->version && w->count == (uint32_t)count) {
            found = *w; /* taken out, so that no other thread drops its location */
            w->location.code = NULL;
        }
    }
    cti_byte_unlock(&lock);
    if (!found.location.code)
        return NULL;
    char *text = hooks.text(found.location);
    if (text)
        cti_note("the memory was written in place at %s", text);
    free(text);
    site_keep(found);
    return NULL;
}

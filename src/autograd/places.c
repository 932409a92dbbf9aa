/* SPDX-License-Identifier: BSD-3-Clause */
/* Where in the user's program memory was written that a gradient still needs: the last such writes,
 * so that the error which finds the memory changed can name the line. Whoever saves a tensor marks
 * its version as watched; a write to it is noted here, in a ring that forgets the oldest. What a
 * place is, the binding of the other language knows (ct_set_place_hooks); without one nothing is
 * kept. Entries are found by the address of a version and its count: an address that is used again
 * is watched again before it can be asked for, and the newest entry wins. */
#include "autograd/inside.h"

#include "core/note.h"

#include <stdlib.h>

enum { KEPT = 64 };

struct write {
    const struct cti_version *version;
    uint32_t count; /* after it */
    struct ct_place place;
};

static struct ct_place_hooks hooks;
static struct write ring[KEPT];
static unsigned next_write;
static uint8_t lock; /* never held while a hook runs: hooks take the other language's lock */

static void keep(struct write fresh)
{
    cti_byte_lock(&lock);
    struct write *slot = &ring[next_write++ % KEPT], old = *slot;
    *slot = fresh;
    cti_byte_unlock(&lock);
    if (old.place.code)
        hooks.drop(old.place);
}

static void note_write(const struct cti_version *version, uint32_t count)
{
    struct write fresh = {version, count, {NULL, 0}};
    if (hooks.here(&fresh.place))
        keep(fresh);
}

void ct_set_place_hooks(const struct ct_place_hooks *given)
{
    hooks = given ? *given : (struct ct_place_hooks){NULL};
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
    for (unsigned i = 1; i <= KEPT && !found.place.code; i++) {
        struct write *w = &ring[(next_write - i) % KEPT];
        if (w->place.code && w->version == t->version && w->count == (uint32_t)count) {
            found = *w; /* ours while we look at it */
            w->place.code = NULL;
        }
    }
    cti_byte_unlock(&lock);
    if (!found.place.code)
        return NULL;
    char *text = hooks.text(found.place);
    if (text)
        cti_note("the memory was written in place at %s", text);
    free(text);
    keep(found);
    return NULL;
}

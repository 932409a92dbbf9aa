/* SPDX-License-Identifier: BSD-3-Clause */
/* Scopes, which own the objects that C callers receive. Every thread has a root scope from its
 * first call until it ends. The scopes are sections of one stack of entries, so opening and closing
 * one costs nearly nothing, and moving an entry to the scope around its own is a swap with the
 * first entry of its scope. */
#include "core/scope.h"
#include "core/alloc.h"
#include "core/debug.h"
#include "core/tensor.h"
#include "core/value.h"

#include <stdlib.h>
#include <string.h>

/* The positions in the stack at which scope k begins and ends. */
static int64_t scope_start(const struct cti_scopes *s, int64_t k)
{
    return k == 0 ? 0 : s->start[k - 1].entry;
}

static int64_t scope_end(const struct cti_scopes *s, int64_t k)
{
    return k == s->depth ? s->count : s->start[k].entry;
}

static int64_t scope_of(const struct cti_scopes *s, int64_t i)
{
    int64_t k = s->depth;
    while (scope_start(s, k) > i)
        k--;
    return k;
}

static int64_t scope_find(const struct cti_scopes *s, const void *object)
{
    int64_t i = s->count;
    while (--i >= 0 && s->entry[i].object != object)
        continue;
    return i;
}

static void release_entry(struct cti_scope_entry entry)
{
    if (entry.release)
        entry.release(entry.object);
    else
        ct_release(entry.object);
}

/* Removes entry i. To close the gap, the last entry of that scope moves to i, and the last entry of
 * each scope above moves to its beginning. */
static struct cti_scope_entry take_out(struct cti_scopes *s, int64_t i)
{
    struct cti_scope_entry entry = s->entry[i];
    for (int64_t k = scope_of(s, i); k <= s->depth; k++) {
        int64_t last = scope_end(s, k) - 1;
        s->entry[i] = s->entry[last];
        i = last;
        if (k < s->depth)
            s->start[k].entry--;
    }
    s->count--;
    s->live -= !entry.release;
    return entry;
}

static bool scope_push(void *object, void (*release)(void *))
{
    struct cti_scopes *s = &cti_thread.scopes;
    if (__builtin_expect(s->count == s->capacity, 0)) {
        int64_t capacity = s->capacity ? 2 * s->capacity : 64;
        struct cti_scope_entry *grown = cti_realloc(s->entry, (size_t)capacity * sizeof *s->entry);
        if (!grown)
            return false;
        s->entry = grown;
        s->capacity = capacity;
        cti_thread_register();
    }
    s->entry[s->count++] = (struct cti_scope_entry){object, release};
    s->live += !release;
    return true;
}

void *cti_scope_add(void *object, void (*release)(void *))
{
    if (!object || scope_push(object, release))
        return object;
    release(object);
    return NULL;
}

void cti_scope_remove(void *object)
{
    struct cti_scopes *s = &cti_thread.scopes;
    int64_t i = object ? scope_find(s, object) : -1;
    if (i >= 0)
        release_entry(take_out(s, i));
}

const char *cti_scope_text_take(char *text)
{
    return cti_scope_add(text, cti_free);
}

const char *cti_scope_text(const char *text)
{
    return text ? cti_scope_text_take(cti_strdup(text)) : NULL;
}

ct_tensor *ct_scoped(ct_tensor *owned)
{
    if (!owned || scope_push(owned, NULL))
        return owned;
    ct_release(owned);
    return NULL;
}

ct_list ct_scoped_list(ct_list owned)
{
    if (!owned.v)
        return owned;
    int64_t joined = 0;
    bool ok = scope_push((void *)owned.v, free);
    while (ok && joined < owned.n && (ok = !owned.v[joined] || scope_push(owned.v[joined], NULL)))
        joined++; /* an entry may be NULL: a gradient of an input that was not used */
    if (ok)
        return owned;
    /* Undo: remove the entries that were added, newest first, then release everything. */
    for (int64_t i = joined - 1; i >= 0; i--)
        if (owned.v[i])
            take_out(&cti_thread.scopes, scope_find(&cti_thread.scopes, owned.v[i]));
    int64_t array = scope_find(&cti_thread.scopes, owned.v);
    if (array >= 0)
        take_out(&cti_thread.scopes, array);
    ct_list_release(owned);
    return (ct_list){NULL, 0};
}

ct_tensor *ct_list_get(ct_list list, int64_t i)
{
    int64_t n = list.v ? cti_list_count(list) : 0;
    if (i >= 0 && i < n)
        return list.v[i];
    return ct_fail(CT_ERR_INDEX, "ct_list_get(): index %lld of a list of %lld", (long long)i,
                   (long long)n);
}

void ct_list_release(ct_list owned)
{
    if (!owned.v)
        return;
    for (int64_t i = 0; i < owned.n; i++)
        ct_release(owned.v[i]);
    cti_free((void *)owned.v);
}

ct_scope ct_scope_begin_at(const char *file, int line)
{
    struct cti_scopes *s = &cti_thread.scopes;
    if (__builtin_expect(s->depth == s->depth_capacity, 0)) {
        int64_t capacity = s->depth_capacity ? 2 * s->depth_capacity : 16;
        struct cti_scope_start *grown = cti_realloc(s->start, (size_t)capacity * sizeof *s->start);
        if (!grown)
            /* ending it does nothing: its objects belong to the scope around it */
            return (ct_scope){-1};
        s->start = grown;
        s->depth_capacity = capacity;
        cti_thread_register();
    }
    s->start[s->depth++] = (struct cti_scope_start){s->count, file, line};
    return (ct_scope){s->depth};
}

/* Releases entries from the top one by one, because a deleter may call functions that add
 * entries. */
static void scope_unwind(struct cti_scopes *s, int64_t count)
{
    while (s->count > count) {
        struct cti_scope_entry entry = s->entry[--s->count];
        s->live -= !entry.release;
        release_entry(entry);
    }
}

ct_scope ct_scope_begin(void)
{
    return ct_scope_begin_at(NULL, 0);
}

void ct_scope_end(ct_scope scope)
{
    struct cti_scopes *s = &cti_thread.scopes;
    if (scope.depth < 1)
        return;
    while (s->depth >= scope.depth) {
        struct cti_scope_start start = s->start[s->depth - 1];
        if (__builtin_expect(cti_debug_on, 0))
            cti_debug_reason("its scope has ended", start.file, start.line);
        scope_unwind(s, start.entry);
        s->depth--;
    }
    if (__builtin_expect(cti_debug_on, 0))
        cti_debug_reason(NULL, NULL, 0);
}

void ct_scope_close(ct_scope *scope)
{
    if (scope)
        ct_scope_end(*scope);
}

/* Whether a scope of this thread owns t (i: its entry, or -1); otherwise sets the error. */
static bool is_held(const ct_tensor *t, int64_t i, const char *function)
{
    if (!t || t == CT_NO_TENSOR || i >= 0)
        return i >= 0;
    const char *why = cti_debug_on ? cti_debug_dead(t) : NULL;
    return cti_refuse(CT_ERR_RUNTIME, "%s(): %s%s", function,
                      why ? "the tensor was released: " : "",
                      why ? why : "no open scope of this thread owns the tensor");
}

ct_tensor *ct_keep(ct_tensor *t)
{
    struct cti_scopes *s = &cti_thread.scopes;
    int64_t i = t ? scope_find(s, t) : -1;
    /* Keeping a tensor that no scope owns, for instance a parameter, is an error only in debug
     * mode. */
    bool held = cti_debug_on ? is_held(t, i, "ct_keep") : i >= 0;
    int64_t k = held ? scope_of(s, i) : 0;
    if (k == 0)
        return t; /* the root is the outermost scope */
    int64_t first = s->start[k - 1].entry++;
    struct cti_scope_entry entry = s->entry[i];
    s->entry[i] = s->entry[first];
    s->entry[first] = entry;
    return t;
}

void ct_free(ct_tensor *t)
{
    struct cti_scopes *s = &cti_thread.scopes;
    int64_t i = t ? scope_find(s, t) : -1;
    if (!is_held(t, i, "ct_free"))
        return;
    cti_debug_reason("ct_free() has freed it", NULL, 0);
    release_entry(take_out(s, i));
    if (__builtin_expect(cti_debug_on, 0))
        cti_debug_reason(NULL, NULL, 0);
}

ct_tensor *ct_replace(ct_tensor **variable, ct_tensor *value)
{
    struct cti_scopes *s = &cti_thread.scopes;
    if (!variable)
        return ct_fail(CT_ERR_TYPE, "ct_replace(): the variable is NULL");
    ct_tensor *old = *variable;
    *variable = value;
    if (old == value || !old)
        return value;
    if (!value) {
        cti_scope_remove(old);
        return NULL;
    }
    int64_t from = scope_find(s, value), to = scope_find(s, old);
    if (from < 0 || to < 0) {
        if (to >= 0)
            cti_scope_remove(old);
        return value;
    }
    s->entry[to].object = value;
    s->entry[from].object = old; /* both are tensors, so the rest of the entries is the same */
    release_entry(take_out(s, from));
    return value;
}

ct_tensor *ct_hand_over(ct_tensor *t)
{
    struct cti_scopes *s = &cti_thread.scopes;
    int64_t i = t ? scope_find(s, t) : -1;
    if (!t)
        return NULL;
    if (i < 0)
        return ct_fail(CT_ERR_RUNTIME, "ct_hand_over(): no open scope of this thread owns it");
    return take_out(s, i).object;
}

ct_tensor *ct_take_over(ct_tensor *t)
{
    return ct_scoped(t);
}

int64_t ct_live_count(void)
{
    return cti_thread.scopes.live;
}

void cti_scope_thread_exit(void)
{
    struct cti_scopes *s = &cti_thread.scopes;
    s->depth = 0;
    scope_unwind(s, 0);
    free(s->entry);
    free(s->start);
    *s = (struct cti_scopes){0};
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees of pickled objects: inert data in an arena that is freed at once. The reader (unpickle.c)
 * and bindings build them; the writer (pickle.c) and bindings traverse them. */
#include "io/object.h"
#include "core/check_args.h"

#include "core/alloc.h"

#include <string.h>

struct chunk {
    struct chunk *next;
    size_t used, size;
    char memory[];
};

ct_pickle *ct_pickle_new(void)
{
    return cti_calloc(1, sizeof(ct_pickle));
}

void ct_pickle_free(ct_pickle *p)
{
    if (!p)
        return;
    for (struct chunk *c = p->chunks, *next; c; c = next) {
        next = c->next;
        cti_free(c);
    }
    cti_free(p);
}

void *cti_pickle_memory(ct_pickle *p, size_t size)
{
    size = (size + 7) & ~(size_t)7;
    struct chunk *c = p->chunks;
    if (!c || c->size - c->used < size) {
        size_t room = c ? 2 * c->size : 2048;
        room = room > 1 << 20 ? 1 << 20 : room;
        room = room < size ? size : room;
        c = cti_malloc(sizeof *c + room);
        if (!c)
            return NULL;
        *c = (struct chunk){p->chunks, 0, room};
        p->chunks = c;
    }
    void *memory = c->memory + c->used;
    c->used += size;
    return memory;
}

struct ct_object *ct_object_new(ct_pickle *p, enum ct_object_kind kind)
{
    if (!cti_check_pointer(p, "ct_object_new", "p"))
        return NULL;
    struct ct_object *o = cti_pickle_memory(p, sizeof *o);
    if (!o)
        return NULL;
    memset(o, 0, sizeof *o);
    o->kind = kind;
    p->count++;
    return o;
}

struct ct_object *ct_object_text(ct_pickle *p, enum ct_object_kind kind, const char *v, int64_t n,
                                 bool copy)
{
    if (!cti_check_pointer(p, "ct_object_text", "p"))
        return NULL;
    struct ct_object *o = ct_object_new(p, kind);
    if (o && copy) {
        char *memory = cti_pickle_memory(p, (size_t)n + 1);
        if (!memory)
            return NULL;
        memcpy(memory, v, (size_t)n);
        v = memory;
    }
    if (o) {
        o->as.text.v = v;
        o->as.text.n = n;
    }
    return o;
}

struct ct_object *ct_object_int(ct_pickle *p, int64_t i)
{
    if (!cti_check_pointer(p, "ct_object_int", "p"))
        return NULL;
    struct ct_object *o = ct_object_new(p, CT_OBJECT_INT);
    if (o)
        o->as.i = i;
    return o;
}

struct ct_object *ct_object_call(ct_pickle *p, enum ct_object_kind kind, struct ct_object *function,
                                 struct ct_object *args)
{
    if (!cti_check_pointer(p, "ct_object_call", "p"))
        return NULL;
    struct ct_object *o =
        function && (args || kind == CT_OBJECT_PERSISTENT) ? ct_object_new(p, kind) : NULL;
    if (o) {
        o->as.call.function = function;
        o->as.call.args = args;
    }
    return o;
}

bool ct_object_add(ct_pickle *p, struct ct_object *o, struct ct_object *item)
{
    if (!cti_check_pointer(p, "ct_object_add", "p"))
        return false;
    if (!o || !item)
        return false;
    if (o->count == o->room) {
        int64_t room = o->room ? 2 * o->room : 4;
        struct ct_object **items = cti_pickle_memory(p, (size_t)room * sizeof *items);
        if (!items)
            return false;
        if (o->count)
            memcpy(items, o->items, (size_t)o->count * sizeof *items);
        o->items = items;
        o->room = room;
    }
    o->items[o->count++] = item;
    return true;
}

int ct_pickle_protocol(const ct_pickle *p)
{
    return cti_check_pointer(p, "ct_pickle_protocol", "p") ? p->protocol : -1;
}

bool cti_object_is(const struct ct_object *o, enum ct_object_kind kind, const char *text)
{
    size_t n = strlen(text);
    return o && o->kind == kind && o->as.text.n == (int64_t)n && memcmp(o->as.text.v, text, n) == 0;
}

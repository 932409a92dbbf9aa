/* SPDX-License-Identifier: BSD-3-Clause */
/* Serializes a tree of objects to exactly the bytes that Python's pickler writes (protocols 2 and
 * 3; 4 and 5 without frames), so that files equal PyTorch's. */
#include "io/file.h"
#include "io/object.h"

#include "core/alloc.h"
#include "core/text.h"

#include <string.h>

enum { BATCH = 1000, MAX_DEPTH = 2000 };

struct writer {
    ct_pickle *p;
    struct cti_text out;
    int protocol, depth;
    uint32_t memo_count;
    bool failed;
};

static bool write_object(struct writer *w, struct ct_object *o);

static void put_code(struct writer *w, uint8_t c)
{
    cti_text_add_n(&w->out, (const char *)&c, 1);
}

/* Writes the opcode c with a little-endian operand of up to 8 bytes. */
static void put_number(struct writer *w, uint8_t c, uint64_t value, int bytes)
{
    char text[9], *p = text;
    *p++ = (char)c;
    cti_text_add_n(&w->out, text, (size_t)(cti_put_le(p, value, bytes) - text));
}

static void memoize(struct writer *w, struct ct_object *o)
{
    o->memo = ++w->memo_count;
    uint32_t i = o->memo - 1;
    if (w->protocol >= 4)
        put_code(w, 0x94);
    else if (i < 256)
        put_number(w, 'q', i, 1);
    else
        put_number(w, 'r', i, 4);
}

static void put_recall(struct writer *w, const struct ct_object *o)
{
    uint32_t i = o->memo - 1;
    if (i < 256)
        put_number(w, 'h', i, 1);
    else
        put_number(w, 'j', i, 4);
}

static void write_int(struct writer *w, int64_t i)
{
    if (i >= 0 && i < 256) {
        put_number(w, 'K', (uint64_t)i, 1);
    } else if (i >= 0 && i < 65536) {
        put_number(w, 'M', (uint64_t)i, 2);
    } else if (i >= INT32_MIN && i <= INT32_MAX) {
        put_number(w, 'J', (uint64_t)i, 4);
    } else { /* the shortest two's complement form */
        int bytes = 8;
        while (bytes > 1 && (i >> (8 * (bytes - 1) - 1) == 0 || i >> (8 * (bytes - 1) - 1) == -1))
            bytes--;
        put_number(w, 0x8a, (uint64_t)bytes, 1);
        char text[8];
        cti_text_add_n(&w->out, text, (size_t)(cti_put_le(text, (uint64_t)i, bytes) - text));
    }
}

static void write_float(struct writer *w, double f)
{
    uint64_t bits;
    memcpy(&bits, &f, sizeof bits);
    put_number(w, 'G', __builtin_bswap64(bits), 8);
}

/* Writes a text preceded by its length, with the opcode for the size of the length; 0: no such
 * opcode. */
static void put_counted(struct writer *w, uint8_t small, uint8_t usual, uint8_t large,
                        const struct ct_object *o)
{
    uint64_t n = (uint64_t)o->as.text.n;
    if (small && n < 256)
        put_number(w, small, n, 1);
    else if (n <= UINT32_MAX)
        put_number(w, usual, n, 4);
    else if (large && w->protocol >= 4)
        put_number(w, large, n, 8);
    else
        w->failed = !ct_fail(CT_ERR_VALUE, "a string of 4 GiB needs protocol 4");
    cti_text_add_n(&w->out, o->as.text.v, n);
}

static void write_text(struct writer *w, struct ct_object *o)
{
    if (o->kind == CT_OBJECT_LONG)
        put_counted(w, 0x8a, 0x8b, 0, o);
    else if (o->kind == CT_OBJECT_STR)
        put_counted(w, w->protocol >= 4 ? 0x8c : 0, 'X', 0x8d, o);
    else if (o->kind == CT_OBJECT_BYTEARRAY)
        put_number(w, 0x96, (uint64_t)o->as.text.n, 8),
            cti_text_add_n(&w->out, o->as.text.v, (size_t)o->as.text.n);
    else if (o->kind == CT_OBJECT_OLD_STR)
        put_counted(w, 'U', 'T', 0, o);
    else
        put_counted(w, 'C', 'B', 0x8e, o);
    if (o->kind != CT_OBJECT_LONG)
        memoize(w, o);
}

static bool write_tuple(struct writer *w, struct ct_object *o)
{
    if (o->count == 0) {
        put_code(w, ')');
        return true;
    }
    if (o->count > 3)
        put_code(w, '(');
    for (int64_t i = 0; i < o->count; i++) {
        if (!write_object(w, o->items[i]))
            return false;
    }
    put_code(w, o->count > 3 ? 't' : (uint8_t)(0x84 + o->count));
    memoize(w, o);
    return true;
}

/* Writes the items of a list (width 1) or dict (width 2) in batches. Like Python's pickler, a batch
 * of one is written without MARK if the items come from an iterator (`exact` false), but for an
 * exact list or dict only if it is the only batch. */
static bool write_batches(struct writer *w, struct ct_object **items, int64_t count, int width,
                          bool exact)
{
    int64_t n = count / width;
    for (int64_t at = 0; at < n; at += BATCH) {
        int64_t batch = n - at < BATCH ? n - at : BATCH;
        bool single = batch == 1 && (!exact || n == 1);
        if (!single)
            put_code(w, '(');
        for (int64_t i = at * width; i < (at + batch) * width; i++) {
            if (!write_object(w, items[i]))
                return false;
        }
        put_code(w, width == 1 ? (single ? 'a' : 'e') : (single ? 's' : 'u'));
    }
    return true;
}

static bool write_set(struct writer *w, struct ct_object *o)
{
    if (w->protocol < 4)
        return ct_fail(CT_ERR_VALUE, "sets need protocol 4");
    if (o->kind == CT_OBJECT_SET) {
        put_code(w, 0x8f);
        memoize(w, o);
    }
    put_code(w, '(');
    for (int64_t i = 0; i < o->count; i++) {
        if (!write_object(w, o->items[i]))
            return false;
    }
    put_code(w, o->kind == CT_OBJECT_SET ? 0x90 : 0x91);
    if (o->kind == CT_OBJECT_FROZENSET)
        memoize(w, o);
    return true;
}

static bool write_global(struct writer *w, struct ct_object *o)
{
    const char *text = o->as.text.v, *name = memchr(text, '\n', (size_t)o->as.text.n);
    if (!name)
        return ct_fail(CT_ERR_VALUE, "a global name in a pickle must include its module");
    size_t n = (size_t)(name - text), rest = (size_t)o->as.text.n - n - 1;
    if (w->protocol >= 4) {
        struct ct_object module = {.kind = CT_OBJECT_STR}, last = module;
        module.as.text.v = text, module.as.text.n = (int64_t)n;
        last.as.text.v = name + 1, last.as.text.n = (int64_t)rest;
        write_text(w, &module);
        write_text(w, &last);
        put_code(w, 0x93);
    } else {
        put_code(w, 'c');
        cti_text_add_n(&w->out, text, (size_t)o->as.text.n);
        cti_text_add_n(&w->out, "\n", 1);
    }
    memoize(w, o);
    return true;
}

static bool write_call(struct writer *w, struct ct_object *o)
{
    if (!write_object(w, o->as.call.function) || !write_object(w, o->as.call.args))
        return false;
    if (o->keywords && !write_object(w, o->keywords))
        return false;
    put_code(w, o->keywords ? 0x92 : o->kind == CT_OBJECT_NEW ? 0x81 : 'R');
    memoize(w, o);
    if (!write_batches(w, o->items, o->appended, 1, false) ||
        !write_batches(w, o->items + o->appended, o->count - o->appended, 2, false))
        return false;
    if (o->state) {
        if (!write_object(w, o->state))
            return false;
        put_code(w, 'b');
    }
    return true;
}

static bool write_new(struct writer *w, struct ct_object *o)
{
    switch (o->kind) {
    case CT_OBJECT_NONE:
        put_code(w, 'N');
        return true;
    case CT_OBJECT_BOOL:
        put_code(w, o->as.i ? 0x88 : 0x89);
        return true;
    case CT_OBJECT_INT:
        write_int(w, o->as.i);
        return true;
    case CT_OBJECT_FLOAT:
        write_float(w, o->as.f);
        return true;
    case CT_OBJECT_LONG:
    case CT_OBJECT_STR:
    case CT_OBJECT_BYTES:
    case CT_OBJECT_BYTEARRAY:
    case CT_OBJECT_OLD_STR:
        write_text(w, o);
        return true;
    case CT_OBJECT_TUPLE:
        return write_tuple(w, o);
    case CT_OBJECT_LIST:
    case CT_OBJECT_DICT:
        put_code(w, o->kind == CT_OBJECT_LIST ? ']' : '}');
        memoize(w, o);
        return write_batches(w, o->items, o->count, o->kind == CT_OBJECT_LIST ? 1 : 2, true);
    case CT_OBJECT_SET:
    case CT_OBJECT_FROZENSET:
        return write_set(w, o);
    case CT_OBJECT_GLOBAL:
        return write_global(w, o);
    case CT_OBJECT_REDUCE:
    case CT_OBJECT_NEW:
        return write_call(w, o);
    case CT_OBJECT_PERSISTENT:
        if (!write_object(w, o->as.call.function))
            return false;
        put_code(w, 'Q');
        return true;
    }
    return ct_fail(CT_ERR_VALUE, "this cannot be pickled");
}

static bool write_object(struct writer *w, struct ct_object *o)
{
    if (!o || w->failed)
        return false;
    if (o->memo) {
        put_recall(w, o);
        return true;
    }
    if (++w->depth > MAX_DEPTH)
        return ct_fail(CT_ERR_RECURSION,
                       "maximum recursion depth exceeded while pickling an object");
    bool good = write_new(w, o) && !w->failed;
    w->depth--;
    return good;
}

void *ct_pickle_bytes(ct_pickle *p, struct ct_object *root, int protocol, int64_t *nbytes)
{
    struct writer w = {.p = p, .protocol = protocol};
    if (protocol < 2 || protocol > 5)
        return ct_fail(CT_ERR_VALUE, "pickle protocol must be from 2 to 5");
    put_number(&w, 0x80, (uint64_t)protocol, 1);
    if (!write_object(&w, root)) {
        cti_text_free(&w.out);
        return NULL;
    }
    put_code(&w, '.');
    *nbytes = (int64_t)w.out.n;
    return cti_text_take(&w.out);
}

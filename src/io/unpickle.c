/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a pickle of any protocol into an inert tree. This is Python's stack machine, except that
 * calls are recorded instead of made; whoever walks the tree decides what may be called. Each byte
 * creates at most one object, so memory is proportional to the file. There is no recursion. */
#include "core/check_args.h"
#include "io/file.h"
#include "io/object.h"

#include "core/alloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct machine {
    ct_pickle *p;
    const uint8_t *at, *end;
    struct ct_object **stack, **memo;
    int64_t *mark;
    int64_t n, room;           /* size and capacity of `stack` */
    int64_t marks, mark_room;  /* stack heights of the marks */
    int64_t memo_n, memo_room; /* memo_n: next index for MEMOIZE */
    int64_t most;              /* length of the pickle: bound for memo indices */
};

static void *pickle_bad(const char *what)
{
    return ct_fail(CT_ERR_RUNTIME, "%s", what);
}

static void *short_data(void)
{
    return pickle_bad("pickle data was truncated");
}

/* ---- the stack ---- */

/* Ensures room for `need` elements of `size` bytes; new elements are zero. */
static bool stack_grow(void **memory, int64_t *room, int64_t need, size_t size)
{
    if (need <= *room)
        return true;
    int64_t more = *room ? 2 * *room : 32;
    while (more < need)
        more *= 2;
    void *grown = cti_realloc(*memory, (size_t)more * size);
    if (!grown)
        return false;
    memset((char *)grown + (size_t)*room * size, 0, (size_t)(more - *room) * size);
    *memory = grown;
    *room = more;
    return true;
}

static bool push(struct machine *m, struct ct_object *o)
{
    if (!o || !stack_grow((void **)&m->stack, &m->room, m->n + 1, sizeof *m->stack))
        return false;
    m->stack[m->n++] = o;
    return true;
}

static int64_t floor_of(const struct machine *m)
{
    return m->marks ? m->mark[m->marks - 1] : 0;
}

static struct ct_object *top(struct machine *m)
{
    return m->n > floor_of(m) ? m->stack[m->n - 1] : pickle_bad("unexpected MARK found");
}

static struct ct_object *pop(struct machine *m)
{
    struct ct_object *o = top(m);
    if (o)
        m->n--;
    return o;
}

static bool push_mark(struct machine *m)
{
    if (!stack_grow((void **)&m->mark, &m->mark_room, m->marks + 1, sizeof *m->mark))
        return false;
    m->mark[m->marks++] = m->n;
    return true;
}

/* Removes the innermost mark; returns the stack index of the first object above it, -1 with an
 * error. */
static int64_t pop_mark(struct machine *m)
{
    if (m->marks == 0) {
        pickle_bad("could not find MARK");
        return -1;
    }
    return m->mark[--m->marks];
}

static bool memo_put(struct machine *m, uint64_t number)
{
    struct ct_object *o = top(m);
    if (!o)
        return false;
    if (number > (uint64_t)m->most)
        return pickle_bad("a memo index exceeds the size of the pickle");
    int64_t i = (int64_t)number;
    if (!stack_grow((void **)&m->memo, &m->memo_room, i + 1, sizeof *m->memo))
        return false;
    m->memo[i] = o;
    m->memo_n = i + 1 > m->memo_n ? i + 1 : m->memo_n;
    return true;
}

static bool memo_get(struct machine *m, uint64_t number)
{
    if (number >= (uint64_t)m->memo_room || !m->memo[number])
        return ct_fail(CT_ERR_RUNTIME, "Memo value not found at index %llu",
                       (unsigned long long)number);
    return push(m, m->memo[number]);
}

/* ---- bytes ---- */

static const uint8_t *take_bytes(struct machine *m, uint64_t n)
{
    if (n > (uint64_t)(m->end - m->at))
        return short_data();
    m->at += n;
    return m->at - n;
}

/* Reads a little-endian number of 1, 2, 4 or 8 bytes. */
static bool read_number(struct machine *m, int bytes, uint64_t *value)
{
    const uint8_t *p = take_bytes(m, (uint64_t)bytes);
    if (!p)
        return false;
    *value = bytes == 1 ? *p : bytes == 2 ? cti_le16(p) : bytes == 4 ? cti_le32(p) : cti_le64(p);
    return true;
}

static bool push_counted(struct machine *m, int bytes, enum ct_object_kind kind)
{
    uint64_t n;
    const uint8_t *p;
    if (!read_number(m, bytes, &n) || !(p = take_bytes(m, n)))
        return false;
    return push(m, ct_object_text(m->p, kind, (const char *)p, (int64_t)n, false));
}

/* Reads a line; the newline is not part of it. */
static const char *line(struct machine *m, int64_t *n)
{
    const uint8_t *end = memchr(m->at, '\n', (size_t)(m->end - m->at));
    if (!end)
        return short_data();
    const char *text = (const char *)m->at;
    *n = end - m->at;
    m->at = end + 1;
    return text;
}

/* ---- numbers ---- */

static bool push_int(struct machine *m, int64_t i)
{
    return push(m, ct_object_int(m->p, i));
}

static bool push_bool(struct machine *m, bool on)
{
    struct ct_object *o = ct_object_new(m->p, CT_OBJECT_BOOL);
    if (o)
        o->as.i = on;
    return push(m, o);
}

static bool push_float(struct machine *m, double f)
{
    struct ct_object *o = ct_object_new(m->p, CT_OBJECT_FLOAT);
    if (o)
        o->as.f = f;
    return push(m, o);
}

static bool push_long(struct machine *m, int bytes)
{
    uint64_t n;
    const uint8_t *p;
    if (!read_number(m, bytes, &n) || !(p = take_bytes(m, n)))
        return false;
    if (n > 8)
        return push(m, ct_object_text(m->p, CT_OBJECT_LONG, (const char *)p, (int64_t)n, false));
    uint64_t value = n && p[n - 1] & 0x80 ? ~UINT64_C(0) : 0;
    for (int64_t i = (int64_t)n - 1; i >= 0; i--)
        value = value << 8 | p[i];
    return push_int(m, (int64_t)value);
}

/* Numbers of protocol 0: text lines. */
static bool push_line(struct machine *m, uint8_t code)
{
    int64_t n = 0;
    const char *text = line(m, &n);
    char copy[64], *end;
    if (!text)
        return false;
    if (code == 'I' && n == 2 && text[0] == '0' && (text[1] == '0' || text[1] == '1'))
        return push_bool(m, text[1] == '1');
    if (n == 0 || n >= (int64_t)sizeof copy)
        return pickle_bad("a number in a pickle cannot be read");
    memcpy(copy, text, (size_t)n);
    copy[n] = 0;
    if (code == 'L' && copy[n - 1] == 'L')
        copy[--n] = 0;
    errno = 0;
    if (code == 'F') {
        double f = strtod(copy, &end);
        return *end ? (bool)pickle_bad("a number in a pickle cannot be read") : push_float(m, f);
    }
    int64_t i = strtoll(copy, &end, 10);
    if (*end || errno)
        return pickle_bad("a number in a pickle cannot be read");
    return push_int(m, i);
}

static bool memo_line(struct machine *m, uint8_t code)
{
    int64_t n = 0;
    const char *text = line(m, &n);
    uint64_t value = 0;
    if (!text)
        return false;
    if (n == 0 || n > 18)
        return pickle_bad("a memo cannot be read");
    for (int64_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return pickle_bad("a memo cannot be read");
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    return code == 'p' ? memo_put(m, value) : memo_get(m, value);
}

/* ---- strings of protocol 0, without escapes ---- */

static bool push_text_line(struct machine *m, uint8_t code)
{
    int64_t n = 0;
    const char *text = line(m, &n);
    if (!text)
        return false;
    if (memchr(text, '\\', (size_t)n))
        return pickle_bad("escapes in strings of protocol 0 are not supported");
    if (code == 'S') {
        if (n < 2 || (text[0] != '\'' && text[0] != '"') || text[n - 1] != text[0])
            return pickle_bad("the STRING opcode argument must be quoted");
        text++;
        n -= 2;
    }
    return push(
        m, ct_object_text(m->p, code == 'S' ? CT_OBJECT_OLD_STR : CT_OBJECT_STR, text, n, false));
}

/* ---- containers ---- */

static bool push_tuple(struct machine *m, int64_t first, enum ct_object_kind kind)
{
    struct ct_object *o = ct_object_new(m->p, kind);
    int64_t n = m->n - first;
    if (!o)
        return false;
    if (n > 0) {
        o->items = cti_pickle_memory(m->p, (size_t)n * sizeof *o->items);
        if (!o->items)
            return false;
        memcpy(o->items, m->stack + first, (size_t)n * sizeof *o->items);
        o->count = o->room = n;
    }
    m->n = first;
    return push(m, o);
}

static bool push_few(struct machine *m, int64_t n)
{
    if (m->n - floor_of(m) < n)
        return pickle_bad("unexpected MARK found");
    return push_tuple(m, m->n - n, CT_OBJECT_TUPLE);
}

static bool push_marked(struct machine *m, enum ct_object_kind kind)
{
    int64_t first = pop_mark(m);
    if (first < 0)
        return false;
    if (kind == CT_OBJECT_DICT && (m->n - first) % 2)
        return pickle_bad("odd number of items for DICT");
    return push_tuple(m, first, kind);
}

/* Moves the objects from stack index `first` on into the list, set or dict below them. */
static bool extend(struct machine *m, int64_t first, bool pairs)
{
    if (first < 1 || first <= floor_of(m))
        return pickle_bad("there is nothing to add items to");
    struct ct_object *o = m->stack[first - 1];
    bool call = o->kind == CT_OBJECT_REDUCE || o->kind == CT_OBJECT_NEW;
    bool fits = pairs ? o->kind == CT_OBJECT_DICT || call
                      : o->kind == CT_OBJECT_LIST || o->kind == CT_OBJECT_SET || call;
    if (!fits || (pairs && (m->n - first) % 2) || (call && !pairs && o->appended != o->count))
        return pickle_bad(pairs ? "a pickle sets items of an object other than a dict"
                                : "a pickle appends to an object other than a list");
    for (int64_t i = first; i < m->n; i++) {
        if (!ct_object_add(m->p, o, m->stack[i]))
            return false;
    }
    if (!pairs)
        o->appended = o->count;
    m->n = first;
    return true;
}

static bool extend_marked(struct machine *m, bool pairs)
{
    int64_t first = pop_mark(m);
    return first >= 0 && extend(m, first, pairs);
}

/* ---- names and calls ---- */

/* Pushes a global name, which is stored as "module\nname". */
static bool push_global(struct machine *m, const char *module, int64_t module_n, const char *name,
                        int64_t name_n)
{
    char *text = cti_pickle_memory(m->p, (size_t)(module_n + name_n + 2));
    if (!text)
        return false;
    memcpy(text, module, (size_t)module_n);
    text[module_n] = '\n';
    memcpy(text + module_n + 1, name, (size_t)name_n);
    text[module_n + 1 + name_n] = 0;
    return push(m, ct_object_text(m->p, CT_OBJECT_GLOBAL, text, module_n + 1 + name_n, false));
}

static bool push_named(struct machine *m)
{
    int64_t module_n = 0, name_n = 0;
    const char *module = line(m, &module_n), *name = module ? line(m, &name_n) : NULL;
    return name && push_global(m, module, module_n, name, name_n);
}

static bool stack_global(struct machine *m)
{
    struct ct_object *name = pop(m), *module = name ? pop(m) : NULL;
    if (!module)
        return false;
    if (name->kind != CT_OBJECT_STR || module->kind != CT_OBJECT_STR)
        return pickle_bad("STACK_GLOBAL requires str");
    return push_global(m, module->as.text.v, module->as.text.n, name->as.text.v, name->as.text.n);
}

static bool push_call(struct machine *m, enum ct_object_kind kind, bool keywords)
{
    struct ct_object *keyword_dict = keywords ? pop(m) : NULL;
    if (keywords && !keyword_dict)
        return false;
    struct ct_object *args = pop(m), *function = args ? pop(m) : NULL;
    if (!function)
        return false;
    if (args->kind != CT_OBJECT_TUPLE)
        return pickle_bad("argument list must be a tuple");
    struct ct_object *o = ct_object_call(m->p, kind, function, args);
    if (o)
        o->keywords = keyword_dict;
    return push(m, o);
}

/* INST and OBJ of protocols 0 and 1: a class and the arguments after the mark. */
static bool old_instance(struct machine *m, bool named)
{
    int64_t first = pop_mark(m);
    if (first < 0 || (!named && m->n <= first))
        return first < 0 ? false : pickle_bad("a pickle creates an instance without a class");
    struct ct_object *function = NULL;
    if (named) {
        if (!push_named(m))
            return false;
        function = m->stack[--m->n];
    } else {
        function = m->stack[first];
    }
    if (!push_tuple(m, first + !named, CT_OBJECT_TUPLE))
        return false;
    struct ct_object *args = m->stack[--m->n];
    m->n = first;
    return push(m, ct_object_call(m->p, CT_OBJECT_REDUCE, function, args));
}

static bool build(struct machine *m)
{
    struct ct_object *state = pop(m), *o = state ? top(m) : NULL;
    if (!o)
        return false;
    if ((o->kind != CT_OBJECT_REDUCE && o->kind != CT_OBJECT_NEW) || o->state)
        return pickle_bad("a pickle sets the state of an object that cannot have one");
    o->state = state;
    return true;
}

static bool persistent(struct machine *m, bool text)
{
    struct ct_object *id;
    if (text) {
        int64_t n = 0;
        const char *v = line(m, &n);
        id = v ? ct_object_text(m->p, CT_OBJECT_STR, v, n, false) : NULL;
    } else {
        id = pop(m);
    }
    return id && push(m, ct_object_call(m->p, CT_OBJECT_PERSISTENT, id, NULL));
}

/* ---- the machine ---- */

static bool one_number(struct machine *m, uint8_t code)
{
    uint64_t v;
    const uint8_t *p;
    switch (code) {
    case 'K':
        return read_number(m, 1, &v) && push_int(m, (int64_t)v);
    case 'M':
        return read_number(m, 2, &v) && push_int(m, (int64_t)v);
    case 'J':
        return read_number(m, 4, &v) && push_int(m, (int32_t)(uint32_t)v);
    case 0x8a:
        return push_long(m, 1);
    case 0x8b:
        return push_long(m, 4);
    case 'G':
        if (!(p = take_bytes(m, 8)))
            return false;
        v = __builtin_bswap64(cti_le64(p));
        double f;
        memcpy(&f, &v, sizeof f);
        return push_float(m, f);
    case 0x88:
        return push_bool(m, true);
    case 0x89:
        return push_bool(m, false);
    default: /* N */
        return push(m, ct_object_new(m->p, CT_OBJECT_NONE));
    }
}

static bool one_text(struct machine *m, uint8_t code)
{
    switch (code) {
    case 'X':
        return push_counted(m, 4, CT_OBJECT_STR);
    case 0x8c:
        return push_counted(m, 1, CT_OBJECT_STR);
    case 0x8d:
        return push_counted(m, 8, CT_OBJECT_STR);
    case 'T':
        return push_counted(m, 4, CT_OBJECT_OLD_STR);
    case 'U':
        return push_counted(m, 1, CT_OBJECT_OLD_STR);
    case 'C':
        return push_counted(m, 1, CT_OBJECT_BYTES);
    case 'B':
        return push_counted(m, 4, CT_OBJECT_BYTES);
    case 0x8e:
        return push_counted(m, 8, CT_OBJECT_BYTES);
    default: /* 0x96 */
        return push_counted(m, 8, CT_OBJECT_BYTEARRAY);
    }
}

static bool one_memo(struct machine *m, uint8_t code)
{
    uint64_t v;
    switch (code) {
    case 'q':
        return read_number(m, 1, &v) && memo_put(m, v);
    case 'r':
        return read_number(m, 4, &v) && memo_put(m, v);
    case 'h':
        return read_number(m, 1, &v) && memo_get(m, v);
    case 'j':
        return read_number(m, 4, &v) && memo_get(m, v);
    default: /* 0x94 */
        return memo_put(m, (uint64_t)m->memo_n);
    }
}

static bool one_container(struct machine *m, uint8_t code)
{
    switch (code) {
    case ')':
        return push_few(m, 0);
    case 0x85:
    case 0x86:
    case 0x87:
        return push_few(m, code - 0x84);
    case ']':
        return push(m, ct_object_new(m->p, CT_OBJECT_LIST));
    case '}':
        return push(m, ct_object_new(m->p, CT_OBJECT_DICT));
    case 0x8f:
        return push(m, ct_object_new(m->p, CT_OBJECT_SET));
    case 't':
        return push_marked(m, CT_OBJECT_TUPLE);
    case 'l':
        return push_marked(m, CT_OBJECT_LIST);
    case 'd':
        return push_marked(m, CT_OBJECT_DICT);
    case 0x91:
        return push_marked(m, CT_OBJECT_FROZENSET);
    case 'a':
        return extend(m, m->n - 1, false);
    case 's':
        return extend(m, m->n - 2, true);
    case 'e':
    case 0x90:
        return extend_marked(m, false);
    default: /* u */
        return extend_marked(m, true);
    }
}

static bool one_call(struct machine *m, uint8_t code)
{
    switch (code) {
    case 'c':
        return push_named(m);
    case 0x93:
        return stack_global(m);
    case 'R':
        return push_call(m, CT_OBJECT_REDUCE, false);
    case 0x81:
        return push_call(m, CT_OBJECT_NEW, false);
    case 0x92:
        return push_call(m, CT_OBJECT_NEW, true);
    case 'i':
        return old_instance(m, true);
    case 'o':
        return old_instance(m, false);
    case 'b':
        return build(m);
    default: /* P, Q */
        return persistent(m, code == 'P');
    }
}

static bool one_stack(struct machine *m, uint8_t code)
{
    uint64_t v;
    switch (code) {
    case '(':
        return push_mark(m);
    case '0':
        if (m->marks && m->n == floor_of(m))
            return pop_mark(m) >= 0;
        return pop(m);
    case '1': {
        int64_t first = pop_mark(m);
        m->n = first >= 0 ? first : m->n;
        return first >= 0;
    }
    case '2':
        return push(m, top(m));
    case 0x80:
        if (!read_number(m, 1, &v))
            return false;
        m->p->protocol = (int)v;
        return v <= 5 || ct_fail(CT_ERR_VALUE, "unsupported pickle protocol: %d", (int)v);
    case 0x95: /* frames matter only when reading from a stream */
        return read_number(m, 8, &v);
    default:
        return ct_fail(CT_ERR_RUNTIME, "Unsupported operand %d", code);
    }
}

static bool one(struct machine *m, uint8_t code)
{
    if (memchr("KMJGN\x8a\x8b\x88\x89", code, 9))
        return one_number(m, code);
    if (code && memchr("XTUCB\x8c\x8d\x8e\x96", code, 9))
        return one_text(m, code);
    if (memchr("qrhj\x94", code, 5))
        return one_memo(m, code);
    if (memchr(")]}tldaseu\x85\x86\x87\x8f\x90\x91", code, 16))
        return one_container(m, code);
    if (memchr("cRiobPQ\x81\x92\x93", code, 10))
        return one_call(m, code);
    if (code == 'I' || code == 'L' || code == 'F')
        return push_line(m, code);
    if (code == 'p' || code == 'g')
        return memo_line(m, code);
    if (code == 'S' || code == 'V')
        return push_text_line(m, code);
    return one_stack(m, code);
}

struct ct_object *ct_unpickle(ct_pickle *p, const void *data, int64_t nbytes, int64_t *used)
{
    if (!(cti_check_pointer(p, "ct_unpickle", "p") &&
          cti_check_array(data, nbytes, "ct_unpickle", "data")))
        return NULL;
    struct machine m = {.p = p, .at = data, .end = (const uint8_t *)data + nbytes, .most = nbytes};
    struct ct_object *root = NULL;
    p->protocol = 0;
    for (bool good = true; good;) {
        if (m.at == m.end) {
            ct_fail(CT_ERR_RUNTIME, "Ran out of input");
            break;
        }
        uint8_t code = *m.at++;
        if (code == '.') {
            root = pop(&m);
            break;
        }
        good = one(&m, code);
    }
    if (used)
        *used = m.at - (const uint8_t *)data;
    cti_free(m.stack);
    cti_free(m.memo);
    cti_free(m.mark);
    return root;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads PyTorch's files for C programs: a single tensor, or all tensors of nested dicts and lists,
 * named by their paths ("model.weight"). Of a pickle's contents only PyTorch's tensors and Python's
 * containers are understood; other objects are skipped. Bindings walk the tree themselves. */
#include "io/formats.h"
#include "io/object.h"

#include "core/alloc.h"
#include "corten/autograd.h"
#include "corten/own.h"

#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

struct loader {
    ct_pickle *p;
    ct_archive *archive; /* NULL: the legacy format */
    char prefix[512];
    ct_storage **storage; /* by index of the record, or of the key */
    int64_t storages;
    int64_t visits; /* nodes visited: bounds work for shared or cyclic nodes */
    /* the legacy format: a hash table of keys (index + 1), and the address of each storage's
     * bytes */
    const struct ct_object *keys;
    uint32_t *slot, mask;
    struct legacy_storage {
        const char *bytes;
        int64_t nbytes, itemsize; /* itemsize 0: not known yet */
    } * legacy;
};

static void *loader_bad(const char *what)
{
    return ct_fail(CT_ERR_RUNTIME, "%s", what);
}

/* ---- storages ---- */

static ct_storage *read_record(struct loader *l, const struct ct_object *key, int64_t nbytes)
{
    char name[700];
    if (key->as.text.n > 100)
        return loader_bad("the name of a storage is too long");
    snprintf(name, sizeof name, "%s/data/%.*s", l->prefix, (int)key->as.text.n, key->as.text.v);
    const struct ct_record *r = ct_archive_find(l->archive, name);
    if (!r)
        return ct_fail(CT_ERR_RUNTIME,
                       "PytorchStreamReader failed locating file data/%.*s: file not found",
                       (int)key->as.text.n, key->as.text.v);
    int64_t i = r - ct_archive_record(l->archive, 0);
    if (!l->storage[i]) {
        if (r->nbytes < nbytes)
            return loader_bad("a storage is longer than its record");
        ct_storage *s = ct_storage_create(r->nbytes, (struct ct_device){CT_CPU, -1});
        if (s && !ct_archive_read(l->archive, r, ct_storage_data(s))) {
            ct_storage_release(s);
            return NULL;
        }
        l->storage[i] = s;
    }
    return l->storage[i];
}

/* Finds the slot of a key in the hash table, or the free slot for it. */
static uint32_t *slot_of(const struct loader *l, const struct ct_object *key)
{
    uint32_t h = 2166136261u;
    for (int64_t i = 0; i < key->as.text.n; i++)
        h = (h ^ (uint8_t)key->as.text.v[i]) * 16777619u;
    for (;; h++) {
        uint32_t *slot = &l->slot[h & l->mask];
        const struct ct_object *k = *slot ? l->keys->items[*slot - 1] : NULL;
        if (!k || (k->as.text.n == key->as.text.n &&
                   memcmp(k->as.text.v, key->as.text.v, (size_t)key->as.text.n) == 0))
            return slot;
    }
}

static ct_storage *read_legacy(struct loader *l, const struct ct_object *key, int64_t nbytes)
{
    int64_t i = (int64_t)*slot_of(l, key) - 1;
    if (i < 0)
        return loader_bad("a storage of the file is missing");
    if (!l->storage[i]) {
        if (!l->legacy[i].bytes || l->legacy[i].nbytes < nbytes)
            return loader_bad("a storage is longer than its bytes");
        l->storage[i] = ct_storage_create(nbytes, (struct ct_device){CT_CPU, -1});
        if (l->storage[i])
            memcpy(ct_storage_data(l->storage[i]), l->legacy[i].bytes, (size_t)nbytes);
    }
    return l->storage[i];
}

/* Reads the id of a storage: ("storage", class, key, location, numel[, view]). *key is borrowed;
 * *dtype is CT_NO_DTYPE for untyped storages. */
static bool storage_id(const struct ct_object *o, enum ct_dtype *dtype,
                       const struct ct_object **key, int64_t *nbytes)
{
    if (o->kind != CT_OBJECT_PERSISTENT || o->as.call.function->kind != CT_OBJECT_TUPLE)
        return loader_bad("a tensor of the file has no storage");
    const struct ct_object *id = o->as.call.function;
    if (id->count < 5 || !cti_object_is(id->items[0], CT_OBJECT_STR, "storage") ||
        id->items[1]->kind != CT_OBJECT_GLOBAL || id->items[2]->kind != CT_OBJECT_STR ||
        id->items[4]->kind != CT_OBJECT_INT || id->items[4]->as.i < 0)
        return loader_bad("a storage of the file cannot be understood");
    const struct ct_object *class = id->items[1];
    const char *name = memchr(class->as.text.v, '\n', (size_t) class->as.text.n);
    *dtype = ct_dtype_of_storage_name(name + 1, class->as.text.n - (name + 1 - class->as.text.v));
    *key = id->items[2];
    int64_t size = *dtype == CT_NO_DTYPE ? 1 : ct_dtype_size(*dtype);
    if (__builtin_mul_overflow(id->items[4]->as.i, size, nbytes))
        return loader_bad("a storage of the file cannot be understood");
    return true;
}

static ct_storage *find_storage(struct loader *l, const struct ct_object *o, enum ct_dtype *dtype)
{
    const struct ct_object *key;
    int64_t nbytes;
    if (!storage_id(o, dtype, &key, &nbytes))
        return NULL;
    return l->archive ? read_record(l, key, nbytes) : read_legacy(l, key, nbytes);
}

/* ---- tensors ---- */

static bool ints_of(const struct ct_object *o, int64_t *v, int64_t *n)
{
    if (o->kind == CT_OBJECT_REDUCE && o->as.call.args->count == 1) /* torch.Size((2, 3)) */
        o = o->as.call.args->items[0];
    if ((o->kind != CT_OBJECT_TUPLE && o->kind != CT_OBJECT_LIST) || o->count > 64)
        return loader_bad("a tensor of the file has no shape");
    for (int64_t i = 0; i < o->count; i++) {
        if (o->items[i]->kind != CT_OBJECT_INT)
            return loader_bad("a tensor of the file has no shape");
        v[i] = o->items[i]->as.i;
    }
    *n = o->count;
    return true;
}

static enum ct_dtype named_dtype(const struct ct_object *o)
{
    for (int i = 0; o->kind == CT_OBJECT_GLOBAL && i < CT_DTYPE_COUNT; i++) {
        char name[48];
        snprintf(name, sizeof name, "torch\n%s", ct_dtype_str((enum ct_dtype)i) + 6);
        if (cti_object_is(o, CT_OBJECT_GLOBAL, name))
            return (enum ct_dtype)i;
    }
    return CT_NO_DTYPE;
}

/* Applies the lazy flags {"conj": True, "neg": True} to t. Consumes t. */
static ct_tensor *marked(ct_tensor *t, const struct ct_object *marks)
{
    for (int64_t i = 0; t && i + 1 < marks->count; i += 2) {
        bool on = marks->items[i + 1]->kind == CT_OBJECT_BOOL && marks->items[i + 1]->as.i;
        ct_tensor *next = NULL;
        if (on && cti_object_is(marks->items[i], CT_OBJECT_STR, "conj"))
            next = ct_own_conj(t);
        else if (on && cti_object_is(marks->items[i], CT_OBJECT_STR, "neg"))
            next = ct_own__neg_view(t);
        else
            continue;
        ct_tensor *plain = ct_own_data(next);
        ct_release(next);
        ct_release(t);
        t = plain;
    }
    return t;
}

static ct_tensor *rebuild_tensor(struct loader *l, const struct ct_object *args, bool third)
{
    if (args->count < 4 || args->items[1]->kind != CT_OBJECT_INT)
        return loader_bad("a tensor of the file cannot be understood");
    enum ct_dtype dtype;
    ct_storage *s = find_storage(l, args->items[0], &dtype);
    if (third && args->count > 6)
        dtype = named_dtype(args->items[6]);
    int64_t shape[64], stride[64], n, m;
    if (!s || !ints_of(args->items[2], shape, &n) || !ints_of(args->items[3], stride, &m))
        return NULL;
    if (dtype == CT_NO_DTYPE || n != m)
        return loader_bad("a tensor of the file has a type that Corten does not support");
    for (int64_t i = 0; i < n; i++) {
        if (stride[i] < 0 || shape[i] < 0)
            return loader_bad("a tensor of the file has a negative stride");
    }
    ct_tensor *t = ct_own_from_storage(s, dtype, ct_ints_of(shape, n), ct_ints_of(stride, n),
                                       args->items[1]->as.i);
    int64_t last = third ? 7 : 6;
    if (args->count > last && args->items[last]->kind == CT_OBJECT_DICT)
        t = marked(t, args->items[last]);
    bool wants = args->count > 4 && args->items[4]->kind == CT_OBJECT_BOOL && args->items[4]->as.i;
    if (t && wants && !ct_set_requires_grad(t, true)) {
        ct_release(t);
        return NULL;
    }
    return t;
}

static bool is_call_of(const struct ct_object *o, const char *function)
{
    return o->kind == CT_OBJECT_REDUCE &&
           cti_object_is(o->as.call.function, CT_OBJECT_GLOBAL, function);
}

/* The tensor that a call creates, owned; NULL without an error if it creates something else. */
static ct_tensor *load_tensor(struct loader *l, const struct ct_object *o)
{
    bool wants = false;
    if (is_call_of(o, "torch._utils\n_rebuild_parameter") ||
        is_call_of(o, "torch._utils\n_rebuild_parameter_with_state")) {
        const struct ct_object *args = o->as.call.args;
        if (args->count < 2)
            return NULL;
        wants = args->items[1]->kind == CT_OBJECT_BOOL && args->items[1]->as.i;
        o = args->items[0];
    }
    ct_tensor *t = NULL;
    if (is_call_of(o, "torch._utils\n_rebuild_tensor_v2") ||
        is_call_of(o, "torch._utils\n_rebuild_tensor"))
        t = rebuild_tensor(l, o->as.call.args, false);
    else if (is_call_of(o, "torch._utils\n_rebuild_tensor_v3"))
        t = rebuild_tensor(l, o->as.call.args, true);
    if (t && wants && !ct_set_requires_grad(t, true)) {
        ct_release(t);
        return NULL;
    }
    return t;
}

/* ---- dicts ---- */

/* Adds the tensors below a container to `names`, which hold the path to the container in
 * names->path. */
static bool collect_tensors(struct loader *l, const struct ct_object *o, struct cti_names *names,
                            int depth)
{
    if (depth > MAX_DEPTH || l->visits > 64 * (l->p->count + 64))
        return loader_bad("the containers of the file are nested too deeply");
    size_t before = names->path.n;
    bool pairs = o->kind == CT_OBJECT_DICT || o->kind == CT_OBJECT_REDUCE;
    int64_t first = o->kind == CT_OBJECT_REDUCE ? o->appended : 0, step = pairs ? 2 : 1;
    for (int64_t i = first; i + step <= o->count; i += step) {
        const struct ct_object *key = o->items[i], *value = o->items[i + step - 1];
        l->visits++;
        if (before)
            cti_text_add(&names->path, ".");
        if (!pairs)
            cti_text_printf(&names->path, "%lld", (long long)i);
        else if (key->kind == CT_OBJECT_STR)
            cti_text_add_n(&names->path, key->as.text.v, (size_t)key->as.text.n);
        else if (key->kind == CT_OBJECT_INT)
            cti_text_printf(&names->path, "%lld", (long long)key->as.i);
        else
            cti_text_add(&names->path, "?");
        if (names->path.failed)
            return false;
        ct_tensor *t = load_tensor(l, value);
        bool good = !ct_error();
        if (t)
            good = cti_names_add(names, names->path.v, t);
        else if (good && value->kind >= CT_OBJECT_TUPLE && value->kind <= CT_OBJECT_REDUCE &&
                 value->kind != CT_OBJECT_GLOBAL && value->kind != CT_OBJECT_SET)
            good = collect_tensors(l, value, names, depth + 1);
        if (!good)
            return false;
        names->path.n = before;
        names->path.v[before] = 0;
    }
    return true;
}

/* ---- the legacy format ---- */

/* Records the element size of each storage in the tree. `memo`, unused in a tree that was read,
 * marks visited nodes. */
static bool note_itemsizes(struct loader *l, struct ct_object *o, int depth)
{
    if (o->memo)
        return true;
    if (depth > MAX_DEPTH)
        return loader_bad("the containers of the file are nested too deeply");
    o->memo = 1;
    if (o->kind == CT_OBJECT_PERSISTENT) {
        enum ct_dtype dtype;
        const struct ct_object *key;
        int64_t nbytes;
        if (!storage_id(o, &dtype, &key, &nbytes))
            return false;
        uint32_t i = *slot_of(l, key);
        if (i && l->legacy[i - 1].itemsize == 0)
            l->legacy[i - 1].itemsize = dtype == CT_NO_DTYPE ? 1 : ct_dtype_size(dtype);
    }
    if (o->kind == CT_OBJECT_REDUCE && !note_itemsizes(l, o->as.call.args, depth + 1))
        return false;
    for (int64_t i = 0; i < o->count; i++) {
        if (!note_itemsizes(l, o->items[i], depth + 1))
            return false;
    }
    return true;
}

static bool fill_table(struct loader *l)
{
    uint32_t size = 16;
    while (size < 2 * (uint64_t)l->keys->count)
        size *= 2;
    l->mask = size - 1;
    l->slot = cti_calloc(size, sizeof *l->slot);
    for (int64_t i = 0; l->slot && i < l->keys->count; i++) {
        const struct ct_object *key = l->keys->items[i];
        uint32_t *slot = key->kind == CT_OBJECT_STR ? slot_of(l, key) : NULL;
        if (!slot || *slot)
            return loader_bad("a storage of the file cannot be understood");
        *slot = (uint32_t)i + 1;
    }
    return l->slot;
}

/* The bytes of the storages follow the pickles, each preceded by its number of elements. */
static bool find_bytes(struct loader *l, struct ct_object *root, const char *at, int64_t rest)
{
    int64_t n = l->keys->count;
    l->legacy = cti_calloc((size_t)n + 1, sizeof *l->legacy);
    l->storage = cti_calloc((size_t)n + 1, sizeof *l->storage);
    l->storages = n;
    if (!l->legacy || !l->storage || !fill_table(l) || !note_itemsizes(l, root, 0))
        return false;
    for (int64_t i = 0; i < n; i++) {
        int64_t count, nbytes;
        if (l->legacy[i].itemsize == 0)
            return loader_bad("a storage of the file is not used");
        if (rest < 8)
            return loader_bad("the file ends before its storages");
        count = (int64_t)cti_le64(at);
        if (count < 0 || __builtin_mul_overflow(count, l->legacy[i].itemsize, &nbytes) ||
            nbytes > rest - 8)
            return loader_bad("the file ends before its storages");
        l->legacy[i].bytes = at + 8;
        l->legacy[i].nbytes = nbytes;
        at += 8 + nbytes;
        rest -= 8 + nbytes;
    }
    return true;
}

static const struct ct_object *open_legacy(struct loader *l, const struct cti_map *map)
{
    struct ct_object *part[5];
    const char *at = map->data;
    int64_t rest = map->nbytes, used;
    for (int i = 0; i < 5; i++) {
        part[i] = ct_unpickle(l->p, at, rest, &used);
        if (!part[i])
            return NULL;
        at += used;
        rest -= used;
        if (i == 0 &&
            !cti_object_is(part[0], CT_OBJECT_LONG, "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"))
            return loader_bad("Invalid magic number; corrupt file?");
    }
    if (part[4]->kind != CT_OBJECT_LIST)
        return loader_bad("the file has no list of storages");
    l->keys = part[4];
    return find_bytes(l, part[3], at, rest) ? part[3] : NULL;
}

/* ---- files ---- */

static const struct ct_object *open_archive(struct loader *l)
{
    const struct ct_record *first = ct_archive_record(l->archive, 0);
    const char *slash = first ? strchr(first->name, '/') : NULL;
    if (!slash || slash - first->name > 400)
        return loader_bad(
            "PytorchStreamReader failed reading zip archive: not a checkpoint of PyTorch's");
    char name[600];
    snprintf(l->prefix, sizeof l->prefix, "%.*s", (int)(slash - first->name), first->name);
    snprintf(name, sizeof name, "%s/data.pkl", l->prefix);
    const struct ct_record *r = ct_archive_find(l->archive, name);
    char *bytes = r ? cti_pickle_memory(l->p, (size_t)r->nbytes + 1) : NULL;
    if (!r)
        return loader_bad("PytorchStreamReader failed locating file data.pkl: file not found");
    l->storages = ct_archive_count(l->archive);
    l->storage = cti_calloc((size_t)l->storages + 1, sizeof *l->storage);
    if (!bytes || !l->storage || !ct_archive_read(l->archive, r, bytes))
        return NULL;
    return ct_unpickle(l->p, bytes, r->nbytes, NULL);
}

static void close_loader(struct loader *l)
{
    for (int64_t i = 0; l->storage && i < l->storages; i++)
        ct_storage_release(l->storage[i]);
    cti_free(l->storage);
    cti_free(l->legacy);
    cti_free(l->slot);
    ct_archive_release(l->archive);
    ct_pickle_free(l->p);
}

/* Reads a single tensor into *one, or all tensors into *names. */
static bool load_file(const char *path, ct_tensor **one, struct cti_names *names)
{
    struct loader l = {.p = ct_pickle_new()};
    struct cti_map map = {.fd = -1};
    bool good = l.p && cti_io_map(&map, path);
    const struct ct_object *root = NULL;
    if (good && map.nbytes >= 4 && memcmp(map.data, "PK\3\4", 4) == 0) {
        l.archive = ct_archive_open_memory(map.data, map.nbytes, NULL, NULL);
        root = l.archive ? open_archive(&l) : NULL;
    } else if (good) {
        root = open_legacy(&l, &map);
    }
    good = root != NULL;
    if (good && one) {
        *one = load_tensor(&l, root);
        if (!*one && !ct_error())
            loader_bad("the file does not hold a single tensor: use ct_load_dict");
        good = *one;
    } else if (good) {
        good = collect_tensors(&l, root, names, 0);
    }
    close_loader(&l);
    cti_io_unmap(&map);
    return good;
}

ct_tensor *cti_load_pt(const char *path)
{
    ct_tensor *t = NULL;
    return load_file(path, &t, NULL) ? t : NULL;
}

bool cti_load_pt_dict(const char *path, struct cti_names *names)
{
    return load_file(path, NULL, names);
}

static struct ct_object *dict_object(ct_saver *s, ct_dict dict)
{
    ct_pickle *p = ct_saver_pickle(s);
    struct ct_object *o = ct_object_new(p, CT_OBJECT_DICT);
    for (int64_t i = 0; o && i < dict.n; i++) {
        const char *name = dict.v[i].name;
        ct_tensor *t = dict.v[i].tensor;
        struct ct_object *key =
            ct_object_text(p, CT_OBJECT_STR, name, (int64_t)strlen(name), false);
        if (!ct_object_add(p, o, key) ||
            !ct_object_add(p, o, ct_saver_tensor(s, t, ct_requires_grad(t))))
            return NULL;
    }
    return o;
}

bool cti_save_pt(ct_tensor *one, ct_dict dict, ct_sink *sink)
{
    ct_saver *s = ct_saver_new();
    struct ct_object *root = !s    ? NULL
                             : one ? ct_saver_tensor(s, one, ct_requires_grad(one))
                                   : dict_object(s, dict);
    const struct ct_save_options options = {"archive", 2, false, true, 64};
    bool good = root && ct_saver_write(s, root, sink, &options);
    ct_saver_free(s);
    return good;
}

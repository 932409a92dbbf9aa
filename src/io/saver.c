/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes PyTorch's files. Tensors become calls of PyTorch's rebuild functions; storages become
 * records of an archive or, in the legacy format, bytes after the pickles. Each storage is written
 * once, even if several tensors share it. ct_save and the bindings build a tree with these
 * functions and pass its root. */
#include "core/check_args.h"
#include "io/file.h"
#include "io/object.h"

#include "core/alloc.h"
#include "corten/own.h"

#include <stdio.h>
#include <string.h>

struct kept {
    ct_storage *storage;
    enum ct_dtype dtype; /* CT_NO_DTYPE: untyped */
    struct ct_object *key, *location;
};

struct shared_text {
    const char *text;
    enum ct_object_kind kind;
    struct ct_object *object;
};

struct ct_saver {
    ct_pickle *p;
    struct kept *kept;
    int64_t count, room;
    int64_t *slot; /* hash table of storages: index + 1 */
    int64_t mask;
    struct shared_text *shared; /* nodes of names and strings, shared */
    int nshared, shared_room;
};

static const char *const names[CT_DTYPE_COUNT] = {
    [CT_BOOL] = "BoolStorage",
    [CT_UINT8] = "ByteStorage",
    [CT_INT8] = "CharStorage",
    [CT_INT16] = "ShortStorage",
    [CT_INT32] = "IntStorage",
    [CT_INT64] = "LongStorage",
    [CT_FLOAT16] = "HalfStorage",
    [CT_BFLOAT16] = "BFloat16Storage",
    [CT_FLOAT32] = "FloatStorage",
    [CT_FLOAT64] = "DoubleStorage",
    [CT_COMPLEX64] = "ComplexFloatStorage",
    [CT_COMPLEX128] = "ComplexDoubleStorage",
};

const char *ct_storage_name(enum ct_dtype dtype)
{
    return dtype >= 0 && dtype < CT_DTYPE_COUNT ? names[dtype] : NULL;
}

enum ct_dtype ct_dtype_of_storage_name(const char *name, int64_t n)
{
    for (int i = 0; i < CT_DTYPE_COUNT; i++) {
        if (names[i] && (int64_t)strlen(names[i]) == n && memcmp(names[i], name, (size_t)n) == 0)
            return (enum ct_dtype)i;
    }
    return CT_NO_DTYPE;
}

ct_saver *ct_saver_new(void)
{
    ct_saver *s = cti_calloc(1, sizeof *s);
    if (s && !(s->p = ct_pickle_new())) {
        cti_free(s);
        return NULL;
    }
    return s;
}

void ct_saver_free(ct_saver *s)
{
    if (!s)
        return;
    for (int64_t i = 0; i < s->count; i++)
        ct_storage_release(s->kept[i].storage);
    cti_free(s->kept);
    cti_free(s->slot);
    cti_free(s->shared);
    ct_pickle_free(s->p);
    cti_free(s);
}

ct_pickle *ct_saver_pickle(ct_saver *s)
{
    return cti_check_pointer(s, "ct_saver_pickle", "s") ? s->p : NULL;
}

/* ---- shared names and strings ---- */

static struct ct_object *shared_object(ct_saver *s, enum ct_object_kind kind, const char *text)
{
    for (int i = 0; i < s->nshared; i++) {
        if (s->shared[i].kind == kind && strcmp(s->shared[i].text, text) == 0)
            return s->shared[i].object;
    }
    if (s->nshared == s->shared_room) {
        int room = s->shared_room ? 2 * s->shared_room : 16;
        struct shared_text *grown = cti_realloc(s->shared, (size_t)room * sizeof *grown);
        if (!grown)
            return NULL;
        s->shared = grown;
        s->shared_room = room;
    }
    char *copy = cti_pickle_memory(s->p, strlen(text) + 1);
    if (!copy)
        return NULL;
    strcpy(copy, text);
    struct ct_object *o = ct_object_text(s->p, kind, copy, (int64_t)strlen(copy), false);
    if (o)
        s->shared[s->nshared++] = (struct shared_text){copy, kind, o};
    return o;
}

struct ct_object *ct_saver_global(ct_saver *s, const char *module_and_name)
{
    if (!(cti_check_pointer(s, "ct_saver_global", "s") &&
          cti_check_text(module_and_name, "ct_saver_global", "module_and_name")))
        return NULL;
    return shared_object(s, CT_OBJECT_GLOBAL, module_and_name);
}

struct ct_object *ct_saver_str(ct_saver *s, const char *text)
{
    if (!(cti_check_pointer(s, "ct_saver_str", "s") &&
          cti_check_text(text, "ct_saver_str", "text")))
        return NULL;
    return shared_object(s, CT_OBJECT_STR, text);
}

static struct ct_object *bool_object(ct_saver *s, bool on)
{
    struct ct_object *o = ct_object_new(s->p, CT_OBJECT_BOOL);
    if (o)
        o->as.i = on;
    return o;
}

static struct ct_object *int_tuple(ct_saver *s, const int64_t *v, int64_t n)
{
    struct ct_object *o = ct_object_new(s->p, CT_OBJECT_TUPLE);
    for (int64_t i = 0; o && i < n; i++) {
        if (!ct_object_add(s->p, o, ct_object_int(s->p, v[i])))
            return NULL;
    }
    return o;
}

/* A tuple node of n items; NULL if one of them is NULL. */
static struct ct_object *tuple_object(ct_saver *s, struct ct_object *const *items, int n)
{
    struct ct_object *o = ct_object_new(s->p, CT_OBJECT_TUPLE);
    for (int i = 0; o && i < n; i++) {
        if (!ct_object_add(s->p, o, items[i]))
            return NULL;
    }
    return o;
}

/* ---- storages ---- */

static uint64_t storage_hash(const ct_storage *storage)
{
    return (uint64_t)(uintptr_t)storage * UINT64_C(0x9e3779b97f4a7c15) >> 20;
}

static bool saver_grow(ct_saver *s)
{
    if (s->count < s->room)
        return true;
    int64_t room = s->room ? 2 * s->room : 64;
    struct kept *grown = cti_realloc(s->kept, (size_t)room * sizeof *grown);
    if (!grown)
        return false;
    s->kept = grown;
    int64_t *slot = cti_calloc((size_t)room * 2, sizeof *slot);
    if (!slot)
        return false;
    cti_free(s->slot);
    s->slot = slot;
    s->room = room;
    s->mask = room * 2 - 1;
    for (int64_t i = 0; i < s->count; i++) {
        uint64_t h = storage_hash(s->kept[i].storage) & (uint64_t)s->mask;
        while (slot[h])
            h = (h + 1) & (uint64_t)s->mask;
        slot[h] = i + 1;
    }
    return true;
}

static struct kept *keep_storage(ct_saver *s, ct_storage *storage, enum ct_dtype dtype)
{
    if (!saver_grow(s))
        return NULL;
    uint64_t h = storage_hash(storage) & (uint64_t)s->mask;
    for (; s->slot[h]; h = (h + 1) & (uint64_t)s->mask) {
        struct kept *k = &s->kept[s->slot[h] - 1];
        if (k->storage != storage)
            continue;
        if (k->dtype != dtype && k->dtype != CT_NO_DTYPE && dtype != CT_NO_DTYPE)
            return ct_fail(CT_ERR_RUNTIME, "Cannot save multiple tensors or storages that view the "
                                           "same data as different types");
        return k;
    }
    char key[24], location[32] = "cpu";
    snprintf(key, sizeof key, "%lld", (long long)s->count);
    struct ct_device device = ct_storage_device(storage);
    if (device.type == CT_CUDA)
        snprintf(location, sizeof location, "cuda:%d", device.index < 0 ? 0 : device.index);
    struct kept *k = &s->kept[s->count];
    *k = (struct kept){storage, dtype, NULL, ct_saver_str(s, location)};
    k->key = ct_object_text(s->p, CT_OBJECT_STR, key, (int64_t)strlen(key), true);
    if (!k->key || !k->location)
        return NULL;
    ct_storage_retain(storage);
    s->slot[h] = ++s->count;
    return k;
}

struct ct_object *ct_saver_storage(ct_saver *s, ct_storage *storage, enum ct_dtype dtype)
{
    if (!(cti_check_dtype(dtype, "ct_saver_storage", "dtype") &&
          cti_check_pointer(s, "ct_saver_storage", "s") &&
          cti_check_pointer(storage, "ct_saver_storage", "storage")))
        return NULL;
    struct kept *k = keep_storage(s, storage, dtype);
    if (!k)
        return NULL;
    char name[64] = "torch.storage\nUntypedStorage";
    int64_t n = ct_storage_nbytes(storage);
    if (dtype != CT_NO_DTYPE) {
        snprintf(name, sizeof name, "torch\n%s", names[dtype]);
        n /= ct_dtype_size(dtype);
    }
    struct ct_object *const id[] = {ct_saver_str(s, "storage"), ct_saver_global(s, name), k->key,
                                    k->location, ct_object_int(s->p, n)};
    struct ct_object *tuple = tuple_object(s, id, 5);
    return tuple ? ct_object_call(s->p, CT_OBJECT_PERSISTENT, tuple, NULL) : NULL;
}

/* ---- tensors ---- */

static struct ct_object *no_hooks(ct_saver *s)
{
    return ct_object_call(s->p, CT_OBJECT_REDUCE, ct_saver_global(s, "collections\nOrderedDict"),
                          ct_object_new(s->p, CT_OBJECT_TUPLE));
}

static struct ct_object *dtype_name(ct_saver *s, enum ct_dtype dtype)
{
    char name[48];
    snprintf(name, sizeof name, "torch\n%s", ct_dtype_str(dtype) + strlen("torch."));
    return ct_saver_global(s, name);
}

static struct ct_object *meta_tensor(ct_saver *s, ct_tensor *t, bool requires_grad)
{
    int64_t n = ct_ndim(t);
    struct ct_object *function =
        ct_saver_global(s, "torch._utils\n_rebuild_meta_tensor_no_storage");
    struct ct_object *const args[] = {dtype_name(s, ct_dtype(t)), int_tuple(s, ct_shape_ptr(t), n),
                                      int_tuple(s, ct_stride_ptr(t), n),
                                      bool_object(s, requires_grad)};
    return ct_object_call(s->p, CT_OBJECT_REDUCE, function, tuple_object(s, args, 4));
}

/* The dict that records lazy flags of a view: {"conj": True, "neg": True} */
static struct ct_object *marks_of(ct_saver *s, ct_tensor *t)
{
    struct ct_object *o = ct_object_new(s->p, CT_OBJECT_DICT);
    bool good = o != NULL;
    if (good && ct_is_conj(t))
        good = ct_object_add(s->p, o, ct_saver_str(s, "conj")) &&
               ct_object_add(s->p, o, bool_object(s, true));
    if (good && ct_is_neg(t))
        good = ct_object_add(s->p, o, ct_saver_str(s, "neg")) &&
               ct_object_add(s->p, o, bool_object(s, true));
    return good ? o : NULL;
}

struct ct_object *ct_saver_tensor(ct_saver *s, ct_tensor *t, bool requires_grad)
{
    if (!(cti_check_pointer(s, "ct_saver_tensor", "s") &&
          cti_check_pointer(t, "ct_saver_tensor", "t")))
        return NULL;
    if (ct_device_of(t).type == CT_META)
        return meta_tensor(s, t, requires_grad);
    int64_t n = ct_ndim(t);
    enum ct_dtype dtype = ct_dtype(t);
    bool old = names[dtype] != NULL; /* dtypes with a typed storage class */
    struct ct_object *function = ct_saver_global(s, old ? "torch._utils\n_rebuild_tensor_v2"
                                                        : "torch._utils\n_rebuild_tensor_v3");
    struct ct_object *args[8] = {
        ct_saver_storage(s, ct_storage_of(t), old ? dtype : CT_NO_DTYPE),
        ct_object_int(s->p, ct_storage_offset(t)),
        int_tuple(s, ct_shape_ptr(t), n),
        int_tuple(s, ct_stride_ptr(t), n),
        bool_object(s, requires_grad),
        no_hooks(s),
    };
    int count = 6;
    if (!old)
        args[count++] = dtype_name(s, dtype);
    if (ct_is_conj(t) || ct_is_neg(t))
        args[count++] = marks_of(s, t);
    return ct_object_call(s->p, CT_OBJECT_REDUCE, function, tuple_object(s, args, count));
}

/* ---- files ---- */

/* The bytes of a storage on the CPU: its own, or those of *copy, which the caller releases. */
static const void *storage_bytes(ct_storage *storage, ct_tensor **copy)
{
    *copy = NULL;
    if (ct_storage_device(storage).type == CT_CPU)
        return ct_storage_data(storage);
    int64_t n = ct_storage_nbytes(storage);
    ct_tensor *all = ct_own_from_storage(storage, CT_UINT8, ct_ints_of(&n, 1), CT_NO_DIMS, 0);
    *copy = all ? ct_own_to(all, CT_NO_DTYPE, ct_device("cpu"), false, false, CT_PRESERVE_FORMAT)
                : NULL;
    ct_release(all);
    return *copy ? ct_data(*copy) : NULL;
}

/* Writes the zip format: the pickle, metadata records, and one record per storage. */
static bool write_archive(ct_saver *s, const void *pickle, int64_t n, ct_sink *sink,
                          const struct ct_save_options *o)
{
    char name[512], align[24];
    ct_archive_writer *w = ct_archive_writer_new(sink, o->align, o->checksums);
    snprintf(align, sizeof align, "%lld", (long long)o->align);
    const struct {
        const char *name, *text;
    } notes[] = {{".format_version", "1"}, {".storage_alignment", align}, {"byteorder", "little"}};
    snprintf(name, sizeof name, "%s/data.pkl", o->prefix);
    bool good = w && ct_archive_add(w, name, pickle, n, false);
    for (size_t i = 0; good && i < sizeof notes / sizeof *notes; i++) {
        snprintf(name, sizeof name, "%s/%s", o->prefix, notes[i].name);
        good = ct_archive_add(w, name, notes[i].text, (int64_t)strlen(notes[i].text), false);
    }
    for (int64_t i = 0; good && i < s->count; i++) {
        ct_tensor *copy;
        const void *data = storage_bytes(s->kept[i].storage, &copy);
        snprintf(name, sizeof name, "%s/data/%lld", o->prefix, (long long)i);
        good = data && ct_archive_add(w, name, data, ct_storage_nbytes(s->kept[i].storage), false);
        ct_release(copy);
    }
    snprintf(name, sizeof name, "%s/version", o->prefix);
    good = good && ct_archive_add(w, name, "3\n", 2, false);
    return ct_archive_finish(w, o->prefix, good) && good;
}

/* Writes a tree as one pickle; a NULL root fails. */
static bool write_pickle(ct_sink *sink, ct_pickle *p, struct ct_object *root, int protocol)
{
    int64_t n;
    void *data = root ? ct_pickle_bytes(p, root, protocol, &n) : NULL;
    bool good = data && ct_sink_write(sink, data, n);
    cti_free(data);
    return good;
}

/* The record of the legacy format that describes the writing machine. */
static struct ct_object *system_info(ct_saver *s)
{
    ct_pickle *p = s->p;
    struct ct_object *sizes = ct_object_new(p, CT_OBJECT_DICT),
                     *all = ct_object_new(p, CT_OBJECT_DICT);
    struct ct_object *const size_items[] = {ct_saver_str(s, "short"), ct_object_int(p, 2),
                                            ct_saver_str(s, "int"),   ct_object_int(p, 4),
                                            ct_saver_str(s, "long"),  ct_object_int(p, 4)};
    struct ct_object *const items[] = {ct_saver_str(s, "protocol_version"), ct_object_int(p, 1001),
                                       ct_saver_str(s, "little_endian"),    bool_object(s, true),
                                       ct_saver_str(s, "type_sizes"),       sizes};
    for (int i = 0; i < 6; i++) {
        if (!ct_object_add(p, sizes, size_items[i]) || !ct_object_add(p, all, items[i]))
            return NULL;
    }
    return all;
}

/* Each pickle has its own memo, so it needs separate nodes. */
static bool write_legacy_head(ct_sink *sink, int protocol)
{
    static const char magic[] = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
    ct_saver *s = ct_saver_new();
    bool good = s &&
                write_pickle(sink, s->p, ct_object_text(s->p, CT_OBJECT_LONG, magic, 10, false),
                             protocol) &&
                write_pickle(sink, s->p, ct_object_int(s->p, 1001), protocol) &&
                write_pickle(sink, s->p, system_info(s), protocol);
    ct_saver_free(s);
    return good;
}

/* Writes the format before PyTorch 1.6: magic number, version, system info, the pickle, the list of
 * storage keys, and the storages, each preceded by its number of elements. */
static bool write_legacy(ct_saver *s, const void *pickle, int64_t n, ct_sink *sink, int protocol)
{
    ct_pickle *keys = ct_pickle_new();
    struct ct_object *list = keys ? ct_object_new(keys, CT_OBJECT_LIST) : NULL;
    bool good = list != NULL;
    for (int64_t i = 0; good && i < s->count; i++) {
        const struct ct_object *key = s->kept[i].key;
        struct ct_object *own =
            ct_object_text(keys, CT_OBJECT_STR, key->as.text.v, key->as.text.n, false);
        /* the keys follow the order of the storages */
        good = ct_object_add(keys, list, own);
    }
    good = good && write_legacy_head(sink, protocol) && ct_sink_write(sink, pickle, n) &&
           write_pickle(sink, keys, list, protocol);
    ct_pickle_free(keys);
    for (int64_t i = 0; good && i < s->count; i++) {
        ct_tensor *copy;
        ct_storage *storage = s->kept[i].storage;
        int64_t nbytes = ct_storage_nbytes(storage);
        int64_t item = s->kept[i].dtype == CT_NO_DTYPE ? 1 : ct_dtype_size(s->kept[i].dtype);
        char count[8];
        cti_put_le(count, (uint64_t)(nbytes / item), 8);
        const void *data = storage_bytes(storage, &copy);
        good = data && ct_sink_write(sink, count, 8) && ct_sink_write(sink, data, nbytes);
        ct_release(copy);
    }
    return good;
}

/* Adds the last item of storage ids in the legacy format: the view metadata, always None. Marks
 * visited nodes by `handle`. */
static bool add_view_metadata(ct_saver *s, struct ct_object *o, int depth)
{
    if (!o || depth > 2000)
        return false;
    if (o->handle == s)
        return true;
    o->handle = s;
    if (o->kind == CT_OBJECT_PERSISTENT)
        return ct_object_add(s->p, o->as.call.function, ct_object_new(s->p, CT_OBJECT_NONE));
    if (o->kind == CT_OBJECT_REDUCE || o->kind == CT_OBJECT_NEW) {
        if (!add_view_metadata(s, o->as.call.function, depth + 1) ||
            !add_view_metadata(s, o->as.call.args, depth + 1) ||
            (o->state && !add_view_metadata(s, o->state, depth + 1)) ||
            (o->keywords && !add_view_metadata(s, o->keywords, depth + 1)))
            return false;
    }
    for (int64_t i = 0; i < o->count; i++) {
        if (!add_view_metadata(s, o->items[i], depth + 1))
            return false;
    }
    return true;
}

bool ct_saver_write(ct_saver *s, struct ct_object *root, ct_sink *sink,
                    const struct ct_save_options *options)
{
    if (!(cti_check_pointer(s, "ct_saver_write", "s") &&
          cti_check_pointer(root, "ct_saver_write", "root") &&
          cti_check_pointer(sink, "ct_saver_write", "sink") &&
          cti_check_pointer(options, "ct_saver_write", "options")))
        return false;
    int64_t n;
    if (options->legacy && !add_view_metadata(s, root, 0))
        return false;
    void *pickle = ct_pickle_bytes(s->p, root, options->protocol, &n);
    bool good = pickle && ct_saver_write_pickle(s, pickle, n, sink, options);
    cti_free(pickle);
    return good;
}

bool ct_saver_write_pickle(ct_saver *s, const void *pickle, int64_t nbytes, ct_sink *sink,
                           const struct ct_save_options *options)
{
    if (!(cti_check_pointer(s, "ct_saver_write_pickle", "s") &&
          cti_check_array(pickle, nbytes, "ct_saver_write_pickle", "pickle") &&
          cti_check_pointer(sink, "ct_saver_write_pickle", "sink") &&
          cti_check_pointer(options, "ct_saver_write_pickle", "options")))
        return false;
    return options->legacy ? write_legacy(s, pickle, nbytes, sink, options->protocol)
                           : write_archive(s, pickle, nbytes, sink, options);
}

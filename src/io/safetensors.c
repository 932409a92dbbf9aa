/* SPDX-License-Identifier: BSD-3-Clause */
/* Safetensors files: a length, a JSON header, the bytes of all tensors. Loaded tensors share the
 * mapped file; every range is checked against the file and the tensor's shape. */
#include "io/formats.h"

#include "core/alloc.h"
#include "core/backend.h"
#include "io/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum ct_dtype dtype;
} types[] = {
    {"BOOL", CT_BOOL},
    {"U8", CT_UINT8},
    {"I8", CT_INT8},
    {"I16", CT_INT16},
    {"I32", CT_INT32},
    {"I64", CT_INT64},
    {"U16", CT_UINT16},
    {"U32", CT_UINT32},
    {"F8_E4M3", CT_FLOAT8_E4M3FN},
    {"F8_E5M2", CT_FLOAT8_E5M2},
    {"F8_E4M3FNUZ", CT_FLOAT8_E4M3FNUZ},
    {"F8_E5M2FNUZ", CT_FLOAT8_E5M2FNUZ},
    {"F8_E8M0", CT_FLOAT8_E8M0FNU},
    {"U64", CT_UINT64},
    {"F16", CT_FLOAT16},
    {"BF16", CT_BFLOAT16},
    {"F32", CT_FLOAT32},
    {"F64", CT_FLOAT64},
    {"C64", CT_COMPLEX64},
};

static void *safetensors_bad(const char *what)
{
    return ct_fail(CT_ERR_VALUE, "Error while deserializing header: %s", what);
}

/* A mapped file, shared by its tensors. */
struct shared {
    struct cti_map map;
    int64_t refs;
};

static void shared_release(void *context)
{
    struct shared *s = context;
    if (__atomic_sub_fetch(&s->refs, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    cti_io_unmap(&s->map);
    cti_free(s);
}

struct entry {
    enum ct_dtype dtype;
    int64_t ndim, shape[64], begin, end;
    bool has_dtype, has_shape, has_offsets;
};

/* Reads a list of at most `room` integers. */
static bool read_json_ints(struct cti_json *j, int64_t *v, int64_t room, int64_t *n)
{
    *n = 0;
    if (!cti_json_open(j, '['))
        return false;
    while (cti_json_more(j, ']')) {
        if (*n == room || !cti_json_int(j, &v[*n]))
            return false;
        ++*n;
    }
    return !j->failed;
}

static bool read_entry(struct cti_json *j, struct entry *e)
{
    *e = (struct entry){.dtype = CT_NO_DTYPE};
    if (!cti_json_open(j, '{'))
        return false;
    while (cti_json_more(j, '}')) {
        int64_t pair[2], n;
        if (!cti_json_key(j))
            return false;
        if (strcmp(j->text.v, "dtype") == 0) {
            if (!cti_json_text(j))
                return false;
            for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
                if (strcmp(types[i].name, j->text.v) == 0)
                    e->dtype = types[i].dtype;
            }
            e->has_dtype = e->dtype != CT_NO_DTYPE;
        } else if (strcmp(j->text.v, "shape") == 0) {
            e->has_shape = read_json_ints(j, e->shape, 64, &e->ndim);
        } else if (strcmp(j->text.v, "data_offsets") == 0) {
            e->has_offsets = read_json_ints(j, pair, 2, &n) && n == 2;
            if (e->has_offsets)
                e->begin = pair[0], e->end = pair[1];
        } else {
            return false;
        }
    }
    return !j->failed && e->has_dtype && e->has_shape && e->has_offsets;
}

static ct_tensor *entry_tensor(struct shared *s, const struct entry *e, int64_t start)
{
    int64_t nbytes = ct_dtype_size(e->dtype), room = s->map.nbytes - start;
    for (int64_t i = 0; i < e->ndim; i++) {
        if (e->shape[i] < 0 || __builtin_mul_overflow(nbytes, e->shape[i], &nbytes))
            return safetensors_bad("a shape is too large");
    }
    if (e->begin < 0 || e->end > room || e->begin > e->end || e->end - e->begin != nbytes)
        return safetensors_bad("the offsets of a tensor are invalid");
    char *data = s->map.data + start + e->begin;
    if ((uintptr_t)data % (uintptr_t)ct_dtype_size(e->dtype)) { /* unaligned: copy it */
        ct_storage *copy = ct_storage_create(nbytes, (struct ct_device){CT_CPU, -1});
        if (!copy)
            return NULL;
        memcpy(ct_storage_data(copy), data, (size_t)nbytes);
        ct_tensor *t =
            ct_own_from_storage(copy, e->dtype, ct_ints_of(e->shape, e->ndim), CT_NO_DIMS, 0);
        ct_storage_release(copy);
        return t;
    }
    __atomic_add_fetch(&s->refs, 1, __ATOMIC_RELAXED);
    return ct_own_from_memory(data, e->dtype, ct_ints_of(e->shape, e->ndim), CT_NO_DIMS,
                              shared_release, s);
}

static bool skip_metadata(struct cti_json *j)
{
    if (!cti_json_open(j, '{'))
        return false;
    while (cti_json_more(j, '}')) {
        if (!cti_json_key(j) || !cti_json_text(j))
            return false;
    }
    return !j->failed;
}

static bool read_header(struct shared *s, struct cti_names *names)
{
    uint64_t n = s->map.nbytes < 8 ? UINT64_MAX : cti_le64(s->map.data);
    if (n > (uint64_t)s->map.nbytes - 8 || n > 100000000)
        return safetensors_bad("the header is too large");
    int64_t start = 8 + (int64_t)n;
    struct cti_json j = {.at = s->map.data + 8, .end = s->map.data + start};
    int64_t rest = s->map.nbytes - start; /* bytes not yet used: tensors must not overlap */
    bool good = cti_json_open(&j, '{');
    while (good && cti_json_more(&j, '}')) {
        struct entry e;
        good = cti_json_key(&j);
        if (good && strcmp(j.text.v, "__metadata__") == 0) {
            good = skip_metadata(&j);
            continue;
        }
        char *name = good ? cti_strdup(j.text.v) : NULL;
        good = name && read_entry(&j, &e) && cti_names_add(names, name, entry_tensor(s, &e, start));
        if (good && (rest -= e.end - e.begin) < 0)
            good = safetensors_bad("the offsets of the tensors overlap");
        cti_free(name);
    }
    good = good && !j.failed;
    cti_text_free(&j.text);
    return good || (ct_error() ? false : (bool)safetensors_bad("invalid JSON"));
}

bool cti_load_safetensors(const char *path, struct cti_names *names)
{
    struct shared *s = cti_malloc(sizeof *s);
    if (!s)
        return false;
    s->refs = 1;
    if (!cti_io_map(&s->map, path)) {
        cti_free(s);
        return false;
    }
    bool good = read_header(s, names);
    shared_release(s);
    return good;
}

/* ---- writing ---- */

static bool header_of(struct cti_text *text, ct_dict dict, const char *metadata)
{
    int64_t at = 0;
    cti_text_add(text, "{");
    if (metadata)
        cti_text_printf(text, "\"__metadata__\":%s%s", metadata, dict.n ? "," : "");
    for (int64_t i = 0; i < dict.n; i++) {
        ct_tensor *t = dict.v[i].tensor;
        const char *type = NULL;
        for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
            if (types[k].dtype == ct_dtype(t))
                type = types[k].name;
        }
        if (!type)
            return ct_fail(CT_ERR_VALUE, "safetensors files have no %s", ct_dtype_str(ct_dtype(t)));
        int64_t nbytes = ct_numel(t) * ct_element_size(t);
        cti_text_add(text, i ? "," : "");
        cti_json_quote(text, dict.v[i].name);
        cti_text_printf(text, ":{\"dtype\":\"%s\",\"shape\":[", type);
        for (int64_t d = 0; d < ct_ndim(t); d++)
            cti_text_printf(text, d ? ",%lld" : "%lld", (long long)ct_size(t, d));
        cti_text_printf(text, "],\"data_offsets\":[%lld,%lld]}", (long long)at,
                        (long long)(at + nbytes));
        at += nbytes;
    }
    cti_text_add(text, "}");
    cti_text_fill(text, ' ', (int64_t)((8 - text->n % 8) % 8));
    return !text->failed;
}

bool cti_save_safetensors(ct_dict dict, ct_sink *sink, const char *metadata)
{
    struct cti_text head = {0};
    char n[8];
    bool good = header_of(&head, dict, metadata);
    cti_put_le(n, head.n, 8);
    good = good && ct_sink_write(sink, n, 8) && ct_sink_write(sink, head.v, (int64_t)head.n);
    cti_text_free(&head);
    for (int64_t i = 0; good && i < dict.n; i++) {
        ct_tensor *plain = cti_plain(dict.v[i].tensor, true);
        good =
            plain && ct_sink_write(sink, ct_data(plain), ct_numel(plain) * ct_element_size(plain));
        ct_release(plain);
    }
    return good;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy's files: .npy, a text header followed by the array's bytes, and .npz, a zip archive of such
 * files, stored or deflated. Foreign byte order and Fortran order are supported when reading,
 * object and record arrays are not. */
#include "io/formats.h"

#include "core/alloc.h"
#include "core/backend.h"
#include "corten/own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    enum ct_dtype dtype;
    char name[4];
} types[] = {
    {CT_BOOL, "b1"},      {CT_UINT8, "u1"},       {CT_INT8, "i1"},    {CT_INT16, "i2"},
    {CT_INT32, "i4"},     {CT_INT64, "i8"},       {CT_UINT16, "u2"},  {CT_UINT32, "u4"},
    {CT_UINT64, "u8"},    {CT_FLOAT16, "f2"},     {CT_FLOAT32, "f4"}, {CT_FLOAT64, "f8"},
    {CT_COMPLEX64, "c8"}, {CT_COMPLEX128, "c16"},
};

/* The contents of the header. */
struct header {
    enum ct_dtype dtype;
    bool swapped, fortran;
    int64_t ndim, shape[64], numel;
};

static void *npy_bad(const char *what)
{
    return ct_fail(CT_ERR_VALUE, "Cannot read this .npy file: %s", what);
}

/* Finds the value of a key in the header, which is a Python dict literal. */
static const char *header_value(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    if (!at)
        return NULL;
    at += strlen(key);
    while (*at == ' ' || *at == ':')
        at++;
    return at;
}

static bool read_descr(const char *at, struct header *h)
{
    if (!at || (*at != '\'' && *at != '"') || !at[1])
        return npy_bad("its element type is not supported");
    char order = at[1];
    const char *name = at + 2;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t n = strlen(types[i].name);
        if (strncmp(name, types[i].name, n) == 0 && name[n] == *at) {
            h->dtype = types[i].dtype;
            h->swapped = order == '>';
            return order == '<' || order == '|' || order == '=' || order == '>' ||
                   (bool)npy_bad("its byte order is unknown");
        }
    }
    return ct_fail(CT_ERR_TYPE, "can't convert a .npy file of type %.12s", at);
}

static bool read_shape(const char *at, struct header *h)
{
    if (!at || *at++ != '(')
        return npy_bad("it has no shape");
    h->numel = 1;
    bool empty = false;
    for (;;) {
        while (*at == ' ' || *at == ',')
            at++;
        if (*at == ')')
            break;
        char *end;
        long long size = strtoll(at, &end, 10);
        if (end == at || size < 0 || h->ndim == 64)
            return npy_bad("it has no shape");
        h->shape[h->ndim++] = size;
        empty = empty || size == 0;
        if (size && __builtin_mul_overflow(h->numel, size, &h->numel))
            return npy_bad("its shape is too large");
        at = *end == 'L' ? end + 1 : end;
    }
    h->numel = empty ? 0 : h->numel;
    return true;
}

/* Returns the offset of the data; -1 with an error. */
static int64_t read_header(const char *data, int64_t nbytes, struct header *h)
{
    *h = (struct header){0};
    if (nbytes < 12 || memcmp(data, "\x93NUMPY", 6) != 0) {
        npy_bad("the magic string is not correct");
        return -1;
    }
    int64_t start = data[6] == 1 ? 10 : 12;
    int64_t n = data[6] == 1 ? cti_le16(data + 8) : cti_le32(data + 8);
    if (data[6] < 1 || data[6] > 3 || n > nbytes - start || n > 1 << 20) {
        npy_bad("its header is damaged");
        return -1;
    }
    char *text = cti_malloc((size_t)n + 1);
    if (!text)
        return -1;
    memcpy(text, data + start, (size_t)n);
    text[n] = 0;
    const char *fortran = header_value(text, "'fortran_order'");
    bool good = read_descr(header_value(text, "'descr'"), h) &&
                read_shape(header_value(text, "'shape'"), h);
    h->fortran = fortran && strncmp(fortran, "True", 4) == 0;
    cti_free(text);
    int64_t bytes;
    if (good && (__builtin_mul_overflow(h->numel, ct_dtype_size(h->dtype), &bytes) ||
                 bytes > nbytes - start - n))
        good = npy_bad("it ends before its data");
    return good ? start + n : -1;
}

static void swap_bytes(char *data, int64_t nbytes, enum ct_dtype dtype)
{
    int64_t size = ct_dtype_size(dtype) / (ct_dtype_is_complex(dtype) ? 2 : 1);
    for (char *p = data, *end = data + nbytes; p < end; p += size) {
        for (int64_t i = 0; i < size / 2; i++) {
            char c = p[i];
            p[i] = p[size - 1 - i];
            p[size - 1 - i] = c;
        }
    }
}

ct_tensor *cti_read_npy(const char *data, int64_t nbytes)
{
    struct header h;
    int64_t start = read_header(data, nbytes, &h);
    if (start < 0)
        return NULL;
    int64_t n = h.numel * ct_dtype_size(h.dtype), stride[64], step = 1;
    ct_storage *s = ct_storage_create(n, (struct ct_device){CT_CPU, -1});
    if (!s)
        return NULL;
    char *bytes = ct_storage_data(s);
    memcpy(bytes, data + start, (size_t)n);
    if (h.swapped)
        swap_bytes(bytes, n, h.dtype);
    for (int64_t i = 0; i < h.ndim; i++) {
        int64_t dim = h.fortran ? i : h.ndim - 1 - i;
        stride[dim] = step;
        step *= h.shape[dim] > 0 ? h.shape[dim] : 1;
    }
    ct_tensor *t =
        ct_own_from_storage(s, h.dtype, ct_ints_of(h.shape, h.ndim), ct_ints_of(stride, h.ndim), 0);
    ct_storage_release(s);
    return t;
}

ct_tensor *cti_load_npy(const char *path)
{
    struct cti_map map;
    if (!cti_io_map(&map, path))
        return NULL;
    ct_tensor *t = cti_read_npy(map.data, map.nbytes);
    cti_io_unmap(&map);
    return t;
}

/* Writes the header of a contiguous array, padded so that the data begins at a multiple of 64. */
static bool write_header(struct cti_text *out, ct_tensor *t)
{
    const char *name = NULL;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (types[i].dtype == ct_dtype(t))
            name = types[i].name;
    }
    if (!name)
        return ct_fail(CT_ERR_TYPE, "Got unsupported ScalarType BFloat16");
    struct cti_text text = {0};
    cti_text_printf(&text, "{'descr': '%c%s', 'fortran_order': False, 'shape': ",
                    ct_element_size(t) == 1 ? '|' : '<', name);
    cti_text_tuple(&text, ct_ndim(t), ct_shape_ptr(t));
    cti_text_add(&text, ", }");
    size_t whole = (10 + text.n + 1 + 63) / 64 * 64;
    cti_text_fill(&text, ' ', (int64_t)(whole - 11 - text.n));
    cti_text_add(&text, "\n");
    char head[10] = "\x93NUMPY\1";
    cti_put_le(head + 8, text.n, 2);
    cti_text_add_n(out, head, sizeof head);
    if (!text.failed)
        cti_text_add_n(out, text.v, text.n);
    bool good = !text.failed && !out->failed;
    cti_text_free(&text);
    return good;
}

bool cti_save_npy(ct_tensor *t, ct_sink *sink)
{
    ct_tensor *plain = cti_plain(t, true);
    struct cti_text head = {0};
    bool good = plain && write_header(&head, plain) &&
                ct_sink_write(sink, head.v, (int64_t)head.n) &&
                ct_sink_write(sink, ct_data(plain), ct_numel(plain) * ct_element_size(plain));
    cti_text_free(&head);
    ct_release(plain);
    return good;
}

/* ---- .npz archives ---- */

static ct_tensor *read_member(ct_archive *a, const struct ct_record *r)
{
    const char *here = ct_archive_view(a, r);
    if (here && ct_crc32(0, here, r->nbytes) == r->crc)
        return cti_read_npy(here, r->nbytes);
    char *bytes = cti_malloc((size_t)r->nbytes + 1);
    ct_tensor *t = bytes && ct_archive_read(a, r, bytes) ? cti_read_npy(bytes, r->nbytes) : NULL;
    cti_free(bytes);
    return t;
}

bool cti_load_npz(const char *path, struct cti_names *names)
{
    ct_archive *a = ct_archive_open(path);
    bool good = a != NULL;
    for (int64_t i = 0; good && i < ct_archive_count(a); i++) {
        const struct ct_record *r = ct_archive_record(a, i);
        size_t n = strlen(r->name);
        char *name = cti_strdup(r->name);
        if (name && n > 4 && strcmp(name + n - 4, ".npy") == 0)
            name[n - 4] = 0;
        good = name && cti_names_add(names, name, read_member(a, r));
        cti_free(name);
    }
    ct_archive_release(a);
    return good;
}

static bool collect_bytes(void *context, const void *data, int64_t nbytes)
{
    struct cti_text *text = context;
    cti_text_add_n(text, data, (size_t)nbytes);
    return !text->failed;
}

bool cti_save_npz(ct_dict dict, ct_sink *sink, bool compress)
{
    ct_archive_writer *w = ct_archive_writer_new(sink, 1, true);
    bool good = w != NULL;
    for (int64_t i = 0; good && i < dict.n; i++) {
        struct cti_text file = {0}, name = {0};
        ct_sink *inner = ct_sink_function(collect_bytes, &file);
        good = inner && cti_save_npy(dict.v[i].tensor, inner);
        ct_sink_close(inner, good);
        cti_text_printf(&name, "%s.npy", dict.v[i].name);
        good = good && !name.failed && ct_archive_add(w, name.v, file.v, (int64_t)file.n, compress);
        cti_text_free(&file);
        cti_text_free(&name);
    }
    return ct_archive_finish(w, NULL, good) && good;
}

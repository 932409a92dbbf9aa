/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads zip archives, also zip64, from mapped files or memory. The directory is read once into a
 * list of records and a hash table of names. Archives are untrusted: a range outside of the file,
 * or a size larger than its bytes can decompress to, counts as damage. */
#include "core/check_args.h"
#include "corten/archive.h"
#include "io/file.h"

#include "core/alloc.h"
#include "core/interrupt.h"
#include "core/ref.h"

#include <string.h>
#include <unistd.h>

enum { LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50, END64 = 0x06064b50 };
enum { DEFLATE_MAX = 1032 }; /* maximum expansion of a deflated byte */

struct ct_archive {
    int64_t refs;
    struct cti_map map;
    void (*deleter)(void *context);
    void *context;
    struct ct_record *record;
    int64_t count;
    char *names;
    uint32_t *slot; /* hash table: index + 1 */
    uint32_t mask;
};

static void *damaged(const char *what)
{
    return ct_fail(CT_ERR_RUNTIME, "PytorchStreamReader failed reading zip archive: %s", what);
}

/* ---- the directory ---- */

struct directory {
    const char *at;
    int64_t nbytes, count;
};

/* Finds the end record, which a comment of at most 65535 bytes may follow. */
static bool find_directory(const ct_archive *a, struct directory *d)
{
    const char *data = a->map.data;
    int64_t n = a->map.nbytes, last = n - 22;
    int64_t first = last > 65535 ? last - 65535 : 0;
    for (; last >= first; last--) {
        if (data[last] == 'P' && cti_le32(data + last) == END &&
            last + 22 + cti_le16(data + last + 20) <= n)
            break;
    }
    if (last < first)
        return damaged("failed finding central directory");
    const char *end = data + last;
    uint64_t count = cti_le16(end + 10), size = cti_le32(end + 12), offset = cti_le32(end + 16);
    if (last >= 20 && cti_le32(end - 20) == 0x07064b50) { /* zip64 end locator */
        uint64_t where = cti_le64(end - 12);
        if (n < 56 || where > (uint64_t)(n - 56) || cti_le32(data + where) != END64)
            return damaged("invalid header or archive is corrupted");
        count = cti_le64(data + where + 32);
        size = cti_le64(data + where + 40);
        offset = cti_le64(data + where + 48);
    }
    if (offset > (uint64_t)last || size > (uint64_t)last - offset || count > size / 46)
        return damaged("invalid header or archive is corrupted");
    *d = (struct directory){data + offset, (int64_t)size, (int64_t)count};
    return true;
}

/* Reads the zip64 extra field (id 1): the sizes and the offset that are all ones in the entry, in
 * this order. */
static bool wide_fields(const char *extra, int64_t n, uint64_t *nbytes, uint64_t *stored,
                        uint64_t *header)
{
    uint64_t *const field[] = {nbytes, stored, header};
    while (n >= 4) {
        int64_t size = cti_le16(extra + 2);
        if (size > n - 4)
            break; /* padding of other writers */
        if (cti_le16(extra) == 1) {
            const char *p = extra + 4;
            for (int i = 0; i < 3; i++) {
                if (*field[i] != UINT32_MAX)
                    continue;
                if (size < 8)
                    return false;
                *field[i] = cti_le64(p);
                p += 8;
                size -= 8;
            }
            return true;
        }
        extra += 4 + size;
        n -= 4 + size;
    }
    return true;
}

#define FEW_BYTES (1 << 20) /* smaller files are read through the mapping */

/* The 30-byte local header of a record. For large files it is read with pread, because touching the
 * mapping would fault in a page and its neighbours for every record. NULL if the file was
 * truncated. */
static const char *local_header(const struct cti_map *map, uint64_t at, char *buffer)
{
    if (map->fd < 0 || map->nbytes <= FEW_BYTES)
        return map->data + at;
    return pread(map->fd, buffer, 30, (off_t)at) == 30 ? buffer : NULL;
}

/* Reads a directory entry; returns its length, or -1 if it is damaged. */
static int64_t read_entry(ct_archive *a, const char *p, int64_t left, struct ct_record *r,
                          char *name)
{
    if (left < 46 || cti_le32(p) != CENTRAL)
        return -1;
    int64_t name_n = cti_le16(p + 28), extra_n = cti_le16(p + 30), comment_n = cti_le16(p + 32);
    int64_t length = 46 + name_n + extra_n + comment_n;
    if (length > left || (cti_le16(p + 8) & 1)) /* encrypted */
        return -1;
    uint64_t stored = cti_le32(p + 20), nbytes = cti_le32(p + 24), header = cti_le32(p + 42);
    if (!wide_fields(p + 46 + name_n, extra_n, &nbytes, &stored, &header))
        return -1;
    uint64_t n = (uint64_t)a->map.nbytes;
    char buffer[30];
    const char *local = n < 30 || header > n - 30 ? NULL : local_header(&a->map, header, buffer);
    if (!local || cti_le32(local) != LOCAL)
        return -1;
    uint64_t offset = header + 30 + cti_le16(local + 26) + cti_le16(local + 28);
    if (offset > n || stored > n - offset)
        return -1;
    uint16_t method = cti_le16(p + 10);
    if (method == 0 ? nbytes != stored : nbytes / DEFLATE_MAX > stored)
        return -1;
    memcpy(name, p + 46, (size_t)name_n);
    name[name_n] = 0;
    *r = (struct ct_record){
        name, (int64_t)offset, (int64_t)stored, (int64_t)nbytes, cti_le32(p + 16), method};
    return length;
}

static uint32_t name_hash(const char *name)
{
    uint32_t h = 2166136261u;
    for (; *name; name++)
        h = (h ^ (uint8_t)*name) * 16777619u;
    return h;
}

static bool fill_table(ct_archive *a)
{
    uint32_t size = 16;
    while (size < 2 * (uint64_t)a->count)
        size *= 2;
    a->slot = cti_calloc(size, sizeof *a->slot);
    a->mask = size - 1;
    for (int64_t i = 0; a->slot && i < a->count; i++) {
        uint32_t h = name_hash(a->record[i].name) & a->mask;
        while (a->slot[h])
            h = (h + 1) & a->mask;
        a->slot[h] = (uint32_t)i + 1;
    }
    return a->slot;
}

static bool read_directory(ct_archive *a)
{
    struct directory d = {0};
    if (!find_directory(a, &d))
        return false;
    if (d.count > INT32_MAX / 4)
        return damaged("too many files");
    a->record = cti_calloc((size_t)d.count + 1, sizeof *a->record);
    a->names = cti_malloc((size_t)d.nbytes + 1); /* names and NULs: less than the directory */
    if (!a->record || !a->names)
        return false;
    char *name = a->names;
    int64_t stored = 0; /* overlapping records could expand a small file */
    for (; a->count < d.count; a->count++) {
        struct ct_record *r = &a->record[a->count];
        int64_t length = read_entry(a, d.at, d.nbytes, r, name);
        if (length < 0 || (stored += r->stored) > a->map.nbytes)
            return damaged("invalid header or archive is corrupted");
        name += strlen(name) + 1;
        d.at += length;
        d.nbytes -= length;
    }
    return fill_table(a);
}

/* ---- archives ---- */

static ct_archive *open_map(struct cti_map map, void (*deleter)(void *), void *context)
{
    ct_archive *a = cti_calloc(1, sizeof *a);
    if (!a) {
        cti_io_unmap(&map);
        if (deleter)
            deleter(context);
        return NULL;
    }
    a->refs = 1;
    a->map = map;
    a->deleter = deleter;
    a->context = context;
    if (read_directory(a))
        return a;
    ct_archive_release(a);
    return NULL;
}

ct_archive *ct_archive_open(const char *path)
{
    struct cti_map map;
    return cti_io_map_open(&map, path, false) ? open_map(map, NULL, NULL) : NULL;
}

/* Clears all checksums of a file opened for writing, since writing to a storage would invalidate
 * its checksum. Readers take 0 as "no checksum". They are stored in the directory, in the local
 * header, and in the descriptor that may follow a record. */
static void drop_checksums(ct_archive *a)
{
    enum { DESCRIPTOR = 0x08074b50 };
    struct directory d = {0};
    if (!find_directory(a, &d))
        return;
    char *data = a->map.data, *entry = data + (d.at - data), *end = data + a->map.nbytes;
    for (int64_t i = 0; i < a->count; i++) {
        struct ct_record *r = &a->record[i];
        uint32_t header = cti_le32(entry + 42); /* all ones: in the zip64 field, beyond 4 GB */
        char *descriptor = data + r->offset + r->stored;
        r->crc = 0;
        cti_put_le(entry + 16, 0, 4);
        if (header != UINT32_MAX)
            cti_put_le(data + header + 14, 0, 4);
        if (end - descriptor >= 8 && cti_le32(descriptor) == DESCRIPTOR)
            cti_put_le(descriptor + 4, 0, 4);
        entry += 46 + cti_le16(entry + 28) + cti_le16(entry + 30) + cti_le16(entry + 32);
    }
}

ct_archive *ct_archive_open_shared(const char *path)
{
    struct cti_map map;
    ct_archive *a = cti_io_map_open(&map, path, true) ? open_map(map, NULL, NULL) : NULL;
    if (a)
        drop_checksums(a);
    return a;
}

ct_archive *ct_archive_open_memory(const void *data, int64_t nbytes, void (*deleter)(void *),
                                   void *context)
{
    if (!cti_check_array(data, nbytes, "ct_archive_open_memory", "data")) {
        if (deleter)
            deleter(context);
        return NULL;
    }
    return open_map((struct cti_map){(char *)(uintptr_t)data, nbytes, 0, -1}, deleter, context);
}

ct_archive *ct_archive_retain(ct_archive *a)
{
    if (a)
        cti_ref_get(&a->refs);
    return a;
}

void ct_archive_release(ct_archive *a)
{
    if (!a || !cti_ref_put(&a->refs))
        return;
    cti_io_unmap(&a->map);
    if (a->deleter)
        a->deleter(a->context);
    cti_free(a->record);
    cti_free(a->names);
    cti_free(a->slot);
    cti_free(a);
}

int64_t ct_archive_count(const ct_archive *a)
{
    return cti_check_pointer(a, "ct_archive_count", "a") ? a->count : -1;
}

const struct ct_record *ct_archive_record(const ct_archive *a, int64_t i)
{
    if (!cti_check_pointer(a, "ct_archive_record", "a"))
        return NULL;
    return i >= 0 && i < a->count ? &a->record[i] : NULL;
}

const struct ct_record *ct_archive_find(const ct_archive *a, const char *name)
{
    if (!(cti_check_pointer(a, "ct_archive_find", "a") &&
          cti_check_text(name, "ct_archive_find", "name")))
        return NULL;
    for (uint32_t h = name_hash(name) & a->mask; a->slot[h]; h = (h + 1) & a->mask) {
        const struct ct_record *r = &a->record[a->slot[h] - 1];
        if (strcmp(r->name, name) == 0)
            return r;
    }
    return NULL;
}

/* Copies and computes the checksum in pieces that fit into the cache. */
static bool copy_summed(const struct cti_map *map, char *dst, int64_t offset, int64_t n,
                        uint32_t *sum)
{
    uint32_t crc = 0;
    for (int64_t at = 0, piece; at < n; at += piece) {
        piece = n - at < 1 << 18 ? n - at : 1 << 18;
        if (at % (1 << 24) == (1 << 24) - (1 << 18) && cti_interrupted())
            return false;
        if (map->fd < 0) {
            memcpy(dst + at, map->data + offset + at, (size_t)piece);
        } else { /* pread reports a truncated file; the mapping would raise SIGBUS */
            piece = pread(map->fd, dst + at, (size_t)piece, offset + at);
            if (piece <= 0)
                return ct_fail(
                    CT_ERR_RUNTIME,
                    "PytorchStreamReader failed: the file was truncated while it was read");
        }
        crc = ct_crc32(crc, dst + at, piece);
    }
    *sum = crc;
    return true;
}

bool ct_archive_read(ct_archive *a, const struct ct_record *r, void *dst)
{
    if (!(cti_check_pointer(a, "ct_archive_read", "a") &&
          cti_check_pointer(r, "ct_archive_read", "record")))
        return false;
    const char *src = a->map.data + r->offset;
    uint32_t crc = 0;
    if (r->method == 0) {
        if (!copy_summed(&a->map, dst, r->offset, r->nbytes, &crc))
            return false;
    } else if (r->method == 8) {
        int64_t n = ct_inflate(src, r->stored, dst, r->nbytes, -15);
        if (n < 0)
            return false;
        if (n != r->nbytes)
            return ct_fail(CT_ERR_RUNTIME,
                           "PytorchStreamReader failed reading file %s: file read failed", r->name);
        crc = ct_crc32(0, dst, n);
    } else {
        return ct_fail(CT_ERR_RUNTIME,
                       "PytorchStreamReader failed reading file %s: compression method %d is not "
                       "supported",
                       r->name, r->method);
    }
    if (crc != r->crc && r->crc) /* 0: PyTorch saved it without checksums */
        return ct_fail(CT_ERR_RUNTIME,
                       "PytorchStreamReader failed reading file %s: CRC-32 check failed", r->name);
    return true;
}

void *ct_archive_view(ct_archive *a, const struct ct_record *r)
{
    if (!(cti_check_pointer(a, "ct_archive_view", "a") &&
          cti_check_pointer(r, "ct_archive_view", "record")))
        return NULL;
    return r->method == 0 ? a->map.data + r->offset : NULL;
}

static void archive_deleter(void *archive)
{
    ct_archive_release(archive);
}

ct_storage *ct_archive_storage(ct_archive *a, const struct ct_record *r, int64_t nbytes)
{
    if (!(cti_check_pointer(a, "ct_archive_storage", "a") &&
          cti_check_pointer(r, "ct_archive_storage", "record")))
        return NULL;
    char *data = ct_archive_view(a, r);
    if (!data || nbytes < 0 || nbytes > r->nbytes)
        return ct_fail(CT_ERR_RUNTIME, "%s: cannot map %lld bytes", r->name, (long long)nbytes);
    int64_t n = nbytes;
    ct_tensor *t = ct_own_from_memory(data, CT_UINT8, ct_ints_of(&n, 1), CT_NO_DIMS,
                                      archive_deleter, ct_archive_retain(a));
    ct_storage *s = t ? ct_storage_retain(ct_storage_of(t)) : NULL;
    ct_release(t);
    return s;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes zip archives that are identical to PyTorch's byte for byte: sizes follow the contents,
 * padding in an extra field ("FB") aligns the contents of every record to 64 bytes, and large
 * numbers use zip64. Everything goes to the sink in order; nothing is patched afterwards. */
#include "core/check_args.h"
#include "corten/archive.h"
#include "io/file.h"
#include "io/identity.h"

#include "core/alloc.h"
#include "core/interrupt.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ct_archive_writer {
    ct_sink *sink;
    int64_t align, at, count; /* `at`: bytes written so far */
    bool checksums, failed;
    struct cti_text central; /* the directory so far */
    uint64_t sums;           /* checksums of all records, combined */
    uint64_t *names;         /* hashes of the record names */
    int64_t names_room;
};

ct_archive_writer *ct_archive_writer_new(ct_sink *s, int64_t align, bool checksums)
{
    if (!cti_check_pointer(s, "ct_archive_writer_new", "s"))
        return NULL;
    ct_archive_writer *w = s ? cti_calloc(1, sizeof *w) : NULL;
    if (w) {
        w->sink = s;
        w->align = align;
        w->checksums = checksums;
    }
    return w;
}

static bool put_bytes(ct_archive_writer *w, const void *data, int64_t n)
{
    w->failed = w->failed || !ct_sink_write(w->sink, data, n);
    w->at += n;
    return !w->failed;
}

/* Stores the hash of a record name, without the common folder. */
static bool note_name(ct_archive_writer *w, const char *name)
{
    if (w->count == w->names_room) {
        int64_t room = w->names_room ? 2 * w->names_room : 64;
        uint64_t *grown = cti_realloc(w->names, (size_t)room * sizeof *grown);
        if (!grown)
            return !(w->failed = true);
        w->names = grown;
        w->names_room = room;
    }
    const char *slash = strchr(name, '/');
    name = slash ? slash + 1 : name;
    w->names[w->count++] = cti_name_hash(name, strlen(name));
    return true;
}

/* The data of a record, for its local header, descriptor and directory entry. */
struct entry {
    const char *name;
    int64_t name_n, header, nbytes, stored;
    uint32_t crc;
    int method;
    bool wide; /* zip64 */
};

static char *put_wide(char *p, const struct entry *e)
{
    bool size = e->nbytes >= UINT32_MAX, wide_offset = e->header >= UINT32_MAX;
    p = cti_put_le(p, 1, 2);
    p = cti_put_le(p, (uint64_t)(16 * size + 8 * wide_offset), 2);
    if (size) {
        p = cti_put_le(p, (uint64_t)e->nbytes, 8);
        p = cti_put_le(p, (uint64_t)e->stored, 8);
    }
    return wide_offset ? cti_put_le(p, (uint64_t)e->header, 8) : p;
}

static bool put_local(ct_archive_writer *w, const struct entry *e)
{
    char head[64], extra[32], *x = e->wide ? put_wide(extra, e) : extra;
    int64_t start = w->at + 30 + e->name_n + (x - extra), pad = 0;
    if (w->align > 1) {
        int64_t begin = start + 4; /* header of the padding field */
        pad = 4 + (w->align - begin % w->align) % w->align;
    }
    char *p = cti_put_le(head, 0x04034b50, 4);
    p = cti_put_le(p, 0, 2);
    p = cti_put_le(p, w->align > 1 ? 0x0808 : 0x0800, 2);
    p = cti_put_le(p, (uint64_t)e->method, 2);
    p = cti_put_le(p, 0, 4);
    bool sizes_first = w->align <= 1; /* NumPy's format: sizes in the local header */
    uint64_t narrow =
        sizes_first ? (e->nbytes >= UINT32_MAX ? UINT32_MAX : (uint64_t)e->nbytes) : 0;
    uint64_t stored =
        sizes_first ? (e->nbytes >= UINT32_MAX ? UINT32_MAX : (uint64_t)e->stored) : 0;
    p = cti_put_le(p, sizes_first ? e->crc : 0, 4);
    p = cti_put_le(p, stored, 4);
    p = cti_put_le(p, narrow, 4);
    p = cti_put_le(p, (uint64_t)e->name_n, 2);
    p = cti_put_le(p, (uint64_t)(x - extra + pad), 2);
    put_bytes(w, head, p - head);
    put_bytes(w, e->name, e->name_n);
    put_bytes(w, extra, x - extra);
    if (pad) {
        char *fill = cti_malloc((size_t)pad);
        if (!fill)
            return !(w->failed = true);
        memset(fill, 'Z', (size_t)pad);
        memcpy(fill, "FB", 2);
        cti_put_le(fill + 2, (uint64_t)(pad - 4), 2);
        put_bytes(w, fill, pad);
        cti_free(fill);
    }
    return !w->failed;
}

static void note_central(ct_archive_writer *w, const struct entry *e)
{
    char head[64], extra[32], *x = e->wide ? put_wide(extra, e) : extra;
    bool size = e->nbytes >= UINT32_MAX, wide_offset = e->header >= UINT32_MAX;
    char *p = cti_put_le(head, 0x02014b50, 4);
    p = cti_put_le(p, 0, 4);
    p = cti_put_le(p, w->align > 1 ? 0x0808 : 0x0800, 2);
    p = cti_put_le(p, (uint64_t)e->method, 2);
    p = cti_put_le(p, 0, 4);
    p = cti_put_le(p, e->crc, 4);
    p = cti_put_le(p, size ? UINT32_MAX : (uint64_t)e->stored, 4);
    p = cti_put_le(p, size ? UINT32_MAX : (uint64_t)e->nbytes, 4);
    p = cti_put_le(p, (uint64_t)e->name_n, 2);
    p = cti_put_le(p, (uint64_t)(x - extra), 2);
    p = cti_put_le(p, 0, 8); /* no comment, first disk, no attributes */
    p = cti_put_le(p, 0, 2);
    p = cti_put_le(p, wide_offset ? UINT32_MAX : (uint64_t)e->header, 4);
    cti_text_add_n(&w->central, head, (size_t)(p - head));
    cti_text_add_n(&w->central, e->name, (size_t)e->name_n);
    cti_text_add_n(&w->central, extra, (size_t)(x - extra));
}

/* Computes the checksum and writes in pieces that fit into the cache. */
static uint32_t put_summed(ct_archive_writer *w, const char *data, int64_t n)
{
    uint32_t crc = 0;
    for (int64_t at = 0; at < n && !w->failed; at += 1 << 20) {
        int64_t piece = n - at < 1 << 20 ? n - at : 1 << 20;
        if (w->checksums)
            crc = ct_crc32(crc, data + at, piece);
        put_bytes(w, data + at, piece);
        w->failed = w->failed || (at % (16 << 20) == 15 << 20 && cti_interrupted());
    }
    return crc;
}

bool ct_archive_add(ct_archive_writer *w, const char *name, const void *data, int64_t nbytes,
                    bool deflate)
{
    if (!(cti_check_pointer(w, "ct_archive_add", "w") &&
          cti_check_text(name, "ct_archive_add", "name") &&
          cti_check_array(data, nbytes, "ct_archive_add", "data")))
        return false;
    if (w->failed)
        return false;
    struct entry e = {name, (int64_t)strlen(name), w->at, nbytes, nbytes, 0, 0, false};
    e.wide = nbytes >= UINT32_MAX || e.header >= UINT32_MAX;
    void *packed = NULL;
    if (w->align <= 1)
        e.crc = ct_crc32(0, data, nbytes);
    if (deflate) {
        packed = ct_deflate(data, nbytes, -15, 6, &e.stored);
        if (!packed)
            return !(w->failed = true);
        e.method = 8;
    }
    put_local(w, &e);
    if (w->align <= 1) {
        put_bytes(w, packed ? packed : data, e.stored);
    } else {
        e.crc = put_summed(w, data, nbytes);
        char tail[24], *p = cti_put_le(tail, 0x08074b50, 4);
        p = cti_put_le(p, e.crc, 4);
        p = cti_put_le(p, (uint64_t)nbytes, e.wide ? 8 : 4);
        p = cti_put_le(p, (uint64_t)nbytes, e.wide ? 8 : 4);
        if (nbytes > 0)
            put_bytes(w, tail, p - tail);
    }
    cti_free(packed);
    note_central(w, &e);
    w->sums = cti_hash_combine(w->sums, e.crc);
    w->failed = w->failed || w->central.failed;
    return note_name(w, name) && !w->failed;
}

static void put_end(ct_archive_writer *w)
{
    uint64_t start = (uint64_t)w->at, size = w->central.n, count = (uint64_t)w->count;
    put_bytes(w, w->central.v, (int64_t)size);
    char end[128], *p = end;
    bool wide = start >= UINT32_MAX || size >= UINT32_MAX || count >= UINT16_MAX;
    if (wide || w->align > 1) { /* PyTorch always writes the zip64 record */
        uint64_t record = (uint64_t)w->at;
        p = cti_put_le(p, 0x06064b50, 4);
        p = cti_put_le(p, 44, 8);
        p = cti_put_le(p, 0x031e, 2);
        p = cti_put_le(p, 45, 2);
        p = cti_put_le(p, 0, 8);
        p = cti_put_le(p, count, 8);
        p = cti_put_le(p, count, 8);
        p = cti_put_le(p, size, 8);
        p = cti_put_le(p, start, 8);
        p = cti_put_le(p, 0x07064b50, 4);
        p = cti_put_le(p, 0, 4);
        p = cti_put_le(p, record, 8);
        p = cti_put_le(p, 1, 4);
    }
    p = cti_put_le(p, 0x06054b50, 4);
    p = cti_put_le(p, 0, 4);
    p = cti_put_le(p, count < UINT16_MAX ? count : UINT16_MAX, 2);
    p = cti_put_le(p, count < UINT16_MAX ? count : UINT16_MAX, 2);
    p = cti_put_le(p, size < UINT32_MAX ? size : UINT32_MAX, 4);
    p = cti_put_le(p, start < UINT32_MAX ? start : UINT32_MAX, 4);
    p = cti_put_le(p, 0, 2);
    put_bytes(w, end, p - end);
}

bool ct_archive_finish(ct_archive_writer *w, const char *identity_prefix, bool good)
{
    if (!w)
        return false;
    if (good && identity_prefix) {
        struct cti_text name = {0};
        uint64_t names;
        char id[48];
        cti_text_printf(&name, "%s/.data/serialization_id", identity_prefix);
        good = cti_identity(w->names, w->count, &names);
        snprintf(id, sizeof id, "%020" PRIu64 "%020" PRIu64, names, w->sums);
        good = good && !name.failed && ct_archive_add(w, name.v, id, 40, false);
        cti_text_free(&name);
    }
    if (good)
        put_end(w);
    good = good && !w->failed;
    cti_text_free(&w->central);
    cti_free(w->names);
    cti_free(w);
    return good;
}

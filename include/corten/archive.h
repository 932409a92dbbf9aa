/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts that files are made of, for bindings: zip archives, pickles as inert trees, compressed
 * streams. C programs want ct_save and ct_load of io.h.
 *   - An archive is mapped, not read: what it holds is copied or looked at where it lies. Nothing
 *     in a file is believed: every offset, size and checksum is tested before it is used.
 *   - A pickle becomes a tree of ct_object. Functions are names in that tree; nothing is called. */
#ifndef CORTEN_ARCHIVE_H
#define CORTEN_ARCHIVE_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "corten/base.h"

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- reading zip archives ---- */

typedef struct ct_archive ct_archive;

struct ct_record {
    const char *name; /* belongs to the archive; ends with 0 */
    int64_t offset;   /* of the first byte in the file */
    int64_t stored;   /* bytes in the file */
    int64_t nbytes;   /* of the contents */
    uint32_t crc;
    uint16_t method; /* 0: as it is, 8: deflated */
};

/* A file, mapped; or bytes of the caller: deleter(context) is called in the end, also on failure.
 * Owned; NULL and an error: no file, no zip archive, damaged. */
CT_API ct_archive *ct_archive_open(const char *path);
/* The same, but what is written into its storages is written into the file, which keeps no
 * checksums from then on. */
CT_API ct_archive *ct_archive_open_shared(const char *path);
CT_API ct_archive *ct_archive_open_memory(const void *data, int64_t nbytes,
                                          void (*deleter)(void *context), void *context);
CT_API ct_archive *ct_archive_retain(ct_archive *a);
CT_API void ct_archive_release(ct_archive *a);
CT_API int64_t ct_archive_count(const ct_archive *a);
CT_API const struct ct_record *ct_archive_record(const ct_archive *a, int64_t i);
CT_API const struct ct_record *ct_archive_find(const ct_archive *a, const char *name); /* or NULL */
/* Copies the contents to dst (record->nbytes), inflated and with the checksum tested. */
CT_API bool ct_archive_read(ct_archive *a, const struct ct_record *record, void *dst);
/* Where the contents lie; NULL if they are deflated. Not tested against the checksum. Writing there
 * changes the file only if the archive was opened with ct_archive_open_shared. */
CT_API void *ct_archive_view(ct_archive *a, const struct ct_record *record);
/* A storage over nbytes of a record where they lie, which keeps the archive. Owned. */
CT_API ct_storage *ct_archive_storage(ct_archive *a, const struct ct_record *record,
                                      int64_t nbytes);

/* ---- writing: to a file that appears whole or not at all, or to a function ---- */

typedef struct ct_sink ct_sink;

/* Where bytes go; false: they could not be written, and an error is set. */
typedef bool (*ct_write_function)(void *context, const void *data, int64_t nbytes);

CT_API ct_sink *ct_sink_file(const char *path); /* a new file beside path, until it is closed */
CT_API ct_sink *ct_sink_function(ct_write_function write, void *context);
CT_API bool ct_sink_write(ct_sink *s, const void *data, int64_t nbytes);
/* Ends the sink in either case: good, the file is synced and takes its name; else it is gone. */
CT_API bool ct_sink_close(ct_sink *s, bool good);

typedef struct ct_archive_writer ct_archive_writer;

/* Records begin at multiples of align, as PyTorch lays them (1: NumPy's way, nothing is padded).
 * Borrows the sink. */
CT_API ct_archive_writer *ct_archive_writer_new(ct_sink *s, int64_t align, bool checksums);
CT_API bool ct_archive_add(ct_archive_writer *w, const char *name, const void *data, int64_t nbytes,
                           bool deflate);
/* Writes the directory; with an identity, PyTorch's `.data/serialization_id` first (under prefix).
 * Frees the writer in any case; good == false: only that. */
CT_API bool ct_archive_finish(ct_archive_writer *w, const char *identity_prefix, bool good);

/* ---- compressed streams (zlib's, opened at run time) and checksums ---- */

CT_API uint32_t ct_crc32(uint32_t crc, const void *data, int64_t nbytes);
/* Raw deflate (bits < 0), zlib (15), gzip (31) to exactly `room` bytes or fewer; the number of
 * bytes, -1 and an error: damaged, or longer than that. */
CT_API int64_t ct_inflate(const void *src, int64_t nbytes, void *dst, int64_t room, int bits);
/* malloc'ed; *written bytes. Level 0 to 9. */
CT_API void *ct_deflate(const void *src, int64_t nbytes, int bits, int level, int64_t *written);

/* ---- pickles ---- */

enum ct_object_kind {
    CT_OBJECT_NONE,
    CT_OBJECT_BOOL,
    CT_OBJECT_INT,
    CT_OBJECT_LONG, /* more than 64 bits: `text`, little endian, two's complement */
    CT_OBJECT_FLOAT,
    CT_OBJECT_STR, /* `text`: UTF-8 with surrogates, not ended by 0 */
    CT_OBJECT_BYTES,
    CT_OBJECT_BYTEARRAY,
    CT_OBJECT_OLD_STR, /* a str of Python 2: bytes in an unknown encoding */
    CT_OBJECT_TUPLE,
    CT_OBJECT_LIST,
    CT_OBJECT_DICT, /* items: key, value, key, value ... */
    CT_OBJECT_SET,
    CT_OBJECT_FROZENSET,
    CT_OBJECT_GLOBAL, /* a name: `text` is "module\nname" */
    CT_OBJECT_REDUCE, /* function(*args); items of lists and pairs of dicts follow, then state */
    CT_OBJECT_NEW,    /* class.__new__(class, *args, **keywords), the rest as above */
    CT_OBJECT_PERSISTENT, /* what the file holds elsewhere, by its id */
};

/* All memory is the pickle's. */
struct ct_object {
    enum ct_object_kind kind;
    uint32_t memo; /* the writer's number + 1; 0: not written yet */
    union {
        int64_t i;
        double f;
        struct {
            const char *v;
            int64_t n;
        } text;
        struct {
            struct ct_object *function, *args; /* PERSISTENT: the id is in function */
        } call;
    } as;
    struct ct_object **items; /* elements; of DICT, REDUCE and NEW pairs too */
    int64_t count, room;
    int64_t appended; /* REDUCE, NEW: the first of `items` that are list items; then come pairs */
    struct ct_object *state, *keywords;
    void *handle; /* the binding's object */
};

typedef struct ct_pickle ct_pickle; /* owns a tree */

CT_API ct_pickle *ct_pickle_new(void);
CT_API void ct_pickle_free(ct_pickle *p);
/* A new object; NULL and an error: no memory. Text is copied when `copy`. */
CT_API struct ct_object *ct_object_new(ct_pickle *p, enum ct_object_kind kind);
CT_API struct ct_object *ct_object_text(ct_pickle *p, enum ct_object_kind kind, const char *v,
                                        int64_t n, bool copy);
CT_API struct ct_object *ct_object_int(ct_pickle *p, int64_t i);
CT_API struct ct_object *ct_object_call(ct_pickle *p, enum ct_object_kind kind,
                                        struct ct_object *function, struct ct_object *args);
CT_API bool ct_object_add(ct_pickle *p, struct ct_object *o, struct ct_object *item);

/* Reads one pickle of any protocol at the start of data: the root, and how many bytes it took.
 * Memory: at most 256 times nbytes. Text is not copied: data must outlive the tree. */
CT_API struct ct_object *ct_unpickle(ct_pickle *p, const void *data, int64_t nbytes, int64_t *used);
CT_API int ct_pickle_protocol(const ct_pickle *p); /* that the last one read named; 0: none */
/* The bytes Python's pickle writes for the tree (malloc'ed), protocol 2 to 5. */
CT_API void *ct_pickle_bytes(ct_pickle *p, struct ct_object *root, int protocol, int64_t *nbytes);

/* ---- checkpoints: PyTorch's .pt files ---- */

typedef struct ct_saver ct_saver; /* a tree with tensors in it, on its way into a file */

CT_API ct_saver *ct_saver_new(void);
CT_API void ct_saver_free(ct_saver *s);
CT_API ct_pickle *ct_saver_pickle(ct_saver *s); /* that the tree's objects are made in */
/* How the tree names a storage (CT_NO_DTYPE: untyped) and a tensor; both are kept until the file is
 * written. Tensors with one storage still have one after loading. */
CT_API struct ct_object *ct_saver_storage(ct_saver *s, ct_storage *storage, enum ct_dtype dtype);
CT_API struct ct_object *ct_saver_tensor(ct_saver *s, ct_tensor *t, bool requires_grad);
/* The name of something in a module, one object for each name. */
CT_API struct ct_object *ct_saver_global(ct_saver *s, const char *module_and_name);
CT_API struct ct_object *ct_saver_word(ct_saver *s, const char *text);
struct ct_save_options {
    const char *prefix; /* the folder inside the archive */
    int protocol;
    bool legacy;    /* the format before PyTorch 1.6, no archive */
    bool checksums; /* of storages too */
    int64_t align;
};
CT_API bool ct_saver_write(ct_saver *s, struct ct_object *root, ct_sink *sink,
                           const struct ct_save_options *options);
/* The same with a pickle that was written elsewhere. It refers to the storages that were given to
 * ct_saver_storage by number: "0" is the first. */
CT_API bool ct_saver_write_pickle(ct_saver *s, const void *pickle, int64_t nbytes, ct_sink *sink,
                                  const struct ct_save_options *options);
/* "FloatStorage" -> CT_FLOAT32 and back; CT_NO_DTYPE, NULL: no such name. */
CT_API enum ct_dtype ct_dtype_of_storage_name(const char *name, int64_t n);
CT_API const char *ct_storage_name(enum ct_dtype dtype);

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif

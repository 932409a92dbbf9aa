/* SPDX-License-Identifier: BSD-3-Clause */
/* The building blocks of files, for bindings: zip archives, pickles and compressed streams. C
 * programs use ct_save and ct_load of io.h instead.
 *   - An archive is mapped into memory; its records are copied, or used in place. Files are not
 *     trusted: every offset, size and checksum is checked before use.
 *   - A pickle is read as a tree of ct_object. A function in it is only a name: reading a pickle
 *     never executes anything.
 * Objects are owned by the caller unless a comment says otherwise. */
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
    const char *name; /* borrowed from the archive */
    int64_t offset;   /* of the first byte in the file */
    int64_t stored;   /* bytes in the file */
    int64_t nbytes;   /* bytes of the contents, after decompression */
    uint32_t crc;
    uint16_t method; /* 0: stored without compression, 8: deflate */
};

/* Opens a file, or bytes in memory, for which deleter(context) is called when the archive is
 * released or this call fails. NULL and an error: there is no such file, or it is not an intact
 * archive. */
CT_API ct_archive *ct_archive_open(const char *path);
/* The same with a shared mapping: writes to storages of the archive change the file, and its
 * checksums are cleared. */
CT_API ct_archive *ct_archive_open_shared(const char *path);
CT_API ct_archive *ct_archive_open_memory(const void *data, int64_t nbytes,
                                          void (*deleter)(void *context), void *context);
CT_API ct_archive *ct_archive_retain(ct_archive *a);
CT_API void ct_archive_release(ct_archive *a);
CT_API int64_t ct_archive_count(const ct_archive *a);
CT_API const struct ct_record *ct_archive_record(const ct_archive *a, int64_t i);
CT_API const struct ct_record *ct_archive_find(const ct_archive *a, const char *name); /* or NULL */
/* Copies the contents, decompressed, to dst (record->nbytes bytes), and checks the checksum. */
CT_API bool ct_archive_read(ct_archive *a, const struct ct_record *record, void *dst);
/* The address of the contents in the mapping; NULL if they are compressed. The checksum is not
 * checked. Writes there change the file only after ct_archive_open_shared. */
CT_API void *ct_archive_view(ct_archive *a, const struct ct_record *record);
/* Makes a storage over nbytes bytes of a record in the mapping. The storage holds a reference to
 * the archive. */
CT_API ct_storage *ct_archive_storage(ct_archive *a, const struct ct_record *record,
                                      int64_t nbytes);

/* ---- sinks: the destination of a file ---- */

typedef struct ct_sink ct_sink;

/* Writes bytes; returns false, with an error set, if that failed. */
typedef bool (*ct_write_function)(void *context, const void *data, int64_t nbytes);

/* Writes to a temporary file in the folder of `path`, which ct_sink_close renames to it. */
CT_API ct_sink *ct_sink_file(const char *path);
CT_API ct_sink *ct_sink_function(ct_write_function write, void *context);
CT_API bool ct_sink_write(ct_sink *s, const void *data, int64_t nbytes);
/* Frees the sink. good: the file is synced and renamed to its final name; otherwise it is
 * deleted. */
CT_API bool ct_sink_close(ct_sink *s, bool good);

typedef struct ct_archive_writer ct_archive_writer;

/* Writes a zip archive to a sink, which is borrowed. Records begin at multiples of `align` bytes,
 * as in PyTorch's files (1: no padding, as in NumPy's). */
CT_API ct_archive_writer *ct_archive_writer_new(ct_sink *s, int64_t align, bool checksums);
CT_API bool ct_archive_add(ct_archive_writer *w, const char *name, const void *data, int64_t nbytes,
                           bool deflate);
/* Completes the archive and frees the writer. identity_prefix: NULL, or the folder for PyTorch's
 * record `.data/serialization_id`. good == false: only frees the writer. */
CT_API bool ct_archive_finish(ct_archive_writer *w, const char *identity_prefix, bool good);

/* ---- compressed streams, by zlib, which is loaded at run time; checksums ---- */

CT_API uint32_t ct_crc32(uint32_t crc, const void *data, int64_t nbytes);
/* Decompresses to at most `room` bytes and returns their number. bits: negative for a raw deflate
 * stream, 15 for zlib, 31 for gzip. -1 and an error: damaged, or longer than `room`. */
CT_API int64_t ct_inflate(const void *src, int64_t nbytes, void *dst, int64_t room, int bits);
/* Compresses to *written bytes, allocated by malloc. Levels are 0 to 9; NULL: failed. */
CT_API void *ct_deflate(const void *src, int64_t nbytes, int bits, int level, int64_t *written);

/* ---- pickles ---- */

enum ct_object_kind {
    CT_OBJECT_NONE,
    CT_OBJECT_BOOL,
    CT_OBJECT_INT,
    CT_OBJECT_LONG, /* an int of more than 64 bits: `text`, little endian, two's complement */
    CT_OBJECT_FLOAT,
    CT_OBJECT_STR, /* `text`: UTF-8 that may contain surrogates, without a final 0 */
    CT_OBJECT_BYTES,
    CT_OBJECT_BYTEARRAY,
    CT_OBJECT_OLD_STR, /* a str of Python 2: bytes in an unknown encoding */
    CT_OBJECT_TUPLE,
    CT_OBJECT_LIST,
    CT_OBJECT_DICT, /* items: key, value, key, value ... */
    CT_OBJECT_SET,
    CT_OBJECT_FROZENSET,
    CT_OBJECT_GLOBAL,     /* a function or class by its name: `text` is "module\nname" */
    CT_OBJECT_REDUCE,     /* function(*args), then items to append, pairs to set, and the state */
    CT_OBJECT_NEW,        /* class.__new__(class, *args, **keywords), then as REDUCE */
    CT_OBJECT_PERSISTENT, /* an object outside the pickle, such as a storage, by its id */
};

/* Owned by its ct_pickle, like all it points to. */
struct ct_object {
    enum ct_object_kind kind;
    uint32_t memo; /* for the writer: 1 + the memo index; 0: not written yet */
    union {
        int64_t i;
        double f;
        struct {
            const char *v;
            int64_t n;
        } text;
        struct {
            struct ct_object *function, *args; /* PERSISTENT: `function` is the id */
        } call;
    } as;
    struct ct_object **items; /* elements; keys and values alternate */
    int64_t count, room;
    int64_t appended; /* REDUCE, NEW: the first `appended` items are appended, the rest are pairs to
                       * set */
    struct ct_object *state, *keywords;
    void *handle; /* the binding's object */
};

typedef struct ct_pickle ct_pickle; /* owns a tree */

CT_API ct_pickle *ct_pickle_new(void);
CT_API void ct_pickle_free(ct_pickle *p);
/* New objects; NULL and an error: out of memory. copy: copies the text, else it is borrowed. */
CT_API struct ct_object *ct_object_new(ct_pickle *p, enum ct_object_kind kind);
CT_API struct ct_object *ct_object_text(ct_pickle *p, enum ct_object_kind kind, const char *v,
                                        int64_t n, bool copy);
CT_API struct ct_object *ct_object_int(ct_pickle *p, int64_t i);
CT_API struct ct_object *ct_object_call(ct_pickle *p, enum ct_object_kind kind,
                                        struct ct_object *function, struct ct_object *args);
CT_API bool ct_object_add(ct_pickle *p, struct ct_object *o, struct ct_object *item);

/* Reads one pickle, of any protocol, from the start of data. Returns the root; *used is its length
 * in bytes. Text is borrowed: data must outlive the tree. Uses at most 256 times nbytes of memory.
 */
CT_API struct ct_object *ct_unpickle(ct_pickle *p, const void *data, int64_t nbytes, int64_t *used);
CT_API int ct_pickle_protocol(const ct_pickle *p); /* of the pickle read last; 0: not declared */
/* Returns the pickle of a tree, byte for byte as Python's pickle module writes it, in protocol 2 to
 * 5. Allocated by malloc; NULL: failed. */
CT_API void *ct_pickle_bytes(ct_pickle *p, struct ct_object *root, int protocol, int64_t *nbytes);

/* ---- checkpoints: PyTorch's .pt files ---- */

typedef struct ct_saver ct_saver; /* builds the tree of a file, and keeps its storages */

CT_API ct_saver *ct_saver_new(void);
CT_API void ct_saver_free(ct_saver *s);
CT_API ct_pickle *ct_saver_pickle(ct_saver *s); /* the pickle that owns the new objects; borrowed */
/* Objects for a storage (CT_NO_DTYPE: untyped) and a tensor. The saver holds references to them.
 * Tensors that share a storage share it after loading, too. */
CT_API struct ct_object *ct_saver_storage(ct_saver *s, ct_storage *storage, enum ct_dtype dtype);
CT_API struct ct_object *ct_saver_tensor(ct_saver *s, ct_tensor *t, bool requires_grad);
/* Return the object for a function or class ("module\nname"), and for a str. Equal strings share
 * one object. */
CT_API struct ct_object *ct_saver_global(ct_saver *s, const char *module_and_name);
CT_API struct ct_object *ct_saver_str(ct_saver *s, const char *text);
struct ct_save_options {
    const char *prefix; /* the folder inside the archive */
    int protocol;       /* of the pickle: 2 to 5 */
    bool legacy;        /* the format before PyTorch 1.6, which is not an archive */
    bool checksums;     /* compute checksums of storages, too */
    int64_t align;      /* of the records, in bytes */
};
CT_API bool ct_saver_write(ct_saver *s, struct ct_object *root, ct_sink *sink,
                           const struct ct_save_options *options);
/* The same with the caller's pickle, which refers to the storages passed to ct_saver_storage by
 * their number: "0" is the first. */
CT_API bool ct_saver_write_pickle(ct_saver *s, const void *pickle, int64_t nbytes, ct_sink *sink,
                                  const struct ct_save_options *options);
/* "FloatStorage" to CT_FLOAT32, and back. CT_NO_DTYPE or NULL: there is no such type. */
CT_API enum ct_dtype ct_dtype_of_storage_name(const char *name, int64_t n);
CT_API const char *ct_storage_name(enum ct_dtype dtype);

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif

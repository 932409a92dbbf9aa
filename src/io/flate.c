/* SPDX-License-Identifier: BSD-3-Clause */
/* Compressed streams, by zlib, which is loaded when the first one is read or written. It is present
 * wherever Python is; programs without compressed files do not need it. */
#include "core/check_args.h"
#include "corten/archive.h"
#include "io/file.h"

#include "core/alloc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* zlib's z_stream, whose layout has been part of its ABI since 1995. */
struct stream {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *(*alloc)(void *, unsigned, unsigned);
    void (*free)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler, reserved;
};

enum { Z_OK = 0, Z_STREAM_END = 1, Z_MEM_ERROR = -4, Z_FINISH = 4, Z_NO_FLUSH = 0, DEFLATED = 8 };

static struct {
    int (*inflate_init)(struct stream *, int, const char *, int);
    int (*inflate)(struct stream *, int);
    int (*inflate_end)(struct stream *);
    int (*deflate_init)(struct stream *, int, int, int, int, int, const char *, int);
    int (*deflate)(struct stream *, int);
    int (*deflate_end)(struct stream *);
} zlib;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_zlib(void)
{
    static const char *const names[] = {"libz.so.1", "libz.so", "libz.1.dylib", NULL};
    void *library = cti_io_library(names);
    if (!library)
        return;
    *(void **)&zlib.inflate_init = dlsym(library, "inflateInit2_");
    *(void **)&zlib.inflate = dlsym(library, "inflate");
    *(void **)&zlib.inflate_end = dlsym(library, "inflateEnd");
    *(void **)&zlib.deflate_init = dlsym(library, "deflateInit2_");
    *(void **)&zlib.deflate = dlsym(library, "deflate");
    *(void **)&zlib.deflate_end = dlsym(library, "deflateEnd");
}

static bool have_zlib(void)
{
    pthread_once(&once, open_zlib);
    if (zlib.inflate_init && zlib.inflate && zlib.inflate_end && zlib.deflate_init &&
        zlib.deflate && zlib.deflate_end)
        return true;
    return ct_fail(CT_ERR_RUNTIME, "compressed files need zlib (libz.so.1), which was not found");
}

static unsigned piece_size(int64_t n)
{
    return n < (1 << 30) ? (unsigned)n : 1u << 30;
}

int64_t ct_inflate(const void *src, int64_t nbytes, void *dst, int64_t room, int bits)
{
    if (!cti_check_array(src, nbytes, "ct_inflate", "src") ||
        !cti_check_array(dst, room, "ct_inflate", "dst") || !have_zlib())
        return -1;
    struct stream s = {0};
    if (zlib.inflate_init(&s, bits, "1.2.3", (int)sizeof s) != Z_OK) {
        ct_fail(CT_ERR_OUT_OF_MEMORY, "out of memory");
        return -1;
    }
    const uint8_t *in = src, *in_end = in + nbytes;
    uint8_t *out = dst, *out_end = out + room, none;
    int status = Z_OK;
    s.next_in = in;
    s.next_out = out;
    while (status == Z_OK) {
        s.avail_in = piece_size(in_end - s.next_in);
        s.avail_out = piece_size(out_end - s.next_out);
        unsigned before = s.avail_in + s.avail_out;
        bool full = s.avail_out == 0; /* the end marker may still be unread: offer one more byte of
                                       * room */
        if (full) {
            s.next_out = &none;
            s.avail_out = 1;
            before++;
        }
        status = zlib.inflate(&s, Z_NO_FLUSH);
        bool more = full && s.avail_out == 0;
        if (full)
            s.next_out = out_end;
        if (more || (status == Z_OK && s.avail_in + s.avail_out == before))
            status = -5;
    }
    int64_t made = s.next_out - out;
    zlib.inflate_end(&s);
    if (status == Z_STREAM_END)
        return made;
    ct_fail(CT_ERR_RUNTIME, "a compressed stream is damaged");
    return -1;
}

void *ct_deflate(const void *src, int64_t nbytes, int bits, int level, int64_t *written)
{
    if (!cti_check_array(src, nbytes, "ct_deflate", "src") || !have_zlib())
        return NULL;
    struct stream s = {0};
    int64_t room;
    if (__builtin_add_overflow(nbytes, nbytes / 1000 + 256, &room))
        return ct_fail(CT_ERR_OUT_OF_MEMORY, "out of memory");
    uint8_t *out = cti_malloc((size_t)room);
    if (!out)
        return NULL;
    if (zlib.deflate_init(&s, level, DEFLATED, bits, 8, 0, "1.2.3", (int)sizeof s) != Z_OK) {
        cti_free(out);
        return ct_fail(CT_ERR_OUT_OF_MEMORY, "out of memory");
    }
    const uint8_t *end = (const uint8_t *)src + nbytes;
    s.next_in = src;
    s.next_out = out;
    int status = Z_OK;
    while (status == Z_OK) {
        s.avail_in = piece_size(end - s.next_in);
        s.avail_out = piece_size(out + room - s.next_out);
        if (s.avail_out == 0)
            break;
        status = zlib.deflate(&s, s.next_in + s.avail_in == end ? Z_FINISH : Z_NO_FLUSH);
    }
    *written = s.next_out - out;
    zlib.deflate_end(&s);
    if (status != Z_STREAM_END) {
        cti_free(out);
        return ct_fail(CT_ERR_RUNTIME, "zlib could not compress");
    }
    return out;
}

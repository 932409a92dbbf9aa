/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers for the files of this folder: mapping whole files, errors of the operating system in
 * Python's wording, loading libraries, little-endian numbers. */
#ifndef CORTEN_IO_FILE_H
#define CORTEN_IO_FILE_H

#include "corten/archive.h"

/* Sets the error for an errno, as Python would: "[Errno 2] No such file or directory: 'x.pt'".
 * Returns NULL. */
void *cti_io_fail(int code, const char *path);

/* A file mapped into writable memory; writes reach the file only if it was opened `shared`. data is
 * never NULL. */
struct cti_map {
    char *data;
    int64_t nbytes;
    int64_t mapped; /* 0: nothing is mapped (empty file) */
    int fd;         /* kept open by cti_io_map_open, else -1: pread is faster than page faults */
};
bool cti_io_map(struct cti_map *map, const char *path);
bool cti_io_map_open(struct cti_map *map, const char *path, bool shared); /* keeps fd open */
void cti_io_unmap(struct cti_map *map);

/* Loads the first of these libraries (NULL-terminated list) that exists; NULL if none does. */
void *cti_io_library(const char *const *names);

/* Little-endian numbers at any address. */
static inline uint16_t cti_le16(const void *p)
{
    const uint8_t *b = p;
    return (uint16_t)(b[0] | b[1] << 8);
}
static inline uint32_t cti_le32(const void *p)
{
    return cti_le16(p) | (uint32_t)cti_le16((const char *)p + 2) << 16;
}
static inline uint64_t cti_le64(const void *p)
{
    return cti_le32(p) | (uint64_t)cti_le32((const char *)p + 4) << 32;
}
static inline uint32_t cti_be32(const void *p)
{
    return __builtin_bswap32(cti_le32(p));
}
static inline char *cti_put_le(char *p, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *p++ = (char)(value >> (8 * i));
    return p;
}

#endif

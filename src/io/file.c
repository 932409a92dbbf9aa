/* SPDX-License-Identifier: BSD-3-Clause */
/* Mapping files, and sinks. A file sink writes to a temporary file in the same folder and renames
 * it once all data is on disk, so that a crash at any moment leaves either the old or the new file.
 * Where the system supports it (O_TMPFILE), the temporary file has no name before that, so that a
 * crash leaves nothing behind. */
#define _GNU_SOURCE
#include "io/file.h"
#include "core/check_args.h"

#include "core/alloc.h"
#include "core/interrupt.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void *cti_io_fail(int code, const char *path)
{
    enum ct_error_kind kind = code == ENOENT   ? CT_ERR_FILE_NOT_FOUND
                              : code == ENOMEM ? CT_ERR_OUT_OF_MEMORY
                                               : CT_ERR_OS;
    return ct_fail(kind, "[Errno %d] %s: '%s'", code, strerror(code), path);
}

void *cti_io_library(const char *const *names)
{
    for (; *names; names++) {
        void *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        if (library)
            return library;
    }
    return NULL;
}

/* ---- reading ---- */

bool cti_io_map_open(struct cti_map *map, const char *path, bool shared)
{
    static char nothing[1];
    *map = (struct cti_map){nothing, 0, 0, -1};
    if (!path)
        return ct_fail(CT_ERR_TYPE, "the name of the file is NULL");
    int fd = open(path, (shared ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) < 0 || S_ISDIR(info.st_mode)) {
        int code = fd >= 0 && S_ISDIR(info.st_mode) ? EISDIR : errno;
        if (fd >= 0)
            close(fd);
        return cti_io_fail(code, path);
    }
    if (info.st_size > 0) {
        void *address = cti_alloc_refused()
                            ? MAP_FAILED
                            : mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE,
                                   shared ? MAP_SHARED : MAP_PRIVATE, fd, 0);
        if (address == MAP_FAILED) {
            int code = errno;
            close(fd);
            return cti_io_fail(code, path);
        }
        *map = (struct cti_map){address, info.st_size, info.st_size, -1};
    }
    map->fd = fd;
    return true;
}

bool cti_io_map(struct cti_map *map, const char *path)
{
    if (!cti_io_map_open(map, path, false))
        return false;
    close(map->fd);
    map->fd = -1;
    return true;
}

void cti_io_unmap(struct cti_map *map)
{
    if (map->mapped)
        munmap(map->data, (size_t)map->mapped);
    if (map->fd >= 0)
        close(map->fd);
    map->mapped = 0;
    map->fd = -1;
}

/* ---- sinks ---- */

#define WRITE_PIECE (16 << 20) /* bytes between two checks for Ctrl-C */

struct ct_sink {
    ct_write_function write;
    void *context;
    int fd;                /* -1: a function sink */
    char *path, *other;    /* final and temporary path */
    bool failed, nameless; /* nameless: `other` is not linked yet */
};

static bool write_fd(void *context, const void *data, int64_t nbytes)
{
    ct_sink *s = context;
    for (const char *at = data, *end = at + nbytes; at < end;) {
        size_t piece = (size_t)(end - at) < (1u << 30) ? (size_t)(end - at) : (1u << 30);
        ssize_t n = write(s->fd, at, piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cti_io_fail(errno, s->path);
        at += n;
    }
    return true;
}

static ct_sink *new_sink(void)
{
    ct_sink *s = cti_calloc(1, sizeof *s);
    if (s)
        s->fd = -1;
    return s;
}

ct_sink *ct_sink_function(ct_write_function write, void *context)
{
    ct_sink *s = new_sink();
    if (s) {
        s->write = write;
        s->context = context;
    }
    return s;
}

static ct_sink *drop_sink(ct_sink *s)
{
    if (s->fd >= 0)
        close(s->fd);
    cti_free(s->path);
    cti_free(s->other);
    cti_free(s);
    return NULL;
}

/* Resolves symbolic links, so that their target is replaced rather than the link. Devices and pipes
 * are written in place. */
static char *final_path(const char *path)
{
    char *real = realpath(path, NULL);
    return real ? real : cti_strdup(path);
}

/* Stores the folder of a path in `folder`. */
static void folder_of(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    strcpy(folder, ".");
    if (slash && slash - path < PATH_MAX) {
        size_t n = slash == path ? 1 : (size_t)(slash - path);
        memcpy(folder, path, n);
        folder[n] = 0;
    }
}

/* Opens the temporary file in the folder of the path; check s->fd. False if memory runs out. */
static bool open_beside(ct_sink *s, mode_t mode)
{
    static unsigned counter;
    char folder[PATH_MAX];
    size_t room = strlen(s->path) + 40;
    s->other = cti_malloc(room);
    if (!s->other)
        return false;
#ifdef O_TMPFILE
    folder_of(s->path, folder);
    s->fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    s->nameless = s->fd >= 0;
#endif
    for (int attempt = 0; attempt < 100; attempt++) {
        unsigned number = __atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED);
        snprintf(s->other, room, "%s.%d.%u.part", s->path, (int)getpid(), number);
        if (s->nameless)
            break;
        s->fd = open(s->other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (s->fd >= 0 || errno != EEXIST)
            break;
    }
    return true;
}

ct_sink *ct_sink_file(const char *path)
{
    if (!path)
        return ct_fail(CT_ERR_TYPE, "the name of the file is NULL");
    ct_sink *s = new_sink();
    if (!s)
        return NULL;
    s->write = write_fd;
    s->context = s;
    s->path = final_path(path);
    if (!s->path)
        return drop_sink(s);
    struct stat info;
    bool known = stat(s->path, &info) == 0;
    if (known && S_ISDIR(info.st_mode)) {
        cti_io_fail(EISDIR, path);
        return drop_sink(s);
    }
    if (known && !S_ISREG(info.st_mode)) {
        s->fd = open(s->path, O_WRONLY | O_CLOEXEC);
        return s->fd >= 0 ? s : (cti_io_fail(errno, path), drop_sink(s));
    }
    mode_t mode = known ? info.st_mode & 07777 : 0666;
    if (!open_beside(s, mode))
        return drop_sink(s);
    if (s->fd < 0) {
        cti_io_fail(errno, path);
        return drop_sink(s);
    }
    if (known && fchmod(s->fd, mode) < 0)
        errno = 0; /* the file belonged to another user; the new one is ours */
    return s;
}

bool ct_sink_write(ct_sink *s, const void *data, int64_t nbytes)
{
    if (!(cti_check_pointer(s, "ct_sink_write", "s") &&
          cti_check_array(data, nbytes, "ct_sink_write", "data")))
        return false;
    if (s->failed || nbytes == 0)
        return !s->failed;
    for (int64_t at = 0; at < nbytes && !s->failed; at += WRITE_PIECE) {
        int64_t piece = nbytes - at < WRITE_PIECE ? nbytes - at : WRITE_PIECE;
        s->failed =
            (at && cti_interrupted()) || !s->write(s->context, (const char *)data + at, piece);
    }
    return !s->failed;
}

/* A rename is durable only after its folder is synced. */
static void sync_folder(const char *path)
{
    char folder[PATH_MAX];
    folder_of(path, folder);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

/* Moves the temporary file to its path. linkat cannot replace an existing file, so a nameless file
 * first gets the name `other`. */
static bool move_to_path(ct_sink *s)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", s->fd);
    if (s->nameless) {
        unlink(s->other); /* left by an earlier process with our pid */
        if (linkat(AT_FDCWD, self, AT_FDCWD, s->other, AT_SYMLINK_FOLLOW) < 0)
            return false;
        s->nameless = false;
    }
    return rename(s->other, s->path) == 0;
}

bool ct_sink_close(ct_sink *s, bool good)
{
    if (!s)
        return false;
    good = good && !s->failed;
    if (s->other) {
        if (good && (fsync(s->fd) < 0 || !move_to_path(s))) {
            cti_io_fail(errno, s->path);
            good = false;
        }
        if (good)
            sync_folder(s->path);
        else if (!s->nameless)
            unlink(s->other);
    }
    drop_sink(s);
    return good;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A store in a file: a log of changes, protected by a file lock. Each process keeps a table of what
 * it has read of the log; a request first reads what others have appended. */
#define _GNU_SOURCE
#include "core/alloc.h"
#include "core/check_args.h"
#include "core/interrupt.h"
#include "dist/dist.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct file_store {
    ct_store store;
    pthread_mutex_t lock;
    struct cti_table table;
    int64_t read; /* bytes of the log read so far */
    char path[];
};

struct record { /* then the key and the value */
    uint32_t magic, deleted, key, value;
};
#define MAGIC 0x53545243u

static bool file_failed(const struct file_store *f)
{
    return ct_fail(CT_ERR_OS, "[Errno %d] %s: '%s'", errno, strerror(errno), f->path);
}

static int open_locked(struct file_store *f)
{
    int fd = open(f->path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) {
        file_failed(f);
        return -1;
    }
    while (flock(fd, LOCK_EX) != 0) {
        if (errno != EINTR) {
            file_failed(f);
            close(fd);
            return -1;
        }
    }
    return fd;
}

/* Applies a part of the log to the table. Fails if the file is not a log. */
static bool replay(struct file_store *f, char *log, int64_t n)
{
    static const uint32_t magic = MAGIC;
    for (int64_t at = 0; at < n;) {
        struct record r;
        size_t known = n - at < (int64_t)sizeof magic ? (size_t)(n - at) : sizeof magic;
        if (memcmp(log + at, &magic, known) != 0)
            return ct_fail(CT_ERR_RUNTIME, "'%s' is not the file of a store", f->path);
        if (n - at < (int64_t)sizeof r)
            break;
        memcpy(&r, log + at, sizeof r);
        int64_t size = (int64_t)sizeof r + r.key + r.value;
        if (size > n - at)
            break; /* its writer died while writing */
        struct cti_piece key = {log + at + sizeof r, r.key};
        struct cti_piece value = {key.data + r.key, r.value};
        if (r.deleted)
            cti_table_delete(&f->table, key);
        else if (!cti_table_set(&f->table, key, value))
            return false;
        at += size;
        f->read += size;
    }
    return true;
}

static void table_reset(struct file_store *f)
{
    cti_table_clear(&f->table);
    f->read = 0;
}

/* Reads n bytes, in several calls if necessary. */
static bool read_fully(struct file_store *f, int fd, char *log, int64_t n)
{
    for (int64_t at = 0; at < n;) {
        ssize_t got = pread(fd, log + at, (size_t)(n - at), f->read + at);
        if (got == 0)
            errno = EIO;
        if (got == 0 || (got < 0 && errno != EINTR))
            return file_failed(f);
        at += got > 0 ? got : 0;
    }
    return true;
}

static bool catch_up(struct file_store *f, int fd)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return file_failed(f);
    if (info.st_size < f->read) /* the file was replaced */
        table_reset(f);
    int64_t n = info.st_size - f->read;
    if (n == 0)
        return true;
    char *log = cti_malloc((size_t)n);
    if (!log)
        return false;
    bool good = read_fully(f, fd, log, n) && replay(f, log, n);
    cti_free(log);
    return good;
}

/* Appends a record after the last complete one, overwriting what a process left that died while
 * writing. A partial write is undone. */
static bool log_append(struct file_store *f, int fd, const char *text, int64_t n)
{
    ssize_t wrote = -1;
    int64_t at = 0;
    if (ftruncate(fd, f->read) != 0)
        return file_failed(f);
    while (at < n && ((wrote = pwrite(fd, text + at, (size_t)(n - at), f->read + at)) > 0 ||
                      (wrote < 0 && errno == EINTR)))
        at += wrote > 0 ? wrote : 0;
    if (at == n) {
        f->read += n;
        return true;
    }
    file_failed(f);
    if (ftruncate(fd, f->read) != 0)
        table_reset(f);
    return false;
}

/* Logs the present value of a key, or its deletion. */
static bool log_key(struct file_store *f, int fd, struct cti_piece key)
{
    struct cti_piece value;
    struct record r = {.magic = MAGIC, .deleted = !cti_table_get(&f->table, key, &value)};
    size_t n = sizeof r + (size_t)key.nbytes + (size_t)value.nbytes;
    char *text = cti_malloc(n);
    if (!text) {
        table_reset(f); /* the table is ahead of the log */
        return false;
    }
    r.key = (uint32_t)key.nbytes;
    r.value = (uint32_t)value.nbytes;
    memcpy(text, &r, sizeof r);
    memcpy(text + sizeof r, key.data, (size_t)key.nbytes);
    if (value.nbytes)
        memcpy(text + sizeof r + key.nbytes, value.data, (size_t)value.nbytes);
    bool good = log_append(f, fd, text, (int64_t)n);
    if (!good)
        table_reset(f);
    cti_free(text);
    return good;
}

static enum cti_answer ask_once(struct file_store *f, const struct cti_request *q,
                                struct cti_reply *reply)
{
    enum cti_answer answer = CTI_UNANSWERED;
    int fd = open_locked(f);
    if (fd < 0)
        return CTI_UNANSWERED;
    if (catch_up(f, fd))
        answer = cti_table_answer(&f->table, q, reply);
    bool writes =
        q->kind != CTI_GET && q->kind != CTI_CHECK && q->kind != CTI_WAIT && q->kind != CTI_COUNT;
    if (answer == CTI_ANSWERED && writes && !log_key(f, fd, q->key))
        answer = CTI_UNANSWERED;
    flock(fd, LOCK_UN); /* explicit: a forked child may still have the file open */
    close(fd);
    return answer;
}

/* Runs a request; those that wait for a key poll the file. */
static bool file_ask(ct_store *s, const struct cti_request *q, struct cti_reply *reply,
                     int64_t deadline)
{
    struct file_store *f = (struct file_store *)s;
    int64_t since = cti_now_ms();
    for (;;) {
        pthread_mutex_lock(&f->lock);
        enum cti_answer answer = ask_once(f, q, reply);
        pthread_mutex_unlock(&f->lock);
        if (answer != CTI_NOT_YET)
            return answer == CTI_ANSWERED;
        if (cti_interrupted())
            return false;
        if (cti_now_ms() >= deadline)
            return ct_fail(CT_ERR_STORE, "Timeout waiting for key: %.*s after %lld ms",
                           (int)(q->key.nbytes < 1000 ? q->key.nbytes : 1000), q->key.data,
                           (long long)(cti_now_ms() - since));
        poll(NULL, 0, 10);
    }
}

static void file_free(ct_store *s)
{
    struct file_store *f = (struct file_store *)s;
    cti_table_clear(&f->table);
    pthread_mutex_destroy(&f->lock);
    cti_free(f);
}

ct_store *ct_store_file(const char *path)
{
    if (!cti_check_text(path, "ct_store_file", "path"))
        return NULL;
    static const struct cti_store_kind kind = {.ask = file_ask, .free = file_free};
    size_t n = strlen(path) + 1;
    struct file_store *f = cti_malloc(sizeof *f + n);
    if (!f)
        return NULL;
    *f = (struct file_store){.read = 0};
    cti_store_begin(&f->store, &kind, 300.0);
    pthread_mutex_init(&f->lock, NULL);
    memcpy(f->path, path, n);
    return &f->store;
}

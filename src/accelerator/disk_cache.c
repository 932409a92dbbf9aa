/* SPDX-License-Identifier: BSD-3-Clause */
/* A file for each compiled program, named by the hash of its source text and its target. Files are
 * written under a temporary name and renamed, so that processes can share a folder; each ends with
 * a checksum, and a damaged file counts as missing. The folder is CORTEN_CACHE_DIR (empty: no
 * cache), by default ~/.cache/corten. When the folder exceeds MOST_BYTES, the programs that were
 * used least recently are removed. */
#include "accelerator/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MOST_BYTES ((int64_t)256 << 20)
#define DAY (24 * 3600)

struct hash {
    uint64_t a, b;
};

/* Two independent 64-bit hashes: no collision is expected among 2^32 texts. */
static struct hash hash_of(struct hash h, const void *data, size_t n)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++) {
        h.a = (h.a ^ p[i]) * UINT64_C(0x100000001b3);
        h.b = (h.b + p[i] + 1) * UINT64_C(0x9e3779b97f4a7c15);
        h.b ^= h.b >> 29;
    }
    return h;
}

static const struct hash START = {UINT64_C(0xcbf29ce484222325), UINT64_C(0x243f6a8885a308d3)};

static bool folder_of(char *path, size_t size)
{
    const char *given = getenv("CORTEN_CACHE_DIR"), *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int n = given             ? snprintf(path, size, "%s", given)
            : cache && *cache ? snprintf(path, size, "%s/corten", cache)
            : home && *home   ? snprintf(path, size, "%s/.cache/corten", home)
                              : 0;
    return n > 0 && n < (int)size - 80;
}

static void make_folders(char *path)
{
    for (char *p = path + 1; *p; p++)
        if (*p == '/') {
            *p = 0;
            mkdir(path, 0777);
            *p = '/';
        }
    mkdir(path, 0777);
}

static bool path_of(char *path, size_t size, const char *text, const char *target)
{
    if (!folder_of(path, size))
        return false;
    struct hash h = hash_of(START, text, strlen(text));
    snprintf(path + strlen(path), 80, "/%016llx%016llx-%s", (unsigned long long)h.a,
             (unsigned long long)h.b, target);
    return true;
}

void *cti_disk_cache_find(const char *text, const char *target, size_t *size)
{
    char path[4096];
    struct stat facts;
    char *code = NULL;
    bool good = false;
    int file = path_of(path, sizeof path, text, target) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return NULL;
    if (fstat(file, &facts) == 0 && facts.st_size > 16 && facts.st_size < MOST_BYTES)
        code = malloc((size_t)facts.st_size);
    if (code && read(file, code, (size_t)facts.st_size) == facts.st_size) {
        struct hash sum;
        *size = (size_t)facts.st_size - sizeof sum;
        memcpy(&sum, code + *size, sizeof sum);
        struct hash now = hash_of(START, code, *size);
        good = now.a == sum.a && now.b == sum.b;
    }
    if (good && time(NULL) - facts.st_mtime > DAY)
        futimens(file, NULL); /* refresh the age of what is used */
    close(file);
    if (good)
        return code;
    free(code);
    return NULL;
}

struct aged {
    time_t used;
    int64_t size;
    char name[64];
};

static int by_age(const void *a, const void *b)
{
    time_t x = ((const struct aged *)a)->used, y = ((const struct aged *)b)->used;
    return (x > y) - (x < y);
}

/* 32 digits of the hash, '-' and the target. Files that are being written have longer names. */
static bool is_program(const char *name)
{
    return strspn(name, "0123456789abcdef") == 32 && name[32] == '-';
}

/* Removes the oldest quarter of a folder that is over the limit. */
static void prune(const char *folder)
{
    enum { MOST = 16384 };
    struct aged *all = malloc(MOST * sizeof *all);
    DIR *dir = all ? opendir(folder) : NULL;
    int n = 0;
    int64_t total = 0;
    for (struct dirent *e; dir && n < MOST && (e = readdir(dir));) {
        struct stat facts;
        if (!is_program(e->d_name) || strlen(e->d_name) >= sizeof all->name ||
            fstatat(dirfd(dir), e->d_name, &facts, 0) != 0)
            continue;
        all[n] = (struct aged){facts.st_mtime, facts.st_size, ""};
        strcpy(all[n].name, e->d_name);
        total += all[n++].size;
    }
    if (total > MOST_BYTES || n == MOST) {
        qsort(all, (size_t)n, sizeof *all, by_age);
        for (int i = 0; i < n / 4; i++)
            unlinkat(dirfd(dir), all[i].name, 0);
    }
    if (dir)
        closedir(dir);
    free(all);
}

void cti_disk_cache_keep(const char *text, const char *target, const void *program, size_t size)
{
    char path[4096], other[4200], folder[4096];
    static int kept;
    if (!path_of(path, sizeof path, text, target) || !folder_of(folder, sizeof folder))
        return;
    snprintf(other, sizeof other, "%s.%ld.%p", path, (long)getpid(), (const void *)&other);
    int file = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) {
        make_folders(folder);
        file = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (file < 0)
        return;
    struct hash sum = hash_of(START, program, size);
    bool good = write(file, program, size) == (ssize_t)size &&
                write(file, &sum, sizeof sum) == (ssize_t)sizeof sum;
    good = close(file) == 0 && good;
    if (!good || rename(other, path) != 0)
        unlink(other);
    if (__atomic_fetch_add(&kept, 1, __ATOMIC_RELAXED) % 256 == 0)
        prune(folder);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The disk cache of compiled kernels: any process finds a stored entry; damaged and truncated files
 * are ignored; with an unusable folder, lookups miss and nothing fails. */
#define _GNU_SOURCE
#include "../check.h"
#include "accelerator/disk_cache.h"
#include "corten/base.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/corten-cache-XXXXXX";

/* Returns whether the cache has code for a text; checks that it is the given code. */
static bool found(const char *text, const char *code)
{
    size_t size = 0;
    char *have = cti_disk_cache_find(text, "90-13000.cubin", &size);
    bool same = have && size == strlen(code) && memcmp(have, code, size) == 0;
    CHECK(!have || same);
    free(have);
    return have != NULL;
}

static void keep(const char *text, const char *code)
{
    cti_disk_cache_keep(text, "90-13000.cubin", code, strlen(code));
}

/* Returns the path of the n-th file in the folder. */
static char *file_of(int n)
{
    static char path[512];
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.' && n-- == 0)
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (dir)
        closedir(dir);
    return path;
}

static void test_damage(void)
{
    CHECK(!found("text", "code"));
    keep("text", "code");
    CHECK(found("text", "code"));
    CHECK(!found("text ", "code"));
    size_t size;
    CHECK(!cti_disk_cache_find("text", "80-13000.cubin", &size) &&
          !cti_disk_cache_find("text", "90-12000.cubin", &size));
    int file = open(file_of(0), O_RDWR);
    CHECK(file >= 0 && pwrite(file, "X", 1, 1) == 1); /* changes one byte of the code */
    CHECK(!found("text", "code"));
    keep("text", "code"); /* stores the entry again */
    CHECK(found("text", "code"));
    close(file);
    CHECK(truncate(file_of(0), 9) == 0);
    CHECK(!found("text", "code"));
    CHECK(truncate(file_of(0), 0) == 0);
    CHECK(!found("text", "code"));
    CHECK(truncate(file_of(0), (off_t)1 << 40) == 0); /* 1 TB, which must not be read */
    CHECK(!found("text", "code"));
    unlink(file_of(0));
}

static void test_processes(void)
{
    enum { MANY = 8, TEXTS = 40 };
    char text[32], code[64];
    for (int p = 0; p < MANY; p++)
        if (fork() == 0) {
            for (int i = 0; i < TEXTS; i++) {
                snprintf(text, sizeof text, "text %d", i);
                snprintf(code, sizeof code, "the code of text %d", i);
                if (!found(text, code))
                    keep(text, code);
            }
            _exit(failures != 0);
        }
    for (int p = 0, status; p < MANY; p++)
        CHECK(wait(&status) > 0 && status == 0);
    for (int i = 0; i < TEXTS; i++) {
        snprintf(text, sizeof text, "text %d", i);
        snprintf(code, sizeof code, "the code of text %d", i);
        CHECK(found(text, code));
    }
}

static void test_bad_folders(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s/deep/er", folder);
    setenv("CORTEN_CACHE_DIR", path, 1);
    keep("text", "code");
    CHECK(found("text", "code")); /* the folder was created with its parents */
    snprintf(path, sizeof path, "%s/plain", folder);
    close(open(path, O_CREAT | O_WRONLY, 0600));
    const char *const bad[] = {"", path, "/proc/none", "/dev/null/x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setenv("CORTEN_CACHE_DIR", bad[i], 1);
        keep("text", "code");
        CHECK(!found("text", "code") && ct_error() == NULL);
    }
}

int main(void)
{
    char command[128];
    if (!mkdtemp(folder))
        return 77;
    setenv("CORTEN_CACHE_DIR", folder, 1);
    test_damage();
    test_processes();
    test_bad_folders();
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0);
    return failures != 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks for a vendor's library on the loader's path, in its toolkit, and in Python packages: those
 * of the environment in which this library is installed, then those of the running interpreter. */
#define _GNU_SOURCE
#include "accelerator/library.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *open_in(const char *folder, const char *name, const char *version)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s%s%s.so%s", folder, *folder ? "/" : "", name, version);
    return n < (int)sizeof path ? dlopen(path, RTLD_LAZY | RTLD_GLOBAL) : NULL;
}

/* Searches the folders that match a pattern. */
static void *open_in_match(const char *pattern, const char *name, const char *version)
{
    glob_t found;
    void *library = NULL;
    if (glob(pattern, 0, NULL, &found) != 0)
        return NULL;
    for (size_t i = 0; i < found.gl_pathc && !library; i++)
        library = open_in(found.gl_pathv[i], name, version);
    globfree(&found);
    return library;
}

static void *open_in_toolkit(const struct cti_vendor *vendor, const char *name, const char *version)
{
    char folder[4000];
    const char *home = NULL;
    for (int i = 0; vendor->home[i] && !home; i++)
        home = getenv(vendor->home[i]);
    snprintf(folder, sizeof folder, "%s/lib64", home ? home : vendor->toolkit);
    void *library = open_in(folder, name, version);
    snprintf(folder, sizeof folder, "%s/lib64", vendor->toolkit);
    return library || !home ? library : open_in(folder, name, version);
}

/* Searches the site-packages folder that contains Corten itself. */
static void *open_beside_us(const struct cti_vendor *vendor, const char *name, const char *version)
{
    Dl_info info;
    char pattern[4096];
    if (!dladdr((void *)(uintptr_t)&cti_library_open, &info) || !info.dli_fname)
        return NULL;
    const char *end = strstr(info.dli_fname, "/site-packages/");
    int n = end ? (int)(end - info.dli_fname) : 0;
    if (!end || snprintf(pattern, sizeof pattern, "%.*s/site-packages/%s/*/lib", n, info.dli_fname,
                         vendor->packages) >= (int)sizeof pattern)
        return NULL;
    return open_in_match(pattern, name, version);
}

/* Searches the site-packages of the running interpreter, if Corten is installed elsewhere. */
static void *open_in_python(const struct cti_vendor *vendor, const char *name, const char *version)
{
    static const char *const folders[] = {"/../lib/python3*/site-packages",
                                          "/../lib/python3*/dist-packages",
                                          "/../local/lib/python3*/dist-packages"};
    char program[2048], pattern[4096];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    void *library = NULL;
    if (n <= 0)
        return NULL;
    program[n] = 0;
    char *end = strrchr(program, '/');
    if (!end || strncmp(end, "/python", 7) != 0)
        return NULL;
    *end = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders && !library; i++)
        if (snprintf(pattern, sizeof pattern, "%s%s/%s/*/lib", program, folders[i],
                     vendor->packages) < (int)sizeof pattern)
            library = open_in_match(pattern, name, version);
    return library;
}

void *cti_library_open(const struct cti_vendor *vendor, const char *name,
                       const char *const *versions)
{
    for (int i = 0; versions[i]; i++) {
        void *library = open_in("", name, versions[i]);
        library = library ? library : open_in_toolkit(vendor, name, versions[i]);
        library = library ? library : open_beside_us(vendor, name, versions[i]);
        library = library ? library : open_in_python(vendor, name, versions[i]);
        if (library)
            return library;
    }
    return NULL;
}

bool cti_library_functions(const struct cti_vendor *vendor, const char *name,
                           const char *const *versions,
                           const struct cti_library_function *functions, int n)
{
    void *library = cti_library_open(vendor, name, versions);
    bool whole = library != NULL;
    for (int i = 0; library && i < n; i++) {
        *(void **)functions[i].address = dlsym(library, functions[i].name);
        whole = whole && *(void **)functions[i].address;
    }
    return whole;
}

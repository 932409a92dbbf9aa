/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds NVIDIA's libraries: on the loader's path, in CUDA_HOME or the usual toolkit, or in the
 * Python packages nvidia-* of the interpreter or beside the package this library is part of. */
#define _GNU_SOURCE
#include "core/check_args.h"
#include "corten/cuda.h"
#include "cuda/runtime/kernel.h"

#include <dlfcn.h>
#include <glob.h>
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

/* In the folders that match a pattern. */
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

/* For a library in .../site-packages/corten... */
static void *open_beside_us(const char *name, const char *version)
{
    Dl_info info;
    char pattern[4096];
    if (!dladdr((void *)(uintptr_t)&cti_cuda_ntexts, &info) || !info.dli_fname)
        return NULL;
    const char *end = strstr(info.dli_fname, "/site-packages/");
    int n = end ? (int)(end - info.dli_fname) : 0;
    if (!end || snprintf(pattern, sizeof pattern, "%.*s/site-packages/nvidia/*/lib", n,
                         info.dli_fname) >= (int)sizeof pattern)
        return NULL;
    return open_in_match(pattern, name, version);
}

/* In the site-packages of the running interpreter, where we are installed elsewhere. */
static void *open_in_python(const char *name, const char *version)
{
    static const char *const places[] = {"/../lib/python3*/site-packages",
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
    for (size_t i = 0; i < sizeof places / sizeof *places && !library; i++)
        if (snprintf(pattern, sizeof pattern, "%s%s/nvidia/*/lib", program, places[i]) <
            (int)sizeof pattern)
            library = open_in_match(pattern, name, version);
    return library;
}

void *cti_cuda_library(const char *name, const char *const *versions)
{
    char folder[4000];
    const char *home = getenv("CUDA_HOME");
    home = home ? home : getenv("CUDA_PATH");
    snprintf(folder, sizeof folder, "%s/lib64", home ? home : "/usr/local/cuda");
    for (int i = 0; versions[i]; i++) {
        void *library = open_in("", name, versions[i]);
        library = library ? library : open_in(folder, name, versions[i]);
        library = library ? library : open_in("/usr/local/cuda/lib64", name, versions[i]);
        library = library ? library : open_beside_us(name, versions[i]);
        library = library ? library : open_in_python(name, versions[i]);
        if (library)
            return library;
    }
    return NULL;
}

void *ct_cuda_open_library(const char *name, const char *const *versions)
{
    if (!cti_check_text(name, "ct_cuda_open_library", "name") ||
        !cti_check_pointer(versions, "ct_cuda_open_library", "versions"))
        return NULL;
    return cti_cuda_library(name, versions);
}

bool cti_cuda_functions(const char *name, const char *const *versions,
                        const struct cti_cuda_function *functions, int n)
{
    void *library = cti_cuda_library(name, versions);
    bool whole = library != NULL;
    for (int i = 0; library && i < n; i++) {
        *(void **)functions[i].place = dlsym(library, functions[i].name);
        whole = whole && *(void **)functions[i].place;
    }
    return whole;
}

int ct_cuda_library_version(const char *name)
{
    static const char *const versions[] = {".13", ".12", ".11", ".9", "", NULL};
    static const char *const path[][2] = {{"cudnn", "cudnnGetVersion"}, /* size_t (void) */
                                          {"cufft", "cufftGetVersion"},
                                          {"cusolver", "cusolverGetVersion"}};
    char file[64];
    int version = 0;
    for (size_t i = 0; cti_cuda_count() && i < sizeof path / sizeof *path; i++) {
        if (strcmp(path[i][0], name) != 0)
            continue;
        snprintf(file, sizeof file, "lib%s", name);
        void *library = cti_cuda_library(file, versions);
        void *function = library ? dlsym(library, path[i][1]) : NULL;
        if (function && i == 0)
            return (int)((size_t(*)(void))(uintptr_t)function)();
        if (function)
            ((int (*)(int *))(uintptr_t)function)(&version);
    }
    return version;
}

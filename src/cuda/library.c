/* SPDX-License-Identifier: BSD-3-Clause */
/* Where NVIDIA's libraries are: on the loader's path, in CUDA_HOME or the usual toolkit, or in the
 * Python packages nvidia-* that lie beside the package this library is part of. */
#define _GNU_SOURCE
#include "cuda/kernel.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *open_in(const char *folder, const char *name, const char *version)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s%s%s.so%s", folder, *folder ? "/" : "", name, version);
    return n < (int)sizeof path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
}

/* .../site-packages/nvidia/x/lib for a library in .../site-packages/corten... */
static void *open_in_packages(const char *name, const char *version)
{
    Dl_info info;
    char pattern[4096];
    glob_t found;
    void *library = NULL;
    if (!dladdr((void *)(uintptr_t)&cti_cuda_ntexts, &info) || !info.dli_fname)
        return NULL;
    const char *end = strstr(info.dli_fname, "/site-packages/");
    int n = end ? (int)(end - info.dli_fname) : 0;
    if (!end || snprintf(pattern, sizeof pattern, "%.*s/site-packages/nvidia/*/lib", n,
                         info.dli_fname) >= (int)sizeof pattern)
        return NULL;
    if (glob(pattern, 0, NULL, &found) != 0)
        return NULL;
    for (size_t i = 0; i < found.gl_pathc && !library; i++)
        library = open_in(found.gl_pathv[i], name, version);
    globfree(&found);
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
        library = library ? library : open_in_packages(name, versions[i]);
        if (library)
            return library;
    }
    return NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Where NVIDIA's libraries are installed, and their versions. */
#include "accelerator/library.h"
#include "core/check_args.h"
#include "corten/cuda.h"
#include "cuda/runtime/kernel.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const struct cti_vendor cti_nvidia = {
    .home = {"CUDA_HOME", "CUDA_PATH"}, .toolkit = "/usr/local/cuda", .packages = "nvidia"};

void *ct_cuda_open_library(const char *name, const char *const *versions)
{
    if (!cti_check_text(name, "ct_cuda_open_library", "name") ||
        !cti_check_pointer(versions, "ct_cuda_open_library", "versions"))
        return NULL;
    return cti_library_open(&cti_nvidia, name, versions);
}

int ct_cuda_library_version(const char *name)
{
    static const char *const versions[] = {".13", ".12", ".11", ".9", "", NULL};
    static const char *const path[][2] = {{"cudnn", "cudnnGetVersion"}, /* size_t (void) */
                                          {"cufft", "cufftGetVersion"},
                                          {"cusolver", "cusolverGetVersion"}};
    char file[64];
    int version = 0;
    if (!cti_check_text(name, "ct_cuda_library_version", "name"))
        return 0;
    for (size_t i = 0; cti_cuda_count() && i < sizeof path / sizeof *path; i++) {
        if (strcmp(path[i][0], name) != 0)
            continue;
        snprintf(file, sizeof file, "lib%s", name);
        void *library = cti_library_open(&cti_nvidia, file, versions);
        void *function = library ? dlsym(library, path[i][1]) : NULL;
        if (function && i == 0)
            return (int)((size_t(*)(void))(uintptr_t)function)();
        if (function)
            ((int (*)(int *))(uintptr_t)function)(&version);
    }
    return version;
}

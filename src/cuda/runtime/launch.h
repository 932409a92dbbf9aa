/* SPDX-License-Identifier: BSD-3-Clause */
/* One call that compiles a .cu file for some parameters and launches it. Engines describe the
 * launch with a struct whose members have names. */
#ifndef CORTEN_CUDA_RUNTIME_LAUNCH_H
#define CORTEN_CUDA_RUNTIME_LAUNCH_H

#include "cuda/runtime/driver.h"

#define CTI_MAX_PARAMS 16
#define CTI_MAX_TEXTS 8

/* A #define ahead of the file, such as {"TILE", 64}. Names are literals: kernels are looked up by
 * their addresses. */
struct cti_param {
    const char *name;
    int value;
};

/* The same for types, expressions and flags: {"T", "float"}, {"LOAD(x)", "(float)(x)"},
 * {"SORTED", sorted ? "" : NULL}. NULL: not defined. */
struct cti_text_param {
    const char *name, *text;
};

/* Note [Arguments of a kernel] A kernel has one parameter, a struct. Its definition is in a header
 * beside the kernel, such as conv/patch_args.h, which patch.cu and the C file that launches it both
 * include; src/cuda/texts.py puts the text of the header into the kernel's. Pointers are T *, where
 * the launch defines T, such as {"T", "float"}; in C the header defines it as void. Other members
 * have types that C and CUDA share, such as int32_t. Constants that both sides need, such as
 * THREADS, are in the header as well. */
struct cti_launch {
    const char *file; /* a literal; "conv/patch" stands for src/cuda/conv/patch.cu */
    struct cti_param params[CTI_MAX_PARAMS]; /* up to the first without a name */
    struct cti_text_param texts[CTI_MAX_TEXTS];
    int device;       /* its context is current */
    unsigned grid[3]; /* x may be 0: nothing is launched; in y and z 0 stands for 1 */
    unsigned threads;
    unsigned shared;        /* dynamic shared memory, in bytes */
    unsigned static_shared; /* shared memory that the kernel itself declares */
    const void *args;       /* the kernel's argument, a struct of `size` bytes */
    size_t size;
};

/* Compiles the kernel at its first use, and launches it on the current stream. Fake devices only
 * compile it (cti_cuda_launched then declines). False: failed, the error is set. */
bool cti_cuda_run(const struct cti_launch *l);

#endif

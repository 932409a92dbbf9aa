/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles a .cu file for the parameters of one call and launches it. Every launcher describes its
 * launch with designated initialisers of struct cti_launch. */
#ifndef CORTEN_CUDA_RUNTIME_LAUNCH_H
#define CORTEN_CUDA_RUNTIME_LAUNCH_H

#include "cuda/runtime/driver.h"

#define CTI_MAX_PARAMS 16
#define CTI_MAX_TEXTS 8
#define CTI_MAX_CASTS 3

/* A #define ahead of the file, such as {"TILE", 64}. Names are literals: kernels are looked up by
 * their addresses. */
struct cti_param {
    const char *name;
    int value;
};

/* The same for types, expressions and flags: {"T", "float"}, {"EXP(x)", "expf(x)"},
 * {"SORTED", sorted ? "" : NULL}. NULL: not defined. */
struct cti_text_param {
    const char *name, *text;
};

/* A conversion between dtypes: {"LOAD(x)", CT_FLOAT32, CT_BFLOAT16}. */
struct cti_cast_param {
    const char *name;
    int to, from;
};

/* Note [Arguments of a kernel] A kernel has one parameter, a struct. Its definition is in a header
 * beside the kernel, such as conv/patch_args.h, which patch.cu and the C file that launches it both
 * include; src/cuda/texts.py puts the text of the header into the kernel's. Pointers are T *, where
 * the launch defines T, such as {"T", "float"}; in C the header defines it as void. Other members
 * have types that C and CUDA share, such as int32_t. Constants that both sides need, such as
 * THREADS, are in the header as well. */

/* The lists end at the first entry without a name. */
struct cti_launch {
    const char *file; /* a literal: "conv/patch" for src/cuda/conv/patch.cu */
    struct cti_param params[CTI_MAX_PARAMS];
    struct cti_text_param texts[CTI_MAX_TEXTS];
    struct cti_cast_param casts[CTI_MAX_CASTS];
    int device;
    int64_t grid[3]; /* x == 0: nothing is launched; in y and z, 0 means 1 */
    unsigned threads;
    unsigned shared;        /* dynamic shared memory, in bytes */
    unsigned static_shared; /* shared memory that the kernel itself declares */
    bool together;          /* cooperative: all blocks are resident and may wait for each other */
    const void *args;       /* the kernel's argument, a struct of `size` bytes */
    size_t size;
};

/* Initialises the last two members. */
#define CTI_ARGS(a) .args = &(a), .size = sizeof(a)

/* Compiles the kernel at its first use, and launches it on the current stream of the device. On a
 * fake device the launch does nothing, and cti_cuda_launched then declines. False: failed, the
 * error is set. */
bool cti_cuda_run(const struct cti_launch *l);

/* Launches a kernel whose text its caller writes (cti_cuda_kernel) on the current stream of the
 * device, whose context is current. */
bool cti_cuda_launch(int device, cu_function function, int64_t grid, unsigned threads,
                     const void *args, size_t size);

/* The address of a tensor's first element, or NULL without a tensor. */
static inline void *cti_cuda_data(const ct_tensor *t)
{
    return t ? cti_data(t) : NULL;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers on devices: Philox, counted by seed and offset as PyTorch counts them. */
#ifndef CORTEN_CUDA_RANDOM_H
#define CORTEN_CUDA_RANDOM_H

#include "core/random.h"
#include "cuda/driver.h"

/* The one that a device's functions without a generator draw from. Borrowed; NULL: failed. */
ct_generator *cti_cuda_generator(int device);
/* The generator that work draws from, or NULL and PyTorch's error where it is the CPU's. */
ct_generator *cti_cuda_generator_of(const struct cti_fill_random *work);
/* A generator of the CPU for one call, which goes on where the device's stands. Borrowed. */
ct_generator *cti_cuda_host_generator(const struct cti_fill_random *work);
/* draws.c: permutations and what depends on tensors. 1: sent; 0: not here; -1: failed. */
int cti_cuda_draw(const struct cti_fill_random *work);
/* Seeds those of all devices, also of those that are not in use yet. */
void cti_cuda_seed_all(uint64_t seed);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers on devices: Philox, with PyTorch's seed and offset. */
#ifndef CORTEN_CUDA_RANDOM_RANDOM_H
#define CORTEN_CUDA_RANDOM_RANDOM_H

#include "core/random.h"
#include "cuda/runtime/driver.h"

/* A device's default generator. Borrowed; NULL: failed. */
ct_generator *cti_cuda_generator(int device);
/* Returns the generator that the work draws from. NULL: it is a CPU generator; PyTorch's error is
 * set. */
ct_generator *cti_cuda_generator_of(const struct cti_random *work);
/* Returns a CPU generator for one call, seeded from the device generator's state. Borrowed. */
ct_generator *cti_cuda_host_generator(const struct cti_random *work);
/* discrete.c: discrete distributions with tensor parameters, and permutations. */
enum cti_status cti_cuda_random_discrete(const struct cti_random *work);
/* Seeds all devices, including those not in use yet. */
void cti_cuda_seed_all(uint64_t seed);

#endif
